"""Messages and files put together as chats: ids, order of time, names, the files of one export."""
