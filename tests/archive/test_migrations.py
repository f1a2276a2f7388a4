"""Archives of earlier versions open as archives of this one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hubbub.archive import migrations
from hubbub.archive.housekeeping import check
from hubbub.archive.schema import VERSION
from hubbub.archive.search import search
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import Vectors, add_vectors
from hubbub.errors import ArchiveError

from .test_ask import numbered

FIXTURES = Path(__file__).parent / "fixtures"


def copied(name: str, folder: Path) -> Path:
    return Path(shutil.copy(FIXTURES / name, folder / "a.db"))


@pytest.mark.parametrize("name", ["version-1.db", "version-2.db"])
@pytest.mark.parametrize("write", [False, True])
def test_an_earlier_version_is_brought_up_to_date(name: str, write: bool, tmp_path: Path) -> None:
    path = copied(name, tmp_path)
    with closing(sqlite3.connect(path)) as old:
        texts = old.execute("select id, text from messages order by id").fetchall()
    with ArchiveStore(path, write=write) as archive:
        assert archive.engine.state().version == VERSION
        assert [tuple(row) for row in archive.rows("select id, text from messages order by id")] == texts
        assert archive.contents().conversations == 6
        assert archive.channel_names() == ["#garden", "#house"]
        assert check(archive) == []
        assert search(archive, "sourdough")[0].conversation_id.startswith("c-")
        assert archive.number("select count(*) from days where date is not null") == 2
        assert archive.number("select count(*) from days where follows is not null") == 1
    with ArchiveStore(path, write=True) as archive:
        list(add_vectors(archive, numbered))
        assert len(Vectors.of(archive)) == 18


def test_a_migration_that_fails_leaves_the_archive_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = copied("version-2.db", tmp_path)

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("no")

    monkeypatch.setattr(migrations, "_copy_messages", fails)
    with pytest.raises(ArchiveError):
        ArchiveStore(path, write=True)
    monkeypatch.undo()
    with ArchiveStore(path) as archive:
        assert archive.contents().messages == 22


def test_every_version_before_this_one_has_a_step() -> None:
    assert list(migrations.STEPS) == list(range(1, VERSION))
