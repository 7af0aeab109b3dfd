"""The stubs: complete, and usable under mypy --strict."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Callable, Dict, List, Set

import bitmesh
import pytest
from conftest import BROKEN, REPOSITORY, START, WALL, WALL_AFTER_A4
from test_documentation import PAGES, examples

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


def test_the_examples_of_the_pages_pass_mypy_strict(tmp_path: Path) -> None:
    for page in PAGES:
        for number, code in enumerate(examples(page)):
            (tmp_path / f"{Path(page).parent.name}_{number}.py").write_text(code)
    # Not every library has types, and not all are installed.
    options = ["--ignore-missing-imports", "--disable-error-code", "import-untyped"]
    files = [str(path) for path in tmp_path.glob("*.py")]
    done = subprocess.run([*MYPY, *options, *files], capture_output=True, text=True, cwd=tmp_path)
    assert files and done.returncode == 0, done.stdout + done.stderr


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


def literals() -> Dict[str, Set[str]]:
    """Every `Literal` of the stub, by the name of what has it: an alias, or `Class.attribute`."""
    found: Dict[str, Set[str]] = {}

    def collect(name: str, node: ast.AST) -> None:
        values = {
            str(element.value)
            for subscript in ast.walk(node)
            if isinstance(subscript, ast.Subscript)
            and isinstance(subscript.value, ast.Name)
            and subscript.value.id == "Literal"
            for element in ast.walk(subscript.slice)
            if isinstance(element, ast.Constant)
        }
        if values:
            found[name] = values

    for node in ast.parse((PACKAGE / "_bitmesh.pyi").read_text()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            collect(node.target.id, node.value)
        elif isinstance(node, ast.FunctionDef):
            collect(node.name, node)
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    collect(f"{node.name}.{inner.name}", inner)
    return found


def returned() -> Dict[str, Set[Any]]:
    """What the runtime returns, over positions that make it return everything."""
    coupled_by_check = "8/p1p1p3/PpPpPp2/1P1P1Ppk/3K2Pp/7P/8/8 b - - 0 1"
    fens = [WALL, WALL_AFTER_A4, BROKEN, START, "8/8/8/8/8/8/8/K6k w - - 0 1", coupled_by_check]
    certifications = [bitmesh.certify(fen) for fen in fens]
    certificates = [bitmesh.prove(fen, nodes=0) for fen in fens]
    # A weaker claim than the position allows is accepted: that checks and en passant may couple.
    weaker = bytearray(certificates[0].to_bytes())
    assert weaker[87] == 0
    weaker[87] = 7
    certificates.append(bitmesh.PersistentCertificate.from_bytes(weaker))
    structures = [certification.decomposition for certification in certifications]
    kinds = {certificate.coupling_kind for certificate in certificates}
    decided = [bitmesh.decide(START).white, bitmesh.decide(WALL).white, bitmesh.decide(START, effort=0).white]
    # The record of a board cannot be judged without its board.
    record = (HERE / "board_record.json").read_bytes()
    examined = [bitmesh.examine(record), bitmesh.examine(record, WALL), bitmesh.examine(record, START)]
    # A certificate that claims nothing.
    examined.append(bitmesh.examine(bitmesh.prove(START, nodes=0).to_bytes()))
    return {
        "DecompositionCertificate.status": {structure.status for structure in structures},
        "DecompositionCertificate.rejection_reason": {s.rejection_reason for s in structures} - {None},
        "Decision.verdict": {decision.verdict for decision in decided if decision is not None},
        "Examination.outcome": {examination.outcome for examination in examined},
        "Certification.verdict": {certification.verdict for certification in certifications},
        "PersistentCertificate.coupling_kind": kinds - {None},
        "PersistentCertificate.coupling": {kind.replace("_", "-") for kind in kinds if kind},
    }


def test_literals_are_what_the_runtime_returns() -> None:
    stub = literals()
    for name, values in returned().items():
        assert stub.pop(name) == values, name
    assert set(stub) == {"_Color", "_Layer", "_Claim", "_Format"}


def test_literals_are_what_the_runtime_takes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("fen\n")
    stub = literals()
    takes: Dict[str, Callable[[Any], object]] = {
        "_Color": lambda value: bitmesh.draw(WALL, orientation=value),
        "_Layer": lambda value: bitmesh.draw(WALL, layer=value),
        "_Claim": lambda value: bitmesh.scan(tmp_path / "a.csv", only=[value], decide=True),
        "_Format": lambda value: bitmesh.scan(tmp_path / "a.csv", format=value),
    }
    for name, take in takes.items():
        for value in stub[name]:
            take(value)
        with pytest.raises(bitmesh.ArgumentError) as raised:
            take("another")
        # The message names all that there are, and no others.
        if name != "_Color":
            named = str(raised.value).split(":")[-1]
            others = {"another", "layer", "is", "none", "of", "or", "no", "not", "and"}
            words = set(re.findall(r"[a-z][a-z-]+", named)) - others
            assert words == stub[name] - {"none"}, raised.value


SAMPLE = """
from typing import Dict, List, Optional
import bitmesh

