"""hubbub evaluate: the scores of a model on a dataset or on one's own files."""

from __future__ import annotations

import click

from ..ml.task import Result, evaluate
from .command import Arguments, HubbubCommand
from .console import show
from .options import data_folder, on_data, output_format, parameters, seed, settings
from .parameter_types import model_name
from .progress import working


@click.command(cls=HubbubCommand)
@click.argument("model", metavar="MODEL", type=model_name())
@on_data(required=True)
@data_folder
@seed(None, "Train on the training part of the data with this random seed first.")
@parameters
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Evaluate a model on a dataset or on your own files.

    MODEL is the name of a model (see hubbub models) or the folder of a trained one.
    """
    with working(f"{arguments.model}: evaluating on {' '.join(arguments.on)}"):
        result = evaluate(
            arguments.model,
            list(arguments.on),
            settings=settings(arguments.set),
            data=arguments.data,
            seed=arguments.seed,
        )
    show("\n".join(_lines(result)) if arguments.to == "text" else result.json())


def _lines(result: Result) -> list[str]:
    on = f"{result.dataset}:{result.split}" if result.split else result.dataset
    scores = [f"  {name:<{max(map(len, result.scores))}}  {value:8.3f}" for name, value in result.scores.items()]
    code = f"hubbub {result.version}" + (f" ({result.commit})" if result.commit else "")
    made = f"  seed {result.seed}, {result.seconds:.2f} s, {code}, data {result.checksum[:12]}"
    return [f"{result.model} on {on}", *scores, made]
