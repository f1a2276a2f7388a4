"""Completion: the scripts of the shells, and what they get for the words so far."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Run

POSIX = pytest.mark.skipif(os.name == "nt", reason="shells of POSIX")


def completed(run: Run, monkeypatch: pytest.MonkeyPatch, line: str) -> set[str]:
    """What bash gets for a line; its last word is being typed."""
    words = line.split(" ")
    monkeypatch.setenv("_HUBBUB_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    return set(run().out.splitlines())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hubbub thr", {"plain,thread"}),
        ("hubbub ", {"plain,read", "plain,config", "file,"}),
        ("hubbub chat.l", {"file,chat.l"}),
        ("hubbub --wid", {"plain,--width"}),
        ("hubbub chat.log --no-p", {"plain,--no-pager", "plain,--no-people"}),
        ("hubbub thread --fol", {"plain,--follow"}),
        ("hubbub thread --to cs", {"plain,csv"}),
        ("hubbub thread --model thread/hub", {"plain,thread/hubbub", "file,thread/hub"}),
        ("hubbub read --format sl", {"plain,slack"}),
        ("hubbub evaluate thread/hubbub --on irc:t", {"plain,irc:test", "plain,irc:train"}),
        ("hubbub evaluate thr", {"plain,thread/previous"}),
        ("hubbub train int", {"plain,intent"}),
        ("hubbub search x --in a", {"file,a"}),
        ("hubbub intent dis", {"plain,discover"}),
        ("hubbub intent check --htm", {"plain,--html"}),
        ("hubbub completion z", {"plain,zsh"}),
        ("hubbub arch", {"plain,archive"}),
        ("hubbub archive ", {"plain,info", "plain,list"}),
        ("hubbub archive info --in a", {"file,a"}),
    ],
)
def test_what_a_shell_gets(line: str, expected: set[str], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert expected <= completed(run, monkeypatch, line)


def test_nothing_else_is_offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(run, monkeypatch, "hubbub thread --to cs") == {"plain,csv"}
    assert not any(name.startswith("plain,intent/") for name in completed(run, monkeypatch, "hubbub thread --model t"))


@pytest.mark.parametrize(
    ("shell", "part"), [("bash", "complete -o"), ("zsh", "#compdef hubbub"), ("fish", "complete ")]
)
def test_scripts(shell: str, part: str, run: Run) -> None:
    done = run("completion", shell)
    assert (done.status, part in done.out, "_HUBBUB_COMPLETE" in done.out) == (0, True, True)
    assert "\\x09" not in done.out


def test_a_mistyped_shell_gets_a_suggestion(run: Run) -> None:
    assert "(did you mean 'bash'?)" in run("completion", "bsh").err


@POSIX
def test_bash_itself_completes(tmp_path: Path, run: Run) -> None:
    program = tmp_path / "hubbub"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hubbub "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = tmp_path / "script"
    script.write_text(run("completion", "bash").out, encoding="utf-8")
    lines = f"""
        compopt() {{ :; }}
        source {script}
        COMP_WORDS=(hubbub thread --to cl); COMP_CWORD=3
        _hubbub_completion hubbub cl --to
        echo "${{COMPREPLY[@]}}"
    """
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", lines], env=environ, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "clusters", done.stderr
