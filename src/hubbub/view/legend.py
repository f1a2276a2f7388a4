"""The line at the end of a drawing that explains the symbols in it."""

from __future__ import annotations

from collections.abc import Iterator

from .lanes import ENDS, REPLIES, SAID, STARTS, WITHOUT_LANE
from .style import QUIET, Line, Segment
from .wrap import display_width

MEANT = "[→name]"
MEANINGS = {
    STARTS: "starts",
    SAID: "goes on",
    ENDS: "ends",
    WITHOUT_LANE: "no lane",
    REPLIES: "replies to",
    MEANT: "who is meant",
}


class Legend:
    """Collects the symbols that a drawing uses."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def add(self, symbol: str) -> None:
        self._used.add(symbol)

    def lines(self, width: int) -> Iterator[Line]:
        """One line of what was used, as much as fits; nothing if nothing was."""
        entries = [f"{symbol} {meaning}" for symbol, meaning in MEANINGS.items() if symbol in self._used]
        while entries and display_width("  ".join(entries)) > width - 2:
            entries.pop()
        if entries:
            yield ()
            yield Segment(" "), Segment("  ".join(entries), QUIET)
