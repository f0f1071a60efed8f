"""What holds for every gesture: Esc leaves no trace, and nothing is half done."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage

from app.canvas.input.drag import Drag
from app.canvas.input.draw_wire import DrawWire
from app.canvas.input.gesture import Gesture
from app.canvas.input.gestures import Click, FireNode, Jump, Pan, RefuseDrag, RubberBand, ScrubValue
from app.document.history import Step
from app.document.sheet import Group, Section, Sheet
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode
from tests.helpers.easel import Easel
from tests.helpers.mouse import (
    ALT,
    CTRL,
    LEFT,
    MIDDLE,
    NONE,
    at_header,
    at_nothing,
    at_number,
    at_output,
    at_slot,
    at_wire,
    held,
    hover,
    key,
    move,
)
from tests.helpers.seeing import map_frame

Find = Callable[[Easel], QPointF]


@dataclass(frozen=True)
class Case:
    """A gesture of the hand: where it begins and ends, and what is held."""

    name: str
    kind: type[Gesture]
    start: Find
    end: Find
    modifiers: Qt.KeyboardModifier = NONE
    button: Qt.MouseButton = LEFT
    furnished: bool = False
    """Whether it needs a group, a section and the map."""
    by_hand: bool = False
    """Whether it is one of a pass by hand."""


def elsewhere(sheet: Easel) -> QPointF:
    return at_nothing(sheet.view)


CASES = (
    Case("move a node", Drag, lambda s: at_header(s.view, 5), elsewhere),
    Case("fire", FireNode, lambda s: at_header(s.view, 4), elsewhere, by_hand=True),
    Case("move into a wire", Drag, lambda s: at_header(s.view, 5), lambda s: over_wire(s)),
    Case("draw a wire", DrawWire, lambda s: at_output(s.view, 2), lambda s: at_slot(s.view, 4, 1)),
    Case("draw a loop", DrawWire, lambda s: at_output(s.view, 4), lambda s: at_slot(s.view, 3, 0)),
    Case("wire in the empty", DrawWire, lambda s: at_output(s.view, 2), elsewhere),
    Case("wire backwards", DrawWire, lambda s: at_slot(s.view, 5), lambda s: at_output(s.view, 2)),
    Case("re-plug", DrawWire, lambda s: at_slot(s.view, 4, 0), lambda s: at_slot(s.view, 5)),
    Case("unplug", DrawWire, lambda s: at_slot(s.view, 4, 0), elsewhere),
    Case(
        "move all wires",
        DrawWire,
        lambda s: at_output(s.view, 1),
        lambda s: at_output(s.view, 2),
        CTRL,
    ),
    Case("choose a wire", Click, lambda s: over_wire(s), lambda s: over_wire(s)),
    Case("cut a wire", Click, lambda s: over_wire(s), lambda s: over_wire(s), ALT),
    Case(
        "unplug a slot",
        Click,
        lambda s: at_slot(s.view, 4, 0),
        lambda s: at_slot(s.view, 4, 0),
        ALT,
    ),
    Case("open a group", Click, lambda s: at_plus(s), lambda s: at_plus(s), furnished=True),
    Case(
        "scrub",
        ScrubValue,
        lambda s: at_number(s.view, 1),
        lambda s: at_number(s.view, 1) + QPointF(70, 0),
    ),
    Case("rubber band", RubberBand, elsewhere, lambda s: at_header(s.view, 2)),
    Case("pan", Pan, elsewhere, lambda s: at_nothing(s.view) + QPointF(90, -40), button=MIDDLE),
    Case(
        "move a group",
        Drag,
        lambda s: s.view.camera.to_screen(s.scene.group_boxes[GROUP].rect.center()),
        elsewhere,
        furnished=True,
    ),
    Case(
        "move a section",
        Drag,
        lambda s: s.view.camera.to_screen(QPointF(SECTION[0] + 150, SECTION[1] + 10)),
        elsewhere,
        furnished=True,
    ),
    Case(
        "resize a section",
        Drag,
        lambda s: s.view.camera.to_screen(QPointF(SECTION[0] + SECTION[2], SECTION[1] + 100)),
        elsewhere,
        furnished=True,
    ),
    Case(
        "jump on the map",
        Jump,
        lambda s: map_frame(s.view).center(),
        lambda s: map_frame(s.view).center() + QPointF(20, 8),
        furnished=True,
    ),
)
GROUP = 11
SECTION = (360.0, 384.0, 264.0, 168.0)


def furnish(sheet: Easel) -> None:
    """The same sheet with a collapsed group, a section with a node, and something far away."""
    graph = sheet.graph
    more = {7: Leaf(1.0, "g"), 8: OpNode("neg", (7,), "h"), 9: Leaf(5.0, "k"), 10: Leaf(0.0, "far")}
    places = {7: (0.0, 480.0), 8: (120.0, 480.0), 9: (384.0, 432.0), 10: (4800.0, 0.0)}
    whole = Sheet(
        Graph({**graph.nodes, **more}, graph.active_root, 12),
        {**sheet.document.positions, **places},
        {12: Section("box", SECTION)},
        {GROUP: Group("pair", frozenset({7, 8}), True, (48.0, 480.0))},
    )
    sheet.document.start(whole.drawing())
    sheet.look()
    sheet.view.grab()


def over_wire(sheet: Easel) -> QPointF:
    return at_wire(sheet.view, sheet.wire("c", 1))


def at_plus(sheet: Easel) -> QPointF:
    return sheet.view.camera.to_screen(sheet.scene.group_boxes[GROUP].opener.center())


@dataclass(frozen=True, eq=False)
class Trace:
    """Everything that a cancelled gesture could have left behind."""

    content: bytes
    history: tuple[tuple[Step, ...], tuple[Step, ...], bool]
    chosen: object
    corner: QPointF
    picture: QImage

    @classmethod
    def of(cls, sheet: Easel) -> "Trace":
        document, chosen = sheet.document, sheet.selection
        history = (document.done, document.undone, document.modified)
        return cls(
            sheet.bytes(),
            history,
            (chosen.nodes, chosen.wires, chosen.focus),
            sheet.view.camera.to_sheet(QPointF(0, 0)),
            sheet.view.grab().toImage(),
        )


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


def begin_by_hand(sheet: Easel) -> None:
    sheet.view.context.modes.by_hand.begin("backward")
    assert sheet.playback.now.by_hand is not None


@pytest.fixture
def prepared(sheet: Easel, case: Case) -> Easel:
    """The sheet as the gesture needs it."""
    if case.by_hand:
        graph = from_expression("c = a + b; d = c*a; y = d + b", {"a": 2, "b": 3})
        places = {node: (240.0 * (node % 3), 220.0 * (node // 3)) for node in graph.nodes}
        sheet.document.start(Drawing(graph, places))
        sheet.look()
        begin_by_hand(sheet)
    if case.furnished:
        furnish(sheet)
    return sheet


@pytest.fixture
def tried(prepared: Easel, case: Case) -> Easel:
    """The sheet with a step that was undone, and something chosen."""
    sheet = prepared
    sheet.document.add_node(Leaf(7.0, "g"), (0.0, 480.0))
    sheet.document.undo()
    if case.by_hand:  # which a new node ends
        begin_by_hand(sheet)
        sheet.said.clear()
    sheet.selection.choose((6,), ((3, 0),))
    return sheet


def start_of(case: Case, sheet: Easel) -> Trace:
    """How everything looks with the pointer where the gesture will end."""
    hover_end(case, sheet)
    return Trace.of(sheet)


def hover_end(case: Case, sheet: Easel) -> None:
    move(sheet.view, case.end(sheet), button=Qt.MouseButton.NoButton)


def test_each_case_is_the_gesture_it_is_meant_to_be(tried: Easel, case: Case):
    with held(tried.view, case.start(tried), case.end(tried), case.modifiers, button=case.button):
        assert isinstance(tried.view.mouse.gesture, case.kind)
        key(Qt.Key.Key_Escape)


def test_esc_leaves_no_trace(tried: Easel, case: Case):
    start, end = case.start(tried), case.end(tried)
    before = start_of(case, tried)
    hover(tried.view, start)
    told = tried.hint
    with held(tried.view, start, end, case.modifiers, button=case.button):
        key(Qt.Key.Key_Escape)
        assert tried.view.mouse.gesture is None
    assert tried.hint in ("", told)
    assert tried.said == []
    hover_end(case, tried)
    after = Trace.of(tried)
    assert after.content == before.content
    assert after.history == before.history
    assert after.chosen == before.chosen
    assert after.corner == before.corner
    assert after.picture == before.picture
    assert tried.view.viewport().cursor().shape() != Qt.CursorShape.ClosedHandCursor


def test_every_gesture_there_is_has_its_case():
    def kinds(kind: type[Gesture]) -> set[type[Gesture]]:
        return {kind}.union(*(kinds(other) for other in kind.__subclasses__()))

    begun_while_locked = {RefuseDrag}  # no edit can come between: test_presentation.py has it
    assert kinds(Gesture) - {Gesture} - begun_while_locked == {case.kind for case in CASES}


def test_a_gesture_done_is_at_most_one_step_and_undo_takes_it_back(prepared: Easel, case: Case):
    sheet = prepared
    before = sheet.bytes()
    start, end = case.start(sheet), case.end(sheet)
    with held(sheet.view, start, end, case.modifiers, button=case.button):
        pass
    assert len(sheet.document.steps) == (sheet.bytes() != before)
    sheet.document.undo()
    assert sheet.bytes() == before


def test_after_a_gesture_the_pointer_does_nothing_by_itself(prepared: Easel, case: Case):
    sheet = prepared
    with held(sheet.view, case.start(sheet), case.end(sheet), case.modifiers, button=case.button):
        pass
    key(Qt.Key.Key_Escape)
    done = sheet.bytes()
    move(sheet.view, QPointF(300, 300), button=Qt.MouseButton.NoButton)
    assert sheet.view.mouse.gesture is None
    assert sheet.bytes() == done


def test_an_undo_in_the_middle_of_a_gesture_breaks_nothing(prepared: Easel, case: Case):
    sheet, first = prepared, prepared.bytes()
    sheet.document.set_value(1, 9.0)
    start, end = case.start(sheet), case.end(sheet)
    with held(sheet.view, start, end, case.modifiers, button=case.button):
        sheet.document.undo()
    key(Qt.Key.Key_Escape)
    sheet.view.grab()
    while sheet.document.done:
        sheet.document.undo()
    assert sheet.bytes() == first


def test_a_node_that_goes_away_in_the_middle_of_a_gesture_ends_it(prepared: Easel, case: Case):
    sheet = prepared
    start, end = case.start(sheet), case.end(sheet)
    with held(sheet.view, start, end, case.modifiers, button=case.button):
        sheet.document.remove(list(sheet.graph.nodes))
    key(Qt.Key.Key_Escape)
    sheet.view.grab()
    assert not sheet.graph.nodes
    assert sheet.document.done[-1].name.startswith("Delete")


def test_stepping_in_the_middle_of_a_gesture_breaks_nothing(prepared: Easel, case: Case):
    sheet = prepared
    sheet.document.wires.connect(3, 4, 1)
    sheet.document.wires.connect(4, 6, 0)
    sheet.look()
    before = len(sheet.document.steps)
    start, end = case.start(sheet), case.end(sheet)
    with held(sheet.view, start, end, case.modifiers, button=case.button):
        sheet.playback.step()
        sheet.playback.step()
        sheet.view.grab()
    sheet.view.grab()
    assert len(sheet.document.steps) <= before + 1
