"""Training data: what is exported, in which part, in which format, and what is left out."""

from __future__ import annotations

import csv
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from hubbub.answer.data.files import read_examples
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.insights.statistics import archive_statistics
from hubbub.archive.insights.training_examples import SPLITS, ExportRules
from hubbub.archive.insights.training_export import export_training_data
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.errors import OptionError, TooFew, Unwritable

from ..conftest import Home
from .chats import CONFIRMED, START, TALKS, filled, spoken


def lines(folder: Path) -> list[dict[str, Any]]:
    texts = [(folder / f"{split}.jsonl").read_text(encoding="utf-8") for split in SPLITS]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def test_questions_and_answers_become_turns_with_their_sources(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        report = export_training_data(archive, "finetune", tmp_path / "out")
        found = {record["messages"][0]["content"]: record for record in lines(tmp_path / "out")}
        record = found[CONFIRMED[0][1]]
        assert record["messages"] == [
            {"role": "user", "content": CONFIRMED[0][1]},
            {"role": "assistant", "content": "descale it, a crust on the element makes it leak current"},
        ]
        source = record["source"]
        assert (source["channel"], source["outcome"], source["conversation"]) == ("#house", "confirmed", record["id"])
        stored = archive.by_ids(source["messages"])
        assert [stored[id].message.author for id in source["messages"]] == ["ines", "bo"]
    assert len(found) == 4
    assert report.left_out.total() + report.examples.total() == report.conversations == 9


def test_parts_are_divided_by_date(home: Home, tmp_path: Path) -> None:
    rules = ExportRules(dev_from=date(2024, 5, 8), test_from=date(2024, 5, 20))
    with filled(home / "a.db") as archive:
        report = export_training_data(archive, "finetune", tmp_path / "out", rules=rules)
        assert [report.examples[split] for split in SPLITS] == [1, 1, 2]
        test = (tmp_path / "out" / "test.jsonl").read_text(encoding="utf-8").splitlines()
        assert all(json.loads(line)["source"]["first"] >= "2024-05-20" for line in test)
        with pytest.raises(OptionError, match="begins before"):
            export_training_data(
                archive, "rag", tmp_path / "x", rules=ExportRules(dev_from=date(2024, 6, 1), test_from=date(2024, 5, 1))
            )
        usual = export_training_data(archive, "rag", tmp_path / "usual")
        assert usual.dev_from <= usual.test_from
        assert usual.examples["train"] > usual.examples["test"]


def test_duplicates_and_people_who_opted_out_are_left_out(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        list(add(archive, "#attic", "irssi", spoken((CONFIRMED,))))
        rules = ExportRules(opted_out=lambda name: name == "nils")
        report = export_training_data(archive, "finetune", tmp_path / "out", rules=rules)
        written = (tmp_path / "out" / "train.jsonl").read_text(encoding="utf-8")
        assert report.left_out["that are duplicates"] == 1
        assert report.left_out["with somebody who opted out"] == 1
        assert "vinegar" not in written + (tmp_path / "out" / "test.jsonl").read_text(encoding="utf-8")
        confirmed = export_training_data(archive, "finetune", tmp_path / "two", rules=ExportRules(only_confirmed=True))
        assert confirmed.examples.total() == 2


def test_what_was_deleted_is_nowhere(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        with archive.transaction() as engine:
            engine.execute("update messages set is_deleted = true where text like '%vinegar%'")
        export_training_data(archive, "rag", tmp_path / "out")
        assert "vinegar" not in "".join(each["text"] for each in lines(tmp_path / "out"))
        figures = archive_statistics(archive)
        assert figures.total.messages == len(spoken()) - 1
        assert next(each for each in figures.helpers if each.name == "bo").questions == 2


def test_other_formats_say_the_same(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        for format in ("jsonl", "sharegpt", "chatml"):
            export_training_data(archive, "finetune", tmp_path / format, format)
        plain, shared, marked = (lines(tmp_path / name) for name in ("jsonl", "sharegpt", "chatml"))
        assert [turn["value"] for turn in shared[0]["conversations"]] == [t["content"] for t in plain[0]["messages"]]
        assert {turn["from"] for turn in shared[0]["conversations"]} == {"human", "gpt"}
        assert marked[0]["text"].startswith("<|im_start|>user\nthe kettle")
        assert [each["source"] for each in shared] == [each["source"] for each in marked]
        with pytest.raises(OptionError, match="jsonl, parquet"):
            export_training_data(archive, "rag", tmp_path / "x", "chatml")
        with pytest.raises(OptionError, match="finetune, rag, nuc"):
            export_training_data(archive, "songs", tmp_path / "x")
        pq = pytest.importorskip("pyarrow.parquet")
        export_training_data(archive, "finetune", tmp_path / "p", "parquet")
        rows = [row for path in (tmp_path / "p").glob("*.parquet") for row in pq.read_table(path).to_pylist()]
        assert sorted(rows, key=lambda row: row["id"]) == sorted(plain, key=lambda row: row["id"])


def test_a_written_mark_begins_no_turn(home: Home, tmp_path: Path) -> None:
    talk = (("ada", "what does <|im_end|> do?"), ("bo", "it ends a turn: <|im_start|>assistant"))
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", spoken((talk,))))
        export_training_data(archive, "finetune", tmp_path / "out", "chatml")
        assert lines(tmp_path / "out")[0]["text"].count("<|im_") == 4


def test_passages_are_bounded_and_keep_every_message_of_a_conversation(home: Home, tmp_path: Path) -> None:
    long = tuple((("ada", "bo")[i % 2], f"message {i} " + "about bread " * 30) for i in range(12))
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", spoken((long, *TALKS))))
        export_training_data(archive, "rag", tmp_path / "out")
        found = lines(tmp_path / "out")
        parts = [each for each in found if "about bread" in each["text"]]
        assert len(parts) > 1
        assert all(len(each["text"]) < 2000 for each in parts)
        assert sum(len(each["source"]["messages"]) for each in parts) == 12
        assert len({each["id"] for each in found}) == len(found)


def dialogues(count: int) -> list[ThreadedMessage]:
    """Talks of two people, six hours apart; each message begins with a name."""
    said = []
    for i in range(count):
        for j in range(4):
            time = START + timedelta(hours=6 * i, minutes=j)
            message = Message(f"{i}.{j}", time, f"{'ab'[j % 2]}{i}", f"b{i}: turn {j} of talk {i}")
            said.append(ThreadedMessage(message, (1 if j else 0,), (0.9,)))
    return said


def test_next_utterances_are_the_files_of_the_corpus(home: Home, tmp_path: Path) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", dialogues(80)))
        report = export_training_data(
            archive, "nuc", tmp_path / "out", rules=ExportRules(dev_from=date(2024, 5, 18), test_from=date(2024, 5, 22))
        )
        assert report.examples["test"] == 17
        test = read_examples(tmp_path / "out" / "test.csv")
        assert {len(each.false) for each in test} == {9}
        with (tmp_path / "out" / "train.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert set(rows[0]) == {"Context", "Utterance", "Label"}
        assert not any("b1:" in row["Context"] for row in rows)
        sources = [json.loads(line) for line in (tmp_path / "out" / "sources.jsonl").read_text("utf-8").splitlines()]
        for source in sources[:5]:
            talk = archive.by_ids(source["messages"])
            number = next(iter(talk.values())).message.text.rpartition(" ")[2]
            assert rows[source["row"] - 1]["Label"] == "1"
            assert rows[source["row"] - 1]["Utterance"].endswith(f"of talk {number} __eou__")


def test_too_few_dialogues_and_a_folder_in_use_are_errors_that_leave_nothing(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        with pytest.raises(TooFew, match="train part"):
            export_training_data(archive, "nuc", tmp_path / "out")
        assert not (tmp_path / "out").exists()
        (tmp_path / "used").mkdir()
        (tmp_path / "used" / "file").touch()
        with pytest.raises(Unwritable):
            export_training_data(archive, "rag", tmp_path / "used")


def test_the_datasheet_counts_what_is_there(home: Home, tmp_path: Path) -> None:
    with filled(home / "a.db") as archive:
        export_training_data(archive, "finetune", tmp_path / "out")
    sheet = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "selected from 9 conversations" in sheet
    assert "- 2 conversations that do not begin with a question" in sheet
    assert "2024-05-06 to 2024-05-22" in sheet
    assert "Licence" in sheet
