"""Questions to an archive: the answers that people once gave to such a question, each with how likely it is right.

First messages are found by their words (BM25) and by their meaning (vectors). Around each, every message that answers
somebody is a candidate, judged by what it says and what was said around it. Of each conversation the best answer is
kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from .answer_candidates import Candidate, Finder
from .confidence import THRESHOLD, bundled_model, leads
from .search import SearchFilters
from .store import ArchiveStore, StoredMessage

CONSIDERED = 12
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
    """An archive that is asked; its vectors are read once, for many questions."""

    def __init__(self, archive: ArchiveStore) -> None:
        self.archive, self.finder = archive, Finder(archive)

    def ask(
        self, question: str, count: int = 5, threshold: float = THRESHOLD, filters: SearchFilters | None = None
    ) -> list[Answer]:
        """The best answers, the likeliest first, none below the threshold."""
        scored = [pair for pair in self.judged(question, filters) if pair[0] >= threshold]
        return [past(self.archive, score, each) for score, each in scored[:count]]

    def judged(self, question: str, filters: SearchFilters | None = None) -> list[tuple[float, Candidate]]:
        """The best candidate of each conversation with the probability that it is right, best first.

        Where a conversation has one that tells something, it stands for those that only ask back.
        """
        found, messages = self.finder.candidates(question, filters)[:CONSIDERED], self.archive.last()
        model = bundled_model()
        strong = [model.strength(each.features) for each in found]
        ahead = leads(strong, [each.talk.number for each in found])
        pairs = zip(strong, ahead, found, strict=True)
        scored = [(model.probability(strength, lead, messages), each) for strength, lead, each in pairs]
        scored.sort(key=lambda pair: (pair[1].text.rstrip().endswith("?"), -pair[0], pair[1].id))
        best: dict[int, tuple[float, Candidate]] = {}
        for pair in scored:
            best.setdefault(pair[1].talk.number, pair)
        return sorted(best.values(), key=lambda pair: (-pair[0], pair[1].id))


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
