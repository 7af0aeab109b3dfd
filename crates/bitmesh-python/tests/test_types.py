"""The stubs: complete, and usable under mypy --strict."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import bitmesh
import pytest
from conftest import REPOSITORY

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "python" / "bitmesh"
MYPY = [sys.executable, "-m", "mypy", "--strict"]
MYPY += ["--config-file", str(HERE.parent / "pyproject.toml"), "--cache-dir", str(REPOSITORY / "target" / "mypy")]


def test_a_sample_passes_mypy_strict() -> None:
    done = subprocess.run(
        [*MYPY, str(HERE / "typed_sample.py")],
        capture_output=True,
        text=True,
        cwd=HERE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_a_wrong_use(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import bitmesh\n"
        "number: int = bitmesh.prove('x').dead\n"
        "text: int = bitmesh.certify('x').verdict\n"
        "bitmesh.certify(17)\n"
        "bitmesh.prove('x').missing\n"
    )
    done = subprocess.run(
        [*MYPY, str(wrong)], capture_output=True, text=True, cwd=tmp_path
    )
    found = {line.split(":")[1] for line in done.stdout.splitlines() if "error" in line and ".py:" in line}
    assert found == {"3", "4", "5"}, done.stdout


def test_the_stubs_are_those_of_the_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "bitmesh._bitmesh"],
        capture_output=True,
        text=True,
        cwd=HERE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_public_is_described() -> None:
    stubs = ast.parse((PACKAGE / "_bitmesh.pyi").read_text())
    described = {
        node.name: ast.get_docstring(node)
        for node in stubs.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    }
    for name in bitmesh.__all__:
        value = getattr(bitmesh, name)
        if inspect.isclass(value) and issubclass(value, BaseException):
            assert value.__doc__, name
        elif callable(value):
            assert described[name], name
    assert set(described) <= set(bitmesh.__all__)
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize("name", [name for name in bitmesh.__all__ if name[0].islower()])
def test_functions_show_their_arguments(name: str) -> None:
    function = getattr(bitmesh, name)
    assert inspect.signature(function).parameters
