"""Output formats of a chat with its reply graph: JSON lines, links, CSV, clusters, a ConvoKit corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, count
from typing import Any, NamedTuple, TextIO

from ..chat import Chat, Message
from ..csv_output import CsvWriter
from ..jsonl import dump, header, layer_lines, message_line
from ..layers import Layers, ReplyGraph
from ..output_files import placed_folder
from ..text import printable, whole
from .predict import ThreadDecision, graph_of

COLUMNS = ("chat", "number", "id", "time", "author", "kind", "text", "conversation", "parents", "scores")
Judge = Callable[[Iterable[Message]], Iterable[ThreadDecision]]


class ThreadStream(NamedTuple):
    """A chat that is read once, with the predictor of its links; its earlier layers are known at the end."""

    name: str
    format: str
    messages: Iterable[Message]
    judge: Judge
    layers: Callable[[], Layers] = Layers
    taken: TakenConversation | None = None

    def whole(self) -> Threaded:
        messages: list[Message] = []
        graph = graph_of(self.judge(_kept(self.messages, messages.append)))
        return Threaded(Chat(self.name, tuple(messages), self.format), graph, self.taken)

    def place(self, position: int) -> int:
        """The position in the chat itself, also of a message of one conversation."""
        return self.taken.positions[position] if self.taken else position


class TakenConversation(NamedTuple):
    """The conversation that was taken out of a chat: its number, and where its messages are in the chat."""

    number: int
    positions: tuple[int, ...]


class Threaded(NamedTuple):
    chat: Chat
    graph: ReplyGraph
    taken: TakenConversation | None = None

    def numbered(self) -> list[tuple[int, tuple[int, ...]]]:
        """The conversations by number; one that was taken out of a chat keeps the number it has there."""
        if self.taken:
            return [(self.taken.number, tuple(range(len(self.chat))))]
        return [(each.number, each.positions) for each in self.graph.conversations(self.chat)]

    def conversation(self, number: int, positions: tuple[int, ...]) -> Threaded:
        """One conversation as a chat of its own."""
        place = {position: index for index, position in enumerate(positions)}
        parents = tuple(tuple(place[p] for p in self.graph.parents[each]) for each in positions)
        scores = tuple(self.graph.scores[each] for each in positions) if self.graph.scores else ()
        messages = tuple(self.chat[each] for each in positions)
        name = f"{self.chat.name}, conversation {number}"
        return Threaded(
            Chat(name, messages, self.chat.format), ReplyGraph(parents, scores), TakenConversation(number, positions)
        )

    def passing(self) -> ThreadStream:
        """As a stream."""
        return ThreadStream(
            self.chat.name,
            self.chat.format,
            self.chat,
            lambda messages: chain(self._decisions(messages)),
            taken=self.taken,
        )

    def _decisions(self, messages: Iterable[Message]) -> Iterator[ThreadDecision]:
        scores = self.graph.scores or ((),) * len(self.chat)
        for position, _ in enumerate(messages):
            yield ThreadDecision(position, self.graph.parents[position], scores[position])


def _kept(messages: Iterable[Message], keep: Callable[[Message], object]) -> Iterator[Message]:
    for message in messages:
        keep(message)
        yield message


def _distinct(chats: Iterable[ThreadStream]) -> Iterator[ThreadStream]:
    """The chats, each under a name of its own even as one word: a second one of a name is NAME (2)."""
    used = set[str]()
    for chat in chats:
        names = chain((chat.name,), (f"{chat.name} ({number})" for number in count(2)))
        name = next(each for each in names if _one_word(each) not in used)
        used.add(_one_word(name))
        yield chat._replace(name=name)


def _one_word(name: str) -> str:
    """A chat's name as it can begin a line: no spaces, no slash, which would pass for a path, and no control codes."""
    return printable("_".join(whole(name).replace("/", "_").split()))


def write_jsonl(chats: Iterable[ThreadStream], out: TextIO) -> None:
    """Messages as they are read, then the layer of replies, then the layers that were read with the chat."""
    for chat in chats:
        out.write(header(chat.name, chat.format) + "\n")
        messages = _kept(chat.messages, lambda message: out.write(message_line(message) + "\n"))
        rows = [(each.parents, each.scores) for each in chat.judge(messages)]
        for position, (parents, scores) in enumerate(rows):
            scored = {"scores": list(scores)} if scores else {}
            out.write(dump({"layer": "replies", "position": position, "parents": list(parents), **scored}) + "\n")
        out.writelines(line + "\n" for line in layer_lines(replace(chat.layers(), replies=None)))


