"""Windows of a scene: tokens, turns, and the context of each mention.

A turn is what one person says until another one speaks. Long chats are split into overlapping windows; with a reply
graph each conversation is a window of its own, so that the speakers before and after take part in the same
conversation.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile

from ...layers import Mention, ReplyGraph
from ..data.mentions import KINDS, kind_of
from ..data.scene import Scene, speakers
from .gender import word_gender
from .name_index import NameIndex, name_index
from .names import odd_names
from .person_words import FIRST, HE, NAMES, PERSONAL, SECOND, SHE, word_set
from .tokens import tokens

FIRST_PERSON, SECOND_PERSON, HE_KIND, SHE_KIND, PLURAL, NAME, NOUN = range(len(KINDS))
SUBJECT, OBJECT, OWNER, REFLEXIVE = 1, 2, 3, 4  # forms of pronouns
MAX_WHOLE_MESSAGES, WINDOW_MESSAGES, WINDOW_MARGIN = (
    240,
    120,
    60,
)  # messages: a chat seen whole, and a part of a longer one with what is around it
MAX_MEAN_MENTIONS = 5  # mentions a message on average, above which less is seen together
MAX_LINKED_MENTIONS_PER_MESSAGE = 400  # mentions of one message that are linked

PAUSE = frozenset((",", "-", "--", ".", "..", "...", "!", "?", "…", ";", ":", "—", '"', "!!", "??", "?!", "(", ")"))
BE = word_set("'s ’s is was are 're ’re 'm ’m be am were s")
DETERMINERS = ("", "my", "your", "his", "her", "our", "their", "a", "the", "this", "that", "some", "no", "another")
_DETERMINER = {word: number for number, word in enumerate(DETERMINERS)} | {
    "an": DETERMINERS.index("a"), "any": DETERMINERS.index("no"), "other": DETERMINERS.index("another"),
    "one": DETERMINERS.index("a"), "'s": DETERMINERS.index("their"), "’s": DETERMINERS.index("their"),
    "what": DETERMINERS.index("a"), "such": DETERMINERS.index("a"), "these": DETERMINERS.index("this"),
    "ma": DETERMINERS.index("my"), "ur": DETERMINERS.index("your"),
}  # fmt: skip
_OWNERS = word_set("my your his her our their ur 's ’s")
_THAT = word_set("that this it there here")
_WHO = word_set("who what which where whos")


@dataclass(frozen=True, slots=True)
class MentionContext:
    """A mention and what its words and those next to it say; places are counted in words of the message."""

    mention: Mention
    kind: int
    line: int  # index of its message in the window
    turn: int
    start: int
    end: int
    at: int  # its first token, from the start of the window
    words: str
    head: str
    before: str
    after: str
    determiner: int
    gender: int
    vocative: bool
    form: int  # of a pronoun
    subject: int  # what it is a predicate of: 0 nothing, then I, you, he, she, that, who, something else
    subject_at: int  # position of that word, from the start of the window; -1 for none
    owner_at: int  # the same for "my", "his" or "Ada" of "Ada's" before it


@dataclass(frozen=True, slots=True)
class TokenizedMessage:
    """A tokenized message."""

    author: str
    words: list[str]
    low: list[str]
    turn: int
    first: int  # its first token, from the start of the window


@dataclass(slots=True)
class MessageWindow:
    """Some messages of a scene, their turns, and the mentions in them that are to be linked."""

    scene: Scene
    name_index: NameIndex
    lines: list[TokenizedMessage] = field(default_factory=list)
    turns: list[list[str]] = field(default_factory=list)  # who speaks
    turn_starts: list[int] = field(default_factory=list)  # the first token of each turn, from the start of the window
    mentions: list[MentionContext] = field(default_factory=list)
    core: list[int] = field(default_factory=list)  # mentions that this window predicts; the others are context


def windows(scene: Scene, mentions: Sequence[Mention]) -> Iterator[tuple[MessageWindow, list[int]]]:
    """The windows of a scene, each with the numbers of the mentions that it predicts."""
    numbers: dict[int, list[int]] = {}
    for number, mention in enumerate(mentions):
        numbers.setdefault(mention.position, []).append(number)
    numbers = {position: some[:MAX_LINKED_MENTIONS_PER_MESSAGE] for position, some in numbers.items()}
    whole = odd_names(name for author in scene.chat.authors() for name in speakers(author))
    cast = name_index(scene.cast)
    for positions, core in _parts(scene, {position: len(some) for position, some in numbers.items()}):
        predicted = [number for position in core for number in numbers.get(position, ())]
        if predicted:
            yield _window(scene, positions, numbers, mentions, set(predicted), whole, cast), predicted


def _parts(scene: Scene, counts: Mapping[int, int]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Positions that are seen together, and those of them that are asked for."""
    groups = _conversations(scene.replies, len(scene.chat)) if scene.replies else [range(len(scene.chat))]
    for group in groups:
        if _reach(group, MAX_WHOLE_MESSAGES, counts) == len(group):
            yield group, group
            continue
        start = 0
        while start < len(group):
            end = start + max(1, _reach(group[start : start + WINDOW_MESSAGES], WINDOW_MESSAGES, counts))
            before, after = group[max(0, start - WINDOW_MARGIN) : start], group[end : end + WINDOW_MARGIN]
            first = start - _reach(before[::-1], WINDOW_MARGIN, counts)
            yield group[first : end + _reach(after, WINDOW_MARGIN, counts)], group[start:end]
            start = end


