"""Rows, columns, two sides, labels and scroll areas, and the `kind` by which the style sheet
selects them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QLayout, QPushButton, QScrollArea, QWidget

from app.guard import exception_safe
from app.style.current import Style


def set_kind(widget: QWidget, kind: str, name: str = "kind") -> None:
    """Set a property that the style sheet selects by (`kind="primary"`), and restyle at once.

    `name` is that of another property, such as `only`.
    """
    if widget.property(name) == kind:
        return
    widget.setProperty(name, kind)
    if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return  # Qt polishes it before it is first shown or measured
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def set_valid(widget: QWidget, valid: bool) -> None:
    """Mark an input as valid, or as one whose text can't be used: the style sheet makes it red."""
    set_kind(widget, "true" if valid else "false", name="valid")


def plain_tooltip(text: str) -> str:
    """Return a tooltip that shows the text verbatim, even if it looks like HTML."""
    rich_text = QtGui.Qt  # QtCore's Qt lacks these two
    return rich_text.convertFromPlainText(text) if rich_text.mightBeRichText(text) else text


Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
"""A widget or a layout, optionally with its stretch or alignment; a number is empty stretch."""
Edges = float | tuple[float, float, float, float]
"""Margins: the same all round, or left, top, right, bottom."""


class Box(QBoxLayout):
    """A row or column. With a style its edges and gap are px at 100 % and follow the scale.

    Where `edges` or `gap` is None they are those that Qt gives to such a layout.
    """

    def __init__(
        self,
        direction: QBoxLayout.Direction,
        parts: tuple[Part, ...],
        parent: QWidget | None,
        style: Style | None,
        edges: Edges | None,
        gap: float | None,
    ) -> None:
        super().__init__(direction, parent)
        self._style, self._edges, self._gap = style, edges, gap
        for part in parts:
            self.add(part)
        self._restyle()
        if style is not None:
            style.changed.connect(self._restyle)

    def add(self, part: Part) -> None:
        """Add a part at the end."""
        if isinstance(part, int):
            self.addStretch(part)
            return
        item, option = part if isinstance(part, tuple) else (part, 0)
        aligned = isinstance(option, Qt.AlignmentFlag)
        if isinstance(item, QLayout):
            self.addLayout(item, 0 if aligned else option)
        else:
            self.addWidget(item, 0 if aligned else option)
        if aligned:
            self.setAlignment(item, option)

    def _restyle(self) -> None:
        scale = 1.0 if self._style is None else self._style.control_scale
        if self._edges is not None:
            edges = self._edges if isinstance(self._edges, tuple) else (self._edges,) * 4
            self.setContentsMargins(*(round(edge * scale) for edge in edges))
        if self._gap is not None:
            self.setSpacing(round(self._gap * scale))


def in_row(
    *parts: Part,
    parent: QWidget | None = None,
    style: Style | None = None,
    edges: Edges | None = 0,
    gap: float | None = None,
) -> Box:
    """Return a horizontal layout."""
    return Box(QBoxLayout.Direction.LeftToRight, parts, parent, style, edges, gap)


def in_column(
    *parts: Part,
    parent: QWidget | None = None,
    style: Style | None = None,
    edges: Edges | None = 0,
    gap: float | None = None,
) -> Box:
    """Return a vertical layout."""
    return Box(QBoxLayout.Direction.TopToBottom, parts, parent, style, edges, gap)


