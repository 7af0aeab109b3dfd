"""The programs of docs/languages.md that are in Python, run as they are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, START, WALL

PROGRAMS = REPOSITORY / "examples" / "languages" / "python"


def run(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(PROGRAMS / program), *arguments], capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("position", "flagged", "word"),
    [
        ("8/8/8/4k3/8/3n4/8/K7 w - - 0 1", "white", "drawn"),
        ("8/8/8/4k3/8/3n4/P7/K7 w - - 0 1", "white", "lost"),
        (START, "black", "lost"),
    ],
)
def test_flag_fall(position: str, flagged: str, word: str) -> None:
    done = run("flag_fall.py", position, flagged)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(word + ":")


def test_flag_fall_refuses_what_is_not_a_position() -> None:
    done = run("flag_fall.py", "not a position", "white")
    assert done.returncode == 1
    assert done.stdout == "" and done.stderr.strip() != ""


def test_all_libraries_for_tables_count_the_same(tmp_path: Path) -> None:
    collection = tmp_path / "positions.fen"
    collection.write_text(f"{WALL}\n{START}\nnot a position\n8/8/8/4k3/8/8/8/K7 w - - 0 1\n")
    done = run("tables.py", str(collection), str(tmp_path / "rows.parquet"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["pandas: 2 dead", "polars: 2 dead", "duckdb: 2 dead"]


def test_the_page_names_every_program() -> None:
    page = (REPOSITORY / "docs" / "languages.md").read_text()
    named = set(re.findall(r"\]\(\.\./(examples/languages/[^)]+|crates/bitmesh-c/examples/[^)]+)\)", page))
    for path in named:
        assert (REPOSITORY / path).is_file(), path
    for program in PROGRAMS.glob("*.py"):
        assert f"examples/languages/python/{program.name}" in named
