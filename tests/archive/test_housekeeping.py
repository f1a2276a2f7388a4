"""Looking after an archive: info, removal, checks, exports, and their commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hubbub.archive.adding import add
from hubbub.archive.export import export, records
from hubbub.archive.housekeeping import channel_infos, check, conversation_infos, remove_channel, vacuum
from hubbub.archive.search import search
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import Vectors, add_vectors
from hubbub.errors import OptionError, UnknownName, Unwritable

from .conftest import Home
from .test_ask import numbered
from .test_store import filled, judged


def test_channels_and_conversations_are_listed(home: Home) -> None:
    with filled(home / "a.db") as archive:
        (porch,) = channel_infos(archive)
        assert (porch.name, porch.messages, porch.people, porch.conversations) == ("porch", 40, 2, 10)
        listed = conversation_infos(archive, "PORCH", 3)
        assert [each.size for each in listed] == [4, 4, 4]
        with pytest.raises(UnknownName, match="porch"):
            conversation_infos(archive, "attic")


def test_a_removed_channel_leaves_nothing_behind(home: Home) -> None:
    with filled(home / "a.db") as archive:
        list(add(archive, "garden", "irssi", judged(20)))
        list(add_vectors(archive, numbered))
        assert remove_channel(archive, "Porch") == 40
        assert archive.channel_names() == ["garden"]
        assert {hit.found[0].chat for hit in search(archive, "kettles")} == {"garden"}
        assert Vectors.of(archive).ids.min() > 40
        assert check(archive) == []
        list(add(archive, "porch", "irssi", judged(40)))
        assert archive.contents().messages == 60
        assert vacuum(archive)[1] > 0


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("update conversations set size = 99 where id = 1", "wrong size"),
        ("update messages set conversation_id = null where id = 1", "without a conversation"),
        ("update messages set ordinal = 0", "same place"),
        ("update days set size = 7", "wrong count"),
        ("update days set date = ''", "days whose date cannot be read"),
        ("update messages set time = '2024-13-45T99:00:00'", "time cannot be read"),
    ],
)
def test_what_is_wrong_is_found(home: Home, damage: str, said: str) -> None:
    with filled(home / "a.db") as archive:
        assert check(archive) == []
        archive.engine.execute(damage)
        assert any(said in each for each in check(archive))


@pytest.mark.parametrize(
    "damage",
    ["update messages set id = 9223372036854775806 where id = 40", "update people set name = x'ff' where id = 1",
     "update messages set time = 5 where id = 1"],
)  # fmt: skip
def test_check_ends_on_wrong_values_of_sqlite(tmp_path: Path, damage: str) -> None:
    """A huge id, and values of another type than their column, which other engines refuse."""
    with filled(tmp_path / "a.db") as archive:
        archive.engine.driver.execute("pragma foreign_keys = off")
        archive.engine.driver.execute(damage)
        assert check(archive)


def test_a_full_text_index_that_does_not_match_is_found(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as archive:
        archive.engine.execute("update messages set text = 'other words' where id = 1")
        assert check(archive) == ["the full-text index does not match the messages"]


def test_exports_hold_everything(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        assert export(archive, tmp_path / "a.jsonl", "jsonl") == 40
        lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
        assert lines == list(records(archive))
        assert lines[1]["replies_to"] == [lines[0]["message"]]
        export(archive, tmp_path / "copy.db", "sqlite")
        with ArchiveStore(tmp_path / "copy.db") as copy:
            assert list(records(copy)) == lines
            assert search(copy, "kettles")
        with pytest.raises(Unwritable):
            export(archive, tmp_path / "a.jsonl", "jsonl")
        with pytest.raises(OptionError):
            export(archive, tmp_path / "a.xml", "xml")
        pytest.importorskip("pyarrow")
        import pyarrow.parquet as pq

        export(archive, tmp_path / "a.parquet", "parquet")
        assert pq.read_table(tmp_path / "a.parquet").to_pylist() == lines


def hubbub(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hubbub", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_commands(home: Home, tmp_path: Path) -> None:
    place = home / "a.db"
    with filled(place) as archive:
        name = archive.kept("")[0].conversation_id
    shown = hubbub("show", name, "--in", place)
    assert shown.stdout.startswith(f"conversation {name}, porch\n"), shown.stderr
    assert shown.stdout.count("\n") == 5
    assert hubbub("archive", "show", name, "--in", place).stdout == shown.stdout
    assert hubbub("show", "c-zzzzz", "--in", place).returncode == 2
    assert "porch          40       2             10" in hubbub("archive", "info", "--in", place).stdout
    assert hubbub("archive", "list", "-n", 4, "--in", place).stdout.count("\n") == 5  # a heading and four rows
    assert hubbub("archive", "export", "--out", tmp_path / "x.jsonl", "--in", place).returncode == 0
    assert "no problems were found" in hubbub("archive", "check", "--in", place).stdout
    assert "40 messages removed" in hubbub("archive", "remove", "porch", "--in", place).stdout
    assert hubbub("archive", "vacuum", "--in", place).returncode == 0
    assert hubbub("archive", "remove", "--in", place).returncode == 2
