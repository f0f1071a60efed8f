"""SideStrip: the tabs of the side panel alone, where the sheet needs the width."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.controls.layouts import fill_background
from app.controls.painted_button import PaintedButton
from app.controls.tab_order import visit_after
from app.guard import guarded
from app.style import sizes
from app.style.current import Style

_PADDING = 14
"""Space before and after the text of a tab in the strip, in px at 100 %."""


@guarded
class StripTab(PaintedButton):
    """A tab whose text runs from top to bottom."""

    def __init__(self, style: Style, text: str, parent: QWidget) -> None:
        super().__init__(style, parent)
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setToolTip(f"Show {text} over the sheet")

    def sizeHint(self) -> QSize:
        font = self._style.font("interface strong")
        long = QFontMetricsF(font).horizontalAdvance(self.text()) + 2 * self._style.px(_PADDING)
        return QSize(self._style.px(sizes.DOCK_TABS), round(long))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, shown = self._style.theme, self.isChecked()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if shown or self.hasFocus():
                line = theme.line if shown else theme.panel
                self.paint_box(painter, theme.panel, line, sizes.RADIUS_BUTTON)
            painter.setFont(self._style.font("interface strong" if shown else "interface"))
            painter.setPen(theme.text if shown or self.underMouse() else theme.secondary)
            painter.translate(self.width(), 0)
            painter.rotate(90)
            box = QRectF(QPointF(0, 0), self.size().transposed().toSizeF())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())


@guarded
class SideStrip(QWidget):
    """The tabs of the side panel below one another; `chosen` carries the place of a clicked one."""

    chosen = Signal(int)

    def __init__(self, style: Style, titles: Sequence[str]) -> None:
        super().__init__()
        self._style = style
        fill_background(self, "quiet")
        self.setAccessibleName("Side panel")
        self._titles = tuple(titles)
        self._shown = [True] * len(titles)
        self._open: int | None = None
        style.changed.connect(self._restyle)
        self._restyle()

    @cached_property
    def _tabs(self) -> tuple[StripTab, ...]:
        """The tabs, made when the strip is first shown."""
        tabs = tuple(StripTab(self._style, title, self) for title in self._titles)
        for place, tab in enumerate(tabs):
            tab.clicked.connect(partial(self.chosen.emit, place))
        visit_after(self, tabs)
        return tabs

    def tab(self, place: int) -> StripTab:
        """Return a tab."""
        return self._tabs[place]

    def show_open(self, place: int | None) -> None:
        """Mark the tab whose panel is open, if any."""
        self._open = place
        self._refresh()

    def show_tabs(self, shown: Sequence[bool]) -> None:
        """Show some of the tabs, in their places."""
        self._shown = [*shown]
        self._refresh()

    def _restyle(self) -> None:
        self.setFixedWidth(self._style.px(sizes.DOCK_TABS))
        self._refresh()

    def _refresh(self) -> None:
        if self.isHidden():
            return
        for k, (tab, wanted) in enumerate(zip(self._tabs, self._shown, strict=True)):
            tab.setVisible(wanted)
            tab.setChecked(k == self._open)
        self._lay_out()

    def _lay_out(self) -> None:
        """Place the tabs at their length, shorter ones if the strip is too low."""
        gap = self._style.px(sizes.SPACES[0])
        top, wide = gap, self.width()
        tabs = [tab for tab in self._tabs if not tab.isHidden()]
        room = self.height() - gap * (len(tabs) + 1)
        wanted = [tab.sizeHint().height() for tab in tabs]
        share = min(1.0, room / max(sum(wanted), 1))
        for tab, length in zip(tabs, wanted, strict=True):
            high = round(length * share)
            tab.setGeometry(0, top, wide, high)
            top += high + gap

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()
