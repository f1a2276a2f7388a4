"""How `intent/fast` is taught: by its examples first, then by what it and its teacher say of new texts together."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..encode import static_vectors
from ..text import plural
from .descent import Descent, Lessons, Plan, log_shares
from .files import read_parts
from .grams import Bag, bags
from .network import Network, Pupil, noise, starting_pieces
from .teaching import taught
from .varied import varied

if TYPE_CHECKING:
    from .fast import Fast

log = logging.getLogger(__name__)

BATCH = 128
FIRST_PASSES = 8.0
FEWEST, FEWEST_A_CLASS, MOST = 60, 4, 8000
VARIED_PER_TEXT = 5
LEAST = 2
ENOUGH = 500  # examples, to learn from what stands out: with fewer, it makes foreign texts look familiar
FIRST_WORD = np.array([0.5, 0.2], np.float32)  # beside the teacher's, on examples and on new texts
MOST_KEPT = 20_000


def trained(fast: Fast, texts: Sequence[str], labels: Any, classes: int, seed: int) -> Pupil:
    """The network after both rounds, or after the first if there is no teacher."""
    log.info("%s, %s", plural(len(texts), "example"), plural(classes, "class", "classes"))
    found = bags(texts)
    largest = len(texts) >= ENOUGH
    first = _started(fast, found, classes, seed, largest=largest)
    _descend(first, found, labels, None, FIRST_PASSES if fast.teacher else fast.passes, seed)
    if not fast.teacher:
        return first
    new = varied(texts, labels, min(fast.varied, VARIED_PER_TEXT * len(texts)), seed, fast.alike)
    log.info("the teacher looks at %s", plural(len(texts) + len(new), "text"))
    said = taught(fast.teacher, texts, labels, new, fast.names_ or [], classes, seed)
    found = bags([*texts, *new])
    own = np.repeat(FIRST_WORD, [len(texts), len(new)])[:, None]
    both = (1 - own) * log_shares(said) + own * log_shares(first.scores(found))
    second = _started(fast, found, classes, seed, largest=largest)
    _descend(second, found, np.concatenate([labels, np.full(len(new), -1, np.int64)]), both, fast.passes, seed)
    return second


def _started(fast: Fast, found: Sequence[Bag], classes: int, seed: int, *, largest: bool) -> Pupil:
    random = np.random.default_rng(seed)
    known = [np.unique(found[0].keys), *(bag.common(LEAST) for bag in found[1:])]
    pieces = starting_pieces(np.bincount(found[0].keys, minlength=len(static_vectors())))[known[0]]
    runs = [noise((len(keys), fast.width), 0.05, random) for keys in known[1:]]
    return Pupil(Network.started([pieces, *runs], fast.hidden, classes, random, largest=largest), known)


def _descend(pupil: Pupil, found: Sequence[Bag], labels: Any, taught: Any, passes: float, seed: int) -> None:
    size = min(BATCH, len(labels))
    fewest = max(FEWEST, FEWEST_A_CLASS * pupil.network.out.shape[1])
    steps = int(np.clip(passes * len(labels) / size, fewest, MOST))
    Descent(pupil.network, Lessons(pupil.rows(found), labels, taught), Plan(steps, size), seed).run()


def examples_to_keep(fast: Fast, texts: Sequence[str], labels: Any, seed: int) -> list[tuple[str, str | None]]:
    """Those of the file that the model names, else those it learnt from, by chance if they are very many."""
    if fast.examples:
        parts = read_parts([Path(fast.examples)])
        return [(each.text, each.name) for part in parts.values() for each in part]
    names = [*(fast.names_ or []), None]
    places = np.sort(np.random.default_rng(seed).permutation(len(texts))[:MOST_KEPT])
    return [(texts[place], names[labels[place]]) for place in places]
