"""Which authors are worth the full examination of `relay_evidence`: found from a sample, at little cost per message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from ...chat import Message
from .relay_forms import inner

_OPENING = frozenset("<[(*_`\u200b\u200c\u200d\u2060\ufeff\u00ad")
_SAMPLE = 64  # messages of a step that are searched for relays
_LONGEST = 42  # characters within which the colon behind a name stands
_FORMED = 3  # so many messages of a suspect have a form, at least,
_FORMED_SHARE = 0.6  # and such a share
_WAIT = 32_768  # messages until a rejected author is examined again; doubled with every further time
_LONGEST_WAIT = 524_288
_PAUSE = 2_048  # messages until an author is looked at again who did not even look like a relay
_MOST_KNOWN = 200_000  # names that are kept in each set; a full one is emptied and fills again


class Suspects:
    """The authors of one chat who may be relays; those who were examined in vain are left alone for a while."""

    def __init__(self) -> None:
        self._count = 0  # messages so far
        self._speakers: set[str] = set()
        self._small: set[str] = set()  # the same in lower case
        # Until which message somebody is left alone, how long that is, and how many of their messages had a form.
        self._rejected: dict[str, tuple[int, int, int]] = {}

    def advance(self, count: int) -> None:
        """So many messages more have been read."""
        self._count += count

    def note(self, messages: Iterable[Message]) -> None:
        """Takes note of those who say something: whoever begins with the name of one of them addresses them."""
        new = {each[2] for each in messages if each[4] != "system"} - self._speakers
        if len(self._speakers) > _MOST_KNOWN:
            self._speakers, self._small = set(), set()
        if len(self._rejected) > _MOST_KNOWN:
            self._rejected.clear()
        self._speakers |= new
        self._small |= {name.lower() for name in new}

    def sampled(self, messages: list[Message], relayed: Collection[str]) -> Counter[str]:
        """The same, estimated from a sample."""
        stride = max(len(messages) // _SAMPLE, 1)
        found = self.formed(messages[::stride], relayed)
        return Counter({author: count * stride for author, count in found.items()})

    def formed(self, sample: Iterable[Message], relayed: Collection[str]) -> Counter[str]:
        """How many messages of each author may have a form; `name: text` has none if somebody of that name writes."""
        found, speakers = [], self._small
        for message in sample:
            text = message[3]
            if text[:1] in _OPENING:
                found.append(message[2])
            elif (colon := text.find(": ", 1, _LONGEST)) > 0:
                name = text[:colon].rstrip().lower()
                if name not in speakers and name not in relayed:
                    found.append(message[2])
        return Counter(found)

    def due(
        self,
        formed: Counter[str],
        sample: Iterable[Message],
        relayed: Collection[str],
        bots: Collection[str],
        fewest: int = _FORMED,
    ) -> list[str]:
        """The authors to examine now: `fewest` messages and much of what they write have a form, with several names."""
        texts: dict[str, list[str]] = {
            author: []
            for author, count in formed.items()
            if count >= fewest and author not in bots and self._is_due(author, count)
        }
        for message in sample if texts else ():
            if message[2] in texts and message[4] != "system":
                texts[message[2]].append(message[3])
        suspects = []
        for author, said in texts.items():
            if self._is_suspect(said, relayed):
                suspects.append(author)
            else:
                _, wait, _ = self._rejected.get(author, (0, _WAIT // 2, 0))
                self._rejected[author] = self._count + _PAUSE, wait, formed[author]
        return suspects

    def reject(self, author: str, formed: int) -> None:
        """Remembers that an author is no relay, as far as its messages show by now."""
        _, wait, _ = self._rejected.get(author, (0, _WAIT // 2, 0))
        wait = min(2 * wait, _LONGEST_WAIT)
        self._rejected[author] = self._count + wait, wait, formed

    def _is_due(self, author: str, formed: int) -> bool:
        if formed < _FORMED or not author:
            return False
        until, _, then = self._rejected.get(author, (0, 0, 0))
        return self._count >= until or formed >= 2 * then

    def _is_suspect(self, texts: list[str], relayed: Collection[str]) -> bool:
        """Whether most texts have a form, with more than one name in it or, if that is a network's, behind it.

        A single name is suspect if nobody who writes in the chat has it.
        """
        acted, names, count = 0, set(), 0
        for text in texts:
            first = inner(text)
            if first and first.form == "colon" and self._writes(first.name, relayed):
                continue
            if first:
                second = inner(text, first.end)
                names |= {each.name for each in (first, second) if each}
            acted += not first and text[:1] == "*"
            count += bool(first)
        if count + acted < _FORMED_SHARE * len(texts):
            return False
        return len(names) > 1 or any(not self._writes(name, relayed) for name in names)

    def _writes(self, name: str, relayed: Collection[str]) -> bool:
        return name.lower() in self._small or name.lower() in relayed
