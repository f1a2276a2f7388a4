"""The schema of an archive, the same on every engine, and what its columns mean.

Full-text search and the version of the schema are kept by the engine, each in its own way. Times are ISO 8601 text,
because exports have times with and without a time zone, and neither may be turned into the other. Ids of messages are
given in the order in which messages arrive; their order in the chat is `ordinal`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy import UniqueConstraint as Unique

VERSION = 3
metadata = MetaData()


def _id() -> Column[int]:
    """Ids are given out by the store, which has one writer at a time."""
    return Column("id", Integer, primary_key=True, autoincrement=False)


def _of(name: str, table: str, *, required: bool = True) -> Column[int]:
    return Column(name, Integer, ForeignKey(f"{table}.id"), nullable=not required)


networks = Table("networks", metadata, _id(), Column("name", Text, nullable=False, unique=True))

channels = Table(
    "channels",
    metadata,
    _id(),
    _of("network_id", "networks"),
    Column("name", Text, nullable=False),
    Column("format", Text, nullable=False),
    Unique("network_id", "name"),
)

# The messages of a channel on one date; of a log without dates, those between two midnights. `follows` is the day
# before it in such a log. `size` counts messages that have a time. `unit` names what was threaded together with it.
days = Table(
    "days",
    metadata,
    _id(),
    _of("channel_id", "channels"),
    Column("date", Text),
    _of("follows", "days", required=False),
    Column("size", Integer, nullable=False),
    Column("unit", Text),
    Unique("channel_id", "date"),
)

# `public_id` is what people see and type, such as c-7f3k2.
conversations = Table(
    "conversations",
    metadata,
    _id(),
    Column("public_id", Text, nullable=False, unique=True),
    _of("channel_id", "channels"),
    Column("first_message", Integer, nullable=False),
    Column("last_message", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("people", Integer, nullable=False),
    Column("started", Text),
    Column("ended", Text),
    Index("conversations_of_channel", "channel_id"),
)

# `ordinal` is (number of the day << 32) + position in the day. `relay` is the name under which a bridge posted it.
# System lines that belong to no conversation have no `conversation_id`.
messages = Table(
    "messages",
    metadata,
    _id(),
    _of("channel_id", "channels"),
    _of("day_id", "days"),
    Column("ordinal", BigInteger, nullable=False),
    Column("platform_id", Text, nullable=False),
    Column("time", Text),
    Column("clock", Text),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("relay", Text),
    Column("is_deleted", Boolean, nullable=False),
    _of("conversation_id", "conversations", required=False),
    Index("messages_of_channel", "channel_id", "ordinal"),
    Index("messages_of_conversation", "conversation_id", "ordinal"),
    Index("messages_of_author", "author"),
)

# Messages that left a conversation in a split or a merge; the messages themselves say where they are now. The first one
# of a conversation that is gone is the one from which its id was derived.
redirects = Table(
    "redirects",
    metadata,
    Column("old_id", Text, primary_key=True),
    Column("message_id", Integer, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
    Index("redirects_of_message", "message_id"),
    sqlite_with_rowid=False,
)

# Earlier texts of a message that was edited, or its last one if it was deleted.
versions = Table(
    "versions",
    metadata,
    Column("message_id", Integer, ForeignKey("messages.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("change", Text, nullable=False),
    Column("recorded", Text, nullable=False),
)

attachments = Table(
    "attachments",
    metadata,
    Column("message_id", Integer, ForeignKey("messages.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
)

# Who said that a link, mention or intent is there: "platform", "model" with its name and version, "given" with the
# chat that was added, or "human".
sources = Table(
    "sources",
    metadata,
    _id(),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Unique("kind", "name", "version"),
)

# A message that is its own parent is said to start a conversation.
replies = Table(
    "replies",
    metadata,
    Column("message_id", Integer, ForeignKey("messages.id"), primary_key=True),
    Column("parent_id", Integer, ForeignKey("messages.id"), primary_key=True),
    Column("source_id", Integer, ForeignKey("sources.id"), primary_key=True),
    Column("probability", Float, nullable=False),
    Index("replies_of_parent", "parent_id"),
    sqlite_with_rowid=False,
)

people = Table("people", metadata, _id(), Column("name", Text, nullable=False))

# `kind` is "nick", "puppet" (the account of a bridge) or "platform" (an id that the platform gave).
identities = Table(
    "identities",
    metadata,
    _id(),
    _of("person_id", "people"),
    _of("network_id", "networks"),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Unique("network_id", "kind", "name"),
    Index("identities_of_person", "person_id"),
)

mentions = Table(
    "mentions",
    metadata,
    Column("message_id", Integer, ForeignKey("messages.id"), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _of("person_id", "people", required=False),
    Column("probability", Float, nullable=False),
    _of("source_id", "sources"),
)

intents = Table(
    "intents",
    metadata,
    Column("message_id", Integer, ForeignKey("messages.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("probability", Float, nullable=False),
    _of("source_id", "sources"),
)

# Codes of vectors lie in blocks, so that all of them are read at once. A block covers the messages after the block
# before it up to `last`; those of `edited` are to be made again.
vectors = Table(
    "vectors",
    metadata,
    _id(),
    Column("last", Integer, nullable=False),
    Column("messages", LargeBinary, nullable=False),
    Column("codes", LargeBinary, nullable=False),
)

edited = Table("edited", metadata, Column("message_id", Integer, ForeignKey("messages.id"), primary_key=True))

# Rules about what is not stored: "private channel", "keep for", "no markers"; and the "salt" of the digests below.
consent_rules = Table(
    "consent_rules",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("value", Text, primary_key=True),
)

# Digests of names that are kept out. `words` is 0 for the name of an author, else the number of words that the name
# has in a text; `is_word` marks a name that is an ordinary word too.
tombstones = Table(
    "tombstones",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("words", Integer, nullable=False),
    Column("is_word", Boolean, nullable=False),
)
