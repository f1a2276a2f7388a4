"""The task of replies, for training and evaluation."""

from __future__ import annotations

from ..chat import Chat
from ..ml.task import Task
from .data.examples import MAX_CONTEXT_TURNS, Choice
from .data.loading import load, sample
from .metrics import Ranked, score


def _inputs(chat: Chat) -> list[Choice]:
    """Each message after the first among all that were said, with what was said before it."""
    texts = [message.text for message in chat if message.kind != "system"]
    every = tuple(dict.fromkeys(texts))
    return [
        Choice(tuple((text,) for text in texts[max(0, i - MAX_CONTEXT_TURNS) : i]), every) for i in range(1, len(texts))
    ]


TASK: Task[Choice, Ranked] = Task("answer", load, _inputs, score, sample, default="answer/hubbub")
