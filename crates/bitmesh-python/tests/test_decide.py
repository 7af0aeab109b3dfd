"""Whether a side can still give mate: a line, a certificate, or no claim."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import List, Tuple

import bitmesh
import chess
import pandas
import polars
import pyarrow
import pytest
from conftest import START, WALL, positions_of_games

LONE_KING = "8/8/8/8/8/7q/8/K6k b - - 0 1"
MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"


def mates(line: bitmesh.MateLine) -> bool:
    """Whether python-chess finds that the line is legal and ends in mate by its winner."""
    board = chess.Board(line.fen)
    for text in line.moves:
        move = chess.Move.from_uci(text)
        if move not in board.legal_moves:
            return False
        board.push(move)
    return board.is_checkmate() and board.turn != line.winner


def test_both_sides_of_the_initial_position() -> None:
    decisions = bitmesh.decide(chess.Board())
    assert decisions.fen == START
    for decision, color in ((decisions.white, chess.WHITE), (decisions.black, chess.BLACK)):
        assert decision is not None and decision.verdict == "winnable"
        line = decision.line
        assert line is not None and mates(line) and line.winner == color
        assert decision.plies == line.plies == len(line) == len(line.moves) > 0
        assert decision.certificate is None
        assert bitmesh.verify(decision.to_bytes() or b"", START) == line
    assert decisions.dead is False
    assert decisions.flag_draw("white") is False and decisions.flag_draw(chess.BLACK) is False


def test_a_side_that_never_mates() -> None:
    decisions = bitmesh.decide(LONE_KING)
    white, black = decisions.white, decisions.black
    assert white is not None and black is not None
    assert (white.verdict, black.verdict) == ("unwinnable", "winnable")
    assert white.line is None and white.plies is None
    certificate = white.certificate
    assert certificate is not None and certificate.unwinnable(chess.WHITE)
    assert bitmesh.verify(white.to_bytes() or b"", LONE_KING) == certificate
    # Black's flag falls: the other side has a king alone.
    assert decisions.flag_draw(chess.BLACK) is True and decisions.flag_draw(chess.WHITE) is False
    assert decisions.dead is False
    assert bitmesh.decide(WALL).dead is True


def test_one_side_alone() -> None:
    decisions = bitmesh.decide(LONE_KING, "white")
    assert decisions.black is None and decisions.white is not None
    assert decisions.flag_draw("black") is True and decisions.flag_draw("white") is None
    assert decisions.dead is None
    for side in json.loads(decisions.to_json())["decisions"]:
        assert (side["for"], side["verdict"]) == ("white", "unwinnable")


def test_undecided_is_no_claim_and_no_truth_value() -> None:
    decisions = bitmesh.decide(START, effort=0)
    assert decisions.white is not None and decisions.white.verdict == "undecided"
    assert decisions.white.to_bytes() is None
    assert decisions.white.line is None and decisions.white.certificate is None
    assert decisions.dead is decisions.flag_draw("white") is None
    assert decisions.effort == 0
    for value in (decisions, decisions.white, bitmesh.decide(WALL), bitmesh.decide(WALL).white):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(value)
    assert bitmesh.decide(START).effort == 400_000


def test_the_whole_answer_is_verified() -> None:
    answer = bitmesh.decide(LONE_KING).to_json()
    read = bitmesh.verify(answer, LONE_KING)
    assert isinstance(read, bitmesh.Decisions) and read.to_json() == answer
    assert bitmesh.examine(answer).outcome == "verified"
    with pytest.raises(bitmesh.MismatchError) as error:
        bitmesh.verify(answer, START)
    assert error.value.code == "verify/other-position"
    lie = json.loads(answer)
    lie["decisions"][0]["for"] = "black"
    with pytest.raises(bitmesh.CertificateError) as refused:
        bitmesh.verify(json.dumps(lie))
    assert refused.value.code == "verify/malformed-document"


def test_an_answer_that_claims_nothing_does_not_count_as_verified() -> None:
    undecided = bitmesh.decide(START, effort=0).to_json()
    for evidence in (undecided, bitmesh.prove(START, nodes=0).to_bytes()):
        examination = bitmesh.examine(evidence)
        assert examination.outcome == "nothing-claimed" and examination.refusal is None
        assert not examination
    assert any("not a no" in gap for gap in bitmesh.examine(undecided).not_checked)
    read = bitmesh.verify(undecided)
    assert isinstance(read, bitmesh.Decisions) and read.dead is None


DECISION_COLUMNS = ["decided_white", "decided_black", "mate_plies_white", "mate_plies_black"]
MANY = [START, WALL, LONE_KING, MATED, STALEMATE, "no position", "7k/8/8/8/8/8/8/K7", *positions_of_games(60, seed=4)]


@pytest.mark.parametrize("effort", [0, 2000, 400_000])
@pytest.mark.parametrize("threads", [1, 3])
def test_many_are_decided_as_one(effort: int, threads: int) -> None:
    rows = bitmesh.decide_many(MANY, effort=effort, threads=threads, evidence=True, source="here")
    assert rows.column_names == [*bitmesh.COLUMNS, *DECISION_COLUMNS, "evidence_white", "evidence_black"]
    told = [{name: row[name] for name in bitmesh.COLUMNS} for row in rows]
    assert told == bitmesh.certify_many(MANY, source="here").to_pylist()
    for fen, row in zip(MANY, rows):
        if fen in ("no position", "7k/8/8/8/8/8/8/K7"):
            assert all(row[name] is None for name in rows.column_names[20:])
            continue
        decisions = bitmesh.decide(fen, effort=effort)
        for name, decision in (("white", decisions.white), ("black", decisions.black)):
            assert decision is not None
            assert row[f"decided_{name}"] == decision.verdict
            assert row[f"mate_plies_{name}"] == decision.plies
            assert row[f"evidence_{name}"] == decision.to_bytes()
            if decision.verdict != "undecided":
                assert bitmesh.verify(row[f"evidence_{name}"], fen) is not None
    without = bitmesh.decide_many(MANY, effort=effort, threads=threads, source="here")
    assert without.column_names == rows.column_names[:24]
    assert [list(row.values())[:24] for row in rows] == [list(row.values()) for row in without]


def test_decisions_of_a_table_are_those_of_a_scan(tmp_path: Path) -> None:
    (tmp_path / "many.csv").write_text("fen\n" + "\n".join(MANY[:5]) + "\n")
    scanned = bitmesh.scan(tmp_path / "many.csv", decide=True).read_all()
    table = pyarrow.table({"id": range(5), "fen": MANY[:5]})
    for positions in (table, pandas.DataFrame({"fen": MANY[:5]}), polars.DataFrame({"fen": MANY[:5]}), iter(MANY[:5])):
        rows = bitmesh.decide_many(positions)
        assert rows.column_names == scanned.column_names
        for name in ("fen", "dead", *DECISION_COLUMNS):
            assert rows.column(name) == scanned.column(name)
    frame = rows.to_pandas()
    assert list(frame[frame.decided_white == "unwinnable"]["line"]) == [2, 3, 5]
    assert str(frame.mate_plies_black.dtype) == "Int64"
    assert pickle.loads(pickle.dumps(rows)) == rows


def test_games_that_are_over() -> None:
    mated = bitmesh.decide(MATED)
    assert mated.white is not None and mated.black is not None
    line = mated.white.line
    assert line is not None and (line.plies, line.moves, line.san, bool(line)) == (0, (), "", True)
    assert mates(line) and mated.black.verdict == "unwinnable"
    stalemate = bitmesh.decide(STALEMATE)
    assert stalemate.dead is True


def test_lines_of_many_positions_replay() -> None:
    for fen in positions_of_games(60, seed=8):
        decisions = bitmesh.decide(fen, effort=2000)
        for decision in (decisions.white, decisions.black):
            assert decision is not None
            if decision.line is not None:
                assert mates(decision.line)


def test_lines_are_kept_and_read() -> None:
    decision = bitmesh.decide(LONE_KING).black
    assert decision is not None
    line = decision.line
    assert line is not None
    assert bitmesh.MateLine.from_bytes(memoryview(line.to_bytes())) == line
    assert bitmesh.MateLine.from_json(line.to_json()) == line
    assert bitmesh.verify(line.to_json(), LONE_KING) == bitmesh.verify(line.to_bytes().hex()) == line
    assert pickle.loads(pickle.dumps(line)) == copy.deepcopy(line) == line
    assert hash(pickle.loads(pickle.dumps(line))) == hash(line)
    assert str(line) == line.san and line.san.endswith("#") and line.san.startswith("1... ")
    assert json.loads(line.to_json())["digest"] == line.digest
    assert "Black can give mate" in line._repr_html_()
    assert "black winnable" in bitmesh.decide(LONE_KING)._repr_html_()
    mate_in_one = bitmesh.decide("7k/Q7/6K1/8/8/8/8/8 w - - 0 1").white
    assert repr(mate_in_one) == "<Decision winnable: a line of 1 ply>"
    assert repr(bitmesh.decide(LONE_KING)) == f"<Decisions white unwinnable, black winnable: {LONE_KING!r}>".replace(
        "'", '"'
    )
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(line, START)
    assert raised.value.code == "verify/other-position"


def test_a_forged_line_becomes_no_object() -> None:
    decision = bitmesh.decide(START).white
    assert decision is not None and decision.line is not None
    data = decision.line.to_bytes()
    attacks: List[Tuple[str, bytes]] = [
        ("no mate at the end", data[:75] + (decision.line.plies - 1).to_bytes(2, "little") + data[77:-2]),
        ("a move that is not legal", data[:77] + b"\0\0" + data[79:]),
        ("the other winner", data[:74] + b"\1" + data[75:]),
        ("bytes after it", data + b"\0"),
        ("a piece cut off", data[:-1]),
    ]
    for name, attack in attacks:
        for call in (bitmesh.MateLine.from_bytes, bitmesh.verify):
            with pytest.raises(bitmesh.CertificateError):
                call(attack)
        assert bitmesh.examine(attack).outcome == "refused", name
    assert bitmesh.verify(data) == decision.line


GAMES = """[Event "on time against a king alone"]
[Result "1-0"]
[Termination "Time forfeit"]
[Site "here"]
[SetUp "1"]
[FEN "8/8/8/8/8/7q/8/K6k b - - 0 1"]

