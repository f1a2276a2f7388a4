"""hubbub models: every model, and whether it is ready to use."""

from __future__ import annotations

import inspect
import re

import click

from ..errors import HubbubError
from ..jsonl import dump
from ..ml.parameters import learnt_names
from ..ml.registry import bundled, model_class, names
from .command import Arguments, HubbubCommand
from .console import show
from .options import output_format
from .tables import table


@click.command(cls=HubbubCommand)
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """List the models, and which of them are ready to use."""
    ours = bundled()
    rows = [(name, *_about(name, name in ours)) for name in names()]
    if arguments.to == "text":
        show(table(rows))
    else:
        keys = ("name", "state", "what")
        show("\n".join(dump(dict(zip(keys, row, strict=True))) for row in rows))


def _about(name: str, is_bundled: bool) -> tuple[str, str]:
    """(whether it is ready, its description); a model of another package may fail to import."""
    try:
        kind = model_class(name)
    except HubbubError as error:
        return "broken", str(error)
    first_sentence = re.match(r".+?\.(?=\s|$)", " ".join((inspect.getdoc(kind) or "").split()))
    what = first_sentence[0] if first_sentence else ""
    return "bundled" if is_bundled else "needs training" if learnt_names(kind) else "ready", what
