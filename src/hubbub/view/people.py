"""Who is meant, drawn: marks in the text of a chat, everything that is said of one person, why a mention is theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..chat import Chat, Message
from ..layers import Layers, Mention, Person
from ..people.desk import Reasoned
from ..people.scene import cast_of, speakers
from ..people.who import Portrait, Said, Way, is_plain
from ..text import plural
from .marks import Mark, Marks
from .style import GREY, QUIET, STRONG, Colours, Line, Span, Style
from .wrap import clip, display_width, drawable_line

NOBODY = "nobody known"
UNSURE = 0.5

_WORDS_SHOWN = 6
_NAMES = 12
_PLURALS: dict[Way, str] = {"name": "names", "nickname": "nicknames", "pronoun": "pronouns", "noun": "nouns"}


def name_of(person: Person) -> str:
    return person.names[0] if person.names else person.id


def marks_of(chat: Chat, layers: Layers, in_colour: bool = True) -> Marks:
    """Every mention underlined, in the colour of the person; with a name behind it where the words do not tell.

    What is less probable than not has a question mark. Where colours mean something else, as beside conversations,
    marks have none. Somebody unknown is grey.
    """
    cast = cast_of(chat, layers.people)
    people = {person.id: person for person in cast}
    colours = colours_of(chat, cast) if in_colour else {}
    found: dict[int, list[Mark]] = {}
    for link in layers.links:
        colour = colours.get(link.people[0]) if len(link.people) == 1 else GREY if not link.people else None
        plain = not link.people or is_plain(chat, link, people)
        names = [drawable_line(name_of(people[id]) if id in people else id) for id in link.people]
        note = "" if plain else f"[→{', '.join(names)}{'?' * (link.score < UNSURE)}]"
        where = link.mention
        found.setdefault(where.position, []).append(Mark(where.start, where.end, Style(colour, underline=True), note))
    return found


def colours_of(chat: Chat, people: Iterable[Person]) -> Mapping[str, int]:
    """Everybody's colour: the one that their name has where they speak."""
    colours = Colours()
    spoken = dict.fromkeys(name for author in chat.authors() for name in speakers(author))
    named = {name.casefold(): name for name in reversed(spoken)}
    found = {}
    for person in people:
        names = [named[name.casefold()] for name in (person.id, *person.names) if name.casefold() in named]
        first = min(names, key=list(spoken).index) if names else name_of(person)
        found[person.id] = colours.of(first)
    return found


def draw_portrait(portrait: Portrait, width: int) -> Iterator[Line]:
    """A person under the heading of all names, how often which words were used, and every mention in its message."""
    person, mentions = portrait.person, portrait.mentions
    colour = Style(colours_of(portrait.chat, [person])[person.id], bold=True)
    others = [drawable_line(name) for name in dict.fromkeys((*person.names, person.id)) if name != name_of(person)]
    facts = [
        plural(len(mentions), "mention"),
        f"by {plural(len({each.author for each in mentions}), 'person', 'people')}",
    ]
    yield ()
    yield Span(" "), Span(clip(drawable_line(name_of(person)), width - 2), colour)
    yield _quiet(" · ".join([f"in {drawable_line(portrait.chat.name)}", " ".join(facts), *others]), width)
    yield ()
    for way, counts in portrait.ways().items():
        words = [f"{drawable_line(word)} {count}" for word, count in counts.most_common(_WORDS_SHOWN)]
        more = ["…"] if len(counts) > _WORDS_SHOWN else []
        row = f"{_PLURALS[way]:<9}  {counts.total():>4}   {', '.join([*words, *more])}"
        yield Span(" "), Span(clip(row, width - 2))
    if mentions:
        yield ()
    yield from _mentions(portrait, width)


def _mentions(portrait: Portrait, width: int) -> Iterator[Line]:
    mentions = portrait.mentions
    number = max((len(str(each.link.mention.position)) for each in mentions), default=1)
    names = min(max((display_width(drawable_line(each.author)) for each in mentions), default=0), _NAMES)
    style = Style(colours_of(portrait.chat, [portrait.person])[portrait.person.id], underline=True)
    for each in mentions:
        place = Span(f" {each.link.mention.position:>{number}}  ", QUIET)
        author = clip(drawable_line(each.author), names)
        pad = " " * (names - display_width(author))
        chance = Span(f" {100 * each.link.score:3.0f} %  ", QUIET)
        room = width - number - names - 13
        yield place, Span(f"{pad}{author}  "), chance, *_context(portrait.chat, each, style, max(room, 12))


def _context(chat: Chat, said: Said, style: Style, room: int) -> Line:
    """The mention between brackets with as much of its message around it as there is room for."""
    where = said.link.mention
    text = chat[where.position].text
    before, words, after = (" ".join(_kept(part)) for part in (text[: where.start], said.words, text[where.end :]))
    words = clip(words, max(room - 4, 4))
    left = room - display_width(words) - 2
    share = max(left // 2, left - display_width(after))
    shown = _tail(before, share)
    return Span(shown), Span("["), Span(words, style), Span("]"), Span(clip(after, max(left - display_width(shown), 1)))


def _kept(text: str) -> list[str]:
    """The words of a text, with an empty one where a blank begins or ends it."""
    line = drawable_line(text)
    return [
        *([""] if line[:1].isspace() else []),
        *line.split(),
        *([""] if line.strip() and line[-1:].isspace() else []),
    ]


def _tail(text: str, room: int) -> str:
    """The end of a text, with … before it where something is left out."""
    if display_width(text) <= room:
        return text
    while text and display_width(text) > room - 1:
        text = text[1:]
    return "…" + text


def draw_reasons(message: Message, found: Sequence[tuple[Mention, Sequence[Reasoned]]], width: int) -> Iterator[Line]:
    """A message, and for each mention in it who may be meant, how probable that is and why."""
    text = " ".join(drawable_line(message.text).split())
    yield Span(" "), Span(clip(f"{drawable_line(message.author)}: {text}", width - 2))
    for mention, candidates in found:
        yield ()
        words = drawable_line(message.text[mention.start : mention.end])
        yield Span(" "), Span(words, STRONG), Span(f"  characters {mention.start} to {mention.end}", QUIET)
        for candidate in candidates:
            yield Span(f"   {100 * candidate.chance:5.1f} %  "), Span(drawable_line(candidate.person) or NOBODY)
            for reason in candidate.reasons:
                yield _quiet(f"             {drawable_line(reason)}", width)


def _quiet(text: str, width: int) -> Line:
    return Span(" "), Span(clip(text, width - 2), QUIET)
