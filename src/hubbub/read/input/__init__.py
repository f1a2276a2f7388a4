"""From paths to text: files, folders, archives, decompression and its limits, encodings and lines."""
