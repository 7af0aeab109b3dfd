"""Write what `help()` says into the stub of the native module.

    python crates/bitmesh-python/stubs.py            writes
    python crates/bitmesh-python/stubs.py --check    fails where it would write

Names and types are kept up by hand, in `python/bitmesh/_bitmesh.pyi`. What they mean is
written once, in the Rust sources: Python has it as `__doc__`, and editors, which read
the stub alone, find a copy there. Needs the package to be installed.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from pathlib import Path
from typing import Any, List, Optional, Tuple, Union

import bitmesh._bitmesh as module

STUB = Path(__file__).resolve().parent / "python" / "bitmesh" / "_bitmesh.pyi"

Node = Union[ast.FunctionDef, ast.ClassDef]


def documented(name: str) -> bool:
    """Whether Python's users meet the name; Python itself describes its own methods."""
    return not name.startswith("_")


def docstring(owner: Any, name: str) -> Optional[str]:
    value = inspect.getattr_static(owner, name, None)
    doc = getattr(value, "__doc__", None)
    return inspect.cleandoc(doc) if doc else None


def edits(body: List[ast.stmt], owner: Any, level: int) -> List[Tuple[Node, Optional[str], int]]:
    """Definitions whose docstring is not that of the module, with the one that it should be."""
    found: List[Tuple[Node, Optional[str], int]] = []
    for node in body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or not documented(node.name):
            continue
        if any(isinstance(name, ast.Name) and name.id == "overload" for name in node.decorator_list):
            continue
        wanted = docstring(owner, node.name)
        if ast.get_docstring(node) != wanted:
            found.append((node, wanted, level))
        if isinstance(node, ast.ClassDef):
            found.extend(edits(node.body, getattr(owner, node.name), level + 1))
    return found


def replace_docstring(lines: List[str], node: Node, doc: Optional[str], level: int) -> None:
    """Gives a definition of the stub another docstring."""
    assert doc is not None, f"{node.name} is not described in the Rust sources"
    text = textwrap.indent(f'"""{doc}', "    " * (level + 1)).splitlines()
    if len(text) > 1:
        text.append("    " * (level + 1) + '"""')
    else:
        text[0] += '"""'
    new = [line.rstrip() for line in text]
    first = node.body[0]
    end = first.end_lineno
    assert end is not None
    if ast.get_docstring(node) is not None:
        lines[first.lineno - 1 : end] = new
    elif isinstance(node, ast.ClassDef):
        decorators = getattr(first, "decorator_list", [])
        start = min([first.lineno, *(decorator.lineno for decorator in decorators)])
        lines[start - 1 : start - 1] = [*new, ""]
    else:
        # `def name() -> type: ...`
        assert lines[end - 1].endswith(": ..."), lines[end - 1]
        lines[end - 1 : end] = [lines[end - 1][: -len(" ...")], *new]


def main() -> int:
    text = STUB.read_text()
    found = edits(ast.parse(text).body, module, 0)
    for node, _, _ in found:
        print(f"{STUB.name}: {node.name}, line {node.lineno}, differs from help()")
    if "--check" in sys.argv:
        return 1 if found else 0
    lines = text.splitlines()
    for node, doc, level in sorted(found, key=lambda edit: -edit[0].lineno):
        replace_docstring(lines, node, doc, level)
    STUB.write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
