"""The task of replies: ranks candidate replies for the context of a conversation."""
