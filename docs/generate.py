"""Writes the pages that the program itself can tell: one a verb, and the picture of the README."""

from __future__ import annotations

import os
from pathlib import Path

DOCS = Path(__file__).parent
WIDTH = "100"


def verb_page(verb: str) -> str:
    """A verb's page is its help."""
    from hubbub.cli import verb_parser

    os.environ["COLUMNS"] = WIDTH
    return f"# hubbub {verb}\n\n```text\n{verb_parser(verb).format_help()}```\n"


def picture() -> str:
    """The beginning of the sample chat, as the terminal shows it."""
    from hubbub import Chat, load, read, samples
    from hubbub.view.svg import svg
    from hubbub.view.threads import draw_threads

    chat = read(samples.path("support.log"))
    assert isinstance(chat, Chat)
    beginning = Chat("#helpdesk", chat.messages[:44], chat.format)
    return svg(list(draw_threads(beginning, load("thread/hubbub").predict([beginning])[0], 92)), 92, "hubbub")


def pages() -> dict[Path, str]:
    """Every generated page and what it should say."""
    from hubbub.cli import VERBS

    files = {verb: f"{verb.replace(' ', '-')}.md" for verb in VERBS}
    listed = "".join(f"- [{verb}]({files[verb]}): {what}\n" for verb, what in VERBS.items())
    found = {DOCS / "verbs" / files[verb]: verb_page(verb) for verb in VERBS}
    return {**found, DOCS / "verbs" / "README.md": f"# Verbs\n\n{listed}", DOCS / "picture.svg": picture()}


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
