import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.style import mark
from app.style.stylesheet import ICONS
from app.style.theme import DARK, LIGHT, THEMES

ROOT = Path(__file__).resolve().parents[3]


def close(a: QImage, b: QImage) -> bool:
    """Whether two pictures differ by rounding only."""
    left, right = bytes(a.constBits()), bytes(b.constBits())
    return sum(abs(x - y) for x, y in zip(left, right, strict=True)) / len(left) < 2


def test_the_mark_has_the_colours_of_value_and_gradient_in_every_theme(qapp):
    for theme in (LIGHT, DARK):
        image = QImage(64, 64, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        mark.paint_mark(painter, QRectF(0, 0, 64, 64), theme)
        painter.end()
        assert image.pixelColor(50, 16) == theme.value
        assert image.pixelColor(50, 48) == theme.value
        assert image.pixelColor(16, 32) == theme.gradient
        assert image.pixelColor(50, 32) == QColor(0, 0, 0, 0)


def test_the_shipped_pictures_of_the_application_are_those_we_draw(qapp):
    for size in mark.ICON_SIZES:
        shipped = QImage(str(ICONS / f"backwire-{size}.png"))
        assert shipped.width() == size
        if size <= 64:
            assert close(shipped.convertToFormat(QImage.Format.Format_ARGB32), mark.app_image(size))


def test_the_shipped_svg_is_the_one_we_write_and_draws_the_same_picture(qapp):
    text = (ICONS / "backwire.svg").read_text(encoding="utf-8")
    assert text == mark.app_svg()
    image = QImage(64, 64, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(text.encode()).render(painter)
    painter.end()
    assert close(image, mark.app_image(64))


def test_icons_can_be_written_anew(qapp, tmp_path):
    done = subprocess.run(
        [sys.executable, "packaging/drawings.py", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert {f"backwire-{size}.png" for size in mark.ICON_SIZES} <= {
        p.name for p in tmp_path.iterdir()
    }
    for name in THEMES:
        written = {path.name for path in (tmp_path / name).iterdir()}
        assert written == {path.name for path in (ICONS / name).iterdir()}


def test_the_icon_of_the_window_is_there_in_all_sizes(qapp):
    assert {size.width() for size in mark.app_icon().availableSizes()} == set(mark.WINDOW_SIZES)
