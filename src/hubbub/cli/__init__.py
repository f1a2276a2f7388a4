"""The command line: one file a verb, each with `add(parser)` and `run(arguments)`, imported when its turn comes."""

from __future__ import annotations

import argparse
import os
import re
import stat
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from .. import __version__

VERBS: dict[str, str] = {
    "read": "read a chat and pass it on as JSON lines, CSV, Parquet, plain text or a summary",
    "view": "draw a chat in the terminal (without a verb: with its conversations and who is meant)",
    "thread": "tell who answers whom in a chat, as JSON lines, links, CSV, clusters or a corpus",
    "people": "tell who is meant by every mention of a person, and who talks to and about whom",
    "intent": "tell what queries or messages want, or that it is none of the known intents",
    "intent check": "report what is wrong with a file of examples",
    "intent discover": "find what people ask in a chat that no intent covers",
    "index": "put chats, with their conversations, into one archive that can be searched",
    "search": "find conversations in an archive by words, person, channel and date",
    "ask": "ask an archive, and get what people once answered to such a question",
    "answer": "rank replies that fit a conversation, from an archive or a file",
    "dialogues": "take the dialogues out of a chat, to learn replies from",
    "examples": "make contexts with true and false replies of dialogues",
    "train": "train a model on a dataset or on files of your own, and save it",
    "evaluate": "score a model on a dataset or on files of your own",
    "agree": "compare two annotations of the same chats, or two systems with the gold",
    "reproduce": "a published table beside our own figures, cell by cell",
    "models": "list the models, and which of them are ready to use",
    "datasets": "list the datasets, where they are on this machine, and where to get them",
}


EXIT_LEFT_OUT = 3  # done, but part of the input could not be read and is named on stderr
PLACES = frozenset({"A", "B", "DIALOGUES", "FILE", "MODEL", "PATH", "TASK"})
EXIT_CODES = """exit codes:
  0    done
  2    an error, and nothing was done; or --strict, and something stayed unexplained
  3    done, but part of the input could not be read; it is named on standard error
  129  the terminal was closed (SIGHUP)
  130  interrupted (Ctrl-C)
  141  whatever read the output closed it
  143  terminated (SIGTERM)"""


class _Parser(argparse.ArgumentParser):
    """A wrong option is one sentence, like any other mistake; help that cannot be written is a mistake too."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """An empty name would mean the current folder, or that the option was not given."""
        found = super().parse_args(args, namespace)
        for action in self._actions:
            values = getattr(found, action.dest, None)
            wanted = action.default != "" if action.option_strings else action.metavar in PLACES
            if wanted and "" in (values if isinstance(values, list) else [values]):
                self.error(f"argument {'/'.join(action.option_strings) or action.metavar}: its value is empty")
        return found

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        sys.stdout.flush()
        super().exit(status, message)

    def error(self, message: str) -> NoReturn:
        from ..text import printable

        self.exit(2, f"{printable(f'{self.prog}: {message}; {self.prog} --help tells what there is.')}\n")


def parser() -> argparse.ArgumentParser:
    """The top of the help: verbs by name only, so that `--help` imports nothing heavy."""
    top = _Parser(
        prog="hubbub",
        description="Makes sense of many people talking at once.",
        epilog=f"hubbub VERB --help tells more of a verb.\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"hubbub {__version__}")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, help_text in VERBS.items():
        verbs.add_parser(name, help=help_text, add_help=False)
    return top


def verb_parser(verb: str) -> argparse.ArgumentParser:
    made = _Parser(prog=f"hubbub {verb}", description=VERBS[verb], formatter_class=argparse.RawDescriptionHelpFormatter)
    _module(verb).add(made)
    return made


def _module(verb: str) -> ModuleType:
    """A verb of two words lives in the file of both: `intent discover` in intent_discover.py."""
    return import_module(f"hubbub.cli.{verb.replace(' ', '_')}")


def main(argv: Sequence[str] | None = None) -> int:
    try:
        from .console import show_warnings, standard_streams
        from .failures import status_of
        from .signals import raised_signals

        with standard_streams(), raised_signals():
            show_warnings()
            try:
                status = _dispatch(list(sys.argv[1:] if argv is None else argv))
                sys.stdout.flush()
                return status
            except BaseException as error:
                return status_of(error)
    except KeyboardInterrupt:
        return 130


def _dispatch(words: list[str]) -> int:
    if words[:1] in (["-h"], ["--help"], ["--version"]) or not (words or is_piped()):
        parser().parse_args(words or ["--help"])
    verb, rest = next(((" ".join(words[:n]), words[n:]) for n in (2, 1) if " ".join(words[:n]) in VERBS), ("", words))
    if not verb:
        verb, rest = "view", ["--threads", "--people", *words]
        _must_be_a_place(words)
    arguments = verb_parser(verb).parse_args(rest)
    status = _module(verb).run(arguments)
    return int(status or (EXIT_LEFT_OUT if getattr(arguments, "left_out", False) else 0))


def is_piped() -> bool:
    """Whether standard input is a pipe or a file, and not a keyboard or nothing."""
    try:
        kind = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(kind) or stat.S_ISREG(kind) or stat.S_ISSOCK(kind)


def _must_be_a_place(words: list[str]) -> None:
    """A plain word that is neither a verb nor a file is more likely a slip than a path."""
    from ..errors import UnknownName

    if words and re.fullmatch(r"[\w-]+", words[0]) and words[0][0] != "-" and not Path(words[0]).exists():
        raise UnknownName("verb or file", words[0], VERBS)
