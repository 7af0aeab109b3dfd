"""The bulk call as the body of a Spark job, on several worker processes of this machine."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterable, Iterator, List

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed", allow_module_level=True)

import bitmesh
import bitmesh.spark
import pyarrow
import pyarrow.parquet
from conftest import START, WALL, cases, positions_of_games
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark

PARTS = 12


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A cluster of two workers, each a process of its own, bound to loopback."""
    folder = tmp_path_factory.mktemp("spark")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_LOCAL_HOSTNAME"] = "127.0.0.1"
    os.environ["SPARK_WORKER_DIR"] = str(folder / "work")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,768]")
        .appName("bitmesh")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "768m")
        .config("spark.executor.memory", "768m")
        .config("spark.ui.enabled", "false")
        .config("spark.local.dir", str(folder / "local"))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.files.openCostInBytes", str(128 << 20))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parquet files with positions, cells without one, and cells with something else."""
    folder = tmp_path_factory.mktemp("collection")
    positions: List[Any] = cases("lichess_dead.fen")[:1500] + list(positions_of_games(3000, seed=11))
    positions[17] = None
    positions[1300] = "no position"
    positions[2500] = "8/8/8/8/8/8/8/8 w - - 0 1"
    positions[2000] = WALL
    size = -(-len(positions) // PARTS)
    for part in range(PARTS):
        fens = positions[part * size : (part + 1) * size]
        table = pyarrow.table({"game": [f"{part}-{row}" for row in range(len(fens))], "fen": fens})
        pyarrow.parquet.write_table(table.rename_columns(["key", "fen"]), folder / f"part-{part:02}.parquet")
    return folder


def expected(collection: Path) -> List[Any]:
    """The rows of `bitmesh scan` on the same files."""
    rows = bitmesh.scan(collection).read_all().to_pylist()
    return sorted((dict(row, source=Path(row["source"]).name) for row in rows), key=place)


def place(row: Any) -> Any:
    return row["source"], row["line"]


def read(spark: SparkSession, collection: Path) -> Any:
    """The collection with the place of each row as `bitmesh scan` counts it."""
    return spark.read.parquet(str(collection)).select(
        "key",
        "fen",
        F.col("_metadata.file_name").alias("file"),
        (F.col("_metadata.row_index") + 1).alias("row"),
    )


def test_the_rows_are_those_of_a_scan(spark: SparkSession, collection: Path, tmp_path: Path) -> None:
    frame = read(spark, collection)
    rows = bitmesh.spark.certify(frame, "fen", source="file", line="row")
    assert rows.columns == list(bitmesh.COLUMNS)
    assert rows.rdd.getNumPartitions() == PARTS
    rows.write.parquet(str(tmp_path / "rows"))
    written = pyarrow.parquet.read_table(tmp_path / "rows").to_pylist()
    assert sorted(written, key=place) == expected(collection)
    assert len(executors()) == 2


def test_columns_can_be_kept(spark: SparkSession, collection: Path) -> None:
    frame = read(spark, collection)
    rows = bitmesh.spark.prove(frame, "fen", keep=["key", "row"], nodes=0)
    assert rows.columns == ["key", "row", *bitmesh.COLUMNS]
    found = rows.where("dead AND exact_sum").orderBy("key").collect()
    by_key = {
        f"{int(row['source'][5:7])}-{row['line'] - 1}": row
        for row in expected(collection)
        if row["dead"] and row["exact_sum"]
    }
    assert len(found) == len(by_key) > 10
    for row in found:
        assert row["digest"] == by_key[row["key"]]["digest"]
        assert row["row"] == by_key[row["key"]]["line"]
        assert (row["source"], row["line"]) == ("", None)
    with pytest.raises(ValueError, match="kept") as raised:
        bitmesh.spark.certify(frame, "fen", keep=["fen"])
    assert isinstance(raised.value, bitmesh.ArgumentError)
    assert (raised.value.code, raised.value.argument) == ("argument/kept-column", "keep")


def test_a_column_that_is_not_text_is_refused_as_in_bulk(spark: SparkSession, collection: Path) -> None:
    frame = read(spark, collection)
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.spark.certify(frame, "row")
    assert raised.value.code == "bulk/no-text"
    with pytest.raises(bitmesh.BulkError) as in_bulk:
        bitmesh.certify_many(pyarrow.table({"row": [1]}), column="row")
    assert in_bulk.value.code == raised.value.code
    # Bytes are texts too, and a column of nulls has a row for each.
    frame = frame.limit(3).select(F.col("fen").cast("binary").alias("fen"), F.lit(None).alias("nothing"))
    assert [row["error_code"] for row in bitmesh.spark.certify(frame, "fen").collect()] == [None] * 3
    nothing = bitmesh.spark.certify(frame, "nothing").collect()
    assert [row["error_code"] for row in nothing] == ["table/empty-cell"] * 3


def executors() -> List[int]:
    """The worker processes that this test run has started, and nobody else's."""

    def parent(pid: int) -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[1])

    def is_ours(pid: int) -> bool:
        while pid > 1:
            if pid == os.getpid():
                return True
            pid = parent(pid)
        return False

    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
                if b"CoarseGrainedExecutorBackend" in command and is_ours(int(entry.name)):
                    found.append(int(entry.name))
            except (OSError, IndexError):
                continue
    return found


def test_a_worker_that_is_killed_loses_nothing(spark: SparkSession, collection: Path, tmp_path: Path) -> None:
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("processes are found through /proc")
    killed = str(tmp_path / "killed")

    def until_the_kill(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """Passes the first parts on at once; the others wait, so that the job is in the middle when a worker dies."""
        import time
        from pathlib import Path

        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        for batch in batches:
            while context.partitionId() >= PARTS // 2 and not Path(killed).exists():
                time.sleep(0.05)
            yield batch

    frame = read(spark, collection)
    rows = bitmesh.spark.certify(frame.mapInArrow(until_the_kill, frame.schema), "fen", source="file", line="row")
    found: List[Any] = []
    job = threading.Thread(target=lambda: found.extend(row.asDict() for row in rows.collect()))
    job.start()
    tracker = spark.sparkContext.statusTracker()
    deadline = time.monotonic() + 600
    try:
        while True:
            assert time.monotonic() < deadline and job.is_alive(), "the job never was in the middle"
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage and stage.numCompletedTasks >= PARTS // 2 for stage in stages):
                break
            time.sleep(0.05)
        before = executors()
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
    finally:
        Path(killed).touch()
    job.join(600)
    assert not job.is_alive()
    assert before[0] not in executors()
    assert sorted(found, key=place) == expected(collection)


def test_the_documented_example(spark: SparkSession, tmp_path: Path) -> None:
    """The example of docs/python.md, as it stands there."""
    from test_documentation import examples

    [example] = [code for code in examples("docs/python.md") if "bitmesh.spark" in code]
    table = pyarrow.table({"game_id": ["a", "b"], "fen": [WALL, START]})
    pyarrow.parquet.write_table(table, tmp_path / "positions.parquet")
    # The driver and the workers do not share a working directory.
    for name in ("positions.parquet", "dead.parquet"):
        example = example.replace(f'"{name}"', repr(str(tmp_path / name)))
    exec(compile(example, "docs/python.md", "exec"), {})
    [row] = pyarrow.parquet.read_table(tmp_path / "dead.parquet").to_pylist()
    assert (row["game_id"], row["fen"], row["dead"]) == ("a", WALL, True)
