"""People, drawn: marks at mentions, every mention of one person, and why a mention means somebody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import punctuation

from ..chat import Chat, Message
from ..layers import Layers, Link, Mention, Person
from ..people.data.mentions import kind_of
from ..people.data.scene import cast_of, speakers
from ..people.predict import RankedPerson
from ..people.reports.profiles import PersonMention, PersonProfile, ReferenceType, is_self_evident, words_of
from ..text import plural
from .annotations import Mark, Marks
from .style import GREY, QUIET, STRONG, Colours, Line, Segment, Style, style_of
from .wrap import clip, display_width, drawable_line

NOBODY = "nobody known"
CONFIDENT = 0.5  # probability; a link below it is as likely wrong as right

_WORDS_SHOWN = 6
_NAMES = 12
_PLURALS: dict[ReferenceType, str] = {"name": "names", "nickname": "nicknames", "pronoun": "pronouns", "noun": "nouns"}


def name_of(person: Person) -> str:
    return person.names[0] if person.names else person.id


def marks_of(chat: Chat, layers: Layers, in_colour: bool = True) -> Marks:
    """The mentions whose person is not obvious, underlined, with the name behind them.

    "I", a "you" after the name of the person, and links below CONFIDENT have no mark. In colour, names have
    the colour of their person and unknown people are grey, both without a note; where colours mean something else, as
    beside conversations, those have no mark either.
    """
    cast = cast_of(chat, layers.people)
    people = {person.id: person for person in cast}
    colours = colours_of(chat, cast) if in_colour else {}
    named = _named(chat, layers.links)
    found: dict[int, list[Mark]] = {}
    for link in layers.links:
        place = link.mention
        if _is_obvious(chat, link, named, people):
            continue
        is_plain_name = not link.people or is_self_evident(chat, link, people)
        if is_plain_name and not in_colour:
            continue
        colour = colours.get(link.people[0]) if len(link.people) == 1 else GREY if not link.people else None
        names = [drawable_line(name_of(people[id]) if id in people else id) for id in link.people]
        note = "" if is_plain_name else f"[→{', '.join(names)}]"
        mark = Mark(place.start, place.end, style_of(colour, underline=True), note)
        found.setdefault(place.position, []).append(mark)
    return found


def _is_obvious(chat: Chat, link: Link, named: Mapping[tuple[int, str], int], people: Mapping[str, Person]) -> bool:
    """Whether a mention needs no mark: see `marks_of`."""
    kind, mention = kind_of(words_of(chat, link)), link.mention
    if kind == "first" or (link.people and link.score < CONFIDENT):
        return True
    if kind != "second" or len(link.people) != 1:
        return False
    person = people.get(link.people[0])
    names = {name.casefold().strip(punctuation) for name in (person.id, *person.names)} if person else set()
    before = chat[mention.position].text[: mention.start].casefold().split()
    is_named = named.get((mention.position, link.people[0]), mention.start) < mention.start
    return is_named or any(word.strip(punctuation) in names for word in before)


def _named(chat: Chat, links: Iterable[Link]) -> Mapping[tuple[int, str], int]:
    """(position, person) -> where in the message a name or nickname first means the person."""
    found: dict[tuple[int, str], int] = {}
    for link in links:
        if len(link.people) == 1 and kind_of(words_of(chat, link)) in ("name", "noun"):
            found.setdefault((link.mention.position, link.people[0]), link.mention.start)
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


def draw_portrait(portrait: PersonProfile, width: int) -> Iterator[Line]:
    """A person under the heading of all names, how often which words were used, and every mention in its message."""
    person, mentions = portrait.person, portrait.mentions
    colour = style_of(colours_of(portrait.chat, [person])[person.id], bold=True)
    others = [drawable_line(name) for name in dict.fromkeys((*person.names, person.id)) if name != name_of(person)]
    facts = [
        plural(len(mentions), "mention"),
        f"by {plural(len({each.author for each in mentions}), 'person', 'people')}",
    ]
    yield ()
    yield Segment(" "), Segment(clip(drawable_line(name_of(person)), width - 2), colour)
    yield _quiet(" · ".join([f"in {drawable_line(portrait.chat.name)}", " ".join(facts), *others]), width)
    yield ()
    for way, counts in portrait.ways().items():
        words = [f"{drawable_line(word)} {count}" for word, count in counts.most_common(_WORDS_SHOWN)]
        more = ["…"] if len(counts) > _WORDS_SHOWN else []
        row = f"{_PLURALS[way]:<9}  {counts.total():>4}   {', '.join([*words, *more])}"
        yield Segment(" "), Segment(clip(row, width - 2))
    if mentions:
        yield ()
    yield from _mentions(portrait, width)


def _mentions(portrait: PersonProfile, width: int) -> Iterator[Line]:
    mentions = portrait.mentions
    number = max((len(str(each.link.mention.position + 1)) for each in mentions), default=1)
    names = min(max((display_width(drawable_line(each.author)) for each in mentions), default=0), _NAMES)
    underlined = style_of(colours_of(portrait.chat, [portrait.person])[portrait.person.id], underline=True)
    for each in mentions:
        position = Segment(f" {each.link.mention.position + 1:>{number}}  ", QUIET)
        author = clip(drawable_line(each.author), names)
        pad = " " * (names - display_width(author))
        probability = Segment(f" {100 * each.link.score:3.0f} %  ", QUIET)
        left = width - number - names - 13
        yield (
            position,
            Segment(f"{pad}{author}  "),
            probability,
            *_context(portrait.chat, each, underlined, max(left, 12)),
        )


def _context(chat: Chat, said: PersonMention, style: Style, width: int) -> Line:
    """The mention between brackets, with as much of its message around it as fits the width."""
    where = said.link.mention
    text = chat[where.position].text
    before, words, after = (" ".join(_words(part)) for part in (text[: where.start], said.words, text[where.end :]))
    words = clip(words, max(width - 4, 4))
    left = width - display_width(words) - 2
    shown = _tail(before, max(left // 2, left - display_width(after)))
    rest = clip(after, max(left - display_width(shown), 1))
    return Segment(shown), Segment("["), Segment(words, style), Segment("]"), Segment(rest)


def _words(text: str) -> list[str]:
    """The words of a text, with an empty one where a space begins or ends it."""
    line = drawable_line(text)
    return [
        *([""] if line[:1].isspace() else []),
        *line.split(),
        *([""] if line.strip() and line[-1:].isspace() else []),
    ]


def _tail(text: str, width: int) -> str:
    """The end of a text, with … before it where something is left out."""
    if display_width(text) <= width:
        return text
    while text and display_width(text) > width - 1:
        text = text[1:]
    return "…" + text


def draw_reasons(
    message: Message, found: Sequence[tuple[Mention, Sequence[RankedPerson]]], width: int
) -> Iterator[Line]:
    """A message, and for each mention in it who may be meant, how probable that is and why."""
    text = " ".join(drawable_line(message.text).split())
    yield Segment(" "), Segment(clip(f"{drawable_line(message.author)}: {text}", width - 2))
    for mention, candidates in found:
        yield ()
        words = drawable_line(message.text[mention.start : mention.end])
        yield Segment(" "), Segment(words, STRONG), Segment(f"  characters {mention.start} to {mention.end}", QUIET)
        for candidate in candidates:
            yield (
                Segment(f"   {100 * candidate.probability:5.1f} %  "),
                Segment(drawable_line(candidate.person) or NOBODY),
            )
            for reason in candidate.reasons:
                yield _quiet(f"             {drawable_line(reason)}", width)


def _quiet(text: str, width: int) -> Line:
    return Segment(" "), Segment(clip(text, width - 2), QUIET)
