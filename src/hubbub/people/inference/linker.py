"""What both linkers share: prediction by windows, link counts, confirmed links and explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from ...layers import Link, Mention
from ...ml.model_schema import Schema
from ...ml.registry import BaseModel
from ..data.mentions import mentions_of
from ..data.scene import Scene
from ..features.candidates import CandidateSet, candidate_set
from ..features.link_counts import LinkCounts, records
from ..features.pair_features import FeatureGroup
from ..features.window import PLURAL, MessageWindow, windows
from ..features.window_arrays import Array, CandidateMatrix
from .scoring import ScoredMentions, columns, flattened, schema, score_mentions, unflattened


class Linker(BaseModel):
    """Scores the mentions of each window and links them to the most probable person, or to nobody."""

    groups: ClassVar[tuple[FeatureGroup, ...]]
    renamed_state: ClassVar = {"sharpness": "inverse_temperature"}
    threshold: float
    weights_: Any
    link_counts_: Any

    def predict(self, inputs: Sequence[Scene]) -> list[Sequence[Link]]:
        return [self._links(scene) for scene in inputs]

    def _links(self, scene: Scene) -> tuple[Link, ...]:
        mentions = mentions_of(scene)
        links = [Link(mention, (), 0.0) for mention in mentions]
        for window, predicted in windows(scene, mentions):
            table = self._table(window)
            probability = self._scored(table).probability
            for place, number in zip(window.core, predicted, strict=True):
                links[number] = self._link(table, place, probability[place])
        return tuple(links)

    def _table(self, window: MessageWindow) -> CandidateMatrix:
        return CandidateMatrix(window, candidate_set(window, self.link_counts_), self.link_counts_)

    def _scored(self, table: CandidateMatrix) -> ScoredMentions:
        return score_mentions(self.weights_, table, self.groups)

    def _link(self, table: CandidateMatrix, place: int, probability: Array) -> Link:
        """The most probable person if above the threshold; the score of an unknown one is the probability of being none
        of the others.
        """
        mention = table.window.mentions[place].mention
        best = self.choice(table, probability)
        if table.kind[place] == PLURAL or not best or probability[best] < self.threshold:
            return Link(mention, (), float(min(1.0, probability[0])))
        return Link(mention, (table.candidates.ids[best],), float(min(1.0, probability[best])))

    def choice(self, table: CandidateMatrix, probability: Array) -> int:
        return int(probability.argmax())

    def confirm(self, scene: Scene, links: Sequence[Link]) -> Self:
        """Adds confirmed links to the link counts, without another training."""
        self.link_counts_.add(link_records(scene, links, self.link_counts_))
        return self

    def why(self, scene: Scene, mention: Mention) -> list[tuple[str, float, list[str]]]:
        """The most probable people of a mention with their probabilities and reasons; "" is somebody unknown."""
        from ..explain import reasons

        for window, _ in windows(scene, mentions_of(scene)):
            for place in window.core:
                if window.mentions[place].mention == mention:
                    table = self._table(window)
                    return reasons(self.weights_, table, self._scored(table), place)
        return []

    def state(self) -> Mapping[str, Any]:
        people = self.link_counts_.people()
        return {
            **flattened(self.weights_),
            "columns": columns(self.groups),
            "ids": people,
            **self.link_counts_.arrays(people),
        }

    def schema(self) -> Schema:
        return schema(self.groups)

    def restore(self, state: Mapping[str, Any]) -> Self:
        self.weights_ = unflattened(state)
        self.link_counts_ = LinkCounts.from_arrays(state["ids"], *(state[name] for name in ("keys", "people", "times")))
        return self


def gold_people(window: MessageWindow, predicted: Sequence[int], gold: Sequence[Link]) -> dict[int, str]:
    """Number of a mention in the window -> gold person, where there is exactly one."""
    return {place: gold[number].people[0] for place, number in zip(window.core, predicted, strict=True)
            if len(gold[number].people) == 1}  # fmt: skip


def link_records(scene: Scene, links: Sequence[Link], link_counts: LinkCounts) -> Iterator[tuple[int, str]]:
    """The link-count records of the links of a scene."""
    for window, predicted in windows(scene, [link.mention for link in links]):
        found = candidate_set(window, link_counts)
        yield from records(window, gold_people(window, predicted, links), turn_speakers(found))


def turn_speakers(found: CandidateSet) -> list[str]:
    """Who speaks in each turn."""
    return [found.ids[people[0]] for people in found.turns]


def gold_candidates(table: CandidateMatrix, people: Mapping[int, str]) -> Array:
    """The number of the right candidate of each mention; who is no candidate is unknown."""
    gold = np.array(
        [table.candidates.number.get(people.get(place, ""), 0) for place in range(table.shape[0])], np.int64
    )
    return np.where(table.allowed[np.arange(len(gold)), gold], gold, 0)
