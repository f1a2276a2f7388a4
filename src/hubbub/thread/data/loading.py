"""Annotated chats: a log, and beside it the lines `a b -` that say which message answers which.

Numbers are positions from 0, in either order; `a a -` starts a conversation. The annotation of NAME.raw.txt, or of
NAME.ascii.txt, NAME.txt, NAME.log or NAME.jsonl, is NAME.annotation.txt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ...bounded_files import read_bytes
from ...chat import Chat, Message
from ...errors import Broken, Missing, NoChats
from ...layers import ReplyGraph
from ...ml.task import Examples, ExampleSource
from .elsner import annotated, read_annotated

ANNOTATION_ENDING = ".annotation.txt"
CORPUS_PREFIX = "irc:"
LOG_ENDINGS = (".raw.txt", ".ascii.txt", ".txt", ".log", ".jsonl", "")


def load(source: ExampleSource) -> Examples[Chat, ReplyGraph]:
    """Every annotated log among the files, in order."""
    if files := annotated(source.files):
        read = [read_annotated(path) for path in files]
        return Examples([chat for chat, _ in read], [gold for _, gold in read], tuple(files))
    found = list(pairs(source.files))
    if not found:
        raise NoChats(source.name, f"no *{ANNOTATION_ENDING} and its log are in it")
    chats = [source.read(log) for log, _ in found]
    if source.name.startswith(CORPUS_PREFIX):
        chats = [_with_corpus_system_lines(chat, log) for chat, (log, _) in zip(chats, found, strict=True)]
    golds = [read_annotation(annotation, len(chat)) for (_, annotation), chat in zip(found, chats, strict=True)]
    return Examples(chats, golds, tuple(file for pair in found for file in pair))


def _with_corpus_system_lines(chat: Chat, log: Path) -> Chat:
    """The chat with every line that begins with === as a system line.

    The corpus, and everything published on it, counts them so, though some of these lines in its oldest logs are
    actions. Other logs keep them as actions.
    """
    if not any(message.kind == "action" for message in chat):
        return chat
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    marked = (m._replace(kind="system") if line.startswith("===") else m for m, line in zip(chat, lines, strict=False))
    return Chat(chat.name, tuple(marked), chat.format)


def pairs(files: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """(log, annotation) for every annotation; of a single file its partner beside it, of two files these two."""
    annotations = [path for path in files if path.name.endswith(ANNOTATION_ENDING)]
    if len(files) == 2 and len(annotations) < 2:
        log, annotation = sorted(files, key=lambda path: path in annotations)
        yield log, annotation
    elif len(files) == 1 and not annotations:
        yield files[0], _annotation_of(files[0])
    else:
        yield from ((_log_of(annotation), annotation) for annotation in annotations)


def _log_of(annotation: Path) -> Path:
    base = annotation.name.removesuffix(ANNOTATION_ENDING)
    logs = [annotation.with_name(base + ending) for ending in LOG_ENDINGS]
    for log in logs:
        if log.is_file():
            return log
    raise Missing(str(logs[0]))


def _annotation_of(log: Path) -> Path:
    bases = [log.name.removesuffix(ending) for ending in LOG_ENDINGS if log.name.endswith(ending)]
    annotations = [log.with_name(base + ANNOTATION_ENDING) for base in bases]
    for annotation in annotations:
        if annotation.is_file():
            return annotation
    raise Missing(str(annotations[0]))


def read_annotation(path: Path, length: int) -> ReplyGraph:
    """The reply graph in a file of `a b -` lines, for a chat of that length."""
    return ReplyGraph.of(list(_links(str(path), enumerate(_lines(path), 1), length)), length)


def annotation_graphs(path: Path) -> dict[str, list[tuple[int, int]]]:
    """Chat -> links of a file that may hold many chats, as `chat:a b -`; lines without a name are of the chat ""."""
    of_chat: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate(_lines(path), 1):
        name, _, link = line.rpartition(":")
        of_chat.setdefault(name.rpartition("/")[2], []).append((number, link))
    return {name: list(_links(str(path), lines)) for name, lines in of_chat.items()}


def _lines(path: Path) -> list[str]:
    return read_bytes(path).decode("utf-8-sig", errors="replace").splitlines()


def _links(where: str, lines: Iterable[tuple[int, str]], length: int | None = None) -> Iterator[tuple[int, int]]:
    for number, line in lines:
        words = line.split()
        if not words:
            continue
        if len(words) not in (2, 3) or words[2:] not in ([], ["-"]) or not all(map(_is_number, words[:2])):
            raise Broken(where, f"line {number} is no link such as 1002 1000 -")
        one, other = int(words[0]), int(words[1])
        if length is not None and max(one, other) >= length:
            raise Broken(where, f"line {number} links message {max(one, other)}, but the chat ends at {length - 1}")
        yield one, other


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def annotation_lines(graph: ReplyGraph) -> Iterator[str]:
    """The inverse of reading: `a b -` lines, the parent first, in order of the replies."""
    return (f"{parent} {child} -" for child, parent in graph.links())


def sample() -> Examples[Chat, ReplyGraph]:
    """Two small chats with their reply graphs: two conversations at once, and a system line among them."""
    script = (
        ("ines", "does anybody know why my printer is offline?"),
        ("tomo", "hello all"),
        ("raul", "ines: is it plugged in?"),
        ("", "mika joined"),
        ("mika", "tomo: hello, how was the trip?"),
        ("ines", "raul: yes, since this morning"),
        ("tomo", "mika: long, but good"),
        ("raul", "then restart the queue"),
    )
    messages = tuple(
        Message(str(position), None, author, text, "message" if author else "system")
        for position, (author, text) in enumerate(script)
    )
    graph = ReplyGraph(((0,), (1,), (0,), (3,), (1,), (2,), (4,), (2, 5)))
    first = Chat("sample", messages)
    return Examples([first, first[:3]], [graph, ReplyGraph(graph.parents[:3])])
