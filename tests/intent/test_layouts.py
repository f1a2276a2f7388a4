"""Examples of intents in every layout that people keep them in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hubbub.intent.data.example import OUT_OF_SCOPE, is_out_of_scope
from hubbub.intent.data.files import read_parts
from hubbub.ml.datasets import find

from ..conftest import Put

PAIRS = [("hello there", "greet"), ("good evening", "greet"), ("see you later", "leave"), ("sing me a song", None)]


def parts(*places: Path) -> dict[str, list[tuple[str, str | None]]]:
    read = read_parts(find([str(place) for place in places]).files)
    return {name: [(each.text, each.name) for each in part] for name, part in read.items()}


RASA = """\
version: "3.1"

nlu:
- intent: greet
  examples: |
    - hello there
    - good [evening](time)
- synonym: evening
  examples: |
    - night
- regex: number
  examples: |
    - \\d+
- lookup: city
  examples: |
    - Bonn
- intent: leave
  examples:
  - text: |
      see you later
    metadata:
      sentiment: neutral
- intent: out_of_scope
  examples: |
    # nothing of ours
    - sing me a [song]{"entity": "art", "role": "wanted"}
"""

MARKDOWN = """\
## intent:greet
- hello there
- good [evening](time:night)

## synonym:evening
- night

