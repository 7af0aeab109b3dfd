"""The native part of the package; import from ``bitmesh``."""

import os
from typing import (
    Any,
    ClassVar,
    Dict,
    Final,
    Iterable,
    Iterator,
    List,
    Literal,
    NoReturn,
    Optional,
    Protocol,
    Sequence,
    SupportsIndex,
    Tuple,
    Union,
    final,
    overload,
)

import chess
from typing_extensions import Never, Self, TypeAlias, deprecated

# What python-chess gives and takes, said so that a checker knows it where python-chess is not installed.

class _SquareSet(chess.SquareSet):
    def __init__(self, squares: Any = ...) -> None: ...
    def __contains__(self, square: int) -> bool: ...
    def __iter__(self) -> Iterator[int]: ...
    def __reversed__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __and__(self, other: Any) -> _SquareSet: ...
    def __or__(self, other: Any) -> _SquareSet: ...
    def __xor__(self, other: Any) -> _SquareSet: ...
    def __sub__(self, other: Any) -> _SquareSet: ...
    def __invert__(self) -> _SquareSet: ...

class _BaseBoard(Protocol):
    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    occupied_co: List[int]

class _Move(Protocol):
    from_square: int
    to_square: int

class _Arrow(Protocol):
    tail: int
    head: int

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = ...) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...

class _BinaryStream(Protocol):
    def read(self, size: int, /) -> bytes: ...

_Position: TypeAlias = Union[str, _BaseBoard]
_Bytes: TypeAlias = Union[bytes, bytearray, memoryview]
_Positions: TypeAlias = Union[_ArrowArray, _ArrowStream, Iterable[Union[str, _Bytes, _BaseBoard, float, None]]]
_Square: TypeAlias = Union[int, str]
_Color: TypeAlias = Union[bool, Literal["white", "black"]]
_Path: TypeAlias = Union[str, os.PathLike[str]]
_Evidence: TypeAlias = Union[
    _Bytes,
    str,
    DecompositionCertificate,
    Certification,
    CompositionCertificate,
    PersistentCertificate,
    PositionBinding,
    MateLine,
    Decision,
    Decisions,
]
_Layer: TypeAlias = Literal["none", "structure", "one-ply", "persistent"]
_Claim: TypeAlias = Literal[
    "strict", "accepted", "persistent", "unwinnable", "dead", "winnable", "flag-draw", "undecided"
]
_Format: TypeAlias = Literal["fen", "epd", "pgn", "csv", "tsv", "parquet", "jsonl", "plain"]

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "Certification",
    "Component",
    "CompositionCertificate",
    "Decision",
    "Decisions",
    "DecompositionCertificate",
    "Drawing",
    "Examination",
    "MateLine",
    "Mover",
    "Note",
    "PersistentCertificate",
    "PositionBinding",
    "Reading",
    "RecordBatch",
    "Scan",
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
    def code(self) -> str:
        """A stable name, such as ``board/no-king``."""
    @property
    def message(self) -> str:
        """The same in words."""
    def __hash__(self) -> int: ...

@final
class Reading:
    """The result of ``read``: what a text or a board was read as.

    It keeps what was read, so that a pickle of it says the same.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @property
    def fen(self) -> str:
        """The canonical text: one for each position, counters dropped. Of a board only, its placement."""
    @property
    @deprecated("called fen, as in the rows")
    def position(self) -> str:
        """The old name of ``fen``."""
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
    def __hash__(self) -> int: ...

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
    def mask(self) -> _SquareSet:
        """All squares of the region. An int of 64 bits where python-chess is not installed."""
    @property
    def active_mask(self) -> _SquareSet:
        """Its occupied squares. An int of 64 bits where python-chess is not installed."""
    def __hash__(self) -> int: ...

@final
class DecompositionCertificate:
    """The structure of a board (layer 1): its locked pawns, and the regions that they separate.

    Every object is valid, that is, consistent in itself. It does not name pieces:
    all boards with one structure share it. It claims nothing about moves. An
    object is true in ``if`` when the board falls apart.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: _Bytes) -> DecompositionCertificate:
        """Read BMDCERT and nothing else.

        Raises CertificateError for anything that is not the payload of a valid certificate.
        """
    @classmethod
    def from_json(cls, text: str) -> DecompositionCertificate:
        """Read the document ``bitmesh.decomposition.v1``.

        Raises CertificateError for anything that is not a valid certificate.
        """
    def to_bytes(self) -> bytes:
        """The bytes of BMDCERT."""
    def to_json(self) -> str:
        """The document ``bitmesh.decomposition.v1``."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits: the column ``digest`` of rows."""
    @property
    def barrier(self) -> _SquareSet:
        """The locked pawns. An int of 64 bits where python-chess is not installed."""
    @property
    def components(self) -> Tuple[Component, ...]:
        """The regions with pieces, by ascending root."""
    @property
    def strict(self) -> bool:
        """Whether the board falls apart: a barrier, and two or more regions with pieces."""
    @property
    def status(self) -> Literal["strict", "rejected"]:
        """``strict`` or ``rejected``."""
    @property
    def active_components(self) -> int:
        """How many regions hold pieces."""
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    @property
    def rejection_reason(self) -> Optional[Literal["no_locked_barrier", "less_than_two_active_components"]]:
        """Why the board does not fall apart: ``no_locked_barrier`` or ``less_than_two_active_components``."""
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Violation:
    """One reason why the one-ply screen refuses a position."""

    def __new__(cls, _none: Never) -> Self: ...
    @classmethod
    def from_json(cls, text: str) -> Violation:
        """Read what ``to_json`` writes.

        Raises CertificateError for anything else.
        """
    def to_json(self) -> str:
        """The violation as a JSON object."""
    @property
    def code(self) -> str:
        """A stable name, such as ``independence/barrier-piece-can-be-captured``."""
    @property
    def message(self) -> str:
        """The same in words, with its squares."""
    @property
    def fields(self) -> Dict[str, Any]:
        """The squares and numbers in the message, by name; squares are names too."""
    def __hash__(self) -> int: ...

