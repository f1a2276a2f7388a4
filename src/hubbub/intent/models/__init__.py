"""The registered models of the task intent, one file each."""
