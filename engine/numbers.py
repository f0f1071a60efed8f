"""Numbers: formatting to a number of significant digits, and parsing.

A rounded number shows all the digits it may (`0.7071`), or a sign (`≈ 1`), so that a reader can
tell it from an exact one. A number other than zero is never written as `0`. A relative difference
below 1e-12 counts as rounding noise: 0.1 + 0.2 is `0.3` on the screen; beside a whole number only a
few units in the last place do, for tanh(16) is not 1. The minus sign is U+2212.

>>> short(2 / 3), short(0.99999), short(-1e-9), signed(3), full(0.1 + 0.2)
('0.6667', '≈ 1', '−1e−9', '+3', '0.30000000000000004')
>>> short(math.tanh(16)), short(sum([0.1] * 10)), decimals(math.tanh(-16))
('≈ 1', '1', '≈ −1')
>>> parse_number("−2e3"), parse_number("2 + 3")
(-2000.0, None)
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from engine.conditions import decided, followed

Digits: TypeAlias = Literal["shortest"] | int
"""Number of significant digits; "shortest": as many as tell the number apart."""

NOT_COMPUTED: Final = "–"
NO_PATH: Final = "∅"
"""The gradient of a node from which no path leads to the root."""
ASKED: Final = "?"
"""A number that a quiz hides (see `HIDDEN`)."""
MINUS: Final = "\N{MINUS SIGN}"
ABOUT: Final = "≈ "
DIGITS_SHOWN: Final = 4
"""Significant digits on the screen, unless the user has chosen others."""
DIGITS_WRITTEN: Final = 6
"""Significant digits in sentences of the engine and in exported texts that people read."""
DECIMALS_OF_LOSSES: Final = 4
"""Maximum number of decimals of losses and parameters in a training loop."""


HOLE_BEGINS: Final = "\ufdd0"
HOLE_ENDS: Final = "\ufdd1"
"""Characters that no text of a graph may have."""


class _Hidden(float):
    """A number that a quiz hides: it is written `?`, as is every result computed with it."""

    __slots__ = ()

    def _hidden_result(self, *_others: object) -> _Hidden:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = _hidden_result
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _hidden_result
    __neg__ = __pos__ = __abs__ = _hidden_result

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


HIDDEN: Final = _Hidden(1.0)
"""The only instance. Its float value is arbitrary, but finite and not 0, as code may expect."""


class FieldNumber(float):
    """A number that is written as a hole, which whoever knows the number of its key fills in.

    Between HOLE_BEGINS and HOLE_ENDS a hole has its key, a colon, the digits, and marks: `+` if it
    is signed, `&` if it is a summand such as `− 2`; beside an operator `(` if a number with a sign
    needs brackets there, and `[` if one with ≈ does; `=` if it brings an equals sign along, `±` if
    0 has that sign, `.` if the digits are those after the point, as `decimals` writes it; or ?, and
    words for a number above, below and at 0, between bars.
    Its float value is a probe: any number at which sentences are to be written. While
    `engine.conditions` follows a writer, the key of what is computed with it is a formula, and what
    is compared is a condition.

    >>> short(FieldNumber(0.5, "v3")) == f"{HOLE_BEGINS}v3:4{HOLE_ENDS}"
    True
    """

    __slots__ = ("key",)

    def __new__(cls, probe: float, key: str) -> FieldNumber:
        found = float.__new__(cls, probe)
        found.key = key
        return found

    def __eq__(self, other: object) -> bool:
        if self is other or not followed() or not isinstance(other, float | int):
            return self is other
        return decided(f"{self.key} == {term(other)}")

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return decided(f"{self.key} != 0") if followed() else True

    __hash__ = object.__hash__


def _method(name: str, form: str) -> Callable[..., Any]:
    """Return a method of FieldNumber that gives a formula or a condition, or else a float's."""
    of_float, compares = getattr(float, name), form[0] != "("

    def method(*numbers: float) -> float | bool:
        if not followed():
            return of_float(*numbers)
        terms = [*map(term, numbers)]
        if compares and terms[0].startswith("(-") and not numbers[1]:  # as its negative
            terms[0], formula = terms[0][2:-1], form.translate(_FLIPPED)
            return decided(formula.format(*terms))
        return decided(form.format(*terms)) if compares else FieldNumber(1.5, form.format(*terms))

    return method


