"""How well and how fast an archive answers questions, beside BM25 and static vectors alone.

    python benchmarks/ask.py [--split dev|test] [--in ARCHIVE] [--only quality|speed|indexing] [--fit [--out FOLDER]]

Data: the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/). All of them are indexed, which takes a minute; --in keeps the
archive, or uses the one that is there. Asked are the questions of ask_questions.py, in both of its ways.

A conversation is right if it has an answer of whoever was thanked. `helper` counts questions whose first answer is a
message of that person, `confirmed` those whose first answer is in the confirmed turn. Declining: each question is also
asked as if its conversation were not in the archive; recall is the share of those that get no answer, precision the
share of the unanswered ones among all questions that get none. --fit trains archive/answers (ask_training.py).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ask_questions import Question, WithholdingFinder, conversations_of, near_copies, questions, reworded
from hubbub.archive.confidence import THRESHOLD, static_encoder
from hubbub.archive.store import ArchiveStore

SHOWN, WIDE = 5, 400
Found = list[tuple[int, int, float]]  # conversation, message, probability
Find = Callable[[str], Found]


class Tally:
    """Figures of one way to find answers."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.figures = name, 0, [0.0] * 5

    def add(self, question: Question, right: set[int], found: Found) -> None:
        rank = next((place for place, each in enumerate(found, 1) if each[0] in right), 0)
        first = found[0][1] if found else 0
        hits = (rank == 1, 0 < rank <= SHOWN, 1 / rank if rank else 0, first in question.answers)
        self.count += 1
        for place, hit in enumerate((*hits, first in question.confirmed)):
            self.figures[place] += float(hit)

    def line(self) -> str:
        return f"{self.name:24}" + "".join(f"{100 * each / max(self.count, 1):11.1f}" for each in self.figures)


def by_words(finder: WithholdingFinder) -> Find:
    """BM25 of messages, each word counted once; withheld messages have no words."""

    def find(text: str) -> Found:
        best: dict[int, tuple[int, int, float]] = {}
        for talk, id in finder._terms(text).nearest(finder.archive, WIDE, None):
            best.setdefault(talk, (talk, id, 1.0))
        return list(best.values())

    return find


def by_vectors(finder: WithholdingFinder) -> Find:
    def find(text: str) -> Found:
        vector = static_encoder().encode([text])[0]
        near = sorted(finder._by_meaning(vector, None).items(), key=lambda pair: -pair[1])
        best: dict[int, tuple[int, int, float]] = {}
        for (talk, id), cosine in near:
            if id not in finder.withheld:
                best.setdefault(talk, (talk, id, cosine))
        return list(best.values())

    return find


def by_ask(finder: WithholdingFinder) -> Find:
    return lambda text: [(each.talk.number, each.id, each.probability) for each in finder.candidates(text)]


def quality(archive: ArchiveStore, asked: Sequence[Question]) -> None:
    finder = WithholdingFinder(archive)
    names = ("top 1", "top 5", "MRR", "helper", "confirmed")
    print(f"{'':24}" + "".join(f"{name:>11}" for name in names) + "   (percent)")
    for way in ("withheld", "reworded"):
        ways = {"BM25": by_words(finder), "vectors": by_vectors(finder), "ask": by_ask(finder)}
        tallies, best = {name: Tally(f"{way}: {name}") for name in ways}, list[tuple[float, float]]()
        for number, question in enumerate(asked):
            finder.withheld = near_copies(archive, question) if way == "withheld" else frozenset()
            text = question.text if way == "withheld" else reworded(question.text, number)
            right = conversations_of(archive, question.answers)
            for name, find in ways.items():
                found = find(text)
                tallies[name].add(question, right, found)
            there = max((each[2] for each in found), default=0.0)
            finder.absent = frozenset(right)
            best.append((there, max((each[2] for each in by_ask(finder)(text)), default=0.0)))
            finder.absent = frozenset()
        for tally in tallies.values():
            print(tally.line(), flush=True)
        for threshold in (0.05, 0.1, THRESHOLD, 0.3, 0.5):
            kept, declined = (sum(pair[side] < threshold for pair in best) for side in (0, 1))
            shares = (100 * each / len(best) for each in (declined, kept))
            print(
                "  threshold {:.2f}: declined if not there {:.1f}, though there {:.1f}, precision {:.1f}".format(
                    threshold, *shares, 100 * declined / max(kept + declined, 1)
                )
            )


def speed(archive: ArchiveStore, asked: Sequence[Question]) -> None:
    from hubbub.archive.ask import QuestionAnswerer

    answerer, passed = QuestionAnswerer(archive), list[tuple[float, float]]()
    for question in asked[:10]:
        answerer.ask(question.text)
    for question in asked:
        clock, processor = time.perf_counter(), time.process_time()
        answerer.ask(question.text)
        passed.append((time.perf_counter() - clock, time.process_time() - processor))
    print(f"asking    {archive.contents().messages:,} messages")
    for name, times in zip(("on the clock", "of processor time"), zip(*passed, strict=True), strict=True):
        in_order = [1000 * each for each in sorted(times)]
        half, most = (in_order[len(in_order) * share // 100] for share in (50, 95))
        print(f"          p50 {half:.0f} ms, p95 {most:.0f} ms {name}")
    print(f"          {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB of memory at most")


def indexing(logs: Path, folder: Path) -> None:
    """Rates without and with vectors."""
    for options in (["--no-vectors"], []):
        place = folder / f"rate{len(options)}.db"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock = time.perf_counter()
        command = [sys.executable, "-m", "hubbub", "index", str(logs), "--in", str(place), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        clock = time.perf_counter() - clock
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with ArchiveStore(place) as archive:
            count = archive.contents().messages
        how = options[0] if options else "with vectors"
        print(f"indexing  {count / clock:,.0f} messages a second {how}, {count / processor:,.0f} of processor time")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--split", default="dev", choices=["train", "dev", "test"])
    parser.add_argument("--in", dest="archive", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--out", type=Path, help="with --fit, the folder of the saved model")
    parser.add_argument("--only", choices=["quality", "speed", "indexing"])
    arguments = parser.parse_args()
    data = Path(os.environ.get("HUBBUB_DATA") or ".")
    logs = data / "ubuntu-logs"
    if not logs.is_dir():
        sys.exit("HUBBUB_DATA names no folder with ubuntu-logs.")
    with tempfile.TemporaryDirectory() as folder:
        if arguments.only == "indexing":
            indexing(logs, Path(folder))
            return
        place = arguments.archive or Path(folder) / "archive.db"
        if not place.exists():
            subprocess.run([sys.executable, "-m", "hubbub", "index", str(logs), "--in", str(place)], check=True)
        with ArchiveStore(place) as archive:
            asked = questions(archive, "train" if arguments.fit else arguments.split)
            print(f"{len(asked)} questions; {place.stat().st_size / 1e6:,.1f} MB")
            if arguments.fit:
                from ask_training import fit

                fit(archive, asked, data / "clinc", arguments.out)
                return
            if arguments.only != "speed":
                quality(archive, asked)
            if arguments.only != "quality":
                speed(archive, asked)
        if not arguments.only:
            indexing(logs, Path(folder))


if __name__ == "__main__":
    main()
