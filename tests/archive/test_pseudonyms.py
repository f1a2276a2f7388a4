"""Copies with roles in place of names: readable, consistent inside a conversation, and without personal data."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

import hubbub
from hubbub.archive import schema
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.export import export
from hubbub.archive.housekeeping import check
from hubbub.archive.privacy.personal_data import find_personal_data
from hubbub.archive.privacy.redaction import outermost, replace
from hubbub.archive.search import search
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.errors import Unwritable

from ..conftest import Run
from .conftest import Home
from .test_forget import rows_as_text
from .test_store import START

SAID: tuple[tuple[str, str, int], ...] = (
    ("Ines", "the kettle trips the fuse, what can I do?", 0),
    ("bodo", "Ines: descale it, as lou_ told mika", 1),
    ("mika", "ines, bodo is right; write to ines@example.org or call +49 170 1234567", 1),
    ("Ines", "thanks bodo! my router is 84.107.203.5, not 192.168.1.1", 1),
    ("lou_", "who broke the wifi? password=hunter2hunter", 0),
    ("bodo", "lou: it was Ines and ines_away", 1),
)


def filled(place: str | Path) -> ArchiveStore:
    archive = ArchiveStore(place, create=True)
    said = [
        ThreadedMessage(Message(str(i), START + timedelta(minutes=i), who, text), (back,), (0.9,))
        for i, (who, text, back) in enumerate(SAID)
    ]
    renames = (("bodo", "bodo joined"), ("Ines", "Ines is now known as ines_away"))
    events = (Message(f"s{who}", START + timedelta(hours=1), who, text, "system") for who, text in renames)
    list(add(archive, "#porch", "irssi", [*said, *(ThreadedMessage(each, (0,), (1.0,)) for each in events)]))
    first = archive.number("select min(id) from messages")
    with archive.transaction():
        archive.insert(schema.versions, [(first, 1, "bodo, the kettle trips", "edit", "2024-05-02")])
        archive.insert(schema.attachments, [(first, 1, "ines-kitchen.jpg")])
    return archive


EXPECTED = [
    ("asker", "the kettle trips the fuse, what can I do?"),
    ("helper 1", "asker: descale it, as someone told helper 2"),
    ("helper 2", "asker, helper 1 is right; write to [e-mail address] or call [phone number]"),
    ("asker", "thanks helper 1! my router is [IP address], not 192.168.1.1"),
    ("asker", "who broke the wifi? password=[secret]"),
    ("helper 1", "asker: it was someone and someone"),
]


def test_a_copy_has_roles_in_place_of_names(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        before = [id for (id,) in archive.rows("select public_id from conversations order by id")]
        store = hubbub.Archive(home / "a.db")
        report = store.pseudonymise(home / "b.db", map_file=tmp_path / "map.jsonl")
        store.close()
        assert (report.messages, report.conversations, report.system_lines) == (6, 2, 2)
        assert report.replaced["names"] == 10
    with ArchiveStore(home / "b.db", write=True) as copy:
        rows = [tuple(row) for row in copy.rows("select author, text from messages order by ordinal")]
        assert rows == EXPECTED
        everything = rows_as_text(copy)
        assert not [name for name in ("ines", "'bodo'", "mika", "lou_", "hunter2", "1234567") if name in everything]
        assert check(copy) == []
        assert search(copy, "kettle")
        assert copy.rows("select text from versions") == [("helper 1, the kettle trips",)]
        assert copy.rows("select name from attachments") == [("attachment 1.jpg",)]
        assert copy.number("select count(*) from replies where message_id <> parent_id") == 4
        assert not set(before) & {id for (id,) in copy.rows("select public_id from conversations")}
    kept = [json.loads(line) for line in (tmp_path / "map.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {"asker": ["Ines", "ines_away"], "helper 1": ["bodo"], "helper 2": ["mika"]} in [
        each["roles"] for each in kept
    ]
    assert (tmp_path / "map.jsonl").stat().st_mode & 0o077 == 0


def test_exports_have_roles_too(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        assert export(archive, tmp_path / "a.jsonl", "jsonl", pseudonyms=True) == 6
        lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [(each["author"], each["text"]) for each in lines] == EXPECTED
        assert export(archive, tmp_path / "copy.db", "sqlite", pseudonyms=True) == 6
        with ArchiveStore(tmp_path / "copy.db") as copy:
            ids = {id for (id,) in copy.rows("select public_id from conversations")}
        assert {each["conversation"] for each in lines} == ids
        assert not (tmp_path / "map.jsonl").exists()


def test_what_is_there_is_not_overwritten(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db"), hubbub.Archive(home / "a.db", read_only=True) as archive:
        with pytest.raises(Unwritable, match=r"\((already exists|the archive is not empty)\)"):
            archive.pseudonymise(home / "a.db")
        (tmp_path / "x").write_text("", encoding="utf-8")
        with pytest.raises(Unwritable, match=r"\(already exists\)"):
            archive.pseudonymise(tmp_path / "x")


def test_commands(home: Home, run: Run, tmp_path: Path) -> None:
    place = str(home / "a.db")
    filled(place).close()
    done = run("archive", "pseudonymise", "--in", place, "--out", str(tmp_path / "b.db"))
    assert done.out.startswith("6 messages, 2 conversations\nreplaced in texts: names 10, IP address 1"), done.err
    out = tmp_path / "b.jsonl"
    done = run("archive", "export", "--pseudonyms", "--map", str(tmp_path / "m"), "--out", str(out), "--in", place)
    assert (done.status, (tmp_path / "m").exists()) == (0, True)
    assert run("archive", "export", "--map", "m", "--out", str(tmp_path / "c"), "--in", place).status == 2


REPLACED = {
    "mail ada.lovelace+x@example.co.uk now": "mail [e-mail address] now",
    "ssh root@84.107.203.5:22": "ssh root@[IP address]:22",
    "from 2001:db8::1 no, from 2a02:908:1::7:1": "from 2001:db8::1 no, from [IP address]",
    "at fe80::f66d:4ff:fe9e:9062 here": "at [IP address] here",
    "HWaddr f4:6d:04:9e:90:62": "HWaddr [hardware address]",
    "call (555) 123-4567 today": "call [phone number] today",
    "my phone is 0171 2345678": "my phone is [phone number]",
    "git clone https://bob:s3cret@host.example/x": "git clone https://[secret]@host.example/x",
    "AKIAIOSFODNN7EXAMPLE is mine": "[secret] is mine",
    "token: ghp_abcdefghijklmnopqrstuvwxyz0123456789": "token: [secret]",
    "the password is tr0ub4dor&3": "the password is [secret]",
    "api_key = 'abcd1234efgh'": "api_key = '[secret]'",
    "key c2VjcmV0IGtleSB0aGF0IGlzIGxvbmcgZW5vdWdo1A==": "key [secret]",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nend": "[secret]\nend",
    "x 0123456789abcdef0123456789abcdef0123": "x [secret]",
}
LEFT = (
    "upgrade to 10.04.1.2 or 3.2.0.35-generic",
    "version 184.95.38.200 of it",
    "linux-image-3.2.0.35.42 and git 1.7.9.5",
    "ping 192.168.0.1, 127.0.0.1, 10.0.0.138 and 8.8.8.8",
    "mask 255.255.255.0 at 12:34:56",
    "std::vector and ::1 and a::b",
    "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "UUID=2f1f3a60-1e3f-4f0f-9c53-0a3c1f0d7e11 / ext4",
    "/usr/lib/x86_64-linux-gnu/libQtOpenGL4.so.4",
    "_ZN5unity11UnityScreen25OnMinimizeDurationChangedEv",
    "https://wiki.example.org/HardwareSupportComponentsWirelessNetworkCards",
    "the password is wrong, passwd: Authentication token manipulation error",
    "PWD=/var/www and 2013-01-24 20:35",
    "bug 1107708 costs 1,234,567.89",
)


@pytest.mark.parametrize("text", [*REPLACED, *LEFT])
def test_personal_data_is_told_from_what_looks_alike(text: str) -> None:
    assert replace(text, outermost(find_personal_data(text))) == REPLACED.get(text, text)
