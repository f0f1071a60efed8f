"""Each number that a lesson's texts say is one of its graph, or is computed again here."""

import math
import re
import sys
from collections.abc import Iterator

import pytest

from app.controls.spans import plain_text as plain
from app.lessons.course import course
from app.lessons.lesson import Step, wire_named
from app.lessons.load import lesson
from app.lessons.situation import Situation, after_move, xor_loss
from app.workbench.words.ripple import derivation_text, ripple_text
from engine import from_expression
from engine.asking.nudge import quotient, requested_ripple, root_value
from engine.asking.paths import path_count
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import short
from engine.rules import BY_NAME, CORRECT, Rules
from engine.trace import run
from engine.training.descent import all_four_steps, start
from engine.training.templates import xor
from tests.helpers.tables import in_turn

NUMBER = re.compile(r"(?<![\w.])−?\d+(?:\.\d+)?(?:e-\d+|⁻¹⁵)?(?![\w])")
FEW = {str(n) for n in range(4)}
"""Numbers that count, begin or leave out: one wire, the seed, twice, three paths."""


def numbers_of(text: str) -> set[str]:
    """The numbers that stand in a text of a lesson itself, not those that it computes."""
    return set(NUMBER.findall(re.sub(r"\{[^}]*\}", "", text.replace("\u2212", "−")))) - FEW


def of_pass(graph: Graph, rules: Rules = CORRECT) -> Iterator[float]:
    """All numbers of a graph and of one backward pass."""
    trace = run(graph, rules=rules)
    yield from (*trace.values.values(), float(len(trace)))
    for event in trace.events:
        yield from (event.contribution, event.local, event.after, event.before, event.upstream)


def situations(step: Step) -> list[Situation]:
    found = [step.begun]
    for move in step.moves:
        found.append(after_move(found[-1], move))
    return found


def known(step: Step) -> set[str]:
    """The numbers of a step as they are printed: of its graph, its moves, ripple and questions."""
    numbers, texts = list[float](), set[str]()
    for each in situations(step):
        numbers += [*of_pass(each.graph), *of_pass(each.graph, each.rules), each.rate, each.h]
        numbers += [x for x in (float(each.epochs), each.loss) if x is not None]
    for rules in step.mistakes:
        numbers += of_pass(step.begun.graph, rules)
    for ask in step.asks:
        if ask.kind == "change" and ask.node is not None and ask.leaf is not None:
            changed = step.begun.graph.with_values({ask.leaf: ask.to})
            numbers += [ask.to, *run(changed).values.values()]
    for move in step.moves:
        numbers.append(move.number)
    if step.ripple is not None:
        found = requested_ripple(step.begun.graph, step.ripple)
        numbers += [*found.after.values(), step.ripple.change]
        said = plain(ripple_text(found, None, 4)) + plain(derivation_text(found, 4))
        texts |= set(NUMBER.findall(said.replace("+", " ")))
    texts |= printed(*numbers)
    return texts | {text.removeprefix("−") for text in texts}  # "falls by 1.5 times as much"


def grads(formula: str, values: dict[str, float], mistake: str = "") -> dict[str, float]:
    """The gradients at the end of a pass, by name."""
    graph = from_expression(formula, values)
    trace = run(graph, rules=BY_NAME[mistake] if mistake else CORRECT)
    return {graph.names[n]: x for n, x in frame_at(trace, len(trace)).grads.items()}


def is_visible(formula: str, mistake: str) -> bool:
    return grads(formula, {}, mistake) != pytest.approx(grads(formula, {}))


def along(name: str, *wires: str) -> float:
    """The product of the slopes along a path of a lesson's graph."""
    graph = lesson(name).graph
    events = {e.wire: e.local for e in run(graph).events}
    return math.prod(events[wire_named(wire, graph)] for wire in wires)


def losses(rate: float, updates: int) -> list[float]:
    """The losses before each update of the two weights, and after the last."""
    found, loop = list[float](), start(lesson("two-weights").graph, rate)
    for _k in range(updates + 1):
        loop = all_four_steps(loop)
        assert loop.loss is not None
        found.append(loop.loss)
    return found


def weight(rate: float) -> float:
    loop = all_four_steps(start(lesson("two-weights").graph, rate))
    node = loop.graph.node_named("w1")
    assert node is not None
    return loop.graph.leaf_values[node]


def way(rate: float) -> str:
    """Where the loss of the two weights goes at a rate."""
    before, after = losses(rate, 1)
    return "the same" if before == after else "smaller" if after < before else "larger"


TWO = {"a": 2.0, "b": 3.0}
DEMONSTRATION = "c = a+b; d = a*b; e = c+d; f = c*d; y = e+f"
NEURON = "p = x1*w1; q = x2*w2; s = p+q; n = s+b; o = tanh(n)"
LADDER = "c = a+a; d = c+c; e = d+d; y = e+e"
BELOW = -1.999
"""The number to which lesson 11 moves f."""


def printed(*numbers: float) -> set[str]:
    return {short(x) for x in numbers} | {short(x, "shortest") for x in numbers}


def said_by_referee() -> set[str]:
    graph = lesson("referee").graph
    trace, f = run(graph), graph.node_named("f")
    assert f is not None
    found = quotient(trace, f, 0.001).value
    moved = root_value(trace, f, BELOW)
    return printed(found, BELOW, moved, round(moved - trace.values[trace.root], 9)) | {
        str(1e-15),
        str(sys.float_info.dig + 1),
    }


