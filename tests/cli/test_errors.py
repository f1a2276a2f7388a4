"""What goes wrong is one sentence that names the right thing, whatever the command line says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hubbub import cli
from hubbub.cli import EXIT_LEFT_OUT
from hubbub.cli.failures import sentence_of
from hubbub.errors import Unwritable
from hubbub.output_files import placed_file, placed_folder
from hubbub.view.export import placed

from ..conftest import Put, Run

LOG = "[12:00] <ana> hi\n[12:01] <ben> ana: hello, how do I install java?\n[12:02] <ana> ben: apt install java\n"
POSIX = pytest.mark.skipif(os.name == "nt", reason="devices and links of POSIX")


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder with a chat, and with much that is no chat."""
    (tmp_path / "chat.log").write_text(LOG, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    (tmp_path / "nuls").write_bytes(bytes(100_000))
    (tmp_path / "examples.csv").write_text("text,intent\na,b\nc,d\n", encoding="utf-8")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "broken").symlink_to("nowhere")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (tmp_path / "deep.jsonl").write_text('{"dialogue":' + "[" * 100_000 + "\n", encoding="utf-8")
    (tmp_path / "deep.toml").write_text("a=" + "[" * 100_000, encoding="utf-8")
    (tmp_path / "links").write_text("0 0 -\n0 1 -\n", encoding="utf-8")
    row = {"position": 0, "time": None, "sender": "a", "recipient": "b", "text": "x", "bare": "x"}
    (tmp_path / "dialogues.jsonl").write_text(json.dumps({"dialogue": "a", "utterances": [row]}), encoding="utf-8")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


ODD = {
    "read LOOP": "symbolic link",
    "read BROKEN": "broken: it is a symbolic link to nowhere, which is not there",
    "read LOG --out LOOP": "points at itself",
    "read LOG --out FOLDER": "FOLDER: cannot be written (Is a directory)",
    "read LOG --out LOG/x": "Not a directory",
    "read LOG --out /dev/full": "/dev/full: cannot be written (No space left on device)",
    "read LOG --to csv --out /dev/full": "/dev/full: cannot be written",
    "view LOG --svg FOLDER": "FOLDER: cannot be written (Is a directory)",
    "view LOG --svg /dev/full": "/dev/full: cannot be written",
    "view LOG --width 99999999999": "at most 10,000 columns",
    "answer LOG --at 1 --candidates links --person ana": "it chooses among the replies of an archive, --in.",
    "view LOG --cast links": "--cast links: it is used with --people only.",
    "thread LOG --by people": "--by people: must be conversation.",
    "thread LOG --to convokit --out LOG": "it is a file",
    "thread LOG --to convokit --out LOOP": "points at itself",
    "thread LOG --why 99999999999999999999999": "has messages 1 to 3",
    "people LOG --cast /dev/zero": "it is a device",
    "people LOG --cast FOLDER": "FOLDER: cannot be read (Is a directory)",
    "people LOG --cast deep.json": "it is no JSON",
    "people LOG --cast deep.toml": "it is no TOML",
    "people LOG --confirm /dev/zero": "it is a device",
    "people LOG --to text --width 3 --out x": "at least 20 columns",
    "intent hi --intents /dev/zero": "it is a device",
    "intent hi --intents FOLDER": "FOLDER: is empty",
    "intent hi --intents FIFO": "it is a pipe",
    "intent check /dev/zero": "it is a device",
    "intent check FOLDER": "FOLDER: is empty",
    "intent check deep.json": "nested too deeply",
    "index LOG --in FOLDER": "it is a folder, and an archive is a file",
    "index LOG --in /dev/null": "it is a device",
    "index LOG --in none/archive.db": "the folder none does not exist",
    "index LOG --in LOOP": "points at itself",
    "index LOG --in /proc/archive.db": "files cannot be made in /proc",
    "search java --in LOOP": "points at itself",
    "search java --in BROKEN": "a symbolic link to nowhere",
    "intent check LOOP": "points at itself",
    "evaluate LOOP --on LOG": "points at itself",
    "search java --in FOLDER": "it is a folder, and an archive is a file",
    "ask java --in FOLDER": "it is a folder, and an archive is a file",
    "answer LOG --at 1 --in FOLDER": "it is a folder, and an archive is a file",
    "answer LOG --at 1 --candidates /dev/zero": "it is a device",
    "answer LOG --at 1 --candidates FOLDER": "FOLDER: cannot be read (Is a directory)",
    "examples /dev/zero --out x": "it is a device",
    "examples deep.jsonl --out x": "line 1 is no dialogue",
    "examples dialogues.jsonl --out x --split nan,nan": "two shares",
    "examples dialogues.jsonl --out x --false -1": "--false -1: must be a whole number, 0 or more",
    "train foo": "There is no task named 'foo'; known: answer, intent",
    "train thread --model thread/hubub": "There is no model named 'thread/hubub' (did you mean 'thread/hubbub'?)",
    "train thread --model intent/fast": "one of the task thread is needed",
    "examples dialogues.jsonl --out -": "must be a folder, which standard output is not",
    "thread LOG --to convokit --out -": "a ConvoKit corpus is a folder",
    "answer LOG --at 9 --candidates links": "--at 9: chat has messages 1 to 3.",
    "train thread --on /dev/zero --out x": "it is a device",
    "train thread --recipe /dev/zero": "it is a device",
    "train thread --recipe deep.toml": "not a valid TOML file",
    "train thread --recipe FOLDER": "Is a directory",
    "evaluate thread/previous --on /dev/zero": "it is a device",
    "agree /dev/zero /dev/zero": "it is a device",
    "agree links links --gold links --trials -1": "--trials -1: must be a whole number, 0 or more",
    "agree LOOP LOOP": "symbolic links",
    "train intent --on examples.csv --out x --set hidden=999999999": "it takes a number from 1 to 8192",
    "index LOG --in x.db --model intent/fast": "one of the task thread is needed",
    "answer LOG --at 1 --candidates links --threads intent/fast": "one of the task thread is needed",
    "answer LOG --at 1 --candidates links --model intent/fast": "one of the task answer is needed",
    "dialogues LOG --how threads --model intent/fast": "one of the task thread is needed",
    "read NULS": "is a binary file",
    "intent check NULS": "binary",
    "people LOG --cast NULS": "binary",
}


