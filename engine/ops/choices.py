"""Choices: the value is one of the inputs, and only that input gets a gradient.

PyTorch sends the others 0 even if the gradient that comes is infinite or nan, as
`zero_blocks_nonfinite` says.

>>> MAXIMUM.forward(2.0, 3.0), [partial(2.0, 3.0, 3.0) for partial in MAXIMUM.partials]
(3.0, [0.0, 1.0])
"""

from engine.op import Op, always


def _tied(a: float, b: float) -> bool:
    return a == b


def _at_border(c: float, _x: float, _y: float) -> bool:
    return c == 0.0


MAXIMUM = Op(
    *("maximum", "maximum", "Choices", ("a", "b")),
    value="a if a >= b or a != a else b",  # a nan is passed on, as in PyTorch
    derivatives=("0 if a < b else 0.5 if a == b else 1", "0 if b < a else 0.5 if a == b else 1"),
    usual_value="max(a, b)",
    description="the larger of two numbers",
    synonyms=("max", "larger", "greatest"),
    kink=_tied,
    convention="maximum has no slope at a tie; each side gets ½.",
    zero_blocks_nonfinite=always,
)

MINIMUM = Op(
    *("minimum", "minimum", "Choices", ("a", "b")),
    value="a if a <= b or a != a else b",
    derivatives=("0 if a > b else 0.5 if a == b else 1", "0 if b > a else 0.5 if a == b else 1"),
    usual_value="min(a, b)",
    description="the smaller of two numbers",
    synonyms=("min", "smaller", "least"),
    kink=_tied,
    convention="minimum has no slope at a tie; each side gets ½.",
    zero_blocks_nonfinite=always,
)

WHERE_GT0 = Op(
    *("where_gt0", "where_gt0", "Choices", ("c", "x", "y"), "x if c > 0 else y"),
    ("0", "1 if c > 0 else 0", "0 if c > 0 else 1"),
    description="x where c is positive, else y",
    synonyms=("if", "choose", "select", "condition", "where"),
    kink=_at_border,
    convention="where_gt0 switches where c is 0; y is taken and c gets the slope 0.",
    zero_blocks_nonfinite=always,
)
