"""Cards that open on the canvas: quick add and the paste preview.

QuickAdd is a search box for operations, names, numbers and formulas. The arrow keys choose an
entry, Enter adds it. Opened at a wire, it lists only entries that fit it.

PastePreview is at the pointer, with a small picture of the graph that Enter would paste.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
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

from app.canvas.paint.figure import PictureOptions, scene_of
from app.canvas.paint.painter import SILHOUETTE_SCALE, paint_scene
from app.canvas.scene.scene import Scene
from app.controls.focus import KeyClaim
from app.controls.layouts import set_kind, set_valid
from app.document.placement import columns
from app.document.sheet import Sheet, is_large, sheet_of
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.strokes import pen, rounded
from app.workbench.adding import BLOCK, CONSTANT, FORMULA, LEAF, Entry, is_op, meaning
from engine.formats.native import Drawing
from engine.frame import live_frame
from engine.numbers import counted
from engine.ops import Op

ROWS, ROWS_WITH_DRAWING = 6, 3
"""Visible entries, alone and above the drawing of a graph; more are scrolled to."""
ROW_HEIGHT = 44
"""Height of an entry, in px at 100 %."""
WIDTH = 340
"""Width of the box, in px at 100 %."""
EDGE = 8
"""Least distance of the box from the edge of the canvas, in px."""
SYMBOL_WIDTH = 62
"""Width of the box around an entry's symbol, in px at 100 %: `leaky_relu` fits."""
ENTRY_ROLE = Qt.ItemDataRole.UserRole
"""Item role of the Entry."""
KEY_HINTS = "↑ ↓ choose  Enter add  Shift+Enter unwired  Esc close"
NO_SLOT_TEXT = "This has no slot for the wire. Type an operation, or root."
NO_OUTPUT_TEXT = "This can't feed the slot. Type an operation, a name, a number or a formula."


