"""Sine, cosine, tangent and their inverses; angles are in radians.

>>> SIN.forward(0.0), SIN.partials[0](0.0, 0.0)  # sin' = cos
(0.0, 1.0)
"""

from engine.op import Op

SIN = Op(
    *("sin", "sin", "Trigonometry", ("a",), "sin(a)", ("cos(a)",)),
    description="the sine of an angle in radians",
    synonyms=("sine", "wave"),
    domain="every finite number",
)

COS = Op(
    *("cos", "cos", "Trigonometry", ("a",), "cos(a)", ("-sin(a)",)),
    description="the cosine of an angle in radians",
    synonyms=("cosine", "wave"),
    domain="every finite number",
)

# the quotient rule: (sin / cos)' = (cos² + sin²) / cos² = 1 + tan²
TAN = Op(
    *("tan", "tan", "Trigonometry", ("a",), "tan(a)", ("1 + out * out",)),
    description="the tangent of an angle in radians",
    synonyms=("tangent",),
    domain="a ≠ π/2 + k · π",
)

# The slope of an inverse function is 1 over the slope of the function at the result:
# asin'(a) = 1 / cos(asin(a)). The sine and cosine of asin(a) are the sides a and √(1 − a²) of a
# right triangle with the hypotenuse 1. (1 − a) · (1 + a) is 1 − a² with all its digits near ±1.

ASIN = Op(
    *("asin", "asin", "Trigonometry", ("a",), "asin(a)", ("1 / sqrt((1 - a) * (1 + a))",)),
    description="the angle with this sine",
    synonyms=("arcsin", "arc sine", "inverse sine"),
    domain="−1 ≤ a ≤ 1",
)

ACOS = Op(
    *("acos", "acos", "Trigonometry", ("a",), "acos(a)", ("-1 / sqrt((1 - a) * (1 + a))",)),
    description="the angle with this cosine",
    synonyms=("arccos", "arc cosine", "inverse cosine"),
    domain="−1 ≤ a ≤ 1",
)

ATAN = Op(
    *("atan", "atan", "Trigonometry", ("a",), "atan(a)", ("1 / (1 + a * a)",)),
    description="the angle with this tangent",
    synonyms=("arctan", "arc tangent", "inverse tangent"),
)
