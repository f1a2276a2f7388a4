"""How well people are told in scenes that were not learnt from, and how fast.

    python benchmarks/people.py speed [MODEL ...]
    python benchmarks/people.py scenes|episodes [MODEL ...] [--folds 5] [--seeds 0 1 2] [--set NAME=VALUE ...]
    python benchmarks/people.py people [--folds 3] [--seeds 0]

`scenes` and `episodes` train on all folds but one and score on that one. `people` leaves people out: every person is in
one fold of people, every scene in one of two halves, and a mention is judged by a model that was trained on other
scenes, in which whoever belongs to the fold of the person who is meant was no candidate, and no mention of them was
learnt from. Data: friends:train where HUBBUB_DATA or the cache has it; speed falls back on the sample of the package.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hubbub.errors import HubbubError
from hubbub.layers import Link
from hubbub.ml.datasets import find
from hubbub.ml.registry import bundled, load, make
from hubbub.ml.task import Examples, examples, task
from hubbub.people.data.scene import Key, Scene
from hubbub.people.metrics import score

MODELS = ("people/hubbub", "people/cast")
A_SECOND, MEGABYTES = 2000, 10.0
HALVES = 2
SHOWN = ("main_accuracy", "main_f1", "all_accuracy", "all_f1", "first_accuracy", "second_accuracy", "he_accuracy",
         "she_accuracy", "name_accuracy", "noun_accuracy")  # fmt: skip

Data = Examples[Scene, Sequence[Link]]


def data() -> Data:
    try:
        return examples(task("people"), find("friends:train"), "train")
    except HubbubError as error:
        sys.exit(f"{error}")


def folds_of(names: Sequence[str], count: int, seed: int) -> np.ndarray[Any, Any]:
    """A fold for each name; equal names share one."""
    different = sorted(set(names))
    drawn = np.random.default_rng(seed).permutation(len(different)) % count
    return np.array([dict(zip(different, drawn, strict=True))[name] for name in names])


def held_out(
    given: Data, fold: np.ndarray[Any, Any], name: str, seed: int, settings: Mapping[str, Any]
) -> Iterator[dict[str, float]]:
    """The scores of each fold by a model that was trained on the others."""
    golds: Any = given.golds
    for number in sorted(set(fold.tolist())):
        learnt, scored = np.flatnonzero(fold != number).tolist(), np.flatnonzero(fold == number).tolist()
        model = make(name, **settings)
        model.fit([given.inputs[n] for n in learnt], [golds[n] for n in learnt], seed=seed)
        known = frozenset(person for n in learnt for link in golds[n] for person in link.people)
        keys = [Key(golds[n].links, golds[n].kinds, golds[n].main, known) for n in scored]
        yield score(keys, model.predict([given.inputs[n] for n in scored]))


def without_people(given: Data, count: int, seed: int, settings: Mapping[str, Any]) -> dict[str, float]:
    """The scores of people/hubbub when neither the scene nor the person was ever seen."""
    from hubbub.people.features.link_counts import LinkCounts
    from hubbub.people.models.hubbub import HubbubLinker
    from hubbub.people.training.augmentation import augmented_examples
    from hubbub.people.training.trainer import BoostingSettings, WindowExample, train_linker

    golds: Any = given.golds
    people = sorted({person for gold in golds for link in gold for person in link.people})
    main = sorted(golds[0].main)
    person_fold = {person: n % count for n, person in enumerate([*main, *(p for p in people if p not in main)])}
    scene_fold = folds_of([scene.chat.name for scene in given.inputs], HALVES, seed)
    answers: list[dict[Any, Link]] = [{} for _ in golds]
    for out in range(count):
        for part in range(HALVES):
            learnt, scored = np.flatnonzero(scene_fold != part).tolist(), np.flatnonzero(scene_fold == part).tolist()
            model: Any = make("people/hubbub", **settings)
            assert isinstance(model, HubbubLinker)
            scenes, known = [given.inputs[n] for n in learnt], [golds[n] for n in learnt]
            augmented = list(augmented_examples(scenes, known, seed, model.augment))
            hidden = [_hidden(WindowExample(*each), person_fold, out) for each in augmented]
            model.weights_ = train_linker(hidden, BoostingSettings.of(model), seed)
            model.link_counts_ = LinkCounts()
            for n, links in zip(scored, model.predict([given.inputs[n] for n in scored]), strict=True):
                for gold, link in zip(golds[n], links, strict=True):
                    if not gold.people or person_fold[gold.people[0]] == out:
                        answers[n][gold.mention] = link
            print(f"people {out + 1}, half {part + 1}", file=sys.stderr, flush=True)
    return score(golds, [[answers[n][link.mention] for link in gold] for n, gold in enumerate(golds)])


def _hidden(example: Any, person_fold: Mapping[str, int], out: int) -> Any:
    """The lesson without the people of a fold: they are no candidates, and what means them is not learnt from."""
    hidden = np.array([person_fold.get(person, -1) == out for person in example.table.candidates.ids])
    right = np.where(hidden[example.right], -1, example.right)
    example.table.allowed[:, hidden] = False
    return example._replace(right=right)


def show(title: str, found: Sequence[Mapping[str, float]]) -> None:
    means = {name: np.mean([each[name] for each in found if name in each]) for name in SHOWN}
    print(f"{title:34}", "  ".join(f"{name.removesuffix('_accuracy')} {mean:.1f}" for name, mean in means.items()))


def speed(names: Sequence[str]) -> int:
    """Mentions a second from raw text on, finding them included; 1 if a limit is missed."""
    try:
        scenes = [scene.unmarked() for scene in examples(task("people"), find("friends:train"), "train").inputs]
    except HubbubError:
        scenes = [scene.unmarked() for scene in task("people").sample().inputs] * 50
    slow = False
    size = sum(file.stat().st_size for name in MODELS for file in Path(str(bundled()[name])).iterdir()) / 1e6
    print(f"both bundled models: {size:.1f} MB, limit {MEGABYTES:.0f}")
    for name in names:
        model = load(name)
        model.predict(scenes[:3])
        start = time.process_time()
        count = sum(map(len, model.predict(scenes)))
        rate = count / (time.process_time() - start)
        slow |= rate < A_SECOND
        print(f"{name:16} {rate:8,.0f} mentions a second of processor time, limit {A_SECOND:,}")
    return int(slow or size > MEGABYTES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "scenes", "episodes", "people"))
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--set", action="append", default=[])
    chosen = parser.parse_args()
    if chosen.what == "speed":
        return speed(chosen.models)
    given, settings = data(), dict(each.split("=", 1) for each in chosen.set)
    if chosen.what == "people":
        found = [without_people(given, chosen.folds or 3, seed, settings) for seed in chosen.seeds]
        show("people/hubbub, people left out", found)
        return 0
    names = [scene.episode if chosen.what == "episodes" else scene.chat.name for scene in given.inputs]
    for name in chosen.models:
        seeds = [list(held_out(given, folds_of(names, chosen.folds or 5, seed), name, seed, settings))
                 for seed in chosen.seeds]  # fmt: skip
        show(f"{name}, folds of {chosen.what}", [each for found in seeds for each in found])
    return 0


if __name__ == "__main__":
    sys.exit(main())
