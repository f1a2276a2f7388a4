"""Tables with a tab between the cells."""

from __future__ import annotations

from functools import partial

from .csv import read, sniff
from .format import Format

FORMAT = Format("tsv", partial(sniff, "\t"), partial(read, "tsv", "\t"))
