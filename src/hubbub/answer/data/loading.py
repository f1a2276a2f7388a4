"""Files -> choices and which reply is the true one: the published CSV files, or dialogues that examples are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...errors import NoChats
from ...layers import Reply
from ...ml.task import Examples, ExampleSource
from ..metrics import Ranked
from . import ubuntu
from .dialogue import Dialogue, Utterance
from .examples import Choice, ReplyExample, evaluation_examples, training_examples
from .files import read_dialogues, read_examples
from .sample import SAMPLE


def load(source: ExampleSource) -> Examples[Choice, Ranked]:
    """CSV files as they are; of dialogues and of the Ubuntu logs, examples by the rules of 2015."""
    if source.name.startswith(ubuntu.NAME):
        found, tuning, files = ubuntu.parts(source)
        return replace(examples(found, files), tuning=examples(tuning) if tuning else None)
    found = []
    dialogues: list[Dialogue] = []
    for file in source.files:
        if file.suffix.lower() == ".csv":
            found += read_examples(file)
        elif file.suffix.lower() in (".jsonl", ".tsv"):
            dialogues += read_dialogues(file)
    if dialogues:
        found += training_examples(dialogues) if source.use != "evaluate" else evaluation_examples(dialogues)
    if not found:
        raise NoChats(source.name, "examples are .csv files, dialogues .jsonl or .tsv files")
    return examples(found, source.files)


def examples(found: Sequence[ReplyExample], files: tuple[Path, ...] = ()) -> Examples[Choice, Ranked]:
    return Examples([each.choice() for each in found], [gold(each) for each in found], files)


def gold(example: ReplyExample) -> Ranked:
    """The candidates in order, the true one first and the only one that is right."""
    return (Reply(example.reply, 1.0), *(Reply(text, 0.0) for text in example.false))


def sample() -> Examples[Choice, Ranked]:
    """Examples of a dozen short dialogues between people who never met."""
    return examples(training_examples(sample_dialogues()))


def sample_dialogues() -> list[Dialogue]:
    dialogues, position = [], 0
    for number, lines in enumerate(SAMPLE, 1):
        utterances = []
        for place, text in enumerate(lines):
            utterances.append(Utterance(position, None, f"person{number}{'ab'[place % 2]}", "", text, text))
            position += 1
        dialogues.append(Dialogue(f"sample/{number}", tuple(utterances)))
    return dialogues
