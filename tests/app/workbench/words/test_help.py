"""Each slip has three rungs: its first sentence, the help that belongs to it, the worked line.

The first two name no number that is asked for, all that is told is true of the pass.
"""

import re
from collections import defaultdict

import pytest
from msgspec.structs import replace

from app.controls.spans import plain_text
from app.document.sheet import Group, Sheet
from app.workbench.modes.hunt import Hunt
from app.workbench.modes.mode import ByHand
from app.workbench.playback.view_state import ViewState
from app.workbench.words.hand import hand_strip
from app.workbench.words.help import first_hint, right_answer_line
from app.workbench.words.strip import StripContext
from engine import from_expression
from engine.asking.beliefs import BELIEFS, belief_numbers
from engine.asking.beliefs import BY_NAME as BELIEF_BY_NAME
from engine.asking.diagnose import first_difference
from engine.asking.hand_run import NEXT_BELIEFS, HandRun, next_slip
from engine.asking.inference import tallies
from engine.asking.judging import judge
from engine.asking.question import LEVELS, Question, facts, level_questions
from engine.asking.reasons import experiment
from engine.edits import add
from engine.frame import frame_at
from engine.graph import Graph, OpNode
from engine.numbers import parse_number, plain, short
from engine.rules import BY_NAME as RULES
from engine.rules import MISTAKES
from engine.trace import run
from tests.engine.asking.test_answering import numbers_in
from tests.helpers.graphs import DEMONSTRATION, fan, named
from tests.helpers.quizzed import Quizzed
from tests.helpers.sampling import sampled, sized
from tests.helpers.tables import in_turn

SHARED = ("e = a*b; d = e + a; L = d*f", {"a": 2.0, "b": -3.0, "f": -2.0})
DEMO = (DEMONSTRATION, {"a": 2.0, "b": 3.0})
TANH = ("u = a*b; v = tanh(u); y = v*c + u", {"a": 0.5, "b": 1.5, "c": -2.0})
CUBE = ("y = a**3 * b", {"a": 2.0, "b": 5.0})
PRIMES = ((2, 3), (5, 7), (11, 13), (17, 19), (23, 29), (31, 37))
MANY_PATHS = (
    "; ".join(
        f"p{k} = a{k}*{one}; q{k} = a{k}*{other}; a{k + 1} = q{k} + p{k}"
        for k, (one, other) in enumerate(PRIMES)
    ),
    {"a0": 1.5},
)
"""More paths than a learner writes out, so that one of them alone is nobody's guess."""
GRAPHS = (
    SHARED,
    DEMO,
    TANH,
    CUBE,
    ("y = sqrt(a)*b", {"a": 4.0, "b": 3.0}),
    ("y = sigmoid(a)*b + a", {"a": 1.0, "b": 3.0}),
    ("y = a/b - b", {"a": 8.0, "b": 2.0}),
    ("y = a*b + a", {"a": 7.0, "b": 3.0}),
    ("u = a*b; v = u + a; w = u*v; y = w + v*u", {"a": 2.0, "b": 3.0}),
    ("u = a/b; v = u*a; y = u + v*v", {"a": 2.0, "b": 3.0}),
    MANY_PATHS,
    ("u = a + b; v = u*a; w = v + u; y = w*v + a", {"a": 2.0, "b": 3.0}),
)
ASKED = ("slope", "contribution", "contribution and sum", "sum", "whole step", "final gradients")
MANY = sized(1, 12)
"""Showings of one slip that are looked at."""
FAR = "98765.4"
"""A number that is no slip of any question here."""

