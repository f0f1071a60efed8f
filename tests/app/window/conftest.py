import pytest

from tests.helpers.window import open_example, opened_window


@pytest.fixture
def window(qtbot):
    """The window as a newcomer meets it: the start page."""
    with opened_window(qtbot) as window:
        yield window


@pytest.fixture
def shared_leaf(window):
    """The window with (a*b + a) * f on the canvas."""
    open_example(window, "shared-leaf")
    window.canvas.setFocus()
    return window
