"""Marks over nodes cover no other node, wherever a person has placed the nodes."""

import sys
from itertools import combinations
from types import FrameType

from PySide6.QtCore import QPoint, QRectF

from app.canvas.overlay.node_marks import CheckedBadge
from app.document.examples import examples
from engine.asking.nudge import RippleRequest
from engine.formats.files import load_drawing
from engine.graph import Root
from tests.helpers.canvas import CanvasFixture


class Verdict:
    """A check whose verdict is known."""

    verdict = "agrees"

    def __init__(self, canvas: CanvasFixture) -> None:
        self.changed = canvas.style.changed


def crowd(canvas: CanvasFixture) -> None:
    """Put each node but the Root right below its column's first one, as close as they can be."""
    boxes, tops = canvas.scene.boxes, dict[float, float]()
    places: dict[int, tuple[float, float]] = {}
    for node, box in sorted(boxes.items(), key=lambda item: item[1].y):
        if box.kind not in ("pill", "root"):
            y = tops.get(box.x, box.y)
            places[node], tops[box.x] = (box.x, y), y + box.h + 2.0
    canvas.document.move(places)


def test_no_pill_of_a_ripple_covers_another_node_or_the_label_of_a_wire(canvas: CanvasFixture):
    marks = canvas.view.ripple_marks
    for example in examples():
        canvas.document.start(load_drawing(example.path))
        canvas.look()
        for close in (False, True):
            if close:
                crowd(canvas)
            for leaf in canvas.graph.leaves:
                canvas.playback.set_ripple(RippleRequest(leaf, 0.5))
                ripple = canvas.playback.now.ripple
                if ripple is None:
                    continue
                name = (example.name, close, canvas.graph.title(leaf))
                pills = {n: rect for n, (rect, _pieces) in marks.places.pills.items()}
                for node, pill in pills.items():
                    covered = {n for n, b in canvas.scene.boxes.items() if b.rect.intersects(pill)}
                    assert covered <= {node}, (name, canvas.graph.title(node))
                rects = [*pills.values(), *(label.rect for label in marks.places.labels.values())]
                assert not [*overlaps(rects)], name
            canvas.playback.set_ripple(None)


def test_a_pill_is_painted_where_it_lies(canvas: CanvasFixture):
    canvas.open_example("shared-leaf")
    a = canvas.graph.node_named("a")
    assert a is not None
    before = canvas.view.grab().toImage()
    canvas.playback.set_ripple(RippleRequest(a, 0.5))
    marks, after = canvas.view.ripple_marks, canvas.view.grab().toImage()
    nodes = marks.nodes_with_visible_pill
    assert nodes
    for node in nodes:
        pill, _pieces = marks.places.pills[node]
        place = canvas.view.camera.to_screen(pill.center()).toPoint()
        around = [QPoint(place.x() + k, place.y()) for k in range(-12, 13)]
        assert any(before.pixel(at) != after.pixel(at) for at in around), node


def test_a_paint_of_a_ripple_computes_nothing_of_it(canvas: CanvasFixture):
    canvas.open_example("shared-leaf")
    canvas.playback.set_ripple(RippleRequest(canvas.node("a"), 0.5))
    canvas.view.grab()
    asked: list[str] = []

    def note(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and frame.f_globals["__name__"].startswith("engine.asking"):
            asked.append(frame.f_code.co_qualname)

    sys.setprofile(note)
    try:
        canvas.view.grab()
    finally:
        sys.setprofile(None)
    assert asked == []


def overlaps(rects: list[QRectF]) -> list[tuple[QRectF, QRectF]]:
    return [(one, other) for one, other in combinations(rects, 2) if one.intersects(other)]


def test_the_badge_of_a_check_covers_no_node_beside_the_root(canvas: CanvasFixture):
    canvas.open_example("shared-leaf")
    badge = CheckedBadge(canvas.view.context, Verdict(canvas))  # type: ignore[arg-type]
    root = next(n for n, found in canvas.graph.nodes.items() if isinstance(found, Root))
    node, at = canvas.node("f"), canvas.scene.boxes[root]
    for right, down in ((0, 20), (0, -4), (-30, 40), (12, 0)):
        canvas.document.move({node: (at.x + right, at.y + (at.h if down > 0 else -at.h) + down)})
        for other, box in canvas.scene.boxes.items():
            assert not box.rect.intersects(badge.area), (right, down, other)
