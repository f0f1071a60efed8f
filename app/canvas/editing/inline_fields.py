"""InlineFields: the field that opens on a node, label or group for typing."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.layout.group_layout import title_rect
from app.controls.focus import PressOutside
from app.controls.layouts import set_valid
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from engine.graph import Constant, Leaf, Root
from engine.numbers import full, parse_quotient, why_no_number

MIN_WIDTH, MIN_HEIGHT = 110, 26
"""Least width (px at 100 %) and height (px) of a field, however far the sheet is zoomed out."""
MAX_LENGTH = 200
"""Most characters of a field: a title beyond this fits no node."""
NO_SEED = "The seed is a finite number other than 0: 1 is right, another shows what it does."
IN_COLLAPSED_GROUP = "This node lies in a collapsed group; open the group first."


class InlineFields:
    """The open field of one canvas; `clear` closes anything else that may be open there."""

    def __init__(self, canvas: CanvasContext, clear: Callable[[], object]) -> None:
        self._canvas = canvas
        self._clear = clear
        self._field: InlineEdit | None = None

    def edit_value(self, node: int | None) -> None:
        """Open the field for the value of a leaf or a constant."""
        graph = self._canvas.document.graph
        found = graph.nodes.get(node) if node is not None else None
        if node is None or not isinstance(found, Leaf | Constant):
            return
        if self._canvas.document.refuse_if_locked() or self._refuses_hidden(node):
            return

        def accept(text: str) -> bool:
            value = parse_quotient(text)
            if value is None:
                self._canvas.messages.refuse(why_no_number(text))
                return False
            return self._canvas.document.set_value(node, value)

        self._open_field(lambda: self._value_rect(node), full(found.value), accept)

    def edit_seed(self) -> None:
        """Open the field for the seed of a pass by hand, over the gradient of the root."""
        canvas = self._canvas
        node = canvas.document.graph.active_root
        if node is None or self._refuses_hidden(node):
            return

        def accept(text: str) -> bool:
            value = parse_quotient(text)
            if not value or not math.isfinite(value):
                canvas.messages.refuse(why_no_number(text) if value is None else NO_SEED)
                return False
            canvas.modes.by_hand.set_seed(value)
            return True

        self._open_field(lambda: self._grad_rect(node), "1", accept)

    def edit_label(self, node: int | None) -> None:
        """Open the field for a node's label; a root has none."""
        graph = self._canvas.document.graph
        if node is None or node not in graph.nodes:
            return
        if self._canvas.document.refuse_if_locked():
            return
        if isinstance(graph.nodes[node], Root):
            self._canvas.messages.refuse(
                "A root has no label; label the node that is plugged into it."
            )
            return
        if self._refuses_hidden(node):
            return

        def accept(text: str) -> bool:
            return self._canvas.document.set_label(node, text)

        self._open_field(lambda: self._header_rect(node), graph.label(node), accept)

    def name_new(self, node: int) -> None:
        """Open the field for the label of a node that was just added, until another key is used."""
        self.edit_label(node)
        if self._field is not None:
            self._field.passes_keys = True

    def edit_group(
        self, group: int, gesture: int = 0, on_escape: Callable[[], object] | None = None
    ) -> None:
        """Open the field for a group's title; `on_escape` is called if Esc closes it.

        `gesture` is that of the undo step that has just drawn the group, 0 for an old one.
        """
        document = self._canvas.document
        if self._group_rect(group).isEmpty() or document.refuse_if_locked():
            return

        def accept(text: str) -> bool:
            if group not in document.sheet.groups:
                return True
            return document.groups.rename(group, text, gesture)

        title = document.sheet.groups[group].title
        self._open_field(lambda: self._group_rect(group), title, accept, on_escape)

    def open(self, make: Callable[[], InlineEdit]) -> InlineEdit:
        """Open the field that `make` returns, in place of the open one."""
        self.leave()
        self._clear()
        self._field = make()
        return self._field

    def close(self) -> bool:
        """Close the field and discard its text; return whether one was open."""
        field, self._field = self._field, None
        return field is not None and _finish(field, keep=False)

    def leave(self) -> None:
        """Close the field, accepting its text if it is valid."""
        if self._field is not None:
            _finish(self._field, keep=True)

    # private

    def _refuses_hidden(self, node: int | None) -> bool:
        """Return whether a node is not drawn itself, and say so."""
        is_hidden = node not in self._canvas.scene.boxes
        if is_hidden:
            self._canvas.messages.refuse(IN_COLLAPSED_GROUP)
        return is_hidden

    def _open_field(
        self,
        rect_of: Callable[[], QRectF],
        text: str,
        accept: Callable[[str], bool],
        on_escape: Callable[[], object] | None = None,
    ) -> None:
        """Open a field, see InlineEdit; `rect_of` returns its rectangle on the sheet."""
        canvas = self._canvas

        def place() -> QRect:
            return self._on_screen(rect_of())

        field = self.open(
            lambda: InlineEdit(canvas.style, canvas.widget, place, text, accept, on_escape)
        )
        for signal in (canvas.camera.zoomed, canvas.camera.shifted, canvas.document.changed):
            signal.connect(field.follow)

    def _on_screen(self, rect: QRectF) -> QRect:
        """Return the widget rectangle of a field for a sheet rectangle; empty for an empty one."""
        if rect.isEmpty():
            return QRect()
        canvas = self._canvas
        top_left = canvas.camera.to_screen(rect.topLeft()).toPoint()
        bottom_right = canvas.camera.to_screen(rect.bottomRight()).toPoint()
        at = QRect(top_left, bottom_right)
        at.setSize(at.size().expandedTo(QSize(canvas.style.px(MIN_WIDTH), MIN_HEIGHT)))
        if at.right() >= canvas.widget.width():  # at the border it ends where its node does
            at.moveRight(bottom_right.x())
        return at

    def _value_rect(self, node: int) -> QRectF:
        box = self._canvas.scene.boxes.get(node)
        if box is None:
            return QRectF()
        return box.number_row

    def _grad_rect(self, node: int) -> QRectF:
        """Return the lower half of a node, where its gradient is."""
        box = self._canvas.scene.boxes.get(node)
        return QRectF() if box is None else box.rect.adjusted(0, box.h / 2, 0, 0)

    def _header_rect(self, node: int) -> QRectF:
        box = self._canvas.scene.boxes.get(node)
        return QRectF() if box is None else QRectF(box.x, box.y, box.w, sizes.NODE_HEADER)

    def _group_rect(self, group: int) -> QRectF:
        groups = self._canvas.scene.node_layout.groups
        rect = groups.rect(group)
        if group in groups.drawn:
            return title_rect(rect)
        rect.setHeight(sizes.NODE_HEADER)
        return rect


