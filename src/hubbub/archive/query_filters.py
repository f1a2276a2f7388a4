"""The keys of a query as conditions on messages: people by all their names, channels, days, intents, answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from .engine import listed
from .query_grammar import KeyedFilter
from .questions import answered_condition
from .store import ArchiveStore

SAID = "and m.kind <> 'system' and m.conversation_id is not null"
NEAR = 3  # similar names that a note lists


@dataclass
class Condition:
    """SQL about `messages m`, its values, and notes about names that the archive does not have.

    `late` is what takes long to evaluate, and is asked of the latest candidates only.
    """

    sql: str = SAID
    late: str = ""
    is_indexed: bool = False
    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def bound(self, value: str) -> str:
        """The name under which a value is given to the driver."""
        name = f"filter{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def add(self, key: str, alternatives: Sequence[str], is_excluded: bool) -> None:
        joined = " or ".join(f"({each})" for each in alternatives)
        added = f" and {'not ' if is_excluded else ''}({joined})"
        if key == "answered":
            self.late += added
        else:
            self.sql += added
        self.is_indexed |= key == "from" and not is_excluded


def condition_of(archive: ArchiveStore, filters: Sequence[KeyedFilter]) -> Condition:
    """All filters together; several values of one key are alternatives, exclusions all count."""
    made = Condition()
    groups: dict[tuple[str, bool], list[str]] = {}
    for each in filters:
        groups.setdefault((each.key, each.is_excluded), []).append(each.value)
    for (key, is_excluded), values in groups.items():
        made.add(key, [_sql(archive, made, key, value) for value in values], is_excluded)
    return made


def _sql(archive: ArchiveStore, made: Condition, key: str, value: str) -> str:
    match key:
        case "from":
            return f"m.author in ({_names(archive, made, value)})"
        case "to":
            return _addressed_to(archive, made, value)
        case "in":
            return f"m.channel_id in ({_channels(archive, made, value)})"
        case "after":
            return f"m.time >= {made.bound(value)}"
        case "before":
            return f"m.time < {made.bound(value)}"
        case "intent":
            _note_unknown_intent(archive, made, value)
            name = made.bound(value.lower())
            return f"exists (select 1 from intents i where i.message_id = m.id and lower(i.name) = {name})"
    return answered_condition()


def names_of(archive: ArchiveStore, nick: str) -> list[str]:
    """All names of the people who have this one, in any case; an archive may have messages without identities."""
    rows = archive.rows(
        "select distinct theirs.name from identities mine join identities theirs on theirs.person_id = mine.person_id"
        " where mine.name = :nick or lower(mine.name) = lower(:nick)",
        nick=nick,
    )
    if not rows:
        rows = archive.rows("select distinct author from messages where lower(author) = lower(:nick)", nick=nick)
    return sorted(name for (name,) in rows)


def _names(archive: ArchiveStore, made: Condition, given: str) -> str:
    nick = given.lstrip("@")
    names = names_of(archive, nick)
    if not names:
        known = [name for (name,) in archive.rows("select distinct name from identities")]
        made.notes.append(f"nobody is named {nick}{_near(nick, known)}")
    return ", ".join(made.bound(name) for name in names or [nick])


def _addressed_to(archive: ArchiveStore, made: Condition, value: str) -> str:
    """A reply to something that the person said, not to oneself, or a text that begins with one of the names."""
    names = _names(archive, made, value).split(", ")
    replied = (
        "exists (select 1 from replies r join messages p on p.id = r.parent_id where r.message_id = m.id"
        f" and p.author <> m.author and p.author in ({', '.join(names)}))"
    )
    starts = [f"lower(substr(m.text, 1, length({name}) + 1)) in ({_openings(name)})" for name in names]
    return " or ".join([replied, *starts])


def _openings(name: str) -> str:
    """`ada:`, `ada,` and `@ada`."""
    return ", ".join([f"lower({name}) || ':'", f"lower({name}) || ','", f"'@' || lower({name})"])


def _channels(archive: ArchiveStore, made: Condition, given: str) -> str:
    """Channels of that name on every network; the sign in front may be missing."""
    known = archive.rows("select id, name from channels")
    wanted = given.lower()
    found = [id for id, name in known if name.lower() == wanted]
    found = found or [id for id, name in known if name.lower().lstrip("#&") == wanted.lstrip("#&")]
    if not found:
        made.notes.append(f"there is no channel {given}{_near(given, [name for _, name in known])}")
    return listed(found)


def _note_unknown_intent(archive: ArchiveStore, made: Condition, given: str) -> None:
    known = [name for (name,) in archive.rows("select distinct name from intents")]
    if given.lower() not in (name.lower() for name in known):
        made.notes.append(f"no message has the intent {given}{_near(given, known)}")


def _near(given: str, known: Sequence[str]) -> str:
    lower = {name.lower(): name for name in known}
    near = [lower[each] for each in get_close_matches(given.lower(), list(lower), NEAR)]
    return f"; similar: {', '.join(near)}" if near else ""
