"""Certificates as objects: what they say, how they are kept, and that they cannot be changed."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import threading
import urllib.parse
import warnings
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from typing import Any, Dict, List, Tuple

import bitmesh
import chess
import chess.svg
import pytest
from conftest import BROKEN, START, WALL, WALL_AFTER_A4, lines_of_cases

EVIDENCE = [
    bitmesh.certify(WALL),
    bitmesh.certify(WALL_AFTER_A4),
    bitmesh.certify(START),
    bitmesh.certify("7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7"),
    bitmesh.certify(WALL).decomposition,
    bitmesh.certify(WALL).decomposition.components[1],
    bitmesh.certify(WALL_AFTER_A4).violations[0],
    bitmesh.read("8/8/8/8/8/8/8/8 w - - 0 1").not_a_position[0],
    bitmesh.read(WALL),
    bitmesh.read(" 8/8/8/8/8/8/8/8 w - - 0 1"),
    bitmesh.read(chess.Board()),
    bitmesh.draw(WALL),
    bitmesh.draw(WALL, reach="a1", orientation="black", size=100, coordinates=False),
    bitmesh.draw(WALL_AFTER_A4, layer="one-ply", arrows=["a1-b1"], highlights=["e4"], title="<A title>"),
    bitmesh.prove(WALL),
    bitmesh.prove(START, nodes=0),
    bitmesh.prove("k1K5/P7/8/8/8/8/8/8 b - - 0 1"),
    bitmesh.prove(WALL).movers[0],
    bitmesh.prove(START).movers[12],
    bitmesh.PositionBinding.from_bytes(bitmesh.certify(WALL).to_bytes()),
    bitmesh.CompositionCertificate(bitmesh.certify(WALL).decomposition.digest, [(9, "a"), (63, "b")], "c"),
]


@pytest.mark.parametrize("evidence", EVIDENCE, ids=lambda evidence: type(evidence).__name__)
def test_every_object_can_be_kept(evidence: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        kept = pickle.loads(pickle.dumps(evidence, protocol))
        assert kept == evidence
        assert hash(kept) == hash(evidence)
        assert type(kept) is type(evidence)
    assert copy.deepcopy(evidence) == evidence
    assert len({evidence, copy.copy(evidence)}) == 1
    assert evidence != "something else"
    with pytest.raises(AttributeError):
        evidence.position = "changed"
    with pytest.raises(AttributeError):
        evidence.root = 1
    assert type(evidence).__module__ == "bitmesh"


def test_different_objects_differ() -> None:
    for index, evidence in enumerate(EVIDENCE):
        assert [other == evidence for other in EVIDENCE].count(True) == 1, evidence
        assert EVIDENCE[index] in EVIDENCE


def test_certification() -> None:
    certification = bitmesh.certify(WALL)
    assert (certification.verdict, certification.accepted, certification.strict) == ("accepted", True, True)
    assert certification.fen == WALL
    assert certification.context == "bitmesh:fen:v1"
    assert certification.claim == "bitmesh:position_independence:v1"
    assert certification.one_ply == "accepted"
    assert certification.violations == ()
    assert certification.decomposition.barrier == chess.SquareSet(
        chess.BB_RANK_4 | 0x55 << 32 | 0xAA << 16
    )
    assert isinstance(certification.decomposition.barrier, chess.SquareSet)
    proof = json.loads(certification.proof_json() or "null")
    assert proof["schema"] == "bitmesh.position_independence.v1"
    assert proof["position_digest"] == certification.position_digest
    assert bitmesh.verify(certification.proof_json() or "") == certification
    assert bitmesh.Certification.from_bytes(certification.to_bytes()) == certification
    assert bitmesh.Certification.from_json(certification.to_json()) == certification
    assert repr(certification) == f'<Certification accepted: "{WALL}">'


def test_en_passant_breaks_the_wall() -> None:
    certification = bitmesh.certify(WALL_AFTER_A4)
    assert (certification.verdict, certification.strict) == ("refused", True)
    first = certification.violations[0]
    assert first.code == "position-independence/barrier-pawn-can-capture-en-passant"
    assert first.fields == {"square": "b4", "target": "a3", "captured_square": "a4"}
    assert str(first) == "barrier pawn on b4 can capture en passant on a3"
    assert certification.proof_json() is None
    assert bitmesh.diagnose(WALL_AFTER_A4) == list(certification.violations)


def test_every_wall_that_en_passant_breaks_is_refused() -> None:
    walls = [line.split("\t")[1] for line in _lines("wall_en_passant.tsv")]
    assert len(walls) > 200
    for fen in walls:
        assert bitmesh.certify(fen).verdict == "refused", fen
        assert bitmesh.certify(fen.split(" ")[0]).verdict == "accepted", fen


def _lines(name: str) -> List[str]:
    return lines_of_cases(name)[1:]


def test_persistent_certificate() -> None:
    certificate = bitmesh.prove(WALL)
    assert certificate.dead and certificate.unwinnable_white and certificate.unwinnable_black
    assert certificate.decomposed and certificate.exact_sum and certificate.coupling_kind == "exact_sum"
    assert certificate.persistent_components == 2
    assert certificate.frozen == bitmesh.certify(WALL).decomposition.barrier
    white, black = certificate.movers
    assert (white.piece, white.square, white.component) == ("K", chess.A1, 0)
    assert (black.piece, black.square, black.component) == ("k", chess.H8, 1)
    assert white.squares == certificate.reach("a1") == white.reach["king"]
    assert not white.squares & black.squares
    assert certificate.reach(chess.A4) == chess.SquareSet([chess.A4])
    with pytest.raises(KeyError):
        certificate.reach("c8")
    with pytest.raises(ValueError):
        certificate.reach("i9")
    assert json.loads(certificate.to_json())["digest"] == certificate.digest
    assert bitmesh.PersistentCertificate.from_bytes(certificate.to_bytes()) == certificate
    assert bitmesh.PersistentCertificate.from_json(certificate.to_json()) == certificate
    assert bitmesh.verify(certificate.to_json(), WALL) == certificate
    assert repr(certificate).startswith("<PersistentCertificate dead, 2 components")


def test_old_names_are_kept_with_a_warning() -> None:
    certification, certificate, reading = bitmesh.certify(WALL), bitmesh.prove(WALL), bitmesh.read(WALL)
    for value, old, new in [
        (certification, "position", certification.fen),
        (certification, "digest", certification.position_digest),
        (certificate, "position", certificate.fen),
        (certificate, "components", certificate.persistent_components),
        (certificate, "coupling", "exact-sum"),
        (reading, "position", reading.fen),
        (bitmesh.prove(START, nodes=0), "coupling", None),
    ]:
        with pytest.warns(DeprecationWarning, match=f"{type(value).__name__}.{old} is now called") as caught:
            assert getattr(value, old) == new
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What is shown uses none of them.
        for value in (certification, certificate, reading, certification.decomposition):
            repr(value)
            pickle.loads(pickle.dumps(value))
        with pytest.raises(DeprecationWarning):
            certification.position  # noqa: B018


def test_a_certificate_is_true_when_something_is_proved() -> None:
    assert bitmesh.prove(WALL) and bitmesh.certify(WALL) and bitmesh.certify(WALL).decomposition
    assert not bitmesh.prove(START, nodes=0) and not bitmesh.prove(START)
    assert not bitmesh.certify(START) and not bitmesh.certify(START).decomposition
    # One side alone is something; so is a division alone.
    lone_king = bitmesh.prove("8/8/8/8/8/1q6/8/K6k b - - 0 1")
    assert lone_king.unwinnable_white and not lone_king.dead and lone_king
    refused = bitmesh.certify(WALL_AFTER_A4)
    assert not refused and refused.decomposition
    # What is not a position raises and is not false.
    with pytest.raises(bitmesh.PositionError):
        bool(bitmesh.prove("8/8/8/8/8/8/8/8"))


def test_unwinnable_by_colour() -> None:
    certificate = bitmesh.prove("8/8/8/8/8/1q6/8/K6k b - - 0 1")
    names: List[Tuple[Any, Any]] = [(chess.WHITE, chess.BLACK), ("white", "black")]
    for white, black in names:
        assert certificate.unwinnable(white) and not certificate.unwinnable(black)
    others: List[Any] = ["White", 1, None]
    for wrong in others:
        with pytest.raises(bitmesh.ArgumentError) as raised:
            certificate.unwinnable(wrong)
        assert raised.value.argument == "color"


def test_nothing_is_proved_about_the_initial_position() -> None:
    certificate = bitmesh.prove(START)
    assert not (certificate.dead or certificate.decomposed or certificate.exact_sum)
    assert not (certificate.unwinnable_white or certificate.unwinnable_black)
    assert certificate.coupling_kind is None
    assert set(certificate.movers[8].reach) == {"pawn", "knight", "bishop", "rook", "queen"}


def test_an_expansion() -> None:
    forced = "k1K5/P7/8/8/8/8/8/8 b - - 0 1"
    witness, expansion = bitmesh.prove(forced, nodes=0), bitmesh.prove(forced)
    assert (witness.dead, witness.expanded_positions) == (False, None)
    assert expansion.dead and expansion.expanded_positions
    assert bitmesh.prove(forced, nodes=50) == expansion
    assert bitmesh.verify(expansion.to_bytes(), forced) == expansion
    assert bitmesh.verify(expansion.to_json(), forced) == expansion
    assert bitmesh.prove(WALL, nodes=0) == bitmesh.prove(WALL)
    for nodes in (-1, 2**32):
        with pytest.raises(OverflowError):
            bitmesh.prove(forced, nodes=nodes)


def test_no_claim_where_a_mate_is_possible() -> None:
    lines = [line.split("\t") for line in _lines("mate_possible.tsv")]
    # The rules of shakmaty for positions are narrower than those of the collection.
    lines = [line for line in lines if bitmesh.read(line[0]).is_position]
    assert len(lines) > 20
    for fen, side in lines:
        certificate = bitmesh.prove(fen)
        assert not (certificate.unwinnable_white if side == "white" else certificate.unwinnable_black), fen
        assert not certificate.dead


def test_a_forged_certificate_becomes_no_object() -> None:
    payload = bytearray(bitmesh.prove(START, nodes=0).to_bytes())
    honest = bytes(payload)
    # The verdict stands behind the position: magic, version, seven bitboards, turn, castling, en passant.
    place = 10 + 1 + 7 * 8 + 1 + 8 + 1
    assert payload[place] == 0
    payload[place] = 3
    for read in (bitmesh.PersistentCertificate.from_bytes, bitmesh.verify):
        with pytest.raises(bitmesh.CertificateError) as raised:
            read(bytes(payload))
        assert raised.value.code.startswith("persistent/")
    assert bitmesh.verify(honest) == bitmesh.prove(START, nodes=0)
    document = json.loads(bitmesh.prove(START).to_json())
    document["claims"].update(dead=True, unwinnable=["white", "black"])
    with pytest.raises(bitmesh.CertificateError):
        bitmesh.verify(json.dumps(document))


def test_evidence_is_verified_against_a_position() -> None:
    certification, persistent = bitmesh.certify(WALL), bitmesh.prove(WALL)
    decomposition = certification.decomposition
    for evidence in (certification, persistent, decomposition):
        assert bitmesh.verify(evidence.to_bytes(), WALL) == evidence
        assert bitmesh.verify(evidence, chess.Board(WALL)) == evidence
    # The structure is the same, the position is not.
    assert bitmesh.verify(decomposition, WALL_AFTER_A4) == decomposition
    for evidence in (certification, persistent):
        with pytest.raises(bitmesh.MismatchError) as raised:
            bitmesh.verify(evidence, WALL_AFTER_A4)
        assert raised.value.code == "verify/other-position"
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(decomposition, START)
    assert raised.value.code == "comparison/barrier-differs"


def test_a_binding_with_another_structure_is_refused() -> None:
    document = json.loads(bitmesh.certify(WALL).to_json())
    document["decomposition_digest"] = bitmesh.certify(START).decomposition.digest
    del document["digest"]
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(json.dumps(document))
    assert raised.value.code == "verify/other-structure"


@pytest.mark.parametrize(
    ("evidence", "code"),
    [
        (b"", "verify/empty"),
        (b"BMDCERT\0", "payload/truncated"),
        (bitmesh.certify(WALL).to_bytes() + b"\0", "payload/trailing-bytes"),
        (b"BMDCERTIFICATE\0", "verify/unknown-magic"),
        ("{}", "verify/no-schema"),
        ("[]", "verify/json-array"),
        ("no json", "verify/unknown-format"),
        ("{no json}", "verify/not-json"),
        ('{"schema": "bitmesh.scan.v1"}', "verify/unknown-schema"),
    ],
)
def test_what_is_no_evidence(evidence: Any, code: str) -> None:
    with pytest.raises(bitmesh.CertificateError) as raised:
        bitmesh.verify(evidence)
    assert raised.value.code == code
    with pytest.raises(ValueError):
        bitmesh.verify(evidence)


def test_exceptions_can_be_kept() -> None:
    with pytest.raises(bitmesh.PositionError) as raised:
        bitmesh.certify("no position")
    kept = pickle.loads(pickle.dumps(raised.value))
    assert (str(kept), kept.code) == (str(raised.value), raised.value.code)
    assert type(kept) is bitmesh.PositionError
    assert raised.value.code == "position/unexpected-character"


def test_notebook_pictures() -> None:
    objects: List[Any] = [
        bitmesh.certify(WALL),
        bitmesh.certify(BROKEN),
        bitmesh.certify(WALL).decomposition,
        bitmesh.prove(WALL),
        bitmesh.draw(WALL),
    ]
    for shown in objects:
        svg = shown._repr_svg_()
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "For ever: 2 regions, exact sum, dead position" in bitmesh.prove(WALL)._repr_svg_()
    assert "One ply: accepted, 2 regions" in bitmesh.certify(WALL)._repr_svg_()
    # The bishop reaches the wall: an arrow tells.
    assert bitmesh.certify(BROKEN).verdict == "refused"


class Figure(HTMLParser):
    """A picture with its caption, and the look of its verdict."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.image = self.description = self.look = self.text = ""
        self.verdict = ""
        self.inside: List[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Any]]) -> None:
        values = dict(attrs)
        if tag == "img":
            self.inside.append(tag)
            self.image, self.description = urllib.parse.unquote(values["src"]), values["alt"]
            return
        self.inside.append(tag)
        if tag == "strong":
            self.look = values["style"].split(";")[0]

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.inside[-1] == "strong":
            self.verdict += data


