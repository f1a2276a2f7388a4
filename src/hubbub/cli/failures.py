"""What stopped a command, as one sentence and an exit status. HUBBUB_DEBUG=1 shows where it happened too."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click

from ..errors import HubbubError, nearest
from ..text import printable
from .console import finish_output, report_error
from .signals import Terminated

FAILED, INTERRUPTED, READER_GONE = 2, 130, 141
ALMOST_NOTHING = 1 << 20  # a disk with less than this left is called full


def status_of(error: BaseException) -> int:
    """The exit status; everything but an interrupt and a closed pipe is reported on standard error."""
    if isinstance(error, SystemExit):
        return int(error.code or 0)
    finish_output()
    if _is_interrupt(error):
        return INTERRUPTED
    if isinstance(error, Terminated):
        return error.status
    if isinstance(error, BrokenPipeError) and error.filename is None:
        return READER_GONE
    if os.environ.get("HUBBUB_DEBUG", "0") not in ("", "0"):
        with suppress(OSError):
            sys.stderr.write(printable("".join(traceback.format_exception(error)), keep="\n"))
    report_error(sentence_of(error))
    return FAILED


def _is_interrupt(error: BaseException | None) -> bool:
    """An interrupt in the middle of an import reaches the caller as the cause of another error."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


def sentence_of(error: BaseException) -> str:
    if isinstance(error, HubbubError):
        return str(error)
    if isinstance(error, click.ClickException):
        return _of_usage(error)
    if isinstance(error, OSError):
        return _of_the_system(error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this."
    if isinstance(error, RecursionError):
        return "Something in the input is nested too deeply."
    what = f"{type(error).__name__}: {error}".rstrip(": .")
    return f"This is a mistake in hubbub itself ({what}); please report it with what HUBBUB_DEBUG=1 shows."


def _of_usage(error: click.ClickException) -> str:
    """What is wrong with the words of a command line, and where to look."""
    ctx = getattr(error, "ctx", None)
    help_of = f"; see {ctx.command_path} --help." if ctx else "."
    if isinstance(error, click.NoSuchOption):
        known = {name.lstrip("-"): name for param in ctx.command.get_params(ctx) for name in param.opts} if ctx else {}
        near = known.get(nearest(error.option_name.lstrip("-"), known))
        hint = f" (did you mean {near}?)" if near else ""
        return f"There is no option {error.option_name}{hint}{help_of}"
    if isinstance(error, click.BadOptionUsage):
        return f"{error.option_name} {_misuse(error.option_name, ctx)}{help_of}"
    message = error.message.rstrip(".")
    if isinstance(error, click.MissingParameter):
        return f"{_named(error.param)} is missing{help_of}"
    if isinstance(error, click.BadParameter):
        told = "." if ": " in message else help_of  # a message that says what is right needs no help
        return f"{_named(error.param)} {message}{told}"
    return f"{message}{help_of}"


def _misuse(option: str, ctx: click.Context | None) -> str:
    """A flag was given a value, or another option none."""
    params = ctx.command.params if ctx else []
    is_flag = any(option in param.opts and getattr(param, "is_flag", False) for param in params)
    return "takes no value" if is_flag else "needs a value"


def _named(param: click.Parameter | None) -> str:
    if isinstance(param, click.Option):
        return "/".join(param.opts)
    return str((param.metavar or param.name or "").strip("[].").upper()) if param else "A parameter"


def _of_the_system(error: OSError) -> str:
    """Which file it was about; where Python does not say and a disk is full, which disk."""
    reason = error.strerror or str(error) or type(error).__name__
    names = [os.fsdecode(name) for name in (error.filename, error.filename2) if isinstance(name, str | bytes)]
    if names:
        return f"{' and '.join(names)}: cannot be read or written ({reason})."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        full = ", ".join(_full()) or "the folder of temporary files, of the cache or of the output"
        return f"A file cannot be written ({reason}): {full} is full."
    return f"The system refuses something that hubbub needs ({reason})."


def _full() -> Iterator[str]:
    """The folders that hubbub writes to of itself, where nothing more can be written."""
    from ..ml.datasets import cache_folder

    for found in (tempfile.gettempdir, cache_folder):
        with suppress(OSError, HubbubError):
            folder = Path(found())
            there = next(each for each in (folder, *folder.parents) if each.exists())
            if shutil.disk_usage(there).free < ALMOST_NOTHING:
                yield str(folder)
