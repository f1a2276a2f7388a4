"""Completion: the scripts of the shells, and what they get for the words so far."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Run

POSIX = pytest.mark.skipif(os.name == "nt", reason="shells of POSIX")


def completed(run: Run, monkeypatch: pytest.MonkeyPatch, line: str, replaced: str | None = None) -> set[str]:
    """What bash gets for a line; its last word is being typed, and the part after the last `:` or `=` replaced."""
    monkeypatch.setenv("_HUBBUB_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_REPLACED", re.split("[ :=]", line)[-1] if replaced is None else replaced)
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
        ("hubbub evaluate thread/hubbub --on irc:t", {"plain,test", "plain,train"}),
        ("hubbub evaluate thread/hubbub --on irc:", {"plain,test", "plain,train"}),
        ("hubbub evaluate thread/hubbub --on=irc:t", {"plain,test", "plain,train"}),
        ("hubbub evaluate thread/hubbub --on=ir", {"plain,irc:test"}),
        ("hubbub thread --to=cs", {"plain,csv"}),
        ("hubbub thread --to=", {"plain,csv", "plain,links"}),
        ("hubbub search x --in=a", {"file,a"}),
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


def test_a_bash_that_does_not_break_words_gets_them_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(run, monkeypatch, "hubbub thread --to=cs", "--to=cs") == {"plain,--to=csv"}
    line = "hubbub evaluate thread/hubbub --on=irc:te"
    assert "plain,--on=irc:test" in completed(run, monkeypatch, line, "--on=irc:te")


def test_files_with_colons(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("chat:1.log", "chat:2.log", "other"):
        (tmp_path / name).touch()
    assert completed(run, monkeypatch, "hubbub read chat:") == {"plain,1.log", "plain,2.log"}
    assert completed(run, monkeypatch, "hubbub read --out=chat:1") == {"plain,1.log"}
    assert completed(run, monkeypatch, "hubbub read chat\\:1", "chat\\:1") == {"file,chat:1"}


@pytest.mark.parametrize(("shell", "given"), [("zsh", "2"), ("fish", "--to=cs")])
def test_other_shells_get_whole_words(shell: str, given: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_HUBBUB_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "hubbub thread --to=cs")
    monkeypatch.setenv("COMP_CWORD", given)
    assert "--to=csv" in run().out


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
        for line in "hubbub thread --to cl" "hubbub thread --to=cl" "hubbub evaluate x --on irc:te"; do
            COMP_LINE=$line; COMP_POINT=${{#line}}
            _hubbub_completion hubbub "${{line##*[ :=]}}" --to
            echo "${{COMPREPLY[@]}}"
        done
    """
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", lines], env=environ, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["clusters", "clusters", "test"], done.stderr
