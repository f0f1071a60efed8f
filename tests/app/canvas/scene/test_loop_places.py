"""While epochs are done nothing on the sheet moves, and each number has room where it is."""

import math
import re
from functools import partial

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.canvas.paint import node_painting
from app.canvas.paint.node_painting import paint_node
from app.document.examples import examples
from app.style.strokes import draw_text, metrics
from app.workbench.modes.loop import STEPS
from app.workbench.runners.loop_runner import LoopRunner
from engine import from_expression
from engine.errors import EngineError
from engine.graph import Constant, Leaf
from engine.numbers import ABOUT, DECIMALS_OF_LOSSES, decimals, parse_number
from engine.trace import evaluate_values
from tests.helpers.canvas import CanvasFixture, node_boxes
from tests.helpers.sampling import spread

EPOCHS = 30
RATES = (0.1, 50.0, 1e12, 1e150)
NAMES = [example.name for example in examples()]


@pytest.fixture
def runner(canvas: CanvasFixture) -> LoopRunner:
    return LoopRunner(canvas.document, canvas.playback, canvas.view)


def places(canvas: CanvasFixture) -> tuple[object, ...]:
    """Where all nodes, groups and wires are, and on the sheet."""
    scene = canvas.scene
    return (
        dict(scene.boxes),
        {wire: course.path for wire, course in scene.courses.items()},
        dict(canvas.document.positions),
    )


def epoch(runner: LoopRunner) -> None:
    """One epoch in its four steps, whatever numbers it spreads; a loop would have stopped."""
    for step in STEPS:
        runner.do(step)


class Text:
    """A text that was painted, with its rectangle in its node."""

    def __init__(self, text: str, role: str, at: tuple[float, float], align: str = "left") -> None:
        self.text, self.role = text, role
        wide = metrics(role).horizontalAdvance(text)
        left = {"left": at[0], "right": at[0] - wide, "middle": at[0] - wide / 2}[align]
        self.rect = QRectF(left, at[1] - 5, wide, 10)


def noted(seen: list[Text], painter: QPainter, *given) -> float:
    """Put a text, and note it."""
    text, role, _color, at, *align = given
    if text:
        seen.append(Text(text, role, at, *align))
    return draw_text(painter, *given)


