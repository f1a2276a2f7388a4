"""What a message must have to be found, as a tree that each engine writes in its own query language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side, separated by spaces; `is_prefix`: the last one may go on."""

    text: str
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part; at least one."""

    parts: tuple[MatchExpression, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One part or another; at least one."""

    parts: tuple[MatchExpression, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """What matches one part and not the other."""

    wanted: MatchExpression
    excluded: MatchExpression


MatchExpression = Phrase | AllOf | AnyOf | Without


def wanted_phrases(wanted: MatchExpression) -> Iterator[Phrase]:
    """The phrases that a message may have; what is excluded is none."""
    match wanted:
        case Phrase():
            yield wanted
        case Without(kept, _):
            yield from wanted_phrases(kept)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from wanted_phrases(part)


def all_of(parts: list[MatchExpression]) -> MatchExpression | None:
    return None if not parts else parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def any_of(parts: list[MatchExpression]) -> MatchExpression | None:
    return None if not parts else parts[0] if len(parts) == 1 else AnyOf(tuple(parts))
