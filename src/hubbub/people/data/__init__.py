"""Gold data of the task people: formats in and out, examples."""
