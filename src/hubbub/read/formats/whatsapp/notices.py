"""What a WhatsApp line says once its date is gone: a message, an attachment, or a notice that nobody wrote."""

from __future__ import annotations

import re
from datetime import datetime

from ....chat import RENAME, Message
from ...parsing.rendering import bracketed, file_word

_INVISIBLE = re.compile("[\u200e\u2066-\u2069]")
_EDGES = " \t\u00a0\u202f\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_TILDE = re.compile(r"(?<!\S)~[ \u00a0\u202f]?(?=\S)")
_SAID = re.compile(r"(?s)([^:\n]{1,100}?):(?: (.*)|\n(.*)|$)")

# Sentences of WhatsApp itself, whoever's name a phone puts before them.
_NOTICE = re.compile(
    r"(?i)(?:messages (?:and calls|you send|to this)|les messages et|mensajes y llamadas|los mensajes y|as mensagens e"
    r"|nachrichten und anrufe|i messaggi e|berichten en|сообщения и звонки|mesajlar ve|消息和通话|訊息和通話)\b.*?"
    r"(?:encrypt|chiffr|cifrad|criptograf|verschlüssel|crittograf|versleuteld|шифр|şifre|加密)"
    r"|you(?:'re| are) (?:now an admin|no longer an admin)|this (?:chat|business) .*(?:business|account|secure)"
    r"|your security code with|disappearing messages|missed (?:voice|video|group) call|security code changed"
    r"|.{1,80}? (?:created (?:this )?(?:group|community)|changed (?:the|this|their|to \+)|added \S|removed \S|left$"
    r"|joined (?:using|from|via|the|this)|was (?:added|removed)|were (?:added|removed)|turned (?:on|off)"
    r"|pinned a message|is now an admin|deleted (?:the|this) group|requested to join|started a (?:call|video|voice)"
    r"|updated the message|reset this group|hat (?:die Gruppe|den Betreff|.* hinzugefügt|das Gruppen)"
    r"|(?:creó|cambió|añadió|eliminó|salió|se unió)\b|(?:criou|mudou|adicionou|removeu|saiu|entrou)\b"
    r"|a (?:créé|changé|ajouté|supprimé|quitté|rejoint)\b"
    r"|ha (?:creato|cambiato|aggiunto|rimosso|abbandonato)\b)"
)
_WHO = re.compile(
    r"(?!Your |This |The |Se |.*security code)(.{1,80}?) (?:(?:te|ti|vous|dich) )?"
    r"(?:created|changed|added|removed|left|joined|was|were|turned|pinned|is now|deleted|requested|started|updated"
    r"|reset|hat|creó|cambió|añadió|eliminó|salió|se unió|criou|mudou|adicionou|removeu|saiu|entrou"
    r"|a (?:créé|changé|ajouté|supprimé|quitté|rejoint)|ha (?:creato|cambiato|aggiunto|rimosso|abbandonato))\b"
)
_NEW_NUMBER = re.compile(
    r"(.{1,60}?) changed (?:their phone number |number )?(?:from .{1,30} )?to (\+[\d\s()-]{6,}\d)\.?$"
)

