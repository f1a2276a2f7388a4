"""The inner loop of thread/hubbub, compiled by numba when it first runs and cached for later.

One step processes one message: tokens, shortlist, features of pairs, features of threads, decision, update.
A batch is the same step in a compiled loop, so that streaming and batches cannot differ. All arrays have a fixed size.
"""
