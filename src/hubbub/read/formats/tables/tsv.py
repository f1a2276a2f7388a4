"""Tables with a tab between the cells."""

from __future__ import annotations

from functools import partial

from ...format import Format
from .csv import read, sniff

FORMAT = Format("tsv", partial(sniff, "\t"), partial(read, "tsv", "\t"))