@POSIX
@pytest.mark.parametrize("line", ODD)
def test_odd_command_lines(line: str, odd: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(odd)
    meant = {"LOG": "chat.log", "FOLDER": "folder", "LOOP": "loop", "BROKEN": "broken", "FIFO": "fifo", "NULS": "nuls"}
    words = [meant.get(word, word).replace("LOG/", "chat.log/") for word in line.split()]
    before = sorted(path.name for path in odd.iterdir())
    done = run(*words)
    assert (done.status, done.out) == (2, "")
    assert ODD[line].replace("FOLDER", "folder") in done.err
    assert done.err.count("\n") == 1
    assert sorted(path.name for path in odd.iterdir()) == before


@POSIX
def test_an_archive_that_got_nothing_is_removed_but_not_the_link_to_it(tmp_path: Path, put: Put, run: Run) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "archive.db")
    assert run("index", put("none.log", bytes(1000)), "--no-vectors", "--in", link).status == 2
    assert (link.is_symlink(), (tmp_path / "archive.db").exists()) == (True, False)
    log = put("chat.log", LOG)
    assert run("index", log, "--no-vectors", "--model", "thread/previous", "--in", link).status == 0
    assert (link.is_symlink(), (tmp_path / "archive.db").exists()) == (True, True)
    assert "apt install java" in run("search", "java", "--in", link).out


EMPTY = [
    "read ''", "read LOG --out ''", "read LOG --format ''", "view LOG --svg ''", "thread LOG --model ''",
    "people LOG --cast ''", "people LOG --who ''", "people LOG --confirm ''", "intent hi --intents ''",
    "intent hi --model ''", "intent --chat ''", "intent check ''", "index LOG --in ''", "search x --in ''",
    "ask x --in ''", "answer LOG --at 1 --candidates ''", "dialogues LOG --out ''", "examples '' --out x",
    "examples x --out ''", "train thread --on '' --out x", "train thread --on x --out ''", "train thread --recipe ''",
    "evaluate '' --on x", "evaluate x --on ''", "agree '' x", "agree x ''", "agree x x --gold ''", "datasets --data ''",
    "reproduce --models ''",
]  # fmt: skip


@pytest.mark.parametrize("line", EMPTY)
def test_an_empty_name_is_no_name(line: str, put: Put, run: Run) -> None:
    log = str(put("chat.log", LOG))
    done = run(*("" if word == "''" else word.replace("LOG", log) for word in line.split(" ")))
    assert (done.status, done.out) == (2, "")
    assert "has an empty value" in done.err


def test_a_name_that_is_no_text(tmp_path: Path, run: Run) -> None:
    log = Path(os.fsdecode(bytes(tmp_path) + b"/bad\xff.log"))
    try:
        log.write_text(LOG, encoding="utf-8")
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    archive = tmp_path / "archive.db"
    assert run("index", log, "--in", archive, "--no-vectors").status == 0
    assert run("search", "java", "--in", archive).status == 0
    assert "Nobody in" in run("search", "java", "--in", archive, "--person", "\udcff").err
    assert run("read", log, "--to", "csv").status == 0
    assert run("thread", log, "--to", "convokit", "--out", tmp_path / "corpus").status == 0
    assert "bad\\udcff" in run("read", Path(f"{log}x")).err


