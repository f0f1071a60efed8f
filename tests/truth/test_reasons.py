"""What answers a wrong belief is true: each claim of its sentences is run, by forward runs here.

No sentence is judged by its English. A sentence carries its claims; here each is run anew, its
effect must be what the sentence shows of it, and no other number may stand in the sentence.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from app.canvas.appearance.items import drawn
from app.controls.rich_text import Span, plain_text
from app.document.examples import examples
from app.document.sheet import Group, Sheet
from app.lessons.course import course
from app.workbench.modes.evidence import helping_changes, offered_ways, shown_way
from app.workbench.modes.quiz import LessonQuestions, Quiz
from app.workbench.playback import view_state
from engine import Graph, from_expression
from engine.asking import judging, reasons
from engine.asking.beliefs import BY_NAME, belief_numbers
from engine.asking.judging import Judgement
from engine.asking.kinds import answer
from engine.asking.paths import path_count
from engine.asking.question import (
    Kind,
    Question,
    facts,
    final_gradient,
    near,
    receiver,
    step_questions,
)
from engine.asking.reasons import (
    PLACES,
    Claim,
    Said,
    Spot,
    because,
    experiment,
    formula,
    input_names,
    named_nodes,
    question_alone,
    reason_for,
)
from engine.asking.ways import ways
from engine.edits import add
from engine.graph import Constant, Leaf, OpNode, Root, Wire
from engine.numbers import Digits, plain, short, signed
from engine.ops import OPS
from engine.rules import BY_NAME as RULES
from engine.rules import MISTAKES, Rules
from engine.trace import Trace, run
from tests.engine.asking.test_answering import numbers_in
from tests.helpers.graphs import EXAMPLES
from tests.helpers.quizzed import Quizzed
from tests.helpers.sampling import is_whole, sampled, sized
from tests.helpers.tables import in_turn

KINDS = ("local", "contribution", "sum")
NODE_KINDS = ("final", "sign")
UNITS = ("up 1", "by 1", "of 1", "1 of", "1 more", "whole 1", "begins with 1", "× 1", "is 1 more")
UNITS += (
    "above 0",
    "below 0",
    "the 1 of",
    "times 1",
    "for 1?",
    "1 to the right",
    "for 1 to the right",
)
UNITS += tuple(f"or at {short(place)}" for place in PLACES)
MOST_NODES = 60
BESIDES = {*reasons._IN_PLACE, *reasons.OF_PLACE, *reasons._IN_ALL_OR_SO_FAR}
"""Texts of the program that are no template of a sentence."""
CROSSED = 5
"""Of so many tries at a step one is judged in the usual run."""
DEEP, SHALLOW = 20, 4
"""How many of the marks of a class tell blanks apart: all, or kind, operation, slot and wires."""

PARTS = sized(1, 20)
"""Tests among which the passes are shared; as one, all blanks take longer than a test may."""

SHARED = ("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
OTHERS = ("c = a - b; d = c/f; y = d*f + c", {"a": 2, "b": 5, "f": 4})
HARD = [
    ("y = a + a; L = y*k", {"a": 3, "k": 4}),
    ("y = a*a*a", {"a": 2}),
    ("b = a + a; c = b + b", {"a": 1}),
    ("d = a*b; e = a + b; f = a*e; L = d + e + f", {"a": 2, "b": -3}),  # a third reader
    ("s = x1*w1 + x2*w2; o = tanh(s + b)", {"x1": 2, "x2": 0, "w1": -3, "w2": 1, "b": 6.88}),
    ("y = (a*b - 2)**2", {"a": 2, "b": 1}),  # every gradient is 0
    ("y = relu(a*b + c)", {"a": 2, "b": 3, "c": -6}),  # at the kink
    ("y = maximum(a*b, a + c)", {"a": 2, "b": 3, "c": 4}),  # a tie
    ("y = tanh(a*b + 16)", {"a": 2, "b": 3}),  # saturated
    ("y = a*b + 1234.5678", {"a": 1234.5678, "b": 0.001234}),
    ("y = a*b + a; L = y*1e9", {"a": 1e12, "b": -1e-7}),
    ("y = a*b + a", {"a": 1e300, "b": 1e300}),
    ("y = 7*a + a*b", {"a": 2, "b": -5}),
    ("s = a*b; t = s*s; L = s + t + a", {"a": 2, "b": -1.5}),
    ("e = a*b; d = e + a; L = d*f; M = L*L + e", {"a": -2, "b": 0.5, "f": -4}),
    ("e = a*b; y = e + e*a + c", {"a": 1, "b": 1, "c": 0}),
]
"""The classes in which sentences about graphs have been false."""

OPERATIONS = [
    (f"y = {op.name}(a)*k", {"a": 0.75, "k": 4.0}) for op in OPS if len(op.slots) == 1
] + [
    ("y = (a - b)*k", {"a": 2, "b": 5, "k": 4}),
    ("y = k*(a/b)", {"a": 6, "b": -2, "k": 4}),
    ("y = (a**3)*k", {"a": 2, "k": -3}),
    ("y = (a**b)*k", {"a": 2, "b": 3, "k": -1}),
    ("y = (a**-2)*k", {"a": 2, "k": 8}),
    ("y = a - a*b", {"a": 2, "b": 5}),
    ("y = b*(a/a) + a/b", {"a": 6, "b": 2}),
    ("y = asin(a*b) + relu(b - a)", {"a": 0.6, "b": 0.5}),
    ("y = maximum(a, b)*k", {"a": 2, "b": 3, "k": -4}),
    ("y = minimum(a, a*b)*a", {"a": 2, "b": 3}),
    ("y = where_gt0(a, b, c)*a", {"a": 2, "b": 3, "c": 5}),
]
"""Each operation of the table, and the ones with a sign in both slots."""


def graphs() -> Iterator[Graph]:
    for text, leaves in (*HARD, *OPERATIONS):  # first, so that they stand for their classes
        yield from_expression(text, leaves)
    for example in EXAMPLES:
        yield example.graph
    for shipped in examples():
        yield from_expression(shipped.expression) if shipped.expression else Graph()
    for head in course().lessons:
        yield head.graph


@cache
def passes() -> tuple[Trace, ...]:
    found = (g for g in graphs() if g.root is not None and len(g.nodes) <= MOST_NODES)
    return tuple(map(run, found))


def questions(trace: Trace) -> Iterator[Question]:
    for step in range(1, len(trace) + 1):
        yield from step_questions(trace, step, KINDS)
    for node in dict.fromkeys(trace.schedule.receivers):
        yield from (Question(kind, node) for kind in NODE_KINDS)


def said(question: Question, trace: Trace, digits: Digits) -> Iterator[tuple[str, str, Said]]:
    """All that can be said at a blank: which sentence it is, the number it is about, and it."""
    for slip, number in belief_numbers(question, trace, ()):
        found = reason_for(slip, number, question, trace, digits)
        if found is not None:
            typed = short(number, digits)
            yield f"first of {slip.name}", typed, found.first
            yield f"praise of {slip.name}", typed, found.praise
    for name, told in (
        ("second", experiment(question, trace, digits)),
        ("second, of the slope", experiment(question, trace, digits, asks_slope=True)),
        *(
            (f"second of {name}", experiment(question, trace, digits, belief=BY_NAME[name]))
            for name in ("own value", "data for contribution", "minus lost")
        ),
        (
            "second of data for contribution, of the slope",
            experiment(
                question, trace, digits, asks_slope=True, belief=BY_NAME["data for contribution"]
            ),
        ),
        ("worked", because(question, trace, digits)),
        ("rule", Said(rule) if (rule := question_alone(question, trace, digits)) else None),
    ):
        if told is not None:
            yield name, "", told
    for way in ways(question, trace, digits, typed=-answer(question, trace)):
        yield f"way {way.name}", "", way.said


# what a claim says, run here


def values(trace: Trace, wires: Iterable[Wire], change: float) -> dict[int, float]:
    """All values with the inputs along wires raised, by the graph anew."""
    along, found = set(wires), dict(trace.values)
    for node in trace.graph.plan(trace.root).order:
        if isinstance(trace.graph.nodes[node], OpNode):
            given = [
                found[source] + (change if (node, slot) in along else 0.0)
                for slot, source in enumerate(trace.graph.inputs(node))
                if source is not None
            ]
            found[node] = trace.graph.op(node).forward(*given)
    return found


def effect(trace: Trace, claim: Claim) -> float:
    """What happens to the watched node; of a claim in the limit the rate there."""
    if claim.change is None:
        moved = values(trace, claim.wires, claim.shift)[claim.watched]
        return moved if claim.wires else moved + claim.shift
    if not claim.wires:
        return math.nan
    size = max(
        abs(trace.values[source])
        for wire in claim.wires
        if (source := trace.graph.source(wire)) is not None
    )
    change = claim.change or 1e-5 * max(size, 1e-3)
    there = values(trace, claim.wires, claim.shift + change)[claim.watched]
    back = claim.shift - (0.0 if claim.change else change)
    here = values(trace, claim.wires, back)[claim.watched]
    return (there - here) / (1.0 if claim.change else 2.0 * change)


def formulas_of(graph: Graph, digits: Digits) -> set[str]:
    """What the operations of a graph give, with the names of their inputs."""

    def name(node: int) -> str:
        found = graph.nodes[node]
        if isinstance(found, Constant) and not found.label:
            return short(found.value, digits)
        return graph.brief(node)

    ops = [node for node, found in graph.nodes.items() if isinstance(found, OpNode)]
    return {
        graph.op(node).filled(text, [name(x) for x in graph.inputs(node) if x is not None])
        for node in ops
        for text in (graph.op(node).formula, *graph.op(node).slopes)
    }


def is_shown(text: str, number: float, claim: Claim, digits: Digits) -> bool:
    """Whether a text is what is shown of a number, or its direction."""
    if text in ("up", "down", "nowhere"):
        return text == ("up" if number > 1e-9 else "down" if number < -1e-9 else "nowhere")
    if text in ("above", "below"):
        return text == ("above" if number > 0 else "below")
    exact = claim.effect
    if not abs(number - exact) <= 1e-4 * max(abs(exact), abs(number)) + 1e-9:
        return False
    forms = {short(exact, digits), signed(exact, digits), f"|{short(abs(exact), digits)}|"}
    return text in forms or (text == "±0" and bool(claim.change) and not exact)


def faults(
    told: Said, trace: Trace, digits: Digits, typed: str, formulas: set[str]
) -> Iterator[str]:
    """What is false in a sentence, where operations give some formulas."""
    for claim, text in told.claims:
        found = effect(trace, claim)
        if not is_shown(text, found, claim, digits):
            yield f"{text} is claimed, {found} comes out of {claim}"
    text = told.text
    if unknown := set(told.formulas) - formulas:
        yield f"{unknown} are of no operation here"
    for written in sorted(told.formulas, key=len, reverse=True):
        text = text.replace(written, "")
    for unit in UNITS:
        text = re.sub(rf"(?<![\d.]){re.escape(unit)}(?!\d|\.\d|e[−\d])", "", text)
    named = {number for number in numbers_in(text, trace) if number}
    known = {text.strip("≈ +−±|") for _claim, text in told.claims} | {typed.lstrip("≈ −")}
    known |= {short(claim.change) for claim, _text in told.claims if claim.change}
    nodes = trace.graph.nodes.values()
    constants = {short(x.value, digits).lstrip("≈ −") for x in nodes if isinstance(x, Constant)}
    if stray := named - known - constants:
        yield f"{stray} are claimed by nobody"


def misasked(name: str, question: Question, trace: Trace, told: Said, digits: Digits) -> str:
    """What is false of the number that answers the question at the end of a sentence."""
    if math.isnan(told.asked):
        return ""
    shown, allowed = short(told.asked, digits), {answer(question, trace)}
    events = [e for e in trace.events if e.wire and e.node == question.node]
    if question.kind == "final" and len(events) == 1:
        (event,) = events
        step = trace.events.index(event) + 1
        question = Question("contribution", event.sender, event.slot, step)
    if question.wire is None:
        moved = values(trace, wires_of(trace, question.node), 1.0)
        allowed |= {float(path_count(trace.graph, question.node, trace.root)), moved[trace.root]}
    else:
        at = facts(question, trace)
        twice = trace.graph.inputs(question.node).count(at.receiver)
        nodes_there = values(trace, [question.wire], 1.0)
        of_first = {
            nodes_there[question.node],
            at.local,
            at.upstream,
            at.contribution,
            at.after,
            at.inputs[at.slot],
            twice,
        }
        is_first = name.startswith("first") and not name.endswith("counted twice")
        allowed = of_first if is_first else allowed | {at.local if "slope" in name else math.nan}
        allowed |= {float(twice)} if name.endswith("counted twice") else set()
    if not any(short(x, digits) == shown or near(x, told.asked) for x in allowed):
        return f"{shown} is asked for, not one of {allowed}"
    moves = [claim for claim, _text in told.claims if claim.change not in (None, 0.0, 1.0)]
    if not moves or not name.startswith("second"):
        return ""
    here = [claim for claim in moves if not claim.shift]
    ratios = {claim.effect / (claim.change or 1.0) for claim in here}
    total = [claim for claim in here if claim.watched == trace.root]
    ratios.add(sum(claim.effect / (claim.change or 1.0) for claim in total))
    rates = {1.0, *(claim.effect for claim, _text in told.claims if claim.change in (0.0, 1.0))}
    if shown not in {short(x * y, digits) for x in ratios for y in rates}:
        return f"{shown} is asked for, not one of {ratios} times {rates}"
    return ""


def wires_of(trace: Trace, node: int) -> list[Wire]:
    """The wires from a node to operations on the way to the root."""
    order = trace.graph.plan(trace.root).order
    wires = trace.graph.outgoing[node]
    return [w for w in wires if w[0] in order and isinstance(trace.graph.nodes[w[0]], OpNode)]


def class_of(question: Question, trace: Trace) -> tuple[object, ...]:
    """What tells blanks apart for a sentence: one blank of each class is asked in the usual run."""
    op = trace.graph.op(question.node).name if question.wire else ""
    wires = wires_of(trace, receiver(question, trace))
    alike = len({target for target, _slot in wires}) < len(wires)
    at: tuple[object, ...] = (question.kind, op, question.slot, min(len(wires), 3), alike)
    at += (question.node == trace.root, trace.rules.name)
    if question.wire is None:
        signs = (x > 0 for x in (final_gradient(question.node, trace), trace.values[question.node]))
        return (*at, *signs, len(short(trace.values[trace.root])) > 5)
    f = facts(question, trace)
    come = [e for e in trace.events[: question.step - 1] if e.wire and e.node == f.receiver]
    signs = (f.local > 0, f.upstream > 0, f.before * f.contribution < 0, not f.contribution)
    names = (slip.name for slip, _number in belief_numbers(question, trace, ()))
    slips = frozenset(names) if question.kind != "sum" else frozenset()
    return (*at, *signs[: 2 if question.kind == "local" else 4], min(len(come), 2), slips)


def chosen(traces: Iterable[Trace], depth: int) -> Iterator[tuple[Trace, list[Question]]]:
    """The blanks of some passes; in the usual run the first of each class, seen to a depth."""
    met = set[tuple[object, ...]]()
    for trace in traces:
        found: list[Question] = []
        for question in questions(trace):
            of = class_of(question, trace)[:depth]
            if is_whole() or of not in met:
                found.append(question)
                met.add(of)
        yield trace, found


def wrong(blanks: Iterable[tuple[Trace, list[Question]]], digits: Digits = 4) -> Iterator[str]:
    """All that is false in what answers the slips at some blanks."""
    for trace, asked in blanks:
        formulas = formulas_of(trace.graph, digits)
        for question in asked:
            for name, typed, told in said(question, trace, digits):
                for fault in faults(told, trace, digits, typed, formulas):
                    yield f"{name}: {told.text!r}: {fault}"
                if fault := misasked(name, question, trace, told, digits):
                    yield f"{name}: {told.text!r}: {fault}"


@in_turn("digits", [4, 3, "shortest"])
def test_each_claim_of_each_sentence_comes_out_when_it_is_run(digits: Digits):
    blanks = chosen(passes(), DEEP if digits == 4 else SHALLOW)
    assert list(itertools.islice(wrong(blanks, digits), 20)) == []


@in_turn(
    "trace",
    [
        run(from_expression("y = relu(a)", {"a": 0})),
        run(from_expression("y = maximum(a, b)", {"a": 3, "b": 3})),
        run(from_expression("y = where_gt0(a, b, 1)", {"a": 0, "b": 3})),
        run(from_expression("y = a*b", {"a": 1e300, "b": 1e300})),
    ],
)
def test_where_no_experiment_speaks_nothing_is_said_of_one(trace: Trace):
    found = [name for q in questions(trace) for name, _typed, _told in said(q, trace, 4)]
    assert [name for name in found if not name.startswith("way")] == []


@in_turn("rules", MISTAKES)
def test_what_is_said_under_a_mistake_is_true_as_well(rules: Rules):
    graphs = [SHARED, OTHERS, HARD[3], ("y = a*a + a", {"a": 3})]
    traces = [run(from_expression(*each), rules=rules) for each in graphs]
    assert list(itertools.islice(wrong(chosen(traces, SHALLOW)), 20)) == []


NUMBERS_AS_LABELS = {"q": "7", "qbq": "0.5", "qe": "12"}


def test_operations_without_inputs_beside_a_graph_change_nothing_that_is_said():
    alone = run(beside := from_expression(*SHARED))
    for op in OPS:
        beside = add(beside, OpNode(op.name, (None,) * len(op.slots)))
    joined = run(beside)
    for question in questions(alone):
        told, again = (list(said(question, trace, 4)) for trace in (alone, joined))
        assert [(*row, x.text) for *row, x in again] == [(*row, x.text) for *row, x in told]


def test_a_label_that_is_a_number_is_a_name_like_any_other():
    graph = from_expression("qe = q*qbq; d = qe + q; L = d*f", {"q": 2, "qbq": -3, "f": -2})
    nodes = {
        n: x if isinstance(x, Root) else replace(x, label=NUMBERS_AS_LABELS.get(x.label, x.label))
        for n, x in graph.nodes.items()
    }
    plain_trace, trace = run(graph), run(Graph(nodes, graph.active_root, graph.next_id))
    for question in questions(plain_trace):
        pairs = zip(said(question, plain_trace, 4), said(question, trace, 4), strict=True)
        for (_name, _typed, of_names), (_also, _same, of_numbers) in pairs:
            text = re.sub(
                r"\bq\w*", lambda found: NUMBERS_AS_LABELS.get(found[0], found[0]), of_names.text
            )
            assert of_numbers.text == text
            assert of_numbers.claims == of_names.claims


# beside blanks that are right: of these nothing may be said

BLANKS: tuple[tuple[Kind, ...], ...] = (
    *(("contribution", "sum"), ("local", "contribution"), ("local", "contribution", "sum")),
    *(("sum",), ("contribution",), ("upstream", "local", "contribution", "sum")),
)
RIGHT = ("ticked", "right in this try")
UNKNOWN = 77.25
"""What stands in blanks that are wrong besides: the number of no slip."""


OF_NO_BLANK = ("counted twice", "slope at the output", "minus lost in the slope", "minus lost")
"""Beliefs that are asked for a count of wires, a place or a value: none of a step's blanks."""