def test_a_notebook_shows_verdict_and_caption_with_the_picture() -> None:
    board_only = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7"
    shown: Dict[str, Any] = {
        "accepted": bitmesh.certify(WALL),
        "accepted as a board": bitmesh.certify(board_only),
        "refused": bitmesh.certify(WALL_AFTER_A4),
        "rejected": bitmesh.certify(START),
        "dead, 2 components": bitmesh.prove(WALL),
        "unwinnable for white": bitmesh.prove("8/8/8/8/8/1q6/8/K6k b - - 0 1"),
        "nothing proved": bitmesh.prove(START, nodes=0),
        "strict": bitmesh.certify(WALL).decomposition,
    }
    figures = {verdict: Figure(value._repr_html_()) for verdict, value in shown.items()}
    for verdict, value in shown.items():
        figure = figures[verdict]
        assert figure.verdict == verdict
        head, _, svg = figure.image.partition(",")
        assert head == "data:image/svg+xml" and svg == value._repr_svg_()
        assert figure.description.startswith("White: ")
        if not isinstance(value, bitmesh.DecompositionCertificate):
            assert value.fen in figure.text
    looks = {verdict: figure.look for verdict, figure in figures.items()}
    # Accepted, board-only, dead, and nothing look different.
    told_apart = ["accepted", "accepted as a board", "dead, 2 components", "nothing proved"]
    assert len({looks[verdict] for verdict in told_apart}) == 4
    assert looks["accepted"] == looks["unwinnable for white"] == looks["strict"]
    assert looks["refused"] == looks["rejected"] == looks["nothing proved"]
    assert "en passant not examined" in figures["accepted as a board"].text
    assert "whatever both sides play" in figures["dead, 2 components"].text


