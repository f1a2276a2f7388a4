"""Replies for a conversation: its context as models of replies take it, and where candidates come from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from ..chat import Chat
from ..errors import OptionError
from ..layers import Reply, ReplyGraph
from ..model import AnyModel, model_for
from .examples import MOST, Choice, Context
from .finding import LONGEST, Finder
from .recipients import Recipients
from .searching import Filters
from .task import TASK

ASKED = 2


def reply_model(model: str | Path | AnyModel | None = None) -> AnyModel:
    """The model of that name or folder, or as it is; the room's own if none is named."""
    return model_for(TASK.name, TASK.default if model is None else model)


def positions_until(chat: Chat, replies: ReplyGraph, at: int) -> list[int]:
    """The messages of the conversation that the message at that position belongs to, until that one."""
    if not 0 <= at < len(chat):
        raise OptionError("--at", at, f"{chat.name} has messages 0 to {len(chat) - 1}")
    if chat[at].kind == "system":
        raise OptionError("--at", at, "that is a system line, and nobody answers those")
    whole = next(each for each in replies.conversations() if at in each)
    return [position for position in whole if position <= at and chat[position].kind != "system"]


def context_of(chat: Chat, positions: Sequence[int]) -> Context:
    """What was said, without names, as turns: what one person says in a row is one."""
    recipients = Recipients(chat)
    said = [(chat[position].author, recipients.of(position)[1]) for position in positions]
    turns = groupby((each for each in said if each[1]), lambda each: each[0])
    return tuple(tuple(text for _, text in turn) for _, turn in turns)[-MOST:]


def ranked(model: AnyModel, context: Context, candidates: Sequence[Reply], count: int) -> list[Reply]:
    """The candidates that fit the context best, each with where it was said; of equal texts the first counts."""
    known: dict[str, Reply] = {}
    for each in candidates:
        known.setdefault(each.text, each)
    found = model.predict([Choice(context, tuple(known))])[0] if known else ()
    return [Reply(each.text, each.score, known[each.text].source) for each in found[:count]]


def from_archive(finder: Finder, chat: Chat, positions: Sequence[int], filters: Filters | None = None) -> list[Reply]:
    """Answers that were once given to what the last of these messages asks.

    What was said in this chat since the conversation began is none of them, so that an archive which holds the chat
    does not tell what came next.
    """
    since = {(message.author, message.text) for message in chat.messages[positions[0] :]}
    found = finder.candidates(_question(chat, positions), filters)
    before = [each for each in found if (each.said.author, each.said.text) not in since]
    kept = finder.archive.kept(f"where m.id in ({','.join(str(each.id) for each in before)})")
    sources = {each.id: f"{each.chat}, {each.message.author}, {each.message.time or 'undated'}" for each in kept}
    return [Reply(each.text, 0.0, sources[each.id]) for each in before]


def _question(chat: Chat, positions: Sequence[int]) -> str:
    """What the last speaker asks: his first words in the conversation, and his latest."""
    recipients, asker = Recipients(chat), chat[positions[-1]].author
    own = [position for position in positions if chat[position].author == asker]
    return " ".join(recipients.of(position)[1] for position in dict.fromkeys([own[0], *own[-ASKED:]]))[:LONGEST]
