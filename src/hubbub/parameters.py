"""A model's parameters are its dataclass fields; here their names are checked and their values made from strings."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from math import inf, isfinite
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from .errors import OptionError

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
LONGEST = 4096  # characters of a text, which is at most a path
MOST_ITEMS = 100  # of a list
SHOWN = 60  # characters of a wrong value that an error shows


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
    """The given parameters, each in the type of its field; unknown and missing ones are errors that list the known."""
    known = parameter_fields(kind)
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
    items = value if isinstance(value, tuple) else (value,)
    if not bool(of.metadata) <= len(items) <= MOST_ITEMS:
        raise OptionError("parameter", of.name, f"it takes a list of 1 to {MOST_ITEMS} values")
    for each in items:
        if isinstance(each, str) and len(each) > LONGEST:
            raise OptionError("parameter", f"{of.name}={cut(each)}", f"it takes a text of at most {LONGEST} characters")
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
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."


def coerced(name: str, value: Any, hint: Any) -> Any:
    """A value in the type of a field: strings as `--set` gives them, lists where JSON lost a tuple."""
    try:
        return _as(value, hint)
    except (ValueError, TypeError, OverflowError):
        raise OptionError("parameter", f"{name}={cut(value)}", f"it takes {spoken(hint)}") from None


def _as(value: Any, hint: Any) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _first(value, inner)
    if origin is Literal:
        return _one_of(value, inner)
    if origin is tuple:
        return _items(value, inner)
    if hint is type(None):
        return _none(value)
    if hint in (int, float, bool, str):
        return _scalar(value, hint)
    if isinstance(value, str) and hint is not Any:
        raise ValueError(value)
    return value


def _first(value: Any, hints: tuple[Any, ...]) -> Any:
    """The first type that takes the value, plain strings tried last."""
    for hint in sorted(hints, key=lambda each: each is str):
        try:
            return _as(value, hint)
        except (ValueError, TypeError):
            continue
    raise ValueError(value)


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    for each in allowed:
        if value == each or value == str(each):
            return each
    raise ValueError(value)


def _items(value: Any, hints: tuple[Any, ...]) -> tuple[Any, ...]:
    given = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else list(value)
    if len(hints) == 2 and hints[1] is ...:
        return tuple(_as(each, hints[0]) for each in given)
    return tuple(_as(each, hint) for each, hint in zip(given, hints, strict=True))


def _none(value: Any) -> None:
    if value is not None and str(value).lower() != "none":
        raise ValueError(value)


def _scalar(value: Any, kind: type) -> Any:
    if type(value) is kind:
        return _finite(value)
    if isinstance(value, str):
        return _truth(value) if kind is bool else _finite(kind(value))
    if kind is float and type(value) is int:
        return float(value)
    raise TypeError(value)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(value)
    return value


def _truth(text: str) -> bool:
    if text.lower() not in _TRUE + _FALSE:
        raise ValueError(text)
    return text.lower() in _TRUE


def spoken(hint: Any) -> str:
    """A type as people say it."""
    inner = get_args(hint)
    if get_origin(hint) is Literal:
        return " or ".join(map(str, inner))
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(map(spoken, inner))
    if get_origin(hint) is tuple:
        many = inner[:1] if inner[1:] == (...,) else inner
        return f"a list such as {','.join(_EXAMPLES.get(each, 'a') for each in (many * 2 if many != inner else many))}"
    return _SPOKEN.get(hint, f"a {getattr(hint, '__name__', hint)}")


_SPOKEN = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", type(None): "none"}
_EXAMPLES = {int: "1", float: "0.5", bool: "true", str: "a"}
