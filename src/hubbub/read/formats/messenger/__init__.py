"""Facebook Messenger and Instagram: the download of an account as JSON, whole or one chat of it.

Chats with end-to-end encryption are a download of their own, with a file a chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath

from ...assembly.download import DownloadLayout, FoundChat, chat_streams, readable
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source, Tree, rewindable
from ...parsing.path_names import fallback_name
from ...report import Report
from .chat import Facts, facts, messages

# Folders and files at the top of a download, in which nothing is a chat.
_TOP = (
    "your_facebook_activity|your_instagram_activity|about_you|activity_messages|ads_information|ads_and_topics"
    "|apps_and_websites\\w*|archive|comments_and_reactions|connections|content|events|followers_and_following|friends\\w*"
    "|groups|likes_and_reactions|location|logged_information|login_and_account_creation|logged_information|marketplace"
    "|media|messages|other_activity|pages|personal_information|photos_and_videos|posts|preferences|profile_information"
    "|saved_items\\w*|search|security_and_login_information|stories|files|your_\\w+"
)
_THREADS = DownloadLayout(
    re.compile(r"(?:^|/)messages?_\d+\.json$|(?:^|/)message\.json$"),
    re.compile(
        rf"(?:^|/)messages/|^(?:[^/]+/)?(?:{_TOP})/|^(?:[^/]+/)?(?:start_here|index)\.html?$"
        r"|(?:^|/)(?:photos|videos|audio|gifs|files|stickers_used)/|(?:^|/)no-data\.txt$"
    ),
)
_ENCRYPTED = DownloadLayout(re.compile(r"^(?:messages/)?[^/]*\.json$"), re.compile(r"(?:^|/)media/"))


def _sniff(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if sample.json_start != "{":
        return None
    if {"sender_name", "timestamp_ms"} <= keys.keys():
        return Clue(1.0, "messages with sender_name and timestamp_ms")
    if {"senderName", "timestamp"} <= keys.keys() and (keys["threadName"] or keys["isUnsent"]):
        return Clue(1.0, "messages with senderName, timestamp and isUnsent")
    if {"participants", "messages", "thread_path"} <= keys.keys():
        return Clue(0.95, "has participants, messages and a thread_path")
    return None


def _claim(tree: Tree) -> Clue | None:
    if _THREADS.fits(tree) and any(_sniff(Sample(source)) for _, source in _THREADS.parts(tree)[:5]):
        return Clue(1.0, "a folder with message_1.json for every chat")
    parts = _ENCRYPTED.parts(tree)
    if len(parts) < len(tree.files) and _ENCRYPTED.fits(tree) and all(_sniff(Sample(source)) for _, source in parts):
        return Clue(0.95, "chats of Messenger beside their media")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    with expecting("messenger", source, _sniff):
        found = _chat([(source, facts(source))])
    yield from chat_streams([found], Report(), found.name)


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays = Report()
    parts = _THREADS.parts(tree) or _ENCRYPTED.parts(tree)
    path_of = {source.name: member for member, source in parts}
    chats: dict[str, list[tuple[Source, Facts]]] = {}
    for source, told in readable([source for _, source in parts], strays, facts):
        chats.setdefault(_place(path_of[source.name]), []).append((source, told))
    for source in tree.files.values():
        if source.name not in path_of:
            strays.skip_file(source.name, "belongs to the download, but is no chat")
    yield from chat_streams([_chat(files) for files in chats.values()], strays, fallback_name(tree.name))


def _place(member: str) -> str:
    """What the files of one chat share: their folder, or the file itself where a chat has but one."""
    return str(PurePosixPath(member).parent) if _THREADS.messages.search(member) else member


def _chat(files: list[tuple[Source, Facts]]) -> FoundChat:
    """A chat by all of its files: the first one that names it does so for the others."""
    sources = [source for source, _ in files]
    name = next((told.title for _, told in files if told.title), "") or fallback_name(sources[0].name)
    return FoundChat(name, next((told.identity for _, told in files if told.identity), ""), partial(messages, sources))


FORMAT = Format("messenger", _sniff, _read, _claim, _read_tree)
