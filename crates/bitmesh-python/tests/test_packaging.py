"""What is installed beside the code."""

from __future__ import annotations

import importlib.metadata

import bitmesh
import pytest
from conftest import REPOSITORY


@pytest.fixture(scope="module")
def distribution() -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution("bitmesh")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is used from its sources")


def test_the_licence_is_installed(distribution: importlib.metadata.Distribution) -> None:
    [licence] = [file for file in distribution.files or [] if file.name == "LICENSE"]
    assert licence.read_text() == (REPOSITORY / "LICENSE").read_text()
    assert distribution.metadata["License-Expression"] == "GPL-3.0-or-later"


def test_the_metadata_names_no_address(distribution: importlib.metadata.Distribution) -> None:
    names = set(distribution.metadata)
    assert not names & {"Home-page", "Project-URL", "Download-URL", "Author-email", "Maintainer-email"}
    assert distribution.version == bitmesh.__version__


def test_one_wheel_serves_all_versions_of_python(distribution: importlib.metadata.Distribution) -> None:
    wheel = distribution.read_text("WHEEL") or ""
    assert "Tag: cp39-abi3-" in wheel
    assert any(file.name.startswith("_bitmesh.abi3.") for file in distribution.files or [])


def test_the_sources_carry_the_licence_of_the_repository() -> None:
    own = REPOSITORY / "crates" / "bitmesh-python" / "LICENSE"
    assert own.read_text() == (REPOSITORY / "LICENSE").read_text()
