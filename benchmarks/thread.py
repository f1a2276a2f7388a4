"""How fast the bundled model of threads is: from a text file to links, message by message, and from a cold start.

    python benchmarks/thread.py [LOG ...]

Without LOG it takes the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/), else the sample chat of the package. The text is
repeated to the lengths below. Every figure comes from this one run, each measurement in a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

SHORT, LONG, PUSHED = 100_000, 1_000_000, 20_000
LEAST, LEAST_PUSHED, MOST_MEGABYTES = 8000, 2000, 400.0
COLD, WARM = 15.0, 1.5


def reading(path: str) -> int:
    from hubbub.read import stream

    return sum(1 for chat in stream(path) for _ in chat)


def linking(path: str) -> int:
    from hubbub.cli import main

    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        return main(["thread", path, "--to", "links"])


def pushing(path: str) -> int:
    from itertools import islice

    from hubbub.ml.registry import load
    from hubbub.read import stream
    from hubbub.thread.models.live import Live

    live = load("thread/live")
    assert isinstance(live, Live)
    messages = list(islice((message for chat in stream(path) for message in chat), PUSHED))
    live.push(messages[0])
    live.reset()
    start = time.perf_counter()
    for message in messages:
        live.push(message)
    print(json.dumps({"lines": len(messages), "seconds": time.perf_counter() - start, "megabytes": peak_megabytes()}))
    raise SystemExit(0)


MEASURED: dict[str, Callable[[str], int]] = {"reading": reading, "linking": linking, "pushing": pushing}


def measure(what: str, path: str) -> None:
    """Runs in its own process: seconds, and peak memory, of one pass over the file."""
    start = time.perf_counter()
    count = MEASURED[what](path)
    print(json.dumps({"lines": count, "seconds": time.perf_counter() - start, "megabytes": peak_megabytes()}))


def peak_megabytes() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(what: str, path: Path) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, what, str(path)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def first_line(path: Path, cache: str | None = None) -> float:
    """Seconds until the first line of output is there; with a new cache for compiled code, a cold start."""
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    command = [sys.executable, "-m", "hubbub", "thread", str(path), "--to", "links"]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.perf_counter() - start
        process.kill()
    return seconds


def text_of(logs: list[str]) -> bytes:
    if not logs and (data := os.environ.get("HUBBUB_DATA")):
        logs = sorted(str(path) for path in Path(data).glob("ubuntu-logs/*/*/#ubuntu.txt"))
    if logs:
        return b"".join(Path(log).read_bytes() for log in logs)
    lines = (
        f"[{i // 60 % 24:02}:{i % 60:02}] <user{i % 17}> user{i * 5 % 17}: message number {i}" for i in range(5000)
    )
    return "\n".join(lines).encode() + b"\n"


def lengthened(text: bytes, lines: int, path: Path) -> Path:
    whole = text.splitlines(keepends=True)
    path.write_bytes(b"".join(whole[i % len(whole)] for i in range(lines)))
    return path


def main(logs: list[str]) -> None:
    text = text_of(logs)
    with tempfile.TemporaryDirectory() as folder:
        short, long = (lengthened(text, n, Path(folder) / f"{n}.txt") for n in (SHORT, LONG))
        tiny = lengthened(text, 50, Path(folder) / "tiny.txt")
        cold = first_line(tiny, str(Path(folder) / "cache"))
        first_line(tiny)
        warm = min(first_line(tiny) for _ in range(3))
        read, linked, pushed = run("reading", short), run("linking", short), run("pushing", short)
        whole = run("linking", long)
    seconds = linked["seconds"]
    rate, rate_pushed = SHORT / seconds, pushed["lines"] / pushed["seconds"]
    print(f"file to links      {rate:10,.0f} messages a second (at least {LEAST:,})")
    print(f"to reading alone   {seconds / read['seconds']:10.1f} times the seconds")
    print(f"push               {rate_pushed:10,.0f} messages a second (at least {LEAST_PUSHED:,})")
    print(f"peak memory        {linked['megabytes']:10,.0f} MB at {SHORT:,} messages")
    print(f"                   {whole['megabytes']:10,.0f} MB at {LONG:,} (at most {MOST_MEGABYTES:.0f})")
    print(f"cold start         {cold:10.1f} s to the first line (at most {COLD:.0f})")
    print(f"later starts       {warm:10.2f} s to the first line (at most {WARM})")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in MEASURED:
        measure(*sys.argv[1:])
    else:
        main(sys.argv[1:])
