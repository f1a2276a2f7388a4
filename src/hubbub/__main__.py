"""The program: `hubbub` and `python -m hubbub`. An interrupt before a command runs ends it silently."""

import sys
from _signal import SIG_DFL, SIG_IGN, SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]


def main() -> int:
    _end_at_interrupts()
    try:
        from .cli import main as run

        return run()
    finally:
        signal(SIGINT, SIG_IGN)  # all is done and told: an interrupt while Python itself ends would add a traceback


def _end_at_interrupts() -> None:
    """An interrupt ends the program.

    While modules are imported nothing needs to be put in order, and Python would turn an interrupt into all kinds
    of errors; so the built-in `_signal` is used, as `signal` imports more. Commands run with Python's handler again.
    """
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
