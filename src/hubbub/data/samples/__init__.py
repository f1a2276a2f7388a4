"""Sample chats that ship with hubbub: an IRC support channel with its gold reply graph, and a small Slack export."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ...errors import UnknownName

NAMES = ("support.annotation.txt", "support.log", "team")


def path(name: str) -> Path:
    """Where the sample of that name lies."""
    if name not in NAMES:
        raise UnknownName("sample", name, NAMES)
    return Path(str(files(__name__) / name))
