"""hubbub turns a group chat into structured data: replies, conversations, people, intents, answers."""

from __future__ import annotations

import sys

# Nothing else is imported here, not even `typing`: the program cannot yet end silently on an interrupt.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .analysis import Analysis
    from .api import (
        analyse,
        dialogues,
        evaluate,
        intents,
        load,
        open,
        people,
        read,
        read_all,
        save,
        stream,
        suggest_replies,
        thread,
        train,
    )
    from .archive.archive import Archive
    from .chat import Aliases, Chat, Chats, Message
    from .errors import HubbubError
    from .layers import Conversation, Intent, Link, Mention, Person, Reply, ReplyGraph

__version__ = "0.1.0"

__all__ = [
    "Aliases",
    "Analysis",
    "Archive",
    "Chat",
    "Chats",
    "Conversation",
    "HubbubError",
    "Intent",
    "Link",
    "Mention",
    "Message",
    "Person",
    "Reply",
    "ReplyGraph",
    "__version__",
    "analyse",
    "dialogues",
    "evaluate",
    "intents",
    "load",
    "open",
    "people",
    "read",
    "read_all",
    "save",
    "stream",
    "suggest_replies",
    "thread",
    "train",
]

_CHAT = ("Aliases", "Chat", "Chats", "Message")
_LAYERS = ("Conversation", "Intent", "Link", "Mention", "Person", "Reply", "ReplyGraph")
_HOMES = {
    **dict.fromkeys(_CHAT, "chat"),
    **dict.fromkeys(_LAYERS, "layers"),
    "Analysis": "analysis",
    "Archive": "archive.archive",
    "HubbubError": "errors",
}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used. What has no home of its own is a function of `api`."""
    if name not in __all__:
        raise AttributeError(f"module 'hubbub' has no attribute {name!r}; it has: {', '.join(__all__)}")
    from importlib import import_module

    found = getattr(import_module(f"hubbub.{_HOMES.get(name, 'api')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return list(__all__)


class _Package(type(sys)):  # type: ignore[misc]
    """`read`, `thread` and `people` are functions here, and packages below: importing those must not hide these."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, type(sys))):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
