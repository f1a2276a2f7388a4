"""A scene as a sequence of tokens with speakers and mention labels, the input of recurrent networks.

A long scene is split between messages, so that no sequence is longer than those of the training data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...chat import Message
from ...layers import Mention
from ...text import Span
from ..data.mentions import KINDS, kind_of
from ..data.scene import Scene, speakers
from .tokens import tokens

MAX_SEQUENCE_TOKENS, MAX_TEXT_CHARACTERS = 1000, 20_000  # of a piece and of a message; bound the memory
NO_MENTION = 0  # the label of a token outside mentions
MENTION_LABELS = len(KINDS) + 1  # one a kind, and NO_MENTION


@dataclass(slots=True)
class TokenSequence:
    """`sorts` has for every word 0 or, where a mention ends, what sort of mention it is; `ends` are those words."""

    words: list[str] = field(default_factory=list)
    capital: list[bool] = field(default_factory=list)
    said_by: list[list[str]] = field(default_factory=list)
    sorts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, message: Message, spans: Sequence[Span], mentions: Sequence[Mention]) -> None:
        start = len(self.words)
        written = [message.text[first:last] for first, last in spans]
        self.words += [word.lower() for word in written]
        self.capital += [word[:1].isupper() for word in written]
        self.said_by += [[name.casefold() for name in speakers(message.author)]] * len(spans)
        self.sorts += [NO_MENTION] * len(spans)
        for mention in mentions:
            end = start + max((place for place, span in enumerate(spans) if span[0] < mention.end), default=0)
            self.sorts[end] = KINDS.index(kind_of(message.text[mention.start : mention.end])) + 1
            self.ends.append(end)


def token_sequences(scene: Scene, mentions: Sequence[Mention]) -> Iterator[TokenSequence]:
    """The pieces of a scene, which have all of its mentions in their order."""
    here: dict[int, list[Mention]] = {}
    for mention in mentions:
        here.setdefault(mention.position, []).append(mention)
    piece = TokenSequence()
    for position, message in enumerate(scene.chat):
        if message.kind == "system" and position not in here:
            continue
        # The words of a message, and one that is empty where it has none.
        spans = scene.tokens[position] if scene.tokens else tokens(message.text[:MAX_TEXT_CHARACTERS])
        spans = spans[:MAX_SEQUENCE_TOKENS] or [(0, 0)]
        if len(piece.words) + len(spans) > MAX_SEQUENCE_TOKENS:
            yield piece
            piece = TokenSequence()
        piece.add(message, spans, here.get(position, ()))
    yield piece
