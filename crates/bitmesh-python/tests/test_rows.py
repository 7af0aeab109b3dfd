"""A record batch as a result: cut, compared, kept, shown, and taken by other libraries."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any, Callable, Dict, List

import bitmesh
import chess
import pandas
import polars
import pyarrow
import pytest
from conftest import START, WALL, WALL_AFTER_A4, positions_of_games, press_ctrl_c

PLACEMENT = "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7"
FENS = [WALL, WALL_AFTER_A4, PLACEMENT, START, "no position", "", "8/8/8/8/8/8/8/K6k w - - 0 1", *positions_of_games(40, seed=3)]


@pytest.fixture(scope="module")
def rows() -> bitmesh.RecordBatch:
    return bitmesh.certify_many(FENS, source="here")


@pytest.fixture(scope="module")
def proved() -> bitmesh.RecordBatch:
    return bitmesh.prove_many(FENS, nodes=0, certificates=True)


SLICES = [
    slice(None),
    slice(2, 7),
    slice(-3, None),
    slice(None, None, 2),
    slice(None, None, -1),
    slice(40, 3, -7),
    slice(5, 5),
    slice(9, 2),
    slice(100, 200),
    slice(-1000, 1000, 45),
    slice(None, None, 10**9),
    slice(3, None, -(10**9)),
]


@pytest.mark.parametrize("chosen", SLICES, ids=str)
def test_a_slice_is_that_of_the_list(rows: bitmesh.RecordBatch, chosen: slice) -> None:
    cut = rows[chosen]
    assert type(cut) is bitmesh.RecordBatch
    assert cut.to_pylist() == rows.to_pylist()[chosen]
    assert len(cut) == cut.num_rows == len(FENS[chosen])
    assert cut.to_pyarrow().to_pylist() == cut.to_pylist()
    # A slice of a slice.
    assert cut[1:][:2].to_pylist() == rows.to_pylist()[chosen][1:][:2]


def test_a_slice_of_neighbours_shares_the_memory(rows: bitmesh.RecordBatch) -> None:
    whole, cut = rows.to_pyarrow(), rows[3:9].to_pyarrow()
    for name in ("fen", "digest"):
        assert whole.column(name).buffers()[-1].address == cut.column(name).buffers()[-1].address


def test_no_other_index(rows: bitmesh.RecordBatch) -> None:
    for index in ("fen", 1.0, None, (1, 2)):
        with pytest.raises(TypeError):
            rows[index]  # type: ignore[call-overload]
    for index in (len(FENS), -len(FENS) - 1, 2**80):
        with pytest.raises(IndexError):
            rows[index]
    with pytest.raises(ValueError):
        rows[::0]


def test_equality(rows: bitmesh.RecordBatch) -> None:
    again = bitmesh.certify_many(FENS, source="here", threads=3)
    assert rows == again and not rows != again
    assert rows != bitmesh.certify_many(FENS, source="there")
    assert rows != bitmesh.certify_many(FENS[:-1], source="here")
    assert rows[:3] == bitmesh.certify_many(FENS[:3], source="here")
    assert rows[1:3] != rows[:2]
    assert rows[::-1] == again[::-1]
    others: List[Any] = [rows.to_pylist(), "rows", None]
    assert rows not in others
    # Equal values that can be compared but are no key.
    with pytest.raises(TypeError):
        hash(rows)


def test_rows_are_a_sequence(rows: bitmesh.RecordBatch) -> None:
    assert isinstance(rows, Sequence)
    listed = rows.to_pylist()
    assert list(reversed(rows)) == listed[::-1]
    others: List[Any] = [{"fen": WALL}, WALL, None]
    assert listed[3] in rows and not any(other in rows for other in others)
    assert rows.index(listed[4]) == 4 and rows.index(listed[-1], -2) == len(listed) - 1
    assert rows.count(listed[5]) == 1 and rows.count({}) == 0
    with pytest.raises(ValueError):
        rows.index(listed[4], 5)
    with pytest.raises(ValueError):
        rows.index(listed[4], 0, 4)
    assert random.Random(1).choice(rows) in listed
    twice = bitmesh.certify_many([WALL, START, WALL])[::2]
    assert [row["line"] for row in twice] == [1, 3]


def test_iterators_over_rows_are_independent(rows: bitmesh.RecordBatch) -> None:
    first, second = iter(rows), iter(rows)
    assert next(first) == next(second) == rows[0]
    assert [*first] == rows.to_pylist()[1:]
    assert next(second) == rows[1]
    with pytest.raises(StopIteration):
        next(first)
    with pytest.raises(StopIteration):
        next(first)


@pytest.mark.parametrize("chosen", SLICES[:9], ids=str)
def test_pickles(rows: bitmesh.RecordBatch, proved: bitmesh.RecordBatch, chosen: slice) -> None:
    for batch in (rows[chosen], proved[chosen]):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            kept = pickle.loads(pickle.dumps(batch, protocol))
            assert kept == batch
            assert kept.to_pylist() == batch.to_pylist()
            assert kept.to_pyarrow().schema == batch.to_pyarrow().schema
        assert copy.deepcopy(batch) == batch


def test_a_pickle_of_a_slice_is_as_long_as_the_slice() -> None:
    rows = bitmesh.certify_many([WALL, START] * 2000)
    assert len(pickle.dumps(rows[:10])) < len(pickle.dumps(rows)) / 100


def test_a_pickle_with_other_contents_is_refused(rows: bitmesh.RecordBatch) -> None:
    load, (count, columns, others) = rows.__reduce__()  # type: ignore[misc]
    assert others == [] and load(count, columns, others) == rows
    fen = bitmesh.COLUMNS.index("fen")
    length, nulls, (offsets, text), children = columns[fen]

    def with_fen(column: Any) -> List[Any]:
        return [*columns[:fen], column, *columns[fen + 1 :]]

    attacks: Dict[str, Any] = {
        "no columns": [],
        "a column less": columns[:-1],
        "two columns more": [*columns, columns[0], columns[0]],
        "a row less in one column": with_fen((length - 1, nulls, [offsets, text], children)),
        "rows beyond the buffers": with_fen((length + 1000, nulls, [offsets, text], children)),
        "texts that are not UTF-8": with_fen((length, nulls, [offsets, b"\xff" * len(text)], children)),
        "offsets beyond the text": with_fen((length, nulls, [b"\x7f" * len(offsets), text], children)),
        "offsets that are too short": with_fen((length, nulls, [offsets[:3], text], children)),
        "no buffers": with_fen((length, nulls, [], children)),
        "another type": with_fen(columns[bitmesh.COLUMNS.index("dead")]),
    }
    for name, attack in attacks.items():
        with pytest.raises(bitmesh.BulkError) as raised:
            load(count, attack, others)
        assert raised.value.code == "bulk/pickle", name
    with pytest.raises(bitmesh.BulkError):
        load(count + 1, columns, others)
    for wrong in ([("more", "binary")], [("more", "struct")]):
        with pytest.raises(bitmesh.BulkError):
            load(count, columns, wrong)


def test_the_worker_of_a_pool_returns_rows(rows: bitmesh.RecordBatch) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(bitmesh.certify_many, [FENS[:20], FENS[20:]])
    assert [row["fen"] for part in parts for row in part] == rows.column("fen")
    assert parts[0] == bitmesh.certify_many(FENS[:20])


def test_pandas(rows: bitmesh.RecordBatch) -> None:
    frame = rows.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(bitmesh.COLUMNS)
    assert str(frame["dead"].dtype) == "boolean" and str(frame["line"].dtype) == "Int64"
    # What is unknown is not chosen, and numbers stay numbers.
    dead = frame[frame["dead"]]
    assert list(dead["fen"]) == [row["fen"] for row in rows if row["dead"]]
    assert len(frame[frame["dead"].isna()]) == sum(row["dead"] is None for row in rows)
    assert list(frame["active_components"].dropna()) == [
        row["active_components"] for row in rows if row["active_components"] is not None
    ]
    assert list(frame["error_code"].dropna()) == [row["error_code"] for row in rows if row["error_code"]]


def test_pandas_without_pyarrow(rows: bitmesh.RecordBatch) -> None:
    code = f"""
