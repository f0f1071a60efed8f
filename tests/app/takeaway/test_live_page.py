"""A live page shows the window's numbers and sentences at any numbers of the reader's.

The script is modelled by `tests.helpers.exported`; `tests.browser.test_live` crosses it.
"""

import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from app.document.examples import FOLDER
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph, passes_of
from app.takeaway.html_page import html_page
from app.takeaway.page_data import AskedSteps, SharedTexts
from app.takeaway.page_parts import narration_text, state_of, template_text
from app.takeaway.page_questions import StepQuestions, write_questions
from engine import EngineError, from_expression
from engine.asking.friendly import SETS
from engine.asking.number_fields import fields_of
from engine.asking.question import LEVELS, step_questions
from engine.conditions import Formulas
from engine.edits import set_label
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import HOLE_BEGINS, HOLE_ENDS
from engine.ops import BY_NAME as OPERATIONS
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import run, run_forward
from tests.helpers.exported import data_of, field_numbers, plain, states, with_numbers
from tests.helpers.sampling import sampled, spread
from tests.helpers.tables import in_turn

EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.backwire"))
FORMULAS = {
    "kinks": "y = relu(a)*b + abs(c) + maximum(a, b) + a**c",
    "brackets": "y = (a - b)**2/(a*b) - -c + tanh(a - 2)*sigmoid(-b)",
    "bad": "y = log(a)/b + exp(c)*sqrt(a)",
}


@cache
def drawings() -> tuple[tuple[str, Drawing], ...]:
    """The examples, and graphs at which something special happens, by name."""
    examples = [(name, load_drawing(FOLDER / f"{name}.backwire")) for name in EXAMPLES]
    values = {"a": 2, "b": -3, "c": 0.5}
    special = [(n, laid_out_drawing(from_expression(f, values))) for n, f in FORMULAS.items()]
    return (*examples, *special)


def number_sets(graph: Graph) -> Iterator[dict[int, float]]:
    """The page's numbers, drawn ones, with two decimals, specials, and all 0."""
    rng = random.Random(1)
    special = (0.0, -1.0, 1e-9, 1e6, math.inf, -math.inf, math.nan, 1234567.0, -0.5, 1e308)
    yield {}
    yield {leaf: rng.uniform(-4, 4) for leaf in graph.leaves}
    yield {leaf: round(rng.uniform(-30, 30), 2) for leaf in graph.leaves}
    for _ in range(3):
        yield {leaf: rng.choice(special) for leaf in graph.leaves}
    yield dict.fromkeys(graph.leaves, 0.0)


def said_by_page(page: dict[str, Any], step: dict[str, Any], leaves: dict[int, float]) -> str:
    """The sentence about a step with its remark, as pass.js writes it."""
    numbers = field_numbers(page["live"], leaves)
    says = with_numbers(plain(step["says"]), numbers)
    remark = _remark(page["live"], step, numbers)
    return f"{says} {remark}" if remark else says


def _remark(live: dict[str, Any], step: dict[str, Any], numbers: dict[str, float]) -> str:
    bad = next((n for n in live["order"] if not math.isfinite(numbers[f"v{n}"])), None)
    focus = step["focus"]
    if step["kind"] == "forward":
        is_bad = bad is not None and bad == focus["receiver"]
        return _bad(live, focus["receiver"], numbers) if is_bad else ""
    k = focus["step"] - 1
    if f"c{k}" not in numbers:
        return ""
    sender, slot = map(int, focus["wire"].split("."))
    _node, name, *inputs = next(each for each in live["computed"] if each[0] == sender)
    if OPERATIONS[name].by_convention(slot, *[numbers[f"v{n}"] for n in inputs]):
        return live["conventions"][name]
    is_first = all(math.isfinite(numbers.get(f"c{j}", 0.0)) for j in range(k))
    if math.isfinite(numbers[f"c{k}"]) or not is_first:
        return ""
    if bad is not None:
        return _bad(live, bad, numbers)
    if math.isfinite(numbers[f"l{k}"]):
        return live["overflow"]
    return with_numbers(live["steep"][name], {"l": numbers[f"l{k}"]})


def _bad(live: dict[str, Any], node: int, numbers: dict[str, float]) -> str:
    sentences = live["bad"][str(node)]
    return with_numbers(sentences[not math.isnan(numbers[f"v{node}"])], numbers)


