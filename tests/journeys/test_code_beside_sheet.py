"""Code beside the sheet: a line and its node light each other, a line has a stop, pages widen."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.panels.code import CodePage, CodeView, SourceView
from app.style import sizes
from app.window.frame.main_window import MainWindow
from engine import from_expression
from tests.helpers.mouse import at_header, at_nothing, click, double_click, drag, hover, node_named
from tests.helpers.seeing import picture, ringed, shows
from tests.helpers.window import open_example, opened_page, press

UP, DOWN, RIGHT, F9 = Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_F9
ON_NUMBER, ON_CODE = 14, 60
"""Where a line is clicked, in px from the left."""


@pytest.fixture
def page(shared_leaf: MainWindow) -> CodePage:
    """The page Code, in a backward pass at its step 5."""
    shared_leaf.playback.backward(cursor=5)
    found = opened_page(shared_leaf, "code")
    assert isinstance(found, CodePage)
    return found


def codes(view: CodeView | SourceView) -> list[str]:
    text = view.text() if isinstance(view, CodeView) else view.toPlainText()
    return [line.partition("  #")[0].strip() for line in text.splitlines()]


def place(view: CodeView | SourceView, code: str, x: float = ON_CODE) -> QPointF:
    """Where a line is, that far from its left; it is in sight."""
    k, bar = codes(view).index(code), view.verticalScrollBar()
    padding, height = (8, 22) if isinstance(view, CodeView) else (0, 21)
    at = QPointF(x, padding + (k + 0.5) * height - bar.value())
    assert view.viewport().rect().contains(at.toPoint()), code
    return at


def lit(window: MainWindow, view: CodeView | SourceView) -> list[str]:
    """The lines on the ground of what is lit; that of the step has its own."""
    tint, seen = window.context.style.theme.selection_tint, view.viewport().grab().toImage()
    x = view.viewport().width() - 12
    shown = {c: seen.pixelColor(place(view, c, x).toPoint()) for c in codes(view) if c}
    return [code for code, ground in shown.items() if ground == tint]


def stops_shown(window: MainWindow, view: CodeView | SourceView) -> list[str]:
    """The lines whose number is on a red disc."""
    seen, red = view.viewport().grab().toImage(), window.context.style.theme.error
    return [c for c in codes(view) if c and shows(seen, red, place(view, c, ON_NUMBER), 6)]


def stop_on_sheet(window: MainWindow, name: str) -> bool:
    """Whether a node has the mark of a stop at its corner."""
    view = window.canvas
    corner = view.scene.boxes[node_named(view, name)].rect.topLeft() + QPointF(2, 2)
    at = view.camera.to_screen(corner)
    return shows(picture(view), window.context.style.theme.error, at, 2)


def test_the_line_of_the_cursor_lights_its_node_while_the_keyboard_is_in_the_code(
    page: CodePage, shared_leaf: MainWindow
):
    steps, canvas = page.steps, shared_leaf.canvas
    click(steps, place(steps, "e = a * b"))
    assert ringed(canvas) == {"e"}
    assert lit(shared_leaf, steps) == ["e = a * b", "e.grad += d.grad * 1"]
    assert shared_leaf.playback.cursor == 5  # a line of the forward pass is no step of this one
    press(shared_leaf, DOWN)
    assert ringed(canvas) == {"d"}
    press(shared_leaf, UP)
    assert ringed(canvas) == {"e"}
    press(shared_leaf, RIGHT)  # steps on; the cursor is at the step again
    assert ringed(canvas) == {"a"}
    assert steps.accessibleDescription() == "Line 9: a.grad += e.grad * b.data"
    assert not shared_leaf.selection.nodes
    click(canvas, at_nothing(canvas))
    assert not ringed(canvas)


def test_in_the_source_the_cursor_lights_nodes_too(page: CodePage, shared_leaf: MainWindow):
    shared_leaf.commands["source"].trigger()
    source, canvas = page.source, shared_leaf.canvas
    click(source, place(source, "v3 = v1 * v2"))
    assert ringed(canvas) == {"e"}
    press(shared_leaf, DOWN)
    assert ringed(canvas) == {"d"}
    assert source.accessibleDescription() == "Line 4: v4 = v3 + v1  # d"
    press(shared_leaf, DOWN, DOWN, DOWN)
    assert ringed(canvas) == {"a"}
    assert lit(shared_leaf, source) == ["g1 = 0.0 + v5", "g1 += v5 * v2"]
    press(shared_leaf, Qt.Key.Key_PageDown)  # steps on, as everywhere
    assert shared_leaf.playback.cursor == 6
    assert ringed(canvas) == {"a"}
    press(shared_leaf, DOWN, DOWN, DOWN)  # no line below computes a node
    assert ringed(canvas) == {"b"}
    click(source, place(source, "return v6, (g1, g2, g5)"))
    assert not ringed(canvas)


@pytest.mark.parametrize("face", ["steps", "source"])
def test_a_node_that_is_chosen_or_pointed_at_lights_its_lines(
    page: CodePage, shared_leaf: MainWindow, face: str
):
    page.show_view(face)
    view, canvas = (page.source if face == "source" else page.steps), shared_leaf.canvas
    lines = {
        "steps": {"b": ["b.grad += e.grad * a.data"], "f": ["f.grad += L.grad * d.data"]},
        "source": {"b": ["g2 = 0.0 + v5 * v1"], "f": ["g5 = 0.0 + v4"]},
    }[face]
    assert not lit(shared_leaf, view)
    hover(canvas, at_header(canvas, node_named(canvas, "b")))
    assert lit(shared_leaf, view) == lines["b"]
    hover(canvas, at_nothing(canvas))
    assert not lit(shared_leaf, view)
    click(canvas, at_header(canvas, node_named(canvas, "f")))
    hover(canvas, at_nothing(canvas))
    assert lit(shared_leaf, view) == lines["f"]


def test_a_line_is_scrolled_into_sight_only_if_no_line_of_its_node_is(shared_leaf: MainWindow):
    lines = ("x1 = a * 2", *(f"x{k} = x{k - 1} + a" for k in range(2, 60)))
    shared_leaf.document.replace_graph(from_expression("; ".join(lines)))
    page = opened_page(shared_leaf, "code")
    assert isinstance(page, CodePage)
    bar, selection = page.steps.verticalScrollBar(), shared_leaf.selection
    selection.focus_on(node_named(shared_leaf.canvas, "x5"))
    assert bar.value() == 0
    selection.focus_on(node_named(shared_leaf.canvas, "x50"))
    assert place(page.steps, "x50 = x49 + a")
    scrolled = bar.value()
    assert scrolled > 0
    selection.focus_on(node_named(shared_leaf.canvas, "x45"))
    assert bar.value() == scrolled


def test_f9_and_a_click_on_a_number_set_the_stop_of_the_sheet_and_clear_it(
    page: CodePage, shared_leaf: MainWindow
):
    steps = page.steps
    click(steps, place(steps, "d = e + a"))
    press(shared_leaf, F9)
    of_d = ["d = e + a", "d.grad += L.grad * f.data"]
    assert stops_shown(shared_leaf, steps) == of_d
    assert stop_on_sheet(shared_leaf, "d")
    assert steps.accessibleDescription() == "Line 2: d = e + a, passes stop here"
    assert shared_leaf.commands["toggle_break"].isChecked()
    click(steps, place(steps, "f.grad += L.grad * d.data", ON_NUMBER))
    assert stop_on_sheet(shared_leaf, "f")
    assert shared_leaf.playback.cursor == 5  # a click on a number is no way to a step
    press(shared_leaf, F9)
    assert stops_shown(shared_leaf, steps) == ["f.grad += L.grad * d.data"]
    assert not stop_on_sheet(shared_leaf, "d")
    click(steps, place(steps, "f.grad += L.grad * d.data", ON_NUMBER))
    assert not stops_shown(shared_leaf, steps)
    assert not stop_on_sheet(shared_leaf, "f")


def test_a_stop_of_the_sheet_stands_in_both_faces(page: CodePage, shared_leaf: MainWindow):
    canvas = shared_leaf.canvas
    click(canvas, at_header(canvas, node_named(canvas, "b")))
    press(shared_leaf, F9)
    assert stops_shown(shared_leaf, page.steps) == ["b.grad += e.grad * a.data"]
    page.show_view("source")
    assert stops_shown(shared_leaf, page.source) == ["g2 = 0.0 + v5 * v1"]
    click(page.source, place(page.source, "g2 = 0.0 + v5 * v1", ON_NUMBER))
    assert not stops_shown(shared_leaf, page.source)
    assert not stop_on_sheet(shared_leaf, "b")
    open_example(shared_leaf)  # and a stop goes with its sheet
    click(page.source, place(page.source, "v6 = v4 * v5", ON_NUMBER))
    assert stop_on_sheet(shared_leaf, "L")
    open_example(shared_leaf)
    assert not stops_shown(shared_leaf, page.source)


def edge(window: MainWindow) -> QWidget:
    return window.bar.frame.edge


def test_a_page_is_made_wider_by_its_edge_and_stays_so(shared_leaf: MainWindow):
    window = shared_leaf
    window.resize(1366, 768)
    opened_page(window, "code")
    frame, at = window.bar.frame, QPoint(2, 300)
    usual, sheet = frame.width(), window.canvas.width()
    assert usual == sizes.PAGE_SMALL
    violet = window.context.style.theme.selection
    for widget, lights in ((frame, False), (edge(window), True)):
        QTest.mouseMove(widget, QPoint(60, 300) if widget is frame else at)
        assert (edge(window).grab().toImage().pixelColor(1, 300) == violet) is lights
    drag(edge(window), at, at - QPoint(60, 0), steps=1)
    assert (frame.width(), window.canvas.width()) == (usual + 60, sheet - 60)
    opened_page(window, "why")
    assert frame.width() == usual + 60
    drag(edge(window), at, at - QPoint(900, 0), steps=1)
    assert window.canvas.width() == round(0.6 * 1366)  # the sheet keeps what it needs
    assert frame.geometry().right() < window.bar.geometry().left()
    assert window.context.settings.page_width > usual + 60
    double_click(edge(window), at)
    assert (frame.width(), window.canvas.width()) == (usual, sheet)
    drag(edge(window), at, at + QPoint(80, 0), steps=1)
    assert frame.width() == usual


def test_the_width_of_pages_is_kept_between_starts(shared_leaf: MainWindow, qtbot):
    window = shared_leaf
    opened_page(window, "code")
    drag(edge(window), QPoint(2, 300), QPoint(-70, 300), steps=1)
    wide = window.bar.frame.width()
    assert wide > sizes.PAGE_SMALL
    again = MainWindow()
    qtbot.addWidget(again)
    again.resize(window.size())
    again.bar.open("why")
    assert again.bar.frame.width() == wide
