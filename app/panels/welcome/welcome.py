"""The start page, shown in place of an empty canvas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QPushButton, QScrollArea, QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import Box, fill_background, in_column, in_row, plain_label, scroll_area
from app.guard import guarded
from app.panels.welcome.cards import Examples, RecentFiles
from app.panels.welcome.formula_box import FormulaBox
from app.style.current import Style

TITLE, AGAIN = "See a gradient flow back", "Welcome back"
LEAD = "Wire an expression, run it forward, then walk the gradient back one contribution at a time."
_SIDE = 392
"""Width of the side with title and recent files, in px at 100 %."""
_SIDE_EDGES = (28, 30, 28, 24)
_MAIN_EDGES = (32, 24, 32, 24)
"""Left, upper, right and lower margin, in px at 100 %."""
_NARROW = 900
"""Width below which the recent files stand in the main column, in px at 100 %."""
_NARROW_FORMULA, _LOW = 560, 520
"""Width below which the preview stands below the formula, and height below which it is left out
there, in px at 100 %."""


@guarded
class Welcome(QWidget):
    """A formula field, examples, recent files, and an empty canvas to begin with."""

    example_chosen = Signal(str)
    file_chosen = Signal(str)
    open_wanted = Signal()
    expression_entered = Signal(str)
    empty_chosen = Signal()

    def __init__(
        self, style: Style, recent: Sequence[Path] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._narrow = False
        fill_background(self, "canvas")
        self.setAccessibleName("Start page")
        self.title = plain_label(TITLE, "title", wraps=True)
        self.formula = FormulaBox(style)
        self.examples = Examples(style)
        self.recent = RecentFiles(style)
        self.empty_button = IconButton(
            style, "plus", "A blank canvas at 100 %", "Ctrl+N", text="Empty canvas"
        )
        self.empty_button.set_kind("quiet")
        self._side_column, self._side = self._side_part()
        self._main_column, self._main = self._main_part()
        in_row(self._side, (self._main, 1), parent=self, edges=0, gap=0)
        self.formula.entered.connect(self.expression_entered)
        self.recent.open_wanted.connect(self.open_wanted)
        self.recent.chosen.connect(self.file_chosen)
        self.empty_button.clicked.connect(self.empty_chosen)
        self.examples.chosen.connect(self.example_chosen)
        style.changed.connect(self._fit)
        self.set_recent(recent)

    def set_recent(self, paths: Sequence[Path]) -> None:
        """List these files, newest first."""
        self.recent.set_files(paths)
        self.title.setText(AGAIN if self.recent.cards else TITLE)
        self._fit()

    def _side_part(self) -> tuple[Box, QScrollArea]:
        side = QWidget()
        fill_background(side, "panel")
        lead = plain_label(LEAD, "secondary", wraps=True)
        parts = (self.title, lead, self.recent, 1)
        column = in_column(*parts, parent=side, style=self._style, edges=_SIDE_EDGES, gap=12)
        column.insertSpacing(2, 12)
        return column, scroll_area(side)

    def _main_part(self) -> tuple[Box, QScrollArea]:
        main = QWidget()
        column = in_column(
            _head("Paste an expression", "a formula, or assignments with the root last"),
            self.formula,
            _head("Examples", "each is small and makes one point", self.empty_button),
            self.examples,
            1,
            parent=main,
            style=self._style,
            edges=_MAIN_EDGES,
            gap=12,
        )
        return column, scroll_area(main)

    def _fit(self) -> None:
        """Divide the room; in a narrow window the recent files follow the formula."""
        px = self._style.px
        self._put_recent(self.width() < px(_NARROW))
        self._side.setFixedWidth(px(_SIDE))
        room = self.width() - (0 if self._narrow else px(_SIDE)) - px(64)
        self.formula.set_narrow(room < px(_NARROW_FORMULA), self.height() < px(_LOW))
        self.recent.fit(2 if self._narrow else 1, self._below(self.recent))
        self.examples.fit(room, self._below(self.examples))

    def _put_recent(self, narrow: bool) -> None:
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self._side.setVisible(not narrow)
        if narrow:
            self._main_column.insertWidget(2, self.recent)
        else:
            self._side_column.insertWidget(3, self.recent)

    def _below(self, widget: QWidget) -> int:
        """Return the height from the top of a widget to the lower margin of the window, in px."""
        page, margin = widget.parentWidget(), self._style.px(_SIDE_EDGES[3])
        for column in (self.layout(), self._side_column, self._main_column):
            if column is not None:
                column.activate()
        top = 0 if page is None else widget.mapTo(page, QPoint(0, 0)).y()
        return self.height() - top - margin

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self.formula.focus()


def _head(title: str, note: str, *buttons: QPushButton) -> QLayout:
    words = plain_label(note, "caption", wraps=True)
    return in_row(plain_label(title, "heading"), (words, 1), *buttons)