class Moment(Struct, frozen=True):
    """A try at a step: what is asked, what is right in it or was before, and the blank at stake."""

    trace: Trace
    asked: tuple[Question, ...]
    ticked: frozenset[Question]
    right: frozenset[Question]
    question: Question

    @property
    def known(self) -> set[Kind]:
        """The kinds of the numbers that the learner has right, or reads."""
        found = set[Kind](q.kind for q in self.ticked | self.right)
        kinds = {q.kind for q in self.asked}
        if kinds == {"sum"} or "contribution" in found:
            found |= {"local", "contribution"}
        return found - {self.question.kind}

    def judged(self, number: float) -> Judgement:
        """The judgement of a number in the blank at stake."""
        accepted = [(q, plain(answer(q, self.trace))) for q in self.asked if q in self.ticked]
        given = [
            (q, number if q == self.question else answer(q, self.trace) if q in self.right else x)
            for q, x in zip(self.asked, itertools.repeat(UNKNOWN))
            if q not in self.ticked
        ]
        found = judging.judge(self.trace, given, 4, accepted)
        return next(each for each in found if each.blank.question == self.question)


def moments(trace: Trace, step: int) -> Iterator[Moment]:
    """All tries at a step, the blank at stake being the first that is wrong."""
    for kinds in BLANKS:
        asked = tuple(step_questions(trace, step, kinds))
        for states in itertools.product((*RIGHT, "wrong"), repeat=len(asked)):
            if "wrong" in states:
                pairs = list(zip(asked, states, strict=True))
                ticked, right = (frozenset(q for q, x in pairs if x == each) for each in RIGHT)
                yield Moment(trace, asked, ticked, right, asked[states.index("wrong")])


