"""Collections: files, folders and streams."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

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
        assert (done.stderr, done.returncode) == ("", 0)
        # How many have been read by then is a matter of scheduling.
        assert int(done.stdout) > 0 and int(done.stdout) % 50 == 0


def test_a_stream_in_text_mode_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.fen").write_text(WALL + "\n")
    with gzip.open(tmp_path / "a.fen.gz", "wt") as packed:
        packed.write(WALL + "\n")
    with open(tmp_path / "a.fen") as file, gzip.open(tmp_path / "a.fen.gz", "rt") as unpacked:
        wrapped = tempfile.TemporaryFile("w+")
        for stream in (file, unpacked, io.StringIO(WALL), wrapped, codecs.open(str(tmp_path / "a.fen"), "r", "utf-8")):
            with pytest.raises(bitmesh.ArgumentTypeError, match="rb") as raised:
                bitmesh.scan(stream)  # type: ignore[arg-type]
            assert (raised.value.code, raised.value.argument) == ("argument/text-stream", "sources")
            stream.close()
    with open(tmp_path / "a.fen", "rb") as binary, gzip.open(tmp_path / "a.fen.gz") as unpacked_bytes:
        streams: List[Any] = [binary, unpacked_bytes, tempfile.NamedTemporaryFile()]
        for readable in streams:
            rows = bitmesh.scan(readable, format="fen").read_all()
            assert rows.column("fen") in ([WALL], [])


def test_a_stream_that_gives_texts_after_all() -> None:
    class Texts:
        def read(self, size: int, /) -> str:
            return WALL

    rows = bitmesh.scan(Texts(), format="fen").read_all()  # type: ignore[arg-type]
    assert "did not return bytes" in rows[0]["error"]


def test_a_scan_in_a_with_block_ends_with_it() -> None:
    class Endless:
        def read(self, size: int, /) -> bytes:
            return f"{WALL}\n".encode() * 1000

    with bitmesh.scan(Endless(), format="fen") as scan:
        assert len(next(scan)) > 0
        assert not scan.finished
    assert scan.finished
    with pytest.raises(KeyError):
        with bitmesh.scan(Endless(), format="fen") as scan:
            raise KeyError
    # Rows that nobody took are gone, and that is said.
    ways: List[Callable[[], object]] = [scan.read_all, lambda: next(scan), lambda: list(scan)]
    for way in ways:
        with pytest.raises(bitmesh.ScanError, match="has ended") as closed:
            way()
        assert closed.value.code == "scan/closed"
    with pytest.raises(pyarrow.ArrowInvalid, match="has ended"):
        pyarrow.RecordBatchReader.from_stream(scan).read_all()
    # Where all were taken, there are just no more.
    with bitmesh.scan(io.BytesIO(WALL.encode()), format="fen") as scan:
        assert len(scan.read_all()) == 1
    assert scan.finished and list(scan) == []
    # Threads that still read the stream end soon.
    alive = weakref.ref(stream := Endless())
    with bitmesh.scan(stream, format="fen") as scan:
        next(scan)
    del stream, scan
    deadline = time.monotonic() + 300
    while alive() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert alive() is None


WRITERS = {"parquet": "write_parquet", "jsonl": "write_jsonl", "csv": "write_csv"}


def read_back(path: Path) -> List[Dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: List[Dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
        return rows
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("form", list(WRITERS))
def test_rows_are_written_to_a_file(form: str, collection: Path, tmp_path: Path) -> None:
    expected = bitmesh.scan(collection).read_all().to_pylist()
    out = tmp_path / f"rows.{form}"
    scan = bitmesh.scan(collection)
    counts = getattr(scan, WRITERS[form])(out)
    assert counts == scan.counts and counts["rows"] == len(expected) and scan.finished
    assert any("no position" in remark or "unexpected" in remark for remark in scan.remarks)
    written = read_back(out)
    assert [row["fen"] or None for row in written] == [row["fen"] for row in expected]
    if form != "csv":
        keys = bitmesh.COLUMNS
        assert [{key: row.get(key) for key in keys} for row in written] == expected
    assert not list(tmp_path.glob("rows.*.*")), "nothing is left of the work in progress"
    # The same name in the folder that is scanned is no source; what is there is replaced.
    again = bitmesh.scan(collection, only=["dead"])
    assert getattr(again, WRITERS[form])(out)["filtered"] > 0
    assert len(read_back(out)) < len(expected)


def test_a_scan_that_has_begun_writes_nothing(collection: Path, tmp_path: Path) -> None:
    scan = bitmesh.scan(collection)
    assert repr(scan) == "<Scan not started, 0 rows>"
    first = next(scan)
    assert "under way" in repr(scan)
    with pytest.raises(bitmesh.ScanError) as raised:
        scan.write_csv(tmp_path / "rows.csv")
    assert raised.value.code == "scan/started"
    # It goes on as if nothing had been asked.
    assert len(first) + sum(len(batch) for batch in scan) == scan.counts["rows"]
    written = bitmesh.scan(collection)
    written.write_csv(tmp_path / "rows.csv")
    with pytest.raises(bitmesh.ScanError):
        written.write_csv(tmp_path / "again.csv")
    assert list(written) == []


def test_a_source_is_not_written_over(collection: Path) -> None:
    source = collection / "a.fen"
    before = source.read_bytes()
    with pytest.raises(bitmesh.ArgumentError) as raised:
        bitmesh.scan(source).write_csv(source)
    assert (raised.value.code, raised.value.argument) == ("argument/output-is-input", "path")
    assert source.read_bytes() == before
    with pytest.raises(bitmesh.ScanError) as cannot:
        bitmesh.scan(source).write_csv(collection / "missing" / "rows.csv")
    assert cannot.value.code == "output/write"


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_only_files_are_written(tmp_path: Path, form: str) -> None:
    source = tmp_path / "a.fen"
    source.write_text(WALL + "\n")
    out = tmp_path / f"rows.{form}"
    ways: List[Tuple[Callable[[Path], None], Callable[[Path], None]]] = [
        (os.mkfifo, Path.unlink),
        (Path.mkdir, Path.rmdir),
    ]
    for make, remove in ways:
        make(out)
        before = os.lstat(out)
        with pytest.raises(bitmesh.ScanError) as raised:
            getattr(bitmesh.scan(source), WRITERS[form])(out)
        assert raised.value.code == "output/not-a-file"
        assert os.path.samestat(before, os.lstat(out)) and len(list(tmp_path.iterdir())) == 2
        remove(out)


@pytest.mark.parametrize("ending", ["", ".partial", ".journal"])
def test_work_in_progress_is_no_source_either(tmp_path: Path, ending: str) -> None:
    out = tmp_path / "rows.csv"
    source, link = tmp_path / ("rows.csv" + ending), tmp_path / "link.fen"
    source.write_text(WALL + "\n")
    os.link(source, link)
    ways: List[Dict[str, bool]] = [{}, {"resume": True}, {"restart": True}]
    for again in ways:
        with open(source, "rb") as stream, gzip.open(link) as packed:
            for given in (source, link, stream, packed):
                with pytest.raises(bitmesh.ArgumentError) as raised:
                    bitmesh.scan(given).write_csv(out, **again)
                assert raised.value.code == "argument/output-is-input"
        if ending:
            other = tmp_path / "other.fen"
            other.write_text(WALL + "\n")
            with pytest.raises(bitmesh.ScanError) as foreign:
                bitmesh.scan(other).write_csv(out, **again)
            assert foreign.value.code == "output/foreign-file"
    assert source.read_text() == link.read_text() == WALL + "\n"


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    source, out = tmp_path / "a.fen", tmp_path / "rows.csv"
    source.write_text(WALL + "\n")
    out.write_text("secret")
    out.chmod(0o600)
    bitmesh.scan(source).write_csv(out)
    assert out.stat().st_mode & 0o777 == 0o600 and out.read_text() != "secret"


INTERRUPTED = """
import signal, sys, threading, _thread, time, pathlib
import bitmesh
signal.signal(signal.SIGINT, signal.default_int_handler)
out = pathlib.Path(sys.argv[2])
def press():
    partial = out.with_name(out.name + ".partial")
    while not (partial.exists() and partial.stat().st_size > 0):
        time.sleep(0.001)
    _thread.interrupt_main()
