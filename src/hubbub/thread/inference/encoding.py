"""Messages into numbers, chunk by chunk: the part of threading that stays in Python."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice

import numpy as np

from ...chat import Message, renamed
from ...timeline import Timeline
from .state import Batch

CHUNK = 1024  # messages in a batch: enough that calling compiled code costs nothing, few enough for streaming
MAX_TEXT_CHARACTERS = 2000  # of a message; longer ones are pasted text
MAX_REMEMBERED_IDS = 1 << 16  # messages back that a recorded reply may refer to
KINDS = {"message": 0, "action": 1, "system": 2}


class MessageEncoder:
    """Makes batches of the messages of one chat, in order; it keeps the ids and the times of those before."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, int] = OrderedDict()
        self._recorded: dict[int, tuple[int, ...]] = {}
        self._position = 0
        self._timeline = Timeline()

    def batches(self, messages: Iterable[Message]) -> Iterator[Batch]:
        waiting = iter(messages)
        while chunk := list(islice(waiting, CHUNK)):
            yield self.batch(chunk)

    def recorded_parents(self, position: int) -> tuple[int, ...]:
        """The parents that the platform recorded for a message of the latest batch; they are dropped here."""
        return self._recorded.pop(position)

    def batch(self, messages: Sequence[Message]) -> Batch:
        names = [message.author.lower() for message in messages]
        texts = [message.text[:MAX_TEXT_CHARACTERS].lower() for message in messages]
        new_names = [_new_name(message) for message in messages]
        codes = "".join([*names, *texts, *new_names]).encode("utf-32-le", "surrogatepass")
        ends = np.fromiter(accumulate(map(len, [*names, *texts, *new_names]), initial=0), np.int64)
        count = len(messages)
        return Batch(
            np.frombuffer(codes, np.uint32).astype(np.int64),
            ends[count : 2 * count + 1],
            ends[: count + 1],
            np.stack([ends[2 * count : -1], ends[2 * count + 1 :]], 1),
            np.array([KINDS[message.kind] for message in messages], np.int64),
            np.array([self._minutes(message) for message in messages], np.float64),
            np.array([self._recorded_parent(message) for message in messages], np.int64),
        )

    def _minutes(self, message: Message) -> float:
        """Minutes on the scale of the chat, -1 if there is no time."""
        seconds = self._timeline.seconds(message)
        return -1.0 if seconds is None else max(seconds / 60, 0.0)

    def _recorded_parent(self, message: Message) -> int:
        """The position of the latest parent that the platform recorded, -1 for none."""
        known = {self._ids[each] for each in message.reply_to if each in self._ids} if message.reply_to else ()
        if known:
            self._recorded[self._position] = tuple(sorted(known))
        self._ids[message.id] = self._position
        self._position += 1
        if len(self._ids) > MAX_REMEMBERED_IDS:
            self._ids.popitem(last=False)
        return max(known, default=-1)


def _new_name(message: Message) -> str:
    pair = renamed(message) if message.kind == "system" else None
    return pair[1].lower() if pair else ""
