"""Retrieval: what comes back of a text when its chunks are searched, with labelled questions and without."""
