"""The predictor of replies: the context of a conversation in, the candidates that fit best out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ..chat import Chat
from ..errors import OptionError
from ..layers import Reply, ReplyGraph
from ..ml.registry import AnyModel, model_for
from .data.addressees import RecipientIndex
from .data.examples import MAX_CONTEXT_TURNS, Choice, Context
from .task import TASK


def reply_model(model: str | Path | AnyModel | None = None) -> AnyModel:
    """The model of that name or folder, or the one given; the default model if none is named."""
    return model_for(TASK.name, TASK.default if model is None else model)


def positions_until(chat: Chat, replies: ReplyGraph, at: int) -> list[int]:
    """The messages of the conversation that the message at that position belongs to, until that one."""
    if not 0 <= at < len(chat):
        raise OptionError("--at", at, f"{chat.name} has messages 0 to {len(chat) - 1}")
    if chat[at].kind == "system":
        raise OptionError("--at", at, "that is a system line, and nobody answers those")
    whole = next(each for each in replies.components() if at in each)
    return [position for position in whole if position <= at and chat[position].kind != "system"]


def context_of(chat: Chat, positions: Sequence[int]) -> Context:
    """What was said, without names, as turns: what one person says in a row is one."""
    recipients = RecipientIndex(chat)
    utterances = [(chat[position].author, recipients.of(position)[1]) for position in positions]
    turns = groupby((each for each in utterances if each[1]), lambda each: each[0])
    return tuple(tuple(text for _, text in turn) for _, turn in turns)[-MAX_CONTEXT_TURNS:]


def ranked(model: AnyModel, context: Context, candidates: Sequence[Reply], count: int) -> list[Reply]:
    """The candidates that fit the context best, each with where it was said; of equal texts the first counts."""
    known: dict[str, Reply] = {}
    for each in candidates:
        known.setdefault(each.text, each)
    found = model.predict([Choice(context, tuple(known))])[0] if known else ()
    return [Reply(each.text, each.score, known[each.text].source) for each in found[:count]]
