"""Generated code: formulas as source text (`inline`), and the loop over a graph (`tape`).

It contains only text of the operation table, never that of a file or a text box.
"""
