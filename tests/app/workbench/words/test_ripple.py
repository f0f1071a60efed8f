"""Each sentence, sum and product of a ripple is read again, and held against own forward runs."""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest

from app.controls.spans import plain_text
from app.workbench.words.ends import meaning_text
from app.workbench.words.ripple import derivation_text, pill_text, released_text, ripple_text
from engine import from_expression
from engine.asking.nudge import (
    OFFERED_CHANGES,
    GraphRipple,
    change_since,
    complete_gradient,
    ratio_verdict,
    ripple,
)
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.numbers import Digits
from engine.ops import BY_NAME, OPS
from engine.rules import CORRECT, MISTAKES
from engine.trace import evaluate_values, run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.sampling import sized
from tests.helpers.tables import in_turn
from tests.truth import oracle

NUMBER = r"(?:about |≈ )?[+−]?(?:\d+\.?\d*(?:e−?\d+)?|inf|nan)"
ODD = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, -0.005, 1e-5, 5e-324, 1e8, 3e11, 1e13, 1e15, 1e17, -1e17),
    *(1e300, 709.7, math.inf, -math.inf, math.nan),
)
DIGITS: tuple[Digits, ...] = (2, 4, "shortest")
ALL_DIGITS = 1e-11
"""Share of a number by which differences of it are off where all digits are printed."""


def drawn(draw: random.Random) -> Graph:
    """A small graph with an odd number in each third leaf, of all operations or the plain ones."""
    plain = [op for op in OPS if op.name in ("add", "sub", "mul", "div", "relu", "maximum", "sqrt")]
    ops, nodes = draw.choice((OPS, plain)), dict[int, Node]()
    for node in range(1, 5):
        usual = draw.choice((draw.uniform(-3, 3), float(draw.randint(-5, 5))))
        nodes[node] = Leaf(draw.choice(ODD) if draw.random() < 1 / 3 else usual, "abcd"[node - 1])
    nodes[5] = Constant(2.0)
    last = draw.randint(6, 12)
    for node in range(6, last + 1):
        op = draw.choice(ops)
        near = [max(1, node - draw.randint(1, 4)) for _ in op.slots]
        inputs = [draw.choice((source, draw.randint(1, 5))) for source in near]
        nodes[node] = OpNode(op.name, tuple(inputs), f"n{node}")
    return Graph({**nodes, last + 1: Root(last)}, last + 1, last + 2)


@dataclass
class Case:
    """A change of one number, with own values before and after it."""

    found: GraphRipple
    before: dict[int, float]
    after: dict[int, float]
    digits: Digits = 4
    frame: Frame | None = None

    def change(self, node: int) -> float:
        old, new = self.before[node], self.after[node]
        if not (math.isfinite(old) and math.isfinite(new)):
            return new - old
        exact = Fraction(new) - Fraction(old)
        return float(exact) if abs(exact) < Fraction(1.7e308) else math.inf

    def noise(self, node: int) -> float:
        size = max(abs(self.before[node]), abs(self.after[node]))
        return 1e-12 * size if math.isfinite(size) else 0.0

    def near(self, text: str, number: float, noise: float = 0.0) -> bool:
        told = number_of(text)
        if not (math.isfinite(told) and math.isfinite(number)):
            return str(told) == str(number)
        return abs(told - number) <= self.loose(text) + noise + ALL_DIGITS * abs(number)

    def loose(self, text: str) -> float:
        """Half of the last place of a printed number, by which what it stands for may be off."""
        digits = text.split()[-1].lstrip("+−")
        mantissa, _e, power = digits.partition("e")
        unit = 10.0 ** (int(power.replace("−", "-") or 0) - len(mantissa.partition(".")[2]))
        told = number_of(text)
        if text.startswith(("about ", "≈ ")) and told:
            few = 3 if self.digits == "shortest" else min(3, self.digits)
            unit = max(unit, 10.0 ** (math.floor(math.log10(abs(told))) - few + 1))
        all_digits = ALL_DIGITS * abs(told) if self.digits == "shortest" else 0.0
        return 0.5 * unit * (1 + 1e-9) + all_digits


def number_of(text: str) -> float:
    return float(text.split()[-1].replace("−", "-"))


