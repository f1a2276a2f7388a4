"""Tests of hubbub.read.parsing."""
