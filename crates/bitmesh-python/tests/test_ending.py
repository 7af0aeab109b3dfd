"""The end of Python while threads work, forks, and exceptions that end more than a call."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import bitmesh
import pytest
from conftest import WALL, positions_of_games

CALLS = {
    "list": "bitmesh.certify_many(fens * 100, threads=1)",
    "iterator": "bitmesh.prove_many(iter(fens * 100))",
    "decide": "bitmesh.decide_many(fens, effort=1000000)",
    "scan": "for rows in bitmesh.scan(path): rows.to_pylist()",
    "write": "bitmesh.scan(path).write_csv(path + '.csv', restart=True)",
    "audit": "bitmesh.audit(path + '.pgn')",
    "small": "bitmesh.scan(path).counts",
}


@pytest.mark.parametrize("call", CALLS)
def test_python_ends_while_a_thread_works(tmp_path: Path, call: str) -> None:
    fens = list(positions_of_games(3000))
    source = tmp_path / "many.fen"
    source.write_text("\n".join(fens * 20) + "\n")
    Path(f"{source}.pgn").write_text('[Event "a"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n' * 20000)
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, threading, time\nimport bitmesh\npath = sys.argv[1]\n"
        "fens = open(path).read().splitlines()[:3000]\n"
        "def work():\n    while True:\n        " + CALLS[call] + "\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(float(sys.argv[2]))\n"
    )
    for delay in ("0.1", "0.25", "0.4"):
        command = [sys.executable, str(script), str(source), delay]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_other_exit_handlers_can_still_ask(tmp_path: Path) -> None:
    program = f"""
        import atexit
        def last():
            print(bitmesh.certify_many([{WALL!r}] * 5000)[0]["dead"], len(bitmesh.scan("a.fen").read_all()))
        atexit.register(last)
        import bitmesh
    """
    (tmp_path / "a.fen").write_text(WALL + "\n")
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "True 1\n"), done.stderr


class Fails(io.RawIOBase):
    """A stream of some lines that then raises."""

    def __init__(self, error: BaseException) -> None:
        self.error, self.times = error, 0

    def read(self, size: int = -1) -> bytes:
        self.times += 1
        if self.times > 3:
            raise self.error
        return (WALL + "\n").encode() * 10000


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
def test_what_is_no_exception_ends_the_scan(tmp_path: Path, error: BaseException) -> None:
    out = tmp_path / "rows.csv"
    with pytest.raises(type(error)):
        bitmesh.scan(Fails(error)).write_csv(out)
    assert not out.exists() and (tmp_path / "rows.csv.journal").exists()
    assert "stream/read" not in (tmp_path / "rows.csv.partial").read_text()
    scan = bitmesh.scan(Fails(error))
    with pytest.raises(type(error)):
        for rows in scan:
            assert all(row["error"] is None for row in rows[:10])
    assert scan.finished and list(scan) == []
    with pytest.raises(type(error)):
        bitmesh.audit(Fails(error))
    # What goes wrong with the stream alone is a row, as before.
    rows = bitmesh.scan(Fails(ValueError("broken"))).read_all()
    assert rows[-1]["error_code"] == "stream/read" and "broken" in rows[-1]["error"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_scan_does_not_go_on_in_another_process(tmp_path: Path) -> None:
    source = tmp_path / "many.fen"
    source.write_text((WALL + "\n") * 200000)
    program = f"""
        import os, sys
        import bitmesh
        scan, waiting = bitmesh.scan({str(source)!r}), bitmesh.scan({str(source)!r})
        next(scan)
        if os.fork() == 0:
            try:
                next(scan)
            except bitmesh.ScanError as error:
                print(error.code, len(next(waiting)) > 0, flush=True)
            sys.exit(0)
        os.wait()
        print(len(next(scan)) > 0)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "scan/forked True\nTrue\n"), done.stderr
