"""Which messages ask something, and which of those got a reply, decided by rules in one place.

A question mark decides in every language that has one. Without it, the words with which requests begin do, in the
languages listed here. The score is ordered like a probability but is not calibrated.
"""

from __future__ import annotations

import re

QUESTION = 0.5  # from this score on a message counts as a question

# Question marks of Latin, Greek (its own code point), Arabic, Chinese, Armenian and Ethiopic script.
_MARK = re.compile(r"[?\u037e\u061f\uff1f\u055e\u1367](?=[\s?!.)\]'\"»”’:;*_~…\u037e\u061f\uff1f]|$)|[\u061f\uff1f¿]")
_URL = re.compile(r"\w+://\S+|\bwww\.\S+")
_CODE = re.compile(r"`[^`]*`|\$\?")
_ADDRESS = re.compile(r"^\s*@?[\w\[\]\\`^{}|-]{1,40}[:,]\s+")  # a name in front, as in "ada: how do I ...?"
_GREETING = re.compile(
    r"(?i)^\W*(?:(?:hi|hey|hello|hallo|hola|so|ok|and|but|also|then|please|well|um+|guys|all)\b\W*)+"
)

# Words that begin a question.
_INTERROGATIVE = re.compile(
    r"(?i)(?:how|what|what'?s|why|where|where'?s|when|which|who|who'?s|whom|whose|wie|was|warum|wieso|weshalb|wo|wann|welche[rsn]?"
    r"|comment|pourquoi|où|quand|quel(?:le)?s?|qui|que|combien|cómo|como|qué|por qué|dónde|donde|cuándo|cuál|quién"
    r"|perché|dove|quando|quale|chi|как|что|почему|зачем|где|когда|кто|какой|hoe|wat|waarom|waar|hur|varför|vad)\b"
)
# A verb before the person: "is there", "can anybody", "do you", "kann jemand", "est-ce que".
_INVERTED = re.compile(
    r"(?i)(?:is|are|was|were|do|does|did|can|could|would|will|should|shall|has|have|had|may|isn'?t|aren'?t|don'?t|doesn'?t"
    r"|can'?t|won'?t|wouldn'?t|shouldn'?t)\s+(?:i|you|we|he|she|it|they|u|there|this|that|these|those|the|my|your|an?"
    r"|any\s?(?:one|body|thing|way)?|some\s?(?:one|body|thing)?)\b"
    r"|(?:kann|könnte|weiß|weiss|hat|gibt|ist|sind|muss|soll)\s+(?:jemand|ich|man|wer|es|einer|das|die|der)\b"
    r"|est-ce qu|y a-t-il|quelqu'un|alguien\b|qualcuno\b|кто-нибудь|any\s?(?:one|body)\b|some(?:one|body) know"
)
# Requests anywhere in a message.
_REQUEST = re.compile(
    r"(?i)\b(?:any (?:idea|ideas|suggestions?|clue|help|hints?)|how (?:do|can|to|would|should)\b"
    r"|(?:is|are) there (?:a|any)\b|can (?:any\s?one|any\s?body|some\s?one|some\s?body|you)\b"
    r"|(?:any\s?one|any\s?body|does any\s?one) (?:know|here|have|had|use)"
    r"|(?:i )?need (?:some )?help|help me|(?:i(?:'?m| am)? )?(?:wondering|looking for a way|trying to figure)"
    r"|what (?:is|are|does|do)|why (?:is|are|does|do|can'?t|won'?t))"
)
_ECHO = re.compile(r"(?i)^\W*(?:what|huh|eh|really|sorry|pardon|no|yes|ok(?:ay)?|right|wtf|who|why|was|quoi|qué)?\W*$")

_WITH_MARK, _ECHOED = 0.9, 0.35  # "huh?" asks back and is seldom what people look for
_REQUESTED, _BEGINS, _INVERTS = 0.6, 0.35, 0.45  # without a mark; the first words alone often begin a statement


def is_question(text: str) -> float:
    """How surely a message asks something, from 0 to 1; `QUESTION` is the threshold that hubbub uses."""
    if "://" in text or "www." in text:
        text = _URL.sub(" ", text)
    if "`" in text or "$?" in text:
        text = _CODE.sub(" ", text)
    bare = _GREETING.sub("", _ADDRESS.sub("", text))
    if _MARK.search(bare):
        return _ECHOED if _ECHO.match(bare) else _WITH_MARK
    missing = 1.0
    for pattern, weight in ((_INTERROGATIVE, _BEGINS), (_INVERTED, _INVERTS)):
        if pattern.match(bare):
            missing *= 1 - weight
    if _REQUEST.search(bare):
        missing *= 1 - _REQUESTED
    return round(1 - missing, 4)


def answered_condition(message: str = "m") -> str:
    """SQL: a message of this alias was followed, in its conversation, by something that another person said.

    A person who was renamed meanwhile is no other person.
    """
    # a scalar subquery, because PostgreSQL turns `exists` into a join with all messages
    return (
        f"(select 1 from messages reply where reply.conversation_id = {message}.conversation_id"
        f" and reply.ordinal > {message}.ordinal and reply.kind <> 'system' and reply.author <> {message}.author"
        " and not exists (select 1 from identities mine join identities theirs on theirs.person_id = mine.person_id"
        " and theirs.network_id = mine.network_id join channels home on home.network_id = mine.network_id"
        f" where home.id = {message}.channel_id and mine.kind = 'nick' and mine.name = {message}.author"
        " and theirs.name = reply.author) limit 1) is not null"
    )
