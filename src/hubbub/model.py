"""The promise every model keeps, the table of their names, and how one is made, saved and loaded.

A model is a dataclass: its fields are its parameters; what it learns are fields that end in `_` and start as None.
Models are known by name; the table holds strings, so that nothing is imported before it is made. Other packages add
theirs by an entry point in the group "hubbub.models".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from .errors import ModelError, OptionError, UnknownName
from .parameters import checked, learnt_names, parameters_of
from .saved import Card, read_card, read_state, write_folder

X = TypeVar("X", contravariant=True)
Y = TypeVar("Y")

GROUP = "hubbub.models"

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
    """What every model can do, whatever room it lives in.

    Rooms whose data has a part for thresholds and other choices give it to `fit` as one more keyword, `tuning`. A model
    that, fitted again, keeps what it knows says so by a class attribute `goes_on`; others begin anew.
    """

    def fit(self, inputs: Sequence[X], golds: Sequence[Y], *, seed: int = 0) -> Self: ...
    def predict(self, inputs: Sequence[X]) -> list[Y]: ...
    def state(self) -> Mapping[str, Any]: ...
    def restore(self, state: Mapping[str, Any]) -> Self: ...


AnyModel = Model[Any, Any]


class Learnt:
    """The usual state of a model: its fields that end in `_`, as they are."""

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
    written = Card(name_of(model), parameters_of(model), **card)
    return write_folder(Path(folder), written, model.state())


def load(name: str | Path) -> AnyModel:
    """The model of that name, bundled or with nothing to learn, or the one saved in that folder."""
    return load_with_card(name)[0]


def room_named(name: str | Path) -> str:
    """The room of a model by name or folder, with no need to load it."""
    folder = _folder_of(name)
    return room_of(str(name) if folder is None else read_card(folder).name)


def load_with_card(name: str | Path) -> tuple[AnyModel, Card]:
    """The same, with what is known of its making."""
    folder = _folder_of(name)
    if folder is not None:
        card = read_card(folder)
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
    folder = Path(name)
    if folder.exists():
        return folder
    raise UnknownName("model or folder", str(name), names())


def _restored(folder: Traversable, card: Card) -> AnyModel:
    if card.name not in MODELS and card.name not in names():
        raise ModelError(str(folder), f"it is a {card.name!r}, and no model of that name is installed")
    try:
        model = make(card.name, **card.parameters)
    except OptionError as error:
        raise ModelError(str(folder), f"its parameters do not fit: {error}") from error
    state = read_state(folder, card)
    try:
        return model.restore(state)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ModelError(str(folder), f"what it learnt does not fit {card.name}: {error!r}") from error
