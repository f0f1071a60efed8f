import re

import pytest
from PySide6.QtCore import QEvent, QFile
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.style.current import Style
from app.style.stylesheet import PARTS, apply, palette, stylesheet, window_stylesheet
from app.style.theme import THEMES, Theme
from tests.helpers.colors import contrast
from tests.helpers.tables import in_turn

KINDS = ("primary", "forward", "backward", "quiet", "question", "mistake", "link", "tile")


@in_turn("theme", THEMES.values())
@in_turn("scale", [1.0, 1.25, 2.0, 2.5])
def test_a_style_sheet_is_complete(theme: Theme, scale: float):
    text = stylesheet(theme, scale)
    assert "$" not in text
    assert text.count("{") == text.count("}") > 100
    assert theme.selection.name() in text


def test_the_style_sheet_names_no_colour_itself():
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|: (white|black|red)\b", "".join(PARTS))


def test_all_sizes_grow_with_the_scale():
    def sizes(scale: float) -> list[int]:
        return [int(size) for size in re.findall(r"(\d+)px", stylesheet(THEMES["light"], scale))]

    assert sum(sizes(2.0)) == pytest.approx(2 * sum(sizes(1.0)), rel=0.01)
    assert all(size <= larger for size, larger in zip(sizes(1.0), sizes(1.25), strict=True))


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_every_picture_the_style_sheet_names_is_there(theme: Theme):
    names = set(re.findall(r"url\((backwire:[^)]*)\)", stylesheet(theme)))
    assert len(names) >= 8
    assert [name for name in names if not QFile.exists(name)] == []


def test_the_palette_can_be_read():
    for theme in THEMES.values():
        colors = palette(theme)
        for ink, surface in (
            (QPalette.ColorRole.Text, QPalette.ColorRole.Base),
            (QPalette.ColorRole.WindowText, QPalette.ColorRole.Window),
            (QPalette.ColorRole.ButtonText, QPalette.ColorRole.Button),
            (QPalette.ColorRole.HighlightedText, QPalette.ColorRole.Highlight),
            (QPalette.ColorRole.ToolTipText, QPalette.ColorRole.ToolTipBase),
        ):
            assert contrast(colors.color(ink), colors.color(surface)) >= 4.5


def test_the_style_is_given_to_the_whole_application(plain_application: QApplication):
    style = Style("dark")
    style.set_size(1.5)
    apply(plain_application, style)
    assert plain_application.palette().window().color() == style.theme.panel
    assert plain_application.font().pixelSize() == 16
    assert plain_application.styleSheet() == stylesheet(style.theme, style.control_scale)


class Polished(QWidget):
    """Counts how often it is given a style."""

    times = 0

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self.times += 1
        super().changeEvent(event)


def test_a_widget_is_polished_twice_at_most_and_only_for_what_can_be_seen(plain_application, qtbot):
    style, window, inner = Style("light"), QWidget(), Polished()
    apply(plain_application, style)
    widget: QWidget = inner
    for _level in range(6):
        outer = QWidget()
        QVBoxLayout(outer).addWidget(widget)
        widget = outer
    QVBoxLayout(window).addWidget(widget)
    qtbot.addWidget(window)
    window.show()
    inner.times = 0
    style.set_motion(not style.motion)
    style.set_digits(2)
    apply(plain_application, style)
    assert inner.times == 0
    style.set_theme("dark")
    apply(plain_application, style)
    assert 0 < inner.times <= 2


@pytest.mark.parametrize("kind", ["", *KINDS])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_keyboard_focus_can_be_seen_on_every_button(plain_application, qtbot, kind, theme):
    style = Style(theme)
    apply(plain_application, style)
    window = QWidget()
    column = QVBoxLayout(window)
    button, other = QPushButton("Go on"), QLineEdit()
    button.setProperty("kind", kind)
    column.addWidget(button)
    column.addWidget(other)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    button.setFocus()
    image = window.grab(button.geometry()).toImage()
    colors = [
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    ]
    assert colors.count(style.theme.selection.name()) > 100
    assert button.sizeHint() == button.size() or button.width() >= button.sizeHint().width()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_an_empty_field_asks_for_can_be_read(plain_application, qtbot, theme):
    style = Style(theme)
    apply(plain_application, style)
    field = QLineEdit()
    field.setPlaceholderText("Filter")
    qtbot.addWidget(field)
    field.show()
    ink = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert contrast(ink, style.theme.node) >= 4.5


def test_a_window_of_its_own_scale_has_usual_texts_while_the_application_has_large_ones(
    plain_application: QApplication, qtbot
):
    large, usual = Style(), Style()
    large.present_sentence(45.0)
    try:
        apply(plain_application, large)
        window = QWidget()
        qtbot.addWidget(window)
        field = QLineEdit(window)
        assert field.fontInfo().pixelSize() > 25
        window.setStyleSheet(window_stylesheet(usual.theme, usual.control_scale))
        window.show()
        assert field.fontInfo().pixelSize() == 13
    finally:
        large.end_presentation()
