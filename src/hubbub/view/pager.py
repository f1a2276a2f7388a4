"""Lines to a terminal: as they are when they fit on it, through a pager when they do not.

By hand, not with the pager of rich: that one collects the whole drawing before it shows the first line.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr, suppress
from itertools import chain, islice
from typing import TextIO


def pager_command(environ: Mapping[str, str]) -> list[str]:
    """$HUBBUB_PAGER, $PAGER or less, or [] if there is none; an empty variable means none."""
    if os.name == "nt":
        return []
    wish = next((environ[name] for name in ("HUBBUB_PAGER", "PAGER") if name in environ), "less -RFX")
    try:
        words = shlex.split(wish)
    except ValueError:
        return []
    return words if words and words[0] != "cat" and shutil.which(words[0]) else []


def show(lines: Iterator[str], out: TextIO, height: int, command: list[str]) -> None:
    """Writes the lines; with a pager command, only as many as the height go straight out."""
    first = list(islice(lines, height)) if command else []
    if command and len(first) == height:
        _page(chain(first, lines), command)
        return
    for line in chain(first, lines):
        out.write(line + "\n")


def _page(lines: Iterable[str], command: list[str]) -> None:
    """Streams into the pager until the end, or until it is quit; writes to stderr wait for its end."""
    environ = {"LESS": "RFX", "LESSCHARSET": "utf-8"} | os.environ
    pager = subprocess.Popen(command, stdin=subprocess.PIPE, encoding="utf-8", errors="replace", env=environ)
    assert pager.stdin is not None
    said = io.StringIO()
    try:
        with redirect_stderr(said), suppress(BrokenPipeError), pager.stdin as entrance:
            entrance.writelines(line + "\n" for line in lines)
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException:
        pager.terminate()  # we were asked to end, and nobody is left to quit it
        raise
    finally:
        _wait(pager)
        sys.stderr.write(said.getvalue())


def _wait(pager: subprocess.Popen[str]) -> None:
    """Waits for the pager to end; interrupts are for the pager."""
    while pager.poll() is None:
        with suppress(KeyboardInterrupt):
            pager.wait()
