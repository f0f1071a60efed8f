"""A canvas that follows edits and passes is laid out as one that is opened at that moment."""

from random import Random

import pytest
from PySide6.QtCore import QPointF

from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.placement import Viewport
from app.document.sheet import sheet_of
from app.style.current import Style
from app.workbench.modes.loop import STEPS
from app.workbench.playback.view_state import ViewState
from app.workbench.runners.loop_runner import LoopRunner
from engine import from_expression
from engine.frame import live_frame
from engine.graph import Constant, Graph, Leaf, Node, OpNode
from engine.rules import CORRECT, MISTAKES
from tests.benchmarks.layers import layered
from tests.helpers.canvas import CanvasFixture
from tests.helpers.graphs import mistake
from tests.helpers.invariants import differences_from_new
from tests.helpers.sampling import sized

SEEDS = range(1, sized(2, 81))
ACTS = sized(25, 60)
FORMULAS = ("a*b + a*c + tanh(a*d)", "y = a - 3; L = y**2; L*a", "relu(a*b+c)*d + relu(a*e+f)*g")
FURTHER = "; ".join(f"k{k} = tanh(p{k}*q{k})" for k in range(8))
"""Statements beside a formula, so that most acts move too little for all wires to be routed."""
NUMBERS = (0.0, 1.5, -2.5, 123456.789, -1e-7, 1e300, 0.123456789)
SHIFTS = ((-240.0, 36.0), (24.0, -120.0), (300.5, 200.0), (0.0, 0.0))
VIEWPORTS = (Viewport(500, 300, 0.6), Viewport(900, 700, 0.9), Viewport(1600, 700, 0.9))


class Hand:
    """Does anything at all to a sheet, in an order that a seed decides."""

    def __init__(self, canvas: CanvasFixture, seed: int) -> None:
        self.chance = Random(seed)
        self.canvas = canvas
        self.loop = LoopRunner(canvas.document, canvas.playback, canvas.view)
        self.deeds = (
            (5, self.set_value),
            (5, self.move),
            (9, self.approach),
            (4, self.drag),
            (4, self.rewire),
            (3, self.add),
            (2, self.remove),
            (4, self.undo),
            (3, self.group),
            (2, self.frame),
            (6, self.run),
            (3, self.choose_mistake),
            (6, self.descend),
            (3, self.look),
        )
        canvas.show(from_expression(f"{FURTHER}; {self.chance.choice(FORMULAS)}"))

    def act(self) -> str:
        """Do one thing; returns its name."""
        weights = [weight for weight, _deed in self.deeds]
        (deed,) = self.chance.choices([deed for _weight, deed in self.deeds], weights)
        if self.canvas.graph.nodes:
            deed()
        self.canvas.view.auto_layout.cancel()
        return deed.__name__

    @property
    def document(self) -> Document:
        return self.canvas.document

    def some(self, most: int = 4) -> list[int]:
        nodes = sorted(self.canvas.graph.nodes)
        return self.chance.sample(nodes, min(len(nodes), self.chance.randint(1, most)))

    def shifted(self, nodes: list[int]) -> dict[int, tuple[float, float]]:
        (right, down), places = self.chance.choice(SHIFTS), self.document.positions
        return {n: (places[n][0] + right, places[n][1] + down) for n in nodes}

    def set_value(self) -> None:
        nodes = [n for n, x in self.canvas.graph.nodes.items() if isinstance(x, Leaf | Constant)]
        for node in nodes[:2]:
            self.document.set_value(node, self.chance.choice(NUMBERS))

    def move(self) -> None:
        self.document.move(self.shifted(self.some()))

    def approach(self) -> None:
        """Move a node to an end of a wire, some px before or behind it."""
        scene, node = self.canvas.scene, self.some(1)[0]
        if not scene.courses or node not in scene.boxes:
            return
        course = scene.courses[self.chance.choice(sorted(scene.courses))]
        (x, y), box = self.chance.choice((course.start, course.end)), scene.boxes[node]
        left = x + self.chance.choice((0.0, -box.w)) + self.chance.uniform(-16.0, 16.0)
        self.document.move({node: (left, y - self.chance.uniform(0.0, box.h))})

    def drag(self) -> None:
        nodes = self.some(16)
        for _ in range(3):
            self.canvas.scene.show_dragged(self.shifted(nodes))
        if self.chance.random() < 0.3:
            self.set_value()
        self.canvas.scene.show_dragged({})

    def rewire(self) -> None:
        graph = self.canvas.graph
        slots = [(n, k) for n in sorted(graph.nodes) for k in range(len(graph.inputs(n)))]
        if slots:
            self.document.wires.connect(self.some(1)[0], *self.chance.choice(slots))

    def add(self) -> None:
        node = self.chance.choice((Leaf(2.5), Constant(-1.25), OpNode("add", (None, None))))
        self.document.add_node(node, (self.chance.randrange(1500), self.chance.randrange(600)))

    def remove(self) -> None:
        self.document.remove(self.some(2))

    def undo(self) -> None:
        for _ in range(self.chance.randint(1, 3)):
            self.chance.choice((self.document.undo, self.document.redo))()

    def group(self) -> None:
        groups = sorted(self.document.sheet.groups)
        if not groups:
            self.document.groups.make(self.some(), "g")
        elif self.chance.random() < 0.4:
            self.document.groups.unpack(groups[0])
        else:
            self.document.groups.collapse(groups[0], self.chance.random() < 0.5)

    def frame(self) -> None:
        drawn = sorted(self.document.sheet.drawn)
        if drawn:
            self.document.remove((), frames=drawn)
        else:
            self.document.groups.draw((-24.0, -60.0, 600.0, 400.0), "s")

    def run(self) -> None:
        playback = self.canvas.playback
        self.chance.choice((playback.backward, playback.forward, playback.leave))()
        for _ in range(self.chance.randint(0, 4)):
            self.chance.choice((playback.step, playback.step_back))()

    def choose_mistake(self) -> None:
        self.canvas.playback.set_rules(self.chance.choice((CORRECT, *MISTAKES)))

    def descend(self) -> None:
        if self.loop.now is None or self.chance.random() < 0.3:
            self.loop.toggle()
        for _ in range(self.chance.randint(0, 5)):
            self.loop.do(self.chance.choice(STEPS))

    def look(self) -> None:
        self.canvas.scene.wrap_for(self.chance.choice(VIEWPORTS))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_sequence_of_edits_ends_in_the_layout_of_a_new_canvas(canvas: CanvasFixture, seed: int):
    hand, done = Hand(canvas, seed), list[str]()
    for _ in range(ACTS):
        done.append(hand.act())
        canvas.scene.apply_layout()  # as when numbers have stopped changing
        assert not differences_from_new(canvas.scene), done


