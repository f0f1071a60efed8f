"""FileState: keeps the window title, and checks the file when the window becomes active."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from app.document.change import Change
from app.document.files import SUFFIX
from app.window.commands.unsaved import look_after_file
from app.window.context import Context
from app.workbench.playback.view_state import ViewState


class FileState(QObject):
    """Shows the document's name, and whether it has unsaved changes."""

    def __init__(self, context: Context, application: QApplication) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._mode = ""
        context.document.changed.connect(self._follow)
        context.playback.shown.connect(self._follow_mode)
        application.applicationStateChanged.connect(self._look_after_file)
        self._show_title()

    def _follow(self, change: Change) -> None:
        if change.file:
            self._show_title()

    def _follow_mode(self, shown: ViewState) -> None:
        if shown.mode.title != self._mode:
            self._mode = shown.mode.title
            self._show_title()

    def _show_title(self) -> None:
        window, document = self._context.shell.widget, self._context.document
        name = (document.title or f"untitled{SUFFIX}").replace("[*]", "[*][*]")
        mode = f", {self._mode}" if self._mode else ""
        window.setWindowTitle(f"{name}[*]{mode} – Backwire")  # Qt unescapes [*][*] to [*]
        window.setWindowModified(document.edited)

    def _look_after_file(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            look_after_file(self._context)
