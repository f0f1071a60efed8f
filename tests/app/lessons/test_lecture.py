"""A mark follows its event through edits, or says in a clause why it no longer fits."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from app.lessons import lecture as lectures
from app.lessons.lecture import (
    Lecture,
    Placed,
    Slide,
    lecture_of,
    mark_at,
    mark_on,
    question_kinds,
    slide_of,
    slides,
    title_of,
    with_appended,
    with_drawing,
    with_kind,
)
from engine import EngineError, from_expression
from engine.edits import disconnect, insert, mark_root, op_node, remove, set_kind
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.rules import BY_NAME
from engine.study.lecture import Choice, Mark, check_mark
from engine.study.question import answer
from engine.trace import run
from tests.helpers.graphs import demonstration
from tests.helpers.tables import in_turn

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
"""The steps: 1 seed L, 2 L→d, 3 L→f, 4 d→e, 5 d→a, 6 e→a, 7 e→b."""
CHOICES = (Choice("yes", right=True), Choice("no"))


def node(name: str, graph: Graph = SHARED) -> int:
    found = graph.node_named(name)
    assert found is not None
    return found


A, B, D, E, F, L = (node(name) for name in "abdefL")


def ask(kind: Any, at: str, **fields: Any) -> Mark:
    """A mark that asks about a wire `e.1`, or a node."""
    name, _dot, slot = at.partition(".")
    mark = Mark("ask", "backward", node=node(name), asks=kind, name=at, **fields)
    if slot:
        mark = replace(mark, slot=int(slot) - 1)
    check_mark(mark)
    return mark


def slide(mark: Mark, graph: Graph = SHARED) -> Slide:
    return slide_of(Placed(0, mark), graph)


def cursors(mark: Mark, graph: Graph = SHARED) -> tuple[int, int]:
    """The steps before and after the answer is shown."""
    found = slide(mark, graph)
    assert not found.misfit
    assert found.situation is not None
    assert found.revealed is not None
    return found.situation.cursor, found.revealed.cursor


CONTRIBUTION = ask("contribution", "e.1", step=6)


@in_turn(
    ("mark", "places", "right"),
    [
        (ask("local", "e.1", step=6), (5, 6), -3),
        (CONTRIBUTION, (5, 6), 6),
        (ask("sum", "e.1", step=6), (5, 6), 4),
        (Mark("ask", "forward", 2, D, asks="value"), (1, 2), -4),
        (Mark("ask", "backward", 6, E, asks="next"), (5, 6), E),
        (ask("final", "a", step=6, values=((B, -3.0),)), (0, 7), (-3 + 1) * -2),
        (ask("sign", "a", step=6), (0, 7), 1),
        (ask("paths", "a", step=6), (0, 7), 2),
        (ask("change", "L", leaf=B, to=1.0), (0, 7), -16),
    ],
)
def test_a_question_is_asked_before_its_step_or_pass_and_revealed_at_the_end(mark, places, right):
    assert cursors(mark) == places
    found = slide(mark)
    assert found.question is not None
    assert answer(found.question, run(SHARED)) == right


def test_a_value_is_unknown_before_its_reveal_and_a_change_has_the_new_number_there():
    for mark, node, before, after in (
        (Mark("ask", "forward", 2, D, asks="value"), D, None, -4),
        (ask("change", "L", leaf=B, to=1.0), L, 8, -8),
    ):
        found = slide(mark)
        assert found.situation is not None
        assert found.revealed is not None
        assert found.situation.known_frame.values.get(node) == before
        assert found.revealed.known_frame.values[node] == after


def test_a_mistake_is_asked_where_it_is_on_and_shows():
    mark = Mark("ask", "backward", 7, asks="mistake", mistake="assign")
    found = slide(mark)
    assert found.situation is not None
    assert found.question is None
    assert found.situation.rules is BY_NAME["assign"]
    assert found.situation.known_frame.grads[A] == 6  # the last contribution alone
    plain = from_expression("y = a*b", {"a": 2, "b": 3})
    assert slide(mark, plain).misfit == "the mistake changes no gradient now"


def test_a_question_in_own_words_stays_at_its_place():
    mark = Mark("ask", "backward", 5, D, 1, asks="text", text="Why?", choices=CHOICES)
    assert cursors(mark) == (5, 5)
    assert slide(Mark("ask", asks="text", text="Why?", choices=CHOICES)).situation is not None


def test_a_blank_screen_fits_whatever_the_graph():
    blank = Mark("blank", "backward", 6, 77, 0, text="Five minutes")
    assert not slide(blank).misfit
    assert not slide(blank, Graph()).misfit
    assert slide(blank).place is None


def test_values_and_mistake_of_a_mark_are_set_there_alone():
    lecture = Lecture(
        "",
        (Drawing(SHARED),),
        tuple(
            Placed(0, Mark("show", "backward", 7, values=values))
            for values in ((), ((B, 1.0),), ())
        ),
    )
    shown = [found.situation for found in slides(lecture)]
    assert [s.known_frame.grads[A] for s in shown if s is not None] == [4, -4, 4]


def test_of_two_lectures_joined_each_graph_keeps_its_source():
    plain, curve = from_expression("y = a*b"), from_expression("y = tanh(a)")
    one = Lecture("One", (Drawing(SHARED), Drawing(plain)), (Placed(1, Mark()),), "one", ("s",))
    two = Lecture("Two", (Drawing(plain), Drawing(curve)), (Placed(1, Mark()),), "two", ("p", "c"))
    both = with_appended(one, two)
    assert [drawing.graph for drawing in both.drawings] == [SHARED, plain, curve]
    assert both.graph_sources == ("s", "", "c")
    assert [placed.graph for placed in both.marks] == [1, 2]
    bare = replace(two, graph_sources=())
    assert with_appended(replace(one, graph_sources=()), bare).graph_sources == ()


# after edits


def test_a_mark_follows_its_wire_to_the_step_where_that_is_now():
    tanh = max(SHARED.nodes) + 1
    longer = insert(
        Graph({**SHARED.nodes, tanh: op_node("tanh", (None,))}, SHARED.active_root, tanh + 1),
        tanh,
        (L, 0),
    )
    assert cursors(CONTRIBUTION) == (5, 6)
    assert cursors(CONTRIBUTION, longer) == (6, 7)
    found = slide(CONTRIBUTION, longer)
    assert found.question is not None
    assert found.question.step == 7
    assert found.question.wire == (E, 0)


def test_under_a_mistake_that_runs_twice_a_mark_stays_in_its_run():
    for step, expected in ((6, 6), (14, 13), (13, 13)):
        mark = replace(CONTRIBUTION, step=step, mistake="no-zero-grad")
        assert cursors(mark)[1] == expected


def test_a_mark_at_the_end_stays_at_the_end():
    end = mark_at(SHARED, "backward", 7)
    assert cursors(end) == (7, 7)
    assert cursors(end, demonstration())[1] == len(run(demonstration()))
    assert cursors(mark_at(SHARED, "backward", 0)) == (0, 0)


def without_root(graph: Graph) -> Graph:
    return Graph(graph.nodes, None, graph.next_id)


def reached(graph: Graph) -> Graph:
    """The root moved to e, so that d and L are not before it."""
    return mark_root(graph, E)


SUM = ask("sum", "e.1", step=6)
FINAL = ask("final", "a")
VALUE = Mark("ask", "forward", 2, D, asks="value", name="d")
CHANGE = ask("change", "L", leaf=B, to=1.0)
SHOW = mark_at(SHARED, "backward", 6)
MISFITS: tuple[tuple[Mark, Callable[[Graph], Graph], str], ...] = (
    (CONTRIBUTION, lambda g: disconnect(g, E, 0), "wire e.1 is gone"),
    (SHOW, lambda g: disconnect(g, E, 0), "wire e.1 is gone"),
    (SHOW, lambda g: remove(g, [E]), "node e is gone"),
    (replace(SHOW, name=""), lambda g: remove(g, [E]), f"node {E} is gone"),
    (replace(SHOW, slot=2), lambda g: g, "wire e.3 is gone"),
    (FINAL, lambda g: remove(g, [A]), "node a is gone"),
    (SHOW, without_root, "the graph has no root"),
    (SHOW, lambda _g: Graph(), "node e is gone"),
    (mark_at(SHARED, "backward", 7), lambda _g: Graph(), "the graph has no root"),
    (SHOW, lambda g: disconnect(g, D, 1), "L is not computed: a slot of d is empty"),
    (VALUE, lambda g: disconnect(g, L, 1), "L is not computed: a slot of L is empty"),
    (mark_at(SHARED, "backward", 4), reached, "d gets no gradient now"),
    (replace(FINAL, node=D), reached, "d gets no gradient now"),
    (CONTRIBUTION, lambda g: set_kind(g, A, constant=True), "a gets no gradient now"),
    (ask("sign", "f"), reached, "f gets no gradient now"),
    (ask("paths", "f"), reached, "f gets no gradient now"),
    (SUM, lambda g: mark_root(g, E), "the sum after e.1 is the contribution itself now"),
    (replace(VALUE, node=A), lambda g: g, "a is given now, not computed"),
    (VALUE, reached, "d is not on the way to e now"),
    (Mark("ask", "backward", 2, A, asks="next"), reached, "a does not fire after another node now"),
    (CHANGE, lambda g: remove(g, [B]), "a leaf that it sets is gone"),
    (CHANGE, lambda g: set_kind(g, B, constant=True), "b is no leaf now"),
    (replace(CHANGE, to=-3.0), lambda g: g, "b is −3 already"),
    (Mark(values=((B, 1.0),)), lambda g: remove(g, [B]), "a leaf that it sets is gone"),
    (Mark(values=((E, 1.0),)), lambda g: g, "e is no leaf now"),
    (Mark(node=E, name="e"), lambda g: remove(g, [E]), "node e is gone"),
    (Mark("show", "backward", 1, L + 1), lambda g: g, "a root is no place of a pass"),
)


@in_turn(("mark", "edit", "misfit"), MISFITS)
def test_a_mark_that_no_longer_fits_says_why(mark: Mark, edit: Callable[[Graph], Graph], misfit):
    found = slide(mark, edit(SHARED))
    assert found.misfit == misfit
    assert (found.situation, found.revealed, found.question, found.place) == (None,) * 4


def test_division_that_sends_nothing_leaves_its_wires_without_a_step():
    graph = from_expression("y = a/b + a", {"a": 2, "b": 4})
    mark = mark_on(graph, (graph.inputs(node("y", graph))[0] or 0, 1))
    assert not slide(mark, graph).misfit
    wrong = replace(mark, mistake="division-sends-nothing")
    assert slide(wrong, graph).misfit == f"nothing is passed along {mark.name} now"


def test_a_pass_that_is_too_long_to_be_stepped_is_named():
    text = "; ".join(f"v{k + 1} = v{k} + v{k}" for k in range(12))
    graph = from_expression(text, {"v0": 1})
    end = Mark("show", "backward", 99)
    final = Mark("ask", "backward", node=node("v0", graph), asks="final")
    assert not slide(final, graph).misfit
    asked = slide(replace(final, mistake="recursive"), graph)
    assert asked.misfit == "the pass takes more than 2,000 steps"
    shown = slide(replace(end, mistake="recursive"), graph)
    assert shown.revealed is not None
    assert shown.revealed.cursor == 8191  # the seed, and a step for each wire of each path
    for k in range(12, 17):
        text += f"; v{k + 1} = v{k} + v{k}"
    longer = slide(replace(end, mistake="recursive"), from_expression(text, {"v0": 1}))
    assert longer.misfit == "the pass takes more than 100,000 steps"


# new marks


def test_every_step_of_both_passes_can_be_marked_and_found_again():
    for phase, last in (("forward", 3), ("backward", 7)):
        for step in range(last + 1):
            mark = mark_at(SHARED, phase, step)  # pyright: ignore[reportArgumentType]
            check_mark(mark)
            assert cursors(mark) == (step, step)


def test_a_wire_is_marked_at_its_step_and_a_node_where_its_gradient_is_complete():
    assert cursors(mark_on(SHARED, (D, 1)))[0] == 5
    assert cursors(mark_on(SHARED, A))[0] == 6
    assert cursors(mark_on(SHARED, L))[0] == 1
    with pytest.raises(EngineError, match="d gets no gradient now"):
        mark_on(reached(SHARED), D)


KINDS = {
    2: ("local", "contribution", "final", "sign", "text"),
    6: ("local", "contribution", "sum", "final", "sign", "text"),
    0: ("text",),
    1: ("final", "sign", "text"),
}


@pytest.mark.parametrize("step", KINDS)
def test_the_questions_of_a_step_are_those_that_it_answers(step: int):
    mark = mark_at(SHARED, "backward", step)
    assert question_kinds(SHARED, mark) == KINDS[step]
    for kind in KINDS[step]:
        asking = with_kind(mark, SHARED, "ask", kind)
        check_mark(asking)
        assert not slide(asking).misfit
        assert set(question_kinds(SHARED, asking)) == set(KINDS[step])
        assert with_kind(asking, SHARED, "show").kind == "show"


def test_in_a_forward_pass_a_value_can_be_asked_and_under_a_mistake_its_name():
    assert question_kinds(SHARED, mark_at(SHARED, "forward", 2)) == ("value", "text")
    assert question_kinds(SHARED, Mark()) == ("text",)
    shows = mark_at(SHARED, "backward", 3, BY_NAME["assign"])
    assert "mistake" in question_kinds(SHARED, shows)
    plain = from_expression("y = a*b", {"a": 2, "b": 3})
    assert "mistake" not in question_kinds(plain, mark_at(plain, "backward", 2, BY_NAME["assign"]))


def test_a_final_gradient_can_be_asked_of_any_node_and_the_step_is_kept():
    mark = mark_at(SHARED, "backward", 6)
    final = with_kind(mark, SHARED, "ask", "final", node=B)
    assert (final.node, final.slot, final.step) == (B, None, 6)
    back = with_kind(final, SHARED, "ask", "contribution")
    assert (back.node, back.slot) == (E, 0)
    with pytest.raises(EngineError, match="This can't be asked here"):
        with_kind(mark, SHARED, "ask", "value")


def test_a_mark_turned_into_another_kind_keeps_nothing_that_does_not_belong_there():
    asked = ask("change", "L", leaf=B, to=1.0, form="number", reveals=False, notes="n", seconds=30)
    for kind in ("show", "blank"):
        found = with_kind(asked, SHARED, kind)
        check_mark(found)
        assert (found.notes, found.seconds) == ("n", 30)
    assert with_kind(Mark(), SHARED, "blank").text == "Talk to your neighbour"
    assert with_kind(Mark(title="Pause"), SHARED, "blank").text == "Pause"
    text = with_kind(asked, SHARED, "ask", "text")
    check_mark(text)
    assert not text.reveals


@in_turn(
    ("mark", "title"),
    [
        (SHOW, "× (e) → a"),
        (CONTRIBUTION, "× (e) → a"),
        (ask("local", "e.1", step=6), "slope of × (e) → a"),
        (FINAL, "final gradient of a"),
        (VALUE, "value of d"),
        (Mark(), "values"),
        (mark_at(SHARED, "backward", 0), "before the backward pass"),
        (mark_at(SHARED, "backward", 7), "end of the backward pass"),
        (mark_at(SHARED, "backward", 1), "gradient of L"),
        (replace(SHOW, title="My own"), "My own"),
        (Mark("blank", text="Five minutes"), "Five minutes"),
        (Mark("show", "backward", 3, 77, 0, name="g.1"), "g.1"),
        (Mark("ask", "backward", 6, E, asks="next"), "which fires next"),
    ],
)
def test_a_mark_without_a_title_is_called_by_its_place(mark: Mark, title: str):
    assert title_of(mark, SHARED) == title


def test_the_marks_of_one_graph_take_the_places_of_those_before():
    graphs = [from_expression("y = a*b", {"a": k + 1, "b": 3}) for k in range(2)]
    order = (0, 1, 0, 1)
    marks = tuple(Placed(k, Mark(title=f"{n}")) for n, k in enumerate(order))
    lecture = Lecture("Two", tuple(Drawing(graph) for graph in graphs), marks)
    for count, titles in (
        (0, ["1", "3"]),
        (1, ["new 0", "1", "3"]),
        (2, ["new 0", "1", "new 1", "3"]),
        (3, ["new 0", "1", "new 1", "new 2", "3"]),
    ):
        edited = Drawing(graphs[0], lecture=tuple(Mark(title=f"new {k}") for k in range(count)))
        found = with_drawing(lecture, 0, edited)
        assert [placed.mark.title for placed in found.marks] == titles
    edited = Drawing(graphs[1], lecture=(Mark(title="only"),))
    assert [p.mark.title for p in with_drawing(lecture, 1, edited).marks] == ["0", "only", "2"]


def test_a_graph_that_was_changed_is_no_longer_that_of_its_file():
    graph = from_expression("y = a*b", {"a": 1, "b": 3})
    lecture = Lecture("One", (Drawing(graph),), (Placed(0, Mark()),), graph_sources=("y.backwire",))
    assert with_drawing(lecture, 0, Drawing(graph)).graph_sources == ("y.backwire",)
    changed = Drawing(graph.with_values({graph.leaves[0]: 2.0}))
    assert with_drawing(lecture, 0, changed).graph_sources == ("",)


def test_marks_on_a_graph_too_large_for_all_of_them_do_not_fit(monkeypatch: pytest.MonkeyPatch):
    begun = [
        Mark("show", "backward", 7, values=((node("a"), float(k)),), title=f"{k}") for k in range(9)
    ]
    lecture = lecture_of(Drawing(SHARED, lecture=tuple(begun)), "Nine numbers")
    assert not any(slide.misfit for slide in slides(lecture))
    work = len(SHARED.nodes) + 7  # the values, and a pass
    monkeypatch.setattr(lectures, "MOST_WORK", 4 * work)
    reasons = [slide.misfit for slide in slides(lecture)]
    assert reasons == [""] * 4 + ["the graph is too large for so many marks"] * 5
