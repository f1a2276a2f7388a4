"""The intent classifiers beside what people reach for instead, on the same data in the same run.

    python benchmarks/intent.py [NAME ...]

NAME is a model, or one of the peers tfidf+svm and encoder+logistic, for which scikit-learn is needed; all of them if
none is named. Data: clinc:full where HUBBUB_DATA or the cache has it, else the sample of the package, every third
example of which is held back. One thread, unless OMP_NUM_THREADS asks for more.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

PEERS = ("tfidf+svm", "encoder+logistic")
NAMES = ("intent/fast", "intent/accurate", *PEERS)
OUTSIDE = "(out of scope)"
ALONE = 200
A_SECOND, MILLISECONDS, SECONDS, MEGABYTES = 5000, 1.0, 0.3, 25.0


class Contender(Protocol):
    """Gives each text its best intent and evidence that it is in scope."""

    def fit(self, given: Any) -> None: ...
    def answer(self, texts: Sequence[str]) -> list[tuple[str, float]]: ...
    def save(self, folder: Path) -> None: ...
    def load(self, folder: Path) -> None: ...


class Ours:
    def __init__(self, name: str) -> None:
        self.name = name

    def fit(self, given: Any) -> None:
        from hubbub.ml.registry import make
        from hubbub.ml.task import fit

        self.model = fit(make(self.name), given)

    def answer(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        return [(said.ranking[0][0], said.score) for said in self.model.predict(texts)]

    def save(self, folder: Path) -> None:
        from hubbub.ml.registry import save

        save(self.model, folder)

    def load(self, folder: Path) -> None:
        from hubbub.ml.registry import load

        self.model = load(folder)


class Peer:
    """Vectors and a linear classifier of scikit-learn, out of scope being one more class."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.words: Any = None
        self.linear: Any = None

    def fit(self, given: Any) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        if self.name == "tfidf+svm":
            self.words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit(given.inputs)
        made = LinearSVC() if self.words else LogisticRegression(C=100, max_iter=300)
        self.linear = made.fit(self._seen(given.inputs), [gold.name or OUTSIDE for gold in given.golds])

    def _seen(self, texts: Sequence[str]) -> Any:
        if self.words:
            return self.words.transform(texts)
        from hubbub.ml.encoder import encoder

        return encoder().encode(texts)

    def answer(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        scores, known = self.linear.decision_function(self._seen(texts)), list(self.linear.classes_)
        outside = scores[:, known.index(OUTSIDE)].copy()
        scores[:, known.index(OUTSIDE)] = -1e9
        return [(known[row.argmax()], float(row.max() - other)) for row, other in zip(scores, outside, strict=True)]

    def save(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "peer.pickle").write_bytes(pickle.dumps((self.words, self.linear)))

    def load(self, folder: Path) -> None:
        self.words, self.linear = pickle.loads((folder / "peer.pickle").read_bytes())


def contender(name: str) -> Contender:
    return Peer(name) if name in PEERS else Ours(name)


class Line(NamedTuple):
    name: str
    accuracy: float
    auroc: float
    training: float
    a_second: float
    alone: float
    megabytes: float
    loading: float


def data() -> tuple[str, Any, Any]:
    """Its name, what is learnt from and what is asked."""
    from hubbub.errors import DatasetMissing
    from hubbub.ml.datasets import find
    from hubbub.ml.task import Examples, examples, task

    room = task("intent")
    try:
        given = examples(room, find("clinc:full"), "evaluate")
        return "clinc:full", given.training, given
    except DatasetMissing:
        whole = room.sample()
        parts = ([place for place in range(len(whole.inputs)) if (place % 3 == 2) is held] for held in (False, True))
        learnt, asked = (Examples([whole.inputs[p] for p in part], [whole.golds[p] for p in part]) for part in parts)
        return "the built-in sample", learnt, asked


def measured(name: str, learnt: Any, asked: Any, folder: Path) -> Line:
    made = contender(name)
    _, training = timed(lambda: made.fit(learnt))
    made.answer(asked.inputs[:ALONE])
    said, together = timed(lambda: made.answer(asked.inputs))
    few = asked.inputs[:ALONE]
    _, apart = timed(lambda: [made.answer([text]) for text in few])
    made.save(folder)
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    right, area = quality(said, [gold.name for gold in asked.golds])
    return Line(name, right, area, training, len(said) / together, 1000 * apart / len(few), size, loading(name, folder))


def quality(said: Sequence[tuple[str, float]], wanted: Sequence[str | None]) -> tuple[float, float]:
    """In-scope accuracy with nothing turned away, and the area under the curve of turning away."""
    import numpy as np

    from hubbub.intent.metrics import auroc

    inside = np.array([name is not None for name in wanted])
    right = np.array([best == name for (best, _), name in zip(said, wanted, strict=True)])
    evidence = np.array([evidence for _, evidence in said])
    return 100 * float(right[inside].mean()), auroc(-evidence[~inside], -evidence[inside])


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def loading(name: str, folder: Path) -> float:
    """Seconds from nothing imported to the first answer, in a process of its own."""
    command = [sys.executable, __file__, "--first", name, str(folder)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def first_answer(name: str, folder: str) -> None:
    def work() -> None:
        made = contender(name)
        made.load(Path(folder))
        made.answer(["where is my parcel"])

    print(timed(work)[1])


def main(names: Sequence[str]) -> None:
    from hubbub.errors import NeedsExtra

    where, learnt, asked = data()
    print(f"{where}: {len(learnt.inputs):,} examples to learn from, {len(asked.inputs):,} queries")
    print(
        f"intent/fast is to reach {A_SECOND:,} queries/s, {MILLISECONDS} ms, {MEGABYTES:.0f} MB, {SECONDS} s to load\n"
    )
    print(f"{'':18}{'in scope':>9}{'AUROC':>8}{'training':>11}{'queries/s':>11}{'alone':>10}{'size':>10}{'first':>8}")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            try:
                line = measured(name, learnt, asked, Path(folder) / "model")
            except (NeedsExtra, ImportError) as missing:
                print(f"{name:18}{missing}")
                continue
        print(
            f"{line.name:18}{line.accuracy:8.1f}%{line.auroc:8.3f}{line.training:9.1f} s{line.a_second:11,.0f}"
            f"{line.alone:7.2f} ms{line.megabytes:7.1f} MB{line.loading:6.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--first"]:
        first_answer(*sys.argv[2:])
    else:
        main(sys.argv[1:] or NAMES)
