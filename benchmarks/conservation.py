"""What becomes of every line or record of real exports: python benchmarks/conservation.py PATH...

Each path is read as a whole, and one row is printed for each: how many lines or records it has, and how many of them
became messages, belong to a message, were skipped by rule, stayed unexplained, or are unaccounted for (always 0). With
--each, every file or folder right below a path is read by itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from hubbub.errors import HubbubError
from hubbub.read import stream
from hubbub.read.report import Report
from hubbub.text import clean as printable

HEADINGS = ("path", "format", "chats", "total", "messages", "continued", "skipped", "unexplained", "unaccounted")


def row(path: Path) -> tuple[object, ...]:
    """One path, read from beginning to end."""
    found, report, messages, chats, formats = stream(path), Report(), 0, 0, set[str]()
    try:
        for one in found:
            messages += sum(1 for _ in one)
            report.merge(one.report)
            chats += 1
            formats.add(one.format)
    except HubbubError as error:
        return path, f"refused: {error}", *[""] * (len(HEADINGS) - 2)
    report.merge(found.report)
    counts = (report.total, messages, report.continued, report.skipped.total(), report.unexplained.total())
    left = f" ({len(report.left_out)} left out)" if report.left_out else ""
    return path, "+".join(sorted(formats)) + left, chats, *counts, report.unaccounted(messages)


def places(paths: list[Path], each: bool) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.iterdir()) if each and path.is_dir() else [path]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--each", action="store_true", help="read each file or folder right below a path by itself")
    arguments = parser.parse_args()
    print(" | ".join(HEADINGS))
    for path in places(arguments.paths, arguments.each):
        print(" | ".join(printable(str(cell)) for cell in row(path)), flush=True)


if __name__ == "__main__":
    main()
