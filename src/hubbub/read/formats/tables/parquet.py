"""Parquet tables, read batch by batch with pyarrow."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import IO, Any

from ....errors import Broken, NeedsExtra
from ...detect.file_head import CERTAIN, Clue, Sample
from ...format import Format, Options, Stream
from ...input.decompression import guard
from ...input.source import Source, rewindable
from ...report import Report
from .table import Numbered, ParsedTable, chats

BATCH = 4096
SAMPLE = 200


def _sniff(sample: Sample) -> Clue | None:
    return Clue(CERTAIN, "begins as Parquet does") if sample.head.startswith(b"PAR1") else None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    with _opened(source) as file:
        columns = tuple(file.schema_arrow.names)
    sample = [each.row for each in islice(_rows(source, Report()), SAMPLE)]
    yield from chats(ParsedTable(source.name, "parquet", columns, sample, partial(_rows, source)), options)


def _rows(source: Source, report: Report) -> Iterator[Numbered]:
    number = 0
    with _opened(source) as file:
        for batch in file.iter_batches(BATCH):
            rows = _in_microseconds(batch).to_pylist()
            report.total += len(rows)
            for row in rows:
                number += 1
                yield Numbered(range(number, number + 1), row)


def _in_microseconds(batch: Any) -> Any:
    """Times with nanoseconds are more than Python's own can hold."""
    import pyarrow

    for place, column in enumerate(batch.schema):
        if pyarrow.types.is_timestamp(column.type) and column.type.unit == "ns":
            short = batch.column(place).cast(pyarrow.timestamp("us", column.type.tz), safe=False)
            batch = batch.set_column(place, column.name, short)
    return batch


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise NeedsExtra("Reading Parquet", "parquet") from None
    with guard(source.name), _seekable(source) as stream:
        try:
            yield parquet.ParquetFile(stream)
        except (pyarrow.ArrowException, ValueError, OverflowError) as error:
            raise Broken(source.name, str(error).partition("\n")[0].rstrip(".")) from None


@contextmanager
def _seekable(source: Source) -> Iterator[IO[bytes]]:
    """The file itself if it is one, else a copy: Parquet is read from its end."""
    with source.open() as stream:
        if isinstance(getattr(stream, "raw", None), io.FileIO):
            yield stream
            return
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(stream, copy)
            copy.seek(0)
            yield copy


FORMAT = Format("parquet", _sniff, _read)
