"""Progress on standard error: for whatever takes over a second, if standard error is a terminal.

The display appears late, so that a fast command neither flickers nor pays for the import of rich.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ..text import printable
from .console import is_quiet

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")

DELAY = 1.0  # seconds before anything is shown
INTERVAL = 0.2  # seconds between updates
CHECKED_EVERY = 200  # items between two looks at the clock, which cost more than most items

_shown: list[ProgressDisplay] = []
_state = {"off": False}


class ProgressDisplay:
    """One task with its count, its rate and the time left. `done` is the share done, where the total is unknown."""

    def __init__(self, name: str, total: int | None = None, done: Callable[[], float | None] | None = None) -> None:
        self._name, self._total, self._done = name, total, done
        self._due = time.monotonic() + DELAY
        self._began = time.monotonic()
        self._progress: Progress | None = None
        self.is_wanted = sys.stderr.isatty() and not is_quiet()
        _shown.append(self)

    def update(self, count: int) -> None:
        """Shows the count if it is time to."""
        if not self.is_wanted or _state["off"] or (now := time.monotonic()) < self._due:
            return
        self._due = now + INTERVAL
        progress = self._progress or self._start()
        seconds = max(now - self._began, 0.001)
        share = count / self._total if self._total else self._done() if self._done else None
        left = f"{_clock(seconds * (1 - share) / share)} left" if share else ""
        what = f"{count:,} of {self._total:,}" if self._total else f"{count:,} messages"
        facts = f"{what}  {count / seconds:,.0f}/s  {left}" if count else ""
        progress.update(progress.task_ids[0], completed=share or 0.0, facts=facts)

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns: list[ProgressColumn] = [SpinnerColumn(), TextColumn("{task.description}", markup=False)]
        if self._total or self._done:
            columns += [BarColumn(24), TextColumn("{task.fields[facts]}")]
        else:
            columns += [TimeElapsedColumn()]
        self._progress = Progress(
            *columns, console=Console(stderr=True, highlight=False), transient=True,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        self._progress.start()
        self._progress.add_task(printable(self._name), total=1.0 if self._total or self._done else None, facts="")
        return self._progress

    def tick(self) -> None:
        """Lets a display without a count appear; it turns by itself from then on."""
        self.update(0)

    def hide(self) -> None:
        """Takes the display away; the next update shows it again."""
        if self._progress:
            self._progress.stop()
            self._progress = None


def _clock(seconds: float) -> str:
    """A duration as minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def hide() -> None:
    """Takes away whatever is shown: something else is about to be written to the terminal."""
    for each in _shown:
        each.hide()


def turn_off() -> None:
    """No display from now on: the terminal shows the output itself."""
    hide()
    _state["off"] = True


def reset() -> None:
    """For the next command line in the same process."""
    _shown.clear()
    _state["off"] = False


def counted(items: Iterable[Item], name: str, done: Callable[[], float | None] | None = None) -> Iterator[Item]:
    """The same items, counted on a display; `done` gives the share that is done."""
    display = ProgressDisplay(name, done=done or (lambda: None))
    try:
        for count, item in enumerate(items, 1):
            yield item
            if count % CHECKED_EVERY == 0:
                display.update(count)
    finally:
        _finish(display)


def counted_steps(steps: Iterable[int], name: str, total: int) -> Iterator[int]:
    """The same steps, each the number of things it did, of a known total."""
    display, done = ProgressDisplay(name, total=max(total, 1)), 0
    try:
        for count in steps:
            done += count
            display.update(done)
            yield count
    finally:
        _finish(display)


@contextmanager
def working(sentence: str) -> Iterator[None]:
    """A sentence with the time that has passed, while something runs that has no count."""
    from threading import Timer

    display = ProgressDisplay(sentence.removesuffix(" ..."))
    timer = Timer(DELAY + 0.05, display.tick)
    timer.daemon = True
    if display.is_wanted:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _finish(display)


def _finish(display: ProgressDisplay) -> None:
    display.hide()
    _shown.remove(display)
