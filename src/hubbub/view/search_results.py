"""Search results drawn: conversations with the lines that were found, what matched in bold, and facets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .style import PLAIN, QUIET, STRONG, Line, Segment, style_of

if TYPE_CHECKING:
    from ..archive.facets import Facets, FacetValue
    from ..archive.search import SearchHit
    from ..archive.store import StoredMessage

AROUND = 2  # messages that are shown before and after one that was found
MATCH = style_of(166, bold=True)


def draw_hit(hit: SearchHit, conversation: Sequence[StoredMessage], is_whole: bool) -> Iterator[Line]:
    """Messages that were found are marked with an arrow, omissions with dots."""
    found = {each.message: each.highlights for each in hit.snippets}
    messages = [stored for stored in conversation if is_whole or stored.message.kind != "system"]
    marked = [place for place, stored in enumerate(messages) if stored.id in found]
    shown = {near for place in marked for near in range(place - AROUND, place + AROUND + 1)}
    yield (Segment(f"conversation {hit.conversation_id}, {hit.found[0].chat}", STRONG),)
    before = -1
    for place, stored in enumerate(messages):
        if is_whole or place in shown:
            if place > before + 1:
                yield (Segment("  ...", QUIET),)
            mark = "> " if stored.id in found else "  "
            yield (Segment(mark), *message_line(stored, found.get(stored.id, ())))
            before = place
    if before + 1 < len(messages):
        yield (Segment("  ...", QUIET),)
    yield ()


def message_line(stored: StoredMessage, highlights: Sequence[tuple[int, int]] = ()) -> Line:
    """A message in one line."""
    message = stored.message
    when = f"{message.time:%Y-%m-%d %H:%M} " if message.time else f"{message.clock:%H:%M} " if message.clock else ""
    pieces = [Segment(when, QUIET), Segment(f"<{message.author}> ", PLAIN)]
    done = 0
    for start, end in highlights:
        pieces += [Segment(_spaced(message.text[done:start]), PLAIN), Segment(_spaced(message.text[start:end]), MATCH)]
        done = end
    return (*pieces, Segment(_spaced(message.text[done:]), PLAIN))


def _spaced(text: str) -> str:
    return re.sub(r"\s", " ", text)


def draw_facets(facets: Facets, is_complete: bool) -> Iterator[Line]:
    """A line a facet: in how many conversations each person, channel and month was found."""
    for name, values in facets._asdict().items():
        yield (Segment(f"{name:9}", STRONG), Segment(", ".join(map(_facet_text, values)) or "none"))
    if not is_complete:
        yield (Segment("Very many messages match; the latest of them were counted.", QUIET),)


def _facet_text(each: FacetValue) -> str:
    return f"{each.value} ({each.conversations:,})"
