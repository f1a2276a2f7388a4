from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, time
from pathlib import Path

import pytest

from hubbub.chat import Message
from hubbub.errors import Broken, OptionError, Unwritable
from hubbub.read import ChatStream
from hubbub.view.export import WRITERS, write

MESSAGES = (
    Message("0", datetime(2020, 1, 2, 3, 4), "ana", "hi\nthere"),
    Message("1", datetime(2020, 1, 3, 3, 4), "ben", "waves", "action", ("0", "x")),
    Message("2", None, "ana", "ana left", "system", (), time(3, 5)),
    Message("3", None, "ana", ""),
)


def chat() -> Iterator[ChatStream]:
    yield ChatStream("#a", "irssi", iter(MESSAGES))


def written(to: str) -> str:
    out = io.StringIO()
    WRITERS[to](chat(), out)
    return out.getvalue()


def test_text() -> None:
    assert written("text").split("\n") == [
        "=== #a ===",
        "",
        "--- 2020-01-02 ---",
        "2020-01-02 03:04 <ana> hi",
        "                   there",
        "",
        "--- 2020-01-03 ---",
        "2020-01-03 03:04 * ben waves",
        "03:05 *** ana left",
        "<ana> ",
        "",
    ]


def test_csv() -> None:
    assert written("csv").split("\r\n") == [
        "chat,id,time,clock,author,text,kind,reply_to",
        '#a,0,2020-01-02T03:04:00,,ana,"hi\nthere",message,',
        '#a,1,2020-01-03T03:04:00,,ben,waves,action,"[""0"", ""x""]"',
        "#a,2,,03:05:00,ana,ana left,system,",
        "#a,3,,,ana,,message,",
        "",
    ]


def test_summary() -> None:
    told = json.loads(written("summary"))
    assert [told[key] for key in ("messages", "system", "actions", "authors")] == [4, 1, 1, 2]
    assert (told["first"], told["last"]) == ("2020-01-02T03:04:00", "2020-01-03T03:04:00")


@pytest.mark.parametrize("place", ["missing/out.csv", ".", "file/out.csv"])
def test_a_place_that_takes_no_file(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unwritable, match="cannot be written"):
        write(chat(), "csv", str(tmp_path / place))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("to", list(WRITERS))
def test_what_breaks_leaves_the_old_file(tmp_path: Path, to: str) -> None:
    if to == "parquet":
        pytest.importorskip("pyarrow")

    def breaks() -> Iterator[ChatStream]:
        yield from chat()
        raise Broken("x", "cut")

    path = tmp_path / "out"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(Broken):
        write(breaks(), to, str(path))
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_parquet_is_not_for_terminals() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with pytest.raises(OptionError, match="--out"):
        WRITERS["parquet"](chat(), Terminal())


def test_standard_output_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    path.write_text("nick,text\nänne,grüße 🎈\n", encoding="utf-8")
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "hubbub", "read", str(path), "--to", "text"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **locale}, check=True)
    assert done.stdout.decode("utf-8").endswith("<änne> grüße 🎈\n")
