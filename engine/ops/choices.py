"""Operations that choose one of their inputs and send the gradient only there."""

from engine.op import Op, every_slot


def _maximum(a: float, b: float) -> float:
    return a if a >= b or a != a else b  # a nan wins


def _maximum_a(a: float, b: float, _out: float) -> float:
    return 0.5 if a == b else 0.0 if a < b else 1.0


def _maximum_b(a: float, b: float, _out: float) -> float:
    return 0.5 if a == b else 0.0 if a > b else 1.0


def _minimum(a: float, b: float) -> float:
    return a if a <= b or a != a else b


def _minimum_a(a: float, b: float, out: float) -> float:
    # minimum takes what maximum leaves, so the two slopes change places
    return _maximum_b(a, b, out)


def _minimum_b(a: float, b: float, out: float) -> float:
    return _maximum_a(a, b, out)


def _where(c: float, x: float, y: float) -> float:
    return x if c > 0.0 else y


def _where_c(_c: float, _x: float, _y: float, _out: float) -> float:
    return 0.0


def _where_x(c: float, _x: float, _y: float, _out: float) -> float:
    return 1.0 if c > 0.0 else 0.0


def _where_y(c: float, _x: float, _y: float, _out: float) -> float:
    return 0.0 if c > 0.0 else 1.0


# Kinks, as in the activations.


def _tied(a: float, b: float) -> bool:
    return a == b


def _at_border(c: float, _x: float, _y: float) -> bool:
    return c == 0.0


MAXIMUM = Op(
    name="maximum",
    symbol="maximum",
    family="Choices",
    slots=("a", "b"),
    forward=_maximum,
    partials=(_maximum_a, _maximum_b),
    formula="max(a, b)",
    slopes=("0 if a < b, ½ if equal, else 1", "0 if b < a, ½ if equal, else 1"),
    latex=r"\max(a, b)",
    latex_slopes=(
        r"\begin{cases} 0 & a < b \\ \tfrac{1}{2} & a = b \\ 1 & \text{else} \end{cases}",
        r"\begin{cases} 0 & b < a \\ \tfrac{1}{2} & a = b \\ 1 & \text{else} \end{cases}",
    ),
    says="the larger of two numbers",
    words=("max", "larger", "greatest"),
    kink=_tied,
    convention="maximum has no slope at a tie; each side gets ½.",
    masks=every_slot,
)

MINIMUM = Op(
    name="minimum",
    symbol="minimum",
    family="Choices",
    slots=("a", "b"),
    forward=_minimum,
    partials=(_minimum_a, _minimum_b),
    formula="min(a, b)",
    slopes=("0 if a > b, ½ if equal, else 1", "0 if b > a, ½ if equal, else 1"),
    latex=r"\min(a, b)",
    latex_slopes=(
        r"\begin{cases} 0 & a > b \\ \tfrac{1}{2} & a = b \\ 1 & \text{else} \end{cases}",
        r"\begin{cases} 0 & b > a \\ \tfrac{1}{2} & a = b \\ 1 & \text{else} \end{cases}",
    ),
    says="the smaller of two numbers",
    words=("min", "smaller", "least"),
    kink=_tied,
    convention="minimum has no slope at a tie; each side gets ½.",
    masks=every_slot,
)

WHERE_GT0 = Op(
    name="where_gt0",
    symbol="where_gt0",
    family="Choices",
    slots=("c", "x", "y"),
    forward=_where,
    partials=(_where_c, _where_x, _where_y),
    formula="x if c > 0, else y",
    slopes=("0", "1 if c > 0, else 0", "0 if c > 0, else 1"),
    latex=r"\begin{cases} x & c > 0 \\ y & \text{else} \end{cases}",
    latex_slopes=(
        "0",
        r"\begin{cases} 1 & c > 0 \\ 0 & \text{else} \end{cases}",
        r"\begin{cases} 0 & c > 0 \\ 1 & \text{else} \end{cases}",
    ),
    says="x where c is positive, else y",
    words=("if", "choose", "select", "condition", "where"),
    kink=_at_border,
    convention="where_gt0 switches where c is 0; y is taken and c gets the slope 0.",
    masks=every_slot,
)
