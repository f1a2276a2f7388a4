"""The registered models of the task thread, one file each."""
