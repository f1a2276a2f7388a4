"""hubbub completion: the script that makes a shell complete commands, options, formats, models, datasets and files."""

from __future__ import annotations

import click

from .command import Arguments, HubbubCommand
from .console import show
from .parameter_types import Name


@click.command(cls=HubbubCommand, uses_settings=False)
@click.argument("shell", metavar="SHELL", type=Name(("bash", "zsh", "fish")))
def command(arguments: Arguments) -> None:
    """Print the completion script for bash, zsh or fish.

    \b
    bash:  hubbub completion bash > ~/.local/share/bash-completion/completions/hubbub
    zsh:   hubbub completion zsh > ~/.zfunc/_hubbub       (with ~/.zfunc in fpath)
    fish:  hubbub completion fish > ~/.config/fish/completions/hubbub.fish
    """
    from .application import COMPLETE, NAME, application
    from .shell_completion import SHELLS

    shell = SHELLS[arguments.shell](application(), {}, NAME, COMPLETE)
    show(shell.source_template % shell.source_vars())
