"""The card that shows what a text from outside would become."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.editing.paste_preview import PastePreview
from app.document.clipboard import read_clip
from tests.helpers.easel import Easel
from tests.helpers.mouse import click, key

TEXT = "(a*b + a) * f"


def card(easel: Easel) -> PastePreview | None:
    found = easel.view.findChild(PastePreview)
    return found if found is not None and found.isVisible() else None


def shown(easel: Easel) -> PastePreview:
    found = card(easel)
    assert found is not None
    return found


@pytest.fixture
def asked(easel: Easel) -> tuple[Easel, list[str]]:
    """A canvas with the card open, and what it did."""
    easel.open_example("shared-leaf")
    done: list[str] = []
    found = read_clip(TEXT)
    easel.view.editing.preview_paste(
        found.drawing, found.description, (300.0, 300.0), lambda: done.append("in")
    )
    QApplication.processEvents()
    return easel, done


def test_it_says_what_would_be_pasted_and_how(asked):
    easel, _done = asked
    found = shown(easel)
    assert found.text() == "7 nodes from an expression"
    assert found.accessibleName().startswith("7 nodes from an expression. Enter pastes")
    assert found.hasFocus()


def test_it_stands_beside_the_point_and_within_the_canvas(asked):
    easel, _done = asked
    found = shown(easel)
    at = easel.view.camera.to_screen(QPointF(300, 300)) + QPointF(12, 12)
    assert found.pos() == at.toPoint()
    drawing = read_clip(TEXT).drawing
    easel.view.editing.preview_paste(drawing, "x", (9000.0, 9000.0), lambda: None)
    assert easel.view.viewport().rect().contains(found.geometry())


def test_it_shows_the_nodes(asked):
    easel, _done = asked
    found = shown(easel)
    picture = found.grab().toImage()
    colors = {
        picture.pixelColor(x, y).name()
        for x in range(0, picture.width(), 3)
        for y in range(0, picture.height(), 3)
    }
    assert easel.view.context.theme.header_leaf.name() in colors
    assert easel.view.context.theme.header_root.name() in colors


@pytest.mark.parametrize("way", [Qt.Key.Key_Return, Qt.Key.Key_Enter, "click"])
def test_enter_or_a_click_on_it_pastes_once(asked, way):
    easel, done = asked
    if way == "click":
        click(shown(easel), shown(easel).rect().center())
    else:
        key(way)
    assert done == ["in"]
    assert card(easel) is None
    assert easel.view.hasFocus()


def test_esc_does_not_and_neither_does_a_click_elsewhere(asked):
    easel, done = asked
    key(Qt.Key.Key_Escape)
    assert card(easel) is None
    easel.view.editing.preview_paste(
        read_clip(TEXT).drawing, "x", (300.0, 300.0), lambda: done.append("in")
    )
    click(easel.view, QPointF(20, 20))
    assert card(easel) is None
    assert done == []
    assert not easel.document.steps


def test_many_nodes_are_shown_too(easel: Easel):
    text = " + ".join(f"x{k}*w{k}" for k in range(200))
    found = read_clip(text)
    easel.view.editing.preview_paste(found.drawing, found.description, (0.0, 0.0), lambda: None)
    assert shown(easel).text() == "800 nodes from an expression"
    assert not shown(easel).grab().toImage().isNull()
