"""Evidence from elsewhere: one examination, that of the library and of the command."""

from __future__ import annotations

import copy
import json
import pickle
import struct
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

import bitmesh
import chess
import pytest
from conftest import START, WALL, WALL_AFTER_A4

BOARD = WALL.split(" ")[0]
FORCED = "k1K5/P7/8/8/8/8/8/8 b - - 0 1"
WITHOUT_KINGS = "8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8"


def foreign_binding(context: str = "someone:else") -> bytes:
    """BMDPOSCERT of a text in a context that is not known here."""
    digest = bytes.fromhex(bitmesh.certify(WALL).decomposition.digest)
    texts = b"".join(struct.pack("<H", len(text)) + text for text in (b"some text", context.encode()))
    return b"BMDPOSCERT\0\1" + digest + texts


def other_root() -> bitmesh.DecompositionCertificate:
    """The structure of the wall by a producer that names its regions by other squares."""
    document = json.loads(bitmesh.certify(WALL).decomposition.to_json())
    for component in document["components"]:
        squares = [chess.parse_square(name) for name in component["mask"]]
        component["root"] = next(square for square in squares if square != component["root"])
    del document["digest"]
    return bitmesh.DecompositionCertificate.from_json(json.dumps(document))


def board_proof() -> str:
    """The record of the one-ply screen of a board."""
    structure = bitmesh.certify(BOARD).decomposition
    document = json.loads(structure.to_json())
    return json.dumps(
        {
            "schema": "bitmesh.conservative_legal_independence.v0",
            "proof_kind": "bitmesh:conservative_legal_independence:v0",
            "decomposition_digest": structure.digest,
            "component_count": len(structure.components),
            "barrier": document["barrier"],
        }
    )


def test_json_as_bytes_and_hexadecimal_digits_are_read() -> None:
    for evidence in (bitmesh.certify(WALL), bitmesh.prove(WALL), bitmesh.certify(WALL).decomposition):
        document, data = evidence.to_json(), evidence.to_bytes()
        forms: List[Any] = [document, document.encode(), bytearray(document.encode())]
        forms += [data, data.hex(), data.hex().encode()]
        for form in [*forms, f" {document}\n", f"{data.hex()}\n"]:
            assert bitmesh.verify(form, WALL) == evidence
            assert bitmesh.examine(form, WALL).outcome == "verified"


@pytest.mark.parametrize(
    ("evidence", "code"),
    [
        (b"", "verify/empty"),
        (" \n", "verify/empty"),
        (b"\xef\xbb\xbf{}", "verify/no-schema"),
        (b"BMOTHER\0", "verify/unknown-magic"),
        ("{", "verify/not-json"),
        ('{"schema": "bitmesh.decomposition.v1", "schema": 1}', "verify/ambiguous-json"),
        ("{}", "verify/no-schema"),
        ('{"schema": "someone.else"}', "verify/unknown-schema"),
        ("\ud800", "verify/unknown-format"),
    ],
)
def test_what_has_none_of_the_forms(evidence: Any, code: str) -> None:
    for call in (bitmesh.verify, bitmesh.examine):
        with pytest.raises(bitmesh.CertificateError) as raised:
            call(evidence)
        assert raised.value.code == code
        assert not isinstance(raised.value, bitmesh.MismatchError)


def test_a_key_that_stands_twice_is_refused_at_any_place() -> None:
    document = bitmesh.prove(WALL).to_json()
    assert document.count('"king":') == 2
    for place in (0, 1):
        parts = document.split('"king":')
        parts[place] += '"king":[],'
        twice = '"king":'.join(parts)
        for call in (bitmesh.verify, bitmesh.PersistentCertificate.from_json):
            with pytest.raises(bitmesh.CertificateError) as raised:
                call(twice)
            assert raised.value.code == "verify/ambiguous-json"


def test_a_violation_says_nothing_that_does_not_follow() -> None:
    violation = bitmesh.certify(WALL_AFTER_A4).violations[0]
    text = violation.to_json()
    assert bitmesh.Violation.from_json(text) == violation
    document = json.loads(text)
    attacks: Dict[str, Tuple[str, str]] = {
        "a wrong message": (json.dumps({**document, "message": "all is well"}), "verify/malformed-document"),
        "no message": (
            json.dumps({key: value for key, value in document.items() if key != "message"}),
            "verify/malformed-document",
        ),
        "an unknown field": (json.dumps({**document, "more": 1}), "verify/malformed-document"),
        "an unknown code": (json.dumps({**document, "code": "some/code"}), "verify/malformed-document"),
        "a message twice": (text[:-1] + ',"message":"x"}', "verify/ambiguous-json"),
        "a square twice": ('{"square":"a1",' + text[1:], "verify/ambiguous-json"),
        "another kind": (bitmesh.certify(WALL).to_json(), "verify/other-kind"),
        "no document": ("violation", "verify/unknown-format"),
    }
    for name, (attack, code) in attacks.items():
        with pytest.raises(bitmesh.CertificateError) as raised:
            bitmesh.Violation.from_json(attack)
        assert raised.value.code == code, name


