"""Completion in shells where words contain colons and equals signs: `irc:test`, `--to=csv`, `chat:1.log`.

bash breaks a word at these characters and replaces only what follows the last of them, while click takes whole words.
So bash passes the line and the part that it replaces, and gets the rest of each completion. zsh and fish replace the
whole word, and click leaves out the `--to=` that the completion must begin with.
"""

from __future__ import annotations

import os
from glob import escape, glob
from typing import ClassVar

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    split_arg_string,
)

# -o nosort needs bash 4.4; $2 is what bash replaces.
BASH_SCRIPT = """\
%(complete_func)s() {
    local IFS=$'\\n' completion type value
    COMPREPLY=()
    for completion in $(env COMP_LINE="${COMP_LINE:0:$COMP_POINT}" COMP_REPLACED="$2" \
%(complete_var)s=bash_complete "$1"); do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == dir ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == file ]]; then
            COMPREPLY=()
            compopt -o default
        else
            COMPREPLY+=("$value")
        fi
    done
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class WholeWords(ShellComplete):
    """Completions that begin with all that is typed of the word, with the `--to=` before a value too."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        found, option = super().get_completions(args, incomplete), _option(incomplete)
        return [CompletionItem(option + each.value, help=each.help) if _is_plain(each) else each for each in found]


class BashCompletion(WholeWords, BashComplete):
    source_template: ClassVar[str] = BASH_SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)[1:]
        return (words, "") if not words or line[-1:].isspace() else (words[:-1], words[-1])

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Without what stays on the line; bash completes names of files, unless a part of the name stays there."""
        found = super().get_completions(args, incomplete)
        replaced, option = os.environ.get("COMP_REPLACED", ""), _option(incomplete)
        stays = incomplete.removesuffix(replaced) if incomplete.endswith(replaced) else ""
        items = [CompletionItem(each.value.removeprefix(stays)) if _is_plain(each) else each for each in found]
        if len(stays) <= len(option) or all(map(_is_plain, found)):
            return items
        names = sorted(glob(f"{escape(incomplete.removeprefix(option))}*"))
        files = [CompletionItem(f"{option}{name}".removeprefix(stays)) for name in names]
        return [*filter(_is_plain, items), *files]


class ZshCompletion(WholeWords, ZshComplete):
    pass


class FishCompletion(WholeWords, FishComplete):
    pass


def _option(word: str) -> str:
    """The option and the equals sign before a value."""
    name, equals, _ = word.partition("=")
    return name + equals if equals and name.startswith("--") else ""


def _is_plain(item: CompletionItem) -> bool:
    return bool(item.type == "plain")


SHELLS: dict[str, type[ShellComplete]] = {"bash": BashCompletion, "zsh": ZshCompletion, "fish": FishCompletion}
