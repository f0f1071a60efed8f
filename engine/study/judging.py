"""Judging: typed answers are read and judged, and multiple-choice answers chosen.

An answer is a number or a constant expression in any accepted spelling, signs of the screen
included; nothing is executed.

>>> [read_answer(text).number for text in ("-2*-3", "−2 × −3", "1/3", "1 - 0.5^2", "∞", "nan")]
[6.0, 6.0, 0.3333333333333333, 0.75, inf, nan]
>>> read_answer("two").advice
'Write a number, such as −3, 1/3, 2 × 0.5 or inf.'

Each blank, from left to right, is the first of these that fits:

    right              the answer
    right_from_digits  within the range that the printed numbers allow, and at most 1 % off
    slip               exactly the number of a wrong belief
    right_rounded      the answer, rounded to two significant digits or more
    follows            computed correctly from earlier wrong blanks of this try
    slip               the number of a wrong belief, rounded likewise
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
>>> choices(Question("contribution", 3, 0, 6), trace)
(-10.0, -2.0, 5.0, 15.0)
"""

import ast
import math
import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from engine.errors import EngineError
from engine.numbers import DIGITS_SHOWN, MINUS, Digits, plain, plural, short
from engine.ops import BY_NAME
from engine.study.question import Kind, Question, answer, error_scale, facts, near
from engine.study.ranges import Range, answer_range, hull, plus, printed, times
from engine.study.slips import Slip, has_minus, slip_numbers
from engine.trace import Trace

