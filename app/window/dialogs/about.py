"""The About dialog: description, version and licences."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, qVersion
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel

from app import described_version
from app.controls.layouts import in_column, in_row, plain_label
from app.style import sizes
from app.style.mark import paint_app_icon
from app.window.dialogs.ask import fit_screen
from app.window.window_files import log_file

if TYPE_CHECKING:
    from app.window.context import Context

_LOGO = 64
"""Side of the logo, in px at 100 %."""
_WIDTH = 520
"""Width of the dialog, in px at 100 %."""
_PARAGRAPHS = (
    "Wire an expression, run it forward, then walk the gradient back one contribution at a time.",
    "Backwire works offline; nothing leaves this computer.",
    "Free software under the MIT licence. Inter is used under the SIL Open Font License, "
    "DejaVu under its own free licence, Qt for Python under the LGPL.",
)


class About(QDialog):
    """Shows the logo, versions, licences and the path of the log."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        px = context.style.px
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Backwire")
        logo = QLabel()
        logo.setPixmap(_logo_pixmap(px(_LOGO), self.devicePixelRatioF()))
        logo.setAlignment(Qt.AlignmentFlag.AlignTop)
        texts = in_column(
            _label("Backwire", "title"),
            _label(_versions(), "caption"),
            _label("\n\n".join(_PARAGRAPHS), ""),
            _label(f"Errors are written to {log_file()}", "caption"),
            1,
            style=context.style,
            gap=sizes.SPACES[2],
        )
        edge = sizes.SPACES[4]
        row = in_row(logo, (texts, 1), style=context.style, gap=edge)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = in_column(row, buttons, parent=self, style=context.style, edges=edge)
        self.setFixedWidth(px(_WIDTH))
        self.setFixedHeight(column.totalHeightForWidth(px(_WIDTH)))
        fit_screen(self)

    def text(self) -> str:
        return "\n".join(label.text() for label in self.findChildren(QLabel))


def _label(text: str, kind: str) -> QLabel:
    label = plain_label(text, kind, wraps=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _versions() -> str:
    return f"Version {described_version()}, Qt {qVersion()}, Python {platform.python_version()}"


def _logo_pixmap(side: int, ratio: float) -> QPixmap:
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_app_icon(painter, QRectF(0, 0, side, side))
    painter.end()
    return picture
