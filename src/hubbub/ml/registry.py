"""The protocol of models, the table of their names, and how they are created, saved and loaded.

A model is a dataclass: its fields are its parameters; what it learns are fields that end in `_` and start as None.
Models are known by name; the table holds strings, so that nothing is imported before it is made. Other packages add
theirs by an entry point in the group "hubbub.models".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from reprlib import repr as short_repr
from typing import Any, Protocol, Self, TypeVar

from ..errors import Missing, ModelError, OptionError, UnknownName
from .model_schema import Mismatch, Schema
from .parameters import checked, cut, learnt_names, parameters_of
from .storage import STATE, WEIGHTS, Card, read_card, read_state, write_folder

X = TypeVar("X", contravariant=True)
Y = TypeVar("Y")

GROUP = "hubbub.models"
MAX_SHOWN = 200  # characters of an unknown name that an error shows

MODELS: dict[str, str] = {
    "answer/bm25": "hubbub.answer.models.bm25:Bm25",
    "answer/encoder": "hubbub.answer.models.encoder:EncoderRanker",
    "answer/esim": "hubbub.answer.models.esim:Esim",
    "answer/hubbub": "hubbub.answer.models.hubbub:HubbubRanker",
    "answer/lstm": "hubbub.answer.models.lstm:Lstm",
    "answer/rnn": "hubbub.answer.models.rnn:Rnn",
    "answer/tfidf": "hubbub.answer.models.tfidf:TfIdf",
    "intent/accurate": "hubbub.intent.models.accurate:Accurate",
    "intent/cnn": "hubbub.intent.models.cnn:Cnn",
    "intent/fast": "hubbub.intent.models.fast:Fast",
    "intent/fasttext": "hubbub.intent.models.fasttext:FastText",
    "intent/mlp": "hubbub.intent.models.mlp:Mlp",
    "intent/svm": "hubbub.intent.models.svm:Svm",
    "intent/transformer": "hubbub.intent.models.transformer:Transformer",
    "mentions/tagger": "hubbub.people.models.mentions.tagger:Tagger",
    "people/amore": "hubbub.people.models.amore:Amore",
    "people/cast": "hubbub.people.models.cast:Cast",
    "people/hubbub": "hubbub.people.models.hubbub:HubbubLinker",
    "people/knu": "hubbub.people.models.knu:Knu",
    "people/speaker": "hubbub.people.models.speaker:Speaker",
    "thread/elsner": "hubbub.thread.models.elsner:Elsner",
    "thread/feedforward": "hubbub.thread.models.feedforward:Feedforward",
    "thread/hubbub": "hubbub.thread.models.hubbub:HubbubThreader",
    "thread/intersect": "hubbub.thread.models.intersect:Intersect",
    "thread/linear": "hubbub.thread.models.linear:Linear",
    "thread/live": "hubbub.thread.models.live:Live",
    "thread/lowe": "hubbub.thread.models.lowe:Lowe",
    "thread/previous": "hubbub.thread.models.previous:Previous",
    "thread/union": "hubbub.thread.models.union:Union",
    "thread/vote": "hubbub.thread.models.vote:Vote",
}


class Model(Protocol[X, Y]):
    """What every model can do, whatever its task.

    Tasks whose data has a validation part pass it to `fit` as a further keyword, `tuning`. A model that continues from
    its state when it is fitted again has the class attribute `continues_training`; others start from scratch. A method
    `schema` declares what `restore` accepts (see ml/model_schema.py); every model of hubbub has one, and a state that
    does not match it is refused before `restore` sees it.
    """

    def fit(self, inputs: Sequence[X], golds: Sequence[Y], *, seed: int = 0) -> Self: ...
    def predict(self, inputs: Sequence[X]) -> list[Y]: ...
    def state(self) -> Mapping[str, Any]: ...
    def restore(self, state: Mapping[str, Any]) -> Self: ...


AnyModel = Model[Any, Any]


class BaseModel:
    """A base class for models: the state is the fields that end in `_`; other fields are parameters."""

    def __repr__(self) -> str:
        """The parameters that differ from their defaults; arrays of weights would fill pages."""
        defaults = {each.name: each.default for each in fields(self)}  # type: ignore[arg-type]
        changed = {name: value for name, value in parameters_of(self).items() if value != defaults[name]}
        return f"{type(self).__name__}({', '.join(f'{name}={short_repr(value)}' for name, value in changed.items())})"

    def schema(self) -> Schema:
        return Schema(open=bool(learnt_names(type(self))))

    def state(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in learnt_names(type(self))}

    def restore(self, state: Mapping[str, Any]) -> Self:
        for name in learnt_names(type(self)):
            setattr(self, name, state[name])
        return self


def names() -> dict[str, str]:
    """Every known model: name -> "module:Class", hubbub's own and those of other packages, sorted."""
    from importlib.metadata import entry_points

    others = {point.name: point.value for point in entry_points(group=GROUP)}
    return dict(sorted((others | MODELS).items()))


def model_class(name: str) -> type[AnyModel]:
    """The class behind a name, imported now."""
    known = MODELS if name in MODELS else names()
    if name not in known:
        raise UnknownName("model", name, known)
    module, _, attribute = known[name].partition(":")
    try:
        found: type[AnyModel] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ModelError(name, f"its code does not import: {error}") from error
    return found


def make(name: str, /, **parameters: Any) -> AnyModel:
    """A new, untrained model; strings are turned into the types of its parameters."""
    kind = model_class(name)
    return kind(**checked(name, kind, parameters))


