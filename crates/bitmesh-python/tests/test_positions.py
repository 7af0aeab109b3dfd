"""Positions in: texts, and boards of python-chess by what stands on them."""

from __future__ import annotations

from typing import Callable

import bitmesh
import chess
import chess.variant
import pytest
from conftest import START, WALL, WALL_AFTER_A4, positions_of_games


def test_a_board_is_read_as_its_position() -> None:
    for fen in [START, WALL, WALL_AFTER_A4, *positions_of_games(500)]:
        board = chess.Board(fen)
        assert bitmesh.read(board).fen == bitmesh.read(fen).fen
        # A board has no text of which anything could be forgiven.
        assert [note.code for note in bitmesh.read(board).notes if "castling" in note.code] == []
        assert bitmesh.certify(board) == bitmesh.certify(fen)
        assert bitmesh.prove(board, nodes=0) == bitmesh.prove(fen, nodes=0)


def test_the_en_passant_square_counts_when_a_capture_is_legal() -> None:
    board = chess.Board()
    board.push_san("e4")
    # python-chess keeps the square after every double step; no pawn can capture here.
    assert board.ep_square == chess.E3
    reading = bitmesh.read(board)
    assert reading.fen == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert [note.code for note in reading.notes if "en-passant" in note.code] == ["note/en-passant-dropped"]

    board = chess.Board(WALL_AFTER_A4)
    assert bitmesh.certify(board).verdict == "refused"
    board.ep_square = None
    assert bitmesh.certify(board).verdict == "accepted"
    # A pinned pawn cannot capture.
    pinned = chess.Board("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1")
    assert bitmesh.read(pinned).fen == "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"


def test_the_text_of_a_board_is_not_asked_for() -> None:
    class Silent(chess.Board):
        def fen(self, **_: object) -> str:
            raise AssertionError("the text was asked for")

        epd = board_fen = __str__ = fen

    assert bitmesh.certify(Silent(WALL)).fen == WALL


def test_chess960() -> None:
    fen = "nrkbqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBQRBN w FBfb - 0 1"
    board = chess.Board(fen, chess960=True)
    assert bitmesh.certify(board) == bitmesh.certify(fen)
    assert bitmesh.read(board).fen == "nrkbqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBQRBN w KQkq - 0 1"
    # An inner rook needs its letter.
    inner = "1r2k1r1/8/8/8/8/8/8/RR2K3 w B - 0 1"
    assert bitmesh.read(chess.Board(inner, chess960=True)).fen == inner
    for number in range(0, 960, 37):
        board = chess.Board.from_chess960_pos(number)
        assert bitmesh.read(board).fen == bitmesh.read(board.shredder_fen()).fen

    # Without the flag python-chess does not play these rights.
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.certify(chess.Board(fen))
    assert raised.value.code == "position/castling-needs-chess960"


def _without_rook(board: chess.Board) -> None:
    board.remove_piece_at(chess.H1)


def _without_king(board: chess.Board) -> None:
    board.castling_rights = chess.BB_EMPTY
    board.remove_piece_at(chess.E1)


def _impossible_en_passant(board: chess.Board) -> None:
    board.ep_square = chess.E6


def _two_pieces_on_a_square(board: chess.Board) -> None:
    board.knights |= chess.BB_E2


def _rights_in_the_middle(board: chess.Board) -> None:
    board.castling_rights = chess.BB_E4


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_without_rook, "position/castling-without-rook"),
        (_impossible_en_passant, "position/en-passant-without-pawn"),
        (_two_pieces_on_a_square, "position/inconsistent-bitboards"),
        (_rights_in_the_middle, "position/castling-off-the-back-rank"),
    ],
)
def test_boards_that_contradict_themselves(change: Callable[[chess.Board], None], code: str) -> None:
    board = chess.Board()
    change(board)
    for function in (bitmesh.certify, bitmesh.prove, bitmesh.diagnose, bitmesh.draw, bitmesh.read):
        with pytest.raises(bitmesh.PositionError) as raised:
            function(board)
        assert raised.value.code == code


def test_boards_that_are_no_position() -> None:
    board = chess.Board()
    _without_king(board)
    reading = bitmesh.read(board)
    assert not reading.is_position
    assert [reason.code for reason in reading.not_a_position] == ["board/no-king"]
    assert bitmesh.certify(board).claim == "bitmesh:conservative_legal_independence:v0"
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.prove(board)
    assert raised.value.code == "board/no-king"
    assert str(raised.value) == "not a legal position: white has no king"

    base = chess.BaseBoard(WALL.split(" ")[0])
    assert bitmesh.certify(base) == bitmesh.certify(WALL.split(" ")[0])
    assert bitmesh.read(base).context == "bitmesh:board:v1"


@pytest.mark.parametrize("variant", [v for v in chess.variant.VARIANTS if v.uci_variant != "chess"])
def test_chess_variants_are_refused(variant: "type[chess.Board]") -> None:
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.certify(variant())
    assert raised.value.code == "position/variant"


def test_a_lone_surrogate_is_an_error_of_the_value() -> None:
    for function in (bitmesh.certify, bitmesh.prove, bitmesh.diagnose, bitmesh.draw, bitmesh.read):
        with pytest.raises(ValueError) as raised:
            function("8/8/\ud800/8/8/8/8/8 w - - 0 1")
        assert isinstance(raised.value, bitmesh.PositionError)
        assert raised.value.code == "position/lone-surrogate"
        assert str(raised.value) == "character 5 of the text is a lone surrogate"
    [row] = bitmesh.certify_many(["\ud800"]).to_pylist()
    assert row["error_code"] == "line/invalid-utf8"


def test_errors_tell_the_place() -> None:
    with pytest.raises(bitmesh.PositionError, match="^en passant at character 56: .* did you mean e6"):
        bitmesh.certify("rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1")


def test_drawn_boards_and_placements() -> None:
    drawn = str(chess.Board(WALL))
    reading = bitmesh.read(drawn)
    assert reading.context == "bitmesh:board:v1"
    assert reading.fen == WALL.split(" ")[0]
    assert "note/drawing" in [note.code for note in reading.notes]


@pytest.mark.parametrize("other", [None, 17, b"8/8/8/8/8/8/8/8", [WALL], object()])
def test_other_types(other: object) -> None:
    with pytest.raises(TypeError, match="a position is a str or a chess.Board"):
        bitmesh.certify(other)  # type: ignore[arg-type]
