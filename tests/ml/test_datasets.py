"""Datasets: where they are looked for, what a missing one says, and one checksum wherever they lie."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hubbub.errors import DatasetMissing, Missing, OptionError, UnknownName, Unreadable
from hubbub.ml.datasets import DATASETS, checksum, data_folder, dataset, find, located


def put(top: Path, *names: str) -> Path:
    """Files of that name, each with its own name as content."""
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(name.rpartition("/")[2])
    return top


@pytest.fixture(autouse=True)
def nothing_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUBBUB_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_split_is_its_files_in_order(tmp_path: Path) -> None:
    put(tmp_path, "irc/test/b.raw.txt", "irc/test/a.raw.txt", "irc/test/a.annotation.txt", "irc/dev/c.raw.txt")
    found = find("irc:test", tmp_path)
    assert [path.name for path in found.files] == ["a.annotation.txt", "a.raw.txt", "b.raw.txt"]
    assert (found.name, found.split, found.format, str(found)) == ("irc", "test", "ubuntu", "irc:test")


LAYOUTS = [
    ("irc:train", "irc/train/a.raw.txt"),
    ("irc:train", "irc-disentanglement/data/train/a.raw.txt"),
    ("irc:train", "data/train/a.raw.txt"),
    ("irc:train", "train/a.raw.txt"),
    ("channel-two:pilot", "irc/channel-two/channel-two.pilot.raw.txt"),
    ("channel-two:pilot", "data/channel-two/channel-two.pilot.raw.txt"),
    ("elsner-linux:test", "elsner-linux/test/linux-test-0.annot"),
    ("elsner-linux:unlabelled", "elsner-linux/linux.txt"),
    ("clinc:oos_plus", "clinc/data_oos_plus.json"),
    ("clinc:full", "oos-eval/data/data_full.json"),
    ("clinc:binary_wiki_aug", "data/binary_wiki_aug.json"),
    ("friends:train", "friends/friends.train.scene_delim.reconstructed.conll"),
    ("friends:test", "semeval-2018-task4/dat/friends.test.scene_delim.conll"),
    ("ubuntu-logs:all", "ubuntu-logs/2013-01/05/#xubuntu.txt"),
    ("ubuntu-logs:all", "irclogs.ubuntu.com/2013/01/05/#xubuntu.txt"),
]


@pytest.mark.parametrize(("on", "file"), LAYOUTS)
def test_the_layouts_people_have_are_found(on: str, file: str, tmp_path: Path) -> None:
    put(tmp_path, file)
    assert [path.relative_to(tmp_path).as_posix() for path in find(on, tmp_path).files] == [file]


def test_pilot_does_not_take_the_files_of_pilot_dev(tmp_path: Path) -> None:
    put(tmp_path, *(f"channel-two/channel-two.{part}.raw.txt" for part in ("pilot", "pilot-dev")))
    assert len(find("channel-two:pilot", tmp_path).files) == 1


def test_data_then_environment_then_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [put(tmp_path / where, "clinc/data_full.json") for where in ("cache/hubbub", "environment", "option")]
    assert find("clinc:full").files[0].is_relative_to(places[0])
    monkeypatch.setenv("HUBBUB_DATA", str(places[1]))
    assert find("clinc:full").files[0].is_relative_to(places[1])
    assert find("clinc:full", places[2]).files[0].is_relative_to(places[2])


def test_the_cache_is_in_the_home_folder_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".cache" / "hubbub"


@pytest.mark.parametrize("which", DATASETS.values(), ids=lambda each: each.name)
def test_a_missing_dataset_says_what_where_and_how(which: object, tmp_path: Path) -> None:
    each = DATASETS[getattr(which, "name", "")]
    assert located(each, tmp_path) is None
    with pytest.raises(DatasetMissing) as caught:
        find(f"{each.name}:{next(iter(each.splits))}")
    said = str(caught.value)
    assert all(part in said for part in (each.name, each.what, each.licence, each.page, "--data", "HUBBUB_DATA"))
    assert "\n" not in said


def test_one_split_of_a_dataset_may_be_missing(tmp_path: Path) -> None:
    put(tmp_path, "irc/dev/a.raw.txt")
    with pytest.raises(DatasetMissing):
        find("irc:test", tmp_path)


def test_a_data_folder_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"^--data .*/nowhere: there is no such folder\.$"):
        find("irc:test", tmp_path / "nowhere")
    monkeypatch.setenv("HUBBUB_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(OptionError, match=r"^HUBBUB_DATA"):
        find("irc:test")


@pytest.mark.parametrize("on", ["irc", "irc:", "irc:tset"])
def test_a_split_must_be_named(on: str) -> None:
    with pytest.raises(OptionError, match="say which split: irc:train or irc:dev or irc:test"):
        find(on)


@pytest.mark.parametrize("on", ["icr:test", "icr"])
def test_an_unknown_dataset_lists_the_known(on: str) -> None:
    with pytest.raises(
        UnknownName, match=r"no dataset or file named 'icr' \(did you mean 'irc'\?\); known: channel-two"
    ):
        find(on)


def test_dataset_by_name() -> None:
    assert dataset("irc").licence == "CC BY 4.0"
    with pytest.raises(UnknownName, match="no dataset named 'nonsense'"):
        dataset("nonsense")


@pytest.mark.parametrize("on", ["logs/day1.txt", "day1.txt"])
def test_a_path_that_is_not_there(on: str) -> None:
    with pytest.raises(Missing):
        find(on)


def test_paths_are_files_and_folders(tmp_path: Path) -> None:
    put(tmp_path, "logs/day10.txt", "logs/day9.txt", "other.log")
    found = find([tmp_path / "other.log", tmp_path / "logs"])
    assert [path.name for path in found.files] == ["other.log", "day9.txt", "day10.txt"]
    assert found.split == ""


def test_a_folder_named_like_a_dataset_is_reached_by_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "irc/chat.txt")
    monkeypatch.chdir(tmp_path)
    assert [path.name for path in find("./irc").files] == ["chat.txt"]


def test_the_checksum_is_that_of_a_sha256_list(tmp_path: Path) -> None:
    put(tmp_path, "d/b.txt", "d/a.txt")
    lines = [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n" for name in ("a.txt", "b.txt")]
    right = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert checksum((tmp_path / "d").iterdir()) == right


def test_the_checksum_knows_no_place_and_no_order(tmp_path: Path) -> None:
    names = ("x/a.txt", "x/b.txt", "y/a.txt")
    here, there = put(tmp_path / "here", *names), put(tmp_path / "there", *names)
    assert checksum(here / name for name in names) == checksum(there / name for name in reversed(names))


def test_the_checksum_sees_names_contents_and_borders(tmp_path: Path) -> None:
    sums = set()
    for number, parts in enumerate([("ab", "c"), ("a", "bc"), ("ab", "d"), ("ab",)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for index, text in enumerate(parts):
            (folder / f"{index}.txt").write_text(text)
        sums.add(checksum(folder.iterdir()))
    (tmp_path / "3" / "0.txt").rename(tmp_path / "3" / "1.txt")
    sums.add(checksum((tmp_path / "3").iterdir()))
    assert len(sums) == 5


def test_a_file_that_went_away_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        checksum([tmp_path / "gone.txt"])
