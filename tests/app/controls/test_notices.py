import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.controls import notices as module
from app.controls.notices import Toast


@pytest.fixture
def host(qtbot) -> QWidget:
    widget = QWidget()
    widget.resize(600, 400)
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def toast(host, style) -> Toast:
    return Toast(style, host)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "_SHOWN", 20)
    monkeypatch.setattr(module, "_SHOWN_PER_LETTER", 0)


def test_it_makes_room_for_a_field_that_opens_over_the_same_widget(toast, host, qtbot):
    qtbot.waitUntil(host.isActiveWindow)
    toast.say("Slot 1 of × is taken.", refusal=True)
    field = QLineEdit(host)
    field.show()
    field.setFocus()
    assert not toast.isVisible()
    toast.say("abc is no number.", refusal=True)
    assert toast.isVisible()
    host.setFocus()
    assert toast.isVisible()


def test_it_stands_in_the_middle_above_the_lower_edge(toast, host):
    toast.say("The position returned to the start.")
    assert toast.isVisible()
    place = toast.geometry()
    assert abs(place.center().x() - host.rect().center().x()) <= 1
    assert host.height() - 40 < place.bottom() < host.height()


def test_it_covers_no_button_and_nothing_that_its_sentence_brings(host, style, qtbot):
    legend = QRectF()
    toast = Toast(style, host, lambda: [legend])
    button = QPushButton("here", host)
    button.setGeometry(host.width() // 2 - 20, host.height() - 60, 40, 40)
    button.show()
    toast.say("y is the root now.")
    assert not toast.geometry().intersects(button.geometry())
    button.hide()
    toast.say("y is the root now.")
    legend = QRectF(toast.geometry())  # comes with the pass that begins after it
    qtbot.waitUntil(lambda: not toast.geometry().intersects(legend.toAlignedRect()))


def test_it_follows_when_the_parent_changes_its_size(toast, host):
    toast.say("Here")
    host.resize(800, 700)
    assert abs(toast.geometry().center().x() - 400) <= 1
    assert toast.geometry().bottom() > 650


def test_a_long_sentence_wraps_and_stays_inside(toast, host):
    toast.say("This wire would close a loop: e → d → e. " * 6)
    assert host.rect().contains(toast.geometry())


def test_a_refusal_is_red(toast, style):
    toast.say("No", refusal=True)
    assert toast.grab().toImage().pixelColor(10, toast.height() // 2) == style.theme.error


@pytest.mark.parametrize("motion", [True, False])
def test_it_goes_away_by_itself(qtbot, toast, quick, style, motion: bool):
    assert not toast.isVisible()
    style.set_motion(motion)
    toast.say("Soon gone")
    qtbot.waitUntil(lambda: not toast.isVisible(), timeout=60_000)


def test_a_second_sentence_replaces_the_first(qtbot, toast):
    toast.say("One")
    toast.say("Two")
    assert toast.text() == "Two"
    assert toast.accessibleName() == "Two"
    toast.dismiss()
    assert not toast.isVisible()


BUTTONS = QRectF(-166, 358, 154, 30)
"""As far from the right border of the host."""


@pytest.mark.parametrize("wide", [1200, 900, 800, 700, 500, 440])
def test_it_stands_beside_what_must_stay_visible_or_above_it(qtbot, style, wide: int):
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(wide, 400)
    host.show()
    kept = (QRectF(12, 358, 400, 30), BUTTONS.translated(wide, 0))
    toast = Toast(style, host, lambda: kept)
    toast.say("The wiring changed: the pass is back at its start.")
    assert not any(toast.geometry().intersects(rect.toAlignedRect()) for rect in kept)
    assert host.rect().contains(toast.geometry())


def test_no_line_of_a_sentence_touches_the_edges(toast, host):
    toast.say("A sentence of many words, which is wrapped where the next one has no room. " * 3)
    seen = toast.grab().toImage()
    ink = toast._style.theme.panel
    for x in range(toast._style.px(6)):
        for side in (x, seen.width() - 1 - x):
            column = [seen.pixelColor(side, y) for y in range(8, seen.height() - 8)]
            assert ink not in column
