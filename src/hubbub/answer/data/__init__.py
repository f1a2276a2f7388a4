"""Gold data of the task answer: formats in and out, examples."""
