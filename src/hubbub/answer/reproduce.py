"""Running the rows of published tables: statistics and accuracy of dialogues, and models that rank replies.

A row has `model` with its training and test data, or `statistics` or `against`, a way of extraction whose dialogues are
counted or compared with annotated conversations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..chat import Chat, Message
from ..layers import ReplyGraph
from ..ml.datasets import Place, checksum, find
from ..ml.registry import AnyModel, bundled, load
from ..ml.task import annotated_chats, evaluate, train, whole_chat
from .data.extraction import dialogues
from .reports.statistics import statistics
from .task import TASK

KINDS = ("exact", "subset", "superset", "mixed", "prefix", "wrong_start")


def figures(
    run: Mapping[str, Any], columns: Sequence[str], *, data: Place | None = None, models: Path | None = None
) -> dict[str, Any]:
    """What a row gives: its figures, the checksum of the data and the seed."""
    if "statistics" in run:
        return _statistics(run, data)
    if "against" in run:
        return _against(run, data)
    result = evaluate(_ready(run, data, models or Path("models")), run["on"], data=data)
    shown = {name: result.scores[name] for name in columns}
    return {"figures": shown, "checksum": result.checksum, "seed": run.get("seed", 0), "seconds": result.seconds}


def _ready(run: Mapping[str, Any], data: Place | None, models: Path) -> AnyModel:
    """The model that ships if the row says nothing of training, else one trained now or in an earlier run."""
    name, settings, seed = run["model"], run.get("settings", {}), run.get("seed", 0)
    if "train" not in run and name in bundled():
        return load(name)
    words = [name, run["train"], *(f"{key}={value}" for key, value in settings.items()), str(seed)]
    folder = models / "-".join(words).replace("/", "-").replace(":", "-")
    if not (folder / "model.json").is_file():
        train(TASK, name, run["train"], seed=seed, out=folder, data=data, settings=settings)
    return load(folder)


def _statistics(run: Mapping[str, Any], data: Place | None) -> dict[str, Any]:
    """Of all days of a channel as one chat, as the corpus was made."""
    found = find(run["on"], data)
    channels: dict[str, list[Message]] = {}
    for file in found.files:
        channels.setdefault(file.name, []).extend(whole_chat(file, found.format))
    rows = [
        each
        for name, messages in channels.items()
        for each in dialogues(Chat(name, tuple(messages)), run["statistics"])
    ]
    return {"figures": statistics(rows), "checksum": checksum(found.files), "seed": 0}


def _against(run: Mapping[str, Any], data: Place | None) -> dict[str, Any]:
    """The shares of dialogues that are exact, prefixes, or wrong in some way, over annotated messages only."""
    count, files = Counter[str](), list[Path]()
    for on in run["on"]:
        annotated = annotated_chats(on, data)
        files += annotated.files
        for chat, gold in zip(annotated.inputs, annotated.golds, strict=True):
            for dialogue in dialogues(chat, run["against"]):
                predicted = [each.position for each in dialogue.utterances if gold.parents[each.position]]
                if len(predicted) > 1:
                    count.update(("all", *_kinds(predicted, _best_gold_conversation(predicted, gold))))
    shares = {kind: 100 * count[kind] / max(1, count["all"]) for kind in KINDS}
    return {"figures": shares | {"dialogues": count["all"]}, "checksum": checksum(files), "seed": 0}


def _best_gold_conversation(predicted: Sequence[int], gold: ReplyGraph) -> list[int]:
    """The annotated messages of the gold conversation that shares most messages with a dialogue."""
    conversations = [each for each in gold.components() if set(predicted) & set(each)]
    most = max(conversations, key=lambda each: len(set(predicted) & set(each)))
    return [position for position in most if gold.parents[position]]


def _kinds(predicted: list[int], true: list[int]) -> Iterator[str]:
    """Whether a dialogue is exact, only lacks messages, only has too many, or both; a prefix lacks only the end."""
    inside, around = set(predicted) <= set(true), set(true) <= set(predicted)
    yield "exact" if inside and around else "subset" if inside else "superset" if around else "mixed"
    if inside and not around and true[: len(predicted)] == predicted:
        yield "prefix"
    if predicted[0] != true[0]:
        yield "wrong_start"
