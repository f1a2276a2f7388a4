"""Questions to an archive: the answers that people once gave to such a question, each with how probable it is right.

Of each conversation one answer is shown: the message that solved the question, by what was said around it and after
it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .answer_candidates import Candidate, Finder
from .confidence import THRESHOLD
from .search import SearchFilters
from .store import ArchiveStore, StoredMessage

BETWEEN, SHOWN_AFTER = 3, 4


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was once given: to which question, what came between and after, and the thanks it got, if any."""

    score: float
    question: StoredMessage
    between: tuple[StoredMessage, ...]
    answer: StoredMessage
    followed: tuple[StoredMessage, ...]
    thanks: StoredMessage | None


class QuestionAnswerer:
    """An archive that is asked; its codes are read once, for many questions.

    `partial` answers also while messages that were just added have no vectors yet.
    """

    def __init__(self, archive: ArchiveStore, *, partial: bool = False) -> None:
        self.archive, self.finder = archive, Finder(archive, partial=partial)

    def ask(
        self, question: str, count: int = 5, threshold: float = THRESHOLD, filters: SearchFilters | None = None
    ) -> list[Answer]:
        """The best answers, the likeliest first, none below the threshold."""
        scored = [pair for pair in self.judged(question, filters) if pair[0] >= threshold]
        return [past(self.archive, score, each) for score, each in scored[:count]]

    def judged(self, question: str, filters: SearchFilters | None = None) -> list[tuple[float, Candidate]]:
        """The best candidate of each conversation with the probability that it is right, best first."""
        return [(each.probability, each) for each in self.finder.candidates(question, filters)]


def past(archive: ArchiveStore, score: float, candidate: Candidate) -> Answer:
    """A candidate as people want to see it, inside its conversation."""
    talk, place = candidate.talk, candidate.place
    asker, thanks = talk.asker(place), talk.thanks(place)
    led = sorted(talk.led(place))
    question = next(p for p in led if talk.said[p].author == asker)
    between = [p for p in led if p > question][-BETWEEN:]
    followed = talk.followed(place, SHOWN_AFTER)
    if thanks is not None and thanks not in followed:
        followed.append(thanks)
    wanted = {talk.said[p].id for p in (question, *between, place, *followed)}
    kept = archive.by_ids(wanted)

    def shown(p: int) -> StoredMessage:
        return kept[talk.said[p].id]

    return Answer(
        score,
        shown(question),
        tuple(map(shown, between)),
        shown(place),
        tuple(map(shown, followed)),
        None if thanks is None else shown(thanks),
    )
