"""The table of formats: names to the modules that define them. Nothing is imported until it is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...errors import UnknownName
from ..format import Format

FORMATS: dict[str, str] = {
    "adium": "hubbub.read.formats.adium",
    "botbot": "hubbub.read.formats.irc.botbot",
    "conll": "hubbub.read.formats.conll",
    "csv": "hubbub.read.formats.tables.csv",
    "dircproxy": "hubbub.read.formats.irc.dircproxy",
    "discord": "hubbub.read.formats.discord",
    "discord-package": "hubbub.read.formats.discord_package",
    "eggdrop": "hubbub.read.formats.irc.eggdrop",
    "gitter": "hubbub.read.formats.gitter",
    "googlechat": "hubbub.read.formats.googlechat",
    "hexchat": "hubbub.read.formats.irc.hexchat",
    "hubbub": "hubbub.read.formats.hubbub",
    "irc": "hubbub.read.formats.irc.generic",
    "irclog2html": "hubbub.read.formats.irc.irclog2html",
    "irssi": "hubbub.read.formats.irc.irssi",
    "jsonl": "hubbub.read.formats.tables.jsonl",
    "limnoria": "hubbub.read.formats.irc.limnoria",
    "matrix": "hubbub.read.formats.matrix",
    "mattermost": "hubbub.read.formats.mattermost",
    "meetbot": "hubbub.read.formats.irc.meetbot",
    "messenger": "hubbub.read.formats.messenger",
    "mirc": "hubbub.read.formats.irc.mirc",
    "msteams": "hubbub.read.formats.msteams",
    "parquet": "hubbub.read.formats.tables.parquet",
    "pidgin": "hubbub.read.formats.pidgin",
    "rocketchat": "hubbub.read.formats.rocketchat",
    "signal": "hubbub.read.formats.signal",
    "slack": "hubbub.read.formats.slack",
    "srt": "hubbub.read.formats.subtitles.srt",
    "telegram": "hubbub.read.formats.telegram",
    "transcript": "hubbub.read.formats.transcript",
    "tsv": "hubbub.read.formats.tables.tsv",
    "ubuntu": "hubbub.read.formats.irc.ubuntu",
    "webvtt": "hubbub.read.formats.subtitles.webvtt",
    "weechat": "hubbub.read.formats.irc.weechat",
    "whatsapp": "hubbub.read.formats.whatsapp",
    "xchat-iso": "hubbub.read.formats.irc.xchat_iso",
    "znc": "hubbub.read.formats.irc.znc",
    "zoom": "hubbub.read.formats.zoom",
    "zulip": "hubbub.read.formats.zulip",
}


ALIASES = {
    "energymech": "znc",
    "element": "matrix",
    "gaim": "pidgin",
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
