"""Which authors are worth the full examination of `relay_evidence`: found from a sample, at little cost per message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from ...chat import Message
from .relay_forms import inner

_OPENING = frozenset("<[(*_`\u200b\u200c\u200d\u2060\ufeff\u00ad")
_SAMPLE = 32  # messages of a step that are searched for relays
_LONGEST = 42  # characters within which the colon behind a name stands
_FORMED = 3  # so many messages of a suspect have a form, at least,
_FORMED_SHARE = 0.6  # and such a share
_SHORT_WAIT = 2_048  # messages until an author is looked at again who does not even look like a relay,
_WAIT = 32_768  # or who was examined and rejected; both are doubled with every further time, up to
_LONGEST_WAIT = 524_288
_MOST_KNOWN = 200_000  # rejected authors that are remembered; a full table is emptied and fills again
_author_and_text = itemgetter(2, 3)


class _Rejection(NamedTuple):
    """Until which message an author is left alone, how long that is, and how many of its messages had a form."""

    until: int
    wait: int
    formed: int


_NEVER = _Rejection(0, 0, 0)


class RelayCandidates:
    """The authors of one chat who may be relays; those who were examined in vain are left alone for a while.

    `everybody` are the names of authors and relayed people in lower case; whoever begins with one addresses them.
    """

    def __init__(self, everybody: Collection[str]) -> None:
        self._everybody = everybody
        self._count = 0  # messages so far
        self._rejected: dict[str, _Rejection] = {}

    def advance(self, count: int) -> None:
        """So many messages more have been read."""
        self._count += count

    def sampled(self, messages: list[Message]) -> Counter[str]:
        """The same as `formed`, estimated from a sample."""
        stride = max(len(messages) // _SAMPLE, 1)
        found = self.formed(messages[::stride])
        for author in found:
            found[author] *= stride
        return found

    def formed(self, messages: Iterable[Message]) -> Counter[str]:
        """How many messages of each author may have a form; `name: text` has none if somebody of that name writes."""
        found, everybody = [], self._everybody
        for author, text in map(_author_and_text, messages):
            if text[:1] in _OPENING or (
                (colon := text.find(": ", 1, _LONGEST)) > 0 and text[:colon].rstrip().lower() not in everybody
            ):
                found.append(author)
        return Counter(found)

    def due(self, formed: Mapping[str, int], messages: Iterable[Message], bots: Collection[str]) -> list[str]:
        """The authors to examine now: some messages and much of what they write have a form, with several names."""
        texts: dict[str, list[str]] = {
            author: [] for author, count in formed.items() if author not in bots and self._is_due(author, count)
        }
        if not texts:
            return []
        for message in messages:
            if message[2] in texts and message[4] != "system":
                texts[message[2]].append(message[3])
        candidates = []
        for author, written in texts.items():
            if self._may_relay(written):
                candidates.append(author)
            else:
                self._reject(author, formed[author], _SHORT_WAIT, _WAIT)
        return candidates

    def reject(self, author: str, formed: int) -> None:
        """Remembers that an author is no relay, as far as its messages show by now."""
        self._reject(author, formed, _WAIT, _LONGEST_WAIT)

    def _reject(self, author: str, formed: int, least: int, most: int) -> None:
        if len(self._rejected) > _MOST_KNOWN:
            self._rejected.clear()
        before = self._rejected.get(author, _NEVER).wait
        wait = max(least, min(2 * before, most), before)
        self._rejected[author] = _Rejection(self._count + wait, wait, formed)

    def _is_due(self, author: str, formed: int) -> bool:
        if formed < _FORMED or not author:
            return False
        rejected = self._rejected.get(author, _NEVER)
        return self._count >= rejected.until or formed >= 2 * rejected.formed

    def _may_relay(self, texts: list[str]) -> bool:
        """Whether most texts have a form, with more than one name in it or, if that is a network's, behind it.

        A single name is enough if nobody who writes in the chat has it.
        """
        actions, names, count = 0, set(), 0
        for text in texts:
            first = inner(text)
            if first and first.form == "colon" and first.name.lower() in self._everybody:
                continue
            if first:
                second = inner(text, first.end)
                names |= {each.name for each in (first, second) if each}
            actions += not first and text[:1] == "*"
            count += bool(first)
        if count + actions < _FORMED_SHARE * len(texts):
            return False
        return len(names) > 1 or any(name.lower() not in self._everybody for name in names)
