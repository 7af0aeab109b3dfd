"""The examples of the pages, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List

import pyarrow
import pyarrow.parquet
import pytest
from conftest import REPOSITORY, START, WALL, WALL_AFTER_A4

PAGES = ["crates/bitmesh-python/README.md", "docs/python.md"]
GAMES = f"""[Event "dead"]
[SetUp "1"]
[FEN "{WALL}"]

1. Kb1 Kg8 2. Ka1 *
"""


def examples(page: str) -> List[str]:
    return re.findall(r"^```python\n(.*?)^```", (REPOSITORY / page).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    table = pyarrow.table({"game_id": ["a", "b", "c"], "fen": [WALL, START, WALL_AFTER_A4]})
    pyarrow.parquet.write_table(table, tmp_path / "positions.parquet")
    monkeypatch.chdir(tmp_path)
    found = [code for code in examples(page) if "bitmesh.spark" not in code]
    assert found
    for code in found:
        exec(compile(code, page, "exec"), {})


def test_the_first_example_has_ten_lines_and_writes_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = examples(PAGES[0])[0]
    assert len(code.strip().splitlines()) == 10
    (tmp_path / "games.pgn").write_text(GAMES)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, PAGES[0], "exec"), {})
    [evidence] = tmp_path.glob("*.bmpersist")
    assert evidence.read_bytes().startswith(b"BMPERSIST\0")
