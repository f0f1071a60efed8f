"""What holds for every gesture: Esc leaves no trace, and nothing is half done."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage

from app.canvas.input.draw_wire import DrawWire
from app.canvas.input.gesture import Gesture
from app.canvas.input.gestures import (
    Click,
    Drag,
    FireNode,
    FireOrPan,
    Jump,
    Pan,
    RefuseDrag,
    RubberBand,
    ScrubValue,
)
from app.document.history import Edit
from app.document.sheet import Group, Sheet
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode
from tests.helpers.canvas import CanvasFixture, folded_boxes
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
from tests.helpers.sampling import sampled
from tests.helpers.seeing import map_frame

Find = Callable[[CanvasFixture], QPointF]


@dataclass(frozen=True)
class Case:
    """A gesture of the hand: where it begins and ends, and what is held."""

    name: str
    kind: type[Gesture]
    start: Find
    end: Find | None = None
    """None: where it began."""
    modifiers: Qt.KeyboardModifier = NONE
    button: Qt.MouseButton = LEFT
    furnished: bool = False
    """Whether it needs groups and the map."""
    by_hand: bool = False
    """Whether it is one of a pass by hand."""

    def held(self, sheet: CanvasFixture):
        return held(
            sheet.view, self.start(sheet), self.stop(sheet), self.modifiers, button=self.button
        )

    def stop(self, sheet: CanvasFixture) -> QPointF:
        return (self.end or self.start)(sheet)


def elsewhere(sheet: CanvasFixture) -> QPointF:
    return at_nothing(sheet.view)


def over_wire(sheet: CanvasFixture) -> QPointF:
    return at_wire(sheet.view, sheet.wire("c", 1))


def slot(node: int, number: int = 0) -> Find:
    return lambda s: at_slot(s.view, node, number)


def output(node: int) -> Find:
    return lambda s: at_output(s.view, node)


def header(node: int) -> Find:
    return lambda s: at_header(s.view, node)


def on_frame(x: float, y: float) -> Find:
    return lambda s: s.view.camera.to_screen(QPointF(FRAME[0] + x, FRAME[1] + y))


def on_map(x: float, y: float) -> Find:
    return lambda s: map_frame(s.view).center() + QPointF(x, y)


def on_number(x: float) -> Find:
    return lambda s: at_number(s.view, 1) + QPointF(x, 0)


def on_group(opener: bool) -> Find:
    def find(sheet: CanvasFixture) -> QPointF:
        box = folded_boxes(sheet.scene)[GROUP]
        return sheet.view.camera.to_screen((box.opener if opener else box.rect).center())

    return find


CASES = (
    Case("move a node", Drag, header(5), elsewhere),
    Case("fire", FireNode, header(4), elsewhere, by_hand=True),
    Case("move into a wire", Drag, header(5), over_wire),
    Case("draw a wire", DrawWire, output(2), slot(4, 1)),
    Case("draw a loop", DrawWire, output(4), slot(3)),
    Case("wire in the empty", DrawWire, output(2), elsewhere),
    Case("wire backwards", DrawWire, slot(5), output(2)),
    Case("re-plug", DrawWire, slot(4), slot(5)),
    Case("unplug", DrawWire, slot(4), elsewhere),
    Case("move all wires", DrawWire, output(1), output(2), CTRL),
    Case("choose a wire", Click, over_wire),
    Case("cut a wire", Click, over_wire, modifiers=ALT),
    Case("unplug a slot", Click, slot(4), modifiers=ALT),
    Case("open a group", Click, on_group(opener=True), furnished=True),
    Case("scrub", ScrubValue, on_number(0), on_number(70)),
    Case("rubber band", RubberBand, elsewhere, header(2)),
    Case("pan", Pan, elsewhere, lambda s: elsewhere(s) + QPointF(90, -40), button=MIDDLE),
    Case("move a group", Drag, on_group(opener=False), elsewhere, furnished=True),
    Case("move a drawn group", Drag, on_frame(150, 10), elsewhere, furnished=True),
    Case("resize a drawn group", Drag, on_frame(264, 100), elsewhere, furnished=True),
    Case("jump on the map", Jump, on_map(0, 0), on_map(20, 8), furnished=True),
)
GROUP = 11
FRAME = (360.0, 384.0, 264.0, 168.0)


def furnish(sheet: CanvasFixture) -> None:
    """The same sheet with a collapsed group, a drawn one with a node, and something far away."""
    graph = sheet.graph
    more = {7: Leaf(1.0, "g"), 8: OpNode("neg", (7,), "h"), 9: Leaf(5.0, "k"), 10: Leaf(0.0, "far")}
    places = {7: (0.0, 480.0), 8: (120.0, 480.0), 9: (384.0, 432.0), 10: (4800.0, 0.0)}
    whole = Sheet(
        Graph({**graph.nodes, **more}, graph.active_root, 12),
        {**sheet.document.positions, **places},
        {
            GROUP: Group("pair", frozenset({7, 8}), True, (48.0, 480.0)),
            12: Group("box", rect=FRAME),
        },
    )
    sheet.document.start(whole.drawing())
    sheet.look()
    sheet.view.grab()


@dataclass(frozen=True)
class Trace:
    """Everything that a cancelled gesture could have left behind."""

    content: bytes
    history: tuple[tuple[Edit, ...], tuple[Edit, ...], bool]
    chosen: object
    corner: QPointF
    picture: QImage

    @classmethod
    def of(cls, sheet: CanvasFixture) -> "Trace":
        document, chosen = sheet.document, sheet.selection
        return cls(
            sheet.bytes(),
            (document.done, document.undone, document.modified),
            (chosen.nodes, chosen.wires, chosen.focus),
            sheet.view.camera.to_sheet(QPointF(0, 0)),
            sheet.view.grab().toImage(),
        )


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


def begin_by_hand(sheet: CanvasFixture) -> None:
    sheet.view.context.modes.by_hand.begin("backward")
    assert sheet.playback.now.by_hand is not None


@pytest.fixture
def prepared(sheet: CanvasFixture, case: Case) -> CanvasFixture:
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
def tried(prepared: CanvasFixture, case: Case) -> CanvasFixture:
    """The sheet with a step that was undone, and something chosen."""
    sheet = prepared
    sheet.document.add_node(Leaf(7.0, "g"), (0.0, 480.0))
    sheet.document.undo()
    if case.by_hand:  # which a new node ends
        begin_by_hand(sheet)
        sheet.said.clear()
    sheet.selection.choose((6,), ((3, 0),))
    return sheet


def let_pointer_rest(case: Case, sheet: CanvasFixture) -> None:
    """Hover where the gesture ends."""
    move(sheet.view, case.stop(sheet), button=Qt.MouseButton.NoButton)


def test_esc_leaves_no_trace(tried: CanvasFixture, case: Case):
    start = case.start(tried)
    let_pointer_rest(case, tried)
    before = Trace.of(tried)
    hover(tried.view, start)
    hint = tried.hint
    with case.held(tried):
        assert isinstance(tried.view.mouse.gesture, case.kind)
        key(Qt.Key.Key_Escape)
        assert tried.view.mouse.gesture is None
    assert tried.hint in ("", hint)
    assert tried.said == []
    let_pointer_rest(case, tried)
    assert Trace.of(tried) == before
    assert tried.view.viewport().cursor().shape() != Qt.CursorShape.ClosedHandCursor


def test_every_gesture_there_is_has_its_case():
    def kinds(kind: type[Gesture]) -> set[type[Gesture]]:
        return {kind}.union(*(kinds(other) for other in kind.__subclasses__()))

    begun_while_locked = {RefuseDrag, FireOrPan}  # no edit can come between
    assert kinds(Gesture) - {Gesture} - begun_while_locked == {case.kind for case in CASES}


def test_a_gesture_done_is_at_most_one_step_and_undo_takes_it_back(
    prepared: CanvasFixture, case: Case
):
    sheet, before = prepared, prepared.bytes()
    with case.held(sheet):
        assert case.kind is ScrubValue or sheet.bytes() == before
    done = sheet.bytes()
    assert len(sheet.document.steps) == (done != before)
    key(Qt.Key.Key_Escape)  # closes quick add
    move(sheet.view, QPointF(300, 300), button=Qt.MouseButton.NoButton)
    assert sheet.view.mouse.gesture is None
    assert sheet.bytes() == done
    sheet.document.undo()
    assert sheet.bytes() == before


@pytest.mark.parametrize("case", sampled(CASES, every=2, first=0), ids=lambda case: case.name)
def test_an_undo_in_the_middle_of_a_gesture_breaks_nothing(prepared: CanvasFixture, case: Case):
    sheet, first = prepared, prepared.bytes()
    sheet.document.set_value(1, 9.0)
    with case.held(sheet):
        sheet.document.undo()
    key(Qt.Key.Key_Escape)
    sheet.view.grab()
    while sheet.document.done:
        sheet.document.undo()
    assert sheet.bytes() == first


@pytest.mark.parametrize("case", sampled(CASES, every=2, first=1), ids=lambda case: case.name)
def test_a_node_that_goes_away_in_the_middle_of_a_gesture_ends_it(
    prepared: CanvasFixture, case: Case
):
    sheet = prepared
    with case.held(sheet):
        sheet.document.remove(list(sheet.graph.nodes))
    key(Qt.Key.Key_Escape)
    sheet.view.grab()
    assert not sheet.graph.nodes
    assert sheet.document.done[-1].name.startswith("Delete")


@pytest.mark.parametrize("case", sampled(CASES, every=2, first=0), ids=lambda case: case.name)
def test_stepping_in_the_middle_of_a_gesture_breaks_nothing(prepared: CanvasFixture, case: Case):
    sheet = prepared
    sheet.document.wires.connect(3, 4, 1)
    sheet.document.wires.connect(4, 6, 0)
    sheet.look()
    before = len(sheet.document.steps)
    with case.held(sheet):
        sheet.playback.step()
        sheet.playback.step()
        sheet.view.grab()
    sheet.view.grab()
    assert len(sheet.document.steps) <= before + 1
