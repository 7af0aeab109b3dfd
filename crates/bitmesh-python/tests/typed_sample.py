"""A use of everything that mypy --strict has to accept; never run, only checked."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator, List, Optional

import bitmesh
import bitmesh.spark
import chess
from bitmesh import BitmeshError, Certification, PersistentCertificate, PositionError


def regions(fen: str) -> List[chess.SquareSet]:
    return [component.mask for component in bitmesh.certify(fen).decomposition.components]


def dead_positions(boards: Iterator[chess.Board]) -> Iterator[PersistentCertificate]:
    for board in boards:
        certificate = bitmesh.prove(board)
        if certificate.dead:
            yield certificate


def reason(fen: str) -> Optional[str]:
    try:
        certification: Certification = bitmesh.certify(fen)
    except PositionError as error:
        return error.code
    except BitmeshError:
        return None
    if certification.verdict == "accepted":
        return None
    return certification.violations[0].message


def picture(fen: str, file: Path) -> None:
    drawing = bitmesh.draw(fen, layer="persistent", reach=chess.E4, arrows=["a1-b1", (chess.A1, "c1")])
    file.write_bytes(drawing.png())


def bulk(fens: List[str]) -> int:
    rows = bitmesh.certify_many(fens, threads=2)
    scan = bitmesh.scan("games.pgn.zst", Path("walls.fen"), only=["dead"], unique=True)
    return len(rows) + sum(len(batch) for batch in scan) + sum(bool(row["dead"]) for row in rows.to_pylist())


def evidence(data: bytes) -> str:
    checked = bitmesh.verify(data, chess.Board())
    return checked.to_json() if isinstance(checked, bitmesh.Decisions) else checked.digest


def what_checkers_take_and_refuse() -> None:
    """Runs nowhere: a comment below that hides no error is an error itself."""
    bitmesh.certify_many([float("nan"), chess.STARTING_FEN, None])
    bitmesh.PersistentCertificate()  # type: ignore[call-arg]
    bitmesh.Decision()  # type: ignore[call-arg]
    bitmesh.RecordBatch()  # type: ignore[call-arg]
