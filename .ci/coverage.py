"""Prints branch coverage per package from the JSON report of coverage.py, and fails below the floors."""

import json
import sys
from collections import Counter
from pathlib import Path

FLOOR = 85.0
FLOORS = {"core": 95.0, "read": 95.0, "archive": 95.0}  # what must not lose a line


def main(report: str) -> int:
    files = json.loads(Path(report).read_text(encoding="utf-8"))["files"]
    covered, total = Counter[str](), Counter[str]()
    for path, measured in files.items():
        inside = Path(path).parts[Path(path).parts.index("hubbub") + 1 :]
        package, summary = inside[0] if len(inside) > 1 else "core", measured["summary"]
        covered[package] += summary["covered_lines"] + summary["covered_branches"]
        total[package] += summary["num_statements"] + summary["num_branches"]
    low = []
    for package in sorted(total):
        percent, floor = 100 * covered[package] / total[package], FLOORS.get(package, FLOOR)
        print(f"{package:<10} {percent:5.1f} %   (at least {floor:.0f} %)")
        if percent < floor:
            low.append(package)
    if low:
        print(f"coverage is too low in: {', '.join(low)}", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
