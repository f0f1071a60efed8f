"""What has gone, is no place or is nothing at all: every intention says so and changes nothing."""

import inspect
import math
from collections.abc import Callable

import pytest

from app.document.document import Document, GroupEdits, WireEdits
from app.document.document_file import whole_text
from app.document.history import History
from engine import from_expression
from engine.asking.question import Task
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.own import own
from tests.helpers.tables import in_turn

A, B, SUM, EXP, ROOT = 1, 2, 3, 4, 5
GONE = 77
HERE = (0.0, 0.0)
NOWHERE = ((math.nan, 0.0), (0.0, math.inf), (-math.inf, math.nan), (1e8, 0.0), (0.0, 1e300))
BOX = (0.0, 0.0, 240.0, 144.0)

OWN_EXP = own("exp", "a*a", from_expression("a*a"))

Case = tuple[str, Callable[[Document], object]]

NO_NODE = f"There is no node {GONE}."
NO_WIRE = "This wire is gone."
NO_GROUP = "This group is gone."
OUTSIDE = "This place is outside the sheet."
TASK_TEXT = "The text is one line of plain text of up to 240 characters."
NO_LINES = ("x" * 241, "two\nlines", "\u202eevil", "a\0b")

REFUSALS: dict[str, tuple[Case, ...]] = {
    "add_node": (
        (NO_NODE, lambda d: d.add_node(OpNode("exp", (GONE,)), HERE)),
        (NO_NODE, lambda d: d.add_node(Root(GONE), HERE)),
        ("A root gives nothing out", lambda d: d.add_node(OpNode("exp", (ROOT,)), HERE)),
        ("There is no operation called what.", lambda d: d.add_node(OpNode("what", ()), HERE)),
        ("exp has one slot, not 2.", lambda d: d.add_node(OpNode("exp", (A, B)), HERE)),
        ("A label is one line", lambda d: d.add_node(Leaf(1.0, "two\nlines"), HERE)),
        *((OUTSIDE, lambda d, p=p: d.add_node(Leaf(), p)) for p in NOWHERE),
    ),
    "add_wired": (
        (NO_NODE, lambda d: d.add_wired(OpNode("exp", (None,)), HERE, source=GONE)),
        ("1 has no slot 1.", lambda d: d.add_wired(Leaf(1.0, "1"), HERE, source=A)),
        (NO_NODE, lambda d: d.add_wired(Leaf(), HERE, wire=(GONE, 0))),
        ("sum has no slot 3.", lambda d: d.add_wired(Leaf(), HERE, wire=(SUM, 2))),
        ("sum has no slot 0.", lambda d: d.add_wired(Leaf(), HERE, wire=(SUM, -1))),
        *((OUTSIDE, lambda d, p=p: d.add_wired(Leaf(), p)) for p in NOWHERE),
    ),
    "add_formula": (
        (NO_NODE, lambda d: d.add_formula("a*z", HERE, (GONE, 0))),
        ("sum has no slot 3.", lambda d: d.add_formula("a*z", HERE, (SUM, 2))),
        ("sum has no slot 0.", lambda d: d.add_formula("a*z", HERE, (SUM, -1))),
        *((OUTSIDE, lambda d, p=p: d.add_formula("a*z", p)) for p in NOWHERE),
    ),
    "remove": (
        ("Choose what to delete first.", lambda d: d.remove(())),
        ("Choose what to cut first.", lambda d: d.remove((), verb="Cut")),
        (NO_NODE, lambda d: d.remove([A, GONE])),
        (NO_WIRE, lambda d: d.remove([A], [(GONE, 0)])),
        (NO_WIRE, lambda d: d.remove([], [(SUM, 2)])),
        (NO_WIRE, lambda d: d.remove([], [(SUM, -1)])),
        (NO_GROUP, lambda d: d.remove([A], [], [GONE])),
    ),
    "keep_operation": (
        ("exp is taken; choose another name.", lambda d: d.keep_operation(OWN_EXP)),
    ),
    "delete_operation": (
        ("There is no operation called what.", lambda d: d.delete_operation("what")),
    ),
    "wires.bypass": (
        (NO_NODE, lambda d: d.wires.bypass(GONE)),
        ("Only a node with one slot", lambda d: d.wires.bypass(SUM)),
        ("Only a node with one slot", lambda d: d.wires.bypass(ROOT)),
    ),
    "move": (
        ("Choose what to move first.", lambda d: d.move({})),
        (NO_NODE, lambda d: d.move({A: (24.0, 24.0), GONE: HERE})),
        (NO_GROUP, lambda d: d.move({}, rects={1: BOX, GONE: BOX})),
        *((OUTSIDE, lambda d, p=p: d.move({}, rects={1: (*p, 96.0, 96.0)})) for p in NOWHERE),
        (NO_NODE, lambda d: d.move({GONE: HERE}, rects={1: BOX})),
        *((OUTSIDE, lambda d, p=p: d.move({A: p})) for p in NOWHERE),
        *((OUTSIDE, lambda d, p=p: d.move({}, rects={1: (*p, 96.0, 96.0)})) for p in NOWHERE),
    ),
    "wires.connect": (
        (NO_NODE, lambda d: d.wires.connect(GONE, SUM, 0)),
        (NO_NODE, lambda d: d.wires.connect(A, GONE, 0)),
        ("sum has no slot 3.", lambda d: d.wires.connect(A, SUM, 2)),
        ("sum has no slot 0.", lambda d: d.wires.connect(A, SUM, -1)),
        ("This wire would close a loop", lambda d: d.wires.connect(EXP, SUM, 0)),
    ),
    "wires.disconnect": (
        (NO_WIRE, lambda d: d.wires.disconnect(GONE, 0)),
        (NO_WIRE, lambda d: d.wires.disconnect(SUM, 2)),
        (NO_WIRE, lambda d: d.wires.disconnect(SUM, -1)),
        (NO_WIRE, lambda d: d.wires.disconnect(6, 0)),
    ),
    "wires.replug": (
        (NO_WIRE, lambda d: d.wires.replug((GONE, 0), (SUM, 0))),
        (NO_WIRE, lambda d: d.wires.replug((SUM, 2), (SUM, 0))),
        (NO_WIRE, lambda d: d.wires.replug((6, 0), (SUM, 0))),
        (NO_NODE, lambda d: d.wires.replug((SUM, 0), (GONE, 0))),
        ("sum has no slot 3.", lambda d: d.wires.replug((SUM, 0), (SUM, 2))),
        ("This wire would close a loop", lambda d: d.wires.replug((ROOT, 0), (SUM, 0))),
    ),
    "wires.replug_all": (
        (NO_NODE, lambda d: d.wires.replug_all(GONE, A)),
        (NO_NODE, lambda d: d.wires.replug_all(A, GONE)),
        ("A root gives nothing out", lambda d: d.wires.replug_all(A, ROOT)),
        ("No wire leaves root.", lambda d: d.wires.replug_all(ROOT, A)),
    ),
    "wires.insert": (
        (NO_NODE, lambda d: d.wires.insert(GONE, (SUM, 0))),
        (NO_NODE, lambda d: d.wires.insert(6, (GONE, 0))),
        ("There is no wire to put it into.", lambda d: d.wires.insert(EXP, (6, 0))),
        ("sum has no slot 3.", lambda d: d.wires.insert(6, (SUM, 2))),
        ("free has no slot 5.", lambda d: d.wires.insert(6, (SUM, 0), 4)),
        *((OUTSIDE, lambda d, p=p: d.wires.insert(6, (SUM, 0), 0, p)) for p in NOWHERE),
    ),
    "wires.insert_new": (
        (NO_NODE, lambda d: d.wires.insert_new(OpNode("exp", (None,)), HERE, (GONE, 0))),
        (
            "v7 has no slot 2.",
            lambda d: d.wires.insert_new(OpNode("exp", (None,)), HERE, (SUM, 0), 1),
        ),
        ("v7 has no slot 1.", lambda d: d.wires.insert_new(Leaf(), HERE, (SUM, 0))),
        *(
            (OUTSIDE, lambda d, p=p: d.wires.insert_new(OpNode("exp", (None,)), p, (SUM, 0)))
            for p in NOWHERE
        ),
    ),
    "set_value": (
        (NO_NODE, lambda d: d.set_value(GONE, 1.0)),
        ("sum is computed", lambda d: d.set_value(SUM, 1.0)),
        ("root is computed", lambda d: d.set_value(ROOT, 1.0)),
        ("This whole number is too large.", lambda d: d.set_value(A, 10**400)),
        ("'two' is no number.", lambda d: d.set_value(A, "two")),  # type: ignore[arg-type]
        ("None is no number.", lambda d: d.set_value(A, None)),  # type: ignore[arg-type]
    ),
    "set_label": (
        (NO_NODE, lambda d: d.set_label(GONE, "c")),
        ("A root has no label", lambda d: d.set_label(ROOT, "c")),
        ("A label is one line", lambda d: d.set_label(A, "c\0d")),
        ("A label is one line", lambda d: d.set_label(A, "\ud800")),
        ("A label has at most 200 characters.", lambda d: d.set_label(A, "x" * 201)),
    ),
    "set_op": (
        (NO_NODE, lambda d: d.set_op(GONE, "exp")),
        ("a is no operation.", lambda d: d.set_op(A, "exp")),
        ("There is no operation called what.", lambda d: d.set_op(SUM, "what")),
    ),
    "set_constant": (
        (NO_NODE, lambda d: d.set_constant(GONE, True)),
        ("sum is neither", lambda d: d.set_constant(SUM, True)),
    ),
    "set_task": (
        *((TASK_TEXT, lambda d, t=t: d.set_task(Task(t))) for t in NO_LINES),
        ("There is no level", lambda d: d.set_task(Task("x", "predict", "all"))),
        ("Only Ask me and Cover have", lambda d: d.set_task(Task("x", level="sum"))),
        ("An exercise has a text", lambda d: d.set_task(Task())),
    ),
    "set_lesson": (("A lesson has up to 128 KiB.", lambda d: d.set_lesson("x" * 131_073, "x")),),
    "set_active_root": (
        ("Only a root can", lambda d: d.set_active_root(GONE)),
        ("Only a root can", lambda d: d.set_active_root(A)),
    ),
    "mark_root": (
        (NO_NODE, lambda d: d.mark_root(GONE)),
        ("A root gives nothing out", lambda d: d.mark_root(ROOT)),
    ),
    "replace_graph": (),
    "edit_expression": (
        ("A typed graph needs a root.", lambda d: d.edit_expression(Graph())),
        ("A typed graph needs a root.", lambda d: d.edit_expression(Graph({1: Leaf()}, None, 2))),
    ),
    "replace_drawn_numbers": (),
    "renumber": (),
    "paste": (
        ("There is nothing to add.", lambda d: d.paste(Drawing(Graph()), HERE)),
        *((OUTSIDE, lambda d, p=p: d.paste(Drawing(Graph({1: Leaf()})), p)) for p in NOWHERE),
    ),
    "duplicate": (
        ("Choose what to duplicate first.", lambda d: d.duplicate(())),
        (NO_NODE, lambda d: d.duplicate([A, GONE])),
        (NO_GROUP, lambda d: d.duplicate([A], [GONE])),
        *((OUTSIDE, lambda d, p=p: d.duplicate([A], (), p)) for p in NOWHERE),
        *((OUTSIDE, lambda d, p=p: d.duplicate([], [1], p)) for p in NOWHERE),
    ),
    "groups.make": (
        ("Choose nodes first", lambda d: d.groups.make(())),
        ("Choose nodes first", lambda d: d.groups.make([ROOT])),
        (NO_NODE, lambda d: d.groups.make([A, GONE])),
        ("These nodes are a group already.", lambda d: d.groups.make([B])),
        ("A title is one line", lambda d: d.groups.make([A], "two\nlines")),
    ),
    "groups.unpack": ((NO_GROUP, lambda d: d.groups.unpack(GONE)),),
    "groups.collapse": (
        (NO_GROUP, lambda d: d.groups.collapse(GONE, True)),
        ("Choose nodes first", lambda d: d.groups.collapse(1, True)),
    ),
    "groups.colour": ((NO_GROUP, lambda d: d.groups.colour(GONE, 1)),),
    "groups.rename": (
        (NO_GROUP, lambda d: d.groups.rename(GONE, "g")),
        ("A title is one line", lambda d: d.groups.rename(2, "g\0")),
    ),
    "groups.draw": (
        ("A title is one line", lambda d: d.groups.draw(BOX, "\x7f")),
        *((OUTSIDE, lambda d, p=p: d.groups.draw((*p, 96.0, 96.0), "s")) for p in NOWHERE),
        *((OUTSIDE, lambda d, p=p: d.groups.draw((9.0, 9.0, *p), "s")) for p in NOWHERE),
    ),
}

