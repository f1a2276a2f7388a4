"""hubbub examples: contexts with a true reply and false ones, in the layout of the 2015 corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from ..errors import Missing, OptionError, TooFew
from .command import Arguments, HubbubCommand
from .console import show
from .options import seed
from .parameter_types import AT_LEAST_ZERO, FILE, FOLDER, Name
from .progress import working


@click.command(cls=HubbubCommand)
@click.argument("dialogues", metavar="DIALOGUES", type=FILE)
@click.option(
    "--rules", type=Name(("v1", "v2")), default="v1", help="Rules of the 2015 corpus: version 1 (default) or 2."
)
@click.option(
    "--out", metavar="FOLDER", type=FOLDER, required=True, help="Folder for train.csv, valid.csv and test.csv."
)
@click.option(
    "--split", metavar="A,B", default="0.02,0.02",
    help="Fractions for validation and test, taken from the latest dialogues (default: 0.02,0.02).",
)  # fmt: skip
@click.option(
    "--false", metavar="N", type=AT_LEAST_ZERO, default=9,
    help="False replies per validation and test example (default: 9).",
)  # fmt: skip
@click.option("--similar", is_flag=True, help="Choose false replies that are similar to the true one.")
@click.option("--helpers", is_flag=True, help="Only replies by people who did not start the dialogue.")
@seed()
def command(arguments: Arguments) -> None:
    """Build response-ranking examples from dialogues.

    DIALOGUES is a file of JSON lines from hubbub dialogues, or a folder of TSV files.
    """
    from ..answer.data.examples import evaluation_examples, training_examples
    from ..answer.data.files import evaluation_rows, read_dialogues, training_rows
    from ..answer.data.splits import by_date

    place = Path(arguments.dialogues)
    if not place.exists():
        raise Missing(str(place))
    shares = _shares(arguments.split)
    with working(f"{place}: building examples"):
        train, valid, test = by_date(read_dialogues(place), *shares)
        if not train:
            raise TooFew("dialogues", 0, 10, str(place))
        options = {"false": arguments.false, "similar": arguments.similar, "helpers": arguments.helpers}
        parts = {"train": training_rows(training_examples(train, arguments.rules, arguments.seed))}
        for name, part in (("valid", valid), ("test", test)):
            parts[name] = evaluation_rows(
                evaluation_examples(part, arguments.rules, arguments.seed, **options) if part else []
            )
        _write(arguments.out, parts)
    show(f"{arguments.out}: train.csv, valid.csv and test.csv of {len(train)}, {len(valid)} and {len(test)} dialogues.")


def _shares(text: str) -> tuple[float, float]:
    try:
        one, other = (float(part) for part in text.split(","))
    except ValueError:
        raise OptionError("--split", text, "two shares are written as 0.02,0.02") from None
    if not (one >= 0 and other >= 0 and one + other < 1):
        raise OptionError("--split", text, "the two shares must leave something to train on")
    return one, other


def _write(out: str, parts: Mapping[str, Iterable[Sequence[str]]]) -> None:
    from ..csv_output import CsvWriter
    from ..output_files import placed_folder

    with placed_folder(out) as folder:
        for name, rows in parts.items():
            with folder.file(f"{name}.csv") as file:
                CsvWriter(file).rows(rows)
