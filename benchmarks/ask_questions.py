"""Questions with a confirmed answer, found by rules in the Ubuntu logs, and the ways in which an archive is asked them.

A question counts if somebody answers whoever asked, and the asker then thanks or says that it works, names that person
or was addressed by nobody else meanwhile, and reports no trouble afterwards. The last message of the helper before
that, without questions and small talk, is the confirmed one; the messages of the same turn count as well.

A question whose own text is in the archive would find itself, so it is asked in two ways:

  withheld   its text, and what the same person said in nearly the same words, is invisible to retrieval and features:
             the answer must be found by itself and by what else was said around it;
  reworded   nothing is withheld, but every second word, chosen at random, is left out, and half of the remaining words
             that have a near synonym are replaced by it.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hubbub.answer.data.addressees import RecipientIndex
from hubbub.answer.data.bots import bots
from hubbub.archive.answer_candidates import Finder
from hubbub.archive.conversation import StoredConversation
from hubbub.archive.query_terms import TermMatches
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Chat
from hubbub.ml.encoder import similar_words
from hubbub.text import words
from hubbub.timeline import elapsed_seconds

CHANNELS = ("#ubuntu", "#kubuntu", "#xubuntu", "#lubuntu", "#ubuntu-server")
SPLITS = {"train": (1, 18), "dev": (19, 21), "test": (22, 24)}  # days of January 2013

CONFIRMED = re.compile(
    r"\b(?:(?:that|it|this|which) (?:(?:just |really |totally )?(?:worked|works now|did it|did the trick"
    r"|fixed (?:it|that|my)|helped|helps|solved it)|(?:was|is) (?:it|what i (?:needed|wanted)|exactly))"
    r"|works? (?:now|great|perfectly|like a charm)|(?<!not )working now|got it (?:working|to work)|did the trick"
    r"|thanks?|thank (?:you|u|ya)|thankyou|thanx|thx|thnx|tnx|ty|tyvm|cheers|much appreciated"
    r"|appreciate (?:it|the|your)|you rock)\b",
    re.I,
)
NOT_CONFIRMED = re.compile(
    r"\b(?:anyways?|in advance|no,? thanks|no thank you|thanks? (?:for (?:trying|nothing|asking|your time|the effort)"
    r"|god|christ|goodness)|let me know|glad|not|doesnt|didnt|dont|cant|wont|isnt|but|though|still|however"
    r"|unfortunately|no luck|nothing|the effort|i'?ll (?:try|check|look|give|see|google|read|have a)|will try"
    r"|let me try|trying|try (?:that|it|this)|wait|hold on)\b|n't\b|\?",
    re.I,
)
ASKING = re.compile(
    r"\?|\b(?:how (?:do|can|to|would|should)|what|which|where|why|is there|does any|can (?:i|any|some)|any(?:one|body)"
    r"|help|problem|trouble|issue|error|unable|trying to|need to|want to)\b|n't\b",
    re.I,
)
SMALL_TALK = re.compile(
    r"\b(?:np|no (?:problem|worries|prob)|good luck|welcome|yw|glad|don'?t worry|sorry|haha|lol|hehe|have fun|enjoy"
    r"|nice|cool|was for you|not sure|no idea|i'?m not|that'?s not what|i'?m still|guess how|i don'?t know|dunno|bye"
    r"|good night|how did|let us know|let me know)\b"
    r"|^(?:yes|yeah|yep|no|nope|ok|okay|right|exactly|correct|sure)\b.{0,25}$",
    re.I,
)
TROUBLE = re.compile(r"\b(?:still|doesn'?t work|not work|didn'?t)\b", re.I)
ADDRESS = re.compile(r"\S+[:,>] ")
COMMON_WORDS = """
a an the i my me is are was be it its this that there to of in on at for from by with and or if so as do does did can
could would should will anyone anybody somebody someone some any know knows help please hi hello hey how what which
where why when who you your need want trying try get have has had just one question problem issue guys all here am im
i'm not but using use ubuntu linux way about ask good new up out now after
"""
COMMON = frozenset(COMMON_WORDS.split())
WITHIN, SOON, LONG_GAP = 600.0, 300.0, 900.0  # seconds
MAX_BACK, MAX_ANSWERS, MAX_THANKS_WORDS, LEAST_CONTENT = 400, 10, 25, 3


class Question(NamedTuple):
    """A question by its number in the archive, the confirmed turn, and all that the helper answered."""

    id: int
    author: str
    text: str
    confirmed: frozenset[int]
    answers: frozenset[int]


@dataclass
class Channel:
    """A channel's messages with their addressees; None for system lines and bots."""

    ids: list[int]
    chat: Chat

    def __post_init__(self) -> None:
        index, machines = RecipientIndex(self.chat), bots(self.chat)
        self.when = elapsed_seconds(self.chat)
        self.to = [
            None if m.kind == "system" or not m.author or m.author in machines else index.of(place)
            for place, m in enumerate(self.chat)
        ]
        self.said: dict[str, list[int]] = defaultdict(list)
        for place, message in enumerate(self.chat):
            if self.to[place]:
                self.said[message.author].append(place)

    def recipient(self, place: int) -> str:
        return (self.to[place] or ("", ""))[0]

    def bare(self, place: int) -> str:
        return (self.to[place] or ("", ""))[1]

    def questions(self) -> Iterator[Question]:
        asked = set[int]()
        for place, message in enumerate(self.chat):
            text = self.bare(place)
            is_thanks = CONFIRMED.search(text) and not NOT_CONFIRMED.search(text)
            if is_thanks and len(text.split()) <= MAX_THANKS_WORDS and (found := self._exchange(place)):
                question, turn, answers = found
                if question not in asked:
                    asked.add(question)
                    ids = [frozenset(self.ids[p] for p in some) for some in (turn, answers)]
                    yield Question(self.ids[question], message.author, self.bare(question), *ids)

    def _exchange(self, thanks: int) -> tuple[int, list[int], list[int]] | None:
        """The question, the confirmed turn and all answers before somebody's thanks."""
        asker, helper = self.chat[thanks].author, self._helper(thanks)
        chain = self._chain(thanks, asker, helper)
        helped = [p for p in chain if self.chat[p].author == helper]
        patience = WITHIN if self.recipient(thanks) else SOON
        if not helped or self.when[thanks] - self.when[helped[-1]] > patience or len(helped) > MAX_ANSWERS:
            return None
        asked = [p for p in chain if p < helped[0] and self._asks(p, asker, self.when[helped[0]])]
        answers = [p for p in helped if len(self.bare(p).split()) >= 4]
        telling = [p for p in answers if self._tells(p, asker)]
        if not asked or not telling or self._has_trouble(thanks, asker, helper):
            return None
        own = [p for p in chain if self.chat[p].author == asker]
        if sum(p > telling[-1] for p in own) > 3:
            return None
        before = max(p for p in own if p < telling[-1])
        question = max(asked, key=lambda p: ("?" in self.chat[p].text, content(self.bare(p))))
        return question, [p for p in telling if p > before], sorted({*answers, *telling})

    def _helper(self, thanks: int) -> str:
        """Whom the thanks name; else the only one who addressed the asker shortly before."""
        if self.recipient(thanks):
            return self.recipient(thanks)
        asker, start = self.chat[thanks].author, max(0, thanks - MAX_BACK)
        recent = {
            self.chat[p].author
            for p in range(start, thanks)
            if self.recipient(p) == asker and self.when[thanks] - self.when[p] <= SOON
        }
        return recent.pop() if len(recent) == 1 else ""

    def _chain(self, thanks: int, asker: str, helper: str) -> list[int]:
        """What the two said to each other or to nobody, back to a long silence."""
        start = max(0, thanks - MAX_BACK)
        kept, at = [], self.when[thanks]
        for p in sorted({p for name in (asker, helper) for p in self.said.get(name, ()) if start <= p < thanks})[::-1]:
            to, own = self.recipient(p), self.chat[p].author == asker
            if to in ("", helper) if own else to == asker or (not to and self._goes_on(p, asker)):
                if at - self.when[p] > LONG_GAP:
                    break
                kept.append(p)
                at = self.when[p]
        return kept[::-1]

    def _goes_on(self, place: int, asker: str) -> bool:
        """Whether the helper's message before this one was to the asker."""
        before = [p for p in self.said[self.chat[place].author] if p < place]
        return bool(before) and self.recipient(before[-1]) == asker

    def _asks(self, place: int, asker: str, answered: float) -> bool:
        each = self.chat[place]
        is_own = each.author == asker and not self.recipient(place) and answered - self.when[place] <= WITHIN
        return is_own and bool(ASKING.search(each.text)) and content(self.bare(place)) >= LEAST_CONTENT

    def _tells(self, place: int, asker: str) -> bool:
        text = self.bare(place)
        to_others = self.recipient(place) != asker and ADDRESS.match(self.chat[place].text)
        return not (text.rstrip(" .:)").endswith("?") or SMALL_TALK.search(text) or to_others)

    def _has_trouble(self, thanks: int, asker: str, helper: str) -> bool:
        """Whether the asker asks on, or says that it does not work."""
        after = [p for p in self.said[asker] if thanks < p and self.when[p] - self.when[thanks] <= WITHIN][:4]
        asks_on = (p for p in after if "?" in self.chat[p].text and self.recipient(p) in (helper, ""))
        return any(asks_on) or any(TROUBLE.search(self.chat[p].text) for p in after)


