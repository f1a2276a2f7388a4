"""Features of the task intent: pure functions and arrays."""
