"""Unanswered questions: which, in which order, and how probable it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.archive.adding import add
from hubbub.archive.insights.question_threads import Outcome
from hubbub.archive.insights.unanswered import unanswered
from hubbub.archive.insights.unanswered_model import UnansweredModel, bundled_unanswered
from hubbub.archive.search import SearchFilters
from hubbub.archive.store import ArchiveStore
from hubbub.errors import ModelError

from ..conftest import Home
from .chats import filled, spoken


def askers(archive: ArchiveStore, count: int = 20, **options: object) -> list[str]:
    return [each.thread.asker for each in unanswered(archive, count, **options)]  # type: ignore[arg-type]


def test_the_newest_come_first_and_can_be_filtered(home: Home) -> None:
    with filled(home / "a.db") as archive:
        assert askers(archive) == ["tess", "kim", "sol"]
        assert askers(archive, 1) == ["tess"]
        assert askers(archive, outcomes=[Outcome.UNRESOLVED]) == ["kim", "sol"]
        assert askers(archive, filters=SearchFilters(until="2024-05-11")) == ["sol"]
        assert askers(archive, filters=SearchFilters(channel="#attic")) == []
        assert askers(archive, threshold=0.8) == ["tess"]


def test_a_question_whose_asker_is_addressed_elsewhere_is_less_probably_unanswered(home: Home) -> None:
    alone = (("tess", "does anybody know how to open the cellar window?"),)
    elsewhere = (("bo", "tess: pull it up a little first"), ("lou", "oh yes, Tess, it sticks"))
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", spoken((alone,), days=0)))
        (before,) = unanswered(archive)
        list(add(archive, "#garden", "irssi", spoken((alone, elsewhere), days=0)))
        (after,) = unanswered(archive, filters=SearchFilters(channel="#garden"))
        assert after.probability < before.probability
        assert unanswered(archive, filters=SearchFilters(channel="#house"))[0].probability == before.probability


def test_the_outcome_orders_the_probability() -> None:
    model = bundled_unanswered()
    order = [Outcome.NO_REPLY, Outcome.UNRESOLVED, Outcome.ANSWERED, Outcome.CONFIRMED]
    found = [model.probability(outcome) for outcome in order]
    assert found == sorted(found, reverse=True)
    assert model.probability(Outcome.NO_REPLY, 5) < model.probability(Outcome.NO_REPLY)


def test_a_model_is_saved_and_loaded_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    model = bundled_unanswered()
    assert UnansweredModel.load(model.save(tmp_path / "saved")) == model
    with pytest.raises(ModelError, match="one of its numbers"):
        UnansweredModel.load(UnansweredModel(1e9, 0, 0, 0, 0).save(tmp_path / "large"))
    (tmp_path / "saved" / "state.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError):
        UnansweredModel.load(tmp_path / "saved")
