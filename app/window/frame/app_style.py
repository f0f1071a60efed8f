"""AppStyle: the whole application in the chosen style, which is kept in the settings."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.style.current import Style
from app.style.stylesheet import apply
from app.window.settings import FOLLOW_SYSTEM, Settings, theme_of


class AppStyle(QObject):
    """Follows the style, and the system's colours where the user chose to."""

    applied = Signal()
    """The application has got another style, before its widgets answer to `Style.changed`."""

    def __init__(self, style: Style, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._style = style
        self._settings = settings
        style.changed.connect(self._restyle)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    def _restyle(self) -> None:
        apply(application(), self._style)
        self._settings.write_look(self._style)
        self.applied.emit()

    def _follow_system(self) -> None:
        if self._settings.theme == FOLLOW_SYSTEM:
            self._style.set_theme(theme_of(FOLLOW_SYSTEM))


def prepare(style: Style) -> None:
    """Set what widgets need while they are made; the style sheet costs less when it comes last."""
    application().setStyle("Fusion")
    application().setFont(style.font("interface"))


def application() -> QApplication:
    """The one QApplication."""
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found