# graph, level, step, kind, what is typed, the answer lines of the three rungs, the last sentences
TABLE = [
    (
        *(SHARED, "slope", 2, "local", "-4"),
        "✘ −4 is d's own value: where d stands. If d grows by 1 and f stays, how much does d × f"
        " grow?",
        "✘ 98765.4 is not it either. d +0.01: L −0.02. How much of L is that for 1 of d?",
        "Worked: 1 more of d is one more f in d × f: −2.",
        "Along d, the slope of × (L) is ?.",
        "Along d, the slope of × (L) is −2.",
    ),
    (
        *(SHARED, "contribution and sum", 6, "contribution", "-6"),
        "✘ −6: L would fall with a on this wire. a up: which way does e go, and L with that?",
        "✘ 98765.4 is not it either. a +0.01 over e alone: e −0.03, and L +0.06."
        " How much of e is that for 1 of a?",
        "Worked: 1 more of a is one more b in a × b: −3. Each 1 of e is −2 of L:"
        " −2 × (−3) = +6.",
        "× (e) got −2 and passes −2 × ? = ? to a; a.grad is now 4 ✓.",
        "× (e) got −2 and passes −2 × −3 = +6 to a; a.grad is now 4 ✓.",
    ),
    (
        *(SHARED, "contribution and sum", 6, "sum", "6"),
        "✘ 6 is the share over e. Move a slightly: does L feel it over e only?",
        "✘ 98765.4 is not it either. a +0.01 moves L by −0.02 over d and by +0.06 over e."
        " In all, and for 1?",
        "Worked: a can't move on one wire alone: −2 over d and 6 over e come at once,"
        " so −2 + 6 = 4.",
        "× (e) passes +6 ✓ to a; a.grad is now ?.",
        "× (e) got −2 and passes −2 × −3 = +6 ✓ to a; a.grad is now 4.",
    ),
    (
        *(SHARED, "contribution", 4, "contribution", "1"),
        "✘ 1 is how far d moves for 1 of e. How far does L move when d moves by 1?",
        "✘ 98765.4 is not it either. e +0.01: d +0.01, and L −0.02."
        " How much of d is that for 1 of e?",
        "Worked: 1 more of e is 1 more of d. Each 1 of d is −2 of L: −2 × 1 = −2.",
        "+ (d) got −2 and passes −2 × ? = ? to e.",
        "+ (d) got −2 and passes −2 × 1 = −2 to e.",
    ),
    (
        *(SHARED, "sum", 6, "sum", "-12"),
        "✘ −12 is −2 × 6. L moves over d and over e: how far in all?",
        "✘ 98765.4 is not it either. a +0.01 moves L by −0.02 over d and by +0.06 over e."
        " In all, and for 1?",
        "Worked: a can't move on one wire alone: −2 over d and 6 over e come at once,"
        " so −2 + 6 = 4.",
        "× (e) passes +6 to a. a.grad is now ?.",
        "× (e) passes +6 to a. a.grad is now 4.",
    ),
    (
        *(CUBE, "slope", 4, "local", "24"),
        "✘ 24 has the exponent in front. Is it lowered as well?",
        "✘ 98765.4 is not it either. At a = 2, follow the tangent of v3 for 1 to the right: how far"
        " up?",
        "Worked: The slope of a ^ 3 along a is 3 · a^(3 − 1): 12.",
        "Along a, the slope of xʸ (v3) is ?.",
        "Along a, the slope of xʸ (v3) is 12.",
    ),
    (
        *(SHARED, "final gradients", 1, "final", "6"),
        "✘ 6 is the share over e. On how many ways does L feel it when a moves?",
        "✘ 98765.4 is not it either. a +0.01: L +0.04. How much of L is that for 1 of a?",
        "Worked: a.grad = (−3) × 1 × (−2) + 1 × (−2) = 4; b.grad = 2 × 1 × (−2) = −4;"
        " f.grad = −4.",
        "At the end a.grad is ?, b.grad −4 ✓, f.grad −4 ✓.",
        "At the end a.grad is 4, b.grad −4 ✓, f.grad −4 ✓.",
    ),
    (
        *(SHARED, "values", 2, "value", "5"),
        "✘ 5 is not it. The value of + (d) is e + a, computed from the values of its inputs.",
        "✘ 98765.4 is not it either. −6 + 2 = …",
        "Worked: −6 + 2 = −4.",
        "d = e + a = −6 + 2 = ?.",
        "d = e + a = −6 + 2 = −4.",
    ),
]  # fmt: skip


