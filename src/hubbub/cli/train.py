"""hubbub train: a model fitted to a dataset or to files of one's own, saved in a folder."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

from ..bounded import read_bytes
from ..errors import ModelError, OptionError
from ..model import load, must_match, name_of
from ..parameters import checked
from ..schema import Mismatch
from ..task import TASKS, task, train
from .console import show
from .options import add_folder, settings, whole_number
from .progress import said_meanwhile

RECIPE = ("model", "from", "on", "check", "out", "seed", "settings")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help=f"what to learn: {', '.join(TASKS)}")
    parser.add_argument("--model", metavar="NAME", help="the model to train (see hubbub models)")
    parser.add_argument("--from", metavar="MODEL", dest="start", help="go on from this trained model, name or folder")
    parser.add_argument("--on", nargs="+", metavar="WHAT", help="a dataset's split (irc:train), or files or a folder")
    parser.add_argument("--check", nargs="+", metavar="WHAT", help="data on which the saved model is scored")
    add_folder(parser)
    parser.add_argument("--out", metavar="FOLDER", help="where to save the trained model")
    parser.add_argument("--seed", metavar="N", type=whole_number, help="what random choices start from (default: 0)")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a parameter of the model")
    parser.add_argument(
        "--recipe", metavar="FILE", help="a TOML file that says all this, perhaps in steps; options given here win"
    )


def run(arguments: argparse.Namespace) -> int:
    for recipe in _steps(arguments.recipe, arguments.model) if arguments.recipe else [{}]:
        _train(arguments, recipe)
    return 0


def _train(arguments: argparse.Namespace, recipe: dict[str, Any]) -> None:
    start = arguments.start or recipe.get("from")
    on, out = _needed("--on", arguments.on or recipe.get("on")), _needed("--out", arguments.out or recipe.get("out"))
    name = arguments.model or recipe.get("model") or task(arguments.task).default
    seed = recipe.get("seed", 0) if arguments.seed is None else arguments.seed
    options = {"seed": seed, "out": out, "data": arguments.data, "check": arguments.check or recipe.get("check")}
    chosen = {**recipe.get("settings", {}), **settings(arguments.set)}
    where = on if isinstance(on, str) else " ".join(on)
    begun = _started(start, arguments.task, arguments.model, chosen) if start else name
    with said_meanwhile(f"{start or name}: learning from {where} ..."):
        train(arguments.task, begun, on, settings=chosen, **options)
    show(f"{out}: {start or name}, trained on {where}; hubbub evaluate {out} --on DATA scores it.")


def _needed(option: str, value: Any) -> Any:
    if not value:
        raise OptionError(option, "is missing", "say it on the command line or in the recipe")
    return value


def _started(start: str, wanted: str, named: str | None, chosen: dict[str, Any]) -> Any:
    """A trained model that goes on, with other parameters where they are given."""
    model = load(start, task=wanted)
    if named not in (None, name_of(model)):
        raise OptionError("--model", str(named), f"{start} is {name_of(model)}, and goes on as that")
    if not getattr(model, "goes_on", False):
        raise ModelError(start, f"{name_of(model)} would forget what it knows: train it on all examples at once")
    for name, value in checked(name_of(model), type(model), chosen).items():
        setattr(model, name, value)
    try:
        must_match(model, model.state())
    except Mismatch as error:
        raise OptionError("--set", ", ".join(chosen), f"{start} is trained and keeps its sizes: {error}") from error
    return model


def _steps(file: str, model: str | None) -> list[dict[str, Any]]:
    """What a recipe says is to be trained, in order: all of it or, of several models, the one that is asked for."""
    recipe = _recipe(file)
    steps = recipe.pop("step", [])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise OptionError("--recipe", f"{file}: step", "the steps of a recipe are tables, [[step]]")
    whole = [{**recipe, **step} for step in steps] or [recipe]
    for unknown in {key for step in whole for key in step} - set(RECIPE):
        raise OptionError("--recipe", f"{file}: {unknown}", f"a recipe has {', '.join(RECIPE)} and step")
    return [step for step in whole if not steps or model in (None, step.get("model"))]


def _recipe(file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bytes(Path(file)).decode("utf-8"))
    except (UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        raise OptionError("--recipe", file, f"it is no TOML file that can be read: {error}") from error
