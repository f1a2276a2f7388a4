"""How well and how fast an archive answers questions, beside plain full-text search in the same run.

    python benchmarks/answer.py [--days 22-24] [--in ARCHIVE] [--fit]

Data: the Ubuntu logs below HUBBUB_DATA (ubuntu-logs/). All of them are indexed, which takes minutes; --in keeps the
archive, or uses the one that is there.

Asked are 200 messages of #ubuntu on these days, chosen by chance: each begins a dialogue by the rules of 2015, has a
question mark and at least six words, and addresses nobody. Right is what the other one says in that dialogue. A message
whose own text is in the archive would find itself, so it is asked in two ways:

  withheld   its text, and what the same person said in nearly the same words, is taken out of the archive: the answer
             must be found by itself and by what else was said around it;
  half       nothing is taken out, but only every second word, by chance, is asked: as people ask who did not write it.

Found is an answer if one of the first five conversations has it; pointed at, if it is the very message that is shown as
the answer, or that plain search finds first in the conversation. --fit prints the weights of hubbub.answer.judging,
learnt from the days 19-21, and how well chances hold that were learnt without a quarter of the questions.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from hubbub.answer.archive import Archive
from hubbub.answer.asking import Asking
from hubbub.answer.dialogues import dialogues
from hubbub.answer.finding import Candidate
from hubbub.answer.searching import search
from hubbub.chat import Chat
from hubbub.read import stream
from hubbub.text import words

CHANNEL = "#ubuntu"
COUNT, SHOWN, LEAST_WORDS, ALIKE, WIDE = 200, 5, 6, 0.6, 48
A_SECOND, MILLISECONDS = 2000, 150.0


class Question(NamedTuple):
    """A message that was asked, by its number in the archive, and the messages that answered it."""

    id: int
    author: str
    text: str
    answers: frozenset[int]


def questions(archive: Archive, logs: Path, first: int, last: int) -> list[Question]:
    (chat,) = [one.chat() for one in stream(sorted(logs.glob(f"*/*/{CHANNEL}.txt")))]
    days = Chat(chat.name, tuple(m for m in chat if m.time and first <= m.time.day <= last), chat.format)
    rows = archive.rows(
        "select m.time, m.author, m.text, m.id from messages m join chats c on c.id = m.chat where c.name = ?",
        (CHANNEL,),
    )
    number: dict[tuple[str, str, str], int] = {tuple(row[:3]): row[3] for row in rows}

    def id_of(place: int) -> int:
        when, said = days[place].time, days[place]
        return number[when.isoformat() if when else "", said.author, said.text]

    asked: dict[int, set[int]] = defaultdict(set)
    for dialogue in dialogues(days, "lowe"):
        opening = dialogue.utterances[0]
        if not opening.recipient and "?" in opening.text and len(opening.bare.split()) >= LEAST_WORDS:
            asked[opening.position] |= {u.position for u in dialogue.utterances if u.sender != opening.sender}
    made = [
        Question(id_of(place), days[place].author, days[place].text, frozenset(map(id_of, answers)))
        for place, answers in sorted(asked.items())
    ]
    random.Random(0).shuffle(made)
    return made[:COUNT]


def withheld(archive: Archive, asked: Sequence[Question]) -> set[int]:
    """The questions, and what their authors said in nearly the same words."""
    found: set[int] = set()
    for each in asked:
        own = set(words(each.text))
        for id, text in archive.rows("select id, text from messages where author = ?", (each.author,)):
            shared = len(own & set(words(text)))
            if id == each.id or (shared >= 4 and shared >= ALIKE * min(len(own), len(set(words(text))))):
                found.add(id)
    return found - {id for each in asked for id in each.answers}


def take_out(path: Path, ids: set[int]) -> None:
    """Their words and their vectors are gone; that something was said there stays."""
    import numpy as np

    connection = sqlite3.connect(path)
    for id in ids:
        (text,) = connection.execute("select text from messages where id = ?", (id,)).fetchone()
        connection.execute("insert into words (words, rowid, text) values ('delete', ?, ?)", (id, text))
        connection.execute("update messages set text = '' where id = ?", (id,))
    for last, messages, scales in connection.execute("select last, messages, scales from vectors").fetchall():
        kept = np.where(np.isin(np.frombuffer(messages, "<i8"), list(ids)), 0, np.frombuffer(scales, "<f4"))
        connection.execute("update vectors set scales = ? where last = ?", (kept.astype("<f4").tobytes(), last))
    connection.commit()
    connection.close()


def shorter(text: str, chance: random.Random) -> str:
    kept = [word for word in text.split() if chance.random() < 0.5]
    return " ".join(kept if len(kept) >= 3 else text.split()[:3])


Asked = list[tuple[Question, str]]


class Ways(NamedTuple):
    """Two archives, each with what it is asked."""

    withheld: tuple[Archive, Asked]
    half: tuple[Archive, Asked]


def ways(whole: Path, folder: Path, asked: Sequence[Question]) -> Ways:
    without, chance = folder / "withheld.db", random.Random(1)
    shutil.copy(whole, without)
    archive = Archive(whole)
    take_out(without, withheld(archive, asked))
    halves = [(each, shorter(each.text, chance)) for each in asked]
    return Ways((Archive(without), [(each, each.text) for each in asked]), (archive, halves))


def talks_of(archive: Archive, ids: frozenset[int]) -> set[int]:
    return {
        talk for (talk,) in archive.rows(f"select conversation from messages where id in ({','.join(map(str, ids))})")
    }


class Tally:
    """How often the first, and the first five, have the conversation of a right answer, or point at one."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.figures = name, 0, [0, 0, 0, 0]

    def add(self, archive: Archive, question: Question, found: Sequence[tuple[int, int]]) -> None:
        """What was found, as (conversation, message)."""
        right = talks_of(archive, question.answers)
        talks, messages = [talk in right for talk, _ in found], [id in question.answers for _, id in found]
        self.count += 1
        for place, hits in enumerate((talks[:1], talks[:SHOWN], messages[:1], messages[:SHOWN])):
            self.figures[place] += any(hits)

    def line(self) -> str:
        return f"{self.name:34}" + "".join(f"{100 * each / max(self.count, 1):10.1f}" for each in self.figures)