def blamed(at: Moment, number: float) -> Iterator[str]:
    """What is said of a known blank at each of three tries, the praise included."""
    judged, question, trace = at.judged(number), at.question, at.trace
    if judged.right or not judged.slips:
        return
    for slip in judged.slips:
        if slip.kind in at.known:
            yield f"{slip.name}, its first sentence and praise blame the {slip.kind}"
    asks_slope = "local" not in at.known and any(q.kind == "local" for q in at.asked)
    second = experiment(question, trace, 4, asks_slope=asks_slope, belief=judged.slip)
    first = reasons.first_reason(judged.slips, judged.slip_number, question, trace, 4)
    tells = [second] if first is None or judged.slips[0].name in OF_NO_BLANK else [first.first]
    numbers = {q.kind: short(answer(q, trace)) for q in moment_questions(question, trace)}
    still_open = {numbers[q.kind] for q in at.asked if q.kind not in at.known}
    known = {number for kind, number in numbers.items() if kind in at.known} - still_open
    for told in (*tells, second):
        if told is not None and short(told.asked) in known:
            yield f"{told.text!r} asks for what is known"
    third = because(question, trace, 4)
    if third is not None and numbers[question.kind].lstrip("−") not in third.text:
        yield f"{third.text!r} has not the answer"


def moment_questions(question: Question, trace: Trace) -> Iterable[Question]:
    """All numbers of the step of a question."""
    return step_questions(trace, question.step, ("upstream", "local", "contribution", "sum"))


