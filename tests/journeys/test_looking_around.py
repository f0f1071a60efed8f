"""Looking around: zoom at the pointer, pan, fit, the border, the map, and the view from afar."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from app.document.document_file import whole_text
from app.window.commands.palette_extras import palette_extras
from app.window.frame.main_window import MainWindow
from engine.numbers import signed
from tests.helpers.answering import told
from tests.helpers.mouse import (
    CTRL,
    SHIFT,
    at_header,
    at_nothing,
    click,
    glide,
    hover,
    move,
    node_named,
    pinch,
    put_pointer,
    release,
    two_fingers,
    wheel,
)
from tests.helpers.mouse import press as press_at
from tests.helpers.reading import in_view, written
from tests.helpers.seeing import alike, picture, place_of, tip_at
from tests.helpers.window import press, said

ESCAPE, HOME, SPACE = Qt.Key.Key_Escape, Qt.Key.Key_Home, Qt.Key.Key_Space
HERE = QPointF(220, 160)


@pytest.fixture(autouse=True)
def nothing_is_edited(shared_leaf: MainWindow):
    """Looking changes nothing: neither the sheet nor its history."""
    before = whole_text(shared_leaf.document.sheet)
    yield
    assert whole_text(shared_leaf.document.sheet) == before
    assert not shared_leaf.document.steps


def away(window: MainWindow) -> None:
    """Look where nothing is."""
    window.canvas.camera.pan_by(QPointF(5000, 4000))
    assert not any(in_view(window.canvas, node) for node in window.document.graph.nodes)


def everything_is_seen(window: MainWindow) -> bool:
    return all(in_view(window.canvas, node) for node in window.document.graph.nodes)


def test_the_wheel_and_a_pinch_zoom_at_the_pointer_and_the_status_line_says_how_far(
    shared_leaf: MainWindow,
):
    window, view = shared_leaf, shared_leaf.canvas
    for zoom in (
        lambda: wheel(view, HERE, 3),
        lambda: wheel(view, HERE, -1),
        lambda: pinch(view, HERE, 0.3),
        lambda: pinch(view, HERE, -0.2),
        lambda: two_fingers(view, HERE, QPoint(0, 12), CTRL),
    ):
        before, below = view.camera.zoom, view.camera.to_sheet(HERE)
        zoom()
        assert view.camera.zoom != before
        assert (view.camera.to_screen(below) - HERE).manhattanLength() <= 2
        assert window.status_line.zoom.text() == f"{view.camera.zoom * 100:.0f} %"


def test_f_fits_the_selection_and_everything_when_nothing_is_selected(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    click(view, at_header(view, node_named(view, "e")))
    away(window)
    press(window, "f")
    assert in_view(view, node_named(view, "e"))
    middle = (
        view.camera.visible_area.center() - view.scene.boxes[node_named(view, "e")].rect.center()
    )
    assert middle.manhattanLength() < 40
    press(window, ESCAPE)
    press(window, "f")
    assert everything_is_seen(window)


def test_home_and_shift_1_fit_all_and_in_a_pass_home_goes_to_its_start(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    for fit in (lambda: press(window, HOME), lambda: press(window, Qt.Key.Key_1, modifier=SHIFT)):
        view.camera.set_zoom(2.0)
        away(window)
        fit()
        assert everything_is_seen(window)
    press(window, "b", Qt.Key.Key_End)
    away(window)
    press(window, HOME)
    assert told(window).startswith("Step 0 of 7")
    assert not everything_is_seen(window)


def test_zooming_has_keys_and_buttons_with_tips(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    press(window, "0")
    assert window.status_line.zoom.text() == "100 %"
    press(window, "+")
    assert window.status_line.zoom.text() == "125 %"
    press(window, "-", "-")
    assert window.status_line.zoom.text() == "80 %"
    tips = []
    for button in view.overlay.zoom_buttons.buttons:
        picture(view)
        at = place_of(view, button).center()
        hover(view, at)
        tips.append(tip_at(view, at))
        click(view, at)
    assert tips == ["Zoom out (-)", "Zoom in (+)", "Fit all (Shift+1)", "Follow the step (Shift+F)"]
    assert everything_is_seen(window)


def test_at_the_border_the_view_moves_along_with_what_is_dragged(shared_leaf: MainWindow, qtbot):
    view = shared_leaf.canvas
    view.camera.set_zoom(1.0)
    start = at_header(view, node_named(view, "a"))
    for edge in (QPointF(view.viewport().width() - 4, 200), QPointF(4, 200)):
        before = view.camera.to_sheet(QPointF(0, 0)).x()
        away = 1 if edge.x() > 100 else -1
        put_pointer(view, edge)
        press_at(view, at_nothing(view))  # a rubber band
        glide(view, at_nothing(view), edge)
        qtbot.waitUntil(
            lambda a=away, b=before: (view.camera.to_sheet(QPointF(0, 0)).x() - b) * a > 40,
            timeout=60_000,
        )
        move(view, HERE)
        press(shared_leaf, ESCAPE)
        release(view, HERE)
        view.camera.pan_by(start - at_header(view, node_named(view, "a")))


def test_from_afar_shapes_and_colours_stay_where_writing_would_be_too_small(
    shared_leaf: MainWindow,
):
    window, view, theme = shared_leaf, shared_leaf.canvas, shared_leaf.context.style.theme
    press(window, "b", Qt.Key.Key_End)
    view.camera.set_zoom(1.0)
    assert {"a", "e", "+6", " × ", "2", "4"} <= set(written(view))
    press(window, Qt.Key.Key_Left)
    event = window.playback.frame.event
    assert event is not None
    view.camera.set_zoom(0.6)
    assert " × " not in written(view)  # too small to be read: only the contribution of the step
    assert signed(event.contribution) in written(view)
    press(window, Qt.Key.Key_End)
    view.camera.set_zoom(0.1)
    view.camera.pan_by(
        QPointF(view.viewport().rect().center())
        - view.camera.to_screen(view.scene.bounds().center())
    )
    assert window.status_line.zoom.text() == "10 %"
    assert written(view) == []
    seen = picture(view)
    for node, box in view.scene.boxes.items():
        spot = view.camera.to_screen(box.rect.center()).toPoint()
        assert alike(seen.pixelColor(spot), theme.gradient), node
        above = QPointF(box.x + box.w / 2, box.y - 30)
        near = [
            b for b in view.scene.boxes.values() if b.rect.adjusted(0, 0, 0, 20).contains(above)
        ]
        free = seen.pixelColor(view.camera.to_screen(above).toPoint())
        assert near or alike(free, theme.canvas), node
    source, target = (view.scene.boxes[node_named(view, name)].rect for name in "be")
    assert (target.left() - source.right()) * view.camera.scale > 5
    path = view.scene.courses[node_named(view, "e"), 1].path
    middle = view.camera.to_screen(path.pointAtPercent(0.5))
    assert not alike(seen.pixelColor(middle.toPoint()), theme.canvas)


def test_what_is_said_of_a_pointed_thing_goes_when_the_pointer_leaves_it_also_after_a_step(
    shared_leaf: MainWindow,
):
    window, view = shared_leaf, shared_leaf.canvas
    facts = window.status_line.text()
    hover(view, at_header(view, node_named(view, "a")))
    assert window.status_line.text().startswith("a, value 2")
    press(window, "b", ESCAPE)
    assert window.status_line.text().startswith("a, value 2")
    hover(view, at_nothing(view))
    assert window.status_line.text() == facts


def test_ctrl_f_finds_nodes_and_enter_goes_on_and_scrolls(shared_leaf: MainWindow):
    shared_leaf.canvas.camera.zoom_by(4)
    away(shared_leaf)
    press(shared_leaf, Qt.Key.Key_F, modifier=CTRL)
    press(shared_leaf, "a")
    assert said(shared_leaf) == "1 of 2: a. Enter goes to the next."
    names = []
    for _ in range(4):
        only = shared_leaf.context.selection.only
        assert only is not None
        graph = shared_leaf.document.graph
        names.append(graph.label(only) or graph.op(only).name)
        assert in_view(shared_leaf.canvas, only)
        press(shared_leaf, Qt.Key.Key_Return)
    assert names == ["a", "d", "a", "d"]
    for query, sentence in (
        ("f", "Found: f."), ("mul", "1 of 2: "), ("*", "1 of 2: "), ("−2", "Found: f."),
        ("zz", "Nothing on the sheet is zz."),
    ):  # fmt: skip
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit)
        field.selectAll()
        field.insert(query)
        field.textEdited.emit(query)  # `keyClicks` can't type −
        assert said(shared_leaf).startswith(sentence), query
    press(shared_leaf, ESCAPE)
    assert not isinstance(QApplication.focusWidget(), QLineEdit)
    listed = {action.text: action for action in palette_extras(shared_leaf.context)}
    listed["Go to d: add"].call(shared_leaf.context)
    assert shared_leaf.context.selection.nodes == {shared_leaf.document.graph.node_named("d")}


def test_a_value_that_is_asked_for_is_not_found(shared_leaf: MainWindow):
    value = shared_leaf.playback.now.values[shared_leaf.document.graph.root or 0]
    press(shared_leaf, "p")
    press(shared_leaf, Qt.Key.Key_F, modifier=CTRL)
    if isinstance(QApplication.focusWidget(), QLineEdit):
        press(shared_leaf, f"{value:g}")
        assert said(shared_leaf) == f"Nothing on the sheet is {value:g}."
