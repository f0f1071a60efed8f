import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QPushButton

from app.controls.choices import ChoiceBox, Segmented


@pytest.fixture
def choice(qtbot, styled) -> Segmented:
    widget = Segmented(styled, (("contribution", "contribution"), ("node", "node")), "Stop after")
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
    return widget


def button(choice: Segmented, text: str) -> QPushButton:
    return next(b for b in choice.findChildren(QPushButton) if b.text() == text)


def test_a_click_chooses_and_says_so_once(qtbot, choice):
    with qtbot.waitSignal(choice.chosen) as said:
        qtbot.mouseClick(button(choice, "node"), Qt.MouseButton.LeftButton)
    assert said.args == ["node"]
    assert choice.choice() == "node"
    assert not button(choice, "contribution").isChecked()


def test_setting_a_choice_emits_nothing(qtbot, choice):
    with qtbot.assertNotEmitted(choice.chosen):
        choice.set_choice("node")
    assert choice.choice() == "node"


def test_the_arrow_keys_move_between_the_choices(qtbot, choice):
    button(choice, "contribution").setFocus()
    with qtbot.waitSignal(choice.chosen) as said:
        qtbot.keyClick(button(choice, "contribution"), Qt.Key.Key_Down)
    assert said.args == ["node"]


def test_the_choices_have_names_for_those_who_cannot_see_them(choice):
    assert button(choice, "node").accessibleName() == "Stop after: node"


def test_the_list_of_a_narrow_box_cuts_none_of_its_texts(qtbot, styled, monkeypatch):
    monkeypatch.setattr(QComboBox, "showPopup", lambda _box: None)  # offscreen, Qt warns of it
    box = ChoiceBox("Batch")
    qtbot.addWidget(box)
    box.addItems(["all", "10", "cross-entropy"])
    box.setFixedWidth(48)
    box.show()
    box.showPopup()
    view = box.view()
    texts = QFontMetrics(view.font()).horizontalAdvance("cross-entropy")
    view.resize(view.minimumWidth(), 100)
    assert view.viewport().width() >= view.sizeHintForColumn(0) >= texts


def test_the_ends_are_round_and_the_middle_is_not(qtbot, styled):
    three = Segmented(styled, (("a", "a"), ("b", "b"), ("c", "c")))
    qtbot.addWidget(three)
    found = [b.property("segment") for b in three.findChildren(QPushButton)]
    assert found == ["first", "middle", "last"]