@final
class Certification:
    """Layers 1 and 2 of one position or board, as ``certify`` gives it.

    The claim of an accepted position ends with the next move. Bytes and JSON hold
    the position and the digest of its structure (BMDPOSCERT); everything else is
    found again, and compared, when they are read. An object is true in ``if`` when
    layers 1 and 2 hold.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: _Bytes) -> Certification:
        """Read BMDPOSCERT and certify its position again.

        Raises CertificateError for other bytes and for positions that are not canonical, and
        MismatchError when the structure is not that of the position.
        """
    @classmethod
    def from_json(cls, text: str) -> Certification:
        """Read the document ``bitmesh.position_binding.v1``, as ``from_bytes`` does."""
    def to_bytes(self) -> bytes:
        """The bytes of BMDPOSCERT."""
    def to_json(self) -> str:
        """The document ``bitmesh.position_binding.v1``."""
    def proof_json(self) -> Optional[str]:
        """The record ``bitmesh.position_independence.v1``, if a position is accepted."""
    @property
    def position_digest(self) -> str:
        """SHA-256 of the bytes: it names the position together with its structure."""
    @property
    @deprecated("called position_digest, as in the rows")
    def digest(self) -> str:
        """The old name of ``position_digest``; in rows, ``digest`` is that of the structure."""
    @property
    def fen(self) -> str:
        """The canonical text of the position or board."""
    @property
    @deprecated("called fen, as in the rows")
    def position(self) -> str:
        """The old name of ``fen``."""
    @property
    def context(self) -> str:
        """The rules of the canonical text: ``bitmesh:fen:v1`` or ``bitmesh:board:v1``."""
    @property
    def is_position(self) -> bool:
        """Whether a whole position was screened, or only a board, which shows no en passant."""
    @property
    def claim(self) -> str:
        """The name of the claim that the verdict is about."""
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
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    @property
    def one_ply(self) -> str:
        """``accepted``, or the code of the first violation."""
    @property
    def violations(self) -> Tuple[Violation, ...]:
        """Every reason against acceptance."""
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class CompositionCertificate:
    """The record that values of components add up to a result (BMCOMPOSE).

    It records what belongs together. It does not show that the values are right.
    """

    def __new__(
        cls,
        decomposition_digest: str,
        component_values: Union[Iterable[Tuple[int, str]], Dict[int, str]],
        result_value_digest: str,
    ) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: _Bytes) -> CompositionCertificate:
        """Read BMCOMPOSE.

        Raises CertificateError for anything that is not the payload of a valid record.
        """
    @classmethod
    def from_json(cls, text: str) -> CompositionCertificate:
        """Read the document ``bitmesh.composition.v1``."""
    def to_bytes(self) -> bytes:
        """The bytes of BMCOMPOSE."""
    def to_json(self) -> str:
        """The document ``bitmesh.composition.v1``."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits."""
    @property
    def decomposition_digest(self) -> str:
        """The digest of the structure whose components have the values."""
    @property
    def component_values(self) -> Dict[int, str]:
        """The values by the roots of their components."""
    @property
    def result_value_digest(self) -> str:
        """The value of the whole."""
    def validate_against(self, decomposition: DecompositionCertificate) -> None:
        """Raise MismatchError unless every component of the decomposition has its value."""
    def __hash__(self) -> int: ...

