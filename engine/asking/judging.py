"""Judging: reads typed answers, judges them, and offers choices.

An answer is a number or a constant expression in any accepted spelling, signs of the screen
included; nothing is executed.

>>> [read_answer(text).number for text in ("-2*-3", "−2 × −3", "1/3", "1 - 0.5^2", "∞", "nan")]
[6.0, 6.0, 0.3333333333333333, 0.75, inf, nan]
>>> read_answer("two").advice
'Write a number, such as −3, 1/3, 2 × 0.5 or inf.'

Each blank, from left to right, is the first of these that fits:

    right              the answer
    slip               exactly the number of a slip, a known mistake (`engine.asking.beliefs`)
    right_rounded      the answer, rounded to two significant digits or more
    follows            computed correctly from earlier wrong blanks of this try
    slip               the number of a slip, rounded likewise
    right_from_digits  at most 1 % off, where a number that it is computed from is shown rounded
    slip               the number of a slip, likewise
    wrong              anything else

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = tanh(a - b) * f", {"a": 2, "b": 1.5, "f": -2}))
>>> blank = Question("contribution", 4, 0, 4)
>>> [judge(trace, [(blank, text)])[0].kind for text in ("-1.5728", "-1.6", "2", "7")]
['right_from_digits', 'right_rounded', 'wrong', 'wrong']
>>> judge(trace, [(blank, "-2")])[0].slip.name
'local derivative forgotten'

The wrong choices of a question are the numbers of slips:

>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5}))
>>> number_choices(Question("contribution", 3, 0, 6), trace)
(-10.0, -2.0, 5.0, 15.0)
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from engine.asking.beliefs import LOST_MINUS, Belief, belief_numbers, has_minus
from engine.asking.kinds import KINDS, answer, error_scale
from engine.asking.question import Kind, Question, facts, near, printed_kinds
from engine.errors import EngineError
from engine.numbers import (
    ABOUT,
    DIGITS_SHOWN,
    MINUS,
    Digits,
    comma_readings,
    is_rounded,
    plain,
    plural,
    short,
    signed,
    why_no_number,
    with_decimal_points,
)
from engine.ops import BY_NAME
from engine.trace import Trace

ANSWER_LIMIT: Final = 80
"""Characters of an answer; a number written out has at most about 25."""
_ADVICE: Final = "Write a number, such as −3, 1/3, 2 × 0.5 or inf."
_SPELLINGS: Final = str.maketrans(
    {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∞": "inf", ",": "_"}
)
"""Signs as Python writes them; a comma becomes a sign that can't be read."""
_PLAIN: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_CONSTANTS: Final = {"inf": math.inf, "infinity": math.inf, "nan": math.nan, "pi": math.pi}
_OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
}


class Answer(Struct, frozen=True):
    """A typed text and its number, or None and advice on what to write.

    `half_unit` is the rounding tolerance: half a unit in the last place of a plain decimal with at
    least two significant digits, 0 for everything else. For 0.79 it is 0.005.
    """

    text: str
    number: float | None
    half_unit: float = 0.0
    advice: str = ""


def read_answer(text: str) -> Answer:
    """Return the number of a typed text, or the advice to show instead of a grade."""
    written = text.strip().casefold().removeprefix("=").strip().removeprefix(ABOUT.strip()).strip()
    if not written:
        return Answer(text, None, advice=_ADVICE)
    if len(written) > ANSWER_LIMIT:
        return Answer(text, None, advice=f"An answer has at most {ANSWER_LIMIT} characters.")
    if "(" not in written:  # in one, commas separate arguments
        written = with_decimal_points(written)
    if re.search(r"\d,\d", written):
        advice = comma_readings(written) or "Write a point, not a comma: 0.5."
        return Answer(text, None, advice=advice)
    ascii_text = written.translate(_SPELLINGS).replace("^", "**")
    number = _number(ascii_text)
    if number is None:
        is_plain = _PLAIN.fullmatch(ascii_text)
        return Answer(text, None, advice=why_no_number(ascii_text) if is_plain else _ADVICE)
    return Answer(text, number, _half_unit(ascii_text.replace(" ", "")))


def _number(text: str) -> float | None:
    """Return the value of a constant expression, or None."""
    try:
        tree = ast.parse(text, mode="eval")
        return _value(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(part: ast.expr) -> float:
    """Return the value of a constant expression; raises ValueError for anything else."""
    match part:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _as_float(number)
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.UAdd()):
            return _value(part.operand)
        case ast.UnaryOp() if type(part.op) in _OPERATORS:
            return _computed(_OPERATORS[type(part.op)], part.operand)
        case ast.BinOp() if type(part.op) in _OPERATORS:
            return _computed(_OPERATORS[type(part.op)], part.left, part.right)
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            return _computed(name, *part.args)
        case _:
            raise ValueError("no constant expression")


