"""The archive: what goes in comes out, once, whatever happens meanwhile; and what is no archive is said."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp

import pytest

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.housekeeping import check
from hubbub.archive.search import SearchFilters, search
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.errors import ArchiveError, Missing

from ..conftest import Run
from .conftest import Home

NOBODY = 65534  # the user without permissions
START = datetime(2024, 5, 2, 20, 0)
SAMPLE = Path(__file__).parents[2] / "src" / "hubbub" / "data" / "samples" / "support.log"


def judged(count: int) -> Iterator[ThreadedMessage]:
    """Two people a conversation of four messages; the third message of each says the same everywhere."""
    for i in range(count):
        who, text = ("wilma", "oren")[i % 2], "me too" if i % 4 == 2 else f"number {i} about kettles"
        back = (1,) if i % 4 else (0,)
        yield ThreadedMessage(Message(str(i), START + timedelta(seconds=i // 8), who, text), back, (0.9,))


def filled(path: str | Path, count: int = 40) -> ArchiveStore:
    archive = ArchiveStore(path, create=True)
    list(add(archive, "porch", "irssi", judged(count)))
    return archive


def whole(archive: ArchiveStore) -> list[tuple[object, ...]]:
    """Everything that matters, by content and not by number."""
    return [(k.message, k.conversation) for k in archive.kept("order by m.ordinal")]


def test_messages_and_conversations_come_back(home: Home) -> None:
    with filled(home / "a.db") as archive:
        assert [kept.message for kept in archive.kept("order by m.ordinal")] == [each.message for each in judged(40)]
        assert [kept.message.id for kept in archive.conversation(2)] == ["4", "5", "6", "7"]
        assert archive.contents().conversations == 10
        sizes = archive.rows("select size, people, last_message - first_message from conversations")
        assert set(map(tuple, sizes)) == {(4, 2, 3)}
        assert archive.number("select count(*) from replies where message_id <> parent_id") == 30


def test_indexing_again_adds_nothing_and_a_grown_log_what_is_new(home: Home) -> None:
    with filled(home / "a.db") as archive:
        before = whole(archive)
        assert list(add(archive, "porch", "irssi", judged(40))) == [(40, 0)]
        assert whole(archive) == before
        assert list(add(archive, "porch", "irssi", judged(50))) == [(50, 10)]
        with filled(home / "b.db", 50) as other:
            assert whole(archive) == whole(other)


def test_another_channel_with_the_same_words_is_another(home: Home) -> None:
    with filled(home / "a.db") as archive:
        assert list(add(archive, "garden", "irssi", judged(40))) == [(40, 40)]


CRASH = """
import os, signal, sys
from pathlib import Path
from hubbub.archive import adding as indexing
from hubbub.archive.store import ArchiveStore as Archive
from tests.archive.test_store import judged

archive, left = Archive(Path(sys.argv[1]), create=True), int(sys.argv[2])

