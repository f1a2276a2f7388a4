"""Gold data of the task intent: formats in and out, examples."""
