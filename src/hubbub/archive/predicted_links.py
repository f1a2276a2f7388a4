"""Links of a channel, predicted unit by unit (see `units`), so that they do not depend on how messages were added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import schema
from .day_batches import FIRST_UNDATED, POSITIONS, ordinal_of
from .engine import listed
from .store import ArchiveStore, message_of
from .threading_units import LIMIT, WARM_UP, affected, named_units

if TYPE_CHECKING:
    from ..chat import Message
    from ..thread.predict import ThreadPredictor

UNDATED = "undated"
DAY = POSITIONS
END_OF_DATES = FIRST_UNDATED * POSITIONS
COLUMNS = "m.id, m.time, m.clock, m.author, m.text, m.kind"


@dataclass
class Threads:
    """Predicts links of one channel and stores them."""

    archive: ArchiveStore
    channel: int
    threader: ThreadPredictor
    _source: int = 0

    def update(self, changed: set[int]) -> set[int]:
        """Threads what depends on days that changed; returns the messages whose links were predicted."""
        rows = self.archive.rows(
            "select id, date, size, unit, follows from days where channel_id = :of order by date, id", of=self.channel
        )
        dates = {date: id for id, date, _, _, _ in rows if date}
        sizes = {date: size for _, date, size, _, _ in rows if date}
        units = affected(sizes, {date for date, id in dates.items() if id in changed}, {row[1]: row[3] for row in rows})
        names = named_units(sizes)
        done: set[int] = set()
        if any(id in changed for id in dates.values()):
            for unit in units:
                done |= self._dated(unit, [dates[date] for date in unit], names[unit[0]])
        follows = {id: before for id, date, _, _, before in rows if date is None}
        again = {id for id in follows if id in changed or follows[id] in changed}
        for id in sorted(again):
            done |= self._undated(id, follows[id])
        return done

    def all_days(self) -> set[int]:
        return {id for (id,) in self.archive.rows("select id from days where channel_id = :of", of=self.channel)}

    def _dated(self, unit: Sequence[str], ids: Sequence[int], name: str) -> set[int]:
        """A unit starts after the last message before it that has a time, and ends with its own last one.

        Messages without a time between two days may be stored with either of them.
        """
        self.archive.engine.execute("update days set unit = :name where id in (" + listed(ids) + ")", name=name)
        first = self._dated_ordinal("min", ordinal_of(unit[0], 0, 0), ordinal_of(unit[-1], 0, 0) + DAY)
        if first is None:
            return set()
        last = self._dated_ordinal("max", first, ordinal_of(unit[-1], 0, 0) + DAY) or first
        start = (self._dated_ordinal("max", 0, first) or 0) + 1
        is_end = self._dated_ordinal("min", last + 1, END_OF_DATES) is None
        return self._predict(self._before(start), self._between(start, END_OF_DATES if is_end else last + 1))

    def _dated_ordinal(self, which: str, start: int, end: int) -> int | None:
        """The first or last place in this range of a message that has a time."""
        found: int | None = self.archive.rows(
            f"select {which}(ordinal) from messages where channel_id = :of and ordinal >= :start and ordinal < :end"
            " and time is not null",
            of=self.channel,
            start=start,
            end=end,
        )[0][0]
        return found

    def _between(self, start: int, end: int) -> list[Any]:
        return self.archive.rows(
            f"select {COLUMNS} from messages m where m.channel_id = :of and m.ordinal >= :start and m.ordinal < :end"
            " order by m.ordinal",
            of=self.channel,
            start=start,
            end=end,
        )

    def _before(self, start: int, floor: int = 0) -> list[Any]:
        rows = self.archive.rows(
            f"select {COLUMNS} from messages m where m.channel_id = :of and m.ordinal < :start and m.ordinal >= :floor"
            f" order by m.ordinal desc limit {WARM_UP}",
            of=self.channel,
            start=start,
            floor=floor,
        )
        return rows[::-1]

    def _undated(self, day: int, follows: int | None) -> set[int]:
        """A day without a date, after the end of the day before in the same log, in blocks of LIMIT messages."""
        self.archive.engine.execute(f"update days set unit = '{UNDATED}' where id = {day}")
        start = ordinal_of(None, day, 0)
        rows = self._between(start, start + DAY)
        before = []
        if follows is not None:
            floor = ordinal_of(None, follows, 0)
            before = self._before(floor + DAY, floor)
        done: set[int] = set()
        for place in range(0, len(rows), LIMIT):
            earlier = (before + rows[:place])[-WARM_UP:]
            done |= self._predict(earlier, rows[place : place + LIMIT])
        return done

    def _predict(self, before: Sequence[Any], inside: Sequence[Any]) -> set[int]:
        rows = [*before, *inside]
        ids = [row[0] for row in rows]
        source = self.source()
        found = []
        for decision in self.threader.decisions(self._messages(rows)):
            if decision.position >= len(before):
                scores = decision.scores or (1.0,) * len(decision.parents)
                for parent, score in zip(decision.parents, scores, strict=False):
                    if parent != decision.position:
                        found.append((ids[decision.position], ids[parent], source, float(score)))
        done = ids[len(before) :]
        models = "select id from sources where kind = 'model'"
        for start in range(0, len(done), 10_000):
            part = listed(done[start : start + 10_000])
            self.archive.engine.execute(f"delete from replies where message_id in ({part}) and source_id in ({models})")
        self.archive.insert(schema.replies, dict.fromkeys(found))
        return set(done)

    def _messages(self, rows: Sequence[Any]) -> list[Message]:
        """As the model reads them: ids are those of the archive, and so are the replies that the platform recorded."""
        parents: dict[int, list[str]] = {}
        for start in range(0, len(rows), 10_000):
            part = listed([row[0] for row in rows[start : start + 10_000]])
            for message, parent in self.archive.rows(
                "select r.message_id, r.parent_id from replies r join sources s on s.id = r.source_id"
                f" where s.kind = 'platform' and r.message_id in ({part})"
            ):
                parents.setdefault(message, []).append(str(parent))
        return [message_of(str(row[0]), *row[1:])._replace(reply_to=tuple(parents.get(row[0], ()))) for row in rows]

    def source(self) -> int:
        from .adding import source

        if not self._source:
            self._source = source(self.archive, "model", *model_name(self.threader))
        return self._source


def model_name(threader: ThreadPredictor) -> tuple[str, str]:
    """The name of a model and the version of hubbub with which it runs."""
    from .. import __version__
    from ..ml.registry import MODELS

    kind = type(threader.model)
    place = f"{kind.__module__}:{kind.__name__}"
    return next((name for name, where in MODELS.items() if where == place), place), __version__
