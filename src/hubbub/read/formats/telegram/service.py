"""Service messages as sentences."""

from __future__ import annotations

from typing import Any

from ...parsing.json_document import mapping, string
from .rendering import text_of_parts

GONE = "Deleted Account"

# {title}, {members} ... are fields of the record; {who} is who did it.
_SENTENCES = {
    "create_group": '{who} created the group "{title}" with {members}',
    "create_channel": '{who} created the channel "{title}"',
    "edit_group_title": '{who} changed the group\'s name to "{title}"',
    "edit_group_photo": "{who} changed the group's photo",
    "delete_group_photo": "{who} removed the group's photo",
    "invite_members": "{who} invited {members}",
    "remove_members": "{who} removed {members}",
    "join_group_by_link": "{who} joined the group by a link from {inviter}",
    "join_group_by_request": "{who} joined the group by request",
    "migrate_to_supergroup": "{who} turned this group into a supergroup",
    "migrate_from_group": '{who} turned the group "{title}" into this supergroup',
    "pin_message": "{who} pinned a message",
    "clear_history": "{who} cleared the history",
    "score_in_game": "{who} scored {score} in a game",
    "send_payment": "A payment of {amount} {currency} was sent",
    "phone_call": "{who} called",
    "take_screenshot": "{who} took a screenshot",
    "attach_menu_bot_allowed": "A bot was allowed in the attachment menu",
    "allow_sending_messages": "A bot was allowed to send messages",
    "send_passport_values": "Passport data was sent",
    "joined_telegram": "{who} joined Telegram",
    "proximity_reached": "{from} is now within {distance} m of {to}",
    "requested_phone_number": "{who} asked for a phone number",
    "group_call": "{who} started a group call",
    "invite_to_group_call": "{who} invited {members} to a group call",
    "group_call_scheduled": "{who} scheduled a group call",
    "conference_call": "{who} started a conference call",
    "set_messages_ttl": "{who} set messages to delete themselves",
    "edit_chat_theme": "{who} changed the theme to {emoticon}",
    "send_webview_data": "Data of a web app was sent",
    "send_premium_gift": "{who} gave a Premium subscription",
    "send_star_gift": "{who} gave a gift",
    "topic_created": '{who} created the topic "{title}"',
    "topic_edit": '{who} changed the topic to "{new_title}"',
    "suggest_profile_photo": "{who} suggested a profile photo",
    "requested_peer": "{who} shared a chat with a bot",
    "set_chat_wallpaper": "{who} changed the wallpaper",
    "set_same_chat_wallpaper": "{who} took over the wallpaper",
    "boost_apply": "{who} boosted the group {boosts} times",
    "giveaway_launch": "{who} started a giveaway",
    "giveaway_results": "The giveaway ended",
    "paid_messages_price_change": "{who} changed the price of messages",
}


def sentence(record: dict[str, Any]) -> tuple[str, str]:
    """(whom it is about, the sentence) of a service message; an action without a sentence is named."""
    actor = string(record.get("actor")) or (GONE if "actor" in record else string(record.get("from")))
    action = string(record.get("action"))
    if not action:
        return actor, string(record.get("information_text")) or text_of_parts(record.get("text")) or "Service message"
    said = _shortened(action, record, actor) or _told(action, record, actor)
    return actor, said + _details(action, record)


def _told(action: str, record: dict[str, Any], actor: str) -> str:
    if action not in _SENTENCES:
        return f"{actor or 'Somebody'} did this: {action.replace('_', ' ')}"
    return _SENTENCES[action].format_map(_Fields(record, actor))


def _shortened(action: str, record: dict[str, Any], actor: str) -> str:
    """The sentences whose second half is missing in some records, or says nothing."""
    members = _names(record.get("members"))
    if action == "create_group" and not members:
        return f'{actor} created the group "{string(record.get("title"))}"'
    if action == "remove_members" and members == actor:
        return f"{actor} left the group"
    if action == "invite_members" and members in (actor, ""):
        return f"{actor} joined the group"
    if action == "join_group_by_link" and string(record.get("inviter")) in ("", "Group"):
        return f"{actor} joined the group by a link"
    return f"{actor} changed the topic" if action == "topic_edit" and "new_title" not in record else ""


def _details(action: str, record: dict[str, Any]) -> str:
    if action not in ("phone_call", "group_call", "conference_call"):
        return ""
    seconds = string(record.get("duration_seconds")) or string(record.get("duration"))
    reason = string(record.get("discard_reason"))
    return f" ({seconds} seconds)" if seconds else f" ({reason})" if reason else ""


def _names(value: object) -> str:
    names = value if isinstance(value, list) else [value]
    return ", ".join(string(name) or GONE for name in names if name is None or string(name)) if value else ""


class _Fields(dict[str, str]):
    def __init__(self, record: dict[str, Any], actor: str) -> None:
        super().__init__(who=actor or "Somebody")
        self._record = record

    def __missing__(self, key: str) -> str:
        value = self._record.get(key)
        return _names(value) if isinstance(value, list) else string(mapping(value).get("text")) or string(value)
