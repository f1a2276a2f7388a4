"""Configuration files, -q and -v: what is in force, from where, and what is wrong with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ..conftest import Put, Run

LOG = "[12:00] <ana> hi\n[12:01] <ben> ana: hello\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and the folder of the user's settings below it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("HUBBUB_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xdg" / "hubbub").mkdir(parents=True)
    (tmp_path / "chat.log").write_text(LOG, encoding="utf-8")
    return tmp_path


def user_file(home: Path, text: str) -> Path:
    path = home / "xdg" / "hubbub" / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_section_sets_defaults_and_options_win(home: Path, run: Run) -> None:
    user_file(home, '[thread]\nmodel = "thread/previous"\nto = "links"\n')
    assert run("thread", "chat.log").out == "0 0 -\n0 1 -\n"
    assert run("thread", "chat.log", "--to", "clusters").out == "chat:0 1\n"


def test_the_local_file_wins_over_the_users(home: Path, run: Run) -> None:
    user_file(home, '[read]\nto = "csv"\nspreadsheet-safe = true\n')
    (home / "hubbub.toml").write_text('[read]\nto = "summary"\nspreadsheet-safe = false\n', encoding="utf-8")
    assert run("read", "chat.log").records()[0]["messages"] == 2


def test_one_archive_for_every_command_relative_to_its_file(home: Path, run: Run) -> None:
    user_file(home, 'archive = "mine.db"\n')
    assert run("index", "chat.log", "--no-vectors").status == 0
    assert (home / "xdg" / "hubbub" / "mine.db").exists()
    assert "hello" in run("search", "hello").out


def test_a_named_file_replaces_both(home: Path, run: Run, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file(home, '[read]\nto = "csv"\n')
    monkeypatch.setenv("HUBBUB_CONFIG", str(put("other.toml", '[read]\nto = "summary"\n')))
    assert run("read", "chat.log").records()[0]["messages"] == 2
    monkeypatch.setenv("HUBBUB_CONFIG", "")
    assert run("read", "chat.log").records()[0]["hubbub"] == 1
    monkeypatch.setenv("HUBBUB_CONFIG", "missing.toml")
    assert "missing.toml: there is no such file" in run("read", "chat.log").err


@pytest.mark.parametrize("key", ["colours", "colors", "colour", "color"])
def test_colours(home: Path, run: Run, key: str) -> None:
    user_file(home, f'{key} = "always"\n')
    assert "\x1b[" in run("view", "chat.log").out
    assert "\x1b[" not in run("view", "chat.log", "--colour", "never").out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('archiv = "x"', "archiv: there is no such setting (did you mean archive?)"),
        ('[thraed]\nmodel = "x"', "thraed: there is no such setting (did you mean thread?)"),
        ('[read]\nformt = "irc"', "[read] formt: there is no such setting (did you mean format?)"),
        ('[read]\nto = "nonsense"', '[read] to = "nonsense": must be one of jsonl'),
        ("[intent.chekc]\nfolds = 2", "did you mean intent check?"),
        ('colours = "pink"', 'colours = "pink": must be one of auto, always, never'),
        ("archive = 3", "archive = 3: must be a path in quotes"),
        ("archive = ", "is not a valid TOML file"),
        ("[defaults]\nwidth = 3", "width: there is no such setting"),
        ("[archive]\nn = 3", "[archive] n: name the command, such as [archive.info]"),
        ('[read]\nstrict = "yes"', '[read] strict = "yes": must be true or false, without quotes'),
        ("[read]\nout = [1]", "[read] out = [1]: must be a number or a string"),
        ("[read]\njson = true", "[read] json: there is no such setting"),
    ],
)
def test_a_wrong_setting_is_one_sentence_that_names_its_file(home: Path, run: Run, text: str, sentence: str) -> None:
    path = user_file(home, text)
    done = run("read", "chat.log")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert sentence in done.err
    assert str(path) in done.err


def test_config_shows_values_and_files(home: Path, run: Run) -> None:
    path = user_file(home, 'cast = "cast.toml"\n[thread]\nmodel = "thread/lowe"\n[intent.check]\nfolds = 3\n')
    (home / "hubbub.toml").write_text('[thread]\nmodel = "thread/previous"\n', encoding="utf-8")
    shown = {each["setting"]: (each["value"], each["file"]) for each in run("config", "--json").records()}
    assert shown == {
        "cast": (str(path.parent / "cast.toml"), str(path)),
        "thread: model": ("thread/previous", "hubbub.toml"),
        "intent check: folds": (3, str(path)),
    }
    text = run("config").out
    assert f"{path}: read" in text
    assert "thread: model" in text
    user_file(home, "[people]\nthreshhold = 1\n")
    assert "did you mean threshold?" in run("config").err


def test_config_checks_the_values_of_all_sections(home: Path, run: Run) -> None:
    user_file(home, '[thread]\nthreshold = "high"\n')
    assert run("read", "chat.log").status == 0
    done = run("config")
    assert (done.status, done.out) == (2, "")
    assert '[thread] threshold = "high": must be a probability from 0 to 1.' in done.err


@pytest.mark.parametrize("section", ["[archive.list]", '["archive list"]'])
def test_defaults_have_a_section_beside_those_of_commands_of_two_words(home: Path, run: Run, section: str) -> None:
    user_file(home, f'[defaults]\narchive = "mine.db"\n{section}\nn = 1\n')
    chats = ("index", "chat.log", "--no-vectors", "--model", "thread/previous")
    assert run(*chats).status == 0
    (home / "other.log").write_text(LOG, encoding="utf-8")
    assert run("index", "other.log", *chats[2:]).status == 0
    assert len(run("archive", "list", "--json").records()) == 1
    assert len(run("archive", "list", "--json", "-n", 5).records()) > 1


def test_paths_in_sections_are_relative_to_their_file_too(home: Path, run: Run) -> None:
    user_file(home, '[read]\nout = "out.jsonl"\n')
    assert run("read", "chat.log").out == ""
    assert (home / "xdg" / "hubbub" / "out.jsonl").exists()


def test_an_option_of_several_values_is_set_by_one_or_by_a_list(home: Path, run: Run) -> None:
    for value in ('"a.csv"', '["a.csv"]'):
        user_file(home, f"[train]\non = {value}\n")
        assert "a.csv: there is no such file" in run("train", "intent", "--out", "x").err


def test_help_and_completion_need_no_valid_file(home: Path, run: Run) -> None:
    user_file(home, "[broken")
    for words in (["--help"], ["read", "--help"], ["archive"], ["completion", "bash"]):
        assert run(*words).status == 0
    assert "is not a valid TOML file" in run("read").err


def test_an_option_wins_over_a_setting_that_it_excludes(home: Path, run: Run) -> None:
    user_file(home, 'archive = "none.db"\n')
    (home / "replies.txt").write_text("hello there\n", encoding="utf-8")
    done = run("answer", "chat.log", "--at", 1, "--candidates", "replies.txt")
    assert done.records()[0]["text"] == "hello there"


def test_quiet_and_verbose(home: Path, run: Run) -> None:
    (home / "odd.log").write_text("no line of any log\n" + LOG, encoding="utf-8")
    words = ("read", "odd.log", "--format", "irc", "--to", "summary")
    assert "unexplained: 1 line" in run(*words).err
    assert run(*words, "-q").err == ""
    assert run("-q", *words).err == ""
    assert "odd: format irc" in run(*words, "-v").err
    failed = run("-q", "read", "none.log")
    assert (failed.status, failed.err) == (2, "hubbub: none.log: there is no such file or folder.\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("thred chat.log", "There is no command or file named 'thred' (did you mean 'thread'?)"),
        ("thread chat.log --modle x", "There is no option --modle (did you mean --model?)"),
        ("thread chat.log --to clustres", "(did you mean 'clusters'?)"),
        ("thread chat.log --model thread/hubub", "(did you mean 'thread/hubbub'?)"),
        ("read chat.log --format slak", "(did you mean 'slack'?)"),
        ("evaluate thread/hubbub --on ric:test", "ric"),
        ("read chat.log --out --strict", "--out needs a value, and --strict is an option"),
        ("read chat.log --json --to csv", "--json is a shorthand for --to json"),
        ("thread chat.log --conv 1", "There is no option --conv (did you mean --conversation?)"),
        ("thread chat.log --qqq", "There is no option --qqq; see hubbub thread --help."),
        ("read chat.log --to", "--to needs a value; see hubbub read --help."),
        ("read chat.log --json=x", "--json takes no value; see hubbub read --help."),
        (
            "read chat.log --to CSV",
            "--to CSV: must be one of jsonl, csv, parquet, text, summary, json (did you mean 'csv'?)",
        ),
        ("thread chat.log --why x", "--why x: must be a whole number, 1 or more."),
        ("--hlep", "There is no option --hlep (did you mean --help?)"),
        ("models x", "'x' is one argument too many; see hubbub models --help."),
        ("archive infos", "There is no command named 'archive infos' (did you mean 'archive info'?)"),
        ("archve info", "(did you mean 'archive'?)"),
        ("archive --in x info", "hubbub archive needs one of its commands before --in, such as archive info."),
    ],
)
def test_what_is_mistyped_gets_a_suggestion(home: Path, run: Run, line: str, sentence: str) -> None:
    done = run(*line.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert sentence in done.err


def test_a_file_is_no_mistyped_command(home: Path, run: Run) -> None:
    (home / "raed").write_text(LOG, encoding="utf-8")
    assert "hello" in run("raed").out


@pytest.mark.parametrize("words", [["archive"], ["archive", "--help"], ["archive", "-h"]])
def test_a_word_that_begins_commands_lists_them(run: Run, words: list[str]) -> None:
    done = run(*words)
    assert done.status == 0
    assert re.search(r"^  info +Show what an archive contains\.$", done.out, re.M)
    assert "  rethread  " in done.out


def test_help_as_a_word(run: Run) -> None:
    for words, same in ((["help"], ["--help"]), (["help", "read"], ["read", "-h"]), (["help", "archive"], ["archive"])):
        assert run(*words).out == run(*same).out != ""


def test_statistics_of_dialogues_go_where_they_should(home: Path, run: Run) -> None:
    shown = run("dialogues", "chat.log", "--to", "statistics").out
    assert run("dialogues", "chat.log", "--to", "statistics", "--out", "figures.txt").out == ""
    assert (home / "figures.txt").read_text(encoding="utf-8") == shown
