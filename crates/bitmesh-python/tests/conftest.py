from __future__ import annotations

import json
import random
import re
import signal
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

import bitmesh
import chess
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
LIBRARY_TESTS = REPOSITORY / "crates" / "bitmesh" / "tests"
CASES = REPOSITORY / "crates" / "bitmesh-lab" / "cases"

WALL = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"
WALL_AFTER_A4 = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1"
START = chess.STARTING_FEN
# King and queen in front of a wall that the queen breaks.
BROKEN = "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1B/6K1/5B2 w - - 0 1"


def golden(name: str) -> List[Dict[str, Any]]:
    lines = (LIBRARY_TESTS / "golden" / name).read_text().splitlines()
    return [json.loads(line) for line in lines]


def cases(name: str) -> List[str]:
    """The first or only column of a file of FENs, without its heading."""
    return [line.split("\t")[0] for line in lines_of_cases(name) if line.count("/") >= 7]


def lines_of_cases(name: str) -> List[str]:
    """The lines of a file of cases."""
    return (CASES / name).read_text().splitlines()


def kebab(variant: str) -> str:
    """The name of a Rust variant in the form of codes."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", variant).lower()


def walled_board(random_: random.Random) -> Optional[chess.Board]:
    """A position with a pawn wall of full width and pieces on both sides of it, if it comes out legal."""
    board = chess.Board(None)
    height = random_.randint(1, 5)
    for file in range(8):
        board.set_piece_at(chess.square(file, height), chess.Piece(chess.PAWN, chess.WHITE))
        board.set_piece_at(chess.square(file, height + 1), chess.Piece(chess.PAWN, chess.BLACK))
        height += random_.choice([step for step in (-1, 1) if 1 <= height + step <= 5])
    free = [square for square in chess.SQUARES if board.piece_at(square) is None]
    random_.shuffle(free)
    board.set_piece_at(free.pop(), chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(free.pop(), chess.Piece(chess.KING, chess.BLACK))
    for _ in range(random_.randint(0, 3)):
        role = random_.choice([chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
        board.set_piece_at(free.pop(), chess.Piece(role, random_.choice(chess.COLORS)))
    board.turn = random_.choice(chess.COLORS)
    # A double step that can just have been played.
    rank = 3 if board.turn == chess.BLACK else 4
    behind = -8 if board.turn == chess.BLACK else 8
    passed = [
        pawn + behind
        for pawn in board.pieces(chess.PAWN, not board.turn)
        if chess.square_rank(pawn) == rank
        and board.piece_at(pawn + behind) is None
        and board.piece_at(pawn + 2 * behind) is None
    ]
    if passed and random_.random() < 0.5:
        board.ep_square = random_.choice(passed)
    return board if board.is_valid() else None


@pytest.fixture(scope="session")
def walled_boards() -> List[chess.Board]:
    random_ = random.Random(20)
    boards = (walled_board(random_) for _ in range(6000))
    # Checks that no last move can have given are a matter of definition: python-chess knows fewer of them.
    return [board for board in boards if board is not None and bitmesh.read(board).is_position]


def positions_of_games(count: int, seed: int = 5) -> Iterator[str]:
    """FENs out of random games."""
    random_ = random.Random(seed)
    board = chess.Board()
    for _ in range(count):
        if board.is_game_over() or board.fullmove_number > 80:
            board = chess.Board()
        board.push(random_.choice(list(board.legal_moves)))
        yield board.fen()


def press_ctrl_c(timer: int, after: float, work: Callable[[], Any]) -> None:
    """Interrupts work after some seconds by a timer of the system.

    A thread of Python that interrupts would wait for the GIL, and so for what it is to interrupt.
    The package passes an interruption on as SIGINT, which programs in the background of a shell ignore.
    """
    of_timer = {signal.ITIMER_REAL: signal.SIGALRM, signal.ITIMER_PROF: signal.SIGPROF}[timer]
    before = signal.signal(of_timer, signal.default_int_handler)
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(timer, after)
            work()
    finally:
        signal.setitimer(timer, 0)
        signal.signal(of_timer, before)
        signal.signal(signal.SIGINT, interrupt)
