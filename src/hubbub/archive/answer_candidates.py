"""Messages of an archive that may answer a question: what is like it in words or meaning, and the answers around."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ArchiveError, OptionError
from ..ml.encoder import encoder
from .confidence import bundled_model
from .conversation import ConversationMessage, StoredConversation, talks
from .engine import listed
from .query_terms import TermMatches, telling_words
from .search import SearchFilters
from .store import ArchiveStore
from .vectors import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ids = NDArray[np.int64]

BY_WORDS = BY_MEANING = 60
BEFORE, AFTER = 4, 6
TALKS, OF_ONE_TALK = 16, 2
LONGEST = 2_000


class Candidate(NamedTuple):
    """A message that may be an answer, its place in the conversation, and its features (`confidence.FEATURES`)."""

    talk: StoredConversation
    place: int
    features: tuple[float, ...]

    @property
    def said(self) -> ConversationMessage:
        return self.talk.said[self.place]

    @property
    def id(self) -> int:
        return self.said.id

    @property
    def text(self) -> str:
        """Without the name of whom it is said to."""
        return self.talk.bare(self.place)


class Finder:
    """Looks for candidates in one archive, whose vectors it holds."""

    def __init__(self, archive: ArchiveStore) -> None:
        if not archive.last():
            raise ArchiveError(archive.location, "there is nothing in it yet: hubbub index adds chats")
        if not archive.has_vectors():
            raise ArchiveError(
                archive.location, f"it has messages without vectors: hubbub index --in {archive.location} adds them"
            )
        self.archive, self.vectors = archive, Vectors.of(archive)

    def candidates(self, question: str, filters: SearchFilters | None = None) -> list[Candidate]:
        """Messages that may answer, best first; a few of each conversation."""
        _must_be_a_question(question)
        chosen = filters or SearchFilters()
        terms, vector = telling_words(self.archive, question), encoder().encode([question])[0]
        hits = self._hits(terms, self.vectors.cosines(vector), self._reachable(chosen))
        allowed = self._allowed(chosen)
        found: list[Candidate] = []
        for talk, near in talks(self.archive, hits):
            places = [p for p in _answers_around(talk, near) if allowed is None or talk.said[p].id in allowed]
            if places:
                found += self._looked_at(talk, places, terms, vector)
        strength = bundled_model().strength
        found.sort(key=lambda each: (-strength(each.features), each.id))
        return list(_few_of_each(found))

    def _hits(self, terms: TermMatches, cosines: Floats, reachable: Ids | None) -> dict[int, list[int]]:
        """Conversation -> its messages that are most like the question, in words and in meaning; the best ones only."""
        import numpy as np

        rows = {*terms.nearest(self.archive, BY_WORDS, reachable), *self._by_meaning(cosines, reachable)}
        near: dict[int, list[int]] = defaultdict(list)
        for talk, id in sorted(rows):
            near[talk].append(id)
        ids = [id for listed in near.values() for id in listed]
        none_at_the_end = np.append(cosines, 0.0)
        likeness: dict[int, float] = dict(zip(ids, none_at_the_end[self.vectors.places(ids)].tolist(), strict=True))
        words = dict(zip(ids, terms.of(ids), strict=True))

        def worth(talk: int) -> float:
            return max(likeness[id] for id in near[talk]) + terms.share(words[id] for id in near[talk])

        return {talk: near[talk] for talk in sorted(near, key=lambda talk: (-worth(talk), talk))[:TALKS]}

    def _by_meaning(self, cosines: Floats, reachable: Ids | None) -> list[tuple[int, int]]:
        import numpy as np

        if reachable is not None:
            cosines[~np.isin(self.vectors.ids, reachable)] = -1
        best = np.argpartition(-cosines, BY_MEANING)[:BY_MEANING] if len(cosines) > BY_MEANING else range(len(cosines))
        ids = listed([int(self.vectors.ids[place]) for place in best if cosines[place] > 0])
        rows = self.archive.rows(
            f"select conversation_id, id from messages where id in ({ids}) and conversation_id is not null"
        )
        return [(talk, id) for talk, id in rows]

    def _reachable(self, filters: SearchFilters) -> Ids | None:
        """The messages of the conversations that have one which may be shown; None for all."""
        import numpy as np

        condition, values = filters.conversations()
        if not condition:
            return None
        return np.array(
            [tuple(row) for row in self.archive.rows(f"select m.id from messages m where true{condition}", **values)],
            np.int64,
        ).ravel()

    def _allowed(self, filters: SearchFilters) -> frozenset[int] | None:
        condition, values = filters.clause()
        if not condition:
            return None
        rows = self.archive.rows(
            f"select m.id from messages m join channels c on c.id = m.channel_id where true{condition}", **values
        )
        return frozenset(id for (id,) in rows)

    def _looked_at(
        self, talk: StoredConversation, places: Sequence[int], terms: TermMatches, vector: Floats
    ) -> Iterator[Candidate]:
        """What speaks for each candidate."""
        import numpy as np

        known = self.vectors.at(self.vectors.places([each.id for each in talk.said]))
        cosines = (known @ vector).tolist()
        words = terms.of(each.id for each in talk.said)
        for place in places:
            led, asker = talk.led(place), talk.asker(place)
            asked = [p for p in led if talk.said[p].author == asker]
            around = [*led, place, *talk.followed(place)]
            mean = float(np.linalg.norm(known[around].sum(axis=0)))
            yield Candidate(
                talk,
                place,
                (
                    cosines[place],
                    sum(cosines[p] for p in around) / max(mean, 1e-9),
                    terms.share(words[p] for p in around),
                    terms.share(words[p] for p in asked),
                    float(talk.answers_opening(place)),
                    float(talk.thanks(place) is not None),
                ),
            )


def _answers_around(talk: StoredConversation, near: Sequence[int]) -> list[int]:
    """The places of answers near what was found."""
    around = {place for hit in near for place in range(hit - BEFORE, hit + AFTER + 1)}
    return [place for place in range(len(talk.said)) if place in around and talk.is_answer(place)]


def _few_of_each(found: Sequence[Candidate]) -> Iterator[Candidate]:
    taken: dict[int, int] = {}
    for each in found:
        taken[each.talk.number] = taken.get(each.talk.number, 0) + 1
        if taken[each.talk.number] <= OF_ONE_TALK:
            yield each


def _must_be_a_question(question: str) -> None:
    if not question.strip():
        raise OptionError("QUESTION", "is empty", "ask in a sentence or a few words")
    if len(question) > LONGEST:
        raise OptionError("QUESTION", f"of {len(question):,} characters", f"ask in at most {LONGEST:,}")
