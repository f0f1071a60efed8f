"""Messages over the canvas: what they leave visible."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget

from app.controls.notices import Toast
from app.window.frame.main_window import MainWindow
from tests.helpers.window import press

LONG = "A sentence that says why something can't be done just now, and that needs much room."


def place(window: MainWindow, widget: QWidget, inside: QRect | None = None) -> QRect:
    """A widget, or a part of it, in the window's coordinates."""
    found = widget.rect() if inside is None else inside
    return QRect(widget.mapTo(window, found.topLeft()), found.size())


@pytest.mark.parametrize("size", [(1440, 900), (1000, 560)])
@pytest.mark.parametrize("keys", ["p", "h"], ids=["asked", "by hand"])
def test_the_strip_and_the_zoom_buttons_stay_visible(shared_leaf: MainWindow, keys, size):
    window = shared_leaf
    window.resize(*size)
    press(window, keys)
    QApplication.processEvents()
    window.context.messages.refuse(LONG)
    view = window.canvas
    (toast,) = (found for found in view.findChildren(Toast) if found.isVisible())
    said = place(window, toast)
    assert place(window, view).contains(said)
    assert not said.intersects(place(window, window.strip))
    assert not said.intersects(place(window, view, view.overlay.area.toAlignedRect()))
