"""How numbers are written: as short as is faithful, with a true minus, and read back the same.

A rounded number either shows all the digits it may (`0.7071`) or says so (`≈ 1`); a number that
is not zero is never written as `0`. Differences below 1e-12 of the number are floating point dust
and do not count.

>>> short(2 / 3), short(0.99999), short(-1e-9), signed(3), full(0.1 + 0.2)
('0.6667', '≈ 1', '−1e−9', '+3', '0.30000000000000004')
>>> parse_number("−2e3"), parse_number("2 + 3")
(-2000.0, None)
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Final, Literal, TypeAlias

Digits: TypeAlias = Literal["shortest"] | int

NOT_COMPUTED: Final = "–"
NO_PATH: Final = "∅"
ASKED: Final = "?"
MINUS: Final = "\N{MINUS SIGN}"
ABOUT: Final = "≈ "
DIGITS_SHOWN: Final = 4
"""Significant digits on the screen, unless the user has chosen others."""
DIGITS_WRITTEN: Final = 6
"""Significant digits in sentences of the engine and in exported texts that people read."""
DECIMALS_OF_LOSSES: Final = 4
"""Decimals of losses and parameters in a training loop."""


class _Hidden(float):
    """A number that is asked for: it is written `?`, and so is whatever is computed with it."""

    __slots__ = ()

    def _stay(self, *_others: object) -> _Hidden:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = _stay
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _stay
    __neg__ = __pos__ = __abs__ = _stay

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


HIDDEN: Final = _Hidden(1.0)
"""The only one. Its float counts nowhere; it is finite and not 0, as most numbers are."""

_LONGEST_TEXT: Final = 64
_MOST_FITTED: Final = 12
"""Digits of a number that has too little room for all of them."""
_DUST: Final = 1e-12
_TENTH: Final = 0.1
LARGEST_DRAWN: Final = 1e150
"""Numbers from there on are not drawn: their squares are infinite."""
_LARGEST: Final = Decimal(sys.float_info.max)
_PLAIN_FROM: Final = Decimal("1e-4")
_PLAIN_BELOW: Final = Decimal("1e7")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_NAMED: Final = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf, "nan": math.nan}


@lru_cache(maxsize=16_384)
def short(x: float, digits: Digits = DIGITS_SHOWN) -> str:
    """Write x for the screen with at most `digits` significant digits."""
    return _written(x, digits, plus="")


@lru_cache(maxsize=16_384)
def signed(x: float, digits: Digits = DIGITS_SHOWN) -> str:
    """Write a contribution: as `short`, but always with its sign; zero has none."""
    return _written(x, digits, plus="+")


@lru_cache(maxsize=16_384)
def decimals(x: float, places: int = DECIMALS_OF_LOSSES) -> str:
    """Write x with at most that number of decimals, ties to even, as lessons print their losses.

    >>> decimals(0.15625), decimals(1.0009765625), decimals(4e-6), decimals(-0.99999)
    ('0.1562', '1.001', '≈ 0', '≈ −1')
    """
    rounded = round(x, places) if math.isfinite(x) else x
    if x is HIDDEN or not math.isfinite(x) or abs(x) >= _PLAIN_BELOW:
        return short(x)
    exact = abs(rounded - x) <= _DUST * abs(x)
    about = "" if exact or not rounded.is_integer() else ABOUT
    return about + full(rounded + 0.0)


def fitted(x: float, fits: Callable[[str], bool]) -> str:
    """Write x as `decimals` does, or with as many of its digits as fit; the shortest if none do.

    >>> [fitted(-37125.4321, lambda text: len(text) <= room) for room in (12, 9, 8, 7, 6)]
    ['−37125.4321', '−37125.43', '−37125.4', '−3.71e4', '−3.7e4']
    >>> [fitted(300001, lambda text: len(text) <= room) for room in (6, 5, 2)]
    ['300001', '3.0e5', '≈ 3e5']
    """
    text = decimals(x)
    if fits(text) or x is HIDDEN or not math.isfinite(x) or x == 0:
        return text
    for digits in range(_MOST_FITTED, 0, -1):
        found = [text for text in _with_digits(x, digits) if fits(text)]
        if found:
            return found[0]
    return _with_exponent(x, 1)


def _with_digits(x: float, digits: int) -> Iterator[str]:
    """Yield the ways to write x rounded to that number of digits: plainly, with an exponent."""
    places = digits - 1 - _without_dust(abs(x)).adjusted()
    if 0 < places < DECIMALS_OF_LOSSES:
        yield decimals(x, places)
    yield _with_exponent(x, digits)


def _with_exponent(x: float, digits: int) -> str:
    """Write x as 3.7e5; a rounded number has all its digits, or a sign that says so."""
    exact = _without_dust(abs(x))
    rounded = exact
    if _significant(exact) > digits:
        last = Decimal((0, (1,), exact.adjusted() - digits + 1))
        rounded = exact.quantize(last, ROUND_HALF_UP)
        if rounded > _LARGEST:  # it would be read back as inf
            rounded = exact.quantize(last, ROUND_DOWN)
    figures = "".join(map(str, rounded.normalize().as_tuple().digits))
    if rounded != exact:
        figures = figures.ljust(digits, "0")
    mantissa = figures if len(figures) == 1 else f"{figures[0]}.{figures[1:]}"
    exponent = rounded.adjusted()
    about = ABOUT if rounded != exact and digits == 1 else ""
    sign = MINUS if x < 0 else ""
    return f"{about}{sign}{mantissa}e{MINUS if exponent < 0 else ''}{abs(exponent)}"


def full(x: float) -> str:
    """Write x with every digit needed to read back exactly the same number."""
    return plain(x).replace("-", MINUS)


def plain(x: float) -> str:
    """Write x as `full` does, in ASCII, for the clipboard and for code; −0 keeps its sign.

    >>> plain(-0.0), plain(0.0), short(-0.0), decimals(-0.0)
    ('-0.0', '0', '0', '0')
    """
    if x is HIDDEN:
        return ASKED
    if x == 0 and math.copysign(1.0, x) < 0:
        return "-0.0"
    return repr(float(x)).removesuffix(".0").replace("e+", "e").replace("e-0", "e-")


def printed_range(x: float, digits: Digits = DIGITS_SHOWN) -> tuple[float, float]:
    """Return the least and the largest number that is written as `short` writes x.

    A number that is written whole stands for itself alone.

    >>> printed_range(2 / 3), printed_range(0.5), printed_range(0.99999)
    ((0.66665, 0.66675), (0.5, 0.5), (0.99995, 1.0005))
    """
    if digits == "shortest" or x is HIDDEN or not math.isfinite(x) or x == 0:
        return x, x
    exact = _without_dust(abs(x))
    rounded = _rounded(exact, digits)
    if rounded == exact:
        return x, x
    above = _last_place(rounded, rounded.adjusted(), digits)
    starts_decade = rounded.as_tuple().digits == (1,)  # below it numbers show one place more
    below = _last_place(exact.min(rounded), rounded.adjusted() - starts_decade, digits)
    low = min(float(rounded - Decimal((0, (5,), below - 1))), abs(x))
    high = max(float(rounded + Decimal((0, (5,), above - 1))), abs(x))
    return (low, high) if x > 0 else (-high, -low)


def is_rounded(x: float, digits: Digits = DIGITS_SHOWN) -> bool:
    """Return whether `short` writes another number than x."""
    low, high = printed_range(x, digits)
    return low < high


def counted(count: int, one: str, many: str, **fields: object) -> str:
    """Return the template for one or that for several, filled with `{count}` and other fields.

    >>> counted(2, "{count} wire leaves {node}", "{count:,} wires leave {node}", node="a")
    '2 wires leave a'
    """
    return plural(count, one, many).format(count=count, **fields)


def plural(count: int, one: str, many: str) -> str:
    """Return the template for one or that for several, for what fills it by itself."""
    return one if count == 1 else many


def tolerable(x: float) -> float:
    """Return the largest error with which a measured number still says something of `x`.

    That is a tenth of its size, or 0.1 if it is 0.
    """
    return _TENTH * (abs(x) if x else 1.0)


def parse_number(text: str) -> float | None:
    """Read a number as people type it; None when it is not one, or would turn into inf or 0."""
    if len(text) > _LONGEST_TEXT or not text.isprintable():
        return None
    written = _ascii(text)
    if written in _NAMED:
        return _NAMED[written]
    if not _NUMBER.fullmatch(written):
        return None
    number = float(written)
    return None if math.isinf(number) or _vanishes(written) else number


def why_no_number(text: str) -> str:
    """What to say about a text that `parse_number` can't read: what is wrong, and what to write."""
    written = _ascii(text)
    named = text.strip()
    if not written:
        return "Write a number, such as −0.5, 1e3 or inf."
    if len(text) > _LONGEST_TEXT:
        return f"This is too long: a number has at most {_LONGEST_TEXT} characters here."
    if _NUMBER.fullmatch(written):
        if _vanishes(written):
            return f"{named} is too small: the smallest number above 0 is about 5e−324."
        return f"{named} is too large: the largest number is about 1.8e308. inf means infinity."
    if _NUMBER.fullmatch(written.replace(",", ".", 1)):
        return f"{named} is no number: write a point, as in {named.replace(',', '.')}."
    return f"{named} is no number. Write one such as −0.5, 1e3 or inf."


