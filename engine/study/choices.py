"""Choices: the right answer among those that slips give, for a question that is not typed.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5}))
>>> choices(Question("contribution", 3, 0, 6), trace)
(-10.0, -2.0, 5.0, 15.0)
"""

import math
from typing import Final

from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.study.judging import MINUS_LOST, judge
from engine.study.question import Question, answer
from engine.study.slips import Slip, slip_numbers
from engine.trace import Trace

MOST: Final = 4
"""Choices of one question."""
SIGNS: Final = (1.0, -1.0, 0.0)
"""The choices of a sign: the root rises, falls or stays."""


def choices(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> tuple[float, ...]:
    """Return the answer and the numbers of the first three slips, by size.

    Those of a lost minus come last. All differ as displayed, and none but the answer would be
    judged right. () where no slip shows, so that there is nothing to choose from.
    """
    if question.kind == "sign":
        return SIGNS
    if question.kind in ("next", "text"):
        return ()
    found = {short(right := answer(question, trace), digits): right}
    for _slip, number in sorted(slip_numbers(question, trace), key=_is_lost_minus):
        text = short(number, digits)
        if text not in found and not judge(trace, [(question, text)], digits)[0].right:
            found[text] = number
        if len(found) == MOST:
            break
    by_size = sorted(found.values(), key=lambda x: (math.isnan(x), x))
    return tuple(by_size) if len(found) > 1 else ()


def _is_lost_minus(found: tuple[Slip, float]) -> bool:
    return found[0].name in MINUS_LOST
