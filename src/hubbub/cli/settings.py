"""Configuration files: which there are, what they set, and where each value comes from.

`~/.config/hubbub/config.toml` (below XDG_CONFIG_HOME if that is set) is read first, then `hubbub.toml` in the current
folder; later values win, and options win over both. HUBBUB_CONFIG names one file to read instead of both; an empty
value means none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import click

from ..errors import HubbubError, OptionError, nearest
from . import COMMANDS, GROUPS
from .parameter_types import PathName

LOCAL = "hubbub.toml"
DEFAULTS = "defaults"  # the section for settings of every command; they may stand before all sections, too
PATHS = ("archive", "intents", "cast")  # names of parameters too
COLOUR_CHOICES = ("auto", "always", "never")
_SPELLINGS = {"color": "colour", "colours": "colour", "colors": "colour"}


@dataclass(frozen=True, slots=True)
class Setting:
    value: Any
    file: str


@dataclass(slots=True)
class Settings:
    """What the files set. `everywhere` is for every command that has the option, `sections` for single commands.

    `problem` is what is wrong with a file; it is raised when a command needs the settings, and help does not.
    """

    files: list[str] = field(default_factory=list)
    everywhere: dict[str, Setting] = field(default_factory=dict)
    sections: dict[str, dict[str, Setting]] = field(default_factory=dict)
    problem: HubbubError | None = None

    def defaults(self, command: click.Command) -> dict[str, Any]:
        """The values of a command's parameters, as click takes them."""
        found = {**self.everywhere, **self.sections.get(command.name or "", {})}
        return {each.name: _default(each, found[each.name]) for each in command.params if each.name in found}

    def check(self, command: click.Command) -> None:
        """Every key of the command's section must be one of its options, and every value fit it."""
        if self.problem:
            raise self.problem
        options = {each.name: each for each in command.params if isinstance(each, click.Option) and each.name != "json"}
        for key, each in self.sections.get(command.name or "", {}).items():
            where = f"[{command.name}] {key.replace('_', '-')}"
            if key not in options:
                known = [str(name).replace("_", "-") for name in options]
                raise _unknown(each.file, where, key.replace("_", "-"), known)
            _must_fit(options[key], where, each)

    def add(self, file: str, values: Mapping[str, Any]) -> None:
        self.files.append(file)
        for key, value in values.items():
            if isinstance(value, Mapping) and key == DEFAULTS:
                for name, inner in value.items():
                    self._add_value(file, name, inner)
            elif isinstance(value, Mapping) and (key in COMMANDS or key in GROUPS):
                self._add_section(file, key, value)
            else:
                self._add_value(file, key, value)

    def _add_section(self, file: str, command: str, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            if isinstance(value, Mapping):
                if (name := f"{command} {key}") not in COMMANDS:
                    raise _unknown(file, f"[{command}.{key}]", name, COMMANDS)
                self._add_section(file, name, value)
            elif command in GROUPS:
                raise OptionError(
                    f"{file}:", f"[{command}] {key}", f"name the command, such as [{GROUPS[command].replace(' ', '.')}]"
                )
            else:
                self.sections.setdefault(command, {})[_parameter(key)] = Setting(value, file)

    def _add_value(self, file: str, key: str, value: Any) -> None:
        name = _parameter(key)
        if name not in (*PATHS, "colour"):
            raise _unknown(file, key, key, (*PATHS, "colours", DEFAULTS, *COMMANDS, *GROUPS))
        if name == "colour" and value not in COLOUR_CHOICES:
            raise _wrong(file, key, value, f"must be one of {', '.join(COLOUR_CHOICES)}")
        if not isinstance(value, str) or not value:
            raise _wrong(file, key, value, "must be a path in quotes")
        self.everywhere[name] = Setting(value, file)


def _parameter(key: str) -> str:
    """The name of the parameter behind a key, which is spelled like its option."""
    name = key.replace("-", "_")
    return "archive" if name == "in" else _SPELLINGS.get(name, name)


def _default(param: click.Parameter, setting: Setting) -> Any:
    """The value as click takes it; paths are relative to the file that names them."""
    value = setting.value
    if isinstance(value, str) and isinstance(param.type, PathName):
        value = placed(setting)
    return (value,) if isinstance(value, str) and param.multiple else value


def placed(setting: Setting) -> str:
    """A path, or the address of a database, which has no folder."""
    is_address = "://" in setting.value
    return setting.value if is_address else str(Path(setting.file).parent / Path(setting.value).expanduser())


def _must_fit(option: click.Option, where: str, setting: Setting) -> None:
    value = setting.value
    if option.is_flag:
        if not isinstance(value, bool):
            raise _wrong(setting.file, where, value, "must be true or false, without quotes")
        return
    values = value if option.multiple and isinstance(value, list) else [value]
    if any(not isinstance(each, str | int | float | date) or isinstance(each, bool) for each in values):
        expected = "a list of strings" if option.multiple else "a number or a string"
        raise _wrong(setting.file, where, value, f"must be {expected}")
    for each in values:
        if each == "":
            raise _wrong(setting.file, where, value, "must not be empty")
        try:
            option.type(each, option)
        except click.BadParameter as error:
            raise _wrong(setting.file, where, value, error.message.partition(": ")[2]) from None


def _wrong(file: str, key: str, value: Any, expected: str) -> OptionError:
    from ..jsonl import dump

    shown = dump(value) if isinstance(value, str | bool) else str(value)
    return OptionError(f"{file}:", f"{key} = {shown}", expected)


def _unknown(file: str, key: str, name: str, known: Iterable[str]) -> OptionError:
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else f"known: {', '.join(sorted(known))}"
    return OptionError(f"{file}:", key, f"there is no such setting ({hint})")


def candidate_files(environ: Mapping[str, str]) -> Iterator[Path]:
    """The files that are read if they are there, in order; one that HUBBUB_CONFIG names must be there."""
    if (named := environ.get("HUBBUB_CONFIG")) is not None:
        yield from [Path(named).expanduser()] if named else []
        return
    home = environ.get("XDG_CONFIG_HOME") or str(Path("~/.config").expanduser())
    yield Path(home) / "hubbub" / "config.toml"
    yield Path(LOCAL)


def load() -> Settings:
    """The settings in force; what is wrong with a file is their `problem`."""
    found, is_named = Settings(), "HUBBUB_CONFIG" in os.environ
    try:
        for path in candidate_files(os.environ):
            if is_named or path.is_file():
                found.add(str(path), _values(path))
    except HubbubError as error:
        found.problem = error
    return found


def _values(path: Path) -> dict[str, Any]:
    import tomllib

    from ..bounded_files import read_bytes

    try:
        return tomllib.loads(read_bytes(path).decode("utf-8"))
    except (UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        raise OptionError(str(path), "is not a valid TOML file", str(error)) from None
