"""The predictor that users call: a model, the cast, a threshold, and confirmed links."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self

from ..chat import Chat
from ..errors import OptionError
from ..layers import Layers, Link, Mention, Person
from ..ml.registry import AnyModel, model_for
from ..ml.task import task
from .data.cast_file import read_cast
from .data.mentions import mentions_of
from .data.scene import Scene, cast_of, unrelated

NO_LAYERS = Layers()

log = logging.getLogger(__name__)


class RankedPerson(NamedTuple):
    """A candidate of a mention, its probability, and the reasons for it."""

    person: str
    probability: float
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class PeoplePredictor:
    """`threshold` is how probable an answer must be where that is not left to the model."""

    model: AnyModel
    cast: tuple[Person, ...] = ()
    threshold: float | None = None

    @classmethod
    def of(
        cls,
        model: str | Path | AnyModel | None = None,
        cast: str | Path | Sequence[Person] = (),
        *,
        threshold: float | None = None,
    ) -> Self:
        if threshold is not None and not 0 <= threshold <= 1:
            raise OptionError("threshold", threshold, "it is a probability from 0 to 1")
        known = read_cast(Path(cast)) if isinstance(cast, str | Path) else tuple(cast)
        ready = linker(model)
        if threshold is not None and hasattr(ready, "threshold"):
            ready = copy(ready)  # the caller's model stays as it is
            setattr(ready, "threshold", threshold)  # noqa: B010
        return cls(ready, known, threshold)

    def scene(self, chat: Chat, layers: Layers = NO_LAYERS, confirmed: Sequence[Link] = ()) -> Scene:
        """A chat and everybody who may be meant; with its mentions, found now or confirmed."""
        chat = chat.seen()
        found = Scene(chat, cast_of(chat, self.cast or layers.people), episode=chat.name, replies=layers.replies)
        for relation in unrelated(found.cast):
            log.warning("the cast says %r, and nobody of that name is in the cast or in %s", relation, chat.name)
        mentions = {*mentions_of(found), *(link.mention for link in confirmed)}
        return replace(found, mentions=tuple(sorted(mentions, key=lambda each: (each.position, each.start, -each.end))))

    def links(self, scene: Scene, confirmed: Sequence[Link] = ()) -> tuple[Link, ...]:
        """One link a mention; what is confirmed stays, and a model that can learn from it does so first."""
        known = {link.mention: link for link in confirmed}
        if confirmed and hasattr(self.model, "confirm"):
            self.model.confirm(scene, tuple(confirmed))
        predicted: Sequence[Link] = self.model.predict([scene])[0]
        return tuple(known.get(link.mention) or self._sure(link) for link in predicted)

    def _sure(self, link: Link) -> Link:
        unsure = self.threshold is not None and link.score < self.threshold
        return replace(link, people=()) if unsure else link

    def over(self, chat: Chat, layers: Layers = NO_LAYERS, confirmed: Sequence[Link] = ()) -> Layers:
        """The layers of a chat with everybody who may be meant and who is meant where."""
        scene = self.scene(chat, layers, confirmed)
        return replace(layers, people=scene.cast, links=self.links(scene, confirmed))

    def why(self, scene: Scene, mention: Mention) -> list[RankedPerson]:
        """Who may be meant by a mention, the likeliest first."""
        if not hasattr(self.model, "why"):
            raise OptionError("--why", mention.position, "this model has no explanations; hubbub models lists others")
        return [RankedPerson(*each) for each in self.model.why(scene, mention)]


def linker(model: str | Path | AnyModel | None = None) -> AnyModel:
    """The model of people of that name, in that folder or as it is, the default one if none is given."""
    return model_for("people", task("people").default if model is None else model)
