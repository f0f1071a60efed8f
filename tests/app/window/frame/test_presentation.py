"""The presentation: what it takes over, and what it gives back."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QWidget

from app.controls.notices import Toast
from app.document.history import LOCKED
from app.window.commands import file_actions
from app.window.frame.main_window import MainWindow
from app.workbench.modes.mode import STEPPING
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode
from tests.helpers.graphs import mistake
from tests.helpers.mouse import NONE, at_nothing, at_number, at_output, double_click, drag, held
from tests.helpers.window import press


@pytest.fixture
def presenting(shared_leaf: MainWindow) -> MainWindow:
    shared_leaf.canvas.camera.set_zoom(0.5)
    shared_leaf.canvas.camera.pan_by(QPointF(-3000, 0))  # a view that the user has chosen
    press(shared_leaf, Qt.Key.Key_F5)
    return shared_leaf


def test_all_sizes_are_set_once_by_the_height_of_the_screen(shared_leaf: MainWindow):
    changes: list[float] = []
    style = shared_leaf.context.style
    style.changed.connect(lambda: changes.append(style.presented))
    shared_leaf.resize(1000, shared_leaf.screen().geometry().height() - 50)
    press(shared_leaf, Qt.Key.Key_F5)
    assert len(changes) == 1


def test_the_view_before_it_comes_back(presenting: MainWindow):
    camera = presenting.canvas.camera
    zoom = camera.zoom
    assert presenting.canvas.framing.shows_all
    assert zoom != 0.5
    press(presenting, Qt.Key.Key_Escape)
    assert not presenting.presenting
    assert camera.zoom == 0.5


def test_a_document_opened_during_it_is_seen_after_it(presenting: MainWindow):
    file_actions.open_example(presenting.context, "by-hand")
    press(presenting, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert presenting.canvas.framing.shows_all


def test_nodes_moved_for_a_mistake_are_where_they_were_before_it(shared_leaf: MainWindow):
    scene = shared_leaf.canvas.scene
    shared_leaf.playback.set_rules(mistake("assign"))
    shared_leaf.canvas.camera.pan_by(QPointF(10, 0))
    boxes, room = dict(scene.boxes), scene.node_layout.spacing.viewport
    press(shared_leaf, Qt.Key.Key_F5)
    assert scene.node_layout.spacing.viewport != room
    press(shared_leaf, Qt.Key.Key_F5)
    assert scene.boxes == boxes
    assert scene.node_layout.spacing.viewport == room


def test_esc_ends_a_drag_before_it_ends_the_presentation(presenting: MainWindow):
    press(presenting, Qt.Key.Key_E)
    view = presenting.canvas
    node = next(iter(presenting.document.graph.nodes))
    with held(view, at_output(view, node), at_nothing(view)):
        assert view.mouse.gesture is not None
        press(presenting, Qt.Key.Key_Escape)
        assert view.mouse.gesture is None
        assert presenting.presenting
    press(presenting, Qt.Key.Key_Escape)
    assert not presenting.presenting


def test_keys_are_those_of_the_start_page_while_it_is_shown(presenting: MainWindow):
    presenting.show_start_page()
    presenting.setFocus()  # not in the field for a formula
    press(presenting, Qt.Key.Key_E)
    assert presenting.document.locked
    press(presenting, Qt.Key.Key_F5)
    assert not presenting.presenting


def test_any_key_brings_a_blank_screen_back_and_does_nothing_else(presenting):
    for pressed in (Qt.Key.Key_B, Qt.Key.Key_P, Qt.Key.Key_Escape, Qt.Key.Key_S):
        press(presenting, Qt.Key.Key_B)
        assert covered(presenting)
        QTest.keyPress(presenting.canvas, pressed)
        assert not covered(presenting)
        assert presenting.presenting
        assert presenting.playback.now.mode is STEPPING
        assert presenting.bar.name == ""


def test_a_click_brings_it_back_and_selects_nothing(presenting):
    view = presenting.canvas
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        view.setFocus()
        press(presenting, Qt.Key.Key_B)
        at = presenting.mapFromGlobal(view.viewport().mapToGlobal(at_number(view, 1).toPoint()))
        QTest.mouseClick(presenting.childAt(at), button)
        QApplication.processEvents()
        assert not covered(presenting)
        assert not presenting.selection.anything
        only = Qt.FindChildOption.FindDirectChildrenOnly
        assert presenting.findChild(QMenu, options=only) is None


@pytest.mark.parametrize("editing", [False, True])
def test_a_double_click_brings_it_back_and_edits_nothing(presenting, editing):
    view = presenting.canvas
    if editing:
        press(presenting, Qt.Key.Key_E)
    press(presenting, Qt.Key.Key_B)
    at = view.viewport().mapTo(presenting, at_nothing(view).toPoint())
    QTest.mouseDClick(presenting.windowHandle(), Qt.MouseButton.LeftButton, NONE, at)
    QApplication.processEvents()
    assert not covered(presenting)
    assert not fields(presenting)
    assert LOCKED not in toasts(presenting)
    double_click(view, at_nothing(view))
    assert bool(fields(presenting)) == editing
    assert (LOCKED in toasts(presenting)) != editing


def test_a_drag_from_before_it_ends_under_a_blank_screen(presenting):
    press(presenting, Qt.Key.Key_E)
    view = presenting.canvas
    node = next(iter(presenting.document.graph.nodes))
    with held(view, at_output(view, node), at_nothing(view)):
        press(presenting, Qt.Key.Key_B)
    assert view.mouse.gesture is None
    assert covered(presenting)


def test_no_message_lies_over_a_node(presenting):
    """The graph fills the sheet then, and each of its numbers is part of what is told."""
    assert "B blanks the screen" in toast(presenting)
    for _ in ("the first message", "that editing is open", "that it is locked"):
        (shown,) = (found for found in presenting.findChildren(Toast) if found.isVisible())
        canvas = presenting.canvas.viewport()
        over = QRect(shown.mapTo(presenting, QPoint()), shown.size())
        assert not over.intersects(QRect(canvas.mapTo(presenting, QPoint()), canvas.size()))
        sentence = presenting.strip.sentence
        words = sentence.mapTo(presenting, QPoint(0, lowest_ink(sentence))).y()
        assert over.top() > words
        press(presenting, Qt.Key.Key_E)


def test_the_remote_goes_from_the_values_to_the_seed_and_back(presenting):
    playback = presenting.playback
    press(presenting, Qt.Key.Key_PageDown)
    assert (playback.phase, playback.cursor) == ("backward", 1)
    assert playback.frame.current.kind == "seed"
    press(presenting, Qt.Key.Key_PageDown)
    assert playback.cursor == 2
    press(presenting, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp)
    assert playback.phase == "live"
    playback.forward()
    playback.to_end()
    press(presenting, Qt.Key.Key_PageDown)
    assert (playback.phase, playback.cursor) == ("backward", 1)
    press(presenting, Qt.Key.Key_PageUp)
    assert (playback.phase, playback.cursor) == ("forward", playback.frame.total)


BEFORE_A_STEP = {
    "values": lambda window: window.playback.leave(),
    "forward": lambda window: window.playback.forward(),
    "backward": lambda window: window.playback.backward(cursor=0),
    "hunt": lambda window: (
        window.context.hunting.begin(seed=1),
        window.playback.backward(cursor=0),
    ),
    "nothing": lambda window: window.document.start(),
    "no root": lambda window: window.document.start(Drawing(TWO_SINKS)),
}
TWO_SINKS = Graph({1: Leaf(2.0, "a"), 2: OpNode("exp", (1,)), 3: OpNode("tanh", (1,))}, None, 4)


def test_a_sentence_names_the_key_of_the_remote_and_no_button(presenting):
    for state, enter in BEFORE_A_STEP.items():
        enter(presenting)
        QApplication.processEvents()
        told = presenting.strip.sentence.text()
        for absent in ("Step", "Backward", "Forward", "Tab ", "Shift"):
            assert absent not in told, state
        assert ("PageDown" in told) == (state not in ("nothing", "no root")), state
    press(presenting, Qt.Key.Key_Escape)
    assert "PageDown" not in presenting.strip.sentence.text()


def test_an_edit_is_refused_before_it_is_typed(presenting):
    view = presenting.canvas
    before = presenting.document.sheet
    shift = view.camera.sheet_centre
    for edit in (
        lambda: double_click(view, at_number(view, 1)),
        lambda: press(presenting, Qt.Key.Key_F2),
        lambda: press(presenting, Qt.Key.Key_Tab),
        lambda: double_click(view, at_nothing(view)),
        lambda: drag(view, at_number(view, 1), at_number(view, 1) + QPointF(40, 0)),
    ):
        presenting.context.messages.dismiss_toast()
        presenting.selection.focus_on(1)
        edit()
        assert toast(presenting) == LOCKED
        assert not fields(presenting)
        assert presenting.document.sheet is before
        assert view.camera.sheet_centre == shift
    press(presenting, Qt.Key.Key_E)
    assert not presenting.document.locked


def test_s_shows_and_hides_the_sliders_and_esc_hides_them_first(presenting):
    for _ in range(2):
        press(presenting, Qt.Key.Key_S)
        assert presenting.parts.page_floats
        press(presenting, Qt.Key.Key_S)
        assert presenting.bar.name == ""
    press(presenting, Qt.Key.Key_S)
    press(presenting, Qt.Key.Key_Escape)
    assert presenting.bar.name == ""
    assert presenting.presenting
    press(presenting, Qt.Key.Key_S)
    assert presenting.parts.page_floats
    press(presenting, Qt.Key.Key_Escape)
    press(presenting, Qt.Key.Key_Escape)
    assert not presenting.presenting


def test_a_dialog_fits_the_screen(presenting):
    free = presenting.screen().availableGeometry().size()
    for action in ("commands", "shortcuts", "about", "export"):
        presenting.commands[action].trigger()
        QApplication.processEvents()
        (dialog,) = (found for found in presenting.findChildren(QDialog) if found.isVisible())
        assert dialog.size().boundedTo(free) == dialog.size(), action
        assert dialog.minimumSizeHint().boundedTo(free) == dialog.minimumSizeHint(), action
        dialog.reject()
        QApplication.processEvents()


def test_the_sentence_begins_with_the_mistake_that_is_on(presenting):
    sentence = presenting.strip.sentence
    assert "=" not in sentence.text()
    presenting.playback.set_rules(mistake("assign"))
    for _ in range(3):
        assert sentence.text().startswith(f"{mistake('assign').title}: ")
        press(presenting, Qt.Key.Key_PageDown)
    press(presenting, Qt.Key.Key_Escape)
    assert not sentence.text().startswith(mistake("assign").title)


def covered(window: MainWindow) -> bool:
    """Whether one black or white widget covers the window."""
    middle = window.childAt(window.rect().center())
    return middle is not None and middle.geometry() == window.rect()


def lowest_ink(widget: QWidget) -> int:
    """The lowest row of pixels in which something is painted."""
    picture = widget.grab().toImage()
    rows = range(picture.height() - 1, -1, -1)
    across = range(0, picture.width(), 2)
    ground = picture.pixel(0, 0)
    return next(y for y in rows if any(picture.pixel(x, y) != ground for x in across))


def test_a_message_covers_the_timeline_but_not_the_answer_line_of_a_question(
    presenting: MainWindow,
):
    strip = presenting.strip
    for asks, covered in ((False, strip.timeline), (True, strip.answer)):
        if asks:
            presenting.playback.backward(cursor=5)
            presenting.context.modes.toggle()
        presenting.context.messages.toast(LOCKED)
        (found,) = (each for each in presenting.findChildren(Toast) if each.isVisible())
        line = QRect(covered.mapToGlobal(QPoint()), covered.size())
        over = QRect(found.mapToGlobal(QPoint()), found.size())
        assert over.intersects(line) is not asks


def fields(window: MainWindow) -> list[QLineEdit]:
    """The fields that are open over the canvas."""
    return [field for field in window.canvas.findChildren(QLineEdit) if field.isVisible()]


def toast(window: MainWindow) -> str:
    """The message in the window."""
    (found,) = toasts(window)
    return found


def toasts(window: MainWindow) -> list[str]:
    """The messages in the window."""
    return [toast.text() for toast in window.findChildren(Toast) if toast.isVisible()]


def test_all_widgets_have_their_fonts_and_sizes_again(shared_leaf):
    window = shared_leaf
    window.context.style.set_size(1.5)
    window.expression.field.set_text("")  # shows the hint
    for panel in ("mistakes", "why"):
        window.bar.open(panel)
        settle(window)
        before = measures(window)
        press(window, Qt.Key.Key_F5)
        settle(window)
        press(window, Qt.Key.Key_Escape)
        settle(window)
        after = measures(window)
        changed = {w: (was, after.get(w)) for w, was in before.items() if after.get(w) != was}
        assert not changed, panel


def settle(window: MainWindow) -> None:
    """Let all that was put off be done."""
    for _ in range(5):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def measures(window: MainWindow) -> dict[QWidget, tuple[object, ...]]:
    """The font and the place of every widget that is seen."""
    return {
        widget: (widget.font().toString(), widget.geometry().getRect())
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
    }