_FLIPPED: Final = str.maketrans("<>", "><")
for _name, _form in {
    "__add__": "({} + {})",
    "__sub__": "({} - {})",
    "__mul__": "({} * {})",
    "__radd__": "({1} + {0})",
    "__rsub__": "({1} - {0})",
    "__rmul__": "({1} * {0})",
    "__truediv__": "({} / {})",
    "__neg__": "(-{})",
    "__abs__": "(abs({}))",
    "__lt__": "{} < {}",
    "__gt__": "{} > {}",
    "__le__": "{} <= {}",
    "__ge__": "{} >= {}",
}.items():
    setattr(FieldNumber, _name, _method(_name, _form))


def key_of(x: FieldNumber) -> str:
    """Return the key by which a page knows a field; a formula's is its number."""
    formulas = followed()
    return x.key if x.key.isidentifier() or not formulas else f"e{formulas.number(x.key)}"


def term(x: float) -> str:
    """Return a number as a part of a formula."""
    if isinstance(x, FieldNumber):
        return x.key
    x = int(x) if isinstance(x, float) and x.is_integer() else x
    # JavaScript has no inf; −inf and nan are in no formula that is written
    return f"({x!r})" if x < 0 else repr(x).replace("inf", "Infinity")


def asks(name: str, *numbers: float | str) -> bool | None:
    """Return whether a condition on fields holds on the way that is followed; None of numbers."""
    if not followed() or not any(isinstance(x, FieldNumber) for x in numbers):
        return None
    if any(isinstance(x, float) and math.isnan(x) for x in numbers):
        return False
    terms = [x if isinstance(x, str) else term(x) for x in numbers]
    is_itself = name in ("near", "same") and terms[0] == terms[1]
    return is_itself or decided(f"{name}({', '.join(terms)})")


def by_sign(x: float, above: str, below: str, at_zero: str) -> str:
    """Return the word for a number above, below, or at 0; of fields a hole."""
    if isinstance(x, FieldNumber) and followed():
        return f"{HOLE_BEGINS}{key_of(x)}:0?{above}|{below}|{at_zero}{HOLE_ENDS}"
    return above if x > 0 else below if x else at_zero


def holds(condition: str) -> bool:
    """Return whether a condition on fields holds; at their probes none does."""
    return bool(followed()) and decided(condition)


_HOLE: Final = re.compile(f"{HOLE_BEGINS}(?:N\\w+_(\\d+)|\\w+):(\\d+)[^{HOLE_ENDS}]*{HOLE_ENDS}")
_AROUND_DIGITS: Final = 10
"""Most characters of a number beside its digits: sign, point, exponent and brackets."""


def are_finite(numbers: Iterable[float]) -> bool:
    given = tuple(numbers)
    asked = asks("finite", *(x for x in given if isinstance(x, FieldNumber)))
    return all(map(math.isfinite, given)) and asked is not False


def fits(text: str, most: int) -> bool:
    """Return whether a text has at most that many characters, once its holes are filled."""
    formulas, (rest, count) = followed(), _HOLE.subn("", text)
    if formulas is None or not count or len(rest) + count > most:
        return len(rest) + count <= most
    holes = (int(name or 0) or int(digits) + _AROUND_DIGITS for name, digits in _HOLE.findall(text))
    return len(rest) + sum(holes) <= most or decided(f"fits({formulas.text(text)}, {most})")


def are_apart(some: Collection[str], others: Collection[str]) -> bool:
    """Return whether two groups of numbers as texts have none in common but for signs."""
    one, other = ({x.replace(MINUS, "").lstrip("+") for x in texts} for texts in (some, others))
    formulas = followed()
    if formulas is None or not any(HOLE_ENDS in text for text in (*some, *others)):
        return one.isdisjoint(other)
    numbers = [formulas.text("\n".join(sorted(group))) for group in (one, other)]
    return one.isdisjoint(other) and decided(f"apart({numbers[0]}, {numbers[1]})")


