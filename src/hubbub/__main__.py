"""The program: `hubbub` and `python -m hubbub`. An interrupt while the rest is being imported ends it silently."""

import sys


def main() -> int:
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
    finally:
        # The command has finished: an interrupt while Python itself ends would only add a traceback.
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