def count(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

archive.engine.driver.set_trace_callback(count)
list(indexing.add(archive, "porch", "irssi", judged(200)))
"""


@pytest.mark.slow
def test_thirty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "a.db", random.Random(11)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(30):
        left = str(chance.randint(1, 900))
        done = subprocess.run([sys.executable, "-c", CRASH, str(path), left], env=environment, timeout=60)
        assert done.returncode in (0, -signal.SIGKILL)
        with ArchiveStore(path) as archive:
            held = [kept.message for kept in archive.kept("order by m.ordinal")]
        assert held == [each.message for each in judged(len(held))]
    with ArchiveStore(path, write=True) as archive:
        list(add(archive, "porch", "irssi", judged(200)))
        with filled(tmp_path / "b.db", 200) as other:
            assert whole(archive) == whole(other)
        archive.engine.driver.execute("insert into words (words, rank) values ('integrity-check', 1)")


def test_search_finds_conversations_and_filters(home: Home) -> None:
    with filled(home / "a.db") as archive:
        hits = search(archive, "Kettle number 13")
        assert hits[0].found[0].message.id == "13"
        assert {kept.message.id for kept in archive.conversation(hits[0].conversation)} == {"12", "13", "14", "15"}
        assert search(archive, "kettles", filters=SearchFilters(person="nobody")) == []
        assert {
            k.message.author for h in search(archive, "kettles", filters=SearchFilters(person="OREN")) for k in h.found
        } == {"oren"}
        assert search(archive, "kettles", filters=SearchFilters(since="2024-05-03")) == []
        assert len(search(archive, "kettles", 3, SearchFilters(until="2024-05-02", channel="porch"))) == 3
        assert search(archive, '?! "') == []


@pytest.mark.parametrize("words", ['"', "a OR", "text:", "NEAR(", "*", "'; drop table messages; --"])
def test_no_query_is_a_command(home: Home, words: str) -> None:
    with filled(home / "a.db", 4) as archive:
        search(archive, words)
        assert archive.contents().messages == 4


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("create table cats (name text)")


def newer(path: Path) -> None:
    filled(path).close()
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("pragma user_version = 99")


def damaged(path: Path) -> None:
    filled(path, 4000).close()
    raw = bytearray(path.read_bytes())
    raw[4096:] = bytes(len(raw) - 4096)
    path.write_bytes(raw)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (foreign, "did not make"),
        (newer, "newer"),
        (lambda path: path.write_bytes(b"no database at all" * 100), "no database"),
        (lambda path: path.write_bytes(b""), "empty"),
        (damaged, "damaged"),
    ],
)
def test_what_is_no_archive_is_said(tmp_path: Path, spoil: object, said: str) -> None:
    spoil(tmp_path / "a.db")  # type: ignore[operator]
    with pytest.raises(ArchiveError, match=said), ArchiveStore(tmp_path / "a.db") as archive:
        search(archive, "kettles")


def test_a_missing_archive_is_missing(tmp_path: Path) -> None:
    with pytest.raises(Missing):
        ArchiveStore(tmp_path / "none.db")


def test_a_locked_archive_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hubbub.archive.sqlite.WAIT_SECONDS", 0.05)
    filled(tmp_path / "a.db").close()
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        with (
            pytest.raises(ArchiveError, match="another program"),
            ArchiveStore(tmp_path / "a.db", write=True) as archive,
        ):
            list(add(archive, "porch", "irssi", judged(4)))


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as archive:
        (pages,) = archive.engine.driver.execute("pragma page_count").fetchone()
        archive.engine.driver.execute(f"pragma max_page_count = {pages + 2}")
        with pytest.raises(ArchiveError, match="disk is full"):
            list(add(archive, "porch", "irssi", judged(5000)))
        archive.engine.driver.execute("pragma max_page_count = 1000000")
        assert archive.contents().messages == 40


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that another user may enter; pytest's own may be entered by its user alone."""
    folder = Path(mkdtemp(prefix="hubbub-archive-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def without_permissions() -> Iterator[None]:
    """Root may do everything, so it becomes another user."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o755), (0o666, 0o555), (0o444, 0o555)])
def test_an_archive_that_may_only_be_read_is_read_checked_and_left_alone(
    shared_folder: Path, file: int, folder: int
) -> None:
    path = shared_folder / "a.db"
    filled(path).close()
    path.chmod(file)
    shared_folder.chmod(folder)
    with without_permissions():
        with ArchiveStore(path) as archive:
            assert len(search(archive, "kettles", 20)) == 10
            assert check(archive) == []
        if file == 0o444:
            with pytest.raises(ArchiveError, match="no permission to write"):
                ArchiveStore(path, create=True)
    assert [each.name for each in shared_folder.iterdir()] == ["a.db"]
    shared_folder.chmod(0o755)
    path.chmod(0o644)
    with ArchiveStore(path, write=True) as archive:
        assert list(add(archive, "porch", "irssi", judged(50))) == [(50, 10)]


def test_reading_leaves_no_files_behind_and_writes_nothing(tmp_path: Path) -> None:
    filled(tmp_path / "a.db").close()
    before = (tmp_path / "a.db").read_bytes()
    with ArchiveStore(tmp_path / "a.db") as archive:
        assert check(archive) == []
        with pytest.raises(ArchiveError, match="only be read"):
            list(add(archive, "porch", "irssi", judged(50)))
    assert [each.name for each in tmp_path.iterdir()] == ["a.db"]
    assert (tmp_path / "a.db").read_bytes() == before


def test_a_file_that_may_not_be_read_is_said(shared_folder: Path) -> None:
    filled(shared_folder / "a.db").close()
    (shared_folder / "a.db").chmod(0o600)
    if os.geteuid() != 0:
        (shared_folder / "a.db").chmod(0o000)
    with without_permissions(), pytest.raises(ArchiveError, match="no permission to read"):
        ArchiveStore(shared_folder / "a.db")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("none/a.db", "the folder .*none does not exist"),
        (".", "it is a folder"),
        ("mysql://me:secret@host/chats", "mysql is not supported"),
        ("sqlite://a.db", "sqlite:///FILE"),
    ],
)
def test_a_place_where_no_archive_can_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArchiveError, match=said) as raised:
        ArchiveStore(place, create=True)
    assert "secret" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_the_address_of_a_file_is_its_path(tmp_path: Path) -> None:
    filled(f"sqlite:///{tmp_path}/a.db").close()
    with ArchiveStore(tmp_path / "a.db") as archive:
        assert archive.contents().messages == 40


def hubbub(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hubbub", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_index_then_search(tmp_path: Path) -> None:
    made = hubbub("index", SAMPLE, "--in", tmp_path / "a.db")
    assert made.returncode == 0, made.stderr
    assert "324 messages" in made.stdout
    found = hubbub("search", "fsck", "--in", tmp_path / "a.db", "-n", 1)
    assert found.stdout.startswith("conversation ")
    assert any(line.startswith(">") and "fsck" in line for line in found.stdout.splitlines())
    assert hubbub("search", "xylophone", "--in", tmp_path / "a.db").stdout == "Nothing was found.\n"
    wrong = hubbub("search", "fsck", "--in", tmp_path / "a.db", "--since", "yesterday")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_no_error_shows_the_password_of_a_database(run: Run, scheme: str) -> None:
    ran = run("archive", "info", "--in", f"{scheme}://user:secret@127.0.0.1:1/x")
    assert ran.status == 2
    assert "secret" not in ran.err
