"""The collected forms of formulas, and formulas spelled at random in these notations."""

import random

from tests.helpers.graphs import REFERENCE

FORMS = [
    [part.replace("x = 2\\n", "x = 2\n") for part in line.split("\t")]
    for line in (REFERENCE / "formulas.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
"""Each form, the plain formula it means or ✗ and the sentence, and maybe a remark."""
_CHOICE = "write where_gt0(c, a, b): a where c > 0, else b."
_TERMS = "write the terms out, or Tab: linear, mlp."
MEANING = {
    "x1 w1 + x2 w2": "write a sign between x1 and w1: x1*w1.",
    "a if b else c": _CHOICE,
    "a > 0": f"a comparison has no slope; {_CHOICE}",
    "W @ x + b": "here a name is one number.",
    "x[0]*w[0]": "here a name is one number.",
    "Σ xᵢwᵢ": _TERMS,
    "sum(a, b)": _TERMS,
    "0,5*x": "write the decimal point: 0.5.",
    "∂L/∂a": "type the formula itself, then Backward",
    "1/2x": "1/2x is (1/2)*x or 1/(2*x): write one.",
    "x/2y": "x/2y is (x/2)*y or x/(2*y): write one.",
    "log p*q": "log p*q is log(p)*q or log(p*q): write one.",
}
"""What is said of the forms that are refused."""
_NAMES = {"x1": ("x1", "x₁", "x_{1}"), "w1": ("w1", "w₁"), "theta": ("θ", "theta", r"\theta"),
          "x": ("x", "\U0001d465"), "b": ("b",), "t": ("t",)}  # fmt: skip
_CALLS = {"tanh": ("tanh", "np.tanh", "Tanh"), "sigmoid": ("σ", "sigmoid", "sigma"),
          "exp": ("exp", "math.exp"), "sin": ("sin", "np.sin"), "relu": ("ReLU", "torch.relu"),
          "sqrt": ("sqrt", "√"), "abs": ("abs",)}  # fmt: skip
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUM, _PRODUCT, _MINUS, _POWER, _ATOM = range(1, 6)
"""Strengths: how tightly a spelling binds."""


class Spelling:
    """Draws a formula, and spells it plainly and as people may."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._tex = draw.random() < 0.25

    def formula(self) -> tuple[str, str]:
        """Return a formula with all its brackets, and the same in a mixture of notations."""
        plain, written, _strength = self._term(self._draw.randint(1, 4))
        if self._tex and self._draw.random() < 0.5:
            written = f"${written}$"
        return plain, written

    def _term(self, depth: int) -> tuple[str, str, int]:
        if depth == 0 or self._draw.random() < 0.15:
            return self._atom()
        kinds = (self._sum, self._product, self._product, self._quotient, self._power, self._call,
                 self._negative)  # fmt: skip
        return self._draw.choice(kinds)(depth - 1)

    def _atom(self) -> tuple[str, str, int]:
        pick = self._draw.random()
        if pick < 0.25:
            number = self._draw.choice(("2", "3", "0.5"))
            return number, "½" if number == "0.5" and pick < 0.1 else number, _ATOM
        if pick < 0.33:
            return "3.141592653589793", self._draw.choice(("π", "pi")), _ATOM
        name = self._draw.choice(list(_NAMES))
        forms = [form for form in _NAMES[name] if self._tex or not set("\\{") & set(form)]
        return name, self._draw.choice(forms), _ATOM

    def _bracketed(self, written: str, strength: int, least: int) -> str:
        if strength >= least:
            return written
        pairs = ("()", "()") if not self._tex else ("()", (r"\left(", r"\right)"))
        opening, closing = self._draw.choice(pairs)
        return f"{opening}{written}{closing}"

    def _sum(self, depth: int) -> tuple[str, str, int]:
        (a, left, _), (b, right, strength) = self._term(depth), self._term(depth)
        sign = self._draw.choice("+-")
        shown = sign if sign == "+" else self._draw.choice("-−")
        space = self._draw.choice(("", " "))
        right = self._bracketed(right, strength, _PRODUCT)
        return f"({a} {sign} {b})", f"{left}{space}{shown}{space}{right}", _SUM

    def _product(self, depth: int) -> tuple[str, str, int]:
        (a, left, one), (b, right, two) = self._term(depth), self._term(depth)
        left, right = self._bracketed(left, one, _PRODUCT), self._bracketed(right, two, _MINUS)
        signs = ["*", " * ", "·", " × ", "⋅", "", " "]
        if self._tex:
            signs += [r" \cdot ", r"\,"]
        sign = self._draw.choice(signs)
        if sign in ("", " ", r"\,") and right[0] in "-−":
            sign = "*"
        elif not sign and (left[-1:] + right[:1]).isalnum():
            sign = " "  # or both would be one name or number
        return f"({a}*{b})", f"{left}{sign}{right}", _PRODUCT

    def _quotient(self, depth: int) -> tuple[str, str, int]:
        (a, left, one), (b, right, two) = self._term(depth), self._term(depth)
        if self._tex and self._draw.random() < 0.6:
            return f"({a}/{b})", rf"\frac{{{left}}}{{{right}}}", _ATOM
        left, right = self._bracketed(left, one, _PRODUCT), self._bracketed(right, two, _MINUS)
        return f"({a}/{b})", f"{left}{self._draw.choice(('/', ' / ', '÷'))}{right}", _PRODUCT

    def _power(self, depth: int) -> tuple[str, str, int]:
        a, base, strength = self._term(depth)
        exponent = self._draw.choice(("2", "3", "-1"))
        if self._draw.random() < 0.3:
            a, base, strength = "2.718281828459045", "e", _ATOM
            exponent, shown, _ = self._term(depth)
            sign, shown = self._draw.choice(("^", "**")), f"({shown})"
        else:
            sign, shown = self._draw.choice((("^", exponent), ("**", exponent), ("", "")))
        shown = shown or exponent.translate(_RAISED)
        if self._tex and sign == "^":
            shown = f"{{{shown}}}"
        return (
            f"({a}**({exponent}))",
            f"{self._bracketed(base, strength, _ATOM)}{sign}{shown}",
            _POWER,
        )

    def _call(self, depth: int) -> tuple[str, str, int]:
        a, inner, strength = self._term(depth)
        name = self._draw.choice(list(_CALLS))
        if name in ("sqrt", "abs"):
            a, inner, strength = f"({a})**2 + 1", f"({inner})² + 1", _SUM
        plain, form = f"{name}({a})", self._draw.choice(_CALLS[name])
        if name == "abs" and self._draw.random() < 0.6:
            return plain, f"|{inner}|", _ATOM
        if self._tex and form in ("tanh", "sin", "exp", "sqrt"):
            bracket = f"{{{inner}}}" if form == "sqrt" else f"({inner})"
            return plain, f"\\{form}{bracket}", _ATOM
        if strength == _ATOM and form in ("tanh", "sin", "√") and self._draw.random() < 0.5:
            return plain, f"{form}{'' if form == '√' else ' '}{inner}", _MINUS
        return plain, f"{form}({inner})", _ATOM

    def _negative(self, depth: int) -> tuple[str, str, int]:
        a, inner, strength = self._term(depth)
        sign = self._draw.choice("-−")
        return f"(-{a})", f"{sign}{self._bracketed(inner, strength, _POWER)}", _MINUS