@pytest.fixture
def painted(canvas: CanvasFixture, monkeypatch):
    """Paints a node, and returns its texts."""
    seen: list[Text] = []
    monkeypatch.setattr(node_painting, "draw_text", partial(noted, seen))

    def paint(node: int) -> list[Text]:
        seen.clear()
        box, look = canvas.scene.boxes[node], canvas.scene.node(node)
        image = QImage(400, 300, QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        paint_node(painter, look, box.w, box.h, box.left, canvas.style.theme)
        painter.end()
        return list(seen)

    return paint


def check_room(canvas: CanvasFixture, painted) -> None:
    """Each text is within its node, and none covers another."""
    for node, box in node_boxes(canvas.scene).items():
        texts = painted(node)
        for k, text in enumerate(texts):
            assert text.rect.left() >= 0, (node, text.text)
            assert text.rect.right() <= box.w, (node, text.text)
            for other in texts[:k]:
                both = text.rect.intersected(other.rect)
                assert both.width() < 0.1, (node, text.text, other.text)


def unit(text: str) -> float:
    """What one more in the last digit of a text is worth."""
    match = re.fullmatch(r"(\d+)(?:\.(\d*))?(?:e([−\d]+))?", text)
    assert match is not None, text
    exponent = int((match[3] or "0").replace("−", "-"))
    return 10.0 ** (exponent - len(match[2] or ""))


def check_true(text: str, x: float) -> None:
    """A text says no other number than x: to half a unit of its last digit."""
    if not math.isfinite(x):
        assert text == ("nan" if math.isnan(x) else "inf" if x > 0 else "−inf")
        return
    plain = text.removeprefix(ABOUT)
    found = parse_number(plain)
    assert found is not None, text
    assert found * x >= 0
    half = unit(plain.removeprefix("−")) / 2 if text != plain or found != x else 0.0
    if "e" not in plain and "." in plain:
        half = max(half, 0.5 * 10**-DECIMALS_OF_LOSSES)
    largest = abs(x) > 1e308  # rounded up it would be infinite
    assert abs(found - x) <= (half * (1 + 1e-9) + 1e-12 * abs(x)) * (2 if largest else 1), (text, x)


def check_numbers(canvas: CanvasFixture, runner: LoopRunner) -> None:
    """The canvas shows the numbers that the loop has."""
    loop = runner.now
    assert loop is not None
    frame = canvas.playback.frame
    for node in canvas.scene.visible.shown:
        look = canvas.scene.node(node)
        shown = canvas.graph.nodes[node].inputs[0] if look.kind == "root" else node
        assert shown is not None
        if shown in frame.values and look.value.text != "–":
            check_true(look.value.text, frame.values[shown])
        if look.grad is not None and shown in frame.grads and look.grad.text != "–":
            check_true(look.grad.text, frame.grads[shown])
        if look.update is not None:
            move = loop.moves[node]
            check_true(look.update.before, move.before)
            check_true(look.update.grad, move.grad)
            check_true(look.update.after, move.after)


@pytest.mark.parametrize(("name", "rate"), spread(NAMES, RATES))
def test_thirty_epochs_move_nothing(
    canvas: CanvasFixture, runner: LoopRunner, painted, name: str, rate: float
):
    canvas.open_example(name)
    runner.set_rate(rate)
    runner.toggle()
    assert runner.now is not None
    before = places(canvas)
    for k in range(EPOCHS):
        try:
            epoch(runner)
        except EngineError:
            break
        canvas.view.scene.apply_layout()
        assert places(canvas) == before, k
        if k % 5 == 0 or k > EPOCHS - 3:
            check_numbers(canvas, runner)
            check_room(canvas, painted)
    runner.go(0)
    assert places(canvas) == before


def test_the_numbers_of_that_test_explode(canvas: CanvasFixture, runner: LoopRunner):
    canvas.open_example("two-weights-loss")
    runner.set_rate(1e12)
    runner.toggle()
    sizes = set[str]()
    for _k in range(EPOCHS):
        epoch(runner)
        values = evaluate_values(canvas.graph)
        sizes |= {
            "nan" if math.isnan(x) else "large" for x in values.values() if not abs(x) < 1e300
        }
    assert sizes == {"nan", "large"}


def test_a_pass_in_between_brings_back_the_same_places(canvas: CanvasFixture, runner: LoopRunner):
    canvas.open_example("two-weights-loss")
    runner.set_rate(3.0)
    runner.toggle()
    before = places(canvas)
    for _k in range(8):
        epoch(runner)
    canvas.playback.backward()
    assert not runner.shown
    runner.resume()
    assert places(canvas) == before


def test_a_collapsed_group_and_a_large_graph_stay_as_well(
    canvas: CanvasFixture, runner: LoopRunner
):
    text = " + ".join(f"(a{k}*b{k})**2" for k in range(140))
    canvas.show(from_expression(text))
    assert len(canvas.graph.nodes) > 400
    group = canvas.document.groups.make(range(1, 12), "many")
    assert group
    runner.set_rate(1e30)
    runner.toggle()
    before = places(canvas)
    for _k in range(4):
        epoch(runner)
        assert places(canvas) == before
    check_numbers(canvas, runner)


def test_after_the_loop_all_nodes_are_at_their_places_on_the_sheet(
    canvas: CanvasFixture, runner: LoopRunner
):
    canvas.open_example("two-weights-loss")
    runner.set_rate(0.5)
    runner.toggle()
    epoch(runner)
    runner.leave()
    for node, box in node_boxes(canvas.scene).items():
        if box.kind != "pill":
            assert (box.x, box.y) == canvas.document.positions[node]


def test_an_edit_of_a_leaf_moves_nothing_while_a_loop_is_shown(
    canvas: CanvasFixture, runner: LoopRunner
):
    canvas.open_example("two-weights-loss")
    runner.toggle()
    before = places(canvas)
    leaf = next(n for n, x in canvas.graph.nodes.items() if isinstance(x, Leaf))
    canvas.document.set_value(leaf, -123456.789)
    assert places(canvas) == before
    assert canvas.scene.node(leaf).value.text != "−123456.789"


def test_a_number_that_has_room_is_written_whole(canvas: CanvasFixture, runner: LoopRunner):
    canvas.open_example("two-weights-loss")
    runner.set_rate(0.5)
    runner.toggle()
    for _k in range(10):
        epoch(runner)
        frame = canvas.playback.frame
        for node, box in node_boxes(canvas.scene).items():
            if box.kind != "root":
                assert canvas.scene.node(node).value.text == decimals(frame.values[node])


def test_a_number_too_wide_has_an_exponent(canvas: CanvasFixture, runner: LoopRunner):
    canvas.open_example("two-weights-loss")
    runner.toggle()
    leaf = next(n for n, x in canvas.graph.nodes.items() if isinstance(x, Leaf))
    canvas.document.set_value(leaf, -3712543.21)
    assert re.fullmatch(r"−3\.7\d*e6", canvas.scene.node(leaf).value.text)


def test_a_constant_is_written_as_ever_for_it_never_changes(
    canvas: CanvasFixture, runner: LoopRunner
):
    canvas.open_example("two-weights-loss")
    before = {n: canvas.scene.node(n).value.text for n in constants(canvas)}
    runner.toggle()
    assert {n: canvas.scene.node(n).value.text for n in constants(canvas)} == before
    assert "0.5" in before.values()


def constants(canvas: CanvasFixture) -> list[int]:
    return [n for n, found in canvas.graph.nodes.items() if isinstance(found, Constant)]