def test_only_the_output_blames_the_output(tmp_path: Path) -> None:
    """An error of reading that comes up while a file is being written is not one of writing."""
    for placing in (placed_file, placed_folder, placed):
        with pytest.raises(FileNotFoundError) as caught, placing(str(tmp_path / "out")):
            (tmp_path / "none").read_text(encoding="utf-8")
        assert "none" in sentence_of(caught.value)
        assert "standard output" not in sentence_of(caught.value)
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_only_writing_to_standard_output_blames_it() -> None:
    code = "import sys; from hubbub import cli; cli._dispatch = lambda _: {}; sys.exit(cli.main(['x']))"
    for body, said in {
        "open('/dev/full', 'w', buffering=1).write('x\\n')": "No space left on device",
        "open('/none/x')": "/none/x: cannot be read or written (No such file or directory).",
        "print('x' * 100000)": "standard output: cannot be written (No space left on device).",
    }.items():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-c", code.format(body)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
            )
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert ("standard output" in done.stderr) == ("print" in body)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "not enough memory"),
        (RecursionError("x"), "nested too deeply"),
        (KeyError("x"), "a mistake in hubbub itself (KeyError: 'x')"),
        (OSError(28, "No space left on device", "/cache/x"), "/cache/x: cannot be read or written (No space left"),
        (OSError(28, "No space left on device"), "is full."),
        (Unwritable("x", "y"), "x: cannot be written (y)."),
    ],
)
def test_whatever_happens_is_a_sentence(
    error: Exception, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: list[str]) -> int:
        raise error

    monkeypatch.setattr(cli, "_dispatch", fails)
    monkeypatch.delenv("HUBBUB_DEBUG", raising=False)
    assert cli.main(["x"]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
    monkeypatch.setenv("HUBBUB_DEBUG", "1")
    assert cli.main(["x"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@POSIX
@pytest.mark.parametrize(
    ("redirection", "status", "said"),
    [
        (">&-", 2, "standard output: cannot be written"),
        ("> /dev/full", 2, "standard output: cannot be written"),
        ("<&-", 0, ""),
        ("2>&-", 0, ""),
        ("2>/dev/full", 0, ""),
        ("<&- >&- 2>&-", 2, ""),
        ("| true", 0, ""),
    ],
)
def test_streams_that_are_closed(put: Put, redirection: str, status: int, said: str) -> None:
    written = "no line of any log\n" + LOG
    log = put("chat.log", written)
    command = ["sh", "-c", f'"$0" -m hubbub read "$1" --format irc {redirection}', sys.executable, str(log)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert log.read_text(encoding="utf-8") == written


def test_help_and_documentation_name_the_exit_codes(run: Run) -> None:
    shown = run("--help").out
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    for code in (0, 2, EXIT_LEFT_OUT, 129, 130, 141, 143):
        assert f"\n  {code} " in shown
        assert f"\n| {code} |" in page


def test_several_chats_are_told_apart_in_links(tmp_path: Path, run: Run) -> None:
    for name in ("#a", "#b/c d"):
        (tmp_path / f"{name[1]}.jsonl").write_text(_chat(name), encoding="utf-8")
    both = run("thread", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--to", "links").out.splitlines()
    assert {line.rpartition(":")[0] for line in both} == {"#a", "#b_c_d"}
    one = run("thread", tmp_path / "a.jsonl", "--to", "links").out.splitlines()
    assert [line.rpartition(":")[2] for line in both if line.startswith("#a:")] == one
    parts = run("thread", tmp_path / "a.jsonl", "--by", "conversation", "--to", "links").out.splitlines()
    assert len(set(parts)) == len(parts)
    (tmp_path / "links.txt").write_text("\n".join(both), encoding="utf-8")
    assert run("agree", tmp_path / "links.txt", tmp_path / "links.txt", "--json").records()[0]["chats"] == 2


def _chat(name: str) -> str:
    said = (("ana", "who knows java?"), ("ben", "ana: I do"), ("cleo", "is there any cake left?"), ("dan", "cleo: yes"))
    rows: list[dict[str, object]] = [
        {"id": str(n), "time": None, "author": author, "text": text, "kind": "message", "reply_to": []}
        for n, (author, text) in enumerate(said)
    ]
    return "".join(json.dumps(row) + "\n" for row in [{"hubbub": 1, "name": name, "format": "irc"}, *rows])
