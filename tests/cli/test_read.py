"""The verb `read` as people run it."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from ..conftest import Put, Run

LOG = "[10:00] <ann> hello\n[10:01] <bob> hi ann\n=== bob is now known as rob\n[10:02]  * ann waves\n"


def test_json_lines_have_a_header_and_every_field(run: Run, put: Put) -> None:
    header, *messages = run("read", put("#room_20200101.txt", LOG)).records()
    assert header == {"hubbub": 1, "name": "#room", "format": "ubuntu"}
    assert messages[1] == {
        "id": "1",
        "time": "2020-01-01T10:01:00",
        "author": "bob",
        "text": "hi ann",
        "kind": "message",
        "reply_to": [],
    }
    assert [message["kind"] for message in messages] == ["message", "message", "system", "action"]


def test_a_summary_is_one_object_a_chat(run: Run, put: Put) -> None:
    (found,) = run("read", put("#room_20200101.txt", LOG), "--to", "summary").records()
    assert found == {
        "name": "#room",
        "format": "ubuntu",
        "messages": 4,
        "system": 1,
        "actions": 1,
        "authors": 2,
        "first": "2020-01-01T10:00:00",
        "last": "2020-01-01T10:02:00",
        "total": 4,
        "continued": 0,
        "unexplained": {"count": 0, "first": []},
        "skipped": {},
    }


def test_what_is_not_understood_is_named_and_strict_makes_it_an_error(run: Run, put: Put) -> None:
    path = put("#room.txt", LOG + "\nwhat is this\n")
    loose, strict = run("read", path, "--to", "summary"), run("read", path, "--strict")
    assert loose.status == 0
    assert f"unexplained: 1 line or record, not a line of this format ({path}:6)" in loose.err
    assert loose.records()[0]["unexplained"] == {
        "count": 1,
        "first": [{"where": str(path), "line": 6, "reason": "not a line of this format"}],
    }
    assert strict.status == 2
    assert "--strict" in strict.err


def test_standard_input_plain_packed_and_zipped(run: Run) -> None:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr("#room.txt", LOG)
    for given in (LOG.encode(), gzip.compress(LOG.encode()), box.getvalue()):
        assert len(run("read", "-", stdin=given).records()) == 5


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.log"], "no such file"),
        (["{log}", "--format", "nonsense"], "no chat format named 'nonsense'; known: "),
        (["{log}", "--format", "slack"], "does not read as slack"),
        (["{log}", "--date", "yesterday"], "--date yesterday: a day is written as 2013-01-31"),
        (["{log}", "--timezone", "Mars/Olympus"], "a time zone is written as Europe/Berlin"),
        (["{log}", "--columns", "author"], "columns are written as author=nick"),
        (["{log}", "--to", "nonsense"], "--to nonsense: must be one of jsonl, csv"),
        (["{log}", "--nonsense"], "There is no option --nonsense; see hubbub read --help."),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run: Run, put: Put, words: list[str], says: str) -> None:
    log = put("#room.txt", LOG)
    ran = run("read", *(word.format(log=log) for word in words))
    assert ran.status == 2
    assert ran.out == ""
    assert says in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


def test_a_failed_run_leaves_no_file_behind(run: Run, put: Put) -> None:
    broken = put("#room.txt.gz", gzip.compress((LOG * 5000).encode())[:-50])
    out = broken.with_name("out.jsonl")
    assert run("read", broken, "--strict", "--out", out).status == 2
    assert sorted(path.name for path in broken.parent.iterdir()) == ["#room.txt.gz"]


def test_an_unexplained_line_in_strict_mode_leaves_no_file_behind(run: Run, put: Put) -> None:
    log = put("#room.txt", LOG + "\nwhat is this\n")
    assert run("read", log, "--strict", "--out", log.with_name("out.jsonl")).status == 2
    assert not log.with_name("out.jsonl").exists()


def tar_of(log: str, mode: str) -> bytes:
    box = io.BytesIO()
    with tarfile.open(fileobj=box, mode=mode) as archive:  # type: ignore[call-overload]
        member = tarfile.TarInfo("#room.txt")
        member.size = len(log.encode())
        archive.addfile(member, io.BytesIO(log.encode()))
    return box.getvalue()


@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_file_needs_no_name_that_says_so(run: Run, put: Put, mode: str) -> None:
    packed = tar_of(LOG, mode)
    for ran in (run("read", put("backup", packed)), run("read", "-", stdin=packed)):
        assert ran.records()[0] == {"hubbub": 1, "name": "#room", "format": "ubuntu"}


def test_a_short_archive_that_is_cut_is_broken_and_not_empty(run: Run) -> None:
    ran = run("read", "-", stdin=gzip.compress(LOG.encode())[:20])
    assert ran.status == 2
    assert "is broken or cut short" in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
@pytest.mark.parametrize("to", ["jsonl", "csv", "summary"])
def test_an_output_that_takes_nothing_is_one_sentence(put: Put, output: str, to: str) -> None:
    log = put("#room.txt", LOG)
    command = ["sh", "-c", f'"$0" -m hubbub read "$1" --to {to} {output}', sys.executable, str(log)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("hubbub: standard output: cannot be written (")
    assert ran.stderr.count("\n") == 1
