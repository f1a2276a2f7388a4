"""The task thread: chats in, reply graphs out."""

from __future__ import annotations

from ..chat import Chat
from ..layers import ReplyGraph
from ..ml.task import Task
from .data.loading import load, sample
from .metrics import score

TASK: Task[Chat, ReplyGraph] = Task("thread", load, lambda chat: [chat], score, sample, default="thread/hubbub")
