"""hubbub view, the default verb: what it does on a terminal, on a pipe and with its options."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hubbub.cli import COMMANDS
from hubbub.data import samples

pty = pytest.importorskip("pty", reason="needs a system with terminals")

LOG = """\
--- Log opened Mon Mar 03 21:47:52 2025
21:50 < marrow> hello there
21:51 < oberin> hi marrow \x1b[2Jhow are you
21:52  * marrow waves
"""
HUBBUB = [sys.executable, "-m", "hubbub"]
PLAIN_ENVIRON = {
    name: value
    for name, value in os.environ.items()
    if name not in ("NO_COLOR", "FORCE_COLOR", "PAGER", "HUBBUB_PAGER", "COLUMNS", "LINES", "LESS", "TERM")
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "#helpdesk.log"
    path.write_text(LOG, encoding="utf-8")
    return path


def run(*words: str, text: str | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    """What happens with that text piped in, or with nothing at all on standard input."""
    command, settings = [*HUBBUB, *words], PLAIN_ENVIRON | environ
    if text is None:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=settings, timeout=60
        )
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", env=settings, timeout=60)


def on_terminal(*words: str, environ: dict[str, str] | None = None) -> tuple[str, int]:
    """What appears on a terminal of 80 x 24, and the exit code."""
    leader, follower = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "HUBBUB_PAGER": ""}
    process = subprocess.Popen(
        [*HUBBUB, *words],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=PLAIN_ENVIRON | settings | (environ or {}),
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # what Linux says at the end
            break
        if not part:
            break
        shown += part
    os.close(leader)
    return shown.decode("utf-8").replace("\r\n", "\n"), process.wait(timeout=60)


def script(folder: Path, body: str) -> str:
    path = folder / "pager"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_chat_is_drawn_and_plain_when_piped(log: Path) -> None:
    done = run("view", str(log))
    assert done.returncode == 0
    assert "\n 21:50  marrow  hello there\n 21:51  oberin  hi marrow how are you\n" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_path_alone_is_drawn_with_its_conversations_and_people(log: Path) -> None:
    done = run(str(log))
    assert done.returncode == 0
    assert "\n ○   21:50  marrow  hello there\n ◌   21:51  oberin  hi marrow how are you\n" in done.stdout
    assert done.stdout == run("view", "--threads", "--people", str(log)).stdout
    assert run("--no-threads", "--no-people", str(log)).stdout == run("view", str(log)).stdout


def test_conversations_that_are_known_are_drawn_as_they_are(log: Path) -> None:
    known = run("read", str(log)).stdout + '{"layer":"replies","position":2,"parents":[2],"scores":[1.0]}\n'
    shown = run("-", "--no-people", text=known).stdout
    assert shown == run("view", "-", text=known).stdout
    assert "conversation" in shown


def test_a_very_long_chat_is_drawn_with_its_conversations_and_people_only_when_asked_for(tmp_path: Path) -> None:
    long = tmp_path / "long.log"
    talk = "21:53 < marrow> did tarn call?\n21:54 < oberin> marrow: he did\n"
    long.write_text(LOG + talk * 3_000, encoding="utf-8")
    done = run(str(long))
    assert done.stderr == "hubbub: long has more than 5,000 messages: people are not linked; --people links them\n"
    assert done.stdout.count("marrow: he did") == 3_000
    assert "◌" in done.stdout
    assert " 6,004 messages · " in done.stdout
    assert "[→" not in done.stdout
    linked = run(str(long), "--people")
    assert linked.stderr == ""
    assert "he[→" in linked.stdout
    assert run(str(long), "--no-people").stderr == ""
    numbered = run(str(long), "--numbers", "--no-people").stdout
    assert " 1  21:50  marrow  hello there" in numbered


def test_width_when_piped(log: Path) -> None:
    rule = [max(map(len, run("view", str(log), **environ).stdout.split("\n"))) for environ in ({}, {"COLUMNS": "70"})]
    assert rule == [99, 69]
    assert max(map(len, run("view", str(log), "--width", "40").stdout.split("\n"))) == 39


def test_too_narrow_a_width_is_one_sentence(log: Path) -> None:
    done = run("view", str(log), "--width", "3")
    assert (done.returncode, done.stderr) == (2, "hubbub: --width 3: a drawing is at least 20 columns wide.\n")


@pytest.mark.parametrize("words", [(), ("view",), ("view", "-"), ("-",), ("--width", "60")])
def test_what_is_piped_in_is_drawn(words: tuple[str, ...]) -> None:
    done = run(*words, text=LOG)
    assert "marrow  hello there" in done.stdout
    assert done.returncode == 0


def test_what_read_writes_is_drawn(log: Path) -> None:
    assert run("view", "-", text=run("read", str(log)).stdout).stdout == run("view", str(log)).stdout


def test_no_path_and_nothing_piped() -> None:
    assert run().stdout.startswith("Usage: hubbub")
    done = run("view")
    assert done.returncode == 2
    assert done.stderr == "hubbub: PATH is missing: name a file or folder, or pipe a chat in.\n"


def test_a_slip_in_the_verb_names_the_verbs(log: Path) -> None:
    done = run("raed", str(log))
    assert done.returncode == 2
    assert done.stderr == (
        "hubbub: There is no command or file named 'raed' (did you mean 'read'?); "
        f"known: {', '.join(sorted({name.partition(' ')[0] for name in COMMANDS}))}.\n"
    )
    assert run("raed.log").stderr == "hubbub: raed.log: there is no such file or folder.\n"


def test_colours_on_a_terminal(log: Path) -> None:
    shown, code = on_terminal("view", str(log))
    assert code == 0
    assert "\x1b[38;5;32mmarrow\x1b[0m  hello there\n" in shown
    assert "\x1b[2J" not in shown


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_on_a_terminal_that_wants_none(log: Path, environ: dict[str, str]) -> None:
    assert "\x1b" not in on_terminal("view", str(log), environ=environ)[0]
    assert "\x1b" in on_terminal("view", str(log), "--colour", "always", environ=environ)[0]


def test_colours_on_a_pipe_when_asked_for(log: Path) -> None:
    assert "\x1b[38;5;" in run("view", str(log), "--color", "always").stdout
    assert "\x1b[38;5;" in run("view", str(log), FORCE_COLOR="1").stdout
    assert "\x1b" not in on_terminal("view", str(log), "--colour", "never")[0]


def test_pager_on_a_terminal_when_long(tmp_path: Path, log: Path) -> None:
    pager = {"PAGER": script(tmp_path, 'sed "s/^/§/"')}
    environ = pager | {"HUBBUB_PAGER": pager["PAGER"]}
    sample = str(samples.path("support.log"))
    assert "\n§ \x1b[38;5;244m21:49" in on_terminal("view", sample, environ=environ)[0]
    assert "§" not in on_terminal("view", sample, "--no-pager", environ=environ)[0]
    assert "§" not in on_terminal("view", sample, environ=environ | {"TERM": "dumb"})[0]
    assert "§" not in on_terminal("view", str(log), environ=environ)[0]
    assert "§" not in on_terminal("view", sample, environ=pager)[0], "an empty HUBBUB_PAGER means no pager"
    assert "§" not in run("view", sample, **environ).stdout


def test_quitting_the_pager_early_is_no_error(tmp_path: Path) -> None:
    long = tmp_path / "long.log"
    long.write_text(LOG + "21:53 < marrow> and on\n21:54 < oberin> and on\n" * 20_000, encoding="utf-8")
    shown, code = on_terminal("view", str(long), environ={"HUBBUB_PAGER": script(tmp_path, "head -n 3")})
    assert code == 0
    assert shown.count("\n") == 3


def test_what_became_no_message_is_told_after_the_pager(tmp_path: Path) -> None:
    long = tmp_path / "long.log"
    long.write_text("no line of any log\n" + samples.path("support.log").read_text(encoding="utf-8"), encoding="utf-8")
    environ = {"HUBBUB_PAGER": script(tmp_path, "cat; sleep 0.2; echo closed")}
    shown, code = on_terminal("view", str(long), "--format", "irssi", environ=environ)
    assert code == 0
    assert shown.split("\n")[-3] == "closed"
    assert shown.split("\n")[-2].startswith("hubbub: unexplained: 1 line or record")


@pytest.mark.parametrize("pager", ["no-such-pager-anywhere", "'unbalanced", "cat"])
def test_a_pager_that_is_none_is_done_without(pager: str) -> None:
    shown, code = on_terminal("view", str(samples.path("support.log")), environ={"HUBBUB_PAGER": pager})
    assert code == 0
    assert "evening all" in shown


def test_many_chats_follow_each_other_under_headings(tmp_path: Path, log: Path) -> None:
    other = tmp_path / "#garden.log"
    other.write_text(LOG, encoding="utf-8")
    lines = run("view", str(log), str(other)).stdout.split("\n")
    assert [line for line in lines if line.startswith(" #")] == [" #helpdesk", " #garden"]
    assert lines[lines.index(" #garden") - 3 : lines.index(" #garden")] == [" 21:52       *  marrow waves", "", ""]


def test_picture(tmp_path: Path, log: Path) -> None:
    picture = tmp_path / "chat.svg"
    done = run("view", str(log), "--svg", str(picture), "--width", "60")
    assert (done.returncode, done.stdout) == (0, "")
    assert "hello there" in "".join(ElementTree.parse(picture).getroot().itertext())


def test_picture_that_cannot_be_made(tmp_path: Path, log: Path) -> None:
    nowhere = run("view", str(log), "--svg", str(tmp_path / "none" / "chat.svg"))
    assert nowhere.returncode == 2
    assert "cannot be written (No such file or directory)" in nowhere.stderr
    long = tmp_path / "long.log"
    long.write_text(LOG + "21:53 < marrow> and on\n" * 6_000, encoding="utf-8")
    assert "at most 5,000 lines" in run("view", str(long), "--svg", str(tmp_path / "chat.svg")).stderr
    assert not (tmp_path / "chat.svg").exists()


def test_strict_holds_for_a_drawing_too(log: Path) -> None:
    log.write_text("no line of any log\n" + LOG, encoding="utf-8")
    done = run("view", str(log), "--format", "irssi", "--strict")
    assert done.returncode == 2
    assert "hello there" in done.stdout


def test_thread_draws_on_a_terminal_and_writes_json_lines_on_a_pipe(log: Path) -> None:
    shown, code = on_terminal("thread", str(log), "--no-pager", "--colour", "never")
    assert code == 0
    assert "○   21:50  marrow  hello there" in shown
    assert run("thread", str(log)).stdout.startswith('{"hubbub":1')


def test_conversations_one_by_one_on_a_terminal(log: Path) -> None:
    shown, _ = on_terminal("thread", str(log), "--by", "conversation", "--no-pager", "--colour", "never")
    assert " Conversation 1\n" in shown
    first, _ = on_terminal("thread", str(log), "--conversation", "1", "--no-pager", "--colour", "never")
    assert shown.startswith(first)
    shown, code = on_terminal("thread", str(log), "--conversation", "9", "--no-pager")
    assert code == 2
    assert "--conversation 9: #helpdesk has conversations 1 to " in shown


def test_conversations_as_a_picture(log: Path, tmp_path: Path) -> None:
    picture = tmp_path / "threads.svg"
    assert run("thread", str(log), "--svg", str(picture)).returncode == 0
    assert "○" in "".join(ElementTree.parse(picture).getroot().itertext())