def content(text: str) -> int:
    """How many different words tell something."""
    return len(set(re.findall(r"[a-z0-9][a-z0-9'./_+-]*", text.lower())) - COMMON)


def questions(archive: ArchiveStore, split: str) -> list[Question]:
    """The questions of a split, in the order of the log."""
    first, last = (f"2013-01-{day:02}" for day in SPLITS[split])
    found: list[Question] = []
    for name in CHANNELS:
        kept = archive.kept(
            "where c.name = :name and substr(m.time, 1, 10) between :first and :last order by m.ordinal",
            name=name, first=first, last=last,
        )  # fmt: skip
        channel = Channel([each.id for each in kept], Chat(name, tuple(each.message for each in kept), "ubuntu"))
        found += channel.questions()
    return found


class WithholdingFinder(Finder):
    """A finder to which the texts of some messages are invisible."""

    def __init__(self, archive: ArchiveStore) -> None:
        super().__init__(archive)
        self.withheld: frozenset[int] = frozenset()
        self.absent: frozenset[int] = frozenset()  # conversations that are not there

    def _terms(self, question: str) -> TermMatches:
        terms = super()._terms(question)
        terms._bits[[id for id in self.withheld if id <= terms.last]] = 0
        return terms

    def _hits(self, *given: Any) -> dict[int, list[int]]:
        hits = super()._hits(*given)
        left = {talk: [id for id in ids if id not in self.withheld] for talk, ids in hits.items()}
        return {talk: ids for talk, ids in left.items() if ids and talk not in self.absent}

    def _talks(self, hits: Mapping[int, Sequence[int]]) -> list[tuple[StoredConversation, list[int]]]:
        found = []
        for talk, near in super()._talks(hits):
            said = [each._replace(text="") if each.id in self.withheld else each for each in talk.said]
            found.append((StoredConversation(talk.number, said), near))
        return found


def near_copies(archive: ArchiveStore, question: Question) -> frozenset[int]:
    """The question, and what its author said in nearly the same words."""
    own, found = set(words(question.text)), {question.id}
    for id, text in archive.rows("select id, text from messages where author = :author", author=question.author):
        other = set(words(text))
        if (shared := len(own & other)) >= 4 and shared >= 0.6 * min(len(own), len(other)):
            found.add(id)
    return frozenset(found - question.answers)


def reworded(text: str, seed: int) -> str:
    """Half of the words, and half of those that have a synonym replaced."""
    draw = random.Random(seed)
    kept = [word for word in text.split() if draw.random() < 0.5]
    kept = kept if len(kept) >= 3 else text.split()[:3]
    other = similar_words([word.lower() for word in kept if word.lower() not in COMMON], 1)
    return " ".join(other[word.lower()][0] if word.lower() in other and draw.random() < 0.5 else word for word in kept)


def conversations_of(archive: ArchiveStore, ids: frozenset[int]) -> set[int]:
    found = archive.rows(f"select conversation_id from messages where id in ({','.join(map(str, ids))})")
    return {number for (number,) in found}
