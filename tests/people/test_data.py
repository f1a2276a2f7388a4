"""Scenes of the task people in and out: CoNLL, the JSON layout, plain logs, casts, and files that are wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hubbub.chat import Chat, Message
from hubbub.errors import HubbubError
from hubbub.layers import Link, Mention, Person
from hubbub.ml.datasets import dataset, find, located
from hubbub.ml.task import examples, task
from hubbub.people.data.cast_file import read_cast
from hubbub.people.data.character_identification import read_dialogues
from hubbub.people.data.conll import conll_lines, read_conll
from hubbub.people.data.loading import answer_lines, answered, read_answers, sample
from hubbub.people.data.scene import Key, Scene, scene_of

from ..conftest import Put, Run

friends = pytest.mark.skipif(located(dataset("friends")) is None, reason="the dataset friends is not here")

CAST = (Person("1", ("Ines Prado",)), Person("2", ("Tomo Arai",)), Person("3", ("Mika Arai",)))
SENTENCES = (
    ("Ines_Prado", "Tomo (2)|did -|you (2)|call -|my (1|sister 1)|Ada (3)|? -"),
    ("Tomo_Arai", "I (2)|ca -|n't -|! -"),
)


def document(*sentences: tuple[str, str], head: str = "(/shop-1); part 002", gap: str = "\t") -> str:
    rows = []
    for speaker, words in sentences:
        for number, pair in enumerate(words.split("|")):
            word, mark = pair.split(" ")
            rows.append(gap.join(("/shop-1", "2", str(number), word, "_", "_", "_", "-", "-", speaker, "*", mark)))
        rows.append("")
    return "\n".join((f"#begin document {head}", *rows, "#end document\n"))


def scenes(text: str, cast: tuple[Person, ...] = CAST) -> list[tuple[Scene, tuple[Link, ...]]]:
    return list(read_conll("x.conll", text.split("\n"), cast))


def shown(scene: Scene, links: Iterator[Link] | tuple[Link, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(scene.text(link.mention), link.people) for link in links]


@pytest.mark.parametrize("gap", ["\t", "   "])
def test_a_document_is_a_scene_with_readable_texts(gap: str) -> None:
    ((scene, links),) = scenes(document(*SENTENCES, gap=gap))
    assert (scene.chat.name, scene.episode) == ("shop-1/002", "shop-1")
    assert [(m.author, m.text) for m in scene.chat] == [
        ("Ines Prado", "Tomo did you call my sister Ada?"),
        ("Tomo Arai", "I can't!"),
    ]
    assert shown(scene, links) == [
        ("Tomo", ("2",)),
        ("you", ("2",)),
        ("my sister", ("1",)),
        ("Ada", ("3",)),
        ("I", ("2",)),
    ]
    assert scene.mentions == tuple(link.mention for link in links)


def test_an_episode_is_one_scene_and_several_documents_are_several() -> None:
    whole = scenes(document(*SENTENCES, head="(/shop-1)"))
    both = scenes(document(SENTENCES[0]) + document(SENTENCES[1], head="(/shop-1); part 003"))
    assert [scene.chat.name for scene, _ in whole] == ["shop-1"]
    assert [scene.chat.name for scene, _ in both] == ["shop-1/002", "shop-1/003"]


def test_nested_mentions_several_people_and_untold_ones() -> None:
    text = document(("-", "the (1|aunt -|of -|Tomo 1)Y(2)|and -|they (1,2)|you (-1)".replace("Y", "/")))
    ((scene, links),) = scenes(text.replace("1)/(2)", "(2)|1)"))
    assert scene.chat[0].author == ""
    assert shown(scene, links) == [
        ("the aunt of Tomo", ("1",)),
        ("Tomo", ("2",)),
        ("they", ("1", "2")),
        ("you", ()),
    ]
    assert [line.rpartition("\t")[2] for line in conll_lines(scene, links) if "\t" in line] == [
        "(1", "-", "-", "1)|(2)", "-", "(1,2)", "(-1)",
    ]  # fmt: skip
    assert scenes("\n".join(conll_lines(scene, links)))[0][1] == links


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (document(("a", "x -|y 3)")), r"line 3 ends a mention of 3 that never began"),
        (document(("a", "x (3|y -")), r"line 2 begins a mention of 3 that its sentence never ends"),
        (document(("a", "x (3|y -"), ("a", "z 3)")), r"line 2 begins a mention of 3"),
        (document(("a", "x ((3)")), r"line 2 has '\(\(3\)' for mentions"),
        (document(("a", "x 3")), r"line 2 has '3' for mentions"),
        (document(("a", "x (9)")), r"line 2 has the id 9, which nobody in the cast has"),
        (document(("a", "x -")).replace("\t*\t-", "\t-"), r"line 2 has 11 columns, and mentions are the last of at le"),
        ("a b c\n" + document(("a", "x -")), r"line 1 stands before the first #begin document"),
        ("", r"no line begins a document"),
    ],
)
def test_a_wrong_conll_file_is_one_sentence_with_the_line(wrong: str, sentence: str) -> None:
    with pytest.raises(HubbubError, match=sentence):
        scenes(wrong)


def test_a_plain_chat_is_written_as_conll_with_cuts_at_its_mentions() -> None:
    scene = scene_of(Chat("c", (Message("0", None, "ines", "tomo: it's Anna-Maria's, not mine"),)))
    links = (Link(Mention(0, 11, 15), ("anna",)), Link(Mention(0, 29, 33), ("ines",)))
    rows = [line.split("\t") for line in conll_lines(scene, links) if "\t" in line]
    assert [(row[3], row[-1]) for row in rows if row[-1] != "-"] == [("Anna", "(anna)"), ("mine", "(ines)")]
    assert {row[9] for row in rows} == {"ines"}


def utterance(**other: object) -> dict[str, object]:
    return {
        "utterance_id": "u1",
        "speakers": ["Ines"],
        "transcript": "I  saw them. You know.",
        "tokens": [["I", "saw", "them", "."], ["You", "know", "."]],
        "character_entities": [[[0, 1, "Ines"], [2, 3, "Tomo", "Mika"]], [[0, 1, "#GENERAL#"]]],
        **other,
    }


def test_the_json_layout() -> None:
    second = utterance(speakers=["Tomo", "Mika"], transcript="something else", character_entities=None)
    record = {"episodes": [{"episode_id": "e1", "scenes": [{"scene_id": "c1", "utterances": [utterance(), second]}]}]}
    ((scene, links),) = read_dialogues("x.json", record)
    assert (scene.chat.name, scene.episode, scene.chat.authors()) == ("c1", "e1", ("Ines", "Tomo, Mika"))
    assert [message.text for message in scene.chat] == ["I  saw them. You know.", "I saw them. You know."]
    assert shown(scene, links) == [("I", ("Ines",)), ("them", ("Tomo", "Mika")), ("You", ())]
    assert {person.id for person in scene.cast} == {"Ines", "Tomo", "Mika"}


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"episodes": 3},
        {"scene_id": "c1"},
        {"utterances": [3]},
        {"utterances": [utterance(tokens=None)]},
        {"utterances": [utterance(character_entities=[[[0, 9, "Ines"]], []])]},
        {"utterances": [utterance(speakers=[3])]},
    ],
)
def test_wrong_json_is_one_sentence(wrong: object) -> None:
    with pytest.raises(HubbubError, match=r"x\.json: is broken"):
        read_dialogues("x.json", wrong)


TOML = """
[[person]]
id = "ines"
names = ["Ines Prado"]
aliases = ["nes"]
gender = "F"
relations = ["boss of tomo"]
[[person]]
id = "tomo"
"""
CSV = "id,names,aliases,gender,relations\nines,Ines Prado,nes,female,boss of tomo\ntomo,,,,\n"
JSON = json.dumps(
    [{"id": "ines", "name": "Ines Prado", "aliases": "nes", "gender": "f", "relations": "boss of tomo"}, {"id": "tomo"}]
)


@pytest.mark.parametrize(("name", "text"), [("c.toml", TOML), ("c.csv", CSV), ("c.json", JSON)])
def test_a_cast_reads_the_same_from_every_format(put: Put, name: str, text: str) -> None:
    ines = Person("ines", ("Ines Prado", "nes"), "female", (("boss of", "tomo"),))
    assert read_cast(put(name, text)) == (ines, Person("tomo", ("tomo",)))


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("c.toml", "[[person", "it is no TOML"),
        ("c.toml", "x = 1", "no list of people"),
        ("c.json", "[1]", "no list of people"),
        ("c.json", '[{"id": "a"}, {"id": "a"}]', "person 2 has the id a, which another"),
        ("c.json", '[{"id": "a", "age": 3}]', "person 1 has 'age'; a person has id, name"),
        ("c.json", '[{"names": ["a"]}]', "person 1 has no id"),
        ("c.csv", "name\nx\n", "line 1 names no column id"),
        ("c.csv", "id,gender\na,f\nb,x\n", "line 3 has the gender 'x'"),
        ("c.csv", "id\na,b\n", "line 2 has more columns"),
        ("c.csv", "id,relations\na,mother\n", "line 2 has the relation 'mother'"),
        ("entity_map.txt", "1\tAda\n2 Bo\n", "line 2 is no id, a tab and a name"),
        ("entity_map.txt", " \n", "is empty"),
    ],
)
def test_a_wrong_cast_is_one_sentence(put: Put, name: str, text: str, sentence: str) -> None:
    with pytest.raises(HubbubError, match=sentence):
        read_cast(put(name, text))


def loaded(*paths: Path, use: str = "evaluate") -> list[tuple[Scene, Key]]:
    found = examples(task("people"), find(list(paths)), "train" if use == "train" else "evaluate")
    return list(zip(found.inputs, found.golds, strict=True))


def test_files_named_train_tell_who_is_known(put: Put) -> None:
    put("a.train.conll", document(("Tomo_Arai", "I (2)")))
    put("a.test.conll", document(*SENTENCES))
    folder = put("entity_map.txt", "1\tInes Prado\n2\tTomo Arai\n3\tMika Arai\n").parent
    ((scene, key),) = loaded(folder)
    assert key.known == key.main == frozenset("2")
    assert key.kinds == ("name", "second", "noun", "name", "first")
    assert [person.id for person in scene.cast] == ["1", "2", "3"]
    assert [len(gold) for _, gold in loaded(folder, use="train")] == [1]


def test_a_plain_log_with_its_annotation_and_a_cast(put: Put) -> None:
    log = put("desk.log", "[10:00] <ines> tomo: ask her\n[10:01] <tomo> ok\n")
    put("desk.people.txt", "0 0 4 tomo\n0 10 13 mika\n")
    cast = put("cast.toml", '[[person]]\nid = "mika"\ngender = "f"\n')
    ((scene, key),) = loaded(log, cast)
    assert shown(scene, key.links) == [("tomo", ("tomo",)), ("her", ("mika",))]
    assert [person.id for person in scene.cast] == ["mika", "ines", "tomo"]
    put("desk.people.txt", "0 0 4 tomo\n0 10 13 rauf\n")
    with pytest.raises(HubbubError, match="line 2 has the id rauf"):
        loaded(log, cast)
    put("desk.people.txt", "0 0 99 tomo\n")
    with pytest.raises(HubbubError, match="line 1 marks 0 0 99"):
        loaded(log, cast)
    put("desk.people.txt", "tomo\n")
    with pytest.raises(HubbubError, match="line 1 is no position, start, end and person"):
        loaded(log, cast)


def test_json_lines_with_links_are_a_key(put: Put) -> None:
    rows: tuple[dict[str, object], ...] = (
        {"hubbub": 1, "name": "c", "format": "irc"},
        {"id": "0", "time": None, "author": "ines", "text": "I know her", "kind": "message", "reply_to": []},
        {"layer": "person", "id": "mika", "names": ["Mika"]},
        {"layer": "link", "mention": {"position": 0, "start": 7, "end": 10}, "people": ["mika"], "score": 1.0},
    )
    text = "\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    ((scene, key),) = loaded(put("c.jsonl", text))
    assert shown(scene, key.links) == [("her", ("mika",))]
    assert [person.id for person in scene.cast] == ["mika", "ines"]
    with pytest.raises(HubbubError, match="neither a message nor a layer"):
        loaded(put("d.jsonl", text.replace('"position":0', '"position":7')))


def test_the_command_line_scores_files_and_names_what_is_wrong(put: Put, run: Run) -> None:
    file = put("a.conll", document(*SENTENCES))
    (record,) = run("evaluate", "people/speaker", "--on", file, "--json").records()
    assert record["first_accuracy"] == 100, "ids are numbers, and who says I gives them a name"
    put("entity_map.txt", "1\tInes Prado\n2\tTomo Arai\n3\tMika Arai\n")
    (record,) = run("evaluate", "people/speaker", "--on", file.parent, "--json").records()
    assert (record["all_accuracy"], record["first_accuracy"]) == (40, 100)
    put("a.conll", document(("a", "x (9)")))
    ran = run("evaluate", "people/speaker", "--on", file.parent)
    assert ran.status == 2
    assert "line 2 has the id 9" in ran.err


def test_a_log_that_says_nothing_of_people(put: Put) -> None:
    with pytest.raises(HubbubError, match="nothing in it says who is meant"):
        loaded(put("x.log", "[10:00] <ines> hello\n"))


def test_answers_one_a_line(put: Put) -> None:
    given = sample()
    links = [link for gold in given.golds for link in gold]
    path = put("x.out", "\n".join(answer_lines(links)))
    assert "-1" in path.read_text().split()
    again = answered(given.inputs, read_answers(path, len(links)))
    assert [link for each in again for link in each] == links
    with pytest.raises(HubbubError, match=f"it has {len(links)} answers, and there are 3 mentions"):
        read_answers(path, 3)


@friends
@pytest.mark.parametrize("split", ["train", "test"])
def test_reading_and_writing_gives_back_the_mention_column(split: str) -> None:
    file = next(path for path in find(f"friends:{split}").files if f".{split}." in path.name)
    lines = file.read_text(encoding="utf-8").split("\n")
    written = (line for scene in read_conll(str(file), lines) for line in conll_lines(*scene))
    assert [_ends(line) for line in written if "\t" in line] == [
        _ends(line) for line in lines if line.strip() and not line.startswith("#")
    ]


def _ends(line: str) -> tuple[str, str, str]:
    columns = line.split()
    return columns[2], columns[9], columns[-1]