threading.Thread(target=press, daemon=True).start()
try:
    bitmesh.scan(sys.argv[1], threads=1).write_jsonl(out)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupted_scan_is_gone_on_with(tmp_path: Path) -> None:
    source, out = tmp_path / "many.fen", tmp_path / "rows.jsonl"
    fens = [WALL, *positions_of_games(2000)]
    source.write_text("\n".join(fens * 60) + "\n")
    whole = tmp_path / "whole.jsonl"
    bitmesh.scan(source).write_jsonl(whole)
    interrupted = [sys.executable, "-c", INTERRUPTED, str(source), str(out)]
    for _ in range(10):
        done = subprocess.run(interrupted, capture_output=True, text=True)
        if not out.exists():
            break
        # It was complete before another thread could interrupt it.
        out.unlink()
    assert (done.stdout, done.returncode) == ("interrupted\n", 0), done.stderr
    partial = tmp_path / "rows.jsonl.partial"
    assert not out.exists() and partial.exists() and (tmp_path / "rows.jsonl.journal").exists()
    assert partial.stat().st_size < whole.stat().st_size
    # Without a word what is there is not touched, and another scan does not go on with it.
    kept = partial.read_bytes()
    with pytest.raises(bitmesh.ScanError) as raised:
        bitmesh.scan(source).write_jsonl(out)
    assert raised.value.code == "output/begun"
    assert str(raised.value).endswith("continue with resume=True, or throw them away with restart=True")
    with pytest.raises(bitmesh.ScanError) as raised:
        bitmesh.scan(source, only=["dead"]).write_jsonl(out, resume=True)
    assert raised.value.code == "output/other-scan"
    assert str(raised.value).endswith("or begin again with restart=True")
    assert partial.read_bytes() == kept
    counts = bitmesh.scan(source).write_jsonl(out, resume=True)
    assert out.read_bytes() == whole.read_bytes()
    assert counts["rows"] == len(fens) * 60
    assert not partial.exists()
    # There is nothing more to do, and that is said.
    with pytest.warns(UserWarning, match="rows.jsonl is complete: nothing was scanned"):
        assert bitmesh.scan(source).write_jsonl(out, resume=True)["rows"] == 0
    assert out.read_bytes() == whole.read_bytes()
    # Beginning again throws away what a scan has left, and nothing else.
    partial.write_bytes(b"something else")
    with pytest.raises(bitmesh.ScanError) as foreign:
        bitmesh.scan(source).write_jsonl(out, restart=True)
    assert foreign.value.code == "output/foreign-file" and partial.read_bytes() == b"something else"
    out.with_name("rows.jsonl.journal").write_text('{"schema":"bitmesh.scan-journal.v1"}\n')
    bitmesh.scan(source).write_jsonl(out, restart=True)
    assert out.read_bytes() == whole.read_bytes() and not partial.exists()


