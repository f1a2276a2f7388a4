"""Files of examples that are not as they should be: one sentence that says what and where, exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..conftest import Put, Run

GOOD = "text,intent\nhi,greet\nhello,greet\nbye,leave\n"

BAD = {
    ("empty.yml", ""): "is empty",
    ("blank.csv", " \n\n"): "is empty",
    ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00"): "is a binary file",
    ("halved.csv", b"\xff\xfea"): "is a binary file",
    ("one.csv", "text,intent\nhi,greet\nhey,greet\n"): "too few intents to learn from (1, and it takes at least 2)",
    ("one-outside.csv", "text,intent\nhi,greet\nhey,greet\nho,oos\n"): "too few intents to learn from (1,",
    ("label.csv", GOOD + ",leave\n"): "line 5: the intent 'leave' has no text here",
    ("text.csv", GOOD + "so long,\n"): "line 5: the text 'so long' has no intent",
    ("short.csv", GOOD + "so long\n"): "line 5: it has 1 columns, too few for a text and an intent",
    ("quote.csv", GOOD + 'so "long",leave\n"so on,leave\n'): "the row that begins in line 6: unexpected end of data",
    ("comma.csv", GOOD + "so long, all,leave\n"): "line 5: it has 3 columns, and the table 2; a text with commas",
    ("comma-bare.csv", "hi,greet\nhello,greet\nso long, all,leave\n"): "line 3: it has 3 columns, and the table 2",
    ("heading.csv", "text,intent\n"): "it has a heading and nothing below it",
    ("ids.csv", "1,2,one\n2,3,two\n"): "none of its columns is named like a text",
    ("split.csv", "text,intent,split\nhi,greet,later\n"): "line 2: the part 'later' is none of train,",
    ("long.csv", f"{GOOD}{'x' * 110_000},leave\n"): "line 5: one example has 110,000 characters, and 100,000",
    ("huge.csv", f"{GOOD}{'x' * 10_000_000},leave\n"): "line 5: one example has 10,000,000",
    ("huge.jsonl", json.dumps({"text": "x" * 10_000_000, "intent": "a"})): "line 1: one example has 10,000,000",
    ("huge.yml", f"nlu:\n- intent: a\n  examples: |\n    - {'x ' * 5_000_000}\n"): "line 4: one example has 9,999,999",
    ("tabs.yml", "nlu:\n- intent: a\n\texamples: b\n"): "line 3: found ",
    ("open.yml", 'nlu:\n- intent: "a\n'): "is broken or cut short (line ",
    ("deep.yml", "a: " + "[" * 100_000): "is broken or cut short",
    ("story.yml", "version: 3\nstories:\n- story: x\n"): "it has stories, and Rasa's examples stand below nlu",
    ("domain.yml", "intents: [a, b]\nresponses: {}\n"): "it has intents, responses, and Rasa's",
    ("list.yml", "- a\n- b\n"): "it is YAML without nlu at its top",
    ("none.yml", "nlu:\n- regex: a\n  examples: |\n    - b\n"): "no text in it has an intent",
    ("no-list.yml", "nlu: x\n"): "line 1: nlu takes a list",
    ("no-examples.yml", "nlu:\n- intent: a\n- intent: b\n"): "line 2: the intent 'a' has no examples",
    ("no-name.yml", "nlu:\n- intent:\n  examples: |\n    - b\n"): "line 2: an intent has no name",
    ("no-text.yml", "nlu:\n- intent: a\n  examples:\n  - metadata: 3\n"): "line 4: an example of 'a' has no text",
    ("dash.yml", "nlu:\n- intent: a\n  examples: |\n    - b\n    c\n"): "line 5: an example begins with a dash",
    ("lone-dash.yml", "nlu:\n- intent: a\n  examples: |\n    - b\n    -\n"): "line 5: the intent 'a' has no text here",
    ("cut.json", '{"greet": ["hi",\n"hey"'): "line 2: Expecting",
    ("deep.json", "[" * 100_000): "is broken or cut short",
    ("strings.json", '["a", "b", "c"]'): "record 1 is neither a record",
    ("number.json", "[3"): "is broken or cut short",
    ("prose.json", "hello, there\nbye, all\n"): "is broken or cut short (line 1: Expecting value)",
    ("read.md", "a | b\nc | d\n"): "it is neither a table",
    ("object.json", '{"greet": {"a": 3}}'): "it is JSON without a list of texts",
    ("no-lists.yml", "rest:\nslack:\n  token: x\n"): "no intent in it has a list of texts",
    ("no-texts.json", '[{"intent": "leave", "examples": []}]'): "record 1: the intent 'leave' has no text here",
    ("prompts.jsonl", '{"prompt": "a", "completion": "b"}\n' * 2): "line 1: a record has no text; it has prompt, compl",
    ("empty-intent.json", '{"greet": ["hi"], "leave": []}'): "intent leave: the intent 'leave' has no text",
    ("no-label.jsonl", '{"text": "a", "intent": "b"}\n{"text": "a"}'): "line 2: a record has no intent; it has text",
    ("no-text.jsonl", '{"text": "a", "intent": "b"}\n{"intent": "b"}'): "line 2: a record has no text; it has intent",
    ("cut.jsonl", '{"text": "a", "intent": "b"}\n{"text": '): "line 2 is no JSON",
    ("number.jsonl", '{"text": 3, "intent": "b"}\n'): "line 1: the text of an example is missing or no text (3)",
    ("list-label.jsonl", '{"text": "a", "intent": ["b"]}\n'): "line 1: an intent is a name",
    ("mixed.txt", "__label__a b\nc d\n"): "line 2: a line of this file begins with __label__",
    ("test.txt", "hello\nthere\n"): "it has lines of text, and nothing says their intents",
    ("notes.pdf", "hello\nthere\n"): "it is neither a table, JSON, YAML nor a text file named for an intent",
}


@pytest.mark.parametrize(("name", "content", "sentence"), [(*k, v) for k, v in BAD.items()], ids=[k[0] for k in BAD])
def test_a_bad_file_is_one_sentence(run: Run, put: Put, name: str, content: str | bytes, sentence: str) -> None:
    file = put(name, content)
    ran = run("train", "intent", "--on", file, "--out", file.parent / "out")
    assert ran.status == 2
    assert ran.err.startswith(f"hubbub: {file}: ")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 400


def test_nothing_and_an_empty_folder(tmp_path: Path, run: Run) -> None:
    ran = run("train", "intent", "--on", tmp_path, "--out", tmp_path / "out")
    assert (ran.status, ran.err) == (2, f"hubbub: {tmp_path}: is empty, there is nothing to read.\n")


def test_lines_that_do_not_match(put: Put, run: Run) -> None:
    put("a/label", "x\n")
    ran = run("train", "intent", "--on", put("a/seq.in", "b\nc\n").parent, "--out", "out")
    assert ran.status == 2
    assert "it has 2 lines, and label beside it has 1" in ran.err


def test_parts_without_one_to_learn_from(put: Put, run: Run) -> None:
    file = put("a.csv", "split,text,intent\ntest,hi,greet\nval,bye,leave\n")
    ran = run("train", "intent", "--on", file, "--out", file.parent / "out")
    assert ran.status == 2
    assert "it has the parts test and val, and none for training" in ran.err
