"""The task of people: links every mention of a person to who is meant."""
