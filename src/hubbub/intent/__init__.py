"""The room of intents: texts in, Intents out, or that they are out of scope."""
