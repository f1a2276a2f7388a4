"""Questions that ask the same, by the vectors of the sentence encoder: star clustering.

Clusters are stars (Aslam et al. 2004): the question that the most people ask similarly is a centre, its neighbours are
its cluster, and so on with the rest. Unlike in connected components every member is similar to the centre. Neighbours
are found by comparing blocks of vectors, quadratic in the number of questions (10,000 take seconds, 50,000 minutes);
memory is that of the vectors and of the pairs above the threshold.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MIN_SIMILARITY = 0.7  # cosine; chosen by reading clusters
BLOCK = 512  # questions that are compared with all at once; bounds memory


class QuestionCluster(NamedTuple):
    """Places of questions that ask the same, the centre first, then the most similar to it."""

    members: tuple[int, ...]
    people: int


def cluster_questions(
    vectors: Floats, askers: Sequence[Hashable], least: float = MIN_SIMILARITY
) -> list[QuestionCluster]:
    """Clusters of the questions of at least two people, those of most people first; vectors have length 1."""
    neighbours = _neighbours(vectors, least)
    people = [len({askers[place], *(askers[other] for other, _ in near)}) for place, near in enumerate(neighbours)]
    is_free = [True] * len(askers)
    found = []
    for centre in sorted(range(len(askers)), key=lambda place: (-people[place], place)):
        if not is_free[centre]:
            continue
        members = (centre, *(other for other, _ in neighbours[centre] if is_free[other]))
        for place in members:
            is_free[place] = False
        count = len({askers[place] for place in members})
        if count > 1:
            found.append(QuestionCluster(members, count))
    return sorted(found, key=lambda each: (-each.people, each.members))


def _neighbours(vectors: Floats, least: float) -> list[list[tuple[int, float]]]:
    """For each question the others at least that similar, the most similar first."""
    import numpy as np

    found: list[list[tuple[int, float]]] = [[] for _ in vectors]
    for start in range(0, len(vectors), BLOCK):
        cosines = vectors[start : start + BLOCK] @ vectors.T
        rows, others = np.nonzero(cosines >= least)
        for row, other, cosine in zip(rows.tolist(), others.tolist(), cosines[rows, others].tolist(), strict=True):
            if start + row != other:
                found[start + row].append((other, cosine))
    for near in found:
        near.sort(key=lambda pair: (-pair[1], pair[0]))
    return found
