"""Tests of hubbub.read.times."""
