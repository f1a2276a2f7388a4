"""A line on stderr that shows that something is going on, if it takes over a second and a person is looking."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from .console import show_progress

Item = TypeVar("Item")

FIRST, BETWEEN, LOOK = 1.0, 0.2, 2000


def shown_progress(items: Iterator[Item], name: str) -> Iterator[Item]:
    """The same items; counted on stderr only if that is a terminal and the output is not."""
    return _counted(items, name) if sys.stderr.isatty() and not sys.stdout.isatty() else items


def _counted(items: Iterator[Item], name: str) -> Iterator[Item]:
    due, count = time.monotonic() + FIRST, 0
    for count, item in enumerate(items, 1):
        yield item
        if count % LOOK == 0 and (now := time.monotonic()) >= due:
            due = now + BETWEEN
            show_progress(f"{name}: {count:,} messages")
    show_progress()


@contextmanager
def said_meanwhile(sentence: str) -> Iterator[None]:
    """A sentence on stderr that goes away when the work is done, if a person is looking."""
    looking = sys.stderr.isatty()
    if looking:
        show_progress(sentence)
    try:
        yield
    finally:
        if looking:
            show_progress()


def counted_meanwhile(steps: Iterable[int], name: str, total: int) -> Iterator[int]:
    """The same steps, each the number of things it did; how far it is stands on stderr, if a person is looking."""
    done, looking = 0, sys.stderr.isatty()
    for count in steps:
        done += count
        if looking:
            show_progress(f"{name}: {done:,} of {total:,}")
        yield count
    if looking:
        show_progress()
