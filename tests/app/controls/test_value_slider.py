"""A slider with a number field: gestures, ranges, and numbers of all sizes."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QWheelEvent
from PySide6.QtWidgets import QApplication, QSlider, QStyle, QStyleOptionSlider

from app.controls.text_fields import NumberEdit
from app.controls.value_slider import TICKS, UserRange, ValueRange, ValueSlider
from engine.numbers import short


@pytest.fixture
def slider(qtbot, styled) -> ValueSlider:
    widget = ValueSlider(styled, "a", 2.0)
    widget.resize(400, 40)
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
    return widget


@pytest.fixture
def said(slider) -> list[tuple[float, object]]:
    found: list[tuple[float, object]] = []
    slider.value_changed.connect(lambda value, gesture: found.append((value, gesture)))
    return found


def groove(slider: ValueSlider) -> QSlider:
    return slider.findChildren(QSlider)[0]


def field(slider: ValueSlider) -> NumberEdit:
    return slider.findChildren(NumberEdit)[0]


def knob(slider: ValueSlider) -> QPoint:
    inner = groove(slider)
    option = QStyleOptionSlider()
    inner.initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    control = QStyle.ComplexControl.CC_Slider
    return inner.style().subControlRect(control, option, part, inner).center()


def drag(qtbot, slider: ValueSlider, *distances: int, release: bool = True) -> None:
    """Press on the knob, move it so far from there in turn, and let go."""
    start = knob(slider)
    qtbot.mousePress(groove(slider), Qt.MouseButton.LeftButton, pos=start)
    for distance in distances:
        qtbot.mouseMove(groove(slider), start + QPoint(distance, 0))
    if release:
        end = start + QPoint(distances[-1], 0)
        qtbot.mouseRelease(groove(slider), Qt.MouseButton.LeftButton, pos=end)


def test_it_shows_its_number_in_both_places(slider):
    assert slider.value() == 2.0
    assert field(slider).text() == "2"
    assert groove(slider).value() == 40


def test_setting_a_number_moves_both_and_emits_nothing(slider, said):
    slider.set_value(-3)
    assert field(slider).text() == "−3"
    assert groove(slider).value() == -60
    assert said == []


def test_the_ticks_of_one_press_belong_to_one_gesture(qtbot, slider, said):
    with qtbot.waitSignal(slider.gesture_ended) as ended:
        drag(qtbot, slider, 10, 20, 30)
    assert len(said) >= 3
    assert len({id(gesture) for _, gesture in said}) == 1
    assert said[-1] == (slider.value(), ended.args[0])
    assert slider.value() > 2
    drag(qtbot, slider, -10)
    assert said[-1][1] is not said[0][1]


def test_esc_during_a_press_goes_back_and_leaves_the_rest_of_it_without_effect(qtbot, slider, said):
    drag(qtbot, slider, 30, release=False)
    assert slider.value() != 2.0
    gesture, count = said[-1][1], len(said)
    with (
        qtbot.waitSignal(slider.cancelled) as cancelled,
        qtbot.assertNotEmitted(slider.gesture_ended),
    ):
        qtbot.keyClick(groove(slider), Qt.Key.Key_Escape)
        qtbot.mouseMove(groove(slider), QPoint(10, 10))
        qtbot.mouseRelease(groove(slider), Qt.MouseButton.LeftButton)
    assert cancelled.args == [gesture]
    assert slider.value() == 2.0
    assert groove(slider).value() == 40
    assert len(said) == count
    drag(qtbot, slider, 20)
    assert len(said) > count


def test_a_typed_number_beyond_the_range_makes_it_grow(qtbot, slider, said):
    field(slider).selectAll()
    qtbot.keyClicks(field(slider), "30")
    qtbot.keyClick(field(slider), Qt.Key.Key_Return)
    assert [value for value, _ in said] == [30.0]
    assert groove(slider).value() == 60


def test_a_pull_to_the_end_gives_more_room_after_the_release(qtbot, slider):
    drag(qtbot, slider, 300)
    assert slider.value() == 5.0
    assert groove(slider).value() == 50


def test_a_held_key_is_one_gesture_and_the_next_key_another(qtbot, slider, said):
    inner = groove(slider)
    inner.clearFocus()
    inner.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(3):
        qtbot.keyPress(inner, Qt.Key.Key_Right)
    qtbot.keyRelease(inner, Qt.Key.Key_Right)
    assert [value for value, _ in said] == [2.05, 2.1, 2.15]
    assert len({id(gesture) for _, gesture in said}) == 1
    qtbot.keyClick(inner, Qt.Key.Key_Left)
    assert said[-1][1] is not said[0][1]


def test_the_turns_of_a_wheel_belong_together_until_it_rests(qtbot, slider, said):
    inner = groove(slider)
    centre = QPointF(inner.rect().center())
    inner.clearFocus()
    inner.setFocus(Qt.FocusReason.MouseFocusReason)
    for _ in range(3):
        event = QWheelEvent(
            centre,
            QPointF(inner.mapToGlobal(centre)),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(inner, event)
    assert len({id(gesture) for _, gesture in said}) == 1
    with qtbot.waitSignal(slider.gesture_ended, timeout=60_000):
        pass


def test_its_arrow_keys_are_not_taken_by_shortcuts_of_the_window(qtbot, slider, said):
    taken: list[str] = []
    QShortcut(QKeySequence("Right"), slider).activated.connect(lambda: taken.append("taken"))
    groove(slider).clearFocus()
    groove(slider).setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(groove(slider), Qt.Key.Key_Right)
    assert taken == []
    assert len(said) == 1


@pytest.mark.parametrize("number", [math.inf, -math.inf, 1e300, 1e-300])
def test_any_number_can_be_shown(slider, said, number):
    slider.set_value(number)
    assert slider.value() == number
    assert said == []


def test_both_parts_say_whose_number_it_is(slider):
    assert groove(slider).accessibleName() == "a"
    slider.set_name("w1")
    assert field(slider).accessibleName() == "w1"


def test_a_press_beside_the_knob_is_one_gesture_however_long_it_is_held(qtbot, slider, said):
    """The slider steps on under a held button: all of these ticks are one step of undo."""
    inner = groove(slider)
    at = QPoint(inner.width() - 4, inner.height() // 2)
    qtbot.mousePress(inner, Qt.MouseButton.LeftButton, pos=at)
    for _ in range(3):  # what the slider's own timer does while the button is down
        inner.triggerAction(QSlider.SliderAction.SliderPageStepAdd)
    qtbot.mouseRelease(inner, Qt.MouseButton.LeftButton, pos=at)
    assert len(said) >= 3
    assert len({id(gesture) for _value, gesture in said}) == 1
    inner.triggerAction(QSlider.SliderAction.SliderPageStepSub)
    assert said[-1][1] is not said[0][1]


finite = st.floats(allow_nan=False, allow_infinity=False)


def test_the_first_range_is_from_minus_five_to_five_in_steps_of_a_twentieth():
    assert ValueRange().value_at(TICKS) == 5
    assert ValueRange().value_at(-TICKS) == -5
    assert ValueRange().value_at(1) == 0.05


def test_it_grows_to_short_numbers():
    reaches = [ValueRange().around(x).reach for x in (2, 6, 12, 30, 0.1, -700)]
    assert reaches == [5, 10, 20, 50, 5, 1000]
    assert ValueRange(Decimal(5)).grown().reach == 10
    assert ValueRange(Decimal(10)).grown().reach == 20


@given(finite.filter(lambda x: abs(x) <= 1e307))
def test_every_number_has_room(number: float):
    grown = ValueRange().around(number)
    assert abs(Decimal(number)) <= grown.reach
    assert abs(grown.tick_of(number)) <= TICKS


@given(finite, st.integers(-TICKS, TICKS))
def test_ticks_are_short_numbers_that_find_back(number: float, tick: int):
    found = ValueRange().around(number)
    value = found.value_at(tick)
    assert math.isfinite(value)
    assert found.tick_of(value) == tick
    assert len(short(value, "shortest")) <= 9


def test_what_is_not_finite_leaves_the_range_alone():
    for number in (math.inf, -math.inf, math.nan):
        assert ValueRange().around(number) == ValueRange()
    assert ValueRange().tick_of(math.inf) == TICKS
    assert ValueRange().tick_of(-math.inf) == -TICKS
    assert ValueRange().tick_of(math.nan) == 0


def test_a_range_between_any_two_ends_has_ticks():
    found = UserRange(-1.7e308, 1.7e308)
    assert found.tick_of(-1.7e308) == -TICKS
    assert found.tick_of(0.0) == 0
    assert found.tick_of(1.7e308) == TICKS
