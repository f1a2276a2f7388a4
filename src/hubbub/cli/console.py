"""Standard output and standard error: the only ways in which a command writes to a terminal.

Everything passes `printable`, so that nothing in a chat or in a name of a file can drive the terminal.
"""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from ..errors import HubbubError
from ..placing import Output
from ..text import printable

CLEAR_LINE = "\r\x1b[K"


def tell(sentence: str) -> None:
    """A sentence for the user on standard error. Where that cannot be written there is nobody to tell."""
    with suppress(OSError, ValueError):
        over_progress = CLEAR_LINE if sys.stderr.isatty() else ""
        print(f"{over_progress}hubbub: {printable(sentence)}", file=sys.stderr, flush=True)


def show_progress(text: str = "") -> None:
    """What is going on, over what was there before; nothing clears the line."""
    with suppress(OSError, ValueError):
        print(f"{CLEAR_LINE}{printable(text)}", end="", file=sys.stderr, flush=True)


def show(text: str) -> None:
    """Lines on standard output."""
    print(printable(text, keep="\n"))


class Warnings(logging.Handler):
    """What the other parts of hubbub warn of, a sentence a line."""

    def emit(self, record: logging.LogRecord) -> None:
        tell(f"{record.getMessage()}.")


def show_warnings() -> None:
    logger = logging.getLogger("hubbub")
    if not any(isinstance(each, Warnings) for each in logger.handlers):
        logger.addHandler(Warnings(logging.WARNING))


@contextmanager
def standard_streams() -> Iterator[None]:
    """Output is UTF-8 with plain newlines, whatever the locale says, and its errors are told from all others."""
    before = sys.stdin, sys.stdout, sys.stderr
    _occupy_closed()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout = _output(sys.stdout)
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _occupy_closed() -> None:
    """A closed stream's number would go to the next file that is opened, and that would get what was meant for it."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (number := os.open(os.devnull, os.O_RDONLY)) < 3:
            pass
        os.close(number)


def _output(stream: TextIO | None) -> TextIO:
    """The stream over the same file; one that is closed takes nothing, and one that a test put in place stays."""
    if stream is None:
        number = 1
    elif isinstance(stream, io.TextIOWrapper) and isinstance(_raw(stream), io.FileIO):
        stream.flush()
        number = stream.fileno()
    else:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
        return stream
    raw = Output(number, "standard output", BrokenPipeError, closefd=False)
    lines = raw.isatty()
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", newline="", line_buffering=lines
    )


def _raw(stream: io.TextIOWrapper) -> object:
    """The file below a stream; with PYTHONUNBUFFERED there is no buffer between the two."""
    return getattr(stream.buffer, "raw", stream.buffer)


def finish_output() -> None:
    """What was written before something failed goes out; if that is what failed, the rest of it goes nowhere.

    Otherwise the end of the program would fail over it once more.
    """
    try:
        sys.stdout.flush()
    except (HubbubError, OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
