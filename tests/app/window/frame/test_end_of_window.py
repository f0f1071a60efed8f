"""The end of a window: Qt takes it apart without a fault in between."""

import shiboken6

from tests.helpers.window import opened_window


def test_a_window_is_deleted_without_a_fault_while_the_canvas_has_the_keyboard(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        window.context.canvas.setFocus()
        assert window.context.canvas.hasFocus()
        with qtbot.captureExceptions() as faults:
            shiboken6.delete(window)
        assert faults == []
