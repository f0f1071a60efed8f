"""Writers: compilers from a formula of an operation to functions and to notation.

A row of `engine.ops` holds formulas such as `a * b`, and its local derivatives `b` and `a`. A
writer translates the syntax tree of a formula to Python for one type of number; `notation`
typesets it.

    functions   floats: IEEE 754 arithmetic without exceptions, with PyTorch's results;
                complex numbers: analytic continuation, for derivatives by a complex step
    notation    the screen and LaTeX

(`engine.compiled.arrays` is the writer for NumPy arrays.) The same formula in three of them:

>>> from engine.writers.functions import COMPLEX, FLOATS
>>> from engine.writers.notation import on_screen
>>> formula = "a ** 3 if a > 0 else -a"
>>> FLOATS.write(formula)
'pow(a, 3.0) if a > 0.0 else -a'
>>> COMPLEX.write(formula)
'pow(a, 3) if a.real > 0 else -a'
>>> on_screen(formula)
'a^3 if a > 0, else −a'

Only here, in `engine.compiled` and in `engine.tape` is text executed as code. It is the text of the
operation table, never that of a file or a text box.
"""
