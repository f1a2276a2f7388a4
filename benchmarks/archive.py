"""Archives at scale: indexing, searching, asking, memory and size, beside FTS5 alone, on SQLite and PostgreSQL.

    python benchmarks/archive.py [--messages N] [--in postgresql://user@host/EMPTY_DATABASE] [--vectors]

The Ubuntu logs below HUBBUB_DATA (ubuntu-logs/), else the sample chat of the package, are repeated with later dates and
other names up to N messages (default 200,000; 2,000,000 takes about an hour). Every figure comes from this one run, and
ratios are to FTS5 alone: the same texts in one table with a full-text index.
"""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from hubbub.archive.adding import add
from hubbub.archive.search import search
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.data import samples
from hubbub.pipeline import Pipeline
from hubbub.read import read_all

QUESTIONS = (
    "mount ntfs partition",
    "no sound after upgrade",
    "wireless driver broadcom",
    "grub rescue",
    "apt-get unmet dependencies",
    "nvidia black screen",
    "install from usb",
    "samba share permission denied",
    "unity launcher",
    "flash plugin firefox",
)
ROUNDS = 5


def messages(count: int) -> Iterator[Message]:
    """The logs of #ubuntu again and again, each time a month later and by other people."""
    logs = sorted(Path(os.environ.get("HUBBUB_DATA", "."), "ubuntu-logs").rglob("#ubuntu.txt"))
    said = [message for chat in read_all(logs or samples.path("support.log")) for message in chat]
    for number in range(count // len(said) + 1):
        later, mark = timedelta(days=31 * number), f"_{number}" if number else ""
        for each in said:
            when = each.time + later if each.time else None
            yield each._replace(time=when, author=f"{each.author}{mark}")


def seconds(task: Callable[[], object]) -> float:
    began = time.perf_counter()
    task()
    return time.perf_counter() - began


def paces(count: int, task: Callable[[], object]) -> dict[str, float]:
    """Messages a second by the clock, and by the processor: other programs slow down the former only."""
    used = time.process_time()
    took = seconds(task)
    return {"messages/s": count / took, "messages/CPU s": count / (time.process_time() - used)}


def quantiles(ask: Callable[[str], object]) -> tuple[float, float]:
    """Median and 95th percentile, in milliseconds."""
    taken = sorted(seconds(lambda words=words: ask(words)) * 1000 for _ in range(ROUNDS) for words in QUESTIONS)  # type: ignore[misc]
    return statistics.median(taken), taken[int(len(taken) * 0.95)]


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fts5_alone(place: Path, count: int) -> dict[str, float]:
    with closing(sqlite3.connect(place)) as made:
        made.execute("create table texts (id integer primary key, author text, time text, text text)")
        made.execute("create virtual table words using fts5 (text, content='texts', content_rowid='id',"
                     " tokenize='porter unicode61')")  # fmt: skip

        def fill() -> None:
            rows = ((i, m.author, str(m.time), m.text) for i, m in enumerate(islice(messages(count), count)))
            made.executemany("insert into texts values (?, ?, ?, ?)", rows)
            made.execute("insert into words (words) values ('rebuild')")
            made.commit()

        def ask(words: str) -> object:
            wanted = " OR ".join(f'"{word}"' for word in words.split())
            query = "select rowid from words where words match ? order by rank limit 10"
            return made.execute(query, (wanted,)).fetchall()

        pace = paces(count, fill)
        p50, p95 = quantiles(ask)
    return {**pace, "p50 ms": p50, "p95 ms": p95, "bytes/message": place.stat().st_size / count}


def archive(place: str | Path, count: int, vectors: bool) -> dict[str, float]:
    threader = Pipeline().threader()
    list(threader.decisions(islice(messages(100), 100)))  # compiles the model
    with ArchiveStore(place, create=True) as store:

        def fill() -> None:
            for _ in add(store, "#ubuntu", "ubuntu", islice(messages(count), count), threader=threader):
                pass

        found = paces(count, fill)
        store.engine.vacuum()
        found["p50 ms"], found["p95 ms"] = quantiles(lambda words: search(store, words))
        found["bytes/message"] = store.engine.size() / count
        if vectors:
            found |= asking(store, count)
    found["megabytes"] = megabytes()
    return found


def asking(store: ArchiveStore, count: int) -> dict[str, float]:
    from hubbub.archive.ask import QuestionAnswerer
    from hubbub.archive.vectors import add_vectors
    from hubbub.ml.encoder import encoder

    took = seconds(lambda: list(add_vectors(store, encoder().encode)))
    answerer = QuestionAnswerer(store)
    p50, p95 = quantiles(lambda words: answerer.ask(f"how do I solve this: {words}?", 5, 0.0, None))
    return {"vectors/s": count / took, "ask p50 ms": p50, "ask p95 ms": p95}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--in", dest="database", metavar="URL", help="an empty PostgreSQL database")
    parser.add_argument("--vectors", action="store_true", help="compute vectors, and ask")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        base = fts5_alone(Path(folder, "fts5.db"), options.messages)
        report("FTS5 alone", base, base)
        report("SQLite", archive(Path(folder, "archive.db"), options.messages, options.vectors), base)
    if options.database:
        report("PostgreSQL", archive(options.database, options.messages, options.vectors), base)


def report(name: str, found: dict[str, float], base: dict[str, float]) -> None:
    for what, value in found.items():
        ratio = f"  ({value / base[what]:.2f} of FTS5 alone)" if what in base and found is not base else ""
        print(f"{name:12} {what:14} {value:12,.1f}{ratio}", flush=True)


if __name__ == "__main__":
    main()
