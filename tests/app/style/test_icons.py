from itertools import product

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter

from app.style.icons import NAMES, icon, paint_icon, pixmap
from app.style.theme import LIGHT
from tests.helpers.tables import in_turn


def painted(name: str, size: int = 64) -> QImage:
    image = QImage(size + 16, size + 16, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_icon(painter, QRectF(8, 8, size, size), name, QColor("#b93a06"))
    painter.end()
    return image


def inked(image: QImage) -> list[tuple[int, int]]:
    points = product(range(image.width()), range(image.height()))
    return [(x, y) for x, y in points if image.pixelColor(x, y).alpha() > 0]


@in_turn("name", NAMES)
def test_an_icon_is_drawn_within_its_box_in_one_colour(qapp, name: str):
    image = painted(name)
    dots = inked(image)
    assert len(dots) > 100
    assert all(6 <= x < 74 and 6 <= y < 74 for x, y in dots)
    solid = [image.pixelColor(x, y) for x, y in dots if image.pixelColor(x, y).alpha() == 255]
    reds = {color.red() for color in solid}
    assert solid
    assert reds <= {0xB8, 0xB9, 0xBA}


def test_an_unknown_icon_is_an_error(qapp):
    with pytest.raises(KeyError):
        icon("no such icon", LIGHT)


def test_a_disabled_icon_is_fainter_and_a_checked_one_may_have_its_own_colour(qapp):
    shown = icon("plus", LIGHT, checked=LIGHT.selection)
    size = QSize(16, 16)
    disabled = shown.pixmap(size, QIcon.Mode.Disabled).toImage().pixelColor(8, 8)
    checked = shown.pixmap(size, QIcon.Mode.Normal, QIcon.State.On).toImage().pixelColor(8, 8)
    assert disabled.lightness() > LIGHT.text.lightness()
    assert checked.name() == LIGHT.selection.name()


def test_an_icon_is_made_once_and_a_picture_has_the_pixels_of_its_screen(qapp):
    assert icon("undo", LIGHT) is icon("undo", LIGHT)
    picture = pixmap("undo", 16, LIGHT.text, ratio=2.0)
    assert (picture.width(), picture.devicePixelRatio()) == (32, 2.0)
