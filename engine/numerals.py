"""How sentences and written formats show a number: up to six digits, never falsely exact.

A number whose six digits are all there may have more (`0.707107`); one that only looks shorter
than it is says so (`≈ 1`). Differences below 1e-12 of a number are floating point dust.
"""

import math

UNKNOWN = "–"
PATHLESS = "∅"
DIGITS = 6
_DUST = 1e-12


def shown(value: float, sign: str = "−", plus: str = "", about: str = "≈ ") -> str:
    """A number to read, with what to write for its sign, and before it when it is cut."""
    if math.isnan(value):
        return "nan"
    text = f"{abs(value):.{DIGITS}g}"
    before = sign if value < 0 else plus if value > 0 else ""
    return f"{about if _looks_exact_and_is_not(text, abs(value)) else ''}{before}{text}"


def signed(value: float) -> str:
    """A contribution to read, always with its sign; zero has none."""
    return shown(value, plus="+")


def _looks_exact_and_is_not(text: str, value: float) -> bool:
    if math.isinf(value) or abs(float(text) - value) <= _DUST * value:
        return False
    mantissa = text.partition("e")[0]
    return "." not in mantissa or len(mantissa.replace(".", "").lstrip("0")) < DIGITS
