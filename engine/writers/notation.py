r"""Notation: a formula as mathematics, on the screen and in LaTeX.

The syntax tree is typeset after three rewritings: `out` is replaced by the formula of the value,
x · x by x², and (1 − x) · (1 + x) by 1 − x².

>>> on_screen("(1 - out) * (1 + out)", "tanh(a)"), latex("(1 - out) * (1 + out)", "tanh(a)")
('1 − tanh(a)²', '1 - \\tanh^2(a)')

An operand that is substituted for a letter is bracketed if an operator beside it binds tighter than
the operand's own weakest one: `x + y` for b in `2 × b`.

>>> bracketed("x + y", "2 × ", "")
'(x + y)'
"""

import ast
import re
from typing import Final

from engine.writers.functions import constant_number, parse_formula

_NUMBER = re.compile(r"[−+-]?(\d+(\.\d*)?|inf|nan)(e[−-]?\d+)?")
_SIGNS = ("−", "-", "+")
# precedence, from weakest to strongest; a text has that of its weakest operator outside brackets
_NO_OPERATOR, _LIST, _ROUNDING, _COMPARISON, _SUM, _PRODUCT, _POWER, _ATOM = range(8)
_PRECEDENCE = {
    ",": _LIST,
    "≈": _ROUNDING,
    **dict.fromkeys("=<>≠≤≥", _COMPARISON),
    **dict.fromkeys("+−-", _SUM),
    **dict.fromkeys("*×·÷/", _PRODUCT),
    **dict.fromkeys("^²√", _POWER),
}
_NOT_ASSOCIATIVE = ("−", "-", "÷", "/", "^", "²", "√")
"""Operators that are not associative: on their right, equal precedence needs brackets too."""


def bracketed(filler: str, before: str, after: str) -> str:
    """Return an operand between two texts: in brackets if an operator beside it binds tighter.

    >>> bracketed("−3", "", " ^ 2"), bracketed("x + y", "2 × ", ""), bracketed("−3", "log(", ")")
    ('(−3)', '(x + y)', '−3')
    """
    left, right = before.rstrip()[-1:], after.lstrip()[:1]
    outer = max(_precedence_beside(left), _precedence_beside(right))
    inner = _weakest_precedence(filler)
    # −3 needs brackets after an operator, 2 − (−3), and before a power, (−3)²
    has_open_sign = filler.startswith(_SIGNS) and (
        _precedence_beside(left) >= _SUM or _precedence_beside(right) >= _POWER
    )
    equal_signs = [sign for sign in (left, right) if _precedence_beside(sign) == inner]
    # in (a ^ b) ^ c both sides need them; in (a + b) + c neither, in a − (b + c) the right one
    is_ambiguous = inner in (_LIST, _POWER) and bool(equal_signs)
    is_ambiguous = is_ambiguous or (left in _NOT_ASSOCIATIVE and left in equal_signs)
    return f"({filler})" if has_open_sign or inner < outer or is_ambiguous else filler


def needs_no_brackets(filler: str) -> bool:
    """Whether a text needs no brackets beside any operator.

    >>> needs_no_brackets("x1"), needs_no_brackets("log(x + y)"), needs_no_brackets("x + y")
    (True, True, False)
    """
    return not filler.startswith(_SIGNS) and _weakest_precedence(filler) == _ATOM


def _precedence_beside(sign: str) -> int:
    """The precedence of the character beside an operand."""
    if sign.isalpha():  # the end or the beginning of a word, as of `if`
        return _COMPARISON
    return _PRECEDENCE.get(sign, _NO_OPERATOR)


def _weakest_precedence(filler: str) -> int:
    """The precedence of the weakest operator of a text outside brackets."""
    if _NUMBER.fullmatch(filler):
        return _ATOM
    weakest, depth = _ATOM, 0
    for k, character in enumerate(filler):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:  # no formula, as `a) + (b`: it needs brackets beside anything
            return _LIST
        if depth == 0 and not (k == 0 and character in _SIGNS):
            weakest = min(weakest, _PRECEDENCE.get(character, _ATOM))
    if re.search(r"\b(if|else)\b", filler):
        weakest = min(weakest, _LIST)
    return weakest if depth == 0 else _LIST


# Typesetting a formula


def on_screen(text: str, out: str = "out") -> str:
    """Return the notation of captions and sentences; `out` is the formula of the value."""
    return _Screen().visit(_simplified_tree(text, out))


def latex(text: str, out: str = "out") -> str:
    """Return the LaTeX of a formula; `out` is the formula of the value."""
    return _Latex().visit(_simplified_tree(text, out))


def _simplified_tree(text: str, out: str) -> ast.expr:
    return _Rewriter(parse_formula(out)).visit(parse_formula(text))


