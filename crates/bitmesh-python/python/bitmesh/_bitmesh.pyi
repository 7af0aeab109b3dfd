"""The native part of the package; import from ``bitmesh``."""

import os
from typing import Any, Dict, Final, Iterable, Iterator, List, Literal, Optional, Protocol, Sequence, Tuple, Union, final

import chess
from typing_extensions import Self, TypeAlias

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = ...) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...

class _BinaryStream(Protocol):
    def read(self, size: int, /) -> bytes: ...

_Position: TypeAlias = Union[str, chess.BaseBoard]
_Positions: TypeAlias = Union[_ArrowArray, _ArrowStream, Iterable[Union[str, bytes, chess.BaseBoard, None]]]
_Square: TypeAlias = Union[int, str]
_Layer: TypeAlias = Literal["none", "structure", "one-ply", "persistent"]
_Claim: TypeAlias = Literal["strict", "accepted", "persistent", "unwinnable", "dead"]
_Format: TypeAlias = Literal["fen", "epd", "pgn", "csv", "tsv", "parquet"]

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "Certification",
    "Component",
    "CompositionCertificate",
    "DecompositionCertificate",
    "Drawing",
    "Mover",
    "Note",
    "PersistentCertificate",
    "Reading",
    "RecordBatch",
    "Scan",
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

__version__: Final[str]

SCHEMA: Final[str]
"""Name and version of the rows: ``bitmesh.scan.v1``."""

COLUMNS: Final[Tuple[str, ...]]
"""The columns of the rows, in their order."""

@final
class Note:
    """Something about an input: its ``code`` for programs, its ``message`` for people."""

    def __new__(cls, code: str, message: str) -> Self: ...
    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...
    def __hash__(self) -> int: ...

@final
class Reading:
    """What a text or a board was read as."""

    @property
    def position(self) -> str:
        """The canonical text: one for each position, counters dropped. Of a board only, its placement."""
    @property
    def context(self) -> str:
        """The rules of the canonical text: ``bitmesh:fen:v1`` or ``bitmesh:board:v1``."""
    @property
    def is_position(self) -> bool:
        """Whether it is a legal position; otherwise pieces on a board, for which layers 1 and 2 apply."""
    @property
    def not_a_position(self) -> Tuple[Note, ...]:
        """Everything that keeps a board from being a position."""
    @property
    def notes(self) -> Tuple[Note, ...]:
        """What was forgiven, put in or left out, in the order of the text."""

@final
class Component:
    """A region that holds pieces outside the barrier."""

    def __new__(
        cls, root: int, mask: Union[int, chess.SquareSet], active_mask: Union[int, chess.SquareSet]
    ) -> Self: ...
    @property
    def root(self) -> int:
        """The square that names the region, 0 (a1) to 63 (h8)."""
    @property
    def mask(self) -> chess.SquareSet:
        """All squares of the region. An int of 64 bits where python-chess is not installed."""
    @property
    def active_mask(self) -> chess.SquareSet:
        """Its occupied squares."""
    def __hash__(self) -> int: ...

@final
class DecompositionCertificate:
    """The structure of a board (layer 1): its locked pawns, and the regions that they separate.

    Every object is valid, that is, consistent in itself. It does not name pieces:
    all boards with one structure share it. It claims nothing about moves.
    """

    @classmethod
    def from_bytes(cls, payload: bytes) -> DecompositionCertificate:
        """Read BMDCERT v1 and nothing else.

        Raises :class:`CertificateError` for anything that is not the payload of a valid certificate.
        """
    @classmethod
    def from_json(cls, text: str) -> DecompositionCertificate:
        """Read the document ``bitmesh.decomposition.v1``.

        Raises :class:`CertificateError` for anything that is not a valid certificate.
        """
    def to_bytes(self) -> bytes:
        """The bytes of BMDCERT v1."""
    def to_json(self) -> str:
        """The document ``bitmesh.decomposition.v1``."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits."""
    @property
    def barrier(self) -> chess.SquareSet:
        """The locked pawns. An int of 64 bits where python-chess is not installed."""
    @property
    def components(self) -> Tuple[Component, ...]:
        """The regions with pieces, by ascending root."""
    @property
    def strict(self) -> bool:
        """Whether the board falls apart: a barrier, and two or more regions with pieces."""
    @property
    def status(self) -> Literal["strict", "rejected"]: ...
    @property
    def rejection_reason(self) -> Optional[Literal["no-locked-barrier", "less-than-two-active-components"]]:
        """Why the board does not fall apart."""
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Violation:
    """One reason why the one-ply screen refuses a position."""

    @classmethod
    def from_json(cls, text: str) -> Violation: ...
    def to_json(self) -> str: ...
    @property
    def code(self) -> str:
        """A stable name, such as ``independence/barrier-piece-can-be-captured``."""
    @property
    def message(self) -> str: ...
    @property
    def fields(self) -> Dict[str, Any]:
        """The squares and numbers that the message tells, by name; squares are names too."""
    def __hash__(self) -> int: ...

