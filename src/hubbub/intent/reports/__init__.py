"""Reports of the task intent: statistics, comparisons, quality of data."""
