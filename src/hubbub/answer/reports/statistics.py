"""What dialogues are like, in the figures of the second table and the first figure of the 2015 paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import mean, median

from ..data.dialogue import Dialogue


def statistics(dialogues: Sequence[Dialogue]) -> dict[str, float]:
    """Counts and averages; utterances are messages, and turns those of one person in a row."""
    if not dialogues:
        return {"dialogues": 0}
    turns = [len(each.turns()) for each in dialogues]
    utterance_words = [len(u.text.split()) for each in dialogues for u in each.utterances]
    durations = [minutes for each in dialogues if (minutes := each.minutes()) is not None]
    return {
        "dialogues": len(dialogues),
        "utterances": len(utterance_words),
        "words": sum(utterance_words),
        "fewest_turns": min(turns),
        "turns_a_dialogue": mean(turns),
        "words_an_utterance": mean(utterance_words),
        **({"median_minutes": median(durations)} if durations else {}),
    }


def turns(dialogues: Sequence[Dialogue]) -> dict[int, int]:
    """Number of turns -> how many dialogues have it."""
    return dict(sorted(Counter(len(each.turns()) for each in dialogues).items()))
