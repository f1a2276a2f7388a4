"""Configuration files: which there are, what they set, and where each value comes from.

`~/.config/hubbub/config.toml` (below XDG_CONFIG_HOME if that is set) is read first, then `hubbub.toml` in the current
folder; later values win, and options win over both. HUBBUB_CONFIG names one file to read instead of both; an empty
value means none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ..errors import OptionError
from . import COMMANDS

LOCAL = "hubbub.toml"
PATHS = ("archive", "intents", "cast")  # names of parameters too; relative to the file that sets them
COLOUR_CHOICES = ("auto", "always", "never")
_SPELLINGS = {"color": "colour", "colours": "colour", "colors": "colour"}


@dataclass(frozen=True, slots=True)
class Setting:
    value: Any
    file: str


@dataclass(slots=True)
class Settings:
    """What the files set. `everywhere` is for every command that has the option, `sections` for single commands."""

    files: list[str] = field(default_factory=list)
    everywhere: dict[str, Setting] = field(default_factory=dict)
    sections: dict[str, dict[str, Setting]] = field(default_factory=dict)

    def defaults(self) -> dict[str, dict[str, Any]]:
        """Values by command and parameter, as click takes them."""
        common = {name: each.value for name, each in self.everywhere.items()}
        own = {
            name: {key: each.value for key, each in self.sections.get(name, {}).items() if key != "json"}
            for name in COMMANDS
        }
        return {name: {**common, **own[name]} for name in COMMANDS}

    def origin(self, command: str, parameter: str) -> str:
        found = self.sections.get(command, {}).get(parameter) or self.everywhere.get(parameter)
        return found.file if found else ""

    def check(self, command: click.Command) -> None:
        """Every key of the command's section must be one of its options."""
        options = {each.name: each for each in command.params if isinstance(each, click.Option) and each.name}
        for key, each in self.sections.get(command.name or "", {}).items():
            if key not in options:
                shown = sorted(name.replace("_", "-") for name in options)
                raise _unknown(each.file, f"[{command.name}] {key}", key.replace("_", "-"), shown)

    def add(self, file: str, values: Mapping[str, Any]) -> None:
        self.files.append(file)
        for key, value in values.items():
            if isinstance(value, Mapping) and key in COMMANDS:
                self._add_section(file, key, value)
            else:
                self._add_value(file, key, value)

    def _add_section(self, file: str, command: str, values: Mapping[str, Any]) -> None:
        section = self.sections.setdefault(command, {})
        for key, value in values.items():
            if isinstance(value, Mapping):
                if (name := f"{command} {key}") not in COMMANDS:
                    raise _unknown(file, f"[{command}.{key}]", name, COMMANDS)
                self._add_section(file, name, value)
            else:
                section[_parameter(key)] = Setting(_placed(file, _parameter(key), value), file)

    def _add_value(self, file: str, key: str, value: Any) -> None:
        name = _parameter(key)
        if name not in (*PATHS, "colour"):
            raise _unknown(file, key, key, (*PATHS, "colours", *COMMANDS))
        if name == "colour" and value not in COLOUR_CHOICES:
            raise OptionError(file, key, f"it is one of {', '.join(COLOUR_CHOICES)}")
        if not isinstance(value, str) or not value:
            raise OptionError(file, key, "it is a string")
        self.everywhere[name] = Setting(_placed(file, name, value), file)


def _parameter(key: str) -> str:
    """The name of the parameter behind a key, which is spelled like its option."""
    name = key.replace("-", "_")
    return "archive" if name == "in" else _SPELLINGS.get(name, name)


def _placed(file: str, name: str, value: Any) -> Any:
    if name not in PATHS or not isinstance(value, str) or "://" in value:
        return value
    return str(Path(file).parent / Path(value).expanduser())


def _unknown(file: str, key: str, name: str, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> OptionError:
    near = get_close_matches(name, list(known), 1)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(known))}"
    return OptionError(file, key, f"there is no such setting ({hint})")


def candidate_files(environ: Mapping[str, str]) -> Iterator[Path]:
    """The files that are read if they are there, in order; one that HUBBUB_CONFIG names must be there."""
    if (named := environ.get("HUBBUB_CONFIG")) is not None:
        yield from [Path(named).expanduser()] if named else []
        return
    home = environ.get("XDG_CONFIG_HOME") or str(Path("~/.config").expanduser())
    yield Path(home) / "hubbub" / "config.toml"
    yield Path(LOCAL)


def load() -> Settings:
    """The settings in force."""
    found, is_named = Settings(), "HUBBUB_CONFIG" in os.environ
    for path in candidate_files(os.environ):
        if is_named or path.is_file():
            found.add(str(path), _values(path))
    return found


def _values(path: Path) -> dict[str, Any]:
    import tomllib

    from ..bounded_files import read_bytes

    try:
        return tomllib.loads(read_bytes(path).decode("utf-8"))
    except (UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        raise OptionError(str(path), "is not a valid TOML file", str(error)) from None
