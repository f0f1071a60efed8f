"""Activation functions, the nonlinear operations of a network.

Where a function is piecewise, the comparison is written so that nan takes PyTorch's branch: for
nan, `a <= 0` is false and `not a > 0` true. A slope in terms of `out` reuses the value: the slope
of tanh costs no second tanh.

An operation begins with name, symbol, family, slots, value and local derivatives. The formulas are
those of the PyTorch documentation of `torch.nn`; the comments name the papers. Where a formula is
written for accuracy or for nan, `usual_value` and `usual_derivatives` are what textbooks write.
`zero_blocks_nonfinite=always`: PyTorch sends 0 where the slope is 0, even if the gradient that
comes is infinite or nan.

>>> SIGMOID.forward(0.0), SIGMOID.partials[0](0.0, 0.5)  # σ' = σ · (1 − σ)
(0.5, 0.25)
"""

from engine.op import Op, always

LEAK = 0.01
"""The slope of leaky_relu below 0: PyTorch's default `negative_slope`."""

THRESHOLD = 20.0
"""Above this, softplus(a) is a, as in PyTorch: the difference log(1 + e⁻ᵃ) is below 2.1e-9."""


def _at_zero(a: float) -> bool:
    return a == 0.0


def _at_threshold(a: float) -> bool:
    return a == THRESHOLD


def _above_threshold(_slot: int, a: float) -> bool:
    return a > THRESHOLD


# 1 − tanh² as (1 − out) · (1 + out) keeps its digits where out is near ±1
TANH = Op(
    *("tanh", "tanh", "Activations", ("a",), "tanh(a)", ("(1 - out) * (1 + out)",)),
    description="squashes to between −1 and 1",
    synonyms=("hyperbolic tangent", "squash"),
)

# σ(a) = 1 / (1 + e⁻ᵃ), so σ' = e⁻ᵃ / (1 + e⁻ᵃ)² = σ · (1 − σ)
SIGMOID = Op(
    *("sigmoid", "sigmoid", "Activations", ("a",), "sigmoid(a)", ("out * (1 - out)",)),
    description="squashes to between 0 and 1",
    synonyms=("logistic", "squash", "σ"),
)

# Nair and Hinton 2010; the slope at the kink is chosen as 0, as micrograd and PyTorch do
RELU = Op(
    *("relu", "relu", "Activations", ("a",)),
    value="0 if a < 0 else a",
    derivatives=("0 if out <= 0 else 1",),
    usual_value="relu(a)",
    usual_derivatives=("0 if a <= 0 else 1",),
    description="keeps what is positive, else 0",
    synonyms=("rectifier", "max0", "ramp", "rectified linear"),
    kink=_at_zero,
    convention="relu has no slope at 0; the convention 0 is used.",
    zero_blocks_nonfinite=always,
)

# Maas, Hannun and Ng 2013
LEAKY_RELU = Op(
    *("leaky_relu", "leaky_relu", "Activations", ("a",)),
    value=f"a if a > 0 else {LEAK} * a",
    derivatives=(f"1 if out > 0 else {LEAK}",),
    usual_value="leaky_relu(a)",
    usual_derivatives=(f"1 if a > 0 else {LEAK}",),
    description="keeps what is positive, else a hundredth",
    synonyms=("leaky rectifier", "lrelu"),
    kink=_at_zero,
    convention="leaky_relu has no slope at 0; the convention 0.01 is used.",
)

# Clevert, Unterthiner and Hochreiter 2016, with α = 1; expm1 keeps the digits of eᵃ − 1 near 0
ELU = Op(
    *("elu", "elu", "Activations", ("a",)),
    value="expm1(a) if a <= 0 else a",
    derivatives=("exp(a) if a <= 0 else 1",),
    usual_value="elu(a)",
    description="keeps what is positive, else bends to −1",
    synonyms=("exponential linear",),
)

# d log(1 + eᵃ) / da = eᵃ / (1 + eᵃ), which is sigmoid(a)
SOFTPLUS = Op(
    *("softplus", "softplus", "Activations", ("a",)),
    value=f"a if a > {THRESHOLD} else log1p(exp(a))",
    derivatives=(f"1 if a > {THRESHOLD} else exp(a) / (1 + exp(a))",),
    usual_value="softplus(a)",
    usual_derivatives=("sigmoid(a)",),
    description="a smooth relu, log(1 + exp(a))",
    synonyms=("smooth relu", "log(1+exp(x))"),
    kink=_at_threshold,
    convention="Above 20, softplus(a) is taken to be a itself.",
    formula_undefined=_above_threshold,
)

# Elfwing, Uchibe and Doya 2018.
# The product rule, with σ' = σ · (1 − σ): (a · σ)' = σ + a · σ · (1 − σ)
SILU = Op(
    *("silu", "silu", "Activations", ("a",), "a * sigmoid(a)"),
    ("sigmoid(a) * (1 + a * (1 - sigmoid(a)))",),
    description="the number times its sigmoid",
    synonyms=("swish",),
)

# Hendrycks and Gimpel 2016.
# Φ(a) is the probability that a standard normal variable is below a, its slope φ the bell curve;
# the product rule gives (a · Φ)' = Φ + a · φ
GELU = Op(
    *("gelu", "gelu", "Activations", ("a",), "a * Φ(a)", ("Φ(a) + a * φ(a)",)),
    description="the number times the chance that a normal one is below it",
    synonyms=("gaussian error linear", "erf"),
)
