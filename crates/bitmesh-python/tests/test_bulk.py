"""Many positions at once."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional

import bitmesh
import chess
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from conftest import BROKEN, START, WALL, WALL_AFTER_A4, cases, positions_of_games, press_ctrl_c

PLACEMENT = "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7"


@pytest.fixture(scope="module")
def fens() -> List[str]:
    constructed = [WALL, WALL_AFTER_A4, BROKEN, START, PLACEMENT]
    return constructed + cases("lichess_dead.fen")[:1500] + list(positions_of_games(4000))


@pytest.fixture(scope="module")
def expected(fens: List[str]) -> List[Dict[str, Any]]:
    return bitmesh.certify_many(fens).to_pylist()


def test_rows_say_what_the_single_calls_say(fens: List[str], expected: List[Dict[str, Any]]) -> None:
    assert len(expected) == len(fens)
    dead = 0
    for number, (fen, row) in enumerate(zip(fens, expected), 1):
        certification = bitmesh.certify(fen)
        assert tuple(row) == bitmesh.COLUMNS
        assert (row["source"], row["line"], row["game"], row["ply"]) == ("", number, None, None)
        assert row["fen"] == certification.fen
        assert row["digest"] == certification.decomposition.digest
        assert row["position_digest"] == certification.position_digest
        assert row["status"] == certification.decomposition.status
        assert row["rejection_reason"] == certification.decomposition.rejection_reason
        assert row["active_components"] == len(certification.decomposition.components)
        assert row["active_components"] == certification.decomposition.active_components
        assert row["one_ply"] == certification.one_ply
        barrier = [chess.square_name(square) for square in certification.decomposition.barrier]
        assert row["barrier"] == barrier
        assert row["error_code"] is row["error"] is None
        if not certification.is_position:
            assert row["dead"] is row["frozen"] is row["exact_sum"] is None
            continue
        certificate = bitmesh.prove(fen, nodes=0)
        assert row["persistent_components"] == certificate.persistent_components
        assert row["position_digest"] == certificate.position_digest
        assert row["exact_sum"] == certificate.exact_sum
        assert row["unwinnable_white"] == certificate.unwinnable_white
        assert row["unwinnable_black"] == certificate.unwinnable_black
        assert row["dead"] == certificate.dead
        assert row["frozen"] == [chess.square_name(square) for square in certificate.frozen]
        dead += row["dead"]
    assert dead > 1000


def test_proofs_give_the_same_rows(fens: List[str], expected: List[Dict[str, Any]]) -> None:
    assert bitmesh.prove_many(fens, nodes=0).to_pylist() == expected


def test_more_is_proved_with_more_nodes() -> None:
    # The king must take the pawn, and then two kings are left.
    forced = "k1K5/P7/8/8/8/8/8/8 b - - 0 1"
    fens = [forced, WALL, START] * 20
    without = bitmesh.prove_many(fens, nodes=0).column("dead")
    with_nodes = bitmesh.prove_many(fens, nodes=100).column("dead")
    by_default = bitmesh.prove_many(fens).column("dead")
    assert without == [False, True, False] * 20
    assert with_nodes == by_default == [True, True, False] * 20
    # The same default as that of a single position.
    assert [bitmesh.prove(fen).dead for fen in fens[:3]] == by_default[:3]
    # Every kind of proof serves: material and stoppers as well.
    kinds = [
        forced,
        "8/8/8/8/7b/4k3/1Q6/K7 w - - 0 1",
        "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1",
    ]
    rows = bitmesh.prove_many(kinds, nodes=1000, certificates=True)
    for fen, row in zip(kinds, rows):
        proof = bitmesh.prove(fen, nodes=1000)
        assert (row["unwinnable_white"], row["unwinnable_black"]) == (proof.unwinnable_white, proof.unwinnable_black)
        assert proof.unwinnable_white or proof.unwinnable_black
        assert row["certificate"] == proof.to_bytes()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_number_of_threads_changes_nothing(
    threads: int, fens: List[str], expected: List[Dict[str, Any]]
) -> None:
    assert bitmesh.certify_many(fens, threads=threads).to_pylist() == expected


CONTAINERS: Dict[str, Callable[[List[str]], Any]] = {
    "tuple": tuple,
    "iterator": iter,
    "generator": lambda fens: (fen for fen in fens),
    "bytes": lambda fens: [fen.encode() for fen in fens],
    "pandas.Series": lambda fens: pandas.Series(fens),
    "pandas.DataFrame": lambda fens: pandas.DataFrame({"id": range(len(fens)), "FEN": fens}),
    "polars.Series": lambda fens: polars.Series(fens),
    "polars.DataFrame": lambda fens: polars.DataFrame({"id": range(len(fens)), "fen": fens}),
    "pyarrow.Array": lambda fens: pyarrow.array(fens),
    "pyarrow.Array of a slice": lambda fens: pyarrow.array([None, "x", *fens, "y"]).slice(2, len(fens)),
    "pyarrow.Array large": lambda fens: pyarrow.array(fens, pyarrow.large_string()),
    "pyarrow.Array of views": lambda fens: pyarrow.array(fens, pyarrow.string_view()),
    "pyarrow.Array of bytes": lambda fens: pyarrow.array([fen.encode() for fen in fens]),
    "pyarrow.Array encoded": lambda fens: pyarrow.array(fens).dictionary_encode(),
    "pyarrow.Array encoded, large": lambda fens: pyarrow.array(fens, pyarrow.large_string()).dictionary_encode(),
    "pyarrow.Array of runs": lambda fens: pyarrow.compute.run_end_encode(pyarrow.array(fens)),
    "pyarrow.Array of a slice of runs": lambda fens: pyarrow.compute.run_end_encode(
        pyarrow.array(["x", "x", *fens, "y"]), pyarrow.int64()
    ).slice(2, len(fens)),
    "pyarrow.Array of structs": lambda fens: pyarrow.StructArray.from_arrays([pyarrow.array(fens)], ["fen"]),
    "pyarrow.ChunkedArray": lambda fens: pyarrow.chunked_array([fens[:7], [], fens[7:]]),
    "pyarrow.RecordBatch": lambda fens: pyarrow.record_batch({"epd": fens}),
    "pyarrow.Table": lambda fens: pyarrow.table({"other": fens[::-1], "fen": fens}),
    "pyarrow.RecordBatchReader": lambda fens: pyarrow.table({"any": fens}).to_reader(100),
}


@pytest.mark.parametrize("container", list(CONTAINERS))
def test_containers(container: str, fens: List[str], expected: List[Dict[str, Any]]) -> None:
    assert bitmesh.certify_many(CONTAINERS[container](fens)).to_pylist() == expected


def test_duckdb_both_ways(fens: List[str], expected: List[Dict[str, Any]]) -> None:
    games = pyarrow.table({"fen": fens})
    relation = duckdb.sql("SELECT fen FROM games")
    rows = bitmesh.certify_many(relation.fetch_arrow_reader(1000))
    assert rows.to_pylist() == expected
    batch = rows.to_pyarrow()
    [(dead,)] = duckdb.sql("SELECT count(*) FROM batch WHERE dead").fetchall()
    assert dead == sum(bool(row["dead"]) for row in expected)
    assert len(games) == len(batch)


def test_a_board_is_a_position(fens: List[str]) -> None:
    fens = fens[:4] + fens[-200:]
    assert (
        bitmesh.certify_many(chess.Board(fen) for fen in fens).to_pylist()
        == bitmesh.certify_many(fens).to_pylist()
    )


def test_the_record_batch_is_taken_without_copies(fens: List[str], expected: List[Dict[str, Any]]) -> None:
    rows = bitmesh.certify_many(fens, source="here")
    batch = rows.to_pyarrow()
    assert batch.to_pylist() == [dict(row, source="here") for row in expected]
    assert batch.schema.names == list(bitmesh.COLUMNS) == rows.column_names
    assert batch.schema.metadata == {b"schema": bitmesh.SCHEMA.encode()}
    assert [field.name for field in batch.schema if not field.nullable] == ["source"]
    assert pyarrow.schema(rows) == batch.schema
    again = pyarrow.record_batch(rows)
    for ours, theirs in zip(batch.columns, again.columns):
        addresses = [
            [buffer.address for buffer in array.buffers() if buffer is not None] for array in (ours, theirs)
        ]
        assert addresses[0] == addresses[1]
    assert polars.DataFrame(rows).rows() == polars.from_arrow(batch).rows()  # type: ignore[union-attr]
    assert batch.to_pandas()["dead"].sum() == sum(bool(row["dead"]) for row in expected)


def test_the_rows_without_any_library(fens: List[str], expected: List[Dict[str, Any]]) -> None:
    rows = bitmesh.certify_many(fens)
    assert len(rows) == rows.num_rows == len(fens)
    assert rows[0] == expected[0] and rows[-1] == expected[-1]
    assert rows.column("dead") == [row["dead"] for row in expected]
    assert list(rows) == expected
    for index in (len(fens), -len(fens) - 1, 2**62, -(2**63)):
        with pytest.raises(IndexError):
            rows[index]
    with pytest.raises(KeyError):
        rows.column("other")


def test_what_is_no_position_is_a_row_with_an_error() -> None:
    rows = bitmesh.certify_many(
        [WALL, "no position", None, "", " ", "8/8/8/8/8/8/8/8 w - - 0 1", "x" * 100_000, b"\xff", "a\0b", WALL]
    ).to_pylist()
    assert [row["line"] for row in rows] == list(range(1, 11))
    assert [row["error_code"] for row in rows] == [
        None,
        "position/unexpected-character",
        "table/empty-cell",
        "table/empty-cell",
        "table/empty-cell",
        "board/no-king",
        "line/too-long",
        "line/invalid-utf8",
        "line/zero-byte",
        None,
    ]
    nulls = pyarrow.array([WALL, None, "", None])
    rows = bitmesh.certify_many(nulls).to_pylist()
    assert [row["error_code"] for row in rows] == [None] + 3 * ["table/empty-cell"]
    rows = bitmesh.certify_many(pyarrow.nulls(3)).to_pylist()
    assert [row["error_code"] for row in rows] == 3 * ["table/empty-cell"]


def test_rows_of_a_table_that_are_null_as_a_whole() -> None:
    texts = pyarrow.array([WALL, START, WALL])
    struct = pyarrow.StructArray.from_arrays([texts], ["fen"], mask=pyarrow.array([False, True, False]))
    for structs in (struct, struct.slice(0, 3), pyarrow.chunked_array([struct, struct])[:3]):
        rows = bitmesh.certify_many(structs).to_pylist()
        assert [row["error_code"] for row in rows] == [None, "table/empty-cell", None]


NOTHING: List[Any] = [
    [],
    (),
    iter([]),
    pyarrow.array([], pyarrow.string()),
    pyarrow.chunked_array([], pyarrow.string()),
    pyarrow.table({"fen": pyarrow.array([], pyarrow.string())}),
    polars.Series([], dtype=polars.String),
    pandas.Series([], dtype=object),
]


@pytest.mark.parametrize("nothing", NOTHING, ids=lambda nothing: type(nothing).__name__)
def test_no_positions(nothing: Any) -> None:
    rows = bitmesh.certify_many(nothing)
    assert len(rows) == 0
    assert rows.to_pyarrow().schema.names == list(bitmesh.COLUMNS)


@pytest.mark.parametrize(
    ("positions", "column", "code"),
    [
        (pyarrow.array([1, 2]), None, "bulk/no-text"),
        (pyarrow.chunked_array([], pyarrow.int64()), None, "bulk/no-text"),
        (pyarrow.chunked_array([[1], [2]]), None, "bulk/no-text"),
        (pyarrow.array([1, 2]).dictionary_encode(), None, "bulk/no-text"),
        (pyarrow.table({"fen": [1]}), None, "bulk/no-text"),
        (pyarrow.table({"a": ["x"], "b": ["y"]}), None, "bulk/no-column"),
        (pyarrow.table({"fen": ["x"]}), "other", "bulk/no-column"),
    ],
)
def test_arrow_data_without_texts(positions: Any, column: Optional[str], code: str) -> None:
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.certify_many(positions, column=column)
    assert raised.value.code == code


@pytest.mark.parametrize("single", [WALL, WALL.encode(), chess.Board(), 7, None])
def test_a_single_position_is_no_collection(single: Any) -> None:
    with pytest.raises(TypeError):
        bitmesh.certify_many(single)


def test_wrong_items_and_arguments() -> None:
    assert bitmesh.certify_many([WALL, 17]).column("error")[1] == "a position is a str, bytes or a chess.Board, not int"
    with pytest.raises(ValueError, match="at least one thread"):
        bitmesh.certify_many([WALL], threads=0)
    with pytest.raises(TypeError, match="columns"):
        bitmesh.certify_many([WALL], column="fen")


def test_an_iterator_that_fails() -> None:
    def failing() -> Iterator[str]:
        for _ in range(10_000):
            yield WALL
        raise RuntimeError("broken off")

    with pytest.raises(RuntimeError, match="broken off"):
        bitmesh.certify_many(failing())


class Foreign:
    """Data of a library that is not known, as a stream."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.data.__arrow_c_stream__(requested_schema)


