"""Scenes after steps, edits and questions show what a new scene would, near and far."""

import random
from collections.abc import Callable, Iterable
from itertools import product

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from app.canvas.layout import layout
from app.canvas.paint.figure import picture_rect, scene_of
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.examples import examples
from app.document.sheet import Group, Sheet, sheet_of
from app.style import sizes
from app.workbench.playback.view_state import ViewState
from engine import from_expression
from engine.asking.question import LEVELS
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.numbers import short, signed
from engine.trace import Trace, run, run_again, run_forward
from tests.helpers.asked import ask, fill, give
from tests.helpers.canvas import CanvasFixture, example_drawing
from tests.helpers.graphs import chain, named
from tests.helpers.invariants import differences_from_new
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn


def shapes(scene: Scene) -> tuple[dict, dict]:
    """All lines and rectangles by how they look, in an order of their own."""
    area = scene.bounds().adjusted(-900, -900, 900, 900)
    lines = {look: sorted(map(repr, found)) for look, found in scene.far_wires(area).items()}
    rects = {tone: sorted(map(repr, found)) for tone, found in scene.far_nodes(area).items()}
    parts = (lines, rects)
    return tuple({key: found for key, found in part.items() if found} for part in parts)  # type: ignore[return-value]


def fresh_shapes(scene: Scene) -> tuple[dict, dict]:
    """What a stage tells that has never shown anything else."""
    fresh = new_stage()
    fresh.show(scene._shown)
    return shapes(fresh)


def new_stage() -> Scene:
    return Scene(lambda x: f"{x:.3g}", lambda x: f"{x:+.3g}")


def test_after_steps_and_ticks_of_a_slider_nothing_old_is_left(qapp):
    graph = example_drawing("shared-leaf").graph
    sheet = sheet_of(example_drawing("shared-leaf"))
    scene = new_stage()
    trace = run(graph)
    frame = frame_at(trace, 1)
    leaf = next(node for node, found in graph.nodes.items() if isinstance(found, Leaf))
    dice = random.Random(3)
    for _ in range(80):
        if dice.random() < 0.3:
            number = dice.choice([0.0, 2.0, 1e308, -3.5])
            graph = graph.with_values({leaf: number})
            trace = run_again(trace, graph)
            sheet = Sheet(graph, sheet.positions)
            frame = frame_at(trace, frame.cursor)
        else:
            frame = frame_at(trace, frame.cursor + dice.choice([-1, 1, 1]))
        scene.show(ViewState(sheet, frame))
        if not scene.is_layout_complete:  # nodes are moved apart once the slider rests
            scene.apply_layout()
        assert shapes(scene) == fresh_shapes(scene)


def test_after_a_wire_is_pulled_and_nodes_are_moved_or_removed_nothing_old_is_left(qapp):
    document = Document()
    document.start(example_drawing("shared-leaf"))
    scene = new_stage()
    scene.show(ViewState(document.sheet, live_frame(document.graph)))
    shapes(scene)
    op = next(n for n, found in document.graph.nodes.items() if isinstance(found, OpNode))
    document.wires.disconnect(op, 0)
    scene.show(ViewState(document.sheet, live_frame(document.graph)))
    assert shapes(scene) == fresh_shapes(scene)
    scene.show_dragged({op: (77.0, 11.0)})
    lifted = shapes(scene)
    scene.show_dragged({})
    assert lifted != shapes(scene) == fresh_shapes(scene)
    document.remove([op])
    scene.show(ViewState(document.sheet, live_frame(document.graph)))
    assert shapes(scene) == fresh_shapes(scene)


def test_a_root_beside_the_active_one_is_seen_from_afar_when_its_node_gets_a_gradient(qapp):
    nodes = {1: Leaf(2.0, "a"), 2: OpNode("exp", (1,)), 3: OpNode("exp", (2,))}
    graph = Graph({**nodes, 4: Root(3), 5: Root(2)}, 4, 6)
    places = {node: (300.0 * node, 0.0) for node in graph.nodes}
    scene = new_stage()
    trace = run(graph)
    sheet = sheet_of(Drawing(graph, places))
    for k in range(len(trace) + 1):
        scene.show(ViewState(sheet, frame_at(trace, k)))
        assert shapes(scene) == fresh_shapes(scene)


