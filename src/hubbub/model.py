"""The promise every model keeps, the table of their names, and how one is made, saved and loaded.

A model is a dataclass: its fields are its parameters; what it learns are fields that end in `_` and start as None.
Models are known by name; the table holds strings, so that nothing is imported before it is made. Other packages add
theirs by an entry point in the group "hubbub.models".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from .errors import Missing, ModelError, OptionError, UnknownName
from .parameters import checked, cut, learnt_names, parameters_of
from .saved import STATE, WEIGHTS, Card, read_card, read_state, write_folder
from .schema import Mismatch, Schema

X = TypeVar("X", contravariant=True)
Y = TypeVar("Y")

GROUP = "hubbub.models"
SHOWN = 200  # characters of an unknown name that an error shows

MODELS: dict[str, str] = {
    "answer/bm25": "hubbub.answer.lexical:Bm25",
    "answer/encoder": "hubbub.answer.frozen:Frozen",
    "answer/esim": "hubbub.answer.esim:Esim",
    "answer/hubbub": "hubbub.answer.hubbub:Hubbub",
    "answer/lstm": "hubbub.answer.dual:Lstm",
    "answer/rnn": "hubbub.answer.dual:Rnn",
    "answer/tfidf": "hubbub.answer.lexical:TfIdf",
    "intent/accurate": "hubbub.intent.accurate:Accurate",
    "intent/cnn": "hubbub.intent.cnn:Cnn",
    "intent/fast": "hubbub.intent.fast:Fast",
    "intent/fasttext": "hubbub.intent.fasttext:FastText",
    "intent/mlp": "hubbub.intent.mlp:Mlp",
    "intent/svm": "hubbub.intent.svm:Svm",
    "intent/transformer": "hubbub.intent.transformer:Transformer",
    "mentions/tagger": "hubbub.people.tagger:Tagger",
    "people/amore": "hubbub.people.amore:Amore",
    "people/cast": "hubbub.people.cast:Cast",
    "people/hubbub": "hubbub.people.hubbub:Hubbub",
    "people/knu": "hubbub.people.knu:Knu",
    "people/speaker": "hubbub.people.baselines:Speaker",
    "thread/elsner": "hubbub.thread.elsner:Elsner",
    "thread/feedforward": "hubbub.thread.ranker:Feedforward",
    "thread/hubbub": "hubbub.thread.hubbub:Hubbub",
    "thread/intersect": "hubbub.thread.ensemble:Intersect",
    "thread/linear": "hubbub.thread.ranker:Linear",
    "thread/live": "hubbub.thread.live:Live",
    "thread/lowe": "hubbub.thread.lowe:Lowe",
    "thread/previous": "hubbub.thread.baselines:Previous",
    "thread/union": "hubbub.thread.ensemble:Union",
    "thread/vote": "hubbub.thread.ensemble:Vote",
}


class Model(Protocol[X, Y]):
    """What every model can do, whatever its task.

    Tasks whose data has a part for thresholds and other choices give it to `fit` as one more keyword, `tuning`. A model
    that, fitted again, keeps what it knows says so by a class attribute `goes_on`; others begin anew. A method `schema`
    declares what `restore` accepts (see hubbub.schema); every model of hubbub has one, and a state that does not match
    it is refused before `restore` sees it.
    """

    def fit(self, inputs: Sequence[X], golds: Sequence[Y], *, seed: int = 0) -> Self: ...
    def predict(self, inputs: Sequence[X]) -> list[Y]: ...
    def state(self) -> Mapping[str, Any]: ...
    def restore(self, state: Mapping[str, Any]) -> Self: ...


AnyModel = Model[Any, Any]


class Learnt:
    """The usual state of a model: its fields that end in `_`, as they are. Without a schema of its own, it has none."""

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


def room_of(name: str) -> str:
    """The room a model lives in is the first part of its name."""
    return name.partition("/")[0]


def untrained(model: AnyModel) -> bool:
    """Whether there is something the model learns that it has not learnt yet."""
    return any(getattr(model, name) is None for name in learnt_names(type(model)))


def bundled() -> dict[str, Traversable]:
    """Name -> folder of every trained model that ships with the package."""
    home = files("hubbub").joinpath("bundled")
    rooms = [room for room in home.iterdir() if room.is_dir()] if home.is_dir() else []
    folders = {f"{room.name}/{each.name}": each for room in rooms for each in room.iterdir()}
    return {name: folder for name, folder in sorted(folders.items()) if folder.joinpath("model.json").is_file()}


def bundled_card(name: str) -> Card | None:
    """What is known of the making of a bundled model."""
    return read_card(bundled()[name]) if name in bundled() else None


def save(model: AnyModel, folder: str | Path, **card: Any) -> Path:
    """Writes the model to a folder, whole or not at all; `card` is what else is known of it (seed, scores ...)."""
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


def room_named(name: str | Path) -> str:
    """The task of a model by name or folder, with no need to load it."""
    folder = _folder_of(name)
    return room_of(str(name) if folder is None else read_card(folder).name)


def must_be_for(task: str, name: str | Path, found: str) -> None:
    """Refuses a model of another task than the one that is needed; `found` is the name of the model's class."""
    if room_of(found) != task:
        of = f"{found}, a" if str(name) != found else "a"
        raise ModelError(
            str(name), f"it is {of} model of the task {room_of(found)}, and one of the task {task} is needed"
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
    """The same, with what is known of its making."""
    folder = _folder_of(name)
    card = read_card(folder) if folder is not None else Card(str(name))
    if task is not None:
        must_be_for(task, name, card.name)
    if folder is not None:
        return _restored(folder, card), card
    model = make(str(name))
    if untrained(model):
        raise ModelError(
            str(name), f"it is not trained yet: hubbub train {room_of(str(name))} --model {name} trains it"
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
    raise UnknownName("model or folder", str(name)[:SHOWN], names())


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
    """The model with that state, once it is known to be as the model's class declares."""
    must_match(model, state)
    return model.restore(state)


def must_match(model: AnyModel, state: Mapping[str, Any]) -> None:
    """Raises Mismatch if that is no state of the model as its parameters are now."""
    declared = getattr(model, "schema", None)
    if declared is not None:
        declared().check(state)
