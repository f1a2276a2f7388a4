"""What a model's state may be: the name, type, shape and range of every array and of every value in JSON.

A saved model is a file that anybody may have written, and compiled code checks no index: everything is checked here,
against what the model's class declares in `schema`, before any of it is used. A size may be a symbol ("classes") or an
expression of symbols ("4*hidden+2"); a symbol is bound where it is first met, in the order of the fields, and must be
the same everywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, Protocol, TypeAlias

Size: TypeAlias = int | str
Sizes: TypeAlias = dict[str, int]

MAX_MAGNITUDE = 1e6  # trained weights are far below it; above it products of a few layers overflow 32-bit floats
MAX_TEXT_LENGTH = 100_000  # characters; bounds memory, training texts are far shorter
MAX_TREE_DEPTH = 12  # a tree that is stored as a heap doubles with every level
MAX_SHOWN = 40  # characters of a wrong value that an error shows


class Mismatch(ValueError):
    """A state that is not as declared; the message names the array or value and what is expected."""


class Field(Protocol):
    """The declaration of one entry of a state."""

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Numbers:
    """An array of numbers. Values lie between `least` and `most`, whole numbers also below the size `below`;
    `infinite` allows plus infinity, `ascending` demands that each value is above the one before."""

    dtype: str
    shape: tuple[Size, ...]
    least: float = -MAX_MAGNITUDE
    most: float = MAX_MAGNITUDE
    below: Size | None = None
    infinite: bool = False
    ascending: bool = False

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        what = f'array "{name}"'
        if not is_array(value):
            raise Mismatch(f"{what} is missing, and a value in JSON has its name")
        if value.dtype != self.dtype:
            raise Mismatch(f"{what} has the type {value.dtype} where {self.dtype} is expected")
        _check_shape(what, value.shape, self.shape, sizes, empty)
        if value.size:
            self._check_values(what, value, sizes)

    def _check_values(self, what: str, value: Any, sizes: Sizes) -> None:
        if value.dtype.kind == "f":
            low, high = _extremes(value, self.infinite)
        # Integers of any value need no look at them.
        elif self.below is None and abs(self.least) == self.most == MAX_MAGNITUDE:
            low = high = 0.0
        else:
            low, high = float(value.min()), float(value.max())
        most = self.most
        if self.below is not None:
            bound = _value(self.below, sizes)
            assert bound is not None, f"{self.below} is used before it is bound"
            most = min(most, bound - 1)
        if not (self.least <= low and high <= most):
            wrong = high if self.least <= low else low
            raise Mismatch(f"{what} holds {wrong:g} where {self.least:g} to {most:g} is expected")
        if self.ascending and not (value[1:] > value[:-1]).all():
            raise Mismatch(f"{what} is not in ascending order")


class Scalar:
    """A value in JSON that is neither a list nor an object. Lists of many are checked by `accepts` alone, for speed."""

    __slots__ = ()

    def accepts(self, value: Any) -> bool:
        raise NotImplementedError

    def expected(self) -> str:
        raise NotImplementedError

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        if not self.accepts(value):
            raise _wrong(name, value, self.expected())


@dataclass(frozen=True, slots=True)
class Number(Scalar):
    """A finite number within bounds, or a whole one."""

    least: float = -MAX_MAGNITUDE
    most: float = MAX_MAGNITUDE
    whole: bool = False

    def accepts(self, value: Any) -> bool:
        is_number = isinstance(value, int if self.whole else int | float) and not isinstance(value, bool)
        return is_number and bool(self.least <= value <= self.most)

    def expected(self) -> str:
        return f"a {'whole ' if self.whole else ''}number from {self.least:g} to {self.most:g}"


@dataclass(frozen=True, slots=True)
class Text(Scalar):
    """A text of bounded length."""

    longest: int = MAX_TEXT_LENGTH

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and len(value) <= self.longest

    def expected(self) -> str:
        return f"a text of at most {self.longest:,} characters"


@dataclass(frozen=True, slots=True)
class Null(Scalar):
    """Nothing."""

    def accepts(self, value: Any) -> bool:
        return value is None

    def expected(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class Opaque(Scalar):
    """Any value of one type, which is checked elsewhere."""

    kind: type
    called: str

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self.kind)

    def expected(self) -> str:
        return self.called


@dataclass(frozen=True, slots=True)
class Maybe(Scalar):
    """A value or null."""

    of: Scalar

    def accepts(self, value: Any) -> bool:
        return value is None or self.of.accepts(value)

    def expected(self) -> str:
        return f"{self.of.expected()} or null"


@dataclass(frozen=True, slots=True)
class Either:
    """Any of several kinds."""

    of: tuple[Field, ...]

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        for place, each in enumerate(self.of, 1):
            try:
                each.check(name, value, sizes, empty)
            except Mismatch:
                if place == len(self.of):
                    raise
            else:
                break


@dataclass(frozen=True, slots=True)
class Items:
    """A list of values of one kind; its length may be a size, and `distinct` ones are all different."""

    of: Field
    length: Size | None = None
    distinct: bool = False

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        if not isinstance(value, list | tuple):
            raise _wrong(name, value, "a list")
        if self.length is not None:
            _check_shape(f'"{name}"', (len(value),), (self.length,), sizes, empty)
        if not isinstance(self.of, Scalar) or not all(map(self.of.accepts, value)):
            for place, each in enumerate(value):
                self.of.check(f"{name}[{place}]", each, sizes, empty)
        if self.distinct and len(set(value)) != len(value):
            raise Mismatch(f'"{name}" holds the same value twice')


@dataclass(frozen=True, slots=True)
class FixedList:
    """A list whose every place has a kind of its own."""

    of: tuple[Field, ...]

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        if not isinstance(value, list | tuple) or len(value) != len(self.of):
            raise _wrong(name, value, f"a list of {len(self.of)} values")
        for place, (each, part) in enumerate(zip(value, self.of, strict=True)):
            part.check(f"{name}[{place}]", each, sizes, empty)


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object with exactly these keys."""

    keys: Mapping[str, Field]

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        if not isinstance(value, dict):
            raise _wrong(name, value, "an object")
        if value.keys() != self.keys.keys():
            raise Mismatch(f'"{name}" has not just the keys {", ".join(self.keys)}')
        for key, part in self.keys.items():
            part.check(f"{name}.{key}", value[key], sizes, empty)


