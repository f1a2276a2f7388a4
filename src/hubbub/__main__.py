"""python -m hubbub is the same as hubbub."""

import sys

from .cli import main

sys.exit(main())
