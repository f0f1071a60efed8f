"""Quick add starts typing at once, ranks well and needs no mouse; a paste is shown before it is."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QLabel, QListWidget

from app.canvas.editing.canvas_cards import PastePreview, QuickAdd
from app.document.clipboard import read_clip
from engine.graph import Leaf, OpNode
from tests.helpers.canvas import CanvasFixture
from tests.helpers.mouse import click, double_click, key, type_into_focus

RETURN, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape


def box(canvas: CanvasFixture) -> QuickAdd | None:
    """The box, if it can be seen."""
    return next((b for b in canvas.view.findChildren(QuickAdd) if b.isVisible()), None)


def opened(canvas: CanvasFixture) -> QuickAdd:
    key(Qt.Key.Key_Tab)
    found = box(canvas)
    assert found is not None
    return found


def words(shown: QuickAdd) -> str:
    return " ".join(label.text() for label in shown.findChildren(QLabel) if label.isVisible())


@pytest.mark.parametrize("way", ["Enter", "click"])
def test_tab_opens_it_typing_begins_at_once_and_enter_or_a_click_adds(canvas: CanvasFixture, way):
    shown = opened(canvas)
    type_into_focus("tanh")
    assert shown.entries[0] == "op:tanh"
    if way == "Enter":
        key(RETURN)
    else:
        listed = shown.findChildren(QListWidget)[0]
        click(listed, listed.visualItemRect(listed.item(0)).center())
    assert canvas.graph.nodes == {1: OpNode("tanh", (None,))}
    assert canvas.selection.only == 1
    assert canvas.view.hasFocus()
    assert box(canvas) is None


def test_a_double_click_on_the_empty_canvas_opens_it_there(canvas: CanvasFixture):
    double_click(canvas.view, QPointF(600, 400))
    shown = box(canvas)
    assert shown is not None
    assert (shown.pos() - QPointF(600, 400).toPoint()).manhattanLength() < 60
    type_into_focus("leaf")
    key(RETURN)
    rect = canvas.scene.boxes[1].rect
    assert (rect.center() - canvas.view.camera.to_sheet(QPointF(600, 400))).manhattanLength() < 40


def test_near_the_border_it_opens_wholly_inside_the_view(canvas: CanvasFixture):
    double_click(canvas.view, QPointF(1590, 890))
    shown = box(canvas)
    assert shown is not None
    assert canvas.view.rect().contains(shown.geometry())


@pytest.mark.parametrize("end", ["Esc", "a click beside it"])
def test_esc_or_a_click_beside_it_leaves_nothing_and_it_opens_empty_again(
    canvas: CanvasFixture, end
):
    opened(canvas)
    type_into_focus("tanh")
    if end == "Esc":
        key(ESCAPE)
        assert canvas.view.hasFocus()
    else:
        click(canvas.view, QPointF(40, 860))
    assert box(canvas) is None
    assert not canvas.graph.nodes
    assert not canvas.document.steps
    shown = opened(canvas)
    assert shown.entries[0] == "leaf"
    assert len(shown.entries) > 20


@pytest.mark.parametrize(("typed", "listed"), [("weight_7", "leaf"), ("t", "op:tanh")])
def test_a_name_becomes_a_leaf_even_where_operations_begin_with_it(
    canvas: CanvasFixture, typed, listed
):
    shown = opened(canvas)
    type_into_focus(typed)
    assert f"Enter adds leaf {typed}." in words(shown)
    assert any(entry.startswith(listed) for entry in shown.entries)
    key(RETURN)
    assert canvas.graph.nodes == {1: Leaf(1.0, typed)}


def test_a_formula_becomes_its_graph_as_one_step(canvas: CanvasFixture):
    shown = opened(canvas)
    type_into_focus("(p*q + p) * 3")
    assert "formula" in words(shown)
    key(RETURN)
    canvas.view.auto_layout.cancel()
    assert {"p", "q"} <= set(canvas.graph.names.values())
    assert len(canvas.document.steps) == 1
    canvas.document.undo()
    assert not canvas.graph.nodes


def test_nonsense_is_refused_with_a_sentence_and_stays_to_be_mended(canvas: CanvasFixture):
    shown = opened(canvas)
    type_into_focus("((((")
    key(RETURN)
    assert not canvas.graph.nodes
    assert shown.isVisible()
    assert "this bracket is never closed." in words(shown)


def test_leaves_added_at_one_place_are_named_in_order_and_hide_none(canvas: CanvasFixture):
    for _ in range(3):
        opened(canvas)
        type_into_focus("leaf")
        key(RETURN)
    assert [canvas.graph.names[n] for n in (1, 2, 3)] == ["a", "b", "c"]
    assert len(set(canvas.document.positions.values())) == 3
    assert QApplication.focusWidget() is canvas.view


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
