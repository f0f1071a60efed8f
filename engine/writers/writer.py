"""Writer: makes a function of one kind of number from the text of a rule.

The texts are expressions of Python with the letters of the slots, `out` for the value, and the
names of functions such as `exp`. A kind of number says how its own functions are called, and what
becomes of an operator that works otherwise there, such as `/` and `**`.

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
    """Return the number of a constant; rows have no others."""
    assert isinstance(node.value, int | float)
    return node.value


def called(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the syntax tree of a call."""
    return ast.Call(ast.Name(name), list(arguments), [])


class Writer(ast.NodeTransformer):
    """Writes rules in the language of one kind of number; `names` are the functions it knows."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def write(self, text: str) -> str:
        """Return the rule as source text."""
        return ast.unparse(self.visit(tree_of(text)))

    def function(self, letters: Sequence[str], text: str) -> Callable[..., Any]:
        """Return the rule as a function of these letters; only rows of ours are evaluated."""
        given = ", ".join(letters)
        source = self.write(text)
        name = source.removesuffix(f"({given})")
        if name in self.names:
            return self.names[name]  # a mere call needs no function around it
        return eval(f"lambda {given}: {source}", dict(self.names))
