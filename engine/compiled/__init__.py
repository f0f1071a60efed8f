"""Graphs compiled for many runs: to a Python function (`program`), or over samples (`arrays`)."""
