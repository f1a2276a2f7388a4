"""The fast classifier: word pieces, runs of words and of characters, one hidden layer. NumPy trains it and runs it.

A trained one that is fitted again goes on learning: it gets the new examples and intents and keeps the old ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

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

    `teacher` gives soft labels for the examples and for up to `max_augmented` augmented texts: `encoder` (softmax
    regression on sentence vectors), the name or folder of a classifier trained on the same intents, or nothing; in a
    share `synonym_share` of the augmented texts words are replaced by similar ones. `width` is the length of n-gram
    vectors, `hidden` the size of the layer, `epochs` the number of epochs. Training examples are kept for explanations
    and for continued training; those of the file `examples` replace them.
    """

    continues_training = True
    evidence_weights = (1.0, 0.5)
    renamed_state: ClassVar = {
        "kept_": "examples_",
        "kept": "example_vectors",
        **{f"{name}_worth": f"{name}_scale" for name in TABLES},
    }
    renamed_parameters: ClassVar = {
        **MultiEvidenceClassifier.renamed_parameters,
        "alike": "synonym_share",
        "passes": "epochs",
        "varied": "max_augmented",
    }
    teacher: str = "encoder"
    max_augmented: int = ranged(20_000, 0, 1_000_000)
    synonym_share: float = ranged(0.75, 0, 1)
    width: int = ranged(64, 1, 1024)
    hidden: int = ranged(512, 1, 8192)
    epochs: float = ranged(16.0, 0, 10_000)
    examples: str = ""
    weights_: dict[str, Array] | None = None
    examples_: list[tuple[str, str | None]] | None = None
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
            packed[name], packed[f"{name}_scale"] = quantize(np.asarray(table))
            packed[f"{name}_keys"] = keys.astype(np.uint32)
        self.weights_, self._ready = packed, None

    def unpacked(self) -> KeyedNetwork:
        """The network as it is trained, and the keys of its rows."""
        packed = self.weights_ or {}
        tables = [dequantize(packed[name], packed[f"{name}_scale"]) for name in TABLES]
        dense = {name: packed[name].astype(np.float32) for name in DENSE_PARAMETERS}
        return KeyedNetwork(NgramNetwork(tables, **dense), [packed[f"{name}_keys"].astype(np.int64) for name in TABLES])

    def place_centres(self, texts: Sequence[str], labels: Array) -> None:
        """Where the middle of each intent's examples is in the hidden layer."""
        units, sums = unit(self.hidden_states(texts)), np.zeros((len(self.names_ or []) + 1, self.hidden))
        np.add.at(sums, labels, units)
        self.weights_ = {**(self.weights_ or {}), "centres": unit(sums[:-1]).astype(np.float16)}
        self._centres = None

    def keep(self, examples: Sequence[tuple[str, str | None]]) -> None:
        """Keeps examples, and of those of an intent where they are in the hidden layer."""
        self.examples_ = list(examples)
        texts = [text for text, name in examples if name is not None]
        vectors = ExampleIndex.kept(texts, texts, self.hidden_states(texts)).vectors
        self.weights_ = {**(self.weights_ or {}), "example_vectors": vectors}

    def fields(self, tuned: bool) -> dict[str, Field]:
        tables: dict[str, Field] = {}
        for name, width in zip(TABLES, (STATIC, self.width, self.width), strict=True):
            tables[name] = Numbers("int8", (name, width))
            tables[f"{name}_scale"] = Numbers("float32", (name,), 0, 1e4)
            most = PIECES if name == "pieces" else 2**32
            tables[f"{name}_keys"] = Numbers("uint32", (name,), 0, most - 1, ascending=True)
        return {
            **super().fields(tuned),
            "examples_": Items(FixedList((Text(), Maybe(Text())))),
            **tables,
            "gain": Numbers("float16", ("inputs",)),
            "shift": Numbers("float16", ("inputs",)),
            "hidden": Numbers("float16", ("inputs", self.hidden)),
            "hidden_bias": Numbers("float16", (self.hidden,)),
            "out": Numbers("float16", (self.hidden, "classes")),
            "out_bias": Numbers("float16", ("classes",)),
            "centres": Numbers("float16", ("names", self.hidden)),
            "example_vectors": Numbers("int8", ("example_vectors", self.hidden)),
        }

    def rules(self) -> list[Rule]:
        inputs = STATIC + 2 * self.width

        def shown(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
            return sizes["example_vectors"] == sum(name is not None for _, name in state["examples_"])

        def known(sizes: Mapping[str, int], state: Mapping[str, Any]) -> bool:
            return {name for _, name in state["examples_"] if name is not None} <= {*state["names_"]}

        return [
            *super().rules(),
            Rule(f'array "gain" has {{inputs}} numbers where {inputs} or {inputs + STATIC} are expected',
                 lambda sizes, state: sizes["inputs"] in (inputs, inputs + STATIC)),
            Rule('array "example_vectors" has another number of rows than "examples_" has examples of intents', shown),
            Rule('"examples_" names an intent that "names_" does not have', known),
        ]  # fmt: skip

    def state(self) -> Mapping[str, Any]:
        plain = {name: value for name, value in super().state().items() if name != "weights_"}
        return {**plain, **(self.weights_ or {})}

    def restore(self, state: Mapping[str, Any]) -> Self:
        plain = {"names_", "scope_", "temperature_", "examples_", "spread_"}
        stored_names = {
            *DENSE_PARAMETERS,
            "centres",
            "example_vectors",
            *(f"{name}{part}" for name in TABLES for part in ("", "_scale", "_keys")),
        }
        weights = {name: state[name] for name in stored_names}
        self._ready = self._centres = None
        stored = [(text, name) for text, name in state["examples_"]]
        return super().restore({**{name: state[name] for name in plain}, "examples_": stored, "weights_": weights})

    def hidden_states(self, texts: Sequence[str]) -> Array:
        """What the hidden layer makes of texts."""
        network, packed = self._network(), self.weights_ or {}
        parts = [np.zeros((0, network.hidden.shape[1]))]
        for start in range(0, len(texts), BATCH):
            pieces, runs, characters = bags(texts[start : start + BATCH])
            rows = [pieces, runs.rows(packed["runs_keys"]), characters.rows(packed["characters_keys"])]
            parts.append(network.hidden_states(rows))
        return np.concatenate(parts)

    def _network(self) -> NgramNetwork:
        """The network as it runs, its tables in bytes as they are stored."""
        if self._ready is None:
            packed = self.weights_ or {}
            pieces, *runs = (QuantizedTable(packed[name], packed[f"{name}_scale"]) for name in TABLES)
            dense = {name: packed[name].astype(np.float64) for name in DENSE_PARAMETERS}
            self._ready = NgramNetwork([all_pieces(packed["pieces_keys"], pieces), *runs], **dense)
        return self._ready

    def scores(self, texts: Sequence[str]) -> Array:
        """A number for each intent, and perhaps a last one for out of scope."""
        return self._network().scores(self.hidden_states(texts))

    def score_texts(self, texts: Sequence[str]) -> ScoredTexts:
        """Evidence is by how much the intents beat being out of scope, and how near the nearest centre is."""
        hidden, intents = self.hidden_states(texts), len(self.names_ or [])
        scores = self._network().scores(hidden)
        within = log_sum_exp(scores[:, :intents])
        if scores.shape[1] > intents:
            within -= scores[:, intents]
        if self._centres is None:
            self._centres = (self.weights_ or {})["centres"].T.astype(np.float64)
        return ScoredTexts(scores[:, :intents], np.stack([within, (unit(hidden) @ self._centres).max(1)], 1))

    def nearest(self, texts: Sequence[str], count: int = 3) -> list[tuple[NearExample, ...]]:
        """For each text the kept examples that are most like it."""
        known = [(text, name) for text, name in self.examples_ or [] if name is not None]
        index = ExampleIndex(
            [text for text, _ in known], [name for _, name in known], (self.weights_ or {})["example_vectors"]
        )
        return index.of(self.hidden_states([clipped(text) for text in texts]), count)