@final
class Certification:
    """Layers 1 and 2 of one position or board, as :func:`certify` gives it.

    The claim of an accepted position ends with the next move. Bytes and JSON hold
    the position and the digest of its structure (BMDPOSCERT v1); everything else
    is found again, and compared, when they are read.
    """

    @classmethod
    def from_bytes(cls, payload: bytes) -> Certification:
        """Read BMDPOSCERT v1 and certify its position again.

        Raises :class:`CertificateError` for other bytes and for positions that are not canonical,
        :class:`MismatchError` when the structure is not that of the position.
        """
    @classmethod
    def from_json(cls, text: str) -> Certification:
        """Read the document ``bitmesh.position_binding.v1``, as :meth:`from_bytes` does."""
    def to_bytes(self) -> bytes:
        """The bytes of BMDPOSCERT v1."""
    def to_json(self) -> str:
        """The document ``bitmesh.position_binding.v1``."""
    def proof_json(self) -> Optional[str]:
        """The record ``bitmesh.position_independence.v1``, if a position is accepted."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes: it names the position together with its structure."""
    @property
    def position(self) -> str:
        """The canonical text of the position or board."""
    @property
    def context(self) -> str:
        """The rules of the canonical text: ``bitmesh:fen:v1`` or ``bitmesh:board:v1``."""
    @property
    def is_position(self) -> bool:
        """Whether a whole position was screened, or only a board, which shows no en passant."""
    @property
    def claim(self) -> str:
        """The claim that the verdict is about."""
    @property
    def decomposition(self) -> DecompositionCertificate:
        """The structure."""
    @property
    def strict(self) -> bool:
        """Whether layer 1 holds."""
    @property
    def accepted(self) -> bool:
        """Whether layers 1 and 2 hold."""
    @property
    def verdict(self) -> Literal["accepted", "refused", "rejected"]:
        """``accepted``; ``refused`` if only layer 1 holds; ``rejected`` if the board does not fall apart."""
    @property
    def one_ply(self) -> str:
        """``accepted``, or the code of the first violation."""
    @property
    def violations(self) -> Tuple[Violation, ...]:
        """Everything that stands against acceptance."""
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class CompositionCertificate:
    """The record that values of components add up to a result (BMCOMPOSE v1).

    It records who belongs together. Whether the values are right is for whoever made them to show.
    """

    def __new__(
        cls,
        decomposition_digest: str,
        component_values: Sequence[Tuple[int, str]],
        result_value_digest: str,
    ) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: bytes) -> CompositionCertificate: ...
    @classmethod
    def from_json(cls, text: str) -> CompositionCertificate: ...
    def to_bytes(self) -> bytes: ...
    def to_json(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def decomposition_digest(self) -> str: ...
    @property
    def component_values(self) -> Dict[int, str]:
        """The values by the roots of their components."""
    @property
    def result_value_digest(self) -> str: ...
    def validate_against(self, decomposition: DecompositionCertificate) -> None:
        """Raise :class:`MismatchError` unless every component of the decomposition has its value."""
    def __hash__(self) -> int: ...

@final
class Mover:
    """A piece that is not frozen, with every square where it can ever stand."""

    def __new__(cls, square: _Square, piece: str, component: int, reach: Dict[str, int]) -> Self: ...
    @property
    def square(self) -> int:
        """Where it stands."""
    @property
    def piece(self) -> str:
        """Its letter, a capital for White."""
    @property
    def component(self) -> int:
        """The number of its component, from 0."""
    @property
    def squares(self) -> chess.SquareSet:
        """Where it can ever stand, in whatever role."""
    @property
    def reach(self) -> Dict[str, chess.SquareSet]:
        """Where it can ever stand, by its role there: a pawn may become something else."""
    def __hash__(self) -> int: ...

@final
class PersistentCertificate:
    """What holds for ever about one position (layer 3), with the evidence for it.

    Every object has passed the checker, the ones read from bytes and pickles too.
    A claim that is absent is open, not refuted. No claim says anything about best
    play, the clock, or draws by agreement.
    """

    @classmethod
    def from_bytes(cls, payload: bytes) -> PersistentCertificate:
        """Read BMPERSIST v1 and check it.

        Raises :class:`CertificateError` for other bytes and for what the checker refuses.
        """
    @classmethod
    def from_json(cls, text: str) -> PersistentCertificate:
        """Read the document ``bitmesh.persistent.v1`` and check it."""
    def to_bytes(self) -> bytes:
        """The bytes of BMPERSIST v1."""
    def to_json(self) -> str:
        """The document ``bitmesh.persistent.v1``."""
    @property
    def digest(self) -> str: ...
    @property
    def claim(self) -> str: ...
    @property
    def position(self) -> str:
        """The canonical text of the position."""
    @property
    def components(self) -> int:
        """Classes of pieces that never interact. Fewer than two is no claim."""
    @property
    def decomposed(self) -> bool:
        """Whether the position stays divided: two or more components."""
    @property
    def exact_sum(self) -> bool:
        """Whether the components are an exact disjoint sum of games."""
    @property
    def coupling(self) -> Optional[Literal["exact-sum", "coupled-by-check", "coupled-by-en-passant"]]:
        """How the components hang together; ``None`` when there are fewer than two."""
    @property
    def unwinnable_white(self) -> bool:
        """Whether White can never give mate."""
    @property
    def unwinnable_black(self) -> bool:
        """Whether Black can never give mate."""
    @property
    def dead(self) -> bool:
        """Whether neither side can ever give mate (FIDE Laws of Chess, article 5.2.2)."""
    @property
    def expanded_positions(self) -> Optional[int]:
        """How many positions the proof goes through; ``None`` if one witness is all of it."""
    @property
    def frozen(self) -> chess.SquareSet:
        """The pieces that never move and are never captured."""
    @property
    def movers(self) -> Tuple[Mover, ...]:
        """All other pieces, by ascending square."""
    def reach(self, square: _Square) -> chess.SquareSet:
        """Where the piece on a square can ever stand; a frozen one only there.

        Raises :class:`KeyError` when no piece stands on it.
        """
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Drawing:
    """A board with its regions; notebooks show it as a picture."""

    @property
    def title(self) -> str: ...
    @property
    def description(self) -> str:
        """Everything that the picture shows, in words."""
    def svg(self) -> str: ...
    def png(self) -> bytes: ...
    def text(self, *, unicode: bool = False, color: bool = False, legend: bool = True) -> str:
        """The board as text: figures instead of letters, colours of a terminal, the list of regions."""
    def _repr_svg_(self) -> str: ...

@final
class RecordBatch:
    """Rows of ``bitmesh.scan.v1`` as an Arrow record batch.

    pyarrow, Polars, DuckDB and pandas take it without a copy through the Arrow
    PyCapsule interface; without any of them it is a sequence of dictionaries.
    """

    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> List[str]: ...
    def column(self, name: str) -> List[Any]:
        """The values of a column. Raises :class:`KeyError` when there is none of the name."""
    def to_pylist(self) -> List[Dict[str, Any]]:
        """The rows as dictionaries."""
    def to_pyarrow(self) -> Any:
        """The same as ``pyarrow.RecordBatch``, which must be installed."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Dict[str, Any]: ...
    def __iter__(self) -> Iterator[Dict[str, Any]]: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class Scan:
    """A scan that is going on: an iterator of record batches, and an Arrow stream of all that are left.

    Memory does not grow with the collection. An object that is dropped stops its threads.
    """

    def __iter__(self) -> Iterator[RecordBatch]: ...
    def __next__(self) -> RecordBatch: ...
    def read_all(self) -> RecordBatch:
        """All rows that are left, in memory.

        Raises :class:`BulkError` when they do not fit one record batch.
        """
    def stop(self) -> None:
        """End the scan soon: what has been read is still given out."""
    @property
    def counts(self) -> Dict[str, Any]:
        """What has been counted in the rows that were given out."""
    @property
    def remarks(self) -> List[str]:
        """Errors and notices about the sources in words, the first thousand. All are counted."""
    @property
    def finished(self) -> bool: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

def read(position: _Position) -> Reading:
    """Read a position without asking anything about it.

    ``position`` is a FEN or EPD, a placement, a board drawn in several lines, or a
    board of python-chess, which is read by its bitboards, turn, castling rights and
    en-passant square. Nothing is repaired; what is forgiven is in ``notes``.

    Raises :class:`PositionError` with the place of the first problem.
    """

def certify(position: _Position) -> Certification:
    """Certify the structure of a position and screen it for one ply.

    A placement alone is certified as a board: en passant plays no part there.

    Raises :class:`PositionError` when it cannot be read.
    """

def prove(position: _Position, *, nodes: Optional[int] = None) -> PersistentCertificate:
    """Prove what stays so for ever, whatever both sides play.

    The certificate always exists and may claim nothing; it has passed the checker.
    Where one witness leaves open whether a side can give mate, up to ``nodes`` positions
    are followed (by default 100,000 as the command does, at most 1,048,576), which takes
    about a microsecond for each. With ``nodes=0`` the answer takes microseconds.

    Raises :class:`PositionError` when it cannot be read or is no legal position.
    """

def verify(
    evidence: Union[
        bytes, str, DecompositionCertificate, Certification, CompositionCertificate, PersistentCertificate
    ],
    position: Optional[_Position] = None,
) -> Union[DecompositionCertificate, Certification, CompositionCertificate, PersistentCertificate]:
    """Check evidence from elsewhere, and that it is about a position if one is given.

    ``evidence`` is the bytes of BMDCERT, BMDPOSCERT, BMCOMPOSE or BMPERSIST, the JSON
    document of one of them, or a position proof in JSON. What comes back holds.

    Raises :class:`CertificateError` when it does not hold, :class:`MismatchError` when it
    is about something else.
    """

def diagnose(
    position: _Position, certificate: Optional[DecompositionCertificate] = None
) -> List[Violation]:
    """Everything that the one-ply screen holds against a position; empty if it accepts.

    With a certificate, the position is screened by that one instead of its own.
    """

def draw(
    position: Union[_Position, Certification, PersistentCertificate],
    *,
    layer: Optional[_Layer] = None,
    reach: Optional[_Square] = None,
    arrows: Optional[Iterable[Union[str, Tuple[_Square, _Square]]]] = None,
    highlights: Optional[Iterable[_Square]] = None,
    title: Optional[str] = None,
    size: int = 528,
    orientation: Union[Literal["white", "black"], bool, None] = None,
    coordinates: bool = True,
) -> Drawing:
    """Draw a position with its regions.

    ``layer`` says whose regions: by default the structure; of a :class:`Certification`
    also what breaks it; of a :class:`PersistentCertificate`, and with ``reach``, the
    regions that nobody ever leaves. ``reach`` marks every square where the piece on a
    square can ever stand. ``size`` is width and height in pixels, 64 to 4096.

    Raises :class:`DrawingError` for sizes and reaches that there are not.
    """

def certify_many(
    positions: _Positions,
    *,
    column: Optional[str] = None,
    source: str = "",
    threads: Optional[int] = None,
) -> RecordBatch:
    """Evaluate many positions over all cores: one row of ``bitmesh scan`` for each, in their order.

    ``positions`` is a list or iterator of texts and boards, or Arrow data: an array, a
    chunked array, a stream, a table with the column ``column`` (by default ``fen`` or
    ``epd``, or the only one). Texts of Arrow data are not copied. The columns ``line``
    and ``source`` are the place, counted from 1, and ``source``; what is no position,
    and ``None``, is a row with an error. The GIL is released; Ctrl-C is heard.

    Raises :class:`BulkError` for Arrow data without texts, and when the rows do not fit
    one record batch (some twenty million positions).
    """

def prove_many(
    positions: _Positions,
    *,
    nodes: int = 0,
    column: Optional[str] = None,
    source: str = "",
    threads: Optional[int] = None,
) -> RecordBatch:
    """The same rows as :func:`certify_many`, with layer 3 out of checked certificates.

    For each position a certificate is made and given to the checker, and only what that
    accepts is claimed. With ``nodes`` up to so many positions are followed where that may
    prove more; then a row may have claims that ``bitmesh scan`` does not find.
    """

def scan(
    *sources: Union[str, os.PathLike[str], _BinaryStream],
    format: Optional[_Format] = None,
    column: Union[str, int, None] = None,
    delimiter: Optional[str] = None,
    first_move: bool = False,
    variations: bool = False,
    only: Optional[Sequence[_Claim]] = None,
    unique: bool = False,
    threads: Optional[int] = None,
    certificates: Union[str, os.PathLike[str], None] = None,
) -> Scan:
    """Scan collections as the command ``bitmesh scan`` does: FEN, EPD, PGN, CSV, TSV, Parquet, packed or not.

    ``sources`` are files, folders and binary streams. ``column`` names the column of a
    table or gives its number from 1; ``first_move`` plays the first move of the column
    ``Moves`` first; ``variations`` plays those of games too. ``only`` keeps rows with at
    least one of the claims, and rows with errors; ``unique`` the first row of each
    position. ``certificates`` is a folder for the evidence of what is given out.

    Raises :class:`ScanError` when a source cannot be opened.
    """