def blames(blanks: Iterable[tuple[Trace, list[Question]]], every: int = 1) -> Iterator[str]:
    """What is said of known blanks at the steps of some blanks."""
    for trace, asked in blanks:
        for step in sorted({q.step for q in asked if q.wire is not None}):
            for at in sampled(moments(trace, step), every, step % every):
                for _slip, number in belief_numbers(at.question, trace, ()):
                    for fault in blamed(at, number):
                        yield f"{at.question} beside {at.known}, {number}: {fault}"


def test_of_a_blank_that_is_right_or_printed_nothing_is_said_at_any_try():
    blanks = chosen(passes(), SHALLOW)
    assert list(itertools.islice(blames(blanks, CROSSED), 20)) == []


# in folded groups: what is named is seen


def folded(graph: Graph) -> tuple[Graph, dict[int, Group]]:
    """A graph whose nodes are named by their ids, each in a folded group within another one."""
    nodes = {
        n: replace(x, label=f"q{n}") if isinstance(x, Leaf | OpNode) else x
        for n, x in graph.nodes.items()
    }
    groups = {n: Group("", frozenset((n,)), True, parent=-1 - n % 3) for n in nodes}
    groups |= {-1 - k: Group("", frozenset(), True) for k in range(3)}
    return Graph(nodes, graph.active_root, graph.next_id), groups


