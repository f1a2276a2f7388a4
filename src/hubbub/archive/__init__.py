"""The archive: chats stored in one database that can be searched and asked."""
