"""Bridges: relayed people and puppets get their own names, everybody else keeps theirs, and the original stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import hubbub
from hubbub import jsonl as pipe
from hubbub.chat import Chat, Message
from hubbub.layers import Layers
from hubbub.ml.registry import load
from hubbub.ml.task import whole_chat
from hubbub.read import stream
from hubbub.read.bridges import candidates as suspects
from hubbub.read.bridges import puppets
from hubbub.read.bridges import restore as bridges
from hubbub.read.bridges.restore import unbridged
from hubbub.relays import Relay, Relays, restored, without

from ...accounting import account
from ...bridging import FORMS, THERE, Form, assert_restored, relayed, says, talk, treated
from ...conftest import Put, Run
from ...golden import SAMPLES

BRIDGED = SAMPLES / "irssi" / "bridged.log"


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_every_form_gives_back_who_said_what(form: Form) -> None:
    assert_restored(talk(), relayed(talk(), form))


def test_the_colours_of_a_nick_are_no_part_of_it(put: Put) -> None:
    seen = relayed(talk(), lambda nick, text: f"<\x0304{nick}\x0f> {text}")
    lines = "".join(f"[10:{number:02}] <{each.author}> {each.text}\n" for number, each in enumerate(seen))
    chat = hubbub.read(put("coloured.log", lines))
    assert [each.author for each in chat] == [each.author for each in talk()]


def test_a_display_name_may_have_spaces() -> None:
    named = [each._replace(author=f"{each.author} the Great") if each.author in THERE else each for each in talk()]
    seen = [
        each._replace(author="relay", text=f"<{each.author}> {each.text}") if " " in each.author else each
        for each in named
    ]
    seen.append(Message("x", None, "relay", "* cleo the Great leaves"))
    assert_restored([*named, Message("x", None, "cleo the Great", "leaves", "action")][:-1], seen[:-1])
    assert treated(seen)[0][-1] == Message("x", None, "cleo the Great", "leaves", "action")


@pytest.mark.parametrize("tag", ["", "[discord] "])
def test_actions_joins_and_renames_that_the_bot_tells(tag: str) -> None:
    told = ("* anna waves", "* be\u200bla has joined", "* **cleo** is now known as cleo2", "* dina")
    extra = says(*(("relay", tag + text) for text in told))
    found, relays = treated([*relayed(talk(), lambda nick, text: f"{tag}<{nick}> {text}"), *extra])
    assert [(each.author, each.text, each.kind) for each in found[-4:]] == [
        ("anna", "waves", "action"),
        ("bela", "bela has joined", "system"),
        ("cleo", "cleo is now known as cleo2", "system"),
        ("dina", "", "action"),
    ]
    chat = Chat("c", tuple(found), relays=relays)
    assert chat.aliases().same("cleo", "cleo2")
    assert [chat.original(position) for position in range(-4, 0)] == extra


def test_joins_that_the_bot_announces_without_a_star() -> None:
    told = ("anna has joined the channel", "**bela** left", "cleo has quit (Ping timeout)", "zoe joined the chat.")
    found, relays = treated([*relayed(talk(), FORMS["angle"]), *says(*(("relay", text) for text in told))])
    assert [(each.author, each.text, each.kind) for each in found[-4:]] == [
        ("anna", "anna has joined the channel", "system"),
        ("bela", "bela left", "system"),
        ("cleo", "cleo has quit (Ping timeout)", "system"),
        ("zoe", "zoe joined the chat.", "system"),
    ]
    assert relays[len(found) - 3] == Relay("relay", ((0, "**"), (4, "**")))


def test_an_edit_that_the_bot_repeats_is_the_authors() -> None:
    found, _ = treated([*relayed(talk(), FORMS["angle"]), *says(("relay", "<anna> all red here (edited)"))])
    assert found[-1] == Message("0", None, "anna", "all red here (edited)")


def test_two_bridges_in_one_channel() -> None:
    def elsewhere(text: str) -> str:
        for name in THERE:
            text = text.replace(f"{name}:", f"{name}_t:")
        return text

    other = [each._replace(author=f"{each.author}_t") if each.author in THERE else each for each in talk(3)]
    other = [each._replace(text=elsewhere(each.text)) for each in other]
    both = [each for pair in zip(talk(3), other, strict=True) for each in pair]
    original = [each._replace(id=str(number)) for number, each in enumerate(both)]
    seen = relayed(original, FORMS["angle"], "cable")
    seen = [
        each._replace(author="wire", text=f"[{each.author}] {each.text}") if each.author.endswith("_t") else each
        for each in seen
    ]
    assert_restored(original, seen)
    assert treated(seen)[1].authors() == ("cable", "wire")


def test_a_relay_of_one_person_whom_others_address() -> None:
    near = [("ola", "anna: is it raining there?"), ("petr", "so quiet today"), ("quinn", "anna, hello")]
    far = [("anna", "hello"), ("anna", "since noon"), ("anna", "and yours?"), ("anna", "good night")]
    original = says(*[pair for both in zip(far, [*near, ("ola", "night")], strict=True) for pair in both])
    assert_restored(original, relayed(original, FORMS["angle"]))


def test_a_relay_of_one_person_who_also_acts() -> None:
    seen = says(("relay", "* anna waves"), ("ola", "wb anna"), ("relay", "<anna> thanks"), ("petr", "hm"),
                ("relay", "<anna> is the meeting over?"), ("ola", "no"), ("relay", "<anna> good"))  # fmt: skip
    found, _ = treated(seen)
    assert [each.author for each in found] == ["anna", "ola", "anna", "petr", "anna", "ola", "anna"]


def test_a_relay_of_nearly_one_person_whom_others_name() -> None:
    lines = ("let us begin", "first the budget", "any questions?", "then the harbour", "it is late", "no news",
             "thanks", "that is a good point", "so be it", "next week again", "who takes notes?")  # fmt: skip
    near = [("ola", "I can"), ("petr", 'whoever "anna" is, well done'), ("quinn", "yes")] * 4
    far = [("anna", line) for line in lines]
    original = says(*[pair for both in zip(far, near, strict=False) for pair in both], ("bela", "hi"))
    assert_restored(original, relayed(original, FORMS["angle"]))


def test_a_short_chat_in_which_the_bridge_brings_little() -> None:
    original = says(("ola", "shall we begin?"), ("anna", "yes"), ("petr", "go on"), ("bela", "I leave early"),
                    ("quinn", "so do I"), ("cleo", "what now?"), ("ola", "the budget"), ("anna", "fine"))  # fmt: skip
    assert_restored(original, relayed(original, FORMS["angle"]))


def test_what_the_bot_itself_says_stays_its_own() -> None:
    own = says(("relay", "reconnected"), ("relay", "bridge restarted, sorry"), ("relay", "note: anna is away"))
    found, _ = treated([*relayed(talk(), FORMS["angle"]), *own])
    assert found[-3:] == own


def test_an_action_of_the_bot_is_one_of_the_person() -> None:
    message = Message("x", None, "relay", "<anna> waves", "action")
    found, _ = treated([*relayed(talk(), FORMS["angle"]), message])
    assert found[-1] == message._replace(author="anna", text="waves")


def test_a_bot_that_reconnects_under_another_name_is_the_same() -> None:
    seen = [*relayed(talk(), FORMS["bracket"]), *says(("relay_", "[anna] I am back"), ("relay2", "[dina] me too"))]
    assert [each.author for each in treated(seen)[0][-2:]] == ["anna", "dina"]


def test_a_late_relay_is_recognised_at_its_first_message_and_stays_so() -> None:
    before = says(*[("ola", "so quiet today"), ("petr", "ola: very"), ("quinn", "hm")] * 40)
    after = [Message("z", None, "bela", "a last word")]
    original = [*before, *talk(), *before, *after]
    assert_restored(original, [*before, *relayed(talk(), FORMS["colon"]), *before, *relayed(after, FORMS["colon"])], 40)


def test_a_chat_longer_than_the_look_ahead_is_treated_alike() -> None:
    for form in ("angle", "bracket", "colon", "network"):
        assert_restored(talk(40), relayed(talk(40), FORMS[form]), 100)


def test_no_more_is_read_than_the_look_ahead_needs() -> None:
    taken: list[int] = []

    def counted() -> Iterator[Message]:
        for message in talk(100):
            taken.append(1)
            yield message

    assert next(unbridged(counted(), Relays(), 50)) == talk()[0]
    assert len(taken) == 100


def test_an_error_comes_after_the_messages_before_it() -> None:
    def broken() -> Iterator[Message]:
        yield from relayed(talk(), FORMS["angle"])
        raise ValueError("cut short")

    for look_ahead in (7, 16, 32, 1000):
        found: list[Message] = []
        with pytest.raises(ValueError, match="cut short"):
            found.extend(unbridged(broken(), Relays(), look_ahead))
        assert [each.id for each in found] == [each.id for each in talk()]


def test_joins_and_renames_of_puppets_follow(put: Put) -> None:
    chat = hubbub.read(BRIDGED)
    assert chat.aliases().names("arctic") == ("tern", "arctic")
    assert chat.aliases().same("yara", "yara_out")
    assert {"mira", "oskar", "yara", "tern", "sand", "wave"} < set(chat.authors())
    assert not {"lamp", "tern[m]"} & set(chat.authors())


def test_the_original_is_what_the_file_says() -> None:
    plain, chat = hubbub.read(BRIDGED, bridges=False), hubbub.read(BRIDGED)
    assert chat != plain
    assert [chat.original(position) for position in range(len(chat))] == list(plain)
    assert [chat[5:][position - 5] for position in range(5, len(chat))] == list(chat)[5:]
    assert [chat[5:].original(position) for position in range(len(chat) - 5)] == list(plain)[5:]
    assert chat.relays.authors()[:2] == ("lamp", "tern[m]")


def test_streams_know_their_relays_when_they_have_passed() -> None:
    (one,) = stream(BRIDGED)
    chat = one.chat()
    assert one.layers().relays == one.relays == chat.relays
    assert one.relays[3] == Relay("lamp", ((0, "<mira> "),))
    assert one.report.unaccounted(len(chat)) == 0


def test_the_layer_travels_in_json_lines(run: Run, put: Put) -> None:
    first = run("read", BRIDGED)
    again = run("read", put("again.jsonl", first.out))
    assert again.out == first.out
    assert sum(record.get("layer") == "relay" for record in again.records()) == 16
    (pair,) = pipe.load(first.out.splitlines())
    assert pair[0].original(3).author == "lamp"
    assert list(pipe.chat_lines(pair[0])) == first.out.splitlines()
    threaded = run("thread", put("again.jsonl", first.out))
    assert [line for line in threaded.out.splitlines() if '"relay"' in line] == first.out.splitlines()[-16:]


def test_files_of_hubbub_are_not_treated_again(put: Put, run: Run) -> None:
    untreated = run("read", BRIDGED, "--bridges", "off").out
    assert run("read", put("off.jsonl", untreated)).out == untreated


def test_every_line_is_accounted_for_with_bridges_and_without() -> None:
    on, off = account(BRIDGED), account(BRIDGED, bridges=False)
    assert on == off


def test_any_format_may_be_bridged(put: Put) -> None:
    rows = "".join(f"{each.author}\t{each.text.strip()}\n" for each in relayed(talk(), FORMS["colon"]))
    path = put("group.tsv", "author\ttext\n" + rows)
    chat, plain = hubbub.read(path), hubbub.read(path, bridges=False)
    assert [each.author for each in chat] == [each.author for each in talk()]
    assert {each.author for each in plain} == {"relay", "ola", "petr", "quinn"}


def test_annotated_chats_keep_the_authors_of_the_file() -> None:
    assert whole_chat(BRIDGED) == hubbub.read(BRIDGED, bridges=False)


def test_full_sets_of_names_lose_no_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (bridges, suspects, puppets):
        monkeypatch.setattr(module, "_MOST_KNOWN", 2)
    assert_restored(talk(40), relayed(talk(40), FORMS["angle"]), 100)


def test_rows_that_are_no_relays_are_unexplained(put: Put, run: Run) -> None:
    good = list(pipe.chat_lines(Chat("c", (Message("0", None, "a", "b"),)), Layers()))
    bad: list[dict[str, object]] = [{"position": 1, "author": "x"}, {"position": 0}]
    bad += [{"position": 0, "author": "x", **each} for each in ({"kind": "odd"}, {"cut": [[0]]}, {"cut": [["0", "y"]]})]
    path = put("bad.jsonl", "\n".join([*good, *(json.dumps({"layer": "relay", **each}) for each in bad)]))
    ran = run("read", path)
    assert ran.out.splitlines() == good
    assert "5 lines or records, neither a message nor a layer of hubbub" in ran.err


def test_the_switch_is_on_every_command_that_reads(run: Run, tmp_path: Path) -> None:
    on, off = run("read", BRIDGED, "--to", "text").out, run("read", BRIDGED, "--to", "text", "--bridges", "off").out
    assert "<mira> hello from the other shore" in on
    assert "<lamp> <mira> hello from the other shore" in off
    for verb in ("read", "thread", "view", "people", "intent", "index", "dialogues", "answer"):
        assert "--bridges [auto|off]" in run(verb, "--help").out
    assert run("read", BRIDGED, "--bridges", "maybe").status == 2


def test_threads_see_different_people() -> None:
    model, chat = load("thread/hubbub"), hubbub.read(BRIDGED)
    parents = model.predict([chat])[0].parents
    assert parents[5] == (4,)
    assert parents[7] == (6,)
    assert parents[19] == (18,)
    as_logged = model.predict([hubbub.read(BRIDGED, bridges=False)])[0].parents
    assert parents != as_logged


def test_relays_are_found_by_position_in_any_order() -> None:
    one, other = Relay("bot", ((0, "<a> "),)), Relay("bot", ((0, "<b> "),))
    relays = Relays([(5, one), (2, other), (9, one), (5, other)])
    assert dict(relays) == {2: other, 5: other, 9: one}
    assert list(relays) == [2, 5, 9]
    assert relays == Relays(relays.rows())
    assert 3 not in relays
    assert dict(relays.sliced(range(9, 1, -4))) == {0: one, 1: other}


def test_a_text_is_restored_from_its_cuts() -> None:
    text, cuts = without("<a> hi b[m]!", [(0, 4), (8, 11)])
    assert text == "hi b!"
    assert restored(text, cuts) == "<a> hi b[m]!"
