"""FileDrop: opens a file that is dropped on the window, and says what else can't be."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from app.canvas.input.drop import ENTRY_TYPE
from app.guard import guarded
from app.window.commands.file import open_file
from app.window.context import Context
from app.window.dialogs.ask import tell

SUFFIXES = (".backwire", ".py", ".txt")
WANTED = "Only one file with a graph can be dropped here: .backwire, .py or .txt."


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
        """Take files and texts from other programs; those that can't be opened are told."""
        if not isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            return False
        dropped = event.mimeData()
        if dropped.hasFormat(ENTRY_TYPE) or not (dropped.hasUrls() or dropped.hasText()):
            return False
        event.setDropAction(Qt.DropAction.CopyAction)  # after a move the source deletes its file
        event.accept()
        if event.type() == QEvent.Type.Drop:
            path = _dropped_file(dropped)
            if path is None:
                event.ignore()
                self._refuse()
            else:
                open_file(self._context, path)
        return True

    def _refuse(self) -> None:
        if self._context.shell.on_start_page:  # no message over the canvas is seen there
            tell(self._context.shell.widget, WANTED)
        else:
            self._context.messages.refuse(WANTED)


def _dropped_file(dropped: QMimeData) -> Path | None:
    """Return the only local file in the dropped data, or None."""
    urls = dropped.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() in SUFFIXES and not path.is_dir() else None
