"""Readers of chat exports, one module or package a format. `hubbub.read` is the function that uses them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .formats import FORMATS
    from .reading import ChatStream, ChatStreams, read, read_all, stream
    from .report import LeftOut, Remark, Report

__all__ = ["FORMATS", "ChatStream", "ChatStreams", "LeftOut", "Remark", "Report", "read", "read_all", "stream"]

_HOMES = {"FORMATS": "formats", "LeftOut": "report", "Remark": "report", "Report": "report"}


def __getattr__(name: str) -> Any:
    """Imports what is asked for when it is asked for, so that importing hubbub stays fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES.get(name, 'reading')}", __name__), name)
