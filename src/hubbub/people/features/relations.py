"""What people are to each other: nouns such as "mom" and "boss", and who is that to whom as a cast declares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...layers import Person

_NOUNS = {
    "parent": ("mother mom mommy mum mummy ma mama", "father dad daddy pa papa pop pops", "parent"),
    "child": ("daughter", "son", "child kid baby"),
    "sibling": ("sister sis", "brother bro", "sibling twin"),
    "spouse": ("wife", "husband hubby", "spouse"),
    "partner": ("girlfriend", "boyfriend", "partner date lover"),
    "former": ("ex-wife ex-girlfriend", "ex-husband ex-boyfriend", "ex"),
    "betrothed": ("fiancee", "fiance", ""),
    "grandparent": ("grandmother grandma granny nana", "grandfather grandpa granddad", "grandparent"),
    "grandchild": ("granddaughter", "grandson", "grandchild"),
    "aunt": ("aunt auntie", "uncle", ""),
    "niece": ("niece", "nephew", ""),
    "cousin": ("", "", "cousin"),
    "friend": ("", "buddy pal", "friend mate"),
    "roommate": ("", "", "roommate roomie flatmate housemate"),
    "neighbour": ("", "", "neighbor neighbour"),
    "colleague": ("", "", "colleague coworker co-worker teammate"),
    "boss": ("", "", "boss manager supervisor employer"),
    "employee": ("", "", "employee assistant secretary intern"),
    "teacher": ("", "", "teacher professor instructor tutor coach mentor"),
    "student": ("", "", "student pupil trainee apprentice"),
    "doctor": ("", "", "doctor doc therapist shrink dentist"),
    "patient": ("", "", "patient client"),
    "landlord": ("landlady", "landlord", ""),
    "tenant": ("", "", "tenant"),
}
_INVERSES = {
    "parent": "child", "grandparent": "grandchild", "aunt": "niece", "boss": "employee", "teacher": "student",
    "doctor": "patient", "landlord": "tenant",
}  # fmt: skip
INVERSE_RELATION = (
    {relation: relation for relation in _NOUNS} | _INVERSES | {other: relation for relation, other in _INVERSES.items()}
)
RELATION_NOUNS: Mapping[str, tuple[str, int]] = {
    word: (relation, gender)
    for relation, groups in _NOUNS.items()
    for gender, words in zip((1, -1, 0), groups, strict=True)
    for word in words.split()
}


def relation_of(word: str) -> tuple[str, int] | None:
    """What a noun says somebody is to somebody, and the gender it says: "mom" is a parent, female."""
    low = word.casefold().removesuffix("-in-law").removeprefix("step").removeprefix("god")
    return RELATION_NOUNS.get(low)


DeclaredRelations = Mapping[tuple[str, str], Sequence[tuple[str, int]]]


def declared_relations(cast: Sequence[Person]) -> DeclaredRelations:
    """(person, tie) -> who is that to the person, and the gender the relation says; both ways round."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for person in cast:
        own = {"female": 1, "male": -1}.get(person.gender, 0)
        for phrase, other in person.relations:
            if relation := relation_of(phrase.removesuffix(" of").split()[-1]):
                found.setdefault((other, relation[0]), []).append((person.id, relation[1] or own))
                found.setdefault((person.id, INVERSE_RELATION[relation[0]]), []).append((other, 0))
    return found
