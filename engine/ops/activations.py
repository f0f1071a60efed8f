"""The bends that make a network more than a straight line."""

import math

from engine.op import Op


def _tanh_a(_a: float, out: float) -> float:
    return (1.0 - out) * (1.0 + out)


def _relu(a: float) -> float:
    return a if a > 0.0 or a != a or a == 0.0 else 0.0


def _relu_a(a: float, _out: float) -> float:
    return 1.0 if a > 0.0 else 0.0


def _relu_kink(a: float) -> bool:
    return a == 0.0


def _sigmoid(a: float) -> float:
    """Split by sign, so that exp never overflows."""
    if a >= 0.0:
        return 1.0 / (1.0 + math.exp(-a))
    e = math.exp(a)
    return e / (1.0 + e)


def _sigmoid_a(_a: float, out: float) -> float:
    return out * (1.0 - out)


TANH = Op(
    name="tanh",
    symbol="tanh",
    family="Activations",
    slots=("a",),
    forward=math.tanh,
    partials=(_tanh_a,),
    formula="tanh(a)",
    slopes=("1 − tanh(a)²",),
    latex=r"\tanh a",
    latex_slopes=(r"1 - \tanh^2 a",),
    says="squashes to between −1 and 1",
    words=("hyperbolic tangent", "squash"),
)

RELU = Op(
    name="relu",
    symbol="relu",
    family="Activations",
    slots=("a",),
    forward=_relu,
    partials=(_relu_a,),
    formula="relu(a)",
    slopes=("1 if a > 0, else 0",),
    latex=r"\mathrm{relu}(a)",
    latex_slopes=(r"[a > 0]",),
    says="keeps what is positive, else 0",
    words=("rectifier", "max0", "ramp"),
    kink=_relu_kink,
    convention="relu has no slope at 0; the convention 0 is used.",
)

SIGMOID = Op(
    name="sigmoid",
    symbol="sigmoid",
    family="Activations",
    slots=("a",),
    forward=_sigmoid,
    partials=(_sigmoid_a,),
    formula="sigmoid(a)",
    slopes=("s · (1 − s)",),
    latex=r"\sigma(a)",
    latex_slopes=(r"\sigma(a)\,(1 - \sigma(a))",),
    says="squashes to between 0 and 1",
    words=("logistic", "squash"),
)