@final
class PositionBinding:
    """A structure bound to the text of a position (BMDPOSCERT), as another program may have made it.

    ``verify`` gives it where the text has rules that this package does not know, or where
    the structure is that of another producer; otherwise it gives a Certification. It says
    which structure belongs to which text, and nothing about moves.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: _Bytes) -> PositionBinding:
        """Read BMDPOSCERT, whatever the rules of its text are.

        Raises CertificateError for other bytes.
        """
    @classmethod
    def from_json(cls, text: str) -> PositionBinding:
        """Read the document ``bitmesh.position_binding.v1``.

        Raises CertificateError for anything else.
        """
    def to_bytes(self) -> bytes:
        """The bytes of BMDPOSCERT."""
    def to_json(self) -> str:
        """The document ``bitmesh.position_binding.v1``."""
    @property
    def position_digest(self) -> str:
        """The same as ``digest``: it names the text together with its structure."""
    @property
    def decomposition_digest(self) -> str:
        """The digest of the structure."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits."""
    @property
    def fen(self) -> str:
        """The text of the position, by the rules of its context."""
    @property
    def context(self) -> str:
        """The name of the rules of the text."""
    def __hash__(self) -> int: ...

@final
class MateLine:
    """Legal moves that end in mate (BMMATE): the evidence that a side can still give mate.

    Every object has been replayed. Both sides help, and the line need not be short: it
    shows that the side *can* give mate, and nothing else.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: _Bytes) -> MateLine:
        """Read BMMATE and replay the line.

        Raises CertificateError for other bytes, and for moves that are not legal or do not end in mate.
        """
    @classmethod
    def from_json(cls, text: str) -> MateLine:
        """Read the document ``bitmesh.mate.v1`` and replay the line."""
    def to_bytes(self) -> bytes:
        """The bytes of BMMATE."""
    def to_json(self) -> str:
        """The document ``bitmesh.mate.v1``."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits."""
    @property
    def fen(self) -> str:
        """The canonical text of the position where the line begins."""
    @property
    def winner(self) -> bool:
        """The side that gives mate: true for White, as ``chess.WHITE`` is."""
    @property
    def moves(self) -> Tuple[str, ...]:
        """The moves in the notation of UCI, for ``chess.Move.from_uci``."""
    @property
    def san(self) -> str:
        """The moves in the notation of the Laws, with their numbers."""
    @property
    def plies(self) -> int:
        """The number of moves, of both sides together."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Decision:
    """Whether one side can still give mate, with the evidence.

    ``undecided`` does not mean no, so a decision is neither true nor false in ``if``: ask
    for its ``verdict``.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @property
    def verdict(self) -> Literal["winnable", "unwinnable", "undecided"]:
        """``winnable``, ``unwinnable``, or ``undecided``, which is not a claim."""
    @property
    def plies(self) -> Optional[int]:
        """How long the line is that was found; there may be shorter ones. ``None`` without a line."""
    @property
    def line(self) -> Optional[MateLine]:
        """The line that ends in mate, if the side is winnable."""
    @property
    def certificate(self) -> Optional[PersistentCertificate]:
        """The checked certificate that there is no mate, if the side is unwinnable."""
    def to_bytes(self) -> Optional[bytes]:
        """The evidence as bytes, for ``verify``: BMMATE or BMPERSIST; ``None`` if it is undecided."""
    def __hash__(self) -> int: ...
    def __bool__(self) -> NoReturn: ...

