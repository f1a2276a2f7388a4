"""hubbub makes sense of many people talking at once."""

from __future__ import annotations

# Nothing is imported here, not even `typing`: the program cannot yet end silently on an interrupt.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Aliases": "chat",
    "Chat": "chat",
    "Chats": "chat",
    "HubbubError": "errors",
    "Message": "chat",
    "answer": "answer",
    "ask": "answer",
    "evaluate": "task",
    "intent": "intent",
    "load": "model",
    "make": "model",
    "people": "people",
    "read": "read",
    "save": "model",
    "train": "task",
}

__all__ = [
    "Aliases",
    "Chat",
    "Chats",
    "HubbubError",
    "Message",
    "__version__",
    "answer",
    "ask",
    "evaluate",
    "intent",
    "load",
    "make",
    "people",
    "read",
    "save",
    "train",
]

if TYPE_CHECKING:
    from .answer import answer, ask
    from .chat import Aliases, Chat, Chats, Message
    from .errors import HubbubError
    from .intent import intent
    from .model import load, make, save
    from .people import people
    from .read import read
    from .task import evaluate, train


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"hubbub has no {name!r}; it has: {', '.join(__all__)}")
    from importlib import import_module

    home = import_module(f"hubbub.{_HOMES[name]}")
    return home if name == _HOMES[name] else getattr(home, name)


def __dir__() -> list[str]:
    return list(__all__)