## intent:leave
* see you later
## intent:oos
- sing me a song
"""

OLD_RASA = {
    "rasa_nlu_data": {
        "regex_features": [{"name": "number", "pattern": "x"}],
        "common_examples": [{"text": text, "intent": name or "fallback", "entities": []} for text, name in PAIRS],
    }
}
CLINC = {"train": [[t, n] for t, n in PAIRS[:3]], "oos_train": [["sing me a song", "oos"]]}
BY_INTENT = {"greet": ["hello there", "good evening"], "leave": ["see you later"], "": ["sing me a song"]}
CHATBOT = {"intents": [{"tag": name, "patterns": texts, "responses": ["x"]} for name, texts in BY_INTENT.items()]}
LUIS = {"name": "app", "utterances": [{"text": t, "intent": n or "None", "entities": []} for t, n in PAIRS]}
PIECES = {
    "greet": [{"data": [{"text": "hello "}, {"text": "there", "entity": "x"}]}, {"data": [{"text": "good evening"}]}],
    "leave": [{"data": [{"text": "see you later"}]}],
    "None": [{"data": [{"text": "sing me a song"}]}],
}
LINES = [{"utt": text, "intent": name, "partition": "train", "locale": "en"} for text, name in PAIRS]

LAYOUTS = {
    "a.yml": RASA,
    "rasa-without-its-ending": RASA,
    "crlf.yml": RASA.replace("\n", "\r\n"),
    "mapping.yaml": "greet:\n- hello there\n- good evening\nleave: ['see you later']\nnone: |\n  - sing me a song\n",
    "old.md": MARKDOWN,
    "old.json": json.dumps(OLD_RASA),
    "clinc.json": json.dumps(CLINC),
    "by-intent.json": json.dumps(BY_INTENT, indent=1),
    "intents.json": json.dumps(CHATBOT),
    "luis.json": json.dumps(LUIS),
    "snips.json": json.dumps(PIECES),
    "pairs.json": json.dumps(PAIRS),
    "records.json": json.dumps(LINES),
    "massive.jsonl": "\n".join(map(json.dumps, LINES)),
    "lines.txt": "\n".join(map(json.dumps, LINES)) + "\n\n",
    "a.csv": "text,category\nhello there,greet\ngood evening,greet\nsee you later,leave\nsing me a song,oos\n",
    "swapped.csv": "id;Label;Utterance\n1;greet;hello there\n2;greet;good evening\n3;leave;see you later\n"
    "4;ood;sing me a song",
    "bare.csv": 'greet, hello there\ngreet, good evening\nleave,"see you\nlater"\nNone, sing me a song\n',
    "bare.tsv": "hello there\tgreet\ngood evening\tgreet\nsee you later\tleave\nsing me a song\tnull\n",
    "numbered.tsv": "1\thello there\tgreet\n2\tgood evening\tgreet\n3\tsee you later\tleave\n4\tsing me a song\toos\n",
    "tabs.txt": "utterance\tslots\tintent\nhello there\tO O\tgreet\ngood evening\tO O\tgreet\n"
    "see you later\tO O O\tleave\nsing me a song\tO O O O\tout-of-scope\n",
    "fast.txt": "__label__greet hello there\n__label__greet good evening\n__label__leave see you later\n"
    "__label__oos sing me a song\n",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_gives_the_same_examples(put: Put, name: str) -> None:
    read = parts(put(name, LAYOUTS[name]))
    assert [(" ".join(text.split()), intent) for text, intent in read["train"]] == PAIRS
    assert list(read) == ["train"]


HOME = """\
userid;answerid;scenario;intent;status;answer_annotation;notes;suggested_entities;answer_normalised;answer;question
7;1;lamp;dim;;make it [level : half] as bright, please;;level, colour;make it half as bright, please;Make it half as \
bright, please;"How would you ask for less light, ""dimmed"" or so?"
7;2;lamp;query;MOD;is the lamp [state : on];a note;state;is the lamp on;is the lamp on;What would you ask?
8;3;heating;query;;how warm is the [room : hall];;room, time;how warm is the hall;how warm is the hall;What else?
"""


def test_home_assistants_tables_are_parted_by_semicolons_and_name_intents_by_scenario(put: Put) -> None:
    read = parts(put("home.csv", HOME))["train"]
    assert read == [
        ("make it half as bright, please", "lamp_dim"),
        ("is the lamp on", "lamp_query"),
        ("how warm is the hall", "heating_query"),
    ]
    whole = parts(put("m.csv", "scenario,intent,text\nlamp,lamp_dim,less light\n,greet,hello\n"))["train"]
    assert whole == [("less light", "lamp_dim"), ("hello", "greet")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings(put: Put, encoding: str) -> None:
    rows = "".join(f"Grüße von mir und dir {number},greet\nbis später {number},leave\n" for number in range(9))
    read = parts(put("a.csv", f"text,intent\n{rows}".encode(encoding)))
    assert read["train"][:2] == [("Grüße von mir und dir 0", "greet"), ("bis später 0", "leave")]


def test_examples_know_their_lines(put: Put) -> None:
    read = read_parts([put("a.yml", RASA)])
    assert [each.line for each in read["train"]] == [6, 7, 19, 26]
    assert [each.line for each in read_parts([put("b.csv", LAYOUTS["bare.csv"])])["train"]] == [1, 2, 3, 5]
    assert [each.line for each in read_parts([put("c.json", json.dumps(BY_INTENT, indent=1))])["train"]] == [
        3,
        4,
        7,
        10,
    ]


def test_parts_by_column_key_and_record(put: Put) -> None:
    wanted = {"train": [("hi", "greet")], "val": [("bye", "leave")], "test": [("ho", None)]}
    assert parts(put("a.csv", "split,text,intent\ntrain,hi,greet\ndev,bye,leave\ntest,ho,oos\n")) == wanted
    whole = {"train": [["hi", "greet"]], "val": [["bye", "leave"]], "oos_test": [["ho", "oos"]]}
    assert parts(put("a.json", json.dumps(whole))) == wanted
    nested = {"training": {"greet": ["hi"]}, "validation": {"leave": ["bye"]}, "test": {"oos": ["ho"]}}
    assert parts(put("b.json", json.dumps(nested))) == wanted
    rows = [("hi", "greet", "train"), ("bye", "leave", "validation"), ("ho", None, "test")]
    lines = [json.dumps({"text": text, "label": name, "split": part}) for text, name, part in rows]
    assert parts(put("a.jsonl", "\n".join(lines))) == wanted


def test_parts_by_file(put: Put) -> None:
    put("bank/train.csv", "text,category\nhi,greet\n")
    put("bank/valid.csv", "text,category\nbye,leave\n")
    put("bank/categories.json", '["greet", "leave"]')
    put("bank/.hidden", b"\x00")
    folder = put("bank/test.csv", "text,category\nho,greet\n").parent
    assert parts(folder) == {"train": [("hi", "greet")], "val": [("bye", "leave")], "test": [("ho", "greet")]}
    assert parts(folder / "test.csv") == {"train": [("ho", "greet")]}


def test_a_file_that_is_no_part_is_left_out_aloud(put: Put, caplog: pytest.LogCaptureFixture) -> None:
    put("data/domains.json", '{"home": ["lamp", "door"]}')
    folder = put("data/all_train.csv", "text,intent\nhi,greet\n").parent
    assert parts(folder) == {"train": [("hi", "greet")]}
    assert "domains.json: is left out" in caplog.text


def test_a_folder_of_text_files(put: Put) -> None:
    put("shop/greet.txt", "hello there\r\n\r\ngood evening, all\n")
    put("shop/out_of_scope.txt", "sing me a song\n")
    folder = put("shop/train_ticket.txt", "one to Bonn\n").parent
    train = [("hello there", "greet"), ("good evening, all", "greet"), ("sing me a song", None)]
    assert parts(folder) == {"train": [*train, ("one to Bonn", "train_ticket")]}


def test_a_folder_of_text_files_in_parts(put: Put) -> None:
    put("shop/train/greet.txt", "hello\n")
    put("shop/train/leave.txt", "bye\n")
    folder = put("shop/test/greet.txt", "hey\n").parents[1]
    assert parts(folder) == {"test": [("hey", "greet")], "train": [("hello", "greet"), ("bye", "leave")]}


def test_texts_and_labels_in_files_side_by_side(put: Put) -> None:
    put("atis/train/seq.in", "to Bonn please\nhow much is it\n")
    put("atis/train/seq.out", "O B-city O\nO O O O\n")
    put("atis/train/label", "flight\nfare\n")
    put("atis/test/seq.in", "to Ulm\n")
    folder = put("atis/test/label", "flight\n").parents[1]
    wanted = {"test": [("to Ulm", "flight")], "train": [("to Bonn please", "flight"), ("how much is it", "fare")]}
    assert parts(folder) == wanted


def test_a_rasa_project_has_files_of_other_kinds(put: Put, caplog: pytest.LogCaptureFixture) -> None:
    put("project/nlu.yml", RASA)
    put("project/rules.yml", "rules:\n- rule: x\n")
    folder = put("project/stories.yml", 'version: "3.1"\nstories:\n- story: x\n').parent
    assert len(parts(folder)["train"]) == 4
    assert "stories.yml: holds no examples of intents (it has stories, " in caplog.text


def test_quotes_that_close_nowhere_are_letters_between_tabs(put: Put) -> None:
    read = parts(put("a.tsv", 'text\tintent\n"hi\tgreet\nsay "bye" 5\'\tleave\n'))
    assert read["train"] == [('"hi', "greet"), ('say "bye" 5\'', "leave")]


def test_a_heading_with_names_that_nobody_knows(put: Put) -> None:
    rows = "".join(f"turn it on {n},switch\nhow warm is it {n},heat\n" for n in range(3))
    assert ("was_gesagt", "absicht") not in parts(put("a.csv", f"was_gesagt,absicht\n{rows}"))["train"]
    assert len(parts(put("b.csv", rows))["train"]) == 6


def test_entities_of_many_kinds_are_taken_out(put: Put) -> None:
    texts = ['from [Bonn]{"entity": "city", "role": "from"}', 'in [a][{"entity": "x"}, {"entity": "y"}]', "a [b] c"]
    block = "".join(f"    - {text}\n" for text in texts)
    read = parts(put("a.yml", f"nlu:\n- intent: go/there\n  examples: |\n{block}"))
    assert read["train"] == [("from Bonn", "go/there"), ("in a", "go/there"), ("a [b] c", "go/there")]


def test_prose_that_looks_like_something_else(put: Put) -> None:
    put("shop/order.txt", "order: two, please\n[ALERT] one more\n")
    folder = put("shop/pay.txt", "{card}, please\n").parent
    wanted = [("order: two, please", "order"), ("[ALERT] one more", "order"), ("{card}, please", "pay")]
    assert parts(folder) == {"train": wanted}


def test_broken_halves_of_characters_are_mended(put: Put) -> None:
    assert parts(put("a.jsonl", '{"text": "a \\ud83d", "intent": "b"}')) == {"train": [("a \ufffd", "b")]}


def test_labels_that_mean_out_of_scope() -> None:
    assert all(map(is_out_of_scope, (*OUT_OF_SCOPE, "Out-of-Scope", "out of scope", "OUTOFSCOPE", "out_of_scope/rude")))
    assert not any(map(is_out_of_scope, ("in", "none_of_these", "scope", "default_fallback", "")))


def test_a_heading_of_which_one_name_is_known(put: Put) -> None:
    said = [("where is it", "track"), ("is it here yet", "track"), ("so long then", "leave"), ("good bye", "leave")]
    ids = ["9f1eb018fbbb391b", "a91573d23a19fc02", "7a45af20ad0ac21d", "6b9ad5e4a337eb26"]
    rows = "".join(f"{id_},{text},{name}\n" for id_, (text, name) in zip(ids, said, strict=True))
    assert parts(put("ids.csv", f"uid,customer message,intent\n{rows}")) == {"train": said}
    rows = "".join(f"{text},{name}\n" for text, name in said)
    assert parts(put("a.csv", f"Customer Message,Intent\n{rows}")) == {"train": said}
    assert parts(put("b.csv", f"Text,what it wants\n{rows}")) == {"train": said}
    assert parts(put("c.csv", rows)) == {"train": said}
    rows = "".join(f"{text},{name},{part}\n" for (text, name), part in zip(said, ["train", "test"] * 2, strict=True))
    assert parts(put("d.csv", f"text,what it wants,split\n{rows}")) == {"train": said[::2], "test": said[1::2]}


def test_a_table_from_a_spreadsheet(put: Put) -> None:
    assert parts(put("a.csv", "sep=;\ntext;intent\nhi, you;greet\nbye;leave\n")) == {
        "train": [("hi, you", "greet"), ("bye", "leave")]
    }


def test_a_table_in_a_text_file(put: Put) -> None:
    wanted = {"train": [("hi you", "greet"), ("bye", "leave")]}
    assert parts(put("a.txt", "text;intent\nhi you;greet\nbye;leave\n")) == wanted
    assert parts(put("b.txt", '"label","sentence"\n"greet","hi you"\n"leave","bye"\n')) == wanted


def test_more_shapes_of_json(put: Put, caplog: pytest.LogCaptureFixture) -> None:
    wanted = {"train": [("hi you", "greet"), ("so long", "leave")]}
    assert parts(put("a.json", '{"text": ["hi you", "so long"], "intent": ["greet", "leave"]}')) == wanted
    assert (
        parts(put("b.json", '[{"intent": "greet", "examples": "hi you"}, {"Intent": "leave", "Text": "so long"}]'))
        == wanted
    )
    assert (
        parts(put("c.jsonl", '{"Text": "hi you", "Intent": "greet"}\n{"Text": "so long", "Intent": "leave"}\n'))
        == wanted
    )
    assert parts(put("d.json", '{"lang": "en", "greet": ["hi you"], "leave": ["so long"]}')) == wanted
    assert "'lang' is left out, it has no list of texts" in caplog.text


def test_names_in_large_letters(put: Put) -> None:
    assert parts(put("a.YML", "greet:\n- hi\nleave:\n- bye\n")) == {"train": [("hi", "greet"), ("bye", "leave")]}


def test_a_folder_of_a_whole_project(put: Put, caplog: pytest.LogCaptureFixture) -> None:
    put("bot/credentials.yml", "rest:\nslack:\n  token: x\n")
    put("bot/endpoints.yml", "action_endpoint:\n  url: somewhere\n")
    put("bot/logo.png", b"\x89PNG\r\n\x1a\n\x00\x00")
    put("bot/empty.txt", "")
    folder = put("bot/nlu.yml", "nlu:\n- intent: greet\n  examples: |\n    - hi\n").parent
    assert parts(folder) == {"train": [("hi", "greet")]}
    assert caplog.text.count("and is left out") == 4


def test_text_that_is_not_in_utf_8_is_said_to_be(put: Put, caplog: pytest.LogCaptureFixture) -> None:
    assert parts(put("a.csv", "text,intent\nschön,greet\nbye,leave\n".encode("cp1252")))["train"][0] == (
        "schön",
        "greet",
    )
    assert "is not in UTF-8, and is read as Western European text" in caplog.text
