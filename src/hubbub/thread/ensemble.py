"""Several models as one, whatever models they are.

Members are named by model or by the folder of a trained one. A name is trained when the ensemble is, once for each of
`seeds` seeds; a folder stays as it is. Saved, an ensemble holds all its members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..chat import Chat
from ..errors import ModelError, OptionError, UnknownName
from ..layers import ReplyGraph
from ..model import AnyModel, load, make, must_be_for, name_of, names, restored
from ..parameters import parameters_of, ranged
from ..schema import Items, Mismatch, Opaque, Record, Schema, Text

Parents = tuple[tuple[int, ...], ...]


@dataclass
class Ensemble:
    """What all three share: members that are trained, saved and asked together."""

    models: tuple[str, ...] = ("thread/previous", "thread/lowe")
    seeds: int = ranged(1, 1, 100)
    members_: list[AnyModel] | None = None

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        if not self.models:
            raise OptionError("parameter", "models", "an ensemble has at least one model")
        self.members_ = list(self._trained(inputs, golds, seed))
        return self

    def _trained(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], seed: int) -> Iterator[AnyModel]:
        for model in self.models:
            if model in names():
                must_be_for("thread", model, model)
                yield from (make(model).fit(inputs, golds, seed=seed + each) for each in range(self.seeds))
            else:
                yield load(model, task="thread")

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [ReplyGraph(self.combined(self._said(chat))) for chat in inputs] if self.members_ else []

    def _said(self, chat: Chat) -> list[Parents]:
        """What each member says; chat by chat, so that members of a kind share what they find out about it."""
        return [member.predict([chat])[0].parents for member in self.members_ or ()]

    def combined(self, several: Sequence[Parents]) -> Parents:
        """What the members said of one chat, as one."""
        raise NotImplementedError

    def state(self) -> Mapping[str, Any]:
        members = self.members_ or []
        kinds = [{"name": name_of(each), "parameters": parameters_of(each)} for each in members]
        learnt = {f"{n}.{key}": value for n, each in enumerate(members) for key, value in each.state().items()}
        return {"members": kinds, **learnt}

    def schema(self) -> Schema:
        """Of the members alone; what each has learnt is checked by its own schema."""
        member = Record({"name": Text(), "parameters": Opaque(dict, "an object")})
        return Schema({"members": Items(member, "members")}, open=True)

    def restore(self, state: Mapping[str, Any]) -> Self:
        members, known = list[AnyModel](), {"members"}
        for number, kind in enumerate(state["members"]):
            start = f"{number}."
            learnt = {key.removeprefix(start): value for key, value in state.items() if key.startswith(start)}
            known |= {start + key for key in learnt}
            members.append(_member(number, kind, learnt))
        for unknown in state.keys() - known:
            raise Mismatch(f'"{unknown}" is unknown')
        self.members_ = members
        return self


def _member(number: int, kind: Mapping[str, Any], learnt: Mapping[str, Any]) -> AnyModel:
    """A member as it was saved."""
    name = kind["name"]
    try:
        must_be_for("thread", name, name)
        made = make(name, **kind["parameters"])
    except (ModelError, OptionError, UnknownName) as error:
        raise Mismatch(f'"members[{number}]" cannot be made: {error}') from error
    return restored(made, learnt)


@dataclass
class Union(Ensemble):
    """Every link that any model predicts; a message starts a conversation only if all say so."""

    def combined(self, several: Sequence[Parents]) -> Parents:
        return tuple(_united(position, each) for position, each in enumerate(zip(*several, strict=True)))


@dataclass
class Vote(Ensemble):
    """The parent that most models predict; of equal ones the nearer."""

    def combined(self, several: Sequence[Parents]) -> Parents:
        return tuple(_elected(each) for each in zip(*several, strict=True))


@dataclass
class Intersect(Ensemble):
    """The conversations on which at least `least` models agree, by default all; other messages stand alone."""

    least: int | None = ranged(None, 1, 10_000)

    def combined(self, several: Sequence[Parents]) -> Parents:
        found = [ReplyGraph(parents).conversations() for parents in several]
        enough = len(several) if self.least is None else self.least
        count = Counter(each for conversations in found for each in conversations)
        parents: list[tuple[int, ...]] = [(position,) for position in range(len(several[0]))]
        for said, conversations in zip(several, found, strict=True):
            for conversation in conversations:
                if count[conversation] >= enough:
                    for position in conversation:
                        parents[position] = said[position]
        return tuple(parents)


def _united(position: int, several: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    found = {parent for each in several for parent in each} - {position}
    return tuple(sorted(found)) or (position,)


def _elected(several: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    votes = Counter(parent for each in several for parent in each)
    return (max(votes, key=lambda parent: (votes[parent], parent)),)
