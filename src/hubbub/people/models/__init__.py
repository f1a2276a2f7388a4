"""The registered models of the task people, one file each."""
