"""The ways in which functions are compiled: code of rooms that has to be fast, and the trees they share."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np

from .datasets import cache_folder
from .errors import HubbubError

Array: TypeAlias = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])
KEPT = 6  # folders of older code, one for each version of a room's code
A_BLOCK = 4096  # bytes: a full disk may still take the name of a file, but not a block of it
_PACKAGE = Path(__file__).parent

log = logging.getLogger(__name__)


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
    folder = _folder(before, digest(room_of_code(function.__module__)))
    config.CACHE_DIR = str(folder or before)
    try:
        made = numba.njit(cache=folder is not None, error_model="numpy", **options)(function)
    finally:
        config.CACHE_DIR = before
    if folder is not None:
        _outlive_full_disks(made, folder)
    return cast(Function, made)


def _outlive_full_disks(made: Any, folder: Path) -> None:
    """numba would let a call fail because its machine code cannot be kept or read: then it is only compiled again."""
    cache = getattr(made, "_cache", None)
    for name in ("load_overload", "save_overload"):
        if method := getattr(cache, name, None):
            setattr(cache, name, _forgiving(method, folder))


def _forgiving(method: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except OSError as error:
            return _warn(str(folder.parent), error.strerror or str(error))

    return call


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
def _folder(wish: str, name: str) -> Path | None:
    """A folder for this very code: below NUMBA_CACHE_DIR if that is set, else below the user's cache.

    None if nothing can be written there. numba would then take the folder of the source, where code of other
    versions may lie, or give up.
    """
    try:
        home = Path(wish) if wish else cache_folder()
        folder = home / f"compiled-{name}"
        if not folder.exists():
            _remove_older(home)
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"\0" * A_BLOCK)
        return folder
    except HubbubError as error:
        return _warn("", str(error).removesuffix("."))
    except OSError as error:
        return _warn(str(home), error.strerror or str(error))


@cache
def _warn(where: str, reason: str) -> None:
    """Once, because every compiled function meets the same folder."""
    kept = f"cannot be kept in {where} ({reason})" if where else f"cannot be kept ({reason})"
    log.warning(
        "compiled code %s, so that every run compiles it again, for some 15 seconds; NUMBA_CACHE_DIR names a folder "
        "that can be written",
        kept,
    )


def _remove_older(home: Path) -> None:
    """Of what older code has left, the latest stay: other versions may be in use. What cannot be removed stays too."""
    with suppress(OSError):
        left = sorted(home.glob("compiled-*"), key=lambda folder: folder.stat().st_mtime)
        for folder in left[:-KEPT]:
            rmtree(folder, ignore_errors=True)


def inlined(function: Function) -> Function:
    """For a function that is called from one place: it becomes part of its caller and is not compiled for itself."""
    return cast(Function, numba.njit(error_model="numpy", inline="always")(function))
