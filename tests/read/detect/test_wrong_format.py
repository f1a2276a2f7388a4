"""A platform that was named wrongly: what its file looks like is said, and no garbage comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.errors import WrongFormat
from hubbub.read import read

SAMPLES = Path(__file__).parents[2] / "samples"
FILES = {
    "slack": "watch.json",
    "discord": "channel.json",
    "telegram": "result.json",
    "whatsapp": "spanish.txt",
    "matrix": "export.json",
    "mattermost": "bulk.jsonl",
    "rocketchat": "messages.json",
    "msteams": "graph.json",
    "zulip": "api.json",
    "gitter": "kelp_tides.json",
    "googlechat": "Takeout/Google Chat/Groups/DM k2Lm/messages.json",
    "messenger": "Otto Weiss_12.json",
    "signal": "rows.json",
    "discord-package": "package/messages/c701/messages.json",
    "zoom": "older.txt",
}
PAIRS = [(right, wrong) for right in FILES for wrong in FILES if right != wrong]


@pytest.mark.parametrize(("right", "wrong"), PAIRS)
def test_a_wrongly_named_platform_is_told_which_one_it_is(right: str, wrong: str) -> None:
    with pytest.raises(WrongFormat, match=f"it looks like {right}"):
        read(SAMPLES / right / FILES[right], format=wrong)
