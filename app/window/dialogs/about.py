"""What this program is, its version and its licences."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, qVersion
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout

from app import described_version
from app.style import sizes
from app.style.mark import paint_app_icon
from app.window.error_log import log_file

if TYPE_CHECKING:
    from app.window.context import Context

_WORDS = (
    "Wire an expression, run it forward, then walk the gradient back one contribution at a time.",
    "Backwire works offline; nothing leaves this computer.",
    "Free software under the MIT licence. Inter is used under the SIL Open Font License, "
    "DejaVu under its own free licence, Qt for Python under the LGPL.",
)


class About(QDialog):
    """A card with the mark."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        px = context.style.px
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Backwire")
        mark = QLabel()
        mark.setPixmap(_picture(px(64), self.devicePixelRatioF()))
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(px(sizes.SPACES[2]))
        words.addWidget(_label("Backwire", "title"))
        words.addWidget(_label(_versions(), "caption"))
        words.addWidget(_label("\n\n".join(_WORDS), ""))
        words.addWidget(_label(f"Errors are written to {log_file()}", "caption"))
        words.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(px(sizes.SPACES[4]))
        row.addWidget(mark)
        row.addLayout(words, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        margin = px(sizes.SPACES[4])
        column.setContentsMargins(margin, margin, margin, margin)
        column.addLayout(row)
        column.addWidget(buttons)
        self.setFixedWidth(px(520))
        self.setFixedHeight(column.totalHeightForWidth(px(520)))

    def text(self) -> str:
        """All that it says."""
        return "\n".join(label.text() for label in self.findChildren(QLabel))


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("kind", kind)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _versions() -> str:
    return f"Version {described_version()}, Qt {qVersion()}, Python {platform.python_version()}"


def _picture(side: int, ratio: float) -> QPixmap:
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_app_icon(painter, QRectF(0, 0, side, side))
    painter.end()
    return picture
