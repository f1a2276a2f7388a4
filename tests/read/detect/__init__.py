"""Tests of hubbub.read.detect."""
