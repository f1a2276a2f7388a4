"""What an archive tells about its community: open questions, statistics, repeated questions, training data."""
