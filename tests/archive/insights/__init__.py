"""Insights from an archive, on both engines."""
