"""The vectors of the library, from Python."""

from __future__ import annotations

import json
from typing import Any, Dict

import bitmesh
import chess
import pytest
from conftest import WALL, golden, kebab


def test_boards() -> None:
    rows = golden("boards.jsonl")
    assert len(rows) > 1000
    for row in rows:
        certification = bitmesh.certify(row["board"])
        certificate = certification.decomposition
        assert certificate.barrier == chess.SquareSet(int(row["locked"], 16))
        assert certificate.status == row["status"].lower()
        assert certificate.strict == row["find_subsystems"][0]
        assert certificate.to_bytes().hex() == row["payload"]
        assert certificate.digest == row["digest"]
        expected = [
            (component["root"], int(component["mask"], 16), int(component["active_mask"], 16))
            for component in row["components"]
        ]
        assert [(c.root, int(c.mask), int(c.active_mask)) for c in certificate.components] == expected
        assert bitmesh.DecompositionCertificate.from_bytes(bytes.fromhex(row["payload"])) == certificate
        assert bitmesh.DecompositionCertificate.from_json(certificate.to_json()) == certificate

        screen = row["screen"].split(" ")[0]
        if screen == "Accepted":
            assert certification.verdict == "accepted"
            assert len(certificate.components) == int(row["screen"].split(" ")[1])
        else:
            assert certification.one_ply == f"independence/{kebab(screen)}"
            assert certification.violations[0].code == certification.one_ply


def document(certificate: Dict[str, Any]) -> str:
    """A certificate of the vectors as the JSON document."""

    def squares(mask: str) -> Any:
        return [chess.square_name(square) for square in chess.SquareSet(int(mask, 16))]

    reason = certificate["rejection_reason"].replace("Some(", "").replace(")", "")
    return json.dumps(
        {
            "schema": "bitmesh.decomposition.v1",
            "status": certificate["status"].lower(),
            "strict": certificate["strict"],
            "rejection_reason": None if reason == "None" else kebab(reason).replace("-", "_"),
            "active_component_count": certificate["active_component_count"],
            "barrier": squares(certificate["barrier"]),
            "components": [
                {"root": c["root"], "mask": squares(c["mask"]), "active_mask": squares(c["active_mask"])}
                for c in certificate["components"]
            ],
        }
    )


def test_certificates() -> None:
    rows = golden("certificates.jsonl")
    assert len(rows) > 300
    refused = 0
    for row in rows:
        text = document(row["certificate"])
        outcome = row["validate"].split(" ")[0]
        if outcome != "Ok":
            refused += 1
            with pytest.raises(bitmesh.CertificateError) as raised:
                bitmesh.DecompositionCertificate.from_json(text)
            assert raised.value.code == f"decomposition/{kebab(outcome)}"
            continue
        certificate = bitmesh.DecompositionCertificate.from_json(text)
        assert certificate.digest == row["digest"]
        violations = bitmesh.diagnose(row["board"], certificate)
        screen = row["screen"].split(" ")[0]
        if screen == "Accepted":
            assert violations == []
        else:
            assert violations[0].code == f"independence/{kebab(screen)}"
    assert 0 < refused < len(rows)


def test_compositions() -> None:
    rows = golden("compositions.jsonl")
    accepted = 0
    for row in rows:
        values = [(value["component_root"], value["value_digest"]) for value in row["component_values"]]

        def compose() -> bitmesh.CompositionCertificate:
            return bitmesh.CompositionCertificate(
                row["decomposition_digest"], values, row["result_value_digest"]
            )

        outcome = row["validate"].split(" ")[0]
        if outcome != "Ok":
            with pytest.raises(bitmesh.CertificateError) as raised:
                compose()
            assert raised.value.code == f"composition/{kebab(outcome)}"
            continue
        composition = compose()
        assert composition.to_bytes().hex() == row["payload"]
        assert composition.digest == row["digest"]
        assert bitmesh.CompositionCertificate.from_bytes(composition.to_bytes()) == composition
        assert bitmesh.CompositionCertificate.from_json(composition.to_json()) == composition
        decomposition = bitmesh.certify(row["board"]).decomposition
        against = row["validate_against_decomposition"].split(" ")[0]
        if against == "Ok":
            accepted += 1
            composition.validate_against(decomposition)
            assert bitmesh.verify(composition.to_bytes(), row["board"]) == composition
        else:
            with pytest.raises(bitmesh.MismatchError) as mismatch:
                composition.validate_against(decomposition)
            assert mismatch.value.code == f"composition/{kebab(against)}"
    assert 0 < accepted < len(rows)


def test_published_digest() -> None:
    certificate = bitmesh.certify(WALL).decomposition
    assert certificate.digest == "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf"
