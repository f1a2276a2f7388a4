"""Tables as text, Markdown and CSV."""

from __future__ import annotations

import io

from hubbub.view.data_table import DataTable

TABLE = DataTable("Birds", ("name", "seen", "minutes"), [("robin", 1200, 2.5), ("a|b\nc\x1b", 7, None)])


def test_text_is_aligned_with_numbers_to_the_right() -> None:
    assert TABLE.text().splitlines() == [
        "name        seen  minutes",
        "robin      1,200      2.5",
        "a|b c\\x1b      7",
    ]


def test_markdown_has_no_markup_of_a_cell() -> None:
    lines = TABLE.markdown().splitlines()
    assert lines[1] == "| --- | --: | --: |"
    assert lines[3].startswith("| a\\|b c\\\\x1b |")


def test_csv_has_plain_numbers() -> None:
    out = io.StringIO()
    TABLE.write_csv(out)
    assert out.getvalue().splitlines()[1] == "robin,1200,2.5"
