"""Reports of the task people: statistics, comparisons, quality of data."""
