"""One suite that every model runs through: what the promise means, whatever room a model lives in.

Each check takes a model's name and the task of its room, and raises AssertionError. A room adds to VALID what makes an
answer of its own kind a valid one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hubbub.answer.data.examples import Choice
from hubbub.chat import Chat, Message
from hubbub.layers import Intent, Link, Mention, Reply, ReplyGraph
from hubbub.ml.registry import AnyModel, load, make, save
from hubbub.ml.task import AnyTask
from hubbub.people.data.scene import Scene

Check = Callable[[str, AnyTask, Path], None]

HOSTILE = (
    "\x00\x01\x02\x1b[31m\x7f\x85\u2028\u2029",
    "\u202eright to left \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627\u202c",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0010ffff e\u0301\u0301\u0301",
    "%s {0} ${HOME} <b> \\x41 ' \" ; -- %%",
    "",
    " \t\n ",
    "long " * 200_000,
)


def odd_chats() -> dict[str, Chat]:
    """Chats at the edges: empty, alone, nobody speaking, hostile text."""
    hostile = [Message(str(i), None, text[:40], text) for i, text in enumerate(HOSTILE)]
    system = [Message(str(i), None, "", f"guest{i} joined", "system") for i in range(3)]
    return {
        "empty": Chat("empty"),
        "one message": Chat("one message", (Message("0", None, "ines", "hello?"),)),
        "only system lines": Chat("only system lines", tuple(system)),
        "hostile": Chat("hostile", (*hostile, *system, *hostile)),
    }


def _valid_replies(chat: Chat, graph: ReplyGraph) -> None:
    assert len(graph.parents) == len(chat), "one entry of parents for every message"
    for child, parents in enumerate(graph.parents):
        assert parents, f"message {child} is not judged"
        assert all(0 <= parent <= child for parent in parents), f"message {child} answers {parents}"


def _valid_intent(text: str, said: Intent) -> None:
    assert 0 <= said.score <= 1
    chances = [chance for _, chance in said.ranking]
    assert chances, "a ranking has at least one intent"
    assert chances == sorted(chances, reverse=True), "the best intent comes first"
    assert sum(chances) <= said.score + 1e-4, "no intent is more probable than being in scope"
    assert said.name in (None, said.ranking[0][0])


def _valid_ranking(choice: Choice, said: tuple[Reply, ...]) -> None:
    assert sorted(each.text for each in said) == sorted(choice.candidates), "every candidate once"
    scores = [each.score for each in said]
    assert scores == sorted(scores, reverse=True), "the best reply comes first"


def _valid_mentions(scene: Scene, mentions: tuple[Mention, ...]) -> None:
    order = [(mention.position, mention.start, -mention.end) for mention in mentions]
    assert order == sorted(set(order)), "mentions come in order, each once"
    for mention in mentions:
        assert 0 <= mention.start < mention.end <= len(scene.chat[mention.position].text), "a mention is part of a text"


def _valid_links(scene: Scene, links: tuple[Link, ...]) -> None:
    mentions = tuple(link.mention for link in links)
    _valid_mentions(scene, mentions)
    assert scene.mentions in (None, mentions), "one link for every mention that is given"
    ids = {person.id for person in scene.cast}
    assert all(0 <= link.score <= 1 and ids.issuperset(link.people) for link in links), "links lead into the cast"


VALID: dict[str, Callable[[Any, Any], None]] = {
    "answer": _valid_ranking,
    "intent": _valid_intent,
    "mentions": _valid_mentions,
    "people": _valid_links,
    "thread": _valid_replies,
}


def fitted(name: str, task: AnyTask, seed: int = 0) -> AnyModel:
    sample = task.sample()
    return make(name).fit(sample.inputs, sample.golds, seed=seed)


def fit_returns_the_model_itself(name: str, task: AnyTask, folder: Path) -> None:
    model, sample = make(name), task.sample()
    assert model.fit(sample.inputs, sample.golds, seed=1) is model


def one_valid_answer_per_input(name: str, task: AnyTask, folder: Path) -> None:
    model, inputs = fitted(name, task), task.sample().inputs
    _assert_valid(task, inputs, model.predict(inputs))
    assert model.predict([]) == []


def an_answer_depends_on_its_own_input_only(name: str, task: AnyTask, folder: Path) -> None:
    model, inputs = fitted(name, task), list(task.sample().inputs)
    assert [model.predict([each])[0] for each in inputs] == model.predict(inputs)


def inputs_stay_untouched(name: str, task: AnyTask, folder: Path) -> None:
    sample = task.sample()
    before = copy.deepcopy((sample.inputs, sample.golds))
    make(name).fit(sample.inputs, sample.golds).predict(sample.inputs)
    assert (sample.inputs, sample.golds) == before


def same_seed_same_decisions(name: str, task: AnyTask, folder: Path) -> None:
    inputs = task.sample().inputs
    one, other = fitted(name, task, seed=7), fitted(name, task, seed=7)
    assert one.predict(inputs) == other.predict(inputs)
    assert one.predict(inputs) == one.predict(inputs), "predicting changes the model"


def saved_and_loaded_is_equal(name: str, task: AnyTask, folder: Path) -> None:
    model, inputs = fitted(name, task), task.sample().inputs
    again = load(save(model, folder / "model"))
    assert type(again) is type(model)
    assert again.predict(inputs) == model.predict(inputs)


def odd_chats_get_valid_answers(name: str, task: AnyTask, folder: Path) -> None:
    model = fitted(name, task)
    for chat in odd_chats().values():
        inputs = task.inputs(chat)
        _assert_valid(task, inputs, model.predict(inputs))


def _assert_valid(task: AnyTask, inputs: Any, answers: Any) -> None:
    assert isinstance(answers, list)
    assert len(answers) == len(inputs), "one answer per input"
    for given, answer in zip(inputs, answers, strict=True):
        VALID[task.name](given, answer)


CHECKS: tuple[Check, ...] = (
    fit_returns_the_model_itself,
    one_valid_answer_per_input,
    an_answer_depends_on_its_own_input_only,
    inputs_stay_untouched,
    same_seed_same_decisions,
    saved_and_loaded_is_equal,
    odd_chats_get_valid_answers,
)
