"""The program inside the package: `toolgauge`, and `python -m toolgauge`."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from toolgauge import __main__ as program

COMMAND = [sys.executable, "-m", "toolgauge"]


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], cwd=cwd, capture_output=True, text=True)


def test_a_run_prints_its_verdict_and_leaves_a_log(tmp_path: Path) -> None:
    ran = run("run", "everyday", "--sample", "5", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "verdict" in ran.stdout
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 1


def test_the_exit_status_is_that_of_the_program(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout.startswith("toolgauge ")
    refused = run("run", "nothing-like-this", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: "), refused.stderr
    gated = run("run", "everyday", "--sample", "5", "--fail-under", "1.0", cwd=tmp_path)
    assert gated.returncode == 1


def test_ctrl_c_twice_ends_a_run_that_waits(tmp_path: Path) -> None:
    """Python would notice it only after the end of the run."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        order = ["run", "everyday", "--model", "any", "--base-url", address, "--sample", "2"]
        started = [*COMMAND, *order]
        with subprocess.Popen(started, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
            # As soon as it asks it listens.
            asked, _ = silent.accept()
            with asked:
                assert running.stderr is not None
                running.send_signal(signal.SIGINT)
                assert any("press Ctrl-C again" in line for line in running.stderr)
                running.send_signal(signal.SIGINT)
                told = running.stderr.read()
                assert running.wait(timeout=20) == 130
    assert "Traceback" not in told and "KeyboardInterrupt" not in told


def test_whoever_has_read_enough_may_leave(tmp_path: Path) -> None:
    printing = subprocess.Popen(
        [*COMMAND, "man"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert printing.stdout is not None and printing.stderr is not None
    with printing:
        printing.stdout.close()
        assert printing.stderr.read() == ""
    assert printing.returncode == 0


def test_commands_that_run_others_start_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bin/toolgauge", "mcp"])
    assert program.starter() == str(Path.cwd() / "bin" / "toolgauge")
    monkeypatch.setattr(sys, "argv", [program.__file__, "mcp"])
    assert Path(program.starter()).is_file()