def test_streams_of_other_libraries() -> None:
    texts = pyarrow.chunked_array([[WALL, None], [START]])
    expected = [None, "table/empty-cell", None]
    table = pyarrow.table({"id": [1, 2, 3], "fen": texts})
    for data in (texts, table, table.to_reader()):
        rows = bitmesh.certify_many(Foreign(data))
        assert rows.column("error_code") == expected and rows.column("dead") == [True, None, False]
    assert len(bitmesh.certify_many(Foreign(texts[:0]))) == 0
    # A row that is null as a whole has no position, whatever its cell holds.
    fields = [pyarrow.array([WALL, WALL, START])]
    struct = pyarrow.StructArray.from_arrays(fields, ["fen"], mask=pyarrow.array([False, True, False]))
    for data in (Foreign(pyarrow.chunked_array([struct, struct[1:]])), pyarrow.chunked_array([struct, struct[1:]])):
        rows = bitmesh.certify_many(data)
        assert rows.column("error_code") == [*expected, *expected[1:]]
        assert rows.column("dead") == [True, None, False, None, False]


def test_a_stream_that_fails() -> None:
    schema = pyarrow.schema([("fen", pyarrow.string())])

    def batches() -> Iterator[pyarrow.RecordBatch]:
        yield pyarrow.record_batch({"fen": [WALL]})
        raise RuntimeError("broken off")

    for wrap in (Foreign, lambda data: data):
        with pytest.raises(bitmesh.BulkError, match="broken off"):
            bitmesh.certify_many(wrap(pyarrow.RecordBatchReader.from_batches(schema, batches())))


