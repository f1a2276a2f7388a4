"""How fast search is in an archive of a million messages, beside FTS5 alone, and what vectors add to its ranking.

    python benchmarks/search.py [--messages 1000000] [--in ARCHIVE]
    python benchmarks/search.py --quality ARCHIVE [--split dev|test]

Data: the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/), repeated until there are enough messages. --in keeps the archive
(a file or postgresql://...), or uses the one that is there. Asked are queries of every kind, of words of messages
that were chosen by chance. FTS5 alone is the same query on the same file, ranked by BM25, ten message ids; of a query
that FTS5 cannot express it gets the words.

--quality asks the questions of benchmarks/ask.py in an archive of all the logs with vectors, and says how often the
conversation of a right answer is the first, or among the first five, by words, by vectors, and by both.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ask import Tally
from ask_questions import conversations_of, near_copies, questions, reworded
from hubbub.archive.engine import located
from hubbub.archive.meaning import MeaningIndex
from hubbub.archive.query_filters import Condition
from hubbub.archive.query_grammar import parse_query
from hubbub.archive.search import _by_relevance, _near, search
from hubbub.archive.sqlite import fts_query
from hubbub.archive.store import ArchiveStore
from hubbub.text import words
from search_archive import fill

EACH = 20  # queries of a kind
SHOWN = 10


def queries(archive: ArchiveStore) -> dict[str, list[str]]:
    """Kind -> queries, from messages chosen by chance."""
    chance = random.Random(0)
    ids = ",".join(str(chance.randint(1, archive.last())) for _ in range(30 * EACH))
    rows = archive.rows(f"select text, author from messages where id in ({ids}) and kind <> 'system' order by id")
    said = [(found, author) for text, author in rows if len(found := words(text)) >= 4]
    chance.shuffle(said)
    kinds: dict[str, Callable[[list[str], str], str]] = {
        "one word": lambda found, _: chance.choice(found),
        "two words": lambda found, _: " ".join(chance.sample(found, 2)),
        "a sentence": lambda found, _: " ".join(found[:12]),
        "a phrase": lambda found, _: f'"{found[1]} {found[2]}"',
        "a prefix": lambda found, _: f"{max(found, key=len)[:4]}*",
        "OR and -": lambda found, _: f"{found[0]} OR {found[1]} -{found[2]}",
        "from:": lambda found, author: f"{chance.choice(found)} from:{author}",
        "in: after:": lambda found, _: f"{chance.choice(found)} in:#ubuntu after:2013-03-01",
        "is: has:": lambda found, _: f"{chance.choice(found)} is:question is:answered -has:link",
    }
    return {
        kind: [make(*each) for each in said[place * EACH : (place + 1) * EACH]]
        for place, (kind, make) in enumerate(kinds.items())
    }


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds on the clock and of the processor, the better of two runs."""
    found = []
    for _ in range(2):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        found.append((1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - processor)))
    return min(found)


def speed(archive: ArchiveStore) -> None:
    is_sqlite = isinstance(located(archive.location), Path)
    unit = "processor" if is_sqlite else "clock"
    print(f"{archive.contents().messages:,} messages, {archive.engine.size() / 1e6:,.0f} MB; ms on the {unit}")
    print(f"{'':12}{'p50':>8}{'p95':>8}{'with facets':>14}{'FTS5 p50':>12}{'p95':>8}")
    everything: list[tuple[float, float, float]] = []
    for kind, asked in queries(archive).items():
        rows = [_times(archive, query, is_sqlite) for query in asked]
        everything += rows
        print(_line(kind, rows), flush=True)
    print(_line("all", everything))


def _times(archive: ArchiveStore, query: str, is_sqlite: bool) -> tuple[float, float, float]:
    plain, counted = (
        timed(partial(search, archive, query, SHOWN, facets=facets))[is_sqlite] for facets in (False, True)
    )
    return plain, counted, timed(partial(_fts, archive, query))[1] if is_sqlite else 0.0


def _fts(archive: ArchiveStore, query: str) -> None:
    wanted = parse_query(query).strict()
    if wanted:
        statement = f"select rowid from words where words match ? order by rank limit {SHOWN}"
        archive.engine.driver.execute(statement, (fts_query(wanted),)).fetchall()


def _line(kind: str, rows: list[tuple[float, float, float]]) -> str:
    plain, counted, alone = (sorted(column) for column in zip(*rows, strict=True))

    def at(column: list[float], share: int) -> float:
        return column[min(len(column) * share // 100, len(column) - 1)]

    own = f"{at(plain, 50):8.1f}{at(plain, 95):8.1f}{at(counted, 50):14.1f}"
    return f"{kind:12}{own}{at(alone, 50):12.1f}{at(alone, 95):8.1f}"


def quality(place: str, split: str) -> None:
    """By words, by vectors and by both; `withheld` ignores hits on the question itself and its near copies."""
    with ArchiveStore(place) as archive:
        asked, meaning = questions(archive, split), MeaningIndex.of(archive)
        if meaning is None:
            sys.exit(f"{place} has no vectors.")
        print(f"{'':24}{'first':>11}{'five':>11}{'MRR':>11}{'helper':>11}{'confirmed':>11}   (percent of {len(asked)})")
        for way in ("withheld", "reworded"):
            for name in ("words", "vectors", "both"):
                tally = Tally(f"{way}: {name}")
                for seed, question in enumerate(asked):
                    text = question.text if way == "withheld" else reworded(question.text, seed)
                    hidden = near_copies(archive, question) if way == "withheld" else frozenset()
                    right = conversations_of(archive, question.answers)
                    tally.add(question, right, found_by(name, archive, meaning, text, hidden))
                print(tally.line(), flush=True)


def found_by(
    name: str, archive: ArchiveStore, meaning: MeaningIndex, text: str, hidden: frozenset[int]
) -> list[tuple[int, int, float]]:
    """(conversation, message, score) of the first ones whose matches are not all hidden."""
    if name == "vectors":
        near = _by_relevance([row for row in _near(archive, meaning, text, Condition()) if row.id not in hidden])
        return [(number, rows[0].id, score) for number, score, rows in near[:SHOWN]]
    hits = search(archive, text, 2 * SHOWN, meaning=meaning if name == "both" else None)
    seen = [(hit, [each.id for each in hit.found if each.id not in hidden]) for hit in hits]
    return [(hit.conversation, ids[0], hit.score) for hit, ids in seen if ids][:SHOWN]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--in", dest="archive")
    parser.add_argument("--quality", metavar="ARCHIVE")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    arguments = parser.parse_args()
    logs = Path(os.environ.get("HUBBUB_DATA", ".")) / "ubuntu-logs"
    if not logs.is_dir():
        sys.exit("HUBBUB_DATA names no folder with ubuntu-logs.")
    if arguments.quality:
        quality(arguments.quality, arguments.split)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        ArchiveStore(arguments.archive or Path(folder) / "archive.db", create=True) as archive,
    ):
        if not archive.last():
            fill(archive, logs, arguments.messages)
            archive.engine.vacuum()
        speed(archive)


if __name__ == "__main__":
    main()
