"""hubbub train: a model trained on a dataset or on one's own files, saved in a folder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from ..bounded_files import read_bytes
from ..errors import ModelError, OptionError
from ..ml.model_schema import Mismatch
from ..ml.parameters import checked
from ..ml.registry import load, model_class, must_be_for, must_match, name_of
from ..ml.task import task, train
from .command import Arguments, HubbubCommand, Several
from .console import show
from .options import data_folder, on_data, parameters, seed, settings
from .parameter_types import FILE, FOLDER, dataset_name, model_name, task_name
from .progress import working

RECIPE = ("model", "from", "on", "check", "out", "seed", "settings")


@click.command(cls=HubbubCommand)
@click.argument("task", metavar="TASK", type=task_name())
@click.option("--model", metavar="MODEL", type=model_name(), help="Model to train (see hubbub models).")
@click.option(
    "--from", "start", metavar="MODEL", type=model_name(), help="Continue training this model, by name or folder."
)
@on_data(required=False, help="Training data: a dataset split (irc:train), or files or folders.")
@click.option(
    "--check", cls=Several, metavar="DATA...", type=dataset_name(), help="Data to evaluate the trained model on."
)
@data_folder
@click.option("--out", metavar="FOLDER", type=FOLDER, help="Folder to save the trained model in.")
@seed(None)
@parameters
@click.option(
    "--recipe",
    metavar="FILE",
    type=FILE,
    help="TOML file with these options; options on the command line take precedence.",
)
def command(arguments: Arguments) -> None:
    """Train a model on a dataset or on your own files, and save it.

    TASK is one of thread, people, mentions, intent and answer.
    """
    for recipe in _steps(arguments.recipe, arguments.model) if arguments.recipe else [{}]:
        _train(arguments, recipe)


def _train(arguments: Arguments, recipe: dict[str, Any]) -> None:
    start, wanted = arguments.start or recipe.get("from"), task(arguments.task)
    name = arguments.model or recipe.get("model") or wanted.default
    model_class(name)
    must_be_for(wanted.name, name, name)
    on, out = (
        _needed("--on", list(arguments.on) or recipe.get("on")),
        _needed("--out", arguments.out or recipe.get("out")),
    )
    seed = recipe.get("seed", 0) if arguments.seed is None else arguments.seed
    options = {"seed": seed, "out": out, "data": arguments.data, "check": list(arguments.check) or recipe.get("check")}
    chosen = {**recipe.get("settings", {}), **settings(arguments.set)}
    where = on if isinstance(on, str) else " ".join(on)
    begun = _started(start, arguments.task, arguments.model, chosen) if start else name
    with working(f"{start or name}: training on {where}"):
        train(arguments.task, begun, on, settings=chosen, **options)
    show(f"{out}: {start or name}, trained on {where}; hubbub evaluate {out} --on DATA evaluates it.")


def _needed(option: str, value: Any) -> Any:
    if not value:
        raise OptionError(option, "is missing", "set it on the command line or in the recipe")
    return value


def _started(start: str, wanted: str, named: str | None, chosen: dict[str, Any]) -> Any:
    """A trained model to continue from, with other parameters where they are given."""
    model = load(start, task=wanted)
    if named not in (None, name_of(model)):
        raise OptionError("--model", str(named), f"{start} is {name_of(model)}, and stays that")
    if not getattr(model, "continues_training", False):
        raise ModelError(start, f"{name_of(model)} cannot continue its training: train it on all examples at once")
    for name, value in checked(name_of(model), type(model), chosen).items():
        setattr(model, name, value)
    try:
        must_match(model, model.state())
    except Mismatch as error:
        raise OptionError("--set", ", ".join(chosen), f"{start} is trained and keeps its sizes: {error}") from error
    return model


def _steps(file: str, model: str | None) -> list[dict[str, Any]]:
    """The training steps of a recipe in order; of several models, the requested one."""
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
        raise OptionError("--recipe", file, f"it is not a valid TOML file: {error}") from error
