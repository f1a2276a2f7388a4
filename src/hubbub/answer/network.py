"""What the published networks that choose replies share: texts as rows of word vectors, and how a batch is learnt from.

Torch trains them, NumPy runs them. Vectors of words start from the file `vectors`, else from an installed GloVe
package, else at random.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Self

import numpy as np

from ..errors import TooFew
from ..model import Learnt
from ..parameters import ranged
from ..recurrent import packed
from ..schema import Field, Items, Numbers, Schema, Size, Text
from ..text import words
from ..training import torch_or_error
from ..word_vectors import WIDTH, word_vectors
from .examples import Choice, Context, plain
from .lexical import ranked
from .metrics import Ranked

log = logging.getLogger(__name__)

PADDING, UNKNOWN = 0, 1
UTTERANCE, TURN = "__eou__", "__eot__"
LONGEST_WORD = 20
STEEPEST = 10.0
TOGETHER = 16
REPORTS = 10


class Pair(NamedTuple):
    """A context and its reply as rows, and what the reply says, so that none is taken for a false one of its own."""

    context: Any
    reply: Any
    said: str


@dataclass
class Network(Learnt):
    """Words that were seen `least` times have vectors. Of a context the last `longest` words are read, of a reply the
    first `reply` ones. `most` examples are learnt from, 0 for all, mixed anew in each of the `epochs`.
    """

    vectors: str = ""
    least: int = ranged(3, 1, 1_000_000)
    longest: int = ranged(160, 1, 10_000)
    reply: int = ranged(40, 1, 10_000)
    most: int = ranged(0, 0, 10**9)
    epochs: float = ranged(1.0, 0, 10_000)
    batch: int = ranged(128, 2, 100_000)
    rate: float = ranged(1e-3, 0, 10)
    source_: str | None = None
    vocabulary_: list[str] | None = None
    words_: Any = None

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

    def build(self, torch: Any, network: Any, width: int) -> None:
        """Adds the parameters that stand on word vectors of that width."""
        raise NotImplementedError

    def loss(self, torch: Any, network: Any, batch: Sequence[Pair], random: Random) -> Any:
        """What is to be made small for a batch."""
        raise NotImplementedError

    def scores(self, context: Any, replies: Sequence[Any]) -> Any:
        """How well replies fit a context, all given as rows."""
        raise NotImplementedError

    def fit(self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Any = None) -> Self:
        torch = torch_or_error()
        chosen = list(range(len(inputs)))
        Random(f"{seed} chosen").shuffle(chosen)
        chosen = chosen[: self.most or None]
        if len(chosen) < 2:
            raise TooFew("examples", len(chosen), 2)
        texts = [(written(inputs[place].context), terms(golds[place][0].text)) for place in chosen]
        counts = Counter(word for context, reply in texts for word in (*context, *reply))
        known = [word for word, count in counts.items() if count >= self.least] or list(counts)
        self.vocabulary_ = sorted(known)
        rows = self._rows()
        pairs = [
            Pair(self._context(rows, context), self._reply(rows, reply), plain(golds[place][0].text))
            for place, (context, reply) in zip(chosen, texts, strict=True)
        ]
        start, self.source_ = self._start(np.random.default_rng(seed))
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            network = torch.nn.Module()
            network.words = torch.nn.Parameter(torch.as_tensor(start).clone())
            self.build(torch, network, start.shape[1])
            self._descend(torch, network, pairs, Random(f"{seed} order"))
        for name, value in network.named_parameters(recurse=False):
            setattr(self, f"{name}_", value.detach().numpy().copy())
        for name, layer in network.named_children():
            setattr(self, f"{name.removesuffix('_layer')}_", packed(layer))
        return self

    def _start(self, random: np.random.Generator) -> tuple[Any, str]:
        """Vectors of words before training, random ones for those that have none."""
        vocabulary = self.vocabulary_ or []
        found, source = word_vectors(self.vectors, vocabulary)
        width = len(next(iter(found.values()), np.zeros(WIDTH)))
        start = random.uniform(-0.25, 0.25, (len(vocabulary) + 2, width)).astype(np.float32)
        start[PADDING] = 0
        for place, word in enumerate(vocabulary, UNKNOWN + 1):
            start[place] = found.get(word, start[place])
        return start, source

    def _descend(self, torch: Any, network: Any, pairs: Sequence[Pair], random: Random) -> None:
        """Adam with a falling rate over batches of contexts of about one length."""
        optimizer = torch.optim.Adam(network.parameters(), lr=self.rate)
        steps = max(1, round(self.epochs * -(-len(pairs) // self.batch)))
        falling = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / (steps + 1))
        network.train()
        batches, total = _endless(pairs, self.batch, random), 0.0
        for step in range(1, steps + 1):
            loss = self.loss(torch, network, next(batches), random)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), STEEPEST)
            optimizer.step()
            falling.step()
            total += loss.item()
            if step % max(1, steps // REPORTS) == 0:
                log.info("batch %d of %d: loss %.4f", step, steps, total / max(1, steps // REPORTS))
                total = 0.0

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        rows = self._rows()
        return [self._ranked(rows, choice) for choice in inputs]

    def _ranked(self, rows: dict[str, int], choice: Choice) -> Ranked:
        context = self._context(rows, written(choice.context))
        replies = [self._reply(rows, terms(text)) for text in choice.candidates]
        return ranked(choice.candidates, self.scores(context, replies) if replies else [])

    def _rows(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.vocabulary_ or [], UNKNOWN + 1)}

    def _context(self, rows: dict[str, int], listed: Sequence[str]) -> Any:
        return np.array([rows.get(word, UNKNOWN) for word in listed[-self.longest :]] or [UNKNOWN], np.int64)

    def _reply(self, rows: dict[str, int], listed: Sequence[str]) -> Any:
        return np.array([rows.get(word, UNKNOWN) for word in listed[: self.reply]] or [UNKNOWN], np.int64)

    def embedded(self, sequences: Sequence[Any]) -> tuple[Any, list[int]]:
        """Rows as vectors of words side by side, filled up at their ends, and how long each is."""
        lengths = [len(each) for each in sequences]
        found = np.zeros((max(lengths), len(sequences)), np.int64)
        for place, each in enumerate(sequences):
            found[: len(each), place] = each
        return self.words_[found], lengths


def embedded(torch: Any, network: Any, sequences: Sequence[Any]) -> tuple[Any, Any]:
    """The same in training."""
    found = torch.nn.utils.rnn.pad_sequence([torch.as_tensor(each) for each in sequences])
    vectors = torch.nn.functional.embedding(found, network.words, padding_idx=PADDING)
    return vectors, torch.tensor([len(each) for each in sequences])


def _endless(pairs: Sequence[Pair], size: int, random: Random) -> Iterator[list[Pair]]:
    """Batches of contexts of about one length, out of some batches' worth at a time."""
    while True:
        order = list(range(len(pairs)))
        random.shuffle(order)
        for start in range(0, len(order), size * TOGETHER):
            some = sorted(order[start : start + size * TOGETHER], key=lambda place: len(pairs[place].context))
            batches = [some[begin : begin + size] for begin in range(0, len(some), size)]
            random.shuffle(batches)
            yield from ([pairs[place] for place in batch] for batch in batches if len(batch) > 1)


def written(context: Context) -> list[str]:
    """The words of a context, with marks where utterances and turns end."""
    found: list[str] = []
    for turn in context:
        for text in turn:
            found += [*terms(text), UTTERANCE]
        found.append(TURN)
    return found


def terms(text: str) -> list[str]:
    """The words of a text, of which an endless one has no more than a long one."""
    return words(text[: 400 * LONGEST_WORD])[:400]
