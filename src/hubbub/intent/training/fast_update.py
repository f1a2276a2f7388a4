"""Continued training of `intent/fast`: new examples and intents in seconds, without forgetting old ones.

The examples that the model kept are used again with their old predictions as soft labels, and the dense layers decay
towards their old weights. A model that kept other examples than its training data may lose some accuracy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...ml.encoder import static_vectors
from ...ml.types import Array
from ..features.ngrams import Bag, bags
from ..models._fast_network import KeyedNetwork, NgramNetwork, initial_pieces
from .fast_trainer import FastTrainer, OptimizerSettings, TrainingTexts, log_softmax

if TYPE_CHECKING:
    from ..models.fast import Fast

BATCH = 128
EPOCHS, MIN_STEPS, MAX_STEPS = 4, 100, 400  # a network that is trained already needs few steps
RATE, ANCHOR_DECAY = 1e-3, 2.0  # weights decay towards their old values, so that old intents stay as they are
NEW_LABEL_PROBABILITY, NEW_CLASS_PROBABILITY = 0.95, 1e-6  # of a new example, and of new intents for old texts
MAX_REPEATS = 50  # of new examples, which must not drown in old ones

Examples = Sequence[tuple[str, str | None]]


def refit(fast: Fast, examples: Examples, seed: int) -> None:
    """Trains the model with more examples; its names become more if there are new ones."""
    before, labelled = fast.names_ or [], dict(examples)
    names = [*before, *sorted({name for name in labelled.values() if name is not None} - set(before))]
    old = [each for each in fast.examples_ or [] if each[0] not in labelled]
    new = [each for each in labelled.items() if each[1] is not None or fast.scheme == "train"]
    keyed = fast.unpacked()
    outside = keyed.network.out.shape[1] > len(before) or any(name is None for _, name in new)
    whole = [*old, *new * int(np.clip(len(old) // (2 * max(1, len(new))), 1, MAX_REPEATS))]
    labels = np.array([names.index(name) if name is not None else len(names) for _, name in whole], np.int64)
    # Log probabilities of soft labels with most of the mass on the label of the example.
    classes = len(names) + outside
    soft_labels = np.full((len(labels), classes), np.log((1 - NEW_LABEL_PROBABILITY) / classes), np.float32)
    soft_labels[np.arange(len(labels)), labels] = np.log(NEW_LABEL_PROBABILITY)
    if old:
        old_predictions = log_softmax(fast.scores([text for text, _ in old]))
        soft_labels[: len(old)] = _with_new_columns(
            old_predictions, len(before), len(names), outside, np.log(NEW_CLASS_PROBABILITY)
        )
    found = bags([text for text, _ in whole])
    extended = _extended(keyed, found, len(before), len(names), outside)
    steps = int(np.clip(EPOCHS * len(whole) / BATCH, MIN_STEPS, MAX_STEPS))
    settings = OptimizerSettings(steps, min(BATCH, len(whole)), RATE, ANCHOR_DECAY, anchored=True)
    FastTrainer(extended.network, TrainingTexts(extended.rows(found), labels, soft_labels), settings, seed).run()
    centres = (fast.weights_ or {})["centres"]
    fast.names_ = names
    fast.pack(extended)
    # Old intents keep their centres, new ones get theirs.
    known = [(text, names.index(name)) for text, name in new if name is not None]
    fast.place_centres([text for text, _ in known], np.array([label for _, label in known], np.int64))
    (fast.weights_ or {})["centres"][: len(centres)] = centres
    fast.keep([*old, *new])


def _with_new_columns(values: Array, before: int, after: int, outside: bool, fill: float) -> Array:
    """Columns for new intents put between those of the old ones and that of out of scope, which may be new too."""
    extended = np.full((*values.shape[:-1], after + outside), fill, np.float32)
    extended[..., :before] = values[..., :before]
    if values.shape[-1] > before:
        extended[..., -1] = values[..., -1]
    return extended


def _extended(keyed: KeyedNetwork, found: Sequence[Bag], before: int, after: int, outside: bool) -> KeyedNetwork:
    """The same network with rows for features that it did not know and columns for the new intents."""
    net = keyed.network
    known = [np.union1d(keys, bag.keys) for keys, bag in zip(keyed.known, found, strict=True)]
    tables = [np.zeros((len(keys), table.shape[1]), np.float32) for keys, table in zip(known, net.tables, strict=True)]
    tables[0][:] = initial_pieces(np.zeros(len(static_vectors())))[known[0]]
    for table, keys, start, old in zip(tables, known, net.tables, keyed.known, strict=True):
        table[np.searchsorted(keys, old)] = start
    out, bias = (_with_new_columns(each, before, after, outside, 0.0) for each in (net.out, net.out_bias))
    return KeyedNetwork(NgramNetwork(tables, net.gain, net.shift, net.hidden, net.hidden_bias, out, bias), known)
