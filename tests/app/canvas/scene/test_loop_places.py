"""While epochs are done nothing on the sheet moves, and each number has room where it is."""

import math
import re
from functools import partial

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.canvas.paint import nodes
from app.canvas.paint.nodes import paint_node
from app.document.examples import examples
from app.style.strokes import draw_text, metrics
from app.workbench.modes.loop import STEPS
from app.workbench.runners.loop_runner import LoopRunner
from engine import from_expression
from engine.errors import EngineError
from engine.graph import Constant, Leaf
from engine.numbers import ABOUT, DECIMALS_OF_LOSSES, decimals, parse_number
from engine.trace import evaluate_values
from tests.helpers.easel import Easel

EPOCHS = 30
RATES = (0.1, 50.0, 1e12, 1e150)
NAMES = [example.name for example in examples()]


@pytest.fixture
def runner(easel: Easel) -> LoopRunner:
    return LoopRunner(easel.document, easel.playback, easel.view)


def places(easel: Easel) -> tuple[object, ...]:
    """Where all nodes, groups and wires are, and on the sheet."""
    scene = easel.scene
    return (
        dict(scene.boxes),
        dict(scene.group_boxes),
        {wire: course.path for wire, course in scene.courses.items()},
        dict(easel.document.positions),
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
def painted(easel: Easel, monkeypatch):
    """Paints a node, and returns its texts."""
    seen: list[Text] = []
    monkeypatch.setattr(nodes, "draw_text", partial(noted, seen))

    def paint(node: int) -> list[Text]:
        seen.clear()
        box, look = easel.scene.boxes[node], easel.scene.node(node)
        image = QImage(400, 300, QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        paint_node(painter, look, box.w, box.h, box.left, easel.style.theme)
        painter.end()
        return list(seen)

    return paint


def check_room(easel: Easel, painted) -> None:
    """Each text is within its node, and none covers another."""
    for node, box in easel.scene.boxes.items():
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


def check_numbers(easel: Easel, runner: LoopRunner) -> None:
    """The canvas shows the numbers that the loop has."""
    loop = runner.now
    assert loop is not None
    frame = easel.playback.frame
    for node in easel.scene.boxes:
        look = easel.scene.node(node)
        shown = easel.graph.nodes[node].inputs[0] if look.kind == "root" else node
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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rate", RATES)
def test_thirty_epochs_move_nothing(
    easel: Easel, runner: LoopRunner, painted, name: str, rate: float
):
    easel.open_example(name)
    runner.set_rate(rate)
    runner.toggle()
    assert runner.now is not None
    before = places(easel)
    for k in range(EPOCHS):
        try:
            epoch(runner)
        except EngineError:
            break
        easel.view.scene.apply_layout()
        assert places(easel) == before, k
        if k % 5 == 0 or k > EPOCHS - 3:
            check_numbers(easel, runner)
            check_room(easel, painted)
    runner.go(0)
    assert places(easel) == before


def test_the_numbers_of_that_test_explode(easel: Easel, runner: LoopRunner):
    easel.open_example("two-weights-loss")
    runner.set_rate(1e12)
    runner.toggle()
    sizes = set[str]()
    for _k in range(EPOCHS):
        epoch(runner)
        values = evaluate_values(easel.graph)
        sizes |= {
            "nan" if math.isnan(x) else "large" for x in values.values() if not abs(x) < 1e300
        }
    assert sizes == {"nan", "large"}


def test_a_pass_in_between_brings_back_the_same_places(easel: Easel, runner: LoopRunner):
    easel.open_example("two-weights-loss")
    runner.set_rate(3.0)
    runner.toggle()
    before = places(easel)
    for _k in range(8):
        epoch(runner)
    easel.playback.backward()
    assert not runner.shown
    runner.resume()
    assert places(easel) == before


def test_a_collapsed_group_and_a_large_graph_stay_as_well(easel: Easel, runner: LoopRunner):
    text = " + ".join(f"(a{k}*b{k})**2" for k in range(140))
    easel.show(from_expression(text))
    assert len(easel.graph.nodes) > 400
    group = easel.document.groups.make(range(1, 12), "many")
    assert group
    runner.set_rate(1e30)
    runner.toggle()
    before = places(easel)
    for _k in range(4):
        epoch(runner)
        assert places(easel) == before
    check_numbers(easel, runner)


def test_after_the_loop_all_nodes_are_at_their_places_on_the_sheet(
    easel: Easel, runner: LoopRunner
):
    easel.open_example("two-weights-loss")
    runner.set_rate(0.5)
    runner.toggle()
    epoch(runner)
    runner.leave()
    for node, box in easel.scene.boxes.items():
        if box.kind != "pill":
            assert (box.x, box.y) == easel.document.positions[node]


def test_an_edit_of_a_leaf_moves_nothing_while_a_loop_is_shown(easel: Easel, runner: LoopRunner):
    easel.open_example("two-weights-loss")
    runner.toggle()
    before = places(easel)
    leaf = next(n for n, x in easel.graph.nodes.items() if isinstance(x, Leaf))
    easel.document.set_value(leaf, -123456.789)
    assert places(easel) == before
    assert easel.scene.node(leaf).value.text != "−123456.789"


def test_a_number_that_has_room_is_written_whole(easel: Easel, runner: LoopRunner):
    easel.open_example("two-weights-loss")
    runner.set_rate(0.5)
    runner.toggle()
    for _k in range(10):
        epoch(runner)
        frame = easel.playback.frame
        for node, box in easel.scene.boxes.items():
            if box.kind != "root":
                assert easel.scene.node(node).value.text == decimals(frame.values[node])


def test_a_number_too_wide_has_an_exponent(easel: Easel, runner: LoopRunner):
    easel.open_example("two-weights-loss")
    runner.toggle()
    leaf = next(n for n, x in easel.graph.nodes.items() if isinstance(x, Leaf))
    easel.document.set_value(leaf, -3712543.21)
    assert re.fullmatch(r"−3\.7\d*e6", easel.scene.node(leaf).value.text)


def test_a_constant_is_written_as_ever_for_it_never_changes(easel: Easel, runner: LoopRunner):
    easel.open_example("two-weights-loss")
    before = {n: easel.scene.node(n).value.text for n in constants(easel)}
    runner.toggle()
    assert {n: easel.scene.node(n).value.text for n in constants(easel)} == before
    assert "0.5" in before.values()


def constants(easel: Easel) -> list[int]:
    return [n for n, found in easel.graph.nodes.items() if isinstance(found, Constant)]
