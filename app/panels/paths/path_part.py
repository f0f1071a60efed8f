"""PathPart: every path from a node to the root with its product; the hovered path is lit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.controls.layouts import in_column, plain_label
from app.controls.rich_line import RichLine
from app.guard import guarded
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from app.workbench.study.path_rows import PathTable, path_table


@guarded
class PathPart(QWidget):
    """A row per path: pointing at it, or choosing it by keys, lights its wires on the canvas."""

    def __init__(self, style: Style, playback: Playback, selection: Selection) -> None:
        super().__init__()
        self._style = style
        self._playback = playback
        self._selection = selection
        self._table = PathTable((), ())
        self.title = plain_label(kind="group")
        self.remark = RichLine(style, font_role="interface")
        self.rows = QListWidget()
        self.rows.setMouseTracking(True)
        self.rows.setWordWrap(True)
        self.rows.setAccessibleName("Paths to the root")
        self.rows.viewport().installEventFilter(self)
        self.rows.itemEntered.connect(self._light)
        self.rows.currentItemChanged.connect(self._light)
        in_column(self.title, self.remark, (self.rows, 1), parent=self, style=style, edges=0, gap=8)

    def refresh(self) -> None:
        """Show the paths of the selected node, or of the one that receives."""
        frame, digits = self._playback.frame, self._style.digits
        node = self._selection.only
        if node is None and frame.event is not None:
            node = frame.event.node
        table = path_table(frame, node, digits, self._style.notation)
        self.remark.set_spans(table.remark)
        named = node is not None and bool(table.rows)
        self.title.setText(f"Paths from {frame.graph.brief(node)}" if named and node else "Paths")
        self.rows.setVisible(bool(table.rows))
        if table.rows == self._table.rows:
            return
        self.light_none()
        self._table = table
        self.rows.clear()
        for row in table.rows:
            self.rows.addItem(f"{row.nodes}\n{row.product}")

    def light_none(self) -> None:
        """Light no path any more."""
        self._selection.light(())

    def _light(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._selection.light(self._table.rows[self.rows.row(item)].wires)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put the light out when the pointer leaves the rows."""
        if event.type() == QEvent.Type.Leave:
            self.light_none()
        return super().eventFilter(watched, event)
