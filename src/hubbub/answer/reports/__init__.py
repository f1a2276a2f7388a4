"""Reports of the task answer: statistics, comparisons, quality of data."""
