"""Training the rankers with torch: a softmax over each message's likeliest candidates and a sample of the others."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar

from ..chat import Chat
from ..errors import NeedsExtra
from ..layers import ReplyGraph
from .paper_features import COUNT, REACH, PaperFeatures
from .ranker import Linear, Ranker, candidates
from .vectors import Sentences, learn

R = TypeVar("R", bound=Ranker)

log = logging.getLogger(__name__)
CLIP = 3.74
ROUGH = Linear(epochs=3, rate=0.03, batch=512)


@dataclass(frozen=True, slots=True)
class Choices:
    """Every judged message with its competing candidates, the same number for each; numbers run over all chats.

    `weight` is the logarithm of how many candidates each stands for, minus infinity where there is none.
    """

    features: Any
    message: Any
    candidate: Any
    weight: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Material:
    """What is learnt from, the same for every seed; `rough` weighs the features of a candidate at a first look."""

    vocabulary: list[str]
    vectors: Any
    said: Any
    rough: Any
    choices: Choices


def train(ranker: R, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], seed: int) -> R:
    torch = _torch()
    material = _material(tuple(inputs), tuple(golds), ranker.dimensions, ranker.rivals, ranker.sampled)
    ranker.vocabulary_, ranker.vectors_ = material.vocabulary, material.vectors
    if hasattr(ranker, "shortlist_"):
        ranker.shortlist_ = material.rough
    for name, weight in _learnt(ranker, material.choices, torch.from_numpy(material.said), seed).items():
        setattr(ranker, f"{name}_", weight)
    return ranker


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise NeedsExtra("Training this model", "train") from None
    return torch


@lru_cache(maxsize=1)
def _material(
    inputs: tuple[Chat, ...], golds: tuple[ReplyGraph, ...], dimensions: int, rivals: int, sampled: int
) -> Material:
    """The last is kept, so that ten seeds in a row share it."""
    vocabulary, vectors = learn([m.text for chat in inputs for m in chat if m.kind != "system"], dimensions, 0)
    said = Sentences(vocabulary, vectors).of([message.text for chat in inputs for message in chat])
    whole = _all_choices(inputs, golds)
    log.info("%s messages to learn from, %s words", len(whole.message), len(vocabulary))
    rough = _learnt(ROUGH, whole, _torch().zeros((len(said), 0)), 0)["out_features"]
    return Material(vocabulary, vectors, said, rough, _narrowed(whole, rough, rivals, sampled))


def _all_choices(inputs: Sequence[Chat], golds: Sequence[ReplyGraph]) -> Choices:
    """Every judged message that answers one in reach, with all its candidates."""
    import numpy as np

    judged = [[i for i, parents in enumerate(gold.parents) if any(p >= i - REACH for p in parents)] for gold in golds]
    count = sum(map(len, judged))
    features = np.zeros((count, REACH + 1, COUNT), dtype=np.float16)
    right = np.zeros((count, REACH + 1), dtype=bool)
    here, begin = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    place = start = 0
    for chat, gold, positions in zip(inputs, golds, judged, strict=True):
        of_chat = PaperFeatures(chat)
        for position in positions:
            rows = of_chat.of(position)
            features[place, -len(rows) :] = rows
            right[place, [REACH + p - position for p in gold.parents[position] if p >= position - REACH]] = True
            here[place], begin[place] = position, start
            place += 1
        start += len(chat)
    near = candidates(here)
    return Choices(features, here + begin, near.clip(0) + begin[:, None], np.where(near < 0, -np.inf, 0.0), right)


def _narrowed(whole: Choices, rough: Any, rivals: int, sampled: int) -> Choices:
    """The right candidates and the likeliest others compete, and a sample stands for the rest."""
    import numpy as np

    likely = whole.weight + np.concatenate([part @ rough for part in _parts(whole.features)] or [whole.weight])
    order = np.argsort(-np.where(whole.right, np.inf, likely), axis=1)
    rest = (np.isfinite(whole.weight).sum(axis=1) - rivals).clip(0)[:, None]
    drawn = rivals + (np.random.default_rng(0).random((len(order), sampled)) * rest).astype(np.int64)
    taken = np.concatenate([order[:, :rivals], np.take_along_axis(order, drawn.clip(0, REACH), axis=1)], axis=1)
    weight = np.take_along_axis(whole.weight, taken, axis=1).astype(np.float32)
    with np.errstate(divide="ignore"):
        weight[:, rivals:] = np.log(rest / max(sampled, 1))
    features = np.take_along_axis(whole.features, taken[:, :, None], axis=1)
    candidate, right = (np.take_along_axis(each, taken, axis=1) for each in (whole.candidate, whole.right))
    return Choices(features, whole.message, candidate, weight, right)


def _parts(features: Any) -> Any:
    return (features[begin : begin + 1024].astype("float32") for begin in range(0, len(features), 1024))


def _learnt(ranker: Ranker, choices: Choices, said: Any, seed: int) -> dict[str, Any]:
    _torch().manual_seed(seed)
    weights = _start(ranker, said.shape[1])
    _descend(ranker, weights, choices, said)
    return {name: weight.detach().numpy().copy() for name, weight in weights.items()}


def _start(ranker: Ranker, width: int) -> dict[str, Any]:
    """Small random weights, by the names under which the model keeps them."""
    torch = _torch()
    hidden: int = getattr(ranker, "hidden", 0)
    shapes: dict[str, tuple[int, ...]]
    if ranker.hidden_layers:
        shapes = {"in_features": (COUNT, hidden), "in_message": (width, hidden), "in_candidate": (width, hidden)}
        shapes |= {"in_bias": (hidden,), "middle": (hidden, hidden), "middle_bias": (hidden,), "out": (hidden,)}
    else:
        shapes = {"out_features": (COUNT,), "out_candidate": (width,)}
    made = {name: torch.randn(shape) * max(shape[0], 1) ** -0.5 for name, shape in shapes.items()}
    for name in made:
        made[name] *= 0.0 if "bias" in name or not ranker.hidden_layers else 1.0
        made[name].requires_grad_(True)
    return made


def _descend(ranker: Ranker, weights: dict[str, Any], choices: Choices, said: Any) -> None:
    torch = _torch()
    optimizer = torch.optim.Adam(weights.values(), lr=ranker.rate, weight_decay=ranker.decay)
    count = len(choices.message)
    steps = max(1, ranker.epochs * -(-count // ranker.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.01, 1 - step / steps))
    for epoch in range(ranker.epochs):
        total = 0.0
        for picked in torch.randperm(count).split(ranker.batch) if count else ():
            loss = _loss(ranker, weights, choices, picked.numpy(), said)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights.values(), CLIP)
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(picked)
        log.info("epoch %d of %d: loss %.4f", epoch + 1, ranker.epochs, total / max(count, 1))


def _loss(ranker: Ranker, weights: dict[str, Any], choices: Choices, picked: Any, said: Any) -> Any:
    torch = _torch()
    features = torch.from_numpy(choices.features[picked]).float()
    candidate = said[torch.from_numpy(choices.candidate[picked])]
    if ranker.hidden_layers:
        message = said[torch.from_numpy(choices.message[picked])] @ weights["in_message"] + weights["in_bias"]
        first = features @ weights["in_features"] + candidate @ weights["in_candidate"] + message[:, None]
        second = _softsign()(first) @ weights["middle"] + weights["middle_bias"]
        scores = _softsign()(second) @ weights["out"]
    else:
        scores = features @ weights["out_features"] + candidate @ weights["out_candidate"]
    scores = scores + torch.from_numpy(choices.weight[picked])
    right = scores.masked_fill(~torch.from_numpy(choices.right[picked]), -torch.inf)
    return (scores.logsumexp(1) - right.logsumexp(1)).mean()


@cache
def _softsign() -> Any:
    """Torch's own keeps more than it needs: the gradient follows from the result alone, a quarter faster."""
    torch = _torch()

    def forward(context: Any, values: Any) -> Any:
        found = values / values.abs().add_(1)
        context.save_for_backward(found)
        return found

    def backward(context: Any, gradient: Any) -> Any:
        (found,) = context.saved_tensors
        return found.abs().neg_().add_(1).square_().mul_(gradient)

    ways = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    made: Any = type("Softsign", (torch.autograd.Function,), ways)
    return made.apply
