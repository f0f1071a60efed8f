"""Write the pictures in resources/icons again: the logo, and the ticks and arrows of each theme.

python3 run.py icons [FOLDER]     resources/icons unless told
"""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPen

from app.style.icons import pixmap
from app.style.mark import ICON_SIZES, app_image, app_svg
from app.style.stylesheet import ICONS
from app.style.theme import THEMES, Theme

_SIZE = 64
"""Side of a tick or an arrow in px: enough for 16 px at 400 %."""


def write_marks(folder: Path) -> None:
    """Write the ticks and arrows that the style sheet loads, one set per theme."""
    for theme in THEMES.values():
        (folder / theme.name).mkdir(parents=True, exist_ok=True)
        for name, (shape, color) in _marks(theme).items():
            pixmap(shape, _SIZE, color).save(str(folder / theme.name / f"{name}.png"))
        for name, fill in _filled_kinds(theme).items():
            _focused(fill, theme.selection).save(str(folder / theme.name / f"focus-{name}.png"))


def _marks(theme: Theme) -> dict[str, tuple[str, QColor]]:
    return {
        "check": ("check", theme.text),
        "check-on-text": ("check", theme.panel),
        "right": ("right", theme.secondary),
        "down": ("down", theme.secondary),
        "up": ("up", theme.secondary),
    }


def _filled_kinds(theme: Theme) -> dict[str, QColor]:
    return {"primary": theme.text, "forward": theme.value, "backward": theme.gradient}


def _focused(fill: QColor, ring: QColor) -> QImage:
    """Return the frame of a focused filled button: a ring, a gap, then its colour, at 400 %."""
    image = QImage(96, 96, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(4, 4)
    painter.setPen(QPen(ring, 2))
    painter.drawRoundedRect(QRectF(1, 1, 22, 22), 6.5, 6.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawRoundedRect(QRectF(3.5, 3.5, 17, 17), 4, 4)
    painter.end()
    return image


def write_logo(folder: Path) -> None:
    """Write the icon of the application as SVG and as PNG in all sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "backwire.svg").write_text(app_svg(), encoding="utf-8")
    for size in ICON_SIZES:
        app_image(size).save(str(folder / f"backwire-{size}.png"))


def main(arguments: list[str]) -> int:
    """Write every picture; return the exit code."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication(sys.argv[:1])
    folder = Path(arguments[0]) if arguments else ICONS
    write_logo(folder)
    write_marks(folder)
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
