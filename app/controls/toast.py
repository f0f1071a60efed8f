"""Toast: a short message over the lower edge of a widget, which disappears by itself."""

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
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from app.guard import guarded
from app.style import sizes
from app.style.current import Style

_LEAST: Final = 1800
_PER_LETTER: Final = 55
_WIDEST: Final = 520
_FADE: Final = 160


@guarded
class Toast(QWidget):
    """Shows a sentence, such as why something was refused.

    `beside` returns rectangles of the parent that must stay visible.
    """

    def __init__(
        self,
        style: Style,
        parent: QWidget,
        beside: Callable[[], Sequence[QRectF]] = tuple,
        edge: int = sizes.SPACES[3],
    ) -> None:
        """`edge` is the space to the edges of the parent, in px at 100 %."""
        super().__init__(parent)
        self._edge = edge
        self._style = style
        self._host = parent
        self._beside = beside
        self._text = ""
        self._refusal = False
        self._opacity = 1.0
        self._fade = QVariantAnimation(self)
        self._fade.setDuration(_FADE)
        self._fade.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fade.valueChanged.connect(self._set_opacity)
        self._fade.finished.connect(self._faded)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._begin_to_fade)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        parent.installEventFilter(self)
        style.changed.connect(self._place)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._make_room)

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
        self._place()
        self.show()
        self.raise_()
        self.update()
        self._timer.start(_LEAST + _PER_LETTER * len(text))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def dismiss(self) -> None:
        """Hide at once."""
        self._timer.stop()
        self._fade.stop()
        self.hide()

    def _make_room(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Move away from a focused widget that opens on the parent."""
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

    def _faded(self) -> None:
        if self._opacity == 0:
            self.hide()

    def _place(self) -> None:
        """Centre above the lower edge of the parent, or beside or above what must stay visible."""
        gap = self._style.px(self._edge)
        room = self._host.rect().adjusted(gap, 0, -gap, -gap)
        size = self.sizeHint().boundedTo(room.size())
        middle = (self._host.width() - size.width()) // 2
        low = room.bottom() + 1 - size.height()
        taken = [rect.toAlignedRect() for rect in self._beside() if not rect.isEmpty()]
        corners = [QPoint(middle, low)]
        corners += [QPoint(rect.right() + 1 + gap, low) for rect in taken]
        corners += [QPoint(rect.left() - gap - size.width(), low) for rect in taken]
        corners += [QPoint(middle, rect.top() - gap - size.height()) for rect in taken]
        for corner in corners:
            place = QRect(corner, size)
            if room.contains(place) and not any(place.intersects(rect) for rect in taken):
                break
        else:
            place = QRect(corners[0], size)
        self.setGeometry(place)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._style.font("interface strong"))

    def sizeHint(self) -> QSize:
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = QRectF(0, 0, self._style.px(_WIDEST), 10_000).toRect()
        words = self._metrics().boundingRect(room, int(flags), self._text)
        pad = self._style.px(sizes.SPACES[3])
        return QSize(words.width() + 2 * pad, words.height() + pad)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._style.theme
        surface, ink = (theme.error, theme.on_fill) if self._refusal else (theme.text, theme.panel)
        radius = self._style.px(sizes.RADIUS_BUTTON)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(self._opacity)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(surface))
            painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
            painter.setPen(ink)
            painter.setFont(self._style.font("interface strong"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), int(flags), self._text)
