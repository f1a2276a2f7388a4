"""Questions to an archive: the answers that people once gave to such a question, each with how likely it is right.

First messages are found by their words (BM25) and by their meaning (vectors). Around each, every message that answers
somebody is a candidate, judged by what it says and what was said around it. Of each conversation the best answer is
kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from .archive import Archive, Kept
from .finding import Candidate, Finder
from .judging import THRESHOLD, chance, leads, strength
from .searching import Filters

CONSIDERED = 12
BETWEEN, SHOWN_AFTER = 3, 4


@dataclass(frozen=True, slots=True)
class Past:
    """An answer that was once given: to which question, what came between and after, and the thanks it got, if any."""

    score: float
    question: Kept
    between: tuple[Kept, ...]
    answer: Kept
    followed: tuple[Kept, ...]
    thanks: Kept | None


class Asking:
    """An archive that is asked; its vectors are read once, for many questions."""

    def __init__(self, archive: Archive) -> None:
        self.archive, self.finder = archive, Finder(archive)

    def ask(
        self, question: str, count: int = 5, threshold: float = THRESHOLD, filters: Filters | None = None
    ) -> list[Past]:
        """The best answers, the likeliest first, none below the threshold."""
        scored = [pair for pair in self.judged(question, filters) if pair[0] >= threshold]
        return [past(self.archive, score, each) for score, each in scored[:count]]

    def judged(self, question: str, filters: Filters | None = None) -> list[tuple[float, Candidate]]:
        """The best candidate of each conversation with its chance of being right, best first.

        Where a conversation has one that tells something, it stands for those that only ask back.
        """
        found, messages = self.finder.candidates(question, filters)[:CONSIDERED], self.archive.last()
        strong = [strength(each.features) for each in found]
        ahead = leads(strong, [each.talk.number for each in found])
        scored = [
            (chance(*how, messages), each) for how, each in zip(zip(strong, ahead, strict=True), found, strict=True)
        ]
        scored.sort(key=lambda pair: (pair[1].text.rstrip().endswith("?"), -pair[0], pair[1].id))
        best: dict[int, tuple[float, Candidate]] = {}
        for pair in scored:
            best.setdefault(pair[1].talk.number, pair)
        return sorted(best.values(), key=lambda pair: (-pair[0], pair[1].id))


def past(archive: Archive, score: float, candidate: Candidate) -> Past:
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
    kept = {each.id: each for each in archive.kept(f"where m.id in ({','.join(map(str, wanted))})")}

    def shown(p: int) -> Kept:
        return kept[talk.said[p].id]

    return Past(
        score,
        shown(question),
        tuple(map(shown, between)),
        shown(place),
        tuple(map(shown, followed)),
        None if thanks is None else shown(thanks),
    )
