"""The datasheet of exported training data (after Gebru et al. 2021): contents, sources, filters, limits."""

from __future__ import annotations

from ... import __version__
from .training_examples import PASSAGE_CHARACTERS, SPLITS, ExportReport, ExportRules

_PURPOSES = {
    "finetune": "Fine-tuning of a dialogue model: the asker of a question is the user, everybody else the assistant.",
    "rag": f"Retrieval: conversations as passages of up to {PASSAGE_CHARACTERS:,} characters.",
    "nuc": "Next-utterance classification in the format of the Ubuntu dialogue corpus (Lowe et al. 2015): train.csv has"
    " Context, Utterance and Label; valid.csv and test.csv have Context, Ground Truth Utterance and distractors.",
}


def datasheet(report: ExportReport, rules: ExportRules, purpose: str, format: str) -> str:
    """Markdown."""
    unit = {"rag": "passages", "nuc": "dialogues"}.get(purpose, "conversations")
    counts = "\n".join(f"| {split} | {report.examples[split]:,} | {_days(report, split)} |" for split in SPLITS)
    left_out = [f"- {count:,} conversations {reason}" for reason, count in sorted(report.left_out.items()) if count]
    return f"""# Datasheet

{_PURPOSES[purpose]}

## Contents

| part | {unit} | days |
|---|--:|---|
{counts}

- {report.messages:,} messages of {len(report.people):,} people, {_span(report)}
- selected from {report.conversations:,} conversations; format: {format}
- split by the day on which a conversation begins; a conversation without a date is for training

## Sources

Every example names its conversation by the permanent id of the archive (`hubbub show ID`) and its messages by number
{"in sources.jsonl." if purpose == "nuc" else "in the field `source`."}

## Filters

{_filters(rules)}

Left out:

{chr(10).join(left_out) or "- nothing"}

Duplicates are texts that are equal but for case, punctuation and spaces; the earliest is kept. Who opted out is in no
example, neither as an author nor by name. Other personal data, such as names and addresses in texts, were not removed.

## Collection and limits

Conversations and who answers whom are mostly predicted by a model, and contain mistakes. Whether a question was
answered or an answer confirmed is decided by rules. Advice in chats may be wrong or outdated.

## Licence

To be filled in: the licence of the chats, and the permission to use them for this purpose.

Made by hubbub {__version__}.
"""


def _span(report: ExportReport) -> str:
    return f"{report.first} to {report.last}" if report.first else "undated"


def _days(report: ExportReport, split: str) -> str:
    dev, test = report.dev_from, report.test_from
    days = {
        "train": f"before {dev or test}" if dev or test else "all",
        "dev": "none" if not dev or dev == test else f"from {dev}, before {test}" if test else f"from {dev}",
        "test": f"from {test}" if test else "none",
    }
    return days[split]


def _filters(rules: ExportRules) -> str:
    chosen = rules.filters
    named = {
        "channel": chosen.channel, "asker": chosen.person, "from": chosen.since, "until": chosen.until,
        "answers": "confirmed by the asker" if rules.only_confirmed else "",
    }  # fmt: skip
    return "\n".join(f"- {name}: {value}" for name, value in named.items() if value) or "- none"
