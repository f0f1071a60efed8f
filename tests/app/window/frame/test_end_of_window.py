"""The end of a window: Qt takes it apart without a fault in between."""

import shiboken6

from app.style.strokes import is_presented
from tests.helpers.window import opened_window


def test_a_window_is_deleted_without_a_fault_while_the_canvas_has_the_keyboard(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        window.context.canvas.setFocus()
        assert window.context.canvas.hasFocus()
        with qtbot.captureExceptions() as faults:
            shiboken6.delete(window)
        assert faults == []


def test_a_presentation_ends_with_its_window(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        window.toggle_presentation()
        assert is_presented()
        window.close()
        assert not is_presented()
        assert not window.presenting
        assert not window.isFullScreen()
