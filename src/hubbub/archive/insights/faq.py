"""Questions that several people asked, each with its best answer: a list of frequently asked questions.

The text of a question is the message that asks, or all that the asker says first if that message alone says little. An
answer is taken from the conversations of the cluster: one that its asker confirmed if there is any, and of those the
one that is most like an instruction about the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ...intent.reports.question_filter import STOP_WORDS, request_text
from ...text import words
from ..search import SearchFilters
from ..store import ArchiveStore
from .question_clusters import QuestionCluster, cluster_questions
from .question_threads import QuestionThread, ThreadMessage, question_threads, threads_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

MIN_ASKERS = 3
LONGEST_QUESTION = 240  # characters that are compared; what follows is detail, and encoding takes time
MIN_CONTENT_WORDS = 2  # a message with fewer does not say what it is about
COMMON_SHARE, MIN_COMMON = (
    0.02,
    50,
)  # questions of a word; if all are commoner ("how to install ubuntu"), it says little
MIN_GENERIC = 8  # questions to which a text replies before it can be generic
MIN_OWN_SHARE = 0.3  # of the questions to which a text replies; below, it is about something else or about nothing
MAX_CANDIDATES = 60  # answers of a cluster that are compared
MIN_ANSWER_WORDS, MAX_ANSWER_WORDS = 4, 80  # "no idea" answers nothing, and a long paste is for one case
EXAMPLES = 3
# Words of requests for help that say nothing about their subject.
_VAGUE_WORDS = """
answer answers anyways beginner channel channels everybody everyone experience expert experts familiar guide irc issues
newbie nobody noob pls plz quick reply room somone trouble version
"""
_VAGUE = frozenset(_VAGUE_WORDS.split())
_INSTRUCTION = re.compile(
    r"https?://|[`\"'].+[`\"']|(?:^|\s)(?:/\w+|--?\w+)"
    r"|\b(?:try|use|run|install|open|type|click|add|remove|go to|press|check|set|you can|you need|you should|see)\b",
    re.I,
)
_BY_INSTRUCTION, _BY_CONFIRMATION = 0.3, 0.15  # added to the cosine; chosen by reading answers


class FaqAnswer(NamedTuple):
    """An answer that was given to one of the questions, and whether its asker confirmed it."""

    text: str
    author: str
    message: int
    conversation_id: str
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question that several people asked: its most typical wording, others, when, where, and the best answer."""

    question: str
    asked: int
    askers: int
    first: str | None
    last: str | None
    examples: tuple[str, ...]
    conversations: tuple[str, ...]
    answer: FaqAnswer | None


class _Asked(NamedTuple):
    number: int
    text: str
    asker: str


def faq(
    archive: ArchiveStore,
    count: int = 30,
    filters: SearchFilters | None = None,
    *,
    least: int = MIN_ASKERS,
    encode: Encode | None = None,
) -> list[FaqEntry]:
    """Questions of at least `least` people, those of most people first."""
    replies = Counter[int]()
    asked = _asked(archive, filters, replies)
    if not asked:
        return []
    encode = encode or _bundled_encoder()
    clusters = cluster_questions(encode([each.text for each in asked]), [each.asker for each in asked])
    chosen = [each for each in clusters if each.people >= least][:count]
    return [_entry(archive, [asked[place] for place in each.members], each, encode, replies) for each in chosen]


def _bundled_encoder() -> Encode:
    from ...ml.encoder import encoder

    return encoder().encode


def _asked(archive: ArchiveStore, filters: SearchFilters | None, replies: Counter[int]) -> list[_Asked]:
    """The questions that say what they are about; one that the same person asks again in the same words counts once.

    Counts in `replies` how many questions each text replies to.
    """
    found: dict[tuple[str, str], _Asked] = {}
    for thread in question_threads(archive, filters):
        replies.update(_reply_texts(thread))
        texts = (request_text(text)[:LONGEST_QUESTION] for text in (thread.question.text, thread.opening))
        text = next((text for text in texts if len(_content(text)) >= MIN_CONTENT_WORDS), "")
        asker = thread.asker.lower().rstrip("_-`^|")  # on IRC a second connection of the same person
        if text:
            found.setdefault((asker, text.lower()), _Asked(thread.number, text, asker))
    spread = Counter(word for each in found.values() for word in _content(each.text))
    common = max(COMMON_SHARE * len(found), MIN_COMMON)
    return [each for each in found.values() if min(spread[word] for word in _content(each.text)) <= common]


