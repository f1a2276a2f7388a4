"""Golden pairs: tests/samples/FORMAT/CASE beside CASE.expected.jsonl. `python -m tests.golden` writes missing ones."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from hubbub.read import FORMATS, ChatStream, stream
from hubbub.read.report import Report
from hubbub.view.export import WRITERS

SAMPLES = Path(__file__).parent / "samples"
ENDING = ".expected.jsonl"


def cases() -> list[Path]:
    """Every sample of a format, a file or a folder, in a stable order."""
    found = (path for path in SAMPLES.glob("*/*") if path.parent.name in FORMATS)
    return sorted(path for path in found if not path.name.endswith(ENDING))


def expected(case: Path) -> Path:
    return case.with_name(case.name + ENDING)


def read_as_json_lines(case: Path) -> tuple[str, Report]:
    """What `hubbub read CASE` prints, and what became no message."""
    out, report = io.StringIO(), Report()

    def watched() -> Iterator[ChatStream]:
        for one in stream(case):
            yield one
            report.merge(one.report)

    WRITERS["jsonl"](watched(), out)
    return out.getvalue(), report


def main() -> None:
    for case in cases():
        if "--all" in sys.argv or not expected(case).exists():
            expected(case).write_text(read_as_json_lines(case)[0], encoding="utf-8", newline="")
            print(expected(case).relative_to(SAMPLES))


if __name__ == "__main__":
    main()