def test_drawings() -> None:
    drawing = bitmesh.draw(WALL)
    assert drawing.title == "Structure: strict, 2 regions"
    assert str(drawing).startswith("Structure: strict, 2 regions\n")
    assert drawing.png().startswith(b"\x89PNG")
    assert "Region A:" in drawing.description
    assert "♔" in drawing.text(unicode=True)
    assert drawing.svg() == bitmesh.draw(WALL)._repr_svg_()
    reach = bitmesh.draw(WALL, reach="a1")
    assert reach.title.startswith("For ever")
    assert "Reach of the white king a1" in reach.description
    assert bitmesh.draw(WALL, reach=chess.A1).svg() == reach.svg()
    marked = bitmesh.draw(
        chess.Board(WALL),
        layer="none",
        arrows=["a1-b1", "a1c1", (chess.H8, chess.G8)],
        highlights=chess.SquareSet([chess.E4]),
        orientation=chess.BLACK,
        title="A title",
        size=200,
        coordinates=False,
    )
    assert "Arrow from a1 to b1. Arrow from a1 to c1. Arrow from h8 to g8." in marked.description
    assert "Highlighted: e4. " in marked.description
    assert "Black is at the bottom" in marked.description
    assert marked.title == "A title"
    tools = bitmesh.draw(
        WALL,
        arrows=[
            chess.Move.from_uci("a1b1"),
            chess.svg.Arrow(chess.H8, chess.G8),
            chess.Move(chess.A7, chess.A8, chess.QUEEN),
        ],
    )
    assert "Arrow from a1 to b1. Arrow from h8 to g8. Arrow from a7 to a8." in tools.description
    assert bitmesh.draw(bitmesh.prove(WALL)).title.startswith("For ever")
    assert bitmesh.draw(bitmesh.certify(WALL_AFTER_A4)).title == "One ply: refused, 2 violations"