ANSWER_LIMIT: Final = 80
"""Characters of an answer; a number written out has at most about 25."""
_ADVICE: Final = "Write a number, such as −3, 1/3, 2 × 0.5 or inf."
_SPELLINGS: Final = str.maketrans(
    {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∞": "inf", ",": "_"}
)
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
    """What was read: the number, or None with advice on what to write.

    `half_unit` is half of the last place of a plain decimal with at least two significant digits,
    so how far its writer may have rounded; 0 for everything else.
    """

    text: str
    number: float | None
    half_unit: float = 0.0
    advice: str = ""


def read_answer(text: str) -> Answer:
    """Read one answer; what is no number has None and advice, and is not graded."""
    written = text.strip().casefold().removeprefix("=").strip()
    if not written:
        return Answer(text, None, advice=_ADVICE)
    if len(written) > ANSWER_LIMIT:
        return Answer(text, None, advice=f"An answer has at most {ANSWER_LIMIT} characters.")
    if re.search(r"\d,\d", written):
        return Answer(text, None, advice="Write a point, not a comma: 0.5.")
    ascii_text = written.translate(_SPELLINGS).replace("^", "**")
    number = _number(ascii_text)
    if number is None:
        return Answer(text, None, advice=_ADVICE)
    return Answer(text, number, _half_unit(ascii_text.replace(" ", "")))


def _number(text: str) -> float | None:
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
    try:
        return float(number)
    except OverflowError:
        raise ValueError("too large") from None


def _half_unit(text: str) -> float:
    """Return half of the last place of a plain decimal; 0 if it has one digit, or is no decimal."""
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
"""A judgement as it is kept; `unread` is a text without a number."""

Filled: TypeAlias = tuple[Question, str | float]
"""What is asked in a blank, and what was put into it: a text as it was typed, or a number."""

MOST_RELATIVE_ERROR: Final = 0.01
"""How far an answer from the printed digits may be off, as a share of the right one."""
QUOTED_LENGTH: Final = 12
"""Characters of a typed text that a sentence repeats."""
MINUS_LOST: Final = ("minus lost in the slope", "minus lost")
_MOST_DIGITS: Final = 17
_FARTHEST_ROUNDED: Final = 0.051
"""A number and itself with two digits differ by at most 5 %."""


class Blank(Struct, frozen=True):
    """One blank: the question, the text in it, its number, and how far that may be rounded."""

    question: Question
    text: str
    number: float
    half_unit: float = 0.0

    @property
    def quoted(self) -> str:
        """Return the text as a sentence repeats it."""
        return quoted(self.text)


class Judgement(Struct, frozen=True):
    """What the number in one blank is.

    `slip` is the likeliest of `slips`, all those that give the number, and `slip_number` what it
    gives. `causes` are earlier blanks that were wrong: of a number that follows, what it follows
    from; of a right one, what does not lead to it.
    """

    kind: JudgementKind
    blank: Blank
    answer: float
    slips: tuple[Slip, ...] = ()
    slip_number: float = math.nan
    causes: tuple[Blank, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the blank is accepted."""
        return self.kind in ("right", "right_from_digits", "right_rounded")

    @property
    def verdict(self) -> VerdictKind:
        """How it is kept."""
        if self.right:
            return "right" if self.kind == "right" else "rounded"
        return "slip" if self.slips else "wrong"

    @property
    def slip(self) -> Slip | None:
        """The likeliest slip, or None."""
        return self.slips[0] if self.slips else None


def judge(
    trace: Trace,
    filled: Sequence[Filled],
    digits: Digits = DIGITS_SHOWN,
    accepted: Sequence[Filled] = (),
) -> tuple[Judgement, ...]:
    """Judge the blanks of one try, from left to right.

    `digits` are those with which the numbers around are printed, `accepted` the blanks of this
    sentence that were right in an earlier try. Raises EngineError if a blank is empty or holds no
    number; then nothing is judged.
    """
    blanks = read_blanks(filled)
    known, found = list(read_blanks(accepted)), list[Judgement]()
    for blank in blanks:
        found.append(_judged(blank, trace, digits, blanks, known, found))
        if found[-1].right:
            known.append(blank)
    return tuple(found)


def read_blanks(filled: Iterable[Filled]) -> tuple[Blank, ...]:
    """Return the blanks with their numbers; raises EngineError for the first that has none."""
    texts = [(question, x if isinstance(x, str) else plain(x)) for question, x in filled]
    blanks: list[Blank] = []
    for question, text in texts:
        found = read_answer(text)
        if found.number is not None:
            blanks.append(Blank(question, text, found.number, found.half_unit))
        elif text.strip():
            raise EngineError(
                "Can't read {text}. Write −3, 0.5, 1/3, 2*3, ∞ or nan.", text=quoted(text)
            )
    empty = len(texts) - len(blanks)
    if empty:
        raise EngineError(
            plural(empty, "One blank is empty.", "{count} blanks are empty."), count=empty
        )
    return tuple(blanks)


def quoted(text: str) -> str:
    """Return the beginning of a typed text, with a true minus."""
    written = text.strip().replace("-", MINUS)
    return written if len(written) <= QUOTED_LENGTH else f"{written[: QUOTED_LENGTH - 1]}…"


def rounds(number: float, full: float) -> bool:
    """Return whether a number is another one rounded to two significant digits or more.

    >>> [rounds(x, 0.7864477) for x in (0.79, 0.786, 0.7865, 0.8)], rounds(-1200, -1234.5)
    ([True, True, False, False], True)
    """
    if not (math.isfinite(full) and full and math.isfinite(number)):
        return False
    if abs(number - full) > _FARTHEST_ROUNDED * abs(full):
        return False
    exact = Decimal(repr(full))
    for digits in range(2, _MOST_DIGITS):
        last = Decimal((0, (1,), exact.adjusted() - digits + 1))
        for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN):
            if near(number, float(exact.quantize(last, rule))):
                return True
    return False


def _judged(
    blank: Blank,
    trace: Trace,
    digits: Digits,
    blanks: Sequence[Blank],
    known: Sequence[Blank],
    before: Sequence[Judgement],
) -> Judgement:
    question, number = blank.question, blank.number
    right = answer(question, trace)
    causes = _causes(question, before)
    led = _explaining_causes(causes, blank, trace, digits, known)
    other = () if led else causes

    if near(number, right, error_scale(question, trace)):
        return Judgement("right", blank, right, causes=other)
    if near_enough(number, right, _allowed(question, trace, digits, blanks, known)):
        return Judgement("right_from_digits", blank, right, causes=other)
    seen = list(slip_numbers(question, trace))
    exact = _first_told([(slip, x) for slip, x in seen if near(number, x)], blank, right)
    if exact and not (led and exact[0][0].kind != question.kind):  # told at its cause already
        return _slipped(blank, right, exact)
    if rounds(number, right):
        return Judgement("right_rounded", blank, right, causes=other)
    if led:
        return Judgement("follows", blank, right, causes=led)
    rounded = [(slip, x) for slip, x in seen if rounds(number, x)]
    if rounded:
        return _slipped(blank, right, rounded)
    return Judgement("wrong", blank, right)


def near_enough(number: float, right: float, allowed: Range) -> bool:
    """Return whether a number lies in a range, but for dust, and at most 1 % off the right one."""
    if not (math.isfinite(number) and math.isfinite(right)):
        return False
    low, high = allowed
    within = low <= number <= high or near(number, low) or near(number, high)
    return within and abs(number - right) <= MOST_RELATIVE_ERROR * abs(right)


def _slipped(blank: Blank, right: float, found: Sequence[tuple[Slip, float]]) -> Judgement:
    slips = tuple(dict.fromkeys(slip for slip, _number in found))
    return Judgement("slip", blank, right, slips, found[0][1])


def _first_told(
    found: list[tuple[Slip, float]], blank: Blank, right: float
) -> list[tuple[Slip, float]]:
    """Return slips with a lost minus first where the number is the negative of the right one.

    Then those come before the rest that are about the very thing asked for.
    """
    if blank.question.kind not in ("local", "contribution") or not near(blank.number, -right):
        return found
    kind = blank.question.kind
    return sorted(found, key=lambda s: (s[0].name not in MINUS_LOST, s[0].kind != kind))


# the range that the printed numbers allow


def _allowed(
    question: Question,
    trace: Trace,
    digits: Digits,
    blanks: Sequence[Blank],
    known: Sequence[Blank],
) -> Range:
    """Return what the answer may be, computed from printed numbers and accepted blanks.

    What is asked in the same sentence is not printed; an accepted blank stands for what was typed
    and for what is printed there from then on.
    """
    stands_for: dict[Kind, Range] = {}
    for blank in blanks:
        if _same_place(blank.question, question):
            right = answer(blank.question, trace)
            stands_for[blank.question.kind] = right, right
    stands_for |= _accepted(question, trace, digits, known)
    return answer_range(question, trace, digits, stands_for)


def _accepted(
    question: Question, trace: Trace, digits: Digits, known: Sequence[Blank]
) -> dict[Kind, Range]:
    """Return the ranges of the accepted blanks of the same step."""
    found: dict[Kind, Range] = {}
    for blank in known:
        if _same_place(blank.question, question):
            typed = blank.number - blank.half_unit, blank.number + blank.half_unit
            seen = printed(answer(blank.question, trace), digits)
            found[blank.question.kind] = hull(typed, seen)
    return found


def _same_place(one: Question, other: Question) -> bool:
    return one.wire is not None and (one.wire, one.step) == (other.wire, other.step)


# what follows from earlier wrong blanks

_FACTORS: Final[tuple[Kind, ...]] = ("upstream", "local")
_RESTS_ON: Final[dict[Kind, tuple[tuple[Kind, ...], ...]]] = {
    "contribution": (_FACTORS,),
    "sum": (("contribution",), _FACTORS),
}
"""What an answer is computed from: the first group that has a filled blank counts."""


def _causes(question: Question, before: Sequence[Judgement]) -> tuple[Blank, ...]:
    """Return the wrong blanks before a blank on which its number rests; () if those are right."""
    for kinds in _RESTS_ON.get(question.kind, ()):
        same = [f for f in before if _same_place(f.blank.question, question)]
        if filled := [f for f in same if f.blank.question.kind in kinds]:
            return tuple(f.blank for f in filled if not f.right)
    return ()


def number_from_causes(causes: Iterable[Blank], question: Question, trace: Trace) -> float:
    """Return what the numbers in earlier blanks lead to in a later one of the same wire."""
    at, typed = facts(question, trace), {each.question.kind: each.number for each in causes}
    number = typed.get("contribution")
    if number is None:
        number = typed.get("upstream", at.upstream) * typed.get("local", at.local)
    if question.kind == "sum" and trace.rules.accumulate:
        number = at.before + number
    return number


def _explaining_causes(
    causes: tuple[Blank, ...], blank: Blank, trace: Trace, digits: Digits, known: Sequence[Blank]
) -> tuple[Blank, ...]:
    """Return those of the causes that lead to a number: all of them, or else one, or none."""
    choices = (causes, *((each,) for each in causes)) if causes else ()
    return next((some for some in choices if _follows_from(some, blank, trace, digits, known)), ())


def _follows_from(
    causes: tuple[Blank, ...], blank: Blank, trace: Trace, digits: Digits, known: Sequence[Blank]
) -> bool:
    """Return whether a number comes from those of earlier blanks, as far as others are printed."""
    question, number = blank.question, blank.number
    expected = number_from_causes(causes, question, trace)
    if near(number, expected) or rounds(number, expected):
        return True
    at, accepted = facts(question, trace), _accepted(question, trace, digits, known)
    typed = {each.question.kind: (each.number, each.number) for each in causes}
    range_ = typed.get("contribution")
    if range_ is None:
        factors = {"upstream": printed(at.upstream, digits), "local": printed(at.local, digits)}
        factors |= accepted | typed
        range_ = times(factors["upstream"], factors["local"])
    if question.kind == "sum" and trace.rules.accumulate:
        range_ = plus(printed(at.before, digits), range_)
    return near_enough(number, expected, range_)


MOST_CHOICES: Final = 4
"""Choices of one question."""
SIGNS: Final = (1.0, -1.0, 0.0)
"""The choices of a sign: the root rises, falls or stays."""


def choices(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> tuple[float, ...]:
    """Return the answer and the numbers of the first three slips, by size.

    Those of a lost minus come last, of a slope only where it has one. All differ as displayed, and
    none but the answer would be judged right. () where no slip shows, so that
    there is nothing to choose from.
    """
    if question.kind == "sign":
        return SIGNS
    if question.kind in ("next", "text"):
        return ()
    no_minus = question.kind == "local" and not has_minus(facts(question, trace))
    found = {short(right := answer(question, trace), digits): right}
    for slip, number in sorted(slip_numbers(question, trace), key=_is_lost_minus):
        text = short(number, digits)
        if no_minus and slip.name in MINUS_LOST:
            continue
        if text not in found and not judge(trace, [(question, text)], digits)[0].right:
            found[text] = number
        if len(found) == MOST_CHOICES:
            break
    by_size = sorted(found.values(), key=lambda x: (math.isnan(x), x))
    return tuple(by_size) if len(found) > 1 else ()


def _is_lost_minus(found: tuple[Slip, float]) -> bool:
    return found[0].name in MINUS_LOST