@final
class Decisions:
    """Whether the sides of a position can still give mate, as ``decide`` gives it.

    It is neither true nor false in ``if``: ask ``dead``, ``flag_draw`` or a side.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @property
    def white(self) -> Optional[Decision]:
        """Whether White can still give mate; ``None`` if it was not asked."""
    @property
    def black(self) -> Optional[Decision]:
        """Whether Black can still give mate; ``None`` if it was not asked."""
    @property
    def dead(self) -> Optional[bool]:
        """Whether neither side can ever give mate (FIDE Laws of Chess, article 5.2.2); ``None`` if that is not known."""
    def flag_draw(self, color: _Color) -> Optional[bool]:
        """Whether the game is drawn when this side's flag falls, because the other can never give
        mate (article 6.9); ``None`` if that is not known.
        """
    @property
    def fen(self) -> str:
        """The canonical text of the position."""
    @property
    def effort(self) -> int:
        """How many positions could be looked at for each side."""
    def to_json(self) -> str:
        """The document ``bitmesh.decide.v1``."""
    def __hash__(self) -> int: ...
    def __bool__(self) -> NoReturn: ...
    def _repr_html_(self) -> str: ...

@final
class Examination:
    """The result of ``examine``: what was found out about evidence.

    It is true in ``if`` when the evidence is verified. "Verified" claims no more than what
    ``checked`` lists.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @property
    def outcome(self) -> Literal["verified", "nothing-claimed", "refused", "incomplete"]:
        """``verified``, ``refused``, ``nothing-claimed`` where an answer is undecided or not proved,
        or ``incomplete`` where a position is needed and was not given.
        """
    @property
    def kind(self) -> str:
        """What kind of evidence it is, in words."""
    @property
    def refusal(self) -> Optional[Note]:
        """Why it is not verified, with a code; ``None`` if it is."""
    @property
    def offset(self) -> Optional[int]:
        """The first byte of a binary format that deviates, counted from 0, where that is known."""
    @property
    def facts(self) -> Dict[str, str]:
        """What the evidence says, and what follows from it, by name."""
    @property
    def checked(self) -> Tuple[str, ...]:
        """What was checked."""
    @property
    def not_checked(self) -> Tuple[str, ...]:
        """What was not checked."""
    @property
    def findings(self) -> Tuple[Note, ...]:
        """What was found, above all in a certificate of another producer; a finding alone does not refuse it."""
    def to_json(self) -> str:
        """The document ``bitmesh.verify.v1``."""
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

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
    def squares(self) -> _SquareSet:
        """Where it can ever stand, in any role."""
    @property
    def reach(self) -> Dict[str, _SquareSet]:
        """Where it can ever stand, by its role there: a pawn may become something else."""
    def __hash__(self) -> int: ...

