"""How well and how fast an archive answers questions, beside plain full-text search in the same run.

    python benchmarks/ask.py [--days 22-24] [--in ARCHIVE] [--fit]

Data: the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/). All of them are indexed, which takes minutes; --in keeps the
archive, or uses the one that is there.

Asked are 200 messages of #ubuntu on these days, chosen by chance: each begins a dialogue by the rules of 2015, has a
question mark and at least six words, and addresses nobody. Right is what the other one says in that dialogue. A message
whose own text is in the archive would find itself, so it is asked in two ways:

  withheld   its text, and what the same person said in nearly the same words, is taken out of the archive: the answer
             must be found by itself and by what else was said around it;
  half       nothing is taken out, but only every second word, by chance, is asked: as people ask who did not write it.

Found is an answer if one of the first five conversations has it; pointed at, if it is the very message that is shown as
the answer, or that plain search finds first in the conversation. --fit prints the weights of hubbub.archive.confidence,
learnt from the days 19-21, and how well chances hold that were learnt without a quarter of the questions.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ask_questions import CHANNEL, Question, Ways, questions, talks_of, ways
from ask_weights import fit
from hubbub.archive.ask import QuestionAnswerer
from hubbub.archive.search import search
from hubbub.archive.store import ArchiveStore

SHOWN = 5
A_SECOND, MILLISECONDS = 2000, 150.0


class Tally:
    """How often the first, and the first five, have the conversation of a right answer, or point at one."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.figures = name, 0, [0, 0, 0, 0]

    def add(self, archive: ArchiveStore, question: Question, found: Sequence[tuple[int, int]]) -> None:
        """What was found, as (conversation, message)."""
        right = talks_of(archive, question.answers)
        talks, messages = [talk in right for talk, _ in found], [id in question.answers for _, id in found]
        self.count += 1
        for place, hits in enumerate((talks[:1], talks[:SHOWN], messages[:1], messages[:SHOWN])):
            self.figures[place] += any(hits)

    def line(self) -> str:
        return f"{self.name:34}" + "".join(f"{100 * each / max(self.count, 1):10.1f}" for each in self.figures)


def plain_search(archive: ArchiveStore, text: str) -> list[tuple[int, int]]:
    return [(hit.conversation, hit.found[0].id) for hit in search(archive, text, SHOWN)]


def pointed_at(desk: QuestionAnswerer, text: str) -> list[tuple[int, int]]:
    return [(each.talk.number, each.id) for _, each in desk.judged(text)[:SHOWN]]


def quality(both: Ways) -> None:
    print(f"{'':34}{'found @1':>10}{'@5':>10}{'points @1':>10}{'@5':>10}   (percent)")
    for way, (archive, asked) in zip(Ways._fields, both, strict=True):
        desk = QuestionAnswerer(archive)
        rows: dict[str, Callable[[str], list[tuple[int, int]]]] = {
            "full text": partial(plain_search, archive),
            "ask": partial(pointed_at, desk),
        }
        for name, find in rows.items():
            tally = Tally(f"{way}: {name}")
            for question, text in asked:
                tally.add(archive, question, find(text))
            print(tally.line(), flush=True)


def speed(both: Ways, whole: Path) -> None:
    archive, asked = both.half
    desk, passed = QuestionAnswerer(archive), list[tuple[float, float]]()
    for question, _ in asked[:20]:
        desk.ask(question.text)
    for question, _ in asked:
        clock, processor = time.perf_counter(), time.process_time()
        desk.ask(question.text)
        passed.append((time.perf_counter() - clock, time.process_time() - processor))
    print(f"asking    {archive.contents().messages:,} messages (p50 at most {MILLISECONDS:.0f} ms)")
    for name, times in zip(("on the clock", "of processor time"), zip(*passed, strict=True), strict=True):
        in_order = [1000 * each for each in sorted(times)]
        half, most = (in_order[len(in_order) * share // 100] for share in (50, 95))
        print(f"          p50 {half:.0f} ms, p95 {most:.0f} ms {name}")
    command = [sys.executable, "-m", "hubbub", "ask", asked[0][0].text, "--in", str(whole), "--threshold", "0"]
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    print(f"          {time.perf_counter() - start:.2f} s for one question from the command line")


def indexing(logs: Path, folder: Path) -> None:
    """Rates without and with vectors, on some days of one channel."""
    from hubbub.cli import main

    some = [str(path) for path in sorted(logs.glob(f"*/*/{CHANNEL}.txt"))]
    for part, options in ((some, ["--no-vectors"]), (some[:2], [])):
        place = folder / f"rate{len(part)}.db"
        clock, processor = time.perf_counter(), time.process_time()
        main(["index", *part, "--in", str(place), *options])
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        with ArchiveStore(place) as archive:
            count = archive.contents().messages
        how, least = (options[0], f" (at least {A_SECOND:,})") if options else ("with vectors", "")
        print(
            f"indexing  {count / clock:,.0f} messages a second {how}{least}, {count / processor:,.0f} of the processor"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", default="22-24")
    parser.add_argument("--in", dest="archive", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--out", type=Path, help="with --fit, the folder of the saved model")
    parser.add_argument("--only", choices=["quality", "speed", "indexing"])
    arguments = parser.parse_args()
    data = os.environ.get("HUBBUB_DATA")
    logs = Path(data or ".") / "ubuntu-logs"
    if not logs.is_dir():
        sys.exit("HUBBUB_DATA names no folder with ubuntu-logs.")
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.archive or Path(folder) / "archive.db"
        if not place.exists():
            subprocess.run([sys.executable, "-m", "hubbub", "index", str(logs), "--in", str(place)], check=True)
        if arguments.only == "indexing":
            indexing(logs, Path(folder))
            return
        first, last = (19, 21) if arguments.fit else map(int, arguments.days.split("-"))
        with ArchiveStore(place) as archive:
            asked = questions(archive, logs, first, last)
        print(f"{len(asked)} questions of {CHANNEL}, days {first} to {last}; {place.stat().st_size / 1e6:,.1f} MB")
        both = ways(place, Path(folder), asked)
        if arguments.fit:
            fit(both, Path(folder), arguments.out)
            return
        if arguments.only != "speed":
            quality(both)
        if arguments.only != "quality":
            speed(both, place)
        if not arguments.only:
            indexing(logs, Path(folder))


if __name__ == "__main__":
    main()
