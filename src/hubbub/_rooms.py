"""A room is called by its verb: `hubbub.read(...)` runs `hubbub.read.read(...)`, in Python as on the command line."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        verb = self.__name__.rpartition(".")[2]
        return getattr(self, verb)(*args, **options)


def callable_room(module: str) -> None:
    sys.modules[module].__class__ = _Room
