"""The JSON layout of the character identification corpus: episodes, scenes, utterances, words, who is meant.

    {"episodes": [{"episode_id": "s1", "scenes": [{"scene_id": "s1_c1", "utterances": [
      {"utterance_id": "s1_c1_u1", "speakers": ["Ines"], "transcript": "I saw her.",
       "tokens": [["I", "saw", "her", "."]], "character_entities": [[[0, 1, "Ines"], [2, 3, "Mika"]]]}]}]}]}

An utterance is a message. A mention is [first word, last word + 1, person, ...]; a person between # signs, as in
#GENERAL#, is nobody. There are no ids, so that names are ids.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...chat import Chat, Message
from ...errors import Broken
from ...layers import Link, Mention, Person
from ...text import Span, clean, joined
from .scene import SPEAKER_SEPARATOR, Scene

Sentences = Sequence[Sequence[str]]


def read_dialogues(
    where: str, record: Any, given: Sequence[Person] = (), text: str = ""
) -> list[tuple[Scene, tuple[Link, ...]]]:
    """The scenes of a document (a season, an episode or a scene), each with its links.

    The cast of every scene has the people given and everybody who speaks or is meant in any scene. With the `text` that
    the document was parsed from, an error names the line of the utterance.
    """
    if not isinstance(record, dict):
        raise Broken(where, "it is no JSON object with episodes, scenes or utterances")
    found = [
        _scene(where, _word(episode.get("episode_id")), scene, text)
        for episode in _list(where, "episodes", record)
        for scene in _list(where, "scenes", episode)
    ]
    utterances = (
        name for scene, _ in found for message in scene.chat for name in message.author.split(SPEAKER_SEPARATOR) if name
    )
    meant = (name for _, links in found for link in links for name in link.people)
    others = dict.fromkeys((*utterances, *meant)).keys() - {person.id for person in given}
    cast = (*given, *(Person(name, (name,)) for name in sorted(others)))
    return [(replace(scene, cast=cast), links) for scene, links in found]


def _word(value: Any) -> str:
    return clean(value) if isinstance(value, str) else ""


def _list(where: str, key: str, record: Mapping[str, Any]) -> list[Any]:
    """The records below a key; where the document begins further down, the one that there is."""
    values = record.get(key, [record])
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
        raise Broken(where, f"its {key} are no list of objects")
    return values


def _scene(where: str, episode: str, record: Mapping[str, Any], text: str) -> tuple[Scene, tuple[Link, ...]]:
    name = _word(record.get("scene_id"))
    if not isinstance(record.get("utterances"), list):
        raise Broken(where, f"the scene {name or '?'} has no list of utterances")
    messages, tokens, links = list[Message](), list[tuple[Span, ...]](), list[Link]()
    for position, utterance in enumerate(record["utterances"]):
        try:
            message, spans, found = _message(position, utterance)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            place = f"{_line(text, utterance)}utterance {position + 1} of the scene {name or '?'}"
            raise Broken(where, f"{place} is not as the layout has it: {error!r}") from error
        messages.append(message)
        tokens.append(spans)
        links += found
    mentions = tuple(link.mention for link in links)
    chat = Chat(name, tuple(messages), "character-identification")
    return Scene(chat, (), mentions, episode or name, tokens=tuple(tokens)), tuple(links)


def _line(text: str, record: Any) -> str:
    """Where an utterance stands in a text, by its id."""
    id = _word(record.get("utterance_id")) if isinstance(record, dict) else ""
    place = text.find(json.dumps(id, ensure_ascii=False)) if id else -1
    return f"line {text.count(chr(10), 0, place) + 1}, " if place >= 0 else ""


def _message(position: int, record: Mapping[str, Any]) -> tuple[Message, tuple[Span, ...], list[Link]]:
    sentences: Sentences = record["tokens"]
    text, spans = _text(record.get("transcript"), sentences)
    links, first = list[Link](), 0
    for sentence, entities in zip(sentences, record.get("character_entities") or [[]] * len(sentences), strict=True):
        for start, end, *people in sorted(entities, key=lambda each: (each[0], -each[1])):
            if not 0 <= start < end <= len(sentence):
                raise ValueError(f"a mention from word {start} to {end} in a sentence of {len(sentence)}")
            mention = Mention(position, spans[first + start][0], spans[first + end - 1][1])
            links.append(Link(mention, tuple(clean(name) for name in people if not _is_nobody(name))))
        first += len(sentence)
    author = SPEAKER_SEPARATOR.join(clean(name) for name in record["speakers"] if not _is_nobody(name))
    return Message(_word(record.get("utterance_id")) or str(position), None, author, text), tuple(spans), links


def _is_nobody(name: str) -> bool:
    return name.startswith("#") and name.endswith("#")


def _text(transcript: Any, sentences: Sentences) -> tuple[str, list[Span]]:
    """The transcript and where its words stand in it; if they are not all found, the words joined."""
    words = [word for sentence in sentences for word in sentence]
    if isinstance(transcript, str) and clean(transcript) == transcript:
        spans, place = list[Span](), 0
        for word in words:
            start = transcript.find(word, place)
            if start < 0 or transcript[place:start].strip():
                break
            place = start + len(word)
            spans.append((start, place))
        else:
            return transcript, spans
    return joined([(clean(word) or "\ufffd", "") for word in words])


def parsed(where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Broken(where, f"it is no JSON: {error}") from error
