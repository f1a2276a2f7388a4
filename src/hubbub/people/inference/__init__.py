"""How the models of the task people run."""