def _ascii(text: str) -> str:
    written = text.strip().replace(MINUS, "-").lower()
    if written[:1] in ("+", "-"):
        written = written[0] + written[1:].lstrip()
    return written


def _vanishes(written: str) -> bool:
    """Whether a number that is not zero is too small to be anything else."""
    digits = written.split("e")[0]
    return float(written) == 0 and any(digit in "123456789" for digit in digits)


def _written(x: float, digits: Digits, plus: str) -> str:
    if x is HIDDEN:
        return ASKED
    x = float(x)
    if math.isnan(x):
        return "nan"
    if x == 0:
        return "0"
    sign = MINUS if x < 0 else plus
    if math.isinf(x):
        return f"{sign}inf"
    exact = _without_dust(abs(x))
    rounded = _rounded(exact, digits)
    if rounded == exact or _is_visibly_rounded(rounded, digits):
        return f"{sign}{_decimal_text(rounded)}"
    filled = _filled(_decimal_text(rounded), digits)
    return f"{sign}{filled}" if filled else f"{ABOUT}{sign}{_decimal_text(rounded)}"


def _filled(text: str, digits: Digits) -> str:
    """A rounded number whose last digits are zeros, written out: 0.2350 shows that it is rounded.

    Empty for a whole number and one with an exponent: those would look exact.
    """
    whole, point, places = text.partition(".")
    if not point or "e" in text or digits == "shortest":
        return ""
    shown = len((whole + places).lstrip("0"))
    return text + "0" * (digits - shown)


