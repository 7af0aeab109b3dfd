"""The bulk call against Rust, and against a loop in python-chess.

    python crates/bitmesh-python/benchmarks/bulk.py [POSITIONS]

Prints ratios, because seconds belong to a machine. Rust evaluates the same FENs
out of memory into the same Arrow columns (`rows_in_memory`, an example of
bitmesh-corpus); the loop finds only the locked pawns. Needs the package as
`pip install` builds it, chess and pyarrow.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Dict, List

import bitmesh
import chess
import pyarrow

REPOSITORY = Path(__file__).resolve().parents[3]
# Both, so that what they share is built once.
PACKAGES = ["-p", "bitmesh-corpus", "-p", "bitmesh-python"]
RUNS = 5


def positions(count: int) -> List[str]:
    """Positions of random games, and a hundred walls among a thousand of them."""
    random_ = random.Random(1)
    wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"
    distinct: List[str] = []
    board = chess.Board()
    while len(distinct) < min(count, 50_000):
        if board.is_game_over() or board.fullmove_number > 60:
            board = chess.Board()
        board.push(random_.choice(list(board.legal_moves)))
        distinct.append(wall if len(distinct) % 10 == 9 else board.fen(en_passant="legal"))
    return (distinct * (count // len(distinct) + 1))[:count]


def locked_pawns(board: chess.Board) -> int:
    """The pawns with something in front of them that attack nothing."""
    locked = 0
    for color, step in ((chess.WHITE, 8), (chess.BLACK, -8)):
        enemies = board.occupied_co[not color]
        for square in chess.scan_forward(board.pawns & board.occupied_co[color]):
            blocked = not 0 <= square + step < 64 or board.occupied & chess.BB_SQUARES[square + step]
            if blocked and not chess.BB_PAWN_ATTACKS[color][square] & enemies:
                locked |= chess.BB_SQUARES[square]
    return locked


def loop(fens: List[str]) -> List[int]:
    return [locked_pawns(chess.Board(fen)) for fen in fens]


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def build_rust() -> Path:
    # As the package is built, which is the profile of its pyproject.toml.
    build = "cargo build --quiet --profile wheel --locked --example rows_in_memory".split()
    subprocess.run([*build, *PACKAGES], cwd=REPOSITORY, check=True)
    return REPOSITORY / "target" / "wheel" / "examples" / "rows_in_memory"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    fens = positions(count)
    array = pyarrow.array(fens)

    sample = fens[:20_000]
    barriers = [
        sum(chess.BB_SQUARES[chess.parse_square(square)] for square in barrier)
        for barrier in bitmesh.certify_many(sample).column("barrier")
    ]
    assert barriers == loop(sample), "the loop and the bulk call find different pawns"

    program = build_rust()
    times: Dict[str, List[float]] = {name: [] for name in ("rust", "arrow", "list", "proved", "loop")}
    with tempfile.NamedTemporaryFile("w", suffix=".fen") as file:
        file.write("\n".join(fens) + "\n")
        file.flush()
        # In turns, so that other work on the machine slows all of them.
        for _ in range(RUNS):
            done = subprocess.run([program, file.name, "1"], capture_output=True, text=True, check=True)
            times["rust"].append(float(done.stdout))
            times["arrow"].append(seconds(lambda: bitmesh.certify_many(array)))
            times["list"].append(seconds(lambda: bitmesh.certify_many(fens)))
            times["proved"].append(seconds(lambda: bitmesh.prove_many(array)))
            times["loop"].append(seconds(lambda: loop(sample)) * count / len(sample))
    native, arrow, listed, proved, looped = (min(runs) for runs in times.values())

    print(f"{count} positions, fastest of {RUNS} runs")
    print(f"certify_many, Arrow array    {arrow:8.3f} s   {arrow / native:6.2f} times Rust (at most 1.2)")
    print(f"certify_many, list           {listed:8.3f} s   {listed / native:6.2f} times Rust (at most 1.2)")
    print(f"prove_many, Arrow array      {proved:8.3f} s   {proved / native:6.2f} times Rust")
    print(f"Rust                         {native:8.3f} s")
    print(f"python-chess, locked pawns   {looped:8.1f} s   {looped / arrow:6.1f} times as long as the array (at least 50)")
    print(f"                                          {looped / listed:6.1f} times as long as the list (at least 50)")


if __name__ == "__main__":
    main()
