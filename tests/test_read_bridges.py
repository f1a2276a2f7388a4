"""Bridges: relayed people and puppets get their own names, everybody else keeps theirs, and the original stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

import hubbub
from hubbub import pipe
from hubbub.chat import Chat, Message
from hubbub.layers import Layers
from hubbub.model import load
from hubbub.read import stream
from hubbub.read.bridges import unbridged
from hubbub.relays import Relay, Relays, restored, without

from .conftest import Put, Run
from .golden import SAMPLES

BRIDGED = SAMPLES / "irssi" / "bridged.log"
HERE = ("ola", "petr", "quinn")
THERE = ("anna", "bela", "cleo", "dina")
TALK = (
    ("ola", "morning"), ("anna", "hello, does the build work for you?"), ("petr", "anna: yes, since friday"),
    ("bela", "petr: not for me"), ("cleo", "the tests are red here"), ("quinn", "cleo, which ones?"),
    ("cleo", "quinn: all of them"), ("dina", "that was me: sorry"), ("ola", "dina: no harm done"),
    ("anna", "bela: did you pull?"), ("bela", "I did <b>twice</b>"), ("petr", "bela: try again"),
    ("dina", "  [indented] text"), ("quinn", "fine now"), ("cleo", "(quietly) yes"), ("anna", "thanks * all"),
)  # fmt: skip
Form = Callable[[str, str], str]


def talk(times: int = 2) -> list[Message]:
    """A chat of people here and there, some of whom address each other."""
    said = islice(cycle(TALK), times * len(TALK))
    return [Message(str(number), None, author, text) for number, (author, text) in enumerate(said)]


def relayed(messages: list[Message], form: Form, bot: str = "relay") -> list[Message]:
    """The same chat as one sees it here: a bot repeats those who are there."""
    there = [each._replace(author=bot, text=form(each.author, each.text)) for each in messages]
    return [new if old.author in THERE else old for old, new in zip(messages, there, strict=True)]


def treated(messages: list[Message], look_ahead: int = 4096) -> tuple[list[Message], Relays]:
    relays = Relays()
    return list(unbridged(iter(messages), relays, look_ahead)), relays


def says(*pairs: tuple[str, str]) -> list[Message]:
    return [Message(str(number), None, author, text) for number, (author, text) in enumerate(pairs)]


def assert_restored(original: list[Message], seen: list[Message], look_ahead: int = 4096) -> None:
    found, relays = treated(seen, look_ahead)
    assert found == original
    chat = Chat("c", tuple(found), relays=relays)
    assert [chat.original(position) for position in range(len(chat))] == seen


def assert_untouched(messages: list[Message]) -> None:
    found, relays = treated(messages)
    assert found == messages
    assert not relays


FORMS: dict[str, Form] = {
    "angle": lambda nick, text: f"<{nick}> {text}",
    "angle with a sign": lambda nick, text: f"<@{nick}> {text}",
    "angle in bold": lambda nick, text: f"**<{nick}>** {text}",
    "bracket": lambda nick, text: f"[{nick}] {text}",
    "paren": lambda nick, text: f"({nick}) {text}",
    "colon": lambda nick, text: f"{nick}: {text}",
    "bold": lambda nick, text: f"**{nick}**: {text}",
    "bold, colon inside": lambda nick, text: f"**{nick}:** {text}",
    "network": lambda nick, text: f"[discord] <{nick}> {text}",
    "network and colon": lambda nick, text: f"(telegram) {nick}: {text}",
    "networks": lambda nick, text: f"[{'irc' if nick < 'b' else 'xmpp'}] [{nick}] {text}",
    "no width": lambda nick, text: f"<{nick[0]}\u200b{nick[1:]}> {text}",
    "no width, joined": lambda nick, text: f"[{nick[:2]}\u200d{nick[2:]}] {text}",
    "no width before": lambda nick, text: f"\u200b<{nick}> {text}",
    "mixed": lambda nick, text: f"<{nick}> {text}" if nick < "c" else f"**{nick}**: {text}",
    "mixed with a network": lambda nick, text: f"<{nick}> {text}" if nick < "c" else f"[matrix] <{nick}> {text}",
}


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
        found = []
        with pytest.raises(ValueError, match="cut short"):
            found.extend(unbridged(broken(), Relays(), look_ahead))
        assert [each.id for each in found] == [each.id for each in talk()]


def test_people_who_address_others_are_no_relay() -> None:
    answers = [("helper", f"{name}: have you tried turning it off?") for name in HERE for _ in range(9)]
    asked = [(name, f"helper: it is broken {number}") for number in range(9) for name in HERE]
    assert_untouched(says(*[pair for both in zip(asked, answers, strict=True) for pair in both]))


def test_those_who_address_relayed_people_are_no_relay_either() -> None:
    helped = [each for name in THERE * 6 for each in says(("helper", f"{name}: look again"), ("ola", "hm"))]
    assert_restored([*talk(6), *helped], [*relayed(talk(6), FORMS["colon"]), *helped])


@pytest.mark.parametrize("text", ["[{}] anna pushed 2 commits", "{}: a new article", "({}) build #3 passed"])
def test_a_bot_that_announces_is_no_relay(text: str) -> None:
    news = [("newsbot", text.format(name)) for name in ("website", "docs", "core", "tools") * 8]
    assert_untouched(says(*[pair for each in news for pair in (each, ("ola", "good"), ("petr", "ola: indeed"))]))


def test_one_name_that_nobody_addresses_is_no_person() -> None:
    alerts = [("alertbot", f"<monitor> disk {number} is full") for number in range(30)]
    assert_untouched(says(*[pair for each in alerts for pair in (each, ("ola", "not again"))]))


def test_a_pasted_log_is_no_relay() -> None:
    pasted = relayed([each for each in talk(3) if each.author in THERE], FORMS["angle"], "paster")
    assert_untouched([*says(*TALK[:1] * 30), *pasted, *says(("ola", "please use a pastebin"), *TALK[:1] * 60)])


def test_a_person_who_quotes_now_and_then_is_no_relay() -> None:
    own = [("quoter", "I disagree"), ("quoter", "<anna> hello"), ("quoter", "<bela> hi"), ("quoter", "that is all")]
    assert_untouched(says(*[pair for each in own * 10 for pair in (each, ("ola", "hm"))]))


@pytest.mark.parametrize("ending", ["[m]", "|dc", "[tg]", "[d]", "-tg", " (Telegram)", "@discord", "[M]"])
def test_puppets_lose_the_ending_that_they_share(ending: str) -> None:
    def puppet(name: str) -> str:
        return name + ending if name in THERE else name

    seen = [each._replace(author=puppet(each.author)) for each in talk()]
    assert_restored(talk(), seen)
    named = [each._replace(text=each.text.replace("bela:", f"bela{ending}:")) for each in seen]
    assert_restored(talk(), named)


def test_an_ending_of_no_known_network_takes_more_people() -> None:
    few = says(*((f"{name}[crew]", "ahoy") for name in THERE))
    assert_untouched(few)
    many = says(*((f"{name}[crew]", "ahoy") for name in (*THERE, "emil")))
    assert [each.author for each in treated(many)[0]] == [*THERE, "emil"]


@pytest.mark.parametrize(
    "ending", ["_", "^", "|away", "|work", "[afk]", "2", "-laptop", "_tg", " (Berlin)", " (Guest)", "[bot]", "|"]
)
def test_what_people_put_behind_their_own_names_stays(ending: str) -> None:
    assert_untouched([each._replace(author=each.author + ending) for each in talk()])


def test_an_ending_that_comes_and_goes_is_no_bridge() -> None:
    assert_untouched([each._replace(author=each.author + "|irc") if number % 2 else each
                      for number, each in enumerate(talk(3))])  # fmt: skip


def test_a_puppet_keeps_its_ending_if_somebody_else_has_the_name() -> None:
    seen = says(("anna[m]", "hi"), ("bela[m]", "hi"), ("cleo[m]", "hi"), ("dina[m]", "hi"), ("Anna", "anna[m]: who?"))
    found, _ = treated(seen)
    assert [each.author for each in found] == ["anna[m]", "bela", "cleo", "dina", "Anna"]
    assert found[-1].text == "anna[m]: who?"


def test_two_puppets_of_one_name_stay_two() -> None:
    names = [
        f"{name}{ending}" for ending in ("[m]", "|dc") for name in ("anna", "bela" + ending[1], "cleo" + ending[1])
    ]
    found, _ = treated(says(*((name, "hi") for name in names)))
    assert [each.author for each in found] == ["anna[m]", "belam", "cleom", "anna|dc", "belad", "cleod"]


def test_joins_and_renames_of_puppets_follow(put: Put) -> None:
    chat = hubbub.read(BRIDGED)
    assert isinstance(chat, Chat)
    assert chat.aliases().names("arctic") == ("tern", "arctic")
    assert chat.aliases().same("yara", "yara_out")
    assert {"mira", "oskar", "yara", "tern", "sand", "wave"} < set(chat.authors())
    assert not {"lamp", "tern[m]"} & set(chat.authors())


def test_the_original_is_what_the_file_says() -> None:
    plain, chat = hubbub.read(BRIDGED, bridges=False), hubbub.read(BRIDGED)
    assert isinstance(chat, Chat)
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


def test_rows_that_are_no_relays_are_unexplained(put: Put, run: Run) -> None:
    good = list(pipe.chat_lines(Chat("c", (Message("0", None, "a", "b"),)), Layers()))
    bad = ({"position": 1, "author": "x"}, {"position": 0}, {"position": 0, "author": "x", "cut": [[0]]},
           {"position": 0, "author": "x", "kind": "odd"}, {"position": 0, "author": "x", "cut": [["0", "y"]]})  # fmt: skip
    path = put("bad.jsonl", "\n".join([*good, *(json.dumps({"layer": "relay", **each}) for each in bad)]))
    ran = run("read", path)
    assert ran.out.splitlines() == good
    assert "5 lines or records, neither a message nor a layer of hubbub" in ran.err


def test_the_switch_is_on_every_command_that_reads(run: Run, tmp_path: Path) -> None:
    on, off = run("read", BRIDGED, "--to", "text").out, run("read", BRIDGED, "--to", "text", "--bridges", "off").out
    assert "<mira> hello from the other shore" in on
    assert "<lamp> <mira> hello from the other shore" in off
    for verb in ("read", "thread", "view", "people", "intent", "index", "dialogues", "answer"):
        assert "--bridges {auto,off}" in run(verb, "--help").out
    assert run("read", BRIDGED, "--bridges", "maybe").status == 2


def test_threads_see_different_people() -> None:
    model, chat = load("thread/hubbub"), hubbub.read(BRIDGED)
    parents = model.predict([chat])[0].parents
    assert parents[5] == (4,)
    assert parents[7] == (6,)
    assert parents[19] == (18,)


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
