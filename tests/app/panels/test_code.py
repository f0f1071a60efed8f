from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.panels.code import CodePage


def make(desk) -> CodePage:
    return desk.show(CodePage(desk.style, desk.playback, desk.selection))


def chosen(desk, name: str) -> None:
    desk.selection.focus_on(desk.node(name))


def test_the_code_lists_the_pass_and_a_click_goes_to_a_line(desk):
    desk.open_shared(6)
    chosen(desk, "a")
    panel = make(desk)
    lines = panel.steps.text().splitlines()
    assert lines[8] == "a.grad += e.grad * b.data  # +6"
    assert lines[9] == "b.grad += e.grad * a.data"
    line = panel.steps.viewport().height() // 10
    QTest.mouseClick(
        panel.steps.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 3 * line + line // 2)
    )
    assert desk.playback.cursor == 1


def test_the_line_that_happens_is_in_sight(desk):
    desk.open("y = " + " + ".join(["a"] * 60))
    desk.playback.backward()
    panel = make(desk)
    desk.playback.to_end()
    bar = panel.steps.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    desk.playback.go(0)
    desk.playback.step()
    assert bar.value() < bar.maximum()


def test_a_short_listing_is_shown_whole_at_every_width(desk):
    desk.open_shared(6)
    panel = make(desk)
    for width in (*range(400, 240, -5), *range(240, 400, 5)):
        panel.resize(width, 900)
        QApplication.processEvents()
        assert panel.steps.verticalScrollBar().maximum() == 0, width
        assert not panel.steps.verticalScrollBar().isVisible(), width


def test_both_faces_of_a_small_graph_fit_across(desk):
    desk.open_shared(6)
    panel = make(desk)
    panel.resize(300, 600)
    QApplication.processEvents()
    assert panel.steps.horizontalScrollBar().maximum() == 0
    assert not panel.steps.horizontalScrollBar().isVisible()
    panel.show_view("source")
    QApplication.processEvents()
    assert panel.source.horizontalScrollBar().maximum() == 0


def test_the_numbers_of_thousands_of_lines_have_room_beside_the_code(desk):
    desk.open("y = " + " + ".join(["a"] * 60))
    panel = make(desk)
    few = panel.steps.code_left()
    desk.open("y = " + "+".join(["a"] * 1200))
    assert panel.steps.code_left() > few


def test_source_is_the_other_face_and_both_can_be_copied(desk):
    desk.open_shared(6)
    panel = make(desk)
    QTest.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert "a.grad += e.grad * b.data  # +6" in QGuiApplication.clipboard().text()
    panel.show_view("source")
    assert panel.source.isVisible()
    assert not panel.steps.isVisible()
    QTest.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == panel.source.toPlainText() != ""


def test_without_a_root_it_asks_for_one(desk):
    panel = make(desk)
    assert panel.words.text().startswith("Choose a root")
    assert not panel.copy.isEnabled()
    panel.show_view("source")
    assert panel.words.text().startswith("Choose a root")


def test_up_and_down_go_from_line_to_line(desk):
    desk.open_shared(6)
    panel = make(desk)
    panel.steps.setFocus()
    lit = [panel.steps.accessibleDescription()]
    for pressed in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(panel.steps, pressed)
        lit.append(panel.steps.accessibleDescription())
    assert [text.partition(":")[0] for text in lit] == [
        *("Line 9", "Line 8", "Line 9", "Line 10", "Line 10")
    ]
    assert desk.playback.cursor == 7
