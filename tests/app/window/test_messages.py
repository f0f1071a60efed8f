"""Messages over the canvas: what they leave visible."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from app.controls.toast import Toast
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import at_header, click, node_named
from tests.helpers.window import press

LONG = "A sentence that says why something can't be done just now, and that needs much room."


def place_of_toast(window: MainWindow) -> QRect:
    (toast,) = (found for found in window.canvas.findChildren(Toast) if found.isVisible())
    return toast.geometry()


@pytest.mark.parametrize("size", [(1440, 900), (1000, 560)])
def test_the_card_of_an_early_click_stays_visible(shared_leaf: MainWindow, size):
    press(shared_leaf, "h")
    shared_leaf.context.modes.by_hand.set_seed(1.0)
    shared_leaf.resize(*size)
    QApplication.processEvents()
    view = shared_leaf.canvas
    click(view, at_header(view, node_named(view, "e")))
    card = view.refusals.card
    assert card is not None
    assert card.isVisible()
    shared_leaf.context.messages.refuse(LONG)
    assert not place_of_toast(shared_leaf).intersects(card.geometry())


@pytest.mark.parametrize("size", [(1440, 900), (1000, 560)])
def test_the_card_of_a_question_and_the_zoom_buttons_stay_visible(shared_leaf: MainWindow, size):
    shared_leaf.resize(*size)
    press(shared_leaf, "p")
    QApplication.processEvents()
    view = shared_leaf.canvas
    assert view.questions.card is not None
    shared_leaf.context.messages.refuse(LONG)
    place = place_of_toast(shared_leaf)
    assert not place.intersects(view.questions.card.geometry())
    assert not place.intersects(view.overlay.corner.area.toAlignedRect())