def test_a_binding_of_a_board_is_about_the_board() -> None:
    certification = bitmesh.certify(f"{WITHOUT_KINGS} w - - 0 1")
    assert certification.fen == WITHOUT_KINGS
    for given in (WITHOUT_KINGS, f"{WITHOUT_KINGS} w - - 0 1", f"{WITHOUT_KINGS} b - - 0 1"):
        assert bitmesh.verify(certification.to_bytes(), given) == certification
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(certification.to_bytes(), BOARD)
    assert raised.value.code == "verify/other-position"


def test_a_foreign_context() -> None:
    data = foreign_binding()
    binding = bitmesh.verify(data)
    assert isinstance(binding, bitmesh.PositionBinding)
    assert (binding.fen, binding.context) == ("some text", "someone:else")
    assert binding.decomposition_digest == bitmesh.certify(WALL).decomposition.digest
    assert binding.to_bytes() == data and bitmesh.verify(binding) == binding
    assert bitmesh.PositionBinding.from_json(binding.to_json()) == binding
    assert "position text" in " ".join(bitmesh.examine(data).not_checked)
    for evidence in (data, binding):
        with pytest.raises(bitmesh.MismatchError) as raised:
            bitmesh.verify(evidence, WALL)
        assert raised.value.code == "verify/other-context"


def test_the_structure_of_another_producer() -> None:
    certificate = other_root()
    assert certificate != bitmesh.certify(WALL).decomposition
    # It holds, and what differs is found.
    assert bitmesh.verify(certificate, WALL) == certificate
    examination = bitmesh.examine(certificate, WALL)
    assert examination and [note.code for note in examination.findings] == ["comparison/other-root"] * 2
    # A binding that names it is refused without it, and verified with it.
    ours = bitmesh.certify(WALL).to_bytes()
    theirs = ours[:12] + bytes.fromhex(certificate.digest) + ours[44:]
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(theirs, WALL)
    assert raised.value.code == "verify/other-structure"
    for form in (certificate, certificate.to_bytes(), certificate.to_json()):
        binding = bitmesh.verify(theirs, WALL, certificate=form)
        assert isinstance(binding, bitmesh.PositionBinding) and binding.to_bytes() == theirs
        assert bitmesh.examine(theirs, WALL, form).findings
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(ours, WALL, certificate=certificate)
    assert raised.value.code == "verify/other-structure"
    with pytest.raises(bitmesh.ArgumentError) as wrong:
        bitmesh.verify(ours, certificate=bitmesh.prove(WALL))
    assert (wrong.value.code, wrong.value.argument) == ("argument/certificate", "certificate")


def test_the_record_of_a_board() -> None:
    record = board_proof()
    with pytest.raises(bitmesh.CertificateError) as raised:
        bitmesh.verify(record)
    assert raised.value.code == "verify/board-needed"
    assert bitmesh.examine(record).outcome == "incomplete"
    # The claim is about the board, whatever position it is shown with.
    for given in (BOARD, WALL, WALL_AFTER_A4):
        certification = bitmesh.verify(record, given)
        assert isinstance(certification, bitmesh.Certification)
        assert certification.accepted and not certification.is_position and certification.fen == BOARD
    document = json.loads(record)
    document["component_count"] = 3
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(json.dumps(document), BOARD)
    assert raised.value.code == "verify/other-record"
    with pytest.raises(bitmesh.CertificateError):
        bitmesh.verify(record, START)


def test_the_record_of_a_position() -> None:
    record = bitmesh.certify(WALL).proof_json()
    assert record
    assert bitmesh.verify(record, WALL) == bitmesh.certify(WALL)
    changes: List[Dict[str, Any]] = [{"barrier": []}, {"component_count": 3}]
    for change in changes:
        with pytest.raises(bitmesh.MismatchError) as raised:
            bitmesh.verify(json.dumps({**json.loads(record), **change}))
        assert raised.value.code == "verify/other-record"
    with pytest.raises(bitmesh.MismatchError) as raised:
        bitmesh.verify(record, WALL_AFTER_A4)
    assert raised.value.code == "verify/other-position"


