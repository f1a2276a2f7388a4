"""Detection: which format a file, folder or archive has, and which chats are in it."""
