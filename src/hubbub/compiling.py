"""The ways in which functions are compiled: code of rooms that has to be fast, and the trees they share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np

from .datasets import cache_folder

Array: TypeAlias = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])
KEPT = 6  # folders of older code, one for each version of a room's code
_PACKAGE = Path(__file__).parent


def entry(function: Function) -> Function:
    """The function as machine code that Python calls, kept on disk for the next run."""
    return _kept(function)


def compiled(function: Function) -> Function:
    """The same for a function that only compiled code calls, which saves most of the time it takes to compile it."""
    return _kept(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _kept(function: Function, **options: Any) -> Function:
    """numba asks for a new compilation only if the function's own file changed; ours depends on all of them."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_folder(before, digest(room_of_code(function.__module__))))
    try:
        return cast(Function, numba.njit(cache=True, error_model="numpy", **options)(function))
    finally:
        config.CACHE_DIR = before


def room_of_code(module: str) -> str:
    """The room that a module belongs to, "" for one at the root."""
    _, room, *below = module.split(".")
    return room if below else ""


@cache
def digest(room: str) -> str:
    """A name for the very code of a room, together with what is compiled for all rooms."""
    own = sorted((_PACKAGE / room).rglob("*.py")) if room else []
    sources = [_PACKAGE / "compiling.py", _PACKAGE / "trees.py", *own]
    return blake2b(b"".join(path.read_bytes() for path in sources), digest_size=8).hexdigest()


@cache
def _folder(wish: str, name: str) -> Path:
    """A folder for this very code: below NUMBA_CACHE_DIR if that is set, else below the user's cache."""
    home = Path(wish) if wish else cache_folder()
    folder = home / f"compiled-{name}"
    if not folder.exists():
        _make_room(home)
    return folder


def _make_room(home: Path) -> None:
    """Of what older code has left, the latest stay: other versions may be in use. What cannot be removed stays too."""
    with suppress(OSError):
        left = sorted(home.glob("compiled-*"), key=lambda folder: folder.stat().st_mtime)
        for folder in left[:-KEPT]:
            rmtree(folder, ignore_errors=True)


def inlined(function: Function) -> Function:
    """For a function that is called from one place: it becomes part of its caller and is not compiled for itself."""
    return cast(Function, numba.njit(error_model="numpy", inline="always")(function))
