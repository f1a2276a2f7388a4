"""The corpus of Elsner and Charniak 2008: lines `T<thread> <seconds> <name> : text`, or * for actions and events.

T-1 is a system line. Only conversations are annotated, so that in the gold each message answers the one before it in
its conversation. Every annotator's file is a chat of its own; the files marked X, but for annotator 0, were set aside
by the authors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from ...bounded_files import read_bytes
from ...chat import Chat, Kind, Message
from ...errors import Broken
from ...layers import ReplyGraph
from .chains import chain_conversations

ENDING = ".annot"
_LINE = re.compile(r"T(-?\d{1,9}) (\d{1,9}) (\S+) ([:*]) ?(.*)")
_START = datetime(1970, 1, 1)  # the corpus has seconds and no date


def annotated(files: Sequence[Path]) -> list[Path]:
    """The files of annotators that count."""
    found = [path for path in files if path.name.endswith(ENDING)]
    return [path for path in found if not path.stem.endswith("X") or path.stem.endswith("-0X")]


def read_annotated(path: Path) -> tuple[Chat, ReplyGraph]:
    """A chat and its conversations. Only the seconds between messages are known; they count from 1970."""
    lines = read_bytes(path).decode("utf-8", errors="replace").replace("\r\n", "\n").split("\n")
    found = []
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        match = _LINE.fullmatch(line.rstrip("\r"))
        if not match:
            raise Broken(str(path), f"line {number} is no message such as T3 125 Ines :  hello")
        found.append(match)
    messages = tuple(_message(position, match) for position, match in enumerate(found))
    threads = [int(match[1]) for match in found]
    return Chat(path.name, messages), chain_conversations([thread if thread >= 0 else None for thread in threads])


def _message(position: int, match: re.Match[str]) -> Message:
    thread, seconds, name, mark, text = match.groups()
    kind: Kind = "system" if int(thread) < 0 else "action" if mark == "*" else "message"
    body = f"{name} {text.strip()}" if kind == "system" else text.strip()
    return Message(str(position), _START + timedelta(seconds=int(seconds)), name, body, kind)
