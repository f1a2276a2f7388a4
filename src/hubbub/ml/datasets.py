"""A dataset's name -> what it is, whose it is, and which files make each of its splits on this machine.

hubbub ships none of them and downloads nothing. They are looked for below the folder that --data names, else below
HUBBUB_DATA, else in the cache. What is found is a plain list of files; tasks read them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from ..bounded_files import must_be_finite
from ..errors import DatasetMissing, Empty, Missing, OptionError, UnknownName, Unreadable
from ..text import natural

Place = str | Path

_given: ContextVar[Place | None] = ContextVar("given", default=None)


@dataclass(frozen=True, slots=True)
class Dataset:
    """`homes` are the folders below a data folder where its files may lie; `splits` are globs below such a home.

    `format` is the format its logs are in, where it has logs.
    """

    name: str
    what: str
    licence: str
    citation: str
    page: str
    homes: tuple[str, ...]
    splits: Mapping[str, tuple[str, ...]]
    format: str | None = None

    def missing(self) -> DatasetMissing:
        return DatasetMissing(self.name, self.what, self.licence, self.page)


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """Files to train or evaluate on: a split of a dataset, or what the user named by path (then `split` is "")."""

    name: str
    split: str
    files: tuple[Path, ...]
    format: str | None = None

    def __str__(self) -> str:
        return f"{self.name}:{self.split}" if self.split else self.name


_UBUNTU_2019 = "Kummerfeld et al., A Large-Scale Corpus for Conversation Disentanglement, ACL 2019, https://aclanthology.org/P19-1374"

_BEFORE = ("2013-01/0[1-9]/#*.txt", "2013-01/1[0-8]/#*.txt")
_CHOSEN_ON = ("2013-01/19/#ubuntu.txt", "2013-01/2[01]/#ubuntu.txt")
_TESTED_ON = ("2013-01/2[2-4]/#ubuntu.txt",)

_ALL = (
    Dataset(
        "irc",
        "#Ubuntu IRC with reply graphs, 75,000 judged messages",
        "CC BY 4.0",
        _UBUNTU_2019,
        "https://jkk.name/irc-disentanglement (https://github.com/jkkummerfeld/irc-disentanglement)",
        ("irc", "irc-disentanglement/data", "data", "."),
        {split: (f"{split}/*.txt",) for split in ("train", "dev", "test")},
        "ubuntu",
    ),
    Dataset(
        "channel-two",
        "#Linux IRC with reply graphs, 2,600 messages",
        "CC BY 4.0",
        _UBUNTU_2019,
        "https://jkk.name/irc-disentanglement (https://github.com/jkkummerfeld/irc-disentanglement)",
        ("irc/channel-two", "channel-two", "irc-disentanglement/data/channel-two", "data/channel-two", "."),
        {split: (f"channel-two.{split}.*.txt",) for split in ("pilot", "dev", "test", "pilot-dev", "all")},
        "ubuntu",
    ),
    Dataset(
        "elsner-linux",
        "#Linux IRC with conversations by several annotators, 2,500 lines",
        "no licence of its own, shipped with GPL software",
        "Elsner and Charniak, You Talking to Me? A Corpus and Algorithm for Conversation Disentanglement, ACL 2008, "
        "https://aclanthology.org/P08-1095",
        "https://www.asc.ohio-state.edu/elsner.14/resources/chat-manual.html",
        ("elsner-linux", "IRC", "."),
        {split: (f"{split}/linux-{split}*",) for split in ("pilot", "dev", "test")} | {"unlabelled": ("linux.txt",)},
    ),
    Dataset(
        "clinc",
        "CLINC150, 23,700 queries of 150 intents and out of scope",
        "CC BY 3.0",
        "Larson et al., An Evaluation Dataset for Intent Classification and Out-of-Scope Prediction, EMNLP 2019, "
        "https://aclanthology.org/D19-1131",
        "https://github.com/clinc/oos-eval",
        ("clinc", "oos-eval/data", "data", "."),
        {
            **{split: (f"data_{split}.json",) for split in ("full", "small", "imbalanced", "oos_plus")},
            **{split: (f"{split}.json",) for split in ("binary_undersample", "binary_wiki_aug")},
        },
    ),
    Dataset(
        "friends",
        "SemEval-2018 Task 4, 448 scenes of a sitcom with 15,700 mentions of people",
        "Apache 2.0 for the annotations, the scripts are third-party",
        "Choi and Chen, SemEval 2018 Task 4: Character Identification on Multiparty Dialogues, "
        "https://aclanthology.org/S18-1007",
        "https://github.com/emorynlp/character-identification",
        ("friends", "semeval-2018-task4/dat", "dat", "."),
        {
            "train": ("friends.train.scene_delim*.conll", "friends_entity_map.txt"),
            "test": (
                "friends.test.scene_delim.conll",
                "friends.train.scene_delim*.conll",  # who is in it is known when the test part is scored
                "friends_entity_map.txt",
            ),
        },
    ),
    Dataset(
        "ubuntu-logs",
        "the raw logs of Ubuntu's IRC channels, unlabelled",
        "public logs, no licence stated",
        "Canonical Ltd., IRC logs of the Ubuntu channels, https://irclogs.ubuntu.com",
        "https://irclogs.ubuntu.com",
        ("ubuntu-logs", "irclogs.ubuntu.com"),
        {
            "all": ("**/#*.txt",),
            **dict.fromkeys(("train", "train-threads", "train-any", "train-rest"), _BEFORE),
            **dict.fromkeys(("dev", "dev-threads", "dev-helpers"), _CHOSEN_ON),
            **dict.fromkeys(("test", "test-threads", "test-helpers"), _TESTED_ON),
        },
        "ubuntu",
    ),
)

DATASETS: dict[str, Dataset] = {each.name: each for each in _ALL}


def dataset(name: str) -> Dataset:
    if name not in DATASETS:
        raise UnknownName("dataset", name, DATASETS)
    return DATASETS[name]


@contextmanager
def looking_in(data: Place | None) -> Iterator[None]:
    """For as long as it lasts, a folder that was given counts as given to whoever looks for a dataset."""
    before = _given.set(data or _given.get())
    try:
        yield
    finally:
        _given.reset(before)


def data_folder(data: Place | None = None) -> Path:
    """Where datasets are looked for: the folder given, else HUBBUB_DATA, else the cache."""
    preferred = data or _given.get()
    named = preferred or os.environ.get("HUBBUB_DATA")
    if named:
        folder = Path(named).expanduser()
        if not folder.is_dir():
            raise OptionError("--data" if preferred else "HUBBUB_DATA", named, "there is no such folder")
        return folder
    return cache_folder()


def cache_folder() -> Path:
    """Where hubbub may keep what can be made or fetched again."""
    cache = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(cache) if cache else Path("~/.cache").expanduser()) / "hubbub"
    except RuntimeError:
        raise OptionError("XDG_CACHE_HOME", "is missing", "there is no home folder that could hold a cache") from None


def located(which: Dataset, data: Place | None = None) -> Path | None:
    """The folder that holds a dataset, if one does."""
    top = data_folder(data)
    patterns = [pattern for split in which.splits.values() for pattern in split]
    for home in which.homes:
        if any(next(_matching(top / home, pattern), None) for pattern in patterns):
            return top / home
    return None


def find(on: Place | Sequence[Place], data: Place | None = None) -> FoundFiles:
    """What `--on` names: NAME:SPLIT of a dataset, or one or more files or folders."""
    named = [on] if isinstance(on, str | Path) else list(on)
    name, _, split = str(named[0]).partition(":") if named else ("", "", "")
    if len(named) == 1 and isinstance(named[0], str) and name in DATASETS:
        return _split(DATASETS[name], split, data)
    paths = [Path(each).expanduser() for each in named]
    for path in paths:
        if not path.exists():
            # A name that is neither a file nor a dataset: which of the two was meant decides the sentence.
            plain = not any(mark in str(path) for mark in "/\\.") and not path.is_symlink()
            if split or plain:
                raise UnknownName("dataset or file", str(path).partition(":")[0], DATASETS)
            raise Missing(str(path))
        must_be_finite(path)
    files = tuple(file for path in paths for file in _below(path))
    if not files:
        raise Empty(" ".join(map(str, paths)))
    return FoundFiles(" ".join(map(str, paths)), "", files)


def _split(which: Dataset, split: str, data: Place | None) -> FoundFiles:
    if split not in which.splits:
        splits = " or ".join(f"{which.name}:{each}" for each in which.splits)
        raise OptionError("--on", f"{which.name}:{split}" if split else which.name, f"say which split: {splits}")
    home = located(which, data)
    files = sorted({file for pattern in which.splits[split] for file in _matching(home, pattern)} if home else ())
    if not files:
        raise which.missing()
    return FoundFiles(which.name, split, tuple(files), which.format)


def _matching(home: Path, pattern: str) -> Iterator[Path]:
    return (path for path in home.glob(pattern) if path.is_file()) if home.is_dir() else iter(())


def _below(path: Path) -> list[Path]:
    """The file itself, or every file in the folder, in an order that no file system decides."""
    if not path.is_dir():
        return [path]
    return sorted((each for each in path.rglob("*") if each.is_file()), key=lambda each: natural(each.as_posix()))


def checksum(files: Iterable[Path]) -> str:
    """One sha256 over names and contents, the same wherever the files lie and in whatever order they come."""
    whole = sorted(path.absolute() for path in files)
    root = Path(os.path.commonpath([path.parent for path in whole])) if whole else Path()
    total = hashlib.sha256()
    for path in sorted(whole, key=lambda each: each.relative_to(root).as_posix()):
        total.update(f"{_sha256(path)}  {path.relative_to(root).as_posix()}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _sha256(path: Path) -> str:
    if path.is_fifo():
        raise Unreadable(str(path), "it is a pipe, and has to be read more than once")
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unreadable(str(path), error.strerror or "unknown reason") from error
