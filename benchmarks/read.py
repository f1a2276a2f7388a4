"""How fast reading is, beside a bare loop that only applies one compiled regular expression per line.

    python benchmarks/read.py [LOG ...]

Without LOG it takes the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/), else the sample chat of the package. The text is
repeated to two million lines. Every figure comes from this one run, each measurement in a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SHORT, LONG = 100_000, 2_000_000
REPEATS = 5
MOST_TIMES = 6.0
MOST_GROWTH = 50.0
LINE = re.compile(r"\[(\d\d):(\d\d)\] <([^>]+)> (.*)")


def bare(path: str) -> int:
    count = 0
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        for line in file:
            LINE.match(line)
            count += 1
    return count


def hubbub(path: str) -> int:
    from hubbub.read import stream

    return sum(1 for chat in stream(path) for _ in chat)


MEASURED: dict[str, Callable[[str], int]] = {"bare": bare, "hubbub": hubbub}


def measure(what: str, path: str) -> None:
    """Runs in its own process: seconds, and peak memory, of one pass over the file."""
    start = time.perf_counter()
    count = MEASURED[what](path)
    seconds = time.perf_counter() - start
    print(json.dumps({"lines": count, "seconds": seconds, "megabytes": peak_megabytes()}))


def peak_megabytes() -> float:
    """The high-water mark of this process alone; what getrusage tells may be its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def best(path: Path, *what: str) -> list[dict[str, float]]:
    """The fastest run of each, taken in turns so that whatever else the machine does hits all of them alike."""
    runs: dict[str, list[dict[str, float]]] = {each: [] for each in what}
    for _ in range(REPEATS):
        for each in what:
            told = subprocess.check_output([sys.executable, __file__, "--measure", each, str(path)])
            runs[each].append(json.loads(told))
    return [min(runs[each], key=lambda run: run["seconds"]) for each in what]


def logs(arguments: list[str]) -> list[Path]:
    if arguments:
        return [Path(argument) for argument in arguments]
    data = Path(os.environ.get("HUBBUB_DATA", "")) / "ubuntu-logs"
    found = sorted(data.rglob("#ubuntu.txt")) if data.is_dir() else []
    return found or [Path(__file__).parents[1] / "src/hubbub/samples/support.log"]


def repeated(text: bytes, lines: int, path: Path) -> Path:
    """A file of so many lines, made of the text over and over."""
    whole, rest = divmod(lines, text.count(b"\n"))
    with path.open("wb") as file:
        for _ in range(whole):
            file.write(text)
        file.write(b"".join(text.splitlines(keepends=True)[:rest]))
    return path


def main(arguments: list[str]) -> int:
    chosen = logs(arguments)
    text = b"".join(path.read_bytes() for path in chosen)
    with tempfile.TemporaryDirectory() as folder:
        (short,) = best(repeated(text, SHORT, Path(folder) / "short.txt"), "hubbub")
        loop, ours = best(repeated(text, LONG, Path(folder) / "long.txt"), "bare", "hubbub")
    times = ours["seconds"] / loop["seconds"]
    growth = ours["megabytes"] - short["megabytes"]
    print(f"reading {LONG:,} lines, {len(chosen)} log files repeated, best of {REPEATS}")
    print(f"  bare loop   {loop['lines'] / loop['seconds']:>12,.0f} lines a second")
    print(f"  hubbub read {ours['lines'] / ours['seconds']:>12,.0f} lines a second, {times:.2f} times the loop's time")
    print(f"  memory      {short['megabytes']:.0f} MB at {SHORT:,} lines, {ours['megabytes']:.0f} MB at {LONG:,}: "
          f"{growth:+.1f} MB")  # fmt: skip
    held = times <= MOST_TIMES and growth < MOST_GROWTH
    print(f"  limits      {MOST_TIMES:.0f} times, {MOST_GROWTH:.0f} MB: {'held' if held else 'BROKEN'}")
    return 0 if held else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1:]))