def many(count: int) -> pyarrow.ChunkedArray:
    chunk = pyarrow.array([WALL, START] * 50_000)
    return pyarrow.chunked_array([chunk] * (count // len(chunk)))


def test_other_threads_of_python_run_meanwhile() -> None:
    """In one call of several, because a busy machine may give another thread no turn for a while."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    data = many(200_000)
    thread.start()
    most = 0
    for _ in range(20):
        before = ticks
        bitmesh.certify_many(data, threads=1)
        most = max(most, ticks - before)
        if most > 10:
            break
    done.set()
    thread.join()
    assert most > 10


def test_calls_from_several_threads() -> None:
    results: Dict[int, int] = {}

    def work(number: int) -> None:
        results[number] = sum(bool(dead) for dead in bitmesh.certify_many([WALL, START] * number).column("dead"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: number for number in range(1, 9)}


def endless() -> Iterator[str]:
    while True:
        yield WALL


class EndlessFile:
    """A stream of lines without an end."""

    def read(self, size: int, /) -> bytes:
        return (WALL + "\n").encode() * max(1, size // 60)


def certify_ten_million() -> None:
    bitmesh.certify_many(many(10_000_000))


def prove_ten_million() -> None:
    bitmesh.prove_many(many(10_000_000), nodes=0)


def decide_ten_million() -> None:
    bitmesh.decide_many(many(10_000_000))


def prove_with_many_nodes() -> None:
    while True:
        bitmesh.prove(START, nodes=1_000_000)


def certify_without_end() -> None:
    bitmesh.certify_many(endless())


def scan_without_end() -> None:
    for _ in bitmesh.scan(EndlessFile(), format="fen"):
        pass


def stream_without_end() -> None:
    try:
        for _ in pyarrow.RecordBatchReader.from_stream(bitmesh.scan(EndlessFile(), format="fen")):
            pass
    except pyarrow.ArrowException as error:
        wait_after(error)


def stream_in_one_call() -> None:
    try:
        pyarrow.RecordBatchReader.from_stream(bitmesh.scan(EndlessFile(), format="fen")).read_all()
    except pyarrow.ArrowException as error:
        wait_after(error)


def wait_after(error: Exception) -> None:
    """The stream ends with an error of its reader, and the interruption follows as soon as Python goes on."""
    assert "interrupted" in str(error)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass
    raise AssertionError("no interruption followed")


@pytest.mark.parametrize(
    "work",
    [
        certify_ten_million,
        prove_ten_million,
        decide_ten_million,
        prove_with_many_nodes,
        certify_without_end,
        scan_without_end,
        stream_without_end,
        stream_in_one_call,
    ],
)
def test_ctrl_c(work: Callable[[], None]) -> None:
    """A fifth of a second on a machine that is free; the best of several tries may take ten times as long."""
    delays = []
    for _ in range(5):
        pressed = time.monotonic() + 0.4
        press_ctrl_c(signal.ITIMER_REAL, 0.4, work)
        delays.append(time.monotonic() - pressed)
        if delays[-1] < 0.2:
            return
    assert min(delays) < 2
