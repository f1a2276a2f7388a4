"""Training and evaluation, once for all tasks. A task only supplies its `Task`.

Tasks are listed by name, like models, and imported when they are needed. They never import each other: a task whose
gold is a log with annotations gets the way to read and to thread chats with its files (`ExampleSource`).
"""

from __future__ import annotations

import logging
import platform
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from .. import __version__
from ..chat import Chat
from ..errors import Broken, OptionError, UnknownName
from ..jsonl import dump
from ..layers import ReplyGraph
from ..text import plural
from .datasets import FoundFiles, Place, checksum, find, looking_in
from .parameters import parameters_of
from .registry import (
    AnyModel,
    bundled_card,
    load,
    load_with_card,
    make,
    must_be_for,
    name_of,
    names,
    save,
    task_of,
    untrained,
)
from .storage import Card, must_be_writable

log = logging.getLogger(__name__)

X = TypeVar("X")
Y = TypeVar("Y")

TASKS: dict[str, str] = {
    "answer": "hubbub.answer.task:TASK",
    "intent": "hubbub.intent.task:TASK",
    "mentions": "hubbub.people.task:MENTIONS",
    "people": "hubbub.people.task:TASK",
    "thread": "hubbub.thread.task:TASK",
}

Use = Literal["train", "more", "evaluate"]  # more: training of a trained model continues
Reader = Callable[[Path], Chat]


@dataclass(frozen=True, slots=True)
class Examples(Generic[X, Y]):
    """Inputs, the gold for each, and the files they were made from.

    `tuning` is the validation part, for thresholds and other choices, where the data has one: `fit` takes it as a
    keyword. `training` is the training part, where the same files hold it beside the examples to evaluate on.
    """

    inputs: Sequence[X]
    golds: Sequence[Y]
    files: tuple[Path, ...] = ()
    tuning: Examples[X, Y] | None = None
    training: Examples[X, Y] | None = None


@dataclass(frozen=True, slots=True)
class ExampleSource:
    """What a task makes examples of: files, their use, and ways to read and to thread those that are chats."""

    name: str
    files: tuple[Path, ...]
    use: Use
    read: Reader
    reply_graph: Callable[[Chat], ReplyGraph] = field(default=lambda chat: _reply_graph(chat))


@dataclass(frozen=True, slots=True)
class Task(Generic[X, Y]):
    """What training and evaluation need to know of a task.

    `inputs` makes the inputs of a chat that has no gold; `sample` is a tiny built-in set of examples; `default` is
    the model that is meant when none is named; `plain` makes examples of lists that users have in memory.
    """

    name: str
    load: Callable[[ExampleSource], Examples[X, Y]]
    inputs: Callable[[Chat], Sequence[X]]
    score: Callable[[Sequence[Y], Sequence[Y]], Mapping[str, float]]
    sample: Callable[[], Examples[X, Y]]
    default: str
    plain: Callable[[Sequence[Any], Sequence[Any]], Examples[X, Y]] | None = None


AnyTask = Task[Any, Any]


def task(name: str) -> AnyTask:
    """The task of that name, imported now."""
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    module, _, attribute = TASKS[name].partition(":")
    found: AnyTask = getattr(import_module(module), attribute)
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """Scores, and everything that is needed to get the same ones again. `seconds` is what predicting took."""

    task: str
    model: str
    dataset: str
    split: str
    scores: Mapping[str, float]
    checksum: str
    seed: int
    seconds: float
    parameters: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__
    commit: str = ""
    python: str = field(default_factory=platform.python_version)

    def as_dict(self) -> dict[str, Any]:
        """Flat: the scores stand beside the rest."""
        record = asdict(self)
        scores = record.pop("scores")
        return {"result": 1, **{k: record.pop(k) for k in ("task", "model", "dataset", "split")}, **scores, **record}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Result:
        own = {each.name for each in fields(cls)} - {"scores"}
        scores = {key: value for key, value in record.items() if key not in own and key != "result"}
        return cls(scores=scores, **{key: value for key, value in record.items() if key in own})

    def json(self) -> str:
        return dump(self.as_dict())


def examples(of: AnyTask, found: FoundFiles, use: Use) -> Examples[Any, Any]:
    """The inputs and golds of a dataset's split or of the user's files."""
    return of.load(ExampleSource(str(found), found.files, use, lambda path: whole_chat(path, found.format)))


def annotated_chats(on: Place, data: Place | None = None) -> Examples[Chat, ReplyGraph]:
    """Chats with their gold reply graphs, for tasks that are compared with annotated conversations."""
    return examples(task("thread"), find(on, data), "evaluate")


def _reply_graph(chat: Chat) -> ReplyGraph:
    graph: ReplyGraph = _default_threader().predict([chat])[0]
    return graph


@cache
def _default_threader() -> AnyModel:
    return load(task("thread").default)


def train(
    which: str | AnyTask,
    model: str | AnyModel | None,
    on: Place | Sequence[Place],
    *,
    seed: int = 0,
    out: Place | None = None,
    data: Place | None = None,
    settings: Mapping[str, Any] | None = None,
    check: Place | Sequence[Place] | None = None,
) -> AnyModel:
    """A model, by name with its settings or as it is, trained on the data; saved if `out` names a folder.

    `check` names data on which the saved model's card has scores.
    """
    of = task(which) if isinstance(which, str) else which
    prepared = _made(of, model, settings)
    if out is not None:
        must_be_writable(Path(out))
    # What would fail after hours of training is tried before it.
    if check:
        find(check, data)
    found = find(on, data)
    with looking_in(data):
        loaded = examples(of, found, "train" if untrained(prepared) else "more")
        start = time.perf_counter()
        fitted = fit(prepared, loaded, seed)
    seconds = round(time.perf_counter() - start, 3)
    if out is not None:
        checked = evaluate(fitted, check, data=data) if check else None
        made_of = {"dataset": str(found), "data": checksum(loaded.files), "seed": seed, "seconds": seconds}
        notes = {"scores_on": f"{checked.dataset}:{checked.split}", "scores_data": checked.checksum} if checked else {}
        save(fitted, out, **made_of, scores=checked.scores if checked else {}, notes=notes)
    return fitted


