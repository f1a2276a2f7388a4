"""Files of examples -> texts and intents, in the parts that a file has."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...errors import NoExamples, TooFew
from ...layers import Intent
from ...ml.task import Examples, ExampleSource
from .example import IntentExample, example
from .files import read_parts
from .sample import SAMPLE

log = logging.getLogger(__name__)

CLINC_INSIDE = "in"


def load(source: ExampleSource) -> Examples[str, Intent]:
    """Training: the training part, with the validation part for tuning. Evaluating: the part that is kept for it.

    That is the test part, else the validation part; data with one part only is evaluated on, or trained on, as it is.
    """
    parts = read_parts(source.files)
    if source.use != "evaluate":
        # The training part; what the checks of examples find in it is logged.
        from ..reports.lint import findings

        if "train" not in parts and len(parts) > 1:
            raise NoExamples(source.name, f"it has the parts {' and '.join(sorted(parts))}, and none for training")
        training_part = parts["train"] if "train" in parts else next(iter(parts.values()))
        names = {each.name for each in training_part} - {None}
        if source.use == "train" and len(names) < 2 and names != {CLINC_INSIDE}:
            raise TooFew("intents", len(names), 2, source.name)
        for finding in findings(parts):
            log.warning("%s: %s", source.name, finding.sentence())
        return _examples(training_part, source.files, parts.get("val", ()) if "train" in parts else ())
    if "train" in parts and len(parts) > 1:
        evaluated = "test" if "test" in parts else "val"
        tuning = parts.get("val", ()) if evaluated == "test" else ()
        training = _examples(parts["train"], source.files, tuning)
        return _examples(parts[evaluated], source.files, training=training)
    return _examples([each for part in parts.values() for each in part], source.files)


def _examples(
    of: Iterable[IntentExample],
    files: tuple[Path, ...],
    tuning: Sequence[IntentExample] = (),
    training: Examples[str, Intent] | None = None,
) -> Examples[str, Intent]:
    whole = list(of)
    return Examples(
        [each.text for each in whole],
        [gold(each.name) for each in whole],
        files,
        tuning=_examples(tuning, files) if tuning else None,
        training=training,
    )


def examples_from_lists(texts: Sequence[str], labels: Sequence[str | Intent | None]) -> Examples[str, Intent]:
    """Examples of texts and the names of their intents; None or a name such as "oos" is out of scope."""
    if len(texts) != len(labels):
        raise ValueError(f"there are {len(texts)} texts and {len(labels)} labels")
    named = [each.name if isinstance(each, Intent) else each for each in labels]
    return _examples(
        [example("", n, text, name) for n, (text, name) in enumerate(zip(texts, named, strict=True), 1)], ()
    )


def gold(name: str | None) -> Intent:
    """A known intent in the shape of an answer."""
    return Intent(0, name, 1.0 if name is not None else 0.0, ((name, 1.0),) if name is not None else (("", 0.0),))


def sample() -> Examples[str, Intent]:
    """A few intents of an imaginary shop, and things that it does not sell."""
    pairs = [(text, name) for name, texts in SAMPLE.items() for text in texts]
    return Examples([text for text, _ in pairs], [gold(name or None) for _, name in pairs])
