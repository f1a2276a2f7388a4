"""Every test that takes `home` runs on both engines; PostgreSQL is a real server on a loopback port."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol

import pytest

NUMBERS = count()


class Home(Protocol):
    """A place for archives: a folder, or a server."""

    def __truediv__(self, name: str) -> str | Path: ...


class Server:
    """A PostgreSQL server; each name is a database of its own."""

    def __init__(self, port: int) -> None:
        self.port, self.known = port, dict[str, str]()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def __truediv__(self, name: str) -> str:
        if name not in self.known:
            import psycopg

            self.known[name] = f"archive{next(NUMBERS)}"
            with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                connection.execute(f"create database {self.known[name]}".encode())
        return self.url(self.known[name])


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    other = shutil.which("initdb")
    return Path(other).parent if other else None


def _run(*words: object) -> None:
    """PostgreSQL refuses to run as root."""
    command = [str(word) for word in words]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    # its output is not captured: the server would keep the pipe open
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, cwd="/")


@dataclass
class ServerProcess:
    """A server of its own, with its data in a folder of its own."""

    programs: Path
    folder: Path
    port: int

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -F"
        log = self.folder / "log"
        _run(self.programs / "pg_ctl", "-D", self.folder / "data", "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """As a crash would: connections are lost, and the server recovers when it starts again."""
        _run(self.programs / "pg_ctl", "-D", self.folder / "data", "-w", "-m", "immediate", "stop")


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[ServerProcess]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (initdb was not found)")
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: pip install 'hubbub[postgresql]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    folder = Path(mkdtemp(prefix="hubbub-postgresql-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    options = ("-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale", "C.UTF-8", "-N")
    server = ServerProcess(programs, folder, port)
    try:
        _run(programs / "initdb", "-D", folder / "data", *options)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql_port(postgresql_server: ServerProcess) -> int:
    return postgresql_server.port


@pytest.fixture(params=["sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    return tmp_path if request.param == "sqlite" else Server(request.getfixturevalue("postgresql_port"))


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def shared_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Home:
    if request.param == "sqlite":
        return tmp_path_factory.mktemp("archives")
    return Server(request.getfixturevalue("postgresql_port"))
