"""The sliders panel: one slider per leaf, in the order of the leaves."""

from __future__ import annotations

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.controls.empty_state import EmptyState
from app.controls.layouts import PANEL_EDGES, fill_background, in_column, plain_label, scroll_area
from app.controls.sweep_slider import SweepSlider
from app.document.document import Document
from app.document.value_gesture import ValueGesture
from app.guard import guarded
from app.style.current import Style
from app.workbench.playback.playback import Playback
from engine.graph import Leaf

MOST = 200
"""Leaves that get a slider; each costs a millisecond when the panel is filled."""
NO_LEAF = "There is no leaf yet. Press Tab on the canvas and type a name, such as w."
_MORE = "{count:,} more leaves have no slider here; select one for the Inspector."


@guarded
class SlidersPanel(QWidget):
    """Shows the values of all leaves; a drag is one undo step, and so is a sweep."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style, self._document, self._playback = style, document, playback
        self._gesture = ValueGesture(document)
        self.sliders: dict[int, SweepSlider] = {}
        fill_background(self, "panel")
        self.setAccessibleName("Sliders")
        self.empty = EmptyState(style, NO_LEAF)
        self.more = plain_label(kind="secondary", wraps=True)
        page, rows = QWidget(), QWidget()
        self._rows = in_column(parent=rows, style=style, edges=PANEL_EDGES, gap=10)
        in_column(self.empty, rows, self.more, 1, parent=page, edges=0, gap=0)
        in_column(scroll_area(page), parent=self, edges=0)
        playback.shown.connect(self._refresh)

    def _refresh(self) -> None:
        """Show the values; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        graph = self._document.graph
        leaves = [(n, found) for n, found in graph.nodes.items() if isinstance(found, Leaf)]
        shown = dict(leaves[:MOST])
        for node in [*self.sliders]:
            if node not in shown:
                slider = self.sliders.pop(node)
                slider.stop()
                self._rows.removeWidget(slider)
                slider.deleteLater()
        for node, leaf in shown.items():
            if node not in self.sliders:
                self._add(node)
            slider, name = self.sliders[node], graph.brief(node)
            if slider.title.text() != name:
                slider.set_name(name)
            if slider.value() != leaf.value:
                slider.set_value(leaf.value)
        self.empty.setVisible(not leaves)
        self.more.setVisible(len(leaves) > MOST)
        self.more.setText(_MORE.format(count=len(leaves) - MOST))

    def _add(self, node: int) -> None:
        slider = SweepSlider(self._style)
        slider.value_changed.connect(self._set_value)
        slider.cancelled.connect(self._abandon)
        slider.refused.connect(self._document.refused)
        self.sliders[node] = slider
        self._rows.addWidget(slider)

    def _set_value(self, value: float, token: object) -> None:
        sender = self.sender()
        for node, slider in self.sliders.items():
            if slider is sender:
                self._gesture.set_value(node, value, token)
                return

    def _abandon(self, _token: object) -> None:
        self._gesture.abandon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for slider in self.sliders.values():
            slider.stop()
