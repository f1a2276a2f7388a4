"""Tables: CSV, TSV, JSON lines and Parquet, their columns known by name or by content."""
