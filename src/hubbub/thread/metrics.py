"""Scores of reply graphs, in percent, pooled over all chats, for annotated messages only.

Links include those of a message to itself and those into the context. Conversations are the connected components of the
links of annotated messages, context included; then only the annotated messages of each are kept.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import log2

from ..layers import ReplyGraph
from ..ml.assignment import max_assignment

Graphs = Sequence[ReplyGraph]
MAX_DISTANCE = 3  # messages, of Elsner's loc3


def score(golds: Graphs, predictions: Graphs) -> dict[str, float]:
    """All scores of links and of conversations."""
    return links(golds, predictions) | conversations(golds, predictions)


def links(golds: Graphs, predictions: Graphs) -> dict[str, float]:
    """Precision, recall and F of links, those of a message to itself included."""
    gold, predicted, match = link_counts(golds, predictions)
    return dict(
        zip(("link_precision", "link_recall", "link_f"), precision_recall_f(match, predicted, gold), strict=True)
    )


def link_counts(golds: Graphs, predictions: Graphs) -> tuple[int, int, int]:
    """How many links the gold has, the prediction has, and both have."""
    gold = predicted = match = 0
    for gold_graph, predicted_graph in zip(golds, predictions, strict=True):
        for true, guessed in zip(gold_graph.parents, predicted_graph.parents, strict=True):
            if true:
                gold += len(true)
                predicted += len(guessed)
                match += len(set(true) & set(guessed))
    return gold, predicted, match


def conversations(golds: Graphs, predictions: Graphs) -> dict[str, float]:
    """The agreement of two partitions of the same messages into conversations."""
    pairs = [conversation_labels(gold, predicted) for gold, predicted in zip(golds, predictions, strict=True)]
    table = ConversationOverlap.of(pairs)
    exact = dict(zip(("exact_precision", "exact_recall", "exact_f"), table.exact(), strict=True))
    return {
        "vi": table.variation(),
        "one_to_one": table.one_to_one(),
        **exact,
        "ari": table.adjusted_rand(),
        "shen": table.shen(),
        "loc3": nearby_agreement(pairs),
    }


Labels = list[tuple[int, int, int]]


def conversation_labels(gold: ReplyGraph, predicted: ReplyGraph) -> Labels:
    """(position, conversation in the gold, conversation in the prediction) of every annotated message."""
    annotated = [position for position, parents in enumerate(gold.parents) if parents]
    one, other = _first_of_each(gold, annotated), _first_of_each(predicted, annotated)
    return [(position, one[position], other[position]) for position in annotated]


def _first_of_each(graph: ReplyGraph, annotated: Sequence[int]) -> dict[int, int]:
    """Position -> the first message of its conversation, by the links of annotated messages alone."""
    judged = set(annotated)
    restricted = ReplyGraph(tuple(p if i in judged else () for i, p in enumerate(graph.parents)))
    return {position: group[0] for group in restricted.components() for position in group}


@dataclass(frozen=True, slots=True)
class ConversationOverlap:
    """How many messages each conversation of the gold shares with each of the prediction."""

    cells: Counter[tuple[int, int]]
    gold: Counter[int]
    predicted: Counter[int]

    @classmethod
    def of(cls, chats: Sequence[Labels]) -> ConversationOverlap:
        number: dict[tuple[str, int, int], int] = defaultdict(count().__next__)
        pooled = Counter((number["g", c, g], number["s", c, s]) for c, chat in enumerate(chats) for _, g, s in chat)
        gold: Counter[int] = Counter()
        predicted: Counter[int] = Counter()
        for (one, other), shared in pooled.items():
            gold[one] += shared
            predicted[other] += shared
        return cls(pooled, gold, predicted)

    @property
    def messages(self) -> int:
        return self.gold.total()

    def variation(self) -> float:
        """1 - variation of information / log2 of the number of messages."""
        if self.messages < 2:
            return 100.0 if self.messages else 0.0
        lost = sum(
            shared * (2 * log2(shared) - log2(self.gold[one]) - log2(self.predicted[other]))
            for (one, other), shared in self.cells.items()
        )
        return 100 * (1 + lost / self.messages / log2(self.messages))

    def one_to_one(self) -> float:
        """The messages that agree when conversations are paired up in the best way."""
        return percent(max_assignment(self.cells), self.messages)

    def exact(self) -> tuple[float, float, float]:
        """Precision, recall and F of whole conversations of two messages or more."""
        match = sum(
            shared == self.gold[one] == self.predicted[other] and shared > 1
            for (one, other), shared in self.cells.items()
        )
        return precision_recall_f(match, _several(self.predicted), _several(self.gold))

    def adjusted_rand(self) -> float:
        """The adjusted Rand index: agreement on pairs of messages, corrected for chance."""
        both, gold, predicted = (sum(map(_pairs, each.values())) for each in (self.cells, self.gold, self.predicted))
        every = _pairs(self.messages)
        expected = gold * predicted / every if every else 0.0
        most = (gold + predicted) / 2
        return 100 * (both - expected) / (most - expected) if most != expected else 100.0 if self.messages else 0.0

    def shen(self) -> float:
        """F of the most alike prediction for each conversation, weighted by its size (Shen et al. 2006)."""
        best: dict[int, float] = {}
        for (one, other), shared in self.cells.items():
            f_score = 2 * shared / (self.gold[one] + self.predicted[other])
            best[one] = max(f_score, best.get(one, 0.0))
        return percent(sum(self.gold[one] * f_score for one, f_score in best.items()), self.messages)


def nearby_agreement(chats: Sequence[Labels]) -> float:
    """Of the pairs of messages up to three apart, how many both divisions join, or both part (Elsner's loc3)."""
    agreed = [(g == other_g) == (s == other_s) for g, s, other_g, other_s in _near(chats)]
    return percent(sum(agreed), len(agreed))


def _near(chats: Sequence[Labels]) -> Iterator[tuple[int, int, int, int]]:
    for chat in chats:
        for index, (position, gold, predicted) in enumerate(chat):
            for before, other_gold, other_said in chat[max(0, index - MAX_DISTANCE) : index]:
                if position - before <= MAX_DISTANCE:
                    yield gold, predicted, other_gold, other_said


def precision_recall_f(match: int, predicted: int, gold: int) -> tuple[float, float, float]:
    """Precision, recall and F."""
    return percent(match, predicted), percent(match, gold), percent(2 * match, predicted + gold)


def percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def _several(sizes: Counter[int]) -> int:
    return sum(size > 1 for size in sizes.values())


def _pairs(number: int) -> int:
    return number * (number - 1) // 2