def plain_label(
    text: str = "", kind: str = "", wraps: bool = False, parent: QWidget | None = None
) -> QLabel:
    """Return a label that never takes its text for HTML."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", kind)
    label.setWordWrap(wraps)
    return label


def show_text(label: QLabel | QPushButton, text: str) -> None:
    """Show a text on a label or a button, which is hidden without one."""
    label.setText(text)
    label.setVisible(bool(text))


def scroll_area(page: QWidget, fills_background: bool = True) -> QScrollArea:
    """Return a frameless area that scrolls a page vertically, with or without a background."""
    area = QScrollArea()
    if not fills_background:
        area.setViewport(QWidget())  # reading Qt's own makes PySide prepare all its widget classes
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    page.setAutoFillBackground(False)  # after setWidget, which turns it on
    return area


def fill_background(widget: QWidget, kind: str) -> None:
    """Let the style sheet paint the background of a widget of its own class."""
    widget.setProperty("kind", kind)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def rule(kind: str = "rule", parent: QWidget | None = None) -> QFrame:
    """Return a line between parts, or with the kind "divider" between larger ones."""
    line = QFrame(parent)
    line.setProperty("kind", kind)
    return line


Row = TypeVar("Row", bound=QWidget)


class RowsOnDemand(Generic[Row]):
    """A pool of row widgets, made when first needed and hidden while not needed.

    `make` returns a new row, `add` puts it below the others.
    """

    def __init__(self, make: Callable[[], Row], add: Callable[[Row], object]) -> None:
        self._make, self._add = make, add
        self._rows: list[Row] = []

    def __getitem__(self, index: int) -> Row:
        return self._rows[index]

    @property
    def shown(self) -> list[Row]:
        """Return the rows that are not hidden, from top to bottom."""
        return [row for row in self._rows if not row.isHidden()]

    def show(self, count: int) -> Sequence[Row]:
        """Show that number of rows, and return them to be filled."""
        while len(self._rows) < count:
            row = self._make()
            self._rows.append(row)
            self._add(row)
        for index, row in enumerate(self._rows):
            if row.isHidden() != (index >= count):  # a change costs a layout
                row.setHidden(index >= count)
        return self._rows[:count]


@exception_safe
class ElidedLabel(QLabel):
    """A label that can shrink to two characters; `kind` is that of the style sheet."""

    def __init__(
        self,
        style: Style,
        text: str = "",
        kind: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", kind)
        self.setText(text)
        style.changed.connect(self.updateGeometry)

    def shown_text(self) -> str:
        """Return the text as elided to the current width."""
        line = self.text().replace("\n", " ")
        return self.fontMetrics().elidedText(line, self._mode, self.contentsRect().width())

    def setText(self, text: str) -> None:
        super().setText(text)
        self._update_tooltip()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            flags = int(self.alignment()) | Qt.TextFlag.TextSingleLine
            painter.drawText(self.contentsRect(), flags, self.shown_text())

    def _update_tooltip(self) -> None:
        full_text = self.text()
        self.setToolTip("" if self.shown_text() == full_text else plain_tooltip(full_text))


@exception_safe
class TwoSides(QWidget):
    """Two parts next to each other; on a narrow page the side is above or below the main part.

    The widget of the main part with the keyboard focus stays in view when the layout changes; one
    that `focus_at_top` has focused does not move the page away from its headline.
    """

    def __init__(self, main: QWidget, side: QWidget, *, side_above: bool) -> None:
        super().__init__()
        self.is_narrow = False
        self._side, self._side_index = side, 0 if side_above else 1
        self._focused_at_top: QWidget | None = None
        self._seen: QWidget = self
        page = QWidget()
        for resized in (page, self):  # the page of a lower window need not change
            resized.installEventFilter(self)
        self._column = in_column(main, 1, parent=page, gap=0)
        self.main_area, self._side_area = scroll_area(page), scroll_area(side)
        fill_background(self._side_area, "canvas")  # also under its scroll bar
        for area in (self.main_area, self._side_area):
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._divider = rule("divider")
        self._divider.setFixedWidth(1)
        in_row((self.main_area, 1), self._divider, self._side_area, parent=self, gap=0)

    def focus_at_top(self, widget: QWidget, seen: QWidget) -> None:
        """Focus a widget, and scroll to the top, or as far down as shows `seen` whole."""
        self._focused_at_top, self._seen = widget, seen
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self._keep_focus_in_view()

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

    def _keep_focus_in_view(self) -> None:
        focused = self.focusWidget() or self  # Qt returns None where nothing has been focused
        if focused is self._focused_at_top:
            self.main_area.verticalScrollBar().setValue(0)
            self.main_area.ensureWidgetVisible(self._seen, 0, 0)
        elif self.main_area.isAncestorOf(focused):
            self.main_area.ensureWidgetVisible(focused)
        # until the page has shrunk with the window it is too wide
        self.main_area.horizontalScrollBar().setValue(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the focused widget back into view after the page has got another size."""
        if event.type() == QEvent.Type.Resize:
            self._keep_focus_in_view()
        return super().eventFilter(watched, event)
