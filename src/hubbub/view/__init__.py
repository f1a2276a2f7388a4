"""Drawings, pictures, reports and exports of chats and their layers."""