def write_links(chats: Iterable[ThreadStream], out: TextIO) -> None:
    """`a b -` lines, the answered message first; of several chats `CHAT:a b -`, as the published corpora write them.

    Whether there are several is known after the first, so its lines are held back until then.
    """
    first, waiting = "", list[str]()
    for number, chat in enumerate(_distinct(chats)):
        lines = _link_lines(chat)
        if number == 0:
            first, waiting = _one_word(chat.name), list(lines)
            continue
        out.writelines(f"{first}:{line}" for line in waiting)
        waiting.clear()
        name = _one_word(chat.name)
        out.writelines(f"{name}:{line}" for line in lines)
    out.writelines(waiting)


def _link_lines(chat: ThreadStream) -> Iterator[str]:
    for each in chat.judge(chat.messages):
        for parent in each.parents:
            yield f"{chat.place(parent)} {chat.place(each.position)} -\n"


def write_csv(chats: Iterable[ThreadStream], out: TextIO, spreadsheet_safe: bool = False) -> None:
    table = CsvWriter(out, spreadsheet_safe=spreadsheet_safe)
    table.row(COLUMNS)
    for chat in _distinct(chats):
        whole = chat.whole()
        number = {position: n for n, positions in whole.numbered() for position in positions}
        for position, message in enumerate(whole.chat):
            when = message.time or message.clock
            scores = whole.graph.scores[position] if whole.graph.scores else ()
            parents = _spaced(chat.place(each) + 1 for each in whole.graph.parents[position])
            table.row(
                (chat.name, chat.place(position) + 1, message.id, when.isoformat() if when else "", message.author,
                 message.kind, message.text, number.get(position, ""), parents, _spaced(scores))
            )  # fmt: skip


def _spaced(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def write_clusters(chats: Iterable[ThreadStream], out: TextIO) -> None:
    """A line for every conversation: CHAT: and the positions of its messages."""
    for chat in _distinct(chats):
        whole = chat.whole()
        name = _one_word(chat.name)
        for positions in whole.graph.components():
            out.write(f"{name}:{_spaced(map(chat.place, positions))}\n")


WRITERS: dict[str, Callable[..., None]] = {
    "jsonl": write_jsonl,
    "links": write_links,
    "csv": write_csv,
    "clusters": write_clusters,
}


def write_corpus(chats: Iterable[ThreadStream], out: str) -> None:
    """A folder that ConvoKit loads: utterances, speakers, conversations. It appears when all of it is written."""
    speakers: dict[str, Any] = {}
    conversations: dict[str, Any] = {}
    with placed_folder(out) as folder:
        with folder.file("utterances.jsonl") as file:
            for chat in _distinct(chats):
                for utterance in _utterances(chat):
                    file.write(dump(utterance) + "\n")
                    speakers[utterance["speaker"]] = {"meta": {}, "vectors": []}
                    conversations.setdefault(utterance["conversation_id"], {"meta": {"chat": chat.name}, "vectors": []})
        index = {"utterances-index": {"kind": ["<class 'str'>"], "score": ["<class 'float'>"]}, "speakers-index": {},
                 "conversations-index": {"chat": ["<class 'str'>"]}, "overall-index": {}, "version": 1}  # fmt: skip
        parts = {"speakers": speakers, "conversations": conversations, "corpus": {}, "index": index}
        for name, part in parts.items():
            with folder.file(f"{name}.json") as file:
                file.write(dump(part))


def _utterances(chat: ThreadStream) -> Iterator[dict[str, Any]]:
    """Ids are CHAT:POSITION; a conversation has the id of its first utterance, as ConvoKit expects."""
    whole = chat.whole()
    ids = [f"{chat.name}:{chat.place(position)}" for position in range(len(whole.chat))]
    first = {position: positions[0] for positions in whole.graph.components() for position in positions}
    for position, message in enumerate(whole.chat):
        parents = [parent for parent in whole.graph.parents[position] if parent != position]
        scores = whole.graph.scores[position] if whole.graph.scores else ()
        yield {
            "id": ids[position],
            "conversation_id": ids[first[position]],
            "text": message.text,
            "speaker": message.author,
            "reply-to": ids[parents[-1]] if parents else None,
            "timestamp": int(message.time.timestamp()) if message.time else None,
            "meta": {"kind": message.kind, "score": scores[-1] if scores else None},
            "vectors": [],
        }
