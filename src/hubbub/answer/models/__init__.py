"""The registered models of the task answer, one file each."""
