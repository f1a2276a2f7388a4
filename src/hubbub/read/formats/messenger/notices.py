"""Notices of Messenger and Instagram: sentences about somebody that stand where messages stand.

Newer downloads mark none of them, so their words decide. They are known in English only; a notice of another language
stays a message of the person it is about.
"""

from __future__ import annotations

import re

_DONE = re.compile(
    r" (?:(?:named|created|left|joined|muted|unmuted) the (?:group|chat|call|video (?:chat|call)|audio call)\b"
    r"|(?:changed|removed|updated) the (?:group (?:photo|name|description)|chat (?:theme|colors?)|theme|emoji)\b"
    r"|changed the theme to |set the (?:emoji|quick reaction|nickname) |cleared the (?:nickname|emoji)"
    r"|set (?:his|her|their|your|its) (?:own )?nickname|cleared (?:his|her|their|your|its) (?:own )?nickname"
    r"|(?:added|removed) .{1,300}? (?:to|from) the (?:group|chat|call)\b"
    r"|(?:added|removed) .{1,100}? as (?:a )?(?:group )?admin"
    r"|made .{1,100}? an? (?:group )?admin|(?:pinned|unpinned) a message|created a (?:poll|plan|reminder)\b"
    r"|voted for |(?:changed|removed) (?:his|her|their|your|its) vote|multiple updates were made to the poll"
    r"|(?:started|ended|joined|missed) (?:a|an|the|your) (?:video |audio )?(?:call|chat|video chat)\b"
    r"|started sharing video"
    r"|(?:missed|declined) (?:your|a) (?:video |audio )?(?:call|chat)"
    r"|(?:video )?called (?:you|the group|.{1,100}\.$)"
    r"|waved (?:at|to) |(?:is|are) now connected on Messenger|turned (?:on|off) "
    r"|(?:liked|reacted .{1,20} to) (?:a|your) message|unsent a message|shared a (?:live )?location\b"
    r"|(?:is|are) (?:now )?(?:in|on) the call|upgraded this chat|(?:invited|accepted) )"
)
_ALONE = re.compile(
    r"(?:The (?:video |audio )?(?:call|chat) (?:has )?ended|Missed (?:video |audio )?(?:call|chat)"
    r"|(?:Video|Audio) (?:call|chat) ended"
    r"|(?:You are|You're|.{1,100} is) now connected on Messenger|Say hi to your new (?:Facebook )?(?:friend|connection)"
    r"|You (?:can now|missed a (?:video |audio )?call)|Messages and calls are secured|This poll is no longer available"
    r"|(?:The )?group photo was removed)\b"
)
# What Instagram puts in place of a message that is none: the name of whom it is about is not said.
_REACTION = re.compile(r"(?:Liked a message|Reacted .{1,20} to your message\s*)$")
ATTACHMENT = re.compile(r".{1,100} sent an attachment\.$")


def notice(sender: str, content: str) -> str:
    """The notice that this is, with the name of whom it is about; "" if it is a message."""
    if _REACTION.match(content):
        return f"{sender} {content[:1].lower()}{content[1:]}".strip()
    return content if _tells(sender, content) or _ALONE.match(content) else ""


def _tells(sender: str, content: str) -> bool:
    """Whether it tells of the sender, by full name, first name or "You", what is done in a chat but not said."""
    names = {sender, sender.partition(" ")[0], "You"} - {""}
    return any(content.startswith(name) and _DONE.match(content, len(name)) for name in names)
