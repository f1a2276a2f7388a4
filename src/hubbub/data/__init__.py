"""Bundled models and sample chats."""
