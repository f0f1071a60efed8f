"""Activation functions, the nonlinear operations of a network.

Where a function has two pieces, the comparison is written so that nan goes the way it goes in
PyTorch: `a <= 0.0` and `not a > 0.0` differ there.
"""

import math

from engine.op import Op, every_slot
from engine.ops.functions import exp

LEAK = 0.01
"""The slope of leaky_relu below 0."""

LOWEST = -709.782712893384
"""Below this, exp(-a) overflows, and sigmoid is 0 as in PyTorch."""

THRESHOLD = 20.0
"""Above this, softplus(a) is a: the difference is below 2.1e-9."""


def _tanh_a(_a: float, out: float) -> float:
    return (1.0 - out) * (1.0 + out)


def sigmoid(a: float) -> float:
    """Return 1 / (1 + e⁻ᵃ), split by sign so that the exponential never overflows."""
    if a >= 0.0:
        return 1.0 / (1.0 + math.exp(-a))
    e = exp(a)
    return 0.0 if a < LOWEST else e / (1.0 + e)


def _sigmoid_a(_a: float, out: float) -> float:
    return out * (1.0 - out)


def _relu(a: float) -> float:
    return 0.0 if a < 0.0 else a


def _relu_a(a: float, _out: float) -> float:
    return 0.0 if a <= 0.0 else 1.0


def _leaky_relu(a: float) -> float:
    return a if a > 0.0 else LEAK * a


def _leaky_relu_a(a: float, _out: float) -> float:
    return 1.0 if a > 0.0 else LEAK


def _elu(a: float) -> float:
    return math.expm1(a) if a <= 0.0 else a


def _elu_a(a: float, _out: float) -> float:
    return math.exp(a) if a <= 0.0 else 1.0


def _softplus(a: float) -> float:
    return a if a > THRESHOLD else math.log1p(math.exp(a))


def _softplus_a(a: float, _out: float) -> float:
    e = math.exp(min(a, THRESHOLD))  # limited, since it is not used above and could overflow
    return 1.0 if a > THRESHOLD else e / (1.0 + e)


def _silu(a: float) -> float:
    return a * sigmoid(a)


def _silu_a(a: float, _out: float) -> float:
    s = sigmoid(a)
    return s * (1.0 + a * (1.0 - s))


def _normal_below(a: float) -> float:
    """Return the probability that a standard normal variable is below a."""
    return 0.5 * (1.0 + math.erf(a * math.sqrt(0.5)))


def _gelu(a: float) -> float:
    return a * _normal_below(a)


def _gelu_a(a: float, _out: float) -> float:
    # Φ(a) + a · φ(a): the slope of the probability Φ is the bell curve φ
    return _normal_below(a) + a * (math.exp(-0.5 * (a * a)) / math.sqrt(2.0 * math.pi))


# What follows says where an operation has a kink or a slope that its text does not give: `kink`
# and `unwritten` of Op.


def _at_zero(a: float) -> bool:
    return a == 0.0


def _at_threshold(a: float) -> bool:
    return a == THRESHOLD


def _taken_as_itself(_slot: int, a: float) -> bool:
    return a > THRESHOLD


TANH = Op(
    name="tanh",
    symbol="tanh",
    family="Activations",
    slots=("a",),
    forward=math.tanh,
    partials=(_tanh_a,),
    formula="tanh(a)",
    slopes=("1 − tanh(a)²",),
    latex=r"\tanh(a)",
    latex_slopes=(r"1 - \tanh^2(a)",),
    says="squashes to between −1 and 1",
    words=("hyperbolic tangent", "squash"),
)

SIGMOID = Op(
    name="sigmoid",
    symbol="sigmoid",
    family="Activations",
    slots=("a",),
    forward=sigmoid,
    partials=(_sigmoid_a,),
    formula="sigmoid(a)",
    slopes=("sigmoid(a) · (1 − sigmoid(a))",),
    latex=r"\sigma(a)",
    latex_slopes=(r"\sigma(a) \, (1 - \sigma(a))",),
    says="squashes to between 0 and 1",
    words=("logistic", "squash", "σ"),
)

RELU = Op(
    name="relu",
    symbol="relu",
    family="Activations",
    slots=("a",),
    forward=_relu,
    partials=(_relu_a,),
    formula="relu(a)",
    slopes=("0 if a ≤ 0, else 1",),
    latex=r"\operatorname{relu}(a)",
    latex_slopes=(r"\begin{cases} 0 & a \le 0 \\ 1 & \text{else} \end{cases}",),
    says="keeps what is positive, else 0",
    words=("rectifier", "max0", "ramp", "rectified linear"),
    kink=_at_zero,
    convention="relu has no slope at 0; the convention 0 is used.",
    masks=every_slot,
)

LEAKY_RELU = Op(
    name="leaky_relu",
    symbol="leaky_relu",
    family="Activations",
    slots=("a",),
    forward=_leaky_relu,
    partials=(_leaky_relu_a,),
    formula="leaky_relu(a)",
    slopes=("1 if a > 0, else 0.01",),
    latex=r"\operatorname{leaky\_relu}(a)",
    latex_slopes=(r"\begin{cases} 1 & a > 0 \\ 0.01 & \text{else} \end{cases}",),
    says="keeps what is positive, else a hundredth",
    words=("leaky rectifier", "lrelu"),
    kink=_at_zero,
    convention="leaky_relu has no slope at 0; the convention 0.01 is used.",
)

ELU = Op(
    name="elu",
    symbol="elu",
    family="Activations",
    slots=("a",),
    forward=_elu,
    partials=(_elu_a,),
    formula="elu(a)",
    slopes=("exp(a) if a ≤ 0, else 1",),
    latex=r"\operatorname{elu}(a)",
    latex_slopes=(r"\begin{cases} \mathrm{e}^{a} & a \le 0 \\ 1 & \text{else} \end{cases}",),
    says="keeps what is positive, else bends to −1",
    words=("exponential linear",),
)

SOFTPLUS = Op(
    name="softplus",
    symbol="softplus",
    family="Activations",
    slots=("a",),
    forward=_softplus,
    partials=(_softplus_a,),
    formula="softplus(a)",
    slopes=("sigmoid(a)",),
    latex=r"\operatorname{softplus}(a)",
    latex_slopes=(r"\sigma(a)",),
    says="a smooth relu, log(1 + exp(a))",
    words=("smooth relu", "log(1+exp(x))"),
    kink=_at_threshold,
    convention="Above 20, softplus(a) is taken to be a itself.",
    unwritten=_taken_as_itself,
)

SILU = Op(
    name="silu",
    symbol="silu",
    family="Activations",
    slots=("a",),
    forward=_silu,
    partials=(_silu_a,),
    formula="a · sigmoid(a)",
    slopes=("sigmoid(a) · (1 + a · (1 − sigmoid(a)))",),
    latex=r"a \, \sigma(a)",
    latex_slopes=(r"\sigma(a) \, (1 + a \, (1 - \sigma(a)))",),
    says="the number times its sigmoid",
    words=("swish",),
)

GELU = Op(
    name="gelu",
    symbol="gelu",
    family="Activations",
    slots=("a",),
    forward=_gelu,
    partials=(_gelu_a,),
    formula="a · Φ(a)",
    slopes=("Φ(a) + a · φ(a)",),
    latex=r"a \, \Phi(a)",
    latex_slopes=(r"\Phi(a) + a \, \varphi(a)",),
    says="the number times the chance that a normal one is below it",
    words=("gaussian error linear", "erf"),
)
