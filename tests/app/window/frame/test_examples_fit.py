"""Examples and typed formulas can be read, in one row where that is so, and stay where they are."""

import pytest

from app.canvas.appearance.detail import MIN_TEXT_SIZES, Detail, scale_for_text_size
from app.canvas.layout.node_spacing import bands_of
from app.document.examples import examples
from app.style.strokes import canvas_font
from app.window.commands.file_actions import open_now
from app.window.frame.main_window import MainWindow
from engine.formats.expression import read
from engine.formats.native import Drawing
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

LAPTOP = (1366, 768)
SIZES = (LAPTOP, (1440, 900))
IN_ONE_ROW = ("1/(1+exp(-x))", "tanh(x*w+b)", "(w*x+b-y)**2", "((a+b)*c+d)*e", "relu(a*b+c)*d - y")
IN_ROWS = ("tanh(tanh(a*b+c)*d+e)", "tanh(tanh(tanh(tanh(x*w)*w)*w)*w)")


@pytest.mark.parametrize("size", sampled(SIZES, every=2))
@in_turn("example", examples())
def test_an_example_opens_readable_and_whole_on_a_laptop_and_no_step_moves_it(
    window, example, size
):
    window.resize(*size)
    open_now(window.context, example.path)
    canvas, playback = window.canvas, window.playback
    assert is_readable(window)
    assert rows(window) == 1
    assert canvas.context.detail == Detail.WHOLE
    seen = canvas.camera.visible_area
    assert seen.contains(canvas.scene.bounds())
    boxes = dict(canvas.scene.boxes)
    for begin in (playback.forward, playback.backward):
        begin()
        while playback.frame.upcoming is not None:
            playback.step()
            assert canvas.scene.boxes == boxes
            assert canvas.camera.visible_area == seen


@in_turn("formula", IN_ONE_ROW)
def test_a_formula_that_can_be_read_in_one_row_is_in_one(window, qtbot, formula):
    lay_out(window, qtbot, formula, LAPTOP)
    assert rows(window) == 1
    assert is_readable(window)


@in_turn("formula", IN_ROWS)
def test_a_longer_formula_is_in_rows_and_larger_than_in_one(window, qtbot, formula):
    lay_out(window, qtbot, formula, (4000, 768))
    assert rows(window) == 1
    window.resize(*LAPTOP)
    window.canvas.framing.fit_all()
    assert not is_readable(window)
    in_one = window.canvas.camera.scale
    lay_out(window, qtbot, formula, LAPTOP)
    assert rows(window) > 1
    assert window.canvas.camera.scale > in_one


def test_a_presentation_has_rows_where_numbers_in_one_would_be_too_small(window, qtbot):
    lay_out(window, qtbot, "exp(-x**2)", (1280, 720))
    assert rows(window) == 1
    window.context.shell.toggle_presentation()
    qtbot.waitUntil(lambda: window.size() == window.screen().size())
    window.setWindowState(window.windowState().WindowNoState)
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: rows(window) == 2)
    number = canvas_font("number").pixelSize() * window.canvas.camera.scale
    assert number >= 0.033 * window.height()


def lay_out(window: MainWindow, qtbot, formula: str, size: tuple[int, int]) -> None:
    """Show a formula in a window of this size, laid out there."""
    window.resize(*size)
    window.show_work()
    window.document.start(Drawing(read(formula)))
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=60_000)
    window.canvas.framing.fit_all()


def rows(window: MainWindow) -> int:
    """Return in how many rows the nodes are drawn."""
    boxes = {n: box for n, box in window.canvas.scene.boxes.items() if box.kind != "pill"}
    places = {node: (box.x, box.y) for node, box in boxes.items()}
    return len(bands_of(boxes, places, window.document.graph))


def is_readable(window: MainWindow) -> bool:
    """Return whether the smallest text has at least 9 px on the screen."""
    return window.canvas.camera.scale >= scale_for_text_size(MIN_TEXT_SIZES[Detail.RESULTS])
