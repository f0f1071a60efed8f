import pytest

from app.style.current import Style


def test_a_new_style_is_light_at_full_size_with_four_digits(style: Style):
    assert (style.theme.name, style.size, style.scale, style.digits) == ("light", 1.0, 1.0, 4)
    assert style.motion


@pytest.mark.parametrize(
    ("method", "value"),
    [("set_theme", "dark"), ("set_size", 1.5), ("set_digits", 2), ("set_motion", False)],
)
def test_a_change_is_said_once(qtbot, style: Style, method: str, value: object):
    with qtbot.waitSignal(style.changed, timeout=0, raising=False) as said:
        getattr(style, method)(value)
    assert said.signal_triggered
    with qtbot.assertNotEmitted(style.changed):
        getattr(style, method)(value)


def test_the_size_stays_within_100_and_200_percent(style: Style):
    style.set_size(9)
    assert style.size == 2.0
    style.set_size(0.2)
    assert style.size == 1.0


def test_sheet_and_sentence_grow_before_controls_do_and_the_projector_multiplies(style: Style):
    style.set_size(2.0)
    assert style.scale == 2.0
    assert style.sentence_font().pixelSize() == 34
    assert style.px(32) == 45
    assert style.font("interface").pixelSize() == 18
    style.set_theme("projector")
    assert style.scale == 2.5
    assert style.control_scale == pytest.approx(1.25 * 2**0.5)


def test_numbers_are_written_with_the_digits_in_force(style: Style):
    style.set_digits(2)
    assert style.short(0.70711) == "0.71"
    assert style.signed(0.70711) == "+0.71"
