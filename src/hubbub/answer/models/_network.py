"""The base of the published networks that rank replies: word embeddings and the training loop.

Torch trains them, NumPy runs them. Word vectors are initialised from the file `vectors`, else from an installed GloVe
package, else at random.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import ClassVar, NamedTuple, Self

import numpy as np

from ...errors import TooFew
from ...ml.model_schema import Field, Items, Numbers, Schema, Size, Text
from ...ml.parameters import ranged
from ...ml.recurrent import layer_array
from ...ml.registry import BaseModel
from ...ml.torch_import import torch_or_error
from ...ml.types import UNTRAINED, Array, Network, Tensor
from ...ml.word_vectors import initial_embeddings
from ...text import words
from ..data.examples import Choice, Context, normalized
from ..metrics import Ranked
from ._lexical import Tuning, ranked

log = logging.getLogger(__name__)

PADDING, UNKNOWN = 0, 1  # the first rows of the word vectors
UTTERANCE, TURN = "__eou__", "__eot__"
MAX_WORD_CHARACTERS = 20  # an endless text is cut before it is tokenized
MAX_GRADIENT_NORM = 10.0  # recurrent gradients may explode (Pascanu et al., 2013)
BATCHES_SORTED_TOGETHER = 16  # sorted by length within a block, which saves padding
PROGRESS_REPORTS = 10


class ContextReplyPair(NamedTuple):
    """A context and its reply as rows, and what the reply says, so that none is taken for a false one of its own."""

    context: Array
    reply: Array
    text: str


@dataclass(repr=False)
class ReplyNetwork(BaseModel):
    """Words that occur `min_count` times have vectors. The last `max_context_tokens` words of a context and the first
    `max_reply_tokens` words of a reply are used, and `max_examples` examples, 0 for all, shuffled in each of the
    `epochs`.
    """

    renamed_parameters: ClassVar[Mapping[str, str]] = {
        "least": "min_count",
        "longest": "max_context_tokens",
        "reply": "max_reply_tokens",
        "most": "max_examples",
    }
    vectors: str = ""
    min_count: int = ranged(3, 1, 1_000_000)
    max_context_tokens: int = ranged(160, 1, 10_000)
    max_reply_tokens: int = ranged(40, 1, 10_000)
    max_examples: int = ranged(0, 0, 10**9)
    epochs: float = ranged(1.0, 0, 10_000)
    batch: int = ranged(128, 2, 100_000)
    rate: float = ranged(1e-3, 0, 10)
    source_: str | None = None
    vocabulary_: list[str] | None = None
    words_: Array = UNTRAINED

    def schema(self) -> Schema:
        fields: dict[str, Field] = {
            "source_": Text(),
            "vocabulary_": Items(Text(), "words", distinct=True),
            "words_": Numbers("float32", ("words+2", "width")),
        }
        return Schema(fields | {name: Numbers("float32", shape) for name, shape in self.shapes().items()})

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        """The shapes of what stands on the word vectors, which have the length "width"."""
        raise NotImplementedError

    def build(self, torch: ModuleType, network: Network, width: int) -> None:
        """Adds the parameters that stand on word vectors of that width."""
        raise NotImplementedError

    def loss(self, torch: ModuleType, network: Network, batch: Sequence[ContextReplyPair], random: Random) -> Tensor:
        """What is to be made small for a batch."""
        raise NotImplementedError

    def scores(self, context: Array, replies: Sequence[Array]) -> Array:
        """How well replies fit a context, all given as rows."""
        raise NotImplementedError

    def fit(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        torch = torch_or_error()
        chosen = list(range(len(inputs)))
        Random(f"{seed} chosen").shuffle(chosen)
        chosen = chosen[: self.max_examples or None]
        if len(chosen) < 2:
            raise TooFew("examples", len(chosen), 2)
        texts = [(context_terms(inputs[place].context), terms(golds[place][0].text)) for place in chosen]
        counts = Counter(word for context, reply in texts for word in (*context, *reply))
        known = [word for word, count in counts.items() if count >= self.min_count] or list(counts)
        self.vocabulary_ = sorted(known)
        rows = self._rows()
        pairs = [
            ContextReplyPair(self._context(rows, context), self._reply(rows, reply), normalized(golds[place][0].text))
            for place, (context, reply) in zip(chosen, texts, strict=True)
        ]
        start, self.source_ = initial_embeddings(self.vectors, self.vocabulary_, np.random.default_rng(seed))
        # The random state of the caller's torch stays as it is.
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            network = torch.nn.Module()
            network.words = torch.nn.Parameter(torch.as_tensor(start).clone())
            self.build(torch, network, start.shape[1])
            self._train(torch, network, pairs, Random(f"{seed} order"))
        for name, value in network.named_parameters(recurse=False):
            setattr(self, f"{name}_", value.detach().numpy().copy())
        for name, layer in network.named_children():
            setattr(self, f"{name.removesuffix('_layer')}_", layer_array(layer))
        return self

    def _train(self, torch: ModuleType, network: Network, pairs: Sequence[ContextReplyPair], random: Random) -> None:
        """Adam with a falling rate over batches of contexts of about one length."""
        optimizer = torch.optim.Adam(network.parameters(), lr=self.rate)
        steps = max(1, round(self.epochs * -(-len(pairs) // self.batch)))
        falling = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / (steps + 1))
        network.train()
        batches, total = _batches_forever(pairs, self.batch, random), 0.0
        for step in range(1, steps + 1):
            loss = self.loss(torch, network, next(batches), random)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT_NORM)
            optimizer.step()
            falling.step()
            total += loss.item()
            if step % max(1, steps // PROGRESS_REPORTS) == 0:
                log.info("batch %d of %d: loss %.4f", step, steps, total / max(1, steps // PROGRESS_REPORTS))
                total = 0.0

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        rows = self._rows()
        return [self._ranked(rows, choice) for choice in inputs]

    def _ranked(self, rows: dict[str, int], choice: Choice) -> Ranked:
        context = self._context(rows, context_terms(choice.context))
        replies = [self._reply(rows, terms(text)) for text in choice.candidates]
        return ranked(choice.candidates, self.scores(context, replies) if replies else [])

    def _rows(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.vocabulary_ or [], UNKNOWN + 1)}

    def _context(self, rows: dict[str, int], listed: Sequence[str]) -> Array:
        return np.array([rows.get(word, UNKNOWN) for word in listed[-self.max_context_tokens :]] or [UNKNOWN], np.int64)

    def _reply(self, rows: dict[str, int], listed: Sequence[str]) -> Array:
        return np.array([rows.get(word, UNKNOWN) for word in listed[: self.max_reply_tokens]] or [UNKNOWN], np.int64)

    def embedded(self, sequences: Sequence[Array]) -> tuple[Array, list[int]]:
        """Rows as vectors of words side by side, filled up at their ends, and how long each is."""
        lengths = [len(each) for each in sequences]
        found = np.zeros((max(lengths), len(sequences)), np.int64)
        for place, each in enumerate(sequences):
            found[: len(each), place] = each
        return self.words_[found], lengths


def embedded(torch: ModuleType, network: Network, sequences: Sequence[Array]) -> tuple[Tensor, Tensor]:
    """The same in training."""
    found = torch.nn.utils.rnn.pad_sequence([torch.as_tensor(each) for each in sequences])
    vectors = torch.nn.functional.embedding(found, network.words, padding_idx=PADDING)
    return vectors, torch.tensor([len(each) for each in sequences])


def _batches_forever(pairs: Sequence[ContextReplyPair], size: int, random: Random) -> Iterator[list[ContextReplyPair]]:
    """Batches of contexts of similar length, sorted within blocks of several batches."""
    while True:
        order = list(range(len(pairs)))
        random.shuffle(order)
        for start in range(0, len(order), size * BATCHES_SORTED_TOGETHER):
            some = sorted(
                order[start : start + size * BATCHES_SORTED_TOGETHER], key=lambda place: len(pairs[place].context)
            )
            batches = [some[begin : begin + size] for begin in range(0, len(some), size)]
            random.shuffle(batches)
            yield from ([pairs[place] for place in batch] for batch in batches if len(batch) > 1)


def context_terms(context: Context) -> list[str]:
    """The words of a context, with marks where utterances and turns end."""
    found: list[str] = []
    for turn in context:
        for text in turn:
            found += [*terms(text), UTTERANCE]
        found.append(TURN)
    return found


def terms(text: str) -> list[str]:
    """The words of a text, of which an endless one has no more than a long one."""
    return words(text[: 400 * MAX_WORD_CHARACTERS])[:400]
