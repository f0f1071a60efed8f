"""Judging: what is typed is read, judged and told as the tables say; of choices one is right."""

import math
import random
from collections.abc import Callable, Iterator

import mpmath
import pytest

from engine import EngineError, from_expression
from engine.asking.answering import first_try_feedback, right_sentence
from engine.asking.beliefs import belief_numbers
from engine.asking.judging import (
    ANSWER_LIMIT,
    MOST_CHOICES,
    Filled,
    judge,
    number_choices,
    read_answer,
    rounds,
)
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Question, facts, level_questions
from engine.graph import Graph
from engine.numbers import ABOUT, Digits, parse_number, short
from engine.rules import BY_NAME as RULES
from engine.rules import MISTAKES, Rules
from engine.trace import Trace, run, run_forward
from tests.helpers.graphs import EXAMPLES
from tests.helpers.pupil import wire_question
from tests.helpers.tables import in_turn


@in_turn(
    ("text", "number"),
    [
        ("6", 6),
        (" −6 ", -6),
        ("+3", 3),
        ("-2*-3", 6),
        ("−2 × −3", 6),
        ("2·3", 6),
        ("1/3", 1 / 3),
        ("1 ÷ 4", 0.25),
        ("1-0.5^2", 0.75),
        ("2**-1", 0.5),
        ("(1 + 2) * 3", 9),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("= 4", 4),
        ("≈ 25", 25),
        ("∞", math.inf),
        ("−∞", -math.inf),
        ("inf", math.inf),
        ("NaN", math.nan),
        ("1/0", math.inf),
        ("tanh(0)", 0),
        ("exp(0) + 1", 2),
        ("1 - tanh(0.5)**2", 1 - math.tanh(0.5) ** 2),
    ],
)
def test_an_answer_is_read_in_the_spellings_people_use(text: str, number: float):
    found = read_answer(text).number
    assert found is not None
    assert found == number or (math.isnan(found) and math.isnan(number))


@in_turn(
    "text",
    [
        *[
            "", "  ", "two", "a*b", "1;2", "x=3", "__import__('os')", "(1).real", "[1]",
            "1 if 1 else 2",
        ],
        *[
            "lambda: 1",
            "True",
            "'1'",
            "1,000",
            "1e999x",
            "1e999",
            "-9.5e400 ",
            "2 * 1e999",
            "(" * 60,
            "9" * (ANSWER_LIMIT + 1),
            "tanh()",
            "1\n2",
        ],
        *["maximum(1)", "f'{1}'", "1j", "0x", "print(1)", "*", "1 +", "10**10**10**"],
    ],
)  # fmt: skip
def test_what_is_no_number_gets_advice_instead(text: str):
    found = read_answer(text)
    assert found.number is None
    assert found.advice.endswith(".")


@pytest.mark.parametrize("text", ["9**9**9**9", "10**400", "-(9**999)", "exp(exp(exp(9)))"])
def test_a_number_past_the_largest_is_infinite_at_once(text: str):
    assert math.isinf(read_answer(text).number or 0)


@in_turn(
    ("text", "half_unit"),
    [
        ("0.33", 0.005), ("0.3", 0), ("3", 0), ("33", 0.5), ("1.50", 0.005), ("1/3", 0),
        ("−0.25", 0.005), ("1.2e3", 50), ("0.05", 0), ("0.050", 0.0005), ("inf", 0),
    ],
)  # fmt: skip
def test_only_a_decimal_with_two_significant_digits_may_be_rounded(text: str, half_unit: float):
    assert read_answer(text).half_unit == pytest.approx(half_unit, abs=1e-15)


