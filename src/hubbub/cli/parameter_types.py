"""Types of parameters: how a word is checked, and how the shell completes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ..errors import nearest

if TYPE_CHECKING:
    Choice = click.Choice[str]
    ParamType = click.ParamType[Any]
else:  # older versions of click have no type arguments
    Choice, ParamType = click.Choice, click.ParamType


class Name(Choice):
    """One of a few names; a mistyped one gets the nearest as a suggestion."""

    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            near = nearest(str(value), self.choices)
            hint = f" (did you mean {near!r}?)" if near else ""
            known = f"one of {', '.join(self.choices)}" if len(self.choices) > 1 else self.choices[0]
            self.fail(f"{value}: must be {known}{hint}", param, ctx)
        return str(value)


MAX_NUMBER = 1_000_000_000  # larger ones mean the same, and databases do not take all of them


class WholeNumber(ParamType):
    """A whole number from `least` on."""

    name = "number"

    def __init__(self, least: int) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            found = int(value) if isinstance(value, str | int) else self._least - 1
        except ValueError:
            found = self._least - 1
        if found < self._least:
            self.fail(f"{value}: must be a whole number, {self._least} or more", param, ctx)
        return min(found, MAX_NUMBER)


class Known(ParamType):
    """A name that is looked up later; `names` lists the known ones for completion, `files` allows paths too."""

    def __init__(self, name: str, names: Callable[[], Iterable[str]], files: bool = False) -> None:
        self.name = name
        self._names = names
        self._files = files

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]
        # Scripts drop what is listed before a path, and use the path only where nothing else matches.
        return [CompletionItem(incomplete, type="file"), *found] if self._files else found


class PathName(ParamType):
    """A file or folder, checked by what opens it."""

    name = "path"

    def __init__(self, folder: bool = False) -> None:
        self._kind = "dir" if folder else "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "-" and self._kind == "dir":
            self.fail(f"{value}: must be a folder, which standard output is not", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type=self._kind)]


class Probability(ParamType):
    name = "probability"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            found = float(value)
        except (TypeError, ValueError):
            found = -1.0
        if not 0 <= found <= 1:
            self.fail(f"{value}: must be a probability from 0 to 1", param, ctx)
        return found


class Day(ParamType):
    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if type(value) is date:
            return value
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value}: a day is written as 2013-01-31", param, ctx)


class Zone(ParamType):
    name = "time zone"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tzinfo:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        if isinstance(value, tzinfo):
            return value
        try:
            return ZoneInfo(str(value))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail(f"{value}: a time zone is written as Europe/Berlin or UTC", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from zoneinfo import available_timezones

        return [CompletionItem(name) for name in sorted(available_timezones()) if name.startswith(incomplete)]


class Columns(ParamType):
    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        if isinstance(value, dict):
            return value
        pairs = [pair.partition("=") for pair in str(value).split(",")]
        if not all(name and column for name, _, column in pairs):
            self.fail(f"{value}: columns are written as author=nick,text=body", param, ctx)
        roles = [name.strip() for name, _, _ in pairs]
        if twice := next((role for role in roles if roles.count(role) > 1), None):
            self.fail(f"{value}: {twice} is given twice, and only one column can be it", param, ctx)
        return {name.strip(): column.strip() for name, _, column in pairs}


def model_name(*tasks: str) -> Known:
    """A model by name or by the folder of a trained one; completion offers those of the tasks."""

    def names() -> list[str]:
        from ..ml.registry import names as known

        return [name for name in known() if not tasks or name.partition("/")[0] in tasks]

    return Known("model", names, files=True)


def dataset_name() -> Known:
    def names() -> list[str]:
        from ..ml.datasets import DATASETS

        return [f"{each.name}:{split}" for each in DATASETS.values() for split in each.splits]

    return Known("dataset", names, files=True)


def format_name() -> Known:
    def names() -> list[str]:
        from ..read.formats import FORMATS

        return sorted(FORMATS)

    return Known("format", names)


def task_name() -> Known:
    def names() -> list[str]:
        from ..ml.task import TASKS

        return list(TASKS)

    return Known("task", names)


AT_LEAST_ZERO = WholeNumber(0)
AT_LEAST_ONE = WholeNumber(1)
PROBABILITY = Probability()
DAY = Day()
FILE = PathName()
FOLDER = PathName(folder=True)