def sets_of_squares(fen: str) -> int:
    barrier = bitmesh.certify(fen).decomposition.barrier
    squares: List[int] = sorted(barrier)
    reach = bitmesh.prove(fen).movers[0].reach
    named: Dict[str, int] = {role: len(reach[role]) for role in reach}
    both = barrier & bitmesh.prove(fen).frozen
    return len(squares) + int(both) + (4 in barrier) + sum(named.values())

def rows(fens: List[str]) -> Optional[str]:
    batch = bitmesh.certify_many(fens)
    for row in batch[2:]:
        print(row["fen"])
    return bitmesh.verify(bytearray(b"")).to_json() if batch else None
"""

WRONG = """
import bitmesh
text: str = len(bitmesh.prove("x").frozen)
bitmesh.certify(17)
number: int = bitmesh.certify("x").fen
bitmesh.certify("x").decomposition.barrier.nothing_of_the_kind_here
"""


@pytest.fixture(scope="module")
def without_chess(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and two users of it, and an environment without python-chess."""
    folder = tmp_path_factory.mktemp("without_chess")
    (folder / "sample.py").write_text(SAMPLE)
    (folder / "wrong.py").write_text(WRONG)
    venv.create(folder / "environment", with_pip=False)
    [packages] = (folder / "environment").glob("lib/python*/site-packages")
    shutil.copytree(PACKAGE, packages / "bitmesh", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return folder


def run_mypy(folder: Path, name: str) -> List[str]:
    python = folder / "environment" / "bin" / "python"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python), name],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"MYPY_CACHE_DIR": str(folder / "cache")},
    )
    return [line for line in done.stdout.splitlines() if ": error:" in line]


def run_pyright(folder: Path, name: str) -> List[Any]:
    pyright = Path(sys.executable).parent / "pyright"
    if not pyright.exists() or subprocess.run([pyright, "--version"], capture_output=True).returncode != 0:
        pytest.skip("pyright is not installed, or has no Node")
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"include": [name], "typeCheckingMode": "strict"})
    )
    python = folder / "environment" / "bin" / "python"
    done = subprocess.run(
        [pyright, "--outputjson", "--pythonpath", str(python)], capture_output=True, text=True, cwd=folder
    )
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    return [error for error in found["generalDiagnostics"] if error["severity"] == "error"]


def test_mypy_knows_the_types_without_python_chess(without_chess: Path) -> None:
    assert run_mypy(without_chess, "sample.py") == []
    found = run_mypy(without_chess, "wrong.py")
    assert [line.split(":")[1] for line in found[:3]] == ["3", "4", "5"], found


def test_pyright_knows_the_types_without_python_chess(without_chess: Path) -> None:
    assert run_pyright(without_chess, "sample.py") == []
    found = {error["range"]["start"]["line"] + 1 for error in run_pyright(without_chess, "wrong.py")}
    assert found >= {3, 4, 5}


@pytest.mark.parametrize("name", [name for name in bitmesh.__all__ if name[0].islower()])
def test_functions_show_their_arguments(name: str) -> None:
    function = getattr(bitmesh, name)
    assert inspect.signature(function).parameters