FORCED = "k1K5/P7/8/8/8/8/8/8 b - - 0 1"
TAGGED = f"""[Event "one"]
[White "A"]
[SetUp "1"]
[FEN "{FORCED}"]

1... Kxa7 *
"""


def test_a_scan_decides(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(TAGGED)
    for decide in (True, 2000):
        rows = bitmesh.scan(tmp_path / "a.pgn", decide=decide, tags=["White"], offset=True).read_all()
        assert rows.column_names[:20] == list(bitmesh.COLUMNS)
        added = ["White", "decided_white", "decided_black", "mate_plies_white", "mate_plies_black", "offset"]
        assert rows.column_names[20:] == added
        for row in rows:
            decisions = bitmesh.decide(row["fen"])
            assert decisions.white is not None and decisions.black is not None
            assert (row["decided_white"], row["decided_black"]) == (
                decisions.white.verdict,
                decisions.black.verdict,
            )
            assert (row["White"], row["offset"]) == ("A", 0)
        # Further columns are kept, cut and handed on like the others.
        assert pickle.loads(pickle.dumps(rows)) == rows and pickle.loads(pickle.dumps(rows[1:])) == rows[1:]
        assert list(rows.to_pandas().columns) == rows.column_names == rows.to_polars().columns
        stream = bitmesh.scan(tmp_path / "a.pgn", decide=decide, tags=["White"], offset=True)
        assert pyarrow.RecordBatchReader.from_stream(stream).read_all().to_pylist() == rows.to_pylist()
    only = bitmesh.scan(tmp_path / "a.pgn", decide=True, only=["winnable"]).read_all()
    assert len(only) == 0 and only.column_names[20:] == added[1:5]
    assert len(bitmesh.scan(tmp_path / "a.pgn", decide=True, only=["flag-draw"]).read_all()) == 2
    with pytest.raises(bitmesh.ArgumentError) as raised:
        bitmesh.scan(tmp_path / "a.pgn", only=["winnable"])
    assert (raised.value.code, raised.value.argument) == ("argument/conflict", "only")


def test_a_scan_follows_positions(tmp_path: Path) -> None:
    (tmp_path / "a.fen").write_text(FORCED + "\n")
    without = bitmesh.scan(tmp_path / "a.fen").read_all()
    followed = bitmesh.scan(tmp_path / "a.fen", nodes=100).read_all()
    assert (without.column("dead"), followed.column("dead")) == ([False], [True])
    assert followed[0]["dead"] == bitmesh.prove_many([FORCED], nodes=100)[0]["dead"]


def test_columns_are_carried_along_and_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"id,fen,note\n7,{WALL},x\n8,{START},\n")
    for form, writer in WRITERS.items():
        out = tmp_path / f"rows.{form}"
        getattr(bitmesh.scan(tmp_path / "a.csv", columns=["id", "note"]), writer)(out)
        assert [str(row["id"]) for row in read_back(out)] == ["7", "8"]
    with pytest.raises(bitmesh.ArgumentError) as raised:
        bitmesh.scan(tmp_path / "a.csv", columns=["fen"])
    assert (raised.value.code, raised.value.argument) == ("argument/repeated-column", "columns")
    with pytest.raises(bitmesh.ArgumentTypeError):
        bitmesh.scan(tmp_path / "a.csv", columns="id")


