"""The number of a leaf or constant, with its name and readers, or a slider for each leaf."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.sweep_slider import SweepSlider
from app.controls.value_slider import ValueSlider
from app.document.document import Document, ValueGesture
from app.guard import guarded
from app.style.current import Style
from app.workbench.gradients.formulas import enumerated
from engine.graph import Constant, Graph, Leaf

_MOST_READERS = 3


@guarded
class ValuePart(QWidget):
    """Edits one number; a drag is one step of the document."""

    ripple_wanted = Signal(object)

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._node: int | None = None
        self._gesture = ValueGesture(document)
        self.name = plain_label(kind="heading")
        self.kind = plain_label(kind="caption")
        self.readers = ElidedLabel(style, kind="caption")
        self.readers.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.slider = ValueSlider(style)
        self.ripple = QPushButton("Ripple")
        hint = plain_label("raise it a little, and look (N)", "caption")
        self._ripple_row = QWidget()
        in_row(self.ripple, (hint, 1), parent=self._ripple_row, style=style, edges=0, gap=10)
        in_column(
            in_row(self.name, self.kind, (self.readers, 1), gap=8),
            in_row(plain_label("data", "secondary"), (self.slider, 1), gap=10),
            self._ripple_row,
            parent=self,
            style=style,
            edges=0,
            gap=8,
        )
        self.slider.value_changed.connect(self._set_value)
        self.slider.gesture_ended.connect(self._gesture.end)
        self.slider.cancelled.connect(self._gesture.abandon)
        self.slider.refused.connect(document.refused)
        self.ripple.clicked.connect(lambda: self.ripple_wanted.emit(self._node))

    @property
    def field(self) -> QWidget:
        """Return the widget focused first."""
        return self.slider

    def show_node(self, node: int, found: Leaf | Constant, graph: Graph, *, asks: bool) -> None:
        """Show a leaf or a constant; the ripple is disabled while it would give an answer away."""
        self._node = node
        name, leaf = graph.brief(node), isinstance(found, Leaf)
        self.name.setText(name)
        self.kind.setText("leaf" if leaf else "constant")
        readers = [
            graph.brief(n) for n in dict.fromkeys(to for to, _slot in graph.outgoing.get(node, ()))
        ]
        if len(readers) > _MOST_READERS:
            readers = [*readers[:_MOST_READERS], f"{len(readers) - _MOST_READERS:,} more"]
        self.readers.setText(f"read by {enumerated(readers)}" if readers else "read by nothing")
        self.slider.set_name(name)
        if self.slider.value() != found.value:
            self.slider.set_value(found.value)
        self._ripple_row.setVisible(leaf)
        self.ripple.setEnabled(not asks)

    def _set_value(self, value: float, token: object) -> None:
        if self._node is not None:
            self._gesture.set_value(self._node, value, token)


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
        slider.value_changed.connect(partial(self._gesture.set_value, node))
        slider.gesture_ended.connect(self._gesture.end)
        slider.cancelled.connect(self._gesture.abandon)
        slider.refused.connect(self._document.refused)
        self.sliders[node] = slider
        self._rows.addWidget(slider)
        slider.show()  # the layout would later, but the keyboard may go there now
