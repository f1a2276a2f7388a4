"""Finding mentions in raw text, their kinds, and the baseline that links them."""

from __future__ import annotations

import pytest

from hubbub.chat import Chat, Message
from hubbub.errors import HubbubError
from hubbub.layers import Person
from hubbub.ml.registry import bundled, load, make
from hubbub.ml.task import task
from hubbub.people.data.mentions import kind_of, mentions_of
from hubbub.people.data.sample import scene_from_markup
from hubbub.people.data.scene import Scene, cast_of, scene_of
from hubbub.people.features.code_spans import code_spans
from hubbub.people.features.names import name_words, odd_names, person_of, stripped_nick
from hubbub.people.features.tokens import sentences, tokens
from hubbub.people.features.you_types import use_of
from hubbub.people.models.speaker import Speaker


def scene(*said: tuple[str, str], cast: tuple[Person, ...] = ()) -> Scene:
    return scene_of(Chat("c", tuple(Message(str(i), None, *each) for i, each in enumerate(said))), cast)


def found(scene: Scene) -> list[str]:
    return [scene.text(mention) for mention in mentions_of(scene)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I can't, she's Ann's!", "I|ca|n't|,|she|'s|Ann|'s|!"),
        ("Gimme that, Dr. Ruiz...", "Gim|me|that|,|Dr.|Ruiz|..."),
        ("rauf|away: mika_ and co-worker", "rauf|away|:|mika_|and|co-worker"),
        ("", ""),
    ],
)
def test_words_and_their_places(text: str, words: str) -> None:
    whole = ("rauf|away", "mika_")
    cut = [text[start:end] for start, end in tokens(text, whole)]
    assert "|".join(cut) == words


def test_sentences_end_at_their_marks_or_when_too_long() -> None:
    assert sentences(["a", ".", "b", "?!", "c"]) == [(0, 2), (2, 4), (4, 5)]
    assert sentences(["a"] * 100) == [(0, 80), (80, 100)]
    assert sentences([]) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I", "first"), ("Myself", "first"), ("ya", "second"), ("Him", "he"), ("hers", "she"), ("us", "plural"),
        ("im", "first"), ("youre", "second"), ("hes", "he"),
        ("Ada", "name"), ("Dr. Ruiz", "name"), ("Mom", "noun"), ("the plumber", "noun"), ("", "noun"),
    ],
)  # fmt: skip
def test_kinds(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("can you guys hear me", "collective"),
        ("all of you knew", "collective"),
        ("well , you know , it rained", "general"),
        ("you never know", "general"),
        ("do you know ?", ""),
        ("did you call", ""),
    ],
)
def test_what_you_is_used_for(text: str, use: str) -> None:
    words = text.split()
    assert use_of(words, words.index("you")) == use


def test_names_and_their_words() -> None:
    assert stripped_nick("_mika42__") == "mika"
    assert name_words(["Dr. Ada Ruiz", "Ada's teacher", "Young Woman"]) == {
        "dr. ada ruiz",
        "ada",
        "ruiz",
        "young woman",
    }
    assert odd_names(["mika42", "ines", "Ada Ruiz", "rauf|away"]) == ("mika42", "rauf|away")
    cast = (Person("1", ("Ada Ruiz",)), Person("2", ("Ada Lund",)), Person("3", ("Bo",)))
    assert {name: id for name, id in person_of(cast).items() if not name.isdigit()} == {
        "ada ruiz": "1", "ruiz": "1", "ada lund": "2", "lund": "2", "bo": "3",
    }  # fmt: skip


def test_the_cast_of_a_chat_knows_renames_and_those_given() -> None:
    renamed = Message("1", None, "mika", "mika is now known as mika_away", "system")
    chat = Chat("c", (Message("0", None, "mika", "hi"), renamed, Message("2", None, "mika_away", "bye")))
    assert cast_of(chat) == (Person("mika", ("mika", "mika_away")),)
    given = (Person("m", ("Mika",)),)
    assert cast_of(chat, given) == given


def test_the_bundled_tagger_finds_pronouns_names_and_nouns() -> None:
    said = scene(
        ("Ines", "Hey Tomo, did you call my mother?"),
        ("Tomo", "No, but I talked to her boss. His name is Rauf Demir."),
        cast=(Person("rauf", ("Rauf Demir",)),),
    )
    assert found(said) == ["Tomo", "you", "my", "mother", "I", "her", "boss", "His", "Rauf Demir"]