_MAX_INPUT_LENGTH: Final = 64
"""Maximum number of characters of a typed number; no float needs half as many."""
_MAX_FITTED_DIGITS: Final = 12
"""Significant digits with which `fitted` begins when the whole number does not fit."""
_ROUNDING_NOISE: Final = 1e-12
"""Relative difference that is attributed to floating-point rounding."""
_NOISE_OF_WHOLE: Final = 4
"""The same beside a whole number, which reads as exact: units in the last place."""
LARGEST_DRAWN: Final = 1e150
"""Larger numbers are not drawn: their squares overflow."""
_LARGEST: Final = Decimal(sys.float_info.max)
_EXPONENT_BELOW: Final = Decimal("1e-4")
"""Smaller numbers are written with an exponent, as are those from `_EXPONENT_FROM` on."""
_EXPONENT_FROM: Final = Decimal("1e7")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
COMMA: Final = re.compile(r"(?<![\w.,])(\d+),(\d+)(?![\d.,])", re.ASCII)
"""A comma in a number."""
_GROUPED: Final = re.compile(r"[1-9]\d{0,2},\d{3}", re.ASCII)
"""A number whose comma may separate thousands."""
COMMA_READINGS: Final = "{text} is {whole}{part} or {whole}.{part}: write one."
"""The sentence about such a number, whose comma stands between `whole` and `part`."""
_NAMED: Final = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf, "nan": math.nan}


@lru_cache(maxsize=16_384)
def short(x: float, digits: Digits = DIGITS_SHOWN) -> str:
    """Write x for the screen with at most `digits` significant digits."""
    return _format(x, digits, plus="")


@lru_cache(maxsize=16_384)
def signed(x: float, digits: Digits = DIGITS_SHOWN) -> str:
    """Write a contribution: as `short`, but always with its sign; zero has none."""
    return _format(x, digits, plus="+")


@lru_cache(maxsize=16_384)
def decimals(x: float, places: int = DECIMALS_OF_LOSSES) -> str:
    """Write x with at most that number of decimals, ties to even; used for losses.

    >>> decimals(0.15625), decimals(1.0009765625), decimals(4e-6), decimals(-0.99999)
    ('0.1562', '1.001', '≈ 0', '≈ −1')
    """
    if isinstance(x, FieldNumber):
        return f"{HOLE_BEGINS}{key_of(x)}:{places}.{HOLE_ENDS}"
    rounded = float(round(x, places) if math.isfinite(x) else x)
    if x is HIDDEN or not math.isfinite(x) or abs(x) >= _EXPONENT_FROM:
        return short(x)
    exact = _is_noise(x, rounded)
    about = "" if exact or not rounded.is_integer() else ABOUT
    return about + full(rounded + 0.0)  # −0.0 + 0.0 is 0.0: a zero has no sign here


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
    for digits in range(_MAX_FITTED_DIGITS, 0, -1):
        found = [text for text in _with_digits(x, digits) if fits(text)]
        if found:
            return found[0]
    return _with_exponent(x, 1)


def _with_digits(x: float, digits: int) -> Iterator[str]:
    """Yield x rounded to that number of digits, first as a decimal, then with an exponent."""
    places = digits - 1 - _without_noise(abs(x)).adjusted()
    # with all decimals `fitted` has tried it; without any it would need the sign ≈
    if 0 < places < DECIMALS_OF_LOSSES:
        yield decimals(x, places)
    yield _with_exponent(x, digits)


