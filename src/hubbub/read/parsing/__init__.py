"""Parsers and text rules that several formats share: HTML, JSON, emoji, file names, speakers, quotes."""
