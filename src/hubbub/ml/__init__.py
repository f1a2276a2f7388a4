"""What all tasks share: the model registry, training and evaluation, storage, trees, the encoder."""
