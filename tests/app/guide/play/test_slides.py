"""A slide follows its event through edits, or says in a clause why it no longer fits."""

from collections.abc import Callable

from msgspec.structs import replace

from app.guide.play.slides import Slide, on_graph, slides_of
from app.lessons.lesson import Choice
from engine import from_expression
from engine.asking.kinds import answer
from engine.edits import disconnect, insert, mark_root, op_node, remove, set_kind
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.rules import BY_NAME
from engine.trace import run
from tests.helpers.steps import PlannedStep, lesson_on, slide_of, step_at
from tests.helpers.tables import in_turn

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
"""The steps: 1 seed L, 2 L→d, 3 L→f, 4 d→e, 5 d→a, 6 e→a, 7 e→b."""
CHOICES = (Choice("yes", right=True), Choice("no"))


def node(name: str, graph: Graph = SHARED) -> int:
    found = graph.node_named(name)
    assert found is not None
    return found


A, B, D, E, F, L = (node(name) for name in "abdefL")


def ask(kind: str, at: str, step: int = 0, **fields: object) -> PlannedStep:
    """A question about a wire `e.1`, or a node."""
    name, _dot, slot = at.partition(".")
    planned = PlannedStep("ask", "backward", step, node(name), asks=kind, **fields)
    return replace(planned, slot=int(slot) - 1) if slot else planned


def cursors(found: Slide) -> tuple[int, int]:
    """The steps before and after the answer is shown."""
    assert not found.misfit
    assert found.situation is not None
    assert found.revealed is not None
    return found.situation.cursor, found.revealed.cursor


CONTRIBUTION = ask("contribution", "e.1", step=6)


@in_turn(
    ("planned", "places", "right"),
    [
        (ask("local", "e.1", step=6), (5, 6), -3),
        (CONTRIBUTION, (5, 6), 6),
        (ask("sum", "e.1", step=6), (5, 6), 4),
        (PlannedStep("ask", "forward", 2, D, asks="value", form="number"), (1, 2), -4),
        (PlannedStep("ask", "backward", 6, E, asks="next"), (5, 6), E),
        (ask("final", "a"), (0, 7), (-3 + 1) * -2),
        (ask("sign", "a"), (0, 7), 1),
        (ask("paths", "a"), (0, 7), 2),
        (ask("change", "L", leaf=B, to=1.0), (0, 7), -16),
    ],
)
def test_a_question_is_asked_before_its_step_or_pass_and_revealed_at_the_end(
    planned, places, right
):
    found = slide_of(planned, SHARED)
    assert cursors(found) == places
    assert found.question is not None
    assert answer(found.question, run(SHARED)) == right


def test_a_value_is_unknown_before_its_reveal_and_a_change_has_the_new_number_there():
    for planned, node, before, after in (
        (PlannedStep("ask", "forward", 2, D, asks="value"), D, None, -4),
        (ask("change", "L", leaf=B, to=1.0), L, 8, -8),
    ):
        found = slide_of(planned, SHARED)
        assert found.situation is not None
        assert found.revealed is not None
        assert found.situation.known_frame.values.get(node) == before
        assert found.revealed.known_frame.values[node] == after


def test_a_mistake_is_asked_where_it_is_on_and_shows():
    found = slide_of(PlannedStep("ask", "backward", 7, asks="mistake", mistake="assign"), SHARED)
    assert found.situation is not None
    assert found.question is None
    assert found.situation.rules is BY_NAME["assign"]
    assert found.situation.known_frame.grads[A] == 6  # the last contribution alone
    plain = from_expression("y = a*b", {"a": 2, "b": 3})
    assert on_graph(found, plain).misfit == "the mistake changes no gradient now"


def test_a_blank_screen_fits_whatever_the_graph():
    blank = slide_of(PlannedStep("blank", text="Five minutes"), SHARED)
    assert (blank.text, blank.place) == ("Five minutes", None)
    assert not on_graph(blank, Graph({}, None)).misfit


def test_values_and_mistake_of_a_step_are_set_there_alone():
    planned_steps = [
        PlannedStep("show", "backward", 7, values=values) for values in ((), ((B, 1.0),), ())
    ]
    shown = [found.situation for found in slides_of(lesson_on(planned_steps, Drawing(SHARED)))]
    assert [s.known_frame.grads[A] for s in shown if s is not None] == [4, -4, 4]


# after edits


