"""Trains the model of answers (archive/answers): python benchmarks/ask.py --fit --out FOLDER

Matches and resolutions are listwise logistic regressions on the training days, asked in both ways. The probability is
a logistic regression on their scores, cross-validated so that no question is scored by weights that saw it, over the
whole archive and parts of it of 10 to 100,000 messages, where each question counts twice: with its answer, and as if
nobody had ever answered it. Off-topic questions (CLINC150) count as unanswered ones.
"""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from ask_questions import Question, WithholdingFinder, conversations_of, near_copies, reworded
from hubbub.archive import answer_candidates
from hubbub.archive.answer_candidates import Judged
from hubbub.archive.answer_features import resolution_features, with_leads
from hubbub.archive.confidence import (
    CURVE,
    KNOTS,
    AnswerModel,
    bundled_model,
    calibration_features,
    knot_shares,
    leads,
    logits,
    static_encoder,
)
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import add_vectors

SIZES = (10, 100, 1_000, 10_000, 100_000)
PER_SIZE = 120  # questions asked to parts of a size
OFF_TOPIC = MOST_OF_ONE = 60
OFF_TOPIC_PER_PART = 3
FOLDS = 5
HELPER_SHARE = 0.25  # target of other messages of whoever gave the confirmed answer, beside 1 for the confirmed turn
WAYS = ("withheld", "reworded")


class Answered(NamedTuple):
    """An answer: is it of the confirmed turn, is it by the confirmed helper, and its features."""

    confirmed: bool
    helper: bool
    features: list[float]


class Case(NamedTuple):
    """A question's conversations: whether each is right, its features, and its answers."""

    number: int
    messages: int
    right: list[bool]
    match: list[list[float]]
    answers: list[list[Answered]]

    def unanswered(self) -> Case:
        """Without the right conversation."""
        keep = [place for place, right in enumerate(self.right) if not right]
        match = with_leads([list(self.match[place]) for place in keep])
        return self._replace(right=[False] * len(keep), match=match, answers=[self.answers[p] for p in keep])


def ask(finder: WithholdingFinder, question: Question, way: str, number: int) -> Case:
    archive = finder.archive
    finder.withheld = near_copies(archive, question) if way == "withheld" else frozenset()
    text = question.text if way == "withheld" else reworded(question.text, number)
    return case(finder.judged(text), question, conversations_of(archive, question.answers), number, archive.last())


def case(found: Sequence[Judged], question: Question, right: set[int], number: int, messages: int) -> Case:
    talks = [each.evidence.talk for each in found]
    answers = [
        [
            Answered(talk.said[p].id in question.confirmed, talk.said[p].id in question.answers, features)
            for p, features in each.answers.items()
        ]
        for talk, each in zip(talks, found, strict=True)
    ]
    return Case(number, messages, [t.number in right for t in talks], [each.match for each in found], answers)


def off_topic(finder: WithholdingFinder, queries: Sequence[str], first: int = 1) -> list[Case]:
    """Queries that nobody answers in a log about Ubuntu; their numbers are below 0."""
    finder.withheld, nothing = frozenset(), Question(0, "", "", frozenset(), frozenset())
    found = [finder.judged(text) for text in queries]
    return [case(each, nothing, set(), -first - n, finder.archive.last()) for n, each in enumerate(found)]


def off_topic_queries(clinc: Path) -> list[str]:
    queries = [text for text, _ in json.loads((clinc / "data_full.json").read_text(encoding="utf-8"))["val"]]
    return random.Random(0).sample(queries, len(queries))


