"""AppStyle: applies the chosen style to the application and keeps it in the settings."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.style.current import Style
from app.style.stylesheet import apply
from app.window.settings import FOLLOW_SYSTEM, Settings, theme_of


class AppStyle(QObject):
    """Follows the style, and the system's colour scheme if the user chose that."""

    applied = Signal()
    """Emitted after the application's style changed, before widgets handle `Style.changed`."""

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
    """Set what widgets need during construction; the style sheet is cheaper when set last."""
    # a menu shows only icons that ask for it, so none of the desktop's beside Cut and Paste
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus)
    application().setFont(style.font("interface"))


def application() -> QApplication:
    """Return the QApplication."""
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found
