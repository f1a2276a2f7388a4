"""Candidates for a reply, taken from the answers that an archive holds."""

from __future__ import annotations

from collections.abc import Sequence

from ..answer.data.addressees import RecipientIndex
from ..chat import Chat
from ..layers import Reply
from .answer_candidates import LONGEST, Finder
from .search import SearchFilters

LATEST = 2  # messages of the asker that say what is asked now, beside the first one


def from_archive(
    finder: Finder, chat: Chat, positions: Sequence[int], filters: SearchFilters | None = None
) -> list[Reply]:
    """Answers that were once given to what the last of these messages asks.

    What was said in this chat since the conversation began is none of them, so that an archive which holds the chat
    does not tell what came next.
    """
    since = {(message.author, message.text) for message in chat.messages[positions[0] :]}
    found = finder.candidates(_question(chat, positions), filters)
    before = [each for each in found if (each.said.author, each.said.text) not in since]
    kept = finder.archive.by_ids(each.id for each in before)
    sources = {id: f"{each.chat}, {each.message.author}, {each.message.time or 'undated'}" for id, each in kept.items()}
    return [Reply(each.text, 0.0, sources[each.id]) for each in before]


def _question(chat: Chat, positions: Sequence[int]) -> str:
    """What the last speaker asks: his first words in the conversation, and his latest."""
    recipients, asker = RecipientIndex(chat), chat[positions[-1]].author
    own = [position for position in positions if chat[position].author == asker]
    return " ".join(recipients.of(position)[1] for position in dict.fromkeys([own[0], *own[-LATEST:]]))[:LONGEST]