def _computed(op: str, *parts: ast.expr) -> float:
    found = BY_NAME.get(op)
    if found is None or len(found.slots) != len(parts):
        raise ValueError("no such operation")
    return found.forward(*[_value(part) for part in parts])


def _as_float(number: float) -> float:
    """Return a written number; raises ValueError for one too large, such as 1e999."""
    try:
        as_float = float(number)
    except OverflowError:
        as_float = math.inf
    if math.isinf(as_float):
        raise ValueError("too large")
    return as_float


def _half_unit(text: str) -> float:
    """Return half a unit in the last place, or 0 for one digit and for what is no plain decimal."""
    if not _PLAIN.fullmatch(text):
        return 0.0
    number = Decimal(text)
    digits, exponent = number.as_tuple().digits, number.as_tuple().exponent
    significant = len("".join(map(str, digits)).lstrip("0"))
    if significant < 2 or not isinstance(exponent, int):
        return 0.0
    return float(Decimal((0, (5,), exponent - 1)))


JudgementKind = Literal["right", "right_from_digits", "slip", "right_rounded", "follows", "wrong"]
VerdictKind = Literal["right", "rounded", "slip", "wrong", "unread"]
"""A judgement as a record stores it; `unread` is a text without a number."""

Filled: TypeAlias = tuple[Question, str | float]
"""The question of a blank and its content: a typed text or a number."""

MOST_RELATIVE_ERROR: Final = 0.01
"""Largest relative error of an answer that is computed from numbers that are shown rounded.

Numbers of four digits are at most 0.05 % off, so an answer from a few of them is well below it.
"""
QUOTED_LENGTH: Final = 12
"""Characters of a typed text that a sentence quotes."""
UNREAD: Final = "Can't read {text}. Write −3, 0.5, 1/3, 2*3, ∞ or nan."
EMPTY: Final = "One blank is empty."
_MOST_DIGITS: Final = 17
"""Significant digits that tell any two floats apart."""
_MOST_ROUNDED: Final = 0.051
"""Rounding to two digits changes a number by at most 5 %, 1.05 to 1.1; a bit more for floats."""


class Blank(Struct, frozen=True):
    """One blank: the question, the text in it, and its number."""

    question: Question
    text: str
    number: float

    @property
    def quoted(self) -> str:
        """Return the text shortened for a sentence."""
        return quoted(self.text)


