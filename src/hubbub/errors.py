"""The errors hubbub raises on purpose. Each builds its sentence here, so that wording is the same everywhere.

HubbubError
├── InputError               something is wrong with what was given
│   ├── Missing              no such file or folder
│   ├── Unreadable           it is there, but cannot be opened
│   ├── Empty                there is nothing in it
│   ├── TooFew               there are too few examples to train on
│   ├── TooLong              a query beyond the length limit
│   ├── TooLarge             a file, or a line of one, beyond the size limit
│   ├── UnpacksTooLarge      packed input beyond the size limit
│   ├── Broken               it stops or breaks in the middle (truncated archive, invalid JSON ...)
│   ├── NoChats              nothing in it is a chat
│   ├── SeveralChats         it holds several chats where one is needed
│   ├── NoExamples           it has no examples to train on
│   ├── BadExample           an example in it is incomplete
│   ├── NotText              a binary file of no known format
│   ├── UnknownFormat        no format matches
│   ├── AmbiguousFormat      several formats match equally well
│   └── WrongFormat          it is not in the requested format
├── Unwritable               the output cannot be written
├── OptionError              an option has an invalid value
├── NotConfirmed             a removal that nobody can confirm: standard input is no terminal
├── UnknownName              no model, dataset, format ... of that name
├── UnknownPerson            nobody of that name
├── NeedsExtra               a part that is not installed
├── DatasetMissing           a dataset that is not on this machine
├── ArchiveError             an archive that cannot be used
├── ModelError               a saved model that cannot be used
└── Unexplained              --strict, and lines were left unexplained
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

from .text import plural

_PASSWORD = re.compile(r"(://[^/:@\s]*):[^/\s]*@")  # of user:password@host in an address
LOOP = "it is a symbolic link that points at itself"


class HubbubError(Exception):
    """Base class: its text is one sentence for the user; commands exit with code 2."""


class InputError(HubbubError):
    pass


class Missing(InputError):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: {_absence(path)}.")


def _absence(path: str) -> str:
    """The name of a symbolic link may be right, and only what it points at be missing."""
    if not Path(path).is_symlink():
        return "there is no such file or folder"
    return LOOP if is_link_loop(path) else f"it is a symbolic link to {Path(path).readlink()}, which is not there"


def is_link_loop(path: str | Path) -> bool:
    """Whether symbolic links lead back to it; `Path.resolve` says so in some versions of Python only."""
    try:
        Path(path).stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


class Unreadable(InputError):
    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: cannot be read ({reason}).")


class Empty(InputError):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: is empty, there is nothing to read.")


class TooFew(InputError):
    def __init__(self, what: str, count: int, least: int, where: str = "") -> None:
        at = f"{where}: " if where else ""
        super().__init__(f"{at}there are too few {what} to learn from ({count}, and it takes at least {least}).")


class TooLong(InputError):
    def __init__(self, where: str, most: int) -> None:
        super().__init__(f"{where}: is longer than the {most:,} characters that a query may have.")


class TooLarge(InputError):
    def __init__(self, path: str, most: int, what: str = "it") -> None:
        super().__init__(f"{path}: is too large ({what} has more than {most:,} bytes).")


class UnpacksTooLarge(InputError):
    def __init__(self, path: str, bound: str) -> None:
        super().__init__(
            f"{path}: unpacks to more than {bound}; if you trust it, allow more with --max-unpacked SIZE (such as 20G)."
        )


class Broken(InputError):
    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: is broken or cut short ({reason}).")


class NoChats(InputError):
    def __init__(self, path: str, reason: str = "no file in it reads as a chat") -> None:
        super().__init__(f"{path}: holds no chat ({reason}).")


class NoExamples(InputError):
    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: holds no examples of intents ({reason}).")


class BadExample(InputError):
    def __init__(self, path: str, place: str, reason: str) -> None:
        super().__init__(f"{path}: {place}: {reason}.")


class NotText(InputError):
    def __init__(self, path: str, kind: str = "a binary file") -> None:
        super().__init__(f"{path}: is {kind} of no format that hubbub reads.")


class SeveralChats(InputError):
    def __init__(self, path: str, names: Sequence[str]) -> None:
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        super().__init__(f"{path}: holds {len(names)} chats ({shown}); hubbub.read_all reads several.")


class UnknownFormat(InputError):
    def __init__(self, path: str, hints: Sequence[str] = ()) -> None:
        seen = f" The nearest were {'; '.join(hints)}." if hints else ""
        super().__init__(f"{path}: looks like no chat format that hubbub knows; name one with --format.{seen}")


class AmbiguousFormat(InputError):
    def __init__(self, path: str, hints: Sequence[str]) -> None:
        super().__init__(f"{path}: could be {' or '.join(hints)}; say which with --format.")


class WrongFormat(InputError):
    def __init__(self, path: str, format: str, reason: str, hints: Sequence[str] = ()) -> None:
        self.path, self.format, self.reason = path, format, reason
        seen = f"; it looks like {'; '.join(hints)}" if hints else ""
        super().__init__(f"{path}: does not read as {format} ({reason}){seen}.")


class Unwritable(HubbubError):
    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: cannot be written ({reason}).")


class OptionError(HubbubError):
    def __init__(self, option: str, value: object, right: str) -> None:
        super().__init__(f"{option} {value}: {right}.")


class NotConfirmed(HubbubError):
    def __init__(self) -> None:
        super().__init__("not a terminal: add --yes to confirm.")


class UnknownName(HubbubError):
    """`near` is the known name that was probably meant, or empty."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.known = sorted(known)
        self.near = _near(name, self.known)
        hint = f" (did you mean {self.near!r}?)" if self.near else ""
        super().__init__(f"There is no {what} named {name!r}{hint}; known: {', '.join(self.known) or 'none yet'}.")


