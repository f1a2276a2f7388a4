"""Features of past conversations and of the answers in them, with respect to a question.

Two things are judged: whether a conversation is about the question (MATCH), and which of its messages solves it
(RESOLUTION). The second uses what happened afterwards: thanks, a further question, trouble.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log, log1p
from typing import TYPE_CHECKING, NamedTuple

from .conversation import StoredConversation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MATCH = (
    "words of the question in the conversation", "in one message",
    "static similarity of the nearest message", "of the second", "of the conversation",
    "encoder similarity of the nearest message", "lead in words", "lead in encoder similarity",
    "messages found", "thanked", "length", "weight of the words",
)  # fmt: skip
WORDS, WORDS_OF_ONE, ENCODED, WORDS_LEAD, ENCODED_LEAD = 0, 1, 5, 6, 7
RESOLUTION = (
    "thanked", "nearness of the thanks", "last before the thanks", "trouble afterwards", "question back", "length",
    "code", "link", "instruction", "small talk", "bot", "answers the opening", "position",
    "answers by the same person", "asked by the first speaker", "helps elsewhere", "addressed", "first person",
)  # fmt: skip

CODE = re.compile(
    r"(?:^|\s)(?:[~/]\S*/|\$ |\./|--?\w)|`|\w+\(\)|\w+\.\w+\.\w+"
    r"|\b(?:sudo|apt-get|apt|cd|ls|grep|chmod|pip|git|docker|npm)\s+\S"
)
LINK = re.compile(r"https?://|www\.", re.I)
INSTRUCTION = re.compile(
    r"^(?:\S+[:,]\s+)?"
    r"(?:(?:yes|yeah|no|ok|well|so|then|just|maybe|perhaps|first|now|please|and|or|but|you(?:'ll| will)?)[, ]+)*"
    r"(?:try|run|use|install|reinstall|type|check|go|open|add|edit|remove|delete|set|click|press|boot|reboot|restart"
    r"|put|make|look|change|copy|create|download|enable|disable|start|stop|turn|unplug|plug|hold|clean|replace|do|get"
    r"|give|see|read|select|choose|can|could|need|have to|should|must|might|want to)\b",
    re.I,
)
SMALL_TALK = re.compile(
    r"\b(?:lol|rofl|haha\w*|hehe\w*|heh|:P|;\)|np|no (?:problem|worries|prob)|good luck|welcome|yw|glad|sorry"
    r"|have fun|enjoy|no idea|dunno|i don'?t know|not sure|let (?:me|us) know)\b|^\W*$|[:;]-?[PD)]\s*$",
    re.I,
)
TROUBLE = re.compile(
    r"\b(?:still|doesn'?t|didn'?t|not work\w*|won'?t|no luck|same (?:error|problem|thing)|failed|fails"
    r"|nothing happens)\b",
    re.I,
)
FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|me|my|mine)\b", re.I)
BOT = re.compile(r"bot\d*\W*$|^bot|^ubottu$|^\w*serv$", re.I)
TELLING_WORDS = 4  # a shorter message is seldom what helped
SOON = 6  # messages after an answer in which trouble is looked for


class Evidence(NamedTuple):
    """A conversation beside a question: similarities and word sets of its messages, and the place of the nearest.

    `encoded` is the similarity of the nearest message by the sentence encoder, `found` how many messages were found.
    """

    talk: StoredConversation
    cosines: Floats
    vectors: Floats
    bits: Sequence[int]
    nearest: int
    encoded: float
    found: int


def match_features(each: Evidence, shares: NDArray[np.float64], weight: float) -> list[float]:
    """Without the leads, which need the other conversations."""
    import numpy as np

    union = 0
    for bits in each.bits:
        union |= bits
    ordered = np.sort(each.cosines)[::-1]
    whole = each.vectors.sum(axis=0)
    about = float(each.cosines.sum() / max(float(np.linalg.norm(whole)), 1e-9))
    thanked = any(each.talk.gives_thanks(place) for place in range(len(each.talk.said)))
    return [
        float(shares[union]), float(max(shares[bits] for bits in each.bits)),
        float(ordered[0]), float(ordered[min(1, len(ordered) - 1)]), about, each.encoded, 0.0, 0.0,
        log1p(each.found), float(thanked), log(len(each.talk.said)), weight,
    ]  # fmt: skip


def with_leads(rows: Sequence[list[float]]) -> list[list[float]]:
    """How far each conversation is ahead of the best other one, in words and by the encoder."""
    for source, target in ((WORDS, WORDS_LEAD), (ENCODED, ENCODED_LEAD)):
        values = [row[source] for row in rows]
        first, second = [*sorted(values, reverse=True), 0.0, 0.0][:2]
        leader = values.index(first) if values else -1
        for place, row in enumerate(rows):
            row[target] = row[source] - (second if place == leader else first)
    return list(rows)


def resolution_features(talk: StoredConversation, place: int, elsewhere: int) -> list[float]:
    """What speaks for one message as the solution; its author answers in `elsewhere` other conversations.

    How alike it is to the question is left out: the first suggestions repeat the words of a question, the last one,
    which helped, often does not.
    """
    said, text = talk.said[place], talk.bare(place)
    asker, thanks = talk.asker(place), talk.thanks(place)
    later = [p for p in range(place + 1, min(place + 1 + SOON, len(talk.said))) if talk.said[p].author == asker]
    own = [p for p in range(len(talk.said)) if talk.said[p].author == said.author and p != place]
    is_last = thanks is not None and not any(place < p < thanks and _tells(talk.bare(p)) for p in own)
    return [
        float(thanks is not None), 0.0 if thanks is None else 1 / (thanks - place), float(is_last),
        float(any(TROUBLE.search(talk.said[p].text) or "?" in talk.said[p].text for p in later)),
        float(text.rstrip(" .!:)(").endswith("?")), log1p(len(text.split())),
        float(bool(CODE.search(text))), float(bool(LINK.search(text))), float(bool(INSTRUCTION.search(text))),
        float(bool(SMALL_TALK.search(text))), float(bool(BOT.search(said.author))),
        float(talk.answers_opening(place)), place / max(len(talk.said) - 1, 1), log1p(len(own)),
        float(asker == talk.said[0].author), log1p(elsewhere),
        float(text != said.text), float(bool(FIRST_PERSON.search(text))),
    ]  # fmt: skip


def _tells(text: str) -> bool:
    return len(text.split()) >= TELLING_WORDS and not text.endswith("?") and not SMALL_TALK.search(text)
