"""Every IRC dialect, for a log in which one follows another."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dialect import Dialect

_MODULES = (
    "botbot", "dircproxy", "eggdrop", "generic", "hexchat", "irssi", "limnoria", "mirc", "ubuntu", "weechat",
    "xchat_iso", "znc",
)  # fmt: skip


@cache
def dialects() -> tuple[Dialect, ...]:
    return tuple(import_module(f"{__package__}.{name}").DIALECT for name in _MODULES)


def others(dialect: Dialect) -> list[Dialect]:
    return [other for other in dialects() if other.name != dialect.name]
