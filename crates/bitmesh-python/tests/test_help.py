"""What `help()` says, and that the stub says the same."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator, Tuple

import bitmesh
import bitmesh.spark
import pytest

PACKAGE = Path(__file__).resolve().parent.parent


def public(owner: Any, prefix: str) -> Iterator[Tuple[str, Any]]:
    """Everything that a user meets: names without an underscore, and what is inside classes."""
    for name, value in vars(owner).items():
        if name.startswith("_") or inspect.ismodule(value):
            continue
        if inspect.ismodule(owner) and name not in owner.__all__:
            continue
        yield f"{prefix}.{name}", value
        if inspect.isclass(value):
            yield from public(value, f"{prefix}.{name}")


EVERYTHING = [*public(bitmesh, "bitmesh"), *public(bitmesh.spark, "bitmesh.spark")]
DATA = {"bitmesh.COLUMNS", "bitmesh.SCHEMA"}


@pytest.mark.parametrize(("name", "value"), EVERYTHING, ids=[name for name, _ in EVERYTHING])
def test_everything_public_has_a_docstring(name: str, value: Any) -> None:
    if name in DATA or not (callable(value) or inspect.isdatadescriptor(value) or isinstance(value, classmethod)):
        assert name in DATA or name.split(".")[-1] in ("code", "argument"), name
        return
    doc = value.__doc__
    assert doc and len(doc) >= 10, name
    # The docstring of a class of the standard library is not one of ours.
    assert not inspect.isclass(value) or doc != Exception.__doc__


def test_the_list_of_public_things_is_not_empty() -> None:
    names = {name for name, _ in EVERYTHING}
    assert len(names) > 120
    assert {"bitmesh.prove", "bitmesh.RecordBatch.to_pandas", "bitmesh.Certification.fen"} <= names
    assert {"bitmesh.spark.certify", "bitmesh.PersistentCertificate.unwinnable"} <= names


def test_help_begins_with_what_to_do_first() -> None:
    text = pydoc.plain(pydoc.render_doc(bitmesh))
    start = text.index("What to do first")
    assert start < text.index("CLASSES")
    # The name and one sentence stand before it.
    assert len(text[:start].splitlines()) < 12
    for name in ("certificate = bitmesh.prove(wall)", "bitmesh.verify(data, wall)", "rows.to_pandas()"):
        assert name in text


def test_the_first_steps_run_as_they_stand() -> None:
    doc = inspect.getdoc(bitmesh)
    assert doc
    code = doc.split("What to do first::")[1].split("Three claims")[0]
    variables: dict[str, Any] = {}
    exec(inspect.cleandoc(code), variables)
    assert variables["certificate"].dead
    assert [row["dead"] for row in variables["rows"]] == [True, True]


def test_the_stub_says_what_help_says() -> None:
    done = subprocess.run(
        [sys.executable, str(PACKAGE / "stubs.py"), "--check"], capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("", 0), done.stdout + done.stderr


def test_a_stub_that_says_something_else_is_found(tmp_path: Path) -> None:
    script = (PACKAGE / "stubs.py").read_text()
    stub = (PACKAGE / "python" / "bitmesh" / "_bitmesh.pyi").read_text()
    folder = tmp_path / "python" / "bitmesh"
    folder.mkdir(parents=True)
    (tmp_path / "stubs.py").write_text(script)
    (folder / "_bitmesh.pyi").write_text(stub.replace("Whether White can never give mate.", "Whether White wins."))
    check = [sys.executable, str(tmp_path / "stubs.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 1
    assert "unwinnable_white" in done.stdout
    # Writing mends it.
    subprocess.run([sys.executable, str(tmp_path / "stubs.py")], check=True, capture_output=True)
    assert (folder / "_bitmesh.pyi").read_text() == stub


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (bitmesh.prove, "(position, *, nodes=100000)"),
        (
            bitmesh.prove_many,
            "(positions, *, nodes=100000, column=None, source='', threads=None, certificates=False)",
        ),
        (
            bitmesh.decide_many,
            "(positions, *, effort=400000, column=None, source='', threads=None, evidence=False)",
        ),
        (bitmesh.Drawing.text, "(self, /, *, unicode=False, color=False, legend=True)"),
    ],
)
def test_signatures_show_the_real_defaults(function: Any, signature: str) -> None:
    assert str(inspect.signature(function)) == signature