import sys
sys.modules["pyarrow"] = None
import bitmesh
frame = bitmesh.certify_many({FENS[:6]!r}, source="here").to_pandas()
print(frame["dead"].dtype, frame["line"].dtype, frame[frame["dead"]]["line"].tolist(), frame.shape)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    dead = [row["line"] for row in rows[:6] if row["dead"]]
    assert done.stdout == f"boolean Int64 {dead} (6, 20)\n", done.stderr


@pytest.mark.parametrize(
    "made",
    [
        # What is missing in the first hundred rows comes later.
        lambda: bitmesh.certify_many([START] * 100 + [None]),
        lambda: bitmesh.certify_many([START] * 100 + [WALL]),
        lambda: bitmesh.prove_many([START] * 101 + [WALL], nodes=0, certificates=True),
        lambda: bitmesh.decide_many([WALL] * 101 + [START], evidence=True),
        lambda: bitmesh.certify_many([]),
        lambda: bitmesh.certify_many([WALL, START])[:1],
    ],
)
def test_polars_takes_rows_by_arrow(made: Callable[[], bitmesh.RecordBatch]) -> None:
    rows = made()
    frame = rows.to_polars()
    expected = polars.from_arrow(pyarrow.Table.from_batches([rows.to_pyarrow()]))
    assert isinstance(expected, polars.DataFrame)
    assert frame.schema == expected.schema and frame.shape == (len(rows), len(rows.column_names))
    assert frame.equals(expected)
    # It stays a sequence of dictionaries for Python.
    assert isinstance(rows, Sequence)


def test_polars(rows: bitmesh.RecordBatch) -> None:
    frame = rows.to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert frame.rows(named=True) == rows.to_pylist()
    assert frame.filter(polars.col("dead"))["line"].to_list() == [row["line"] for row in rows if row["dead"]]