def _without_dust(x: float) -> Decimal:
    """Return the decimal number x stands for: 0.5 for 0.49999999999999994."""
    near = float(f"{x:.9e}")
    is_dust = math.isfinite(near) and abs(near - x) <= _DUST * x
    return Decimal(repr(near if is_dust else x)).normalize()


def _rounded(exact: Decimal, digits: Digits) -> Decimal:
    if digits == "shortest" or _significant(exact) <= digits:
        return exact
    last = Decimal((0, (1,), _last_place(exact, exact.adjusted(), digits)))
    rounded = exact.quantize(last, ROUND_HALF_UP)
    if rounded > _LARGEST:  # it would be read back as inf
        rounded = exact.quantize(last, ROUND_DOWN)
    return rounded.normalize()


def _last_place(size: Decimal, first_place: int, digits: int) -> int:
    """Return the exponent of the last digit of a number of that size, if it is rounded."""
    last_place = first_place - digits + 1
    # written without an exponent, the whole part keeps its digits
    return min(last_place, 0) if size < _PLAIN_BELOW else last_place


def _is_visibly_rounded(rounded: Decimal, digits: Digits) -> bool:
    """Whether a reader sees that more digits may follow: all allowed ones are there."""
    shows_places = "." in _decimal_text(rounded)
    return shows_places and _significant(rounded) == digits


def _significant(number: Decimal) -> int:
    return len(number.as_tuple().digits)


def _decimal_text(number: Decimal) -> str:
    """Write a positive, normalised number, with an exponent where zeros would fill the screen."""
    if _PLAIN_FROM <= number < _PLAIN_BELOW:
        return f"{number:f}"
    figures = "".join(map(str, number.as_tuple().digits))
    mantissa = figures if len(figures) == 1 else f"{figures[0]}.{figures[1:]}"
    exponent = number.adjusted()
    return f"{mantissa}e{MINUS if exponent < 0 else ''}{abs(exponent)}"