NO_INTENTIONS = {*("open_practice", "show_other", "start"), *("apply_layout", "make_way")}
"""They are asked, or told what has happened; nothing is refused."""

CASES = [
    pytest.param(sentence, act, id=f"{name}-{k}")
    for name, cases in REFUSALS.items()
    for k, (sentence, act) in enumerate(cases)
]


@pytest.fixture
def document(document: Document) -> Document:
    """exp(a + b) with a loose op, a drawn group (1) and another (2)."""
    nodes = {
        A: Leaf(2.0, "a"),
        B: Constant(3.0, "b"),
        SUM: OpNode("add", (A, B), "sum"),
        EXP: OpNode("exp", (SUM,), "e"),
        ROOT: Root(EXP),
        6: OpNode("where_gt0", (None, None, None), "free"),
    }
    places = {n: (n * 240.0, 0.0) for n in nodes}
    document.start(Drawing(Graph(nodes, ROOT, 7), places))
    assert document.groups.draw(BOX, "box") == 1
    assert document.groups.make([B]) == 2
    return document


def test_every_intention_is_in_the_table():
    inherited = {name for name, _ in inspect.getmembers(History)}
    intentions = methods(Document) - inherited
    for part, kind in (("wires", WireEdits), ("groups", GroupEdits)):
        intentions |= {f"{part}.{name}" for name in methods(kind)}
    assert intentions - NO_INTENTIONS == REFUSALS.keys()


