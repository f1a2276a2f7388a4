"""The room of threads: a Chat in, a ReplyGraph out."""
