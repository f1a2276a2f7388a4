"""Tests of hubbub.read.formats."""
