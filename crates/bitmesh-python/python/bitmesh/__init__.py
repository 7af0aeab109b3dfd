"""Certified decompositions of chess positions into regions that cannot touch each other.

Three claims of growing strength, each with evidence that others can check:

1. structure: locked pawns divide the board into regions (:func:`certify`);
2. one ply: no next move of either side crosses or breaks the barrier (:func:`certify`);
3. for ever: nobody ever can, whatever both sides play (:func:`prove`).

Positions are FEN or EPD texts, bare placements, drawn boards, and boards of
python-chess. :func:`certify_many`, :func:`prove_many` and :func:`scan` evaluate
whole collections over all cores; :mod:`bitmesh.spark` does on a cluster.
"""

from ._bitmesh import (
    COLUMNS,
    SCHEMA,
    Certification,
    Component,
    CompositionCertificate,
    DecompositionCertificate,
    Drawing,
    Mover,
    Note,
    PersistentCertificate,
    Reading,
    RecordBatch,
    Scan,
    Violation,
    __version__,
    certify,
    certify_many,
    diagnose,
    draw,
    prove,
    prove_many,
    read,
    scan,
    verify,
)
from ._errors import (
    BitmeshError,
    BulkError,
    CertificateError,
    DrawingError,
    MismatchError,
    PositionError,
    ScanError,
)

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "BitmeshError",
    "BulkError",
    "CertificateError",
    "Certification",
    "Component",
    "CompositionCertificate",
    "DecompositionCertificate",
    "Drawing",
    "DrawingError",
    "MismatchError",
    "Mover",
    "Note",
    "PersistentCertificate",
    "PositionError",
    "Reading",
    "RecordBatch",
    "Scan",
    "ScanError",
    "Violation",
    "__version__",
    "certify",
    "certify_many",
    "diagnose",
    "draw",
    "prove",
    "prove_many",
    "read",
    "scan",
    "verify",
]
