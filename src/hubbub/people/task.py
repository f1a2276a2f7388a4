"""The tasks of people for training and evaluation: linking mentions, and detecting them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ..chat import Chat
from ..layers import Link, Mention
from ..ml.task import Examples, Task
from .data.loading import load, sample
from .data.scene import Key, Scene, scene_of


def _inputs(chat: Chat) -> list[Scene]:
    return [scene_of(chat)]


def _score(golds: Sequence[Sequence[Link]], predictions: Sequence[Sequence[Link]]) -> Mapping[str, float]:
    from .metrics import score

    return score(cast("Sequence[Key]", golds), predictions)


def _unmarked(examples: Examples[Scene, Sequence[Link]]) -> Examples[Scene, tuple[Mention, ...]]:
    scenes = [scene.unmarked() for scene in examples.inputs]
    return Examples(scenes, [tuple(link.mention for link in gold) for gold in examples.golds], examples.files)


def _score_mentions(
    golds: Sequence[tuple[Mention, ...]], predictions: Sequence[tuple[Mention, ...]]
) -> Mapping[str, float]:
    from .metrics import detection

    return detection(golds, predictions)


TASK: Task[Scene, Sequence[Link]] = Task("people", load, _inputs, _score, sample, default="people/hubbub")
MENTIONS: Task[Scene, tuple[Mention, ...]] = Task(
    "mentions",
    lambda given: _unmarked(load(given)),
    _inputs,
    _score_mentions,
    lambda: _unmarked(sample()),
    default="mentions/tagger",
)