def parts(whole: ArchiveStore, asked: Sequence[Question], queries: Sequence[str]) -> Iterator[Case]:
    """The questions asked to archives of several sizes that have their conversation and what was said around it."""
    draw = random.Random(0)
    for size in SIZES:
        # a large part serves many questions, so that few large ones are made
        for start in range(PER_SIZE if size <= 1_000 else max(1, PER_SIZE // (size // 500))):
            centre = draw.randrange(len(asked))
            ids = window(whole, asked[centre], size)
            inside = [(n, q) for n, q in enumerate(asked) if q.id in ids and q.answers <= ids]
            with tempfile.TemporaryDirectory() as folder:
                archive, renumbered = part(whole, Path(folder) / "part.db", sorted(ids))
                with archive:
                    finder = WithholdingFinder(archive)
                    yield from off_topic(finder, draw.sample(queries, OFF_TOPIC_PER_PART), 1 + start)
                    chosen = inside if len(inside) <= MOST_OF_ONE else draw.sample(inside, MOST_OF_ONE)
                    for number, question in chosen:
                        moved = question._replace(
                            id=renumbered[question.id],
                            confirmed=frozenset(renumbered[id] for id in question.confirmed),
                            answers=frozenset(renumbered[id] for id in question.answers),
                        )
                        yield ask(finder, moved, WAYS[start % 2], number)


def window(whole: ArchiveStore, question: Question, size: int) -> set[int]:
    """The question, its answers, their conversation, and the messages before and after, up to the size."""
    talks = ",".join(map(str, conversations_of(whole, question.answers)))
    own = {id for (id,) in whole.rows(f"select id from messages where conversation_id in ({talks})")}
    middle = max(question.answers)
    ids = {question.id, *question.answers}
    for id in sorted(own, key=lambda id: abs(id - middle)):
        if len(ids) < max(size // 2, 4):
            ids.add(id)
    distance = 1
    last = whole.last()
    while len(ids) < min(size, last) and distance <= last:
        ids |= {id for id in (middle - distance, middle + distance) if 1 <= id <= last}
        distance += 1
    return ids


def part(whole: ArchiveStore, place: Path, ids: Sequence[int]) -> tuple[ArchiveStore, dict[int, int]]:
    """An archive of some messages of another, numbered from 1, and their numbers."""
    ArchiveStore(place, create=True).close()
    renumbered = {id: new for new, id in enumerate(ids, 1)}
    made = sqlite3.connect(place)
    made.execute("attach ? as whole", (str(whole.path),))
    made.execute("create temp table chosen (old integer primary key, new integer)")
    made.executemany("insert into chosen values (?, ?)", renumbered.items())
    for table in ("networks", "channels", "days", "sources"):
        made.execute(f"insert into {table} select * from whole.{table}")
    made.execute(
        "insert into conversations select * from whole.conversations where id in"
        " (select m.conversation_id from chosen c join whole.messages m on m.id = c.old)"
    )
    columns = [name for _, name, *_ in made.execute("pragma table_info(messages)") if name != "id"]
    listed = ", ".join(columns)
    made.execute(
        f"insert into messages (id, {listed}) select c.new, {', '.join(f'm.{name}' for name in columns)}"
        " from chosen c join whole.messages m on m.id = c.old"
    )
    made.execute("insert into words (rowid, text) select id, text from messages")
    made.execute(
        "insert into replies select a.new, b.new, r.source_id, r.probability from chosen a"
        " join whole.replies r on r.message_id = a.old join chosen b on b.old = r.parent_id"
    )
    made.commit()
    made.close()
    archive = ArchiveStore(place, write=True)
    for _ in add_vectors(archive, static_encoder().encode):
        pass
    return archive, renumbered


def fit_match(cases: Sequence[Case]) -> Any:
    groups, targets = [], []
    for each in cases:
        right = np.array(each.right, float)
        if 0 < right.sum() < len(right):
            groups.append(np.array(each.match))
            targets.append(right / right.sum())
    return listwise(groups, targets)


def resolutions(finder: WithholdingFinder, asked: Sequence[Question]) -> list[tuple[int, list[Answered]]]:
    """The answers in the right conversation of each question, found by its number."""
    found = []
    for number, question in enumerate(asked):
        finder.withheld = frozenset({question.id})
        vector, terms = static_encoder().encode([question.text])[0], finder._terms(question.text)
        talk = min(conversations_of(finder.archive, question.confirmed))
        hits = {**finder._hits(terms, vector, None), talk: sorted(question.confirmed)}
        evidence = finder._evidence(hits, terms, vector)
        helpers = answer_candidates.helper_counts(evidence)
        for each in evidence:
            if each.talk.number != talk:
                continue
            said = each.talk.said
            places = [p for p in range(len(said)) if each.talk.is_answer(p)]
            rows = [resolution_features(each.talk, p, helpers[said[p].author] - 1) for p in places]
            answers = [
                Answered(said[p].id in question.confirmed, said[p].id in question.answers, row)
                for p, row in zip(places, rows, strict=True)
            ]
            found.append((number, answers))
    return found


def fit_resolution(cases: Sequence[tuple[int, list[Answered]]]) -> Any:
    groups, targets = [], []
    for _, answers in cases:
        if any(one.confirmed for one in answers) and len(answers) > 1:
            target = np.array([1.0 if one.confirmed else HELPER_SHARE * one.helper for one in answers])
            groups.append(np.array([one.features for one in answers]))
            targets.append(target / target.sum())
    return listwise(groups, targets)


def listwise(groups: Sequence[Any], targets: Sequence[Any], ridge: float = 1.0) -> Any:
    """Weights and a constant that centres the scores, under which the targets have the highest likelihood."""
    rows, target = np.vstack(list(groups)), np.concatenate(list(targets))
    sizes = np.array([len(group) for group in groups])
    starts, of = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(groups)), sizes)
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-6] = 1
    even = (rows - mean) / spread

    def loss(weights: Any) -> tuple[float, Any]:
        scores = even @ weights
        scores -= np.maximum.reduceat(scores, starts)[of]
        logs = scores - np.log(np.add.reduceat(np.exp(scores), starts))[of]
        return -target @ logs + ridge / 2 * weights @ weights, even.T @ (np.exp(logs) - target) + ridge * weights

    weights = minimize(loss, np.zeros(even.shape[1]), jac=True, method="L-BFGS-B").x / spread
    return np.append(weights, -weights @ mean).astype(np.float32)


