"""Files -> choices and which reply is the true one: the published CSV files, or dialogues that examples are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...errors import NoChats
from ...layers import Reply
from ...ml.task import Examples, Given
from ..metrics import Ranked
from . import ubuntu
from .dialogue import Dialogue, Utterance
from .examples import Choice, ReplyExample, evaluation_examples, training_examples
from .files import read_dialogues, read_examples
from .sample import SAMPLE


def load(given: Given) -> Examples[Choice, Ranked]:
    """CSV files as they are; of dialogues and of the Ubuntu logs, examples by the rules of 2015."""
    if given.name.startswith(ubuntu.NAME):
        found, kept, files = ubuntu.parts(given)
        return replace(examples(found, files), tuning=examples(kept) if kept else None)
    found = []
    dialogues: list[Dialogue] = []
    for file in given.files:
        if file.suffix.lower() == ".csv":
            found += read_examples(file)
        elif file.suffix.lower() in (".jsonl", ".tsv"):
            dialogues += read_dialogues(file)
    if dialogues:
        found += training_examples(dialogues) if given.use != "evaluate" else evaluation_examples(dialogues)
    if not found:
        raise NoChats(given.name, "examples are .csv files, dialogues .jsonl or .tsv files")
    return examples(found, given.files)


def examples(found: Sequence[ReplyExample], files: tuple[Path, ...] = ()) -> Examples[Choice, Ranked]:
    return Examples([each.choice() for each in found], [gold(each) for each in found], files)


def gold(example: ReplyExample) -> Ranked:
    """The candidates in order, the true one first and the only one that is right."""
    return (Reply(example.reply, 1.0), *(Reply(text, 0.0) for text in example.false))


def sample() -> Examples[Choice, Ranked]:
    """Examples of a dozen short dialogues between people who never met."""
    return examples(training_examples(sample_dialogues()))


def sample_dialogues() -> list[Dialogue]:
    made, position = [], 0
    for number, lines in enumerate(SAMPLE, 1):
        said = []
        for place, text in enumerate(lines):
            said.append(Utterance(position, None, f"person{number}{'ab'[place % 2]}", "", text, text))
            position += 1
        made.append(Dialogue(f"sample/{number}", tuple(said)))
    return made
