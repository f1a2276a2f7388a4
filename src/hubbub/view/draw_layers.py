"""Draws chats with their layers as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ..analysis import Analysis
from ..chat import Chat
from ..layers import Layers, Person
from ..pipeline import AnalysisStream, Progress, analysed
from ..read import ChatStream
from .annotations import NO_MARKS, Marks
from .draw_chat import draw_chat
from .draw_threads import draw_threads
from .intents import tags
from .lanes import MessageRow
from .legend import Legend
from .style import Line

Drawable = ChatStream | AnalysisStream | Analysis | Chat


def draw_streams(
    chats: Iterable[ChatStream],
    width: int,
    *,
    threads: bool = True,
    people: bool | None = None,
    cast: str | Path | Sequence[Person] = (),
    numbers: bool = False,
    progress: Progress | None = None,
    notice: Callable[[str], object] | None = None,
) -> Iterator[Line]:
    """Chats of any length with their conversations and people, as `hubbub chat.log` shows them.

    `people` None links people only in chats of up to PEOPLE_LIMIT messages; what is left out goes to `notice`.
    """
    found = analysed(chats, threads=threads, people=people, cast=cast, progress=progress, notice=notice)
    return draw(found, width, numbers=numbers)


def draw(chats: Iterable[Drawable], width: int, *, numbers: bool = False) -> Iterator[Line]:
    """Every chat under its heading, one after the other, and a legend at the end.

    A stream that may carry layers is read whole first: its layers come after its messages.
    """
    legend = Legend()
    for index, chat in enumerate(chats):
        if index:
            yield ()
        if isinstance(chat, ChatStream) and chat.rows is not None:
            chat = Analysis(chat.chat(), chat.layers())
        if isinstance(chat, Analysis):
            yield from _draw_analysis(chat, width, numbers, legend)
        elif isinstance(chat, AnalysisStream):
            yield from _draw_stream(chat, width, numbers, legend)
        else:
            yield from draw_chat(chat.name, map(MessageRow, chat), width, legend)
    yield from legend.lines(width)


def draw_layered(chat: Chat, layers: Layers, width: int) -> Iterator[Line]:
    return draw([Analysis(chat, layers)], width)


def _draw_analysis(analysis: Analysis, width: int, numbers: bool, legend: Legend) -> Iterator[Line]:
    chat, layers = analysis.chat, analysis.layers
    rows = _rows(chat, layers, layers.replies.parents if layers.replies else None)
    if layers.replies:
        return draw_threads(chat.name, rows, width, numbers=numbers, is_whole=True, legend=legend)
    return draw_chat(chat.name, rows, width, legend)


def _draw_stream(stream: AnalysisStream, width: int, numbers: bool, legend: Legend) -> Iterator[Line]:
    rows = (row for part in stream.parts for row in _rows(part.chat, part.layers, part.parents))
    if stream.is_threaded:
        return draw_threads(stream.name, rows, width, numbers=numbers, legend=legend)
    return draw_chat(stream.name, rows, width, legend)


def _rows(chat: Chat, layers: Layers, parents: Iterable[tuple[int, ...]] | None) -> Iterator[MessageRow]:
    beside, marks = tags(layers.intents), _marks(chat, layers, in_colour=parents is None)
    for position, (message, answered) in enumerate(zip(chat, parents or ((),) * len(chat), strict=True)):
        yield MessageRow(message, answered, beside.get(position, ""), marks.get(position, ()))


def _marks(chat: Chat, layers: Layers, in_colour: bool) -> Marks:
    if not layers.links:
        return NO_MARKS
    from .people import marks_of

    return marks_of(chat, layers, in_colour)
