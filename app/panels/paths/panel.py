"""PathsPanel: the paths of the selected node, or the walk that finds the order."""

from __future__ import annotations

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.controls.layouts import PANEL_EDGES, fill_background, in_column
from app.controls.segmented import Segmented
from app.guard import guarded
from app.panels.paths.order_part import OrderPart
from app.panels.paths.path_part import PathPart
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection


@guarded
class PathsPanel(QWidget):
    """Paths and order of the graph that is shown; nothing is computed while it is hidden."""

    def __init__(
        self,
        style: Style,
        playback: Playback,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        fill_background(self, "panel")
        self.choice = Segmented(style, (("paths", "Paths"), ("order", "Order")), "Show")
        self.paths = PathPart(style, playback, selection)
        self.order = OrderPart(style, playback, selection)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.paths)
        self._pages.addWidget(self.order)
        in_column(self.choice, (self._pages, 1), parent=self, style=style, edges=PANEL_EDGES, gap=8)
        self.choice.chosen.connect(self._choose)
        playback.shown.connect(self._refresh)
        selection.changed.connect(self._refresh)
        style.changed.connect(self._refresh)

    def _choose(self, name: str) -> None:
        self.paths.light_none()
        self._pages.setCurrentWidget(self.paths if name == "paths" else self.order)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        if self._pages.currentWidget() is self.paths:
            self.paths.refresh()
        else:
            self.order.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was left out while it was hidden."""
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Light no path on behalf of a panel that can't be seen."""
        super().hideEvent(event)
        self.paths.light_none()