CHOICES = [
    # expression, leaves, what is asked, the numbers as the curriculum lists them
    ("y = a*b", {"a": 2, "b": 5}, ("contribution", "y.2"), (1, 2, 5, 20)),
    ("u = k*x; y = m*u", {"k": 3, "x": 4, "m": 2}, ("contribution", "u.2"), (2, 3, 6, 8)),
    ("p = a+b; y = p*c", {"a": 2, "b": -3, "c": 10}, ("contribution", "p.2"), (-1, 1, 10, 11)),
    (
        *("e = a*b; d = e+a; L = d*f", {"a": 3, "b": -2, "f": 5}),
        *(("contribution", "e.1"), (-10, -2, 5, 15)),
    ),
    ("y = a*a", {"a": 3}, ("sum", "y.2"), (3, 6, 9)),  # no 4, no 12: +3 is printed
    ("y = a*a", {"a": 3}, ("final", "a"), (0, 3, 6, 12)),
    ("y = a+a", {"a": 3}, ("final", "a"), (0, 1, 2, 3)),
    ("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3}, ("final", "a"), (1, 3, 6, 25)),
    ("y = relu(x)", {"x": -3}, ("contribution", "y.1"), (0, 1)),
    ("y = tanh(x)", {"x": 0.8813735870195432}, ("local", "y.1"), (0.5, 0.6293, 0.7071)),
    ("y = a/b", {"a": 6, "b": 2}, ("local", "y.2"), (-1.5, 1.5, 2, 3)),
    ("y = tanh(x)", {"x": 3}, ("local", "y.1"), (0.009866, 0.4231, 0.9951)),
]


@in_turn(("text", "leaves", "about", "numbers"), CHOICES)
def test_the_choices_are_those_of_the_curriculum(text, leaves, about, numbers):
    trace = run(from_expression(text, leaves))
    kind, where = about
    node = trace.graph.node_named(where) or 0
    question = wire_question(kind, trace, where) if "." in where else Question(kind, node)
    assert number_choices(question, trace) == pytest.approx(numbers, rel=1e-3)


def test_of_a_sign_the_root_rises_falls_or_stays():
    trace = run(from_expression("y = a*b", {"a": 2, "b": 5}))
    assert number_choices(Question("sign", 1), trace) == (1, -1, 0)


def test_where_no_slip_shows_there_is_nothing_to_choose_from():
    trace = run(from_expression("y = a*b", {"a": 2, "b": 5}))
    assert number_choices(Question("value", 3), trace) == ()


NEAR_WHOLE = ("y = tanh(a*b) + b**2*a", {"a": 3, "b": 2})
"""Numbers such as 12.00007, which is displayed as ≈ 12, and slips of just 12."""
CHOSEN = [*((each.name, each.graph) for each in EXAMPLES), ("near", from_expression(*NEAR_WHOLE))]


@in_turn("rules", [None, *MISTAKES[:3]])
@in_turn("graph", [x[1] for x in CHOSEN])
def test_of_the_choices_only_the_answer_is_right(graph: Graph, rules: Rules | None):
    trace: Trace = run(graph) if rules is None else run(graph, rules=rules)
    for question in (
        *level_questions(trace, LEVELS["whole step"]),
        *level_questions(trace, LEVELS["final gradients"]),
    ):
        found = number_choices(question, trace)
        right = answer(question, trace)
        assert len(found) <= MOST_CHOICES
        assert len({short(x).removeprefix(ABOUT) for x in found}) == len(found)
        good = [x for x in found if judge(trace, [(question, short(x))])[0].right]
        assert not found or [short(x) for x in good] == [short(right)]
        assert sorted(x for x in found if not math.isnan(x)) == [
            x for x in found if not math.isnan(x)
        ]


TANH = ("y = tanh(a - b) * f", {"a": 2.0, "b": 1.5, "f": -2.0})
SHARED = ("e = a*b; d = e + a; L = d*f", {"a": 2.0, "b": -3.0, "f": -2.0})


def at(trace: Trace, kind: str, step: int) -> Question:
    event = trace.events[step - 1]
    return Question(kind, event.sender, event.slot, step)  # pyright: ignore[reportArgumentType]


def judged(
    graph: tuple[str, dict[str, float]], step: int, *filled: tuple[str, str], rules: str = "correct"
) -> list[tuple[str, str]]:
    """How each blank of one step is judged, and what is said of it."""
    trace = run(from_expression(*graph), rules=RULES[rules])
    blanks: list[Filled] = [(at(trace, kind, step), text) for kind, text in filled]
    questions = [question for question, _text in blanks]
    return [
        (found.kind, first_try_feedback(found, trace, questions)) for found in judge(trace, blanks)
    ]


OWN_FACTOR = "2 is a's own value. If a grows by 1 and b stays, how much does a × b grow?"
OWN_VALUE = (
    "2 is a's own value: where a stands. If a grows by 1 and b stays, how much does a × b grow?"
)
CASES = [
    # graph, step, the blanks as typed, how each is judged and what is said
    (SHARED, 6, [("contribution", "+6"), ("sum", "4")], [("right", ""), ("right", "")]),
    (
        *(TANH, 4, [("contribution", "-1.5728")]),
        [("right_from_digits", "Right from the digits shown; with all digits it is −1.5728955.")],
    ),
    (
        *(("y = exp(a)*b", {"a": -1.5, "b": 7.0}), 4, [("contribution", "1.5617")]),
        [("right_from_digits", "Right from the digits shown; with all digits it is 1.5619111.")],
    ),
    (TANH, 4, [("contribution", "-1.6")], [("right_rounded", "Right, rounded.")]),
    (TANH, 4, [("contribution", "-1.57")], [("right_rounded", "Right, rounded.")]),
    (SHARED, 6, [("local", "2")], [("slip", OWN_VALUE)]),
    (
        SHARED,
        6,
        [("local", "3")],
        [
            (
                "slip",
                "3: a × b would rise with a. If a grows by 1 and b stays, does a × b rise or fall?",
            )
        ],
    ),
    (
        SHARED,
        6,
        [("contribution", "-6")],
        [
            (
                "slip",
                "−6: L would fall with a on this wire. a up: which way does e go, and L with that?",
            )
        ],
    ),
    (
        *(SHARED, 6, [("contribution", "-4"), ("sum", "-6")]),
        [("slip", f"−4 is −2 × 2, and {OWN_FACTOR}"), ("follows", "−6 follows from your −4.")],
    ),
    (
        *(SHARED, 6, [("local", "2"), ("contribution", "-4"), ("sum", "-6")]),
        [
            ("slip", OWN_VALUE),
            ("follows", "−4 follows from your 2."),
            ("follows", "−6 follows from your −4."),
        ],
    ),
    (
        *(SHARED, 6, [("local", "2"), ("contribution", "6"), ("sum", "4")]),
        [("slip", OWN_VALUE), ("right", "+6 is right, but −2 × 2 is not 6."), ("right", "")],
    ),
    (
        *(SHARED, 6, [("contribution", "-4"), ("sum", "4")]),
        [
            ("slip", f"−4 is −2 × 2, and {OWN_FACTOR}"),
            ("right", "4 is right, but −2 − 4 is not 4."),
        ],
    ),
    (
        *(SHARED, 6, [("local", "7"), ("contribution", "5")]),
        [
            ("wrong", "7 is not it. How far does e move for 1 of a on this wire?"),
            ("wrong", "5 is not it. How far does e move for 1 of a on this wire, and L with it?"),
        ],
    ),
    (
        *(SHARED, 6, [("sum", "6")]),
        [("slip", "6 is the share over e. Move a slightly: does L feel it over e only?")],
    ),
]


@in_turn(("graph", "step", "filled", "expected"), CASES)
def test_each_case_is_judged_and_said_as_the_table_has_it(graph, step, filled, expected):
    assert judged(graph, step, *filled) == expected


def test_the_own_value_at_a_quotient_is_asked_how_far_it_goes():
    # 1 ÷ d at d = 1 + e^0.5 ≈ 2.649: its slope −0.1425 is not what a whole 1 shows
    by_hand = ("n = exp(x); d = n + 1; y = 1/d", {"x": 0.5})
    how_far = "How many times as far as d does y go?"
    for typed in ("2.649", "2.65"):
        ((kind, told),) = judged(by_hand, 2, ("local", typed))
        assert kind == "slip"
        assert told.startswith(f"{typed} is ")
        assert told.endswith(f"d's own value: where d stands. {how_far}")
    straight = ("y = a/b", {"a": 6.0, "b": 4.0})
    assert judged(straight, 2, ("local", "6")) == [
        ("slip", OWN_VALUE.replace("2", "6").replace("×", "÷"))
    ]


def test_a_slip_may_be_rounded_too_but_a_rounded_answer_comes_first():
    value = ("y = tanh(a) * f", {"a": 1.0, "f": 1.0})
    ((kind, told),) = judged(value, 4, ("local", "0.76"))
    assert (kind, told) == (
        "slip",
        "0.76 is about v2's data: where v2 stands. How far does v2 move when a moves?",
    )
    close = ("y = a*b", {"a": 0.3334, "b": 1 / 3})
    assert judged(close, 2, ("local", "0.33")) == [("right_rounded", "Right, rounded.")]


def test_a_belief_is_recognized_in_a_number_computed_from_rounded_ones():
    graph = ("e = tanh(a)*b; d = e + a; L = d*f", {"a": 0.6, "b": 1.3, "f": -0.7071067811865476})
    trace = run(from_expression(*graph))
    step = 1 + trace.schedule.arrivals[trace.graph.node_named("a") or 0][-1]
    # 1 − tanh² 0.6 = 0.7115777626; times 1.3 × −0.7071067812 it is −0.6541105, shown −0.6541
    share, total = at(trace, "contribution", step), at(trace, "sum", step)
    assert short(facts(share, trace).contribution) == "−0.6541"
    (right,) = judge(trace, [(share, "-0.6538")])
    (again,) = judge(trace, [(total, "-0.6538")], accepted=[(share, "-0.6538")])
    assert (right.kind, again.kind) == ("right_from_digits", "slip")
    assert [slip.name for slip in again.slips] == ["replaced"]
    assert judge(trace, [(total, "-0.6475")])[0].kind == "wrong"  # 1.01 % off


def test_a_product_of_a_slope_that_was_rounded_is_right_within_one_per_cent():
    trace = run(from_expression(*TANH))
    slope, product_ = at(trace, "local", 4), at(trace, "contribution", 4)
    both = judge(trace, [(slope, "0.79"), (product_, "-1.580")])  # −2 × 0.79
    assert [found.kind for found in both] == ["right_rounded", "right_from_digits"]
    assert judge(trace, [(product_, "-1.589")])[0].kind == "wrong"  # 1.02 % off


def test_what_follows_is_no_slip_and_names_where_it_comes_from():
    trace = run(from_expression(*SHARED))
    blanks: list[Filled] = [(at(trace, "contribution", 6), -4.0), (at(trace, "sum", 6), -6.0)]
    wrong, follows = judge(trace, blanks)
    assert wrong.slip is not None
    assert wrong.causes == ()
    assert (follows.kind, follows.slip, follows.answer) == ("follows", None, 4.0)
    assert [cause.number for cause in follows.causes] == [-4.0]


WHOLE = ("upstream", "local", "contribution", "sum")


@in_turn(
    ("texts", "kinds", "said_last"),
    [
        (
            ("5", "-3", "-15", "4"),
            ("wrong", "right", "follows", "right"),
            "4 is right, but −2 − 15 is not 4.",
        ),
        (
            ("5", "-3", "-15", "-17"),
            ("wrong", "right", "follows", "follows"),
            "−17 follows from your −15.",
        ),
        (("5", "7", "35"), ("wrong", "wrong", "follows"), "35 follows from your 5 and 7."),
        (("5", "7", "-14"), ("wrong", "wrong", "follows"), "−14 follows from your 7."),
        (("5", "7", "6"), ("wrong", "wrong", "right"), "+6 is right, but 5 × 7 is not 6."),
        (("5", "-3", "6"), ("wrong", "right", "right"), "+6 is right, but 5 × −3 is not 6."),
        (("-2", "-3", "-15"), ("right", "right", "wrong"), None),
    ],
)
def test_what_follows_from_a_wrong_upstream_is_told_so(texts, kinds, said_last):
    found = judged(SHARED, 6, *zip(WHOLE, texts, strict=False))
    assert tuple(kind for kind, _said in found) == kinds
    assert said_last is None or found[-1][1] == said_last


def test_what_follows_from_a_wrong_upstream_may_use_the_slope_as_it_was_accepted():
    found = judged(TANH, 4, ("upstream", "5"), ("local", "0.79"), ("contribution", "3.95"))
    assert [kind for kind, _said in found] == ["wrong", "right_rounded", "follows"]


def test_a_product_may_use_an_upstream_as_it_was_accepted():
    trace = run(from_expression("y = tanh(a - b) * f", {"a": 2, "b": 1.5, "f": -21.864}))
    asked = [at(trace, kind, 4) for kind in ("upstream", "local", "contribution")]
    texts = ("-21.9", "0.7864", "-17.222")  # −21.9 × 0.7864; −21.86 was displayed
    found = judge(trace, list(zip(asked, texts, strict=True)))
    assert [each.kind for each in found] == [*["right_rounded"] * 2, "right_from_digits"]


def test_under_assignment_a_wrong_contribution_is_what_the_sum_is():
    found = judged(SHARED, 6, ("contribution", "-4"), ("sum", "-4"), rules="assign")
    assert [kind for kind, _said in found] == ["slip", "follows"]
    found = judged(SHARED, 6, ("contribution", "-4"), ("sum", "6"), rules="assign")
    assert found[1] == ("right", "")


@in_turn(
    ("texts", "refusal"),
    [
        (("3a", "4"), "Can't read 3a. Write −3, 0.5, 1/3, 2*3, ∞ or nan."),
        (("", "3a"), "Can't read 3a. Write −3, 0.5, 1/3, 2*3, ∞ or nan."),
        (("6", " "), "One blank is empty."),
        (("", ""), "2 blanks are empty."),
        (("x" * 80, "4"), "Can't read xxxxxxxxxxx…. Write −3, 0.5, 1/3, 2*3, ∞ or nan."),
    ],
)
def test_nothing_is_judged_while_a_blank_holds_no_number(texts, refusal):
    trace = run(from_expression(*SHARED))
    blanks = zip((at(trace, "contribution", 6), at(trace, "sum", 6)), texts, strict=True)
    with pytest.raises(EngineError) as refused:
        judge(trace, list(blanks))
    assert str(refused.value) == refusal


@pytest.mark.parametrize(
    ("text", "kind"), [("inf", "right"), ("-inf", "slip"), ("nan", "wrong"), ("1e308", "wrong")]
)
def test_an_infinite_answer_is_right_by_its_sign_alone(text: str, kind: str):
    trace = run(from_expression("y = log(a)", {"a": 0.0}))
    assert judge(trace, [(at(trace, "local", 2), text)])[0].kind == kind


def test_a_change_and_a_final_gradient_allow_what_is_printed():
    trace = run(from_expression("v = a/b; y = v*c", {"a": 1.0, "b": 3.0, "c": 7.0}))
    change = Question("change", 5, leaf=4, to=11.0)
    assert trace.graph.names[4] == "c"
    assert judge(trace, [(change, "11*0.3333 - 2.3333")])[0].right
    assert judge(trace, [(change, "3.667")])[0].slip.name == "new value"  # pyright: ignore
    final = Question("final", 4)
    assert judge(trace, [(final, "0.3333")])[0].right
    along_b = Question("final", 2)
    assert judge(trace, [(along_b, "-7*0.3333/3")])[0].kind == "right_from_digits"


# 300 questions, answered by somebody who computes with the digits on the screen

Slope = Callable[..., mpmath.mpf]
SLOPES: dict[tuple[str, int], tuple[Slope, ...]] = {
    ("add", 0): (lambda a, b, y: mpmath.mpf(1),),
    ("add", 1): (lambda a, b, y: mpmath.mpf(1),),
    ("sub", 0): (lambda a, b, y: mpmath.mpf(1),),
    ("sub", 1): (lambda a, b, y: mpmath.mpf(-1),),
    ("mul", 0): (lambda a, b, y: b,),
    ("mul", 1): (lambda a, b, y: a,),
    ("div", 0): (lambda a, b, y: 1 / b,),
    ("div", 1): (lambda a, b, y: -a / b**2, lambda a, b, y: -y / b),
    ("exp", 0): (lambda a, y: mpmath.exp(a), lambda a, y: y),
    ("log", 0): (lambda a, y: 1 / a,),
    ("sqrt", 0): (lambda a, y: 1 / (2 * mpmath.sqrt(a)), lambda a, y: 1 / (2 * y)),
    ("square", 0): (lambda a, y: 2 * a,),
    ("sin", 0): (lambda a, y: mpmath.cos(a),),
    ("tanh", 0): (lambda a, y: 1 - mpmath.tanh(a) ** 2, lambda a, y: 1 - y**2),
    ("sigmoid", 0): (
        lambda a, y: mpmath.exp(-a) / (1 + mpmath.exp(-a)) ** 2,
        lambda a, y: y * (1 - y),
    ),
}
"""By operation and slot, the slope from the inputs and the value: from a table of derivatives."""
FORMULAS = (
    "u = a*b; v = tanh(u); y = v*c + u",
    "u = a - b; v = sigmoid(u); y = v*c - v*a",
    "u = exp(a*b); v = u*c; y = v/b + u",
    "u = a/b; v = u/c; y = v*u + a",
    "u = sqrt(a*a + b*b); v = u/c; y = v*u*b",
    "u = log(a*a + b*b); v = sin(u)*c; y = v*u",
)
KINDS = ("local", "contribution", "sum")


class Asked:
    """One question, and what the screen shows around it, as numbers read from its texts."""

    def __init__(self, question: Question, trace: Trace, digits: Digits) -> None:
        self.question, self.trace = question, trace
        self.digits: Digits = digits
        self.facts = facts(question, trace)
        self.right = answer(question, trace)

    def shown(self) -> Iterator[tuple[float, str]]:
        """Each number around the question with its text on the screen."""
        f = self.facts
        numbers = (*f.inputs, f.value, f.upstream, f.before, f.local, f.contribution)
        for x in numbers:
            yield x, short(x, self.digits).removeprefix(ABOUT).replace("−", "-")

    def texts(self) -> dict[str, str]:
        f = self.facts
        inputs = {f"in{k}": x for k, x in enumerate(f.inputs)}
        shown = {"value": f.value, "upstream": f.upstream, "before": f.before, "local": f.local}
        shown["contribution"] = f.contribution
        return {name: short(x, self.digits) for name, x in (inputs | shown).items()}

    def computed(self, numbers: dict[str, float]) -> Iterator[float]:
        """What somebody gets from these numbers, in every way there is."""
        f = self.facts
        inputs = [mpmath.mpf(numbers[f"in{k}"]) for k in range(len(f.inputs))]
        ways = SLOPES[f.op.name, f.slot]
        slopes = [way(*inputs, mpmath.mpf(numbers["value"])) for way in ways]
        if self.question.kind == "local":
            yield from map(float, slopes)
            return
        for slope in (*slopes, mpmath.mpf(numbers["local"])):
            contribution = numbers["upstream"] * slope
            whole = numbers["before"] + contribution
            yield float(whole if self.question.kind == "sum" else contribution)
        if self.question.kind == "sum":
            yield numbers["before"] + numbers["contribution"]

    def printed(self) -> Iterator[float]:
        numbers = {k: parse_number(t.removeprefix(ABOUT)) for k, t in self.texts().items()}
        yield from self.computed({k: x for k, x in numbers.items() if x is not None})


def drawn(count: int, digits: Digits) -> list[Asked]:
    """Questions at a fixed seed, on graphs whose numbers are mostly shown rounded."""
    draw, found = random.Random(20), list[Asked]()
    while len(found) < count:
        leaves = {
            name: draw.choice((2, 3, 7, -0.5, 1.25, 1 / 3, draw.uniform(-2, 2))) for name in "abc"
        }
        trace = run(from_expression(draw.choice(FORMULAS), leaves))
        if not all(map(math.isfinite, trace.values.values())):
            continue
        steps = [k for k, e in enumerate(trace.events, 1) if e.kind == "contribution"]
        question = at(trace, draw.choice(KINDS), draw.choice(steps))
        if (facts(question, trace).op.name, question.slot) in SLOPES:
            found.append(Asked(question, trace, digits))
    return found


@pytest.mark.parametrize("digits", [2, 4, "shortest"])
def test_who_computes_with_the_digits_shown_is_right(digits: Digits):
    from_digits = 0
    for case in drawn(100, digits):
        is_rounded = any(x != pytest.approx(float(t), 1e-12) for x, t in case.shown())
        printed = [case.right * share for share in (1.0099, 0.9901)]
        for number in (*case.printed(), *printed):
            found = judge(case.trace, [(case.question, number)], digits)[0]
            is_near = abs(number - case.right) <= 0.0099 * abs(case.right)
            if is_near and number not in printed:
                assert found.right or found.kind == "slip", (case.question, number, found)
            if found.kind == "right_from_digits":
                assert is_rounded
                assert abs(number - case.right) <= 0.01 * abs(case.right)
                from_digits += 1
    assert (from_digits > 60) == (digits != "shortest")


@pytest.mark.parametrize("digits", [2, 4, "shortest"])
def test_slips_rounded_answers_and_all_others_are_told_apart(digits: Digits):
    kinds = dict[str, int]()
    for case in drawn(100, digits):
        right = case.right

        def kind_of(number: float | str, case: Asked = case):
            found = judge(case.trace, [(case.question, number)], case.digits)[0]
            kinds[found.kind] = kinds.get(found.kind, 0) + 1
            return found

        for slip, number in belief_numbers(case.question, case.trace):
            assert slip in kind_of(number).slips or number == pytest.approx(right, 1e-9)
            shown = kind_of(short(number, 4).removeprefix(ABOUT))
            assert slip in shown.slips or shown.kind in ("right", "right_rounded", "slip"), number
        if not right:
            continue
        rounded = kind_of(f"{right:.1e}")
        assert rounded.right or rounded.kind == "slip"
        if rounded.kind == "right_rounded":
            assert right_sentence(rounded) == "Right, rounded."
        for share in (1.013, 0.987, 1.5, 3.7):
            far = right * share
            assert kind_of(far).kind in ("slip", "wrong") or rounds(far, right)
    assert min(kinds[kind] for kind in ("slip", "right_rounded", "wrong")) > 10


def test_a_forward_value_allows_its_printed_inputs():
    trace = run_forward(from_expression("v = a/b; y = v*c", {"a": 1.0, "b": 3.0, "c": 7.0}))
    question = Question("value", 5)
    assert judge(trace, [(question, "7*0.3333")])[0].kind == "right_from_digits"
    assert judge(trace, [(question, "2.3")])[0].kind == "right_rounded"
    assert judge(trace, [(question, "2.36")])[0].kind == "wrong"


def test_questions_of_every_level_are_judged():
    trace = run(from_expression(*SHARED))
    for level in LEVELS.values():
        questions = level_questions(trace, level)
        for found in judge(trace, [(q, answer(q, trace)) for q in questions]):
            assert found.kind == "right"