def hidden(at: Quizzed) -> Iterator[str]:
    """What is said of nodes in folded groups, or marked on them."""
    strip, way = at.strip, shown_way(at.quiz, at.frame)
    told = plain_text((*strip.sentence, Span(" "), *strip.answer))
    nodes = {int(name) for name in re.findall(r"\bq(\d+)", told)}
    nodes |= {node for node, _change in helping_changes(at.quiz, at.frame, at.digits)}
    nodes |= set() if way is None else {node for node, _text in way.marks}
    seen = drawn(Sheet(at.trace.graph, groups=at.groups), opens=at.now.opens).shown
    yield from (f"q{node} is hidden: {told}" for node in nodes - seen)


def hidden_after(number: float | None, question: Question, trace: Trace) -> Iterator[str]:
    """What is hidden while a number, or a hint for None, is tried until the answer is shown.

    At each try so is what is hidden in other ways, and in the praise once it is right.
    """
    graph, groups = folded(trace.graph)
    asked = LessonQuestions((question,))
    at = Quizzed(graph, "values" if question.kind == "value" else "sum", question.step or 1)
    at.quiz, at.groups = replace(at.quiz, level=asked.level, lesson_questions=asked), groups
    while at.blanks:
        tried, frame = at.quiz, at.frame
        right = tried.with_text(question, plain(answer(question, trace))).answered(frame)
        ways = (tried.with_way(way, frame) for way in offered_ways(tried, frame))
        for at.quiz in (tried, *ways, right.with_answers_shown((question,))):
            yield from hidden(at)
        at.quiz = tried
        if number is None or tried.helped:  # a number may be what the sentence asks, each time
            at.hint()
        else:
            at.answer(dict.fromkeys(at.blanks, plain(number)))
    at.quiz = at.quiz.with_answers_shown((question,))
    yield from hidden(at)


