"""The table of formats: names to the modules that define them. Nothing is imported until it is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ..errors import UnknownName
from .format import Format

FORMATS: dict[str, str] = {
    "botbot": "hubbub.read.irc.botbot",
    "conll": "hubbub.read.conll",
    "csv": "hubbub.read.csv",
    "dircproxy": "hubbub.read.irc.dircproxy",
    "discord": "hubbub.read.discord",
    "discord-package": "hubbub.read.discord_package",
    "eggdrop": "hubbub.read.irc.eggdrop",
    "googlechat": "hubbub.read.googlechat",
    "hexchat": "hubbub.read.irc.hexchat",
    "hubbub": "hubbub.read.hubbub",
    "irc": "hubbub.read.irc.generic",
    "irclog2html": "hubbub.read.irc.irclog2html",
    "irssi": "hubbub.read.irc.irssi",
    "jsonl": "hubbub.read.jsonl",
    "limnoria": "hubbub.read.irc.limnoria",
    "matrix": "hubbub.read.matrix",
    "mattermost": "hubbub.read.mattermost",
    "messenger": "hubbub.read.messenger",
    "mirc": "hubbub.read.irc.mirc",
    "msteams": "hubbub.read.msteams",
    "parquet": "hubbub.read.parquet",
    "rocketchat": "hubbub.read.rocketchat",
    "signal": "hubbub.read.signal",
    "slack": "hubbub.read.slack",
    "srt": "hubbub.read.srt",
    "telegram": "hubbub.read.telegram",
    "transcript": "hubbub.read.transcript",
    "tsv": "hubbub.read.tsv",
    "ubuntu": "hubbub.read.irc.ubuntu",
    "webvtt": "hubbub.read.webvtt",
    "weechat": "hubbub.read.irc.weechat",
    "whatsapp": "hubbub.read.whatsapp",
    "xchat-iso": "hubbub.read.irc.xchat_iso",
    "znc": "hubbub.read.irc.znc",
    "zoom": "hubbub.read.zoom",
    "zulip": "hubbub.read.zulip",
}


ALIASES = {
    "energymech": "znc",
    "element": "matrix",
    "facebook": "messenger",
    "google-chat": "googlechat",
    "instagram": "messenger",
    "slackdump": "slack",
    "supybot": "limnoria",
    "teams": "msteams",
    "xchat": "hexchat",
}


@cache
def format_named(name: str) -> Format:
    name = ALIASES.get(name, name)
    if name not in FORMATS:
        raise UnknownName("chat format", name, FORMATS)
    found = import_module(FORMATS[name]).FORMAT
    assert isinstance(found, Format)
    return found


def all_formats() -> list[Format]:
    return [format_named(name) for name in FORMATS]
