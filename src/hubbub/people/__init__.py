"""The room of people: who is meant by every mention of a person."""
