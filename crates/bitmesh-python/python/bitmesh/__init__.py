"""Certified decompositions of chess positions into regions that cannot touch each other.

What to do first::

    import bitmesh

    wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"
    certificate = bitmesh.prove(wall)           # a FEN, or a board of python-chess
    if certificate.dead:                        # neither side can ever give mate
        data = certificate.to_bytes()           # evidence that others can check:
        bitmesh.verify(data, wall)              # raises unless it holds, for this position

    bitmesh.draw(certificate)                   # a picture in a notebook; .svg(), .png()

    rows = bitmesh.certify_many([wall, "8/8/8/8/8/8/8/K6k w - - 0 1"])
    rows.to_pandas()                            # a table of verdicts, a row for each position

Three claims of growing strength, each with evidence that others can check:

1. structure: locked pawns divide the board into regions (``certify``);
2. one ply: no next move of either side crosses or breaks the barrier (``certify``);
3. for ever: it stays so whatever both sides play (``prove``).

A claim that is absent is open, not refuted. ``decide`` says of each side whether it can
still give mate, with a line of moves or a certificate.

Positions are FEN or EPD texts, bare placements, drawn boards, and boards of
python-chess. ``certify_many``, ``prove_many``, ``decide_many`` and ``scan`` evaluate
whole collections on all cores, and ``bitmesh.spark`` on a cluster. What Bitmesh cannot do
raises a ``BitmeshError`` with a stable ``code``. Python's own exceptions stay what they are:
``TypeError`` for an argument that a function does not have, ``IndexError`` and ``KeyError``
for rows and columns that there are not, ``ModuleNotFoundError`` for a library that is not
installed, and whatever your own iterators and boards raise.
"""

# The module that `collections.abc` is made of, which Python has at its start: `collections` takes a millisecond.
from _collections_abc import Sequence as _Sequence

from ._bitmesh import (
    COLUMNS,
    SCHEMA,
    Certification,
    Component,
    CompositionCertificate,
    Decision,
    Decisions,
    DecompositionCertificate,
    Drawing,
    Examination,
    MateLine,
    Mover,
    Note,
    PersistentCertificate,
    PositionBinding,
    Reading,
    RecordBatch,
    Scan,
    Violation,
    __version__,
    audit,
    certify,
    certify_many,
    decide,
    decide_many,
    diagnose,
    draw,
    examine,
    prove,
    prove_many,
    read,
    scan,
    verify,
)
from ._errors import (
    ArgumentError,
    ArgumentRangeError,
    ArgumentTypeError,
    BitmeshError,
    BulkError,
    CertificateError,
    DrawingError,
    MismatchError,
    PositionError,
    ScanError,
)

_Sequence.register(RecordBatch)

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "ArgumentError",
    "ArgumentRangeError",
    "ArgumentTypeError",
    "BitmeshError",
    "BulkError",
    "CertificateError",
    "Certification",
    "Component",
    "CompositionCertificate",
    "Decision",
    "Decisions",
    "DecompositionCertificate",
    "Drawing",
    "DrawingError",
    "Examination",
    "MateLine",
    "MismatchError",
    "Mover",
    "Note",
    "PersistentCertificate",
    "PositionBinding",
    "PositionError",
    "Reading",
    "RecordBatch",
    "Scan",
    "ScanError",
    "Violation",
    "__version__",
    "audit",
    "certify",
    "certify_many",
    "decide",
    "decide_many",
    "diagnose",
    "draw",
    "examine",
    "prove",
    "prove_many",
    "read",
    "scan",
    "verify",
]
