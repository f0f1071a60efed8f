"""FileState: the window's title, and a look at the file whenever the window comes to the front."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from app.document.files import SUFFIX
from app.window.commands.unsaved import look_after_file
from app.window.context import Context
from app.workbench.shown import Shown


class FileState(QObject):
    """Shows what the document is called, and whether it has been changed since it was saved."""

    def __init__(self, context: Context, application: QApplication) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        context.playback.shown.connect(self._follow)
        application.applicationStateChanged.connect(self._look_after_file)
        self._show_title()

    def _follow(self, shown: Shown) -> None:
        if shown.change.file:
            self._show_title()

    def _show_title(self) -> None:
        window, document = self._context.shell.widget, self._context.document
        name = (document.title or f"untitled{SUFFIX}").replace("[*]", "[*][*]")
        window.setWindowTitle(f"{name}[*] – Backwire")  # Qt shows [*][*] as [*]
        window.setWindowModified(document.modified)

    def _look_after_file(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            look_after_file(self._context)
