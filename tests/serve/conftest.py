"""A site on an archive of the sample chat and of a hostile one, served by a real server on a free port."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import sleep

import pytest

from hubbub import Archive, Chat, Message, ReplyGraph, read
from hubbub.data import samples

HOSTILE = (
    ("<script>alert(1)</script>", 'hello <img src=x onerror="alert(2)"> & "quotes"'),
    ("bob\u202egnp", "javascript:alert(3) data:text/html,<script>alert(4)</script>"),
    ("eve", 'see https://example.org/a"onmouseover="alert(5) and http://example.org/\u202ecod.exe'),
    ("zero\u200bwidth", "{{ 7 * 7 }} {% include '/etc/passwd' %} \x1b[31mred\x1b[0m"),
    ("long", "x" * 30_000),
)


def hostile_chat() -> Chat:
    start = datetime(2025, 1, 2, 3, 4)
    messages = tuple(
        Message(str(place), start + timedelta(minutes=place), author, text, "message")
        for place, (author, text) in enumerate(HOSTILE)
    )
    return Chat("#<b>bold</b>/../../etc", messages)


@pytest.fixture(scope="session")
def site_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("site") / "archive.db"
    with Archive(path) as archive:
        archive.add(read(samples.path("support.log")))
        archive.add(hostile_chat(), replies=ReplyGraph(((0,), (0,), (1,), (2,), (3,))))
    return path


@pytest.fixture(scope="session")
def site(site_archive: Path) -> Iterator[str]:
    """The address of a running site."""
    pytest.importorskip("fastapi", reason="needs hubbub[serve]")
    uvicorn = pytest.importorskip("uvicorn", reason="needs hubbub[serve]")
    pytest.importorskip("jinja2", reason="needs hubbub[serve]")
    from hubbub.serve.application import application

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application(site_archive), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listener.close()
