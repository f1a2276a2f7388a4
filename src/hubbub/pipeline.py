"""The only place that composes tasks: a chat in, the chat with its layers out.

The public functions, the command line and whatever else needs more than one task call this module.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .analysis import Analysis
from .chat import Chat, Message
from .errors import OptionError
from .layers import Layers, ReplyGraph

if TYPE_CHECKING:
    from .intent.models._classifier import Classifier
    from .intent.predict import IntentPredictor
    from .layers import Link, Person
    from .ml.registry import AnyModel
    from .people.predict import PeoplePredictor
    from .read.reading import ChatStream
    from .thread.predict import ThreadPredictor

Progress = Callable[[str], AbstractContextManager[None]]

PEOPLE_LIMIT = 5_000  # messages; people take three quarters of the time, so longer chats have them only on request
PEOPLE_CONTEXT = 240  # messages before a part of a long chat that people in it may refer to; models see no more at once
PART = 1_024  # messages of a part without people; the bundled model decides about as many at once


def _silent(_: str) -> AbstractContextManager[None]:
    return nullcontext()


class ChatPart(NamedTuple):
    """Consecutive messages of a long chat. `parents` are positions in the chat, links have positions in the part."""

    chat: Chat
    parents: tuple[tuple[int, ...], ...] | None
    layers: Layers


@dataclass(slots=True)
class AnalysisStream:
    """A chat of any length that passes by once in parts, with what was predicted for them."""

    name: str
    format: str
    parts: Iterator[ChatPart]
    is_threaded: bool


@dataclass(slots=True)
class Pipeline:
    """Predictors of the layers that are wanted, each loaded when the first chat needs it.

    A layer that a chat already has is kept. `progress` is entered around each step with a sentence that names it.
    """

    threads: str | Path | AnyModel | bool = True
    people: str | Path | AnyModel | bool = False
    intents: str | Path | Classifier | bool = False
    cast: str | Path | Sequence[Person] = ()
    progress: Progress = _silent
    _threader: ThreadPredictor | None = field(default=None, init=False, repr=False)
    _linker: PeoplePredictor | None = field(default=None, init=False, repr=False)
    _classifier: IntentPredictor | None = field(default=None, init=False, repr=False)

    def analyse(self, chat: Chat, layers: Layers | None = None) -> Analysis:
        layers = Layers(relays=chat.relays) if layers is None else layers
        if not chat:
            return Analysis(chat, layers)
        if self.threads and layers.replies is None:
            with self.progress(f"{chat.name}: finding conversations (the first run compiles the model) ..."):
                layers = replace(layers, replies=self.threader().graph(chat))
        if self.people and not layers.links:
            with self.progress(f"{chat.name}: linking mentions to people ..."):
                layers = self.linker().over(chat, layers)
        if self.intents and not layers.intents:
            with self.progress(f"{chat.name}: classifying intents ..."):
                found = (each for _, several in self.classifier().over(chat) for each in several)
                layers = replace(layers, intents=tuple(found))
        return Analysis(chat, layers)

    def stream(self, chat: ChatStream) -> AnalysisStream:
        """A chat as it is read, part by part: memory does not grow with its length, if the model of threads streams.

        People are linked within a part of PEOPLE_LIMIT messages and the PEOPLE_CONTEXT messages before it.
        """
        return AnalysisStream(chat.name, chat.format, self._parts(chat), bool(self.threads))

    def _parts(self, chat: ChatStream) -> Iterator[ChatPart]:
        size = PEOPLE_LIMIT if self.people else PART
        pairs, first = self._decided(chat), 0
        context: list[tuple[Message, tuple[int, ...]]] = []
        while batch := list(islice(pairs, size)):
            seen = [*context, *batch]
            part = Chat(chat.name, tuple(message for message, _ in batch), chat.format)
            layers = self._linked(chat, seen, first - len(context), len(context)) if self.people else Layers()
            yield ChatPart(part, tuple(parents for _, parents in batch) if self.threads else None, layers)
            first += len(batch)
            context = seen[-PEOPLE_CONTEXT:] if self.people else []

    def _decided(self, chat: ChatStream) -> Iterator[tuple[Message, tuple[int, ...]]]:
        """Each message with its parents; a model that decides in batches has read ahead, so messages wait for it."""
        if not self.threads:
            yield from ((message, ()) for message in chat.messages)
            return
        waiting: deque[Message] = deque()
        for decision in self.threader().decisions(_kept(chat.messages, waiting), chat.name, chat.format):
            yield waiting.popleft(), decision.parents

    def _linked(
        self, chat: ChatStream, seen: Sequence[tuple[Message, tuple[int, ...]]], first: int, context: int
    ) -> Layers:
        """The people of some messages, the first of which has that position; links in the context are left out."""
        window = Chat(chat.name, tuple(message for message, _ in seen), chat.format)
        replies = None
        if self.threads:
            replies = ReplyGraph(tuple(_moved(parents, first, place) for place, (_, parents) in enumerate(seen)))
        found = self.linker().over(window, Layers(replies=replies))
        links = (_moved_link(link, context) for link in found.links if link.mention.position >= context)
        return Layers(people=found.people, links=tuple(links))

    def can_stream(self) -> bool:
        """Whether numbers of conversations are the same in a stream: each message has one parent, decided at once."""
        model = self.threader().model if self.threads else None
        return model is None or (hasattr(model, "stream") and not getattr(model, "second", 0))

    def threader(self) -> ThreadPredictor:
        if self._threader is None:
            from .thread.predict import ThreadPredictor

            self._threader = ThreadPredictor.of(_chosen(self.threads))
        return self._threader

    def linker(self) -> PeoplePredictor:
        if self._linker is None:
            from .people.predict import PeoplePredictor

            self._linker = PeoplePredictor.of(_chosen(self.people), self.cast)
        return self._linker

    def classifier(self) -> IntentPredictor:
        if self._classifier is None:
            from .intent.predict import IntentPredictor

            self._classifier = IntentPredictor.of(_chosen(self.intents))  # type: ignore[arg-type]
        return self._classifier


def _kept(messages: Iterable[Message], waiting: deque[Message]) -> Iterator[Message]:
    for message in messages:
        waiting.append(message)
        yield message


def _moved(parents: tuple[int, ...], first: int, place: int) -> tuple[int, ...]:
    """Parents as positions in a window; a message whose parents lie before it starts a conversation there."""
    return tuple(parent - first for parent in parents if parent >= first) or ((place,) if parents else ())


def _moved_link(link: Link, context: int) -> Link:
    return replace(link, mention=replace(link.mention, position=link.mention.position - context))


def analysed(
    chats: Iterable[ChatStream],
    *,
    threads: str | Path | AnyModel | bool = True,
    people: bool | None = None,
    cast: str | Path | Sequence[Person] = (),
    progress: Progress | None = None,
    notice: Callable[[str], object] | None = None,
) -> Iterator[ChatStream | AnalysisStream | Analysis]:
    """Each chat with its threads and people, whole up to PEOPLE_LIMIT messages, else as a stream.

    People None is for chats up to that limit only; each chat that has none because of it is a sentence for `notice`.
    A chat in a format that carries layers is read whole, since they come after its messages.
    """
    short = Pipeline(threads, people is not False, cast=cast, progress=progress or _silent)
    long = Pipeline(threads, bool(people), cast=cast, progress=progress or _silent)
    for one in chats:
        if not short.threads and not short.people:
            yield one
            continue
        ahead = list(islice(one.messages, PEOPLE_LIMIT + 1))
        is_long = len(ahead) > PEOPLE_LIMIT
        one.messages = chain(ahead, one.messages)
        del ahead
        pipeline = long if is_long else short
        is_streamed = is_long and one.rows is None and long.can_stream()
        found = None if is_streamed else (one.chat(), one.layers())
        if is_long and people is None and notice and not (found and found[1].links):
            notice(f"{one.name} has more than {PEOPLE_LIMIT:,} messages: people are not linked; --people links them")
        if found:
            yield pipeline.analyse(*found)
        else:
            yield one if not (long.threads or long.people) else long.stream(one)


def _chosen(model: str | Path | AnyModel | bool) -> str | Path | AnyModel | None:
    """True stands for the default model of the task."""
    return None if isinstance(model, bool) else model


def reply_graph(chat: Chat, layers: Layers | None = None, model: str | Path | AnyModel | None = None) -> ReplyGraph:
    """The reply graph that the chat came with, else a predicted one."""
    if layers is not None and layers.replies is not None:
        return layers.replies
    from .thread.predict import ThreadPredictor

    return ThreadPredictor.of(model).graph(chat)


def open_analysis(path: str | Path) -> Analysis:
    """The chat and layers that `Analysis.save` wrote."""
    from .read.reading import stream

    found = [Analysis(each.chat(), each.layers()) for each in stream(path, bridges=False)]
    if len(found) != 1:
        raise OptionError("path", path, f"it holds {len(found)} chats; hubbub.read_all reads several")
    return found[0]
