"""The fast classifier: word pieces, runs of words and of characters, one hidden layer. NumPy trains it and runs it.

A trained one that is fitted again goes on learning: it gets the new examples and intents and keeps the old ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ...layers import Intent
from ...ml.calibration import log_sum_exp
from ...ml.encoder.files import PIECES, STATIC
from ...ml.model_schema import Field, FixedList, Items, Maybe, Numbers, Rule, Text
from ...ml.parameters import ranged
from ...ml.types import Array
from ..features.ngrams import bags
from ..inference.neighbours import ExampleIndex, NearExample, unit
from ._classifier import MultiEvidenceClassifier, ScoredTexts, Tuning, clipped
from ._fast_network import (
    DENSE_PARAMETERS,
    KeyedNetwork,
    NgramNetwork,
    QuantizedTable,
    all_pieces,
    dequantize,
    quantize,
)

TABLES = ("pieces", "runs", "characters")
BATCH = 1000  # bounds memory


@dataclass(repr=False)
class Fast(MultiEvidenceClassifier):
    """Mean-pooled embeddings of word pieces, word bigrams and trigrams, and character n-grams, the max-pooled embedding
    of word pieces where there are enough examples, and one hidden layer.

    `teacher` gives soft labels for the examples and for up to `varied` augmented texts: `encoder` (softmax regression
    on sentence vectors), the name or folder of a classifier trained on the same intents, or nothing; in a share `alike`
    of the augmented texts words are replaced by similar ones. `width` is the length of n-gram vectors, `hidden` the
    size of the layer, `passes` the number of epochs. Training examples are kept for explanations and for continued
    training; those of the file `examples` replace them.
    """

    goes_on = True
    worth = (1.0, 0.5)
    teacher: str = "encoder"
    varied: int = ranged(20_000, 0, 1_000_000)
    alike: float = ranged(0.75, 0, 1)
    width: int = ranged(64, 1, 1024)
    hidden: int = ranged(512, 1, 8192)
    passes: float = ranged(16.0, 0, 10_000)
    examples: str = ""
    weights_: dict[str, Array] | None = None
    kept_: list[tuple[str, str | None]] | None = None
    _ready: NgramNetwork | None = field(default=None, init=False, repr=False, compare=False)
    _centres: Array | None = field(default=None, init=False, repr=False, compare=False)

    def fit(
        self, inputs: Sequence[str], golds: Sequence[Intent], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        """From scratch; or, if it is trained already, with these examples added to those it has."""
        if self.weights_ is None:
            return super().fit(inputs, golds, seed=seed, tuning=tuning)
        from ..training.fast_update import refit

        self.check_criterion(self.criterion)
        refit(self, [(clipped(text), gold.name) for text, gold in zip(inputs, golds, strict=True)], seed)
        return self.set_criterion(self.criterion) if tuning is None else self.tune(*tuning)

    def fit_labels(self, texts: Sequence[str], labels: Array, classes: int, seed: int) -> None:
        from ..training.fast import examples_to_keep, train_network

        self.pack(train_network(self, texts, labels, classes, seed))
        self.place_centres(texts, labels)
        self.keep(examples_to_keep(self, texts, labels, seed))

    def pack(self, keyed: KeyedNetwork) -> None:
        """Takes over a network as it is stored, in bytes and halves."""
        packed: dict[str, Array] = {name: getattr(keyed.network, name).astype(np.float16) for name in DENSE_PARAMETERS}
        for name, table, keys in zip(TABLES, keyed.network.tables, keyed.known, strict=True):
            packed[name], packed[f"{name}_worth"] = quantize(np.asarray(table))
            packed[f"{name}_keys"] = keys.astype(np.uint32)
        self.weights_, self._ready = packed, None

    def unpacked(self) -> KeyedNetwork:
        """The network as it is trained, and the keys of its rows."""
        packed = self.weights_ or {}
        tables = [dequantize(packed[name], packed[f"{name}_worth"]) for name in TABLES]
        dense = {name: packed[name].astype(np.float32) for name in DENSE_PARAMETERS}
        return KeyedNetwork(NgramNetwork(tables, **dense), [packed[f"{name}_keys"].astype(np.int64) for name in TABLES])

    def place_centres(self, texts: Sequence[str], labels: Array) -> None:
        """Where the middle of each intent's examples is in the hidden layer."""
        units, sums = unit(self.inside(texts)), np.zeros((len(self.names_ or []) + 1, self.hidden))
        np.add.at(sums, labels, units)
        self.weights_ = {**(self.weights_ or {}), "centres": unit(sums[:-1]).astype(np.float16)}
        self._centres = None

    def keep(self, examples: Sequence[tuple[str, str | None]]) -> None:
        """Keeps examples, and of those of an intent where they are in the hidden layer."""
        self.kept_ = list(examples)
        texts = [text for text, name in examples if name is not None]
        vectors = ExampleIndex.kept(texts, texts, self.inside(texts)).vectors
        self.weights_ = {**(self.weights_ or {}), "kept": vectors}

    def fields(self, tuned: bool) -> dict[str, Field]:
        tables: dict[str, Field] = {}
        for name, width in zip(TABLES, (STATIC, self.width, self.width), strict=True):
            tables[name] = Numbers("int8", (name, width))
            tables[f"{name}_worth"] = Numbers("float32", (name,), 0, 1e4)
            most = PIECES if name == "pieces" else 2**32
            tables[f"{name}_keys"] = Numbers("uint32", (name,), 0, most - 1, ascending=True)
        return {
            **super().fields(tuned),
            "kept_": Items(FixedList((Text(), Maybe(Text())))),
            **tables,
            "gain": Numbers("float16", ("inputs",)),
            "shift": Numbers("float16", ("inputs",)),
            "hidden": Numbers("float16", ("inputs", self.hidden)),
            "hidden_bias": Numbers("float16", (self.hidden,)),
            "out": Numbers("float16", (self.hidden, "classes")),
            "out_bias": Numbers("float16", ("classes",)),
            "centres": Numbers("float16", ("names", self.hidden)),
            "kept": Numbers("int8", ("kept", self.hidden)),
        }

    def rules(self) -> list[Rule]:
        seen = STATIC + 2 * self.width

        def shown(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
            return sizes["kept"] == sum(name is not None for _, name in state["kept_"])

        def known(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
            return {name for _, name in state["kept_"] if name is not None} <= {*state["names_"]}

        return [
            *super().rules(),
            Rule(f'array "gain" has {{inputs}} numbers where {seen} or {seen + STATIC} are expected',
                 lambda sizes, state: sizes["inputs"] in (seen, seen + STATIC)),
            Rule('array "kept" has another number of rows than "kept_" has examples of intents', shown),
            Rule('"kept_" names an intent that "names_" does not have', known),
        ]  # fmt: skip

    def state(self) -> Mapping[str, Any]:
        plain = {name: value for name, value in super().state().items() if name != "weights_"}
        return {**plain, **(self.weights_ or {})}

    def restore(self, state: Mapping[str, Any]) -> Self:
        plain = {"names_", "scope_", "temperature_", "kept_", "spread_"}
        wanted = {
            *DENSE_PARAMETERS,
            "centres",
            "kept",
            *(f"{name}{part}" for name in TABLES for part in ("", "_worth", "_keys")),
        }
        weights = {name: state[name] for name in wanted}
        self._ready = self._centres = None
        kept = [(text, name) for text, name in state["kept_"]]
        return super().restore({**{name: state[name] for name in plain}, "kept_": kept, "weights_": weights})

    def inside(self, texts: Sequence[str]) -> Array:
        """What the hidden layer makes of texts."""
        network, packed = self._network(), self.weights_ or {}
        parts = [np.zeros((0, network.hidden.shape[1]))]
        for start in range(0, len(texts), BATCH):
            pieces, runs, characters = bags(texts[start : start + BATCH])
            rows = [pieces, runs.rows(packed["runs_keys"]), characters.rows(packed["characters_keys"])]
            parts.append(network.inside(rows))
        return np.concatenate(parts)

    def _network(self) -> NgramNetwork:
        """The network as it runs, its tables in bytes as they are stored."""
        if self._ready is None:
            packed = self.weights_ or {}
            pieces, *runs = (QuantizedTable(packed[name], packed[f"{name}_worth"]) for name in TABLES)
            dense = {name: packed[name].astype(np.float64) for name in DENSE_PARAMETERS}
            self._ready = NgramNetwork([all_pieces(packed["pieces_keys"], pieces), *runs], **dense)
        return self._ready

    def scores(self, texts: Sequence[str]) -> Array:
        """A number for each intent, and perhaps a last one for out of scope."""
        return self._network().scores(self.inside(texts))

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        """Evidence is by how much the intents beat being out of scope, and how near the nearest centre is."""
        inside, intents = self.inside(texts), len(self.names_ or [])
        scores = self._network().scores(inside)
        within = log_sum_exp(scores[:, :intents])
        if scores.shape[1] > intents:
            within -= scores[:, intents]
        if self._centres is None:
            self._centres = (self.weights_ or {})["centres"].T.astype(np.float64)
        return ScoredTexts(scores[:, :intents], np.stack([within, (unit(inside) @ self._centres).max(1)], 1))

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[NearExample, ...]]:
        """For each text the kept examples that are most like it."""
        known = [(text, name) for text, name in self.kept_ or [] if name is not None]
        kept = ExampleIndex([text for text, _ in known], [name for _, name in known], (self.weights_ or {})["kept"])
        return kept.of(self.inside([clipped(text) for text in texts]), count)
