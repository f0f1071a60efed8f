"""Room is made for the whole pass from the start: no step, pass or seed changes any size."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random

import pytest

from app.canvas.layout.node_box import Box
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.examples import examples
from app.document.node_sizes import DIVIDER_GAP, PAD_LEFT, PAD_RIGHT
from app.document.placement import LAPTOP_VIEWPORT, Viewport, columns
from app.lessons.course import course
from app.lessons.load import lesson
from app.style.current import Extra, Style
from app.style.strokes import width
from app.takeaway.estimated_layout import laid_out_drawing
from app.workbench.adding import block
from app.workbench.playback.playback import Playback
from engine import from_expression
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode
from engine.problems import pass_obstacle
from engine.rules import CORRECT, MISTAKES
from engine.trace import run
from tests.helpers.asked import cover
from tests.helpers.canvas import example_drawing
from tests.helpers.graphs import demonstration, mistake
from tests.helpers.sampling import sampled, spread
from tests.helpers.tables import in_turn

COLUMN = 400.0


class Stage:
    """A scene that shows what a playback tells, without any widget."""

    def __init__(self, drawing: Drawing, extras: Iterable[Extra] = ()) -> None:
        style = Style()
        self.document = Document()
        self.playback = Playback(self.document)
        self.scene = Scene(style.short, style.signed, frozenset(extras))
        self.playback.shown.connect(self.scene.show)
        self.document.start(drawing)

    @property
    def graph(self) -> Graph:
        return self.document.graph

    def steps(self) -> Iterator[None]:
        """Go through both passes, step by step."""
        for begin in (self.playback.forward, self.playback.backward):
            begin()
            yield
            while self.playback.frame.upcoming is not None:
                self.playback.step()
                yield
        self.playback.leave()
        yield

    def node(self, name: str) -> int:
        found = self.graph.node_named(name)
        assert found is not None
        return found

    def box(self, name: str) -> Box:
        return self.scene.boxes[self.node(name)]

    @property
    def pill(self) -> tuple[int, Box]:
        """The only constant."""
        node = next(n for n, found in self.graph.nodes.items() if isinstance(found, Constant))
        return node, self.scene.boxes[node]


def in_columns(graph: Graph) -> Drawing:
    """Leaves in one column, ops behind one another, each in its own."""
    places: dict[int, tuple[float, float]] = {}
    for k, node in enumerate(graph.structure.topological_order):
        leaf = not graph.inputs(node)
        places[node] = (0.0, 150.0 * k) if leaf else (COLUMN * k, 100.0)
    return Drawing(graph, places)


@pytest.fixture
def stage(qapp) -> Stage:
    return Stage(in_columns(demonstration()))


# no size changes during a pass


@in_turn("example", examples())
def test_no_step_of_a_pass_changes_a_box_a_wire_or_a_label_seat(qapp, example):
    stage = Stage(load_drawing(example.path))
    scene = stage.scene
    boxes, bounds = dict(scene.boxes), scene.bounds()
    seats = {wire: scene.wire_layout.label_layout[wire] for wire in scene.courses}
    for _step in stage.steps():
        assert scene.boxes == boxes
        assert scene.bounds() == bounds
        assert {wire: scene.wire_layout.label_layout[wire] for wire in scene.courses} == seats


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
def test_a_mistake_makes_room_once_and_gives_it_back(stage: Stage, rules):
    before = dict(stage.scene.boxes)
    stage.playback.set_rules(rules)
    stage.playback.backward()
    under = dict(stage.scene.boxes)
    while stage.playback.frame.upcoming is not None:
        stage.playback.step()
        assert stage.scene.boxes == under
    stage.playback.leave()
    stage.playback.set_rules(CORRECT)
    assert stage.scene.boxes == before


def test_under_a_mistake_what_is_in_a_drawn_group_stays_in_it(stage: Stage):
    close = {n: (x / 3, y) for n, (x, y) in stage.document.positions.items()}
    stage.document.start(Drawing(stage.graph, close))
    stage.playback.set_rules(mistake("assign"))
    assert corners(stage) != close  # labels have no room there
    rect = (-24.0, -60.0, 1200.0, 2400.0)
    stage.document.groups.draw(rect, "All")
    assert corners(stage) == close
    [number] = stage.document.sheet.drawn
    stage.document.remove((), frames=(number,))
    assert corners(stage) != close


def corners(stage: Stage) -> dict[int, tuple[float, float]]:
    """The upper left corners of all nodes as drawn."""
    return {node: (box.x, box.y) for node, box in stage.scene.boxes.items()}


def test_asking_for_a_step_changes_no_size(stage: Stage):
    stage.playback.backward()
    before = dict(stage.scene.boxes)
    cover(stage.playback)
    stage.playback.step()
    assert stage.scene.boxes == before


@in_turn("uses", [1, 2, 3, 4, 6, 9])
def test_a_ledger_has_its_lines_before_anything_has_come(qapp, uses: int):
    graph = from_expression(" + ".join(f"{k}*a" for k in range(2, 2 + uses)), {"a": 1})
    stage = Stage(in_columns(graph))
    high = stage.box("a").h
    assert high == 88 + (0 if uses == 1 else 30 if uses < 4 else 56)
    for _step in stage.steps():
        assert stage.box("a").h == high


# columns


def test_nodes_of_a_column_are_as_wide_as_its_widest(stage: Stage):
    assert stage.box("a").w == stage.box("b").w
    narrow = stage.box("b").w
    stage.document.set_value(stage.node("a"), -123456.789)
    wide = stage.box("a").w
    assert stage.box("b").w == wide > narrow
    stage.document.set_value(stage.node("a"), 2.0)
    assert stage.box("a").w == stage.box("b").w == narrow


def test_a_node_that_leaves_its_column_has_its_own_width_again(stage: Stage):
    stage.document.set_value(stage.node("a"), -123456.789)
    wide = stage.box("a").w
    stage.document.move({stage.node("a"): (0.0, -900.0)})
    assert stage.box("b").w == wide
    stage.document.move({stage.node("a"): (-40.0, 0.0)})
    assert stage.box("a").w == wide > stage.box("b").w
    stage.document.move({stage.node("a"): (0.0, 0.0)})
    assert stage.box("b").w == wide


def test_a_column_is_as_wide_as_what_remains_of_it_needs(qapp):
    graph = Graph({1: Leaf(2.0), 2: Leaf(-123456.789)}, None, 3)
    stage = Stage(Drawing(graph, {1: (0.0, 0.0), 2: (0.0, 200.0)}))
    wide = stage.scene.boxes[1].w
    stage.document.remove((2,))
    assert stage.scene.boxes[1].w < wide
    stage.document.undo()
    assert stage.scene.boxes[1].w == wide


def test_roots_and_seated_constants_keep_their_own_width(qapp):
    graph = from_expression("y = 2 * x", {"x": 123456.0})
    root = graph.active_root or 0
    places = dict.fromkeys(graph.nodes, (0.0, 0.0))
    stage = Stage(Drawing(graph, {**places, root: (0.0, 400.0)}))
    assert stage.scene.boxes[root].w < stage.box("y").w
    assert stage.pill[1].w < stage.box("x").w


# constants at the slot of their reader


@pytest.fixture
def doubled(qapp) -> Stage:
    return Stage(in_columns(from_expression("y = 2 * x", {"x": 3})))


def seat_of(stage: Stage) -> tuple[float, float]:
    """Where the right middle of the constant belongs, by the slot of its reader."""
    slot = stage.box("y").slot(0)
    return (slot.x() - 11, slot.y())


def right_middle(box: Box) -> tuple[float, float]:
    return (box.rect.right(), box.rect.center().y())


def test_a_constant_stands_at_its_slot_and_follows_its_reader(doubled: Stage):
    _node, pill = doubled.pill
    assert (pill.kind, pill.h) == ("pill", 24)
    assert right_middle(pill) == seat_of(doubled)
    doubled.scene.show_dragged({doubled.node("y"): (900.0, 333.0)})
    assert right_middle(doubled.pill[1]) == seat_of(doubled) != right_middle(pill)
    doubled.scene.show_dragged({})
    assert doubled.pill[1] == pill
    doubled.document.move({doubled.node("y"): (700.0, -50.0)})
    assert right_middle(doubled.pill[1]) == seat_of(doubled) != right_middle(pill)


def test_a_longer_number_makes_it_wider_to_the_left(doubled: Stage):
    node, pill = doubled.pill
    doubled.document.set_value(node, -2.54321)
    longer = doubled.pill[1]
    assert longer.w > pill.w
    assert right_middle(longer) == right_middle(pill)


def test_read_twice_labelled_or_unplugged_it_is_a_node_of_its_own(doubled: Stage):
    node, pill = doubled.pill
    y, x = doubled.node("y"), doubled.node("x")
    doubled.document.wires.connect(node, y, 1)
    assert doubled.pill[1].kind == "constant"
    doubled.document.wires.connect(x, y, 1)
    assert doubled.pill[1] == pill
    doubled.document.set_label(node, "two")
    assert doubled.pill[1].kind == "constant"
    doubled.document.set_label(node, "")
    doubled.document.wires.disconnect(y, 0)
    assert doubled.pill[1].kind == "constant"
    at = doubled.document.positions[node]
    assert (doubled.pill[1].x, doubled.pill[1].y) == at


@in_turn(("text", "rules"), spread(("mlp(2, 4, 1)", "mlp(3, 2, 1)"), (CORRECT, *MISTAKES)))
def test_the_inputs_of_a_network_are_clear_of_one_another_in_every_pass(qapp, text, rules):
    stage = Stage(block(text))
    stage.playback.set_rules(rules)
    stage.playback.backward()
    first, *following = sorted((stage.box(f"x{k}") for k in range(1, int(text[4]) + 1)), key=top)
    for box in following:
        assert box.y - (first.y + first.h) >= 8.0
        first = box


@pytest.mark.parametrize(("op", "value"), spread(("tanh", "sigmoid", "exp"), (1.0, 0.123456, 2.5)))
def test_local_derivatives_shown_without_a_pass_are_clear_of_the_values(qapp, op, value):
    graph = Graph({1: Leaf(value, "x"), 2: OpNode(op, (1,))}, None, 3)
    stage = Stage(Drawing(graph), {"slopes"})
    box, look = stage.scene.boxes[2], stage.scene.node(2)
    local = look.numbers[2]
    assert PAD_LEFT + width(local.text, "number") + DIVIDER_GAP <= box.left
    assert box.left + DIVIDER_GAP + width(look.value.text, "number") <= box.w - PAD_RIGHT


def top(box: Box) -> float:
    return box.y


# nodes that a person placed close together


def faults(stage: Stage) -> Iterator[str]:
    """What covers something, or has no room, at the step that is shown."""
    scene = stage.scene
    rects = {stage.graph.title(node): box.rect for node, box in scene.boxes.items()}
    for wire in scene.courses:
        look, rect = scene.label(wire), scene.labels.rect(wire)
        if look is not None and rect is not None:
            name = f"{stage.graph.title(wire[0])} {wire[1]}"
            rects[f"label {name}"] = rect
            if scene.wire_layout.label_layout[wire].form == "dot":
                yield f"no room for label {name}"
    for (one, rect), (other, another) in combinations(rects.items(), 2):
        if rect.intersects(another):
            yield f"{one} over {other}"


FORMULAS = (
    "L = (a*b + a)*f",
    "d = a + b; e = a*b; L = e*d",
    "y = tanh(x1*w1 + x2*w2 + b)",
    "s = exp(a) + exp(b); p = exp(a)/s; L = -log(p)",
)


def close_drawings() -> Iterator[tuple[str, Drawing]]:
    """The examples, and sheets on which nodes stand close together."""
    for example in examples():
        yield example.name, load_drawing(example.path)
    draw = Random(5)
    for k in range(12):
        graph, wide = from_expression(FORMULAS[k % 4]), draw.uniform(0.3, 0.6)
        places = {
            node: (wide * x + draw.uniform(-20, 20), 0.7 * y + draw.uniform(-20, 20))
            for node, (x, y) in columns(graph).items()
        }
        yield f"{k}: {FORMULAS[k % 4]}", Drawing(graph, places)


def test_in_a_pass_nothing_covers_a_node_or_a_label_and_the_sheet_stays(qapp):
    for name, drawing in close_drawings():
        stage = Stage(drawing)
        before, places = dict(stage.scene.boxes), stage.document.positions
        for _step in stage.steps():
            if stage.playback.frame.phase != "live":
                assert not [*faults(stage)], (name, stage.playback.frame.cursor)
        assert stage.document.positions == places, name
        assert stage.scene.boxes == before, name


VIEWPORTS = (LAPTOP_VIEWPORT, Viewport(400.0, 250.0, 0.75))
"""The canvas of a laptop, and of half a laptop."""


def test_in_a_pass_of_a_lesson_nothing_covers_a_node_or_a_label_in_any_window(qapp):
    passes = {
        (begun.graph.structure, begun.rules.name): (head.name, begun)
        for head in course().lessons
        for step in lesson(head.name).steps
        for begun in [step.begun]
        if pass_obstacle(begun.graph) is None
    }
    assert len(passes) > len(course().lessons)
    for name, begun in sampled(passes.values(), 3):
        stage = Stage(laid_out_drawing(begun.graph))
        stage.playback.set_rules(begun.rules)
        for viewport in VIEWPORTS:
            stage.scene.wrap_for(viewport)
            for cursor in (2, len(run(begun.graph, rules=begun.rules))):
                stage.playback.backward(cursor=cursor)
                stage.scene.apply_layout()
                place = f"{name}, {begun.rules.name}, {viewport.width:.0f} px, step {cursor}"
                # under a mistake a label may be a dot, but nothing is covered
                found = [f for f in faults(stage) if begun.rules is CORRECT or " over " in f]
                assert not found, place


@pytest.mark.parametrize("rules", [CORRECT, mistake("no-zero-grad")], ids=lambda r: r.name)
def test_a_node_below_another_stays_in_its_column_if_not_exactly_at_its_x(qapp, rules):
    stage = Stage(example_drawing("shared-leaf"))
    a, b = stage.node("a"), stage.node("b")
    x, y = stage.document.positions[a]
    for offset in (-6.0, 0.0, 6.0, 40.0):
        stage.document.move({b: (x + offset, y + 130.0)})
        stage.playback.set_rules(rules)
        stage.playback.backward()
        boxes = stage.scene.boxes
        assert boxes[b].x - boxes[a].x == pytest.approx(offset), offset
        assert boxes[b].y > boxes[a].rect.bottom()
        stage.playback.leave()
        stage.playback.set_rules(CORRECT)


def test_nodes_that_are_moved_during_a_pass_are_drawn_as_if_it_had_begun_there(qapp):
    stage = Stage(example_drawing("shared-leaf"))
    wide = stage.document.positions
    close = {node: (x / 3, y) for node, (x, y) in wide.items()}
    stage.playback.backward()
    for places in (close, wide, close):
        stage.document.move(places)
        during = corners(stage)
        stage.playback.leave()
        stage.playback.backward()
        assert corners(stage) == during, places
    assert during != close
