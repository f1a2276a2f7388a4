"""A model's parameters are its dataclass fields; here their names are checked and their values made from strings."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from math import inf, isfinite
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from ..errors import OptionError

_TRUE_OR_FALSE = {"yes": True, "on": True, "no": False, "off": False}
MAX_TEXT_LENGTH = 4096  # characters; the longest texts are paths
MAX_ITEMS = 100  # of a list; the longest are sizes of layers and names of ensemble members
MAX_SHOWN = 60  # characters of a wrong value that an error shows


def parameter_fields(kind: type) -> dict[str, Field[Any]]:
    """Name -> field of everything a model is made with; what it learns ends in `_` and is none of it."""
    if not is_dataclass(kind):
        return {}
    return {each.name: each for each in fields(kind) if each.init and not each.name.endswith("_")}


def parameters_of(model: object) -> dict[str, Any]:
    return {name: getattr(model, name) for name in parameter_fields(type(model))}


def learnt_names(kind: type) -> tuple[str, ...]:
    """What a model learns: its dataclass fields that end in `_`."""
    return tuple(f.name for f in fields(kind) if f.name.endswith("_")) if is_dataclass(kind) else ()


def checked(name: str, kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given parameters, each in the type of its field; unknown and missing ones are errors that list the known.

    Names that an older version used are listed in the model's `renamed_parameters`, so that its recipes and saved
    models still load.
    """
    known, renamed = parameter_fields(kind), getattr(kind, "renamed_parameters", {})
    for old in renamed.keys() & given.keys():
        if renamed[old] in given:
            raise OptionError("parameter", old, f"it is another name of {renamed[old]}, which is given too")
    given = {renamed.get(key, key): value for key, value in given.items()}
    listed = f"the parameters of {name} are {', '.join(known)}" if known else f"{name} has no parameters"
    for unknown in given.keys() - known.keys():
        raise OptionError("parameter", cut(unknown), listed)
    for each in known.values():
        if each.default is MISSING and each.default_factory is MISSING and each.name not in given:
            raise OptionError("parameter", each.name, f"{name} cannot be made without it; {listed}")
    hints = get_type_hints(kind)
    return {key: _in_range(coerced(key, value, hints[key]), known[key]) for key, value in given.items()}


def ranged(default: Any, least: float, most: float) -> Any:
    """A number among the parameters, or a list of numbers, with bounds. Every number has them: no parameter can ask for
    more memory than there is."""
    return field(default=default, metadata={"least": least, "most": most})


def _in_range(value: Any, of: Field[Any]) -> Any:
    least, most = of.metadata.get("least", -inf), of.metadata.get("most", inf)
    items = _items(value)
    if not bool(of.metadata) <= len(items) <= MAX_ITEMS:
        raise OptionError("parameter", of.name, f"it takes a list of 1 to {MAX_ITEMS} values")
    for each in items:
        if isinstance(each, str) and len(each) > MAX_TEXT_LENGTH:
            raise OptionError(
                "parameter", f"{of.name}={cut(each)}", f"it takes a text of at most {MAX_TEXT_LENGTH} characters"
            )
        if isinstance(each, int | float) and not least <= each <= most:
            bounds = f"from {least} to {most}" if isfinite(most) else f"of at least {least}"
            raise OptionError("parameter", f"{of.name}={cut(each)}", f"it takes a number {bounds}")
    return value


def cut(value: Any) -> str:
    """A value as an error shows it."""
    try:
        shown = str(value)
    except ValueError:  # a whole number of thousands of digits
        return "a number of thousands of digits"
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}..."


def coerced(name: str, value: Any, hint: Any) -> Any:
    """A value in the type of a field: strings as `--set` gives them, lists where JSON has no tuple."""
    try:
        converted = msgspec.convert(_parsed(value, hint), hint, strict=not isinstance(value, str))
        if not all(isfinite(each) for each in _items(converted) if isinstance(each, float)):
            raise ValueError(value)
    except (ValueError, TypeError, OverflowError):
        raise OptionError("parameter", f"{name}={cut(value)}", f"it takes {type_in_words(hint)}") from None
    return converted


def _parsed(value: Any, hint: Any) -> Any:
    """What msgspec does not read from a string: lists, none, and yes or no."""
    if not isinstance(value, str):
        return value
    if get_origin(hint) is tuple:
        return [part.strip() for part in value.split(",") if part.strip()]
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    word = value.strip().lower()
    if bool in kinds and word in _TRUE_OR_FALSE:
        return _TRUE_OR_FALSE[word]
    if type(None) in kinds and word == "none":
        return None
    return value if str in kinds else value.strip()


def _items(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def type_in_words(hint: Any) -> str:
    """A type in the words of an error message."""
    inner = get_args(hint)
    if get_origin(hint) is Literal:
        return " or ".join(map(str, inner))
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(map(type_in_words, inner))
    if get_origin(hint) is tuple:
        many = inner[:1] if inner[1:] == (...,) else inner
        return f"a list such as {','.join(_EXAMPLES.get(each, 'a') for each in (many * 2 if many != inner else many))}"
    return _SPOKEN.get(hint, f"a {getattr(hint, '__name__', hint)}")


_SPOKEN = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", type(None): "none"}
_EXAMPLES = {int: "1", float: "0.5", bool: "true", str: "a"}
