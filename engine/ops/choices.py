"""Operations that choose one of their inputs and send the gradient only there."""

from engine.op import Op, always


def _tied(a: float, b: float) -> bool:
    return a == b


def _at_border(c: float, _x: float, _y: float) -> bool:
    return c == 0.0


MAXIMUM = Op(
    *("maximum", "maximum", "Choices", ("a", "b")),
    value="a if a >= b or a != a else b",  # a nan wins
    derivatives=("0 if a < b else 0.5 if a == b else 1", "0 if b < a else 0.5 if a == b else 1"),
    shown="max(a, b)",
    says="the larger of two numbers",
    words=("max", "larger", "greatest"),
    kink=_tied,
    convention="maximum has no slope at a tie; each side gets ½.",
    zero_blocks_nonfinite=always,
)

MINIMUM = Op(
    *("minimum", "minimum", "Choices", ("a", "b")),
    value="a if a <= b or a != a else b",
    derivatives=("0 if a > b else 0.5 if a == b else 1", "0 if b > a else 0.5 if a == b else 1"),
    shown="min(a, b)",
    says="the smaller of two numbers",
    words=("min", "smaller", "least"),
    kink=_tied,
    convention="minimum has no slope at a tie; each side gets ½.",
    zero_blocks_nonfinite=always,
)

WHERE_GT0 = Op(
    *("where_gt0", "where_gt0", "Choices", ("c", "x", "y"), "x if c > 0 else y"),
    ("0", "1 if c > 0 else 0", "0 if c > 0 else 1"),
    says="x where c is positive, else y",
    words=("if", "choose", "select", "condition", "where"),
    kink=_at_border,
    convention="where_gt0 switches where c is 0; y is taken and c gets the slope 0.",
    zero_blocks_nonfinite=always,
)
