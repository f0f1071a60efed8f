"""Quick add: a small box on the canvas in which one types what to add."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.guard import guarded
from app.style.current import Style
from app.style.strokes import pen, rounded
from app.workbench.blocks import is_sized_block
from app.workbench.finding import Entry, is_op, ranked
from engine.errors import EngineError
from engine.formats.expression import read
from engine.graph import is_name
from engine.numbers import counted

ROWS = 6
ENTRY = Qt.ItemDataRole.UserRole


@guarded
class QuickAdd(QFrame):
    """A search field with a list: Enter adds the highlighted entry, Esc adds nothing.

    `chosen` carries an entry's key ("op:tanh"), `named` the label of a new leaf, `formula` a text
    that reads as an expression.
    """

    chosen = Signal(str)
    named = Signal(str)
    formula = Signal(str)
    closed = Signal()

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._fed = self._feeds = False
        self._parent = parent
        self._owner: QWidget = parent.parentWidget() or parent
        self.setObjectName("quickAdd")
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self._field = QLineEdit(self)
        self._field.setAccessibleName("What to add")
        self._field.setClearButtonEnabled(False)
        self._field.textChanged.connect(self._filter)
        self._field.installEventFilter(self)
        self._from = self._line()
        self._list = QListWidget(self)
        self._list.setAccessibleName("What can be added")
        self._list.setItemDelegate(_EntryDelegate(style, self._list))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemClicked.connect(self._click)
        self._also = self._line()
        keys = self._line("↑ ↓ choose   Enter add   Esc leave nothing behind")
        layout = QVBoxLayout(self)
        space = style.px(12)
        layout.setContentsMargins(space, space, space, style.px(8))
        layout.setSpacing(style.px(6))
        for widget in (self._field, self._from, self._list, self._also, keys):
            layout.addWidget(widget)
        self.hide()

    def _line(self, text: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", "caption")
        label.setWordWrap(True)
        return label

    def open_at(self, place: QPoint, told: str, fed: bool = False, feeds: bool = False) -> None:
        """Open with all entries that fit the wire: those it can feed, or those that can feed it."""
        self._fed, self._feeds = fed, feeds
        self._from.setText(told)
        self._from.setVisible(bool(told))
        self._field.setFont(self._style.font("interface"))
        self._field.setPlaceholderText("Type +, tanh, leaf, or a formula")
        self._field.setText("")  # unlike clear, it leaves nothing for Ctrl+Z to bring back
        self._filter("")
        wide = self._style.px(340)
        self._list.setFixedHeight(self._style.px(44) * ROWS + 4)
        self.setFixedWidth(wide)
        self.adjustSize()
        area = self._parent.rect()
        x = min(max(8, place.x()), max(8, area.width() - wide - 8))
        y = min(max(8, place.y()), max(8, area.height() - self.height() - 8))
        self.move(x, y)
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_quietly(self) -> None:
        """Close and give the keyboard focus back."""
        if self.isVisible():
            self.hide()
            self._owner.setFocus()
            self.closed.emit()

    @property
    def entries(self) -> list[str]:
        """Return the listed keys, best match first."""
        return [self._entry(row).key for row in range(self._list.count())]

    def eventFilter(self, watched: object, event: object) -> bool:
        """Handle keys in the field: arrows select, Enter adds, Esc closes; losing focus closes."""
        if watched is self._field and isinstance(event, QKeyEvent):
            if event.type() == QKeyEvent.Type.KeyPress:
                return self._key(event)
            if event.type() == QKeyEvent.Type.ShortcutOverride:
                event.accept()
                return True
        if watched is self._field and getattr(event, "type", int)() == QKeyEvent.Type.FocusOut:
            self.hide()
            self.closed.emit()
        return False

    # private

    def _key(self, event: QKeyEvent) -> bool:
        row = self._list.currentRow()
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Tab):
            self._list.setCurrentRow(min(row + 1, self._list.count() - 1))
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Backtab):
            self._list.setCurrentRow(max(row - 1, 0))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept(as_name=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape:
            self.close_quietly()
        else:
            return False
        return True

    def _filter(self, text: str) -> None:
        self._list.clear()
        for entry in ranked(text):
            if self._fits(entry):
                item = QListWidgetItem(entry.title)
                item.setData(ENTRY, entry)
                self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._also.setText(self._other_meaning(text.strip()))
        self._also.setVisible(bool(self._also.text()))

    def _fits(self, entry: Entry) -> bool:
        """Return whether the wire can lead into the entry, or out of it."""
        if self._fed:
            return entry.slots > 0
        return not self._feeds or entry.key in ("leaf", "constant") or is_op(entry.key)

    def _other_meaning(self, text: str) -> str:
        if not text:
            return ""
        if is_name(text) and not self._fed:
            if self._list.count():
                return f"Shift+Enter or no match adds a new leaf called {text}"
            return f"Enter adds a new leaf called {text}"
        if self._fed or self._feeds or self._list.count() or not _reads(text):
            return ""
        return f"Enter adds the formula {text}"

    def _accept(self, as_name: bool = False) -> None:
        text = self._field.text().strip()
        wired = self._fed or self._feeds
        as_name = as_name and is_name(text) and not self._fed
        item = None if as_name or is_sized_block(text) else self._list.currentItem()
        entry: Entry | None = item.data(ENTRY) if item is not None else None
        if wired and entry is None and (self._fed or not is_name(text)):
            return  # nothing that the wire could be plugged into
        self.close_quietly()
        if entry is not None:
            self.chosen.emit(entry.key)
        elif is_name(text):
            self.named.emit(text)
        elif text:
            self.formula.emit(text)

    def _click(self, item: QListWidgetItem) -> None:
        self._list.setCurrentItem(item)
        self._accept()

    def _entry(self, row: int) -> Entry:
        return self._list.item(row).data(ENTRY)


@guarded
class _EntryDelegate(QStyledItemDelegate):
    """Paints one entry: its symbol in a box, its name, what it does, its number of slots."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:
        """Return the same height for every row."""
        return QSize(10, self._style.px(44))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        """Paint the entry."""
        entry = cast(Entry, index.data(ENTRY))  # type: ignore[attr-defined]
        style, theme = self._style, self._style.theme
        rect = QRectF(option.rect).adjusted(2, 1, -2, -1)  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:  # type: ignore[attr-defined]
            painter.fillPath(rounded(rect, 8, 8), theme.selection_tint)
        box = QRectF(rect.left() + 6, rect.center().y() - style.px(15), style.px(48), style.px(30))
        path = rounded(box, 6, 6)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.outline, 1.0))
        painter.setPen(theme.text)
        painter.setFont(style.font("caption strong" if len(entry.symbol) < 6 else "small"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, entry.symbol)
        text = rect.adjusted(box.width() + 18, 3, -8, -3)
        top = Qt.AlignmentFlag.AlignTop
        painter.setFont(style.font("interface strong"))
        painter.drawText(text, top, entry.title)
        painter.setPen(theme.secondary)
        painter.setFont(style.font("caption"))
        slots = counted(entry.slots, "{count} slot", "{count} slots") if entry.slots else "no slot"
        painter.drawText(text, top | Qt.AlignmentFlag.AlignRight, slots)
        says = painter.fontMetrics().elidedText(
            entry.says, Qt.TextElideMode.ElideRight, int(text.width())
        )
        painter.drawText(text, Qt.AlignmentFlag.AlignBottom, says)
        painter.restore()


def _reads(text: str) -> bool:
    try:
        read(text)
    except EngineError:
        return False
    return True
