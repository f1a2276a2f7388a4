"""What the room of answers does, for training and evaluating."""

from __future__ import annotations

from ..chat import Chat
from ..task import Task
from .data import load, sample
from .examples import MOST, Choice
from .metrics import Ranked, score


def _inputs(chat: Chat) -> list[Choice]:
    """Each message after the first among all that were said, with what was said before it."""
    said = [message.text for message in chat if message.kind != "system"]
    every = tuple(dict.fromkeys(said))
    return [Choice(tuple((text,) for text in said[max(0, i - MOST) : i]), every) for i in range(1, len(said))]


TASK: Task[Choice, Ranked] = Task("answer", load, _inputs, score, sample, default="answer/hubbub")