def hidden_in(blanks: Iterable[tuple[Trace, list[Question]]]) -> Iterator[str]:
    """What is hidden after some of the numbers of beliefs, and after hints."""
    for trace, asked in blanks:
        for place, question in enumerate(asked):
            numbers = [None, *dict.fromkeys(x for _slip, x in belief_numbers(question, trace, ()))]
            for number in numbers[place % CROSSED :: 2 * CROSSED]:
                yield from hidden_after(number, question, trace)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_said_or_marked_lies_in_no_folded_group(part: int):
    found = hidden_in(itertools.islice(chosen(passes(), SHALLOW), part, None, PARTS))
    assert list(itertools.islice(found, 20)) == []


def test_nor_does_what_is_said_of_many_readers_and_outside_of_a_backward_pass():
    readers = [f"p{k}" for k in range(8)]
    products = "; ".join(f"{name} = a*{name[1]}" for name in readers)
    wide = run(from_expression(f"{products}; L = {' + '.join(readers)}", {"a": 2}))
    (a,), shared = wide.graph.leaves, run(from_expression(*SHARED))
    of_nodes: tuple[Kind, ...] = ("value", "paths")
    arrivals = [k + 1 for k in wide.schedule.arrivals[a]]
    steps = sampled(arrivals[1:], 3)
    asked = [
        *((q, wide) for step in steps for q in step_questions(wide, step, ("contribution", "sum"))),
        *((Question(kind, a), wide) for kind in ("final", "paths")),
        *((Question(kind, event.node), shared) for kind in of_nodes for event in shared.computed),
        *(
            (Question("change", shared.root, leaf=leaf, to=5.0), shared)
            for leaf in shared.graph.leaves
        ),
    ]
    for question, trace in asked:
        for number in {None, *(number for _slip, number in belief_numbers(question, trace, ()))}:
            assert list(hidden_after(number, question, trace)) == []


FOLDED: list[tuple[str, Callable[[Question, Trace], set[Any]]]] = [
    ("the node that fires", lambda q, _trace: {q.node}),
    ("the receiver", lambda q, trace: {receiver(q, trace)}),
    ("the other input", lambda q, trace: {*trace.graph.inputs(q.node)} - {receiver(q, trace)}),
    ("the root", lambda q, trace: {trace.root} - {q.node, receiver(q, trace)}),
    ("other readers", lambda q, trace: {
        w[0] for w in wires_of(trace, receiver(q, trace)) if w[0] not in (q.node, trace.root)}),
]  # fmt: skip
"""Nodes whose groups a change of the program could leave folded."""


@pytest.mark.parametrize("left", FOLDED, ids=lambda found: found[0])
def test_a_node_that_stays_in_its_folded_group_is_found(left, monkeypatch: pytest.MonkeyPatch):
    def without(question: Question, trace: Trace, *, helped: bool) -> set[int]:
        return named_nodes(question, trace, helped=helped) - left[1](question, trace)

    monkeypatch.setattr(view_state, "named_nodes", without)
    assert next(hidden_in(planted_in()), None) is not None


def test_help_and_praise_that_open_nothing_are_found(monkeypatch: pytest.MonkeyPatch):
    for owner, attribute, instead in (
        (
            view_state,
            "named_nodes",
            lambda q, trace, **_helped: named_nodes(q, trace, helped=False),
        ),
        (Quiz, "opens_groups", Quiz.asks),
    ):
        with monkeypatch.context() as planted:
            planted.setattr(owner, attribute, instead)
            assert next(hidden_in(planted_in()), None) is not None


ORIGINAL = {
    name: vars(Spot)[name]
    for name in ("rate", "change", "value", "turn", "said", "effect", "number")
}


def property_of(value: object) -> property:
    return property(lambda _spot: value)


def rate_of(**others: str):
    """Spot.rate, which claims of some rates the number of another one."""

    def rate(s: Spot, name: str) -> Claim:
        other = ORIGINAL["rate"](s, others.get(name, name))
        return replace(ORIGINAL["rate"](s, name), effect=other.effect)

    return rate


def times(name: str, factor: float, only: str = ""):
    """A method of Spot that claims numbers that are off by a factor, all of them or one."""

    def claimed(s: Spot, *given: Any) -> Claim:
        found = ORIGINAL[name](s, *given)
        return replace(found, effect=found.effect * factor) if not only or only in given else found

    return claimed


def at_node(choose: Callable[[Spot], int]):
    """Spot.value, which tells of a node where another one stands."""
    return lambda s, node, shift=0.0: replace(ORIGINAL["value"](s, choose(s), shift), watched=node)


def with_text(change: Callable[[str], str]):
    """Spot.said with its text changed, its claims as they are."""

    def told(s: Spot, text: str, *rest: Any, **more: Any) -> Said:
        found = ORIGINAL["said"](s, text, *rest, **more)
        return replace(found, text=change(found.text))

    return told


