"""hubbub export: conversations of an archive as training or retrieval data."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import OptionError
from ..text import plural
from .archive_options import archive_option, channel_and_days, filters, opened
from .command import Arguments, HubbubCommand, Several
from .console import tell
from .parameter_types import DAY, FILE, FOLDER, Name

PURPOSES = ("finetune", "rag", "nuc")
FORMATS = ("jsonl", "sharegpt", "chatml", "parquet", "csv")


@click.command(cls=HubbubCommand)
@archive_option()
@click.option(
    "--for",
    "purpose",
    metavar="PURPOSE",
    type=Name(PURPOSES),
    required=True,
    help="finetune: questions and answers as turns; rag: conversations as passages; nuc: next-utterance"
    " classification in the format of the Ubuntu dialogue corpus.",
)
@click.option("--only-confirmed", is_flag=True, help="With --for finetune: only answers that the asker confirmed.")
@click.option(
    "--opt-out",
    cls=Several,
    metavar="FILE...",
    type=FILE,
    help="Names of people whose conversations are left out, one per line.",
)
@click.option("--dev-from", metavar="DAY", type=DAY, help="First day of the dev part (default: 80 % are before it).")
@click.option("--test-from", metavar="DAY", type=DAY, help="First day of the test part (default: 90 % are before it).")
@channel_and_days
@click.option(
    "--to",
    metavar="FORMAT",
    type=Name(FORMATS),
    help="Output format: jsonl, sharegpt, chatml or parquet for finetune, jsonl or parquet for rag, csv for nuc.",
)
@click.option("--out", metavar="FOLDER", type=FOLDER, required=True, help="Folder to write; it must be new or empty.")
def command(arguments: Arguments) -> None:
    """Export conversations as training or retrieval data, split by date, with sources and a datasheet (README.md)."""
    from ..archive.insights.training_examples import SPLITS, ExportRules
    from ..archive.insights.training_export import export_training_data
    from ..archive.privacy.tombstones import Tombstones
    from ..bounded_files import read_lines

    if arguments.only_confirmed and arguments.purpose != "finetune":
        raise OptionError("--only-confirmed", "given", "it is for --for finetune")
    lines = (line.strip() for file in arguments.opt_out for line in read_lines(Path(file)))
    opted_out = frozenset(line.casefold() for line in lines if line and not line.startswith("#"))
    with opened(arguments) as archive:
        barred = Tombstones(archive)  # people who opted out of the archive itself

        def is_opted_out(name: str) -> bool:
            return name.casefold() in opted_out or barred.reason(name) is not None

        rules = ExportRules(
            filters(arguments, archive), arguments.only_confirmed, is_opted_out, arguments.dev_from, arguments.test_from
        )
        report = export_training_data(archive, arguments.purpose, arguments.out, arguments.to or "", rules)
    counts = ", ".join(f"{report.examples[split]:,} {split}" for split in SPLITS)
    tell(f"{arguments.out}: {plural(report.examples.total(), 'example')} ({counts})")
    for reason, count in sorted(report.left_out.items()):
        if count:
            tell(f"left out: {plural(count, 'conversation')} {reason}")
