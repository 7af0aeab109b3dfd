"""With python-chess: a player's flag has fallen. Lost, or drawn (FIDE Laws of Chess, article 6.9)?"""

from __future__ import annotations

import sys

import bitmesh
import chess


def result(board: chess.Board, flagged: chess.Color) -> str:
    """What the fallen flag means on this board."""
    drawn = bitmesh.decide(board, not flagged).flag_draw(flagged)
    if drawn is None:
        return "undecided: an arbiter must look"
    return "drawn: the opponent can never give mate" if drawn else "lost: the opponent can still give mate"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in chess.COLOR_NAMES:
        sys.exit("usage: flag_fall.py FEN white|black   (whose flag has fallen)")
    try:
        print(result(chess.Board(sys.argv[1]), sys.argv[2] == "white"))
    except ValueError as error:
        sys.exit(f"{error}")