_EDITED = re.compile(
    r"<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje|Mensagem editada"
    r"|Message modifié|Ce message a été modifié|Questo messaggio è stato modificato|Dit bericht is bewerkt"
    r"|Сообщение изменено|此訊息已編輯|此消息已编辑)\.?>$"
)
_MARKED_TAIL = re.compile(r"(?<=\S)\s?\u200e<[^<>:\n]{5,60}>$")
_DELETED = re.compile(
    r"(?i)(?:this message was deleted(?: by admin .*)?|you deleted this message(?: as admin)?"
    r"|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje"
    r"|este mensaje fue eliminado|mensagem apagada|esta mensagem foi apagada|você apagou esta mensagem"
    r"|ce message a été supprimé|vous avez supprimé ce message|questo messaggio è stato eliminato"
    r"|hai eliminato questo messaggio|dit bericht is verwijderd|je hebt dit bericht verwijderd"
    r"|сообщение удалено|данное сообщение удалено|вы удалили данное сообщение|bu mesaj silindi"
    r"|ta wiadomość została usunięta|pesan ini (?:telah )?dihapus"
    r"|此訊息已刪除|此消息已删除|您已刪除此訊息|您删除了这条消息)[.。]?"
)
_FILE = r"[^\n<>:/\\]{1,200}?\.\w{2,5}"
_TAGGED_FILE = re.compile(rf"<[^<>:\n]{{2,30}}?\s?[:：] ?({_FILE})>")
_NAMED_FILE = re.compile(rf"^({_FILE}) \([^()\n]{{4,40}}\)(?=$|\n)")
_OMITTED = re.compile(r"^<([^<>\n]{3,60})>(?=$|\n)")
_LEFT_OUT = re.compile(
    r"(?i)^(?:(.+?\.\w{2,5}) • .*|((?:\w+ ){1,3}(?:omitted|weggelassen|ausgelassen|omitid[oa]|omess[oa]|ocultad[oa]"
    r"|absente?|weggelaten|utelämnad|udeladt|utelatt|pominięt[oay]|dahil edilmedi|отсутствует|пропущен[оа]?)"
    r"|\w{1,6}已(?:忽略|省略)|pominięto \w+))$"
)
_OWN_KINDS = {"webp": "sticker", "was": "sticker", "vcf": "contact"}


def marked_author(rest: str) -> tuple[str, bool]:
    """Who says a line, and whether what is said starts with the mark of a notice."""
    found = _SAID.match(rest)
    return (found[1].strip(_EDGES), (found[2] or "").startswith("\u200e")) if found else ("", False)


def said(id: str, when: datetime | None, rest: str, group: str = "") -> Message:
    """The message or notice that one stamped line and those below it make; `group` speaks notices only."""
    found = _SAID.match(rest)
    author = found[1].strip(_EDGES) if found else ""
    if not found or not author or is_notice(author) or _quoted(author):
        return _notice(id, when, rest)
    text = _MARKED_TAIL.sub("", found[2] or found[3] or "")
    plain = _plain(text)
    if _DELETED.fullmatch(plain):
        return Message(id, when, author.removeprefix("~").strip(_EDGES), "[deleted]", "system")
    if author == group and _with_attachments(plain) == plain:
        return _notice(id, when, text)
    if _speaks_of_itself(text, plain, author):
        notice = _notice(id, when, text)
        return notice if notice.author or not plain.startswith(author) else notice._replace(author=author)
    return Message(id, when, author.removeprefix("~").strip(_EDGES), _with_attachments(plain))


def _speaks_of_itself(text: str, plain: str, author: str) -> bool:
    """Newer exports put the group's or somebody's name before a notice; most of these start with an invisible mark."""
    marked, about_author = text.startswith("\u200e"), plain.startswith(f"{author} ")
    if marked and about_author:
        return True
    return (marked or about_author or "encrypt" in text) and is_notice(plain)


def _quoted(author: str) -> bool:
    return any(author.count(mark) % 2 for mark in '"') or author.count("“") != author.count("”")


def _plain(text: str) -> str:
    return _INVISIBLE.sub("", text).strip()


def is_notice(text: str) -> bool:
    return bool(_NOTICE.match(_plain(text)))


def _notice(id: str, when: datetime | None, text: str) -> Message:
    plain = _TILDE.sub("", _plain(text).strip(_EDGES))
    if changed := _NEW_NUMBER.match(plain):
        old, new = changed[1].strip(), changed[2].strip()
        return Message(id, when, old, f"{old}{RENAME}{new}", "system")
    who = _WHO.match(plain)
    return Message(id, when, who[1].strip(_EDGES) if who else "", plain, "system")


def _with_attachments(text: str) -> str:
    text = _EDITED.sub("", text).rstrip()
    text = _TAGGED_FILE.sub(lambda found: _word(found[1]), text)
    text = _NAMED_FILE.sub(lambda found: _word(found[1]), text)
    text = _OMITTED.sub(r"[\1]", text)
    return _LEFT_OUT.sub(lambda found: _word(found[1]) if found[1] else f"[{found[2]}]", text)


def _word(file: str) -> str:
    file = file.strip()
    kind = _OWN_KINDS.get(file.rpartition(".")[2].lower())
    return bracketed(kind, file) if kind else file_word(file)