class _Rewriter(ast.NodeTransformer):
    """Replaces `out` by the formula of the value, and products by squares."""

    def __init__(self, out: ast.expr) -> None:
        self._out = out

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._out if node.id == "out" else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Write x · x as x², and (1 − x) · (1 + x) as 1 − x²."""
        self.generic_visit(node)
        left, right = node.left, node.right
        if not isinstance(node.op, ast.Mult):
            return node
        if ast.dump(left) == ast.dump(right):
            return ast.BinOp(left, ast.Pow(), ast.Constant(2))
        if (
            isinstance(left, ast.BinOp)
            and isinstance(right, ast.BinOp)
            and (isinstance(left.op, ast.Sub) and isinstance(right.op, ast.Add))
            and ast.dump(left.left) == ast.dump(right.left) == ast.dump(ast.Constant(1))
            and ast.dump(left.right) == ast.dump(right.right)
        ):
            return ast.BinOp(
                left.left, ast.Sub(), ast.BinOp(left.right, ast.Pow(), ast.Constant(2))
            )
        return node


def _is_square(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Pow) and ast.dump(node.right) == ast.dump(ast.Constant(2))


class _Screen(ast.NodeVisitor):
    """Typesets a tree with Unicode signs; `bracketed` adds brackets by precedence."""

    _SIGNS: Final[dict[type[ast.operator | ast.cmpop], str]] = {
        ast.Add: " + ",
        ast.Sub: " − ",
        ast.Mult: " · ",
        ast.Div: " ÷ ",
        ast.Pow: "^",
        ast.Gt: " > ",
        ast.Lt: " < ",
        ast.LtE: " ≤ ",
    }

    def visit_Name(self, node: ast.Name) -> str:
        return node.id

    def visit_Constant(self, node: ast.Constant) -> str:
        return "½" if constant_number(node) == 0.5 else f"{node.value}"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        return f"−{bracketed(self.visit(node.operand), '−', '')}"

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self.visit(node.left), self.visit(node.right)
        if _is_square(node):
            return f"{bracketed(left, '', '²')}²"
        sign = self._SIGNS[type(node.op)]
        if isinstance(node.op, ast.Div) and isinstance(node.left, ast.BinOp):
            left = f"({left})"  # (a ÷ b) ÷ b is easier to read than a ÷ b ÷ b
        return f"{bracketed(left, '', sign)}{sign}{bracketed(right, sign, '')}"

    def visit_Compare(self, node: ast.Compare) -> str:
        if isinstance(node.ops[0], ast.Eq):  # only a tie is tested so: ½ if equal
            return "equal"
        sign = self._SIGNS[type(node.ops[0])]
        return f"{self.visit(node.left)}{sign}{self.visit(node.comparators[0])}"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        parts: list[str] = []
        rest: ast.expr = node
        while isinstance(rest, ast.IfExp):
            parts.append(f"{self.visit(rest.body)} if {self.visit(rest.test)}")
            rest = rest.orelse
        return f"{', '.join(parts)}, else {self.visit(rest)}"

    def visit_Call(self, node: ast.Call) -> str:
        arguments = [self.visit(argument) for argument in node.args]
        name, first = self.visit(node.func), arguments[0]
        if name == "sqrt":
            return f"√{bracketed(first, '√', '')}"
        if name == "abs":
            return f"|{first}|"
        return f"log(1 + {first})" if name == "log1p" else f"{name}({', '.join(arguments)})"


class _Latex(ast.NodeVisitor):
    """Typesets a tree in LaTeX, where fractions, roots and exponents need no brackets."""

    _SIGNS: Final[dict[type[ast.cmpop], str]] = {
        ast.Gt: ">",
        ast.Lt: "<",
        ast.LtE: r"\le",
        ast.Eq: "=",
    }
    _CALLS: Final = {
        "exp": r"\mathrm{{e}}^{{{}}}",
        "log": r"\ln({})",
        "log1p": r"\ln(1 + {})",
        "sqrt": r"\sqrt{{{}}}",
        "abs": r"\left|{}\right|",
        "floor": r"\lfloor {} \rfloor",
        "asin": r"\arcsin({})",
        "acos": r"\arccos({})",
        "atan": r"\arctan({})",
        "sigmoid": r"\sigma({})",
        "Φ": r"\Phi({})",
        "φ": r"\varphi({})",
        **{name: rf"\{name}({{}})" for name in ("sin", "cos", "tan", "tanh", "max", "min")},
    }
    _OWN_SPACE: Final = (r"\ln", r"\sqrt")
    """Commands before which LaTeX adds the space of a product itself."""

    def visit_Name(self, node: ast.Name) -> str:
        return node.id

    def visit_Constant(self, node: ast.Constant) -> str:
        return r"\tfrac{1}{2}" if constant_number(node) == 0.5 else f"{node.value}"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        return f"-{self.visit(node.operand)}"

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div):
            sign, left = ("-", left[1:]) if left.startswith("-") else ("", left)
            return rf"{sign}\frac{{{left}}}{{{right}}}"
        if _is_square(node):
            name, bracket, inside = left.partition("(")  # tan²(a), but a²
            return f"{name}^2{bracket}{inside}"
        if isinstance(node.op, ast.Pow):
            return f"{left}^{{{right}}}"
        if isinstance(node.op, ast.Mult):
            left, right = (
                f"({text})" if isinstance(part, ast.BinOp) and _is_sum(part) else text
                for part, text in ((node.left, left), (node.right, right))
            )
            return f"{left} {right}" if right.startswith(self._OWN_SPACE) else rf"{left} \, {right}"
        return f"{left} {'+' if isinstance(node.op, ast.Add) else '-'} {right}"

    def visit_Compare(self, node: ast.Compare) -> str:
        sign = self._SIGNS[type(node.ops[0])]
        return f"{self.visit(node.left)} {sign} {self.visit(node.comparators[0])}"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        rows: list[str] = []
        rest: ast.expr = node
        while isinstance(rest, ast.IfExp):
            rows.append(f"{self.visit(rest.body)} & {self.visit(rest.test)}")
            rest = rest.orelse
        rows.append(rf"{self.visit(rest)} & \text{{else}}")
        cases = r" \\ ".join(rows)
        return rf"\begin{{cases}} {cases} \end{{cases}}"

    def visit_Call(self, node: ast.Call) -> str:
        name = self.visit(node.func)
        operator = rf"\operatorname{{{name.replace('_', chr(92) + '_')}}}"
        inside = ", ".join(self.visit(argument) for argument in node.args)
        return self._CALLS[name].format(inside) if name in self._CALLS else f"{operator}({inside})"


def _is_sum(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Add | ast.Sub)
