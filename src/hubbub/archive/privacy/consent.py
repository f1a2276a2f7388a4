"""Consent: what is not stored when chats are added, by rules that an archive keeps for later runs.

Left out are messages that start with [off] or [nolog], messages of people who opted out or were forgotten, messages
older than the time for which an archive may keep them, and private channels. Everything left out is counted by reason.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fnmatch import fnmatchcase
from pathlib import Path

from ...bounded_files import read_bytes
from ...chat import Message, renamed
from ...errors import Broken, OptionError
from .. import schema
from ..day_batches import Incoming
from ..identities import GUEST
from ..removal import remove_messages
from ..store import ArchiveStore
from .name_spans import NameFinder, words_in
from .quotes import Origin, QuoteFinder
from .redaction import Redactor
from .tombstones import FORGOTTEN, OPTED_OUT, Tombstones, make_salt

MARKED, PRIVATE, NAMED_AFTER = "marked [off] or [nolog]", "private channel", "channel named after somebody left out"
EXPIRED = "older than {}"
REPLACED = "names and quotes replaced"  # a key of counts; `plural` words it for people
FOREVER = "forever"
_MARKER = re.compile(r"\s*\[(?:off|nolog)\](?:\s|\Z)", re.IGNORECASE)
_DURATION = re.compile(r"([1-9]\d{0,3})([dwmy])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ConsentRules:
    """The rules of an archive. Names are stored as digests, so that only their numbers are known."""

    markers: bool = True
    keep_for: str = ""
    private_channels: tuple[str, ...] = ()
    opted_out: int = 0
    forgotten: int = 0

    def described(self) -> list[str]:
        """The rules as sentences."""
        found = ["messages that start with [off] or [nolog] are left out"] if self.markers else []
        found += [f"messages are kept for {self.keep_for}"] if self.keep_for else []
        found += [f"private channels: {', '.join(self.private_channels)}"] if self.private_channels else []
        found += [f"names that opted out: {self.opted_out:,}"] if self.opted_out else []
        return found + ([f"names that were forgotten: {self.forgotten:,}"] if self.forgotten else [])


def consent_rules(archive: ArchiveStore) -> ConsentRules:
    """The rules that are in force."""
    values: dict[str, list[str]] = {}
    for kind, value in archive.rows("select kind, value from consent_rules order by kind, value"):
        values.setdefault(kind, []).append(value)
    counts = dict(archive.rows("select reason, count(*) from tombstones where words = 0 group by reason"))
    return ConsentRules(
        "no markers" not in values,
        next(iter(values.get("keep for", [])), ""),
        tuple(values.get("private channel", ())),
        counts.get(OPTED_OUT, 0),
        counts.get(FORGOTTEN, 0),
    )


def change_rules(
    archive: ArchiveStore,
    *,
    opt_out: Sequence[str] = (),
    private_channels: Sequence[str] = (),
    keep_for: str | None = None,
    markers: bool | None = None,
    reset: bool = False,
) -> None:
    """Adds rules; what is not given stays. `reset` removes the earlier ones first, but never who was forgotten."""
    if keep_for is not None and keep_for != FOREVER:
        cutoff_of(keep_for)
    with archive.transaction() as engine:
        if reset:
            engine.execute("delete from consent_rules where kind <> 'salt'")
            engine.execute("delete from tombstones where reason = :reason", reason=OPTED_OUT)
        if opt_out:
            make_salt(archive)
            Tombstones(archive).bar(opt_out, OPTED_OUT, shared=_words_of_others(archive, opt_out))
        known = set(consent_rules(archive).private_channels)
        new = [name for name in dict.fromkeys(private_channels) if name not in known]
        archive.insert(schema.consent_rules, [("private channel", name) for name in new])
        if keep_for is not None:
            engine.execute("delete from consent_rules where kind = 'keep for'")
            archive.insert(schema.consent_rules, [("keep for", keep_for)] if keep_for != FOREVER else [])
        if markers is not None:
            engine.execute("delete from consent_rules where kind = 'no markers'")
            archive.insert(schema.consent_rules, [] if markers else [("no markers", "")])


def _words_of_others(archive: ArchiveStore, opt_out: Sequence[str]) -> set[str]:
    leaving = {name.casefold() for name in opt_out}
    rows = archive.rows("select name from identities")
    return words_in(name for (name,) in rows if name.casefold() not in leaving)


def read_names(path: Path) -> list[str]:
    """The names of an opt-out list: one per line; lines that start with # are comments."""
    raw = read_bytes(path)
    encoding = "utf-16" if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    try:
        lines = [line.strip() for line in raw.decode(encoding).splitlines()]
    except UnicodeDecodeError:
        raise Broken(str(path), "it is not a text file; a list of names has one name per line") from None
    if any("\0" in line for line in lines):
        raise Broken(str(path), "it is not a text file; a list of names has one name per line")
    return [line for line in lines if line and not line.startswith("#")]


