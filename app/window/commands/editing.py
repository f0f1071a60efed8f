"""Editing: copy, cut, paste and duplicate; what goes through the clipboard is text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.canvas.layout.geometry import as_rect
from app.canvas.scene.section_hits import content
from app.document.clipboard import clip, copied
from app.document.copies import extent
from app.document.place import columns, free_block, snapped
from app.document.sheet import Point, sheet_of
from app.style import sizes
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow

STEP = 2.0 * sizes.GRID
"""How far a copy stands from what it is a copy of."""


class Editing(QObject):
    """What the Edit menu does with the selection and the clipboard."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._selection = window.selection
        self._last: tuple[str, Point] | None = None
        self._repeats = 0

    def copy(self) -> None:
        """Put what is selected on the clipboard, as the text of a file."""
        nodes, boxes = self._chosen()
        if nodes or boxes:
            QGuiApplication.clipboard().setText(copied(self._document.sheet, nodes, boxes))
            self._last = None

    def cut(self) -> None:
        """Copy what is selected, then delete it."""
        nodes, boxes = self._chosen()
        self.copy()
        self._document.remove(sorted(nodes), (), sorted(boxes), "Cut")

    def paste(self) -> None:
        """Add what the clipboard holds: nodes at once, a formula or a program after a look."""
        self._window.canvas.editing.leave()  # what was offered before is not meant any more
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._window.toast("There is no text on the clipboard to paste.")
            return
        try:
            found = clip(text)
        except EngineError as error:
            self._window.refuse(f"This can't be pasted. {error}")
            return
        self._window.show_work()
        at = self._window.canvas.hover.on_sheet()
        place = (at.x(), at.y())
        if found.kind == "nodes":
            self._add(found.drawing, self._beside_last(text, place))
        else:
            canvas = self._window.canvas
            canvas.editing.preview_paste(
                found.drawing, found.told, place, lambda: self._add(found.drawing, place)
            )
            if found.drawing.remark:
                self._window.toast(found.drawing.remark)

    def duplicate(self) -> None:
        """Add a copy of what is selected beside it, fed by what feeds the selection.

        Sections are copied below themselves, so that nothing lies in both.
        """
        nodes, boxes = self._chosen()
        high = self._window.canvas.scene.node_layout.sections.bounds(boxes).height()
        by = (0.0, high + STEP) if boxes else (STEP, STEP)
        self._choose_new(lambda: self._document.duplicate(nodes, boxes, snapped(by)))

    # inside

    def _chosen(self) -> tuple[frozenset[int], frozenset[int]]:
        """The selected nodes and sections, and what lies in these."""
        nodes, boxes = content(self._window.canvas.scene, self._selection.sections)
        return self._selection.nodes | nodes, boxes

    def _add(self, drawing: Drawing, middle: Point) -> None:
        """Add what a drawing holds with its middle at a point, and select it.

        What comes without places of its own is put where it covers nothing.
        """
        sheet = sheet_of(drawing)
        rough = len(sheet.positions) < len(sheet.graph.nodes)
        if rough:
            sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
        _x, _y, wide, high = extent(sheet)
        place = (middle[0] - wide / 2, middle[1] - high / 2)
        if rough:
            floorplan = self._window.canvas.scene.node_layout
            rects = [*floorplan.extents(), *floorplan.sections.rects().values()]
            taken = [as_rect(rect) for rect in rects]
            place = free_block(taken, (*place, wide, high))
        self._choose_new(lambda: self._document.paste(drawing, place))

    def _choose_new(self, add: Callable[[], frozenset[int]]) -> None:
        """Do something that adds nodes and sections, and select what it has added."""
        before = self._document.sheet.sections.keys()
        nodes = add()
        self._selection.choose(nodes, (), self._document.sheet.sections.keys() - before)

    def _beside_last(self, text: str, place: Point) -> Point:
        """The same nodes pasted at the same place again stand a step beside those before."""
        self._repeats = self._repeats + 1 if self._last == (text, place) else 0
        self._last = (text, place)
        return (place[0] + STEP * self._repeats, place[1] + STEP * self._repeats)
