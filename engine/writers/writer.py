"""Writer: compiles a formula to a function of one type of number.

A formula is a Python expression of the letters of the slots, `out` for the value, and functions
such as `exp`. A subclass rewrites the operators that its numbers have not, or have with another
meaning, such as `/` and `**`; its instance binds the names of the functions.

>>> import math
>>> Writer({"tanh": math.tanh}).function(("a",), "2 * tanh(a)")(0.0)
0.0
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def tree_of(text: str) -> ast.expr:
    """Return the syntax tree of an expression."""
    return ast.parse(text, mode="eval").body


def number_of(node: ast.Constant) -> float:
    """Return the number of a constant; formulas have no other constants."""
    assert isinstance(node.value, int | float)
    return node.value


def called(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the syntax tree of a call."""
    return ast.Call(ast.Name(name), list(arguments), [])


class Writer(ast.NodeTransformer):
    """Writes formulas for one type of number; `names` are its functions."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def write(self, text: str) -> str:
        """Return the source text of a formula for this type of number."""
        return ast.unparse(self.visit(tree_of(text)))

    def function(self, letters: Sequence[str], text: str) -> Callable[..., Any]:
        """Return a formula as a function of these letters."""
        parameters = ", ".join(letters)
        source = self.write(text)
        name = source.removesuffix(f"({parameters})")
        if name in self.names:
            return self.names[name]  # tanh itself is faster than lambda a: tanh(a)
        # eval is safe: the text is from the operation table, never from a user
        return eval(f"lambda {parameters}: {source}", dict(self.names))
