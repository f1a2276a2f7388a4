"""The command line: one module a command, imported when the command is used."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from typing import NamedTuple

SHOW, ANALYSE, ARCHIVE, INSIGHTS, TRAIN, INFORM = (
    "Read and show",
    "Analyse",
    "Archive",
    "Insights from an archive",
    "Train and evaluate",
    "Information",
)


class CommandEntry(NamedTuple):
    """A command as the list of commands shows it; the rest of it is in its module."""

    module: str
    help: str
    group: str


COMMANDS: dict[str, CommandEntry] = {
    "read": CommandEntry("read", "Convert a chat to JSON lines, CSV, Parquet, plain text or a summary.", SHOW),
    "view": CommandEntry("view", "Draw a chat in the terminal.", SHOW),
    "thread": CommandEntry("thread", "Find out which message replies to which.", ANALYSE),
    "people": CommandEntry("people", "Link mentions of people to the people they refer to.", ANALYSE),
    "intent": CommandEntry("intent", "Classify the intent of queries or messages.", ANALYSE),
    "intent check": CommandEntry("intent_check", "Report problems in a file of intent examples.", ANALYSE),
    "intent discover": CommandEntry("intent_discover", "Find frequent requests that no intent covers.", ANALYSE),
    "index": CommandEntry("index", "Add chats and their conversations to an archive.", ARCHIVE),
    "search": CommandEntry("search", "Search an archive by words, person, channel and date.", ARCHIVE),
    "ask": CommandEntry("ask", "Find earlier answers to a question in an archive.", ARCHIVE),
    "show": CommandEntry("show", "Print a conversation from an archive by its id.", ARCHIVE),
    "serve": CommandEntry("serve", "Show chats or an archive as a site in the browser.", ARCHIVE),
    "mcp": CommandEntry("mcp", "Offer an archive to assistants as tools (Model Context Protocol).", ARCHIVE),
    "archive info": CommandEntry("archive_info", "Show what an archive contains.", ARCHIVE),
    "archive list": CommandEntry("archive_list", "List the conversations of an archive, latest first.", ARCHIVE),
    "archive show": CommandEntry("show", "Print a conversation from an archive by its id.", ARCHIVE),
    "archive remove": CommandEntry("archive_remove", "Remove a channel from an archive.", ARCHIVE),
    "archive forget": CommandEntry("archive_forget", "Remove a person from an archive for good.", ARCHIVE),
    "archive pseudonymise": CommandEntry(
        "archive_pseudonymise", "Copy an archive with roles in place of names.", ARCHIVE
    ),
    "archive export": CommandEntry("archive_export", "Export an archive to JSON lines, Parquet or SQLite.", ARCHIVE),
    "archive check": CommandEntry("archive_check", "Check an archive for damage.", ARCHIVE),
    "archive vacuum": CommandEntry("archive_vacuum", "Free unused space in an archive.", ARCHIVE),
    "archive rethread": CommandEntry("archive_rethread", "Predict the reply links of an archive again.", ARCHIVE),
    "answer": CommandEntry("answer", "Rank replies to a message, from an archive or a file.", ARCHIVE),
    "unanswered": CommandEntry("unanswered", "List questions without a reply or a resolution.", INSIGHTS),
    "stats": CommandEntry("stats", "Show messages, people, answer times, helpers and topics.", INSIGHTS),
    "faq": CommandEntry("faq", "List questions that were asked repeatedly, with their answers.", INSIGHTS),
    "export": CommandEntry("export", "Export conversations as training or retrieval data.", INSIGHTS),
    "dialogues": CommandEntry("dialogues", "Extract dialogues from a chat as training data.", TRAIN),
    "examples": CommandEntry("examples", "Build response-ranking examples from dialogues.", TRAIN),
    "train": CommandEntry("train", "Train a model on a dataset or on your own files.", TRAIN),
    "evaluate": CommandEntry("evaluate", "Evaluate a model on a dataset or on your own files.", TRAIN),
    "agree": CommandEntry("agree", "Compare two annotations, or two systems with the gold annotation.", TRAIN),
    "reproduce": CommandEntry("reproduce", "Show a published table beside our results.", TRAIN),
    "models": CommandEntry("models", "List the models.", INFORM),
    "datasets": CommandEntry("datasets", "List the datasets, where they are, and where to get them.", INFORM),
    "config": CommandEntry("config", "Show the settings in force and the file each comes from.", INFORM),
    "completion": CommandEntry("completion", "Print the completion script for bash, zsh or fish.", INFORM),
}

# Words that are no command of their own, with their first command.
GROUPS = {
    first: name for name in reversed(COMMANDS) if (first := name.partition(" ")[0]) != name and first not in COMMANDS
}

EXIT_LEFT_OUT = 3  # done, but part of the input could not be read and is named on stderr
EXIT_CODES = {
    0: "done",
    2: "an error, and nothing was done; or, with --strict, part of the input could not be parsed",
    EXIT_LEFT_OUT: "done, but part of the input could not be read; standard error says which",
    129: "the terminal was closed (SIGHUP)",
    130: "interrupted (Ctrl-C)",
    141: "the reader of the output closed the pipe",
    143: "terminated (SIGTERM)",
}


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
    from .application import run

    return run(words)


def is_piped() -> bool:
    """Whether standard input is a pipe or a file, and not a keyboard or nothing."""
    try:
        kind = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(kind) or stat.S_ISREG(kind) or stat.S_ISSOCK(kind)
