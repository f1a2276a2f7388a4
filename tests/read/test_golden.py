"""Every sample of every format reads to the byte as its golden pair says, with nothing unexplained."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.errors import NeedsExtra
from hubbub.read.formats import FORMATS

from ..golden import SAMPLES, cases, expected, read_as_json_lines


@pytest.mark.parametrize("case", cases(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_sample_reads_as_its_golden_pair_says(case: Path) -> None:
    try:
        found, report = read_as_json_lines(case)
    except NeedsExtra as missing:
        pytest.skip(str(missing))
    assert found == expected(case).read_text(encoding="utf-8")
    assert not report.unexplained


def test_every_format_has_a_golden_pair() -> None:
    assert {path.parent.name for path in cases()} >= set(FORMATS)


def test_no_golden_file_is_left_without_its_sample() -> None:
    assert not [path for path in SAMPLES.glob("*/*.expected.jsonl") if not path.with_name(path.name[:-15]).exists()]