def test_a_slide_follows_its_wire_to_the_step_where_that_is_now():
    tanh = max(SHARED.nodes) + 1
    longer = insert(
        Graph({**SHARED.nodes, tanh: op_node("tanh", (None,))}, SHARED.active_root, tanh + 1),
        tanh,
        (L, 0),
    )
    found = slide_of(CONTRIBUTION, SHARED)
    assert cursors(found) == (5, 6)
    moved = on_graph(found, longer)
    assert cursors(moved) == (6, 7)
    assert moved.question is not None
    assert moved.question.step == 7
    assert moved.question.wire == (E, 0)


def test_a_slide_at_the_end_stays_at_the_end():
    for step, after in ((7, 8), (0, 0)):
        found = slide_of(step_at(SHARED, "backward", step), SHARED)
        longer = from_expression("e = a*b; d = e + a; L = d*f; M = 0 - L", {"a": 2})
        assert cursors(found)[1] == step
        assert cursors(on_graph(found, longer))[1] == after


def without_root(graph: Graph) -> Graph:
    return Graph(graph.nodes, None, graph.next_id)


def reached(graph: Graph) -> Graph:
    """The root moved to e, so that d and L are not before it."""
    return mark_root(graph, E)


SUM = ask("sum", "e.1", step=6)
FINAL = ask("final", "a")
VALUE = PlannedStep("ask", "forward", 2, D, asks="value")
CHANGE = ask("change", "L", leaf=B, to=1.0)
SHOW = step_at(SHARED, "backward", 6)
NEXT = PlannedStep("ask", "backward", 6, E, asks="next")
MISFITS: tuple[tuple[PlannedStep, Callable[[Graph], Graph], str], ...] = (
    (CONTRIBUTION, lambda g: disconnect(g, E, 0), "wire e.1 is gone"),
    (SHOW, lambda g: disconnect(g, E, 0), "L is not computed: a slot of e is empty"),
    (SHOW, lambda g: remove(g, [D, L]), "the graph has no root"),
    (FINAL, lambda g: remove(g, [A]), f"node {A} is gone"),
    (SHOW, without_root, "the graph has no root"),
    (step_at(SHARED, "backward", 7), lambda _g: Graph({}, None), "the graph has no root"),
    (VALUE, lambda g: disconnect(g, L, 1), "L is not computed: a slot of L is empty"),
    (step_at(SHARED, "backward", 4), reached, "d gets no gradient now"),
    (replace(FINAL, node=D), reached, "d gets no gradient now"),
    (CONTRIBUTION, lambda g: set_kind(g, A, constant=True), "a gets no gradient now"),
    (ask("sign", "f"), reached, "f gets no gradient now"),
    (ask("paths", "f"), reached, "f gets no gradient now"),
    (SUM, lambda g: mark_root(g, E), "the sum after e.1 is the contribution itself now"),
    (VALUE, lambda g: set_kind(g, A, constant=True), ""),
    (CHANGE, lambda g: remove(g, [B]), f"node {B} is gone"),
    (CHANGE, lambda g: g.with_values({B: 1.0}), "b is 1 already"),
)


@in_turn(("planned", "edit", "misfit"), MISFITS)
def test_a_slide_that_no_longer_fits_says_why(
    planned: PlannedStep, edit: Callable[[Graph], Graph], misfit
):
    before = slide_of(planned, SHARED)
    assert not before.misfit
    found = on_graph(before, edit(SHARED))
    assert found.misfit == misfit
    if misfit:
        assert (found.situation, found.revealed, found.place) == (None,) * 3
        assert not on_graph(found, SHARED).misfit, "what is undone fits again"


def test_the_sheet_of_a_step_that_has_a_fault_is_named_by_it():
    found = slide_of(PlannedStep("show", "backward", 6, E, 4), SHARED)
    assert found.misfit == '"e.5": e has 2 slots'


@in_turn(
    ("planned", "title"),
    [
        (SHOW, "× (e) → a"),
        (CONTRIBUTION, "contribution of × (e) → a"),
        (ask("local", "e.1", step=6), "slope of × (e) → a"),
        (FINAL, "final gradient of a"),
        (VALUE, "value of d"),
        (PlannedStep(), "values"),
        (step_at(SHARED, "backward", 0), "before the backward pass"),
        (step_at(SHARED, "backward", 7), "end of the backward pass"),
        (step_at(SHARED, "backward", 1), "gradient of L"),
        (replace(SHOW, title="My own"), "My own"),
        (PlannedStep("blank", text="Five minutes"), "Five minutes"),
        (NEXT, "next node"),
    ],
)
def test_a_slide_without_a_title_is_called_by_its_place(planned: PlannedStep, title: str):
    assert slide_of(planned, SHARED).title == title
