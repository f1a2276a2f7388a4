"""Names of several words: people are called by one of them, which is removed where it is certain to be a name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

import hubbub
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.export import export
from hubbub.archive.insights.training_export import export_training_data
from hubbub.archive.privacy.consent import change_rules
from hubbub.archive.privacy.forget import forget, plan_forgetting
from hubbub.archive.privacy.name_spans import NameFinder, NameKind, parts_of
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message

from ..conftest import Run
from .conftest import Home
from .test_forget import rows_as_text
from .test_store import START

SAID = (
    ("Ruth Miller", "does anybody have a long ladder for the weekend?"),
    ("Priya K", "Ruth, I have one in the shed"),
    ("Ruth Miller", "Priya you are a star"),
    ("Sam Okoro", "@ruth the key is under the mat, ask Priya or mrs Miller"),
    ("Priya K", "hey ruth can you bring it back on Monday?\nRUTH!"),
    ("Sam Okoro", "Ruth Miller never forgets, and Ruth's truth is ruthless"),
)
WITHOUT_RUTH = [
    "[someone], I have one in the shed",
    "@[someone] the key is under the mat, ask Priya or mrs [someone]",
    "hey [someone] can you bring it back on Monday?\n[someone]!",
    "[someone] never forgets, and [someone]'s truth is ruthless",
]


def threaded(said: Sequence[tuple[str, str]]) -> list[ThreadedMessage]:
    return [
        ThreadedMessage(Message(str(i), START + timedelta(minutes=i), who, text), (1 if i else 0,), (0.9,))
        for i, (who, text) in enumerate(said)
    ]


def filled(place: str | Path, *extra: tuple[str, str], channel: str = "allotment") -> ArchiveStore:
    archive = ArchiveStore(place, create=True)
    list(add(archive, channel, "whatsapp", threaded((*SAID, *extra))))
    return archive


def texts(archive: ArchiveStore) -> list[str]:
    return [text for (text,) in archive.rows("select text from messages order by ordinal")]


def test_a_person_is_forgotten_by_first_and_last_name(home: Home) -> None:
    with filled(home / "a.db") as archive:
        report = forget(archive, "Ruth Miller")
        assert texts(archive) == WITHOUT_RUTH
        assert (report.is_clean, report.left, report.replaced) == (True, (), 7), report.described()
        assert report.unscanned_names == ("ruth",)  # "truth" has it, and it is short
        rows = rows_as_text(archive).replace("truth", "").replace("ruthless", "")
        assert not [needle for needle in ("ruth", "miller") if needle in rows]


def test_the_scan_finds_a_first_name_that_is_left_in_a_row(home: Home) -> None:
    with filled(home / "a.db") as archive:
        archive.engine.execute("update networks set name = 'the group of Ruth'")
        report = forget(archive, "Ruth Miller")
        assert report.leftovers == ("a name in a row of networks.name",)


def test_a_first_name_stays_out_of_later_imports(home: Home) -> None:
    with filled(home / "a.db") as archive:
        forget(archive, "Ruth Miller")
        list(add(archive, "allotment", "whatsapp", threaded((*SAID, ("Priya K", "Ruth, are you there?")))))
        assert texts(archive) == [*WITHOUT_RUTH, "[someone], are you there?"]
        list(add(archive, "kitchen", "whatsapp", threaded((("Ruth Baker", "I am new"), ("Sam Okoro", "hi Ruth!")))))
        assert archive.rows("select text from messages where text like 'hi %'") == [("hi [someone]!",)]
        before = archive.rows("select id, text from messages order by id")
        list(add(archive, "allotment", "whatsapp", threaded((*SAID, ("Priya K", "Ruth, are you there?")))))
        assert archive.rows("select id, text from messages order by id") == before  # though another has the name by now


def test_opting_out_concerns_first_names_too(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        change_rules(archive, opt_out=["Ruth Miller"])
        counted = Counter[str]()
        list(add(archive, "allotment", "whatsapp", threaded(SAID), left_out=counted))
        assert texts(archive) == WITHOUT_RUTH
        assert counted == {"opted out": 2, "names and quotes replaced": 7}


def test_opting_out_leaves_a_first_name_that_somebody_in_the_archive_has(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "kitchen", "whatsapp", threaded((("Ruth Baker", "I have a saw"),))))
        change_rules(archive, opt_out=["Ruth Miller"])
        list(add(archive, "allotment", "whatsapp", threaded(SAID)))
        assert archive.rows("select text from messages where text like '%in the shed'") == [(SAID[1][1],)]
        assert archive.number("select count(*) from messages where text like '%mrs [someone]%'") == 1


def test_a_first_name_that_two_people_have_is_reported(home: Home, run: Run) -> None:
    more = (("Ruth Baker", "I have a saw"), ("Sam Okoro", "Ruth Baker is kind, and Mrs Miller too"))
    with filled(home / "a.db", *more) as archive:
        plan = plan_forgetting(archive, "Ruth Miller")
        assert {place.name.lower() for place in plan.left} == {"ruth"}
        assert all(place.is_shared for place in plan.left)
        assert (len(plan.left), plan.shared) == (5, frozenset({"ruth"}))  # not "Ruth Baker"
    place = str(home / "a.db")
    shown = run("archive", "forget", "Ruth Miller", "--list-places", "--in", place)
    assert "to be left because others have the same name: 5 places\n" in shown.out
    assert "Ruth, I have one in the shed (others have the same name)\n" in shown.out
    done = run("archive", "forget", "Ruth Miller", "--yes", "--in", place)
    assert "left because others have the same name: 5 places\n" in done.out
    assert "no other name and no text of the person was found" in done.out
    with ArchiveStore(place, write=True) as archive:
        assert texts(archive)[-1] == "Ruth Baker is kind, and Mrs [someone] too"
        before = texts(archive)
        list(add(archive, "allotment", "whatsapp", threaded((*SAID, *more))))
        assert texts(archive) == before
        forget(archive, "Ruth Miller", all_places=True)
        assert texts(archive)[0] == "[someone], I have one in the shed"


def test_the_preview_counts_messages_by_channel(home: Home, run: Run) -> None:
    with filled(home / "a.db") as archive:
        list(add(archive, "chess", "whatsapp", threaded((("Ruth Miller", "checkmate in two"),))))
    shown = run("archive", "forget", "ruth miller", "--in", str(home / "a.db"))
    assert "messages to be removed: 3\n  allotment: 2\n  chess: 1\n" in shown.out


def test_copies_have_no_first_names(home: Home, tmp_path: Path) -> None:
    more = (("Ruth Baker", "I have a saw"), ("Sam Okoro", "thanks Ruth!"))
    expected = [
        "does anybody have a long ladder for the weekend?",
        "asker, I have one in the shed",
        "helper 1 you are a star",
        "@asker the key is under the mat, ask helper 1 or mrs asker",
        "hey asker can you bring it back on Monday?\nasker!",
        "asker never forgets, and asker's truth is ruthless",
        "I have a saw",
        "thanks asker!",
    ]
    with filled(home / "a.db", *more) as archive:
        export(archive, tmp_path / "a.jsonl", "jsonl", pseudonyms=True)
        lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["text"] for line in lines] == expected
    with hubbub.Archive(home / "a.db") as store:
        store.pseudonymise(home / "b.db")
    with ArchiveStore(home / "b.db") as copy:
        assert texts(copy) == expected
        everything = rows_as_text(copy)
        assert not [name for name in ("priya", "miller", "baker", "okoro") if name in everything]


def test_turns_do_not_start_with_first_names(home: Home, tmp_path: Path) -> None:
    said = (
        ("Ruth Miller", "how do I open the cellar window, it is stuck?"),
        ("Priya K", "Ruth, lift the handle and push at the lower left corner"),
        ("Sam Okoro", "Ruth Miller: oil the hinges before that, always"),
        ("Ruth Miller", "Priya! that did it, thanks a lot"),
    )
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "house", "whatsapp", threaded(said)))
        export_training_data(archive, "finetune", tmp_path / "out")
    written = "".join(path.read_text(encoding="utf-8") for path in sorted((tmp_path / "out").glob("*.jsonl")))
    assert json.loads(written)["messages"] == [
        {"role": "user", "content": said[0][1]},
        {
            "role": "assistant",
            "content": "lift the handle and push at the lower left corner\noil the hinges before that, always",
        },
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ruth Miller", ("ruth", "miller")),
        ("~ Priya K", ("priya",)),
        ("Anna-Lena O'Brien", ("anna-lena", "o'brien")),
        ("Mark from work", ("mark",)),
        ("Deleted Account", ()),
        ("quillfeather", ()),
        ("+49 170 1234567", ()),
    ],
)
def test_parts_of_names(name: str, parts: tuple[str, ...]) -> None:
    assert parts_of(name) == parts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("miller, can you come", True),
        ("are you coming, miller?", True),
        ("we saw Miller there", True),
        ("I knew that Miller was there", True),
        ("hey, a miller!", False),
        ("we met on the Green today", False),
        ("i saw miller there", False),
        ("Rose, can you come", True),
        ("we met Rose there", True),
        ("Rose bushes need water", False),
        ("rose, tulip and lily", False),
    ],
)
def test_a_part_is_a_name_where_it_is_certain(text: str, found: bool) -> None:
    finder = NameFinder({"miller": NameKind.PART, "rose": NameKind.PART_WORD, "green": NameKind.PART_WORD}.get)
    assert [span.is_certain for span in finder.find(text)] == [found]
