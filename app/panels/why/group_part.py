"""The chain-rule panel's part for a group: what comes in, what goes on, what is inside."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, plain_text
from app.style.current import Style
from app.workbench.formulas import brief
from app.workbench.passing import Passing

MOST_ROWS = 8

Row = tuple[str, Sequence[Span]]


class GroupPart(QWidget):
    """Three short tables; the first is left out where the node above stands for it."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.heading = QLabel()
        self.arrives = Table(style, "Arrives at its outputs")
        self.passes = Table(style, "Passed on to its inputs")
        self.inside = Table(style, "Inside")
        self.words = QLabel()
        self._column = QVBoxLayout(self)
        for widget in (self.heading, self.arrives, self.passes, self.inside, self.words):
            self._column.addWidget(widget)
        for label, kind in ((self.heading, "heading"), (self.words, "secondary")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setProperty("kind", kind)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_group(self, found: Passing, alone: bool) -> None:
        """Show a group; `alone` when no node above speaks for its only output."""
        digits = self._style.digits
        self.heading.setText(f"Gradients through the group {brief(found.title or 'group')}")
        self.heading.setVisible(alone)
        outputs = found.outputs if alone else ()
        self.arrives.show_rows([found.gradient(n, digits) for n in outputs])
        self.passes.show_rows([found.passed(n, digits) for n in found.inputs])
        self.inside.show_rows([found.gradient(n, digits) for n in found.inner])
        self.words.setText(_words(found))

    def _restyle(self) -> None:
        px = self._style.px
        self._column.setContentsMargins(px(14), px(12), px(14), px(12))
        self._column.setSpacing(px(10))


class Table(QWidget):
    """A caption over rows of a name and a number; nothing is shown without rows."""

    def __init__(self, style: Style, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._rows: list[_Row] = []
        caption = QLabel(title)
        caption.setProperty("kind", "strong")
        self._more = QLabel()
        self._more.setProperty("kind", "caption")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(caption)
        self._column.addWidget(self._more)
        style.changed.connect(self._restyle)
        self._restyle()

    def texts(self) -> list[str]:
        """The rows as they are read."""
        return [row.text() for row in self._rows if row.isVisibleTo(self)]

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the first rows, and how many there are besides."""
        while len(self._rows) < min(len(rows), MOST_ROWS):
            self._rows.append(_Row(self._style))
            self._column.insertWidget(self._column.count() - 1, self._rows[-1])
        for k, row in enumerate(self._rows):
            row.setVisible(k < len(rows))
            if k < len(rows):
                row.show_row(*rows[k])
        self._more.setText(f"and {len(rows) - MOST_ROWS:,} more")
        self._more.setVisible(len(rows) > MOST_ROWS)
        self.setVisible(bool(rows))

    def _restyle(self) -> None:
        self._column.setSpacing(self._style.px(4))


class _Row(QWidget):
    """A name at the left, a number at the right."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._name = ElidedLabel(style)
        self._number = RichLine(style, font_role="number")
        self._number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._name)
        row.addWidget(self._number, 1)

    def text(self) -> str:
        return f"{self._name.text()} {self._number.text()}"

    def show_row(self, name: str, spans: Sequence[Span]) -> None:
        self._name.setText(name)
        self._number.set_spans(spans)
        self.setAccessibleName(f"{name}: {plain_text(spans)}")


def _words(found: Passing) -> str:
    """How to see more, and why there may be nothing."""
    if not found.outputs:
        return "Nothing outside reads this group, so no gradient comes into it."
    return "To see the sum of a single node, open the group (Ctrl+J) and select the node."