def _finish(field: InlineEdit, keep: bool) -> bool:
    """Close a field, accepting its text or not; return whether it was still open."""
    try:
        if field.isVisible():
            if keep:
                field.leave()
            else:
                field.finish(keep=False)
            return True
    except RuntimeError:  # Qt has deleted it already
        return False
    return False


KEYS_FOR_CANVAS = (
    *(Qt.Key.Key_Tab, Qt.Key.Key_Delete, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_Up, Qt.Key.Key_Down),
)
"""Keys that act on the canvas while a new node waits for its name."""


@exception_safe
class InlineEdit(QLineEdit):
    """A text field on the canvas.

    Enter, a press outside the field or losing focus accepts the text, Esc discards it.
    """

    def __init__(
        self,
        style: Style,
        parent: QWidget,
        rect_of: Callable[[], QRect],
        text: str,
        accept: Callable[[str], bool],
        on_escape: Callable[[], object] | None = None,
    ) -> None:
        """Open at `rect_of()`; `accept` returns whether it takes a text, Esc calls `on_escape`."""
        super().__init__(text, parent)
        self._rect_of = rect_of
        self._accept = accept
        self._on_escape = on_escape
        self._owner: QWidget = parent.parentWidget() or parent
        self._is_closed = False
        self.passes_keys = False
        """Whether a key that types nothing closes the field and acts on the canvas."""
        self.setFont(style.font("number"))
        self.setProperty("kind", "inline")
        self.setMaxLength(MAX_LENGTH)
        self.textEdited.connect(self._on_edited)
        self._outside = PressOutside(self, self.leave)
        self.follow()
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def follow(self, _what: object = None) -> None:
        """Move along with the node that is edited."""
        rect = self._rect_of()
        if not rect.isEmpty():
            self.setGeometry(rect)

    def finish(self, keep: bool) -> None:
        """Close the field, accepting its text or not."""
        if self._is_closed:
            return
        if keep and not self._accept(self.text()):
            set_valid(self, False)
            self.selectAll()
            return
        self._is_closed = True
        if self.hasFocus():  # else another widget has the focus already
            self._owner.setFocus()
        self.hide()
        self.deleteLater()

    def leave(self) -> None:
        """Accept the text if it is valid, and close in any case."""
        if not self._is_closed:
            self.finish(keep=True)
            self.finish(keep=False)  # does nothing unless the text was refused

    def _on_edited(self) -> None:
        """Clear the error mark when the text changes; keys are the field's from now on."""
        self.passes_keys = False
        set_valid(self, True)

    def event(self, event: QEvent) -> bool:
        """Close for a key that is meant for the canvas, as long as nothing was typed.

        Already at ShortcutOverride, by which Qt asks whether the field wants the key for itself.
        """
        if self.passes_keys and isinstance(event, QKeyEvent) and _is_for_canvas(event):
            self.finish(keep=False)
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept the text on Enter and Tab, discard it on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self.finish(keep=True)
        elif event.key() == Qt.Key.Key_Escape:
            self.finish(keep=False)
            if self._on_escape is not None:
                self._on_escape()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Accept the text on losing focus, if it is valid."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own context menu
            self.leave()


def _is_for_canvas(event: QKeyEvent) -> bool:
    """Return whether a key press types nothing, and so is meant for the canvas."""
    pressed = event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
    undo = event.matches(QKeySequence.StandardKey.Undo)
    return pressed and (undo or event.key() in KEYS_FOR_CANVAS)
