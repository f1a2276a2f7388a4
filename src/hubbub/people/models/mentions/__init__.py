"""Models that find mentions of people: mentions/tagger is models/mentions/tagger.py."""
