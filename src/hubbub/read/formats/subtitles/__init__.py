"""Subtitles with speakers: SubRip and WebVTT."""
