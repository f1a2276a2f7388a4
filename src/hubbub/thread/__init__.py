"""The task of threads: predicts which message replies to which."""
