"""Features of the task thread: pure functions and arrays.

thread/hubbub uses message_features, candidate_features and thread_features, whose columns are named in feature_columns;
the published models use kummerfeld_features, elsner_features and pmi_vectors.
"""
