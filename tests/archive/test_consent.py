"""Consent: what is not stored, by rules that the archive keeps, and how it is counted."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

import hubbub
from hubbub import Chat, Message
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.housekeeping import check
from hubbub.archive.privacy.consent import change_rules, consent_rules, cutoff_of, read_names
from hubbub.archive.store import ArchiveStore
from hubbub.errors import HubbubError, OptionError

from ..conftest import Put, Run
from .conftest import Home
from .test_store import START

SAID = (
    ("ana", "who has a ladder for the weekend?"),
    ("bo", "[off] mine is stolen goods"),
    ("bo", "[NoLog] really, do not log that"),
    ("tansy", "ana: I have one that is long enough"),
    ("ana", "tansy: great, I will fetch it"),
    ("bo", "the light is [off] in the shed"),
)


def said(*, when: datetime = START) -> list[ThreadedMessage]:
    return [
        ThreadedMessage(Message(str(i), when + timedelta(minutes=i), who, text), (1 if i else 0,), (1.0,))
        for i, (who, text) in enumerate(SAID)
    ]


def added(archive: ArchiveStore, channel: str = "#porch", when: datetime = START) -> Counter[str]:
    left_out = Counter[str]()
    list(add(archive, channel, "irssi", said(when=when), left_out=left_out))
    return left_out


def test_markers_and_opt_outs_are_left_out_and_counted(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        change_rules(archive, opt_out=["Tansy"])
        assert added(archive) == {"marked [off] or [nolog]": 2, "opted out": 1, "names and quotes replaced": 1}
        assert [text for (text,) in archive.rows("select text from messages order by ordinal")] == [
            "who has a ladder for the weekend?",
            "[someone]: great, I will fetch it",
            "the light is [off] in the shed",
        ]
        assert not archive.rows("select 1 from identities where lower(name) = 'tansy'")
        assert check(archive) == []
    with ArchiveStore(home / "a.db", write=True) as archive:  # a later run honours the rules
        assert added(archive, "#other")["opted out"] == 1


def test_private_channels(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        change_rules(archive, private_channels=["#Staff-*", "#board"])
        assert added(archive, "#staff-pay") == {"private channel": 6}
        assert archive.channel_names() == []
        assert added(archive, "#boards")["private channel"] == 0


def test_retention_applies_to_new_and_stored_messages(home: Home) -> None:
    old, new = datetime.now() - timedelta(days=400), datetime.now() - timedelta(days=2)
    with ArchiveStore(home / "a.db", create=True) as archive:
        added(archive, when=old)
        assert archive.contents().messages == 4
        change_rules(archive, keep_for="1y")
        assert added(archive, "#other", when=old) == {"older than 1y": 4, "marked [off] or [nolog]": 2}
        chat = Chat("#porch", tuple(each.message for each in said(when=new)))
    with hubbub.Archive(home / "a.db") as kept:
        report = kept.add(chat, vectors=False, model="thread/previous")
        assert (report, report.expired, report.left_out) == (4, 4, {"marked [off] or [nolog]": 2})
        assert kept.contents().messages == 4
        assert check(kept.store) == []


def test_rules_add_up_until_they_are_reset(home: Home) -> None:
    with hubbub.Archive(home / "a.db") as archive:
        archive.set_consent(opt_out=["ana"], private_channels=["#a"], keep_for="2y", markers=False)
        rules = archive.set_consent(opt_out=["ANA", "bo"], private_channels=["#a", "#b"])
        assert (rules.opted_out, rules.private_channels, rules.keep_for, rules.markers) == (
            2,
            ("#a", "#b"),
            "2y",
            False,
        )
        assert len(rules.described()) == 3
        assert archive.set_consent(keep_for="forever").keep_for == ""
        assert archive.set_consent(reset=True) == consent_rules(archive.store)
        assert archive.set_consent().described() == ["messages that start with [off] or [nolog] are left out"]
        with pytest.raises(OptionError, match="90d, 12w"):
            archive.set_consent(keep_for="soon")


@pytest.mark.parametrize(
    ("duration", "day"),
    [
        ("90d", "2023-12-01"),
        ("2w", "2024-02-15"),
        ("1m", "2024-01-29"),
        ("12m", "2023-02-28"),
        ("4y", "2020-02-29"),
        ("9999y", "0001-01-01"),
    ],
)
def test_durations(duration: str, day: str) -> None:
    assert cutoff_of(duration, date(2024, 2, 29)).isoformat() == day


def test_lists_of_names_have_comments(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("# people\nana\n\n  Bo Diddley \n", encoding="utf-8")
    assert read_names(tmp_path / "names") == ["ana", "Bo Diddley"]


def test_the_command_stores_rules_and_reports_what_it_left_out(put: Put, run: Run, tmp_path: Path) -> None:
    lines = "".join(f"2024-05-02 20:0{i} <{who}> {text}\n" for i, (who, text) in enumerate(SAID))
    log, names = put("chat.log", lines), put("names", "tansy\n")
    place = tmp_path / "a.db"
    options = ("--model", "thread/previous", "--no-vectors", "--in", str(place))
    done = run("index", str(log), "--opt-out", str(names), "--private-channel", "#x", "--keep-for", "900y", *options)
    assert (
        "6 messages, 3 of them new; left out: 2 marked [off] or [nolog], 1 opted out; 1 name or quote replaced"
        in done.err
    ), done.err
    info = run("archive", "info", "--in", str(place)).out
    assert "rule: messages are kept for 900y" in info
    assert "rule: names that opted out: 1" in info
    again = run("index", "--private-channel", "test_*", *options, str(log))
    assert "is in the archive already; hubbub archive remove" in again.err
    assert run("index", str(log), "--keep-for", "x", *options).status == 2


def test_a_log_that_is_added_again_after_an_opt_out_doubles_nothing(home: Home) -> None:
    texts = ("tansy: have you seen the ladder?", "hi", "ask tansy about it", 'tansy said "the long one is mine"', "hi")
    log = [
        ThreadedMessage(Message(str(i), START + timedelta(minutes=i), "ana", text), (1 if i else 0,), (1.0,))
        for i, text in enumerate(texts)
    ]
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#porch", "irssi", log))
        change_rules(archive, opt_out=["tansy"])
        assert sum(new for _, new in add(archive, "#porch", "irssi", log)) == 0
        assert archive.contents().messages == len(texts)


@pytest.mark.parametrize("raw", [b"tansy\n\0\0", bytes(range(128, 256)), b"\xff\xfet"])
def test_a_list_of_names_that_is_no_text_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "names.txt").write_bytes(raw)
    with pytest.raises(HubbubError, match="not a text file"):
        read_names(tmp_path / "names.txt")


def test_a_list_of_names_may_be_utf_16(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("tansy\n", encoding="utf-16")
    assert read_names(tmp_path / "names.txt") == ["tansy"]