def methods(kind: type) -> set[str]:
    """The names of the public methods of a class."""
    found = inspect.getmembers(kind, inspect.isfunction)
    return {name for name, _ in found if not name.startswith("_")}


@in_turn(("sentence", "act"), [case.values for case in CASES])
def test_an_intention_that_can_not_be_is_refused_with_one_sentence(
    document: Document, sentence: str, act: Callable[[Document], object]
):
    before, text, steps = document.sheet, whole_text(document.sheet), len(document.steps)
    said: list[str] = []
    changes: list[object] = []
    document.refused.connect(said.append)
    document.changed.connect(changes.append)
    assert not act(document)
    assert len(said) == 1
    assert said[0].startswith(sentence)
    assert document.sheet is before
    assert whole_text(document.sheet) == text
    assert len(document.steps) == steps
    assert not changes


def test_what_may_be_odd_is_not_refused(document: Document):
    said: list[str] = []
    document.refused.connect(said.append)
    assert document.set_value(A, math.nan)
    assert document.set_value(A, -math.inf)
    assert document.wires.replug((SUM, 0), (SUM, 0))
    assert document.wires.connect(A, SUM, 0)
    assert document.remove([SUM, SUM], [(SUM, 0), (SUM, 0), (EXP, 0)], [1, 1])
    assert not said
    assert document.done[-1].name == "Delete sum"


def test_a_step_is_named_after_what_was_there_before_it(document: Document):
    assert document.wires.bypass(EXP)
    assert document.done[-1].name == "Delete e and join"
    assert document.remove([A])
    assert document.done[-1].name == "Delete a"
    assert document.remove([], [], [1])
    assert document.done[-1].name == "Delete group box"
    assert document.remove([], [(ROOT, 0)])
    assert document.done[-1].name == "Unplug"
