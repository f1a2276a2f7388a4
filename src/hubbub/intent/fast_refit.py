"""Going on with a trained `intent/fast`: new examples and intents learnt in seconds, old ones not forgotten.

The examples it kept are learnt again beside the new ones, with the answers that it gave to them before; all that is
dense is pulled to where it was. A model that kept other examples than it learnt from has that pull and those examples
only, and may lose a little of what it knew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..encode import static_vectors
from .descent import Descent, Lessons, Plan, log_shares
from .grams import Bag, bags
from .network import Network, Pupil, starting_pieces

if TYPE_CHECKING:
    from .fast import Fast

BATCH = 128
PASSES, FEWEST, MOST = 4, 100, 400
RATE, PULL = 1e-3, 2.0
SURE, SELDOM = 0.95, 1e-6
OFTENEST = 50

Examples = Sequence[tuple[str, str | None]]


def refit(fast: Fast, examples: Examples, seed: int) -> None:
    """Trains the model with more examples; its names become more if there are new ones."""
    before, told = fast.names_ or [], dict(examples)
    names = [*before, *sorted({name for name in told.values() if name is not None} - set(before))]
    old = [each for each in fast.kept_ or [] if each[0] not in told]
    new = [each for each in told.items() if each[1] is not None or fast.scheme == "train"]
    pupil = fast.unpacked()
    outside = pupil.network.out.shape[1] > len(before) or any(name is None for _, name in new)
    whole = [*old, *new * int(np.clip(len(old) // (2 * max(1, len(new))), 1, OFTENEST))]
    labels = np.array([names.index(name) if name is not None else len(names) for _, name in whole], np.int64)
    taught = _sure(labels, len(names) + outside)
    if old:
        said = log_shares(fast.scores([text for text, _ in old]))
        taught[: len(old)] = _widened(said, len(before), len(names), outside, np.log(SELDOM))
    found = bags([text for text, _ in whole])
    grown = _grown(pupil, found, len(before), len(names), outside)
    steps = int(np.clip(PASSES * len(whole) / BATCH, FEWEST, MOST))
    plan = Plan(steps, min(BATCH, len(whole)), RATE, PULL, remember=True)
    Descent(grown.network, Lessons(grown.rows(found), labels, taught), plan, seed).run()
    centres = (fast.weights_ or {})["centres"]
    fast.names_ = names
    fast.pack(grown)
    _place_centres(fast, centres, new)
    fast.keep([*old, *new])


def _place_centres(fast: Fast, before: Any, new: Examples) -> None:
    """Old intents keep their centres, new ones get theirs."""
    names = fast.names_ or []
    known = [(text, names.index(name)) for text, name in new if name is not None]
    fast.place_centres([text for text, _ in known], np.array([label for _, label in known], np.int64))
    (fast.weights_ or {})["centres"][: len(before)] = before


def _sure(labels: Any, classes: int) -> Any:
    """What a teacher says who is quite sure of the labels, as logarithms."""
    said = np.full((len(labels), classes), np.log((1 - SURE) / classes), np.float32)
    said[np.arange(len(labels)), labels] = np.log(SURE)
    return said


def _widened(values: Any, before: int, after: int, outside: bool, fill: float) -> Any:
    """Columns for new intents put between those of the old ones and that of out of scope, which may be new too."""
    wide = np.full((*values.shape[:-1], after + outside), fill, np.float32)
    wide[..., :before] = values[..., :before]
    if values.shape[-1] > before:
        wide[..., -1] = values[..., -1]
    return wide


def _grown(pupil: Pupil, found: Sequence[Bag], before: int, after: int, outside: bool) -> Pupil:
    """The same network with rows for features that it did not know and columns for the new intents."""
    net = pupil.network
    known = [np.union1d(keys, bag.keys) for keys, bag in zip(pupil.known, found, strict=True)]
    tables = [np.zeros((len(keys), table.shape[1]), np.float32) for keys, table in zip(known, net.tables, strict=True)]
    tables[0][:] = starting_pieces(np.zeros(len(static_vectors())))[known[0]]
    for table, keys, start, old in zip(tables, known, net.tables, pupil.known, strict=True):
        table[np.searchsorted(keys, old)] = start
    out, bias = (_widened(each, before, after, outside, 0.0) for each in (net.out, net.out_bias))
    return Pupil(Network(tables, net.gain, net.shift, net.hidden, net.hidden_bias, out, bias), known)
