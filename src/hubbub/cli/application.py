"""The program as a click group whose commands are imported when they are used."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from .. import __version__
from ..errors import UnknownName
from . import COMMANDS, EXIT_CODES, EXIT_LEFT_OUT, GROUPS, is_piped
from .command import Arguments, HubbubCommand
from .options import quiet, verbose
from .progress import reset

NAME = "hubbub"
COMPLETE = "_HUBBUB_COMPLETE"  # the variable in which a completion script passes the words so far
DEFAULT_COMMAND = "view"
IS_DEFAULT = "hubbub.is_default"  # the key in Context.meta that marks a command line without a command

FIRST_WORD = "hubbub.first_word"  # the key that holds the first of two words while the second is completed

_BEFORE_COMMAND = {"-q", "--quiet", "-v", "--verbose"}
_HELP = ("-h", "--help")
_OWN_OPTIONS = {*_HELP, "--version"}


class HubbubGroup(click.Group):
    """Commands by name; a command line without one draws what it names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> HubbubCommand | None:
        if cmd_name not in COMMANDS:
            return None
        entry = COMMANDS[cmd_name]
        command: HubbubCommand = import_module(f"hubbub.cli.{entry.module}").command
        command.name, command.short_help = cmd_name, entry.help
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        start = next((n for n, word in enumerate(args) if word not in _BEFORE_COMMAND), len(args))
        before, rest = args[:start], args[start:]
        if not rest and not before and not is_piped() and not ctx.resilient_parsing:
            rest = ["--help"]
        if ctx.resilient_parsing and (not rest or (len(rest) == 1 and rest[0] in GROUPS)):
            ctx.meta[FIRST_WORD] = rest[0] if rest else ""
            return super().parse_args(ctx, before)
        if rest and rest[0] == "help" and not Path("help").exists():
            rest = [*rest[1:], "--help"]
            args = [*before, *rest]
        if rest and rest[0] in _OWN_OPTIONS:
            return super().parse_args(ctx, args if args else rest)
        if rest and rest[0] in GROUPS:
            self._must_have_second_word(ctx, *rest[:2])
        return super().parse_args(ctx, [*before, *self._with_command(ctx, rest)])

    def _with_command(self, ctx: click.Context, words: list[str]) -> list[str]:
        """The words with a command before them: two words that name one become one word."""
        for count in (2, 1):
            if words and (name := " ".join(words[:count])) in COMMANDS:
                return [name, *words[count:]]
        if not ctx.resilient_parsing:
            _must_be_a_place(words)
        ctx.meta[IS_DEFAULT] = True
        return [DEFAULT_COMMAND, *words]

    def _must_have_second_word(self, ctx: click.Context, first: str, second: str = "") -> None:
        """A word that is no command of its own shows the commands that begin with it."""
        if ctx.resilient_parsing or second in _second_words(first):
            return
        if second in ("", *_HELP):
            click.echo(self._group_help(ctx, first))
            ctx.exit()
        if second.startswith("-"):
            raise click.UsageError(f"hubbub {first} needs one of its commands before {second}, such as {GROUPS[first]}")
        raise UnknownName("command", f"{first} {second}", (f"{first} {each}" for each in _second_words(first)))

    def _group_help(self, ctx: click.Context, first: str) -> str:
        formatter = ctx.make_formatter()
        formatter.write_usage(f"{NAME} {first}", "COMMAND [OPTIONS]")
        with formatter.section(_strong("Commands")):
            formatter.write_dl([(name, COMMANDS[f"{first} {name}"].help) for name in _second_words(first)])
        formatter.write_paragraph()
        formatter.write_text(f"{NAME} {first} COMMAND --help shows the options of a command.")
        return formatter.getvalue().rstrip("\n")

    def invoke(self, ctx: click.Context) -> Any:
        from .settings import load

        ctx.obj = load()
        return super().invoke(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, else files: what follows without a command is drawn, and so its options are offered too."""
        if words := _second_words(ctx.meta.get(FIRST_WORD, "")):
            return [CompletionItem(word) for word in words if word.startswith(incomplete)]
        default = self.get_command(ctx, DEFAULT_COMMAND)
        if incomplete.startswith("-"):
            assert default is not None
            drawn = default.shell_complete(
                default.make_context(DEFAULT_COMMAND, [], resilient_parsing=True), incomplete
            )
            return list({item.value: item for item in [*super().shell_complete(ctx, incomplete), *drawn]}.values())
        names = dict.fromkeys(name.partition(" ")[0] for name in COMMANDS)
        found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [CompletionItem(incomplete, type="file"), *found]  # scripts drop what is listed before files

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        for group in dict.fromkeys(entry.group for entry in COMMANDS.values()):
            rows = [(name, entry.help) for name, entry in COMMANDS.items() if entry.group == group]
            with formatter.section(_strong(group)):
                formatter.write_dl(rows, col_max=18)
        self.format_options(ctx, formatter)
        with formatter.section(_strong("Exit codes")):
            formatter.write_dl([(str(code), meaning) for code, meaning in EXIT_CODES.items()])
        formatter.write_paragraph()
        formatter.write_text("hubbub COMMAND --help shows the options of a command.")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_strong("Options")):
            formatter.write_dl([record for each in self.get_params(ctx) if (record := each.get_help_record(ctx))])


def _second_words(first: str) -> list[str]:
    """The second words of commands of two words, such as `intent check`."""
    return [second for one, _, second in (name.partition(" ") for name in COMMANDS) if one == first and second]


def _strong(heading: str) -> str:
    return click.style(heading, bold=True)


def _must_be_a_place(words: Sequence[str]) -> None:
    """A plain word that is neither a command nor a file is more likely a mistyped command than a path."""
    if words and re.fullmatch(r"\w[\w-]*", words[0]) and not Path(words[0]).exists():
        raise UnknownName("command or file", words[0], {name.partition(" ")[0] for name in COMMANDS})


def application() -> HubbubGroup:
    return HubbubGroup(
        NAME,
        help="Read group chats, find the conversations in them, and search and query what was said.\n\n"
        "hubbub chat.log draws a chat with its conversations.",
        params=[quiet(), verbose(), _version()],
        context_settings={"help_option_names": list(_HELP)},
        subcommand_metavar="[COMMAND] [OPTIONS] [PATH]...",
        options_metavar="",
        invoke_without_command=False,
    )


def _version() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            click.echo(f"hubbub {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=show, help="Show the version and exit."
    )


def run(words: list[str]) -> int:
    """Runs a command line and returns its exit status; what goes wrong is raised."""
    program = application()
    reset()
    if instruction := os.environ.get(COMPLETE):
        from .shell_completion import SHELLS

        if completion := SHELLS.get(instruction.removesuffix("_complete")):
            click.echo(completion(program, {}, NAME, COMPLETE).complete())
        return 0
    try:
        with program.make_context(NAME, words) as ctx:
            status, arguments = program.invoke(ctx)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    return int(status or (EXIT_LEFT_OUT if isinstance(arguments, Arguments) and arguments.left_out else 0))
