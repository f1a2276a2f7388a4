"""Compiles functions with numba and caches their machine code on disk, a folder for each version of the source."""

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

from ..errors import HubbubError
from .datasets import cache_folder

Array: TypeAlias = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])
OLD_FOLDERS_KEPT = 6  # other versions may be in use; a folder has some MB
DISK_BLOCK = 4096  # bytes: a full disk may still take the name of a file, but not a block of it
_PACKAGE = Path(__file__).parents[1]

log = logging.getLogger(__name__)


def entry(function: Function) -> Function:
    """The function as machine code that Python calls, kept on disk for the next run."""
    return _cached(function)


def compiled(function: Function) -> Function:
    """The same for a function that only compiled code calls, which saves most of the time it takes to compile it."""
    return _cached(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _cached(function: Function, **options: Any) -> Function:
    """numba compiles anew if the function's own file changed; the folder here depends on all files of its package."""
    config: Any = numba.config
    before = config.CACHE_DIR
    folder = _folder(before, digest(package_of(function.__module__)))
    config.CACHE_DIR = str(folder or before)
    try:
        dispatcher = numba.njit(cache=folder is not None, error_model="numpy", **options)(function)
    finally:
        config.CACHE_DIR = before
    if folder is not None:
        # numba lets a call fail if its machine code cannot be written or read; here it is compiled again instead.
        cache = getattr(dispatcher, "_cache", None)
        for name in ("load_overload", "save_overload"):
            if method := getattr(cache, name, None):
                setattr(cache, name, _ignoring_os_errors(method, folder))
    return cast(Function, dispatcher)


def _ignoring_os_errors(method: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except OSError as error:
            return _warn(str(folder.parent), error.strerror or str(error))

    return call


def package_of(module: str) -> str:
    """The package below hubbub that a module belongs to, "" for a module of the top level."""
    _, package, *below = module.split(".")
    return package if below else ""


@cache
def digest(package: str) -> str:
    """The hash of the source of a package, together with what is compiled for all of them."""
    own = sorted((_PACKAGE / package).rglob("*.py")) if package else []
    sources = [_PACKAGE / "ml" / "compilation.py", _PACKAGE / "ml" / "trees" / "runtime.py", *own]
    return blake2b(b"".join(path.read_bytes() for path in sources), digest_size=8).hexdigest()


@cache
def _folder(preferred: str, name: str) -> Path | None:
    """The folder for this version of the code: below NUMBA_CACHE_DIR if that is set, else below the user's cache.

    None if nothing can be written there. numba would then take the folder of the source, where code of other
    versions may lie, or give up.
    """
    try:
        home = Path(preferred) if preferred else cache_folder()
        folder = home / f"compiled-{name}"
        if not folder.exists():
            _remove_older(home)
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"\0" * DISK_BLOCK)
        return folder
    except HubbubError as error:
        return _warn("", str(error).removesuffix("."))
    except OSError as error:
        return _warn(str(home), error.strerror or str(error))


@cache
def _warn(where: str, reason: str) -> None:
    """Cached, so that the warning appears once and not for every function."""
    problem = f"cannot be kept in {where} ({reason})" if where else f"cannot be kept ({reason})"
    log.warning(
        "compiled code %s, so that every run compiles it again, for some 15 seconds; NUMBA_CACHE_DIR names a folder "
        "that can be written",
        problem,
    )


def _remove_older(home: Path) -> None:
    """Of what older code has left, the latest stay: other versions may be in use. What cannot be removed stays too."""
    with suppress(OSError):
        left = sorted(home.glob("compiled-*"), key=lambda folder: folder.stat().st_mtime)
        for folder in left[:-OLD_FOLDERS_KEPT]:
            rmtree(folder, ignore_errors=True)


def inlined(function: Function) -> Function:
    """For a function that is called from one place: it becomes part of its caller and is not compiled for itself."""
    return cast(Function, numba.njit(error_model="numpy", inline="always")(function))
