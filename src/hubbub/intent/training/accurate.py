"""Fine-tuning of the encoder for intents, with torch."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...ml.encoder import encoder
from ...ml.encoder import torch_layers as layers
from ...ml.encoder.files import arrays, table
from ...ml.encoder.half_encoder import WIDTH, dequantised, quantised
from ...ml.encoder.sentence_encoder import embedded
from ...ml.torch_import import torch_or_error
from ...ml.types import Array, Tensor, Tensors

if TYPE_CHECKING:
    from ..models.accurate import Accurate

log = logging.getLogger(__name__)
HEAD_RATE = 1e-3  # the head starts from class means and needs a higher rate than the encoder
LOWER_RATE_SHARE = 0.3  # the rate of the lower half, as a share of that of the upper
REFERENCE_TEXTS, MAX_EPOCHS = 15_000, 12  # `epochs` is for so many texts; fewer are seen more often
INITIAL_SCALE = 16.0  # cosines are at most 1, and softmax needs larger logits
DROPOUT, WEIGHT_DECAY = 0.1, 0.01  # as in BERT (Devlin et al. 2019, appendix A.2)
WARM_UP = 0.1  # share of the steps in which the rate rises


BATCHES_SORTED_TOGETHER = 40  # sorting by length within a block saves padding
MIN_STEPS = 24  # with few examples the schedule would be over before it warms up
KMEANS_ROUNDS = 8  # bounds the time


class FineTunedEncoder(NamedTuple):
    """Both halves of an encoder as they are stored, the head and its bias."""

    lower: dict[str, Array]
    upper: dict[str, Array]
    head: Array
    bias: Array


def fine_tune(
    model: Accurate, texts: Sequence[str], labels: Array, classes: int, intents: int, seed: int
) -> FineTunedEncoder:
    """The encoder fine-tuned on labelled texts; with `missed`, once more with masked tokens from the same start, and
    the weights of both averaged.
    """
    torch = torch_or_error()
    encoded = _Texts(torch, [embedded(table(), np.array([encoder().ids(text)]))[0] for text in texts])
    examples = _TrainingSet(torch, encoded, labels, intents)
    shares = [0.0, model.token_dropout] if model.token_dropout else [0.0]
    return average_weights([_fine_tune_once(model, examples, classes, seed, missed) for missed in shares])


def _fine_tune_once(
    model: Accurate, examples: _TrainingSet, classes: int, seed: int, missed: float
) -> FineTunedEncoder:
    torch = examples.torch
    torch.manual_seed(seed)
    stored = [arrays("lower.npz"), arrays("upper.npz")]
    halves = [
        {name: torch.tensor(array, requires_grad=True) for name, array in dequantised(half).items()} for half in stored
    ]
    head = _first_head(halves, examples, classes)
    _train(model, halves, head, examples, seed, missed)
    # The balance of the original is kept, so that the rounding of activations stays as it was measured.
    lower, upper = (
        quantised({name: each.detach().numpy() for name, each in half.items()}, balance)
        for half, balance in zip(halves, stored, strict=True)
    )
    scale = head["scale"].detach()
    return FineTunedEncoder(
        lower, upper, (scale * head["weight"].detach()).numpy(), (scale * head["bias"].detach()).numpy()
    )


def average_weights(found: Sequence[FineTunedEncoder]) -> FineTunedEncoder:
    """The mean of the weights of several encoders that were trained from the same start."""
    if len(found) == 1:
        return found[0]
    lower, upper, head, bias = zip(*found, strict=True)
    return FineTunedEncoder(_averaged(lower), _averaged(upper), np.mean(head, 0), np.mean(bias, 0))


def _averaged(halves: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    floats = [dequantised(half) for half in halves]
    return quantised({name: np.mean([each[name] for each in floats], 0) for name in floats[0]}, halves[0])


class _TrainingSet(NamedTuple):
    """Texts and their classes, those from `intents` on being out of scope."""

    torch: ModuleType
    texts: _Texts
    labels: Array
    intents: int


class _Texts:
    """What the encoder starts from, a row a token, of all texts in one block, and batches of them, padded."""

    def __init__(self, torch: ModuleType, rows: Sequence[Tensor]) -> None:
        self.torch = torch
        self.lengths = np.array([len(each) for each in rows])
        self.block = torch.from_numpy(np.concatenate(rows).astype(np.float16))
        self.starts = torch.from_numpy(np.cumsum(self.lengths) - self.lengths)

    def batch(self, places: Array) -> tuple[Tensor, Tensor]:
        """Hidden states, and where there are any."""
        lengths = self.torch.from_numpy(self.lengths[places])
        ahead = self.torch.arange(int(lengths.max()))
        mask = ahead[None] < lengths[:, None]
        rows = (self.starts[places][:, None] + ahead).clamp(max=len(self.block) - 1)
        return self.block[rows].float() * mask[..., None], mask


def _pooled(torch: ModuleType, halves: Sequence[Tensors], hidden: Tensor, mask: Tensor, dropout: float) -> Tensor:
    """The mean of a text's tokens, of length 1."""
    for weights in halves:
        hidden = layers.half(weights, hidden, mask, dropout)
    share = mask.float() / mask.sum(1, keepdim=True)
    return torch.nn.functional.normalize((hidden * share[..., None]).sum(1), dim=-1)


