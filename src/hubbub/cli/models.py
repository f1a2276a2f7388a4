"""hubbub models: every model there is, and whether it can be used as it is."""

from __future__ import annotations

import argparse
import inspect

from ..errors import HubbubError
from ..model import bundled, model_class, names
from ..parameters import learnt_names
from ..pipe import dump
from .console import show
from .options import table


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a model")


def run(arguments: argparse.Namespace) -> int:
    ours = bundled()
    rows = [(name, *_about(name, name in ours)) for name in names()]
    if arguments.json:
        keys = ("name", "state", "what")
        print("\n".join(dump(dict(zip(keys, row, strict=True))) for row in rows))
    else:
        show(table(rows))
    return 0


def _about(name: str, is_bundled: bool) -> tuple[str, str]:
    """(whether it is ready, what it is in a sentence); a model of another package may fail to import."""
    try:
        kind = model_class(name)
    except HubbubError as error:
        return "broken", str(error)
    what = (inspect.getdoc(kind) or "").partition("\n")[0]
    return "bundled" if is_bundled else "needs training" if learnt_names(kind) else "ready", what
