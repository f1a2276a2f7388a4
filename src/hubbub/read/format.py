"""What a format is: how it is detected and how it is read. The module of a format defines one `FORMAT`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, tzinfo

from ..chat import Message
from ..errors import Broken, WrongFormat
from ..jsonl import LayerRows
from .detect.file_head import Clue, Sample
from .input.source import Source, Tree
from .report import Report


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the input."""

    date: date | None = None
    timezone: tzinfo | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stream:
    """One chat as it is being read.

    `open(first, report)` gives its messages from the beginning and may be called again; a format whose messages
    have no ids of their own numbers them from `first`; what becomes no message goes into `report` as it passes.
    `format` is where the chat first came from, if the file says so; `layers` fill up as the messages pass.
    `identity` tells the chat from others of the same name: the id that the platform gives it, or its network, server or
    team; "" if the export names none, and then the path decides. `source` is the file of the chat, in an export that
    has a file for each.
    """

    name: str
    open: Callable[[int, Report], Iterator[Message]]
    format: str | None = None
    layers: LayerRows | None = None
    identity: str = ""
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """One chat format. `sniff` looks at a sample, `read` turns a source into its chats, in order.

    A format that is a whole folder or archive also has `claim` and `read_tree`. Files of formats of one `family` may be
    parts of one chat.
    """

    name: str
    sniff: Callable[[Sample], Clue | None]
    read: Callable[[Source, Options], Iterator[Stream]]
    claim: Callable[[Tree], Clue | None] | None = None
    read_tree: Callable[[Tree, Options], Iterator[Stream]] | None = None
    family: str = ""


@contextmanager
def expecting(format: str, source: Source, sniff: Callable[[Sample], Clue | None]) -> Iterator[None]:
    """What breaks on the way, but never looked like the format, is not broken: it is another format."""
    try:
        yield
    except Broken as error:
        if sniff(Sample(source)):
            raise error from None
        raise WrongFormat(source.name, format, "its records are not those of that platform") from None
