"""Running the rows of published tables: a classifier trained and tested under each condition of its row.

A row's `settings` are for all of its conditions, `each` has those of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..ml.datasets import Place, checksum, find
from ..ml.task import evaluate, train
from .task import TASK

# Condition -> its data, and the training data of the binary classifier.
CONDITIONS: dict[str, tuple[str, str]] = {
    "full": ("clinc:full", ""),
    "small": ("clinc:small", ""),
    "imbalanced": ("clinc:imbalanced", ""),
    "oos_plus": ("clinc:oos_plus", ""),
    "under": ("clinc:oos_plus", "clinc:binary_undersample"),
    "wiki": ("clinc:oos_plus", "clinc:binary_wiki_aug"),
}


def figures(
    run: Mapping[str, Any], columns: Sequence[str], *, data: Place | None = None, models: Path | None = None
) -> dict[str, Any]:
    """What a row gives under all of its conditions, each figure named condition:score."""
    found, files = dict[str, float](), list[Path]()
    for condition in run["on"]:
        result = evaluate(_trained(run, condition, data, models or Path("models")), _on(condition), data=data)
        found |= {f"{condition}:{name}": value for name, value in result.scores.items()}
        files += [file for name in CONDITIONS[condition] if name for file in find(name, data).files]
    return {"figures": found, "checksum": checksum(files), "seed": run.get("seed", 0)}


def _trained(run: Mapping[str, Any], condition: str, data: Place | None, models: Path) -> Path:
    """The folder of the row's model for a condition, trained now if it is not there from an earlier run."""
    settings = {**run.get("settings", {}), **run.get("each", {}).get(condition, {})}
    words = [run["model"], condition, *(f"{key}={value}" for key, value in settings.items()), str(run.get("seed", 0))]
    folder = models / "-".join(words).replace("/", "-").replace(":", "-")
    if scope_data := CONDITIONS[condition][1]:
        settings["scope_data"] = str(find(scope_data, data).files[0])
    if not (folder / "model.json").is_file():
        train(TASK, run["model"], _on(condition), seed=run.get("seed", 0), out=folder, data=data, settings=settings)
    return folder


def _on(condition: str) -> str:
    return CONDITIONS[condition][0]