@exception_safe
class QuickAdd(QFrame):
    """A search field with a list: Enter adds the highlighted entry, Esc adds nothing."""

    chosen = Signal(str, bool)
    """Emitted with an entry's key ("op:tanh", "leaf:w") and whether the node is to be wired."""
    current_changed = Signal()
    """Emitted when another entry, or none, has become the one that Enter would add."""
    closed = Signal()
    """Emitted when the box closes, whether or not an entry was chosen."""

    def __init__(
        self,
        style: Style,
        parent: QWidget,
        effect_text: Callable[[Entry], str],
        operations: Callable[[], Sequence[Op]],
    ) -> None:
        """Make a closed box.

        `effect_text` returns the effect of Enter on an entry, a sentence, and `operations` those of
        the sheet.
        """
        super().__init__(parent)
        self._style, self._operations = style, operations
        self._effect_text = effect_text
        self._has_source = self._has_target = False
        """Whether it is opened at a wire from a node, or at one into a slot."""
        self._no_entries_reason = ""
        """Why the list is empty, as a sentence."""
        self._parent = parent
        self._focus_owner: QWidget = parent.parentWidget() or parent
        self.setObjectName("quickAdd")
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self._field = QLineEdit(self)
        self._field.setAccessibleName("What to add")
        self._field.setClearButtonEnabled(False)
        self._field.textChanged.connect(self._filter)
        self._field.installEventFilter(self)
        self._wire_line = self._caption_line()
        self._list = self._entry_list()
        self._drawing = GraphPicture(style, self)
        self._effect_line = self._caption_line()
        keys = self._caption_line(KEY_HINTS)
        layout = QVBoxLayout(self)
        space = style.px(12)
        layout.setContentsMargins(space, space, space, style.px(8))
        layout.setSpacing(style.px(6))
        above, below = (self._field, self._wire_line), (self._drawing, self._effect_line, keys)
        for widget in (*above, self._list, *below):
            layout.addWidget(widget)
        self.hide()

    def _entry_list(self) -> QListWidget:
        found = QListWidget(self)
        found.setAccessibleName("What can be added")
        found.setItemDelegate(_EntryDelegate(self._style, found))
        found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        found.itemClicked.connect(self._click)
        found.currentRowChanged.connect(self._show_effect)
        return found

    def _caption_line(self, text: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", "caption")
        label.setWordWrap(True)
        return label

    def open_at(
        self, place: QPoint, wire_text: str, has_source: bool = False, has_target: bool = False
    ) -> None:
        """Open with all entries that fit the wire: with a slot for its source, or an output."""
        self._has_source, self._has_target = has_source, has_target
        self._wire_line.setText(wire_text)
        self._wire_line.setVisible(bool(wire_text))
        self._field.setFont(self._style.font("interface"))
        self._field.setPlaceholderText("Type +, tanh, a name, a number, or a formula")
        self._field.setText("")  # unlike clear, it leaves nothing for Ctrl+Z to bring back
        self._filter("")
        self.setFixedWidth(self._style.px(WIDTH))
        self._fit_height()
        area = self._parent.rect()
        x = min(max(EDGE, place.x()), max(EDGE, area.width() - self.width() - EDGE))
        y = min(max(EDGE, place.y()), max(EDGE, area.height() - self.height() - EDGE))
        self.move(x, y)
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_quietly(self) -> None:
        """Close and give the keyboard focus back."""
        if self.isVisible():
            self.hide()
            self._focus_owner.setFocus()
            self.closed.emit()

    @property
    def entries(self) -> list[str]:
        """Return the listed keys, best match first."""
        return [self._entry(row).key for row in range(self._list.count())]

    @property
    def current(self) -> Entry | None:
        """Return the entry that Enter would add, or None."""
        row = self._list.currentRow()
        return None if row < 0 else self._entry(row)

    @property
    def shows_drawing(self) -> bool:
        """Return whether the typed graph is drawn below the list."""
        return self._drawing.isVisible()

    def visible_lines(self) -> list[str]:
        return [label.text() for label in self.findChildren(QLabel) if label.isVisible()]

    def eventFilter(self, watched: object, event: object) -> bool:
        """Handle keys in the field: arrows select, Enter adds, Esc closes; losing focus closes."""
        if watched is self._field and isinstance(event, QKeyEvent):
            if event.type() == QKeyEvent.Type.KeyPress:
                return self._press_key(event)
            if event.type() == QKeyEvent.Type.ShortcutOverride:  # no key is a shortcut meanwhile
                event.accept()
                return True
        is_event = isinstance(event, QEvent)
        if watched is self._field and is_event and event.type() == QEvent.Type.FocusOut:
            self.hide()
            self.closed.emit()
        return False

    # private

    def _press_key(self, event: QKeyEvent) -> bool:
        row, count = self._list.currentRow(), self._list.count()
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Tab):
            self._list.setCurrentRow((row + 1) % max(count, 1))
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Backtab):
            self._list.setCurrentRow((row - 1) % max(count, 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept(wired=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_quietly()
        else:
            return False
        return True

    def _filter(self, text: str) -> None:
        """List the entries for a typed text, and draw the graph of the first if it has one."""
        found = meaning(text, self._operations())
        fitting = [entry for entry in found.entries if self._can_be_wired(entry)]
        self._no_entries_reason = found.error
        if found.entries and not fitting:
            self._no_entries_reason = NO_SLOT_TEXT if self._has_source else NO_OUTPUT_TEXT
        self._list.blockSignals(True)  # report one change, when all rows are there
        self._list.clear()
        for entry in fitting:
            item = QListWidgetItem(entry.title)
            item.setData(ENTRY_ROLE, entry)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._list.blockSignals(False)
        # the drawing is that of the first entry found, which may not fit the wire
        drawing = found.drawing if fitting[:1] == list(found.entries[:1]) else None
        shows_drawing = drawing is not None and not is_large(drawing.graph)
        if drawing is not None and shows_drawing:
            self._drawing.show_drawing(drawing)
        self._drawing.setVisible(shows_drawing)
        self._list.setVisible(bool(fitting))
        rows = min(len(fitting), ROWS_WITH_DRAWING if shows_drawing else ROWS)
        self._list.setFixedHeight(self._style.px(ROW_HEIGHT) * rows + 4)
        set_valid(self._field, True)
        self._show_effect()
        if self.isVisible():
            self._fit_height()

    def _fit_height(self) -> None:
        """Resize the box to the height of its content."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _show_effect(self, _row: int = 0) -> None:
        """Show the effect of Enter on the current entry."""
        entry = self.current
        text = self._no_entries_reason if entry is None else self._effect_text(entry)
        self._effect_line.setText(text)
        self._effect_line.setVisible(bool(text))
        set_kind(self._effect_line, "secondary")
        self._field.setAccessibleDescription(text)
        self.current_changed.emit()

    def _can_be_wired(self, entry: Entry) -> bool:
        """Return whether the wire can lead into the entry, or out of it."""
        if self._has_source:
            return entry.slots > 0
        is_formula = entry.key.startswith(FORMULA)
        return not self._has_target or is_op(entry.key) or _is_number(entry.key) or is_formula

    def _accept(self, wired: bool = True) -> None:
        """Add the highlighted entry; a text that can't be read stays, with the reason in red."""
        entry = self.current
        if entry is None:
            set_valid(self._field, False)
            set_kind(self._effect_line, "error")
            return
        self.close_quietly()
        self.chosen.emit(entry.key, wired)

    def _click(self, item: QListWidgetItem) -> None:
        self._list.setCurrentItem(item)
        self._accept()

    def _entry(self, row: int) -> Entry:
        return self._list.item(row).data(ENTRY_ROLE)


@exception_safe
class _EntryDelegate(QStyledItemDelegate):
    """Paints one entry: symbol, name, description, number of slots."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:
        """Return the same height for every row."""
        return QSize(10, self._style.px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        entry = cast(Entry, index.data(ENTRY_ROLE))  # type: ignore[attr-defined]
        style, theme = self._style, self._style.theme
        rect = QRectF(option.rect).adjusted(2, 1, -2, -1)  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:  # type: ignore[attr-defined]
            painter.fillPath(rounded(rect, 8, 8), theme.selection_tint)
        box = QRectF(
            rect.left() + 6, rect.center().y() - style.px(15), style.px(SYMBOL_WIDTH), style.px(30)
        )
        path = rounded(box, 6, 6)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.outline, 1.0))
        painter.setPen(theme.text)
        # of six letters on, a symbol fits its box only in the small font
        painter.setFont(style.font("caption strong" if len(entry.symbol) < 6 else "small"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, entry.symbol)
        text = rect.adjusted(box.width() + 18, 3, -8, -3)
        top = Qt.AlignmentFlag.AlignTop
        painter.setFont(style.font("interface strong"))
        painter.drawText(text, top, entry.title)
        painter.setPen(theme.secondary)
        painter.setFont(style.font("caption"))
        slots = _slot_count_text(entry)
        painter.drawText(text, top | Qt.AlignmentFlag.AlignRight, slots)
        description = painter.fontMetrics().elidedText(
            entry.says, Qt.TextElideMode.ElideRight, int(text.width())
        )
        painter.drawText(text, Qt.AlignmentFlag.AlignBottom, description)
        painter.restore()


def _is_number(key: str) -> bool:
    """Return whether the key of an entry makes a leaf or a constant."""
    return key in ("leaf", "constant") or key.startswith((LEAF, CONSTANT))


def _slot_count_text(entry: Entry) -> str:
    """Return how many slots an entry has, for its row; nothing for a graph."""
    if entry.key.startswith((BLOCK, FORMULA)):
        return ""
    return counted(entry.slots, "{count} slot", "{count} slots") if entry.slots else "no slot"


RADIUS = float(sizes.RADIUS_CARD)


@exception_safe
class PastePreview(QFrame):
    """The card: Enter or a click pastes, Esc or losing focus does not."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._canvas_widget: QWidget = parent
        self._owner: QWidget = parent.parentWidget() or parent
        """The widget that gets the keyboard focus back: the view around the canvas."""
        self._paste: Callable[[], object] | None = None
        self.setObjectName("pastePreview")
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._claim = KeyClaim(self, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        self._picture = GraphPicture(style, self)
        self._description = self._make_label("interface strong")
        self._keys = self._make_label("caption", "Enter pastes, Esc does not")
        column = QVBoxLayout(self)
        space = style.px(sizes.SPACES[2])
        column.setContentsMargins(space, space, space, space)
        column.setSpacing(style.px(sizes.SPACES[0]))
        for widget in (self._picture, self._description, self._keys):
            column.addWidget(widget)
        self.hide()

    def ask(
        self, drawing: Drawing, description: str, at: QPoint, paste: Callable[[], object]
    ) -> None:
        """Show the preview beside a point of the canvas; `paste` is called on Enter."""
        self._paste = paste
        self._picture.show_drawing(drawing)
        self._description.setText(description)
        self._description.setFont(self._style.font("interface strong"))
        self._keys.setFont(self._style.font("caption"))
        self.setAccessibleName(f"{description}. Enter pastes, Escape does not.")
        self.adjustSize()
        area = self._canvas_widget.rect().adjusted(8, 8, -8, -8)
        x = min(max(at.x() + 12, area.left()), max(area.left(), area.right() - self.width()))
        y = min(max(at.y() + 12, area.top()), max(area.top(), area.bottom() - self.height()))
        self.move(x, y)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def text(self) -> str:
        """Return the description of the graph."""
        return self._description.text()

    def accept(self) -> None:
        """Close the card and paste the graph."""
        paste, self._paste = self._paste, None
        self.close_quietly()
        if paste is not None:
            paste()

    def close_quietly(self) -> None:
        """Close without pasting, and give the keyboard focus back."""
        self._paste = None
        if self.isVisible():
            self.hide()
            self._owner.setFocus()

    def _make_label(self, kind: str, text: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", kind)
        return label

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept on Enter, close on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.close_quietly()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept on a click."""
        event.accept()
        self.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card with its focus ring."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = rounded(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
            painter.strokePath(edge, pen(self._style.theme.selection, 2.0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close on losing focus, except to a menu or another window."""
        super().focusOutEvent(event)
        stays = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if event.reason() not in stays:
            self._paste = None
            self.hide()


PICTURE_SIZE = (264, 132)
"""Width and height of the picture, in px at 100 %."""
MAX_PICTURE_ZOOM = 0.42
"""Largest zoom of the picture: nodes as outlines with their symbols, without numbers."""
MIN_SYMBOL_ZOOM = 0.24
"""Zoom from which on the symbols are readable."""
PITCH_SHARES = (0.57, 0.8)
"""Column and row pitch of a graph without positions, as shares of the usual pitches."""


@exception_safe
class GraphPicture(QWidget):
    """Outlines of the nodes of a graph, and their wires."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._scene: Scene | None = None

    def show_drawing(self, drawing: Drawing) -> None:
        sheet = _sheet_to_show(drawing)
        self._scene = scene_of(
            sheet, live_frame(sheet.graph), PictureOptions(digits=self._style.digits)
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the same size for every graph."""
        return QSize(self._style.px(PICTURE_SIZE[0]), self._style.px(PICTURE_SIZE[1]))

    def minimumSizeHint(self) -> QSize:
        """Return the same size for every graph."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the graph in the middle, as large as it fits."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            area = QRectF(self.rect())
            painter.fillRect(area, self._style.theme.canvas)
            bounds = self._scene.bounds() if self._scene is not None else QRectF()
            if self._scene is None or bounds.isEmpty():
                return
            inner = area.adjusted(8, 8, -8, -8)
            fitting = min(inner.width() / bounds.width(), inner.height() / bounds.height())
            scale = min(fitting, MAX_PICTURE_ZOOM * self._style.scale)
            painter.translate(area.center())
            painter.scale(scale, scale)
            painter.translate(-bounds.center())
            # as if drawn at this zoom: so that its symbols appear, and no numbers
            detail_scale = (
                max(min(scale, MAX_PICTURE_ZOOM), SILHOUETTE_SCALE)
                if scale >= MIN_SYMBOL_ZOOM
                else scale
            )
            paint_scene(painter, self._scene, self._style.theme, bounds, detail_scale)


def _sheet_to_show(drawing: Drawing) -> Sheet:
    """Return the sheet to show, with narrow columns, since it has no labels."""
    sheet = sheet_of(drawing)
    if len(sheet.positions) == len(sheet.graph.nodes):
        return sheet
    places = {
        n: (x * PITCH_SHARES[0], y * PITCH_SHARES[1]) for n, (x, y) in columns(sheet.graph).items()
    }
    return Sheet(sheet.graph, places)
