"""Sine, cosine, tangent and their inverses; angles are in radians."""

import math

from engine.op import Op
from engine.ops.functions import sqrt


def _sin(a: float) -> float:
    return math.sin(a) if math.isfinite(a) else math.nan


def _sin_a(a: float, _out: float) -> float:
    return _cos(a)


def _cos(a: float) -> float:
    return math.cos(a) if math.isfinite(a) else math.nan


def _cos_a(a: float, _out: float) -> float:
    return -_sin(a)


def _tan(a: float) -> float:
    return math.tan(a) if math.isfinite(a) else math.nan


def _tan_a(_a: float, out: float) -> float:
    return 1.0 + out * out


def _asin(a: float) -> float:
    return math.asin(a) if -1.0 <= a <= 1.0 else math.nan


def _asin_a(a: float, _out: float) -> float:
    height = sqrt((1.0 - a) * (1.0 + a))  # right triangle with hypotenuse 1 and side a
    return 1.0 / height if height != 0.0 else math.inf


def _acos(a: float) -> float:
    return math.acos(a) if -1.0 <= a <= 1.0 else math.nan


def _acos_a(a: float, out: float) -> float:
    return -_asin_a(a, out)


def _atan_a(a: float, _out: float) -> float:
    return 1.0 / (1.0 + a * a)


SIN = Op(
    name="sin",
    symbol="sin",
    family="Trigonometry",
    slots=("a",),
    forward=_sin,
    partials=(_sin_a,),
    formula="sin(a)",
    slopes=("cos(a)",),
    latex=r"\sin(a)",
    latex_slopes=(r"\cos(a)",),
    says="the sine of an angle in radians",
    words=("sine", "wave"),
    domain="every finite number",
)

COS = Op(
    name="cos",
    symbol="cos",
    family="Trigonometry",
    slots=("a",),
    forward=_cos,
    partials=(_cos_a,),
    formula="cos(a)",
    slopes=("−sin(a)",),
    latex=r"\cos(a)",
    latex_slopes=(r"-\sin(a)",),
    says="the cosine of an angle in radians",
    words=("cosine", "wave"),
    domain="every finite number",
)

TAN = Op(
    name="tan",
    symbol="tan",
    family="Trigonometry",
    slots=("a",),
    forward=_tan,
    partials=(_tan_a,),
    formula="tan(a)",
    slopes=("1 + tan(a)²",),
    latex=r"\tan(a)",
    latex_slopes=(r"1 + \tan^2(a)",),
    says="the tangent of an angle in radians",
    words=("tangent",),
    domain="a ≠ π/2 + k · π",
)

ASIN = Op(
    name="asin",
    symbol="asin",
    family="Trigonometry",
    slots=("a",),
    forward=_asin,
    partials=(_asin_a,),
    formula="asin(a)",
    slopes=("1 ÷ √(1 − a²)",),
    latex=r"\arcsin(a)",
    latex_slopes=(r"\frac{1}{\sqrt{1 - a^2}}",),
    says="the angle with this sine",
    words=("arcsin", "arc sine", "inverse sine"),
    domain="−1 ≤ a ≤ 1",
)

ACOS = Op(
    name="acos",
    symbol="acos",
    family="Trigonometry",
    slots=("a",),
    forward=_acos,
    partials=(_acos_a,),
    formula="acos(a)",
    slopes=("−1 ÷ √(1 − a²)",),
    latex=r"\arccos(a)",
    latex_slopes=(r"-\frac{1}{\sqrt{1 - a^2}}",),
    says="the angle with this cosine",
    words=("arccos", "arc cosine", "inverse cosine"),
    domain="−1 ≤ a ≤ 1",
)

ATAN = Op(
    name="atan",
    symbol="atan",
    family="Trigonometry",
    slots=("a",),
    forward=math.atan,
    partials=(_atan_a,),
    formula="atan(a)",
    slopes=("1 ÷ (1 + a²)",),
    latex=r"\arctan(a)",
    latex_slopes=(r"\frac{1}{1 + a^2}",),
    says="the angle with this tangent",
    words=("arctan", "arc tangent", "inverse tangent"),
)
