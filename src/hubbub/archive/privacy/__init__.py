"""Privacy: consent when chats are added, forgetting a person, and copies with roles in place of names."""
