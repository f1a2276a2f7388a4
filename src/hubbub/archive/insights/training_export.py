"""Writes training data of an archive into a folder, with a datasheet."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import NeedsExtra, OptionError, Unwritable
from ...jsonl import dump
from ...output_files import Folder, placed_folder
from ..store import ArchiveStore
from .datasheet import datasheet
from .training_examples import SPLITS, ExportReport, ExportRules, finetune_examples, new_report, rag_examples

FORMATS = {
    "finetune": ("jsonl", "sharegpt", "chatml", "parquet"),
    "rag": ("jsonl", "parquet"),
    "nuc": ("csv",),
}
ROWS_AT_ONCE = 5_000
Record = dict[str, Any]


def export_training_data(
    archive: ArchiveStore, purpose: str, out: str | Path, format: str = "", rules: ExportRules | None = None
) -> ExportReport:
    """Writes a folder; it must be new or empty. `format` is the first of the purpose's by default."""
    if purpose not in FORMATS:
        raise OptionError("--for", purpose, f"it is one of {', '.join(FORMATS)}")
    format = format or FORMATS[purpose][0]
    if format not in FORMATS[purpose]:
        raise OptionError("--to", format, f"with --for {purpose}, use {', '.join(FORMATS[purpose])}")
    if Path(out).exists() and (not Path(out).is_dir() or any(Path(out).iterdir())):
        raise Unwritable(str(out), "something is there already; name a new or an empty folder")
    chosen = rules or ExportRules()
    report = new_report(archive, chosen)
    with placed_folder(str(out)) as folder:
        if purpose == "nuc":
            from .nuc_examples import write_nuc

            write_nuc(archive, chosen, report, folder)
        else:
            examples = (finetune_examples if purpose == "finetune" else rag_examples)(archive, chosen, report)
            (_parquet if format == "parquet" else _lines)(examples, folder, format)
        with folder.file("README.md") as file:
            file.write(datasheet(report, chosen, purpose, format))
    return report


def _lines(examples: Iterator[tuple[str, Record]], folder: Folder, format: str) -> None:
    with ExitStack() as stack:
        files = {split: stack.enter_context(folder.file(f"{split}.jsonl")) for split in SPLITS}
        for split, record in examples:
            files[split].write(f"{dump(_WRITTEN[format](record))}\n")


def _sharegpt(record: Record) -> Record:
    names = {"user": "human", "assistant": "gpt"}
    turns = [{"from": names[each["role"]], "value": each["content"]} for each in record["messages"]]
    return {"id": record["id"], "conversations": turns, "source": record["source"]}


def _chatml(record: Record) -> Record:
    """One text; marks that somebody wrote are broken up, so that no message can begin a turn."""
    turns = (
        f"<|im_start|>{each['role']}\n{each['content'].replace('<|', '< |')}<|im_end|>\n" for each in record["messages"]
    )
    return {"id": record["id"], "text": "".join(turns), "source": record["source"]}


_WRITTEN: dict[str, Callable[[Record], Record]] = {
    "jsonl": lambda record: record,
    "sharegpt": _sharegpt,
    "chatml": _chatml,
}


def _parquet(examples: Iterator[tuple[str, Record]], folder: Folder, format: str) -> None:
    """One file a split. Parquet looks back at what it wrote, so that it is made in temporary files."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise NeedsExtra("Writing Parquet", "parquet") from None
    schema = None
    with ExitStack() as stack:
        made = {split: stack.enter_context(tempfile.TemporaryFile()) for split in SPLITS}
        writers: dict[str, Any] = {}
        while batch := list(islice(examples, ROWS_AT_ONCE)):
            schema = schema or _parquet_schema(pa, batch[0][1])
            for split in SPLITS:
                rows = [record for own, record in batch if own == split]
                if rows:
                    if split not in writers:
                        writers[split] = pq.ParquetWriter(made[split], schema)
                    writers[split].write_table(pa.Table.from_pylist(rows, schema))
        for split, writer in writers.items():
            writer.close()
            made[split].seek(0)
            with folder.file(f"{split}.parquet") as file:
                shutil.copyfileobj(made[split], file.buffer)


def _parquet_schema(pa: Any, record: Record) -> Any:
    text = pa.string()
    types = {
        "messages": pa.list_(pa.struct([("role", text), ("content", text)])),
        "source": pa.struct(
            [(name, pa.list_(pa.int64()) if name == "messages" else text) for name in record["source"]]
        ),
    }
    return pa.schema([(name, types.get(name, text)) for name in record])
