"""Teaching the encoder intents, with torch."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..encode import encoder, layers
from ..encode.encoder import embedded
from ..encode.files import arrays, table
from ..encode.half import WIDTH, in_float, quantised
from ..training import torch_or_error

if TYPE_CHECKING:
    from .accurate import Accurate

log = logging.getLogger(__name__)
HEAD_RATE = 1e-3
BELOW = 0.3  # the rate of the lower half, as a share of that of the upper
MANY, MOST = 15_000, 12
SCALE = 16.0
DROPOUT = 0.1
WARM_UP = 0.1
DECAY = 0.01
SORTED_TOGETHER = 40
LEAST_STEPS = 24
ROUNDS = 8


class Taught(NamedTuple):
    """Both halves of an encoder as they are stored, the head and its bias."""

    lower: dict[str, Any]
    upper: dict[str, Any]
    head: Any
    bias: Any


def taught(model: Accurate, texts: Sequence[str], labels: Any, classes: int, intents: int, seed: int) -> Taught:
    """The encoder, fine-tuned to tell the classes of texts: once seeing all tokens, and if it is to miss some, once
    more from the same start, the weights of both averaged."""
    torch = torch_or_error()
    given = _Texts(torch, [embedded(table(), np.array([encoder().ids(text)]))[0] for text in texts])
    lessons = _Lessons(torch, given, labels, intents)
    shares = [0.0, model.missed] if model.missed else [0.0]
    return averaged([_taught(model, lessons, classes, seed, missed) for missed in shares])


def _taught(model: Accurate, lessons: _Lessons, classes: int, seed: int, missed: float) -> Taught:
    torch = lessons.torch
    torch.manual_seed(seed)
    stored = [arrays("lower.npz"), arrays("upper.npz")]
    halves = [
        {name: torch.tensor(array, requires_grad=True) for name, array in in_float(half).items()} for half in stored
    ]
    head = _first_head(halves, lessons, classes)
    _descend(model, halves, head, lessons, seed, missed)
    lower, upper = (
        quantised({name: each.detach().numpy() for name, each in half.items()}, balance)
        for half, balance in zip(halves, stored, strict=True)
    )
    scale = head["scale"].detach()
    return Taught(lower, upper, (scale * head["weight"].detach()).numpy(), (scale * head["bias"].detach()).numpy())


def averaged(found: Sequence[Taught]) -> Taught:
    """One encoder whose weights are the mean of those of several that started from the same."""
    if len(found) == 1:
        return found[0]
    lower, upper, head, bias = zip(*found, strict=True)
    return Taught(_averaged(lower), _averaged(upper), np.mean(head, 0), np.mean(bias, 0))


def _averaged(halves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    floats = [in_float(half) for half in halves]
    return quantised({name: np.mean([each[name] for each in floats], 0) for name in floats[0]}, halves[0])


class _Lessons(NamedTuple):
    """Texts and their classes, those from `intents` on being out of scope."""

    torch: Any
    texts: _Texts
    labels: Any
    intents: int


class _Texts:
    """What the encoder starts from, a row a token, of all texts in one block, and batches of them, padded."""

    def __init__(self, torch: Any, rows: Sequence[Any]) -> None:
        self.torch = torch
        self.lengths = np.array([len(each) for each in rows])
        self.block = torch.from_numpy(np.concatenate(rows).astype(np.float16))
        self.starts = torch.from_numpy(np.cumsum(self.lengths) - self.lengths)

    def batch(self, places: Any) -> tuple[Any, Any]:
        """Hidden states, and where there are any."""
        lengths = self.torch.from_numpy(self.lengths[places])
        ahead = self.torch.arange(int(lengths.max()))
        mask = ahead[None] < lengths[:, None]
        rows = (self.starts[places][:, None] + ahead).clamp(max=len(self.block) - 1)
        return self.block[rows].float() * mask[..., None], mask


def _pooled(torch: Any, halves: Sequence[Any], hidden: Any, mask: Any, dropout: float) -> Any:
    """The mean of a text's tokens, of length 1."""
    for weights in halves:
        hidden = layers.half(weights, hidden, mask, dropout)
    share = mask.float() / mask.sum(1, keepdim=True)
    return torch.nn.functional.normalize((hidden * share[..., None]).sum(1), dim=-1)