def name_of(model: AnyModel) -> str:
    """The name under which a model's class is known."""
    kind = type(model)
    home = f"{kind.__module__}:{kind.__qualname__}"
    for name, place in names().items():
        if place == home:
            return name
    raise ModelError(home, f"its class has no name; give it one by an entry point in the group {GROUP!r}")


def task_in_name(name: str) -> str:
    """The task of a model is the first part of its name."""
    return name.partition("/")[0]


def untrained(model: AnyModel) -> bool:
    """Whether a field that training sets is still None."""
    return any(getattr(model, name) is None for name in learnt_names(type(model)))


def bundled() -> dict[str, Traversable]:
    """Name -> folder of every registered model whose trained weights ship with the package."""
    home = files("hubbub").joinpath("data", "models")
    folders = {name: home.joinpath(*name.split("/")) for name in MODELS}
    return {name: folder for name, folder in folders.items() if folder.joinpath("model.json").is_file()}


def bundled_card(name: str) -> Card | None:
    """The card of a bundled model."""
    return read_card(bundled()[name]) if name in bundled() else None


def save(model: AnyModel, folder: str | Path, **card: Any) -> Path:
    """Writes the model to a folder, whole or not at all; `card` has further fields of its card (seed, scores ...)."""
    written, state = Card(name_of(model), parameters_of(model), **card), model.state()
    try:
        must_match(model, state)
    except Mismatch as error:
        raise ModelError(str(folder), f"it would not load again: {error}") from error
    return write_folder(Path(folder), written, state)


def load(name: str | Path, task: str | None = None) -> AnyModel:
    """The model of that name, bundled or with nothing to learn, or the one saved in that folder.

    With `task`, a model of any other task is refused.
    """
    return load_with_card(name, task)[0]


def task_of(model: str | Path | AnyModel) -> str:
    """The task of a model by name, by folder or as it is."""
    return task_of_saved(model) if isinstance(model, str | Path) else task_in_name(name_of(model))


def task_of_saved(name: str | Path) -> str:
    """The task of a model by name or folder, with no need to load it."""
    folder = _folder_of(name)
    return task_in_name(str(name) if folder is None else read_card(folder).name)


def must_be_for(task: str, name: str | Path, found: str) -> None:
    """Refuses a model of another task than the one that is needed; `found` is the name of the model's class."""
    if task_in_name(found) != task:
        of = f"{found}, a" if str(name) != found else "a"
        raise ModelError(
            str(name), f"it is {of} model of the task {task_in_name(found)}, and one of the task {task} is needed"
        )


def model_for(task: str, model: str | Path | AnyModel) -> AnyModel:
    """The model of a task by name or folder, or the given one as it is, unless its class is known for another task."""
    if isinstance(model, str | Path):
        return load(model, task)
    kind = f"{type(model).__module__}:{type(model).__qualname__}"
    for name, place in names().items():
        if place == kind:
            must_be_for(task, name, name)
    if not hasattr(model, "predict"):
        raise ModelError(cut(model), f"a model of the task {task}, its name or its folder is needed")
    return model


def load_with_card(name: str | Path, task: str | None = None) -> tuple[AnyModel, Card]:
    """The same, with its card."""
    folder = _folder_of(name)
    card = read_card(folder) if folder is not None else Card(str(name))
    if task is not None:
        must_be_for(task, name, card.name)
    if folder is not None:
        return _restored(folder, card), card
    model = make(str(name))
    if untrained(model):
        raise ModelError(
            str(name), f"it is not trained yet: hubbub train {task_in_name(str(name))} --model {name} trains it"
        )
    return model, Card(str(name), parameters_of(model))


def _folder_of(name: str | Path) -> Traversable | None:
    """A bundled model's folder, a folder of the user's, or None for a name that has none."""
    if isinstance(name, str) and name in (ours := bundled()):
        return ours[name]
    if isinstance(name, str) and (name in MODELS or name in names()):
        return None
    with suppress(OSError, ValueError):  # a name that no file system takes
        if Path(name).exists():
            return Path(name)
        if Path(name).is_symlink():
            raise Missing(str(name))
    raise UnknownName("model or folder", str(name)[:MAX_SHOWN], names())


def _restored(folder: Traversable, card: Card) -> AnyModel:
    if card.name not in MODELS and card.name not in names():
        raise ModelError(str(folder), f"it is a {card.name!r}, and no model of that name is installed")
    try:
        model = make(card.name, **card.parameters)
    except OptionError as error:
        raise ModelError(str(folder), f"its parameters do not fit: {error}") from error
    state = read_state(folder, card)
    try:
        return restored(model, state)
    except Mismatch as error:
        raise ModelError(str(folder), f"{WEIGHTS if str(error).startswith('array ') else STATE}: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ModelError(str(folder), f"what it learnt does not fit {card.name}: {error!r}") from error


def restored(model: AnyModel, state: Mapping[str, Any]) -> AnyModel:
    """The model with that state, after the state was checked against its schema.

    Arrays and values that an older version saved under other names are listed in the model's `renamed_state`.
    """
    renamed: Mapping[str, str] = getattr(model, "renamed_state", {})
    current = {}
    for name, value in state.items():
        part, dot, own = name.rpartition(".")  # a model within the model has a prefix
        current[renamed.get(name, part + dot + renamed.get(own, own))] = value
    must_match(model, current)
    return model.restore(current)


def must_match(model: AnyModel, state: Mapping[str, Any]) -> None:
    """Raises Mismatch if that is no state of the model as its parameters are now."""
    declared = getattr(model, "schema", None)
    if declared is not None:
        declared().check(state)
