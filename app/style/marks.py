"""Small pictures that the style sheet loads from files: ticks and arrows, one set per theme."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.style.icons import pixmap
from app.style.theme import THEMES, Theme

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "icons"
_SIZE: Final = 64


def write_marks(folder: Path = FOLDER) -> None:
    """Write the pictures of every theme to a folder such as resources/icons."""
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
