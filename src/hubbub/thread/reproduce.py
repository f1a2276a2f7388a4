"""Running the rows of published tables: scores of models, agreement of annotators, statistics of annotated chats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from ..layers import ReplyGraph
from ..ml.datasets import Place, checksum, dataset, find, located
from ..ml.registry import AnyModel, load, make
from ..ml.task import evaluate, examples, train
from .data.annotations import MARK
from .data.chains import chain_conversations
from .data.loading import annotation_graphs
from .metrics import conversations, percent
from .reports.agreement import agreement, kappa
from .reports.error_types import error_types
from .reports.statistics import STATISTICS, Annotated, gaps
from .task import TASK

Figures = dict[str, float]


def figures(
    run: Mapping[str, Any], columns: Sequence[str], *, data: Place | None = None, models: Path | None = None
) -> dict[str, Any]:
    """What a row gives: its figures, the checksum of the data and the seed."""
    if "annotators" in run:
        return _annotators(run, data)
    if "statistic" in run:
        return _statistics(run, columns, data)
    if "mistakes" in run:
        chats, digest = _annotated(tuple(run["on"]), data)
        predicted = load(run["mistakes"]).predict([each.chat for each in chats])
        return {"figures": error_types([each.gold for each in chats], predicted), "checksum": digest, "seed": 0}
    result = evaluate(_model(run, data, models or Path("models")), run["on"], data=data)
    shown = {name: result.scores[name] for name in columns}
    return {"figures": shown, "checksum": result.checksum, "seed": run.get("seed", 0), "seconds": result.seconds}


def _model(run: Mapping[str, Any], data: Place | None, models: Path) -> AnyModel:
    """A model that is ready, one trained now or earlier, or an ensemble of several seeds."""
    if "ensemble" in run:
        folders = [str(_trained(run, seed, data, models)) for seed in range(run["seeds"])]
        return make(run["ensemble"], models=folders).fit([], [])
    if "train" in run:
        return load(_trained(run, run.get("seed", 0), data, models))
    return make(run["model"], **run.get("settings", {}))


def _trained(run: Mapping[str, Any], seed: int, data: Place | None, models: Path) -> Path:
    name, on, settings = run["model"], run["train"], run.get("settings", {})
    words = [name, on, *(f"{key}={value}" for key, value in settings.items()), str(seed)]
    folder = models / "-".join(words).replace("/", "-").replace(":", "-")
    if not (folder / "model.json").is_file():
        train(TASK, name, on, seed=seed, out=folder, data=data, settings=settings)
    return folder


def _annotators(run: Mapping[str, Any], data: Place | None) -> dict[str, Any]:
    """The mean agreement of every two annotators; of part of the chat, if `lines` says which."""
    home = located(dataset(run["dataset"]), data)
    if home is None:
        raise dataset(run["dataset"]).missing()
    if run["annotators"].endswith(".annot"):
        from .data.elsner import annotated, read_annotated

        files = annotated(sorted(home.glob(run["annotators"])))
        annotators = [[read_annotated(path)[1]] for path in files]
        pairs = [conversations(one, other) for one, other in combinations(annotators, 2)]
    else:
        files = sorted(home.glob(run["annotators"]))
        pairs = [_agreed(one, other, run.get("lines")) for one, other in combinations(_graphs(files), 2)]
    if not files:
        raise dataset(run["dataset"]).missing()
    means = {name: sum(each[name] for each in pairs) / len(pairs) for name in pairs[0]} if pairs else {}
    return {"figures": means, "checksum": checksum(files), "seed": 0}


def _graphs(files: Sequence[Path]) -> list[list[ReplyGraph]]:
    """For each annotator the graphs of all chats, in the same order and of the same lengths."""
    found: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for path in files:
        chat, _, who = path.name.partition(MARK)
        found.setdefault(who, {})[chat] = annotation_graphs(path).get("", [])
    chats = sorted({chat for each in found.values() for chat in each})
    lengths = {c: 1 + max(max(link) for each in found.values() for link in each.get(c, ())) for c in chats}
    return [[ReplyGraph.of(each.get(chat, ()), lengths[chat]) for chat in chats] for each in found.values()]


def _agreed(one: list[ReplyGraph], other: list[ReplyGraph], lines: Sequence[int] | None) -> Figures:
    if lines is None:
        return agreement(one, other)
    begin, end = lines
    parts = [[_conversations_within(graph, begin, end) for graph in graphs] for graphs in (one, other)]
    links = [
        [ReplyGraph(tuple(p if begin <= i < end else () for i, p in enumerate(graph.parents))) for graph in graphs]
        for graphs in (one, other)
    ]
    return {"kappa": kappa(*links), **conversations(*parts)}


def _conversations_within(graph: ReplyGraph, begin: int, end: int) -> ReplyGraph:
    """Part of a chat, its conversations as the whole has them."""
    of = {position: number for number, each in enumerate(graph.components()) for position in each}
    return chain_conversations([of[position] for position in range(begin, min(end, len(graph.parents)))])


def _statistics(run: Mapping[str, Any], columns: Sequence[str], data: Place | None) -> dict[str, Any]:
    """One figure of annotated chats; a gap is the share of gaps from so many minutes to below so many."""
    chats, digest = _annotated(tuple(run["on"]), data)
    if run["statistic"] == "gap":
        low, high = (60 * minutes for minutes in run["minutes"])
        found = gaps(chats)
        value = percent(sum(low <= gap < high for gap in found), len(found))
    else:
        value = STATISTICS[run["statistic"]](chats)
    return {"figures": dict.fromkeys(columns, value), "checksum": digest, "seed": 0}


@cache
def _annotated(on: tuple[str, ...], data: Place | None) -> tuple[list[Annotated], str]:
    loaded = [examples(TASK, find(each, data), "evaluate") for each in on]
    chats = [Annotated(c, g) for each in loaded for c, g in zip(each.inputs, each.golds, strict=True)]
    return chats, checksum([path for each in loaded for path in each.files])
