"""Graphs compiled for many runs: as straight-line Python, or as array operations.

Start with `program`. It compiles a tape (see `engine.tape`) to source, or to the array operations
of `levels`; over many samples it runs the tape with an array per node, `arrays`.
"""
