"""An archive as tools of the Model Context Protocol. The unit is the conversation, not the message."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..archive import browse
from ..archive.conversation_lookup import find_conversation
from ..archive.insights.unanswered import unanswered as unanswered_questions
from ..archive.search import search
from ..archive.store import ArchiveStore
from ..errors import HubbubError, UnknownName
from . import records
from .archive_pool import ArchivePool

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

MAX_RESULTS = 20  # more would fill the context of a language model
MAX_MESSAGES = 200  # of one conversation
INSTRUCTIONS = (
    "An archive of group chats, divided into conversations. Search or ask first, then get conversations that matter."
    " Cite conversations by their id, such as c-7f3k2. If ask declines, the archive has no probable answer: say so."
)


def mcp_server(location: str | Path) -> MCPServer[Any]:
    """A server of the tools over one archive."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    pool = ArchivePool(location)

    def explained(tool: Callable[..., Any]) -> Callable[..., Any]:
        """The tool with errors that the assistant gets to read."""

        @wraps(tool)
        def run(*arguments: Any, **options: Any) -> Any:
            try:
                return tool(*arguments, **options)
            except UnknownName as error:
                raise ToolError(str(error).partition(";")[0] + ".") from None
            except HubbubError as error:
                raise ToolError(str(error)) from None

        return run

    server: MCPServer[Any] = MCPServer("hubbub", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    @server.tool()
    @explained
    def search_conversations(query: str, count: int = 5) -> dict[str, Any]:
        """Find conversations by words, "phrases", prefix*, -exclusion, OR, from:NICK, in:#channel, after:2013-01-31,
        before:DATE, has:link, is:question, is:answered; the best first, each with the lines that matched."""
        with pool.archive() as archive:
            found = search(archive, query, _bounded(count))
            known = browse.summaries(archive, [hit.conversation for hit in found])
        results = [records.hit(known[hit.conversation], hit) for hit in found]
        return {"results": results, "notes": list(found.notes)}

    @server.tool()
    @explained
    def get_conversation(id: str) -> dict[str, Any]:
        """A conversation by its id, with all its messages in order and what each replies to."""
        with pool.archive() as archive:
            number = find_conversation(archive, id).messages[0].conversation or 0
            messages = browse.conversation_messages(archive, number, MAX_MESSAGES)
            summary = browse.summaries(archive, [number])[number]
        return {**records.conversation(summary), "messages": [records.message(each) for each in messages]}

    @server.tool()
    @explained
    def ask(question: str, count: int = 3) -> dict[str, Any]:
        """Answers that people once gave to such a question, each with the probability that it is right and the
        conversation to cite. No answers: none is probable enough, and the question is declined."""
        with pool.archive() as archive:
            answers = pool.answerer(archive).ask(question, _bounded(count))
            known = browse.summaries(archive, [each.answer.conversation or 0 for each in answers])
        shown = [records.answer(known[each.answer.conversation or 0], each) for each in answers]
        return {"answers": shown, "is_declined": not shown}

    @server.tool()
    @explained
    def unanswered(count: int = 10) -> list[dict[str, Any]]:
        """Questions without a reply or a resolution, the newest first."""
        with pool.archive() as archive:
            threads = unanswered_questions(archive, _bounded(count))
            known = browse.summaries(archive, [each.thread.number for each in threads])
        return [
            {
                **records.conversation(known[each.thread.number]),
                "outcome": each.thread.outcome.value,
                "probability": each.probability,
            }
            for each in threads
        ]

    @server.tool()
    @explained
    def people(name: str = "", count: int = 10) -> list[dict[str, Any]]:
        """The people of the archive who wrote most; or one by name, with other names, and whom they reply to."""
        with pool.archive() as archive:
            if not name:
                return [
                    {"name": who, "messages": size} for who, size in browse.busiest_people(archive, _bounded(count))
                ]
            ids = browse.person_ids(archive, [name])
            return [_profile(archive, id) for id in ids.values()]

    return server


def _profile(archive: ArchiveStore, id: int) -> dict[str, Any]:
    found = browse.person(archive, id)
    latest = [records.conversation(each) for each in browse.conversations_of_person(archive, id, MAX_RESULTS)]
    return {
        "name": found.name,
        "names": list(found.names),
        "messages": found.messages,
        "first": found.first,
        "last": found.last,
        "replies_to": dict(browse.partners(archive, id)),
        "conversations": latest,
    }


def _bounded(count: int) -> int:
    return max(1, min(count, MAX_RESULTS))
