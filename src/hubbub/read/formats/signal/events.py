"""Events of Signal as sentences: calls, changes of a group, of a name or of a timer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ....chat import RENAME
from ...parsing.json_document import dicts, mapping, string
from ...parsing.rendering import sentence
from ...times.clock import from_milliseconds
from .rendering import in_words

_SIMPLE = {
    "JOINED_SIGNAL": "is on Signal",
    "IDENTITY_UPDATE": "has a new safety number",
    "IDENTITY_VERIFIED": "was marked as verified",
    "IDENTITY_DEFAULT": "was marked as not verified",
    "CHANGE_NUMBER": "changed the phone number",
    "END_SESSION": "reset the secure session",
    "CHAT_SESSION_REFRESH": "The chat session was refreshed",
    "BAD_DECRYPT": "sent a message that could not be read",
    "MESSAGE_REQUEST_ACCEPTED": "The message request was accepted",
}
# Who did what to whom, by the fields of an update: {a} who, {b} whom, {n} the new name.
_GROUP = {
    "groupCreationUpdate": "{a} created the group",
    "groupNameUpdate": "{a} named the group {n}",
    "groupMemberAddedUpdate": "{a} added {b}",
    "groupMemberJoinedUpdate": "{b} joined the group",
    "groupMemberJoinedByLinkUpdate": "{b} joined the group",
    "groupMemberLeftUpdate": "{b} left the group",
    "groupMemberRemovedUpdate": "{a} removed {b}",
    "groupInvitationAcceptedUpdate": "{b} accepted an invitation",
}
_WHO = ("updaterAci", "removerAci", "adminAci", "inviterAci")
_WHOM = ("newMemberAci", "removedAci", "aci", "memberAci", "inviteeAci")

NameOf = Callable[[str], str]


def update(fields: Mapping[str, Any], author: str, account: NameOf) -> tuple[str, str]:
    """Whom an update message is about, and the sentence that tells it."""
    kind = next((key for key, value in fields.items() if isinstance(value, dict)), "")
    inner = mapping(fields.get(kind))
    if kind == "simpleUpdate":
        type = string(inner.get("type"))
        told = _SIMPLE.get(type) or in_words(type)
        return author, told if told[:1].isupper() else sentence(author, told)
    if kind == "profileChange":
        return rename(string(inner.get("previousName")), string(inner.get("newName")), author)
    if kind == "groupChange":
        changes = [_group(each, account) for each in dicts(inner.get("updates"))]
        about = next((who for who, _ in changes if who), author)
        return about, ", ".join(told for _, told in changes) or sentence(author, "changed the group")
    if kind == "expirationTimerChange":
        return author, sentence(author, timer(inner.get("expiresInMs"), 1000))
    if kind == "individualCall":
        how = [in_words(string(inner.get(key))) for key in ("direction", "state") if inner.get(key)]
        return author, call(in_words(string(inner.get("type"))) or "call", how)
    return author, call("group call", []) if kind == "groupCall" else sentence(
        author, in_words(kind) or "changed something"
    )


def rename(old: str, new: str, author: str) -> tuple[str, str]:
    return (old, f"{old}{RENAME}{new}") if old and new else (author, sentence(author, "changed the profile"))


def call(what: str, how: list[str]) -> str:
    told = f"{what[:1].upper()}{what[1:]}".replace("Audio", "Voice")
    return f"{told} ({', '.join(how)})" if how else told


def timer(value: object, unit: int) -> str:
    """How long messages stay, by a number of so many parts of a second."""
    number = float(value) if isinstance(value, int | float) or (isinstance(value, str) and value.isdecimal()) else 0.0
    seconds = number / unit
    if not seconds or from_milliseconds(seconds * 1000) is None:
        return "turned disappearing messages off"
    for size, name in ((604800, "week"), (86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size:
            count = round(seconds / size)
            return f"set disappearing messages to {count} {name}{'s' * (count != 1)}"
    return "set disappearing messages to less than a second"


def _group(change: Mapping[str, Any], account: NameOf) -> tuple[str, str]:
    """Whom a change of a group is about, and what it is."""
    kind = next((key for key, value in change.items() if isinstance(value, dict)), "")
    fields = mapping(change.get(kind))
    who, whom = (_first(fields, keys, account) for keys in (_WHO, _WHOM))
    if kind not in _GROUP:
        return who or whom, f"{who or 'Somebody'}: {in_words(kind.removesuffix('Update')) or 'group change'}"
    name = string(fields.get("newGroupName"))
    return who or whom, _GROUP[kind].format(a=who or "Somebody", b=whom or "somebody", n=name)


def _first(fields: Mapping[str, Any], keys: tuple[str, ...], account: NameOf) -> str:
    return next((account(string(fields[key])) for key in keys if fields.get(key)), "")
