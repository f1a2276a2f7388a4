"""The gender that words suggest: nouns, titles, and first names."""

from __future__ import annotations

from collections.abc import Iterable

from ...layers import Person
from .names import stripped_nick
from .person_words import FEMALE, MALE, NAMES, word_set

EITHER_NAMES = word_set(
    """alex angel ariel ashley blake cameron casey chris dale dana drew dylan jackie jamie jan jay jess jo jordan kelly
    kim lee leslie lynn marion morgan pat quinn robin ronnie sam sandy shannon sidney stacy sydney terry tracy"""
)
FEMALE_NAMES = word_set(
    """abby abigail ada adele agnes alexandra alexis alice alicia alison allison alma amanda amber amelia amy ana andrea
    angela angie anita ann anna anne annie april astrid audrey ava barbara beatrice becky bella beth betty beverly
    bonnie brenda bridget carla carmen carol caroline carrie cassandra catherine cathy cecilia charlotte chelsea cheryl
    chloe christina christine cindy claire clara claudia connie cynthia daisy daniela danielle daphne dawn deb debbie
    deborah diana diane dolores donna doris dorothy edith eileen elaine eleanor elena elizabeth ella ellen elsa emily
    emma erica erin esther eva eve evelyn faith fay fiona florence frances gail gina ginger gloria grace greta gretchen
    gwen hannah harriet hazel heather heidi helen helena hilda holly hope ida ines ingrid irene iris irma isabel
    isabella ivy jade jane janet janice jasmine jean jeanne jen jennifer jenny jessica jill joan joanna joanne johanna
    josephine joy joyce juanita judith judy julia julie juliet june karen kate katherine kathleen kathryn kathy katie
    kay kristen kristin lana laura lauren laurie leah lena lillian lily linda lisa liz lois lola lori lorraine louise
    lucia lucille lucy lydia mabel maggie marcia margaret maria marian marie marilyn marissa marjorie marlene marsha
    martha mary maureen maxine maya megan melanie melinda melissa mercedes meredith michelle mila mindy minnie miranda
    miriam molly mona monica myra nadia nancy naomi natalie natasha nell nicole nina nora norma olga olivia paige pam
    pamela patricia patty paula pauline peggy penny petra phoebe phyllis polly priscilla rachel raquel rebecca regina
    renee rhonda rita roberta rosa rose rosemary roxanne ruby ruth sabrina sally samantha sandra sara sarah sharon
    sheila shelley shelly sherry shirley sofia sonia sonja sophia sophie stella stephanie sue susan susie suzanne
    sylvia tamara tania tanya tara teresa thea thelma theresa tiffany tina toni trudy ursula valerie vanessa vera
    veronica vicki victoria viola violet virginia vivian wanda wendy wilma yasmin yolanda yvonne zoe"""
)
MALE_NAMES = NAMES - FEMALE_NAMES - EITHER_NAMES

_FEMALE_SIGNS = FEMALE | word_set("mrs mrs. ms ms. miss aunt madame lady queen")
_MALE_SIGNS = MALE | word_set("mr mr. uncle king lord")


def word_gender(word: str) -> int:
    """1 for a word that means a woman, -1 for one that means a man, 0 otherwise."""
    low = word.rpartition("-")[2]
    return (low in FEMALE) - (low in MALE)


def person_gender(person: Person) -> float:
    """From -1, a man, to 1, a woman: as the cast declares, else as the names suggest."""
    if person.gender:
        return 1.0 if person.gender == "female" else -1.0
    return names_gender(person.names)


def names_gender(names: Iterable[str]) -> float:
    """The gender that names suggest; of a name that describes somebody by somebody else, "Ada's father", only the last
    word counts.
    """
    for name in names:
        words = name.casefold().replace("’", "'").split()
        known = words[-1:] if any("'" in word for word in words) else words
        signs = sum((word in _FEMALE_SIGNS) - (word in _MALE_SIGNS) for word in known)
        if signs:
            return 0.9 if signs > 0 else -0.9
        first = stripped_nick(known[0]) if known else ""
        if gender := (first in FEMALE_NAMES) - (first in MALE_NAMES):
            return 0.7 * gender
    return 0.0
