"""The archive as users see it: chats added, searched and asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..chat import Chat, Chats
from ..layers import ReplyGraph
from .adding import ThreadedMessage, add
from .ask import Answer, QuestionAnswerer
from .confidence import THRESHOLD
from .search import SearchFilters, SearchHit, search
from .store import ArchiveStore, Contents, StoredMessage

if TYPE_CHECKING:
    from ..ml.registry import AnyModel


class Archive:
    """Chats in one file that can be searched and asked. Use it as a context manager, or close it.

    >>> import tempfile, hubbub
    >>> from hubbub.data import samples
    >>> with tempfile.TemporaryDirectory() as folder, hubbub.Archive(f"{folder}/archive.db") as archive:
    ...     new = archive.add(hubbub.read(samples.path("support.log")), vectors=False)
    ...     archive.search("kettle")[0].found[0].message.author
    'pindrop'
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.store = ArchiveStore(path, create=not read_only)
        self._answerer: QuestionAnswerer | None = None

    def add(
        self,
        chats: Chat | Chats,
        *,
        replies: ReplyGraph | None = None,
        model: str | Path | AnyModel | None = None,
        vectors: bool = True,
    ) -> int:
        """Adds what the archive does not have yet and returns how many messages were new.

        Reply links are predicted by `model`, unless `replies` of a single chat are given. `vectors` are what `ask`
        needs.
        """
        from ..thread.predict import ThreadPredictor

        new = 0
        for chat in [chats] if isinstance(chats, Chat) else chats:
            threader = ThreadPredictor.of(model) if replies is None else None
            said = chat if replies is None else _threaded(chat, replies)
            steps = add(self.store, chat.name, chat.format, said, threader=threader, relays=chat.relays)
            new += sum(fresh for _, fresh in steps)
        if vectors:
            self.add_vectors()
        self._answerer = None
        return new

    def add_vectors(self) -> None:
        """Makes vectors of the messages that have none yet."""
        from .confidence import static_encoder
        from .vectors import add_vectors

        for _ in add_vectors(self.store, static_encoder().encode):
            pass

    def search(self, query: str, *, count: int = 10, filters: SearchFilters | None = None) -> list[SearchHit]:
        """The conversations that have the words, best first."""
        return search(self.store, query, count, filters)

    def ask(
        self, question: str, *, count: int = 5, threshold: float = THRESHOLD, filters: SearchFilters | None = None
    ) -> list[Answer]:
        """Answers that were given to such a question, the most probable first, none below the threshold."""
        if self._answerer is None:
            self._answerer = QuestionAnswerer(self.store)
        return self._answerer.ask(question, count, threshold, filters)

    def conversation(self, number: int) -> list[StoredMessage]:
        """The messages of a conversation in order."""
        return self.store.conversation(number)

    def contents(self) -> Contents:
        """How many chats, messages and conversations it holds."""
        return self.store.contents()

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Archive {self.store.location!r}>"


def _threaded(chat: Chat, graph: ReplyGraph) -> list[ThreadedMessage]:
    scores = graph.scores or tuple((1.0,) * len(parents) for parents in graph.parents)
    return [
        ThreadedMessage(message, tuple(position - parent for parent in graph.parents[position]), scores[position])
        for position, message in enumerate(chat)
    ]
