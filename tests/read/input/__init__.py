"""Tests of hubbub.read.input."""