def test_castling_at_odds(tmp_path: Path) -> None:
    (tmp_path / "a.fen").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1\n")
    assert bitmesh.scan(tmp_path / "a.fen").read_all()[0]["error_code"] == "position/castling-without-rook"
    [row] = bitmesh.scan(tmp_path / "a.fen", odds_castling=True).read_all()
    assert row["fen"].split()[2] == "Kkq"


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_stream_may_give_more_than_was_asked_for(kind: Callable[[bytes], object]) -> None:
    class Whole:
        def __init__(self) -> None:
            self.parts = [f"{WALL}\n".encode() * count for count in (20_000, 1, 3_000)]

        def read(self, size: int, /) -> Any:
            return kind(self.parts.pop(0)) if self.parts else kind(b"")

    scan = bitmesh.scan(Whole(), format="fen")
    assert len(scan.read_all()) == 23_001
    assert scan.counts["bytes"] == 23_001 * (len(WALL) + 1)


def test_an_empty_list_of_claims_is_refused(collection: Path) -> None:
    with pytest.raises(bitmesh.ArgumentError) as raised:
        bitmesh.scan(collection, only=[])
    assert (raised.value.code, raised.value.argument) == ("argument/empty", "only")


def test_writing_is_stopped_from_another_thread(tmp_path: Path) -> None:
    class Endless:
        def read(self, size: int, /) -> bytes:
            return f"{WALL}\n".encode() * 1000

    out = tmp_path / "rows.jsonl"
    scan = bitmesh.scan(Endless(), format="fen")

    def stop() -> None:
        partial = out.with_name("rows.jsonl.partial")
        while not (partial.exists() and partial.stat().st_size > 0):
            time.sleep(0.001)
        assert not scan.finished
        scan.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(bitmesh.ScanError) as raised:
        scan.write_jsonl(out)
    stopping.join()
    assert raised.value.code == "scan/stopped" and scan.finished
    assert not out.exists() and out.with_name("rows.jsonl.journal").exists()


