"""The account of a reading, checked: every line or record of the input is a message, continues one, or is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hubbub.read import stream
from hubbub.read.report import Report


def account(path: Path, **options: Any) -> tuple[int, Report]:
    """How many messages a place has, and the report on it, in which nothing is missing or counted twice."""
    count, report = 0, Report()
    for one in stream(path, **options):
        count += len(list(one))
        report.merge(one.report)
    assert report.unaccounted(count) == 0
    return count, report