class Table(HTMLParser):
    """The cells of a table, and every tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: List[str] = []
        self.cells: List[List[str]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.cells.append([])
        elif tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.cells and self.cells[-1] and "p" not in self.tags:
            self.cells[-1][-1] += data


def test_a_notebook_shows_a_table(rows: bitmesh.RecordBatch) -> None:
    table = Table()
    table.feed(rows._repr_html_())
    heading, *lines = table.cells
    assert heading[1:3] == ["source", "line"] and "game" not in heading
    assert len(lines) == 11, "the first five, an ellipsis, the last five"
    assert lines[0][0] == "0" and WALL in lines[0] and "yes" in lines[0]
    assert lines[5][0] == "⋮" and lines[-1][0] == str(len(FENS) - 1)
    assert f"{len(FENS)} rows of bitmesh.scan.v1" in rows._repr_html_()
    assert "0 rows" in bitmesh.certify_many([])._repr_html_()


def test_a_table_holds_no_tags_of_others() -> None:
    rows = bitmesh.certify_many(["<script>alert(1)</script>", WALL], source='<img src="x">&')
    table = Table()
    table.feed(rows._repr_html_())
    assert set(table.tags) == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert '<img src="x">&' in [cell for line in table.cells for cell in line]


def test_keys_and_repeated_texts_are_one_object() -> None:
    first, second = bitmesh.certify_many([WALL, WALL]).to_pylist()
    assert all(ours is theirs for ours, theirs in zip(first, second))
    for name in ("source", "status", "one_ply"):
        assert first[name] is second[name], name
    assert first["barrier"][0] is second["barrier"][0]
    # Lists can be changed, so each row has its own.
    assert first["barrier"] is not second["barrier"]
    first["barrier"].clear()
    assert len(second["barrier"]) == 16


@pytest.fixture(scope="module")
def many() -> bitmesh.RecordBatch:
    return bitmesh.certify_many(pyarrow.array([WALL, START] * 200_000))


WAYS: Dict[str, Callable[[bitmesh.RecordBatch], Any]] = {
    "to_pylist": lambda rows: rows.to_pylist(),
    "column": lambda rows: [rows.column("barrier") for _ in range(10)],
    "contains": lambda rows: {} in rows,
}


@pytest.mark.parametrize("way", list(WAYS))
def test_ctrl_c_while_objects_are_made(many: bitmesh.RecordBatch, way: str) -> None:
    """In time of the processor, of which a busy machine takes no more: after a tenth of the work Ctrl-C is pressed."""
    start = time.process_time()
    WAYS[way](many)
    whole = time.process_time() - start
    start = time.process_time()
    press_ctrl_c(signal.ITIMER_PROF, whole / 10, lambda: WAYS[way](many))
    assert time.process_time() - start < whole / 2


def test_other_threads_run_while_objects_are_made(many: bitmesh.RecordBatch) -> None:
    """Measured in objects that are made, not in time: from one turn of another thread to the next it is a small part."""
    made: List[int] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            made.append(sys.getallocatedblocks())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    before = sys.getallocatedblocks()
    thread.start()
    rows = many.to_pylist()
    after = sys.getallocatedblocks()
    done.set()
    thread.join()
    whole = after - before
    assert whole > len(rows)
    # What came after the last turn is a step too.
    places = [before, *(place for place in made if place < after), after]
    steps = [later - earlier for earlier, later in zip(places, places[1:])]
    assert sum(step for step in steps if step < whole / 10) > whole / 2, steps


def test_certificates_out_of_bulk_calls(proved: bitmesh.RecordBatch) -> None:
    assert proved.column_names == [*bitmesh.COLUMNS, "certificate"]
    proofs = 0
    for fen, row in zip(FENS, proved):
        certificate = bitmesh.prove(fen, nodes=0) if row["dead"] is not None else None
        assert (row["certificate"] is not None) == bool(certificate)
        if certificate:
            assert bitmesh.verify(row["certificate"], fen) == certificate
            proofs += 1
    assert proofs >= 2
    bindings = bitmesh.certify_many(FENS, certificates=True)
    for fen, row in zip(FENS, bindings):
        if row["fen"] is None:
            assert row["certificate"] is None
            continue
        assert bitmesh.Certification.from_bytes(row["certificate"]) == bitmesh.certify(fen)
        assert bitmesh.verify(row["certificate"], fen) is not None
    expanded = bitmesh.prove_many(["k1K5/P7/8/8/8/8/8/8 b - - 0 1"] * 30, certificates=True)
    certificates = {row["certificate"] for row in expanded}
    assert [bitmesh.verify(data) for data in certificates] == [bitmesh.prove("k1K5/P7/8/8/8/8/8/8 b - - 0 1")]
    assert bitmesh.certify_many([chess.Board()], certificates=True)[0]["certificate"][:10] == b"BMDPOSCERT"
    frame = proved.to_pandas()
    assert frame["certificate"].notna().sum() == proofs
