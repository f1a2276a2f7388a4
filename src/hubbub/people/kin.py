"""What people are to each other: nouns such as "mom" and "boss", and who is that to whom as a cast declares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..layers import Person

_TIES = {
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
_TURNED = {
    "parent": "child", "grandparent": "grandchild", "aunt": "niece", "boss": "employee", "teacher": "student",
    "doctor": "patient", "landlord": "tenant",
}  # fmt: skip
OTHER_WAY = {tie: tie for tie in _TIES} | _TURNED | {other: tie for tie, other in _TURNED.items()}
TIES: Mapping[str, tuple[str, int]] = {
    word: (tie, gender)
    for tie, groups in _TIES.items()
    for gender, words in zip((1, -1, 0), groups, strict=True)
    for word in words.split()
}


def tie_of(word: str) -> tuple[str, int] | None:
    """What a noun says somebody is to somebody, and the gender it says: "mom" is a parent, female."""
    low = word.casefold().removesuffix("-in-law").removeprefix("step").removeprefix("god")
    return TIES.get(low)


Declared = Mapping[tuple[str, str], Sequence[tuple[str, int]]]


def declared(cast: Sequence[Person]) -> Declared:
    """(person, tie) -> who is that to the person, and the gender the relation says; both ways round."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for person in cast:
        own = {"female": 1, "male": -1}.get(person.gender, 0)
        for relation, other in person.relations:
            if tie := tie_of(relation.removesuffix(" of").split()[-1]):
                found.setdefault((other, tie[0]), []).append((person.id, tie[1] or own))
                found.setdefault((person.id, OTHER_WAY[tie[0]]), []).append((other, 0))
    return found
