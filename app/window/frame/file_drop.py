"""FileDrop: opens a file that is dropped on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from app.guard import guarded
from app.window.commands.file import open_file
from app.window.context import Context

SUFFIXES = (".backwire", ".py", ".txt")


@guarded
class FileDrop(QObject):
    """Filters drop events of the window."""

    def __init__(self, context: Context) -> None:
        window = context.shell.widget
        super().__init__(window)
        self._context = context
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            return False
        path = _dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            if event.type() == QEvent.Type.Drop:
                open_file(self._context, path)
        return path is not None


def _dropped_file(dropped: QMimeData) -> Path | None:
    """Return the only local file in the dropped data, or None."""
    urls = dropped.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() in SUFFIXES else None
