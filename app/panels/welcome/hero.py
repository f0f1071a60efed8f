"""The card of the lesson to start or to continue."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.keys import ARROWS, KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.lesson_ring import paint_ring
from app.guard import guarded
from app.lessons.course_view import Hero, LessonEntry
from app.panels.welcome.thumbnail import paint_thumbnail
from app.style import sizes
from app.style.current import Style
from engine.formats.native import Drawing
from engine.graph import Graph

_HEIGHT = 186
_WORDS = 364
"""Height of the card, and width of its words where there is a picture, in px at 100 %."""
_LEAST_PICTURE = 130
"""Width below which the picture is left out, in px at 100 %."""
_RING = 44
_ENLARGED, _WIDE = 1.6, 400
"""Size of a picture's boxes compared with those of other pictures, where it is so many px wide."""


@guarded
class HeroCard(QFrame):
    """Title, what the lesson is for or how far it is, a button, and its graph."""

    chosen = Signal(str)
    again_chosen = Signal(str)
    arrow_pressed = Signal(int)
    """Emitted with the key of an arrow pressed on the button."""

    def __init__(self, style: Style, hero: Hero, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.hero = hero
        self.setProperty("kind", "hero")
        self.title = plain_label(kind="subtitle", wraps=True)
        self.text = plain_label(wraps=True)
        self.button = _HeroButton()
        self.button.setProperty("kind", "primary")
        self.again = QPushButton("Start it again")
        self.again.setProperty("kind", "offer")
        PressedByEnter(self.again)
        self._above = ElidedLabel(style, kind="caption")
        self._aside = plain_label(kind="caption")
        self._ring = _Ring(style, hero.lesson)
        self._picture = _Picture(style)
        self._lay_out()
        self.button.clicked.connect(lambda: self.chosen.emit(self.hero.lesson.name))
        self.again.clicked.connect(lambda: self.again_chosen.emit(self.hero.lesson.name))
        self.button.arrow_pressed.connect(self.arrow_pressed)
        style.changed.connect(self._restyle)
        self._restyle()
        self.show_hero(hero)

    def show_hero(self, hero: Hero) -> None:
        """Show a lesson, or the same one with other progress."""
        self.hero = hero
        self._above.setText(hero.above)
        self.title.setText(hero.lesson.title)
        self.text.setText(hero.text)
        self.button.setText(hero.button)
        self.button.setAccessibleName(f"{hero.button}: {hero.lesson.spoken}")
        self.button.setAccessibleDescription(hero.text)
        self.again.setVisible(hero.button == "Continue")
        self._aside.setText(hero.aside)
        self._ring.show_lesson(hero.lesson)
        self._picture.show_graph(hero.graph)

    def _lay_out(self) -> None:
        style = self._style
        names = in_column(1, self._above, self.title, 1, style=style, edges=0, gap=2)
        head = in_row(self._ring, (names, 1), style=style, edges=0, gap=16)
        key = plain_label("Enter", "caption")
        foot = in_row(self.button, key, 1, self._aside, self.again, style=style, edges=0, gap=12)
        parts = (head, 1, self.text, 1, foot)
        self._words = QWidget()
        in_column(*parts, parent=self._words, style=style, edges=(18, 14, 18, 12), gap=6)
        in_row(self._words, (self._picture, 1), parent=self, style=style, edges=2, gap=0)

    def fit(self, width: int) -> None:
        """Leave the picture out where the card is too narrow for it."""
        px = self._style.px
        has_picture = width >= px(_WORDS + _LEAST_PICTURE)
        self._picture.setVisible(has_picture)
        self._words.setMinimumWidth(px(_WORDS) if has_picture else 0)
        self._words.setMaximumWidth(px(_WORDS) if has_picture else 16_777_215)

    def _restyle(self) -> None:
        self.setMinimumHeight(self._style.px(_HEIGHT))
        self.button.setMinimumWidth(self._style.px(126))
        self.fit(self.width())


@guarded
class _HeroButton(QPushButton):
    """A button from which arrows move to the lessons."""

    arrow_pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        KeyClaim(self, *ARROWS)
        PressedByEnter(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS:
            event.accept()
            self.arrow_pressed.emit(event.key())
        else:
            super().keyPressEvent(event)


@guarded
class _Ring(QWidget):
    def __init__(self, style: Style, lesson: LessonEntry) -> None:
        super().__init__()
        self._style, self._lesson = style, lesson
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        style.changed.connect(self.updateGeometry)

    def show_lesson(self, lesson: LessonEntry) -> None:
        self._lesson = lesson
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_RING), self._style.px(_RING))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_ring(painter, QRectF(self.rect()), self._lesson, self._style)


@guarded
class _Picture(QWidget):
    """The graph of the lesson, larger than in the cards."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._drawing = Drawing(Graph())

    def show_graph(self, graph: Graph) -> None:
        self._drawing = Drawing(graph)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, px = self._style, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.theme.canvas)
            rect, radius = QRectF(self.rect()), px(sizes.RADIUS_CARD - 2)
            painter.drawRoundedRect(rect, radius, radius)
            painter.fillRect(rect.adjusted(0, 0, -radius, 0), style.theme.canvas)
            painter.fillRect(QRectF(0, 0, 1, rect.height()), style.theme.line)
            inner = rect.adjusted(px(16), px(14), -px(16), -px(14))
            scale = min(_ENLARGED, max(1.0, _ENLARGED * rect.width() / px(_WIDE)))
            painter.scale(scale, scale)
            small = QRectF(inner.topLeft() / scale, inner.size() / scale)
            paint_thumbnail(painter, small, self._drawing, style)
