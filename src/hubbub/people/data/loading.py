"""Files -> scenes and who is meant in them.

What a file is, it says itself: CoNLL-2012 documents, the JSON layout of the character identification corpus, hubbub's
own JSON lines with links, a cast file or entity map, or lines `position start end person` in NAME.people.txt beside a
plain log. Where some files are named train and others test, the first are to learn from and the second to score on,
with the people of the first as the known ones.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ...chat import Chat
from ...errors import Broken, Missing, NoChats
from ...jsonl import load as load_lines
from ...layers import Link, Mention, Person, ReplyGraph
from ...ml.task import Examples, ExampleSource, Reader
from ..metrics import main_people
from .cast_file import file_text, read_cast
from .character_identification import parsed, read_dialogues
from .confirmed_links import check_link
from .conll import UNKNOWN_ID, read_conll
from .mentions import kind_of
from .sample import SAMPLE, scene_from_markup
from .scene import SPEAKER_SEPARATOR, Key, Scene, cast_of, speakers

ANNOTATION = ".people.txt"
LOGS = (".log", ".txt", ".raw.txt", ".jsonl", ".json", ".csv", "")
UNKNOWN = "-"

AnnotatedScene = tuple[Scene, tuple[Link, ...]]
FileType = Literal["cast", "conll", "dialogues", "lines", "annotation", "other"]

_MAP = re.compile(r"entity[_-]?map")
_LAYOUT = re.compile(r'"(?:episodes|scenes|utterances)"\s*:')
_TRAINING = re.compile(r"(?<![a-z])(?:train|trn)(?![a-z])")
_TEST = re.compile(r"(?<![a-z])(?:test|tst)(?![a-z])")


def load(source: ExampleSource) -> Examples[Scene, Sequence[Link]]:
    """Every scene in the files; golds are Keys."""
    sorts = {path: file_type(path) for path in source.files}
    casts = [path for path, sort in sorts.items() if sort == "cast"]
    sources = [path for path, sort in sorts.items() if sort not in ("cast", "other")] or _annotations(source.files)
    training, scored = ([path for path in sources if part.search(path.name.lower())] for part in (_TRAINING, _TEST))
    chosen = sources if not (training and scored) else training if source.use != "evaluate" else scored
    known = training if training and chosen == scored else []
    cast = tuple(person for path in casts for person in read_cast(path))
    passages = with_cast([each for path in chosen for each in _passages(path, cast, source.read)])
    if not passages:
        raise NoChats(source.name, f"nothing in it says who is meant: CoNLL, JSON, or a log and its *{ANNOTATION}")
    before = [link for path in known for _, links in _passages(path, cast, source.read) for link in links]
    return Examples([scene for scene, _ in passages], keys(passages, before), (*casts, *chosen, *known))


def with_cast(passages: Sequence[AnnotatedScene]) -> list[AnnotatedScene]:
    """The passages, those without a cast given that of all: everybody who speaks or is meant anywhere.

    An id that is a number has the name of the speaker who says "I" with it, if any.
    """
    bare = [(scene, links) for scene, links in passages if not scene.cast]
    first_person = (
        (scene.chat[link.mention.position].author, link.people[0])
        for scene, links in bare
        for link in links
        if link.people and kind_of(scene.text(link.mention)) == "first"
    )
    speaks_as = Counter(first_person)
    names: dict[str, str] = {}
    for (author, person), _ in speaks_as.most_common():
        if person.isdecimal() and author not in names.values():
            names.setdefault(person, author)
    meant = dict.fromkeys(person for _, links in bare for link in links for person in link.people)
    people = [Person(person, (names.get(person) or person.replace("_", " "),)) for person in meant]
    named = {name.casefold() for person in people for name in person.names}
    authors = dict.fromkeys(name for scene, _ in bare for author in scene.chat.authors() for name in speakers(author))
    cast = (*people, *(Person(name, (name,)) for name in authors if name.casefold() not in named))
    return [(scene if scene.cast else replace(scene, cast=cast), links) for scene, links in passages]


def keys(passages: Sequence[AnnotatedScene], training: Sequence[Link] = ()) -> list[Key]:
    """The gold data of scenes for scoring; `learnt` are the links of the training part, if there is one."""
    main = main_people(training or [link for _, links in passages for link in links])
    known = frozenset(person for link in training for person in link.people) if training else None
    return [
        Key(links, tuple(kind_of(scene.text(link.mention)) for link in links), main, known) for scene, links in passages
    ]


def file_type(path: Path) -> FileType:
    """What a file is, by its name and its beginning."""
    if path.name.endswith(ANNOTATION):
        return "annotation"
    if path.suffix.lower() == ".toml" or _MAP.search(path.name.lower()):
        return "cast"
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            head = file.read(4000).lstrip()
    except OSError:
        return "other"
    if head.startswith("#begin document"):
        return "conll"
    if head.startswith('{"hubbub"'):
        return "lines"
    if path.suffix.lower() == ".json":
        return "dialogues" if _LAYOUT.search(head) else "cast"
    return "cast" if path.suffix.lower() == ".csv" and re.match(r"\W?id\W", head) else "other"


def _annotations(files: Sequence[Path]) -> list[Path]:
    """The annotations beside plain logs."""
    bases = [path.with_name(path.name.removesuffix(end)) for path in files for end in LOGS if path.name.endswith(end)]
    beside = dict.fromkeys(base.with_name(base.name + ANNOTATION) for base in bases)
    return [path for path in beside if path.is_file()]


def _passages(path: Path, cast: tuple[Person, ...], read: Reader) -> Iterator[AnnotatedScene]:
    """The scenes of a file and the links in each."""
    where = str(path)
    match file_type(path):
        case "conll":
            yield from read_conll(where, file_text(path).split("\n"), cast)
        case "dialogues":
            text = file_text(path)
            yield from read_dialogues(where, parsed(where, text), cast, text)
        case "lines":
            yield from _lines(where, file_text(path), cast)
        case _:
            yield _annotated(path, cast, read)


def _lines(where: str, text: str, cast: tuple[Person, ...]) -> Iterator[AnnotatedScene]:
    lines = _Counted(text)
    chats = load_lines(lines)
    while True:
        try:
            found = next(chats, None)
        except (KeyError, TypeError, ValueError) as error:
            raise Broken(where, f"line {lines.number} is neither a message nor a layer: {error}") from error
        if found is None:
            return
        chat, layers = found
        known = frozenset(person.id for person in cast_of(chat, layers.people or cast))
        for number, link in zip(lines.links, layers.links, strict=True):
            check_link(where, number, link, chat, known)
        lines.links.clear()
        yield _passage(chat, layers.links, layers.people or cast, layers.replies)


class _Counted:
    """The lines of a text that are not blank, the number of the last one, and those of the links since a reset."""

    def __init__(self, text: str) -> None:
        self.number = 0
        self.links: list[int] = []
        self._lines = text.split("\n")

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self._lines, 1):
            self.number = number
            if line.strip():
                yield line
            if '"link"' in line and json.loads(line).get("layer") == "link":
                self.links.append(number)


def _annotated(annotation: Path, cast: tuple[Person, ...], read: Reader) -> AnnotatedScene:
    base = annotation.name.removesuffix(ANNOTATION)
    logs = [annotation.with_name(base + ending) for ending in LOGS]
    log = next((path for path in logs if path.is_file()), None)
    if log is None:
        raise Missing(str(logs[0]))
    chat = read(log)
    return _passage(chat, read_annotation(str(annotation), file_text(annotation).split("\n"), chat, cast), cast)


def _passage(
    chat: Chat, links: Sequence[Link], cast: tuple[Person, ...], replies: ReplyGraph | None = None
) -> AnnotatedScene:
    ordered = tuple(sorted(links, key=lambda link: (link.mention.position, link.mention.start, -link.mention.end)))
    mentions = tuple(link.mention for link in ordered)
    return Scene(chat, cast_of(chat, cast), mentions, chat.name, replies), ordered


def read_annotation(where: str, lines: Sequence[str], chat: Chat, cast: Sequence[Person]) -> list[Link]:
    """Links from lines `position start end person`; several people are parted by commas, - is nobody known."""
    known = frozenset(person.id for person in cast_of(chat, cast))
    links = []
    for number, line in enumerate(lines, 1):
        words = line.split(maxsplit=3)
        if not words or line.startswith("#"):
            continue
        if len(words) < 4 or not all(word.isdecimal() for word in words[:3]):
            raise Broken(where, f"line {number} is no position, start, end and person such as 12 0 3 ines")
        position, start, end = map(int, words[:3])
        people = () if words[3].strip() == UNKNOWN else tuple(words[3].strip().split(SPEAKER_SEPARATOR))
        links.append(Link(Mention(position, start, end), people))
        check_link(where, number, links[-1], chat, known)
    return links


def read_answers(path: Path, mentions: int) -> list[str]:
    """The ids in a file of answers, one a line, for so many mentions."""
    answers = file_text(path).split()
    if len(answers) != mentions:
        raise Broken(str(path), f"it has {len(answers)} answers, and there are {mentions} mentions")
    return answers


def answer_lines(links: Sequence[Link]) -> Iterator[str]:
    """The predictions for mentions in their order, one id a line; -1 for unknown."""
    return (",".join(link.people) or UNKNOWN_ID for link in links)


def answered(scenes: Sequence[Scene], answers: Sequence[str]) -> list[tuple[Link, ...]]:
    """Answers in the order of the mentions as links."""
    rest = iter(answers)
    ids = [[(mention, next(rest)) for mention in scene.mentions or ()] for scene in scenes]
    return [tuple(Link(m, () if id == UNKNOWN_ID else tuple(id.split(","))) for m, id in each) for each in ids]


def sample() -> Examples[Scene, Sequence[Link]]:
    """Two small scenes at a bicycle workshop, of the same people."""
    passages = [scene_from_markup(f"sample/{number:03}", lines) for number, lines in enumerate(SAMPLE)]
    return Examples([scene for scene, _ in passages], keys(passages))