def test_damaged_bytes_have_the_code_of_the_element() -> None:
    data = bitmesh.prove(WALL).to_bytes()
    for damaged, code in [
        (data[:40], "payload/truncated"),
        (data + b"\0", "payload/trailing-bytes"),
        (data[:10] + b"\2" + data[11:], "payload/unsupported-version"),
    ]:
        for call in (bitmesh.verify, bitmesh.PersistentCertificate.from_bytes):
            with pytest.raises(bitmesh.CertificateError) as raised:
                call(damaged)
            assert raised.value.code == code
        examination = bitmesh.examine(damaged)
        assert examination.outcome == "refused" and examination.offset is not None
        assert examination.refusal is not None and examination.refusal.code == code


def test_bytes_and_documents_of_another_kind() -> None:
    evidence: Dict[Any, Any] = {type(value): value for value in (bitmesh.certify(WALL), bitmesh.prove(WALL))}
    evidence[bitmesh.DecompositionCertificate] = bitmesh.certify(WALL).decomposition
    for kind in evidence:
        for other, value in evidence.items():
            if other is kind:
                continue
            with pytest.raises(bitmesh.CertificateError) as raised:
                kind.from_json(value.to_json())
            assert raised.value.code == "verify/other-kind"
            with pytest.raises(bitmesh.CertificateError):
                kind.from_bytes(value.to_bytes())


MISMATCH, CERTIFICATE = bitmesh.MismatchError, bitmesh.CertificateError
Outcome = Tuple[Callable[[], Any], Optional[str], Type[bitmesh.BitmeshError], str]

OUTCOMES: Dict[str, Outcome] = {
    "a structure with another position": (
        lambda: bitmesh.certify(WALL).decomposition.to_bytes(),
        START,
        MISMATCH,
        "comparison/barrier-differs",
    ),
    "a certificate with another position": (
        lambda: bitmesh.prove(WALL).to_bytes(),
        WALL_AFTER_A4,
        MISMATCH,
        "verify/other-position",
    ),
    "a wrong digest in JSON": (
        lambda: json.dumps({**json.loads(bitmesh.certify(WALL).to_json()), "digest": "0" * 64}),
        None,
        CERTIFICATE,
        "verify/malformed-document",
    ),
    "an unknown field": (
        lambda: json.dumps({**json.loads(bitmesh.certify(WALL).to_json()), "more": 1}),
        None,
        CERTIFICATE,
        "verify/malformed-document",
    ),
}


@pytest.mark.parametrize("name", list(OUTCOMES))
def test_what_does_not_hold(name: str) -> None:
    evidence, position, kind, code = OUTCOMES[name]
    with pytest.raises(bitmesh.CertificateError) as raised:
        bitmesh.verify(evidence(), position)
    assert (type(raised.value), raised.value.code) == (kind, code)
    examination = bitmesh.examine(evidence(), position)
    assert examination.outcome == "refused" and not examination
    assert examination.refusal is not None and examination.refusal.code == code


def test_an_examination_says_what_was_checked_and_what_not() -> None:
    examination = bitmesh.examine(bitmesh.certify(WALL).decomposition, chess.Board(WALL))
    assert examination and examination.outcome == "verified" and examination.refusal is None
    assert examination.kind == "BMDCERT v1, the structure of a board"
    assert examination.facts["one-ply screen"] == "accepted"
    assert "the certificate is consistent in itself" in examination.checked
    assert "anything after the next move" in examination.not_checked
    document = json.loads(examination.to_json())
    assert document["schema"] == "bitmesh.verify.v1" and document["verdict"] == "verified"
    kept = pickle.loads(pickle.dumps(examination))
    assert kept == examination and kept.to_json() == examination.to_json()
    assert copy.deepcopy(examination) == examination != bitmesh.examine(bitmesh.prove(WALL))
    assert repr(examination) == "<Examination verified: BMDCERT v1, the structure of a board>"
    assert "<th>verified</th>" in examination._repr_html_()
    refused = bitmesh.examine(b"BMDCERT\0")
    assert repr(refused).endswith("[payload/truncated]>")
    assert pickle.loads(pickle.dumps(refused)) == refused


def test_an_expansion_is_checked() -> None:
    expansion = bitmesh.prove(FORCED)
    assert bitmesh.verify(expansion.to_bytes(), FORCED) == expansion
    assert bitmesh.examine(expansion, FORCED).facts["dead"]
