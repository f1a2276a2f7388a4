"""Signals that ask the program to end, as exceptions: what is half written is removed, like after Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ASKING = tuple(number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)))


class Terminated(BaseException):
    """Raised in the main thread where a signal found it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


@contextmanager
def raised_signals() -> Iterator[None]:
    """For as long as it lasts; a signal that is ignored (nohup) stays ignored.

    SIGINT, which ends the program while modules are imported, raises KeyboardInterrupt.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ASKING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _raise)
    before[signal.SIGINT] = signal.getsignal(signal.SIGINT)
    if before[signal.SIGINT] is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _raise(number: int, _: FrameType | None) -> None:
    """A second signal does not interrupt the removal of what the first one left."""
    for each in ASKING:
        signal.signal(each, signal.SIG_IGN)
    raise Terminated(number)