@in_turn(
    ("graph", "level", "step", "kind", "typed", "told"), [(*row[:5], row[5:]) for row in TABLE]
)
def test_three_wrong_answers_are_told_rung_by_rung(graph, level, step, kind, typed, told):
    first, second, third, unfolded, filled = told
    at = Quizzed(from_expression(*graph), level, step)
    wrong = next(question for question in at.blanks if question.kind == kind)
    at.answer({wrong: typed})
    assert (at.quiz.rung, at.line) == (1, first)
    at.answer(dict.fromkeys(at.blanks, FAR))
    assert (at.quiz.rung, at.sentence, at.line) == (2, unfolded, second)
    at.answer(dict.fromkeys(at.blanks, FAR))
    assert (at.quiz.rung, at.sentence, at.line) == (3, filled, third)
    assert not at.blanks


# every slip, wherever it shows


Showing = tuple[Graph, str, Question, str]


def showings() -> dict[str, list[Showing]]:
    """By slip, each place where a number gives it away first, and the number as it is typed."""
    places = defaultdict[str, list[Showing]](list)
    for text, leaves in GRAPHS:
        graph = from_expression(text, leaves)
        trace = run(graph)
        for level in ASKED:
            finals = Quizzed(graph, level, 1).quiz.finals
            for question in level_questions(trace, LEVELS[level]):
                if question.kind == "final" and question.node not in finals:
                    continue
                for slip, number in belief_numbers(question, trace):
                    typed = plain(number)
                    if slip.kind != question.kind:
                        continue
                    if judge(trace, [(question, typed)])[0].slip is slip:
                        places[slip.name].append((graph, level, question, typed))
    return places