def test_nicks_written_small_and_names_with_signs() -> None:
    said = scene(("mika42", "rauf|away: ask kevin_"), ("rauf|away", "mika42: ok"), ("kevin_", "you guys are early"))
    assert found(said) == ["rauf|away", "kevin_", "mika42"]


def test_a_nick_is_known_by_its_first_word_and_by_no_other() -> None:
    assert name_words(["otto|bus", "stevr1it", "nick|here", "kb90"]) == {
        "otto|bus", "otto", "stevr1it", "stevr", "nick|here", "nick", "kb90",
    }  # fmt: skip
    assert found(scene(("stevr1it", "hm"), ("kb90", "the disk is in here, isn't it?"))) == []


def test_a_nick_that_is_rather_a_word_means_nobody() -> None:
    assert found(scene(("system404", "hi"), ("Ubuntu", "my system is old"))) == ["my"]
    often = [("ann", "the error is gone")] * 12
    assert found(scene(("error_7", "hi"), *often)) == []


def test_what_a_cast_writes_small_is_found_written_small() -> None:
    chat = scene(("ann", "is pheebs in?"), cast=(Person("17", ("Phoebe Buffay", "pheebs")),))
    assert found(chat) == ["pheebs"]


@pytest.mark.parametrize(
    "text",
    ["ls /home/marrow/x", "see http://paste.example.org/marrow", "join #marrow", "dpkg -i x", "marrow@example.org"],
)
def test_addresses_paths_and_channels_mean_nobody(text: str) -> None:
    assert found(scene(("marrow", text))) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ask ada@example.org, or -f (/etc/x)", ["ada@example.org", "-f", "(/etc/x)"]),
        ("and/or #one#two,me@x.org a@b", ["#one", "#two", ",me@x.org"]),
        ("see(http://x.org/y) www.x.org", ["see(http://x.org/y)", "www.x.org"]),
        (".a@b a-b @ x.y", []),
    ],
)
def test_what_is_no_speech(text: str, code: list[str]) -> None:
    assert [text[start:end] for start, end in code_spans(text)] == code


@pytest.mark.parametrize("wall", ["marrow", "a@", "#a", "a.", "marrow ", "#marrow "])
def test_a_wall_of_one_word_is_no_obstacle(wall: str) -> None:
    assert found(scene(("marrow", wall * 100_000), ("ines", "I am here")))[-1] == "I"


def test_the_same_sentence_is_judged_alike_wherever_it_stands() -> None:
    said = "My boss called. Is Tomo here? My boss called. Is Tomo here? Is Tomo here?"
    assert found(scene(("Ines", said), ("Tomo", "no"))) == ["My", "boss", "Tomo", "My", "boss", "Tomo", "Tomo"]


def test_announcements_mean_nobody() -> None:
    chat = Chat("c", (Message("0", None, "ines", "I was renamed by you", "system"),))
    assert mentions_of(scene_of(chat)) == ()


def test_one_long_text_takes_no_long_time() -> None:
    said = scene(("Ines", "you and I " * 20_000))
    assert len(mentions_of(said)) > 1000


def test_the_bundled_tagger_is_small() -> None:
    folder = bundled()["mentions/tagger"]
    assert sum(len(file.read_bytes()) for file in folder.iterdir()) < 1_000_000


def test_a_tagger_wants_examples_of_both_kinds() -> None:
    sample = task("mentions").sample()
    with pytest.raises(HubbubError, match="there are too few kinds of words"):
        make("mentions/tagger").fit(sample.inputs, [() for _ in sample.inputs])


def test_the_speaker_is_i_and_a_name_is_who_has_it() -> None:
    given, gold = scene_from_markup(
        "x", (("Ines", "[I|ines] told [Tomo|tomo] about [your|] [Anna|]"), ("Ines, Mika", "[My|ines,mika]"))
    )
    assert Speaker().predict([given])[0] == tuple(
        type(link)(link.mention, link.people, 1.0 if link.people else 0.0) for link in gold
    )


def test_of_two_who_share_a_name_the_one_who_speaks_is_meant() -> None:
    cast = (Person("1", ("Ada Ruiz",)), Person("2", ("Ada Lund",)))
    (links,) = load("people/speaker").predict([scene(("Ada Lund", "I am Ada"), cast=cast)])
    assert [link.people for link in links] == [("2",), ("2",)]
