"""The archive as users see it: chats added, searched and asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..analysis import Analysis
from ..chat import Chat, Chats
from ..layers import ReplyGraph
from .adding import ThreadedMessage, add
from .ask import Answer, QuestionAnswerer
from .confidence import THRESHOLD
from .meaning import MeaningIndex
from .search import SearchFilters, SearchResults, Sort, search
from .store import ArchiveStore, Contents, StoredMessage

if TYPE_CHECKING:
    from ..ml.registry import AnyModel
    from .insights.faq import FaqEntry
    from .insights.statistics import ArchiveStatistics
    from .insights.unanswered import UnansweredQuestion
    from .privacy.consent import ConsentRules
    from .privacy.forget import ForgetReport
    from .privacy.pseudonymised_copy import PseudonymReport


class Added(int):
    """How many messages were new; `left_out` counts those that were not stored, by reason.

    `expired` is the number of stored messages that were removed because they are older than the archive may keep.
    """

    left_out: Mapping[str, int]
    expired: int

    def __new__(cls, new: int, left_out: Mapping[str, int], expired: int = 0) -> Self:
        made = super().__new__(cls, new)
        made.left_out, made.expired = dict(left_out), expired
        return made


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
        self._meaning: MeaningIndex | None = None

    def add(
        self,
        chats: Chat | Chats | Analysis,
        *,
        replies: ReplyGraph | None = None,
        model: str | Path | AnyModel | None = None,
        vectors: bool = True,
    ) -> Added:
        """Adds what the archive does not have yet and returns how many messages were new.

        Of an analysis, mentions and intents are stored too, and its reply links count as given. Reply links are
        predicted by `model`, unless `replies` of a single chat are given. `vectors` are what `ask` needs. `left_out` of
        the result counts what the rules of consent kept out, by reason.
        """
        from ..pipeline import Pipeline
        from .privacy.consent import remove_expired

        pipeline, new, left_out = Pipeline(True if model is None else model), 0, Counter[str]()
        layers = None
        if isinstance(chats, Analysis):
            layers, replies = chats.layers, replies or chats.replies
            chats = chats.chat
        for chat in [chats] if isinstance(chats, Chat) else chats:
            threader = pipeline.threader() if replies is None else None
            said = chat if replies is None else _threaded(chat, replies)
            steps = add(
                self.store, chat.name, chat.format, said,
                threader=threader, relays=chat.relays, layers=layers, left_out=left_out,
            )  # fmt: skip
            new += sum(fresh for _, fresh in steps)
        removed = remove_expired(self.store)
        if vectors:
            self.add_vectors()
        self._answerer = self._meaning = None
        return Added(new, left_out, removed)

    def add_vectors(self) -> None:
        """Makes vectors of the messages that have none yet."""
        from .confidence import static_encoder
        from .vectors import add_vectors

        for _ in add_vectors(self.store, static_encoder().encode):
            pass

    def set_consent(
        self,
        *,
        opt_out: Sequence[str] = (),
        private_channels: Sequence[str] = (),
        keep_for: str | None = None,
        markers: bool | None = None,
        reset: bool = False,
    ) -> ConsentRules:
        """Adds rules about what is not stored, and returns those in force; later runs honour them too.

        `opt_out` are names of people, `private_channels` names or patterns such as "#staff-*". `keep_for` is a duration
        such as "2y", or "forever". `markers` is whether messages that start with [off] or [nolog] are left out.
        `reset` removes the earlier rules first.
        """
        from .privacy.consent import change_rules, consent_rules

        change_rules(
            self.store,
            opt_out=opt_out,
            private_channels=private_channels,
            keep_for=keep_for,
            markers=markers,
            reset=reset,
        )
        return consent_rules(self.store)

    def forget(self, person: str, *, only_this_name: bool = False, all_places: bool = False) -> ForgetReport:
        """Removes a person for good, keeps them out of later imports, and reports what a scan of the files found.

        All names of the person are removed, unless `only_this_name`. A name that is an ordinary word too is replaced in
        texts of others only where it is certain to be a name; `all_places` replaces it everywhere.
        """
        from .privacy.forget import forget

        self._answerer = self._meaning = None
        return forget(self.store, person, only_this_name=only_this_name, all_places=all_places)

    def pseudonymise(self, out: str | Path, *, map_file: str | Path | None = None) -> PseudonymReport:
        """Writes a copy with roles in place of names to a new archive; `map_file` gets the names behind the roles."""
        from .privacy.pseudonymised_copy import pseudonymise

        return pseudonymise(self.store, out, map_file)

    def search(
        self,
        query: str,
        *,
        count: int = 10,
        filters: SearchFilters | None = None,
        sort: Sort = "relevance",
        facets: bool = False,
        vectors: bool = True,
    ) -> SearchResults:
        """The conversations that a query finds, each with its best lines and what to highlight in them.

        The query may have words, "phrases", prefix*, -exclusions, OR, parentheses and keys such as from:ada. Where the
        archive has vectors, they rank plain words too; `vectors=False` leaves them out.
        """
        if vectors and self._meaning is None:
            self._meaning = MeaningIndex.of(self.store)
        return search(
            self.store, query, count, filters, sort=sort, facets=facets, meaning=self._meaning if vectors else None
        )

    def ask(
        self, question: str, *, count: int = 5, threshold: float = THRESHOLD, filters: SearchFilters | None = None
    ) -> list[Answer]:
        """Answers that were given to such a question, the most probable first, none below the threshold."""
        if self._answerer is None:
            self._answerer = QuestionAnswerer(self.store)
        return self._answerer.ask(question, count, threshold, filters)

    def unanswered(self, *, count: int = 20, filters: SearchFilters | None = None) -> list[UnansweredQuestion]:
        """Questions without a reply or without a resolution, newest first, each with its probability."""
        from .insights.unanswered import unanswered

        return unanswered(self.store, count, filters)

    def stats(
        self, *, period: str = "week", count: int = 20, filters: SearchFilters | None = None
    ) -> ArchiveStatistics:
        """Messages, people, conversations and times to an answer by period and hour; helpers and topics."""
        from .insights.statistics import archive_statistics

        return archive_statistics(self.store, filters, period=period, count=count)

    def faq(self, *, count: int = 30, min_askers: int = 3, filters: SearchFilters | None = None) -> list[FaqEntry]:
        """Questions that several people asked, those of most people first, each with its best answer."""
        from .insights.faq import faq

        return faq(self.store, count, filters, least=min_askers)

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

    def __exit__(self, kind: object, error: BaseException | None, place: object) -> None:
        self.store.__exit__(kind, error, place)

    def __repr__(self) -> str:
        return f"<Archive {self.store.location!r}>"


def _threaded(chat: Chat, graph: ReplyGraph) -> list[ThreadedMessage]:
    scores = graph.scores or tuple((1.0,) * len(parents) for parents in graph.parents)
    return [
        ThreadedMessage(message, tuple(position - parent for parent in graph.parents[position]), scores[position])
        for position, message in enumerate(chat)
    ]
