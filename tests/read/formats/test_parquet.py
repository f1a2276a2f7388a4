from __future__ import annotations

import io
import sys
from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from hubbub.errors import Broken, NeedsExtra, WrongFormat

from ...reading import read_all, read_one, said

pyarrow = pytest.importorskip("pyarrow")


def parquet(**columns: list[Any]) -> bytes:
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


def test_times_of_every_type() -> None:
    when = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert read_one("parquet", parquet(text=["a"], ts=[when]))[0].time == when
    (message,) = read_one("parquet", parquet(text=["a"], date=[date(2020, 1, 2)], time=[time(3, 4)]))
    assert message.time == datetime(2020, 1, 2, 3, 4)


def test_many_chats() -> None:
    found, _ = read_all("parquet", parquet(channel=["x", "y", "x"], text=["1", "2", "3"]))
    assert {name: said(chat) for name, chat in found.items()} == {"x": [("", "1"), ("", "3")], "y": [("", "2")]}


def test_a_table_without_text() -> None:
    with pytest.raises(WrongFormat, match="there are: price"):
        read_all("parquet", parquet(price=[1]))


def test_cut_short() -> None:
    with pytest.raises(Broken):
        read_all("parquet", parquet(text=["a"])[:-20])


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    data = parquet(text=["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NeedsExtra, match=r"hubbub\[parquet\]"):
        read_all("parquet", data)


def test_every_row_is_accounted_for() -> None:
    found, report = read_all("parquet", parquet(author=["a", "b", "a"], text=["x", "y", "z"], channel=["t", "t", "u"]))
    assert (report.total, sum(map(len, found.values())), report.unaccounted(3)) == (3, 3, 0)