def _content(text: str) -> set[str]:
    """The words that may say what a question is about."""
    return {word for word in words(text) if len(word) > 1 and word.replace("'", "") not in _NO_CONTENT}


_NO_CONTENT = _VAGUE | {word.replace("'", "") for word in STOP_WORDS}


def _reply_texts(thread: QuestionThread) -> set[int]:
    """What others said, without whom it is addressed to, as hashes that take less memory."""
    return {hash(request_text(each.text).lower()) for each in thread.replies}


def _entry(
    archive: ArchiveStore, asked: Sequence[_Asked], cluster: QuestionCluster, encode: Encode, replies: Counter[int]
) -> FaqEntry:
    threads = list(threads_of(archive, [each.number for each in asked]))
    times = sorted(each.question.time for each in threads if each.question.time)
    wordings = dict.fromkeys(each.text for each in asked[1:] if each.text.lower() != asked[0].text.lower())
    return FaqEntry(
        asked[0].text,
        len(asked),
        cluster.people,
        times[0] if times else None,
        times[-1] if times else None,
        tuple(wordings)[:EXAMPLES],
        tuple(each.conversation_id for each in threads),
        _best_answer(asked[0].text, threads, encode, _generic(threads, replies)),
    )


def _generic(threads: Sequence[QuestionThread], replies: Counter[int]) -> set[int]:
    """Texts that mostly reply to other questions, such as a bot's rules of the channel."""
    here = Counter(text for thread in threads for text in _reply_texts(thread))
    return {text for text, count in here.items() if MIN_GENERIC <= replies[text] > count / MIN_OWN_SHARE}


def _best_answer(
    question: str, threads: Sequence[QuestionThread], encode: Encode, generic: Collection[int]
) -> FaqAnswer | None:
    """Of confirmed answers, else of all, the one that is most like an instruction about the question."""
    said = [(thread, each) for thread in threads for each in _answers(thread, len(thread.messages))]
    said = [pair for pair in said if hash(request_text(pair[1].text).lower()) not in generic]
    confirmed = [(thread, each) for thread, each in said if each in _answers(thread, thread.confirmation)]
    candidates = confirmed or said
    candidates = candidates[:MAX_CANDIDATES]
    if not candidates:
        return None
    texts = [request_text(each.text) for _, each in candidates]
    vectors = encode([question, *texts])
    cosines = (vectors[1:] @ vectors[0]).tolist()

    def worth(place: int) -> float:
        thread, each = candidates[place]
        is_last = thread.confirmation is not None and each.author == _thanked(thread)
        return float(
            cosines[place] + _BY_INSTRUCTION * bool(_INSTRUCTION.search(texts[place])) + _BY_CONFIRMATION * is_last
        )

    best = max(range(len(candidates)), key=lambda place: (worth(place), -place))
    thread, each = candidates[best]
    return FaqAnswer(each.text, each.author, each.id, thread.conversation_id, bool(confirmed))


def _answers(thread: QuestionThread, end: int | None) -> list[ThreadMessage]:
    """What others said to the question, up to its confirmation."""
    said = thread.messages[thread.asked : end] if end is not None else ()
    return [
        each
        for each in said
        if each.author != thread.asker
        and each.is_answer
        and MIN_ANSWER_WORDS <= len(each.text.split()) <= MAX_ANSWER_WORDS
    ]


def _thanked(thread: QuestionThread) -> str:
    """Who wrote last before the confirmation, or whom it names."""
    end = thread.confirmation or 0
    helpers = [each.author for each in thread.messages[:end] if each.author != thread.asker]
    named = {word.strip("@,:;.!?").lower() for word in thread.messages[end].text.split()}
    return next((name for name in reversed(helpers) if name.lower() in named), helpers[-1] if helpers else "")
