"""What happens to a room and to who is in it, as sentences."""

from __future__ import annotations

from typing import Any

from ....chat import RENAME
from ...parsing.json_document import mapping, string

_SENTENCES = {
    "m.room.create": "{who} created the room",
    "m.room.encryption": "{who} turned on encryption",
    "m.room.avatar": "{who} changed the room's picture",
    "m.room.canonical_alias": "{who} changed the room's address to {alias}",
    "m.room.aliases": "{who} changed the room's addresses",
    "m.room.join_rules": "{who} changed who can join to {join_rule}",
    "m.room.history_visibility": "{who} changed who can read the history to {history_visibility}",
    "m.room.guest_access": "{who} changed whether guests can join to {guest_access}",
    "m.room.power_levels": "{who} changed the permissions",
    "m.room.pinned_events": "{who} changed the pinned messages",
    "m.room.server_acl": "{who} changed which servers can take part",
    "m.room.tombstone": "{who} replaced this room",
    "m.room.redaction": "{who} deleted a message",
    "m.room.third_party_invite": "{who} invited {display_name}",
    "m.call.invite": "{who} placed a call",
    "m.call.answer": "{who} answered the call",
    "m.call.hangup": "{who} ended the call",
    "m.call.reject": "{who} declined the call",
    "m.poll.end": "{who} closed a poll",
    "org.matrix.msc3381.poll.end": "{who} closed a poll",
}
_CHANGES = {"m.room.topic": "topic", "m.room.name": "name"}


def sentence(event: dict[str, Any], who: str) -> str:
    """Any event that is no message; a kind that is not known is named."""
    kind, content = string(event.get("type")), mapping(event.get("content"))
    who = who or "Somebody"
    if what := _CHANGES.get(kind):
        value = string(content.get(what))
        return f'{who} changed the room\'s {what} to "{value}"' if value else f"{who} removed the room's {what}"
    if template := _SENTENCES.get(kind):
        return template.format_map(_Fields(content, who)).removesuffix(" to ").strip()
    if body := string(content.get("body")):
        return f"{who}: {body}"
    return f"{who} sent {kind or 'an event without a type'}"


class _Fields(dict[str, str]):
    def __init__(self, content: dict[str, Any], who: str) -> None:
        super().__init__(who=who)
        self._content = content

    def __missing__(self, key: str) -> str:
        return string(self._content.get(key))


def membership(event: dict[str, Any], names: dict[str, str]) -> tuple[str, str]:
    """(whom it is about, the sentence) of a change of membership; what people are called is kept up in `names`."""
    content = mapping(event.get("content"))
    before = mapping(mapping(event.get("unsigned")).get("prev_content")) or mapping(event.get("prev_content"))
    sender, member = string(event.get("sender")), string(event.get("state_key"))
    member = member or sender
    new = string(content.get("displayname"))
    old = string(before.get("displayname")) or (names.get(member, member) if not before else member)
    now, was = string(content.get("membership")), string(before.get("membership"))
    if now in ("join", "invite") and new:
        names[member] = new
    if now == "join" and was == "join":
        return _profile(old, new or member)
    whom = new or names.get(member, member)
    said = _moved(now, was, names.get(sender, sender), whom, sender == member)
    reason = string(content.get("reason"))
    return whom, f"{said} ({reason})" if reason else said


def _profile(old: str, new: str) -> tuple[str, str]:
    return (old, f"{old}{RENAME}{new}") if old != new else (new, f"{new} changed their profile")


def _moved(now: str, was: str, who: str, whom: str, themselves: bool) -> str:
    if now == "join":
        return f"{whom} joined the room"
    if now == "knock":
        return f"{whom} asked to join the room"
    if now == "leave" and themselves:
        return f"{whom} declined the invitation" if was == "invite" else f"{whom} left the room"
    if now == "leave":
        deed = {"ban": "unbanned", "invite": "withdrew the invitation of"}.get(was, "removed")
        return f"{who} {deed} {whom}"
    deed = {"invite": "invited", "ban": "banned"}.get(now, "changed the membership of")
    return f"{who} {deed} {whom}"