@final
class PersistentCertificate:
    """What holds for ever about one position (layer 3), with the evidence for it.

    Every object has passed the checker, also when read from bytes or a pickle.
    A claim that is absent is open, not refuted. No claim says anything about best
    play, the clock, or draws by agreement. An object is true in ``if`` when it
    proves something: a division, or that a side can never give mate.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @classmethod
    def from_bytes(cls, payload: _Bytes) -> PersistentCertificate:
        """Read BMPERSIST and check it.

        Raises CertificateError for other bytes and for what the checker refuses.
        """
    @classmethod
    def from_json(cls, text: str) -> PersistentCertificate:
        """Read the document ``bitmesh.persistent.v1`` and check it."""
    def to_bytes(self) -> bytes:
        """The bytes of BMPERSIST."""
    def to_json(self) -> str:
        """The document ``bitmesh.persistent.v1``."""
    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits: the name of this certificate."""
    @property
    def claim(self) -> str:
        """The name of the rules by which the claims are proved."""
    @property
    def fen(self) -> str:
        """The canonical text of the position."""
    @property
    @deprecated("called fen, as in the rows")
    def position(self) -> str:
        """The old name of ``fen``."""
    @property
    def persistent_components(self) -> int:
        """Classes of pieces that never interact. Fewer than two is not a claim."""
    @property
    @deprecated("called persistent_components, as in the rows")
    def components(self) -> int:
        """The old name of ``persistent_components``."""
    @property
    def decomposed(self) -> bool:
        """Whether the position stays divided: two or more components."""
    @property
    def exact_sum(self) -> bool:
        """Whether the components are an exact disjoint sum of games."""
    @property
    def coupling_kind(
        self,
    ) -> Optional[Literal["exact_sum", "coupled_by_check", "coupled_by_en_passant"]]:
        """How the components are coupled, as the JSON document names it; ``None`` when there are fewer than two."""
    @property
    @deprecated("called coupling_kind, with values as in JSON")
    def coupling(self) -> Optional[Literal["exact-sum", "coupled-by-check", "coupled-by-en-passant"]]:
        """The old name of ``coupling_kind``, with hyphens in its values."""
    @property
    def position_digest(self) -> str:
        """SHA-256 that names the position together with its structure: the column ``position_digest`` of rows."""
    def unwinnable(self, color: _Color) -> bool:
        """Whether a side can never give mate: ``chess.WHITE``, ``chess.BLACK`` or a name."""
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...
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
    def frozen(self) -> _SquareSet:
        """The pieces that never move and are never captured. An int of 64 bits where python-chess is not installed."""
    @property
    def movers(self) -> Tuple[Mover, ...]:
        """All other pieces, by ascending square."""
    def reach(self, square: _Square) -> _SquareSet:
        """Where the piece on a square can ever stand; a frozen one only there.

        Raises KeyError when no piece stands on it.
        """
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Drawing:
    """A board with its regions, as ``draw`` gives it; notebooks show it as a picture."""

    def __new__(cls, _none: Never) -> Self: ...
    @property
    def title(self) -> str:
        """The name of the picture, which is also the line above the text form."""
    @property
    def description(self) -> str:
        """Everything that the picture shows, in words."""
    def svg(self) -> str:
        """The picture as SVG."""
    def png(self) -> bytes:
        """The picture as PNG."""
    def text(self, *, unicode: bool = False, color: bool = False, legend: bool = True) -> str:
        """The board as text.

        ``unicode`` shows figures instead of letters, ``color`` the colours of a terminal,
        ``legend`` the list of regions below.
        """
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class RecordBatch(Sequence[Dict[str, Any]]):
    """Rows of ``bitmesh.scan.v1`` as an Arrow record batch.

    pyarrow, Polars, DuckDB and pandas take it without a copy through the Arrow
    PyCapsule interface: ``to_pandas()``, ``to_polars()``, ``to_pyarrow()``.
    Without any of them it is a sequence of dictionaries: ``rows[0]``,
    ``rows[-10:]``, ``for row in rows``. It can be compared and pickled.
    ``polars.DataFrame(rows)`` sees the dictionaries and guesses types: call
    ``rows.to_polars()``.

    The columns; what is not known or does not apply is ``None``:

    - ``source``, ``line``: where the position is from; ``game``, ``ply``: in games, the game
      from 1 and the half-moves played, from 0;
    - ``fen``: the canonical text, with counters ``0 1``; of a board alone, the placement;
    - ``barrier``: the locked pawns; ``status``: ``strict`` where the board falls apart, else
      ``rejected`` with a ``rejection_reason``; ``active_components``: regions with pieces;
    - ``one_ply``: ``accepted`` if no next move crosses or breaks the barrier, else the code
      of the first reason against it;
    - ``frozen``: pieces that never move and are never captured; ``persistent_components``:
      classes of pieces that never interact, fewer than 2 is not a claim; ``exact_sum``: they
      are an exact disjoint sum of games;
    - ``unwinnable_white``, ``unwinnable_black``: that side can never give mate; ``dead``:
      neither can. False means open, not refuted;
    - ``digest``, ``position_digest``: SHA-256 of the structure, and of it with the position;
    - ``error_code``, ``error``: why there is no position, or why a game could not be read on.
    """

    def __new__(cls, _none: Never) -> Self: ...
    @property
    def num_rows(self) -> int:
        """How many rows there are; ``len()`` says the same."""
    @property
    def column_names(self) -> List[str]:
        """The names of the columns, in their order."""
    def column(self, name: str) -> List[Any]:
        """The values of a column, as objects of Python.

        Raises KeyError when no column has the name.
        """
    def to_pylist(self) -> List[Dict[str, Any]]:
        """The rows as dictionaries."""
    def to_pyarrow(self) -> Any:
        """The same as ``pyarrow.RecordBatch``, without a copy. Needs pyarrow."""
    def to_pandas(self) -> Any:
        """The same as ``pandas.DataFrame``. Needs pandas, and is faster with pyarrow.

        Claims are of type ``boolean`` and numbers of type ``Int32`` or ``Int64``, which
        have a missing value: ``frame[frame.dead]`` works as it is.
        """
    def to_polars(self) -> Any:
        """The same as ``polars.DataFrame``, through Arrow. Needs Polars.

        ``polars.DataFrame(rows)`` is something else: it takes a sequence of dictionaries and
        guesses the types from the first hundred.
        """
    def index(self, value: Any, start: int = 0, stop: Optional[int] = None) -> int:
        """The place of the first row that is equal to a dictionary.

        Raises ValueError when there is none.
        """
    def count(self, value: Any) -> int:
        """How many rows are equal to a dictionary."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice, /) -> RecordBatch: ...
    def __iter__(self) -> Iterator[Dict[str, Any]]: ...
    def __reversed__(self) -> Iterator[Dict[str, Any]]: ...
    def __contains__(self, value: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def _repr_html_(self) -> str: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class Scan:
    """A scan of collections: an iterator of record batches, and an Arrow stream of all that are left.

    It starts when the first rows are asked for, or when it is told to write them:
    ``write_parquet``, ``write_jsonl`` and ``write_csv`` make a file that appears only when
    it is complete, and can resume an interrupted scan. Memory does not grow with the
    collection. In ``with`` its threads end with the block, and rows that were not given out
    by then are gone; an object that is dropped stops them too.
    """

    def __new__(cls, _none: Never) -> Self: ...
    def __iter__(self) -> Iterator[RecordBatch]: ...
    def __next__(self) -> RecordBatch: ...
    def read_all(self) -> RecordBatch:
        """All rows that are left, in memory.

        Raises BulkError when they do not fit one record batch.
        """
    def write_parquet(self, path: _Path, *, resume: bool = False, restart: bool = False) -> Dict[str, Any]:
        """Write all rows to a Parquet file, and return the counts.

        The file gets its name when it is complete. Until then the rows are in
        ``PATH.partial``, and ``PATH.journal`` says how far they go. After an interruption,
        a scan of the same sources with the same options continues with ``resume=True``, or
        begins again with ``restart=True``; without either it refuses to touch what is
        there. The command ``bitmesh scan`` can continue it too.

        A complete file at PATH is replaced. With ``resume=True`` it stays, whatever it is, and
        nothing is scanned: a warning says so, and the counts are 0.

        Raises ScanError when the file cannot be written, the rows that are there belong to
        another scan, or ``stop`` ended the scan: then it can be resumed.
        """
    def write_jsonl(self, path: _Path, *, resume: bool = False, restart: bool = False) -> Dict[str, Any]:
        """Write all rows to a file, one JSON object a line, as ``write_parquet`` does."""
    def write_csv(self, path: _Path, *, resume: bool = False, restart: bool = False) -> Dict[str, Any]:
        """Write all rows to a file of comma-separated values, as ``write_parquet`` does."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def stop(self) -> None:
        """End the scan soon: what has been read is still given out.

        From another thread it ends the writing of a file as well. That raises ScanError, and
        can be resumed.
        """
    @property
    def counts(self) -> Dict[str, Any]:
        """What has been counted in the rows that were given out or written."""
    @property
    def remarks(self) -> List[str]:
        """Errors and notices about the sources in words, the first thousand. All are counted."""
    @property
    def finished(self) -> bool:
        """Whether there are no more rows to come."""
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

