"""Training of `intent/fast`: on its examples, then on soft labels of the first network and the teacher."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...ml.encoder import static_vectors
from ...ml.types import Array
from ...text import plural
from ..data.files import read_parts
from ..features.ngrams import Bag, bags
from ..models._fast_network import KeyedNetwork, NgramNetwork, initial_pieces, noise
from .augmentation import augmented_texts
from .distillation import teacher_scores
from .fast_trainer import FastTrainer, OptimizerSettings, TrainingTexts, log_softmax

if TYPE_CHECKING:
    from ..models.fast import Fast

log = logging.getLogger(__name__)


BATCH = 128
FIRST_ROUND_EPOCHS = 8.0  # the first network only adds to the soft labels of the second
MIN_STEPS, MIN_STEPS_PER_CLASS, MAX_STEPS = 60, 4, 8000  # few examples need more epochs; the last bounds the time
AUGMENTED_PER_TEXT = 5  # few texts give few different combinations
MIN_NGRAM_COUNT = 2  # n-grams of one text would be memorized
MIN_MAX_POOL_EXAMPLES = 500  # with fewer examples max pooling makes out-of-scope texts look in scope
FIRST_NETWORK_WEIGHT = np.array(
    [0.5, 0.2], np.float32
)  # beside the teacher's soft labels, on examples and on augmented texts
MAX_KEPT_EXAMPLES = 20_000  # bounds the size of a saved model


def train_network(fast: Fast, texts: Sequence[str], labels: Array, classes: int, seed: int) -> KeyedNetwork:
    """The network after both rounds, or after the first without a teacher."""
    log.info("%s, %s", plural(len(texts), "example"), plural(classes, "class", "classes"))
    found = bags(texts)
    largest = len(texts) >= MIN_MAX_POOL_EXAMPLES
    first = _started(fast, found, classes, seed, largest=largest)
    _train(first, found, labels, None, FIRST_ROUND_EPOCHS if fast.teacher else fast.epochs, seed)
    if not fast.teacher:
        return first
    new = augmented_texts(
        texts, labels, min(fast.max_augmented, AUGMENTED_PER_TEXT * len(texts)), seed, fast.synonym_share
    )
    log.info("the teacher labels %s", plural(len(texts) + len(new), "text"))
    soft_labels = teacher_scores(fast.teacher, texts, labels, new, fast.names_ or [], classes, seed)
    found = bags([*texts, *new])
    own = np.repeat(FIRST_NETWORK_WEIGHT, [len(texts), len(new)])[:, None]
    both = (1 - own) * log_softmax(soft_labels) + own * log_softmax(first.scores(found))
    second = _started(fast, found, classes, seed, largest=largest)
    _train(second, found, np.concatenate([labels, np.full(len(new), -1, np.int64)]), both, fast.epochs, seed)
    return second


def _started(fast: Fast, found: Sequence[Bag], classes: int, seed: int, *, largest: bool) -> KeyedNetwork:
    random = np.random.default_rng(seed)
    known = [np.unique(found[0].keys), *(bag.common(MIN_NGRAM_COUNT) for bag in found[1:])]
    pieces = initial_pieces(np.bincount(found[0].keys, minlength=len(static_vectors())))[known[0]]
    runs = [noise((len(keys), fast.width), 0.05, random) for keys in known[1:]]
    return KeyedNetwork(NgramNetwork.started([pieces, *runs], fast.hidden, classes, random, largest=largest), known)


def _train(
    keyed: KeyedNetwork, found: Sequence[Bag], labels: Array, soft_labels: Array | None, passes: float, seed: int
) -> None:
    size = min(BATCH, len(labels))
    fewest = max(MIN_STEPS, MIN_STEPS_PER_CLASS * keyed.network.out.shape[1])
    steps = int(np.clip(passes * len(labels) / size, fewest, MAX_STEPS))
    FastTrainer(
        keyed.network, TrainingTexts(keyed.rows(found), labels, soft_labels), OptimizerSettings(steps, size), seed
    ).run()


def examples_to_keep(fast: Fast, texts: Sequence[str], labels: Array, seed: int) -> list[tuple[str, str | None]]:
    """The examples of the file that the model names, else its training examples, a random sample if there are many."""
    if fast.examples:
        parts = read_parts([Path(fast.examples)])
        return [(each.text, each.name) for part in parts.values() for each in part]
    names = [*(fast.names_ or []), None]
    places = np.sort(np.random.default_rng(seed).permutation(len(texts))[:MAX_KEPT_EXAMPLES])
    return [(texts[place], names[labels[place]]) for place in places]
