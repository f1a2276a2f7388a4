"""hubbub examples: contexts with a true reply and false ones, in the layout of the 2015 corpus."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..errors import Missing, OptionError, TooFew
from .console import show
from .options import whole_number


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dialogues", metavar="DIALOGUES", help="JSON lines of hubbub dialogues, or a tree of TSV files")
    parser.add_argument(
        "--rules", choices=["v1", "v2"], default="v1", help="of the corpus of 2015, or its second version"
    )
    parser.add_argument("--out", metavar="FOLDER", required=True, help="where train.csv, valid.csv and test.csv go")
    parser.add_argument(
        "--split",
        metavar="A,B",
        default="0.02,0.02",
        help="how much is valid and test, the latest (default: 0.02,0.02)",
    )
    parser.add_argument(
        "--false", metavar="N", type=whole_number, default=9, help="false replies in valid and test (default: 9)"
    )
    parser.add_argument("--similar", action="store_true", help="false replies that are like the true one")
    parser.add_argument(
        "--helpers", action="store_true", help="only replies of somebody who did not begin the dialogue"
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole_number, default=0, help="what random choices start from (default: 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    from ..answer.examples import evaluation_examples, training_examples
    from ..answer.layouts import evaluation_rows, read_dialogues, training_rows
    from ..answer.parts import by_date

    place = Path(arguments.dialogues)
    if not place.exists():
        raise Missing(str(place))
    train, valid, test = by_date(read_dialogues(place), *_shares(arguments.split))
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
    return 0


def _shares(text: str) -> tuple[float, float]:
    try:
        one, other = (float(part) for part in text.split(","))
    except ValueError:
        raise OptionError("--split", text, "it is two shares such as 0.02,0.02") from None
    if not (one >= 0 and other >= 0 and one + other < 1):
        raise OptionError("--split", text, "the two shares must leave something to train on")
    return one, other


def _write(out: str, parts: Mapping[str, Iterable[Sequence[str]]]) -> None:
    from ..cells import Cells
    from ..placing import placed_folder

    with placed_folder(out) as folder:
        for name, rows in parts.items():
            with folder.file(f"{name}.csv") as file:
                Cells(file).rows(rows)
