"""What the tests of the workplace readers share: writing a document, and reading it back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hubbub.chat import Chat, Message
from hubbub.read import stream
from hubbub.read.format import Report


def save(path: Path, document: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def read_all(path: Path, format: str | None = None) -> tuple[list[Chat], Report]:
    """Every chat of a place, and all that became no message."""
    chats, report = [], Report()
    for one in stream(path, format=format):
        chats.append(one.chat())
        report.merge(one.report)
    return chats, report


def read_document(folder: Path, document: Any, format: str, name: str = "chat.json") -> list[Message]:
    """The messages of a document with one chat, none of its records left unexplained."""
    chats, report = read_all(save(folder / name, document), format)
    assert not report.unexplained
    assert len(chats) == 1
    return list(chats[0])