def test_drawings_that_there_are_not() -> None:
    for arguments, code in [
        ({"size": 20}, "diagram/size-out-of-range"),
        ({"reach": "e5", "layer": "structure"}, "diagram/reach-needs-persistent"),
        ({"reach": "a4"}, "diagram/reach-of-frozen-piece"),
        ({"reach": "d8"}, "diagram/reach-of-no-piece"),
    ]:
        with pytest.raises(bitmesh.DrawingError) as raised:
            bitmesh.draw(WALL, **arguments)  # type: ignore[arg-type]
        assert raised.value.code == code
    for arguments in ({"layer": "other"}, {"arrows": ["a1"]}, {"arrows": ["a1-i9"]}, {"orientation": "up"}):
        with pytest.raises(ValueError):
            bitmesh.draw(WALL, **arguments)
    with pytest.raises(bitmesh.PositionError):
        bitmesh.draw("8/8/8/8/8/8/8/8", layer="persistent")


def test_threads() -> None:
    def digests(fen: str) -> Tuple[str, str]:
        return bitmesh.certify(fen).position_digest, bitmesh.prove(fen, nodes=0).digest

    expected = [digests(fen) for fen in (WALL, START, BROKEN)]
    failures: List[Any] = []

    def work() -> None:
        for _ in range(50):
            found = [digests(fen) for fen in (WALL, START, BROKEN)]
            if found != expected:
                failures.append(found)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_without_python_chess_squares_are_ints() -> None:
    code = f"""
import sys
sys.modules["chess"] = None
import bitmesh
certificate = bitmesh.prove({WALL!r})
decomposition = bitmesh.certify({WALL!r}).decomposition
assert type(decomposition.barrier) is int
assert decomposition.barrier == certificate.frozen == {int(bitmesh.prove(WALL).frozen)}
assert certificate.movers[0].squares == certificate.reach("a1")
assert [component.active_mask for component in decomposition.components] == [1, 1 << 63]
assert len(bitmesh.certify_many([{WALL!r}])) == 1
try:
    bitmesh.certify(17)
except TypeError:
    print("as it should be")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("as it should be\n", 0), done.stderr
