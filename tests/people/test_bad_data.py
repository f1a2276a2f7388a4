"""Files of the task people that are wrong are named with the line, through the command line: exit code 2."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hubbub
from hubbub.jsonl import chat_lines

from ..cli.test_people import CAST, LOG, SPEAKER, link
from ..conftest import Put, Run


@pytest.fixture
def log(put: Put) -> Path:
    return put("#desk.log", LOG)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("\n{}\n", "no line of it is a link"),
        ("nonsense", "line 1 is no JSON"),
        ("[3]", "line 1 is no JSON object"),
        (link(1, 0, 3) + link(9, 0, 3), "line 2 marks 9 0 3"),
        (link(1, 5, 5), "line 1 marks 1 5 5"),
        (link(1, 0, 3, "rauf"), "line 1 has the id rauf, which nobody in the cast has"),
        ('{"layer":"link","people":[]}', "line 1 has no mention with a position"),
        ('{"layer":"link","mention":{"position":1,"start":0,"end":2},"people":"x"}', "line 1 has no list of people"),
    ],
)
def test_wrong_confirmed_links(log: Path, put: Put, run: Run, text: str, sentence: str) -> None:
    ran = run("people", log, "--confirm", put("known.jsonl", text))
    assert ran.status == 2
    assert "known.jsonl: is " in ran.err
    assert sentence in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("c.toml", "[[person]]\nid = 3 3\n", "it is no TOML: .*line 2"),
        ("c.toml", CAST.replace("of bram", "x"), "line 1, person 1 has the relation 'daughter x'"),
        ("c.toml", CAST + '[[person]]\nid = "bram"\n', "line 11, person 3 has the id bram, which another"),
        ("c.json", '[\n{"id": "a"},\n{"id": "b",\n"relations": "aunt"}]', "line 3, person 2 has the relation 'aunt'"),
        ("c.json", '[{"id": "a"}', r"it is no JSON: .*line 1 column 13"),
        ("c.csv", "name,gender\nx,f\n", "line 1 names no column id"),
        ("c.csv", "id,relations\na,\nb,aunt of\n", "line 3 has the relation 'aunt of'"),
        ("c.csv", 'id\n"a\n', "line 2 is no CSV"),
        ("map.txt", "1\tAda\n2\n", "line 2 is no id, a tab and a name"),
        ("c.toml", b"\xff\xfe", "byte 0 is no UTF-8"),
    ],
)
def test_a_wrong_cast_file(log: Path, put: Put, run: Run, name: str, text: str | bytes, sentence: str) -> None:
    ran = run("people", log, "--cast", put(name, text))
    assert (ran.status, ran.out) == (2, "")
    assert re.search(rf"{name}: is broken or cut short \(.*{sentence}", ran.err), ran.err


def test_a_relation_may_be_to_somebody_who_only_talks(put: Put, run: Run) -> None:
    chat = put("family.txt", "Signe: did mom call?\nRauf: yes, she did\n")
    cast = put("c.toml", '[[person]]\nid = "greta"\ngender = "female"\nrelations = ["mother of signe"]\n')
    ran = run("people", chat, "--format", "transcript", "--cast", cast, "--to", "csv")
    assert ",mom,noun,greta," in ran.out
    assert ran.err == ""


def test_a_relation_to_nobody_is_said(log: Path, put: Put, run: Run) -> None:
    ran = run("people", log, "--cast", put("c.toml", CAST.replace("of bram", "of rauf")))
    assert ran.status == 0
    assert "'daughter of rauf', and nobody of that name is in the cast or in #desk" in ran.err


def conll(*rows: str) -> str:
    head = "#begin document (/shop); part 001"
    lines = (f"/shop\t1\t{n}\t{row.split()[0]}\t_\t*\t_\t-\t-\ta\t*\t{row.split()[1]}" for n, row in enumerate(rows))
    return "\n".join((head, *lines, "", "#end document\n"))


CHAT_LINES = "\n".join(chat_lines(hubbub.Chat("c", (hubbub.Message("0", None, "a", "I know"),)))) + "\n"
LAYOUT = '{"scene_id": "s", "utterances": [\n{"utterance_id": "u1",\n"speakers": ["A"], "tokens": [["I"]],\n'


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"x.conll": conll("he (3", "is -")}, "x.conll: .*line 2 begins a mention of 3 that its sentence never ends"),
        ({"x.conll": conll("he -", "is 3)")}, "x.conll: .*line 3 ends a mention of 3 that never began"),
        ({"x.conll": conll("he (3)").replace("\t*\t(3)", "\t(3)")}, "x.conll: .*line 2 has 11 columns"),
        ({"x.conll": conll("he (3)"), "entity_map.txt": "1\tAda\n"}, "x.conll: .*line 2 has the id 3, which nobody"),
        ({"x.conll": conll("he (3)"), "entity_map.txt": "1 Ada\n"}, "entity_map.txt: .*line 1 is no id, a tab"),
        ({"x.jsonl": CHAT_LINES + link(0, 0, 9, "a")}, "x.jsonl: .*line 3 is neither a message nor a layer"),
        ({"x.jsonl": CHAT_LINES + link(0, 0, 9, "a").replace("}\n", ', "score": 1}\n')}, "line 3 marks 0 0 9"),
        ({"x.jsonl": CHAT_LINES + link(0, 0, 1, "b").replace("}\n", ', "score": 1}\n')}, "line 3 has the id b"),
        ({"x.json": LAYOUT + '"character_entities": [[[0, 4, "A"]]]}]}'}, "x.json: .*line 2, utterance 1 of the scene"),
        ({"x.log": "[10:00] <a> hi\n", "x.people.txt": "0 0 9 a\n"}, "x.people.txt: .*line 1 marks 0 0 9"),
    ],
)
def test_training_names_what_is_wrong(put: Put, tmp_path: Path, run: Run, files: dict[str, str], sentence: str) -> None:
    for name, text in files.items():
        put(f"data/{name}", text)
    folder = tmp_path / "data"
    ran = run("train", "people", *SPEAKER, "--on", folder, "--out", tmp_path / "model")
    assert (ran.status, ran.out) == (2, "")
    assert re.search(sentence, ran.err), ran.err
    assert not (tmp_path / "model").exists()
