"""Plots of statistics: the axes, gaps in lines, and archives without times."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from hubbub.archive.insights.periods import PeriodStatistics
from hubbub.archive.insights.statistics import ArchiveStatistics, Helper
from hubbub.view.statistics_plots import _scale, statistics_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("highest", "top", "step"), [(0, 1, 1), (1, 1, 0.5), (8, 8, 2), (8919, 10_000, 5_000), (17, 20, 5), (0.3, 0.3, 0.1)]
)
def test_an_axis_ends_at_a_round_number_above_all_values(highest: float, top: float, step: float) -> None:
    assert _scale(highest) == pytest.approx((top, step))


def test_a_week_without_answers_interrupts_the_line() -> None:
    weeks = [
        PeriodStatistics(f"2024-05-{day:02}", 10, minutes_to_reply=value)
        for day, value in ((6, 1.0), (13, None), (20, 3.0))
    ]
    figures = ArchiveStatistics(
        PeriodStatistics("all"), "2024-05-06", "2024-05-26", weeks, [], [Helper("<bo>", 3, 2, 1, 5)], []
    )
    drawn = ElementTree.fromstring(statistics_svg(figures, title="#house & <garden>"))
    paths = [each.get("d", "") for each in drawn.iter(f"{NAMESPACE}path") if each.get("class") == "first"]
    assert [path.count("M") for path in paths] == [2]
    assert [each.text for each in drawn.iter(f"{NAMESPACE}text")].count("<bo>") == 1


def test_an_empty_archive_is_drawn_too() -> None:
    empty = ArchiveStatistics(PeriodStatistics("all"), None, None, [], [], [], [])
    assert ElementTree.fromstring(statistics_svg(empty)).get("aria-label") == "Archive"
