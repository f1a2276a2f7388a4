"""Intents, drawn: each query with its prediction, the next candidates and examples; tags for the messages of a chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..layers import Intent
from ..text import plural
from .style import QUIET, STRONG, Line, Segment, style_of
from .wrap import clip, display_width, drawable_line

if TYPE_CHECKING:
    from ..intent.inference.response import IntentAnswer
    from ..intent.reports.discover import Topic

OUTSIDE = "out of scope"

_BAR, _MIN_SHOWN = 20, 0.01
_KNOWN, _UNKNOWN = style_of(29, bold=True), style_of(166, bold=True)


def draw_answers(answers: Iterable[IntentAnswer], width: int) -> Iterator[Line]:
    for each in answers:
        yield ()
        yield Segment(" "), Segment(clip(" ".join(drawable_line(each.text).split()), width - 2), STRONG)
        yield from _rows(each.intent, width)
        if len(each.parts) > 1:
            yield from (_part(part.text, part.intent, width) for part in each.parts)
        for near in each.examples:
            sentence = f"   like “{' '.join(drawable_line(near.text).split())}” ({drawable_line(near.name or OUTSIDE)})"
            yield (Segment(clip(sentence, width - 1), QUIET),)


def _rows(said: Intent, width: int) -> Iterator[Line]:
    """The answer and what else it might be, a bar a row; those below _MIN_SHOWN are left out."""
    probabilities = [(name, probability) for name, probability in said.ranking]
    beside = (OUTSIDE, 1 - said.score)
    rows = (
        [beside, *probabilities]
        if said.name is None
        else [probabilities[0], *sorted([*probabilities[1:], beside], key=lambda r: -r[1])]
    )
    shown = [rows[0], *(row for row in rows[1:] if row[1] >= _MIN_SHOWN)]
    available = min(max(display_width(drawable_line(name)) for name, _ in shown), max(width - _BAR - 14, 8))
    for number, (name, probability) in enumerate(shown):
        style = QUIET if number else _KNOWN if said.name is not None else _UNKNOWN
        label = clip(drawable_line(name), available)
        pad = " " * (available - display_width(label))
        yield (
            Segment("   "),
            Segment(label + pad, style),
            Segment(f"  {_bar(probability)}  {_percent(probability)}", QUIET),
        )


def _bar(probability: float) -> str:
    full = round(_BAR * probability)
    return "█" * full + "░" * (_BAR - full)


def _percent(probability: float) -> str:
    return f"{100 * probability:3.0f} %"


def _part(text: str, said: Intent, width: int) -> Line:
    name = drawable_line(said.name or OUTSIDE)
    available = max(width - display_width(name) - 14, 8)
    return (
        Segment("   · "),
        Segment(clip(" ".join(drawable_line(text).split()), available)),
        Segment(f"  {name}", _KNOWN),
    )


def draw_topics(found: Sequence[Topic], examples: int, width: int) -> Iterator[Line]:
    """Each group of requests under its name and size."""
    if not found:
        yield (Segment(" Nothing was asked more than once that no intent covers.", QUIET),)
    for each in found:
        yield ()
        facts = f"asked {each.size} times by {plural(each.people, 'person', 'people')}"
        name = clip(drawable_line(each.name), width - 2)
        yield Segment(" "), Segment(name, _UNKNOWN), Segment(f"  {facts}", QUIET)
        for text in each.examples[:examples]:
            yield Segment("   "), Segment(clip(drawable_line(text), width - 4))


def tags(intents: Iterable[Intent]) -> Mapping[int, str]:
    """Position -> the intent of its message with its probability; nothing for what is out of scope."""
    found: dict[int, list[str]] = {}
    for each in intents:
        if each.name is not None:
            probability = dict(each.ranking).get(each.name, each.score)
            found.setdefault(each.position, []).append(f"{drawable_line(each.name)} {100 * probability:.0f} %")
    return {position: " + ".join(names) for position, names in found.items()}
