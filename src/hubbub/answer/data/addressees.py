"""To whom each message is said, after the rules of the 2015 corpus: a nick of this day or the day before.

The nick is the first word, or the last; one that is rather a common word counts only if a mark such as a colon follows
it. The same dictionary takes the names out of the texts.
"""

from __future__ import annotations

from collections import defaultdict
from string import punctuation

from ...addressing import COMMON_WORDS, Addressees
from ...chat import Chat, Message, renamed
from ...timeline import DAY, elapsed_seconds

MASK = "someone"  # an ordinary word, so that tokenizers and encoders need no special case
ADDRESS_MARKS = ":,;>"  # what follows a name at the start of a message on IRC
MIN_TRAILING_NICK = 3  # shorter last words are rarely names


class RecipientIndex:
    """The nicks of each day, and the addressee of a message by them."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._days = _days(chat)
        self._nicks: dict[int, dict[str, str]] = defaultdict(dict)
        for message, day in zip(chat, self._days, strict=True):
            for nick in _nicks(message):
                self._nicks[day].setdefault(nick.lower(), nick)
        self._plain = Addressees(chat).names

    def of(self, position: int) -> tuple[str, str]:
        """Who is addressed, "" for nobody, and the text without names."""
        message = self._chat[position]
        words = message.text.split()
        recipient, rest = self._first(words, position)
        if not recipient:
            recipient, rest = self._last(words, position)
        if recipient.lower() == message.author.lower():
            recipient, rest = "", words
        return recipient, " ".join(self._mask_name(word, position) for word in rest)

    def _first(self, words: list[str], position: int) -> tuple[str, list[str]]:
        if words:
            bare = words[0].lstrip("@").rstrip(punctuation)
            for word in (words[0].lstrip("@"), bare):
                marked = words[0][-1] in ADDRESS_MARKS and word == bare
                if nick := self._nick(word, position, marked):
                    return nick, _without_marks(words[1:])
        return "", words

    def _last(self, words: list[str], position: int) -> tuple[str, list[str]]:
        if len(words) > 1:
            word = words[-1].strip(punctuation)
            nick = self._nick(word, position) if len(word) >= MIN_TRAILING_NICK else ""
            if nick:
                return nick, _without_marks(words[:-1][::-1])[::-1]
        return "", words

    def _nick(self, word: str, position: int, marked: bool = False) -> str:
        """The nick that a word is, as its bearer writes it."""
        low, day = word.lower(), self._days[position]
        if not low or (low not in self._plain and not (marked and len(low) > 1 and low not in COMMON_WORDS)):
            return ""
        return self._nicks[day].get(low) or self._nicks[day - 1].get(low, "")

    def _mask_name(self, word: str, position: int) -> str:
        bare = word.strip(punctuation)
        if len(bare) >= MIN_TRAILING_NICK and self._nick(bare, position):
            return word.replace(bare, MASK)
        return word


def _nicks(message: Message) -> list[str]:
    if pair := renamed(message):
        return list(pair)
    return [message.author] if message.author and message.kind != "system" else []


def _without_marks(words: list[str]) -> list[str]:
    """Words from the first on that is more than punctuation."""
    while words and not words[0].strip(punctuation):
        words = words[1:]
    return words


def _days(chat: Chat) -> list[int]:
    """The day of each message, by its date where it has one, else by how many midnights have passed."""
    dated = [message.time.toordinal() if message.time else None for message in chat]
    if any(dated):
        day, known = 0, []
        for each in dated:
            day = each or day
            known.append(day)
        return known
    begins = next((m.clock.hour * 3600.0 + m.clock.minute * 60 for m in chat if m.clock), 0.0)
    return [int((moment + begins) // DAY) for moment in elapsed_seconds(chat)]
