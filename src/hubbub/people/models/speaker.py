"""What needs no learning: who says "I" means himself, and a name means who has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from ...layers import Link
from ...ml.registry import BaseModel
from ..data.mentions import kind_of, mentions_of
from ..data.scene import Scene, speakers
from ..features.names import person_of
from ..features.person_words import PERSONAL


@dataclass(repr=False)
class Speaker(BaseModel):
    """The first person is the speaker, an exact name is that person, everybody else is unknown."""

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        return self

    def predict(self, inputs: Sequence[Scene]) -> list[Sequence[Link]]:
        return [_links(scene) for scene in inputs]


def _links(scene: Scene) -> tuple[Link, ...]:
    named = people_by_name(scene)
    links = []
    for mention in mentions_of(scene):
        words = scene.text(mention)
        kind = kind_of(words)
        speaker_names = speakers(scene.chat[mention.position].author) if kind == "first" else []
        is_name = kind == "name" or (kind == "noun" and words.lower() not in PERSONAL)
        names = speaker_names if kind == "first" else [words] if is_name else []
        people = tuple(dict.fromkeys(named[name.casefold()] for name in names if name.casefold() in named))
        links.append(Link(mention, people, 1.0 if people else 0.0))
    return tuple(links)


def people_by_name(scene: Scene) -> Mapping[str, str]:
    """Name in small letters -> id; of several who share a name, the one who speaks in the scene has it."""
    speaking_names = {name.casefold() for author in scene.chat.authors() for name in speakers(author)}
    everybody = person_of(scene.cast)
    present = {everybody[name] for name in speaking_names if name in everybody}
    return {**everybody, **person_of([person for person in scene.cast if person.id in present])}
