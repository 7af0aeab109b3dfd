"""Collections: files, folders and streams."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from pathlib import Path

import bitmesh
import duckdb
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import START, WALL, positions_of_games

GAME = """[Event "a"]

1. e4 e5 2. Nf3 *
"""


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    fens = [WALL, *positions_of_games(5000)]
    (tmp_path / "a.fen").write_text("\n".join(fens) + "\n\n# a comment\nno position\n")
    (tmp_path / "b.pgn.gz").write_bytes(gzip.compress(GAME.encode()))
    pyarrow.parquet.write_table(pyarrow.table({"id": [7, 8], "fen": [WALL, None]}), tmp_path / "c.parquet")
    return tmp_path


def test_a_folder(collection: Path) -> None:
    scan = bitmesh.scan(collection)
    rows = [row for batch in scan for row in batch.to_pylist()]
    assert scan.finished
    assert scan.counts["rows"] == len(rows) == 5001 + 1 + 4 + 2
    assert scan.counts["failed"] == 2 and scan.counts["games"] == 1
    assert [remark.split(", ")[1] for remark in scan.remarks][0].startswith("line 5004: ")
    assert [row["ply"] for row in rows if row["game"]] == [0, 1, 2, 3]
    assert rows[0]["dead"] is True and rows[0]["source"] == str(collection / "a.fen")
    assert list(scan) == []


def test_rows_are_those_of_the_bulk_call(collection: Path) -> None:
    fens = (collection / "a.fen").read_text().splitlines()[:5001]
    bulk = bitmesh.certify_many(fens, source=str(collection / "a.fen")).to_pyarrow()
    scanned = bitmesh.scan(collection / "a.fen").read_all().to_pyarrow()
    assert scanned.slice(0, 5001).equals(bulk)
    parquet = bitmesh.scan(collection / "c.parquet").read_all().to_pyarrow()
    cells = pyarrow.parquet.read_table(collection / "c.parquet")["fen"]
    assert parquet.equals(
        bitmesh.certify_many(cells, source=str(collection / "c.parquet")).to_pyarrow()
    )


def test_a_scan_is_an_arrow_stream(collection: Path) -> None:
    table = pyarrow.table(bitmesh.scan(collection))
    assert table.num_rows == 5008
    assert table.schema.names == list(bitmesh.COLUMNS)
    assert pyarrow.schema(bitmesh.scan(collection)) == table.schema
    frame = polars.DataFrame(bitmesh.scan(collection / "a.fen", only=["dead"]))
    assert frame["fen"].drop_nulls().to_list()[0] == WALL
    reader = pyarrow.RecordBatchReader.from_stream(bitmesh.scan(collection))
    assert duckdb.sql("SELECT count(*) FROM reader WHERE error IS NOT NULL").fetchall() == [(2,)]


def test_options(collection: Path, tmp_path: Path) -> None:
    kept = bitmesh.scan(collection, only=["dead", "accepted"], unique=True, threads=1).read_all().to_pylist()
    assert sum(row["fen"] == WALL for row in kept) == 1
    evidence = tmp_path / "evidence"
    list(bitmesh.scan(collection / "a.fen", only=["dead"], certificates=evidence))
    certificates = {bitmesh.verify(path.read_bytes()) for path in evidence.iterdir()}
    assert bitmesh.prove(WALL) in certificates
    assert bitmesh.certify(WALL).decomposition in certificates

    table = io.BytesIO(f"x;position\n1;{WALL}\n2;{START}\n".encode())
    [first, second] = bitmesh.scan(table, format="csv", column="position", delimiter=";").read_all().to_pylist()
    assert (first["source"], first["fen"], second["fen"]) == ("stream", WALL, START)
    table.seek(0)
    assert len(bitmesh.scan(table, format="csv", column=2, delimiter=";").read_all()) == 2


def test_what_cannot_be_scanned(tmp_path: Path) -> None:
    with pytest.raises(bitmesh.ScanError) as raised:
        bitmesh.scan(tmp_path / "missing.fen")
    assert raised.value.code == "scan/input"
    with pytest.raises(bitmesh.ScanError) as raised:
        bitmesh.scan(tmp_path)
    assert raised.value.code == "scan/empty-folder"
    with pytest.raises(TypeError):
        bitmesh.scan()
    for arguments in ({"format": "docx"}, {"only": ["won"]}, {"threads": 0}, {"column": 0}, {"delimiter": "→"}):
        with pytest.raises(ValueError):
            bitmesh.scan(io.BytesIO(b""), **arguments)


def test_a_stream_that_fails() -> None:
    class Broken:
        def __init__(self) -> None:
            self.reads = 0

        def read(self, size: int, /) -> bytes:
            self.reads += 1
            if self.reads > 3:
                raise OSError("the line is cut")
            return f"{WALL}\n".encode()

    scan = bitmesh.scan(Broken(), format="fen")
    rows = scan.read_all().to_pylist()
    assert scan.counts["broken_sources"] == 1
    assert sum(row["fen"] == WALL for row in rows) == 3
    assert "the line is cut" in rows[-1]["error"]


def test_python_ends_while_a_stream_is_scanned() -> None:
    code = f"""
import bitmesh, time
class Endless:
    def read(self, size):
        time.sleep(0.002)
        return b"{WALL}\\n" * 50
scan = bitmesh.scan(Endless(), format="fen", threads=4)
print(len(next(scan)))
"""
    for _ in range(8):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.stdout, done.stderr, done.returncode) == ("50\n", "", 0)


def test_stopping() -> None:
    class Endless:
        def read(self, size: int, /) -> bytes:
            return f"{WALL}\n".encode() * 1000

    scan = bitmesh.scan(Endless(), format="fen")
    rows = len(next(scan))
    scan.stop()
    rows += sum(len(batch) for batch in scan)
    assert scan.finished and rows == scan.counts["rows"] > 0
