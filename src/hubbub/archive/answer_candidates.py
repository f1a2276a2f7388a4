"""Messages of an archive that may answer a question: what is like it in words or meaning, and the answers around.

Two stages. Words (BM25) and binary codes of static vectors find messages in the whole archive; their conversations are
read, and the sentence encoder compares the question with the nearest messages of the best of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ArchiveError, OptionError
from ..ml.encoder import encoder
from .answer_features import Evidence, match_features, resolution_features, with_leads
from .confidence import bundled_model, calibration_features, leads, logits, static_encoder
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

BY_WORDS = 150  # messages found by words
BY_CODE, BY_MEANING = 400, 150  # messages whose codes are nearest, and those whose vectors are nearest among them
READ = 50  # conversations that are read
ENCODED = 40  # conversations whose nearest message is encoded, which takes a millisecond each
JUDGED = 12  # conversations whose messages are judged one by one
LONGEST = 2_000


class Candidate(NamedTuple):
    """A message that may be an answer, its place in the conversation, and how probable it is right."""

    talk: StoredConversation
    place: int
    probability: float

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


class Judged(NamedTuple):
    """A conversation with its features and the answers in it, by place, with theirs."""

    evidence: Evidence
    match: list[float]
    answers: dict[int, list[float]]


class Finder:
    """Looks for candidates in one archive, whose codes it holds."""

    def __init__(self, archive: ArchiveStore, *, partial: bool = False) -> None:
        if not archive.last():
            raise ArchiveError(archive.location, "there is nothing in it yet: hubbub index adds chats")
        if not archive.has_vectors() and not (partial and archive.covered()):
            raise ArchiveError(
                archive.location, f"it has messages without vectors: hubbub index --in {archive.location} adds them"
            )
        self.archive, self.vectors = archive, Vectors.of(archive)

    def candidates(self, question: str, filters: SearchFilters | None = None) -> list[Candidate]:
        """The best answer of each conversation, the most probable first."""
        model, found = bundled_model(), self.judged(question, filters)
        matches = logits(model.match, [each.match for each in found])
        messages, best = self.archive.last(), []
        for each, match, lead in zip(found, matches, leads(matches), strict=True):
            scored = zip(each.answers, logits(model.resolution, list(each.answers.values())), strict=True)
            place, resolution = max(scored, key=lambda pair: (pair[1], -pair[0]))
            evidence = calibration_features(match, lead, resolution, each.match)
            best.append(Candidate(each.evidence.talk, place, model.probability(evidence, messages)))
        return sorted(best, key=lambda each: (-each.probability, each.id))

    def judged(self, question: str, filters: SearchFilters | None = None) -> list[Judged]:
        """The conversations that match best and have answers, with all features."""
        _must_be_a_question(question)
        chosen = filters or SearchFilters()
        reachable, allowed = self._reachable(chosen), self._allowed(chosen)
        terms, vector = self._terms(question), static_encoder().encode([question])[0]
        hits = self._hits(terms, vector, reachable)
        evidence = self._encoded(question, self._evidence(hits, terms, vector), terms)
        rows = with_leads([match_features(each, terms.shares, terms.weight) for each in evidence])
        order = logits(bundled_model().match, rows)
        ranked = sorted(range(len(rows)), key=lambda place: -order[place])
        helpers = helper_counts(evidence)
        judged: list[Judged] = []
        for place in ranked:
            talk = evidence[place].talk
            answers = {
                p: resolution_features(talk, p, helpers[talk.said[p].author] - 1)
                for p in range(len(talk.said))
                if talk.is_answer(p) and (allowed is None or talk.said[p].id in allowed)
            }
            if answers:
                judged.append(Judged(evidence[place], rows[place], answers))
            if len(judged) == JUDGED:
                break
        return judged

    def _terms(self, question: str) -> TermMatches:
        return telling_words(self.archive, question)

    def _talks(self, hits: Mapping[int, Sequence[int]]) -> list[tuple[StoredConversation, list[int]]]:
        return list(talks(self.archive, hits))

    def _hits(self, terms: TermMatches, vector: Floats, reachable: Ids | None) -> dict[int, list[int]]:
        """Conversation -> its messages that are most like the question, in words and in meaning; the best ones only."""
        likeness = self._by_meaning(vector, reachable)
        near: dict[int, set[int]] = defaultdict(set)
        for talk, id in (*terms.nearest(self.archive, BY_WORDS, reachable), *likeness):
            near[talk].add(id)
        nearest = {id: cosine for (_, id), cosine in likeness.items()}
        ids = [id for some in near.values() for id in some]
        words = dict(zip(ids, terms.of(ids), strict=True))

        def worth(talk: int) -> float:
            return _worth((nearest.get(id, 0.0) for id in near[talk]), [words[id] for id in near[talk]], terms)

        chosen = sorted(near, key=lambda talk: (-worth(talk), talk))[:READ]
        return {talk: sorted(near[talk]) for talk in chosen}

    def _by_meaning(self, vector: Floats, reachable: Ids | None) -> dict[tuple[int, int], float]:
        """(conversation, message) -> how alike a message and the question are, of the nearest ones."""
        ids = listed(self.vectors.nearest(vector, BY_CODE, reachable).tolist())
        rows = self.archive.rows(
            f"select conversation_id, id, text from messages where id in ({ids}) and conversation_id is not null"
        )
        cosines = (static_encoder().encode([row[2] for row in rows]) @ vector).tolist()
        best = sorted(zip(cosines, rows, strict=True), key=lambda pair: (-pair[0], pair[1][1]))[:BY_MEANING]
        return {(row[0], row[1]): cosine for cosine, row in best if cosine > 0}

    def _evidence(self, hits: Mapping[int, Sequence[int]], terms: TermMatches, vector: Floats) -> list[Evidence]:
        """Each conversation with its similarities, and its nearest message."""
        import numpy as np

        read = [(talk, near) for talk, near in self._talks(hits) if near]
        texts = [talk.bare(place) for talk, _ in read for place in range(len(talk.said))]
        vectors = static_encoder().encode(texts)
        found, start = [], 0
        for talk, near in read:
            own = vectors[start : start + len(talk.said)]
            start += len(talk.said)
            bits, cosines = terms.of(each.id for each in talk.said), own @ vector
            worth = cosines + np.array([terms.shares[each] for each in bits])
            found.append(Evidence(talk, cosines, own, bits, int(worth.argmax()), 0.0, len(near)))
        return found

    def _encoded(self, question: str, found: Sequence[Evidence], terms: TermMatches) -> list[Evidence]:
        """With similarities by the sentence encoder, for the conversations that are the most alike so far."""

        def worth(each: Evidence) -> float:
            return _worth(each.cosines.tolist(), each.bits, terms)

        best = sorted(found, key=lambda each: (-worth(each), each.talk.number))[:ENCODED]
        cosines = self._similarities(question, best)
        return [each._replace(encoded=cosine) for each, cosine in zip(best, cosines, strict=True)]

    def _similarities(self, question: str, found: Sequence[Evidence]) -> list[float]:
        vectors = encoder().encode([question, *(each.talk.bare(each.nearest) for each in found)])
        similarities: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return similarities

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


def helper_counts(found: Sequence[Evidence]) -> Counter[str]:
    """In how many of the conversations each person answers: who helps a lot with such questions."""
    return Counter(
        name
        for each in found
        for name in {said.author for place, said in enumerate(each.talk.said) if each.talk.asker(place)}
    )


def _worth(cosines: Iterable[float], bits: Sequence[int], terms: TermMatches) -> float:
    """How much of a question a conversation has, before the encoder has seen it."""
    return max(cosines) + max(float(terms.shares[each]) for each in bits) + terms.share(bits)


def _must_be_a_question(question: str) -> None:
    if not question.strip():
        raise OptionError("QUESTION", "is empty", "ask in a sentence or a few words")
    if len(question) > LONGEST:
        raise OptionError("QUESTION", f"of {len(question):,} characters", f"ask in at most {LONGEST:,}")
