"""What Rocket.Chat's system messages say, by their type."""

from __future__ import annotations

import re

# {a} is the author, {m} the text, {n} the person whom the text names, {r} a role.
_SENTENCES = {
    "uj": "{a} has joined the channel",
    "ul": "{a} has left the channel",
    "ut": "{a} joined the conversation",
    "ujt": "{a} joined the team",
    "ult": "{a} left the team",
    "au": "{a} added {n}",
    "ru": "{a} removed {n}",
    "wm": "Welcome {n}",
    "r": "{a} changed the room name to {m}",
    "added-user-to-team": "{a} added {n} to the team",
    "removed-user-from-team": "{a} removed {n} from the team",
    "user-converted-to-team": "{a} converted {m} to a team",
    "user-converted-to-channel": "{a} converted {m} to a channel",
    "user-added-room-to-team": "{a} added {m} to the team",
    "user-removed-room-from-team": "{a} removed {m} from the team",
    "user-deleted-room-from-team": "{a} deleted {m} from the team",
    "user-muted": "{a} muted {n}",
    "user-unmuted": "{a} unmuted {n}",
    "subscription-role-added": "{a} set {n} as {r}",
    "subscription-role-removed": "{a} removed {n} as {r}",
    "room_changed_topic": "{a} changed the topic to: {m}",
    "room_changed_description": "{a} changed the description to: {m}",
    "room_changed_announcement": "{a} changed the announcement to: {m}",
    "room_changed_privacy": "{a} changed the room type to: {m}",
    "room_changed_avatar": "{a} changed the room's avatar",
    "room-archived": "{a} archived the room",
    "room-unarchived": "{a} unarchived the room",
    "room-set-read-only": "{a} made the room read-only",
    "room-removed-read-only": "{a} made the room writable",
    "room-allowed-reacting": "{a} allowed reactions",
    "room-disallowed-reacting": "{a} disallowed reactions",
    "message_pinned": "{a} pinned a message",
    "message_pinned_e2e": "{a} pinned a message",
    "message_snippeted": "{a} created a snippet: {m}",
    "discussion-created": "{a} created a discussion: {m}",
    "livechat-started": "{a} started the conversation",
    "livechat-close": "{a} closed the conversation: {m}",
    "livechat_transfer_history": "{a} transferred the conversation",
    "livechat_navigation_history": "{a} visited {m}",
    "jitsi_call_started": "{a} started a video call",
    "videoconf": "{a} started a video call",
    "rtc": "{a} started a call",
    "room_e2e_enabled": "{a} turned encryption on",
    "room_e2e_disabled": "{a} turned encryption off",
}


def event(type: str, author: str, said: str, named: str, role: str) -> str:
    """A whole sentence; a type that is not known is told in its own words."""
    if type not in _SENTENCES:
        words = re.sub(r"[_-]+", " ", type)
        return f"{author} {words}: {said}" if said else f"{author} {words}"
    return _SENTENCES[type].format(a=author, m=said, n=named, r=role).strip().removesuffix(":")
