"""Faults at one step after the other: the archive opens, has no problems, and the next run gives the clean result.

HUBBUB_ALL_FAULTS=1 tries every step; else every fifth, from another one on for each kind of fault.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from hubbub.errors import ArchiveError

from .conftest import Server, ServerProcess
from .fault_runs import dump, must_be_sound, work

HERE = Path(__file__).parent
STEP = 1 if os.environ.get("HUBBUB_ALL_FAULTS") else 5
RESTARTED_AT = (5, 40, 120) if STEP > 1 else range(1, 10_000, 10)


@pytest.fixture(scope="module")
def fault_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("the library that makes writes fail needs a C compiler and Linux")
    library = tmp_path_factory.mktemp("library") / "faults.so"
    command = [compiler, "-shared", "-fPIC", "-o", str(library), str(HERE / "faults.c"), "-ldl"]
    subprocess.run(command, check=True, timeout=120)
    return library


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "first"), [("eio", 1), ("enospc", 2), ("kill", 3)])
def test_no_failed_write_or_sync_and_no_kill_harms_an_archive(
    fault_library: Path, tmp_path: Path, kind: str, first: int
) -> None:
    path = os.pathsep.join([str(HERE.parents[1]), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "LD_PRELOAD": str(fault_library)}
    start = first if STEP > 1 else 1
    command = [sys.executable, "-m", "tests.archive.fault_runs", str(tmp_path), kind, str(start), str(STEP)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)
    *wrong, last = map(json.loads, done.stdout.splitlines())
    assert wrong == [], done.stderr[-2000:]
    assert last["steps"] > 100, "it must have failed at that many steps"


def interrupted(place: str, number: int, interrupt: Callable[[int], None]) -> bool:
    """Works on an archive, with an interruption before the Nth statement; False if the work was done before that."""
    left = number

    def count(connection: Connection, *_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            driver: Any = connection.connection.driver_connection
            interrupt(driver.info.backend_pid)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        work(place)
    except ArchiveError:
        return True
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    return left <= 0


@pytest.mark.slow
def test_no_lost_connection_harms_an_archive(postgresql_port: int) -> None:
    import psycopg

    server = Server(postgresql_port)
    work(server / "clean")
    right = dump(server / "clean")

    def terminate(process: int) -> None:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute("select pg_terminate_backend(%s, 10000)", [process])

    number = 1
    while interrupted(server / f"lost{number}", number, terminate):
        must_be_sound(server / f"lost{number}")
        work(server / f"lost{number}")
        assert dump(server / f"lost{number}") == right, number
        number += STEP * 2
    assert number > 50, "it must have been interrupted at that many statements"


@pytest.mark.slow
def test_no_restart_of_the_server_harms_an_archive(postgresql_server: ServerProcess) -> None:
    server = Server(postgresql_server.port)
    work(server / "clean")
    right = dump(server / "clean")

    def restart(_: int) -> None:
        postgresql_server.stop()
        postgresql_server.start()

    for number in RESTARTED_AT:
        place = server / f"restarted{number}"
        if not interrupted(place, number, restart):
            break
        must_be_sound(place)
        work(place)
        assert dump(place) == right, number