def plain_search(archive: Archive, text: str) -> list[tuple[int, int]]:
    return [(hit.conversation, hit.found[0].id) for hit in search(archive, text, SHOWN)]


def pointed_at(desk: Asking, text: str) -> list[tuple[int, int]]:
    return [(each.talk.number, each.id) for _, each in desk.judged(text)[:SHOWN]]


def quality(both: Ways, asking: Callable[[Archive], Asking]) -> None:
    print(f"{'':34}{'found @1':>10}{'@5':>10}{'points @1':>10}{'@5':>10}   (percent)")
    for way, (archive, asked) in zip(Ways._fields, both, strict=True):
        desk = asking(archive)
        rows: dict[str, Callable[[str], list[tuple[int, int]]]] = {
            "full text": partial(plain_search, archive),
            "ask": partial(pointed_at, desk),
        }
        for name, find in rows.items():
            tally = Tally(f"{way}: {name}")
            for question, text in asked:
                tally.add(archive, question, find(text))
            print(tally.line(), flush=True)


class Case(NamedTuple):
    """A question's candidates: what speaks for each, whether it is right, and its conversation."""

    number: int
    features: Any
    right: Any
    talks: Any


def case(number: int, found: Sequence[Candidate], right: set[int]) -> Case:
    import numpy as np

    talks = np.array([each.talk.number for each in found], np.int64)
    return Case(number, np.array([each.features for each in found]), np.isin(talks, list(right)), talks)


def fit(both: Ways, asking: Callable[[Archive], Asking]) -> None:
    """Prints weights, and what chances that were learnt without a quarter of the questions say of that quarter."""
    import numpy as np

    looked, judged = list[Case](), list[Case]()
    for archive, asked in both:
        desk = asking(archive)
        for number, (question, text) in enumerate(asked):
            right, found = talks_of(archive, question.answers), desk.finder.candidates(text)
            if found:
                looked.append(case(number, found[:WIDE], right))
                judged.append(case(number, desk.considered(text, found=found), right))
    held_back: list[tuple[int, float, bool]] = []
    for part in range(4):
        weights, bias = learnt(*([each for each in cases if each.number % 4 != part] for cases in (looked, judged)))
        for number, strong, is_right in firsts([each for each in judged if each.number % 4 == part], weights):
            held_back.append((number, float(1 / (1 + np.exp(-strong - bias))), is_right))
    told(held_back)
    weights, bias = learnt(looked, judged)
    print(f"WEIGHTS, BIAS = ({', '.join(f'{each:.2f}' for each in weights)}), {bias:.2f}")


def learnt(looked: Sequence[Case], judged: Sequence[Case]) -> tuple[Any, float]:
    """What counts in the first look, how much a model of replies counts beside that, and what all is worth."""
    import numpy as np

    first = ranking([each.features for each in looked], [each.right for each in looked])
    both = [np.column_stack([each.features[:, :-1] @ first[:-1], each.features[:, -1]]) for each in judged]
    whole, reply = ranking(both, [each.right for each in judged])
    weights = np.append(first[:-1] * whole, reply)
    _, strong, right = np.array(firsts(judged, weights)).T
    middle, spread = strong.mean(), strong.std()
    even = (strong - middle) / spread

    def slope(line: Any) -> Any:
        miss = 1 / (1 + np.exp(-line[0] * even - line[1])) - right
        return np.array([(miss * even).mean(), miss.mean()])

    steep, bias = downhill(slope, np.array([1.0, 0.0]))
    return weights * steep / spread, float(bias - steep * middle / spread)


