"""Tests of hubbub.read.bridges."""