def read(position: _Position) -> Reading:
    """Read a position without asking anything about it.

    ``position`` is a FEN or EPD, a placement, a board drawn in several lines, or a
    board of python-chess, which is read by its bitboards, turn, castling rights and
    en-passant square. Nothing is repaired; what is forgiven is in ``notes``.

    Raises PositionError with the place of the first problem.
    """

def certify(position: _Position) -> Certification:
    """Certify the structure of a position and screen it for one ply.

    ``position`` is a FEN or EPD, a placement, a drawn board, or a board of python-chess. A
    placement alone is certified as a board: en passant plays no part there.

    Raises PositionError when it cannot be read.
    """

def prove(position: _Position, *, nodes: Optional[int] = 100_000) -> PersistentCertificate:
    """Prove what stays so for ever, whatever both sides play.

    The certificate always exists and may claim nothing; it has passed the checker, and it
    is true in ``if`` when it proves something. Where one witness leaves open whether a side
    can give mate, up to ``nodes`` positions are followed, by default 100,000 as in
    ``prove_many`` and the command; more than 262,144 count as that. It takes about a
    microsecond for each, so up to some tenths of a second; with ``nodes=0`` microseconds.

    Raises PositionError when it cannot be read or is not a legal position.
    """

def decide(
    position: _Position, color: Optional[_Color] = None, *, effort: Optional[int] = 400_000
) -> Decisions:
    """Decide whether a side can still give mate, if both sides help.

    For each side: ``winnable`` comes with a line of legal moves that ends in mate by it,
    ``unwinnable`` with a checked certificate that there is none, and ``undecided`` is not a
    claim. With a ``color`` only that side is decided. Up to ``effort`` positions are looked
    at for each side, 400,000 by default, about a microsecond for each; an ordinary position
    needs thirty. More than 1,000,000 count as 1,000,000, and ``effort`` of the result says so.
    With ``effort=0`` only what needs no search is decided.

    Raises PositionError when it cannot be read or is not a legal position.
    """
def verify(
    evidence: _Evidence,
    position: Optional[_Position] = None,
    *,
    certificate: Optional[_Evidence] = None,
) -> Union[
    DecompositionCertificate,
    Certification,
    CompositionCertificate,
    PersistentCertificate,
    PositionBinding,
    MateLine,
    Decisions,
]:
    """Check evidence from elsewhere, and that it is about a position if one is given.

    Evidence, position and certificate are those of ``examine``. The result holds: a
    DecompositionCertificate, CompositionCertificate, PersistentCertificate, MateLine or
    Decisions; a Certification for a binding, a proof record or an answer about one input; a
    PositionBinding where the structure or the text is of another producer. What is
    undecided or not proved comes back too, and claims nothing: ask the object. One Decision
    gives its line or its certificate.

    Raises CertificateError when it does not hold, or cannot be judged without a position,
    and MismatchError when it is about something else.
    """
