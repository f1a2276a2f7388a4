"""hubbub thread on input that is still growing: each decision is written when its message arrives."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from ..errors import OptionError
from ..text import printable
from . import is_piped
from .command import Arguments
from .input_options import streams
from .progress import turn_off
from .screen import is_drawn

if TYPE_CHECKING:
    from ..chat import Message
    from ..read import ChatStream
    from ..thread.predict import ThreadDecision, ThreadPredictor

FORMATS = ("text", "jsonl", "json", "links")  # those in which a message can be written before the next one is known

REMEMBERED = 1 << 16  # messages back to which a reply may point
NAME_WIDTH, NUMBER_WIDTH = 14, 4  # columns


def is_live(arguments: Arguments) -> bool:
    """With --follow, and for standard input in a format that can be written message by message."""
    if arguments.follow:
        _must_be_followable(arguments)
        return True
    whole = arguments.out or arguments.svg or arguments.by or arguments.conversation is not None
    is_input = arguments.paths in ((), ("-",)) and is_piped()
    return is_input and not whole and arguments.why is None and arguments.to in (None, *FORMATS)


def _must_be_followable(arguments: Arguments) -> None:
    if len(arguments.paths) > 1:
        raise OptionError("--follow", " ".join(arguments.paths), "one file can be followed at a time")
    if arguments.to not in (None, *FORMATS):
        raise OptionError("--to", arguments.to, f"with --follow, use {', '.join(FORMATS)}")
    given = {"--out": arguments.out, "--svg": arguments.svg, "--by": arguments.by, "--why": arguments.why}
    given["--conversation"] = arguments.conversation
    for option, value in given.items():
        if value is not None:
            raise OptionError(option, value, "it needs the whole chat and cannot be combined with --follow")


def write_live(predictor: ThreadPredictor, arguments: Arguments) -> None:
    """Every line goes out at once, to a pipe too."""
    from ..read.growing_input import LiveMode

    arguments.live = LiveMode.FOLLOW if arguments.follow else LiveMode.ARRIVING
    out = sys.stdout
    turn_off()
    write = _drawn if is_drawn(arguments) else _links if arguments.to == "links" else _jsonl
    for number, one in enumerate(streams(arguments)):
        if number and write is _links:
            raise OptionError("--to", "links", "standard input has several chats; write them to a file first")
        write(one, _decided(one, predictor), out, arguments)


def _decided(one: ChatStream, predictor: ThreadPredictor) -> Iterator[tuple[Message, ThreadDecision]]:
    waiting: list[Message] = []

    def passed() -> Iterator[Message]:
        for message in one.messages:
            waiting.append(message)
            yield message

    for decision in predictor.arriving(passed(), one.name, one.format):
        yield waiting.pop(0), decision


Decided = Iterator[tuple["Message", "ThreadDecision"]]


def _jsonl(one: ChatStream, decided: Decided, out: TextIO, _: Arguments) -> None:
    """The same lines as for a file, but each row of the reply layer follows its message."""
    from dataclasses import replace

    from ..jsonl import dump, header, layer_lines, message_line

    out.write(header(one.name, one.format) + "\n")
    for message, decision in decided:
        scores = {"scores": list(decision.scores)} if decision.scores else {}
        row = {"layer": "replies", "position": decision.position, "parents": list(decision.parents), **scores}
        out.write(f"{message_line(message)}\n{dump(row)}\n")
        out.flush()
    out.writelines(line + "\n" for line in layer_lines(replace(one.layers(), replies=None)))


def _links(_: ChatStream, decided: Decided, out: TextIO, __: Arguments) -> None:
    for _message, decision in decided:
        out.writelines(f"{parent} {decision.position} -\n" for parent in decision.parents)
        out.flush()


def _drawn(one: ChatStream, decided: Decided, out: TextIO, arguments: Arguments) -> None:
    """A line a message: the number of its conversation, time, author and text."""
    from ..view.style import wants_colour

    drawer = _LiveDrawer(wants_colour(arguments.colour, out.isatty(), os.environ))
    for message, decision in decided:
        out.write(drawer.line(message, decision) + "\n")
        out.flush()


class _LiveDrawer:
    """Numbers conversations as they begin and colours each; only the latest messages are remembered."""

    def __init__(self, in_colour: bool) -> None:
        self._in_colour = in_colour
        self._count = 0
        self._known: dict[int, tuple[int, str]] = {}  # position -> the number of its conversation, its author
        self._latest: dict[int, int] = {}  # conversation -> the position of its latest message

    def line(self, message: Message, decision: ThreadDecision) -> str:
        parents = [each for each in decision.parents if each in self._known]
        number = min((self._known[each][0] for each in parents if self._known[each][0]), default=0)
        if not number and message.kind != "system":
            self._count += 1
            number = self._count
        others = [self._known[each][1] for each in parents if each != self._latest.get(number)]
        self._remember(decision.position, number, message.author)
        return self._laid_out(message, number, others)

    def _remember(self, position: int, number: int, author: str) -> None:
        self._known[position] = number, author
        self._known.pop(position - REMEMBERED, None)
        self._latest[number] = position
        if len(self._latest) > REMEMBERED:
            self._latest.pop(next(iter(self._latest)))

    def _laid_out(self, message: Message, number: int, others: Sequence[str]) -> str:
        from ..view.wrap import clip, display_width, drawable_line

        text = " ".join(drawable_line(message.text).split())
        when = message.time or message.clock
        name = "*" if message.kind == "action" else "\u00b7" if message.kind == "system" else message.author
        name = clip(drawable_line(name), NAME_WIDTH)
        text = f"{drawable_line(message.author)} {text}" if message.kind == "action" else text
        spaces = " " * (NAME_WIDTH - display_width(name))
        notes = "".join(f"\u21b0 {clip(drawable_line(each), NAME_WIDTH)} " for each in others if each)
        label = self._styled(f"{number or '':>{NUMBER_WIDTH}}", number)
        time = f"{when:%H:%M}" if when else " " * 5
        return f" {label}  {time}  {spaces}{self._styled(name, number)}  {notes}{printable(text)}"

    def _styled(self, text: str, number: int) -> str:
        import click

        from ..view.style import PALETTE

        colour = PALETTE[(number - 1) * 5 % len(PALETTE)] if number else None
        return click.style(printable(text), fg=colour) if self._in_colour and colour else printable(text)
