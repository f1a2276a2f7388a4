"""A command that is stopped leaves nothing half written behind, and says by its exit code why it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from hubbub.cli.failures import status_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

LINES = "".join(f"[12:{minute:02}] <ana> hello number {minute}\n" for minute in range(60))
TALK = "".join(
    f"[12:{minute:02}] <ana> ben: how is {minute}?\n[12:{minute:02}] <ben> ana: it is fine\n" for minute in range(60)
)
PATIENCE = 300.0  # seconds; the model of threads may have to be compiled first, on a machine with much else to do


class Stopped:
    """What a process that got a signal while it waited for input left behind."""

    def __init__(self, command: list[str], number: int, ready: Callable[[], bool], lines: str = LINES) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "hubbub", *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(lines.encode())
        process.stdin.flush()
        end = time.monotonic() + PATIENCE
        while not ready() and time.monotonic() < end and process.poll() is None:
            time.sleep(0.02)
        assert ready(), process.communicate()
        process.send_signal(number)
        self.status = process.wait(PATIENCE)
        process.stdin.close()
        assert process.stdout is not None
        assert process.stderr is not None
        self.out, self.err = process.stdout.read(), process.stderr.read()
        process.stdout.close()
        process.stderr.close()


def begun(folder: Path) -> Callable[[], bool]:
    """Whether something is being written there."""
    return lambda: any(folder.iterdir())


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
@pytest.mark.parametrize("to", ["jsonl", "csv", "text"])
def test_a_file_is_not_left_half_written(tmp_path: Path, number: int, status: int, to: str) -> None:
    stopped = Stopped(["read", "-", "--to", to, "--out", str(tmp_path / "out")], number, begun(tmp_path), LINES * 5000)
    assert (stopped.status, stopped.out, stopped.err) == (status, b"", b"")
    assert list(tmp_path.iterdir()) == []


COMMANDS = {
    "thread": ["thread", "-", "--to", "convokit", "--out", "OUT/corpus"],
    "thread above": ["thread", "-", "--to", "convokit", "--out", "OUT/above/corpus"],
    "thread file": ["thread", "-", "--out", "OUT/threads.jsonl"],
    "people": ["people", "-", "--out", "OUT/people.jsonl"],
    "intent": ["intent", "--chat", "-", "--out", "OUT/intents.jsonl"],
    "dialogues": ["dialogues", "-", "--out", "OUT/dialogues.jsonl"],
    "dialogues tsv": ["dialogues", "-", "--to", "tsv", "--out", "OUT/tree"],
    "index": ["index", "-", "--no-vectors", "--in", "OUT/archive.db"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_sigterm_leaves_nothing(tmp_path: Path, name: str) -> None:
    command = [word.replace("OUT", str(tmp_path)) for word in COMMANDS[name]]
    stopped = Stopped(command, signal.SIGTERM, begun(tmp_path))
    assert (stopped.status, stopped.err) == (143, b"")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_no_corpus(tmp_path: Path) -> None:
    command = ["thread", "-", "--to", "convokit", "--out", str(tmp_path / "corpus")]
    assert Stopped(command, signal.SIGINT, begun(tmp_path)).status == 130
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_stays(tmp_path: Path) -> None:
    old = tmp_path / "out.csv"
    old.write_text("old", encoding="utf-8")
    parts = lambda: len(list(tmp_path.iterdir())) > 1  # noqa: E731
    assert Stopped(["read", "-", "--to", "csv", "--out", str(old)], signal.SIGTERM, parts, LINES * 5000).status == 143
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("out.csv", "old")]


def test_an_archive_keeps_whole_batches(tmp_path: Path) -> None:
    """What was indexed before the signal is there, and the next run goes on from it."""
    place = tmp_path / "archive.db"
    command = [sys.executable, "-m", "hubbub", "index", "-", "--no-vectors", "--in", str(place)]
    subprocess.run(command, input=LINES.encode(), check=True, capture_output=True, timeout=PATIENCE)
    before = place.stat().st_size
    stopped = Stopped(command[3:], signal.SIGTERM, lambda: Path(f"{place}-wal").exists())
    assert stopped.status == 143
    assert place.stat().st_size >= before
    found = subprocess.run(
        [sys.executable, "-m", "hubbub", "search", '"number 1"', "--in", str(place)],
        capture_output=True,
        timeout=PATIENCE,
    )
    assert b"hello number 1" in found.stdout


def test_hangups_that_are_ignored_stay_ignored(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "hubbub", "read", "-", "--out", str(out)],
        stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(LINES.encode() * 5000)
    process.stdin.flush()
    end = time.monotonic() + PATIENCE
    while not any(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGHUP)
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    assert out.is_file()


WRITING = """
import os, signal, sys
from pathlib import Path
from hubbub import csv_output as cells
def stopping(function):
    def stopped(*given):
        function(*given)
        os.kill(os.getpid(), signal.SIGTERM)
        signal.sigpending()
    return stopped
Path.write_bytes, cells.CsvWriter.rows = stopping(Path.write_bytes), stopping(cells.CsvWriter.rows)
from hubbub.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "words", [["train", "intent", "--model", "intent/fasttext", "--set", "epochs=1", "--on", "FILE", "--out", "OUT/m"],
              ["examples", "DIALOGUES", "--out", "OUT/examples"]], ids=lambda words: words[0],
)  # fmt: skip
def test_a_folder_is_not_left_half_written(tmp_path: Path, words: list[str]) -> None:
    intents, dialogues, out = tmp_path / "intents.csv", tmp_path / "dialogues.jsonl", tmp_path / "out"
    out.mkdir()
    intents.write_text("text,intent\n" + "how much,price\ngive it back,return\n" * 4, encoding="utf-8")
    log = tmp_path / "chat.log"
    log.write_text(TALK, encoding="utf-8")
    chosen = [sys.executable, "-m", "hubbub", "dialogues", str(log), "--how", "any", "--model", "thread/previous"]
    subprocess.run([*chosen, "--out", str(dialogues)], check=True, timeout=PATIENCE)
    meant = {"FILE": str(intents), "DIALOGUES": str(dialogues)}
    command = [meant.get(word, word.replace("OUT", str(out))) for word in words]
    done = subprocess.run([sys.executable, "-c", WRITING, *command], capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (143, b"")
    assert list(out.iterdir()) == []


def test_a_stage_of_training_is_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hubbub.thread.training import checkpoints

    def stopped(out: BinaryIO, *_: object) -> None:
        out.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("numpy.savez", stopped)
    stages = checkpoints.Checkpoints([], "parameters", lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        stages.stage("trees", list)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_folder_with_other_files_keeps_them(tmp_path: Path) -> None:
    log = tmp_path / "chat.log"
    log.write_text(LINES, encoding="utf-8")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "notes.txt").write_text("mine", encoding="utf-8")
    command = [sys.executable, "-m", "hubbub", "thread", str(log), "--to", "convokit", "--out", str(corpus)]
    subprocess.run(command, check=True, timeout=PATIENCE)
    assert {"notes.txt", "utterances.jsonl", "index.json"} <= {path.name for path in corpus.iterdir()}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chat.log", "corpus"]


INTERRUPTED_IMPORT = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv = ["hubbub", sys.argv[1], "--help"]
from hubbub.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["hubbub.cli", "hubbub.cli.console", "hubbub.cli.signals"])
def test_an_interrupt_while_modules_are_imported_is_silent(module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, module]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_an_interrupt_that_an_import_turned_into_another_error_is_one() -> None:
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = KeyboardInterrupt()
    assert status_of(error) == 130