class Shown(NamedTuple):
    """The best answer of a conversation: evidence, whether it is right, its rank, and if the question is answered."""

    number: int
    evidence: list[float]
    messages: int
    right: bool
    rank: int
    known: bool


def shown(each: Case, match: Any, resolution: Any, known: bool) -> Iterator[Shown]:
    """The first five conversations with the best answer of each, as `ask` shows them."""
    scores = logits(match, each.match)
    ahead = leads(scores)
    for rank, place in enumerate(np.argsort(-np.array(scores), kind="stable")[:5]):
        found = logits(resolution, [one.features for one in each.answers[place]])
        best = int(np.argmax(found))
        right = each.right[place] and each.answers[place][best].helper
        evidence = calibration_features(scores[place], ahead[place], found[best], each.match[place])
        yield Shown(each.number, evidence, each.messages, right, rank, known)


def fit_calibration(rows: Sequence[Shown], ridge: float = 0.3) -> Any:
    """A logistic regression for each size of archive that is a knot; rows between two knots count for both."""
    given, right = np.array([r.evidence for r in rows]), np.array([r.right for r in rows], float)
    mean, spread = given.mean(axis=0), given.std(axis=0)
    even = np.c_[(given - mean) / spread, np.ones(len(given))]
    knots = np.array([knot_shares(r.messages) for r in rows])
    table = (knots[:, :, None] * even[:, None, :]).reshape(len(rows), -1)

    def loss(weights: Any) -> tuple[float, Any]:
        scores = table @ weights
        value = (np.logaddexp(0, scores) - right * scores).sum() + ridge / 2 * weights @ weights
        return value, table.T @ (1 / (1 + np.exp(-scores)) - right) + ridge * weights

    fitted = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B").x.reshape(len(KNOTS), -1)
    by = fitted[:, :-1] / spread
    return np.c_[by, fitted[:, -1] - by @ mean].astype(np.float32)


def fit_curve(model: AnswerModel, rows: Sequence[Shown], ridge: float = 2.0) -> AnswerModel:
    """The model with what each probability is worth: least squares over the points of the curve, made ascending."""
    said = np.array(
        [replace(model, curve=np.array(CURVE, np.float32)).probability(r.evidence, r.messages) for r in rows]
    )
    table = np.array([np.interp(said, CURVE, np.eye(len(CURVE))[point]) for point in range(len(CURVE))]).T
    right = np.array([r.right for r in rows], float)
    # a point with few rows near it stays where it is
    points = np.linalg.solve(table.T @ table + ridge * np.eye(len(CURVE)), table.T @ right + ridge * np.array(CURVE))
    return replace(model, curve=np.maximum.accumulate(np.clip(points, 0, 1)).astype(np.float32))


def cross_validated(cases: Sequence[Case], solved: Sequence[tuple[int, list[Answered]]]) -> list[Shown]:
    """What is shown for each question by weights that were fitted without it."""
    found: list[Shown] = []
    for fold in range(FOLDS):
        match = fit_match([each for each in cases if each.number % FOLDS != fold])
        resolution = fit_resolution([each for each in solved if each[0] % FOLDS != fold])
        for each in cases:
            if each.number % FOLDS == fold:
                if each.number >= 0:
                    found += shown(each, match, resolution, True)
                found += shown(each.unanswered(), match, resolution, False)
    return found


def fit(whole: ArchiveStore, asked: Sequence[Question], clinc: Path, out: Path | None) -> AnswerModel:
    finder = WithholdingFinder(whole)
    cases = [ask(finder, question, way, number) for way in WAYS for number, question in enumerate(asked)]
    queries = off_topic_queries(clinc)
    cases += off_topic(finder, queries[:OFF_TOPIC])
    cases += parts(whole, asked, queries[OFF_TOPIC:])
    solved = resolutions(finder, asked)
    rows = cross_validated(cases, solved)
    bundled = bundled_model()
    model = AnswerModel(
        fit_match(cases), fit_resolution(solved), fit_calibration(rows), np.array(CURVE, np.float32),
        bundled.piece_weights, bundled.projection,
    )  # fmt: skip
    model = fit_curve(model, rows)
    report_calibration(model, rows)
    if out is not None:
        model.save(out, dataset="ubuntu-logs:train", notes={"recipe": "archive.toml"})
    return model


def report_calibration(model: AnswerModel, rows: Sequence[Shown]) -> None:
    """Probabilities and how many of the answers were right, in all and by the size of the archive."""
    said = np.array([model.probability(r.evidence, r.messages) for r in rows])
    right, size = np.array([r.right for r in rows]), np.array([r.messages for r in rows])
    for name, chosen in {"all": size > 0, "10": size < 30, "1,000": (size > 500) & (size < 3_000),
                         "100,000": size > 50_000}.items():  # fmt: skip
        print(f"archives of {name} messages: probability said, share right (answers)")
        for low in np.arange(0, 1, 0.1):
            here = chosen & (said >= low) & (said < low + 0.1)
            if here.sum():
                print(f"  {100 * said[here].mean():5.1f} % {100 * right[here].mean():5.1f} % ({here.sum()})")