def show_with_further_wires(
    canvas: CanvasFixture, nodes: dict[int, Node], places: dict[int, tuple[float, float]]
) -> None:
    """Show nodes beside so many others that a move of one does not make all wires be routed."""
    for k in range(10, 38, 2):
        nodes |= {k: Leaf(), k + 1: OpNode("tanh", (k,))}
        places |= {k: (3000.0, 150.0 * k), k + 1: (3400.0, 150.0 * k)}
    canvas.show(Graph(nodes, None, 100), places)


@pytest.mark.parametrize("past", [1.5, 5.0, 9.9])
def test_a_bend_makes_way_again_when_a_node_comes_near_its_start(
    canvas: CanvasFixture, past: float
):
    """Two wires rise and fall to one level, so one has another lane, as long as it has space."""
    nodes = {1: Leaf(), 2: Leaf(), 3: OpNode("tanh", (1,)), 4: OpNode("tanh", (2,)), 5: Leaf()}
    places = {1: (0.0, 0.0), 2: (0.0, 240.0), 3: (400.0, 247.0), 4: (400.0, 7.0), 5: (0.0, 3000.0)}
    show_with_further_wires(canvas, nodes, places)
    start, course = canvas.scene.boxes[1].output(0, 1).x(), canvas.scene.courses[3, 0]
    canvas.document.move({5: (start + past - canvas.scene.boxes[5].w, 120.0)})
    assert not canvas.scene.courses[3, 0].has_same_path_as(course)
    assert not differences_from_new(canvas.scene)
    canvas.document.move({5: places[5]})
    assert canvas.scene.courses[3, 0].has_same_path_as(course)


