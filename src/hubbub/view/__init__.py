"""Where layers become something to look at: drawings and exports."""
