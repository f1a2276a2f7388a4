"""Parameters: what a model is made with, from Python, from --set and from a card."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import pytest

from hubbub.errors import OptionError
from hubbub.ml.parameters import checked, learnt_names, parameter_fields, parameters_of
from hubbub.ml.registry import MODELS, make, model_class


@dataclass
class Knobs:
    furthest: int = 100
    rate: float = 0.1
    bots: bool = True
    name: str = "plain"
    loss: Literal["softmax", "hinge"] = "softmax"
    layers: tuple[int, ...] = (512, 512)
    span: tuple[float, float] = (0.0, 1.0)
    most: int | None = None
    weights_: list[float] | None = None
    words_: dict[str, int] | None = field(default=None, init=False)


GOOD = [
    ("furthest", "50", 50),
    ("furthest", 50, 50),
    ("rate", "1e-3", 0.001),
    ("rate", 1, 1.0),
    ("bots", "no", False),
    ("bots", "True", True),
    ("name", "50", "50"),
    ("loss", "hinge", "hinge"),
    ("layers", "256, 128", (256, 128)),
    ("layers", [256], (256,)),
    ("layers", "", ()),
    ("span", "0.1,0.9", (0.1, 0.9)),
    ("most", "none", None),
    ("most", None, None),
    ("most", "3", 3),
]


@pytest.mark.parametrize(("name", "given", "right"), GOOD)
def test_values_take_the_type_of_their_field(name: str, given: Any, right: Any) -> None:
    value = checked("thread/knobs", Knobs, {name: given})[name]
    assert value == right
    assert type(value) is type(right)


BAD = [
    ("furthest", "far", "it takes a whole number"),
    ("furthest", "1.5", "it takes a whole number"),
    ("furthest", True, "it takes a whole number"),
    ("rate", "fast", "it takes a number"),
    ("bots", "perhaps", "it takes true or false"),
    ("name", 5, "it takes a text"),
    ("loss", "l2", "it takes softmax or hinge"),
    ("layers", "a,b", "it takes a list such as 1,1"),
    ("layers", 7, "it takes a list such as 1,1"),
    ("span", "1", "it takes a list such as 0.5,0.5"),
    ("most", "many", "it takes a whole number or none"),
]


@pytest.mark.parametrize(("name", "given", "sentence"), BAD)
def test_a_wrong_value_says_what_is_right(name: str, given: Any, sentence: str) -> None:
    with pytest.raises(OptionError, match=f"^parameter {name}=.*: {sentence}.$"):
        checked("thread/knobs", Knobs, {name: given})


def test_an_unknown_parameter_lists_the_known() -> None:
    with pytest.raises(OptionError, match="parameter nearest: the parameters of thread/knobs are furthest, rate,"):
        checked("thread/knobs", Knobs, {"nearest": "1"})


def test_what_is_learnt_is_no_parameter() -> None:
    assert learnt_names(Knobs) == ("weights_", "words_")
    assert "weights_" not in parameters_of(Knobs())
    with pytest.raises(OptionError, match="parameter weights_"):
        checked("thread/knobs", Knobs, {"weights_": "1"})


@dataclass
class Strict:
    folder: str


@dataclass
class Bare:
    pass


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(OptionError, match="parameter folder: thread/strict cannot be made without it"):
        checked("thread/strict", Strict, {})


def test_a_model_without_parameters_says_so() -> None:
    with pytest.raises(OptionError, match="thread/bare has no parameters"):
        checked("thread/bare", Bare, {"x": "1"})


@dataclass
class Renamed:
    renamed_parameters: ClassVar = {"voice": "speaker_size"}
    speaker_size: int = 32


def test_older_names_of_parameters_are_accepted() -> None:
    assert checked("people/renamed", Renamed, {"voice": "8"}) == {"speaker_size": 8}
    with pytest.raises(OptionError, match="parameter voice: it is another name of speaker_size, which is given too"):
        checked("people/renamed", Renamed, {"voice": "8", "speaker_size": "9"})
    assert parameters_of(make("intent/fast", held="0.2", passes="3"))["validation_share"] == 0.2


@pytest.mark.parametrize("name", MODELS)
def test_older_names_stand_for_parameters_and_for_nothing_else(name: str) -> None:
    kind = model_class(name)
    known, renamed = parameter_fields(kind).keys(), getattr(kind, "renamed_parameters", {})
    assert {*renamed.values()} <= known
    assert not renamed.keys() & known
