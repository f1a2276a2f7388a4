"""What texts want, drawn: each query with its answer, the runners-up and examples; tags for the messages of a chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..layers import Intent
from ..text import plural
from .style import QUIET, STRONG, Line, Span, Style
from .wrap import clip, display_width, drawable_line

if TYPE_CHECKING:
    from ..intent.discover import Topic
    from ..intent.shapes import Answered

OUTSIDE = "out of scope"

_BAR, _LEAST = 20, 0.01
_KNOWN, _UNKNOWN = Style(29, bold=True), Style(166, bold=True)


def draw_answers(answers: Iterable[Answered], width: int) -> Iterator[Line]:
    for each in answers:
        yield ()
        yield Span(" "), Span(clip(" ".join(drawable_line(each.text).split()), width - 2), STRONG)
        yield from _rows(each.intent, width)
        if len(each.parts) > 1:
            yield from (_part(part.text, part.intent, width) for part in each.parts)
        for near in each.examples:
            told = f"   like “{' '.join(drawable_line(near.text).split())}” ({drawable_line(near.name or OUTSIDE)})"
            yield (Span(clip(told, width - 1), QUIET),)


def _rows(said: Intent, width: int) -> Iterator[Line]:
    """The answer and what else it might be, a bar a row; what is hardly possible is left out."""
    chances = [(name, chance) for name, chance in said.ranking]
    beside = (OUTSIDE, 1 - said.score)
    rows = (
        [beside, *chances] if said.name is None else [chances[0], *sorted([*chances[1:], beside], key=lambda r: -r[1])]
    )
    shown = [rows[0], *(row for row in rows[1:] if row[1] >= _LEAST)]
    room = min(max(display_width(drawable_line(name)) for name, _ in shown), max(width - _BAR - 14, 8))
    for number, (name, chance) in enumerate(shown):
        style = QUIET if number else _KNOWN if said.name is not None else _UNKNOWN
        label = clip(drawable_line(name), room)
        pad = " " * (room - display_width(label))
        yield Span("   "), Span(label + pad, style), Span(f"  {_bar(chance)}  {_percent(chance)}", QUIET)


def _bar(chance: float) -> str:
    full = round(_BAR * chance)
    return "█" * full + "░" * (_BAR - full)


def _percent(chance: float) -> str:
    return f"{100 * chance:3.0f} %"


def _part(text: str, said: Intent, width: int) -> Line:
    name = drawable_line(said.name or OUTSIDE)
    room = max(width - display_width(name) - 14, 8)
    return Span("   · "), Span(clip(" ".join(drawable_line(text).split()), room)), Span(f"  {name}", _KNOWN)


def draw_topics(found: Sequence[Topic], examples: int, width: int) -> Iterator[Line]:
    """Each group of requests under its name and size."""
    if not found:
        yield (Span(" Nothing was asked more than once that no intent covers.", QUIET),)
    for each in found:
        yield ()
        facts = f"asked {each.size} times by {plural(each.people, 'person', 'people')}"
        name = clip(drawable_line(each.name), width - 2)
        yield Span(" "), Span(name, _UNKNOWN), Span(f"  {facts}", QUIET)
        for text in each.examples[:examples]:
            yield Span("   "), Span(clip(drawable_line(text), width - 4))


def tags(intents: Iterable[Intent]) -> Mapping[int, str]:
    """Position -> what its message wants, with how probable that is; nothing for what is out of scope."""
    found: dict[int, list[str]] = {}
    for each in intents:
        if each.name is not None:
            chance = dict(each.ranking).get(each.name, each.score)
            found.setdefault(each.position, []).append(f"{drawable_line(each.name)} {100 * chance:.0f} %")
    return {position: " + ".join(names) for position, names in found.items()}
