"""Arguments that are wrong: a code, the name of the argument, and a message of bounded length."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any, Callable, Tuple, Type

import bitmesh
import chess
import pandas
import polars
import pyarrow
import pytest
from conftest import START, WALL

Error = Type[bitmesh.ArgumentError]
VALUE: Error = bitmesh.ArgumentError
RANGE: Error = bitmesh.ArgumentRangeError
TYPE: Error = bitmesh.ArgumentTypeError

CASES: "list[Tuple[Callable[[], Any], Error, str, str]]" = [
    (lambda: bitmesh.prove(WALL, nodes=-1), RANGE, "nodes", "argument/out-of-range"),
    (lambda: bitmesh.prove(WALL, nodes=2**32), RANGE, "nodes", "argument/out-of-range"),
    (lambda: bitmesh.prove(WALL, nodes="9"), TYPE, "nodes", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.prove(WALL, nodes=1.5), TYPE, "nodes", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.prove_many([WALL], nodes=-1), RANGE, "nodes", "argument/out-of-range"),
    (lambda: bitmesh.decide_many([WALL], effort=-1), RANGE, "effort", "argument/out-of-range"),
    (lambda: bitmesh.decide_many([WALL], evidence="yes"), TYPE, "evidence", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify_many([WALL], threads=0), RANGE, "threads", "argument/out-of-range"),
    (lambda: bitmesh.certify_many([WALL], threads=-1), RANGE, "threads", "argument/out-of-range"),
    (lambda: bitmesh.certify_many([WALL], threads=10**30), RANGE, "threads", "argument/out-of-range"),
    (lambda: bitmesh.certify_many([WALL], threads="2"), TYPE, "threads", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify_many([WALL], source=7), TYPE, "source", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify_many([WALL], source="\ud800"), VALUE, "source", "argument/lone-surrogate"),
    (lambda: bitmesh.certify_many([WALL], column="fen"), TYPE, "column", "argument/no-columns"),
    (lambda: bitmesh.certify_many(pyarrow.array([WALL]), column="fen"), TYPE, "column", "argument/no-columns"),
    (lambda: bitmesh.certify_many(WALL), TYPE, "positions", "argument/single-position"),
    (lambda: bitmesh.certify_many(chess.Board()), TYPE, "positions", "argument/single-position"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify_many(17), TYPE, "positions", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify_many(polars.col("fen")), TYPE, "positions", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.prove(WALL, nodes=True), TYPE, "nodes", "argument/type"),
    (lambda: bitmesh.certify_many([WALL], threads=True), TYPE, "threads", "argument/type"),
    (lambda: bitmesh.draw(WALL, size=True), TYPE, "size", "argument/type"),
    (lambda: bitmesh.draw(WALL, reach=True), TYPE, "reach", "argument/type"),
    (lambda: bitmesh.draw(WALL, reach=10**400), VALUE, "reach", "argument/unknown-value"),
    (lambda: bitmesh.draw(bitmesh.certify(WALL).decomposition, reach=0), VALUE, "reach", "argument/conflict"),
    (lambda: bitmesh.verify(bitmesh.certify(WALL), WALL, certificate=5), TYPE, "certificate", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.diagnose(WALL, 5), TYPE, "certificate", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.Note(1, "x"), TYPE, "code", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.PersistentCertificate.from_json(b"{}"), TYPE, "text", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.Violation.from_json("\ud800"), VALUE, "text", "argument/lone-surrogate"),
    (lambda: bitmesh.MateLine.from_json("\ud800"), VALUE, "text", "argument/lone-surrogate"),
    (lambda: bitmesh.certify_many([WALL]).column(5), TYPE, "name", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify_many([WALL]).index({}, "x"), TYPE, "start", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.CompositionCertificate("0" * 64, {1: 2}, ""), TYPE, "component_values", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.CompositionCertificate("0" * 64, [(2**70, "")], ""), RANGE, "component_values", "argument/out-of-range"),
    (lambda: bitmesh.Component(2**70, 0, 0), RANGE, "root", "argument/out-of-range"),
    (lambda: bitmesh.Component(99, 1, 1), RANGE, "root", "argument/out-of-range"),
    (lambda: bitmesh.Component(1, 1, 1), VALUE, "root", "argument/outside-mask"),
    (lambda: bitmesh.Component(0, 1, 2), VALUE, "active_mask", "argument/outside-mask"),
    (lambda: bitmesh.Mover(0, "X", 0, {}), VALUE, "piece", "argument/unknown-value"),
    (lambda: bitmesh.Mover(0, "N", 0, {"x": 1}), VALUE, "reach", "argument/unknown-value"),
    (lambda: bitmesh.Mover(0, "N", 256, {}), RANGE, "component", "argument/out-of-range"),
    (lambda: scan(column=True), TYPE, "column", "argument/type"),
    (lambda: bitmesh.scan("\ud800"), VALUE, "sources", "argument/lone-surrogate"),
    (lambda: bitmesh.scan(closed()), VALUE, "sources", "argument/closed-stream"),
    (lambda: bitmesh.certify_many([WALL], certificates="yes"), TYPE, "certificates", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.certify(17), TYPE, "position", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.verify(17), TYPE, "evidence", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.Certification.from_bytes("BMDPOSCERT"), TYPE, "payload", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.Component(1, -1, 0), RANGE, "mask", "argument/out-of-range"),
    (lambda: bitmesh.Component(1, 0, "a1"), TYPE, "active_mask", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.prove(WALL).reach("i9"), VALUE, "square", "argument/unknown-value"),
    (lambda: bitmesh.prove(WALL).reach(64), VALUE, "square", "argument/unknown-value"),
    (lambda: bitmesh.prove(WALL).reach(None), TYPE, "square", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.prove(WALL).unwinnable("w"), VALUE, "color", "argument/unknown-value"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL, layer="one"), VALUE, "layer", "argument/unknown-value"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL, layer=1), TYPE, "layer", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL, size=-1), RANGE, "size", "argument/out-of-range"),
    (lambda: bitmesh.draw(WALL, arrows=["a1"]), VALUE, "arrows", "argument/unknown-value"),
    (lambda: bitmesh.draw(WALL, arrows=[7]), TYPE, "arrows", "argument/type"),  # type: ignore[list-item]
    (lambda: bitmesh.draw(WALL, arrows=7), TYPE, "arrows", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL, highlights=[64]), VALUE, "highlights", "argument/unknown-value"),
    (lambda: bitmesh.draw(WALL, orientation="up"), VALUE, "orientation", "argument/unknown-value"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL, title=b"x"), TYPE, "title", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL, coordinates="no"), TYPE, "coordinates", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.draw(WALL).text(unicode=2), TYPE, "unicode", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.scan(), TYPE, "sources", "argument/missing"),
    (lambda: bitmesh.scan(7), TYPE, "sources", "argument/type"),  # type: ignore[arg-type]
    (lambda: bitmesh.scan(io.StringIO(WALL)), TYPE, "sources", "argument/text-stream"),  # type: ignore[arg-type]
    (lambda: scan(only="dead"), TYPE, "only", "argument/single-text"),
    (lambda: scan(only=["won"]), VALUE, "only", "argument/unknown-value"),
    (lambda: scan(only=[7]), TYPE, "only", "argument/type"),
    (lambda: scan(only=7), TYPE, "only", "argument/type"),
    (lambda: scan(delimiter="tab"), VALUE, "delimiter", "argument/delimiter"),
    (lambda: scan(delimiter=""), VALUE, "delimiter", "argument/delimiter"),
    (lambda: scan(delimiter='"'), VALUE, "delimiter", "argument/delimiter"),
    (lambda: scan(delimiter="→"), VALUE, "delimiter", "argument/delimiter"),
    (lambda: scan(delimiter=9), TYPE, "delimiter", "argument/type"),
    (lambda: scan(format="docx"), VALUE, "format", "argument/unknown-value"),
    (lambda: scan(column=0), RANGE, "column", "argument/out-of-range"),
    (lambda: scan(column=-1), RANGE, "column", "argument/out-of-range"),
    (lambda: scan(column=1.5), TYPE, "column", "argument/type"),
    (lambda: scan(unique="yes"), TYPE, "unique", "argument/type"),
    (lambda: scan(certificates=7), TYPE, "certificates", "argument/type"),
    (lambda: scan().write_csv(7), TYPE, "path", "argument/type"),  # type: ignore[arg-type]
    (lambda: scan().write_csv("x.csv", resume=True, restart=True), VALUE, "restart", "argument/conflict"),
]


def closed() -> io.BytesIO:
    stream = io.BytesIO()
    stream.close()
    return stream


def scan(**options: Any) -> bitmesh.Scan:
    return bitmesh.scan(io.BytesIO(b""), **options)


@pytest.mark.parametrize(("call", "kind", "argument", "code"), CASES)
def test_a_wrong_argument(call: Callable[[], Any], kind: Error, argument: str, code: str) -> None:
    with pytest.raises(bitmesh.ArgumentError) as raised:
        call()
    error = raised.value
    assert type(error) is kind
    assert (error.argument, error.code) == (argument, code)
    assert str(error).startswith(f"{argument}: ")
    # As Python's own functions do.
    assert isinstance(error, {VALUE: ValueError, RANGE: OverflowError, TYPE: TypeError}[kind])
    kept = pickle.loads(pickle.dumps(error))
    assert (type(kept), str(kept), kept.code, kept.argument) == (kind, str(error), code, argument)


def test_an_argument_that_is_right_after_all() -> None:
    rows = bitmesh.certify_many([WALL, START])
    assert rows.index(rows[1], -(10**400), 10**400) == 1
    assert bitmesh.prove(WALL, nodes=None) == bitmesh.prove(WALL)
    assert scan(delimiter="\t", only=("dead",), column=3, format="csv").read_all().num_rows == 0
    assert bitmesh.prove(WALL).unwinnable(chess.WHITE) and bitmesh.prove(WALL).unwinnable("black")


def test_what_is_wrong_with_data_names_no_argument() -> None:
    with pytest.raises(bitmesh.BitmeshError) as raised:
        bitmesh.certify("x")
    assert raised.value.argument is None
    with pytest.raises(bitmesh.BitmeshError) as raised:
        bitmesh.verify(b"x")
    assert raised.value.argument is None


def test_an_error_about_a_column_names_the_argument() -> None:
    frame = pandas.DataFrame({"a": [1.5], "b": ["x"]})
    for column, argument in (("missing", "column"), ("a", "column"), (None, "column")):
        with pytest.raises(bitmesh.BulkError) as raised:
            bitmesh.certify_many(frame, column=column)
        assert raised.value.argument == argument
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.certify_many(frame, column="x" * 5000)
    assert str(raised.value).endswith("…; the columns are: a, b")
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.certify_many(polars.Series([1]))
    assert str(raised.value) == "the column holds Int64, not text"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bitmesh.verify("0" * 10**6), "the evidence is neither a certificate of this program nor a JSON document"),
        (lambda: bitmesh.verify("{}"), "the evidence is a JSON document without a schema"),
        (lambda: bitmesh.verify(""), "the evidence is empty"),
        (lambda: bitmesh.Violation.from_json("{}"), "not a violation: it has no code"),
        (
            lambda: bitmesh.DecompositionCertificate.from_bytes(bitmesh.prove(WALL).to_bytes()),
            "this is another kind of evidence: BMPERSIST v1",
        ),
        (
            lambda: bitmesh.MateLine.from_bytes(bitmesh.prove(WALL).to_bytes()),
            "this is another kind of evidence: BMPERSIST v1",
        ),
    ],
)
def test_what_evidence_is_not_is_said_in_a_sentence(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(bitmesh.CertificateError) as raised:
        call()
    assert str(raised.value).startswith(message)


LONG = "\x1b[31m\u202e" + "x" * 5_000_000


@pytest.mark.parametrize(
    "call",
    [
        lambda: bitmesh.verify('{"schema": "' + LONG.replace("\x1b", "\\u001b") + '"}'),
        lambda: bitmesh.verify(LONG),
        lambda: bitmesh.Violation.from_json('{"code": "' + LONG.replace("\x1b", "\\u001b") + '"}'),
        lambda: bitmesh.certify(LONG),
        lambda: bitmesh.certify(f"8/8/8/8/8/8/8/8 w - {LONG} 0 1"),
        lambda: bitmesh.certify_many(pyarrow.table({LONG: ["x"], "other": ["y"]})),
        lambda: bitmesh.certify_many(pyarrow.table({"fen": ["x"]}), column=LONG),
        lambda: bitmesh.certify_many([WALL]).column(LONG),
        lambda: bitmesh.draw(WALL, layer=LONG),  # type: ignore[arg-type]
        lambda: bitmesh.draw(WALL, arrows=[LONG]),
        lambda: bitmesh.prove(WALL).reach(LONG),
        lambda: scan(format=LONG),
        lambda: scan(only=[LONG]),
        lambda: scan(only=LONG),
        lambda: scan(delimiter=LONG),
        lambda: bitmesh.CompositionCertificate(LONG, [], ""),
        lambda: bitmesh.scan(Path(LONG.replace("\0", ""))),
    ],
)
def test_messages_are_short_and_command_no_terminal(call: Callable[[], Any]) -> None:
    with pytest.raises((bitmesh.BitmeshError, KeyError)) as raised:
        call()
    message = str(raised.value)
    assert len(message) < 2000
    assert message.isprintable(), message[:200]


def test_a_short_message_is_whole() -> None:
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.certify_many(pyarrow.table({"a": ["x"], "b": ["y"]}))
    assert str(raised.value) == "no column fen; the columns are: a, b"
    names = [f"column_{number}" for number in range(200)]
    with pytest.raises(bitmesh.BulkError) as raised:
        bitmesh.certify_many(pyarrow.table({name: ["x"] for name in names}))
    # The beginning and the end.
    assert "column_0, column_1" in str(raised.value) and str(raised.value).endswith("column_199")
    assert " … " in str(raised.value)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("turn", 1, "position/board-turn"),
        ("turn", None, "position/board-turn"),
        ("turn", "white", "position/board-turn"),
        ("ep_square", 64, "position/en-passant-square"),
        ("ep_square", -1, "position/en-passant-square"),
        ("ep_square", "a3", "position/en-passant-square"),
        ("castling_rights", -1, "position/castling-rights"),
        ("castling_rights", "KQkq", "position/castling-rights"),
        ("pawns", -1, "position/inconsistent-bitboards"),
        ("pawns", None, "position/inconsistent-bitboards"),
        ("pawns", 0, "position/inconsistent-bitboards"),
        ("occupied_co", [0], "position/inconsistent-bitboards"),
        ("occupied_co", None, "position/inconsistent-bitboards"),
    ],
)
def test_a_board_with_a_field_of_no_use(field: str, value: Any, code: str) -> None:
    board = chess.Board(START)
    setattr(board, field, value)
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.certify(board)
    assert raised.value.code == code
    rows = bitmesh.certify_many([chess.Board(), board, WALL])
    assert rows.column("error_code") == [None, code, None]
    assert rows.column("error")[1] == str(raised.value)
    assert rows.column("line") == [1, 2, 3]


def test_a_board_that_lost_its_rook() -> None:
    board = chess.Board()
    board.remove_piece_at(chess.H1)
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.prove(board)
    assert raised.value.code == "position/castling-without-rook"
    assert "clean_castling_rights()" in str(raised.value)
    board.castling_rights = board.clean_castling_rights()
    assert bitmesh.read(board).fen.split()[2] == "Qkq"
    # In a text nobody has that method.
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.certify("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1")
    assert "clean_castling_rights" not in str(raised.value)


LONE = "\ud800"


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("arrows", lambda: bitmesh.draw(WALL, arrows=[LONE])),
        ("highlights", lambda: bitmesh.draw(WALL, highlights=[LONE])),
        ("reach", lambda: bitmesh.draw(WALL, reach=LONE)),
        ("only", lambda: bitmesh.scan(__file__, only=[LONE])),  # type: ignore[list-item]
        ("column", lambda: bitmesh.scan(__file__, column=LONE)),
        ("tags", lambda: bitmesh.scan(__file__, tags=[LONE])),
        ("path", lambda: bitmesh.scan(__file__).write_csv(LONE)),
    ],
)
def test_a_lone_surrogate_is_named(argument: str, call: Callable[[], object]) -> None:
    with pytest.raises(bitmesh.ArgumentError) as raised:
        call()
    assert (raised.value.code, raised.value.argument) == ("argument/lone-surrogate", argument)