def cutoff_of(keep_for: str, today: date | None = None) -> date:
    """The first day that may be kept; durations are 90d, 12w, 18m or 2y."""
    match = _DURATION.fullmatch(keep_for.strip())
    if not match:
        raise OptionError("--keep-for", keep_for, "a duration is written as 90d, 12w, 18m or 2y")
    count, unit, now = int(match[1]), match[2].lower(), today or date.today()
    if unit in "dw":
        return now - timedelta(days=count * (7 if unit == "w" else 1))
    months = now.year * 12 + now.month - 1 - count * (12 if unit == "y" else 1)
    if months < 12:
        return date.min
    first = date(months // 12, months % 12 + 1, 1)
    return first + timedelta(days=min(now.day, _days_in(first)) - 1)


def _days_in(first: date) -> int:
    return ((first.replace(day=28) + timedelta(days=4)).replace(day=1) - first).days


def remove_expired(archive: ArchiveStore) -> int:
    """Removes stored messages that are older than the archive may keep; returns how many."""
    keep_for = consent_rules(archive).keep_for
    if not keep_for:
        return 0
    with archive.transaction():
        day = cutoff_of(keep_for).isoformat()
        rows = archive.rows("select id from messages where time < :day order by id", day=day)
        remove_messages(archive, [id for (id,) in rows])
    return len(rows)


def is_private(archive: ArchiveStore, channel: str) -> bool:
    return _matches(channel, consent_rules(archive))


def _matches(channel: str, rules: ConsentRules) -> bool:
    return any(fnmatchcase(channel.casefold(), each.casefold()) for each in rules.private_channels)


class ConsentGate:
    """Decides about each message of a channel that is being added; `left_out` counts by reason.

    `channel` is the name under which the channel may be stored.
    """

    def __init__(self, archive: ArchiveStore, channel: str, left_out: Counter[str] | None = None) -> None:
        self.left_out = Counter[str]() if left_out is None else left_out
        self._archive, self._rules = archive, consent_rules(archive)
        self._tombstones = Tombstones(archive)
        self._quotes = QuoteFinder()
        self._cutoff = cutoff_of(self._rules.keep_for) if self._rules.keep_for else None
        self._channel_reason = self._reason_of_channel(channel)
        self.channel = self._redactor().redact(channel).text if self._tombstones else channel

    def _reason_of_channel(self, channel: str) -> str | None:
        if _matches(channel, self._rules):
            return PRIVATE
        return NAMED_AFTER if self._tombstones and self._tombstones.reason(channel) else None

    @property
    def is_closed(self) -> bool:
        """Whether the channel is left out as a whole."""
        return self._channel_reason is not None

    def count_channel(self, messages: int) -> None:
        self.left_out[str(self._channel_reason)] += messages

    def admitted(self, messages: Sequence[Incoming]) -> list[Incoming]:
        """The messages that may be stored, without the names of people who must not be in the archive."""
        if self._tombstones:
            self._follow_renames([each.message for each in messages])
        redactor = self._redactor()
        kept = []
        for each in messages:
            said = each.message
            reason = self._reason(said)
            if reason:
                self.left_out[reason] += 1
                if reason in (FORGOTTEN, OPTED_OUT):
                    self._quotes.add(said.text, Origin())
                continue
            if self._tombstones:
                redaction = redactor.redact(said.text)
                self.left_out[REPLACED] += len(redaction.replaced)
                each = each._replace(message=said._replace(text=redaction.text))
            kept.append(each)
        self.left_out += Counter()  # drops zeros
        return kept

    def redacted(self, texts: Sequence[str]) -> list[str]:
        """Texts as they would be stored now; those that were stored before a rule was set may still have names."""
        if not self._tombstones:
            return list(texts)
        redactor = self._redactor()
        return [redactor.redact(text).text for text in texts]

    def _redactor(self) -> Redactor:
        names = NameFinder(self._tombstones.kind_of, lambda first: self._tombstones.most_words, self._is_other)
        return Redactor(names, self._quotes)

    def _reason(self, said: Message) -> str | None:
        if self._tombstones:
            names = [said.author, *(renamed(said) or ())]
            if found := next((reason for name in names if (reason := self._tombstones.reason(name))), None):
                return found
        if self._rules.markers and said.kind != "system" and _MARKER.match(said.text):
            return MARKED
        is_old = self._cutoff and said.time and said.time.date() < self._cutoff
        return EXPIRED.format(self._rules.keep_for) if is_old else None

    def _follow_renames(self, said: Sequence[Message]) -> None:
        """Who is left out under one name is left out under the next, unless it is the name of somebody else."""
        for old, new in [pair for each in said if (pair := renamed(each))]:
            for known, other in ((old, new), (new, old)):
                reason = self._tombstones.reason(known)
                is_free = not self._tombstones.reason(other) and not GUEST.match(other)
                if reason and is_free and not self._is_other(other.casefold()):
                    self._tombstones.bar([other], reason)

    def _is_other(self, name: str) -> bool:
        """Whether the archive has somebody of this name."""
        rows = self._archive.rows("select 1 from identities where lower(name) = :name limit 1", name=name)
        return bool(rows)