def train_in_memory(
    which: str,
    model: str | AnyModel | None,
    inputs: Sequence[Any],
    golds: Sequence[Any],
    *,
    seed: int = 0,
    out: Place | None = None,
    settings: Mapping[str, Any] | None = None,
) -> AnyModel:
    """The same for examples in memory, as the task has them or in the plain form that `Task.plain` takes."""
    of = task(which)
    prepared = _made(of, model, settings)
    if out is not None:
        must_be_writable(Path(out))
    loaded = of.plain(inputs, golds) if of.plain else Examples(inputs, golds)
    fitted = fit(prepared, loaded, seed)
    if out is not None:
        save(fitted, out, dataset="in memory", seed=seed)
    return fitted


def _made(of: AnyTask, model: str | AnyModel | None, settings: Mapping[str, Any] | None) -> AnyModel:
    """The model of the task by name with its settings, or as it is."""
    chosen = of.default if model is None else model
    prepared = make(chosen, **(settings or {})) if isinstance(chosen, str) else chosen
    must_be_for(of.name, name_of(prepared), name_of(prepared))
    return prepared


def fit(model: AnyModel, examples: Examples[Any, Any], seed: int = 0) -> AnyModel:
    """The model fitted to examples, its choices made on the part that is kept for them, if there is one."""
    options = {"tuning": (examples.tuning.inputs, examples.tuning.golds)} if examples.tuning else {}
    try:
        return model.fit(examples.inputs, examples.golds, seed=seed, **options)
    except MemoryError as error:
        raise OptionError("--set", "and --on", "there is not enough memory to train this model on this data") from error


def evaluate(
    model: str | Path | AnyModel,
    on: Place | Sequence[Place],
    *,
    data: Place | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Result:
    """The scores of a model, by name, by folder or as it is, on a dataset's split or the user's files.

    Data that brings its own training part is the exception for a model that is given by name: it is trained on that
    part first, unless the bundled one was trained on just that and neither seed nor settings ask for another.
    """
    of = task(task_of(model))
    found = find(on, data)
    with looking_in(data):
        loaded = examples(of, found, "evaluate")
    used, card = _ready(of, model, found, loaded, seed, settings or {})
    start = time.perf_counter()
    predictions = used.predict(loaded.inputs)
    seconds = round(time.perf_counter() - start, 3)
    return Result(
        of.name,
        card.name,
        found.name,
        found.split,
        dict(of.score(loaded.golds, predictions)),
        checksum(loaded.files),
        card.seed,
        seconds,
        dict(card.parameters),
        commit=commit(),
    )


def _ready(
    of: AnyTask,
    model: str | Path | AnyModel,
    found: FoundFiles,
    loaded: Examples[Any, Any],
    seed: int | None,
    settings: Mapping[str, Any],
) -> tuple[AnyModel, Card]:
    """The model as it is to be scored, trained first where the data says on what."""
    if isinstance(model, str) and model in names() and loaded.training is not None:
        must_be_for(of.name, model, model)
        ready = bundled_card(model)
        if ready is None or seed is not None or settings or ready.data != checksum(loaded.files):
            fresh, count = make(model, **settings), plural(len(loaded.training.inputs), "example")
            log.warning("%s is trained first, on the training part of %s (%s)", model, found, count)
            fit(fresh, loaded.training, seed or 0)
            return fresh, Card(model, parameters_of(fresh), seed=seed or 0)
    elif seed is not None or settings:
        raise OptionError(
            "--seed or --set", "makes no sense here", "they are for a model that is trained on the data first"
        )
    used, card = (
        load_with_card(model, of.name)
        if isinstance(model, str | Path)
        else (model, Card(name_of(model), parameters_of(model)))
    )
    must_be_for(of.name, card.name, card.name)
    return used, card


def whole_chat(path: Path, format: str | None = None) -> Chat:
    """The one chat in a file, in which every line became a message, so that gold line numbers are positions.

    Authors are those of the file, as its annotators saw them: figures do not depend on which relays are recognised.
    """
    from ..read.reading import stream as stream_chats

    chats: list[Chat] = []
    for stream in stream_chats(path, format=format, bridges=False):
        chats.append(stream.chat())
        report = stream.report
        if left := report.remarks:
            raise Broken(str(path), f"line {left[0].line} is no message, so line numbers are no positions")
        if report.continued:
            raise Broken(str(path), "a line of it goes on with the message above, so line numbers are no positions")
        if report.left_out:
            raise Broken(str(path), report.left_out[0].reason)
    if len(chats) != 1:
        raise Broken(str(path), f"it holds {len(chats)} chats, and an annotation is for one")
    return chats[0]


@cache
def commit() -> str:
    """The git commit of this code when it runs from a checkout, with a + when files were changed since; else ""."""
    top = Path(__file__).resolve().parents[3]
    if not (top / ".git").exists():
        return ""
    head, changes = _git(top, "rev-parse", "--short=12", "HEAD"), _git(top, "status", "--porcelain", "-uno")
    return f"{head}+" if head and changes else head


def _git(top: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(top), *words], capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
