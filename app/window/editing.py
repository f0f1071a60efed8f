"""Editing: copy, cut, paste and duplicate; what goes through the clipboard is text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QCursor, QGuiApplication

from app.document.clipboard import copied, is_ours, part_of, pasted
from app.document.sheet import Point
from app.style import sizes
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class Editing(QObject):
    """What the Edit menu does with the selection and the clipboard."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._selection = window.selection

    def copy(self) -> None:
        """Put the selected nodes on the clipboard, as the text of a file."""
        if self._selection.nodes:
            text = copied(self._document.sheet, self._selection.nodes)
            QGuiApplication.clipboard().setText(text)

    def cut(self) -> None:
        """Copy the selected nodes, then delete them."""
        self.copy()
        self._document.remove(sorted(self._selection.nodes))

    def paste(self) -> None:
        """Add what the clipboard holds: nodes at once, a formula or a program after a look."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._window.toast("There is no text on the clipboard to paste.")
            return
        try:
            drawing = pasted(text)
        except EngineError as error:
            self._window.refuse(f"This can't be pasted. {error}")
            return
        if is_ours(text):
            self.add(drawing)
        else:
            self._preview(text)

    def add(self, drawing: Drawing) -> None:
        """Add what a drawing holds, where the pointer is, and select it."""
        self._window.show_work()
        self._selection.choose(self._document.paste(drawing, self._place()))

    def duplicate(self) -> None:
        """Add a copy of the selected nodes beside them."""
        nodes = self._selection.nodes
        drawing = part_of(self._document.sheet, nodes)
        places = [self._document.positions[n] for n in nodes]
        left, top = min(x for x, _y in places), min(y for _x, y in places)
        place = (left + 2.0 * sizes.GRID, top + 2.0 * sizes.GRID)
        self._selection.choose(self._document.paste(drawing, place, "Duplicate"))

    def _preview(self, text: str) -> None:
        from app.window.paste import PasteDialog

        dialog = PasteDialog(self._window, text)
        dialog.wanted.connect(self.add)
        dialog.open()

    def _place(self) -> Point:
        """The point of the sheet under the pointer, or in the middle of the view."""
        canvas = self._window.canvas
        at = canvas.viewport().mapFromGlobal(QCursor.pos())
        if not canvas.viewport().rect().contains(at):
            return canvas.centre()
        point = canvas.to_sheet(QPointF(at))
        return (point.x(), point.y())
