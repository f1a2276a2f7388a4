"""Bridges: messages that a bot or a puppet account relayed from another network get their real authors."""
