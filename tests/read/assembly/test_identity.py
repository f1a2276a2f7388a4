"""Which files are one chat: those of one channel of one network, in the order of time, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

import hubbub
from hubbub.read.parsing.path_names import network_of

from ...conftest import Put

LOG = "[10:00:00] *** Joins: ann (a@b)\n[10:00:01] <ann> hello\n[10:01:00] <bob> hi ann\n"


def names(path: Path) -> list[str]:
    return sorted(hubbub.read_all(path).names())


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["freenode/#tea.log", "oftc/#tea.log"], ["#tea (freenode)", "#tea (oftc)"]),
        (["a/irc.libera.#tea.log", "a/irc.oftc.#tea.log"], ["#tea (irc.libera)", "#tea (irc.oftc)"]),
        (["2013-01/05/#tea.log", "2013-01/06/#tea.log"], ["#tea"]),
        (["2013/Jan/#tea.log", "2013/Feb/#tea.log"], ["#tea"]),
        (["oftc/2013/#tea.log", "oftc/2014/#tea.log", "efnet/2014/#tea.log"], ["#tea (efnet)", "#tea (oftc)"]),
        (["oftc/#tea/2013-01-05.log", "oftc/#tea/2013-01-06.log"], ["#tea"]),
    ],
)
def test_networks_tell_channels_of_one_name_apart(
    put: Put, tmp_path: Path, files: list[str], expected: list[str]
) -> None:
    for file in files:
        put(file, LOG)
    assert names(tmp_path) == expected


def test_days_that_two_programs_logged_are_one_chat(put: Put, tmp_path: Path) -> None:
    put("#tea_20200101.log", LOG)
    put("#tea_20200102.log", "09:00 -!- ann [a@b] has joined #tea\n09:01 < ann> day two\n")
    chat = hubbub.read(tmp_path)
    assert [message.text for message in chat][-1] == "day two"
    assert len(chat) == 5


@pytest.mark.parametrize(
    ("path", "network"),
    [
        ("freenode/2013-01/05/#tea.txt", ("freenode",)),
        ("logs/irc.libera.#tea.weechatlog", ("logs", "irc.libera")),
        ("#tea.log", ()),
        ("oftc/20130105.log", ("oftc",)),
        ("C:\\logs\\oftc\\#tea.log", ("C:", "logs", "oftc")),
    ],
)
def test_what_a_path_says_of_the_network(path: str, network: tuple[str, ...]) -> None:
    assert network_of(path) == network


@pytest.mark.parametrize(
    "log",
    [
        "[10:00] <ann> hello\n[10:01] <bob> hi\n[10:01] * bob waves\n",
        "[10:00] <ann> hello\n[10:01] <bob> hi\n[10:02] *** joe has joined #tea\n",
        "[10:00] <ann> hello\n=== bob is now known as rob\n10:03 < ann> a log that goes on elsewhere\n",
    ],
)
def test_a_short_log_goes_to_the_format_that_explains_most_of_it(put: Put, log: str) -> None:
    chat = hubbub.read(put("#tea.log", log))
    assert len(chat) >= 2
