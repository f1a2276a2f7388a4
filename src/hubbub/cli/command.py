"""What every command does with its words before it runs: checks that click leaves to the program."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import click
from click.core import ParameterSource

from ..errors import OptionError
from .settings import Settings


class Arguments(SimpleNamespace):
    """The values of a command's parameters; `left_out` says afterwards whether input could not be read."""

    left_out: bool = False
    is_default: bool = False


SECTIONS = {
    "Filters": ("person", "channel", "since", "until"),
    "Input": ("format", "date", "timezone", "columns", "bridges", "max_unpacked", "strict"),
    "Output": ("to", "json", "rasa", "spreadsheet_safe", "out", "svg", "width", "colour", "no_pager"),
    "General": ("quiet", "verbose"),
}


class Several(click.Option):
    """An option that takes several words: `--on a b` is `--on a --on b`."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **{**options, "multiple": True})


class HubbubCommand(click.Command):
    """A command that runs with one `Arguments` object.

    `exclusive` has groups of parameters of which one may be given. One that does not use settings runs with a broken
    configuration file, too.
    """

    def __init__(
        self, *given: Any, exclusive: Sequence[Sequence[str]] = (), uses_settings: bool = True, **options: Any
    ) -> None:
        from .options import quiet, verbose

        options["params"] = [*(options.get("params") or []), quiet(), verbose()]
        options["context_settings"] = {
            "help_option_names": ["-h", "--help"], "max_content_width": 100, "allow_extra_args": True,
        }  # fmt: skip
        super().__init__(*given, **options)
        self._exclusive = exclusive
        self._uses_settings = uses_settings

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Settings are checked after --help had its turn, but before what else may be wrong because of them."""
        settings = ctx.find_object(Settings) if self._uses_settings else None
        ctx.default_map = settings.defaults(self) if settings else {}
        try:
            rest = super().parse_args(ctx, self._spread(args))
        except click.UsageError as error:
            if settings:
                settings.check(self)
            error.ctx = error.ctx or ctx  # the parser of click leaves it out
            raise
        if settings:
            settings.check(self)
        if not ctx.resilient_parsing:
            self._check(ctx)
        return rest

    def _check(self, ctx: click.Context) -> None:
        if ctx.args:
            raise click.UsageError(f"{ctx.args[0]!r} is one argument too many", ctx)
        for param in self.params:
            _must_not_be_empty(ctx, param)
            self._must_not_be_an_option(ctx, param)
        for names in self._exclusive:
            self._keep_one(ctx, names)
        _shorten_json(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options in sections: a command's own first, then those that many commands have."""
        named = {name: title for title, names in SECTIONS.items() for name in names}
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                title = "General" if "--help" in param.opts else named.get(param.name or "", "Options")
                sections.setdefault(title, []).append(record)
        for title in ("Options", *SECTIONS):
            if rows := sections.get(title):
                with formatter.section(click.style(title, bold=True)):
                    formatter.write_dl(rows, col_max=24)

    def invoke(self, ctx: click.Context) -> Any:
        from .application import IS_DEFAULT
        from .console import set_verbosity

        levels = [each.params for each in (ctx, ctx.parent) if each]
        set_verbosity(any(each.get("quiet") for each in levels), any(each.get("verbose") for each in levels))
        arguments = Arguments(**ctx.params)
        arguments.is_default = bool(ctx.meta.get(IS_DEFAULT))
        assert self.callback is not None
        return ctx.invoke(self.callback, arguments), arguments

    def _spread(self, words: Sequence[str]) -> list[str]:
        """The words with the name of an option before each of its values."""
        several = {name for param in self.params if isinstance(param, Several) for name in param.opts}
        found: list[str] = []
        option, is_first = "", False
        for number, word in enumerate(words):
            if word == "--":
                return [*found, *words[number:]]
            if word.startswith("-") and word != "-":
                option, is_first = word if word in several else "", True
            elif option:
                if not is_first:
                    found.append(option)
                is_first = False
            found.append(word)
        return found

    def _must_not_be_an_option(self, ctx: click.Context, param: click.Parameter) -> None:
        """click takes any word as the value of an option, so that `--out --strict` would write a file `--strict`."""
        known = {name for each in self.params for name in each.opts}
        value = ctx.params.get(param.name or "")
        if isinstance(param, click.Option) and isinstance(value, str) and value in known:
            raise click.BadParameter(f"needs a value, and {value} is an option", ctx, param)

    def _keep_one(self, ctx: click.Context, names: Sequence[str]) -> None:
        """Of options that exclude each other, the one on the command line; settings give way to it."""
        given = [name for name in names if is_given(ctx, name)]
        if len(given) > 1:
            options = " and ".join(_shown(self._param(name)) for name in given)
            raise OptionError(options, "both given", "only one of them can be used at a time")
        for name in set(names) - set(given) if given else ():
            ctx.params[name] = False if getattr(self._param(name), "is_flag", False) else None

    def _param(self, name: str) -> click.Parameter:
        return next(each for each in self.params if each.name == name)


def is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _shown(param: click.Parameter) -> str:
    return param.opts[0] if isinstance(param, click.Option) else param.make_metavar(click.Context(click.Command(None)))


def _must_not_be_empty(ctx: click.Context, param: click.Parameter) -> None:
    """An empty name would mean the current folder, or that the option was not given; an empty text asks nothing."""
    value = ctx.params.get(param.name or "")
    values = value if isinstance(value, list | tuple) else [value]
    if not any(isinstance(each, str) and not each.strip() for each in values):
        return
    if is_given(ctx, param.name or ""):
        raise click.BadParameter("has an empty value", ctx, param)


def _shorten_json(ctx: click.Context) -> None:
    """--json is a shorthand for --to json."""
    if not ctx.params.pop("json", False):
        return
    if is_given(ctx, "to") and ctx.params["to"] not in ("json", "jsonl"):
        raise OptionError("--json and --to", ctx.params["to"], "--json is a shorthand for --to json")
    ctx.params["to"] = "json"
