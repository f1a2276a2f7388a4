"""Gold data of the task thread: formats in and out, examples."""
