"""Damaged archives: every command ends within seconds, with a result or with one sentence.

HUBBUB_DAMAGED=1000 tries that many archives; else there are 80.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from hubbub.archive.schema import metadata
from hubbub.archive.store import ArchiveStore
from hubbub.cli import main

from .test_store import SAMPLE, filled

COUNT = int(os.environ.get("HUBBUB_DAMAGED", "80"))
FOUND_ONCE = (730,)  # text of the schema that is no UTF-8
MAX_SECONDS = 10
VALUES = ("x'ff00fe'", "'words'", "-1", "1e300", "9223372036854775807", "''", "null", "'2024-13-45T99:00:00'")


def flipped(path: Path, chance: random.Random) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 3, 30, 300))):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    path.write_bytes(raw)


def flipped_in_the_header(path: Path, chance: random.Random) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 2, 5))):
        raw[chance.randrange(100)] = chance.randrange(256)
    path.write_bytes(raw)


def cut(path: Path, chance: random.Random) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[: chance.randrange(len(raw))])


def blanked(path: Path, chance: random.Random) -> None:
    """A page of zeros, as a disk leaves it that never wrote it; or one page in the place of another."""
    raw = bytearray(path.read_bytes())
    page, other = (4096 * chance.randrange(1, len(raw) // 4096) for _ in range(2))
    raw[page : page + 4096] = bytes(4096) if chance.random() < 0.5 else raw[other : other + 4096]
    path.write_bytes(raw)


def wrong_values(path: Path, chance: random.Random) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        table = chance.choice(metadata.sorted_tables)
        column = chance.choice([column.name for column in table.columns])
        for _ in range(chance.choice((1, 5))):
            value = chance.choice(VALUES)
            try:
                rows = [row for (row,) in made.execute(f"select rowid from {table.name} order by rowid")]
                if rows:
                    row = chance.choice(rows)
                    made.execute(f'update {table.name} set "{column}" = {value} where rowid = {row}')
            except sqlite3.Error:  # a constraint, or a table without rowid
                continue


def wrong_schema(path: Path, chance: random.Random) -> None:
    """Another program changed the tables."""
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute("pragma writable_schema = on")
        table = chance.choice([*metadata.sorted_tables, None])
        if table is None:
            made.execute("drop table words")
        elif chance.random() < 0.5:
            made.execute(f"drop table {table.name}")
        else:
            column = chance.choice([column.name for column in table.columns])
            made.execute(f'alter table {table.name} rename column "{column}" to other')


def wrong_version(path: Path, chance: random.Random) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute(f"pragma user_version = {chance.choice((-1, 0, 1, 2, 4, 99, 2**31 - 1))}")


def wrong_log(path: Path, chance: random.Random) -> None:
    """The file of changes beside an archive, of a program that crashed, is damaged or of another archive."""
    Path(f"{path}-wal").write_bytes(chance.randbytes(chance.choice((10, 32, 4096, 40_000))))


DAMAGES: Sequence[Callable[[Path, random.Random], None]] = (
    flipped, flipped, flipped_in_the_header, cut, blanked, wrong_values, wrong_values, wrong_schema, wrong_version,
    wrong_log,
)  # fmt: skip


def ran(words: Sequence[str], output: Path) -> tuple[int, str]:
    """Exit status, or minus the signal that ended it, and standard error of a command in a process of its own."""
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, output.read_text(encoding="utf-8", errors="replace")
    status = 99
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(MAX_SECONDS)
        with output.open("w", encoding="utf-8") as err, Path(os.devnull).open("w", encoding="utf-8") as out:
            sys.stderr, sys.stdout = err, out
            try:
                status = main(list(words))
            except SystemExit as stop:
                status = int(stop.code or 0)
            except BaseException:
                traceback.print_exc()
    finally:
        os._exit(status)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="every command runs in a forked process")
def test_every_damaged_archive_is_a_result_or_one_sentence(tmp_path: Path) -> None:
    sound, log = tmp_path / "sound.db", tmp_path / "small.log"
    log.write_text("".join(SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)[:30]), encoding="utf-8")
    assert main(["index", str(log), "--in", str(sound), "--no-vectors", "-q"]) == 0  # compiles the model, too
    filled(sound, 400).close()
    with ArchiveStore(sound) as archive:
        name = archive.kept("")[-1].conversation_id
    commands = (["archive", "info"], ["archive", "list"], ["search", "kettles"], ["show", name], ["archive", "check"],
                ["index", str(log), "--no-vectors", "-q"])  # fmt: skip
    wrong = []
    for seed in sorted({*range(COUNT), *FOUND_ONCE}):
        damage, chance = DAMAGES[seed % len(DAMAGES)], random.Random(seed)
        place = tmp_path / f"{seed}" / "a.db"
        place.parent.mkdir()
        shutil.copy(sound, place)
        damage(place, chance)
        for words in commands:
            status, err = ran([*words, "--in", str(place)], tmp_path / "err")
            said = [line for line in err.splitlines() if line.startswith("hubbub: ")]
            if status not in (0, 2) or (status == 2 and len(said) != 1) or "mistake in hubbub" in err:
                wrong.append((seed, damage.__name__, words[:2], status, err[-300:]))
        shutil.rmtree(place.parent)
    assert not wrong, "\n".join(map(str, wrong))
