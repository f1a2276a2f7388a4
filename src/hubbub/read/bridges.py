"""Bridges: people of another network get their own names, whether a bot relays them or puppets stand for them.

Messages pass in chunks. A chunk is judged together with the one after it and with what is known of those before, so
that a relay is recognised at its first messages; what was recognised stays so until the end of the chat. Nothing is
read twice and no more than two chunks are held.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from ..chat import Message, renamed
from ..relays import Relay, Relays, without
from .puppets import Puppets
from .relaying import Bot, Window, core, inner, recognised

LOOK_AHEAD = 16_384  # messages, at least, that are seen beyond the one that is given out
_SAMPLE = 1024  # messages of a chunk that are looked at, to find the authors who are worth a closer look:
_NAMED = 4  # one in so many messages of a large chunk has its author noted, as long as nobody looks like a puppet
_FORMED = 3  # so many of theirs have a form, at least,
_FORMED_SHARE = 0.6  # and such a share
_PATIENCE = 4  # chunks after which an author who was found to be no bot is judged again
_MOST_KNOWN = 200_000  # names that are kept of those who have been seen
_SHORTEST = 3  # letters of a bot's name by which it is recognised when it comes back with a number or a line behind it
_OPENING = frozenset("<[(*`\u200b\u200c\u200d\u2060\ufeff\u00ad")
_LONGEST = 42  # characters within which the colon behind a name stands
_author = itemgetter(2)


def unbridged(messages: Iterator[Message], relays: Relays, look_ahead: int = LOOK_AHEAD) -> Iterator[Message]:
    """The same messages by their real authors; what was changed goes into `relays` as they pass."""
    return chain.from_iterable(_Bridges(relays, look_ahead).chunks(messages))


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection meanwhile: messages that are held for a moment would be searched for cycles in vain."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Chunk(NamedTuple):
    """Messages, a sample of them, how many of that by each author have a form, and what ended the reading."""

    messages: list[Message]
    sample: list[Message]
    formed: Counter[str]
    error: Exception | None = None


class _Bridges:
    """What is known of the bridges of one chat so far."""

    def __init__(self, relays: Relays, look_ahead: int) -> None:
        self._relays = relays
        self._size = max(look_ahead, 1)
        self._position = 0
        self._round = 0
        self._authors: set[str] = set()
        self._everybody: set[str] = set()  # in small letters, with the people behind bots and the new names of renames
        self._speakers: set[str] = set()  # those of the samples who say something, in small letters
        self._relayed: set[str] = set()
        self._bots: dict[str, Bot] = {}
        self._cores: dict[str, Bot] = {}
        self._rejected: dict[str, tuple[int, int]] = {}
        self._puppets = Puppets()

    def chunks(self, messages: Iterator[Message]) -> Iterator[list[Message]]:
        """All messages; an error on the way is raised when everything that came before it has been given out."""
        chunk = self._next(messages)
        while chunk.messages:
            ahead = _Chunk([], [], Counter(), chunk.error) if chunk.error else self._next(messages)
            self._judge(chunk, ahead)
            yield self._treated(chunk.messages)
            chunk = ahead
        if chunk.error:
            raise chunk.error

    def _next(self, messages: Iterator[Message]) -> _Chunk:
        chunk: list[Message] = []
        error = None
        with _uncollected():
            try:
                chunk.extend(islice(messages, self._size))  # keeps what came before an error
            except Exception as caught:
                error = caught
        sample = chunk[:: max(len(chunk) // _SAMPLE, 1)]
        is_large = len(chunk) >= _NAMED * _SAMPLE
        self._meet(chunk[::_NAMED] if is_large and not self._puppets.suspected else chunk)
        return _Chunk(chunk, sample, self._formed(sample), error)

    def _meet(self, messages: list[Message]) -> None:
        """Takes note of the authors that are new."""
        names = set(map(_author, messages)) - self._authors
        if len(self._authors) + len(names) > _MOST_KNOWN:
            self._authors, self._speakers, self._everybody = set(), set(), set()
        self._authors |= names
        self._everybody |= {name.lower() for name in names}
        self._puppets.learn(names, self._everybody)
        if self._cores:
            self._follow(names)

    def _follow(self, names: Iterable[str]) -> None:
        """A bot that comes back as bot_ or bot2 is the same bot."""
        self._bots.update((name, bot) for name in names if (bot := self._cores.get(core(name.lower()))))

    def _formed(self, sample: list[Message]) -> Counter[str]:
        """How many messages of each author may have a form; one who addresses somebody who speaks has none."""
        speakers = self._speakers
        speakers |= {each[2].lower() for each in sample if each[4] != "system"} | self._relayed
        found = []
        for message in sample:
            text = message[3]
            if text[:1] in _OPENING:  # noqa: SIM114 - joined, the two conditions would be hard to read
                found.append(message[2])
            elif (colon := text.find(": ", 1, _LONGEST)) > 0 and text[:colon].rstrip().lower() not in speakers:
                found.append(message[2])
        return Counter(found)

    def _judge(self, chunk: _Chunk, ahead: _Chunk) -> None:
        """Finds the bots of these messages."""
        self._round += 1
        formed = Counter(chunk.formed)
        formed.update(ahead.formed)
        suspects = self._suspects(formed, chunk.sample + ahead.sample)
        if suspects:
            self._relayed.update(self._behind_bots(ahead.messages))
            window = Window(chunk.messages + ahead.messages, self._relayed)
            # Those who talk most come first, for somebody who addresses relayed people looks like a bot until they
            # are known to speak.
            for author, places in sorted(window.of(suspects).items(), key=lambda each: -len(each[1])):
                self._decide(author, recognised(author, places, window), formed[author])
        if self._puppets.suspected:
            self._meet(chunk.messages + ahead.messages)
        if self._puppets.endings:
            pairs = (renamed(each) for each in chunk.messages + ahead.messages if each.kind == "system")
            self._everybody.update(pair[1].lower() for pair in pairs if pair)

    def _behind_bots(self, messages: list[Message]) -> Iterator[str]:
        """Who speaks through bots that are known, in small letters."""
        for message in messages:
            bot = self._bots.get(message.author)
            if bot and (found := bot.find(message.text)):
                yield found.name.lower()

    def _suspects(self, formed: Counter[str], sample: list[Message]) -> list[str]:
        """The authors who are worth a closer look: much of what they say has a form, with different names in it."""
        texts: dict[str, list[str]] = {each: [] for each, count in formed.items() if self._is_due(each, count)}
        if not texts:
            return []
        for message in sample:
            if message[2] in texts and message[4] != "system":
                texts[message[2]].append(message[3])
        return [author for author, said in texts.items() if _is_suspect(said)]

    def _is_due(self, author: str, formed: int) -> bool:
        """Whether an author may be a bot and was not found to be none a short while ago."""
        if formed < _FORMED or author in self._bots or not author:
            return False
        judged, then = self._rejected.get(author, (-_PATIENCE, 0))
        return self._round >= judged + _PATIENCE or formed >= 2 * then

    def _decide(self, author: str, bot: Bot | None, formed: int) -> None:
        if bot is None:
            self._rejected[author] = self._round, formed
            return
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
        return [self._one(position, message) for position, message in enumerate(messages, start)]

    def _one(self, position: int, message: Message) -> Message:
        author, text, kind, spans = message.author, message.text, message.kind, list[tuple[int, int]]()
        bot = self._bots.get(author)
        if bot and (found := bot.read(message)):
            author, kind, spans = found
            self._relayed.add(author.lower())
            self._everybody.add(author.lower())
        elif self._puppets.endings:
            author = self._puppets.plain(author, self._everybody)
        if self._puppets.endings:
            first = spans[-1][1] if spans else 0
            spans += [span for span in self._puppets.cuts(text, self._everybody) if span[0] >= first]
        if author == message.author and kind == message.kind and not spans:
            return message
        text, cuts = without(text, spans)
        self._relays.add(position, Relay(message.author, cuts, message.kind))
        return message._replace(author=author, text=text, kind=kind)


def _is_suspect(texts: list[str]) -> bool:
    """Whether most texts have a form, with more than one name in it or, if that is a network's, behind it."""
    found = [(each, inner(text, each.end)) for text in texts if (each := inner(text))]
    acted = sum(1 for text in texts if text[:1] == "*")
    names = {each.name for pair in found for each in pair if each}
    return len(found) + acted >= _FORMED_SHARE * len(texts) and len(names) > 1
