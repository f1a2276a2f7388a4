"""The tools of the Model Context Protocol, called by the client of its own SDK."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="needs hubbub[mcp]")

RUN = [sys.executable, "-m", "hubbub", "mcp", "--in"]


def called(server: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The results of calls over one connection."""

    async def run() -> list[Any]:
        async with mcp.Client(server) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(run())


def over_stdio(archive: Path) -> Any:
    return mcp.StdioServerParameters(command=RUN[0], args=[*RUN[1:], str(archive)], env=dict(os.environ))


def content(result: Any) -> Any:
    assert not result.is_error, result
    found = result.structured_content
    return found["result"] if set(found) == {"result"} else found


def test_the_tools_over_standard_input_and_output(site_archive: Path) -> None:
    found, answers, latest, people = called(
        over_stdio(site_archive),
        ("search_conversations", {"query": "printer", "count": 2}),
        ("ask", {"question": "how do I fly to the moon with a bicycle"}),
        ("unanswered", {"count": 3}),
        ("people", {"name": "tessaly"}),
    )
    results = content(found)["results"]
    assert len(results) == 2
    assert results[0]["found"][0]["text"]
    assert content(answers) == {"answers": [], "is_declined": True}
    assert len(content(latest)) <= 3
    assert content(people)[0]["messages"] > 5
    (conversation,) = called(over_stdio(site_archive), ("get_conversation", {"id": results[0]["conversation"]}))
    assert len(content(conversation)["messages"]) == results[0]["size"]


def test_an_unknown_conversation_is_an_error_of_one_sentence(site_archive: Path) -> None:
    (result,) = called(over_stdio(site_archive), ("get_conversation", {"id": "c-zzzzz"}))
    assert result.is_error
    assert "Traceback" not in str(result)


def test_the_tools_over_http(site_archive: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([*RUN, str(site_archive), "--http", "--port", str(port)], stderr=subprocess.PIPE) as server:
        try:
            _wait(port)
            (found,) = called(f"http://127.0.0.1:{port}/mcp", ("search_conversations", {"query": "kettle"}))
            assert content(found)["results"]
        finally:
            server.terminate()


def _wait(port: int) -> None:
    for _ in range(600):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not start")


def test_a_missing_archive_is_said_at_once(tmp_path: Path) -> None:
    ran = subprocess.run([*RUN, str(tmp_path / "no.db")], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
