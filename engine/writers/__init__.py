"""Writers: the text of a rule, written for each kind of number and each reader.

A row of `engine.ops` holds the rules of an operation as texts: `a * b`, and its local derivatives
`b` and `a`. A writer makes a function of floats, of complex numbers or (in
`engine.compiled.arrays`) of NumPy arrays from such a text; `notation` writes it for the screen and
in LaTeX.

    writer            the syntax tree of a text, and the steps that all writers of functions share
    floats            IEEE 754 arithmetic without exceptions, with PyTorch's results
    complex_numbers   continued into the complex plane, for slopes measured by a complex step
    notation          as people write it: captions, and LaTeX

Only here and in `engine.compiled` and `engine.generated` is text turned into code. The text comes
from the operations alone, never from a file or a text box.
"""