NAMES = [found.name for found in examples()]
PASSES = ("forward", "backward")


def trace_of(name: str, phase: str) -> Trace:
    graph = sheet_of(example_drawing(name)).graph
    return run_forward(graph) if phase == "forward" else run(graph)


def seen(scene: Scene) -> dict[str, object]:
    """Everything a stage shows, as plain values."""
    graph = scene.sheet.graph
    wires = [wire for _source, wire in graph.wires()]
    return {
        "nodes": {n: scene.node(n) for n in graph.nodes},
        "wires": {w: scene.wire(w) for w in wires},
        "labels": {w: scene.label(w) for w in wires},
        "boxes": {n: scene.boxes[n] for n in graph.nodes},
        "seats": {w: scene.wire_layout.label_layout[w] for w in wires},
        "label places": {w: rect_of(scene.labels.rect(w)) for w in wires},
        "courses": {w: (c.run_start, c.run_end, c.y, c.path) for w, c in scene.courses.items()},
    }


def rect_of(rect: QRectF | None) -> tuple[float, ...] | None:
    return (rect.x(), rect.y(), rect.width(), rect.height()) if rect else None


def walked(scene: Scene, trace: Trace, cursors: Iterable[int]) -> dict[int, dict[str, object]]:
    """What one and the same stage shows at these cursors, visited in their order."""
    sheet = scene.sheet
    found: dict[int, dict[str, object]] = {}
    for k in cursors:
        scene.show(ViewState(sheet, frame_at(trace, k)))
        found[k] = seen(scene)
    return found


def started(name: str) -> Scene:
    """A stage as the window has it before any pass: live."""
    sheet = sheet_of(example_drawing(name))
    scene = Scene(short, signed)
    scene.show(ViewState(sheet, live_frame(sheet.graph)))
    return scene


@in_turn(("name", "phase"), sampled(product(NAMES, PASSES), every=3))
def test_a_step_looks_the_same_from_wherever_it_is_reached(qapp, name, phase):
    trace = trace_of(name, phase)
    sheet = sheet_of(example_drawing(name))
    there = range(len(trace) + 1)
    up = walked(started(name), trace, there)
    down = walked(started(name), trace, reversed(there))
    scrubbed = list(there) * 2
    random.Random(7).shuffle(scrubbed)
    jumped = walked(started(name), trace, scrubbed)
    for k in there:
        fresh = seen(scene_of(sheet, frame_at(trace, k)))
        for way, found in (("up", up), ("down", down), ("scrubbed", jumped)):
            for part, looks in found[k].items():
                assert looks == fresh[part], f"step {k}, {way}: {part}"


@in_turn("name", NAMES)
def test_the_rectangle_of_a_picture_does_not_depend_on_the_step(qapp, name):
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    rects = {rect_of(picture_rect(scene_of(sheet, f))) for f in frames(trace)}
    assert len(rects) == 1


@pytest.mark.parametrize("framed", ["", "drawn", "group"])
def test_everything_lies_in_an_area_that_holds_the_rectangle_around_it_and_in_no_smaller(
    qapp, framed: str
):
    sheet = sheet_of(example_drawing("by-hand"))
    if framed == "drawn":
        sheet = replace(sheet, groups={1: Group("s", rect=(-900.0, -900.0, 96.0, 72.0))})
    elif framed == "group":
        sheet = replace(sheet, groups={1: Group("g", frozenset({1}), True, (-900.0, -900.0))})
    scene = scene_of(sheet, live_frame(sheet.graph))
    bounds = scene.bounds()
    assert scene.lies_in(bounds.adjusted(-1, -1, 1, 1))
    for sides in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, 0), (0, 0, 0, -1)):
        assert not scene.lies_in(bounds.adjusted(*sides)), sides


