"""Reports of the task thread: statistics, comparisons, quality of data."""
