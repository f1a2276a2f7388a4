"""Names of authors without the invisible marks of direction that some programs put around them.

Names that differ in such marks alone are one person. Texts keep theirs.
"""

from __future__ import annotations

from ...chat import RENAME, Message

# Marks, embeddings, overrides and isolates of direction, and spaces without width. The two joiners are not among them:
# names in Persian, in Indian scripts and with emoji have them as letters.
_MARKS = dict.fromkeys((0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def without_marks(messages: list[Message]) -> list[Message]:
    """The same messages with plain names; a name of nothing but marks stays."""
    if "".join(message.author for message in messages).isprintable():
        return messages
    return [_plain(message) for message in messages]


def _plain(message: Message) -> Message:
    author = message.author.translate(_MARKS).strip()
    if author == message.author or not author:
        return message
    is_rename = message.kind == "system" and RENAME in message.text
    return message._replace(author=author, text=message.text.translate(_MARKS) if is_rename else message.text)