def examine(
    evidence: _Evidence, position: Optional[_Position] = None, certificate: Optional[_Evidence] = None
) -> Examination:
    """Examine evidence from elsewhere: what holds, what does not, and what was not checked.

    ``evidence`` is the bytes of BMDCERT, BMDPOSCERT, BMCOMPOSE, BMPERSIST or BMMATE, their
    hexadecimal digits, a JSON document of this program (text or bytes), or an object of
    this package. ``position`` is the position or board that it is said to belong to, and
    ``certificate`` the structural certificate that it names, if another program made it.

    The examination is that of ``bitmesh verify``: evidence that does not hold gives an
    examination that says why. Raises CertificateError when it is none of the forms.
    """
def diagnose(
    position: _Position, certificate: Optional[DecompositionCertificate] = None
) -> List[Violation]:
    """Everything that the one-ply screen holds against a position; empty if it accepts.

    With a certificate, the position is screened by that one instead of its own.

    Raises PositionError when the position cannot be read.
    """

def draw(
    position: Union[
        _Position, Certification, PersistentCertificate, DecompositionCertificate, MateLine, Decisions
    ],
    *,
    layer: Optional[_Layer] = None,
    reach: Optional[_Square] = None,
    arrows: Optional[Iterable[Union[str, Tuple[_Square, _Square], _Move, _Arrow]]] = None,
    highlights: Optional[Iterable[_Square]] = None,
    title: Optional[str] = None,
    size: int = 528,
    orientation: Optional[_Color] = None,
    coordinates: bool = True,
) -> Drawing:
    """Draw a position with its regions.

    ``layer`` says whose regions: ``none``, ``structure`` (the default), ``one-ply`` (of a
    Certification: also what breaks it) or ``persistent`` (of a PersistentCertificate, and
    with ``reach``: the regions that are never left). ``reach`` marks every square where the
    piece on a square can ever stand. ``arrows`` are texts such as ``a1-b1``, pairs of
    squares, moves and arrows of python-chess; ``highlights`` are squares. ``size`` is width
    and height in pixels, 64 to 4096, 528 by default; ``orientation`` the colour below.

    Raises DrawingError for a size or a reach that is not possible.
    """

def certify_many(
    positions: _Positions,
    *,
    column: Optional[str] = None,
    source: str = "",
    threads: Optional[int] = None,
    certificates: bool = False,
) -> RecordBatch:
    """Evaluate many positions on all cores: one row of ``bitmesh scan`` for each, in their order.

    ``positions`` is a list, an iterator, or data of pyarrow, Polars, DuckDB or pandas: an
    array, a series, or a table, of which ``column`` is taken, by default ``fen``, ``epd``,
    or the only one. Items are texts, bytes and boards of python-chess. ``source`` fills the
    column of that name, ``line`` counts the positions from 1. ``threads`` is the number of
    cores by default. With ``certificates=True`` the rows have one more column,
    ``certificate``: the bytes of BMDPOSCERT, for ``verify`` and ``Certification.from_bytes``.

    ``help(bitmesh.RecordBatch)`` says what the columns mean.

    What is missing (``None``, NaN, an empty text) or is not a position is a row with an error.
    The index of pandas is not looked at, and rows do not keep it: to put a column of them
    into a frame, write ``frame["dead"] = rows.to_pandas().dead.array``.
    It takes about a microsecond for each position. Layer 3 comes from the analysis alone;
    ``prove_many`` makes and checks certificates.

    Raises BulkError when a table has no such column, a column is not text, or the rows do
    not fit one record batch (some twenty million positions).
    """
def prove_many(
    positions: _Positions,
    *,
    nodes: Optional[int] = 100_000,
    column: Optional[str] = None,
    source: str = "",
    threads: Optional[int] = None,
    certificates: bool = False,
) -> RecordBatch:
    """The same rows as ``certify_many``, with layer 3 from checked certificates.

    For each position a certificate is made and given to the checker, and only what that
    accepts is claimed. Where one witness leaves open whether a side can give mate, up to
    ``nodes`` positions are followed, by default 100,000 as in ``prove``: then a row may have
    claims that ``certify_many`` does not find. It takes about a microsecond for each
    position that is followed, so up to a tenth of a second for a row; with ``nodes=0``
    nothing is followed, and a row takes microseconds.

    With ``certificates=True`` the rows have one more column, ``certificate``: the bytes of
    BMPERSIST, for ``verify`` and ``PersistentCertificate.from_bytes``, where something is
    proved. The other arguments and the errors are those of ``certify_many``.
    """
