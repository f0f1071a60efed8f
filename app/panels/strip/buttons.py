"""The buttons of the strip: one for each thing that can be done, shown when the strip has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.controls.buttons import IconButton
from app.controls.layouts import plain_label
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.workbench.words.strip import Act, Button

WIDE: Final = 86
"""Least width of the button that does the next thing, in px at 100 %."""
GAP: Final = 6
CAPTION_GAP: Final = 12


class _Kind(NamedTuple):
    """How a button looks: icon, tooltip, shortcut, purpose; whether the icon is behind the text."""

    icon: str
    tooltip: str
    keys: str = ""
    kind: str = ""
    icon_last: bool = False


_KINDS: Final[dict[Act, _Kind]] = {
    "back": _Kind("step_back", "One step back", "Left"),
    "take back": _Kind("undo", "Take back the last turn", "Backspace"),
    "answer": _Kind("check", "Judge what is in the blanks", "Return", "asking"),
    "go on": _Kind("step", "Take the step", "Return", "asking", True),
    "three more": _Kind("", "Three questions like the one of the slip", "", "asking"),
    "step": _Kind("step", "One step on; Shift: to the end of the node", "Right", "primary", True),
    "epoch": _Kind("step", "Do the rest of this epoch", "", "primary", True),
    "epochs": _Kind("", "Several epochs"),
    "run": _Kind("play", "Epoch after epoch, until you stop"),
    "last": _Kind("last", "To the end of the pass", "End"),
    "play": _Kind("play", "Play", "Return"),
    "hint": _Kind("", "First the rule, then more"),
    "ready": _Kind("", "Mark the nodes that may fire now"),
    "show": _Kind("", "Show the answer; it does not count as right"),
    "skip": _Kind("", "Take the step without an answer", "PgDown"),
    "next": _Kind("", "To the next step of the lesson", "PgDown"),
    "mark root": _Kind("root", "Make this node the root"),
    "ask": _Kind("predict", "Each number is asked before it is shown", "P", "question"),
    "again": _Kind("", "The same pass once more"),
    "force": _Kind("", "Let the node fire all the same"),
    "why": _Kind("", "Say what would be lost if it fired now"),
    "try": _Kind("", "Begin with this formula; Undo takes it away"),
    "others": _Kind("", "Draw other numbers, with which each answer differs from its slips"),
    "ones": _Kind("", "Set the same leaves to 1"),
    "step this": _Kind("backward", "Step through backward at these values", "", "aside"),
    "resume": _Kind("", "Leave this pass and go on with Descent", "", "aside"),
    "ripple": _Kind("", "Send a small change forward through the graph", "N"),
    "ripple 1": _Kind("", "Change by 1"),
    "ripple 0.1": _Kind("", "Change by 0.1"),
    "ripple 0.01": _Kind("", "Change by 0.01"),
    "ripple 0.001": _Kind("", "Change by 0.001"),
}
_SEGMENTS: Final[Mapping[Act, str]] = {
    "ripple 1": "first",
    "ripple 0.1": "middle",
    "ripple 0.01": "middle",
    "ripple 0.001": "last",
}
"""Exclusive buttons in one segmented row."""
_CHECKABLE: Final = ("ready", *_SEGMENTS)
_IN_TURN: Final[tuple[Act, ...]] = ("answer", "go on")
_IN_MENU: Final[tuple[Act, ...]] = ("show", "skip")
"""Buttons moved into the menu `⋯` where the sentence needs the width."""


@guarded
class StripButtons(QWidget):
    """A row of buttons at the right end of the sentence, or behind the answer line."""

    pressed = Signal(str)
    """Emitted with the Act of the pressed button."""

    def __init__(self, style: Style, small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._small = small
        self._made: dict[Act, IconButton] = {}
        self._shown: tuple[Button, ...] = ()
        self.caption = plain_label(kind="secondary", parent=self)
        self.caption.hide()
        self._collapses = False
        self.more: IconButton | None = None
        self.menu: QMenu | None = None
        """The menu of `⋯`."""
        style.changed.connect(self._place)

    def button(self, act: Act) -> IconButton:
        """Return the button of an act; made when it is first shown."""
        if act not in self._made:
            kind = _KINDS[act]
            made = IconButton(self._style, kind.icon, kind.tooltip, kind.keys, parent=self)
            made.setProperty("small", "true" if self._small else "false")
            made.set_kind(kind.kind)
            if kind.icon_last:
                made.set_icon_last()
            if act in _CHECKABLE:
                made.setCheckable(True)
            if act in _SEGMENTS:
                made.setProperty("segment", _SEGMENTS[act])
                made.set_kind("value")
            made.setObjectName(act)
            made.clicked.connect(self._press)
            self._made[act] = made
        return self._made[act]

    @property
    def shown(self) -> tuple[Button, ...]:
        """Return the shown buttons as given."""
        return self._shown

    @property
    def stops(self) -> tuple[IconButton, ...]:
        """Return the visible buttons from left to right."""
        in_row = tuple(self._made[look.act] for look in self._shown)
        return in_row if self.more is None else (*in_row, self.more)

    def show_buttons(self, buttons: tuple[Button, ...], caption: str = "") -> None:
        """Show these buttons in this order, behind a caption if there is one."""
        if buttons == self._shown and caption == self.caption.text():
            return
        self._shown = buttons
        self.caption.setText(caption)
        self.caption.setVisible(bool(caption))
        for look in buttons:
            made = self.button(look.act)
            if made.text() != look.text:
                made.setText(look.text.replace("&", "&&"))
            made.setEnabled(look.enabled)
            if look.act in _CHECKABLE:
                made.setChecked(look.on)
            if look.act in ("play", "run"):
                made.set_icon("pause" if look.on else "play")
        self._place()

    def fold(self, folds: bool) -> None:
        """Move Show me and Skip into the menu `⋯`, or back into the row."""
        if folds != self._collapses:
            self._collapses = folds
            self._place()

    def width_of(self, buttons: tuple[Button, ...], *, collapsed: bool) -> int:
        """Return the width in px that buttons take."""
        px = self._style.px
        in_row = [b for b in buttons if not (collapsed and b.act in _IN_MENU)]
        wide = sum(self._width(b) + self._gap(b) for b in in_row)
        if buttons and self.caption.text():
            wide += self.caption.sizeHint().width() + px(CAPTION_GAP)
        if len(in_row) < len(buttons):
            wide += px(sizes.CONTROL) + px(GAP)
        return max(0, wide - px(GAP))

    def _gap(self, look: Button) -> int:
        """Return the gap behind a button; none between those side by side."""
        return 0 if _SEGMENTS.get(look.act, "last") != "last" else self._style.px(GAP)

    def _width(self, look: Button) -> int:
        wide = self.button(look.act).sizeHint().width()
        if look.act in _IN_TURN:  # one stands in the place of the other
            wide = max(self.button(act).sizeHint().width() for act in _IN_TURN)
        if look.act in ("step", "answer", "go on", "epoch"):
            return max(wide, self._style.px(WIDE))
        return max(wide, self._style.px(sizes.CONTROL if not self._small else sizes.CLICK_TARGET))

    @property
    def _high(self) -> int:
        """Return the height of the buttons; that of the style sheet may be rounded up."""
        high = self._style.px(sizes.CLICK_TARGET if self._small else sizes.CONTROL)
        least = (self.button(look.act).minimumSizeHint().height() for look in self._shown)
        return max(high, *least) if self._shown and not self._small else high

    def _place(self) -> None:
        px, x = self._style.px, 0
        high = self._high
        in_row = [b for b in self._shown if not (self._collapses and b.act in _IN_MENU)]
        if self.caption.text():
            wide = self.caption.sizeHint().width()
            self.caption.setGeometry(0, 0, wide, high)
            x += wide + px(CAPTION_GAP)
        for look in in_row:
            made, wide = self.button(look.act), self._width(look)
            made.setGeometry(x, 0, wide, high)
            made.show()
            x += wide + self._gap(look)
        acts = {look.act for look in in_row}
        for act, made in self._made.items():
            if act not in acts:
                made.hide()
        self._place_more(x, high, len(in_row) < len(self._shown))
        self.updateGeometry()

    def _place_more(self, x: int, high: int, wanted: bool) -> None:
        if wanted and self.more is None:
            self.more = IconButton(self._style, "", "More: Show me, Skip", text="⋯", parent=self)
            self.more.setProperty("only", "icon")
            self.more.clicked.connect(self._open_more)
            self.menu = QMenu(self)
        if self.more is not None:
            self.more.setVisible(wanted)
            self.more.setGeometry(x, 0, high, high)

    def _open_more(self) -> None:
        assert self.more is not None
        assert self.menu is not None
        menu = self.menu
        menu.clear()
        for look in self._shown:
            if look.act in _IN_MENU:
                action = menu.addAction(look.text)
                action.setEnabled(look.enabled)
                action.setObjectName(look.act)
                action.triggered.connect(self._press)
        menu.popup(self.more.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _press(self) -> None:
        self.pressed.emit(self.sender().objectName())
        for look in self._shown:  # a click on the one that is on has switched it off
            if look.act in _SEGMENTS:
                self.button(look.act).setChecked(look.on)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Take new places once a button got its font from the style sheet."""
        if event.type() == QEvent.Type.LayoutRequest and self.sizeHint() != self.size():
            self._place()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self.width_of(self._shown, collapsed=self._collapses), self._high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
