"""What each column of the feature tables holds. Values that are unknown are -1, gaps that are too long are FAR."""

from __future__ import annotations

FAR = 999.0
CUES = 5

# Of one message, kept in the ring; used of the message itself and of each candidate.
(
    QUESTION,
    ENDS_QUESTION,
    COMMAND,
    URL,
    ACTION,
    STRANGER,
    MENTIONS,
    STRONGEST,
    LENGTH,
    CUE_START,
    CUE_CONTINUES,
    CUE_ANSWERS,
    CUE_ANSWERED,
    CUE_CONTINUED,
    OWN_GAP,
    OWN_MINUTES,
    OWN_COUNT,
    MENTIONED_GAP,
    HABIT_LENGTH,
    HABIT_REPEATS,
    HABIT_COMMANDED,
    HABIT_ADDRESSES,
    HABIT_URLS,
    ARRIVED_GAP,
    NEWLY_ARRIVED,
) = range(25)
TRAITS = 25

# Of the message and its moment, the same for all its candidates.
(
    TARGET_GAP,
    PACE,
    SILENCE,
    CROWD_SMALL,
    CROWD_LARGE,
    CHANNEL_ADDRESSES,
    CHANNEL_SILENCE,
    HISTORY,
    TARGET_MINUTES,
) = range(TRAITS, TRAITS + 9)
MOMENT = 9

CANDIDATE = TRAITS + MOMENT  # the traits of the candidate start here

# Of the message and one candidate.
(
    ITSELF,
    LINES,
    DISTANCE,
    MINUTES,
    SAME_AUTHOR,
    NAMES_AUTHOR,
    NAMED_BY,
    SAME_TARGET,
    NAMES_OTHER,
    NAMED_OTHER,
    AUTHOR_RANK,
    OWN_BETWEEN,
    ADDRESSED_GAP,
    ADDRESSING_GAP,
    ADDRESSED_TIMES,
    ADDRESSING_TIMES,
    TARGETS_ME,
    MY_TARGET,
    TARGETS_SHARED,
    NAMES_MY_TARGET,
    NAMES_THEIR_TARGET,
    NAMES_ME_RANK,
    NAMES_THEM_RANK,
    ADDRESSED_SINCE,
    ADDRESSING_SINCE,
    SHARED_WORDS,
    SHARED_WEIGHT,
    COSINE,
    RAREST,
    PREVIOUS,
    OWN_PREVIOUS,
    GOES_ON,
    PEOPLE_BETWEEN,
    TARGET_RANK,
    TARGET_LATEST,
    LEFT_SINCE,
    MATCH,
    MATCH_COSINE,
    MATCH_RANK,
    TOPIC_OF_AUTHOR,
    MATCH_BACK,
) = range(CANDIDATE + TRAITS, CANDIDATE + TRAITS + 41)
PAIR = CANDIDATE + TRAITS + 41

# Of the candidate's predicted thread; after the columns of the pair.
(
    CHANCE,
    CHANCE_GAP,
    CHANCE_RANK,
    CHANCE_SELF,
    CHANCE_THREAD,
    CHANCE_THREAD_BEST,
    CHANCE_BEST,
    CHANCE_AUTHOR,
    SIZE,
    PARTICIPANTS,
    THREAD_GAP,
    THREAD_MINUTES,
    LATEST,
    SINCE_CANDIDATE,
    REPLIES,
    I_REPLIED,
    MY_SHARE,
    MY_GAP,
    MY_THREAD,
    THREAD_NAMING_ME,
    TARGET_SHARE,
    NAMES_ME,
    I_STARTED,
    THEY_STARTED,
    AGE,
    IS_START,
    PARENT_IS_MINE,
    PARENT_IS_THEIRS,
    THREAD_WEIGHT,
    THREAD_RAREST,
    ACTIVE_THREADS,
    THEIR_SHARE,
    THREAD_RANK,
    THREAD_TOPIC,
    PARTNERS,
    CHANCE_LINK,
    OTHERS_REPLIED,
    MY_THREADS,
    OPEN,
    REPLIED_GAP,
    REPLIED_BACK_GAP,
) = range(PAIR, PAIR + 41)
WHOLE = PAIR + 41

# The cheap columns by which the shortlist is made, all of them columns of the pair.
SHORT = (
    QUESTION,
    MENTIONS,
    STRONGEST,
    OWN_GAP,
    MENTIONED_GAP,
    TARGET_GAP,
    CUE_START,
    LINES,
    DISTANCE,
    MINUTES,
    SAME_AUTHOR,
    NAMES_AUTHOR,
    NAMED_BY,
    NAMES_OTHER,
    NAMED_OTHER,
    AUTHOR_RANK,
    OWN_BETWEEN,
    PREVIOUS,
    OWN_PREVIOUS,
    TARGET_LATEST,
    TARGET_RANK,
    TARGETS_ME,
    MY_TARGET,
    RAREST,
    MATCH,
    PEOPLE_BETWEEN,
    NAMES_ME_RANK,
    NAMES_THEM_RANK,
    SHARED_WORDS,
    SHARED_WEIGHT,
    COSINE,
)


def names() -> tuple[str, ...]:
    """The name of every column, in order; those of the message and of the candidate say whose they are."""
    own = {value: name.lower() for name, value in globals().items() if name.isupper() and isinstance(value, int)}
    traits = [name for value, name in sorted(_traits().items())]
    return tuple(
        f"its {traits[column - CANDIDATE]}" if CANDIDATE <= column < CANDIDATE + TRAITS else _spoken(own, column)
        for column in range(WHOLE)
    )


def _traits() -> dict[int, str]:
    listed = list(globals().items())
    first = next(index for index, (name, _) in enumerate(listed) if name == "QUESTION")
    return {value: name.lower().replace("_", " ") for name, value in listed[first : first + TRAITS]}


def _spoken(own: dict[int, str], column: int) -> str:
    return _traits()[column] if column < TRAITS else own[column].replace("_", " ")
