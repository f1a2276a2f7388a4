"""Several processes at once: archives that are made twice, and readers while somebody writes.

HUBBUB_READ_SECONDS=60 lets the readers read for a minute; else for three seconds.
"""

from __future__ import annotations

import os
import random
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.conversation_lookup import find_conversation
from hubbub.archive.housekeeping import check, conversation_infos, remove_channel
from hubbub.archive.store import ArchiveStore

from .conftest import Home
from .test_store import filled, judged, whole

READERS = 20
SECONDS = float(os.environ.get("HUBBUB_READ_SECONDS", "3"))
FORK = get_context("fork")


def in_processes(tasks: list[Callable[[], None]]) -> None:
    """Runs them at the same time; all must succeed."""
    started = FORK.Barrier(len(tasks))

    def run(task: Callable[[], None]) -> None:
        status = 1
        try:
            started.wait(60)
            task()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    processes = [FORK.Process(target=run, args=(task,)) for task in tasks]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120 + SECONDS)
    assert [process.exitcode for process in processes] == [0] * len(tasks)


def test_processes_that_make_the_same_archive_at_once_make_one(home: Home) -> None:
    with filled(home / "clean.db") as archive:
        right = whole(archive)
    for number in range(3):
        place = home / f"{number}.db"
        in_processes([lambda place=place: filled(place).close()] * 4)  # type: ignore[misc]
        with ArchiveStore(place) as archive:
            assert whole(archive) == right
            assert check(archive) == []


def write(place: str | Path, until: float) -> None:
    """Day after day, and another channel that comes and goes."""
    with ArchiveStore(place, write=True) as archive:
        day = 0
        while time.monotonic() < until:
            day += 1
            list(add(archive, "porch", "irssi", [_later(each, day) for each in judged(40)]))
            list(add(archive, "attic", "irssi", judged(8)))
            remove_channel(archive, "attic")


def _later(each: ThreadedMessage, day: int) -> ThreadedMessage:
    assert each.message.time
    return each._replace(message=each.message._replace(time=each.message.time + timedelta(days=day)))


def read(place: str | Path, until: float, seed: int) -> None:
    """All conversations have four messages, all the time."""
    chance, last = random.Random(seed), 0
    with ArchiveStore(place) as archive:
        while time.monotonic() < until:
            sizes = archive.rows("select count(*) from messages group by conversation_id")
            assert {size for (size,) in sizes} == {4}
            with archive.snapshot():
                one: Any = chance.choice(conversation_infos(archive, count=30))
                assert len(find_conversation(archive, one.id).messages) == one.size == 4
                count = archive.contents().messages
                assert count == archive.contents().messages == 4 * archive.contents().conversations
            assert count >= last - 8, "only the other channel disappears"
            last = count


@pytest.mark.slow
def test_readers_see_whole_conversations_while_somebody_writes(home: Home) -> None:
    place = home / "a.db"
    filled(place).close()
    until = time.monotonic() + SECONDS
    readers = [lambda seed=seed: read(place, until, seed) for seed in range(READERS)]
    in_processes([lambda: write(place, until), *readers])
    with ArchiveStore(place) as archive:
        assert archive.contents().messages > 40
        assert check(archive) == []
