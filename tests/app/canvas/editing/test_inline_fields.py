"""A field stays on what it is about, however one looks at the sheet."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.editing.inline_fields import InlineEdit
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from tests.helpers.canvas import CanvasFixture
from tests.helpers.mouse import at_nothing, key, two_fingers, type_into_focus, wheel

NODES = {1: Leaf(2.0, "a"), 2: Constant(3.0), 3: OpNode("mul", (1, 2), "b"), 4: Root(3)}
PLACES = {1: (0.0, 0.0), 2: (0.0, 192.0), 3: (360.0, 48.0), 4: (720.0, 48.0)}


@pytest.fixture
def sheet(canvas: CanvasFixture) -> CanvasFixture:
    canvas.show(Graph(NODES, 4, 5), PLACES)
    return canvas


def opened(sheet: CanvasFixture) -> InlineEdit:
    """The field that has the keyboard."""
    found = QApplication.focusWidget()
    assert isinstance(found, InlineEdit)
    assert found.parentWidget() is sheet.view.viewport()
    return found


def offset(sheet: CanvasFixture, node: int = 1) -> QPointF:
    """How far the open field stands from its node, in pixels of the sheet."""
    corner = sheet.scene.boxes[node].rect.topLeft()
    return sheet.view.camera.to_sheet(QPointF(opened(sheet).pos())) - corner


def zoomed(sheet: CanvasFixture) -> None:
    wheel(sheet.view, at_nothing(sheet.view), -3)


def panned(sheet: CanvasFixture) -> None:
    two_fingers(sheet.view, at_nothing(sheet.view), QPoint(60, 35))


def placed_elsewhere(sheet: CanvasFixture) -> None:
    sheet.document.move({1: (120.0, 240.0)}, text="Arrange")


@pytest.mark.parametrize("shift", [zoomed, panned, placed_elsewhere])
@pytest.mark.parametrize("part", ["value", "label"])
def test_an_open_field_stays_on_its_node(sheet: CanvasFixture, shift, part):
    sheet.selection.focus_on(1)
    if part == "value":
        sheet.view.editing.fields.edit_value(sheet.view.context.selection.focus)
    else:
        sheet.view.editing.label()
    before, at = offset(sheet), opened(sheet).pos()
    type_into_focus("7")
    shift(sheet)
    assert opened(sheet).pos() != at
    assert (offset(sheet) - before).manhattanLength() < 4
    assert opened(sheet).text() == "7"


def test_the_field_of_a_section_stays_on_it(sheet: CanvasFixture):
    sheet.selection.choose_all()
    sheet.view.editing.add_section()
    (rect,) = sheet.scene.node_layout.sections.rects.values()
    for shift in (zoomed, panned):
        shift(sheet)
        at = sheet.view.camera.to_screen(rect.topLeft() + QPointF(10, 5))
        assert (QPointF(opened(sheet).pos()) - at).manhattanLength() < 3
    key(Qt.Key.Key_Return)
    assert len(sheet.document.steps) == 1