def _first_head(halves: Sequence[Any], lessons: _Lessons, classes: int) -> dict[str, Any]:
    """Each class starts as the mean of its texts."""
    torch, texts, labels, _ = lessons
    order = np.argsort(texts.lengths, kind="stable")
    vectors = np.zeros((len(order), WIDTH), np.float32)
    with torch.inference_mode():
        for places in np.array_split(order, -(-len(order) // 64)):
            vectors[places] = _pooled(torch, halves, *texts.batch(places), 0.0).numpy()
    means = np.stack([vectors[labels == each].mean(0) for each in range(classes)])
    start = {"weight": means - means.mean(0), "bias": np.zeros(classes, np.float32), "scale": np.float32(SCALE)}
    return {name: torch.tensor(value, requires_grad=True) for name, value in start.items()}


def passes(epochs: int, texts: int) -> int:
    """How often each text is seen: as asked where there are very many, the oftener the fewer there are."""
    return max(epochs, min(MOST, round(epochs * math.sqrt(MANY / texts))))


def _descend(model: Accurate, halves: Sequence[Any], head: Any, lessons: _Lessons, seed: int, missed: float) -> None:
    torch, texts, labels, intents = lessons
    outside = np.flatnonzero(labels >= intents)
    places = np.concatenate([np.arange(len(labels)), *[outside] * (model.outside - 1)])
    size = min(model.batch, len(places))
    epochs = max(passes(model.epochs, len(places)), -(-LEAST_STEPS * size // len(places)))
    steps = epochs * (len(places) // size)
    groups: list[dict[str, Any]] = [
        {"params": list(weights.values()), "lr": model.rate * share, "weight_decay": DECAY}
        for weights, share in zip(halves, (BELOW, 1.0), strict=True)
    ]
    groups.append({"params": list(head.values()), "lr": HEAD_RATE, "weight_decay": 0.0})
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (WARM_UP * steps)) * max(0.0, 1 - step / steps)
    )
    known, random = torch.from_numpy(labels), np.random.default_rng(seed)
    every = [each for group in groups for each in group["params"]]
    for epoch in range(epochs):
        total = 0.0
        for batch in _batches(places, texts.lengths, size, random):
            hidden, mask = _looks(torch, texts.batch(batch), missed)
            loss = _loss(torch, model, halves, head, hidden, mask, known[batch])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(every, 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
        log.info("epoch %d of %d: loss %.4f", epoch + 1, epochs, total * epochs / steps)


def _batches(places: Any, lengths: Any, size: int, random: Any) -> Iterator[Any]:
    """Shuffled batches of texts of about the same length."""
    shuffled = random.permutation(places)
    found = []
    for start in range(0, len(shuffled), size * SORTED_TOGETHER):
        some = shuffled[start : start + size * SORTED_TOGETHER]
        some = some[np.argsort(lengths[some], kind="stable")]
        found += [some[at : at + size] for at in range(0, len(some) - size + 1, size)]
    for place in random.permutation(len(found)):
        yield found[place]


def _looks(torch: Any, batch: Any, missed: float) -> tuple[Any, Any]:
    """A batch twice over, each look missing other tokens, but never the first."""
    hidden, mask = (torch.cat([each, each]) for each in batch)
    if missed:
        mask = mask & (torch.rand(mask.shape) >= missed).index_fill(1, torch.tensor(0), True)
    return hidden, mask


def _loss(torch: Any, model: Accurate, halves: Sequence[Any], head: Any, hidden: Any, mask: Any, labels: Any) -> Any:
    """Cross entropy of both looks at a batch, and how far they are apart."""
    functional = torch.nn.functional
    vectors = functional.dropout(_pooled(torch, halves, hidden, mask, DROPOUT), DROPOUT)
    logits = head["scale"] * (vectors @ head["weight"].T + head["bias"])
    wrong = functional.cross_entropy(logits, torch.cat([labels, labels]))
    one, other = functional.log_softmax(logits, -1).chunk(2)
    apart = ((one.exp() - other.exp()) * (one - other)).sum(1).mean() / 2
    return wrong + model.agreement * apart


def centres_of(vectors: Any, labels: Any, intents: int, count: int) -> Any:
    """Up to `count` centres of each intent's vectors, all of length 1."""
    return np.concatenate([_centres(vectors[labels == each], count) for each in range(intents)])


def _centres(vectors: Any, count: int) -> Any:
    """Spherical k-means that starts from the most central vector and those farthest from all chosen before."""
    chosen = [int((vectors @ vectors.mean(0)).argmax())]
    nearest = vectors @ vectors[chosen[0]]
    while len(chosen) < min(count, len(vectors)):
        chosen.append(int(nearest.argmin()))
        nearest = np.maximum(nearest, vectors @ vectors[chosen[-1]])
    centres = vectors[chosen]
    for _ in range(ROUNDS):
        home = (vectors @ centres.T).argmax(1)
        sums = np.stack(
            [vectors[home == each].sum(0) if (home == each).any() else centres[each] for each in range(len(centres))]
        )
        centres = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return centres