COMPUTED = {
    "one-neuron": lambda: printed(math.tanh(-1e9)),
    "same-leaf-twice": lambda: printed(3.01 * 3.01, 2 * round(3.01 * 3 - 9, 9)),
    "referee": said_by_referee,
    "twice-without-zero": lambda: printed(
        grads("c = a + b; d = c + b; y = d + b", TWO, "no-zero-grad")["a"]
    ),
    "sum-over-paths": lambda: printed(along("sum-over-paths", "d.1", "f.2", "y.2")),
    "plus-times": lambda: printed(10 + 1),  # "What is y if c is 11?"
    "dead-and-flat": lambda: printed(-6 + 1),
    "missing-plus": lambda: printed(0 + 1000),
    "xor": lambda: printed(
        *(sample.target for sample in xor()), 100, 1 + NAMES.index("dead-and-flat")
    ),
}
"""The numbers of a lesson that are not those of its sheet, computed again."""
NAMES = [head.name for head in course().lessons]


@in_turn("name", NAMES)
def test_each_number_of_a_text_is_one_of_the_graph_or_computed_here(name: str):
    wrong, before = list[tuple[str, str]](), COMPUTED.get(name, set)()
    for step in lesson(name).steps:
        says = [choice.say for ask in step.asks for choice in ask.choices]
        before |= known(step)
        for text in (step.text, step.task, step.hint, *says):
            wrong += [(step.title, number) for number in sorted(numbers_of(text) - before)]
    assert not wrong


def moved_gradient() -> str:
    """Whose gradient another a changes, of y = a × b."""
    old, new = grads("y = a*b", {"a": 2, "b": 5}), grads("y = a*b", {"a": 3, "b": 5})
    (name,) = [name for name in "ab" if old[name] != new[name]]
    return f"that of {name}"


def gear_that_counts() -> str:
    found = grads("u = k*x; y = m*u", {"k": 3, "x": 4, "m": 0})
    (name,) = [name for name in "kxm" if found[name]]
    return f"that of {name}"


def held_too_late() -> str:
    """What p holds after o, s and n have fired in this order."""
    step = next(step for step in lesson("firing-order").steps if step.title == "Once too early")
    end = situations(step)[-1]
    p = end.graph.node_named("p")
    assert p is not None
    return short(end.known_frame.grads.get(p, 0.0))


RIGHT = {
    ("one-wire", "Whose gradient moves?"): moved_gradient,
    ("gears", "A gear of 0"): gear_that_counts,
    ("seven-numbers", "The small one and the large one"): lambda: (
        "both the same"
        if len(
            {
                grads("e = a*b; d = e+c; L = d*f", {"a": 2, "b": -3, "c": 10, "f": -2})[n]
                for n in "ec"
            }
        )
        == 1
        else ""
    ),
    ("same-leaf-twice", "On both wires"): lambda: f"{3.01 * 3.01 - 9:.2f}",
    ("firing-order", "Too early"): held_too_late,
    ("who-next", "Where it hides"): lambda: next(
        text
        for text, formula in (
            ("c × c with c = a + b", "c = a+b; y = c*c"),
            ("a longer ladder", LADDER),
            ("a neuron", NEURON),
        )
        if not is_visible(formula, "recursive")
    ),
    ("sum-over-paths", "By d and e"): lambda: short(along("sum-over-paths", "d.1", "e.2", "y.1")),
    ("sum-over-paths", "By c and f"): lambda: short(along("sum-over-paths", "c.1", "f.1", "y.2")),
    ("sum-over-paths", "By d and f"): lambda: short(along("sum-over-paths", "d.1", "f.2", "y.2")),
    ("sum-over-paths", "A ladder"): lambda: str(path_count(from_expression(LADDER), 1)),
    ("twice-without-zero", "A single plus"): lambda: short(
        grads("y = a + b", TWO, "no-zero-grad")["a"]
    ),
    ("twice-without-zero", "One node in between"): lambda: short(
        grads("c = a + b; y = c + b", TWO, "no-zero-grad")["a"]
    ),
    ("twice-without-zero", "What does a hold then?"): lambda: short(
        grads(DEMONSTRATION, TWO, "no-zero-grad")["a"]
    ),
    ("two-weights", "Down the slope"): lambda: short(weight(0.5)),
    ("two-weights", "What is left?"): lambda: short(losses(0.5, 1)[1]),
    ("too-fast", "Twice as far"): lambda: short(losses(1, 1)[1]),
    ("too-fast", "And at 2?"): lambda: way(2),
    ("too-fast", "And at 3?"): lambda: way(3),
    ("xor", "Can one neuron do it?"): lambda: f"{xor_loss((2, 1), 0.5, 0, 100):.0f}",
}
"""The right choice of each question that a lesson answers itself, by lesson and title or text."""
IN_WORDS = {
    ("referee", "Nearly 4"),
    ("missing-plus", "Why is all of it right?"),
    ("xor", "Why 1?"),
    ("xor", "Why does it not recover?"),
}
"""Those whose choices are reasons."""


@in_turn("name", NAMES)
def test_the_right_choice_of_a_lesson_s_own_question_is_what_the_engine_computes(name: str):
    for step in lesson(name).steps:
        for ask in step.asks:
            if ask.right_choice is None or (name, step.title) in IN_WORDS:
                continue
            key = (name, ask.text) if (name, ask.text) in RIGHT else (name, step.title)
            assert ask.right_choice.text == RIGHT[key](), key


def test_what_lesson_13_says_of_a_new_forward_pass_holds():
    """Zeroed leaves are enough where inner nodes begin anew, and not where they stay."""
    assert grads(DEMONSTRATION, TWO, "zero-leaves-only")["a"] == 75
    assert grads(DEMONSTRATION, TWO)["a"] == 25


def test_what_lesson_9_says_of_recursion_holds():
    found = grads("b = a+a; c = b+b", {"a": 1}, "recursive")
    assert (found["b"], found["a"]) == (2, 8)
    assert not is_visible(NEURON, "assign")  # lesson 12: trees hide = too
