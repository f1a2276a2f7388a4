"""Scores of coreference, for those who come from that side: the people of a scene as clusters of its mentions.

MUC, B-cubed and CEAF with the similarity of entities, each summed over all scenes, and their average, as CoNLL-2012
has it. A mention of nobody known is a cluster of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...layers import Link, Mention
from ...ml.assignment import assign_rows

Cluster = frozenset[Mention]
Clusters = list[Cluster]
Sums = tuple[float, float, float, float]  # of recall and of precision: what counts, of how much


def coreference(golds: Sequence[Sequence[Link]], predictions: Sequence[Sequence[Link]]) -> dict[str, float]:
    """The F of the three measures and their average."""
    pairs = [(clusters(gold), clusters(predicted)) for gold, predicted in zip(golds, predictions, strict=True)]
    measures: dict[str, Callable[[Clusters, Clusters], Sums]] = {"muc_f": muc, "b3_f": b_cubed, "ceafe_f": ceaf_e}
    found = {name: _f([measure(*pair) for pair in pairs]) for name, measure in measures.items()}
    return {**found, "conll_f": sum(found.values()) / len(found)}


def clusters(links: Sequence[Link]) -> Clusters:
    """The mentions of each person, or each group of people, together; of nobody known, each alone."""
    of: dict[object, set[Mention]] = {}
    for link in links:
        of.setdefault(frozenset(link.people) or link.mention, set()).add(link.mention)
    return [frozenset(each) for each in of.values()]


def _f(sums: Sequence[Sums]) -> float:
    recall, gold, precision, predicted = (sum(column) for column in zip(*sums, strict=True)) if sums else (0, 0, 0, 0)
    one, other = recall / gold if gold else 0.0, precision / predicted if predicted else 0.0
    return 200 * one * other / (one + other) if one + other else 0.0


def muc(gold: Clusters, predicted: Clusters) -> Sums:
    """How many of the links that hold a cluster together the other side has."""
    return (*_links(gold, predicted), *_links(predicted, gold))


def _links(one: Clusters, other: Clusters) -> tuple[float, float]:
    cluster_of = {mention: number for number, cluster in enumerate(other) for mention in cluster}
    linked = 0
    for cluster in one:
        parts = {cluster_of[mention] for mention in cluster if mention in cluster_of}
        alone = sum(mention not in cluster_of for mention in cluster)
        linked += len(cluster) - len(parts) - alone
    return linked, sum(len(cluster) - 1 for cluster in one)


def b_cubed(gold: Clusters, predicted: Clusters) -> Sums:
    """For each mention, which share of its cluster the other side has with it."""
    return (*_shares(gold, predicted), *_shares(predicted, gold))


def _shares(one: Clusters, other: Clusters) -> tuple[float, float]:
    cluster_of = {mention: cluster for cluster in other for mention in cluster}
    shared = sum(
        len(cluster & cluster_of.get(mention, frozenset())) / len(cluster) for cluster in one for mention in cluster
    )
    return shared, sum(map(len, one))


def ceaf_e(gold: Clusters, predicted: Clusters) -> Sums:
    """The similarity of clusters under the best one-to-one alignment."""
    if not gold or not predicted:
        return 0.0, len(gold), 0.0, len(predicted)
    few, many = sorted((gold, predicted), key=len)
    similarity = [[2 * len(one & other) / (len(one) + len(other)) for other in many] for one in few]
    best = sum(similarity[row][column] for row, column in enumerate(assign_rows(similarity)))
    return best, len(gold), best, len(predicted)
