"""Examples out of dialogues: a context, the reply that was given, and others that were given elsewhere.

Rules `v1` are those of Lowe et al. 2015, `v2` those of the second version of its corpus. Everything follows from the
seed and the dialogues. A false reply never equals the true one, nor anything in the context, and never comes from
messages that the dialogue itself has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Literal, NamedTuple

from ...errors import OptionError, TooFew
from .dialogue import Dialogue
from .negatives import SimilarTexts

Rules = Literal["v1", "v2"]
Context = tuple[tuple[str, ...], ...]
MIN_CONTEXT_TURNS, MAX_CONTEXT_TURNS = 2, 20  # section 3.4 of Lowe et al. 2015
DISTRACTORS = 9  # Lowe et al. 2015 rank one true reply among ten
_MAX_DRAWS = 400  # bounds the search for distractors in tiny corpora


class Choice(NamedTuple):
    """A context, as turns of utterances, and replies to choose from."""

    context: Context
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplyExample:
    """`helper` is whether the reply comes from somebody other than who began the dialogue."""

    context: Context
    reply: str
    false: tuple[str, ...]
    helper: bool = True
    source: str = ""

    def choice(self) -> Choice:
        return Choice(self.context, (self.reply, *self.false))


def training_examples(
    dialogues: Sequence[Dialogue], rules: str = "v1", seed: int = 0, least: int = MIN_CONTEXT_TURNS
) -> list[ReplyExample]:
    """One false reply to each true one; by v1 every turn from the third on is a reply, by v2 one of each dialogue.

    `least` is how many turns of context a reply of v1 has at least.
    """
    check_rules(rules)
    pool, random = _Pool(dialogues), Random(f"{seed} training")
    examples = []
    for dialogue in dialogues:
        every = ((dialogue, length) for length in range(least, len(dialogue.turns())))
        for _, length in every if rules == "v1" else _sampled(dialogue, rules, random):
            examples.append(pool.example(dialogue, length, 1, random))
    random.shuffle(examples)
    return examples


def evaluation_examples(
    dialogues: Sequence[Dialogue],
    rules: str = "v1",
    seed: int = 0,
    false: int = DISTRACTORS,
    similar: bool = False,
    helpers: bool = False,
) -> list[ReplyExample]:
    """One example a dialogue with that many false replies; `similar` ones are like the true one and so harder.

    With `helpers` only replies of somebody other than who began the dialogue are taken.
    """
    check_rules(rules)
    pool, random = _Pool(dialogues, similar), Random(f"{seed} testing")
    splits = [
        length for d in dialogues for length in (_of_helper(d, random) if helpers else _sampled(d, rules, random))
    ]
    return [pool.example(dialogue, length, false, random) for dialogue, length in splits]


def check_rules(rules: str) -> None:
    if rules not in ("v1", "v2"):
        raise OptionError("--rules", rules, "the rules are v1 or v2")


def _sampled(dialogue: Dialogue, rules: str, random: Random) -> Iterator[tuple[Dialogue, int]]:
    """How many turns are context, at random, and the turn after them is the reply."""
    count = len(dialogue.turns())
    if rules == "v1":
        drawn = 10 * MAX_CONTEXT_TURNS / random.uniform(MAX_CONTEXT_TURNS / 2, 10 * MAX_CONTEXT_TURNS) + 2
        length = max(MIN_CONTEXT_TURNS, int(min(count - 1, drawn - 1)))
    else:
        length = random.randint(MIN_CONTEXT_TURNS, max(MIN_CONTEXT_TURNS, min(MAX_CONTEXT_TURNS, count) - 2))
    if length < count:
        yield dialogue, length


def _of_helper(dialogue: Dialogue, random: Random) -> Iterator[tuple[Dialogue, int]]:
    turns = dialogue.turns()
    places = [place for place in range(1, len(turns)) if turns[place].sender != turns[0].sender]
    if places:
        yield dialogue, random.choice(places)


class _Pool:
    """The replies that stand in for false ones: every turn from the second on."""

    def __init__(self, dialogues: Sequence[Dialogue], similar: bool = False) -> None:
        self._owned = {d.name: {u.position for u in d.utterances} for d in dialogues}
        self._of = {d.name: d.turns() for d in dialogues}
        self._turns = [(name, turn.text) for name, turns in self._of.items() for turn in turns[1:]]
        if len({normalized(text) for _, text in self._turns}) <= DISTRACTORS:
            raise TooFew("dialogues", len(dialogues), DISTRACTORS + 1)
        self._similar = SimilarTexts([text for _, text in self._turns]) if similar else None

    def example(self, dialogue: Dialogue, length: int, count: int, random: Random) -> ReplyExample:
        turns = self._of[dialogue.name]
        context = tuple(turn.utterances for turn in turns[:length][-MAX_CONTEXT_TURNS:])
        reply = turns[length].text
        excluded = {normalized(reply), *(normalized(turn.text) for turn in turns[:length])}
        false: list[str] = []
        for text in self._others(dialogue.name, reply, random):
            if len(false) == count:
                break
            if normalized(text) not in excluded:
                excluded.add(normalized(text))
                false.append(text)
        return ReplyExample(context, reply, tuple(false), turns[length].sender != turns[0].sender, dialogue.name)

    def _others(self, name: str, reply: str, random: Random) -> Iterator[str]:
        """Turns of dialogues that share no message with this one, similar ones first if they are requested."""
        chosen = self._similar.to(reply) if self._similar else []
        for place in chain(chosen, (random.randrange(len(self._turns)) for _ in range(_MAX_DRAWS))):
            other, text = self._turns[place]
            if other != name and not self._owned[other] & self._owned[name]:
                yield text


def normalized(text: str) -> str:
    """Texts that differ in case, spaces and punctuation only are the same."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def turn_texts(context: Context) -> list[str]:
    """The turns of a context as texts."""
    return [" ".join(turn) for turn in context]
