"""Examples to learn from, and others, of other dialogues, to choose on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .examples import FALSE, Choice, plain
from .lexical import Tuning
from .metrics import Ranked
from .turns import pairs

SHARE, LEAST = 0.1, 8


def apart(
    inputs: Sequence[Choice], golds: Sequence[Ranked], tuning: Tuning | None, seed: int
) -> tuple[Tuning, list[Choice]]:
    """What is learnt from, and lists of ten or fewer candidates, the true one first, to choose on.

    Without a part that is kept for choices, a tenth of the dialogues is; of too few, all serve both.
    """
    if tuning is not None:
        return (inputs, golds), _lists(*tuning, seed)
    group = pairs(inputs, golds).group
    some = np.random.default_rng(seed).permutation(np.unique(group))
    kept = np.isin(group, some[: round(SHARE * len(some))])
    if kept.sum() < LEAST:
        return (inputs, golds), _lists(inputs, golds, seed)
    learnt, held = (np.flatnonzero(each).tolist() for each in (~kept, kept))
    return _taken(inputs, golds, learnt), _lists(*_taken(inputs, golds, held), seed)


def _taken(inputs: Sequence[Choice], golds: Sequence[Ranked], places: Sequence[int]) -> Tuning:
    return [inputs[place] for place in places], [golds[place] for place in places]


def _lists(inputs: Sequence[Choice], golds: Sequence[Ranked], seed: int) -> list[Choice]:
    """Lists of the same length, filled up with true replies of others."""
    random, replies = np.random.default_rng(seed), [gold[0].text for gold in golds]
    count = min(FALSE, len(set(map(plain, replies))) - 1)
    found = []
    for choice, gold in zip(inputs, golds, strict=True):
        true = gold[0].text
        false = [text for text in choice.candidates if text != true]
        taken = {plain(text) for text in (true, *false)}
        for place in random.permutation(len(replies)) if len(false) < count else ():
            if plain(replies[place]) not in taken:
                taken.add(plain(replies[place]))
                false.append(replies[place])
            if len(false) >= count:
                break
        if len(false) >= count:
            found.append(Choice(choice.context, (true, *false[:count])))
    return found
