"""Examples to learn from, and others, of other dialogues, to choose on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..features.turns import encode_examples
from ..metrics import Ranked
from ..models._lexical import Tuning
from .examples import DISTRACTORS, Choice, normalized

HELD_OUT_SHARE, MIN_HELD_OUT = 0.1, 8  # of the dialogues; fewer examples would fit the ranker to chance


def hold_out(
    inputs: Sequence[Choice], golds: Sequence[Ranked], tuning: Tuning | None, seed: int
) -> tuple[Tuning, list[Choice]]:
    """The training part, and lists of up to ten candidates, the true one first, to train the ranker on.

    Without a tuning part a tenth of the dialogues is held out; with too few dialogues all are used for both.
    """
    if tuning is not None:
        return (inputs, golds), _lists(*tuning, seed)
    group = encode_examples(inputs, golds).group
    some = np.random.default_rng(seed).permutation(np.unique(group))
    in_holdout = np.isin(group, some[: round(HELD_OUT_SHARE * len(some))])
    if in_holdout.sum() < MIN_HELD_OUT:
        return (inputs, golds), _lists(inputs, golds, seed)
    training, holdout = (np.flatnonzero(each).tolist() for each in (~in_holdout, in_holdout))
    return _taken(inputs, golds, training), _lists(*_taken(inputs, golds, holdout), seed)


def _taken(inputs: Sequence[Choice], golds: Sequence[Ranked], places: Sequence[int]) -> Tuning:
    return [inputs[place] for place in places], [golds[place] for place in places]


def _lists(inputs: Sequence[Choice], golds: Sequence[Ranked], seed: int) -> list[Choice]:
    """Lists of the same length, filled up with true replies of others."""
    random, replies = np.random.default_rng(seed), [gold[0].text for gold in golds]
    count = min(DISTRACTORS, len(set(map(normalized, replies))) - 1)
    found = []
    for choice, gold in zip(inputs, golds, strict=True):
        true = gold[0].text
        false = [text for text in choice.candidates if text != true]
        excluded = {normalized(text) for text in (true, *false)}
        for place in random.permutation(len(replies)) if len(false) < count else ():
            if normalized(replies[place]) not in excluded:
                excluded.add(normalized(replies[place]))
                false.append(replies[place])
            if len(false) >= count:
                break
        if len(false) >= count:
            found.append(Choice(choice.context, (true, *false[:count])))
    return found
