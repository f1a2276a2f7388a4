"""The inner loop of the model of threads, compiled by numba when it first runs and cached for later.

One step takes one message: words, shortlist, features of pairs, features of threads, decision, memory. A batch is the
same step in a compiled loop, so that live and batch cannot differ. All state is in arrays of a fixed size.
"""
