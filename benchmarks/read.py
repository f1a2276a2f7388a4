"""How fast reading is, beside a bare loop that only applies one compiled regular expression per line, and its bounds.

    python benchmarks/read.py [--bounds] [LOG ...]

Without LOG it takes the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/), else the sample chat of the package. The text is
repeated to two million lines. Every figure comes from this one run, each measurement in a process of its own; times are
CPU times, which other processes disturb least.

With --bounds it measures instead what must stay bounded: the peak memory for a Telegram export of 2 GB, for a line of
1 GB in a zip and for a line of 50 MB that is drawn; and the time for 10 MB of hostile HTML, beside a plain page of
10 MB. It needs 3 GB of temporary disk, and takes some minutes.
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
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

SHORT, LONG = 100_000, 2_000_000
REPEATS = 5
MOST_TIMES = 4.5
MOST_GROWTH = 50.0
MOST_MEGABYTES = 500.0
MOST_PAGES = 5.0  # times a plain page of the same size
LINE = re.compile(r"\[(\d\d):(\d\d)\] <([^>]+)> (.*)")

RECORD = """  {
   "id": %d,
   "type": "message",
   "date": "2023-11-01T10:00:00",
   "date_unixtime": "%d",
   "from": "Ann %d",
   "from_id": "user%d",
   "text": "does the printer in the hall take the large paper, and who has the key of it? (%d)",
   "text_entities": [
    {
     "type": "plain",
     "text": "does the printer in the hall take the large paper, and who has the key of it? (%d)"
    }
   ]
  }"""
MESSAGE = (
    '<div class="message default clearfix" id="message1"><div class="body"><div class="pull_right date details"'
    ' title="01.11.2023 10:00:00">10:00</div><div class="from_name">Ann</div><div class="text">'
)
HOSTILE = ("<div>", "<p>", "<a b=c>x</a>", "<!--", "<a ", "<br>", "</a>", '<a b="')


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


def refused(path: str) -> int:
    """Something that must be refused in a sentence."""
    from hubbub.errors import HubbubError

    try:
        return hubbub(path)
    except HubbubError:
        return 0


def drawn(path: str) -> int:
    from hubbub.cli import main

    with Path(os.devnull).open("w") as nowhere:
        sys.stdout, before = nowhere, sys.stdout
        try:
            return main(["view", "--threads", path]) or 0
        finally:
            sys.stdout = before


def page(path: str) -> int:
    from hubbub.read import stream

    return sum(1 for chat in stream(path, format="telegram") for _ in chat)


MEASURED: dict[str, Callable[[str], int]] = {
    "bare": bare, "hubbub": hubbub, "refused": refused, "drawn": drawn, "page": page,
}  # fmt: skip


def measure(what: str, path: str) -> None:
    """Runs in its own process: seconds of CPU, and peak memory, of one pass over the file."""
    start = time.process_time()
    count = MEASURED[what](path)
    seconds = time.process_time() - start
    print(json.dumps({"lines": count, "seconds": seconds, "megabytes": peak_megabytes()}))


def peak_megabytes() -> float:
    """The high-water mark of this process alone; what getrusage tells may be its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(what: str, path: Path) -> dict[str, float]:
    told = subprocess.check_output([sys.executable, __file__, "--measure", what, str(path)])
    found: dict[str, float] = json.loads(told)
    return found


def best(path: Path, *what: str) -> list[dict[str, float]]:
    """The fastest run of each, taken in turns so that whatever else the machine does hits all of them alike."""
    runs: dict[str, list[dict[str, float]]] = {each: [] for each in what}
    for _ in range(REPEATS):
        for each in what:
            runs[each].append(run(each, path))
    return [min(runs[each], key=lambda run: run["seconds"]) for each in what]


def logs(arguments: list[str]) -> list[Path]:
    if arguments:
        return [Path(argument) for argument in arguments]
    data = Path(os.environ.get("HUBBUB_DATA", "")) / "ubuntu-logs"
    found = sorted(data.rglob("#ubuntu.txt")) if data.is_dir() else []
    return found or [Path(__file__).parents[1] / "src/hubbub/data/samples/support.log"]


def repeated(text: bytes, lines: int, path: Path) -> Path:
    """A file of so many lines, made of the text over and over."""
    whole, rest = divmod(lines, text.count(b"\n"))
    with path.open("wb") as file:
        for _ in range(whole):
            file.write(text)
        file.write(b"".join(text.splitlines(keepends=True)[:rest]))
    return path


def telegram(path: Path, size: int) -> Path:
    """An export of about so many bytes."""
    with path.open("w") as file:
        file.write('{\n "name": "Tea",\n "type": "private_supergroup",\n "id": 9544,\n "messages": [\n')
        number = 0
        while file.tell() < size:
            block = range(number, number + 2000)
            file.write(",\n" if number else "")
            file.write(",\n".join(RECORD % (n, 1_600_000_000 + n, n % 50, n % 50, n, n) for n in block))
            number += 2000
        file.write("\n ]\n}\n")
    return path


def long_line(path: Path, size: int) -> Path:
    words = b"does it take the large paper? "
    path.write_bytes(b"[10:00] <ann> hi\n[10:01] <bob> " + words * (size // len(words)) + b"\n[10:02] <ann> bob: ok\n")
    return path


def long_line_in_a_zip(path: Path, size: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed, packed.open("tea.log", "w") as file:
        file.write(b"[10:00] <ann> hi\n[10:01] <bob> ")
        for _ in range(size >> 20):
            file.write(b"x" * (1 << 20))
    return path


def memory(folder: Path) -> Iterator[tuple[str, float, float]]:
    """Peak megabytes and their bound, each file gone before the next is made."""
    for name, make, size, what in (
        ("a Telegram export of 2 GB", telegram, 2_000_000_000, "hubbub"),
        ("a line of 1 GB in a zip", long_line_in_a_zip, 1 << 30, "refused"),
        ("a line of 50 MB, drawn", long_line, 50_000_000, "drawn"),
    ):
        path = make(folder / ("bound.zip" if "zip" in name else "bound.txt"), size)
        yield f"{name} (MB)", run(what, path)["megabytes"], MOST_MEGABYTES
        path.unlink()


def pages(folder: Path, size: int = 10_000_000) -> Iterator[tuple[str, float, float]]:
    """The time of hostile pages, in times of that for a plain one."""
    path = folder / "page.html"
    plain = f"{MESSAGE}does it take the large paper?</div></div></div>\n"
    path.write_text(plain * (size // len(plain)))
    usual = run("page", path)["seconds"]
    for unit in HOSTILE:
        path.write_text(MESSAGE + unit * (size // len(unit)))
        yield f"10 MB of {unit} (times a plain page)", run("page", path)["seconds"] / usual, MOST_PAGES


def bounds() -> int:
    held = True
    with tempfile.TemporaryDirectory() as folder:
        for measured in (memory, pages):
            for name, value, most in measured(Path(folder)):
                held = held and value <= most
                print(f"  {name:<45} {value:>8.1f}   at most {most:.0f}", flush=True)
    print(f"  bounds: {'held' if held else 'BROKEN'}")
    return 0 if held else 1


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--bounds"]:
        return bounds()
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
    print(f"  limits      {MOST_TIMES:.1f} times, {MOST_GROWTH:.0f} MB: {'held' if held else 'BROKEN'}")
    return 0 if held else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1:]))