def _with_exponent(x: float, digits: int) -> str:
    """Write x as 3.7e5; a rounded number is padded with zeros, or marked if it has one digit."""
    exact = rounded = _without_noise(abs(x))
    if _significant(exact) > digits:
        rounded = _rounded_at(exact, exact.adjusted() - digits + 1)
    text = _scientific(rounded, digits if rounded != exact else 1)
    about = ABOUT if rounded != exact and digits == 1 else ""
    return f"{about}{MINUS if x < 0 else ''}{text}"


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

    A number that is written exactly is the only one with this text.

    >>> printed_range(2 / 3), printed_range(0.5), printed_range(0.99999)
    ((0.66665, 0.66675), (0.5, 0.5), (0.99995, 1.0005))
    """
    if digits == "shortest" or x is HIDDEN or not math.isfinite(x) or x == 0:
        return x, x
    exact = _without_noise(abs(x))
    rounded = _rounded(exact, digits)
    if rounded == exact:
        return x, x
    above = _last_place(rounded, rounded.adjusted(), digits)
    starts_decade = rounded.as_tuple().digits == (1,)  # numbers below it have one decimal more
    below = _last_place(exact.min(rounded), rounded.adjusted() - starts_decade, digits)
    # half a unit in the last place; x itself counts even if noise has put it outside
    low = min(float(rounded - Decimal((0, (5,), below - 1))), abs(x))
    high = max(float(rounded + Decimal((0, (5,), above - 1))), abs(x))
    return (low, high) if x > 0 else (-high, -low)


def is_rounded(x: float, digits: Digits = DIGITS_SHOWN) -> bool:
    """Return whether `short` writes another number than x."""
    low, high = printed_range(x, digits)
    return low < high


def are_rounded(numbers: Iterable[float], digits: Digits = DIGITS_SHOWN) -> bool:
    """Return whether `short` writes another number than one of these."""
    given = tuple(numbers)
    of_fields = (x for x in given if isinstance(x, FieldNumber))
    asked = asks("areRounded", str(digits), *of_fields)
    rest = (x for x in given if not (followed() and isinstance(x, FieldNumber)))
    return bool(asked) or any(is_rounded(x, digits) for x in rest)


def is_short_whole(text: str) -> bool:
    """Return whether a text is a whole number in ASCII digits; fewer than 8, so `int` is fast."""
    return text.isascii() and text.isdigit() and len(text) < 8


def counted(count: int, one: str, many: str, **fields: object) -> str:
    """Return the singular or the plural template, filled with `{count}` and other fields.

    >>> counted(2, "{count} wire leaves {node}", "{count:,} wires leave {node}", node="a")
    '2 wires leave a'
    """
    return plural(count, one, many).format(count=count, **fields)


def plural(count: int, one: str, many: str) -> str:
    """Return the singular or the plural template."""
    return one if count == 1 else many


def measurement_tolerance(x: float) -> float:
    """Return the error up to which a measured number is evidence about `x`.

    That is a tenth of its size, or 0.1 if it is 0.
    """
    return 0.1 * (abs(x) if x else 1.0)


def parse_number(text: str) -> float | None:
    """Parse a typed number; None for any other text, and if it would overflow or underflow."""
    if len(text) > _MAX_INPUT_LENGTH or not text.isprintable():
        return None
    ascii_text = _ascii(text)
    if ascii_text in _NAMED:
        return _NAMED[ascii_text]
    if not _NUMBER.fullmatch(ascii_text):
        return None
    number = float(ascii_text)
    return None if math.isinf(number) or _underflows(ascii_text) else number


def parse_quotient(text: str) -> float | None:
    """Parse a typed number, or a quotient of two such as 5/3; None as for `parse_number`."""
    above, slash, below = text.partition("/")
    if not slash:
        return parse_number(text)
    numbers = parse_number(above), parse_number(below)
    found = numbers[0] / numbers[1] if numbers[0] is not None and numbers[1] else math.nan
    return found if math.isfinite(found) else None


def why_no_number(text: str) -> str:
    """Return why `parse_number` can't read a text, and an example of one that it can."""
    ascii_text = _ascii(text)
    quoted = text.strip()
    if not ascii_text:
        return "Write a number, such as −0.5, 1e3 or inf."
    if len(text) > _MAX_INPUT_LENGTH:
        return f"This is too long: a number has at most {_MAX_INPUT_LENGTH} characters here."
    if _NUMBER.fullmatch(ascii_text):
        if _underflows(ascii_text):
            return f"{quoted} is too small: the smallest number above 0 is about 5e−324."
        return f"{quoted} is too large: the largest number is about 1.8e308. inf means infinity."
    if readings := comma_readings(quoted):
        return readings
    return f"{quoted} is no number. Write one such as −0.5, 1e3 or inf."


def with_decimal_points(text: str) -> str:
    """Return a text with a point for each decimal comma; one that may group digits stays.

    >>> with_decimal_points("-1,5 + 1,000")
    '-1.5 + 1,000'
    """
    return COMMA.sub(lambda m: m[0] if _GROUPED.fullmatch(m[0]) else f"{m[1]}.{m[2]}", text)


def comma_readings(text: str) -> str:
    """Return the sentence that a comma in a text has two meanings, or "" if none has."""
    found = next((m for m in COMMA.finditer(text) if _GROUPED.fullmatch(m[0])), None)
    if found is None:
        return ""
    return COMMA_READINGS.format(text=found[0], whole=found[1], part=found[2])


def _ascii(text: str) -> str:
    """Return a typed number as Python writes it: ASCII minus and point, no space after the sign."""
    ascii_text = with_decimal_points(text.strip().replace(MINUS, "-").lower())
    if ascii_text[:1] in ("+", "-"):
        ascii_text = ascii_text[0] + ascii_text[1:].lstrip()
    return ascii_text


