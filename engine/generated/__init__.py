"""The rules of the operations in longer code: their texts, and the loop that runs a tape.

The texts come from the operations alone, never from a file or a text box.
"""
