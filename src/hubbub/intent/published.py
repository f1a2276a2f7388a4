"""Running the rows of published tables: a classifier trained and tested under each condition of its row."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..datasets import Place, checksum, find
from ..task import evaluate
from .task import TASK

# Condition -> what it is trained and tested on, and what the first of two stages learns from.
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
    """What a row gives under all of its conditions, each figure named condition:score; `each` has their settings."""
    start, found, files = time.perf_counter(), dict[str, float](), list[Path]()
    seed = run.get("seed", 0)
    for condition in run["on"]:
        on, gate = CONDITIONS[condition]
        settings = {**run.get("settings", {}), **run.get("each", {}).get(condition, {})}
        files += find(on, data).files
        if gate:
            settings["gate"] = str(find(gate, data).files[0])
            files += find(gate, data).files
        result = evaluate(TASK, run["model"], on, data=data, seed=seed, settings=settings)
        found |= {f"{condition}:{name}": value for name, value in result.scores.items()}
    seconds = round(time.perf_counter() - start, 1)
    return {"figures": found, "checksum": checksum(files), "seed": seed, "seconds": seconds}
