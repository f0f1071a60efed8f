"""Plain numbers of a program that is read, computed with Python's own results and limits."""

import math
import random
from collections.abc import Callable, Sequence

from engine.errors import EngineError
from engine.formats.expression_reader import TOO_LARGE
from engine.ops import BY_NAME

LONGEST = 1100
"""Maximum number of bits of a whole number; above 1,024 bits none converts to a float."""

_BINARY: dict[str, Callable[[float, float], object]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "mod": lambda a, b: a % b,
    "floordiv": lambda a, b: a // b,
}
_UNARY: dict[str, Callable[[float], object]] = {"neg": lambda a: -a, "abs": abs}
_DRAWS = {"random": 0, "uniform": 2, "gauss": 2, "normalvariate": 2, "randint": 2}
"""Functions of `random` with their number of arguments."""
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "tau": math.tau}


class NumberError(EngineError):
    """An error that Python would raise as well when computing; the text is the reason."""


def computed(op: str, numbers: Sequence[float]) -> float:
    """Return the result of an operation on plain numbers; whole numbers stay exact."""
    if op in _BINARY or op in _UNARY:
        return _by_python(op, numbers)
    found = BY_NAME[op].forward(*(as_float(number) for number in numbers))
    if not math.isfinite(found) and all(map(math.isfinite, numbers)):
        raise NumberError("{op} has no finite value here.", op=op)
    return found


def _by_python(op: str, numbers: Sequence[float]) -> float:
    whole = all(isinstance(number, int) for number in numbers)
    if op == "pow" and whole and _bits_of_power(*numbers) > LONGEST:
        raise NumberError(TOO_LARGE)
    try:
        found = _UNARY[op](*numbers) if op in _UNARY else _BINARY[op](*numbers)
    except ZeroDivisionError:
        raise NumberError("this divides by 0.") from None
    except OverflowError:
        raise NumberError(TOO_LARGE) from None
    if isinstance(found, int) and found.bit_length() > LONGEST:
        raise NumberError(TOO_LARGE)
    if not isinstance(found, int | float):
        raise NumberError("this number is not real.")
    return found


def _bits_of_power(base: float, exponent: float) -> float:
    return int(base).bit_length() * exponent if exponent > 0 else 0


def as_float(number: float) -> float:
    """Return a number as a Value holds it."""
    try:
        return float(number)
    except OverflowError:
        raise NumberError(TOO_LARGE) from None


def unknown_draw(name: str) -> NumberError:
    """Return the error for a function of `random` that is not one of the few known."""
    return NumberError("random.{name} can't be read like this.", name=name)


class Dice:
    """The module `random`: gives Python's own results once it is seeded with a number."""

    def __init__(self) -> None:
        self._state: random.Random | None = None

    def seed(self, number: float) -> None:
        """Evaluate `random.seed(number)`."""
        self._state = random.Random(number)

    def forget(self) -> None:
        """Forget the seed, after code that may have drawn an unknown number of values."""
        self._state = None

    def draw(self, name: str, numbers: Sequence[float]) -> float:
        """Return the result of a function of `random`; raises NumberError if it is not known."""
        if _DRAWS.get(name) != len(numbers):
            raise unknown_draw(name)
        if self._state is None:
            raise NumberError("only a program that calls random.seed(number) draws known numbers.")
        try:
            return getattr(self._state, name)(*numbers)
        except ValueError:
            raise NumberError(
                "random.{name} can't be called with these numbers.", name=name
            ) from None
