"""The card that shows what a text from outside would become."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.editing.paste_preview import PastePreview
from app.document.clipboard import read_clip
from tests.helpers.canvas import CanvasFixture
from tests.helpers.mouse import click, key

TEXT = "(a*b + a) * f"


def card(canvas: CanvasFixture) -> PastePreview | None:
    found = canvas.view.findChild(PastePreview)
    return found if found is not None and found.isVisible() else None


def shown(canvas: CanvasFixture) -> PastePreview:
    found = card(canvas)
    assert found is not None
    return found


@pytest.fixture
def asked(canvas: CanvasFixture) -> tuple[CanvasFixture, list[str]]:
    """A canvas with the card open, and what it did."""
    canvas.open_example("shared-leaf")
    done: list[str] = []
    found = read_clip(TEXT)
    canvas.view.editing.preview_paste(
        found.drawing, found.description, (300.0, 300.0), lambda: done.append("in")
    )
    QApplication.processEvents()
    return canvas, done


def test_it_says_what_would_be_pasted_and_how(asked):
    canvas, _done = asked
    found = shown(canvas)
    assert found.text() == "7 nodes from an expression"
    assert found.accessibleName().startswith("7 nodes from an expression. Enter pastes")
    assert found.hasFocus()


def test_it_stands_beside_the_point_and_within_the_canvas(asked):
    canvas, _done = asked
    found = shown(canvas)
    at = canvas.view.camera.to_screen(QPointF(300, 300)) + QPointF(12, 12)
    assert found.pos() == at.toPoint()
    drawing = read_clip(TEXT).drawing
    canvas.view.editing.preview_paste(drawing, "x", (9000.0, 9000.0), lambda: None)
    assert canvas.view.viewport().rect().contains(found.geometry())


def test_it_shows_the_nodes(asked):
    canvas, _done = asked
    found = shown(canvas)
    picture = found.grab().toImage()
    colors = {
        picture.pixelColor(x, y).name()
        for x in range(0, picture.width(), 3)
        for y in range(0, picture.height(), 3)
    }
    assert canvas.view.context.theme.header_leaf.name() in colors
    assert canvas.view.context.theme.header_root.name() in colors


@pytest.mark.parametrize("way", [Qt.Key.Key_Return, Qt.Key.Key_Enter, "click"])
def test_enter_or_a_click_on_it_pastes_once(asked, way):
    canvas, done = asked
    if way == "click":
        click(shown(canvas), shown(canvas).rect().center())
    else:
        key(way)
    assert done == ["in"]
    assert card(canvas) is None
    assert canvas.view.hasFocus()


def test_esc_does_not_and_neither_does_a_click_elsewhere(asked):
    canvas, done = asked
    key(Qt.Key.Key_Escape)
    assert card(canvas) is None
    canvas.view.editing.preview_paste(
        read_clip(TEXT).drawing, "x", (300.0, 300.0), lambda: done.append("in")
    )
    click(canvas.view, QPointF(20, 20))
    assert card(canvas) is None
    assert done == []
    assert not canvas.document.steps


def test_many_nodes_are_shown_too(canvas: CanvasFixture):
    text = " + ".join(f"x{k}*w{k}" for k in range(200))
    found = read_clip(text)
    canvas.view.editing.preview_paste(found.drawing, found.description, (0.0, 0.0), lambda: None)
    assert shown(canvas).text() == "800 nodes from an expression"
    assert not shown(canvas).grab().toImage().isNull()