def decide_many(
    positions: _Positions,
    *,
    effort: Optional[int] = 400_000,
    column: Optional[str] = None,
    source: str = "",
    threads: Optional[int] = None,
    evidence: bool = False,
) -> RecordBatch:
    """Decide for many positions whether each side can still give mate, over all cores.

    The rows of ``certify_many`` with four more columns, as in ``scan`` with ``decide=True``:
    ``decided_white`` and ``decided_black`` say ``winnable``, ``unwinnable`` or ``undecided``,
    which is no claim; ``mate_plies_white`` and ``mate_plies_black`` say how long the lines are
    that were found. Every position is decided for itself, as ``decide`` does it, with up to
    ``effort`` positions looked at for each side, 1,000,000 at most. Where there is no position they are missing.
    An ordinary position takes about fifty microseconds, the hardest some tenths of a second.

    With ``evidence=True`` the rows have two more columns, ``evidence_white`` and
    ``evidence_black``, for ``verify``: BMMATE for ``winnable``, BMPERSIST for
    ``unwinnable``, missing for ``undecided``. The other arguments and the errors are those
    of ``certify_many``.
    """
def audit(
    *sources: Union[_Path, _BinaryStream],
    tags: Optional[Sequence[str]] = None,
    effort: Optional[int] = 400_000,
    threads: Optional[int] = None,
    certificates: Optional[_Path] = None,
) -> List[Dict[str, Any]]:
    """Audit games as the command ``bitmesh audit`` does: one dictionary for each game.

    Each says since which ply a side could no longer give mate, how long the game went on
    after the position was dead, and a ``finding``: ``flag-fall-should-be-draw``,
    ``mate-claimed-but-not``, ``played-on-when-dead``, ``undecided`` or ``fine``. ``sources``
    are PGN files, folders and binary streams, packed or not; ``tags`` of the games are
    repeated in the rows. ``effort`` is that of ``decide``. ``certificates`` is a folder for
    evidence: of each game, lines and certificates for the last position and for those since
    which a side could not win.

    The keys: ``source``, ``game``, ``plies``; the tags ``result`` and ``termination`` as they
    are; ``ended_by``: ``time``, ``mate`` or ``other``, from a termination such as ``Time
    forfeit``, ``NAME won on time`` or ``NAME won by checkmate``, or from the comment at the
    end of the moves; ``decided_white`` and ``decided_black`` of the last position;
    ``unwinnable_white_since``, ``unwinnable_black_since`` and ``dead_since``: the first ply
    after which it was so, as far as was shown; ``plies_after_dead``; ``finding``;
    ``error_code``, ``error``; ``fen`` and ``position_digest`` of the last position; the tags.

    What cannot be read is a row with an error, and its ``finding`` is ``None``. Raises ScanError when a source cannot be
    opened.
    """
def scan(
    *sources: Union[_Path, _BinaryStream],
    format: Optional[_Format] = None,
    column: Union[str, int, None] = None,
    delimiter: Optional[str] = None,
    first_move: bool = False,
    variations: bool = False,
    only: Optional[Sequence[_Claim]] = None,
    unique: bool = False,
    threads: Optional[int] = None,
    certificates: Optional[_Path] = None,
    odds_castling: bool = False,
    nodes: int = 0,
    decide: Union[bool, int] = False,
    tags: Optional[Sequence[str]] = None,
    columns: Optional[Sequence[str]] = None,
    rest: bool = False,
    offset: bool = False,
    digests: bool = True,
) -> Scan:
    """Scan collections as the command ``bitmesh scan`` does: FEN, EPD, PGN, CSV, TSV, Parquet, packed or not.

    ``sources`` are files, folders and binary streams. ``format`` is ``fen``, ``epd``,
    ``pgn``, ``csv``, ``tsv``, ``parquet``, ``jsonl`` (JSON lines) or ``plain`` (blocks of network
    trainers), and detected by default. ``column`` names the
    column of a table or gives its number from 1; ``delimiter`` is the character between its
    cells; ``first_move`` plays the first move of the column ``Moves`` first; ``variations``
    plays those of games too; ``odds_castling`` drops castling rights without their rook.

    With ``nodes``, up to that many positions are followed where it may prove a position dead,
    as in ``prove``, which takes much longer. With ``decide=True``, or a number of positions
    to look at, each side of each position is decided, as in ``decide``: four more columns.

    ``only`` is a list of claims (``strict``, ``accepted``, ``persistent``, ``unwinnable``,
    ``dead``; with ``decide`` also ``winnable``, ``flag-draw``, ``undecided``) and keeps rows
    with at least one of them, and rows with errors; ``unique`` keeps the first row of each
    position. ``tags`` of games and ``columns`` of tables are carried along by their names,
    ``rest`` what follows a position in its line, ``offset`` where its record begins.
    ``digests=False`` leaves out the columns ``digest`` and ``position_digest``, which takes less
    time. ``certificates`` is a folder for the evidence of what is given out.

    Raises ScanError when a source cannot be opened.
    """
