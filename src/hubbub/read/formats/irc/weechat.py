"""WeeChat: three columns with tabs between them, the time, who or an arrow, and the text."""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import NO_ACTION, Dialect
from .events import Event, action, notice, system

_STAMP = r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)"
_LINE = re.compile(rf"(?:{_STAMP}\t(?:(?!-->|<--|--\t|=!=|[ ]?\*\t|\t)<?[@+%&~!]?([^\t]+?)>?\t(.*){NO_ACTION})?)?")
_MARKS = ("-->", "<--", "--", "=!=", "*", "")
_NOTICE = re.compile(r"(?:Pv)?Notice\((\S+?)\)(?: -> \S+)?: (.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    mark, tab, said = rest.partition("\t")
    if not tab or mark.strip() not in _MARKS:
        return None
    if mark.strip() == "*":
        return action(said)
    if found := _NOTICE.match(said):
        return notice(found[1], found[2])
    return system(said) if said.strip() else None


DIALECT = Dialect("weechat", _LINE, _event, re.compile(r"^\d{4}-\d\d-\d\d[ T]\S+\t(?:-->|<--|--|[ ]\*|[^\t]*)\t"))
FORMAT = DIALECT.format()
