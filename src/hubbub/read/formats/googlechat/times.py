"""Times as Google Takeout writes them: in words, in the language of the account."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from ...times.clock import from_iso, month_of, placed
from ...times.dates import hour_of

# Every kind of space that a locale puts between a number and a word, such as the narrow no-break one before AM.
_SPACES = re.compile(r"[\s\u00a0\u2009\u202f]+")
_MARKS = re.compile("[\u200e\u200f\u061c]")
_WORD = r"([^\W\d_]{3,})"
_DAY_MONTH_YEAR = re.compile(rf"(\d{{1,2}})(?:\.|º|°|er|-е)?,? (?:de |di |d['’])?{_WORD}\.?,? (?:de |del )?(\d{{4}})\b")
_MONTH_DAY_YEAR = re.compile(rf"{_WORD}\.? (\d{{1,2}}),? (\d{{4}})\b")
_YEAR_MONTH_DAY = re.compile(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]")
_YEAR_NAME_DAY = re.compile(rf"(\d{{4}})\. {_WORD} (\d{{1,2}})\b")
_HALF_BEFORE = "上午|下午|午前|午後|凌晨|早上|中午|晚上|오전|오후"
_HALF_AFTER = r"[AaPp]\.? ?[Mm]\b\.?"
_CLOCK = re.compile(
    rf"(?:({_HALF_BEFORE}) ?)?(?<!\d)(\d{{1,2}})(?:[:.]| ?[時时시] ?)(\d{{1,2}})(?:(?:[:.]| ?[分분] ?)(\d{{1,2}}))?"
    rf"(?: ?[秒초])?(?: ?({_HALF_AFTER}))?"
)
_UTC = re.compile(r"\b(?:UTC|GMT|Z)\b(?![+-])|協定世界時|协调世界时|世界標準時間?|협정 세계시")


@lru_cache(maxsize=10_000)
def read_time(text: str, zone: tzinfo | None) -> datetime | None:
    """The time that "Tuesday, March 4, 2025 at 9:01:05 AM UTC" or its like in another language names, or None."""
    plain = _SPACES.sub(" ", _MARKS.sub("", text)).strip()
    if when := from_iso(plain, zone):
        return when
    day, end = _date(plain)
    clock = _CLOCK.search(plain, end) if day else None
    if not day or not clock:
        return None
    hour = hour_of(int(clock[2]), clock[1] or clock[5] or "")
    try:
        when = datetime(*day, hour, int(clock[3]), int(clock[4] or 0))
    except ValueError:
        return None
    return placed(when, UTC if _UTC.search(plain) else zone)


def _date(text: str) -> tuple[tuple[int, int, int] | None, int]:
    """Year, month and day, and where the date ends. A word is a month only where it stands beside the day."""
    if found := _YEAR_MONTH_DAY.search(text):
        return (int(found[1]), int(found[2]), int(found[3])), found.end()
    for pattern, year, month, day in (
        (_DAY_MONTH_YEAR, 3, 2, 1),
        (_MONTH_DAY_YEAR, 3, 1, 2),
        (_YEAR_NAME_DAY, 1, 2, 3),
    ):
        found = pattern.search(text)
        if found and (number := month_of(found[month])):
            return (int(found[year]), number, int(found[day])), found.end()
    return None, 0
