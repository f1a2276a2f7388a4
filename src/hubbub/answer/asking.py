"""Questions to an archive: the answers that people once gave to such a question, each with how likely it is right.

First messages are found by their words (BM25) and by their meaning (vectors). Around each, every message that answers
somebody is a candidate, judged by what it says and what was said around it; the best of them are judged once more by a
model of replies. Of each conversation the best answer is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model import AnyModel, bundled
from .archive import Archive, Kept
from .examples import Choice
from .finding import Candidate, Finder
from .judging import THRESHOLD, chance, leads, standing, strength
from .replying import reply_model
from .searching import Filters
from .task import TASK

CONSIDERED, RERANKED = 12, 8
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
    """An archive that is asked; `model`, if there is one, judges replies."""

    def __init__(self, archive: Archive, model: AnyModel | None = None) -> None:
        self.archive, self.model, self.finder = archive, model, Finder(archive)

    @classmethod
    def of(cls, archive: Archive, model: str | Path | AnyModel | None = None) -> Asking:
        """With the model of that name or folder, else with the room's own, if it is bundled."""
        missing = model is None and TASK.default not in bundled()
        return cls(archive, None if missing else reply_model(model))

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
        found, messages = self.considered(question, filters), self.archive.last()
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

    def considered(
        self, question: str, filters: Filters | None = None, found: Sequence[Candidate] | None = None
    ) -> list[Candidate]:
        """The candidates that come through the first look, the best of them with what the model of replies says."""
        found = (self.finder.candidates(question, filters) if found is None else found)[:CONSIDERED]
        if self.model is None or not found:
            return list(found)
        choice = Choice(((question,),), tuple(dict.fromkeys(each.text for each in found[:RERANKED])))
        replies = self.model.predict([choice])[0]
        above = dict(zip((reply.text for reply in replies), standing([reply.score for reply in replies]), strict=True))
        return [each._replace(features=(*each.features[:-1], above.get(each.text, 0.0))) for each in found]


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
