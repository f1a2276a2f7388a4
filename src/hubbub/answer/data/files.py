"""Dialogues and examples on disk: JSON lines of our own, and the published layouts of the 2015 corpus.

The corpus has a folder of TSV files (time, sender, recipient, utterance), one a dialogue, in folders named after the
number of turns; its examples are CSV files, `Context,Utterance,Label` to train on and `Context,Ground Truth
Utterance,Distractor_0..8` to be tested on, with `__eou__` after an utterance and `__eot__` after a turn.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from ...bounded_files import read_lines
from ...errors import Broken, Empty
from ...jsonl import dump
from ...text import controls_escaped, whole
from .dialogue import Dialogue, Utterance
from .examples import Context, ReplyExample

END_OF_UTTERANCE, END_OF_TURN, END_V1 = "__eou__", "__eot__", "__EOS__"
TRAIN = ("Context", "Utterance", "Label")
TEST = ("Context", "Ground Truth Utterance")


def dialogue_line(dialogue: Dialogue) -> str:
    rows = [{**each._asdict(), "time": each.time.isoformat() if each.time else None} for each in dialogue.utterances]
    return dump({"dialogue": dialogue.name, "utterances": rows})


def read_dialogues(path: Path) -> list[Dialogue]:
    """A file of JSON lines, one TSV file, or a folder of them."""
    if path.is_dir():
        return [_from_tsv(file) for file in sorted(path.rglob("*.tsv"))]
    return [_from_tsv(path)] if path.suffix == ".tsv" else list(_from_lines(path))


def _from_lines(path: Path) -> Iterator[Dialogue]:
    number = 0
    for number, line in enumerate(_lines(path), 1):
        try:
            record = json.loads(line)
            yield Dialogue(record["dialogue"], tuple(_utterance(row) for row in record["utterances"]))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Broken(str(path), f"line {number} is no dialogue: {error}") from error
    if not number:
        raise Empty(str(path))


def _utterance(row: Mapping[str, str]) -> Utterance:
    time = datetime.fromisoformat(row["time"]) if row["time"] is not None else None
    words = [row[key] for key in ("sender", "recipient", "text", "bare")]
    if not all(isinstance(word, str) for word in words):
        raise TypeError("a field of the wrong kind")
    return Utterance(int(row["position"]), time, *words)


def _from_tsv(path: Path) -> Dialogue:
    rows = []
    for number, line in enumerate(_lines(path), 1):
        parts = line.split("\t", 3)
        if len(parts) != 4:
            raise Broken(str(path), f"line {number} has {len(parts)} columns, not time, sender, recipient, utterance")
        rows.append(parts)
    people = {name.lower() for _, sender, recipient, _ in rows for name in (sender, recipient) if name}
    utterances = []
    for number, (time, sender, recipient, text) in enumerate(rows):
        # The text without the names of the people of the dialogue.
        bare = " ".join(word for word in text.split() if word.strip(":,;.!?>@").lower() not in people)
        utterances.append(Utterance(number, _time(time), sender, recipient, text, bare))
    return Dialogue(f"{path.parent.name}/{path.stem}", tuple(utterances))


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def tsv_files(dialogues: Iterable[Dialogue]) -> Iterator[tuple[str, str]]:
    """(path, content) of the tree: a folder for each number of turns, files numbered within."""
    numbers: Counter[int] = Counter()
    for dialogue in dialogues:
        turns = len(dialogue.turns())
        numbers[turns] += 1
        yield f"{turns}/{numbers[turns]}.tsv", "".join(map(_tsv_line, dialogue.utterances))


def _tsv_line(utterance: Utterance) -> str:
    """Cells on one line each, without control characters."""
    cells = (
        controls_escaped(whole(" ".join(cell.split())))
        for cell in (utterance.sender, utterance.recipient, utterance.text)
    )
    return "\t".join((utterance.time.isoformat() if utterance.time else "", *cells)) + "\n"


def context_text(context: Context) -> str:
    """Utterances and turns with their marks, as the second version of the corpus writes them."""
    turns = (" ".join(f"{each} {END_OF_UTTERANCE}" for each in turn) for turn in context)
    return " ".join(f"{turn} {END_OF_TURN}" for turn in turns)


def context_of(text: str) -> Context:
    """The turns of a written context, of either version."""
    if END_OF_TURN not in text and END_OF_UTTERANCE not in text:
        return tuple((part.strip(),) for part in text.split(END_V1) if part.strip())
    turns = (
        tuple(part.strip() for part in turn.split(END_OF_UTTERANCE) if part.strip()) for turn in text.split(END_OF_TURN)
    )
    return tuple(turn for turn in turns if turn)


def training_rows(examples: Iterable[ReplyExample]) -> Iterator[Sequence[str]]:
    yield TRAIN
    for each in examples:
        context = context_text(each.context)
        yield context, _closed(each.reply), "1"
        yield from ((context, _closed(false), "0") for false in each.false)


def evaluation_rows(examples: Sequence[ReplyExample]) -> Iterator[Sequence[str]]:
    width = max((len(each.false) for each in examples), default=0)
    yield (*TEST, *(f"Distractor_{number}" for number in range(width)))
    for each in examples:
        yield (context_text(each.context), _closed(each.reply), *map(_closed, each.false))


def _closed(reply: str) -> str:
    return f"{reply} {END_OF_UTTERANCE}"


def read_examples(path: Path) -> list[ReplyExample]:
    """The examples of a published CSV file, with labels or with distractors."""
    rows = csv.reader(_lines(path))
    try:
        header = [name.strip() for name in next(rows, [])]
        if not header:
            raise Empty(str(path))
        if tuple(header[:2]) == TEST:
            return [_tested(row, path, number) for number, row in enumerate(rows, 2) if row]
        if tuple(header) == TRAIN:
            return _labelled(rows, path)
    except csv.Error as error:
        raise Broken(str(path), f"line {rows.line_num}: {error}") from error
    expected = f"{','.join(TRAIN)} or {','.join(TEST)},Distractor_0,..."
    raise Broken(str(path), f"its first line is not {expected}")


def _tested(row: list[str], path: Path, number: int) -> ReplyExample:
    if len(row) < 3:
        raise Broken(str(path), f"row {number} has no distractors")
    return ReplyExample(
        context_of(row[0]), _opened(row[1]), tuple(map(_opened, row[2:])), source=f"{path.name}:{number}"
    )


def _labelled(rows: Iterator[list[str]], path: Path) -> list[ReplyExample]:
    """True replies, each with the false ones of the rows that have the same context."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for number, row in enumerate(rows, 2):
        if len(row) != 3 or row[2].strip() not in ("0", "1", "0.0", "1.0"):
            raise Broken(str(path), f"row {number} is no context, utterance and label of 0 or 1")
        true, false = found.setdefault(row[0], ([], []))
        (true if row[2].strip().startswith("1") else false).append(_opened(row[1]))
    return [
        ReplyExample(context_of(context), reply, tuple(false), source=path.name)
        for context, (true, false) in found.items()
        for reply in true
    ]


def _opened(reply: str) -> str:
    return " ".join(reply.replace(END_OF_UTTERANCE, " ").replace(END_OF_TURN, " ").split())


def _lines(path: Path) -> Iterator[str]:
    return (line for line in read_lines(path) if line.strip())
