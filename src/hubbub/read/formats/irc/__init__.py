"""IRC logs: one engine, one file a dialect."""