def _underflows(ascii_text: str) -> bool:
    """Return whether a number other than zero is too small for a float, so that it reads as 0."""
    digits = ascii_text.split("e")[0]
    return float(ascii_text) == 0 and any(digit in "123456789" for digit in digits)


def _format(x: float, digits: Digits, plus: str) -> str:
    if x is HIDDEN:
        return ASKED
    if isinstance(x, FieldNumber):
        return f"{HOLE_BEGINS}{key_of(x)}:{digits}{plus}{HOLE_ENDS}"
    x = float(x)
    if math.isnan(x):
        return "nan"
    if x == 0:
        return "0"
    sign = MINUS if x < 0 else plus
    if math.isinf(x):
        return f"{sign}inf"
    exact = _without_noise(abs(x))
    rounded = _rounded(exact, digits)
    if rounded == exact or _is_visibly_rounded(rounded, digits):
        return f"{sign}{_decimal_text(rounded)}"
    filled = _zero_padded(_decimal_text(rounded), digits)
    return f"{sign}{filled}" if filled else f"{ABOUT}{sign}{_decimal_text(rounded)}"


def _zero_padded(text: str, digits: Digits) -> str:
    """Return a rounded number with its final zeros: 0.2350 shows that it is rounded to 4 digits.

    "" for a whole number and for one with an exponent, whose zeros would not show that.
    """
    integer, point, places = text.partition(".")
    if not point or "e" in text or digits == "shortest":
        return ""
    shown = len((integer + places).lstrip("0"))
    return text + "0" * (digits - shown)


def _without_noise(x: float) -> Decimal:
    """Return x as a decimal without rounding noise: 0.5 for 0.49999999999999994."""
    near = float(f"{x:.9e}")  # ten digits, which noise does not reach
    differs_by_noise = math.isfinite(near) and _is_noise(x, near)
    return Decimal(repr(near if differs_by_noise else x)).normalize()


def _is_noise(x: float, near: float) -> bool:
    """Return whether only rounding noise makes x differ from a number near it."""
    whole_noise = _NOISE_OF_WHOLE * math.ulp(x)
    return abs(near - x) <= (whole_noise if float(near).is_integer() else _ROUNDING_NOISE * abs(x))


def _rounded(exact: Decimal, digits: Digits) -> Decimal:
    if digits == "shortest" or _significant(exact) <= digits:
        return exact
    return _rounded_at(exact, _last_place(exact, exact.adjusted(), digits))


def _rounded_at(exact: Decimal, place: int) -> Decimal:
    """Round to the digit at a power of ten."""
    last = Decimal((0, (1,), place))
    rounded = exact.quantize(last, ROUND_HALF_UP)
    if rounded > _LARGEST:  # it would be read back as inf
        rounded = exact.quantize(last, ROUND_DOWN)
    return rounded.normalize()


def _last_place(size: Decimal, first_place: int, digits: int) -> int:
    """Return the exponent of the last digit of a number of that size, if it is rounded."""
    last_place = first_place - digits + 1
    # written without an exponent, the whole part keeps its digits
    return min(last_place, 0) if size < _EXPONENT_FROM else last_place


def _is_visibly_rounded(rounded: Decimal, digits: Digits) -> bool:
    """Return whether a number has decimals and all the digits allowed, as rounded ones have."""
    shows_places = "." in _decimal_text(rounded)
    return shows_places and _significant(rounded) == digits


def _significant(number: Decimal) -> int:
    return len(number.as_tuple().digits)


def _decimal_text(number: Decimal) -> str:
    """Write a positive, normalised number, with an exponent where zeros would fill the screen."""
    if _EXPONENT_BELOW <= number < _EXPONENT_FROM:
        return f"{number:f}"
    return _scientific(number)


def _scientific(number: Decimal, digits: int = 1) -> str:
    """Write a positive, normalised number with an exponent, and zeros up to a number of digits."""
    figures = "".join(map(str, number.as_tuple().digits)).ljust(digits, "0")
    mantissa = figures if len(figures) == 1 else f"{figures[0]}.{figures[1:]}"
    exponent = number.adjusted()
    return f"{mantissa}e{MINUS if exponent < 0 else ''}{abs(exponent)}"
