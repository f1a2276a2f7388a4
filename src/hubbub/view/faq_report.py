"""Frequently asked questions as text, Markdown, an HTML page or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from ..archive.insights.faq import FaqEntry
from ..text import plural, printable, whole
from .data_table import markdown_text

SHOWN_CONVERSATIONS = 8  # ids of an entry that people see; JSON has all
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, "Segoe UI", sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem; } .meta { opacity: .75; font-size: .9rem; margin: .2rem 0; }
blockquote { margin: .6rem 0; padding: .4rem .9rem; border-left: 4px solid #4a7fb5; overflow-wrap: anywhere; }
code { font-size: .9em; }
"""


def faq_text(entries: Sequence[FaqEntry]) -> str:
    return "\n\n".join(_text_entry(number, each) for number, each in enumerate(entries, 1))


def _text_entry(number: int, entry: FaqEntry) -> str:
    lines = [f"{number}. {_line(entry.question)}", f"   {_asked(entry)}"]
    if entry.answer:
        lines.append(
            f"   {_status(entry)} {entry.answer.author}: {_line(entry.answer.text)}  [{entry.answer.conversation_id}]"
        )
    lines.append(f"   conversations: {', '.join(_ids(entry))}")
    return "\n".join(map(printable, lines))


def faq_markdown(entries: Sequence[FaqEntry], title: str) -> str:
    parts = [f"# {markdown_text(_line(title))}"]
    for entry in entries:
        parts.append(f"## {markdown_text(_line(entry.question))}")
        parts.append(_asked(entry))
        if entry.answer:
            said = f"{markdown_text(_line(entry.answer.author))}: {markdown_text(_line(entry.answer.text))}"
            parts.append(f"> {said}\n>\n> {_status(entry)} in `{entry.answer.conversation_id}`")
        if entry.examples:
            parts.append("Also asked as:\n\n" + "\n".join(f"- {markdown_text(_line(each))}" for each in entry.examples))
        parts.append(f"Conversations: {', '.join(f'`{each}`' for each in _ids(entry))}")
    return "\n\n".join(parts) + "\n"


def faq_html(entries: Sequence[FaqEntry], title: str) -> str:
    """A page that needs no other file. Every entry has an anchor: the id of its first conversation."""
    body = [f"<h1>{_html(title)}</h1>"]
    for entry in entries:
        body.append(f'<section id="{_html(entry.conversations[0])}"><h2>{_html(entry.question)}</h2>')
        body.append(f'<p class="meta">{_asked(entry)}</p>')
        if entry.answer:
            source = f'<span class="meta">{_status(entry)} in <code>{_html(entry.answer.conversation_id)}</code></span>'
            body.append(
                f"<blockquote><b>{_html(entry.answer.author)}</b>: {_html(entry.answer.text)}<br>{source}</blockquote>"
            )
        if entry.examples:
            items = "".join(f"<li>{_html(each)}</li>" for each in entry.examples)
            body.append(f"<details><summary>Also asked as</summary><ul>{items}</ul></details>")
        ids = ", ".join(f"<code>{_html(each)}</code>" for each in _ids(entry))
        body.append(f'<p class="meta">Conversations: {ids}</p></section>')
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{_html(title)}</title>'
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head><body>'
    return "\n".join([page, *body, "</body></html>", ""])


def faq_record(entry: FaqEntry) -> dict[str, Any]:
    answer = entry.answer._asdict() if entry.answer else None
    return {**asdict(entry), "answer": answer}


def _asked(entry: FaqEntry) -> str:
    when = ""
    if entry.first and entry.last:
        first, last = entry.first[:10], entry.last[:10]
        when = f", on {first}" if first == last else f", first on {first}, last on {last}"
    return f"Asked {plural(entry.asked, 'time')} by {plural(entry.askers, 'person', 'people')}{when}."


def _status(entry: FaqEntry) -> str:
    return "Confirmed answer" if entry.answer and entry.answer.is_confirmed else "Unconfirmed answer"


def _ids(entry: FaqEntry) -> list[str]:
    more = len(entry.conversations) - SHOWN_CONVERSATIONS
    return [*entry.conversations[:SHOWN_CONVERSATIONS], *([f"and {more} more"] if more > 0 else [])]


def _line(text: str) -> str:
    return printable(" ".join(whole(text).split()))


def _html(text: str) -> str:
    return escape(_line(text))
