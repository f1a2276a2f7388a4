"""Tests of hubbub.read.assembly."""