def test_where_measuring_is_slow_only_a_number_in_view_that_does_not_fit_is_measured_at_once(
    qapp, monkeypatch
):
    monkeypatch.setattr(layout, "MEASURING_BUDGET", 0.0)
    graph = chain(9)
    after = graph.with_values({1: -1234567.25})
    for groups in ({}, {1: Group("some", frozenset({2, 3}), collapsed=True)}):
        for in_view in (False, True):
            sheet = replace(sheet_of(Drawing(graph)), groups=groups)
            scene = scene_of(sheet, live_frame(graph))
            room = scene.boxes[1].w
            if in_view:
                scene.node(1)
            scene.show(ViewState(sheet.with_graph(after), live_frame(after)))
            assert (scene.boxes[1].w > room) == in_view
            assert not scene.is_layout_complete
            scene.apply_layout()
            assert scene.boxes[1].w > room
            assert not differences_from_new(scene)


def frames(trace: Trace) -> list[Frame]:
    return [frame_at(trace, k) for k in range(len(trace) + 1)]


RUNS = [(found.name, level) for found in examples() for level in LEVELS]
MOVES = ("right", "typed", "wrong", "hint", "show", "skip", "back", "on", "jump")


def told(canvas: CanvasFixture) -> tuple[object, ...]:
    return seen(canvas.scene), shapes(canvas.scene)


def anew(canvas: CanvasFixture) -> tuple[object, ...]:
    scene = Scene(canvas.style.short, canvas.style.signed)
    scene.show(canvas.scene._shown)
    return seen(scene), shapes(scene)


def move(canvas: CanvasFixture, name: str, dice: random.Random) -> None:
    modes, playback = canvas.view.context.modes, canvas.playback
    moves: dict[str, Callable[[], object]] = {
        "right": lambda: give(modes),
        "typed": lambda: fill(modes, "-17"),
        "wrong": lambda: give(modes, "123456"),
        "hint": modes.hint,
        "show": modes.show_answer,
        "skip": modes.skip,
        "back": playback.step_back,
        "on": modes.answer if dice.random() < 0.5 else playback.step,
        "jump": lambda: playback.go(dice.randrange(playback.frame.total + 1)),
    }
    moves[name]()


@pytest.mark.parametrize(("name", "level"), sampled(RUNS, every=13))
def test_each_answer_leaves_what_a_canvas_opened_now_would_show(canvas, name, level):
    canvas.open_example(name)
    modes, dice = canvas.view.context.modes, random.Random(f"{name} {level}")
    ask(modes, level)
    assert modes.now is not None or level == "sum"  # where no node gets two contributions
    for _ in range(40):
        now = dice.choice(MOVES)
        if modes.now is not None and (modes.question or now not in ("right", "typed", "wrong")):
            move(canvas, now, dice)
        assert told(canvas) == anew(canvas), now
    modes.leave()
    assert told(canvas) == anew(canvas)


@pytest.mark.parametrize("name", ["shared-leaf", "neuron"])
def test_covering_and_uncovering_leaves_what_a_canvas_opened_now_would_show(canvas, name):
    canvas.open_example(name)
    modes, dice = canvas.view.context.modes, random.Random(name)
    for _ in range(6):
        modes.toggle(cover=True)
        for _ in range(8):
            move(canvas, dice.choice(("show", "on", "back", "jump")), dice)
            assert told(canvas) == anew(canvas)


def test_groups_opened_for_a_question_lie_as_on_a_canvas_opened_now(canvas: CanvasFixture):
    document = canvas.document
    document.start(Drawing(from_expression("e = a*b; d = e + c; L = d*k")))
    a, b, *_ = canvas.graph.leaves
    document.groups.make([b, named(canvas.graph, "e")])
    document.remove((a,))
    document.undo()  # it is measured after the others
    modes = canvas.view.context.modes
    modes.toggle()
    while not canvas.scene.visible.opened:
        modes.skip()
    assert told(canvas) == anew(canvas)


def test_a_label_is_as_high_as_the_lines_it_has(canvas: CanvasFixture):
    canvas.open_example("shared-leaf")
    canvas.playback.to_end()
    labels, seen = canvas.scene.labels, set[float]()
    for _source, wire in canvas.graph.wires():
        look, rect = labels.look(wire), labels.rect(wire, full=True)
        short = labels.short_rect(wire)
        if look is not None and rect is not None and short is not None:
            assert rect.height() == (sizes.LABEL if look.local else sizes.LABEL_LINE), wire
            assert short.height() == sizes.LABEL_LINE, wire
            seen.add(rect.height())
    assert sizes.LABEL in seen
