"""Every collection that the tests carry, read a second time by python-chess.

Both must find the same positions in the same order, except where the reason is written down below.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional

import bitmesh
import chess
import chess.pgn
import pyarrow
import pytest
from conftest import REPOSITORY

COLLECTIONS = REPOSITORY / "crates" / "bitmesh-corpus" / "tests" / "cases"
FILES = sorted(
    path
    for path in COLLECTIONS.rglob("*")
    if path.suffix in {".fen", ".epd", ".pgn", ".txt", ".csv", ".tsv"} and path.name != "round2.tsv"
)


class Difference(NamedTuple):
    """Why the two readers do not agree about a file, and what python-chess finds there; None for an exception."""

    reason: str
    positions: Optional[int]


DIFFERENT: Dict[str, Difference] = {
    "cli-nul.fen": Difference("a zero byte inside a line is an error; here the fields before it are read", 3),
    "cli-utf16.fen": Difference("UTF-16 is decoded; here it is not", 0),
    "csv-ragged.csv": Difference("rows with another number of cells are errors; here every cell is looked at", 3),
    "csv-semicolon.csv": Difference("the delimiter is found out; here it is the comma", 0),
    "tsv-quote.tsv": Difference("an open quote costs its line; Python's reader takes the rest of the file", 0),
    "unclosed-quote.csv": Difference("an open quote costs its line; Python's reader takes the rest of the file", 8),
    "split-columns.csv": Difference("two columns are joined to a position; here each cell is one or none", 0),
    "pgn-fen-cr.pgn": Difference(
        "a carriage return inside a tag belongs to it; Python's text files end a line there, and the tag with it", 4
    ),
    "pgn-fen-question.pgn": Difference("a FEN tag ? is an error of its game; python-chess raises", None),
    "pgn-fentwice.pgn": Difference("two FEN tags with different positions are an error; python-chess takes the last", 2),
    "pgn-figurine.pgn": Difference("figurines are moves; python-chess takes the letter of the square alone", 5),
    "pgn-onelinetags.pgn": Difference("tags may share a line; python-chess reads one tag a line", 1),
    "pgn-pocket.pgn": Difference("Crazyhouse is refused; python-chess plays it", 1),
    "pgn-setup0.pgn": Difference("SetUp 0 says that the game starts as usual; python-chess takes the FEN", 1),
    "pgn-tagcase.pgn": Difference("tags are known in any case; python-chess starts as usual and cannot play", 1),
    "variants.pgn": Difference("31 names of variants are known or refused one by one; python-chess raises", None),
}


def canonical(board: chess.Board) -> str:
    """The canonical text: X-FEN castling, an en-passant square only if a capture on it is legal."""
    return f"{board.epd(en_passant='legal')} 0 1"


def lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def of_line(line: str) -> Optional[str]:
    """The position of a FEN or EPD line, without whatever follows its fields."""
    fields = line.replace(",", " ").replace(";", " ;").replace("_", " ").split()
    if len(fields) < 4:
        return None
    try:
        board = chess.Board(" ".join(fields[:4]) + " 0 1", chess960=True)
    except ValueError:
        return None
    return canonical(board) if board.is_valid() else None


def of_lines(path: Path) -> List[str]:
    found = (of_line(line) for line in lines(path.read_text("utf-8-sig", errors="replace")))
    return [position for position in found if position]


def of_games(path: Path) -> List[str]:
    positions = []
    text = io.StringIO(path.read_text("utf-8-sig", errors="replace"))
    while (game := chess.pgn.read_game(text)) is not None:
        board = game.board()
        if not board.is_valid():
            continue
        positions.append(canonical(board))
        for move in game.mainline_moves():
            board.push(move)
            positions.append(canonical(board))
    return positions


def of_table(path: Path) -> List[str]:
    delimiter = "\t" if path.suffix == ".tsv" else ","
    rows = csv.reader(path.read_text("utf-8-sig").splitlines(), delimiter=delimiter)
    cells = (of_line(cell) for row in rows for cell in row)
    return [position for position in cells if position]


def expected(path: Path) -> List[str]:
    if path.suffix == ".pgn":
        return of_games(path)
    return of_table(path) if path.suffix in {".csv", ".tsv"} else of_lines(path)


def found(path: Path) -> List[str]:
    rows = pyarrow.table(bitmesh.scan(path).read_all()).to_pylist()
    return [row["fen"] for row in rows if row["error_code"] is None and " " in row["fen"]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_both_readers_find_the_same(path: Path) -> None:
    difference = DIFFERENT.get(path.name)
    if difference is None:
        assert found(path) == expected(path)
        return
    try:
        positions: Optional[List[str]] = expected(path)
    except ValueError:
        positions = None
    assert found(path) != positions, "the reason is no longer one"
    assert (None if positions is None else len(positions)) == difference.positions, difference.reason


def test_every_reason_is_about_a_file() -> None:
    assert set(DIFFERENT) <= {path.name for path in FILES}
