"""Messages over the canvas: a toast, a notice with a button, and a card with progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    QVariantAnimation,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QGridLayout,
    QProgressBar,
    QPushButton,
    QWidget,
)

from app.controls.focus import application
from app.controls.layouts import in_row, plain_label, set_kind
from app.controls.painted_buttons import IconButton
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.strokes import antialiased

_SHOWN, _SHOWN_PER_LETTER = 1800, 55
"""How long a toast is shown, in ms: for looking up, and for reading each letter."""
_TOAST_WIDTH: Final = 520
"""Width at which the sentence of a toast wraps, in px at 100 %."""
_FADE: Final = 160
"""Milliseconds in which a toast fades."""


@exception_safe
class _OverHost(QFrame):
    """A message over a widget, placed anew when that is resized or the style changes."""

    def __init__(self, style: Style, host: QWidget) -> None:
        super().__init__(host)
        self._style, self._host = style, host
        host.installEventFilter(self)
        style.changed.connect(self._follow)
        self.hide()

    def _appear(self, sentence: str) -> None:
        """Show it above everything else, and announce its sentence."""
        self.show()
        self._place()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _place(self) -> None:
        """Set its geometry."""

    def _follow(self) -> None:
        if self.isVisible():
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._follow()
        return False


@exception_safe
class Toast(_OverHost):
    """A sentence above the lower edge of its parent, such as why something was refused.

    It fades by itself, and lets the mouse through. `keep_visible` returns rectangles of the parent
    that must stay visible.
    """

    def __init__(
        self,
        style: Style,
        parent: QWidget,
        keep_visible: Callable[[], Sequence[QRectF]] = tuple,
        edge: int = sizes.SPACES[3],
    ) -> None:
        """`edge` is the space to the edges of the parent, in px at 100 %."""
        super().__init__(style, parent)
        self._edge = edge
        self._keep_visible = keep_visible
        self._text = ""
        self._refusal = False
        self._opacity = 1.0
        self._fade = QVariantAnimation(self)
        self._fade.setDuration(_FADE)
        self._fade.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fade.valueChanged.connect(self._set_opacity)
        self._fade.finished.connect(self._hide_if_faded)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._begin_to_fade)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        application().focusChanged.connect(self._hide_for_focus)

    def text(self) -> str:
        """Return the current or last sentence."""
        return self._text

    def say(self, text: str, refusal: bool = False) -> None:
        """Show and announce a sentence for as long as it takes to read; a refusal is red."""
        self._text = text
        self._refusal = refusal
        self._fade.stop()
        self._opacity = 1.0
        self.setAccessibleName(text)
        self._appear(text)
        QTimer.singleShot(0, self, self._place)  # what it is said of may show more to keep visible
        self.update()
        self._timer.start(_SHOWN + _SHOWN_PER_LETTER * len(text))

    def dismiss(self) -> None:
        self._timer.stop()
        self._fade.stop()
        self.hide()

    def _hide_for_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Hide for a widget of the parent that takes the focus, such as a field on the sheet."""
        inside = new is not None and new is not self._host and self._host.isAncestorOf(new)
        if inside:
            self.dismiss()

    def _begin_to_fade(self) -> None:
        if not self._style.motion:
            self.hide()
            return
        self._fade.setStartValue(1.0)
        self._fade.setEndValue(0.0)
        self._fade.start()

    def _set_opacity(self, opacity: float) -> None:
        self._opacity = opacity
        self.update()

    def _hide_if_faded(self) -> None:
        if self._opacity == 0:  # another sentence may have stopped the fading
            self.hide()

    def _place(self) -> None:
        """Centre above the lower edge of the parent, clear of its buttons and `keep_visible`."""
        gap = self._style.px(self._edge)
        bounds = self._host.rect().adjusted(gap, 0, -gap, -gap)
        size = self.sizeHint().boundedTo(bounds.size())
        middle = (self._host.width() - size.width()) // 2
        low = bounds.bottom() + 1 - size.height()
        # the first free corner: centred, then right of, left of and above a rectangle
        taken = [rect.toAlignedRect() for rect in self._keep_visible() if not rect.isEmpty()]
        taken += [
            QRect(button.mapTo(self._host, QPoint()), button.size())
            for button in self._host.findChildren(QAbstractButton)
            if button.isVisible()
        ]
        corners = [QPoint(middle, low)]
        corners += [QPoint(rect.right() + 1 + gap, low) for rect in taken]
        corners += [QPoint(rect.left() - gap - size.width(), low) for rect in taken]
        corners += [QPoint(middle, rect.top() - gap - size.height()) for rect in taken]
        for corner in corners:
            candidate = QRect(corner, size)
            if bounds.contains(candidate) and not any(map(candidate.intersects, taken)):
                break
        else:
            candidate = QRect(corners[0], size)
        self.setGeometry(candidate)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._style.font("interface strong"))

    def sizeHint(self) -> QSize:
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        bounds = QRect(0, 0, self._style.px(_TOAST_WIDTH), 10_000)  # as high as the text needs
        text_rect = self._metrics().boundingRect(bounds, int(flags), self._text)
        pad = self._style.px(sizes.SPACES[3])
        return QSize(text_rect.width() + 2 * pad, text_rect.height() + pad)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._style.theme
        surface, ink = (theme.error, theme.on_fill) if self._refusal else (theme.text, theme.panel)
        radius = self._style.px(sizes.RADIUS_BUTTON)
        with antialiased(self) as painter:
            painter.setOpacity(self._opacity)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(surface))
            painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
            painter.setPen(ink)
            painter.setFont(self._style.font("interface strong"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            pad = self._style.px(sizes.SPACES[3]) - 1  # else it would be wrapped at the edges
            painter.drawText(self.rect().adjusted(pad, 0, -pad, 0), int(flags), self._text)


_CARD_WIDTH = 320
"""Width of the card with progress, in px at 100 %."""
_PROGRESS_STEPS = 1000
"""Steps of the progress bar: finer than its px."""


@exception_safe
class ProgressCard(_OverHost):
    """A card over the canvas, visible only while something is running."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._cancel: Callable[[], object] | None = None
        set_kind(self, "card")
        self.setAutoFillBackground(True)
        self._sentence = plain_label()
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.button = QPushButton("Cancel", self)
        self.button.clicked.connect(self.cancel)
        grid = QGridLayout(self)
        grid.addWidget(self._sentence, 0, 0)
        grid.addWidget(self.bar, 1, 0)
        grid.addWidget(self.button, 0, 1, 2, 1)
        grid.setColumnStretch(0, 1)

    def text(self) -> str:
        """Return the title of the running work."""
        return self._sentence.text()

    def wait_for(self, sentence: str, cancel: Callable[[], object]) -> None:
        """Show indefinite progress with a cancel button."""
        self._cancel = cancel
        self.bar.setRange(0, 0)  # Qt's way to show a bar without a known end
        self._begin(sentence)

    def show_share(self, sentence: str, share: float) -> None:
        """Show definite progress (0 to 1) of a blocking computation; painted at once."""
        self._cancel = None
        self.bar.setRange(0, _PROGRESS_STEPS)
        self.bar.setValue(round(share * _PROGRESS_STEPS))
        if not self.isVisible() or self.text() != sentence:
            self._begin(sentence)
        self.repaint()  # at once: no event is handled while the computation runs

    def cancel(self) -> bool:
        """Cancel the running work; return whether it could be cancelled."""
        cancel, self._cancel = self._cancel, None
        if cancel is None:
            return False
        self.finish()
        cancel()
        return True

    def finish(self) -> None:
        """Hide the progress card."""
        self._cancel = None
        self.hide()

    def _begin(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self.button.setVisible(self._cancel is not None)
        self._appear(sentence)

    def _place(self) -> None:
        """Centre below the upper edge of the parent."""
        gap = self._style.px(sizes.SPACES[3])
        width = min(self._style.px(_CARD_WIDTH), self._host.width() - 2 * gap)
        left = (self._host.width() - width) // 2
        self.setGeometry(left, gap, width, self.sizeHint().height())


@exception_safe
class Notice(_OverHost):
    """A card over the canvas that offers something: one sentence, one button, a close button."""

    def __init__(
        self, style: Style, parent: QWidget, covered_width: Callable[[], float] = float
    ) -> None:
        """`covered_width` returns the px at the right of the parent that a page lies over."""
        super().__init__(style, parent)
        self._covered_width = covered_width
        self._act: Callable[[], object] | None = None
        """What the button does; None once the offer is answered."""
        self._on_enter = False
        set_kind(self, "card")
        self._sentence = plain_label(wraps=True)
        self.button = QPushButton(self)
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self._accept)
        self._close = IconButton(style, "close", "Close", parent=self)
        self._close.set_kind("quiet")
        self._close.clicked.connect(self.dismiss)
        in_row((self._sentence, 1), self.button, self._close, parent=self, edges=None)

    def text(self) -> str:
        return self._sentence.text()

    def offer(
        self, sentence: str, action: str, act: Callable[[], object], on_enter: bool = False
    ) -> None:
        """Show a sentence and a button with the caption `action` that calls `act`.

        With `on_enter`, Enter does so too, on the parent or on the widget that has the focus.
        """
        self._act, self._on_enter = act, on_enter
        focused = QApplication.focusWidget()
        if on_enter and focused is not None and focused is not self._host:
            focused.installEventFilter(self)  # stays: without an offer it lets all events pass
        self._sentence.setText(sentence)
        self.button.setText(action.replace("&", "&&"))
        self.setAccessibleName(sentence)
        self._appear(sentence)

    def dismiss(self) -> None:
        """Hide without doing anything."""
        self._act = None
        self.hide()

    def _accept(self) -> None:
        act, self._act = self._act, None
        self.hide()
        if act is not None:
            act()

    def _place(self) -> None:
        """Centre below the upper edge of what no page covers of the parent."""
        gap = self._style.px(sizes.SPACES[3])
        free = self._host.width() - round(self._covered_width())
        widest = free - 2 * gap
        buttons_width = self.button.sizeHint().width() + self._close.sizeHint().width()
        text_width = self._sentence.fontMetrics().horizontalAdvance(self._sentence.text())
        # two edges, two gaps in the row, and one to spare, or rounding may wrap the last word
        width = min(widest, text_width + buttons_width + 5 * gap)
        wrapped_width = width - buttons_width - 4 * gap
        text_height = self._sentence.heightForWidth(wrapped_width)
        height = max(text_height, self.button.sizeHint().height())
        self.setGeometry((free - width) // 2, gap, width, height + 2 * gap)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        super().eventFilter(watched, event)
        takes_keys = self._on_enter and self._act is not None and self.isVisible()
        return takes_keys and isinstance(event, QKeyEvent) and self._answer_by_key(event)

    def _answer_by_key(self, event: QKeyEvent) -> bool:
        """Answer the offer by Enter or Esc, before any shortcut; return whether it was one."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not enter and event.key() != Qt.Key.Key_Escape:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        self._accept() if enter else self.dismiss()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
