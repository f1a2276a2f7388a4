"""Work on an archive that is made to fail at one step after the other; runs with faults.c preloaded.

python -m tests.archive.fault_runs FOLDER KIND [FIRST STEP] prints a line of JSON for each fault that went wrong, and at
last how many steps there were.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.housekeeping import check, remove_channel, vacuum
from hubbub.archive.schema import metadata
from hubbub.archive.store import ArchiveStore
from hubbub.errors import ArchiveError, HubbubError

from .test_store import judged

KINDS = {"eio": 1, "enospc": 2, "kill": 3}
DONE, FAILED, WRONG = 0, 3, 4
MAX_STEPS = 5_000  # more means that a run never succeeds


def work(place: str | Path) -> None:
    """What people do with an archive; doing it again changes nothing."""
    said = list(judged(12))
    later = [ThreadedMessage(each.message._replace(time=_tomorrow(each)), each.back, each.scores) for each in said]
    corrected = said[5]._replace(message=said[5].message._replace(text="number 5 about copper kettles"))
    with ArchiveStore(place, create=True) as archive:
        if archive.contents().messages < 8:  # a text before its correction would be a correction of it
            list(add(archive, "porch", "irssi", said[:8]))
        list(add(archive, "porch", "irssi", [*said[4:5], corrected, *said[6:], *later]))
        list(add(archive, "attic", "irssi", said))
        remove_channel(archive, "attic")
        vacuum(archive)


def _tomorrow(each: ThreadedMessage) -> Any:
    assert each.message.time
    return each.message.time + timedelta(days=1)


def dump(place: str | Path) -> dict[str, list[Any]]:
    """Every row of an archive that has no problems, but for the times at which corrections were recorded."""
    with ArchiveStore(place) as archive:
        assert check(archive) == []
        found = {}
        for table in metadata.sorted_tables:
            names = ", ".join(f'"{column.name}"' for column in table.columns if column.name != "recorded")
            found[table.name] = sorted(map(repr, archive.rows(f"select {names} from {table.name}")))
        return found


def must_be_sound(place: str | Path) -> None:
    """It opens and has no problems, unless it was not made yet."""
    try:
        dump(place)
    except ArchiveError as error:
        if "is empty and no archive yet" not in str(error):
            raise


def in_child(task: Callable[[], None]) -> int:
    """Runs it in a forked process; DONE, FAILED with a sentence, WRONG with a traceback, or minus a signal."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = WRONG
    try:
        task()
        status = DONE
    except HubbubError:
        status = FAILED
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def run(folder: Path, kind: str, first: int, step: int) -> None:
    library = ctypes.CDLL(None)
    clean = folder / "clean.db"
    work(clean)
    right = dump(clean)

    for number in range(first, MAX_STEPS, step):
        place = folder / f"{kind}{number}" / "faulty.db"
        place.parent.mkdir()

        def faulty(place: Path = place, number: int = number) -> None:
            library.fault_arm(b"faulty.db", ctypes.c_long(number), KINDS[kind])
            work(place)
            if library.fault_calls() >= number:
                raise HubbubError("the fault went unnoticed")

        def recovered(place: Path = place) -> None:
            if place.exists():
                must_be_sound(place)
            work(place)
            assert dump(place) == right

        status, after = in_child(faulty), in_child(recovered)
        if status == WRONG or after != DONE:
            print(json.dumps({"kind": kind, "step": number, "status": status, "after": after}), flush=True)
        shutil.rmtree(place.parent)
        if status == DONE:
            print(json.dumps({"kind": kind, "steps": number - 1}), flush=True)
            return
    print(json.dumps({"kind": kind, "steps": None}), flush=True)


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], *(map(int, sys.argv[3:5]) if len(sys.argv) > 3 else (1, 1)))