def _first_head(halves: Sequence[Tensors], examples: _TrainingSet, classes: int) -> dict[str, Tensor]:
    """Each class starts as the mean of its texts."""
    torch, texts, labels, _ = examples
    order = np.argsort(texts.lengths, kind="stable")
    vectors = np.zeros((len(order), WIDTH), np.float32)
    with torch.inference_mode():
        for places in np.array_split(order, -(-len(order) // 64)):
            vectors[places] = _pooled(torch, halves, *texts.batch(places), 0.0).numpy()
    means = np.stack([vectors[labels == each].mean(0) for each in range(classes)])
    start = {"weight": means - means.mean(0), "bias": np.zeros(classes, np.float32), "scale": np.float32(INITIAL_SCALE)}
    return {name: torch.tensor(value, requires_grad=True) for name, value in start.items()}


def epochs_for(epochs: int, texts: int) -> int:
    """The number of epochs: as given for many texts, more for few."""
    return max(epochs, min(MAX_EPOCHS, round(epochs * math.sqrt(REFERENCE_TEXTS / texts))))


def _train(
    model: Accurate, halves: Sequence[Tensors], head: Tensors, examples: _TrainingSet, seed: int, missed: float
) -> None:
    torch, texts, labels, intents = examples
    outside = np.flatnonzero(labels >= intents)
    # Out-of-scope examples are few and repeated, as if the class had more.
    places = np.concatenate([np.arange(len(labels)), *[outside] * (model.out_of_scope_repeats - 1)])
    size = min(model.batch, len(places))
    epochs = max(epochs_for(model.epochs, len(places)), -(-MIN_STEPS * size // len(places)))
    steps = epochs * (len(places) // size)
    groups: list[dict[str, float | list[Tensor]]] = [
        {"params": list(weights.values()), "lr": model.rate * share, "weight_decay": WEIGHT_DECAY}
        for weights, share in zip(halves, (LOWER_RATE_SHARE, 1.0), strict=True)
    ]
    groups.append({"params": list(head.values()), "lr": HEAD_RATE, "weight_decay": 0.0})
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (WARM_UP * steps)) * max(0.0, 1 - step / steps)
    )
    known, random = torch.from_numpy(labels), np.random.default_rng(seed)
    every = [each for part in (*halves, head) for each in part.values()]
    for epoch in range(epochs):
        total = 0.0
        for batch in _batches(places, texts.lengths, size, random):
            hidden, mask = _two_passes(torch, texts.batch(batch), missed)
            loss = _loss(torch, model, halves, head, hidden, mask, known[batch])
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(every, 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        log.info("epoch %d of %d: loss %.4f", epoch + 1, epochs, total * epochs / steps)


def _batches(places: Array, lengths: Array, size: int, random: np.random.Generator) -> Iterator[Array]:
    """Shuffled batches of texts of about the same length."""
    shuffled = random.permutation(places)
    found = []
    for start in range(0, len(shuffled), size * BATCHES_SORTED_TOGETHER):
        some = shuffled[start : start + size * BATCHES_SORTED_TOGETHER]
        some = some[np.argsort(lengths[some], kind="stable")]
        found += [some[at : at + size] for at in range(0, len(some) - size + 1, size)]
    for place in random.permutation(len(found)):
        yield found[place]


def _two_passes(torch: ModuleType, batch: tuple[Tensor, Tensor], missed: float) -> tuple[Tensor, Tensor]:
    """A batch twice, each copy with other tokens masked, but never the first."""
    hidden, mask = (torch.cat([each, each]) for each in batch)
    if missed:
        mask = mask & (torch.rand(mask.shape) >= missed).index_fill(1, torch.tensor(0), True)
    return hidden, mask


def _loss(
    torch: ModuleType,
    model: Accurate,
    halves: Sequence[Tensors],
    head: Tensors,
    hidden: Tensor,
    mask: Tensor,
    labels: Tensor,
) -> Tensor:
    """Cross-entropy of both passes, and the symmetric KL divergence between them."""
    functional = torch.nn.functional
    vectors = functional.dropout(_pooled(torch, halves, hidden, mask, DROPOUT), DROPOUT)
    logits = head["scale"] * (vectors @ head["weight"].T + head["bias"])
    wrong = functional.cross_entropy(logits, torch.cat([labels, labels]))
    one, other = functional.log_softmax(logits, -1).chunk(2)
    apart = ((one.exp() - other.exp()) * (one - other)).sum(1).mean() / 2
    return wrong + model.consistency_weight * apart


def intent_centres(vectors: Array, labels: Array, intents: int, count: int) -> Array:
    """Up to `count` centres of each intent's vectors, all of length 1."""
    return np.concatenate([_centres(vectors[labels == each], count) for each in range(intents)])


def _centres(vectors: Array, count: int) -> Array:
    """Spherical k-means that starts from the most central vector and those farthest from all chosen before."""
    # Farthest-first traversal (Gonzalez 1985) gives the first centres without randomness; O(vectors * centres).
    chosen = [int((vectors @ vectors.mean(0)).argmax())]
    nearest = vectors @ vectors[chosen[0]]
    while len(chosen) < min(count, len(vectors)):
        chosen.append(int(nearest.argmin()))
        nearest = np.maximum(nearest, vectors @ vectors[chosen[-1]])
    centres = vectors[chosen]
    for _ in range(KMEANS_ROUNDS):
        assigned = (vectors @ centres.T).argmax(1)
        sums = np.stack(
            [
                vectors[assigned == each].sum(0) if (assigned == each).any() else centres[each]
                for each in range(len(centres))
            ]
        )
        centres = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return centres