@dataclass(frozen=True, slots=True)
class Mapped:
    """A JSON object with any keys, and values of one kind."""

    of: Scalar

    def check(self, name: str, value: Any, sizes: Sizes, empty: frozenset[str]) -> None:
        if not isinstance(value, dict):
            raise _wrong(name, value, "an object")
        if not all(map(self.of.accepts, value.values())):
            for key, each in value.items():
                self.of.check(f"{name}.{key[:MAX_SHOWN]}", each, sizes, empty)


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold between sizes or values: `holds` gets the sizes and the state, `text` says what is wrong."""

    text: str
    holds: Callable[[Mapping[str, int], Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of a state, sizes that are known beforehand, the sizes that may be 0, and rules.

    `parts` are states within the state: names that start with the prefix, each part with sizes of its own. With
    `open`, other names are left to the model.
    """

    fields: Mapping[str, Field] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    empty: frozenset[str] = frozenset()
    rules: Sequence[Rule] = ()
    parts: Mapping[str, Schema] = field(default_factory=dict)
    open: bool = False

    def check(self, state: Mapping[str, Any], prefix: str = "") -> None:
        """Raises Mismatch for the first entry that is not as declared."""
        inner = {key: part for key in state for part in self.parts if key.startswith(part)}
        if not self.open:
            for name in state.keys() - self.fields.keys() - inner.keys():
                raise Mismatch(f"{_named(prefix + name[:MAX_SHOWN], state[name])} is unknown")
        sizes: Sizes = dict(self.sizes)
        for name, declared in self.fields.items():
            if name not in state:
                raise Mismatch(f'{"array " if isinstance(declared, Numbers) else ""}"{prefix}{name}" is missing')
            declared.check(prefix + name, state[name], sizes, self.empty)
        for rule in self.rules:
            if not rule.holds(sizes, state):
                raise Mismatch(rule.text.format_map(sizes))
        for part, schema in self.parts.items():
            schema.check({key.removeprefix(part): state[key] for key, of in inner.items() if of == part}, prefix + part)


def is_array(value: object) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def _named(name: str, value: object) -> str:
    return f'array "{name}"' if is_array(value) else f'"{name}"'


def _wrong(name: str, value: Any, expected: str) -> Mismatch:
    if is_array(value):
        return Mismatch(f'array "{name}" is an array where {expected} is expected')
    try:
        shown = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        shown = type(value).__name__
    return Mismatch(
        f'"{name}" is {shown if len(shown) <= MAX_SHOWN else shown[:MAX_SHOWN] + "..."} where {expected} is expected'
    )


def _check_shape(
    what: str, found: tuple[int, ...], shape: tuple[Size, ...], sizes: Sizes, empty: frozenset[str]
) -> None:
    """Compares a shape with the expected one, and binds symbols that are met for the first time."""
    if len(found) == len(shape):
        for size, declared in zip(found, shape, strict=True):
            if (
                isinstance(declared, str)
                and declared.isidentifier()
                and declared not in sizes
                and (size or declared in empty)
            ):
                sizes[declared] = size
    expected = tuple(_value(each, sizes) for each in shape)
    if found != expected:
        listed = ", ".join(
            str(declared if value is None else value) for declared, value in zip(shape, expected, strict=True)
        )
        raise Mismatch(f"{what} has shape {found} where ({listed}{',' if len(shape) == 1 else ''}) is expected")


def _value(size: Size, sizes: Sizes) -> int | None:
    """A size as a number: sums of products of numbers and symbols; None where a symbol is not bound."""
    if isinstance(size, int):
        return size
    total = 0
    for term in size.split("+"):
        product = 1
        for factor in term.split("*"):
            number = int(factor) if factor.isdigit() else sizes.get(factor)
            if number is None:
                return None
            product *= number
        total += product
    return total


def _extremes(value: Any, infinite: bool) -> tuple[float, float]:
    """The smallest and the largest number; NaN where there is one, and plus infinity only where it is not allowed."""
    import numpy as np

    if value.dtype == np.float16:
        value = value.astype(np.float32)  # comparing halves is many times slower
    low, high = float(value.min()), float(value.max())
    if infinite and high == inf:
        rest = value[value < inf]
        high = float(rest.max()) if rest.size else low if isfinite(low) else 0.0
        low = low if low < inf else high
    return low, high