class Judgement(Struct, frozen=True):
    """The verdict on one blank.

    `slips` are all slips that give the number, the likeliest first, and `slip_number` is the exact
    result of that one. `causes` are earlier wrong blanks: the ones from which a number of the kind
    `follows` was computed, or beside a right number the ones that it contradicts.
    """

    kind: JudgementKind
    blank: Blank
    answer: float
    slips: tuple[Belief, ...] = ()
    slip_number: float = math.nan
    causes: tuple[Blank, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the blank is accepted."""
        return self.kind in ("right", "right_from_digits", "right_rounded")

    @property
    def verdict(self) -> VerdictKind:
        """The verdict as a record stores it."""
        if self.right:
            return "right" if self.kind == "right" else "rounded"
        return "slip" if self.slips else "wrong"

    @property
    def slip(self) -> Belief | None:
        """The likeliest slip, or None."""
        return self.slips[0] if self.slips else None


def judge(
    trace: Trace,
    filled: Sequence[Filled],
    digits: Digits = DIGITS_SHOWN,
    accepted: Sequence[Filled] = (),
) -> tuple[Judgement, ...]:
    """Judge the blanks of one try, from left to right.

    `digits` is the precision of the numbers printed in the sentence, `accepted` are its blanks that
    were right in an earlier try. Raises EngineError if a blank is empty or holds no number; then
    nothing is judged.
    """
    blanks = read_blanks(filled)
    accepted_blanks, judgements = list(read_blanks(accepted)), list[Judgement]()
    for blank in blanks:
        judgements.append(_judged(blank, trace, digits, blanks, accepted_blanks, judgements))
        if judgements[-1].right:
            accepted_blanks.append(blank)
    return tuple(judgements)


def read_blanks(filled: Iterable[Filled]) -> tuple[Blank, ...]:
    """Return the blanks with their numbers; raises EngineError for the first that has none."""
    texts = [(question, x if isinstance(x, str) else plain(x)) for question, x in filled]
    blanks: list[Blank] = []
    for question, text in texts:
        found = read_answer(text)
        if found.number is not None:
            blanks.append(Blank(question, text, found.number))
        elif text.strip():
            raise EngineError(comma_readings(text) or UNREAD, text=quoted(text))
    empty = len(texts) - len(blanks)
    if empty:
        raise EngineError(plural(empty, EMPTY, "{count} blanks are empty."), count=empty)
    return tuple(blanks)


def quoted(text: str) -> str:
    """Return the first characters of a typed text, with a minus sign for each hyphen."""
    written = text.strip().replace("-", MINUS)
    return written if len(written) <= QUOTED_LENGTH else f"{written[: QUOTED_LENGTH - 1]}…"


def rounds(number: float, full: float) -> bool:
    """Return whether a number is another one rounded to two significant digits or more.

    >>> [rounds(x, 0.7864477) for x in (0.79, 0.786, 0.7865, 0.8)], rounds(-1200, -1234.5)
    ([True, True, False, False], True)
    """
    if not (math.isfinite(full) and full and math.isfinite(number)):
        return False
    if abs(number - full) > _MOST_ROUNDED * abs(full):
        return False
    return any(near(number, rounded) for rounded in rounded_forms(full))


@lru_cache(maxsize=1_024)
def rounded_forms(full: float) -> tuple[float, ...]:
    """Return a finite number other than 0 rounded to each count of significant digits from two on.

    >>> rounded_forms(0.7864477)
    (0.79, 0.786, 0.7864, 0.78645, 0.786448, 0.7864477)
    """
    exact, found = Decimal(repr(full)), dict[float, None]()
    for digits in range(2, _MOST_DIGITS):
        last = Decimal((0, (1,), exact.adjusted() - digits + 1))
        for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN):  # as taught at school, and as Python does
            found[float(exact.quantize(last, rule))] = None
    return tuple(found)


def _judged(
    blank: Blank,
    trace: Trace,
    digits: Digits,
    blanks: Sequence[Blank],
    accepted_blanks: Sequence[Blank],
    before: Sequence[Judgement],
) -> Judgement:
    """Judge one blank; `before` are the judgements of the blanks to its left.

    The order of the tests is that of the table at the head of this module.
    """
    question, number = blank.question, blank.number
    right = answer(question, trace)
    causes = _causes(question, before)
    explaining = _explaining_causes(causes, blank, trace, digits)
    contradicted = () if explaining else causes

    if near(number, right, error_scale(question, trace)):
        return Judgement("right", blank, right, causes=contradicted)
    known = known_kinds(question, blanks, accepted_blanks)
    candidates = list(belief_numbers(question, trace, known))
    exact = _by_likelihood([(slip, x) for slip, x in candidates if near(number, x)], blank, right)
    # a slip in an earlier quantity has been reported at the wrong blank from which this one follows
    if exact and not (explaining and exact[0][0].kind != question.kind):
        return _slipped(blank, right, exact)
    if rounds(number, right):
        return Judgement("right_rounded", blank, right, causes=contradicted)
    if explaining:
        return Judgement("follows", blank, right, causes=explaining)
    rounded = [(slip, x) for slip, x in candidates if rounds(number, x)]
    if rounded:
        return _slipped(blank, right, rounded)
    if is_near_enough(number, right, question, trace, digits):
        return Judgement("right_from_digits", blank, right, causes=contradicted)
    from_digits = [
        (slip, x) for slip, x in candidates if is_near_enough(number, x, question, trace, digits)
    ]
    if from_digits:
        return _slipped(blank, right, from_digits)
    return Judgement("wrong", blank, right)


def known_kinds(
    question: Question, blanks: Iterable[Blank], accepted_blanks: Iterable[Blank]
) -> set[Kind]:
    """Return the other parts of a question's work that are right or printed: no slip is there.

    They depend on the blanks of this try and on those that were right, in it or before.
    """
    right: set[Kind] = set(_same_step_kinds(question, accepted_blanks))
    asked: set[Kind] = {question.kind, *_same_step_kinds(question, blanks)}
    known = right | printed_kinds(asked - right, right)
    if "contribution" in known:  # from which the slope follows
        known.add("local")
    return known - {question.kind}


def is_near_enough(
    number: float, full: float, question: Question, trace: Trace, digits: Digits
) -> bool:
    """Return whether a number is within 1 % of one that is computed from rounded ones.

    Numbers that are all printed whole lead to it exactly.
    """
    if not (math.isfinite(number) and math.isfinite(full)):
        return False
    if abs(number - full) > MOST_RELATIVE_ERROR * abs(full):
        return False
    return is_from_rounded(question, trace, digits)


def is_from_rounded(question: Question, trace: Trace, digits: Digits) -> bool:
    """Return whether a number from which an answer is computed is shown rounded."""
    return any(is_rounded(x, digits) for x in sources(question, trace))


def sources(question: Question, trace: Trace) -> Iterable[float]:
    """Return the numbers from which an answer is computed."""
    return KINDS[question.kind].sources(question, trace)


def _slipped(blank: Blank, right: float, found: Sequence[tuple[Belief, float]]) -> Judgement:
    slips = tuple(dict.fromkeys(slip for slip, _number in found))
    return Judgement("slip", blank, right, slips, found[0][1])


def _by_likelihood(
    found: list[tuple[Belief, float]], blank: Blank, right: float
) -> list[tuple[Belief, float]]:
    """Return the slips that give a number, the likeliest first.

    For the negative of the right number these are the lost minuses, then slips in the quantity
    asked for; otherwise the order of `BELIEFS` stays.
    """
    if blank.question.kind not in ("local", "contribution") or not near(blank.number, -right):
        return found
    kind = blank.question.kind
    return sorted(found, key=lambda s: (s[0].name not in LOST_MINUS, s[0].kind != kind))


def _same_step_kinds(question: Question, blanks: Iterable[Blank]) -> Iterator[Kind]:
    return (b.question.kind for b in blanks if _is_same_step(b.question, question))


def _is_same_step(one: Question, other: Question) -> bool:
    return one.wire is not None and (one.wire, one.step) == (other.wire, other.step)


# what follows from earlier wrong blanks


def _causes(question: Question, before: Sequence[Judgement]) -> tuple[Blank, ...]:
    """Return the earlier wrong blanks from which a blank's number is computed, if any."""
    kind = question.kind
    while kinds := KINDS[kind].computed_from:  # the first group with a filled blank counts
        same = [j for j in before if _is_same_step(j.blank.question, question)]
        if filled := [j for j in same if j.blank.question.kind in kinds]:
            return tuple(j.blank for j in filled if not j.right)
        kind = kinds[0]
    return ()


def number_from_causes(causes: Iterable[Blank], question: Question, trace: Trace) -> float:
    """Return the answer to a question computed from the numbers in earlier blanks of its wire."""
    at, typed = facts(question, trace), {each.question.kind: each.number for each in causes}
    number = typed.get("contribution")
    if number is None:
        number = typed.get("upstream", at.upstream) * typed.get("local", at.local)
    return KINDS["sum"].carry(number, at) if question.kind == "sum" else number


def _explaining_causes(
    causes: tuple[Blank, ...], blank: Blank, trace: Trace, digits: Digits
) -> tuple[Blank, ...]:
    """Return the causes from which a number follows: all of them, or else one, or none."""
    subsets = (causes, *((each,) for each in causes)) if causes else ()
    return next((some for some in subsets if _follows_from(some, blank, trace, digits)), ())


def _follows_from(causes: tuple[Blank, ...], blank: Blank, trace: Trace, digits: Digits) -> bool:
    """Return whether a number follows from earlier blanks, within the other numbers' precision."""
    question, number = blank.question, blank.number
    expected = number_from_causes(causes, question, trace)
    if near(number, expected) or rounds(number, expected):
        return True
    return is_near_enough(number, expected, question, trace, digits)


MOST_CHOICES: Final = 4
"""Choices of one question: the answer and up to three slips."""


def number_text(question: Question, number: float, digits: Digits = DIGITS_SHOWN) -> str:
    """Return a number as the answer to a question: with its sign where it is one of change."""
    return (signed if KINDS[question.kind].has_sign else short)(number, digits)


def number_choices(
    question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> tuple[float, ...]:
    """Return the answer and the numbers of up to three slips, by size.

    All differ as displayed, by more than the sign ≈, and the answer alone would be judged right.
    Slips in what is asked for are taken first, those that lose a minus last, for a slope only if it
    has a minus. () if no slip gives another number, or if one gives what is displayed of the
    answer.
    """
    if (choices := KINDS[question.kind].choices) is not None:
        return choices
    no_minus = question.kind == "local" and not has_minus(question, trace)
    right = answer(question, trace)
    found = {short(right, digits).removeprefix(ABOUT): right}  # number by displayed text
    if not all(judge(trace, [(question, text)], digits)[0].right for text in found):
        return ()
    slips = sorted(
        belief_numbers(question, trace),
        key=lambda each: (each[0].name in LOST_MINUS, each[0].kind != question.kind),
    )
    for slip, number in slips:
        text = short(number, digits).removeprefix(ABOUT)
        if no_minus and slip.name in LOST_MINUS:
            continue
        if text not in found and not judge(trace, [(question, text)], digits)[0].right:
            found[text] = number
        if len(found) == MOST_CHOICES:
            break
    by_size = sorted(found.values(), key=lambda x: (math.isnan(x), x))
    return tuple(by_size) if len(found) > 1 else ()
