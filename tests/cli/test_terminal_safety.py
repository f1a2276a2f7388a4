"""Nothing in a chat, in a name or in an argument drives the terminal, whichever command shows it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

import hubbub
from hubbub import jsonl as pipe
from hubbub.chat import Chat, Message
from hubbub.csv_output import CsvWriter
from hubbub.text import controls_escaped, controls_restored, printable

from ..conftest import Put, Run

ESC = "\x1b[31m\x1b]0;title\x07\x1b]52;c;aGk=\x07\x1b]8;;http://x.example\x1b\\here\x1b]8;;\x1b\\\x9b2J\x90q\x9c\x7f\x08\r"
TURN = "\u202e\u2066\u2028\ud800"
BAD = ESC + TURN
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")
PROGRESS = re.compile(r"\x1b\[\?25[lh]|\x1b\[\d*[AK]|\r")  # hide or show the cursor, go up, clear the line
SGR = re.compile(r"\x1b\[[0-9;]*m")
PACKAGE = Path(hubbub.__file__).parent


def messages() -> tuple[Message, ...]:
    said = (
        (f"ana{BAD}", f"does anybody know how to install java{BAD}?"),
        (f"ben{BAD}", f"ana{BAD}: apt install java, I told ana{BAD} so"),
        (f"ana{BAD}", f"ben{BAD}: thanks, that {BAD} helped me and ben"),
        ("", f"cleo changed the topic to {BAD}"),
        ("cleo", f"how do I return {BAD} my order?"),
    )
    return tuple(
        Message(f"{number}{BAD}", None, author, text, "message" if author else "system", (f"0{BAD}",) if number else ())
        for number, (author, text) in enumerate(said)
    )


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose files have hostile names and contents."""
    top = tmp_path_factory.mktemp("hostile")
    lines = [line for chat in (f"#help{BAD}", f"#other{BAD}") for line in pipe.chat_lines(Chat(chat, messages()))]
    (top / "chat.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    one = pipe.chat_lines(Chat(f"#one{BAD}", messages()))
    (top / "one.jsonl").write_text("".join(f"{line}\n" for line in one), encoding="utf-8")
    name = "log\x1b[31m\x9b2J\x7f\u202e.log"
    (top / name).write_text("no line of any log\n[12:00] <ana> hi\n[12:01] <ben> ana: hello\n", encoding="utf-8")
    with zipfile.ZipFile(top / "chats.zip", "w") as archive:
        archive.writestr(f"#a{name}", "[12:00] <ana> hi\n[12:01] <ben> ana: hello\n")
        archive.writestr(f"#b{name}", "no chat \x1b[31m at all\n")
    links = "0 0 -\n0 1 -\n"
    (top / f"x{name}").write_text(links, encoding="utf-8")
    asked = {f"price{BAD}": "what is the price {} " + BAD, "return": "how do I return {}?"}
    pairs = [{"text": text.format(n), "intent": name} for name, text in asked.items() for n in range(8)]
    (top / "intents.json").write_text(json.dumps(pairs), encoding="utf-8")
    (top / "replies.txt").write_text(f"try apt {ESC}\nno idea\n", encoding="utf-8")
    return top


def must_be_safe(*texts: str, colours: bool = False) -> None:
    for text in texts:
        rest = SGR.sub("", text) if colours else text
        assert not (found := CONTROL.search(rest)), repr(rest[max(0, found.start() - 40) : found.end() + 10])
        assert not HIDDEN.search(rest)


NAME = "log\x1b[31m\x9b2J\x7f\u202e.log"
SHOWN = [
    ["read", "CHAT"],
    ["read", "CHAT", "--to", "summary"],
    ["read", "CHAT", "--to", "text"],
    ["read", "TOP/NAME", "--format", "irc", "--to", "text"],
    ["read", "TOP/NAME", "--format", "irc"],
    ["read", "TOP/NAME", "--format", "irc", "--strict", "--to", "summary"],
    ["read", "TOP/none-NAME"],
    ["read", "TOP/chats.zip"],
    ["view", "CHAT"],
    ["view", "CHAT", "--colour", "always"],
    ["CHAT", "--colour", "always"],
    ["thread", "CHAT"],
    ["thread", "CHAT", "--to", "links"],
    ["thread", "CHAT", "--to", "clusters"],
    ["thread", "ONE", "--why", "1"],
    ["thread", "ONE", "--conversation", "99"],
    ["people", "CHAT"],
    ["people", "CHAT", "--to", "conll"],
    ["people", "CHAT", "--to", "text", "--colour", "always"],
    ["people", "CHAT", "--who", "cleo"],
    ["people", "CHAT", "--who", "x\x1b[31m"],
    ["people", "ONE", "--why", "1"],
    ["people", "CHAT", "--talk"],
    ["people", "CHAT", "--talk", "--to", "text"],
    ["people", "CHAT", "--talk", "--to", "graphml"],
    ["intent", "price \x1b[31m \u202e"],
    ["intent", "price \x1b[31m \u202e", "--to", "text"],
    ["intent", "--chat", "CHAT"],
    ["intent", "--chat", "CHAT", "--to", "rasa"],
    ["intent", "--chat", "CHAT", "--to", "text", "--colour", "always"],
    ["intent", "discover", "CHAT", "--least", "2"],
    ["intent", "discover", "CHAT", "--least", "2", "--to", "rasa"],
    ["intent", "discover", "CHAT", "--least", "2", "--to", "text"],
    ["intent", "check", "TOP/none-NAME"],
    ["search", "java", "--in", "DB"],
    ["search", "java", "--in", "DB", "--json"],
    ["search", "java", "--in", "DB", "--channel", "x\x1b[31m"],
    ["search", "java", "--in", "TOP/none-NAME"],
    ["show", "c-\x1b[31m", "--in", "DB"],
    ["archive", "show", "c-aaaaa", "--in", "DB", "--json"],
    ["archive", "info", "--in", "DB"],
    ["archive", "list", "--in", "DB"],
    ["archive", "remove", "x\x1b[31m", "--in", "DB"],
    ["archive", "export", "--out", "TOP/export-NAME", "--in", "DB"],
    ["archive", "check", "--in", "DB"],
    ["archive", "vacuum", "--in", "DB"],
    ["archive", "rethread", "--in", "DB"],
    ["archive", "forget", "x\x1b[31m", "--yes", "--in", "DB"],
    ["archive", "pseudonymise", "--out", "TOP/copy-NAME", "--in", "DB"],
    ["unanswered", "--in", "DB"],
    ["unanswered", "--in", "DB", "--to", "markdown"],
    ["stats", "--in", "DB"],
    ["faq", "--min-askers", "1", "--in", "DB"],
    ["export", "--for", "rag", "--out", "TOP/rag-NAME", "--in", "DB"],
    ["serve", "--in", "TOP/none-NAME"],
    ["mcp", "--in", "TOP/none-NAME"],
    ["ask", "how do I install java?\x1b[31m", "--in", "DB"],
    ["ask", "how do I install java?\x1b[31m", "--in", "DB", "--to", "text", "--threshold", "0"],
    ["answer", "ONE", "--at", "1", "--candidates", "TOP/replies.txt"],
    ["answer", "ONE", "--at", "1", "--candidates", "TOP/replies.txt", "--to", "text"],
    ["answer", "ONE", "--at", "1", "--in", "DB"],
    ["dialogues", "CHAT", "--how", "any"],
    ["dialogues", "CHAT", "--how", "any", "--to", "statistics"],
    ["examples", "TOP/none-NAME", "--out", "x"],
    ["agree", "TOP/xNAME", "TOP/xNAME"],
    ["agree", "TOP/xNAME", "TOP/none-NAME"],
    ["evaluate", "none\x1b[31m", "--on", "TOP/xNAME"],
    ["evaluate", "thread/previous", "--on", "TOP/NAME", "TOP/xNAME"],
    ["evaluate", "thread/previous", "--on", "TOP/NAME", "TOP/xNAME", "--json"],
    ["train", "none\x1b[31m", "--on", "x", "--out", "x"],
    ["train", "thread", "--recipe", "TOP/none-NAME"],
    ["reproduce", "none\x1b[31m"],
    ["config"],
    ["completion", "bash"],
    ["completion", "zs\x1b[31m"],
    ["datasets"],
    ["datasets", "--json", "--data", "TOP"],
    ["models"],
    ["models", "--json"],
    ["models", "--none\x1b[31m\x9b2J"],
    ["read", "CHAT", "--to", "none\x1b[31m\x9b2J"],
    ["none\x1b[31m"],
    ["intent", "check", "TOP/intents.json", "--model", "intent/fasttext", "--folds", "2"],
    ["intent", "price?", "--intents", "TOP/intents.json"],
    ["train", "intent", "--model", "intent/fasttext", "--on", "TOP/intents.json", "--out", "TOP/model-NAME"],
    ["evaluate", "TOP/model-NAME", "--on", "TOP/intents.json"],
    ["intent", "price?", "--model", "TOP/model-NAME", "--to", "text"],
    ["people", "CHAT", "--model", "TOP/model-NAME"],
    ["people", "CHAT", "--cast", "TOP/xNAME"],
    ["index", "CHAT", "--no-vectors", "--in", "TOP/archive-NAME"],
    ["index", "CHAT", "--in", "TOP/xNAME"],
    ["read", "CHAT", "--out", "TOP/none/NAME"],
    ["read", "CHAT", "--columns", "a=\x1b[31m", "--format", "csv"],
    ["read", "CHAT", "--timezone", "\x1b[31m"],
    ["dialogues", "CHAT", "--how", "any", "--to", "tsv", "--out", "TOP/xNAME"],
]


@pytest.fixture(scope="module")
def database(hostile: Path) -> Path:
    place = hostile / "archive.db"
    command = [sys.executable, "-m", "hubbub", "index", str(hostile / "chat.jsonl"), "--in", str(place)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=200)
    must_be_safe(done.stdout, done.stderr)
    return place


def filled(words: list[str], top: Path, database: Path) -> list[str]:
    meant = {"CHAT": str(top / "chat.jsonl"), "ONE": str(top / "one.jsonl"), "DB": str(database)}
    return [meant.get(word, word.replace("TOP", str(top)).replace("NAME", NAME)) for word in words]


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_no_command_shows_control_codes(words: list[str], hostile: Path, database: Path, run: Run) -> None:
    done = run(*filled(words, hostile, database))
    assert done.status in (0, 2, 3)
    assert done.out or done.err
    assert "mistake in hubbub itself" not in done.err
    must_be_safe(done.out, done.err, colours="always" in words)


@pytest.mark.parametrize(
    "words", [["read", "CHAT"], ["thread", "CHAT"], ["people", "CHAT"], ["people", "CHAT", "--talk"],
              ["intent", "--chat", "CHAT"]], ids=" ".join,
)  # fmt: skip
def test_tables_escape_control_codes(words: list[str], hostile: Path, database: Path, run: Run) -> None:
    done = run(*filled([*words, "--to", "csv"], hostile, database))
    assert done.status == 0
    must_be_safe(done.out.replace("\r\n", "\n"), done.err)
    assert "\\x1b[31m" in done.out
    safe = run(*filled([*words, "--to", "csv", "--spreadsheet-safe"], hostile, database))
    assert safe.status == 0


def test_every_verb_is_tried() -> None:
    from hubbub.cli import COMMANDS

    tried = {" ".join(words[:count]) for words in SHOWN for count in (1, 2)}
    assert set(COMMANDS) <= tried


def test_a_corpus_on_disk_is_safe_to_look_at(hostile: Path, tmp_path: Path, run: Run) -> None:
    chat, corpus, tree = hostile / "chat.jsonl", tmp_path / "corpus", tmp_path / "tree"
    assert run("thread", chat, "--to", "convokit", "--out", corpus).status == 0
    assert run("dialogues", chat, "--how", "any", "--to", "tsv", "--out", tree).status == 0
    for file in tmp_path.rglob("*.*"):
        must_be_safe(file.read_text(encoding="utf-8"))


SEVERAL = """
import json, sys
from pathlib import Path
from hubbub.cli import main
for number, words in enumerate(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))):
    status = main(words)
    print(f"{status}@@", end="", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")
def test_a_terminal_gets_colours_and_nothing_else(hostile: Path, database: Path, tmp_path: Path) -> None:
    """Every command, with standard output and error on the same terminal; the line of progress may be cleared."""
    commands, file = [filled(words, hostile, database) for words in SHOWN], tmp_path / "commands.json"
    file.write_text(json.dumps(commands), encoding="utf-8")
    shown = on_terminal([sys.executable, "-c", SEVERAL, str(file)]).split("@@")
    assert len(shown) == len(commands) + 1
    for words, text in zip(SHOWN, shown, strict=False):
        assert text[-1] in "023", words
        must_be_safe(PROGRESS.sub("", text), colours=True)


def on_terminal(command: list[str]) -> str:
    """What a terminal gets, to the byte: newlines stay as they are written."""
    import pty
    import termios

    keeper, terminal = pty.openpty()
    attributes = termios.tcgetattr(terminal)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    environ = {**os.environ, "TERM": "xterm-256color", "HUBBUB_PAGER": "", "COLUMNS": "90", "LINES": "50"}
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal, env=environ)
    os.close(terminal)
    shown = bytearray()
    with suppress(OSError):  # which says that nobody has the terminal open any more
        while piece := os.read(keeper, 65536):
            shown += piece
    os.close(keeper)
    assert process.wait(100) == 0
    return shown.decode("utf-8")


@pytest.mark.parametrize(
    "words", [["view", "CHAT"], ["thread", "CHAT"], ["people", "ONE"], ["people", "ONE", "--talk"],
              ["intent", "--chat", "ONE"], ["ask", "java?", "--in", "DB", "--threshold", "0"]], ids=" ".join,
)  # fmt: skip
def test_a_picture_is_xml_without_control_codes(words: list[str], hostile: Path, database: Path, run: Run) -> None:
    picture = hostile / "picture.svg"
    done = run(*filled(words, hostile, database), "--svg", picture)
    assert (done.status, done.out) == (0, "")
    must_be_safe("".join(ElementTree.parse(picture).getroot().itertext()), done.err)


def test_a_report_is_a_page_without_control_codes(hostile: Path, tmp_path: Path, run: Run) -> None:
    examples = (hostile / "intents.json").rename(hostile / "intents\x1b[31m\u202e.json")
    options = ("--model", "intent/fasttext", "--folds", 2, "--html", tmp_path / "page.html")
    done = run("intent", "check", examples, *options)
    examples.rename(hostile / "intents.json")
    assert done.status == 0
    must_be_safe((tmp_path / "page.html").read_text(encoding="utf-8"), done.out, done.err)


def test_progress_shows_no_control_codes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from hubbub.cli import progress

    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "CHECKED_EVERY", 1)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "300")
    assert list(progress.counted(iter([1, 2]), f"#one{BAD}")) == [1, 2]
    assert list(progress.counted_steps([1], f"#two{BAD}", 2)) == [1]
    with progress.working(f"#three{BAD}"):
        time.sleep(0.5)
    shown = capsys.readouterr().err
    assert all(name in shown for name in ("#one\\x1b", "#two\\x1b", "#three\\x1b"))
    must_be_safe(PROGRESS.sub("", shown), colours=True)


def test_suggested_intents_are_safe() -> None:
    from hubbub.intent.reports.discover import Topic, as_yaml

    must_be_safe(as_yaml([Topic(f"price{BAD}", ("price",), 3, 2, (f"what is the price {BAD}",), ())], 5))


def test_json_is_the_same_data() -> None:
    record = {"text": f"{BAD}\u200eß\u2029\x00", "n": [1.5, None]}
    line = pipe.dump(record)
    assert json.loads(line) == record
    must_be_safe(line)
    assert "ß" in line
    message = messages()[0]
    assert pipe.message_of(json.loads(pipe.message_line(message))) == message
    must_be_safe(pipe.message_line(message))


def test_numbers_that_json_does_not_have_are_null() -> None:
    record = {"kappa": float("nan"), "all": [float("inf"), 1.0]}
    assert json.loads(pipe.dump(record)) == {"kappa": None, "all": [None, 1.0]}


def test_printable() -> None:
    assert printable("plain – ß 👍🏽") == "plain – ß 👍🏽"
    assert printable("a\x1b[1m\n\t\x9b\u202e\udcff") == "a\\x1b[1m\\x0a\\x09\\x9b\\u202e\\udcff"
    assert printable("a\nb\tc\r", keep="\n\t") == "a\nb\tc\\x0d"
    assert printable("👨\u200d👩 \u200e \u00a0") == "👨\u200d👩 \u200e \u00a0"


def test_escapes_of_controls_are_exact() -> None:
    controls = ("\x1b", "\\x1b", "\\\\x1b", "\\x5c", "\\x41", "C:\\new", "a\tb\nc", "\x00\x7f\x9b", "\\")
    orders = ("\u202e\u2028\u2069", "\\u202e", "\\u0041", "\\x5cu202e")
    for text in (*controls, *orders):
        shown = controls_escaped(text)
        must_be_safe(shown)
        assert controls_restored(shown) == text


def test_a_spreadsheet_runs_nothing() -> None:
    out = io.StringIO()
    CsvWriter(out, spreadsheet_safe=True).row(["=1+1", "+1", "-1", "@x", "\tx", "plain", -0.5, None, "a=b"])
    assert next(csv.reader([out.getvalue()])) == ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "plain", "-0.5", "", "a=b"]


def test_a_table_is_exact_unless_it_is_for_a_spreadsheet(put: Put, run: Run) -> None:
    chat = Chat("#a", (Message("0", None, "=ana", "@all -1"), Message("1", None, "-", "+1")))
    log = put("chat.jsonl", "".join(f"{line}\n" for line in pipe.chat_lines(chat)))
    assert "'" not in run("read", log, "--to", "csv").out
    done = run("read", log, "--to", "csv", "--spreadsheet-safe").out
    assert done.splitlines()[0].endswith(",reply_to,spreadsheet_safe")
    assert done.splitlines()[1:] == ["#a,0,,,'=ana,'@all -1,message,,", "#a,1,,,'-,'+1,message,,"]
    assert "it needs --to csv" in run("read", log, "--spreadsheet-safe").err


@pytest.mark.parametrize("path", sorted((PACKAGE / "cli").glob("*.py")), ids=lambda path: path.name)
def test_verbs_write_to_the_terminal_in_one_way(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert "json.dumps" not in source
    if path.name not in ("console.py", "failures.py"):
        assert "file=sys.stderr" not in source
        assert "sys.stderr.write" not in source
