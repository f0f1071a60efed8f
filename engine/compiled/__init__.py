"""Graphs compiled for many runs: as straight-line Python, or as NumPy operations per level.

Start with `program`. It compiles a `tape` of `engine.generated` in one of two ways, `source` or
`levels`.
"""
