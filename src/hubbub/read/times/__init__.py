"""Times: clocks without dates, dates in any order and language, times in tables."""
