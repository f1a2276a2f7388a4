"""hubbub thread on input that grows: results appear as lines arrive, and files are followed through rotation."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hubbub.jsonl import load
from hubbub.read.growing_input import FollowedFile

from ..conftest import Put, Run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="waits for pipes in the way of POSIX")

PATIENCE = 200.0  # seconds; the first run of the model compiles it
LINES = [
    "[09:00] <ines> hi, does anybody know why my printer is offline?",
    "[09:01] <raul> ines: is it switched on?",
    "[09:02] <ines> raul: yes it is",
    "[09:03] <tomo> how do I mount a usb disk?",
]


class Lines:
    """The lines that a process writes, each awaited with patience."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def take(self, count: int) -> list[str]:
        return [self._lines.get(timeout=PATIENCE).rstrip("\n") for _ in range(count)]

    def write(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()


@contextmanager
def running(*words: str) -> Iterator[Lines]:
    command = [sys.executable, "-m", "hubbub", "thread", *words]
    streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **streams) as process:
        try:
            yield Lines(process)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def append(path: Path, *lines: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def test_a_pipe_is_threaded_line_by_line() -> None:
    with running("--to", "links") as shown:
        shown.write(*LINES[:3])
        assert shown.take(3) == ["0 0 -", "0 1 -", "1 2 -"]
        shown.write(LINES[3])
        assert shown.take(1) == ["3 3 -"]


def test_json_lines_of_a_pipe_carry_each_decision_behind_its_message() -> None:
    with running() as shown:
        shown.write(*LINES[:2])
        records = [json.loads(line) for line in shown.take(5)]
        assert [record.get("author", record.get("layer")) for record in records[1:]] == [
            "ines", "replies", "raul", "replies"]  # fmt: skip


def test_json_lines_of_a_pipe_read_back_as_those_of_a_file(put: Put, run: Run) -> None:
    log = put("chat.log", "\n".join(LINES) + "\n")
    command = ["sh", "-c", 'cat "$1" | "$0" -m hubbub thread', sys.executable, str(log)]
    piped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ((_, live),) = load(piped.splitlines())
    ((_, whole),) = load(run("thread", log).out.splitlines())
    assert live.replies == whole.replies


def test_a_followed_file_survives_truncation_and_rotation(tmp_path: Path) -> None:
    log = tmp_path / "#help.log"
    append(log, *LINES[:2])
    with running("--follow", str(log), "--to", "text") as shown:
        first = shown.take(2)
        assert first[0].split()[:2] == ["1", "09:00"]
        assert "is it switched on?" in first[1]
        append(log, LINES[2])
        assert "yes it is" in shown.take(1)[0]
        log.write_text("[09:05] <mika> short\n", encoding="utf-8")
        assert "short" in shown.take(1)[0]
        log.rename(tmp_path / "#help.log.1")
        append(log, "[09:06] <mika> after the rotation")
        assert "after the rotation" in shown.take(1)[0]
    assert shown.process.returncode == 130


def test_what_was_cut_short_before_a_rotation_is_a_line_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"one\ntw")
    followed = FollowedFile(log, poll=0.01)
    with followed:
        assert followed.read(100) == b"one\ntw"
        log.rename(tmp_path / "a.log.1")
        log.write_bytes(b"three\n")
        assert (followed.read(100), followed.read(100)) == (b"\n", b"three\n")


def test_a_format_is_recognised_when_enough_has_arrived() -> None:
    with running("--to", "links") as shown:
        shown.write("")
        shown.write(LINES[0])
        shown.write(*LINES[1:])
        assert len(shown.take(4)) == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--follow", "a.log", "b.log"], "one file can be followed at a time"),
        (["--follow", "a.log", "--to", "csv"], "with --follow, use text, jsonl, json, links"),
        (["--follow", "a.log", "--conversation", "1"], "it needs the whole chat"),
        (["--follow", "none.log"], "there is no such file"),
        (["--follow", "."], "only files can be followed"),
        (["--follow", "result.json"], "has to be read to its end"),
    ],
)
def test_what_cannot_be_followed(
    words: list[str], sentence: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    append(tmp_path / "a.log", *LINES)
    record = {
        "id": 1,
        "type": "message",
        "date": "2024-01-01T10:00:00",
        "from": "Ana",
        "from_id": "user1",
        "text": "hi",
    }
    chat = {"name": "Team", "type": "private_group", "id": 7, "messages": [record] * 2}
    (tmp_path / "result.json").write_text(json.dumps(chat, indent=1) + "\n", encoding="utf-8")
    ran = run("thread", *words)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert sentence in ran.err
