"""How the model of threads is trained: words, cues, vectors, then three forests, each on what the one before does."""