@in_turn(("name", "drawing"), sampled(drawings(), every=2))
def test_at_all_numbers_a_page_has_the_windows_sentences_and_figures(name: str, drawing: Drawing):
    graph = drawing.graph
    try:
        passes_of(graph, CORRECT)
    except EngineError:
        return  # this graph has no page
    page = data_of(html_page(page_of_graph(drawing, name, PageOptions(ask="none"))))
    for leaves in number_sets(graph):
        other = graph.with_values(leaves)
        frames = [
            frame_at(trace, k)
            for trace in (run_forward(other), run(other))
            for k in range(1, len(trace) + 1)
        ]
        for (step, (shown,)), frame in zip(states(page, leaves), frames, strict=False):
            assert shown == state_of(frame, 4), (leaves, frame.cursor)
            window = plain(narration_text(frame, 4))
            assert said_by_page(page, step, leaves) == window, (leaves, frame.phase, frame.cursor)


@in_turn(("name", "rules"), spread(["kinks", "bad"], MISTAKES))
def test_under_a_mistake_a_page_has_the_windows_steps(name: str, rules: Rules):
    drawing = dict(drawings())[name]
    page = data_of(html_page(page_of_graph(drawing, name, PageOptions(ask="none", rules=rules))))
    for leaves in number_sets(drawing.graph):
        trace = run(drawing.graph.with_values(leaves), rules=rules)
        frames = [frame_at(trace, k) for k in range(1, len(trace) + 1)]
        backward = [each for each in states(page, leaves) if each[0]["kind"] == "backward"]
        for (step, (shown,)), frame in zip(backward, frames, strict=True):
            assert shown == state_of(frame, 4), (leaves, frame.cursor)
            window = plain(template_text(frame, 4))
            assert said_by_page(page, step, leaves) == window, (leaves, frame.cursor)


def live_of(graph: Graph, ask: AskedSteps = "none", **options: Any) -> object:
    drawing = laid_out_drawing(graph)
    return page_of_graph(drawing, "", PageOptions(ask=ask, **options)).live


def test_a_page_that_could_say_something_false_is_not_live():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    assert live_of(graph) is not None
    assert live_of(graph, rules=replace(CORRECT, begins=((1, 2.0),))) is None
    assert live_of(graph, digits="shortest") is None
    assert live_of(graph, ask="last") is not None
    assert all(live_of(graph, ask="last", rules=rules) is None for rules in MISTAKES)
    with pytest.raises(EngineError):  # or a name could be taken for a number
        set_label(graph, 1, f"{HOLE_BEGINS}v1:4{HOLE_ENDS}")
    assert live_of(from_expression("+".join(f"x{k}" for k in range(70)))) is None


def test_a_page_that_asks_brings_sets_for_three_more_and_others_need_no_new_report():
    drawing = laid_out_drawing(from_expression("y = a*b", {"a": 2, "b": -3}))
    asking = page_of_graph(drawing, "Product", PageOptions("last"))
    assert len({*map(tuple, asking.sets)}) == len(asking.sets) == SETS
    assert [2, -3] not in asking.sets
    assert asking.sets == page_of_graph(drawing, "Product", PageOptions("last")).sets
    covered = page_of_graph(drawing, "Product", PageOptions("last", cover=True))
    silent = page_of_graph(drawing, "Product", PageOptions("none"))
    wrong = page_of_graph(drawing, "Product", PageOptions("last", rules=MISTAKES[0]))
    assert [page.sets for page in (covered, silent, wrong)] == [[], [], []]
    versions = ['"version": 4' in page.record.head for page in (asking, covered, silent, wrong)]
    assert versions == [True, False, False, False]


@in_turn(
    ("formula", "different"),
    sampled(
        [
            ("p = a*b; q = c*d; y = p + q", 4),
            ("y = first_of_the_weights*x + a*x", 7),
            ("y = 2*a + 2*b", 3),
            ("q = a*b; y = q*a - q*b", 8),
        ],
        every=2,
    ),
)
def test_questions_that_share_texts_would_each_have_the_same(formula: str, different: int):
    trace, formulas = run(from_expression(formula)), Formulas()
    fields, classes = fields_of(trace), dict[object, Any]()

    def written(step: int, shared: dict[object, Any]) -> list[SharedTexts]:
        formulas.shared = shared
        asked = step_questions(trace, step, LEVELS["contribution and sum"].kinds)
        frame = frame_at(trace, step)
        about = StepQuestions(asked, trace, frame, 4, fields=fields, formulas=formulas)
        found = write_questions(about).questions if asked else []
        return [[*shared.values()][each.like][1] for each in found if each.like is not None]

    for step in range(1, len(trace) + 1):
        assert written(step, classes) == written(step, {}), step
    assert len(classes) == different
