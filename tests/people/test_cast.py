"""The linker for a known cast: what it learns, what it remembers, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hubbub.cli import main
from hubbub.errors import TooFew
from hubbub.layers import Link, Person
from hubbub.ml.registry import bundled, bundled_card, load, make
from hubbub.ml.task import task
from hubbub.people.data.sample import scene_from_markup
from hubbub.people.data.scene import Scene
from hubbub.people.models.cast import Cast

STORY = [
    ("Ines", "[Tomo|tomo], where is the [boss|rauf]?"),
    ("Tomo", "[I|tomo] saw [him|rauf] at the market. [You|ines] know [Rauf|rauf]."),
    ("Ines", "[I|ines] do. [He|rauf] is [my|ines] [boss|rauf] too."),
]


def scenes(count: int) -> tuple[list[Scene], list[tuple[Link, ...]]]:
    pairs = [scene_from_markup(f"story/{number:03}", STORY) for number in range(count)]
    return [scene for scene, _ in pairs], [links for _, links in pairs]


@pytest.fixture(scope="module")
def trained() -> Any:
    pytest.importorskip("lightgbm", reason="training needs LightGBM")
    return make("people/cast", first_trees=20, second_trees=10, folds=2).fit(*scenes(12))


def test_it_learns_who_is_meant_by_a_noun(trained: Any) -> None:
    asked, gold = scenes(1)
    assert [link.people for link in trained.predict(asked)[0]] == [link.people for link in gold[0]]
    assert "boss" not in str(trained.state())


def test_a_main_person_is_told_before_the_others(trained: Any) -> None:
    assert isinstance(trained, Cast)
    asked, _ = scene_from_markup("story/100", [("Tomo", "[I|tomo] am.")])
    assert trained.predict([asked])[0][0].people == ("tomo",)


def test_nothing_to_learn_from_is_said() -> None:
    pytest.importorskip("lightgbm", reason="training needs LightGBM")
    with pytest.raises(TooFew):
        make("people/cast").fit([], [])


def test_both_bundled_models_are_small_and_know_their_making() -> None:
    names = ("people/hubbub", "people/cast")
    size = sum(file.stat().st_size for name in names for file in Path(str(bundled()[name])).iterdir())
    assert size < 10_000_000
    for name in names:
        card = bundled_card(name)
        assert card is not None
        assert (card.dataset, card.seed) == ("friends:train", 0)


def test_a_cast_it_does_not_know_is_no_trouble() -> None:
    sample = task("people").sample()
    links = load("people/cast").predict(sample.inputs)
    ids = {person.id for person in sample.inputs[0].cast}
    assert all(ids.issuperset(link.people) for each in links for link in each)


CONLL = """#begin document (/play); part 000
/play 0 0 Hello UH * hello - - Ada_Lind * -
/play 0 1 Bo NNP * bo - - Ada_Lind * ({bo})

/play 0 0 I PRP * I - - Bo_Ek * ({bo})
/play 0 1 see VBP * see - - Bo_Ek * -
/play 0 2 you PRP * you - - Bo_Ek * ({ada})

/play 0 0 I PRP * I - - Ada_Lind * ({ada})
/play 0 1 do VBP * do - - Ada_Lind * -
#end document
"""


@pytest.mark.parametrize(("ada", "bo"), [("7", "9"), ("Ada_Lind", "Bo_Ek")], ids=["numbers", "names"])
def test_other_files_bring_their_own_cast(
    ada: str, bo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "play.conll"
    file.write_text(CONLL.format(ada=ada, bo=bo), encoding="utf-8")
    assert main(["evaluate", "people/hubbub", "--on", str(file), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert (scores["all_accuracy"], scores["second_accuracy"]) == (100.0, 100.0)


def test_ids_without_names_are_called_by_who_says_i(tmp_path: Path) -> None:
    from hubbub.people.data.conll import read_conll
    from hubbub.people.data.loading import with_cast

    passages = with_cast(list(read_conll("play", CONLL.format(ada="7", bo="9").split("\n"))))
    assert passages[0][0].cast == (Person("9", ("Bo Ek",)), Person("7", ("Ada Lind",)))
