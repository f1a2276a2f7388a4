"""The task of intents, for training and evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from ..layers import Intent
from ..ml.task import Task
from .data.loading import examples_from_lists, load, sample


def _score(golds: Sequence[Intent], predictions: Sequence[Intent]) -> dict[str, float]:
    from .metrics import score

    return score(golds, predictions)


TASK: Task[str, Intent] = Task(
    "intent",
    load,
    lambda chat: [message.text for message in chat],
    _score,
    sample,
    default="intent/fast",
    plain=examples_from_lists,
)
