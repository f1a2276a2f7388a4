"""Running the rows of published tables: models of ours, answers that other systems gave, and whom the mentions mean.

A row has `model`, or `answers`, a file of ids beside the data, or `shares`, the part whose mentions are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..errors import Missing
from ..layers import Link
from ..ml.datasets import Place, checksum, find
from ..ml.registry import AnyModel, bundled, load, make, untrained
from ..ml.task import examples, train
from .data.loading import answered, read_answers
from .data.scene import Key
from .metrics import OTHERS, all_pairs, by_class, main_pairs, score
from .task import TASK

TRAIN, TEST = "friends:train", "friends:test"
MAIN, ALL = "main", "all"


def figures(
    run: Mapping[str, Any], columns: Sequence[str], *, data: Place | None = None, models: Path | None = None
) -> dict[str, Any]:
    """What a row gives on the test part, those named in `columns`; main:NAME and all:NAME are the F1 of a person."""
    gold_examples = examples(TASK, find(TEST, data), "evaluate")
    golds = cast("Sequence[Key]", gold_examples.golds)
    names = {person.id: person.names[0] for person in gold_examples.inputs[0].cast} | {OTHERS: "others"}
    if "shares" in run:
        training = examples(TASK, find(TRAIN, data), "train").golds
        found = _shares(golds, training if run["shares"] == "train" else golds, names)
    else:
        predicted = _predictions(run, gold_examples.inputs, data, models or Path("models"))
        parts = {MAIN: main_pairs(golds, predicted), ALL: all_pairs(golds, predicted)}
        found = score(golds, predicted) | {
            f"{part}:{names[person]}": rates.f
            for part, pairs in parts.items()
            for person, rates in by_class(pairs).items()
        }
    shown = {name: found[name] for name in columns}
    return {"figures": shown, "checksum": checksum(gold_examples.files), "seed": run.get("seed", 0)}


def _predictions(
    run: Mapping[str, Any], scenes: Sequence[Any], data: Place | None, models: Path
) -> list[Sequence[Link]]:
    if "model" in run:
        return _ready(run, data, models).predict(scenes)
    file = find(TEST, data).files[0].with_name(run["answers"])
    if not file.is_file():
        raise Missing(str(file))
    return list(answered(scenes, read_answers(file, sum(len(scene.mentions or ()) for scene in scenes))))


def _ready(run: Mapping[str, Any], data: Place | None, models: Path) -> AnyModel:
    """A model that ships or learns nothing, else one trained now or in an earlier run."""
    name, settings, seed = run["model"], run.get("settings", {}), run.get("seed", 0)
    if not settings and (name in bundled() or not untrained(make(name))):
        return load(name)
    words = [name, *(f"{key}={value}" for key, value in settings.items()), str(seed)]
    folder = models / "-".join(words).replace("/", "-")
    if not (folder / "model.json").is_file():
        train(TASK, name, TRAIN, seed=seed, out=folder, data=data, settings=settings)
    return load(folder)


def _shares(key: Sequence[Key], golds: Sequence[Sequence[Link]], names: Mapping[str, str]) -> dict[str, float]:
    """How many of the mentions in a hundred mean each person; others are those who are not in both parts."""
    people = [link.people[0] for gold in golds for link in gold]
    tested = {link.people[0] for gold in key for link in gold}
    both = tested & (key[0].known or tested)
    counts, total = Counter(people), len(people)
    found = {f"{part}:{names[each]}": 100 * count / total for each, count in counts.items() for part in (MAIN, ALL)}
    found["main:others"] = 100 * sum(count for each, count in counts.items() if each not in key[0].main) / total
    found["all:others"] = 100 * sum(count for each, count in counts.items() if each not in both) / total
    return found
