"""Training of the rankers with torch: a softmax over the best candidates of each message and a sample of the others."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar

import numpy as np

from ...chat import Chat
from ...layers import ReplyGraph
from ...ml.torch_import import torch_or_error
from ..features.kummerfeld_features import FEATURE_COUNT, WINDOW, KummerfeldFeatures
from ..features.pmi_vectors import MessageVectors, fit_word_vectors
from ..models._ranker import Ranker, candidates
from ..models.linear import Linear

R = TypeVar("R", bound=Ranker)

log = logging.getLogger(__name__)
MAX_GRADIENT_NORM = 3.74  # of the feedforward model (supplement, section C.2.2); it serves the linear one too
SHORTLIST_MODEL = Linear(epochs=3, rate=0.03, batch=512)  # it only orders candidates, so that three epochs are enough
SCORED_AT_ONCE = 1024  # messages; their features as float32 take 30 MB


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """Every annotated message with its competing candidates, the same number for each; indices run over all chats.

    `weight` is the logarithm of the number of candidates that each represents, minus infinity where there is none.
    """

    features: Any
    message: Any
    candidate: Any
    weight: Any
    gold: Any


@dataclass(frozen=True, slots=True)
class RankerData:
    """The training data, the same for every seed; `linear_weights` are those of the model that orders candidates."""

    vocabulary: list[str]
    vectors: Any
    text_vectors: Any
    linear_weights: Any
    choices: RankedCandidates


def train(ranker: R, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], seed: int) -> R:
    torch = torch_or_error()
    material = _ranker_data(
        tuple(inputs), tuple(golds), ranker.dimensions, ranker.hard_negatives, ranker.sampled_negatives
    )
    ranker.vocabulary_, ranker.vectors_ = material.vocabulary, material.vectors
    if hasattr(ranker, "shortlist_"):
        ranker.shortlist_ = material.linear_weights
    for name, weight in _fit_weights(ranker, material.choices, torch.from_numpy(material.text_vectors), seed).items():
        setattr(ranker, f"{name}_", weight)
    return ranker


@lru_cache(maxsize=1)
def _ranker_data(
    inputs: tuple[Chat, ...], golds: tuple[ReplyGraph, ...], dimensions: int, rivals: int, sampled: int
) -> RankerData:
    """Cached, so that ten seeds in a row share it."""
    vocabulary, vectors = fit_word_vectors(
        [m.text for chat in inputs for m in chat if m.kind != "system"], dimensions, 0
    )
    text_vectors = MessageVectors(vocabulary, vectors).of([message.text for chat in inputs for message in chat])
    whole = _all_candidates(inputs, golds)
    log.info("%s messages to learn from, %s words", len(whole.message), len(vocabulary))
    linear_weights = _fit_weights(SHORTLIST_MODEL, whole, torch_or_error().zeros((len(text_vectors), 0)), 0)[
        "out_features"
    ]
    return RankerData(
        vocabulary, vectors, text_vectors, linear_weights, _sampled_candidates(whole, linear_weights, rivals, sampled)
    )


def _all_candidates(inputs: Sequence[Chat], golds: Sequence[ReplyGraph]) -> RankedCandidates:
    """Every annotated message with a parent in the window, with all its candidates."""
    annotated = [
        [i for i, parents in enumerate(gold.parents) if any(p >= i - WINDOW for p in parents)] for gold in golds
    ]
    count = sum(map(len, annotated))
    features = np.zeros((count, WINDOW + 1, FEATURE_COUNT), dtype=np.float16)
    is_gold = np.zeros((count, WINDOW + 1), dtype=bool)
    here, begin = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    place = start = 0
    for chat, gold, positions in zip(inputs, golds, annotated, strict=True):
        of_chat = KummerfeldFeatures(chat)
        for position in positions:
            rows = of_chat.of(position)
            features[place, -len(rows) :] = rows
            is_gold[place, [WINDOW + p - position for p in gold.parents[position] if p >= position - WINDOW]] = True
            here[place], begin[place] = position, start
            place += 1
        start += len(chat)
    near = candidates(here)
    return RankedCandidates(
        features, here + begin, near.clip(0) + begin[:, None], np.where(near < 0, -np.inf, 0.0), is_gold
    )


def _sampled_candidates(whole: RankedCandidates, linear_weights: Any, rivals: int, sampled: int) -> RankedCandidates:
    """The gold candidates and the highest-scoring others compete, and a sample represents the rest."""
    blocks = range(0, len(whole.features), SCORED_AT_ONCE)
    parts = (whole.features[begin : begin + SCORED_AT_ONCE].astype("float32") for begin in blocks)
    likely = whole.weight + np.concatenate([part @ linear_weights for part in parts] or [whole.weight])
    order = np.argsort(-np.where(whole.gold, np.inf, likely), axis=1)
    rest = (np.isfinite(whole.weight).sum(axis=1) - rivals).clip(0)[:, None]
    drawn = rivals + (np.random.default_rng(0).random((len(order), sampled)) * rest).astype(np.int64)
    columns = np.concatenate([order[:, :rivals], np.take_along_axis(order, drawn.clip(0, WINDOW), axis=1)], axis=1)
    weight = np.take_along_axis(whole.weight, columns, axis=1).astype(np.float32)
    with np.errstate(divide="ignore"):
        weight[:, rivals:] = np.log(rest / max(sampled, 1))
    features = np.take_along_axis(whole.features, columns[:, :, None], axis=1)
    candidate, gold = (np.take_along_axis(each, columns, axis=1) for each in (whole.candidate, whole.gold))
    return RankedCandidates(features, whole.message, candidate, weight, gold)


def _fit_weights(ranker: Ranker, choices: RankedCandidates, text_vectors: Any, seed: int) -> dict[str, Any]:
    torch_or_error().manual_seed(seed)
    weights = _initial_weights(ranker, text_vectors.shape[1])
    _optimize(ranker, weights, choices, text_vectors)
    return {name: weight.detach().numpy().copy() for name, weight in weights.items()}


def _initial_weights(ranker: Ranker, width: int) -> dict[str, Any]:
    """Small random weights, by the names under which the model keeps them."""
    torch = torch_or_error()
    hidden: int = getattr(ranker, "hidden", 0)
    shapes: dict[str, tuple[int, ...]]
    if ranker.hidden_layers:
        shapes = {
            "in_features": (FEATURE_COUNT, hidden),
            "in_message": (width, hidden),
            "in_candidate": (width, hidden),
        }
        shapes |= {"in_bias": (hidden,), "middle": (hidden, hidden), "middle_bias": (hidden,), "out": (hidden,)}
    else:
        shapes = {"out_features": (FEATURE_COUNT,), "out_candidate": (width,)}
    made = {name: torch.randn(shape) * max(shape[0], 1) ** -0.5 for name, shape in shapes.items()}
    for name in made:
        made[name] *= 0.0 if "bias" in name or not ranker.hidden_layers else 1.0
        made[name].requires_grad_(True)
    return made


def _optimize(ranker: Ranker, weights: dict[str, Any], choices: RankedCandidates, text_vectors: Any) -> None:
    torch = torch_or_error()
    optimizer = torch.optim.Adam(weights.values(), lr=ranker.rate, weight_decay=ranker.decay)
    count = len(choices.message)
    steps = max(1, ranker.epochs * -(-count // ranker.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.01, 1 - step / steps))
    for epoch in range(ranker.epochs):
        total = 0.0
        for picked in torch.randperm(count).split(ranker.batch) if count else ():
            loss = _loss(ranker, weights, choices, picked.numpy(), text_vectors)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights.values(), MAX_GRADIENT_NORM)
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(picked)
        log.info("epoch %d of %d: loss %.4f", epoch + 1, ranker.epochs, total / max(count, 1))


def _loss(ranker: Ranker, weights: dict[str, Any], choices: RankedCandidates, picked: Any, text_vectors: Any) -> Any:
    torch = torch_or_error()
    features = torch.from_numpy(choices.features[picked]).float()
    candidate = text_vectors[torch.from_numpy(choices.candidate[picked])]
    if ranker.hidden_layers:
        message = text_vectors[torch.from_numpy(choices.message[picked])] @ weights["in_message"] + weights["in_bias"]
        first = features @ weights["in_features"] + candidate @ weights["in_candidate"] + message[:, None]
        second = _softsign()(first) @ weights["middle"] + weights["middle_bias"]
        scores = _softsign()(second) @ weights["out"]
    else:
        scores = features @ weights["out_features"] + candidate @ weights["out_candidate"]
    scores = scores + torch.from_numpy(choices.weight[picked])
    gold_scores = scores.masked_fill(~torch.from_numpy(choices.gold[picked]), -torch.inf)
    return (scores.logsumexp(1) - gold_scores.logsumexp(1)).mean()


@cache
def _softsign() -> Any:
    """The gradient from the result alone: torch's own stores more, and takes a quarter longer."""
    torch = torch_or_error()

    def forward(context: Any, values: Any) -> Any:
        found = values / values.abs().add_(1)
        context.save_for_backward(found)
        return found

    def backward(context: Any, gradient: Any) -> Any:
        (found,) = context.saved_tensors
        return found.abs().neg_().add_(1).square_().mul_(gradient)

    ways = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    function: Any = type("Softsign", (torch.autograd.Function,), ways)
    return function.apply
