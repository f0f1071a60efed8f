"""Graphs compiled for many runs: as straight-line Python, or as arrays.

Start with `program`. It compiles a `tape` of `engine.generated` in one of two ways, `source` or
`levels`; over many samples it runs the tape itself, `vectorized`.
"""
