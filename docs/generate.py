"""Writes the generated pages: one for every command, and the pictures."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parent
WIDTH = 100


def verb_page(verb: str) -> str:
    """The page of a command is its help."""
    import click

    from hubbub.cli.application import application

    group = application()
    command = group.get_command(click.Context(group), verb)
    assert command is not None
    top = click.Context(group, info_name="hubbub")
    help_text = click.unstyle(
        command.get_help(command.make_context(verb, [], top, resilient_parsing=True, terminal_width=WIDTH))
    )
    return f"# hubbub {verb}\n\n```text\n{help_text}\n```\n"


def picture() -> str:
    """The beginning of the sample chat, as the terminal shows it."""
    from hubbub import Chat, analyse, read
    from hubbub.data import samples
    from hubbub.view.draw_layers import draw_layered
    from hubbub.view.svg import svg

    chat = read(samples.path("support.log"))
    analysis = analyse(Chat("#helpdesk", chat.messages[:44], chat.format), people=True)
    return svg(list(draw_layered(analysis.chat, analysis.layers, 92)), 92, "hubbub")


def people_pictures() -> dict[Path, str]:
    """Who is meant in a small chat, and who talks to and about whom in another."""
    from hubbub.jsonl import load
    from hubbub.people.reports.interactions import interactions
    from hubbub.view.draw_layers import draw_layered
    from hubbub.view.people_picture import talk_picture
    from hubbub.view.svg import svg

    passages = DOCS.parent / "tests" / "samples" / "people"
    texts = ((passages / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("choir", "bikes"))
    choir, bikes = (next(load(text.splitlines())) for text in texts)
    drawn = svg(list(draw_layered(*choir, 80)), 80, "hubbub")
    return {DOCS / "people.svg": drawn, DOCS / "people-talk.svg": talk_picture(interactions(*bikes))}


def pages() -> dict[Path, str]:
    """Every generated page and what it should say."""
    from hubbub.cli import COMMANDS

    files = {verb: f"{verb.replace(' ', '-')}.md" for verb in COMMANDS}
    listed = "".join(f"- [{verb}]({files[verb]}): {entry.help}\n" for verb, entry in COMMANDS.items())
    found = {DOCS / "verbs" / files[verb]: verb_page(verb) for verb in COMMANDS}
    pictures = {DOCS / "picture.svg": picture(), **people_pictures()}
    return {**found, **pictures, DOCS / "verbs" / "README.md": f"# Commands\n\n{listed}"}


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
