"""Limnoria and supybot, ChannelLogger: an ISO time, two blanks, *** nick <nick!user@host> has joined #channel."""

from __future__ import annotations

import re

from .dialect import Dialect
from .xchat_iso import LINE, event

DIALECT = Dialect(
    "limnoria", LINE, event, re.compile(r"^\S+  \*\*\* \S+ <\S+!\S+@\S+> has (?:joined|left|quit)"), plain=0.8
)
FORMAT = DIALECT.format()
