"""FileDrop: opens a file that is dropped on the window, and says what else can't be."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from app.canvas.input.drop import ENTRY_TYPE
from app.guard import guarded
from app.lessons.index import SUFFIX as LESSON
from app.window.commands.file import open_file
from app.window.context import Context
from app.window.dialogs.ask import tell
from app.window.files import graph_file

WANTED = (
    "Only one file can be dropped here, a graph or a lesson: .backwire, .py, .ipynb, .txt or .toml."
)


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
            path = graph_file(dropped, LESSON)
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
