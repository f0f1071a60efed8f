"""The leaves of the graph as chips: `a 2`; a click selects the leaf."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.kind import plain_tooltip
from app.controls.layouts import in_row, plain_label
from app.controls.painted_button import PaintedButton
from app.guard import guarded
from app.style.current import Style
from app.style.theme import mixed
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.graph import Graph

_MOST = 12
"""Chips at most, however wide the bar is."""
_LONGEST_NAME = 14
"""Characters of a leaf's name on its chip."""
_LONGEST_IN_TIP = 60
"""Characters of a leaf's name in its tooltip."""
_HEIGHT = 24
"""Height of a chip, in px at 100 %."""
_GAP = 4
"""Space between chips, in px at 100 %."""
_MORE = 30
"""Room for the number of the other leaves, in px at 100 %."""
_EDGE = 8
"""Space before the name and after the value, in px at 100 %."""
_BETWEEN = 6
"""Space between name and value, in px at 100 %."""
_RADIUS = 6
_HOVER = 0.14
"""Share of the colour of values in a chip under the pointer."""


class LeafChips(QWidget):
    """A row of as many leaves as fit, with the number of the others."""

    chosen = Signal(int)

    def __init__(self, style: Style, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._playback = playback
        self._room = 0
        self._told: tuple[Graph, Mapping[int, float]]
        """The graph and the values that the chips show."""
        self._chips: list[LeafChip] = []
        self._more = plain_label(kind="caption")
        self._row = in_row(self._more, parent=self, style=style, edges=0, gap=_GAP)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        playback.shown.connect(self._follow)
        style.changed.connect(self._refresh)
        self._refresh()

    def shown(self) -> list[str]:
        """Return the texts of the visible chips."""
        return [chip.text() for chip in self._chips if chip.isVisibleTo(self)]

    def chip(self, node: int) -> LeafChip | None:
        """Return the chip of a leaf."""
        return next((chip for chip in self._chips if chip.node == node), None)

    def set_room(self, width: int) -> None:
        """Set the maximum width."""
        if width != self._room:
            self._room = width
            self._fit()

    def _follow(self, shown: ViewState) -> None:
        """Show other leaves and values; the steps of a backward pass change none."""
        graph, values = shown.frame.graph, shown.frame.values
        if graph is not self._told[0] or values is not self._told[1]:
            self._refresh()

    def _refresh(self) -> None:
        frame = self._playback.frame
        self._told = frame.graph, frame.values
        leaves = frame.graph.leaves
        while len(self._chips) < min(len(leaves), _MOST):
            chip = LeafChip(self._style, self)
            chip.clicked.connect(self._choose)
            self._chips.append(chip)
            self._row.insertWidget(self._row.count() - 1, chip)
        for chip, node in zip(self._chips, leaves, strict=False):
            chip.set_leaf(node, frame.graph, frame.values.get(node))
        for chip in self._chips[len(leaves) :]:
            chip.node = None
        self._count = len(leaves)
        self._fit()

    def _fit(self) -> None:
        """Show the chips that fit, and count the others."""
        gap, used, shown = self._style.px(_GAP), self._style.px(_MORE), 0
        for chip in self._chips:
            wide = chip.minimumWidth() + gap
            fits = chip.node is not None and used + wide <= self._room
            used += wide if fits else self._room
            chip.setVisible(fits)
            shown += fits
        hidden = self._count - shown
        self._more.setText(f"+{hidden}" if shown else f"{hidden} leaves" if hidden > 1 else "")
        self._more.setVisible(hidden > 0 and (shown > 0 or hidden > 1))
        self.updateGeometry()

    def _choose(self) -> None:
        chip = self.sender()
        if isinstance(chip, LeafChip) and chip.node is not None:
            self.chosen.emit(chip.node)


@guarded
class LeafChip(PaintedButton):
    """One leaf: its label and its value."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(style, parent)
        self.node: int | None = None
        self._name = self._value = ""
        self._shown = ("", 0.0)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_leaf(self, node: int, graph: Graph, value: float | None) -> None:
        """Show a leaf with its value, or None if that is not known."""
        number = "–" if value is None else self._style.short(value)
        self.node = node
        spoken = f"Leaf {graph.title(node)}, value {number}"
        if (spoken, self._style.control_scale) != self._shown:
            self._shown = (spoken, self._style.control_scale)
            self._name, self._value = graph.brief(node, _LONGEST_NAME), number
            self.setText(f"{self._name} {number}")
            self.setAccessibleName(spoken)
            tip = f"Leaf {graph.brief(node, _LONGEST_IN_TIP)}: click to select it"
            self.setToolTip(plain_tooltip(tip))
            self.setFixedSize(self.sizeHint())
            self.update()

    def sizeHint(self) -> QSize:
        name = QFontMetricsF(self._style.font("interface strong"))
        wide = name.horizontalAdvance(self._name) + name.horizontalAdvance(self._value)
        return QSize(round(wide) + self._style.px(2 * _EDGE + _BETWEEN), self._style.px(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            fill = theme.value_tint
            if self.underMouse() or self.isDown():
                fill = mixed(fill, theme.value, _HOVER)
            outline = QPen(theme.selection, 2) if self.hasFocus() else QPen(Qt.PenStyle.NoPen)
            painter.setPen(outline)
            painter.setBrush(fill)
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(1, 1, -1, -1), px(_RADIUS), px(_RADIUS)
            )
            painter.setFont(self._style.font("interface strong"))
            metrics = QFontMetricsF(painter.font())
            base = (self.height() + metrics.ascent() - metrics.descent()) / 2
            painter.setPen(theme.text)
            painter.drawText(round(px(_EDGE)), round(base), self._name)
            painter.setPen(theme.value)
            left = px(_EDGE) + metrics.horizontalAdvance(self._name) + px(_BETWEEN)
            painter.drawText(round(left), round(base), self._value)
