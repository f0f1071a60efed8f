"""StripButtons: a row of buttons of the strip, one for each `Act` that it offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.controls.layouts import plain_label, show_text
from app.controls.painted_buttons import IconButton
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.workbench.words.strip import Act, Button

_MIN_MAIN_WIDTH: Final = 86
"""Least width of one of the main buttons, in px at 100 %."""
_MAIN: Final = ("step", "answer", "go on", "put back", "epoch", "save report")
"""The buttons that go on: only one of them is shown at a time."""
_GAP: Final = 6
_CAPTION_GAP: Final = 12
"""Gaps between buttons, and after the caption, in px at 100 %."""


class _Look(NamedTuple):
    """Icon, tooltip, shortcut and style sheet kind; whether the icon is behind the text."""

    icon: str
    tooltip: str
    keys: str = ""
    kind: str = ""
    icon_last: bool = False


_LOOKS: Final[dict[Act, _Look]] = {
    "back": _Look("step_back", "One step back", "Left"),
    "take back": _Look("undo", "Take back the last turn", "Backspace"),
    "answer": _Look("check", "Judge what is in the blanks", "Return", "asking"),
    "go on": _Look("step", "Take the step", "Return", "asking", True),
    "put back": _Look("undo", "Set the numbers with which it was asked", "Return", "asking"),
    "three more": _Look("", "Three questions like the one of the slip", "", "asking"),
    "step": _Look("step", "One step on; Shift: to the end of the node", "Right", "primary", True),
    "epoch": _Look("step", "Do the rest of this epoch", "", "primary", True),
    "epochs": _Look("", "Several epochs"),
    "run": _Look("play", "Epoch after epoch, until you stop"),
    "last": _Look("last", "To the end of the pass", "End"),
    "play": _Look("play", "Play", "Return"),
    "hint": _Look("", "First the rule, then more"),
    "another": _Look("", "The same number asked in another way; all ways count as one hint"),
    "ready": _Look("", "Mark the nodes that may fire now"),
    "show": _Look("", "Show the answer; it does not count as right"),
    "skip": _Look("", "Take the step without an answer", "PgDown"),
    "next": _Look("right", "To the next step of the lesson", "PgDown", "primary", True),
    "ask": _Look("predict", "Each number is asked before it is shown", "P", "question"),
    "again": _Look("", "The same pass once more"),
    "save report": _Look("save", "Save what was answered, to be handed in", "", "primary"),
    "force": _Look("", "Let the node fire all the same"),
    "why": _Look("", "Say what would be lost if it fired now"),
    "try": _Look("", "Begin with this formula; Undo takes it away"),
    "others": _Look("", "Draw other numbers, with which each answer differs from its slips"),
    "ones": _Look("", "Set the same leaves to 1"),
    "step this": _Look("backward", "Step through backward at these values", "", "aside"),
    "resume": _Look("", "Leave this pass and go on with Descent", "", "aside"),
    "ripple": _Look("", "Send a small change forward through the graph", "N"),
    "ripple 1": _Look("", "Change by 1"),
    "ripple 0.1": _Look("", "Change by 0.1"),
    "ripple 0.01": _Look("", "Change by 0.01"),
    "ripple 0.001": _Look("", "Change by 0.001"),
}
_SEGMENTS: Final[Mapping[Act, str]] = {
    "ripple 1": "first",
    "ripple 0.1": "middle",
    "ripple 0.01": "middle",
    "ripple 0.001": "last",
}
"""Exclusive buttons that touch each other, with their position among them."""
_CHECKABLE: Final = ("ready", *_SEGMENTS)
_SAME_WIDTH: Final[tuple[Act, ...]] = ("answer", "go on")
"""Buttons that replace each other in one position, so that they need one width."""
_IN_MENU: Final[tuple[Act, ...]] = ("show", "skip")
"""Buttons moved into the menu `⋯` where the sentence needs the width."""
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_SECOND_CLICK_MS: Final = 1000
"""Time within which a click at the same place is one more on the button that was there."""


@exception_safe
class StripButtons(QWidget):
    """A row of buttons at the right end of the sentence, or behind the answer line."""

    pressed = Signal(str)
    """Emitted with the Act of the pressed button."""

    def __init__(self, style: Style, small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._small = small
        self._created: dict[Act, IconButton] = {}
        self.shown: tuple[Button, ...] = ()
        """The shown buttons, from left to right."""
        self.caption = plain_label(kind="secondary", parent=self)
        self.caption.hide()
        self._collapses = False
        self.more: IconButton | None = None
        self.menu: QMenu | None = None
        """The menu of `⋯`."""
        self._last_press: tuple[QObject, QPoint, int] | None = None
        """The button that the mouse pressed last, where on the screen, and when, in ms."""
        style.changed.connect(self._lay_out)

    def button(self, act: Act) -> IconButton:
        """Return the button of an act, created on first use."""
        if act not in self._created:
            look = _LOOKS[act]
            made = IconButton(self._style, look.icon, look.tooltip, look.keys, parent=self)
            made.setProperty("small", "true" if self._small else "false")
            made.set_kind(look.kind)
            if look.icon_last:
                made.set_icon_last()
            if act in _CHECKABLE:
                made.setCheckable(True)
            if act in _SEGMENTS:
                made.setProperty("segment", _SEGMENTS[act])
                made.set_kind("value")
            made.setObjectName(act)
            made.clicked.connect(self._press)
            made.installEventFilter(self)
            self._created[act] = made
        return self._created[act]

    @property
    def stops(self) -> tuple[IconButton, ...]:
        """Return the tab stops: the visible buttons from left to right."""
        in_row = tuple(self._created[button.act] for button in self.shown)
        return in_row if self.more is None else (*in_row, self.more)

    def show_buttons(self, buttons: tuple[Button, ...], caption: str = "") -> None:
        """Show these buttons in this order, behind a caption if there is one."""
        if buttons == self.shown and caption == self.caption.text():
            return
        self.shown = buttons
        show_text(self.caption, caption)
        for button in buttons:
            made = self.button(button.act)
            if made.text() != button.text:
                made.setText(button.text.replace("&", "&&"))
            made.setEnabled(button.enabled)
            if button.act in _CHECKABLE:
                made.setChecked(button.on)
            if button.act == "next":  # beside Step it does not compete with it
                made.set_kind("primary" if len(buttons) == 1 else "")
            if button.act in ("play", "run"):
                made.set_icon("pause" if button.on else "play")
        self._lay_out()

    def fold(self, folds: bool) -> None:
        """Move Show me and Skip into the menu `⋯`, or back into the row."""
        if folds != self._collapses:
            self._collapses = folds
            self._lay_out()

    def width_of(self, buttons: tuple[Button, ...], *, collapsed: bool) -> int:
        """Return the width in px of these buttons with their gaps and the caption."""
        px = self._style.px
        in_row = [b for b in buttons if not (collapsed and b.act in _IN_MENU)]
        width = sum(self._width(b) + self._gap(b) for b in in_row)
        if buttons and self.caption.text():
            width += self.caption.sizeHint().width() + px(_CAPTION_GAP)
        if len(in_row) < len(buttons):
            width += px(sizes.CONTROL) + px(_GAP)  # the button `⋯`
        return max(0, width - px(_GAP))

    def _gap(self, button: Button) -> int:
        """Return the gap after a button; none within the segmented row."""
        return 0 if _SEGMENTS.get(button.act, "last") != "last" else self._style.px(_GAP)

    def _width(self, button: Button) -> int:
        width = self.button(button.act).sizeHint().width()
        if button.act in _SAME_WIDTH:
            width = max(self.button(act).sizeHint().width() for act in _SAME_WIDTH)
        if button.act in _MAIN:
            return max(width, self._style.px(_MIN_MAIN_WIDTH))
        return max(width, self._style.px(sizes.CONTROL if not self._small else sizes.CLICK_TARGET))

    @property
    def _height(self) -> int:
        """Return the height of the buttons; the style sheet may round its own up."""
        height = self._style.px(sizes.CLICK_TARGET if self._small else sizes.CONTROL)
        least = (self.button(b.act).minimumSizeHint().height() for b in self.shown)
        return max(height, *least) if self.shown and not self._small else height

    def _lay_out(self) -> None:
        px, x = self._style.px, 0
        height = self._height
        in_row = [b for b in self.shown if not (self._collapses and b.act in _IN_MENU)]
        if self.caption.text():
            width = self.caption.sizeHint().width()
            self.caption.setGeometry(0, 0, width, height)
            x += width + px(_CAPTION_GAP)
        for button in in_row:
            made, width = self.button(button.act), self._width(button)
            made.setGeometry(x, 0, width, height)
            made.show()
            x += width + self._gap(button)
        acts = {button.act for button in in_row}
        for act, made in self._created.items():
            if act not in acts:
                made.hide()
        self._place_more(x, height, len(in_row) < len(self.shown))
        self.updateGeometry()

    def _place_more(self, x: int, size: int, wanted: bool) -> None:
        """Place the button `⋯` of the menu, which is created on first use."""
        if wanted and self.more is None:
            self.more = IconButton(self._style, "", "More: Show me, Skip", text="⋯", parent=self)
            self.more.setProperty("only", "icon")
            self.more.clicked.connect(self._open_more)
            self.menu = QMenu(self)
        if self.more is not None:
            self.more.setVisible(wanted)
            self.more.setGeometry(x, 0, size, size)

    def _open_more(self) -> None:
        assert self.more is not None
        assert self.menu is not None
        menu = self.menu
        menu.clear()
        for button in self.shown:
            if button.act in _IN_MENU:
                action = menu.addAction(button.text)
                action.setEnabled(button.enabled)
                action.setObjectName(button.act)
                action.triggered.connect(self._press)
        menu.popup(self.more.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _press(self) -> None:
        self.pressed.emit(self.sender().objectName())  # the Act of the button or menu item
        for button in self.shown:  # a click on the checked one has unchecked it
            if button.act in _SEGMENTS:
                self.button(button.act).setChecked(button.on)

    def _is_second_click(self, press: QMouseEvent, button: QObject) -> bool:
        """Return whether a press was meant for the button that has just been at this place."""
        last, at, time = self._last_press, press.globalPosition().toPoint(), press.timestamp()
        self._last_press = (button, at, time)
        if last is None or last[0] is button or time - last[2] > _SECOND_CLICK_MS:
            return False
        return (at - last[1]).manhattanLength() < QApplication.startDragDistance()

    # Qt's events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ignore a second quick click where an answer would be shown or skipped by it."""
        if isinstance(event, QMouseEvent) and event.type() in _PRESSES:
            return self._is_second_click(event, watched) and watched.objectName() in _IN_MENU
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Lay out again once a button has got its font from the style sheet."""
        if event.type() == QEvent.Type.LayoutRequest and self.sizeHint() != self.size():
            self._lay_out()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self.width_of(self.shown, collapsed=self._collapses), self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
