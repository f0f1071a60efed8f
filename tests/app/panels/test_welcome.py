from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.document.examples import examples
from app.document.placement import balanced
from app.panels.welcome import Welcome
from app.panels.welcome.thumbnail import paint_thumbnail
from app.panels.welcome.welcome import AGAIN, TITLE
from engine import from_expression, save
from engine.formats.native import Drawing


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def make(desk, width: int = 1400, recent=()) -> Welcome:
    return desk.show(Welcome(desk.style, recent), width, 900)


def test_every_example_has_a_card_that_opens_it(desk, qtbot):
    page = make(desk)
    assert [card.example for card in page.examples.cards] == list(examples())
    with qtbot.waitSignal(page.example_chosen) as chosen:
        click(page.examples.cards[0])
    assert chosen.args == [examples()[0].name]


def test_the_formula_has_the_keyboard_and_enter_opens_it(desk, qtbot):
    page = make(desk)
    assert page.formula.field.hasFocus()
    qtbot.keyClicks(page.formula.field, "a*b + 3")
    assert page.formula.field.text() == "a*b + 3"
    assert page.formula.preview.text() == "6 nodes"  # its leaves have no numbers yet
    with qtbot.waitSignal(page.expression_entered) as entered:
        qtbot.keyClick(page.formula.field, Qt.Key.Key_Return)
    assert entered.args == ["a*b + 3"]


def test_a_wrong_formula_complains_only_when_it_is_entered(desk, qtbot):
    page = make(desk)
    qtbot.keyClicks(page.formula.field, "a*foo(b)")
    assert page.formula.field.property("valid") == "true"
    entered = []
    page.expression_entered.connect(entered.append)
    click(page.formula.button)
    assert entered == []
    assert page.formula.field.property("valid") == "false"
    assert "there is no function called foo" in page.formula.note.text()
    qtbot.keyClick(page.formula.field, Qt.Key.Key_Backspace)
    assert page.formula.field.property("valid") == "true"


def test_an_empty_canvas_and_a_file_can_be_asked_for(desk, qtbot):
    page = make(desk)
    with qtbot.waitSignal(page.empty_chosen):
        click(page.empty_button)
    with qtbot.waitSignal(page.open_wanted):
        click(page.recent.open_button)


def test_recent_files_are_listed_and_open(desk, qtbot, tmp_path: Path):
    path = tmp_path / "lecture.backwire"
    save(from_expression("a*b"), path)
    page = make(desk)
    assert page.title.text() == TITLE
    page.set_recent([path])
    assert page.title.text() == AGAIN
    qtbot.waitUntil(page.recent.cards[0].isVisible)
    with qtbot.waitSignal(page.file_chosen) as chosen:
        click(page.recent.cards[0])
    assert chosen.args == [str(path)]


def test_a_recent_file_that_cannot_be_read_has_no_picture_and_no_harm(desk, tmp_path: Path):
    path = tmp_path / "broken.backwire"
    path.write_text("{", "utf-8")
    page = make(desk, recent=[path, tmp_path / "gone.backwire"])
    assert not page.grab().isNull()


@pytest.mark.parametrize(("width", "columns"), [(1600, 3), (1100, 2), (800, 2), (420, 1)])
def test_the_cards_stand_in_as_many_columns_as_fit(desk, width: int, columns: int):
    page = make(desk, width)
    lefts = {card.geometry().left() for card in page.examples.cards}
    assert len(lefts) == columns
    rights = [card.mapTo(page, card.rect().topRight()).x() for card in page.examples.cards]
    assert max(rights) < page.width()


def test_every_look_can_be_painted(desk, all_looks):
    page = make(desk)
    for look in all_looks():
        assert not page.grab().isNull(), look


def test_a_preview_keeps_columns_and_separates_rows():
    graph = from_expression("L = (a*b + a) * f")
    places = balanced(graph)
    for source, (target, _slot) in graph.wires():
        assert places[source][0] < places[target][0]
    assert len(set(places.values())) == len(places)


@pytest.mark.parametrize("text", ["a", "a*a", "+".join(["a"] * 300), "tanh(" * 50 + "a" + ")" * 50])
def test_any_graph_makes_a_thumbnail(styled, text: str):
    image = QImage(300, 120, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    paint_thumbnail(painter, QRectF(0, 0, 300, 120), Drawing(from_expression(text)), styled)
    painter.end()


def test_the_empty_list_of_recent_files_promises_no_examples(desk):
    page = make(desk)
    shown = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    (told,) = [text for text in shown if text.startswith("Nothing here yet.")]
    assert "Your own graph files" in told
    assert not any("Graphs you open" in text for text in shown)


def test_a_line_of_our_own_code_panel_is_drawn_while_it_is_typed(desk, qtbot):
    page = make(desk)
    qtbot.keyClicks(page.formula.field, "mul_1 = a*b; y = mul_1.tanh()")
    assert page.formula.preview.text().startswith("5 nodes")
