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
from ..output_files import Output
from ..text import printable

_verbosity = {"quiet": False, "verbose": False}


def set_verbosity(quiet: bool, verbose: bool) -> None:
    """What -q and -v ask for; quiet wins."""
    _verbosity.update(quiet=quiet, verbose=verbose and not quiet)
    logging.getLogger("hubbub").setLevel(logging.INFO if _verbosity["verbose"] else logging.WARNING)


def is_quiet() -> bool:
    return _verbosity["quiet"]


def is_verbose() -> bool:
    return _verbosity["verbose"]


def report_error(sentence: str) -> None:
    """A sentence on standard error that -q does not suppress. Where that cannot be written, nobody can be told."""
    hide_progress()
    with suppress(OSError, ValueError):
        print(f"hubbub: {printable(sentence)}", file=sys.stderr, flush=True)


def tell(sentence: str) -> None:
    """A note for the user on standard error."""
    if not is_quiet():
        report_error(sentence)


def detail(sentence: str) -> None:
    """A note that only -v shows."""
    if is_verbose():
        report_error(sentence)


def is_confirmed(question: str) -> bool:
    """Asks on the terminal; anything but yes is no."""
    hide_progress()
    sys.stdout.flush()
    print(f"{printable(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def hide_progress() -> None:
    """Removes a progress display from the terminal before something else is written to it."""
    if display := sys.modules.get(f"{__package__}.progress"):
        display.hide()


def show(text: str) -> None:
    """Lines on standard output."""
    hide_progress()
    print(printable(text, keep="\n"))


class Warnings(logging.Handler):
    """What the other parts of hubbub log, a sentence a line."""

    def emit(self, record: logging.LogRecord) -> None:
        tell(f"{record.getMessage()}.")


def show_warnings() -> None:
    logger = logging.getLogger("hubbub")
    if not any(isinstance(each, Warnings) for each in logger.handlers):
        logger.addHandler(Warnings())
    set_verbosity(quiet=False, verbose=False)


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
        _finish(sys.stderr)
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
    """What was written before something failed goes out."""
    _finish(sys.stdout)


def _finish(stream: TextIO) -> None:
    """Flush a stream; what it cannot write is dropped, or Python itself would fail over it when the program ends."""
    try:
        stream.flush()
    except (HubbubError, OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
