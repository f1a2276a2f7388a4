"""Features of the task answer: pure functions and arrays."""
