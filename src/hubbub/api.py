"""The public functions. Each imports what it needs when it is called, so that `import hubbub` is fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date as Date
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from .chat import Chat, Chats
from .layers import Intent, Link, Person, Reply, ReplyGraph

if TYPE_CHECKING:
    from .analysis import Analysis
    from .answer.data.dialogue import Dialogue
    from .archive.search import SearchFilters
    from .intent.models._classifier import Classifier
    from .ml.registry import AnyModel
    from .ml.task import Result
    from .read.reading import ChatStreams

Paths = str | Path | Sequence[str | Path]


def read(
    path: Paths,
    *,
    format: str | None = None,
    date: Date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
) -> Chat:
    """Reads the one chat in files, folders, archives or "-" (standard input).

    Args:
        path: One path or several; globs work too.
        format: The name of a format, if it is not to be recognised.
        date: The day on which a log without dates begins.
        timezone: The time zone of times without one.
        columns: For tables, which column is what, such as `{"author": "nick"}`.
        bridges: Whether messages that a bridge relays get their real authors.
        max_unpacked: How far each packed file may unpack, in bytes or as "20G".

    Returns:
        The chat. Files that cannot be read are left out with a `PartlyRead` warning if anything else can be read.

    Raises:
        SeveralChats: The input holds more than one chat; `read_all` reads them.

    >>> from hubbub.data import samples
    >>> read(samples.path("support.log"))
    <Chat 'support': 324 messages by 18 people>
    """
    from .read.reading import read as read_one

    return read_one(
        path, format=format, date=date, timezone=timezone, columns=columns, bridges=bridges, max_unpacked=max_unpacked
    )


def read_all(
    path: Paths,
    *,
    format: str | None = None,
    date: Date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
) -> Chats:
    """Reads every chat in files, folders, archives or "-"; the options are those of `read`.

    >>> from hubbub.data import samples
    >>> read_all(samples.path("team")).names()
    ('#general', '#launch')
    """
    from .read.reading import read_all as read_every

    return read_every(
        path, format=format, date=date, timezone=timezone, columns=columns, bridges=bridges, max_unpacked=max_unpacked
    )


def stream(
    path: Paths,
    *,
    format: str | None = None,
    date: Date | None = None,
    timezone: tzinfo | None = None,
    columns: Mapping[str, str] | None = None,
    bridges: bool = True,
    max_unpacked: int | str | None = None,
) -> ChatStreams:
    """Reads chat after chat, message after message, in bounded memory. Take each chat's messages before the next.

    >>> from hubbub.data import samples
    >>> for chat in stream(samples.path("support.log")):
    ...     print(chat.name, sum(1 for message in chat))
    support 324
    """
    from .read.reading import stream as stream_all

    return stream_all(
        path, format=format, date=date, timezone=timezone, columns=columns, bridges=bridges, max_unpacked=max_unpacked
    )


def thread(
    chat: Chat,
    model: str | Path | AnyModel | None = None,
    *,
    threshold: float | None = None,
    second: float | None = None,
) -> ReplyGraph:
    """Predicts which message replies to which.

    Args:
        chat: The chat.
        model: A model by name or folder, or the model itself.
        threshold: The minimum link probability; below it a message starts a conversation.
        second: A second parent is named from this probability on.

    >>> from hubbub import Message
    >>> chat = Chat("tea", (Message("1", None, "ada", "who wants tea?"), Message("2", None, "bo", "ada: me")))
    >>> thread(chat, "thread/previous").parents
    ((0,), (0,))
    """
    from .thread.predict import ThreadPredictor

    return ThreadPredictor.of(model, threshold=threshold, second=second).graph(chat)


def people(
    chat: Chat,
    cast: str | Path | Sequence[Person] = (),
    model: str | Path | AnyModel | None = None,
    *,
    threshold: float | None = None,
    replies: ReplyGraph | None = None,
) -> list[Link]:
    """Links every mention of a person in a chat to who is meant.

    Args:
        chat: The chat.
        cast: A cast file or a list of people; the participants are always candidates.
        model: A model by name or folder, or the model itself.
        threshold: Below this probability nobody is named.
        replies: The reply graph, if it is known: what belongs together helps.

    >>> from hubbub import Message
    >>> chat = Chat("tea", (Message("1", None, "ada", "I made tea"),))
    >>> people(chat, model="people/speaker")[0].people
    ('ada',)
    """
    from .layers import Layers
    from .people.predict import PeoplePredictor

    return list(PeoplePredictor.of(model, cast, threshold=threshold).over(chat, Layers(replies=replies)).links)


@overload
def intents(  # type: ignore[overload-overlap]
    given: str, model: str | Path | Classifier | None = ..., *, threshold: float | None = ..., criterion: str = ...
) -> Intent: ...


@overload
def intents(
    given: Chat | Sequence[str],
    model: str | Path | Classifier | None = ...,
    *,
    threshold: float | None = ...,
    criterion: str = ...,
) -> list[Intent]: ...


def intents(
    given: str | Chat | Sequence[str],
    model: str | Path | Classifier | None = None,
    *,
    threshold: float | None = None,
    criterion: str = "",
) -> Intent | list[Intent]:
    """Classifies the intent of a text, of several texts or of every message of a chat (system lines have none).

    Args:
        given: A text, several texts, or a chat.
        model: A model by name or folder, or a trained classifier.
        threshold: Below this probability of being in scope, a text is out of scope (`name` is None).
        criterion: How the model chooses its threshold instead, such as `"recall"`.

    >>> intents("what is my account balance").name
    'balance'
    """
    from .intent.predict import IntentPredictor

    predictor = IntentPredictor.of(model, threshold=threshold, criterion=criterion)
    if isinstance(given, Chat):
        return [each for _, found in predictor.over(given) for each in found]
    return predictor.answers([given])[0] if isinstance(given, str) else predictor.answers(given)


def analyse(
    chat: Chat,
    *,
    threads: str | Path | AnyModel | bool = True,
    people: str | Path | AnyModel | bool = False,
    intents: str | Path | Classifier | bool = False,
    cast: str | Path | Sequence[Person] = (),
) -> Analysis:
    """Predicts several layers of a chat: replies, who is meant, intents.

    Args:
        chat: The chat.
        threads: Whether to predict replies, or the model that does.
        people: Whether to link mentions to people, or the model that does.
        intents: Whether to classify intents; a model, or a file of examples to train one from.
        cast: A cast file or a list of people.

    >>> from hubbub import Message
    >>> chat = Chat("tea", (Message("1", None, "ada", "who wants tea?"), Message("2", None, "bo", "ada: me")))
    >>> analyse(chat, threads="thread/previous")
    <Analysis of 'tea': 2 messages, 1 conversations>
    """
    from .pipeline import Pipeline

    return Pipeline(threads, people, intents, cast).analyse(chat)


def open(path: str | Path) -> Analysis:
    """Reads a chat and its layers from JSON lines that `Analysis.save` or the command line wrote.

    >>> import tempfile
    >>> from hubbub import Message
    >>> chat = Chat("tea", (Message("1", None, "ada", "tea?"),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(analyse(chat, threads="thread/previous").save(f"{folder}/tea.jsonl"))
    <Analysis of 'tea': 1 messages, 1 conversations>
    """
    from .pipeline import open_analysis

    return open_analysis(path)


def dialogues(
    chat: Chat, how: Literal["lowe", "threads", "any"] = "lowe", replies: ReplyGraph | None = None
) -> list[Dialogue]:
    """Extracts the dialogues of a chat, to train models of replies.

    Args:
        chat: The chat.
        how: `lowe` pairs people who address each other, `threads` takes conversations of two, `any` takes all.
        replies: The reply graph for `threads` and `any`; predicted if it is not given.

    >>> from hubbub.data import samples
    >>> len(dialogues(read(samples.path("support.log"))))
    21
    """
    from .answer.data.extraction import dialogues as extracted
    from .pipeline import reply_graph

    return extracted(chat, how, reply_graph(chat) if replies is None and how != "lowe" else replies)


def suggest_replies(
    chat: Chat,
    position: int,
    *,
    candidates: Sequence[str] | None = None,
    archive: str | Path | None = None,
    replies: ReplyGraph | None = None,
    count: int = 5,
    filters: SearchFilters | None = None,
    model: str | Path | AnyModel | None = None,
) -> list[Reply]:
    """Ranks replies to the message at a position: those of a list, or answers that an archive holds.

    >>> from hubbub import Message
    >>> chat = Chat("tea", (Message("1", None, "ada", "who wants tea?"),))
    >>> suggest_replies(chat, 0, candidates=["tea for me please"], replies=ReplyGraph(((0,),)))[0].text
    'tea for me please'
    """
    from .archive.suggest import suggest_replies as suggested
    from .pipeline import reply_graph

    graph = reply_graph(chat) if replies is None else replies
    options: dict[str, Any] = {"candidates": candidates, "archive": archive, "count": count, "filters": filters}
    return suggested(chat, position, graph, model=model, **options)


def train(
    task: str,
    inputs: Sequence[Any] | None = None,
    golds: Sequence[Any] | None = None,
    *,
    on: Paths | None = None,
    model: str | AnyModel | None = None,
    out: str | Path | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    check: Paths | None = None,
    data: str | Path | None = None,
) -> AnyModel:
    """Trains a model, on examples in memory or on files and datasets.

    Args:
        task: `thread`, `people`, `mentions`, `intent` or `answer`.
        inputs: Examples in memory, such as texts.
        golds: The gold label of each of them; for intents a name, or None for out of scope.
        on: Instead of both, a dataset's split such as `irc:train`, or files.
        model: The name of the model, or the model; the task's default if it is not given.
        out: The folder to save the model in.
        seed: The random seed.
        settings: Parameters of the model.
        check: Data to score the saved model on.
        data: The folder that holds the datasets.

    >>> texts = ["open the door", "close the door", "unlock the door", "play a song", "put on music", "play jazz"]
    >>> model = train("intent", texts, ["door"] * 3 + ["music"] * 3, model="intent/fasttext")
    >>> model.predict(["play a song"])[0].name
    'music'
    """
    from .ml.task import train as train_on
    from .ml.task import train_in_memory

    if (inputs is None) == (on is None) or (inputs is None) != (golds is None):
        raise TypeError("train takes inputs and golds, or on=")
    if inputs is not None and golds is not None:
        return train_in_memory(task, model, inputs, golds, out=out, seed=seed, settings=settings)
    assert on is not None
    return train_on(task, model, on, seed=seed, out=out, data=data, settings=settings, check=check)


def evaluate(
    model: str | Path | AnyModel,
    on: Paths,
    *,
    data: str | Path | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Result:
    """Scores a model, by name, by folder or as it is, on a dataset's split or on files.

    A model given by name is trained first if the data brings its own training part, unless the bundled one was trained
    on just that and neither seed nor settings are given.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "shop.csv")
    ...     lines = ["text,intent,part", "open,open,train", "closed,close,train", "open,open,test"]
    ...     _ = path.write_text("\\n".join(lines))
    ...     evaluate("intent/svm", path).scores["in_scope_accuracy"]  # doctest: +SKIP
    100.0
    """
    from .ml.task import evaluate as score

    return score(model, on, data=data, seed=seed, settings=settings)


def load(model: str | Path) -> AnyModel:
    """Loads a model by name, or from the folder it was saved in.

    >>> load("thread/previous")
    Previous()
    """
    from .ml.registry import load as load_model

    return load_model(model)


def save(model: AnyModel, folder: str | Path) -> Path:
    """Saves a model in a folder, whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load(save(load("thread/lowe"), f"{folder}/model"))
    Lowe()
    """
    from .ml.registry import save as save_model

    return save_model(model, folder)
