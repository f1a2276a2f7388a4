"""Next-utterance classification: dialogues of an archive as the files of the Ubuntu dialogue corpus (Lowe et al. 2015).

`train.csv` has a context, an utterance and a label; `valid.csv` and `test.csv` a context, the true next utterance and
nine distractors. `sources.jsonl` names the conversation and the messages of every row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from ...answer.data.addressees import MASK
from ...answer.data.dialogue import Dialogue, Utterance
from ...answer.data.examples import ReplyExample, evaluation_examples, training_examples
from ...answer.data.files import evaluation_rows, training_rows
from ...csv_output import CsvWriter
from ...errors import TooFew
from ...jsonl import dump
from ...output_files import Folder
from ..store import ArchiveStore
from .question_threads import ConversationMessages, conversation_numbers, conversations_of
from .training_examples import SPLITS, ExportReport, ExportRules, may_be_used, without_address

MIN_TURNS = 3  # as in the corpus
FILES = {"train": "train.csv", "dev": "valid.csv", "test": "test.csv"}
NOT_TWO, FEW_TURNS = "of one person or of more than two", f"of fewer than {MIN_TURNS} turns"


def write_nuc(archive: ArchiveStore, rules: ExportRules, report: ExportReport, folder: Folder, seed: int = 0) -> None:
    """Writes the three parts and their sources."""
    parts: dict[str, list[Dialogue]] = {split: [] for split in SPLITS}
    for split, dialogue in _dialogues(archive, rules, report):
        parts[split].append(dialogue)
    with folder.file("sources.jsonl") as sources:
        for split, found in parts.items():
            try:
                made = (
                    training_examples(found, seed=seed) if split == "train" else evaluation_examples(found, seed=seed)
                )
            except TooFew as error:
                raise TooFew(f"dialogues of two people in the {split} part", len(found), 10) from error
            rows = training_rows(made) if split == "train" else evaluation_rows(made)
            with folder.file(FILES[split]) as file:
                CsvWriter(file).rows(rows)
            sources.writelines(f"{dump(each)}\n" for each in _sources(FILES[split], made, found))


def _dialogues(archive: ArchiveStore, rules: ExportRules, report: ExportReport) -> Iterator[tuple[str, Dialogue]]:
    numbers = conversation_numbers(archive, rules.filters)[::-1]
    report.conversations = len(numbers)
    seen: set[bytes] = set()
    for each in conversations_of(archive, numbers):
        if len({said.author for said in each.messages}) != 2:
            report.left_out[NOT_TWO] += 1
            continue
        dialogue = _dialogue(each)
        if len(dialogue.turns()) < MIN_TURNS:
            report.left_out[FEW_TURNS] += 1
        elif may_be_used(each.messages, rules, report, seen, [said.text for said in each.messages]):
            split = report.split(each.messages[0].time)
            report.add(split, each.messages)
            yield split, dialogue


def _dialogue(conversation: ConversationMessages) -> Dialogue:
    """With names masked: a model must not find the reply by the name of who is addressed."""
    authors = {each.author.lower(): each.author for each in conversation.messages}
    said = []
    for each in conversation.messages:
        other = next(name for name in authors.values() if name.lower() != each.author.lower())
        text = without_address(each.text, authors.values())
        bare = " ".join(_masked(word, authors) for word in text.split())
        time = datetime.fromisoformat(each.time) if each.time else None
        said.append(Utterance(each.id, time, each.author, other, each.text, bare))
    return Dialogue(conversation.conversation_id, tuple(said))


def _masked(word: str, names: dict[str, str]) -> str:
    bare = word.strip("@,:;.!?()<>\"'")
    return word.replace(bare, MASK) if bare.lower() in names else word


def _sources(name: str, examples: Sequence[ReplyExample], dialogues: Sequence[Dialogue]) -> Iterator[dict[str, Any]]:
    """The row of each true reply, counted from 1 without the heading; false replies of training follow it."""
    messages = {each.name: [said.position for said in each.utterances] for each in dialogues}
    row = 1
    for each in examples:
        yield {"file": name, "row": row, "conversation": each.source, "messages": messages[each.source]}
        row += 1 + len(each.false) if name == FILES["train"] else 1
