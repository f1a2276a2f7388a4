"""How the models of the task intent run."""
