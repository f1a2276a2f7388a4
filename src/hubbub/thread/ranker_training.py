"""Training the rankers with torch: a softmax over each message's candidates, far ones by a weighted sample."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..chat import Chat
from ..errors import NeedsExtra
from ..layers import ReplyGraph
from .paper_features import COUNT, PaperFeatures
from .ranker import Ranker
from .vectors import Sentences, learn

R = TypeVar("R", bound=Ranker)

log = logging.getLogger(__name__)
CLIP = 3.74


@dataclass(frozen=True, slots=True)
class Choices:
    """Every judged message with its competing candidates, padded to the same number.

    `weight` is the logarithm of how many candidates each stands for, minus infinity for padding.
    """

    features: Any
    message: Any
    candidate: Any
    weight: Any
    right: Any


def train(ranker: R, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], seed: int) -> R:
    torch = _torch()
    import numpy as np

    texts = [m.text for chat in inputs for m in chat if m.kind != "system"]
    ranker.vocabulary_, ranker.vectors_ = learn(texts, ranker.dimensions, seed)
    sentences = Sentences(ranker.vocabulary_, ranker.vectors_)
    said = sentences.of([message.text for chat in inputs for message in chat])
    choices = _choices(ranker, inputs, golds, np.random.default_rng(seed))
    log.info("%s messages to learn from, %s words", len(choices.message), len(ranker.vocabulary_))
    torch.manual_seed(seed)
    weights = _start(ranker, said.shape[1])
    _descend(ranker, weights, choices, torch.from_numpy(said))
    for name, weight in weights.items():
        setattr(ranker, f"{name}_", weight.detach().numpy().copy())
    return ranker


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise NeedsExtra("Training this model", "train") from None
    return torch


def _choices(ranker: Ranker, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], random: Any) -> Choices:
    import numpy as np

    rows = [row for row in _all_rows(ranker, inputs, golds, random) if row[4].any()]
    width = ranker.nearest + ranker.sampled + 2
    features = np.zeros((len(rows), width, COUNT), dtype=np.float16)
    candidate = np.zeros((len(rows), width), dtype=np.int64)
    weight = np.full((len(rows), width), -np.inf, dtype=np.float32)
    right = np.zeros((len(rows), width), dtype=bool)
    for place, (given, _, several, weights, answers) in enumerate(rows):
        count = min(len(several), width)
        features[place, :count], candidate[place, :count] = given[:count], several[:count]
        weight[place, :count], right[place, :count] = weights[:count], answers[:count]
    message = np.array([row[1] for row in rows], dtype=np.int64)
    return Choices(features, message, candidate, weight, right)


def _all_rows(
    ranker: Ranker, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], random: Any
) -> Iterator[tuple[Any, int, Any, Any, Any]]:
    """(features, message, candidates, weights, which are right) of each judged message; numbers run over all chats."""
    import numpy as np

    start = 0
    for chat, gold in zip(inputs, golds, strict=True):
        features = PaperFeatures(chat)
        for position, parents in enumerate(gold.parents):
            if parents:
                begin = max(0, position - 100)
                taken, weights = _taken(
                    ranker, position - begin + 1, [p - begin for p in parents if p >= begin], random
                )
                right = np.isin(taken + begin, parents)
                yield (
                    features.of(position)[taken].astype(np.float16),
                    start + position,
                    start + begin + taken,
                    weights,
                    right,
                )
        start += len(chat)


def _taken(ranker: Ranker, count: int, right: Sequence[int], random: Any) -> tuple[Any, Any]:
    """The candidates that compete: the right ones, the nearest, and a sample that stands for the rest."""
    import numpy as np

    sure = sorted({*right, *range(max(0, count - 1 - ranker.nearest), count)}, reverse=True)
    rest = np.setdiff1d(np.arange(count), sure)
    drawn = random.choice(rest, min(ranker.sampled, len(rest)), replace=False) if len(rest) else rest
    share = np.log(len(rest) / len(drawn)) if len(drawn) else 0.0
    order = sorted(sure, key=lambda each: each not in right)
    return np.array([*order, *drawn], dtype=np.int64), np.array([0.0] * len(sure) + [share] * len(drawn))


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
    made = {name: torch.randn(shape) * shape[0] ** -0.5 for name, shape in shapes.items()}
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
        for picked in torch.randperm(count).split(ranker.batch):
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
        softsign = torch.nn.functional.softsign
        scores = softsign(softsign(first) @ weights["middle"] + weights["middle_bias"]) @ weights["out"]
    else:
        scores = features @ weights["out_features"] + candidate @ weights["out_candidate"]
    scores = scores + torch.from_numpy(choices.weight[picked])
    right = scores.masked_fill(~torch.from_numpy(choices.right[picked]), -torch.inf)
    return (scores.logsumexp(1) - right.logsumexp(1)).mean()
