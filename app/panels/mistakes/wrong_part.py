"""Which nodes a mistake makes wrong and why, and what finite differences say of the leaves."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.controls.keys import PressedByEnter
from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.style.current import Style
from app.workbench.gradients.comparison import Comparison
from app.workbench.study.lab import Judged, WrongNode, referee, wrong_nodes
from engine.frame import Frame
from engine.numbers import Digits

MOST = 12
"""Wrong nodes that are listed."""


class WrongPart(QWidget):
    """A row per wrong node: its name, `25 → 1`, and why it is wrong here."""

    node_chosen = Signal(int)

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._rows: list[_Row] = []
        self.first = plain_label(kind="caption")
        self.more = plain_label(kind="caption")
        self._column = in_column(
            in_row((plain_label("Why it is wrong here", "strong"), 1), self.first),
            parent=self,
            style=style,
            edges=PANEL_EDGES,
            gap=8,
        )

    def texts(self) -> list[str]:
        """Return the rows as they are read aloud."""
        return [row.accessibleName() for row in self._rows if not row.isHidden()]

    def show_wrong(self, frame: Frame, beside: Comparison | None, digits: Digits) -> None:
        """Show the nodes that are wrong by now."""
        found = list(wrong_nodes(frame, beside, digits))
        self.setVisible(bool(found))
        first = None if beside is None else beside.first
        self.first.setText("" if first is None else f"first at step {first:,}")
        while len(self._rows) < min(len(found), MOST):
            row = _Row(self._style)
            row.chosen.connect(self.node_chosen)
            self._rows.append(row)
            self._column.removeWidget(self.more)
            self._column.addWidget(row)
            self._column.addWidget(self.more)
        for row, wrong in zip(self._rows, found, strict=False):
            row.show_node(wrong)
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(found))
        self.more.setText(f"{len(found) - MOST:,} more" if len(found) > MOST else "")
        self.more.setVisible(len(found) > MOST)


class _Row(QWidget):
    chosen = Signal(int)

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._node = -1
        self._name = QPushButton()
        self._name.setProperty("kind", "link")
        PressedByEnter(self._name)
        self._change = RichLine(style, font_role="interface", wrap=False)
        self._why = plain_label(kind="secondary", wraps=True)
        head = in_row(self._name, self._change, 1, style=style, edges=0, gap=6)
        in_column(head, self._why, parent=self, style=style, edges=0, gap=2)
        self._name.clicked.connect(lambda: self.chosen.emit(self._node))

    def show_node(self, wrong: WrongNode) -> None:
        """Show one node."""
        self._node = wrong.node
        self._name.setText(wrong.name.replace("&", "&&"))
        self._name.setAccessibleName(f"Show {wrong.name}")
        self._change.set_spans(wrong.change)
        self._why.setText(wrong.why)
        self._why.setVisible(bool(wrong.why))
        said = f"{wrong.name}: {wrong.found}, right would be {wrong.right}. {wrong.why}"
        self.setAccessibleName(said.rstrip())


class RefereePart(QWidget):
    """A small table: leaf, numerical gradient, that of the correct pass, that of the mistake."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._shown: tuple[Judged, ...] = ()
        self._of: tuple[Frame, Comparison] | None = None
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        note = plain_label("knows no chain rule", "caption")
        head = in_row((plain_label("Referee", "strong"), 1), note)
        in_column(head, self._grid, parent=self, style=style, edges=PANEL_EDGES, gap=8)

    def texts(self) -> list[str]:
        """Return the rows as text."""
        return [f"{j.name} {j.numerical} {j.correct} {j.wrong}" for j in self._shown]

    def show_referee(self, frame: Frame, beside: Comparison | None) -> None:
        """Let finite differences judge the leaves once a wrong pass is over."""
        known = self._of
        if beside is not None and known is not None and known == (frame, beside):
            return
        self._of = None if beside is None else (frame, beside)
        found = tuple(referee(frame, beside))
        self.setVisible(bool(found))
        if found != self._shown:
            self._shown = found
            self._fill()

    def _fill(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for column, text in enumerate(("leaf", "numerical", "correct", "mistake")):
            self._put(0, column, plain_label(text, "caption"))
        for row, judged in enumerate(self._shown, 1):
            self._put(row, 0, plain_label(judged.name, "strong"))
            self._put(row, 1, plain_label(judged.numerical, "strong"))
            self._put(row, 2, plain_label(f"{judged.correct} ✓", "gradient"))
            wrong = plain_label(f"{judged.wrong} {'✓' if judged.agrees else '✗'}")
            wrong.setProperty("kind", "gradient" if judged.agrees else "error")
            self._put(row, 3, wrong)
        self._grid.setColumnStretch(1, 1)

    def _put(self, row: int, column: int, label: QLabel) -> None:
        right, centre = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter
        align = centre if not column else right | centre
        self._grid.addWidget(label, row, column, align)
