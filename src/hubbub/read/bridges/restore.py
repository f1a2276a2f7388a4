"""Bridges: messages of another network get their real authors, whether a bot relays them or puppet accounts do.

The first LOOK_AHEAD messages of a chat are judged together with as many after them, so that a relay is recognised from
its first message on. After that messages pass in small steps, which cost little; where an author of a step looks like a
relay, more messages are read and judged together with the step. Whatever is recognised holds until the end
of the chat. Nothing is read twice, and every set of names has an upper limit.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from ...chat import Message, renamed
from ...relays import Relay, Relays, without
from ..assembly.steps import STEP
from .candidates import RelayCandidates
from .puppets import Puppets
from .relay_evidence import Window, recognised
from .relay_forms import Bot, core

LOOK_AHEAD = 8_192  # messages that are seen beyond those that are given out, where a relay may be
_LATER = 2_048  # the same after the first chunks
_FORMED = 12  # messages of an author that may be relayed, after which more are read to find out; evidence needs as many
_NAMED = 4  # one in so many messages of a step has its author noted, as long as no ending may be a bridge's
_MOST_KNOWN = 200_000  # names that are kept in each set; a full set is emptied and fills again
_SHORTEST = 3  # letters that a bot's name must have to be recognised with a digit or underscore behind it
_author = itemgetter(2)


def unbridged(messages: Iterator[Message], relays: Relays, look_ahead: int = LOOK_AHEAD) -> Iterator[Message]:
    """The same messages with their real authors; what was changed is added to `relays` as they pass."""
    return chain.from_iterable(_Bridges(relays, look_ahead).chunks(messages))


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection meanwhile: it would search messages that are held for a moment, which have no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Chunk(NamedTuple):
    """Messages, how many of those by each author may be relayed, and what ended the reading."""

    messages: list[Message]
    formed: Counter[str]
    error: Exception | None = None


_END = _Chunk([], Counter())


class _Bridges:
    """What is known of the bridges of one chat so far. Sets of names are in lower case, but for `_authors`."""

    def __init__(self, relays: Relays, look_ahead: int) -> None:
        self._relays = relays
        self._size = max(look_ahead, 1)
        self._position = 0
        self._is_first = True
        self._recent: Counter[str] = Counter()  # messages of each author that may be relayed, of the latest LOOK_AHEAD
        self._seen = 0
        self._authors: set[str] = set()
        self._everybody: set[str] = set()  # authors, relayed people, and the new names of renames
        self._relayed: set[str] = set()
        self._bots: dict[str, Bot] = {}
        self._cores: dict[str, Bot] = {}
        self._candidates = RelayCandidates(self._everybody)
        self._puppets = Puppets()

    def chunks(self, messages: Iterator[Message]) -> Iterator[list[Message]]:
        """All messages; an error on the way is raised when everything that came before it has been given out."""
        chunk = self._next(messages, self._size)
        while chunk.messages:
            ahead = self._ahead(chunk, messages)
            if ahead.messages or not self._position:
                self._judge(chunk, ahead)
            elif self._puppets.endings:
                self._note_renames(chunk.messages)
            yield self._treated(chunk.messages)
            if ahead.messages:
                yield self._treated(ahead.messages)
            chunk = _END._replace(error=ahead.error) if ahead.error else self._next(messages, min(STEP, self._size))
        if chunk.error:
            raise chunk.error

    def _ahead(self, chunk: _Chunk, messages: Iterator[Message]) -> _Chunk:
        """The messages after a chunk, if they matter: for the first chunk, and where something may be a relay."""
        if chunk.error:
            return _END._replace(error=chunk.error)
        is_first, self._is_first = self._is_first, False
        near = self._puppets.newly_near()
        recent = {author: count for author in chunk.formed if (count := self._recent[author]) >= _FORMED}
        if is_first or near or self._candidates.due(recent, chunk.messages, self._bots):
            return self._next(messages, self._size if is_first else min(_LATER, self._size))
        return _END

    def _next(self, messages: Iterator[Message], size: int) -> _Chunk:
        chunk: list[Message] = []
        error = None
        with _uncollected():
            try:
                chunk.extend(islice(messages, size))  # keeps what came before an error
            except Exception as caught:
                error = caught
        is_step = not self._is_first and size <= STEP
        self._note(chunk[::_NAMED] if is_step and not self._puppets.suspected else chunk)
        formed = self._candidates.sampled(chunk) if is_step else self._candidates.formed(chunk)
        self._seen += len(chunk)
        self._candidates.advance(len(chunk))
        if self._seen > self._size:
            self._recent, self._seen = Counter(), 0
        self._recent.update(formed)
        return _Chunk(chunk, formed, error)

    def _note(self, messages: list[Message]) -> None:
        """Takes note of the authors that are new."""
        names = set(map(_author, messages)) - self._authors
        if not names:
            return
        for known in (self._authors, self._everybody, self._relayed):
            if len(known) > _MOST_KNOWN:
                known.clear()
        self._authors |= names
        self._everybody |= {name.lower() for name in names}
        self._puppets.learn(names, self._everybody)
        if self._cores:
            self._follow(names)

    def _follow(self, names: Iterable[str]) -> None:
        """A bot that comes back as bot_ or bot2 is the same bot."""
        self._bots.update((name, bot) for name in names if (bot := self._cores.get(core(name.lower()))))

    def _judge(self, chunk: _Chunk, ahead: _Chunk) -> None:
        """Finds the bots and the endings of puppets in these messages."""
        formed = Counter(chunk.formed)
        formed.update(ahead.formed)
        messages = chunk.messages + ahead.messages
        if due := self._candidates.due(formed, messages, self._bots):
            self._relayed.update(self._behind_bots(ahead.messages))
            window = Window(messages, self._relayed)
            # Those who write most come first, for somebody who addresses relayed people looks like a bot until those
            # people are known.
            for author, places in sorted(window.of(due).items(), key=lambda each: -len(each[1])):
                if bot := recognised(author, places, window):
                    self._add(author, bot)
                else:
                    self._candidates.reject(author, formed[author])
        if self._puppets.suspected:
            self._note(messages)
        if self._puppets.endings:
            self._note_renames(messages)

    def _note_renames(self, messages: Iterable[Message]) -> None:
        """Whoever has a new name is known by it from now on."""
        pairs = (renamed(each) for each in messages if each.kind == "system")
        self._everybody.update(pair[1].lower() for pair in pairs if pair)

    def _behind_bots(self, messages: list[Message]) -> Iterator[str]:
        """The people whom known bots relay in these messages, in lower case."""
        for message in messages if self._bots else ():
            bot = self._bots.get(message.author)
            if bot and (found := bot.find(message.text)):
                yield found.name.lower()

    def _add(self, author: str, bot: Bot) -> None:
        self._bots[author] = bot
        self._relayed.update(name.lower() for name in bot.names)
        self._everybody |= self._relayed
        if len(short := core(author.lower())) >= _SHORTEST:
            self._cores[short] = bot
            self._follow(self._authors)

    def _treated(self, messages: list[Message]) -> list[Message]:
        """A chunk by its real authors."""
        start = self._position
        self._position += len(messages)
        if not self._bots and not self._puppets.endings:
            return messages
        return list(self._each(start, messages))

    def _each(self, start: int, messages: list[Message]) -> Iterator[Message]:
        """Only messages that a bridge may have changed take more than a lookup: most are as they were."""
        names = dict.fromkeys(map(_author, messages), "")
        if marks := tuple(self._puppets.endings):
            names = {name: self._puppets.plain(name, self._everybody) for name in names}
        others = {name for name in names if name not in self._bots and (not marks or names[name] == name)}
        for position, message in enumerate(messages, start):
            if message[2] in others:
                for mark in marks:
                    if mark in message[3]:
                        break
                else:
                    yield message
                    continue
            yield self._one(position, message)

    def _one(self, position: int, message: Message) -> Message:
        author, text, kind = message.author, message.text, message.kind
        spans: list[tuple[int, int]] = []
        bot = self._bots.get(author)
        if bot and (found := bot.read(message)):
            author, kind, spans = found
            if (small := author.lower()) not in self._relayed:
                self._relayed.add(small)
                self._everybody.add(small)
        elif self._puppets.endings:
            author = self._puppets.plain(author, self._everybody)
        if self._puppets.endings:
            first = spans[-1][1] if spans else 0
            spans += [span for span in self._puppets.cuts(text, self._everybody) if span[0] >= first]
        if author == message.author and kind == message.kind and not spans:
            return message
        text, cuts = without(text, spans)
        self._relays.add(position, Relay(message.author, cuts, message.kind))
        return Message(message.id, message.time, author, text, kind, message.reply_to, message.clock)
