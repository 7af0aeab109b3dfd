"""One item never costs a call: it is a row with an error at its place, or nobody asks for it."""

from __future__ import annotations

import datetime
import decimal
import io
import itertools
import threading
import warnings
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Set

import bitmesh
import chess
import chess.variant
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import START, WALL


def inconsistent() -> chess.Board:
    board = chess.Board()
    board.pawns |= chess.BB_E1
    return board


def without_rook() -> chess.Board:
    board = chess.Board()
    board.remove_piece_at(chess.A8)
    return board


def without_pawns() -> chess.Board:
    board = chess.Board()
    del board.pawns
    return board


def released_view() -> memoryview:
    view = memoryview(WALL.encode())
    view.release()
    return view


EMPTY = "table/empty-cell"
ITEMS: Dict[str, Any] = {
    "None": (None, EMPTY),
    "NaN": (float("nan"), EMPTY),
    "a NaN of numpy": (numpy.float64("nan"), EMPTY),
    "a short NaN of numpy": (numpy.float32("nan"), EMPTY),
    "a NaT of numpy": (numpy.datetime64("NaT"), EMPTY),
    "a decimal NaN": (decimal.Decimal("nan"), EMPTY),
    "pandas.NA": (pandas.NA, EMPTY),
    "pandas.NaT": (pandas.NaT, EMPTY),
    "an empty text": ("", EMPTY),
    "a board of a variant": (chess.variant.AtomicBoard(), "position/variant"),
    "a board of antichess": (chess.variant.AntichessBoard(), "position/variant"),
    "an inconsistent board": (inconsistent(), "position/inconsistent-bitboards"),
    "a board that lost its rook": (without_rook(), "position/castling-without-rook"),
    "an empty board": (chess.Board(None), "board/no-king"),
    "a lone surrogate": ("\ud800", "line/invalid-utf8"),
    "bytes": (b"\xff", "line/invalid-utf8"),
    "a number": (5, "argument/item-type"),
    "a decimal NaN that signals": (decimal.Decimal("snan"), "argument/item-type"),
    "an array": (numpy.array([numpy.nan]), "argument/item-type"),
    "a board without pawns": (without_pawns(), "position/board-field"),
    "a view of bytes that is gone": (released_view(), "argument/item-type"),
}


@pytest.mark.parametrize("name", list(ITEMS))
@pytest.mark.parametrize("container", [list, iter, lambda items: pandas.Series(items, dtype=object)])
def test_an_item_is_a_row_with_an_error(name: str, container: Callable[[List[Any]], Any]) -> None:
    item, code = ITEMS[name]
    ways: List[Callable[[Any], bitmesh.RecordBatch]] = [
        bitmesh.certify_many,
        partial(bitmesh.prove_many, nodes=0),
        partial(bitmesh.decide_many, effort=100),
    ]
    for many in ways:
        rows = many(container([WALL, item, chess.Board()]))
        assert rows.column("error_code") == [None, code, None]
        assert rows.column("line") == [1, 2, 3]
        assert rows.column("dead") == [True, None, False]