def cases() -> Iterator[Case]:
    draw = random.Random(20_250_607)
    graphs = [example.graph for example in EXAMPLES] + [drawn(draw) for _k in range(sized(8, 100))]
    for k, graph in enumerate(graphs):
        correct, wrong = run(graph), run(graph, rules=MISTAKES[k % len(MISTAKES)])
        frames = [live_frame(graph), frame_at(correct, len(correct))]
        frames += [frame_at(correct, len(correct) // 2), frame_at(wrong, len(wrong))]
        before = oracle.values(graph)
        for node in (n for n in before if not isinstance(graph.nodes[n], Root)):
            for change in OFFERED_CHANGES:
                moved = {**graph.nodes, node: Leaf(before[node] + change, "moved")}
                after = oracle.values(Graph(moved, graph.active_root, graph.next_id))
                found = ripple(graph, node, change)
                yield from (Case(found, before, after, d, f) for d in DIGITS for f in frames)


def judged(case: Case) -> str:
    found, frame = case.found, case.frame
    assert frame is not None
    told = ratio_verdict(found, frame, case.digits) if found.leads_to_root else None
    gradient = complete_gradient(frame, found.node)
    return plain_text(ripple_text(found, told, case.digits, gradient))


def test_the_sentence_says_what_two_forward_runs_and_the_correct_pass_give():
    said = Counter[str]()
    for case in cases():
        text = judged(case)
        for kind, fault in read_sentence(text, case):
            assert not fault, (kind, text, case.found.planned_change, case.digits)
            said[kind] += 1
    assert {"moves", "stays", "not finite", "no path", "gradient", "unknown"} <= {*said}


def read_sentence(text: str, case: Case) -> Iterator[tuple[str, bool]]:
    """Yield what a sentence says, and whether that is wrong."""
    found, near = case.found, case.near
    root, moved = found.graph.root, case.change(found.node)
    assert root is not None
    begun = re.fullmatch(rf"Raise (.+?) by ({NUMBER}) and (.*)", text)
    assert begun is not None, text
    really = moved if moved and math.isfinite(moved) else found.planned_change
    yield "raise", not near(begun[2], really, case.noise(found.node))
    effect, rest = case.change(root), begun[3]
    if rest.endswith("stays: no path leads there."):
        yield "no path", effect not in (0, math.nan) and math.isfinite(effect)
        return
    if goes := re.search(rf" (?:goes from ({NUMBER}) to|stays) ({NUMBER})\.$", rest):
        old, new = goes[1] or goes[2], goes[2]
        yield "not finite", not (near(old, case.before[root]) and near(new, case.after[root]))
        return
    moves = re.search(rf" (rises|falls) by ({NUMBER})", rest)
    if moves:
        yield "moves", (moves[1] == "rises") != (effect > 0) or effect == 0
        yield "by", not near(moves[2], abs(effect), case.noise(root))
    else:
        yield "stays", effect != 0
    if times := re.search(rf": ({NUMBER}) times as much", rest):
        ratio = effect / moved
        noise = case.noise(root) + abs(ratio) * case.noise(found.node)
        yield "ratio", not near(times[1], ratio, noise / abs(moved))
    yield from read_gradient(rest, times[1] if times else "", case)


def read_gradient(rest: str, times: str, case: Case) -> Iterator[tuple[str, bool]]:
    found, frame = case.found, case.frame
    assert frame is not None
    correct = run(found.graph)
    gradient = frame_at(correct, len(correct)).grads.get(found.node)
    over = frame.phase == "backward" and frame.cursor == frame.total
    rules = None if frame.trace is None else frame.trace.rules
    if "That is" in rest:
        yield "gradient", rules != CORRECT or gradient is None or not case.near(times, gradient)
    elif "not known yet" in rest:
        yield "unknown", over or gradient is None
    elif told := re.search(rf"\.grad is ({NUMBER})[:.]", rest):
        yield "apart", gradient is None or not case.near(told[1], gradient)


def product(texts: list[str], case: Case) -> tuple[float, float]:
    """The product of printed numbers, and by how much it may be off."""
    found, off = 1.0, 0.0
    for text in texts:
        number, loose = number_of(text), case.loose(text)
        found, off = found * number, abs(found) * loose + abs(number) * off + off * loose
    return found, off


def test_the_line_below_adds_and_multiplies_to_what_the_root_does():
    said = Counter[str]()
    for case in cases():
        if case.frame is None or case.frame.phase != "live":
            continue
        text = plain_text(derivation_text(case.found, case.digits))
        if text:
            kind = text.split()[0]
            said[kind] += 1
            assert READERS[kind](text, case), (text, judged(case), case.digits)
    assert {*said} == {*READERS}


def slopes_hold(text: str, case: Case) -> bool:
    (told,) = re.findall(rf"^Slope by slope: (.*) = ({NUMBER})\.$", text)
    found, off = product(told[0].split(" × "), case)
    return abs(found - number_of(told[1])) <= off + case.loose(told[1]) and root_moves(
        told[1], case
    )


def root_moves(text: str, case: Case) -> bool:
    root = case.found.graph.root
    assert root is not None
    return case.near(text, case.change(root), case.noise(root))


def ways_hold(text: str, case: Case) -> bool:
    ways = re.findall(rf"({NUMBER}) × ({NUMBER}) = ({NUMBER});", text)
    (together,) = re.findall(rf"together ({NUMBER})\.$", text)
    total, loose = 0.0, case.loose(together)
    for there, slope, share in ways:
        found, off = product([there, slope], case)
        if abs(found - number_of(share)) > off + case.loose(share):
            return False
        total, loose = total + number_of(share), loose + case.loose(share)
    return abs(total - number_of(together)) <= loose and root_moves(together, case)


def changed_operations(case: Case) -> Iterator[tuple[int, OpNode, list[int]]]:
    """Operations on the way to the root, each with its slots whose number changes."""
    graph = case.found.graph
    assert graph.root is not None
    for node in graph.plan(graph.root).order:
        part = graph.nodes[node]
        if isinstance(part, OpNode) and node != case.found.node:
            slots = [k for k, s in enumerate(part.inputs) if s is not None and case.change(s)]
            if slots:
                yield node, part, slots


def slopes_of(part: OpNode, node: int, values: dict[int, float]) -> list[float]:
    at = [values[s] for s in part.inputs if s is not None]
    return [slope(*at, values[node]) for slope in BY_NAME[part.op].partials]


def extra_holds(text: str, case: Case) -> bool:
    (told,) = re.findall(r"so there is an? (?:small )?extra, (.*?); it shrinks", text)
    extra, off = product(told.split(" × "), case)
    for node, part, slots in changed_operations(case):
        if len(slots) == 2 == len(part.inputs) and BY_NAME[part.op].symbol in text:
            slopes = slopes_of(part, node, case.before)
            sources = [s for s in part.inputs if s is not None]
            shares = [a * case.change(s) for a, s in zip(slopes, sources, strict=True)]
            rest = case.change(node) - sum(shares)
            noise = 2e-12 * (max(abs(case.before[node]), abs(case.after[node])) + abs(shares[0]))
            if abs(extra - rest) <= off + noise + 1e-9 * abs(rest):
                return True
    return False


def bend_holds(text: str, case: Case) -> bool:
    (told,) = re.findall(rf"changes on the way, from ({NUMBER}) to ({NUMBER})\.$", text)
    for node, part, slots in changed_operations(case):
        ends = [slopes_of(part, node, values) for values in (case.before, case.after)]
        if any(all(map(case.near, told, (end[k] for end in ends))) for k in slots):
            return True
    return False


READERS = {"Slope": slopes_hold, "Through": ways_hold, "Both": extra_holds, "The": bend_holds}


def test_a_pill_over_a_node_adds_up_to_its_change():
    sums = 0
    for case in cases():
        if case.frame is None or case.frame.phase != "live" or case.digits == "shortest":
            continue
        for node in case.found.columns:
            if node not in case.before or isinstance(case.found.graph.nodes[node], Root):
                continue
            text = "".join(pill_text(case.found, node, case.digits))
            change, noise = case.change(node), case.noise(node)
            if text.startswith("Δ "):
                assert case.near(text[2:], change, noise), text
                continue
            added, _equals, told = text.partition(" = ")
            terms = re.findall(NUMBER, re.sub("([+−]) ", r"\1", added))
            total = sum(map(number_of, terms))
            loose = sum(map(case.loose, terms)) + 2 * noise
            sums += 1
            assert abs(total - change) <= loose + ALL_DIGITS * abs(total), text
            assert not told or case.near(told, change, noise), text
    assert sums


# single sentences


@pytest.mark.parametrize(
    ("text", "leaves", "said"),
    [
        ("y = a + b", {"a": 1e15, "b": 1}, "Raise a by 0.125 and y rises by 0.125: 1 times"),
        ("y = a + b", {"a": math.inf, "b": 1}, "Raise a by 0.1 and y stays inf."),
        ("y = relu(b - a)", {"a": math.inf, "b": 1}, "Raise a by 0.1 and y stays; a.grad is 0: "),
    ],
)
def test_it_says_by_how_much_the_number_has_really_been_raised(text, leaves, said):
    graph = from_expression(text, leaves)
    trace = run(graph)
    before = evaluate_values(graph)
    a = next(n for n in graph.leaves if graph.names[n] == "a")
    found = ripple(graph, a, 0.1)
    assert judged(Case(found, before, before, 4, frame_at(trace, len(trace)))).startswith(said)


def test_the_line_below_speaks_of_no_operation_beside_the_way_to_the_root():
    beside = Graph(
        {
            1: Leaf(2.0, "a"),
            2: OpNode("mul", (1, 1), "beside"),
            3: OpNode("relu", (1,), "y"),
            4: Root(3),
        },
        4,
        5,
    )
    assert plain_text(derivation_text(ripple(beside, 1, 1.0), 4)) == "Slope by slope: +1 × 1 = +1."
    bent = beside.with_values({1: -0.5})
    assert derivation_text(ripple(bent, 1, 1.0), 4) == ()


def test_a_change_along_an_infinite_slope_is_no_term_of_a_sum():
    graph = from_expression("y = a**a", {"a": 0})
    found = ripple(graph, 1, 0.5)
    assert "inf" not in "".join(pill_text(found, graph.root or 0, 4))
    assert "nan" not in "".join(pill_text(found, graph.root or 0, 4))


@in_turn("label", ["{a}", "{0}", "**b**", "%s", "<b>a</b>", "{root}"])
def test_the_end_of_a_pass_takes_a_label_as_it_is(label: str):
    graph = Graph({1: Leaf(2.0, label), 2: OpNode("mul", (1, 1), label + "2"), 3: Root(2)}, 3, 4)
    trace = run(graph)
    told = meaning_text(frame_at(trace, len(trace)), 4)
    assert told == f"0.01 more of {label}: {label}2 rises by about 0.04."


@pytest.mark.parametrize(
    ("text", "value"), [("y = 1/a", 0.001), ("y = a*a*1000000", 0), ("y = a + b", 1e17)]
)
def test_the_end_of_a_pass_says_nothing_where_a_hundredth_is_too_much_or_lost(text, value):
    graph = from_expression(text, {"a": value, "b": 1.0} if "b" in text else {"a": value})
    trace = run(graph)
    assert meaning_text(frame_at(trace, len(trace)), 4) == ""


def test_after_a_drag_both_values_and_their_distance_are_said():
    graph = from_expression("y = a*b", {"a": 2, "b": 5})
    for value in (3.0, -7.5, 1e17, math.inf):
        later = graph.with_values({1: value})
        found = change_since(later, 1, evaluate_values(graph), evaluate_values(later))
        text = plain_text(released_text(found, 4))
        case = Case(found, oracle.values(graph), oracle.values(later))
        told = re.findall(rf" = ({NUMBER})\. Before it was ({NUMBER})", text)
        root = graph.root
        assert root is not None
        assert case.near(told[0][0], case.after[root])
        assert case.near(told[0][1], case.before[root])


def test_as_much_means_the_change_that_was_named_last():
    """A learner read it so; the text meant the leaf named first."""
    trace = run(from_expression("L = 2*a + 3*b - 2*c - 2*d", dict.fromkeys("abcd", 1)))
    assert meaning_text(frame_at(trace, len(trace)), 4) == (
        "0.01 more of a: L rises by about 0.02; of b: it rises by about 0.03;"
        " of c or d: it falls by about 0.02."
    )
    trace = run(from_expression("L = 2*a + 3*b - 3*c", dict.fromkeys("abc", 1)))
    assert meaning_text(frame_at(trace, len(trace)), 4).endswith(
        "of b: it rises by about 0.03; of c: it falls as much."
    )


@pytest.mark.parametrize(
    ("formula", "said"), [("y = x**2", "y hardly changes"), ("y = 0*x", "y stays")]
)
def test_a_root_that_nothing_moves_stays_and_at_a_minimum_it_hardly_changes(
    formula: str, said: str
):
    trace = run(from_expression(formula, {"x": 0}))
    assert meaning_text(frame_at(trace, len(trace)), 4) == f"0.01 more of x: {said}."
