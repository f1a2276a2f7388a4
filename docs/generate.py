"""Writes the pages that the program itself can tell: one a verb, and the pictures."""

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
    from hubbub import Chat, read, samples
    from hubbub.cli.layering import with_people, with_replies
    from hubbub.layers import Layers
    from hubbub.view.drawing import draw_layered
    from hubbub.view.svg import svg

    chat = read(samples.path("support.log"))
    assert isinstance(chat, Chat)
    beginning = Chat("#helpdesk", chat.messages[:44], chat.format)
    layers = with_people(beginning, with_replies(beginning, Layers()))
    return svg(list(draw_layered(beginning, layers, 92)), 92, "hubbub")


def people_pictures() -> dict[Path, str]:
    """Who is meant in a small chat, and who talks to and about whom in another."""
    from hubbub.people.talk import talk_of
    from hubbub.pipe import load
    from hubbub.view.drawing import draw_layered
    from hubbub.view.people_picture import talk_picture
    from hubbub.view.svg import svg

    passages = DOCS.parent / "tests" / "samples" / "people"
    texts = ((passages / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("choir", "bikes"))
    choir, bikes = (next(load(text.splitlines())) for text in texts)
    drawn = svg(list(draw_layered(*choir, 80)), 80, "hubbub")
    return {DOCS / "people.svg": drawn, DOCS / "people-talk.svg": talk_picture(talk_of(*bikes))}


def pages() -> dict[Path, str]:
    """Every generated page and what it should say."""
    from hubbub.cli import VERBS

    files = {verb: f"{verb.replace(' ', '-')}.md" for verb in VERBS}
    listed = "".join(f"- [{verb}]({files[verb]}): {what}\n" for verb, what in VERBS.items())
    found = {DOCS / "verbs" / files[verb]: verb_page(verb) for verb in VERBS}
    pictures = {DOCS / "picture.svg": picture(), **people_pictures()}
    return {**found, **pictures, DOCS / "verbs" / "README.md": f"# Verbs\n\n{listed}"}


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
