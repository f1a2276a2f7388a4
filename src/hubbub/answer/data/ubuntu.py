"""Examples of the Ubuntu logs: #ubuntu of 22 to 24 January 2013 is the test part, the 19th to 21st the dev part.

The training part has all channels of the days before and the annotated logs (irc:train) except those of January 2013,
so that it shares no day with dev and test. The name of a split says how its dialogues are extracted: as in 2015 if it
says no more, else `threads`, or `helpers` for replies of helpers only, or `any` for all conversations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from ...chat import Chat
from ...ml.datasets import find
from ...ml.task import ExampleSource
from .dialogue import Dialogue
from .examples import ReplyExample, evaluation_examples, training_examples
from .extraction import dialogues

NAME = "ubuntu-logs:"
TEST_MONTH = (2013, 1)  # no annotated log of the month of dev and test may be trained on
TUNING_DAYS = (date(2013, 1, 16), date(2013, 1, 17), date(2013, 1, 18))  # the last days before those of dev
ANNOTATED = "irc:train"
VARIANTS_WITH_TUNING = ("any", "rest")
DAYS_TOGETHER = 3  # days in one chat: addressees may have spoken the day before
CONTEXTS_PER_DIALOGUE = 6  # several contexts a dialogue, so that three days are enough for tuning


def parts(source: ExampleSource) -> tuple[list[ReplyExample], list[ReplyExample], tuple[Path, ...]]:
    """The examples of a split, those that are kept for choices, and the files of both."""
    split, _, variant = source.name.removeprefix(NAME).partition("-")
    if split != "train":
        found = _dialogues(source, source.files, "threads" if variant == "threads" else "lowe")
        return evaluation_examples(found, helpers=variant == "helpers"), [], source.files
    files = (*source.files, *annotated())
    if variant not in VARIANTS_WITH_TUNING:
        return training_examples(_dialogues(source, files, variant or "lowe")), [], files
    tuning_files = [file for file in files if day(file) in TUNING_DAYS]
    rest = [file for file in files if day(file) not in TUNING_DAYS]
    training = _dialogues(source, rest, "lowe") if variant == "rest" else _together(source, rest)
    # For tuning as in testing, but several of each dialogue, so that there are enough.
    dialogues = _dialogues(source, tuning_files, "lowe")
    seeds = range(1, CONTEXTS_PER_DIALOGUE + 1)
    tuning = [each for seed in seeds for each in evaluation_examples(dialogues, seed=seed)]
    tuning += evaluation_examples(dialogues, seed=CONTEXTS_PER_DIALOGUE + 1, helpers=True)
    return training_examples(training, least=1), tuning, files


def annotated() -> tuple[Path, ...]:
    """The annotated logs but those of the month that is tested on."""
    logs = (file for file in find(ANNOTATED).files if file.name.endswith(".raw.txt"))
    return tuple(file for file in logs if (day(file).year, day(file).month) != TEST_MONTH)


def day(file: Path) -> date:
    """The day that a log is of: YYYY-MM/DD/#channel.txt, or YYYY-MM-DD.name.txt."""
    text = file.name[:10] if not file.name.startswith("#") else f"{file.parts[-3]}-{file.parts[-2]}"
    return date.fromisoformat(text)


def _together(source: ExampleSource, files: Sequence[Path]) -> list[Dialogue]:
    """Dialogues of all three kinds, without those whose messages are the same as another's."""
    found: dict[tuple[str, ...], Dialogue] = {}
    for how in ("lowe", "any"):
        for number, each in enumerate(_dialogues(source, files, how)):
            texts = tuple(turn.text for turn in each.turns())
            found.setdefault(texts, Dialogue(f"{how}/{number}", each.utterances))
    return list(found.values())


def _dialogues(source: ExampleSource, files: Iterable[Path], how: str) -> list[Dialogue]:
    """Named after their logs, so that a position belongs to one log."""
    found: list[Dialogue] = []
    for chat in _chats(source, files):
        found += dialogues(chat, how, source.reply_graph(chat) if how != "lowe" else None)
    return found


def _chats(source: ExampleSource, files: Iterable[Path]) -> Iterator[Chat]:
    """A few days of a channel at a time, so that names of the day before are known."""
    grouped: dict[tuple[str, str, int], list[Path]] = defaultdict(list)
    for file in files:
        channel, of = file.name if file.name.startswith("#") else str(file), day(file)
        grouped[channel, f"{of:%Y-%m}", (of.day - 1) // DAYS_TOGETHER].append(file)
    for group in grouped.values():
        messages = tuple(message for file in sorted(group) for message in source.read(file))
        yield Chat(f"{day(group[0])}/{group[0].name}", messages)
