"""--columns that no table has, or that nothing can be, is one sentence and exit code 2, whatever the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.errors import OptionError
from hubbub.read import read

from ...conftest import Put, Run

ROWS = [("ann", "hi there"), ("bob", "yes you")]
DATED_ROWS = "2020-01-01 10:00,ann,hi there\n2020-01-01 10:01,bob,hello you\n2020-01-01 10:02,ann,yes it does\n"
TABLES = ("csv", "tsv", "jsonl", "parquet")


def table(folder: Path, format: str) -> Path:
    path = folder / f"chat.{format}"
    if format == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table({"who": [who for who, _ in ROWS], "words": [w for _, w in ROWS]}), path)
    elif format == "jsonl":
        path.write_text("".join(f'{{"who": "{who}", "words": "{words}"}}\n' for who, words in ROWS))
    else:
        path.write_text(
            "".join(("," if format == "csv" else "\t").join(row) + "\n" for row in [("who", "words"), *ROWS])
        )
    return path


@pytest.mark.parametrize("format", TABLES)
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ("foo=bar", "foo=bar: what a column can be is text, author, time, id, kind, reply_to, clock, chat."),
        ("author=who,text=bar", "text=bar: {path} has no column named bar; it has 2 columns: who, words."),
        ("author=who,foo=words", "foo=words: what a column can be is text, author, time, id, kind, reply_to, clock"),
        ("author", "author: columns are written as author=nick,text=body"),
        ("author=who,text=", "author=who,text=: columns are written as author=nick,text=body"),
    ],
)
def test_a_column_that_is_not_there(
    run: Run, tmp_path: Path, format: str, forced: bool, columns: str, reason: str
) -> None:
    path = table(tmp_path, format)
    ran = run("read", path, "--columns", columns, *(("--format", format) if forced else ()))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"hubbub: --columns {reason.format(path=path)}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("format", TABLES)
def test_columns_that_are_there(run: Run, tmp_path: Path, format: str) -> None:
    ran = run("read", table(tmp_path, format), "--columns", "author=who,text=words")
    assert ran.status == 0
    assert [(each["author"], each["text"]) for each in ran.records()[1:]] == ROWS


@pytest.mark.parametrize("heading", ["time,author,text\n", ""])
def test_a_number_beyond_the_last_column_says_how_many_there_are(put: Put, heading: str) -> None:
    with pytest.raises(OptionError, match=r"time=99: .*has no column 99; it has 3 columns"):
        read(put("tea.csv", heading + DATED_ROWS), columns={"time": "99"})


def test_a_column_is_not_two_things(put: Put) -> None:
    with pytest.raises(OptionError, match=r"author=2,text=2: one column cannot be both\."):
        read(put("tea.csv", DATED_ROWS), columns={"author": "2", "text": "2"})


def test_a_role_is_given_once(put: Put, run: Run) -> None:
    done = run("read", put("tea.csv", DATED_ROWS), "--columns", "author=2,author=3,text=3")
    assert done.status == 2
    assert "author is given twice" in done.err