def test_every_slip_has_its_three_rungs_wherever_it_shows():
    found = showings()
    numbered = {slip.name for slip in BELIEFS if slip.kind not in ("change", "sign")}
    assert numbered == found.keys()
    for name, places in found.items():
        for graph, level, wrong, typed in places[:: max(1, len(places) // MANY)]:
            at = Quizzed(graph, level, max(wrong.step, 1))
            at.answer({wrong: typed})
            assert at.quiz.last_answers[wrong].slips[0] == name, typed
            check_first(at, wrong)
            at.answer(dict.fromkeys(at.blanks, FAR))
            check_second(at)
            at.answer(dict.fromkeys(at.blanks, FAR))
            check_third(at)
            tried = next(a for a in at.quiz.record.attempts if a.question == wrong)
            assert (tried.shown, len(tried.tries), tried.tries[0].slips[0]) == (True, 3, name)


def test_the_second_sentence_about_a_sum_says_nothing_of_a_slope_that_is_not_its_number():
    # −2 held, upstream −2, slope −3: the sum is made with the slope alone, the product is wrong too
    at = Quizzed(from_expression(*SHARED), "contribution and sum", 6)
    for _try in range(2):
        at.answer({q: {"contribution": "17", "sum": "-5"}[q.kind] for q in at.blanks})
    assert at.line.startswith("✘ 17 again. ")
    at = Quizzed(from_expression(*SHARED), "contribution and sum", 6)
    product, whole = at.blanks
    at.answer({product: "17", whole: "-5"})
    assert at.quiz.last_answers[whole].slips[0] == "upstream forgotten"
    at.answer({product: "6", whole: "-5"})
    assert at.line.startswith("✘ −5 again. ")


def test_the_tries_of_one_blank_are_not_those_of_another():
    at = Quizzed(from_expression(*SHARED), "contribution and sum", 6)
    contribution, total = at.blanks
    at.answer({contribution: "-4", total: "-6"})
    assert at.line.startswith("✘ −4 is −2 × 2")
    at.answer({total: "6"})
    assert at.line == ("✘ 6 is the share over e. Move a slightly: does L feel it over e only?"), (
        "the first try at the sum, for −6 followed from −4"
    )
    at.answer({total: "-2"})
    assert at.line.startswith("✘ −2 is not it either. ")
    at.answer({})
    assert praise_of(at).startswith("✓ Right the third time.")


def test_praise_says_what_the_belief_of_an_earlier_step_would_have_said():
    at = Quizzed(from_expression(*SHARED), "contribution", 5)
    (blank,) = at.blanks
    at.answer({blank: "1"})
    assert "1 is how far" in at.line
    at.answer({})
    at.quiz = at.quiz.after_move()
    at.bare = frame_at(at.trace, 5)
    at.answer({})
    assert praise_of(at) == "✓ Right. The slope alone would give −3 here; at step 5 it gave 1."


def test_praise_gives_the_number_of_a_belief_in_the_form_in_which_it_was_typed_before():
    at = Quizzed(from_expression(*SHARED), "contribution", 4)
    (blank,) = at.blanks
    told = []
    at.answer({blank: "-6"})  # e's value
    for step in (4, 5, 7):
        if step > 4:
            at.quiz = at.quiz.after_move()
            at.bare = frame_at(at.trace, step - 1)
        at.answer({})
        told.append(praise_of(at))
    assert told[1:] == [
        f"✓ Right. The value taken for the gradient would give {number} here; at step 4 it gave −6."
        for number in ("2", "−3")  # a's value and b's, not what is computed with it
    ]


def test_praise_of_a_belief_from_an_earlier_day_names_no_step():
    at = Quizzed(from_expression(*SHARED), "contribution", 6)
    at.quiz = replace(at.quiz, open_beliefs=("slope only",))
    at.answer({})
    assert praise_of(at) == "✓ Right. The slope alone would give −3 here."
    untold = Quizzed(from_expression(*SHARED), "contribution", 6)
    untold.answer({})
    assert "would give" not in praise_of(untold)
    mistaken = Quizzed(from_expression(*SHARED), "contribution", 6, RULES["assign"])
    mistaken.quiz = replace(mistaken.quiz, open_beliefs=("slope only",))
    mistaken.answer({})
    assert "would give" not in praise_of(mistaken)


def test_praise_of_data_from_an_earlier_day_names_that_of_the_receiver():
    graph = from_expression("e = a*b; y = e + c; L = y*f", {"a": 2, "b": 5.5, "c": 30, "f": 3})
    at = Quizzed(graph, "contribution", 1 + run(graph).schedule.arrivals[named(graph, "e")][0])
    at.quiz = replace(at.quiz, open_beliefs=("data",))
    at.answer({})
    assert praise_of(at) == "✓ Right. The value taken for the gradient would give 11 here."


def test_the_end_of_a_run_counts_a_belief_by_its_idea_and_offers_three_more():
    at = Quizzed(from_expression(*SHARED), "contribution", 6)
    (blank,) = at.blanks
    at.answer({blank: "-3"})
    at.answer({})
    at.quiz = at.quiz.after_move()
    at.bare = frame_at(at.trace, len(at.trace))
    assert at.line == "1 of 1 missed: the slope alone."
    assert "three more" in [button.act for button in at.strip.buttons]


def test_one_idea_at_several_operations_is_counted_as_one():
    at = Quizzed(from_expression(*SHARED), "contribution and sum", 2)
    for step, typed in ((2, "-4"), (3, "-2"), (4, "-6"), (5, "2"), (6, None), (7, None)):
        at.bare = frame_at(at.trace, step - 1)
        if typed is not None:
            at.answer({at.blanks[0]: typed})
        at.answer({})
        at.quiz = at.quiz.after_move()
    at.bare = frame_at(at.trace, len(at.trace))
    assert at.line == "4 of 4 missed: the value taken for the gradient."
    (tally,) = tallies(at.quiz.record.attempts)
    assert tally.steps == (2, 3, 4, 5)
    assert tally.slip is BELIEF_BY_NAME["data for contribution"], "where it showed last"


def praise_of(at: Quizzed) -> str:
    asked = tuple(at.quiz.last_answers)
    return plain_text(right_answer_line(at.quiz, asked, at.trace, at.digits))


def without_minus(text: str) -> str:
    return text.lstrip("−+")


def hidden_numbers(at: Quizzed) -> set[str]:
    """What stands in the open blanks when it is right."""
    return {without_minus(short(at.right(question))) for question in at.blanks}


def check_first(at: Quizzed, wrong: Question) -> None:
    """The first sentence: no blank has opened up, and no number is told that is asked for."""
    text = at.quiz.last_answers[wrong].text.replace("-", "−")
    assert at.quiz.rung == 1
    assert at.line.startswith("✘ ")
    assert at.line.endswith((".", "?"))
    typed = {without_minus(text), without_minus(short(parse_number(text) or 0.0, 12))}
    assert hidden_numbers(at).isdisjoint(numbers_in(at.line, at.trace) - typed), at.line
    assert len(at.strip.blanks) == len(at.blanks)
    assert not at.quiz.unfolds(wrong.step)


def check_second(at: Quizzed) -> None:
    """The sentence unfolds where a contribution is asked, and the help of the first blank."""
    first = at.blanks[0]
    assert at.quiz.rung == 2
    assert at.line.startswith(f"✘ {FAR} is not it either. ")
    assert len(at.strip.blanks) == len(at.blanks)
    contribution = any(question.kind == "contribution" for question in at.blanks)
    if contribution and at.quiz.level.name != "whole step":
        assert first.kind == "local"
        got = short(facts(first, at.trace).upstream)
        assert f" got {got} and passes {got} × ? = ? to " in at.sentence
    if experiment(first, at.trace) is None and first.kind in ("local", "contribution"):
        rule = plain_text(
            first_hint(Question("local", first.node, first.slot, first.step), at.trace, 4)
        )
        assert at.line.endswith(rule), "the rule alone"


def number(text: str) -> float:
    found = parse_number(text.removeprefix("+"))
    assert found is not None, text
    return found


def check_third(at: Quizzed) -> None:
    """The worked line: every equation in it is true, and ends in what was asked for."""
    assert at.quiz.shown
    assert not at.strip.blanks
    assert "?" not in at.sentence
    assert at.line.startswith("Worked: ")
    assert at.line.endswith(".")
    for question in at.quiz.questions(at.frame):
        if (given := at.quiz.last_answers.get(question)) is not None and given.right:
            continue  # it is not worked again
        right = short(at.right(question))
        assert right in at.line.replace("+", "") or question.kind == "upstream", at.line
    for left, right in re.findall(r"([−\d.e()×+ ]*[×+][−\d.e()×+ ]*) = (\+?−?[\d.e−]+)", at.line):
        worked = eval(left.replace("−", "-").replace("×", "*"), {"__builtins__": {}})
        assert worked == pytest.approx(number(right.rstrip(".")), rel=2e-3, abs=2e-3), at.line


def test_a_change_is_asked_at_no_level():
    assert not any("change" in level.kinds for level in LEVELS.values())


# which node fires next


@pytest.mark.parametrize(
    ("slip", "name", "first"),
    [
        ("waits", "e", "✘ × (e) still waits."),
        ("fired", "L", "✘ × (L) has fired already."),
        ("no way", "z", "✘ × (z) is on no path to L."),
        ("passes nothing", "a", "✘ a passes nothing on."),
    ],
)
def test_a_node_that_may_not_fire_is_told_why_and_never_which_one_may(slip, name, first):
    graph = from_expression(*SHARED)
    a = graph.node_named("a")
    graph = add(graph, OpNode("mul", (a, a), "z"))
    at = Quizzed(graph, "next node", 4)
    node = named(graph, name)
    found = next_slip(graph, at.trace.root, [at.trace.root], node)
    assert found is next(other for other in NEXT_BELIEFS if other.name == slip)
    assert at.sentence == "× (L) has fired. Which node may fire next? Click it."
    at.click(node)
    assert at.line.removeprefix(f"✘ {node}: ").removeprefix("✘ ") == first.removeprefix("✘ ")
    at.click(node)
    assert at.quiz.rung == 2
    assert "+ (d)" not in at.sentence + at.line
    at.click(node)
    assert (at.quiz.shown, at.sentence) == (True, "+ (d) fires next.")
    assert at.line == "Worked: + (d) may fire."


# Hint climbs the same rungs


@in_turn("level", LEVELS)
def test_hints_climb_the_rungs_and_the_third_shows_the_answer(level: str):
    graph = from_expression(*SHARED)
    step = {"final gradients": 1, "values": 2, "next node": 4}.get(level, 6)
    at = Quizzed(graph, level, step)
    first = at.blanks[0]
    before = at.sentence
    at.hint()
    assert (at.quiz.rung, at.sentence) == (1, before)
    assert at.line == plain_text(first_hint(first, at.trace, 4))
    at.hint()
    assert at.quiz.rung == 2
    assert at.blanks
    at.hint()
    assert at.quiz.shown
    assert at.line.startswith("Worked: ")


# where passes are unlike others


def test_a_second_pass_says_what_was_held_and_asks_on_three_rungs():
    graph = from_expression(*DEMO)
    trace = run(graph, rules=RULES["no-zero-grad"])
    steps = [k for k, event in enumerate(trace.events, 1) if event.sweep == 2]
    a = graph.node_named("a")
    step = next(k for k in steps if trace.events[k - 1].node == a)
    at = Quizzed(graph, "contribution and sum", step, RULES["no-zero-grad"])
    assert "a.grad, which was 25, is now ?." in at.sentence
    wrong = at.blanks[-1]
    at.answer({wrong: "25"})
    assert at.line == (
        "✘ 25 is what a held. Contributions add up: what a holds, plus what comes along this wire."
    )
    at.answer({wrong: FAR})
    check_second(at)
    at.answer({wrong: FAR})
    check_third(at)


@in_turn("rules", [name for name in RULES if name not in ("correct", "unknown")])
def test_under_every_mistake_the_rungs_are_true_of_the_pass_that_is_shown(rules: str):
    graph = from_expression("e = a*b; d = e/a + e; y = d*a", {"a": 2.0, "b": 3.0})
    for step in sampled(range(2, len(run(graph, rules=RULES[rules])) + 1), 2, len(rules) % 2):
        at = Quizzed(graph, "contribution and sum", step, RULES[rules])
        if not at.blanks:
            continue
        for text, check in (("12345.6", None), (FAR, check_second), (FAR, check_third)):
            at.answer(dict.fromkeys(at.blanks, text))
            if check is not None:
                check(at)


def test_a_folded_group_changes_nothing_of_what_is_asked():
    graph = from_expression(*SHARED)
    at = Quizzed(graph, "contribution and sum", 6)
    before = (at.sentence, at.line)
    at.groups = {1: Group("inner", frozenset((3, 4)), collapsed=True)}
    assert (at.sentence, at.line) == before


@pytest.mark.parametrize("level", ["contribution and sum", "slope", "sum", "whole step"])
def test_names_of_200_characters_are_shortened_on_every_rung(level: str):
    long = {name: name * 200 for name in "abf"}
    text = "e = {a}*{b}; d = e + {a}; L = d*{f}".format(**long)
    values = {long[name]: value for name, value in SHARED[1].items()}
    at = Quizzed(from_expression(text, values), level, 6)
    for _rung in range(3):
        assert "a" * 17 not in at.sentence
        assert len(at.sentence) < 140
        at.answer(dict.fromkeys(at.blanks, FAR))
    assert at.quiz.shown
    assert "a" * 17 not in at.sentence


def test_a_pass_of_a_hundred_steps_is_asked_at_each_of_them():
    graph = fan(60)
    trace = run(graph)
    assert len(trace) > 100
    for step in (2, 51, 100, len(trace)):
        at = Quizzed(graph, "contribution and sum", step)
        for text, check in (("12345.6", None), (FAR, check_second), (FAR, check_third)):
            at.answer(dict.fromkeys(at.blanks, text))
            if check is not None:
                check(at)


# by hand and in a hunt


def test_by_hand_a_refusal_says_what_is_missing_and_no_number_that_is_still_to_come():
    graph = from_expression(*DEMO)
    names = {name: graph.node_named(name) or 0 for name in "abcdefy"}
    by_hand = HandRun().seeded(1.0)
    for click in ("d", "y", "d", "f", "d"):
        by_hand = by_hand.clicked(graph, names[click])
        frame = ByHand(by_hand).hide(by_hand.frame(graph))
        now = ViewState(Sheet(graph), frame, mode=ByHand(by_hand))
        found = hand_strip(now, StripContext())
        if by_hand.refused is None:
            continue
        title, line = plain_text(found.sentence), plain_text(found.answer)
        due = {(names["e"], 1), (names["f"], 1)}
        total = len(due - frame.fired.keys())
        assert title == f"d can't fire yet: it waits for {total} of 2."
        held = frame.grads.get(names["d"])
        assert line.startswith("✘ The wire")
        assert ("nothing yet." in line.split("; ")[1]) == (held is None)
        numbers = numbers_in(line, run(graph))
        assert numbers <= ({short(held)} if held is not None else set())
        assert [button.act for button in found.offers] == ["force", "why"]


@pytest.mark.parametrize("name", ["assign", "mul-own-input", "no-seed", "recursive"])
def test_in_a_hunt_a_wrong_guess_is_told_by_the_steps_that_were_seen_alone(name: str):
    graph = from_expression(*DEMO)
    trace = run(graph, rules=RULES[name])
    for seen in range(1, len(trace) + 1):
        hunt = Hunt(RULES[name], "name", seen_steps=seen)
        for guess in MISTAKES:
            told = hunt.judge_name(guess, trace)
            if told.right:
                assert told.verdict_text.startswith(f"Found: {RULES[name].title}.") == (
                    told.stage == "find"
                )
                continue
            if first_difference(trace, guess, seen) is not None:
                assert RULES[name].title not in told.verdict_text
                step = re.search(r"step (\d+)", told.verdict_text)
                assert step is not None
                assert int(step[1]) <= seen + 1


# the seven cases of judging, from the text in a blank to what is said of it

ROUNDED = ("y = tanh(a - b) * f", {"a": 2.0, "b": 1.5, "f": -2.0})


@in_turn(
    ("graph", "step", "typed", "right", "line"),
    [
        (SHARED, 6, ("+6", "4"), (True, True),
         "✓ Right. 1 more of a is one more b in a × b: −3. Each 1 of e is −2 of L: −2 × (−3) ="
         " +6."),
        (ROUNDED, 4, ("-1.5728",), (True,),
         "✓ Right from the digits shown; with all digits it is −1.5728955. The slope of tanh(v3)"
         " along v3 is 1 − tanh(v3)²: 0.7864. y goes −2 times as far as v4: −2 × 0.7864 = −1.573."),
        (SHARED, 6, ("-6", "4"), (False, True), "✘ −6: L would fall with a on this wire."
         " a up: which way does e go, and L with that?"),
        (ROUNDED, 4, ("-1.6",), (True,),
         "✓ Right, rounded. The slope of tanh(v3) along v3 is 1 − tanh(v3)²: 0.7864. y goes −2"
         " times as far as v4: −2 × 0.7864 = −1.573."),
        (SHARED, 6, ("-4", "-6"), (False, False),
         "✘ −4 is −2 × 2, and 2 is a's own value. If a grows by 1 and b stays, how much does"
         " a × b grow?  −6 follows from your −4."),
        (ROUNDED, 4, ("-2.0",), (False,),
         "✘ −2.0 is how many times as far y goes as v4. How many times as far as v3 is that?"),
        (SHARED, 6, ("77", "4"), (False, True),
         "✘ 77 is not it. How far does e move for 1 of a on this wire, and L with it?"),
    ],
)  # fmt: skip
def test_an_answer_is_judged_by_the_first_of_the_seven_cases_that_fits(
    graph, step, typed, right, line
):
    at = Quizzed(from_expression(*graph), "contribution and sum", step)
    blanks = at.blanks
    at.answer(dict(zip(blanks, typed, strict=True)))
    assert tuple(at.quiz.last_answers[question].right for question in blanks) == right
    assert at.line == line
    assert at.blanks == tuple(q for q, ok in zip(blanks, right, strict=True) if not ok)


# a number that answers the question of the first sentence is no further try


def test_who_answers_the_question_of_the_sentence_loses_no_try():
    at = Quizzed(from_expression(*SHARED), "contribution", 6)
    (sent,) = at.blanks
    at.answer({sent: "2"})
    assert at.line == (
        "✘ 2 is a's own value: where a stands. If a grows by 1 and b stays, how much does a × b"
        " grow?"
    )
    at.answer({sent: "-3"})
    assert at.quiz.rung == 1
    assert at.line == (
        "✘ −3 is how far e moves for 1 of a on this wire. How far does L move when e moves by −3?"
    )
    at.answer({sent: "6"})
    assert at.line == (
        "✓ Right the third time. a moves e, and e moves L: −3 × (−2). The slope alone stops at e."
    )


def test_a_number_of_several_beliefs_is_answered_as_the_one_that_showed_before():
    at = Quizzed(from_expression(*SHARED), "contribution", 4)
    at.answer({at.blanks[0]: "-6"})
    at.answer({at.blanks[0]: "-2"})
    at.bare, at.quiz = frame_at(at.trace, 4), at.quiz.after_move()
    at.answer({at.blanks[0]: "2"})  # a's data, and the answer without its minus
    assert at.line == (
        "✘ 2 is a's data: where a stands. How far does L move when a moves over d alone?"
    )


def test_the_gradient_over_all_wires_and_a_value_read_for_it_are_named():
    at = Quizzed(from_expression(*SHARED), "contribution", 5)
    for line in (
        "✘ 4 is how far L moves for 1 of a over e and over d. And how far over d alone?",
        "✘ 4 again. a +0.01 over d alone: d +0.01, and L −0.02. How much of d is that for 1 of a?",
    ):
        at.answer({at.blanks[-1]: "4"})
        assert at.line == line
    at = Quizzed(from_expression("y = a*b + c", {"a": 4, "b": 21, "c": 19}), "whole step", 2)
    at.answer({at.blanks[0]: "103"})
    assert at.line.startswith("✘ 103 is the value of + (y): where it stands. How far does y move")


def test_beside_a_wrong_sum_who_answers_the_question_loses_no_try_either():
    at = Quizzed(from_expression(*SHARED), "contribution and sum", 6)
    sent, total = at.blanks
    at.answer({sent: "-4", total: "-6"})
    at.answer({sent: "-3", total: "-5"})
    assert at.quiz.rung == 1
    assert at.line.startswith("✘ −3 is how far e moves for 1 of a on this wire.")


def test_a_number_that_is_given_again_is_a_try_also_where_the_sentence_asks_for_it():
    at = Quizzed(from_expression(*SHARED), "contribution", 3)
    at.answer({at.blanks[-1]: "4"})
    assert at.line == "✘ 4 says: f up 1, L up 4, to 12. What is L at f = −1?"
    at.answer({at.blanks[-1]: "4"})
    assert at.line == "✘ 4 again. f +0.01: L −0.04. f up: which way does L go?"
