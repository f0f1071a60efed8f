"""SlidersPart: one slider per leaf, in the order of the leaves."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.controls.layouts import in_column, plain_label
from app.controls.sweep_slider import SweepSlider
from app.document.document import Document
from app.document.value_gesture import ValueGesture
from app.style.current import Style
from engine.graph import Graph, Leaf

MOST = 200
"""Leaves that get a slider; each costs a millisecond when the panel is filled."""
_MORE = "{count:,} more leaves have no slider here; select one to change it."


class SlidersPart(QWidget):
    """Shows the values of all leaves; a drag is one undo step, and so is a sweep."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style, self._document = style, document
        self._gesture = ValueGesture(document)
        self.sliders: dict[int, SweepSlider] = {}
        self.more = plain_label(kind="secondary", wraps=True)
        rows = QWidget()
        self._rows = in_column(parent=rows, style=style, edges=0, gap=10)
        in_column(rows, self.more, parent=self, edges=0, gap=8)

    def show_leaves(self, graph: Graph) -> None:
        """Show the values of the leaves."""
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
        self.more.setVisible(len(leaves) > MOST)
        self.more.setText(_MORE.format(count=len(leaves) - MOST))

    def stop(self) -> None:
        """Stop every sweep where it is."""
        for slider in self.sliders.values():
            slider.stop()

    def _add(self, node: int) -> None:
        slider = SweepSlider(self._style)
        slider.value_changed.connect(self._set_value)
        slider.gesture_ended.connect(self._release)
        slider.cancelled.connect(self._abandon)
        slider.refused.connect(self._document.refused)
        self.sliders[node] = slider
        self._rows.addWidget(slider)
        slider.show()  # the layout would later, but the keyboard may go there now

    def _set_value(self, value: float, token: object) -> None:
        sender = self.sender()
        for node, slider in self.sliders.items():
            if slider is sender:
                self._gesture.set_value(node, value, token)
                return

    def _release(self, _token: object) -> None:
        self._gesture.end()

    def _abandon(self, _token: object) -> None:
        self._gesture.abandon()