def test_a_wire_leaves_its_lane_when_the_node_that_blocked_its_bend_is_gone(canvas: CanvasFixture):
    """Its bend is blocked behind its source by one node, and behind that node by another one."""
    nodes = {1: Leaf(), 2: OpNode("tanh", (1,)), 3: Leaf(), 4: Leaf()}
    places = {1: (0.0, 1200.0), 2: (500.0, 0.0), 3: (100.0, 600.0), 4: (190.0, 1000.0)}
    show_with_further_wires(canvas, nodes, places)
    before = canvas.scene.courses[2, 0]
    canvas.document.remove([4])
    assert not canvas.scene.courses[2, 0].has_same_path_as(before)
    assert not differences_from_new(canvas.scene)


def test_a_mistake_that_is_chosen_during_a_forward_pass_gets_its_room(canvas: CanvasFixture):
    canvas.open_example("shared-leaf")
    canvas.playback.forward()
    canvas.playback.step()
    before = canvas.scene.boxes[canvas.node("a")]
    canvas.playback.set_rules(mistake("zero-leaves-only"))
    assert canvas.scene.boxes[canvas.node("a")].h > before.h
    assert not differences_from_new(canvas.scene)


def test_a_node_that_is_moved_and_at_once_moved_back_keeps_its_width(canvas: CanvasFixture):
    canvas.open_example("shared-leaf")
    canvas.playback.set_rules(mistake("assign"))
    canvas.scene.apply_layout()
    before = dict(canvas.scene.boxes)
    a = canvas.node("a")
    x, y = canvas.document.positions[a]
    canvas.document.move({a: (x + 40.0, y)})
    canvas.document.undo()
    canvas.scene.apply_layout()
    assert canvas.scene.boxes == before
    assert not differences_from_new(canvas.scene)


def test_after_an_edit_in_descent_nodes_are_where_a_new_canvas_has_them(canvas: CanvasFixture):
    canvas.open_example("two-weights-loss")
    runner = LoopRunner(canvas.document, canvas.playback, canvas.view)
    runner.toggle()
    leaf = next(n for n, x in canvas.graph.nodes.items() if isinstance(x, Leaf))
    for value in (-123456.789, 3.0):
        canvas.document.set_value(leaf, value)
        canvas.scene.apply_layout()
        assert not differences_from_new(canvas.scene)
    runner.leave()
    canvas.scene.apply_layout()
    assert not differences_from_new(canvas.scene)


def test_the_nodes_of_a_large_graph_are_as_high_before_a_pass_as_in_it(canvas: CanvasFixture):
    canvas.document.start(layered(420))
    before = dict(canvas.scene.boxes)
    canvas.playback.backward()
    assert canvas.scene.boxes == before
    assert not differences_from_new(canvas.scene)


def test_a_longer_constant_of_a_large_graph_gets_the_room_of_its_number(canvas: CanvasFixture):
    text = " + ".join(f"{k}.5*a{k}" for k in range(1, 140))
    canvas.show(from_expression(text))
    pill = min(n for n, box in canvas.scene.boxes.items() if box.kind == "pill")
    before = canvas.scene.boxes[pill].w
    canvas.document.set_value(pill, -1234.5678)
    assert canvas.scene.boxes[pill].w > before
    assert not differences_from_new(canvas.scene)


MOVES = ((8.0, 16.0), (24.0, -8.0), (24.0, -8.0), (-40.0, 72.0))


def scene_of(count: int) -> Scene:
    drawing, style = layered(count), Style()
    scene = Scene(style.short, style.signed)
    scene.show(ViewState(sheet_of(drawing), live_frame(drawing.graph)))
    return scene


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("count", [100, 450])
def test_many_nodes_take_the_wires_between_them_along_and_the_end_of_a_drag_routes_all(count: int):
    scene = scene_of(count)
    graph, before = scene.sheet.graph, dict(scene.courses)
    dragged = {n: scene.sheet.positions[n] for n in sorted(scene.sheet.positions)[: count // 4]}
    fans = (graph.outgoing[n] for n in dragged)
    inner = [wire for fan in fans if all(w[0] in dragged for w in fan) for wire in fan]
    assert inner
    for right, down in MOVES:
        scene.show_dragged({n: (x + right, y + down) for n, (x, y) in dragged.items()})
        for wire in inner:
            moved = before[wire].polyline.translated(right, down).toList()
            pairs = zip(scene.courses[wire].polyline.toList(), moved, strict=True)
            assert max(QPointF(a - b).manhattanLength() for a, b in pairs) < 1e-6
            assert scene.wire_index.sides(wire) == scene.courses[wire].bounds
    scene.show_dragged({})
    assert all(scene.courses[wire].has_same_path_as(course) for wire, course in before.items())
