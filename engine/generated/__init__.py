"""Forms of the rules that are generated from their source text, for `Value` and `check`.

Only here and in `engine.compiled` is text turned into code. The text comes from the operations
alone, never from a file or a text box.
"""