def _near(name: str, known: Sequence[str]) -> str:
    """Of names such as thread/lowe only the part behind a known task is compared."""
    task, slash, _ = name.rpartition("/")
    same = [each for each in known if each.startswith(f"{task}/")] if slash else []
    if not same:
        return nearest(name, known)
    short = {each.removeprefix(f"{task}/"): each for each in same}
    return short.get(nearest(name.removeprefix(f"{task}/"), short), "")


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that was probably meant: one that begins with it, else a similar one; empty if none is near."""
    names = {each.lower(): each for each in known}
    wanted = name.lower()
    begun = sorted((each for each in names if wanted and each.startswith(wanted)), key=len)
    found = begun or get_close_matches(wanted, names, 1)
    return names[found[0]] if found else ""


class UnknownPerson(HubbubError):
    def __init__(self, name: str, where: str, near: Sequence[str], count: int) -> None:
        hint = f"near it: {', '.join(near)}" if near else f"there are {count:,} people, and no name is near it"
        super().__init__(f"Nobody in {where} is named {name!r}; {hint}.")


class NeedsExtra(HubbubError):
    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs a part that is not installed: pip install 'hubbub[{extra}]'.")


class DatasetMissing(HubbubError):
    def __init__(self, name: str, what: str, licence: str, home: str) -> None:
        super().__init__(
            f"The dataset {name} ({what}; {licence}) is not on this machine: get it from {home} "
            f"and point --data or HUBBUB_DATA at the folder that holds it."
        )


class ArchiveError(HubbubError):
    """An archive that cannot be used, and why; the password in the address of a database is not shown."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(_PASSWORD.sub(r"\1:***@", f"{where}: {reason}."))


class ModelError(HubbubError):
    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: is not a model that hubbub can use ({reason}).")


class PartlyRead(UserWarning):
    """A file, or the rest of one, was left out, while others were read."""

    def __init__(self, where: str, reason: str, lines: int | None) -> None:
        self.where, self.reason, self.lines = where, reason, lines
        counted = "" if lines is None else f", {plural(lines, 'line')}"
        super().__init__(f"{where}: left out{counted}: {reason}.")


class Unexplained(HubbubError):
    def __init__(self, count: int, files: int, path: str) -> None:
        wrong = [f"{plural(count, 'line or record', 'lines or records')} not explained"] if count else []
        wrong += [f"{plural(files, 'file')} left out"] if files else []
        super().__init__(f"{path}: {' and '.join(wrong)}, and --strict was given.")
