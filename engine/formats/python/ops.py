"""The operations as programs write them: micrograd's own, and those it must be extended by.

A program written for micrograd contains `DEFINITION` and one line of `lesson` for each operation
that micrograd lacks. The reader accepts exactly these texts and no other definitions.
"""

import ast
from functools import cache

from engine.op import Op
from engine.ops import BY_NAME

DEFINITION = '''\
def operation(name, forward, *slopes):
    """An operation for micrograd: its value, and its local derivative along each slot."""

    def apply(*given):
        inputs = [x if isinstance(x, Value) else Value(x) for x in given]
        numbers = [x.data for x in inputs]
        out = Value(forward(*numbers), tuple(inputs), name)

        def backward():
            for x, slope in zip(inputs, slopes):
                x.grad += out.grad * slope(*numbers, out.data)

        out._backward = backward
        return out

    return apply'''

_SIGMOID = "math.exp(min(a, 0)) / (1 + math.exp(-math.fabs(a)))"
_NORMAL = "(1 + math.erf(a / math.sqrt(2))) / 2"
_STEP = "(a > 0) - (a < 0)"

# name: value, then the local derivative along each slot
_TEXTS: dict[str, tuple[str, ...]] = {
    "add": ("a + b", "1", "1"),
    "sub": ("a - b", "1", "-1"),
    "mul": ("a * b", "b", "a"),
    "div": ("a / b", "1 / b", "-out / b"),
    "pow": ("a**b", "b * a ** (b - 1) if b else 0", "out * math.log(a) if a > 0 else 0"),
    "neg": ("-a", "-1"),
    "exp": ("math.exp(a)", "out"),
    "log": ("math.log(a)", "1 / a"),
    "log1p": ("math.log1p(a)", "1 / (1 + a)"),
    "sqrt": ("math.sqrt(a)", "1 / (2 * out)"),
    "square": ("a * a", "2 * a"),
    "abs": ("math.fabs(a)", _STEP),
    "sign": (f"float({_STEP})", "0"),
    "floor": ("float(math.floor(a))", "0"),
    "sin": ("math.sin(a)", "math.cos(a)"),
    "cos": ("math.cos(a)", "-math.sin(a)"),
    "tan": ("math.tan(a)", "1 + out * out"),
    "asin": ("math.asin(a)", "1 / math.sqrt(1 - a * a)"),
    "acos": ("math.acos(a)", "-1 / math.sqrt(1 - a * a)"),
    "atan": ("math.atan(a)", "1 / (1 + a * a)"),
    "tanh": ("math.tanh(a)", "(1 - out) * (1 + out)"),
    "sigmoid": (_SIGMOID, "out * (1 - out)"),
    "relu": ("0.0 if a < 0 else a", "0 if a <= 0 else 1"),
    "leaky_relu": ("a if a > 0 else 0.01 * a", "1 if a > 0 else 0.01"),
    "elu": ("math.expm1(a) if a <= 0 else a", "math.exp(a) if a <= 0 else 1"),
    "softplus": (
        "a if a > 20 else math.log1p(math.exp(a))",
        "1 if a > 20 else math.exp(a) / (1 + math.exp(a))",
    ),
    "silu": (f"a * {_SIGMOID}", f"(out * (1 - {_SIGMOID}) + {_SIGMOID})"),
    "gelu": (f"a * {_NORMAL}", f"{_NORMAL} + a * math.exp(-a * a / 2) / math.sqrt(2 * math.pi)"),
    "maximum": (
        "a if a >= b or a != a else b",
        "0 if a < b else 0.5 if a == b else 1",
        "0 if b < a else 0.5 if a == b else 1",
    ),
    "minimum": (
        "a if a <= b or a != a else b",
        "0 if a > b else 0.5 if a == b else 1",
        "0 if b > a else 0.5 if a == b else 1",
    ),
    "where_gt0": ("x if c > 0 else y", "0", "1 if c > 0 else 0", "0 if c > 0 else 1"),
}


def lesson(op: Op) -> str:
    """Return the line that adds one operation to micrograd."""
    slots = ", ".join(op.slots)
    forward, *slopes = _TEXTS[op.name]
    parts = [f"lambda {slots}: {forward}", *(f"lambda {slots}, out: {slope}" for slope in slopes)]
    lines = "".join(f"\n    {part}," for part in parts)
    return f'{op.name} = operation(\n    "{op.name}",{lines}\n)'


def is_known(statement: ast.stmt) -> bool:
    """Return whether a statement is, word for word, one of the definitions that we write."""
    if isinstance(statement, ast.FunctionDef):
        return ast.dump(statement) == _dumped(DEFINITION)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    op = BY_NAME.get(statement.targets[0].id)
    return op is not None and ast.dump(statement) == _dumped(lesson(op))


@cache
def _dumped(text: str) -> str:
    return ast.dump(ast.parse(text).body[0])
