"""Questions of an archive that got no reply, or no resolution, with the probability that this is so."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from ..search import SearchFilters
from ..store import ArchiveStore
from .question_threads import SPOKEN, UNANSWERED, Outcome, QuestionThread, names_somebody, question_threads
from .unanswered_model import bundled_unanswered

THRESHOLD = 0.5
MESSAGES_AFTER = 200  # of the channel, in which a reply is looked for; the model was fitted with it


class UnansweredQuestion(NamedTuple):
    """A question, its conversation, and the probability that it is unanswered."""

    thread: QuestionThread
    probability: float


def unanswered(
    archive: ArchiveStore,
    count: int = 20,
    filters: SearchFilters | None = None,
    *,
    outcomes: Collection[Outcome] = UNANSWERED,
    threshold: float = THRESHOLD,
) -> list[UnansweredQuestion]:
    """The newest of them first, none below the threshold. Reading stops when there are enough."""
    return list(islice(_found(archive, filters, outcomes, threshold), count))


def _found(
    archive: ArchiveStore, filters: SearchFilters | None, outcomes: Collection[Outcome], threshold: float
) -> Iterator[UnansweredQuestion]:
    model = bundled_unanswered()
    for thread in question_threads(archive, filters):
        outcome = thread.outcome
        if outcome in outcomes:
            addressed = _addressed_elsewhere(archive, thread) if outcome is Outcome.NO_REPLY else 0
            probability = round(model.probability(outcome, addressed), 3)
            if probability >= threshold:
                yield UnansweredQuestion(thread, probability)


def _addressed_elsewhere(archive: ArchiveStore, thread: QuestionThread) -> int:
    """How many messages of others name the asker soon after the question: replies that a model may have misplaced."""
    rows = archive.rows(
        "select m.author, m.text, m.conversation_id from messages m join messages q on q.channel_id = m.channel_id"
        f" where q.id = :question and m.ordinal > q.ordinal and {SPOKEN}"
        f" order by m.ordinal limit {MESSAGES_AFTER}",
        question=thread.question.id,
    )
    return sum(
        author != thread.asker and number != thread.number and names_somebody(text, thread.asker)
        for author, text, number in rows
    )
