"""hubbub index --follow: an archive that is kept up to date until Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hubbub.archive.store import ArchiveStore
from hubbub.errors import HubbubError

from ..conftest import Run
from .test_live import LINES, PATIENCE, append


def await_messages(place: Path, count: int) -> None:
    until, held = time.monotonic() + PATIENCE, -1
    while time.monotonic() < until:
        try:
            with ArchiveStore(place) as archive:
                held = archive.contents().messages
        except HubbubError:
            pass  # not made yet
        if held == count:
            return
        time.sleep(0.2)
    raise AssertionError(f"{held} messages after {PATIENCE} seconds")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl-C")
def test_an_archive_follows_a_folder_through_growth_rotation_and_new_files(tmp_path: Path) -> None:
    folder, place = tmp_path / "logs", tmp_path / "a.db"
    folder.mkdir()
    log = folder / "#help.log"
    append(log, *LINES[:2])
    command = [sys.executable, "-m", "hubbub", "index", str(folder), "--follow", "--no-vectors", "--in", str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            await_messages(place, 2)
            append(log, LINES[2])
            await_messages(place, 3)
            append(folder / "#more.log", *LINES[3:])
            await_messages(place, 4)
        finally:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "mistake" not in err
    assert not Path(f"{place}-wal").exists()


def test_only_files_and_folders_are_followed(run: Run, tmp_path: Path) -> None:
    for words in ([], ["-"]):
        ran = run("index", *words, "--follow", "--in", tmp_path / "a.db")
        assert (ran.status, ran.err.count("\n")) == (2, 1)
        assert "name files or folders" in ran.err
    assert run("index", tmp_path / "none.log", "--follow", "--in", tmp_path / "a.db").status == 2
    assert list(tmp_path.iterdir()) == []