def ranking(features: Sequence[Any], right: Sequence[Any], ridge: float = 0.01) -> Any:
    """Weights, none below 0, under which the right candidates of a question have the largest share of all odds."""
    import numpy as np

    spread = np.vstack(list(features)).std(axis=0)
    scale = np.where(spread > 1e-9, spread, np.inf)
    telling = [
        (each / scale, is_right) for each, is_right in zip(features, right, strict=True) if 0 < is_right.mean() < 1
    ]
    width = max(len(is_right) for _, is_right in telling)
    rows, good, there = (np.zeros((len(telling), width, *more)) for more in ((len(scale),), (), ()))
    for place, (each, is_right) in enumerate(telling):
        rows[place, : len(each)], good[place, : len(each)], there[place, : len(each)] = each, is_right, 1

    def slope(weights: Any) -> Any:
        odds = np.exp(rows @ weights - (rows @ weights).max(axis=1, keepdims=True)) * there
        share = odds / odds.sum(axis=1, keepdims=True)
        share_good = odds * good / np.maximum((odds * good).sum(axis=1, keepdims=True), 1e-12)
        return np.einsum("cn,cnf->f", share - share_good, rows) / len(telling) + 2 * ridge * weights

    return downhill(slope, np.ones(len(scale)), 0.0) / scale


def downhill(slope: Callable[[Any], Any], at: Any, least: float = -1e9, rounds: int = 1500, rate: float = 0.4) -> Any:
    import numpy as np

    for _ in range(rounds):
        at = np.maximum(at - rate * slope(at), least)
    return at


def firsts(cases: Sequence[Case], weights: Any) -> list[tuple[int, float, bool]]:
    """(question, strength, right) of the best candidates of the first five conversations of each question."""
    import numpy as np

    found = []
    for each in cases:
        strong, seen = each.features @ weights, list[int]()
        for place in np.argsort(-strong, kind="stable"):
            if each.talks[place] not in seen and len(seen) < SHOWN:
                seen.append(each.talks[place])
                found.append((each.number, float(strong[place]), bool(each.right[place])))
    return found


def told(held_back: Sequence[tuple[int, float, bool]]) -> None:
    """Whether chances hold, and what a threshold costs."""
    print("chances of answers among the first five, and how many of them were right")
    for low in range(0, 100, 10):
        inside = [(chance, right) for _, chance, right in held_back if low <= 100 * chance < low + 10]
        if inside:
            said, were = (sum(each[place] for each in inside) / len(inside) for place in (0, 1))
            share = f"{100 * said:5.1f} % said, {100 * were:5.1f} % right"
            print(f"  {low:3} to {low + 10:3} %  {len(inside):5} answers, {share}")
    print("thresholds: questions with an answer above, and how many first answers were right")
    best = [held_back[0]] + [each for before, each in pairwise(held_back) if each[0] != before[0]]
    for threshold in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7):
        above = [right for _, chance, right in best if chance >= threshold]
        print(
            f"  {threshold:.1f}  {100 * len(above) / len(best):5.1f} %, {100 * sum(above) / max(len(above), 1):5.1f} %"
        )


def speed(both: Ways, asking: Callable[[Archive], Asking], whole: Path) -> None:
    archive, asked = both.half
    desk, seconds = asking(archive), []
    for question, _ in asked[:20]:
        desk.ask(question.text)
    for question, _ in asked:
        start = time.perf_counter()
        desk.ask(question.text)
        seconds.append(1000 * (time.perf_counter() - start))
    seconds.sort()
    half, most = seconds[len(seconds) // 2], seconds[len(seconds) * 95 // 100]
    count = archive.contents().messages
    print(f"asking    p50 {half:.0f} ms, p95 {most:.0f} ms on {count:,} messages (p50 at most {MILLISECONDS:.0f})")
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
        start = time.perf_counter()
        main(["index", *part, "--in", str(place), *options])
        seconds = time.perf_counter() - start
        with Archive(place) as archive:
            count = archive.contents().messages
        least = f"(at least {A_SECOND:,})" if options else ""
        print(
            f"indexing  {count / seconds:8,.0f} messages a second {options[0] if options else 'with vectors'} {least}"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", default="22-24")
    parser.add_argument("--in", dest="archive", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--fit", action="store_true")
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
        with Archive(place) as archive:
            asked = questions(archive, logs, first, last)
        print(f"{len(asked)} questions of {CHANNEL}, days {first} to {last}; {place.stat().st_size / 1e6:,.1f} MB")
        both = ways(place, Path(folder), asked)

        def asking(archive: Archive) -> Asking:
            return Asking.of(archive, arguments.model)

        if arguments.fit:
            fit(both, asking)
            return
        if arguments.only != "speed":
            quality(both, asking)
        if arguments.only != "quality":
            speed(both, asking, place)
        if not arguments.only:
            indexing(logs, Path(folder))


if __name__ == "__main__":
    main()
