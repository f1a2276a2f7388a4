"""Statistics of an archive as tables, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..archive.insights.periods import PeriodStatistics
from ..archive.insights.statistics import ArchiveStatistics
from .data_table import Cell, DataTable

FIGURES = ("messages", "people", "conversations", "questions", "replied", "confirmed", "min to reply", "min to confirm")


def statistics_tables(figures: ArchiveStatistics, period: str = "week") -> list[DataTable]:
    """A table for each kind of figure; minutes are medians."""
    days = f"{figures.first} to {figures.last}" if figures.first else "undated"
    helpers: list[Sequence[Cell]] = list(figures.helpers)
    return [
        DataTable("Total", ("days", *FIGURES), [(days, *_cells(figures.total))]),
        DataTable(f"By {period}", (period, *FIGURES), [(each.name, *_cells(each)) for each in figures.periods]),
        DataTable("By hour of the day", ("hour", *FIGURES), [(each.name, *_cells(each)) for each in figures.hours]),
        DataTable("Helpers", ("person", "questions", "askers", "confirmed", "messages"), helpers),
        DataTable("Topics", ("phrase", "questions"), list[Sequence[Cell]](figures.topics)),
    ]


def _cells(each: PeriodStatistics) -> tuple[Cell, ...]:
    counts = (each.messages, each.people, each.conversations, each.questions, each.replied, each.confirmed)
    return (*counts, each.minutes_to_reply, each.minutes_to_confirmation)


def statistics_record(figures: ArchiveStatistics) -> dict[str, Any]:
    """One JSON object."""
    return {
        "first": figures.first,
        "last": figures.last,
        "total": {name: value for name, value in asdict(figures.total).items() if name != "name"},
        "periods": [asdict(each) for each in figures.periods],
        "hours": [asdict(each) for each in figures.hours],
        "helpers": [each._asdict() for each in figures.helpers],
        "topics": [each._asdict() for each in figures.topics],
    }
