"""The room of answers: a context in, ranked replies out, learnt from dialogues that people really had."""