def test_stopping() -> None:
    class Endless:
        def read(self, size: int, /) -> bytes:
            return f"{WALL}\n".encode() * 1000

    scan = bitmesh.scan(Endless(), format="fen")
    rows = len(next(scan))
    scan.stop()
    rows += sum(len(batch) for batch in scan)
    assert scan.finished and rows == scan.counts["rows"] > 0


def test_rows_without_digests(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(TAGGED * 3)
    options: Dict[str, Any] = {"tags": ["White"], "offset": True}
    rows = bitmesh.scan(tmp_path / "a.pgn", **options).read_all()
    slim = bitmesh.scan(tmp_path / "a.pgn", digests=False, **options).read_all()
    digests = ("digest", "position_digest")
    assert len(rows) == 6
    assert slim.column_names == [name for name in rows.column_names if name not in digests]
    for name in slim.column_names:
        assert slim.column(name) == rows.column(name)
    assert bitmesh.scan(tmp_path / "a.pgn", digests=True, **options).read_all() == rows != slim
    # Slim rows are kept, cut and handed on like the others.
    assert pickle.loads(pickle.dumps(slim)) == slim and pickle.loads(pickle.dumps(slim[1:])) == slim[1:]
    assert list(slim.to_pandas().columns) == slim.column_names == slim.to_polars().columns
    stream = bitmesh.scan(tmp_path / "a.pgn", digests=False, **options)
    assert pyarrow.RecordBatchReader.from_stream(stream).read_all().to_pylist() == slim.to_pylist()
    load, state = slim.__reduce__()  # type: ignore[misc]
    with pytest.raises(bitmesh.BulkError) as raised:
        load(*state[:3])
    assert raised.value.code == "bulk/pickle"

    bitmesh.scan(tmp_path / "a.pgn", digests=False).write_jsonl(tmp_path / "slim.jsonl")
    objects = [json.loads(line) for line in (tmp_path / "slim.jsonl").read_text().splitlines()]
    assert [object["fen"] for object in objects] == rows.column("fen")
    assert not any(digest in object for object in objects for digest in digests)
    bitmesh.scan(tmp_path / "a.pgn", digests=False).write_csv(tmp_path / "slim.csv")
    lines = list(csv.DictReader((tmp_path / "slim.csv").read_text().splitlines()))
    assert [line["fen"] for line in lines] == rows.column("fen")
    assert list(lines[0]) == [name for name in bitmesh.COLUMNS if name not in digests]
    bitmesh.scan(tmp_path / "a.pgn", digests=False).write_parquet(tmp_path / "slim.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "slim.parquet")
    assert table.column_names == list(lines[0])
    with pytest.raises(bitmesh.ArgumentError) as wrong:
        bitmesh.scan(tmp_path / "a.pgn", digests="no")  # type: ignore[arg-type]
    assert wrong.value.argument == "digests"
