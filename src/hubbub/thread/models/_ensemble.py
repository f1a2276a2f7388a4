"""Ensembles of any models of threads.

Members are given by the name of a model or by the folder of a trained one. A named model is trained with the ensemble,
once for each of `seeds` seeds; a folder is used as it is. A saved ensemble contains all its members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ...chat import Chat
from ...errors import ModelError, OptionError, UnknownName
from ...layers import ReplyGraph
from ...ml.model_schema import Items, Mismatch, Opaque, Record, Schema, Text
from ...ml.parameters import parameters_of, ranged
from ...ml.registry import AnyModel, BaseModel, load, make, must_be_for, name_of, names, restored

Parents = tuple[tuple[int, ...], ...]


@dataclass(repr=False)
class Ensemble(BaseModel):
    """The base of all ensembles: members that are trained, saved and run together."""

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
        members = self.members_ or ()
        # Chat by chat, so that members of a kind share the features of the chat.
        predictions = ([member.predict([chat])[0].parents for member in members] for chat in inputs if members)
        return [ReplyGraph(self.combined(each)) for each in predictions]

    def combined(self, several: Sequence[Parents]) -> Parents:
        """The predictions of the members for one chat, combined."""
        raise NotImplementedError

    def state(self) -> Mapping[str, Any]:
        members = self.members_ or []
        kinds = [{"name": name_of(each), "parameters": parameters_of(each)} for each in members]
        states = {f"{n}.{key}": value for n, each in enumerate(members) for key, value in each.state().items()}
        return {"members": kinds, **states}

    def schema(self) -> Schema:
        """Of the list of members; the state of each is checked by its own schema."""
        member = Record({"name": Text(), "parameters": Opaque(dict, "an object")})
        return Schema({"members": Items(member, "members")}, open=True)

    def restore(self, state: Mapping[str, Any]) -> Self:
        members, known = list[AnyModel](), {"members"}
        for number, kind in enumerate(state["members"]):
            start = f"{number}."
            own_state = {key.removeprefix(start): value for key, value in state.items() if key.startswith(start)}
            known |= {start + key for key in own_state}
            members.append(_member(number, kind, own_state))
        for unknown in state.keys() - known:
            raise Mismatch(f'"{unknown}" is unknown')
        self.members_ = members
        return self


def _member(number: int, kind: Mapping[str, Any], state: Mapping[str, Any]) -> AnyModel:
    """A member as it was saved."""
    name = kind["name"]
    try:
        must_be_for("thread", name, name)
        model = make(name, **kind["parameters"])
    except (ModelError, OptionError, UnknownName) as error:
        raise Mismatch(f'"members[{number}]" cannot be made: {error}') from error
    return restored(model, state)
