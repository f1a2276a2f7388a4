"""Templates and what they call: dates, people, colours and messages as HTML."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from urllib.parse import quote

from fastapi import Request
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..archive.browse import StoredChannel
from .lanes import COLOURS, colour_of
from .markup import message_html, safe_text, snippet_html

FOLDER = Path(__file__).parent / "html"


@cache
def _templates() -> Jinja2Templates:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    named = (day, long_day, clock, number, initials, conversation_url)
    environment.filters |= {each.__name__: each for each in named}
    environment.filters |= {"message": message_html, "snippet": snippet_html, "plain": safe_text}
    environment.globals |= {"colour_of": colour_of, "colour_of_name": colour_of_name, "channel_url": channel_url}
    return Jinja2Templates(env=environment)


def templates(request: Request) -> Jinja2Templates:
    found = _templates()
    found.env.globals["site_title"] = request.app.state.settings.title
    return found


def colour_of_name(name: str) -> int:
    """The colour of a person, the same on every page and in every process."""
    return sum(name.lower().encode()) % COLOURS + 1


def channel_url(channel: StoredChannel, **query: object) -> str:
    slug = "".join(each if each.isalnum() else "-" for each in channel.name).strip("-") or "channel"
    words = "&".join(f"{key}={quote(str(value))}" for key, value in query.items() if value is not None)
    return f"/channel/{channel.id}/{quote(slug)}" + (f"?{words}" if words else "")


def conversation_url(id: str) -> str:
    return f"/c/{id.removeprefix('c-')}"


def initials(name: str) -> str:
    letters = "".join(each for each in safe_text(name) if each.isalnum())
    return letters[:2] or "?"


def number(value: int) -> str:
    return f"{value:,}"


def _moment(value: str | datetime | None) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def day(value: str | datetime | None) -> str:
    moment = _moment(value)
    return f"{moment.day} {moment:%B %Y}" if moment else "undated"


def long_day(value: str | datetime | None) -> str:
    moment = _moment(value)
    return f"{moment:%A} {day(moment)}" if moment else "undated"


def clock(value: str | datetime | None) -> str:
    moment = _moment(value)
    return f"{moment:%H:%M}" if moment else ""
