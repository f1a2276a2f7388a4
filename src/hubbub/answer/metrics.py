"""How well replies are chosen: recall among n candidates at k in percent, and the mean of one over the rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..layers import Reply

Ranked = tuple[Reply, ...]
RECALL_CUTOFFS = (1, 2, 5)  # R@1, R@2 and R@5 of Lowe et al. 2015, section 3.5


def score(golds: Sequence[Ranked], predictions: Sequence[Ranked]) -> dict[str, float]:
    """Recall at 1, 2 and 5 of all candidates and at 1 of the first two of each, and MRR.

    A gold is the candidates as they were given, the true one first. Equal scores count against a model: the true reply
    stands behind everything that scores the same.
    """
    if not golds:
        return {}
    ranks = [rank(gold, predicted) for gold, predicted in zip(golds, predictions, strict=True)]
    width = max(len(gold) for gold in golds)
    figures = {
        f"recall_{width}_at_{cutoff}": _share(r <= cutoff for r in ranks) for cutoff in RECALL_CUTOFFS if cutoff < width
    }
    if width > 2:
        figures["recall_2_at_1"] = _share(
            _beats(gold, predicted) for gold, predicted in zip(golds, predictions, strict=True)
        )
    return {**figures, "mrr": sum(1 / r for r in ranks) / len(ranks)}


def rank(gold: Ranked, predicted: Ranked) -> int:
    """The place of the true reply among the candidates, from 1; behind all if it is not there."""
    own = next((each.score for each in predicted if each.text == gold[0].text), None)
    if own is None:
        return len(gold)
    return sum(1 for each in predicted if each.score >= own)


def _beats(gold: Ranked, predicted: Ranked) -> bool:
    """Whether the true reply scores above the first false one."""
    scores = {each.text: each.score for each in predicted}
    if gold[0].text not in scores:
        return False
    return len(gold) < 2 or scores[gold[0].text] > scores.get(gold[1].text, float("-inf"))


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return 100 * sum(listed) / len(listed)
