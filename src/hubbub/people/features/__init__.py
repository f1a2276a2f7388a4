"""Features of the task people: pure functions and arrays."""
