"""How well the probability of hubbub unanswered is calibrated; with --out FOLDER the model is fitted and saved.

Questions of the annotated #Ubuntu corpus: their outcome by predicted conversations against that by annotated ones. The
table has predictions for each file by a model that was fitted on all others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hubbub
from hubbub.archive.insights.question_threads import (
    UNANSWERED,
    QuestionThread,
    ThreadMessage,
    first_question,
    names_somebody,
    opening_texts,
)
from hubbub.archive.insights.unanswered import MESSAGES_AFTER
from hubbub.archive.insights.unanswered_model import UnansweredModel, features
from hubbub.layers import Conversation
from hubbub.ml.datasets import checksum, find
from hubbub.thread.data.loading import pairs, read_annotation

PARTS = ("irc:dev", "irc:test")
PENALTY = 0.5  # of squared weights; five numbers and some 570 questions need little
BINS = ((0.0, 0.1), (0.1, 0.5), (0.5, 0.8), (0.8, 1.0))


class Question(NamedTuple):
    """What the model sees of a question, and whether it is unanswered by annotation."""

    file: str
    features: tuple[float, ...]
    is_unanswered: bool


def questions(log: Path, annotation: Path) -> Iterator[Question]:
    chat = hubbub.read(log, format="ubuntu", bridges=False)
    gold = read_annotation(annotation, len(chat))
    names = frozenset(message.author.lower() for message in chat if message.author)
    home = {place: each for each in gold.conversations(chat) for place in each.positions}
    for conversation in hubbub.thread(chat).conversations(chat):
        said = messages(conversation)
        if not gold.parents[said[0].id] or (asked := first_question(opening_texts(said), names)) is None:
            continue
        thread = QuestionThread(0, "", "", said, asked)
        place = thread.question.id
        truth = tuple(each for each in messages(home[place]) if each.id >= place)
        outcome = QuestionThread(0, "", "", truth, 0).outcome
        yield Question(log.name, features(thread.outcome, addressed(chat, thread)), outcome in UNANSWERED)


def messages(conversation: Conversation) -> tuple[ThreadMessage, ...]:
    chat = conversation.chat
    spoken = [place for place in conversation.positions if chat[place].kind != "system"]
    return tuple(ThreadMessage(place, chat[place].author, chat[place].text, None) for place in spoken)


def addressed(chat: hubbub.Chat, thread: QuestionThread) -> int:
    own, first = {each.id for each in thread.messages}, thread.question.id + 1
    after = [place for place in range(first, len(chat)) if chat[place].kind != "system"][:MESSAGES_AFTER]
    others = (chat[place] for place in after if place not in own)
    return sum(each.author != thread.asker and names_somebody(each.text, thread.asker) for each in others)


def fitted(found: Sequence[Question]) -> Any:
    """Weights of a logistic regression, by Newton's method."""
    inputs = np.array([each.features for each in found], float)
    targets = np.array([each.is_unanswered for each in found], float)
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (p - targets) + PENALTY * weights
        curvature = (inputs.T * (p * (1 - p))) @ inputs + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(curvature, slope)
    return weights


def table(found: Sequence[Question]) -> Iterator[str]:
    held_out: list[tuple[float, bool]] = []
    for file in sorted({each.file for each in found}):
        weights = fitted([each for each in found if each.file != file])
        held_out += [
            (float(1 / (1 + np.exp(-np.dot(each.features, weights)))), each.is_unanswered)
            for each in found
            if each.file == file
        ]
    for low, high in BINS:
        inside = [pair for pair in held_out if low <= pair[0] < high]
        if inside:
            mean, observed = np.mean(inside, axis=0)
            yield f"{low:.1f} to {high:.1f}: {len(inside):4} questions, predicted {mean:.3f}, observed {observed:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="folder of the model to write")
    out = parser.parse_args().out
    files = [pair for part in PARTS for pair in pairs(find(part).files)]
    found = [each for pair in files for each in questions(*pair)]
    print("\n".join([f"{len(found)} questions", *table(found)]))
    if out:
        weights = [round(float(weight), 4) for weight in fitted(found)]
        data = checksum(path for pair in files for path in pair)
        UnansweredModel(*weights).save(out, dataset=" ".join(PARTS), data=data, notes={"recipe": "unanswered.toml"})
        print(out)


if __name__ == "__main__":
    main()