def turned(s: Spot, name: str):
    ORIGINAL["turn"](s, name)
    claim, text = s.claims.pop()
    s.claims.append((claim, {"up": "down", "down": "up"}.get(text, text)))
    return s.claims[-1][1]


def moved_by_all_wires(s: Spot, wires: tuple[Wire, ...], *rest: Any) -> Claim:
    return replace(ORIGINAL["change"](s, s.wires, *rest), wires=wires)


def doubled(s: Spot, claim: Claim, *form: str, **text: str):
    is_change = claim.change not in (None, 0.0, 1.0)
    twice = replace(claim, effect=2.0 * claim.effect) if is_change else claim
    return ORIGINAL["number"](s, twice, *form, **text)


def off_by_one(s: Spot, node: int, shift: float = 0.0) -> Claim:
    return replace(ORIGINAL["value"](s, node, shift), shift=shift + 1.0)


MISTAKEN = run(from_expression(*OTHERS), rules=RULES["assign"])
TWO_PASSES = run(from_expression(*SHARED), rules=RULES["no-zero-grad"])
OWN_INPUT = run(from_expression(*SHARED), rules=RULES["mul-own-input"])


def taken_slope(_graph: Graph, wire: Wire, _values: object) -> float:
    return next((e.local for e in OWN_INPUT.events if e.wire == wire), math.nan)


FALSEHOODS: list[tuple[str, object, str, object]] = [
    ("a kink is no kink", Spot, "_is_bent", lambda _s: False),
    ("a whole 1 always does what the gradient says", Spot, "steady", property_of(True)),
    ("nothing came before", Spot, "earlier", property_of(())),
    ("only one wire came before", Spot, "earlier", property(lambda s: s.wires[:1])),
    ("a node has one reader", Spot, "out_of", lambda s, node: s.graph.outgoing[node][:1]),
    ("the slope is the share", Spot, "rate", rate_of(local="share")),
    ("the slope is the upstream gradient", Spot, "rate", rate_of(local="upstream")),
    ("the share is the slope", Spot, "rate", rate_of(share="local")),
    ("the share is the upstream gradient", Spot, "rate", rate_of(share="upstream")),
    ("the share is the sum", Spot, "rate", rate_of(share="after")),
    ("what came before is the share", Spot, "rate", rate_of(before="share")),
    ("the sum is the share", Spot, "rate", rate_of(after="share")),
    ("the sum is what came before", Spot, "rate", rate_of(after="before")),
    ("the upstream gradient is the slope", Spot, "rate", rate_of(upstream="local")),
    ("the upstream gradient is the share", Spot, "rate", rate_of(upstream="share")),
    ("each rate has another sign", Spot, "rate", times("rate", -1.0)),
    ("each rate is 1 % too large", Spot, "rate", times("rate", 1.01)),
    ("the slope has another sign", Spot, "rate", times("rate", -1.0, "local")),
    ("the share is twice the share", Spot, "rate", times("rate", 2.0, "share")),
    ("what came before counts twice", Spot, "rate", times("rate", 2.0, "before")),
    ("all moves are twice as large", Spot, "change", times("change", 2.0)),
    ("all moves are the other way", Spot, "change", times("change", -1.0)),
    ("all turns are the other way", Spot, "turn", turned),
    ("a node stands at twice its value", Spot, "value", times("value", 2.0)),
    ("a node stands where the root does", Spot, "value", at_node(lambda s: s.root)),
    ("a node stands where the one that fires does", Spot, "value", at_node(lambda s: s.node)),
    ("a wire that is not raised", reasons, "raised", lambda t, _w, _c: dict(t.values)),
    ("any rate is displayed", Spot, "shows", lambda *_given: True),
    ("a number that nobody claims", Spot, "said", with_text(lambda text: f"{text} So 7.25.")),
    ("each number with another sign", reasons, "signed", lambda x, digits=4: signed(-x, digits)),
    ("a template with a number of its own", reasons, "_IS_ROOT", "{n} is the root, so × 12."),
]  # fmt: skip
"""What a change of the program could make of the sentences: name, where, what, and instead."""