def _reach(group: Sequence[int], longest: int, counts: Mapping[int, int]) -> int:
    """How many of the first positions are at most so many and have no crowd of mentions together."""
    together = accumulate(counts.get(position, 0) for position in group[:longest])
    return sum(1 for _ in takewhile(lambda total: total <= MAX_MEAN_MENTIONS * longest, together))


def _conversations(replies: ReplyGraph, length: int) -> Iterator[Sequence[int]]:
    grouped = {position for group in replies.components() for position in group}
    yield from (tuple(sorted(group)) for group in replies.components())
    yield from ((position,) for position in range(length) if position not in grouped)


def _window(
    scene: Scene, positions: Sequence[int], numbers: dict[int, list[int]], mentions: Sequence[Mention],
    predicted: set[int], whole: tuple[str, ...], cast: NameIndex,
) -> MessageWindow:  # fmt: skip
    window, last, count = MessageWindow(scene, cast), None, 0
    for position in positions:
        message = scene.chat[position]
        text = message.text if message.kind != "system" else ""
        spans = (scene.tokens[position] if scene.tokens else tokens(text, whole)) if text else ()
        words = [text[start:end] for start, end in spans]
        # Consecutive messages of one author are a turn; system lines belong to the turn they interrupt.
        if last is None or (message.author != last and message.kind != "system"):
            last = message.author
            window.turns.append(speakers(message.author) if message.kind != "system" else [])
            window.turn_starts.append(count)
        line = TokenizedMessage(message.author, words, [word.lower() for word in words], len(window.turns) - 1, count)
        count += len(words)
        starts = [start for start, _ in spans]
        for number in numbers.get(position, ()):
            mention = mentions[number]
            # The tokens that the mention covers, at least one.
            first = max(0, bisect_right(starts, mention.start) - 1)
            after = max(first + 1, bisect_right(starts, mention.end - 1))
            if number in predicted:
                window.core.append(len(window.mentions))
            window.mentions.append(_seen(mention, text, line, len(window.lines), first, after, cast))
        window.lines.append(line)
    window.turn_starts.append(count)
    return window


