"""Search in an archive: conversations by a query (`query_grammar.py`), ranked by BM25 and, where there are vectors, by
meaning too.

Every step is bounded: of a word that very many messages have, the messages that were added last are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

from .engine import listed
from .facets import Facets, FoundRow, facets_of
from .match_expression import MatchExpression, any_of
from .query_filters import Condition, condition_of
from .query_grammar import KeyedFilter, SearchQuery, parse_query
from .snippets import Highlighter, Snippet, snippet
from .store import ArchiveStore, StoredMessage

if TYPE_CHECKING:
    from .meaning import MeaningIndex

Sort = Literal["relevance", "date"]

MAX_CANDIDATES = 5_000  # messages that are ranked
PASSAGES = 400  # the best of them, which decide about conversations
BEST_LINES = 8  # messages of a conversation that are returned
RELAXED_MATCHES = 20_000  # messages that have some of the words; common words say little if there are rarer ones
COLUMNS = "m.id, m.conversation_id, m.time, m.author, m.channel_id"
# Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), chosen on development days of the Ubuntu logs: with
# the usual 60, vectors take the first rank from messages that have all the words.
FUSION_CONSTANT, VECTOR_WEIGHT = 5, 0.5


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Only this person's messages, this channel's, from this day on, until that day (both included)."""

    person: str = ""
    channel: str = ""
    since: str = ""
    until: str = ""

    def clause(self) -> tuple[str, dict[str, str]]:
        """The condition and its values."""
        known = {
            "lower(m.author) = lower(:person)": ("person", self.person),
            "lower(c.name) = lower(:channel)": ("channel", self.channel),
            "m.time >= :since": ("since", self.since),
            "substr(m.time, 1, 10) <= :until": ("until", self.until),
        }
        used = {condition: given for condition, given in known.items() if given[1]}
        return "".join(f" and {condition}" for condition in used), dict(used.values())

    def conversations(self) -> tuple[str, dict[str, str]]:
        """The condition that such a message is in the same conversation, and its values."""
        condition, values = self.clause()
        inner = f"select m.conversation_id from messages m join channels c on c.id = m.channel_id where true{condition}"
        return (f" and m.conversation_id in ({inner})", values) if values else ("", {})

    def keyed(self) -> tuple[KeyedFilter, ...]:
        """The same in the grammar of queries."""
        until = (date.fromisoformat(self.until) + timedelta(days=1)).isoformat() if self.until else ""
        given = {"from": self.person, "in": self.channel, "after": self.since, "before": until}
        return tuple(KeyedFilter(key, value) for key, value in given.items() if value)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A conversation, its best messages among those that were found with a snippet of each, and how well they fit."""

    conversation: int
    score: float
    found: tuple[StoredMessage, ...]
    snippets: tuple[Snippet, ...] = ()

    @property
    def conversation_id(self) -> str:
        """The permanent id, as people see it."""
        return self.found[0].conversation_id


class SearchResults(list[SearchHit]):
    """Hits in order. `notes` say what was guessed in the query; `facets` are there if they were asked for.

    `is_complete`: whether all messages that match were looked at, or only the latest of very many.
    """

    def __init__(
        self,
        hits: Iterable[SearchHit] = (),
        notes: Sequence[str] = (),
        facets: Facets | None = None,
        is_complete: bool = True,
    ) -> None:
        super().__init__(hits)
        self.notes, self.facets, self.is_complete = tuple(notes), facets, is_complete


def search(
    archive: ArchiveStore,
    query: str,
    count: int = 10,
    filters: SearchFilters | None = None,
    *,
    sort: Sort = "relevance",
    facets: bool = False,
    meaning: MeaningIndex | None = None,
) -> SearchResults:
    """The conversations that a query finds, the best or the latest first.

    With `meaning`, plain words are compared with vectors too, and both rankings are fused.
    """
    parsed = parse_query(query)
    parsed = replace(parsed, filters=(*parsed.filters, *(filters or SearchFilters()).keyed()))
    if not parsed.words and not parsed.required and not parsed.filters and not parsed.excluded:
        return SearchResults(notes=parsed.notes)
    condition = condition_of(archive, parsed.filters)
    best = PASSAGES if sort == "relevance" and not facets else MAX_CANDIDATES
    rows = _candidates(archive, parsed, condition, count, best)
    counted = facets_of(rows, dict(archive.rows("select id, name from channels"))) if facets else None
    ranked = _by_date(rows) if sort == "date" else _by_relevance(rows)
    if meaning and sort == "relevance" and meaning.is_useful(parsed):
        ranked = fused([(1.0, ranked), (VECTOR_WEIGHT, _by_relevance(_near(archive, meaning, parsed.text, condition)))])
    hits = _hits(archive, ranked[:count], parsed)
    return SearchResults(
        hits, (*parsed.notes, *condition.notes), counted, _is_complete(archive, parsed, condition, len(rows) < best)
    )


def _is_complete(archive: ArchiveStore, parsed: SearchQuery, condition: Condition, has_room: bool) -> bool:
    """Whether all messages that match were candidates; where filters leave that open, the answer is no."""
    if has_room and not condition.late:
        return True
    strict = parsed.strict()
    if strict is None:
        return archive.last() <= MAX_CANDIDATES
    with archive.guarded():
        return archive.engine.count(strict, MAX_CANDIDATES + 1) <= MAX_CANDIDATES


def _candidates(
    archive: ArchiveStore, parsed: SearchQuery, condition: Condition, count: int, best: int
) -> list[FoundRow]:
    """Messages with all that was asked for; if those are few, with some of the words."""
    strict = parsed.strict()
    if strict is None:
        return _latest(archive, parsed, condition, best)
    rows = _matching(archive, strict, condition, best)
    if len(parsed.words) < 2 or len({row.conversation for row in rows}) >= count:
        return rows
    relaxed = parsed.relaxed(_telling(archive, parsed.words))
    if relaxed is None:
        return rows
    some = {row.id: row for row in _matching(archive, relaxed, condition, best)}
    return list({**some, **{row.id: row for row in rows}}.values())


def _matching(archive: ArchiveStore, wanted: MatchExpression, condition: Condition, best: int) -> list[FoundRow]:
    """The best of the latest messages that match."""
    values = dict(condition.values)
    with archive.guarded():
        latest = archive.engine.latest_matches(wanted, condition.sql, values, MAX_CANDIDATES)
    return _found(archive, latest, condition.late, values, best)


def _latest(archive: ArchiveStore, parsed: SearchQuery, condition: Condition, best: int) -> list[FoundRow]:
    """The latest messages that meet the conditions, for a query without words."""
    order = "m.id + 0" if condition.is_indexed else "m.id"  # an index by author is better than walking back
    latest = (
        f"select m.id, cast(0 as double precision) as score from messages m where true {condition.sql}"
        f" order by {order} desc limit {MAX_CANDIDATES}"
    )
    rows = _found(archive, latest, condition.late, condition.values, best)
    unwanted = any_of(list(parsed.excluded))
    if unwanted and rows:
        since = Condition(f"and m.id >= {min(row.id for row in rows)}")
        gone = {row.id for row in _matching(archive, unwanted, since, MAX_CANDIDATES)}
        rows = [row for row in rows if row.id not in gone]
    return rows


def _found(archive: ArchiveStore, latest: str, late: str, values: dict[str, Any], best: int) -> list[FoundRow]:
    if not late:  # the best are known before anything else of them is read
        latest = f"select * from ({latest}) latest order by score desc, id desc limit {int(best)}"
    rows = archive.rows(
        f"select {COLUMNS}, found.score from ({latest}) found join messages m on m.id = found.id where true {late}"
        f" order by found.score desc, m.id desc limit {int(best)}",
        **values,
    )
    return [FoundRow(*row) for row in rows]


def _telling(archive: ArchiveStore, words: Sequence[MatchExpression]) -> list[MatchExpression]:
    """The rarest words, as long as not too many messages have one of them; at least two."""
    with archive.guarded():
        counts = [(archive.engine.count(word, RELAXED_MATCHES), place) for place, word in enumerate(words)]
    known = sorted(each for each in counts if each[0])
    sums = accumulate(count for count, _ in known)
    ranked = zip(range(len(known)), known, sums, strict=True)
    return [words[place] for rank, (_, place), sum in ranked if rank < 2 or sum <= RELAXED_MATCHES]


def _near(archive: ArchiveStore, meaning: MeaningIndex, text: str, condition: Condition) -> list[FoundRow]:
    """The messages nearest in meaning that meet the conditions, the best one of each conversation."""
    near = meaning.nearest(text, PASSAGES)
    rows = archive.rows(
        f"select {COLUMNS} from messages m where m.id in ({listed(list(near))}) {condition.sql}", **condition.values
    )
    found = sorted((FoundRow(*row)._replace(score=near[row[0]]) for row in rows), key=lambda row: row.score)
    return list({row.conversation: row for row in found}.values())


Ranked = list[tuple[int, float, list[FoundRow]]]


def _grouped(rows: Iterable[FoundRow]) -> dict[int, list[FoundRow]]:
    grouped: dict[int, list[FoundRow]] = {}
    for row in rows:
        grouped.setdefault(row.conversation, []).append(row)
    return grouped


def _by_relevance(rows: Sequence[FoundRow]) -> Ranked:
    """Conversations by their best messages: the best one counts whole, each further one half of the one before."""
    best = sorted(rows, key=lambda row: (-row.score, -row.id))[:PASSAGES]
    scored = [
        (number, sum(row.score * 0.5**place for place, row in enumerate(found)), found)
        for number, found in _grouped(best).items()
    ]
    return sorted(scored, key=lambda each: (-each[1], each[0]))


def _by_date(rows: Sequence[FoundRow]) -> Ranked:
    """Conversations by the latest message that was found; those without a date come last."""
    latest = sorted(rows, key=lambda row: (row.time or "", row.id), reverse=True)
    return [
        (number, max(row.score for row in found), sorted(found, key=lambda row: -row.score))
        for number, found in _grouped(latest).items()
    ]


def fused(rankings: Sequence[tuple[float, Ranked]]) -> Ranked:
    """Weighted reciprocal rank fusion: a conversation gets weight / (constant + rank) from every ranking it is in."""
    scores: dict[int, float] = {}
    found: dict[int, dict[int, FoundRow]] = {}
    for weight, ranking in rankings:
        for rank, (number, _, rows) in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + weight / (FUSION_CONSTANT + rank)
            known = found.setdefault(number, {})
            known.update((row.id, row) for row in rows if row.id not in known)
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return [(number, scores[number], list(found[number].values())) for number in order]


def _hits(archive: ArchiveStore, ranked: Ranked, parsed: SearchQuery) -> list[SearchHit]:
    """The messages and snippets of the conversations that are shown."""
    wanted = {number: [row.id for row in rows[:BEST_LINES]] for number, _, rows in ranked}
    stored = archive.by_ids(id for ids in wanted.values() for id in ids)
    texts = [each.message.text for each in stored.values()]
    spans = Highlighter((*parsed.required, *parsed.words)).spans(texts)
    snippets = {id: snippet(id, *each) for id, each in zip(stored, zip(texts, spans, strict=True), strict=True)}
    return [
        SearchHit(number, score, tuple(stored[id] for id in ids), tuple(snippets[id] for id in ids))
        for (number, score, _), ids in zip(ranked, wanted.values(), strict=True)
    ]