FALSEHOODS += [
    ("a curve is straight", Spot, "is_straight", property_of(True)),
    ("any step shows the slope", Spot, "step", property_of(0.01)),
    ("a step so small that rounding shows", Spot, "step", property_of(1e-13)),
    ("everything moves alike at 10", Spot, "elsewhere", lambda _s, **_names: 10.0),
    ("no wire is still to come", Spot, "later", property_of(())),
    ("every node is the root", Spot, "at_root", property_of(True)),
    ("no node is the root", Spot, "at_root", property_of(False)),
    ("the other input is the first node", Spot, "other", property_of(1)),
    ("all numbers look alike", Spot, "same", lambda _s, _x, _y: True),
    ("a wire moves as all wires do", Spot, "change", moved_by_all_wires),
    ("a change is claimed twice as large", Spot, "number", doubled),
    ("a place is off by one", Spot, "value", off_by_one),
    ("a difference is a sum", reasons, "difference", lambda x, y: x + y),
    ("a gradient at the end is 1", reasons, "final_gradient", lambda _node, _trace: 1.0),
    ("one more way than there is", reasons, "path_count", lambda *at: path_count(*at) + 1),
    ("two digits", reasons, "short", lambda x, _digits=4: short(x, 2)),
    ("a formula with another summand", reasons, "formula", lambda *at: f"{formula(*at)} + c"),
    ("inputs in the other order", reasons, "input_names", lambda *at: input_names(*at)[::-1]),
    ("sizes keep their sign", reasons, "abs", lambda x: x),
    ("each slope is that of ×", reasons, "_SHARED_OUT", reasons._ONE_MORE),
    ("each reason is that of ×", reasons, "_why", lambda _s: reasons._ONE_MORE),
    ("a curve has the reason of a sum", reasons, "_SLOPE_IS", "1 more of {r} is 1 of {n}, 3."),
    ("a sum has a number of its own", reasons, "_JUST_MORE", "1 more of {r} is 4 of {n}."),
    ("the step is another one", reasons, "USUAL_CHANGE", 0.03),
    ("less is more", reasons, "_JUST_LESS", "1 more of {r} is {local} less, 5 of {n}."),
    ("the other place is told wrong", reasons, "_PLACES_ALIKE", "{r} at {own} or 12: {moves}."),
    ("what the mistake passes on is right", Spot, "_is_correct", lambda _s: True),
    ("all is near", reasons, "near", lambda *_numbers: True),
    ("each slope is what the mistake takes", reasons, "local_derivative", taken_slope),
    ("the mistaken pass is the correct one", reasons, "run", lambda *_graph: MISTAKEN),
]  # fmt: skip
"""Of what was widened to every operation, to places, and to passes with a mistake."""


@cache
def planted_in() -> list[tuple[Trace, list[Question]]]:
    """The blanks of the hard graphs and the operations, chosen while all is true."""
    found = (SHARED, OTHERS, *HARD, *OPERATIONS)
    correct = [run(from_expression(text, leaves)) for text, leaves in found]
    return list(chosen((MISTAKEN, OWN_INPUT, TWO_PASSES, *correct), DEEP))


@in_turn("falsehood", sampled(FALSEHOODS, 3))
def test_a_planted_falsehood_is_found(falsehood, monkeypatch: pytest.MonkeyPatch):
    _name, owner, attribute, instead = falsehood
    blanks = planted_in()
    with monkeypatch.context() as patch:
        patch.setattr(owner, attribute, instead, raising=attribute != "abs")
        assert next(wrong(blanks), None) is not None


def known_without(left_out: Callable[..., set[Kind]]):
    """judging.known_kinds without some of the kinds."""
    whole = judging.known_kinds
    return lambda *at: whole(*at) - left_out(*at)


ONE_WIRE, OF_DATA = reasons._one_wire, reasons._made_of_data


def asked_for_upstream(s: Spot) -> Any:
    told = OF_DATA(s)
    return told and replace(told, asked=s.at.upstream)


BLAMES: list[tuple[str, object, str, object]] = [
    ("nothing is known", judging, "known_kinds", lambda *_at: set[Kind]()),
    ("what is right in this try is open", judging, "known_kinds",
     known_without(lambda _q, blanks, _right: {each.question.kind for each in blanks})),
    ("a right product leaves its slope open", judging, "known_kinds",
     known_without(lambda *_at: {"local"})),
    ("a sum alone has its product open", judging, "printed_kinds", lambda *_at: set[Kind]()),
    ("a printed gradient is asked for", reasons, "_made_of_data", asked_for_upstream),
    ("a slope that is right is asked for", reasons, "_one_wire",
     lambda s, **asks: ONE_WIRE(s, **{**asks, "asks_slope": True})),
]  # fmt: skip
"""What a change of the program could make of blanks that are right."""


@pytest.mark.parametrize("falsehood", sampled(BLAMES, 2), ids=lambda found: found[0])
def test_what_is_said_of_a_known_blank_is_found(falsehood, monkeypatch: pytest.MonkeyPatch):
    _name, owner, attribute, instead = falsehood
    blanks = planted_in()
    monkeypatch.setattr(owner, attribute, instead)
    assert next(blames(blanks), None) is not None


def templates(found: object) -> Iterator[str]:
    """The sentences in a table of the program."""
    if isinstance(found, str):
        yield from [found] if " " in found else []
    elif isinstance(found, dict | tuple):
        for each in found.values() if isinstance(found, dict) else found:
            yield from templates(each)


def test_the_usual_run_says_each_template(monkeypatch: pytest.MonkeyPatch):
    used, filled = set[str](), Spot.filled

    def noted(spot: Spot, template: str, *names: Any) -> str:
        used.add(template)
        return filled(spot, template, *names)

    monkeypatch.setattr(Spot, "filled", noted)
    for trace, asked in chosen(passes(), DEEP):
        for question in asked:
            list(said(question, trace, 4))
    tables = [x for name, x in vars(reasons).items() if re.match("_[A-Z]", name)]
    wanted = {text for table in tables for text in templates(table)} - BESIDES
    assert {text for text in wanted if not any(text in each for each in used)} == set()
