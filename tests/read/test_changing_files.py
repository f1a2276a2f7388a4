"""Files that change while they are followed: grown, truncated, rotated, new in a folder. No test waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hubbub.errors import Missing
from hubbub.read.changing_files import ChangingFiles
from hubbub.read.growing_input import FollowedFile


def followed(path: Path, *changes: Callable[[], object], ignored: str = "") -> Iterator[list[tuple[str, str]]]:
    """Name and text of the files that are to be read, each time; the changes happen in the pauses."""
    waiting = iter(changes)

    def pause(_: float) -> None:
        change = next(waiting, None)
        if change is None:
            raise KeyboardInterrupt
        change()

    rounds = ChangingFiles([str(path)], ignored, pause).rounds()
    while True:
        try:
            (place,) = next(rounds)
        except KeyboardInterrupt:
            return
        files = sorted(Path(place).iterdir()) if Path(place).is_dir() else [Path(place)]
        yield [(file.name, file.read_text(encoding="utf-8")) for file in files]


def append(path: Path, text: str) -> Callable[[], object]:
    def change() -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)

    return change


def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("one\n", encoding="utf-8")
    found = followed(log, append(log, "two\n"), lambda: None, lambda: log.write_text("3\n", encoding="utf-8"))
    assert list(found) == [[("a.log", text)] for text in ("one\n", "one\ntwo\n", "3\n")]


def test_a_line_that_is_being_written_is_awaited(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("one\n", encoding="utf-8")
    assert list(followed(log, append(log, "tw"), append(log, "o\n"))) == [
        [("a.log", "one\n")],
        [("a.log", "one\ntwo\n")],
    ]


def test_what_came_before_a_rotation_is_read_under_the_same_name(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("one\n", encoding="utf-8")

    def rotate() -> None:
        append(log, "two\n")()
        log.rename(tmp_path / "a.log.1")
        log.write_text("three\n", encoding="utf-8")

    assert list(followed(log, rotate)) == [[("a.log", "one\n")], [("a.log", "one\ntwo\n")], [("a.log", "three\n")]]


def test_a_file_that_is_missing_for_a_moment_is_awaited(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("one\n", encoding="utf-8")
    moved = tmp_path / "b.log"
    found = followed(log, lambda: log.rename(moved), lambda: log.write_text("two\n", encoding="utf-8"))
    assert list(found) == [[("a.log", "one\n")], [("a.log", "two\n")]]
    with pytest.raises(Missing):
        next(ChangingFiles([str(tmp_path / "none.log")]).rounds())


def test_a_new_file_in_a_folder_is_a_change_but_what_is_ignored_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("one\n", encoding="utf-8")
    changes = append(tmp_path / "archive.db-wal", "x"), append(tmp_path / "b.log", "two\n")
    found = list(followed(tmp_path, *changes, ignored=str(tmp_path / "archive.db")))
    assert [[name for name, _ in files] for files in found] == [["a.log"], ["a.log", "archive.db-wal", "b.log"]]


@pytest.mark.parametrize("more", ["", "and longer than what was there before\n"])
def test_a_truncated_file_is_read_from_its_beginning_even_if_it_is_longer_by_now(tmp_path: Path, more: str) -> None:
    log = tmp_path / "a.log"
    log.write_text("one\ntwo\n", encoding="utf-8")
    with FollowedFile(log, poll=0.01) as file:
        assert file.read(100) == b"one\ntwo\n"
        log.write_text(f"three\n{more}", encoding="utf-8")
        assert file.has_more()
        assert file.read(100) == f"three\n{more}".encode()
        append(log, "four\n")()
        assert file.read(100) == b"four\n"
