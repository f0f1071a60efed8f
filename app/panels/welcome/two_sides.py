"""TwoSides: a scrolling main part with a scrolling side part, in one column where it is narrow.

The page that holds it, the start page or the result of the final test, says when it is narrow.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.layouts import fill_background, in_column, in_row, scroll_area
from app.guard import guarded


@guarded
class TwoSides(QWidget):
    """Two parts next to each other; on a narrow page the side is above or below the main part.

    The widget of the main part with the keyboard focus stays in view when the layout changes.
    """

    def __init__(self, main: QWidget, side: QWidget, *, side_above: bool) -> None:
        super().__init__()
        self.is_narrow = False
        self._side, self._side_index = side, 0 if side_above else 1
        page = QWidget()
        page.installEventFilter(self)
        self._column = in_column(main, 1, parent=page, edges=0, gap=0)
        self.main_area, self._side_area = scroll_area(page), scroll_area(side)
        fill_background(self._side_area, "canvas")  # also under its scroll bar
        for area in (self.main_area, self._side_area):
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._divider = QFrame()
        self._divider.setProperty("kind", "divider")
        self._divider.setFixedWidth(1)
        in_row((self.main_area, 1), self._divider, self._side_area, parent=self, edges=0, gap=0)

    def set_side_width(self, width: int) -> None:
        """Set the width of the side part, in px, where it is next to the main one."""
        self._side_area.setFixedWidth(width)

    def set_narrow(self, narrow: bool) -> None:
        """Show the parts in one column, or next to each other."""
        if narrow == self.is_narrow:
            return
        self.is_narrow = narrow
        self._side_area.setVisible(not narrow)
        self._divider.setVisible(not narrow)
        if narrow:
            self._side_area.takeWidget()
            self._column.insertWidget(self._side_index, self._side)
            self._side.show()
        else:
            self._column.removeWidget(self._side)
            self._side_area.setWidget(self._side)
            self._side.setAutoFillBackground(False)  # setWidget turned it on

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the focused widget back into view after the page has got another size."""
        focused = self.focusWidget() or self  # Qt returns None where nothing has been focused
        if event.type() == QEvent.Type.Resize and self.main_area.isAncestorOf(focused):
            self.main_area.ensureWidgetVisible(focused)
        return super().eventFilter(watched, event)