def _seen(
    mention: Mention, text: str, line: TokenizedMessage, number: int, start: int, end: int, cast: NameIndex
) -> MentionContext:
    words = text[mention.start : mention.end]
    kind, low = _kind(words, cast), line.low
    head = low[end - 1] if end <= len(low) else words.lower()
    before, after = low[start - 1] if start else "^", low[end] if end < len(low) else "$"
    determiner, subject, subject_at, owner_at, vocative = 0, 0, -1, -1, False
    if kind >= NAME:
        vocative = is_vocative(low, start, end)
        determiner = next(
            (_DETERMINER[low[at]] for at in range(start - 1, max(-1, start - 4), -1) if low[at] in _DETERMINER), 0
        )
        subject, subject_at = _subject(line, start)
        # The owner of a relative, "my brother" or "Ada's brother", stands at most two tokens before.
        owner_at = next((line.first + at for at in range(start - 1, max(-1, start - 3), -1) if low[at] in _OWNERS), -1)
        if owner_at >= 0 and low[owner_at - line.first] in ("'s", "’s"):
            owner_at -= 1
    gender = 1 if kind == SHE_KIND else -1 if kind == HE_KIND else word_gender(head) if kind == NOUN else 0
    return MentionContext(
        mention, kind, number, line.turn, start, end, line.first + start, words.lower(), head, before, after,
        determiner, gender, vocative, _form(words.lower(), after), subject, subject_at, owner_at,
    )  # fmt: skip


def _kind(words: str, cast: NameIndex) -> int:
    """The kind of a mention; a noun that is no word for people but somebody's name, such as a nick, is a name."""
    kind, low = KINDS.index(kind_of(words)), words.lower()
    named = low in cast.part or low in cast.whole or low in NAMES
    return NAME if kind == NOUN and named and low not in PERSONAL else kind


def _form(pronoun: str, after: str) -> int:
    if pronoun == "her":
        return OBJECT if after in PAUSE or after in BE_FIRST or after in AFTER_HER or after == "$" else OWNER
    return FORMS.get(pronoun, 0)


FORMS = dict.fromkeys(word_set("i you he she ya u thou"), SUBJECT) | dict.fromkeys(word_set("me him thee"), OBJECT)
FORMS |= dict.fromkeys(word_set("my mine your yours ur his hers"), OWNER)
FORMS |= dict.fromkeys(word_set("myself yourself himself herself"), REFLEXIVE)
AFTER_HER = word_set(
    "a an the i you he she it that this what how when why if up out back in on off so too again my your"
)


def is_vocative(low: Sequence[str], start: int, end: int) -> bool:
    """Whether words stand apart, as those do by which somebody is called: "Ada, come" or "thanks, Ada!"."""
    opens = start == 0 or low[start - 1] in PAUSE or low[start - 1] == "@"
    closes = end >= len(low) or low[end] in PAUSE
    return closes and (opens or (end >= len(low) - 1 and start > 0 and low[start - 1] in CALLS))


CALLS = word_set("hey hi hello thanks oh ok okay yes yeah no well bye please sorry so look and but morning night")


def _subject(line: TokenizedMessage, start: int) -> tuple[int, int]:
    """Of what a noun is said by "is": the kind of that word and where it stands."""
    low = line.low
    for at in range(start - 1, max(0, start - 6), -1):
        if low[at] in BE:
            word, place = low[at - 1], at - 1
            if word in ("not", "n't") and place:
                word, place = low[place - 1], place - 1
            return _subject_kind(word), line.first + place
        if low[at] in PAUSE:
            break
        if low[at] in BE_FIRST and at + 1 < start:
            break
    if start >= 2 and low[0] in BE and low[1] in SUBJECTS:  # "are you the doctor"
        return _subject_kind(low[1]), line.first + 1
    return 0, -1


BE_FIRST = word_set("to of with for at by from and or but than")
SUBJECTS = FIRST | SECOND | HE | SHE | _THAT


def _subject_kind(word: str) -> int:
    groups = (FIRST, SECOND, HE, SHE, _THAT, _WHO)
    return next((number for number, group in enumerate(groups, 1) if word in group), 7)
