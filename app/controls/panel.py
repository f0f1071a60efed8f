"""Panel, Page and Block: the base classes of every page of the right bar.

A `Page` scrolls its blocks; its foot stays below them. A `Block` has a line above it, a heading
that collapses it, and a note at the right end of the heading. An `EmptyState` fills an empty page.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import (
    QEvent,
    QObject,
    QRect,
    QRectF,
    QSignalBlocker,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QPushButton, QScrollBar, QSizePolicy, QWidget

from app.controls.layouts import (
    Box,
    ElidedLabel,
    Part,
    fill_background,
    in_column,
    in_row,
    plain_label,
    rule,
    scroll_area,
    show_text,
)
from app.controls.painted_buttons import PaintedButton
from app.controls.row_list import OUTSET, RowList
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon

GAP = 8
"""Space between the parts of a block, in px at 100 %."""
_BLOCK_EDGES, _HEADING_GAP = (0, 6, 0, 9), 2
"""Space around a block, and between its heading and its body, in px at 100 %."""
_TIGHT_EDGES, _TIGHT_GAP = (0, 5, 0, 8), 3
"""The same of a tight block, where the gap is also that between its parts."""
_FOOT_HEIGHT = 44
"""Height of the foot, in px at 100 %."""
_HEADING_HEIGHT = 26
"""Height of the heading of a block, in px at 100 %."""
_ARROW_COLUMN, _ARROW_SIZE = 18, 12
"""Space for the arrow that collapses a block, and its side, in px at 100 %."""
_BAR_NARROWING = 2
"""By how much the bar of a page is thinner than others, not to cover rows, in px at 100 %."""
_REVEAL_MARGIN = 12
"""Space left around a part that is scrolled to, in px."""


@exception_safe
class Panel(QWidget):
    """A widget that is refreshed only while visible: after a followed signal, when it is shown, and
    after a change of style.
    """

    def __init__(self, style: Style, name: str) -> None:
        """`name` is its accessible name."""
        super().__init__()
        self._style = style
        fill_background(self, "panel")
        self.setAccessibleName(name)

    def follow(self, *signals: SignalInstance) -> None:
        """Refresh after each of these signals, and after a change of style."""
        for signal in (*signals, self._style.changed):
            signal.connect(self.refresh_if_visible)

    def refresh(self) -> None:
        """Show the current state."""

    def refresh_if_visible(self) -> None:
        """Refresh now; a hidden panel does when it is shown."""
        if self.isVisible():
            self.refresh()

    def announce(self, sentence: str) -> None:
        """Have a screen reader say a sentence once."""
        if sentence and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()


@exception_safe
class Page(Panel):
    """A page of the right bar: blocks that scroll, above a foot that stays."""

    left = Signal()
    """Emitted when the keyboard focus may return to the sheet."""
    block_collapsed = Signal(str, bool)
    """Emitted with the key of a block that the user has collapsed or expanded."""

    def __init__(self, style: Style, name: str) -> None:
        super().__init__(style, name)
        self._content = QWidget()
        self._column = in_column(parent=self._content, gap=0)
        self.area = scroll_area(self._content)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._foot = QWidget()
        self._foot.hide()
        self._foot_line = rule()
        self._foot_line.hide()
        in_column((self.area, 1), self._foot_line, self._foot, parent=self, gap=0)
        _OverlayBar(style, self)

    def add(self, *parts: Part) -> None:
        """Add blocks below one another; the line above the first visible one is hidden."""
        for part in parts:
            self._column.add(part)
            if isinstance(part, Block):
                part.collapsed_by_user.connect(self.block_collapsed)
                part.shown_or_hidden.connect(self._update_lines)
        self._update_lines()

    def insert_after(self, before: QWidget, part: QWidget) -> None:
        """Add a part below another one, which is made late."""
        self._column.insertWidget(self._column.indexOf(before) + 1, part)

    def set_foot(self, *parts: Part) -> None:
        """Add buttons to the foot, at its left end unless they share its width by stretch."""
        edges = (sizes.PAGE_EDGE, 5, sizes.PAGE_EDGE, 6)
        has_stretch = any(isinstance(part, tuple) for part in parts)
        filler = () if has_stretch else (1,)
        in_row(*parts, *filler, parent=self._foot, style=self._style, edges=edges, gap=GAP)
        self._style.run_now_and_on_change(self._fit_foot)
        self.show_foot(True)

    def show_foot(self, shown: bool) -> None:
        self._foot.setVisible(shown)
        self._foot_line.setVisible(shown)

    def blocks(self) -> list[Block]:
        """Return the blocks of the page, hidden ones too."""
        return self._content.findChildren(Block)

    def first_field(self) -> QWidget | None:
        """Return the widget focused when the page is opened by keys."""
        return first_focusable(self._content)

    def reveal(self, part: QWidget) -> None:
        """Scroll a part of the page into view."""
        self.area.ensureWidgetVisible(part, 0, _REVEAL_MARGIN)

    def reveal_row(self, rows: QWidget, rect: QRect) -> None:
        """Scroll a row of a list into view; `rect` is in px of the list."""
        middle = rows.mapTo(self._content, rect.center())
        self.area.ensureVisible(0, middle.y(), 0, rect.height() // 2 + 1)

    def _fit_foot(self) -> None:
        self._foot.setFixedHeight(self._style.px(_FOOT_HEIGHT))

    def _update_lines(self) -> None:
        """Hide the line above the first visible part."""
        is_first = True
        for k in range(self._column.count()):
            item = self._column.itemAt(k)
            widget = None if item is None else item.widget()
            if widget is None or widget.isHidden():
                continue
            if isinstance(widget, Block):
                widget.set_line(not is_first)
            is_first = False


@exception_safe
class _OverlayBar(QScrollBar):
    """A scroll bar in the margin of a page, over its content: no text moves when it appears."""

    def __init__(self, style: Style, page: Page) -> None:
        super().__init__(Qt.Orientation.Vertical, page.area)
        self._style = style
        self._bar = page.area.verticalScrollBar()  # the one of the area, which is never shown
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._bar.rangeChanged.connect(self._follow)
        self._bar.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._bar.setValue)
        page.area.installEventFilter(self)
        self.hide()

    def _follow(self) -> None:
        """Take over range and value of the hidden bar of the area."""
        bar = self._bar
        with QSignalBlocker(self):
            self.setRange(bar.minimum(), bar.maximum())
            self.setPageStep(bar.pageStep())
            self.setSingleStep(bar.singleStep())
            self.setValue(bar.value())
        self.setVisible(bar.maximum() > bar.minimum())
        self._place()

    def _place(self) -> None:
        area, width = self.parentWidget(), self.sizeHint().width() - self._style.px(_BAR_NARROWING)
        if area is not None:
            self.setGeometry(area.width() - width, 0, width, area.height())
            self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._follow()
        return super().eventFilter(watched, event)


@exception_safe
class Block(QWidget):
    """A part of a page with a heading; with a `key` the heading collapses it."""

    collapsed_by_user = Signal(str, bool)
    """Emitted with the key and whether it is collapsed now."""
    shown_or_hidden = Signal()
    """Emitted when the whole block appears or disappears, not when it is collapsed."""
    expanded = Signal()
    """Emitted when its body appears, by the user or by the program."""
    fold_changed = Signal()
    """Emitted after the block was collapsed or expanded, by the user or by the program."""

    def __init__(
        self,
        style: Style,
        title: str = "",
        *parts: Part,
        key: str = "",
        collapsed: bool = False,
        note: str = "",
        tight: bool = False,
    ) -> None:
        """A `tight` block has little space around its heading and its body."""
        super().__init__()
        self._style, self.key = style, key
        self.collapsed = False
        """Whether only its heading is shown."""
        edges, gap = (_TIGHT_EDGES, _TIGHT_GAP) if tight else (_BLOCK_EDGES, GAP)
        below_head = _TIGHT_GAP if tight else _HEADING_GAP
        self._line = rule()
        self.head = _Heading(style, title, collapsible=bool(key))
        self.note = ElidedLabel(style, note, kind="caption")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.body = QWidget()
        self._column = in_column(parent=self.body, style=style, gap=gap)
        self.add(*parts)
        head = QWidget()
        sides = (sizes.PAGE_EDGE, 0, sizes.PAGE_EDGE, 0)
        self._heading_layout = in_row(
            self.head, (self.note, 1), parent=head, style=style, edges=sides, gap=GAP
        )
        self._heading_row = head
        inner = QWidget()
        rows = (head, (self.body, 1))
        self._inner = in_column(*rows, parent=inner, style=style, edges=edges, gap=below_head)
        in_column(self._line, inner, parent=self, gap=0)
        if not title:
            head.hide()
        self.setAccessibleName(title)
        self.head.clicked.connect(self._toggle)
        self.set_collapsed(collapsed)

    def add(self, *parts: Part) -> None:
        """Add parts at the end; the texts of a list are flush with those of other parts."""
        for part in parts:
            self._column.add(self._inset(part))

    def add_to_head(self, part: QWidget) -> None:
        """Add a button at the right end of the heading."""
        self._heading_layout.add(part)

    def add_below(self, part: Part) -> None:
        """Add a part that is shown below the body, also while that is collapsed."""
        self._inner.add(self._inset(part))

    def _inset(self, part: Part) -> Box:
        item = part[0] if isinstance(part, tuple) else part
        # a list has margins of its own around its texts
        edge = sizes.PAGE_EDGE - OUTSET if isinstance(item, RowList) else sizes.PAGE_EDGE
        return in_row(part, style=self._style, edges=(edge, 0, edge, 0), gap=0)

    def set_title(self, title: str) -> None:
        """Change the heading; without one there is no heading row."""
        self.head.setText(title)
        self.setAccessibleName(title)
        self._heading_row.setVisible(bool(title))

    def set_note(self, note: str) -> None:
        """Change the note at the right end of the heading."""
        self.note.setText(note)

    def set_collapsed(self, collapsed: bool) -> None:
        """Collapse or expand the block without emitting `collapsed_by_user`."""
        self.collapsed = collapsed
        # one that has never been hidden is shown with its parent; to show it would measure it now
        if collapsed or self.body.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide):
            self.body.setVisible(not collapsed)
        # a collapsed block takes no part of the height that is left over
        vertical = QSizePolicy.Policy.Maximum if collapsed else QSizePolicy.Policy.Preferred
        self.setSizePolicy(QSizePolicy.Policy.Preferred, vertical)
        self.head.set_collapsed(collapsed)
        if not collapsed:
            self.expanded.emit()
        self.fold_changed.emit()

    def set_line(self, shown: bool) -> None:
        """Show or hide the line above it."""
        self._line.setVisible(shown)

    def setVisible(self, visible: bool) -> None:
        changes = self.isHidden() is visible  # hidden and to be shown, or the other way round
        super().setVisible(visible)
        if changes:
            self.shown_or_hidden.emit()

    def _toggle(self) -> None:
        if self.key:
            self.set_collapsed(not self.collapsed)
            self.collapsed_by_user.emit(self.key, self.collapsed)


@exception_safe
class _Heading(PaintedButton):
    """The heading of a block, with an arrow if it is collapsible."""

    def __init__(self, style: Style, title: str, collapsible: bool) -> None:
        super().__init__(style)
        self._is_collapsible, self._collapsed = collapsible, False
        self._label = plain_label(title, "strong", wraps=True, parent=self)
        self._row = in_row(self._label, parent=self, gap=0)
        self.setText(title)
        if not collapsible:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._restyle()

    def set_collapsed(self, collapsed: bool) -> None:
        """Point the arrow to the right, or down."""
        self._collapsed = collapsed
        self.setAccessibleDescription(
            "" if not self._is_collapsible else "folded" if collapsed else "unfolded"
        )
        self.update()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self._label.setText(text)

    def _restyle(self) -> None:
        px = self._style.px
        self.setMinimumHeight(px(_HEADING_HEIGHT))
        self._row.setContentsMargins(
            *(px(_ARROW_COLUMN), 0, px(4), 0) if self._is_collapsible else (0, 0, 0, 0)
        )
        super()._restyle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._is_collapsible:
            return
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            if self.hasFocus():
                self.paint_box(painter, theme.panel, theme.line, 4)
            side, name = px(_ARROW_SIZE), "right" if self._collapsed else "down"
            color = theme.text if self.underMouse() else theme.secondary
            top = (self.height() - side) / 2
            paint_icon(painter, QRectF(px(1), top, side, side), name, color)


def first_focusable(part: QWidget) -> QWidget | None:
    """Return the first visible descendant that takes the keyboard by Tab, in reading order.

    Of segmented buttons only the checked one counts, and a heading only if there is nothing else.
    """
    widgets = list(_focusable(part))
    first = widgets[0] if widgets else None
    return next((widget for widget in widgets if not isinstance(widget, _Heading)), first)


def _focusable(part: QWidget) -> Iterator[QWidget]:
    for widget in part.findChildren(QWidget):
        takes_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if isinstance(widget, QAbstractButton) and widget.property("segment"):
            takes_tab = takes_tab and widget.isChecked()
        if takes_tab and widget.isVisible() and widget.isEnabled():
            yield widget


_TALL_HEIGHT = 140
"""Minimum height of a `tall` state in px at 100 %, so that its sentence is not at the very top."""


class EmptyState(QWidget):
    """A sentence that says why the panel is empty, and at most one button."""

    action_clicked = Signal()
    """Emitted when the button was clicked."""

    def __init__(
        self, style: Style, sentence: str, action: str = "", *, tall: bool = False
    ) -> None:
        """Make it with a sentence and the text of its button; `tall` if it is alone on its page."""
        super().__init__()
        self._style = style
        self._sentence = plain_label(kind="secondary", wraps=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = QPushButton()
        self._button.clicked.connect(self.action_clicked)
        parts = (0, self._sentence, (self._button, Qt.AlignmentFlag.AlignCenter), 0)
        in_column(*parts, parent=self, style=style, edges=sizes.SPACES[3], gap=sizes.SPACES[2])
        self.show_state(sentence, action)
        if tall:
            style.run_now_and_on_change(self._restyle)

    def show_state(self, sentence: str, action: str = "") -> None:
        """Show another sentence, with another action or none."""
        self._sentence.setText(sentence)
        show_text(self._button, action)

    def _restyle(self) -> None:
        self.setMinimumHeight(self._style.px(_TALL_HEIGHT))