1... Kg2 1-0

[Event "a mate"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "what is not legal"]
[Result "*"]

1. e5 *
"""


def test_an_audit_of_games(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    rows = bitmesh.audit(tmp_path / "games.pgn", tags=["Site"])
    assert [row["game"] for row in rows] == [1, 2, 3]
    assert rows[0]["finding"] == "flag-fall-should-be-draw" and rows[0]["ended_by"] == "time"
    assert (rows[0]["decided_white"], rows[0]["unwinnable_white_since"]) == ("unwinnable", 0)
    assert rows[0]["Site"] == "here" and rows[1]["Site"] is None
    assert (rows[1]["finding"], rows[1]["decided_black"]) == ("fine", "winnable")
    assert rows[2]["error_code"] is not None
    with (tmp_path / "games.pgn").open("rb") as stream:
        again = bitmesh.audit(stream, tags=["Site"], threads=1, effort=2000)
    assert [row["finding"] for row in again] == [row["finding"] for row in rows]
    names = ["Result", "Termination", "White"]
    for row in bitmesh.audit(tmp_path / "games.pgn", tags=names):
        assert (row["Result"], row["Termination"]) == (row["result"], row["termination"])
        assert list(row)[-3:] == names
    for twice in ("Result", "White"):
        with pytest.raises(bitmesh.ArgumentError) as raised:
            bitmesh.audit(tmp_path / "games.pgn", tags=[twice, twice])
        assert raised.value.code == "argument/repeated-column"
    with pytest.raises(bitmesh.ArgumentError) as raised:
        bitmesh.audit(tmp_path / "games.pgn", tags=["finding"])
    assert (raised.value.code, raised.value.argument) == ("argument/repeated-column", "tags")
    with pytest.raises(bitmesh.ScanError):
        bitmesh.audit(tmp_path / "missing.pgn")


def test_what_cannot_be_decided() -> None:
    with pytest.raises(bitmesh.PositionError):
        bitmesh.decide("8/8/8/8/8/8/8/8")
    with pytest.raises(bitmesh.ArgumentRangeError) as raised:
        bitmesh.decide(START, effort=-1)
    assert raised.value.argument == "effort"
    with pytest.raises(bitmesh.ArgumentError) as wrong:
        bitmesh.decide(START, "w")  # type: ignore[arg-type]
    assert wrong.value.argument == "color"


@pytest.mark.parametrize("effort", [0, 400_000])
def test_decisions_are_kept_and_compared(effort: int) -> None:
    queen = "8/8/8/8/8/1q6/8/K6k b - - 0 1"
    for fen in (queen, chess.STARTING_FEN):
        decisions = bitmesh.decide(fen, effort=effort)
        assert decisions == bitmesh.decide(fen, effort=effort)
        assert hash(decisions) == hash(bitmesh.decide(fen, effort=effort))
        assert decisions != bitmesh.decide(fen, chess.WHITE, effort=effort)
        assert decisions != bitmesh.decide(fen, effort=effort + 1)
        for kept in (pickle.loads(pickle.dumps(decisions)), copy.copy(decisions), copy.deepcopy(decisions)):
            assert kept == decisions and kept.to_json() == decisions.to_json()
        for decision in (decisions.white, decisions.black):
            assert decision is not None
            for kept_one in (pickle.loads(pickle.dumps(decision)), copy.copy(decision)):
                assert kept_one == decision and hash(kept_one) == hash(decision)
                assert repr(kept_one) == repr(decision)
    assert bitmesh.decide(queen).white != bitmesh.decide(queen).black


def test_decisions_are_evidence() -> None:
    decisions = bitmesh.decide("8/8/8/8/8/1q6/8/K6k b - - 0 1")
    assert bitmesh.verify(decisions, decisions.fen) == decisions
    assert bitmesh.examine(decisions).outcome == "verified"
    for decision in (decisions.white, decisions.black):
        assert decision is not None
        assert bitmesh.examine(decision, decisions.fen)
        assert bitmesh.verify(decision) == (decision.line or decision.certificate)
    with pytest.raises(bitmesh.MismatchError):
        bitmesh.verify(decisions.black, chess.STARTING_FEN)  # type: ignore[arg-type]
    undecided = bitmesh.decide("8/8/8/8/8/1q6/8/K6k b - - 0 1", effort=0).black
    assert undecided is not None and undecided.verdict == "undecided"
    with pytest.raises(bitmesh.CertificateError) as raised:
        bitmesh.verify(undecided)
    assert raised.value.code == "verify/undecided"


def test_what_can_be_drawn() -> None:
    decisions = bitmesh.decide("8/8/8/8/8/1q6/8/K6k b - - 0 1")
    assert decisions.black is not None and decisions.black.line is not None
    structure = bitmesh.certify("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1").decomposition
    for thing in (decisions, decisions.black.line, structure):
        assert bitmesh.draw(thing).svg().startswith("<svg")
