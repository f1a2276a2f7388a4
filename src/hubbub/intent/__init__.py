"""The task of intents: classifies what texts ask for, or that they are out of scope."""