def test_a_board_that_lost_its_rook_gets_a_hint_in_bulk() -> None:
    rows = bitmesh.certify_many([without_rook(), chess.Board()])
    with pytest.raises(bitmesh.PositionError, match=r"clean_castling_rights\(\)") as raised:
        bitmesh.certify(without_rook())
    assert rows.column("error") == [str(raised.value), None]
    # In a text nobody has that method.
    row = bitmesh.certify_many(["1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])[0]
    assert row["error_code"] == "position/castling-without-rook"
    assert "clean_castling_rights" not in row["error"]


def test_a_board_without_a_field_is_an_error_of_the_package() -> None:
    with pytest.raises(bitmesh.PositionError, match="has no attribute 'pawns'") as raised:
        bitmesh.certify(without_pawns())
    assert raised.value.code == "position/board-field"


class Interrupting(chess.Board):
    @property
    def uci_variant(self) -> str:  # type: ignore[override]
        raise KeyboardInterrupt


def test_what_interrupts_a_board_is_not_an_item() -> None:
    with pytest.raises(KeyboardInterrupt):
        bitmesh.certify_many([Interrupting()])


def test_all_of_them_among_many() -> None:
    items = [item for item, _ in ITEMS.values()]
    positions = ([WALL] * 1000 + items + [START] * 1000) * 3
    rows = bitmesh.certify_many(positions, threads=3)
    expected = ([None] * 1000 + [code for _, code in ITEMS.values()] + [None] * 1000) * 3
    assert rows.column("error_code") == expected
    assert rows.column("line") == list(range(1, len(positions) + 1))


def test_bytes_of_other_kinds_are_texts() -> None:
    expected = bitmesh.certify_many([WALL, START]).to_pylist()
    for kind in (bytes, bytearray, lambda text: memoryview(bytearray(text))):
        rows = bitmesh.certify_many([kind(WALL.encode()), kind(START.encode())])
        assert rows.to_pylist() == expected


def test_certificates_are_read_from_other_kinds_of_bytes() -> None:
    for evidence in (bitmesh.prove(WALL), bitmesh.certify(WALL), bitmesh.certify(WALL).decomposition):
        data = evidence.to_bytes()
        for kind in (bytearray, memoryview, lambda data: memoryview(b"x" + data + b"y")[1:-1]):
            assert bitmesh.verify(kind(data), WALL) == evidence
            assert type(evidence).from_bytes(kind(data)) == evidence


FENS = [WALL, None, START]

FRAMES: Dict[str, Callable[[], Any]] = {
    "pandas, with objects beside": lambda: pandas.DataFrame({"board": [chess.Board(), 7, {}], "fen": FENS}),
    "pandas, with mixed numbers beside": lambda: pandas.DataFrame({"x": [1, "a", 2.5], "FEN": FENS}),
    "pandas, with odd names": lambda: pandas.DataFrame({7: [1, 2, 3], ("a", 1): [1, 2, 3], "fen": FENS}),
    "pandas, with a name twice": lambda: pandas.DataFrame(
        [[object(), fen, object()] for fen in FENS], columns=["x", "fen", "x"]
    ),
    "pandas, an index of its own": lambda: pandas.DataFrame({"fen": FENS}, index=["c", "a", "b"]),
    "pandas, a column of categories": lambda: pandas.DataFrame({"fen": pandas.Categorical(FENS)}),
    "pandas, strings of Arrow": lambda: pandas.DataFrame({"fen": pandas.array(FENS, "string[pyarrow]")}),
    "pandas, strings with NA": lambda: pandas.DataFrame({"fen": pandas.array(FENS, "string")}),
    "polars, with objects beside": lambda: polars.DataFrame(
        {"fen": FENS, "o": polars.Series([object()] * 3, dtype=polars.Object)}
    ),
    "polars, categories": lambda: polars.DataFrame({"fen": polars.Series(FENS, dtype=polars.Categorical)}),
    "polars, objects": lambda: polars.DataFrame({"fen": polars.Series(FENS, dtype=polars.Object)}),
    "pyarrow, with lists beside": lambda: pyarrow.table({"other": [[1], [], None], "epd": FENS}),
}


@pytest.mark.parametrize("name", list(FRAMES))
def test_other_columns_of_a_frame_are_not_touched(name: str) -> None:
    rows = bitmesh.certify_many(FRAMES[name]())
    assert rows.column("error_code") == [None, EMPTY, None]
    assert rows.column("fen") == [WALL, None, START]


QUEEN = "8/8/8/8/8/1q6/8/K6k b - - 0 1"
TWO = [WALL, QUEEN]


class OwnFrame(pandas.DataFrame):  # type: ignore[misc]
    """A data frame of somebody else's package."""


INDEXED: Dict[str, Callable[[], Any]] = {
    "a series with an index named fen": lambda: pandas.Series(TWO, index=pandas.Index([QUEEN, WALL], name="fen")),
    "a series with an index named epd": lambda: pandas.Series(TWO, index=pandas.Index([7, 8], name="epd")),
    "a frame with an index named fen": lambda: pandas.DataFrame(
        {"other": TWO}, index=pandas.Index([QUEEN, WALL], name="fen")
    ),
    "a frame with an index named epd": lambda: pandas.DataFrame(
        {"other": TWO}, index=pandas.Index([None, None], name="epd")
    ),
    "a frame with two levels": lambda: pandas.DataFrame({"a": ["x", "y"], "fen": ["p", "q"], "other": TWO}).set_index(
        ["a", "fen"]
    ),
    "a frame of another class": lambda: OwnFrame({"fen": [QUEEN, WALL], "other": TWO}).set_index("fen"),
    "a series without its missing values": lambda: pandas.Series([None, WALL, None, QUEEN]).dropna(),
    "a sorted series": lambda: pandas.Series([QUEEN, WALL]).sort_values(),
    "a series in another order": lambda: pandas.Series([QUEEN, "x", WALL]).loc[[2, 0]],
    "a series with a name that is no text": lambda: pandas.Series(TWO, index=[5, 3], name=("a", 1)),
    "series one after the other": lambda: pandas.concat([pandas.Series([WALL]), pandas.Series([QUEEN])]),
    "a series with texts as its index": lambda: pandas.Series(TWO, index=["x", "y"]),
    "text of pandas": lambda: pandas.Series([QUEEN, WALL], dtype="string").sort_values(),
    "text of Arrow": lambda: pandas.Series([QUEEN, WALL], dtype="string[pyarrow]").sort_values(),
    "categories": lambda: pandas.Series([QUEEN, WALL], dtype="category").iloc[::-1],
    "an index": lambda: pandas.Index(TWO),
    "an index with a name": lambda: pandas.Index(TWO, name="x", dtype="string"),
    "an index of categories": lambda: pandas.CategoricalIndex(TWO),
    "an array of pandas": lambda: pandas.array(TWO, dtype="string"),
    "a table with an index": lambda: pyarrow.Table.from_pandas(pandas.DataFrame({"other": TWO}, index=[9, 4])),
}


@pytest.mark.parametrize("name", list(INDEXED))
def test_an_index_of_pandas_is_never_looked_at(name: str) -> None:
    made = INDEXED[name]()
    columns: List[Any] = [None, "other"] if "other" in getattr(made, "columns", []) else [None]
    if name == "a table with an index":
        columns = [None, "other"]
    # Texts of pandas are objects before its version 3, and then Arrow plays no part.
    as_texts = made.convert_dtypes() if isinstance(made, (pandas.Series, pandas.DataFrame)) else made
    expected = bitmesh.certify_many(TWO).column("fen")
    for positions, column in itertools.product((made, as_texts), columns):
        for many in (bitmesh.certify_many, partial(bitmesh.prove_many, nodes=0), partial(bitmesh.decide_many, effort=9)):
            assert many(positions, column=column).column("fen") == expected


def test_a_sorted_frame_with_a_named_column() -> None:
    frame = pandas.DataFrame({"pos": [WALL, QUEEN, WALL], "n": 1}).sort_values("pos")
    frame.pos = frame.pos.convert_dtypes()
    rows = bitmesh.certify_many(frame, column="pos")
    assert rows.column("dead") == [True, True, False]
    assert rows.column("fen") == bitmesh.certify_many(list(frame.pos)).column("fen")


def test_a_column_with_boards() -> None:
    boards = [chess.Board(WALL), None, chess.Board()]
    for frame in (
        pandas.DataFrame({"id": [1, 2, 3], "board": boards}),
        polars.DataFrame({"id": [1, 2, 3], "board": polars.Series(boards, dtype=polars.Object)}),
    ):
        assert bitmesh.certify_many(frame, column="board").column("dead") == [True, None, False]
        with pytest.raises(bitmesh.BulkError) as raised:
            bitmesh.certify_many(frame)
        assert raised.value.code == "bulk/no-column"
    for series in (pandas.Series(boards), polars.Series(boards, dtype=polars.Object)):
        assert bitmesh.certify_many(series).column("dead") == [True, None, False]


def test_columns_without_any_position() -> None:
    for nothing in (
        polars.Series([None, None]),
        polars.DataFrame({"fen": [None, None]}),
        polars.DataFrame({"fen": [None, None], "id": [1, 2]}),
        pandas.Series([None, None]),
        pandas.Series([float("nan")] * 2, dtype=object),
        pandas.DataFrame({"fen": [None, None]}),
        pyarrow.table({"fen": pyarrow.nulls(2)}),
        # How pandas reads a column of a file that is empty throughout.
        pandas.read_csv(io.StringIO("fen,id\n,1\n,2\n")),
        pandas.read_csv(io.StringIO("fen,id\n,1\n,2\n")).fen,
        polars.Series([None, float("nan")], dtype=polars.Float32),
        pyarrow.array([None, float("nan")], pyarrow.float64()),
        pyarrow.table({"fen": pyarrow.array([None, float("nan")], pyarrow.float16())}),
    ):
        assert bitmesh.certify_many(nothing).column("error_code") == [EMPTY, EMPTY]


@pytest.mark.parametrize(
    "column",
    [
        pandas.Series([1, 2]),
        pandas.Series([1.5, None]),
        pandas.Series([True, False]),
        polars.Series([1, 2]),
        polars.Series([datetime.date(2020, 1, 1)]),
        polars.Series([decimal.Decimal("1.0")]),
        pandas.DataFrame({"fen": [1, 2]}),
        polars.DataFrame({"fen": [1, 2]}),
    ],
    ids=str,
)
def test_a_column_that_is_not_text_is_refused_as_a_whole(column: Any) -> None:
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.certify_many(column)
    assert raised.value.code == "bulk/no-text"


def test_a_lazy_frame_is_told_to_be_collected() -> None:
    with warnings.catch_warnings(), pytest.raises(bitmesh.ArgumentTypeError, match="collect") as raised:
        # Its columns are not asked for, which Polars warns of.
        warnings.simplefilter("error")
        bitmesh.certify_many(polars.LazyFrame({"fen": [WALL]}))  # type: ignore[arg-type]
    assert raised.value.code == "argument/lazy-frame"
    rows = bitmesh.certify_many(polars.LazyFrame({"fen": [WALL]}).collect())
    assert rows.column("dead") == [True]


def test_one_position_starts_no_thread() -> None:
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("threads are counted through /proc")
    seen: Set[str] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            seen.update(thread.name for thread in tasks.iterdir())

    before = {thread.name for thread in tasks.iterdir()}
    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(200):
        bitmesh.certify_many([WALL])
        bitmesh.prove_many([WALL])
        bitmesh.prove(WALL)
    done.set()
    watcher.join()
    assert len(seen - before) == 1, "only the watcher itself"
