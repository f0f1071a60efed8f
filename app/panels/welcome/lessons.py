"""The course on the start page: the lesson to continue, and its lessons, one row a unit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QPushButton, QSizePolicy, QWidget

from app.controls.buttons import PaintedButton
from app.controls.elided_label import ElidedLabel
from app.controls.focus import ARROWS, KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label, plain_tooltip
from app.controls.lesson_ring import paint_ring
from app.guard import guarded
from app.lessons.course_view import Hero, LessonEntry, UnitEntry
from app.panels.welcome.cards import paint_thumbnail
from app.style import sizes
from app.style.current import Style
from app.style.theme import mixed
from engine.formats.native import Drawing
from engine.graph import Graph

_HERO_HEIGHT = 186
_WORDS = 364
"""Height of the card, and width of its words where there is a picture, in px at 100 %."""
_LEAST_PICTURE = 130
"""Width below which the picture is left out, in px at 100 %."""
_HERO_RING = 44
_ENLARGED, _WIDE = 1.6, 400
"""Size of a picture's boxes compared with those of other pictures, where it is so many px wide."""


@guarded
class HeroCard(QFrame):
    """Title, aim or progress of the lesson, a button, and its graph."""

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
        self.setMinimumHeight(self._style.px(_HERO_HEIGHT))
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
        return QSize(self._style.px(_HERO_RING), self._style.px(_HERO_RING))

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


_WIDTH, _HEIGHT = 147, 56
"""Least width and height of a lesson, in px at 100 %."""
_HEAD = 240
"""Width of a unit's heading in a row with its lessons, in px at 100 %."""
_COLUMNS_BESIDE = 3
"""Lessons that must fit next to the heading, which is else above them."""
_MOST_COLUMNS = 4
_RING, _LEFT, _TEXT = 28, 9, 45
"""Diameter of the ring, its place, and that of the title, in px at 100 %."""
_LINES = 2
"""Lines of a title at most."""


@guarded
class LessonButton(PaintedButton):
    """A lesson: ring, title in up to two lines, and its length."""

    chosen = Signal(str)
    arrow_pressed = Signal(int)
    focused = Signal()

    def __init__(self, style: Style, lesson: LessonEntry, parent: QWidget) -> None:
        super().__init__(style, parent)
        self.lesson = lesson
        KeyClaim(self, *ARROWS)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.chosen.emit(self.lesson.name))
        self.show_lesson(lesson, is_next=False)

    def show_lesson(self, lesson: LessonEntry, is_next: bool) -> None:
        """Show the lesson with other progress; `is_next`: the card above offers it."""
        self.lesson, self.is_next = lesson, is_next
        self.setText(lesson.title)
        self.setAccessibleName(lesson.spoken)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDTH), self._style.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS:
            event.accept()
            self.arrow_pressed.emit(event.key())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_background(painter)
            ring = QRectF(px(_LEFT), (self.height() - px(_RING)) / 2, px(_RING), px(_RING))
            paint_ring(painter, ring, self.lesson, self._style)
            is_over = self.lesson.state in ("done", "shown")
            lines = self._title_lines()
            title = QFontMetricsF(self._style.font("interface strong"))
            caption = QFontMetricsF(self._style.font("caption"))
            top = (self.height() - title.height() * len(lines) - caption.height()) / 2
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(theme.secondary if is_over else theme.text)
            for line in lines:
                painter.drawText(QPointF(px(_TEXT), top + title.ascent()), line)
                top += title.height()
            painter.setFont(self._style.font("caption"))
            painter.setPen(theme.secondary)
            painter.drawText(QPointF(px(_TEXT), top + caption.ascent()), self.lesson.caption)

    def _paint_background(self, painter: QPainter) -> None:
        theme = self._style.theme
        if self.is_next:
            fill, line = theme.selection_tint, theme.selection
        elif self.underMouse() or self.hasFocus():
            fill = mixed(theme.panel, theme.text, 0.05)
            line = fill
        else:
            return
        self.paint_box(painter, fill, line, sizes.RADIUS_BUTTON)

    def _title_lines(self) -> list[str]:
        """Return the title broken into lines; the last one is elided."""
        font, room = self._style.font("interface strong"), self.width() - self._style.px(_TEXT + 4)
        title = self.lesson.title
        layout = QTextLayout(title, font)
        lines = list[str]()
        layout.beginLayout()
        while len(lines) < _LINES:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room)
            start = line.textStart()
            is_last = len(lines) == _LINES - 1
            lines.append(title[start:] if is_last else title[start : start + line.textLength()])
        layout.endLayout()
        lines[-1] = QFontMetricsF(font).elidedText(lines[-1], Qt.TextElideMode.ElideRight, room)
        self.setToolTip(plain_tooltip(title) if lines[-1].endswith("…") else "")
        return lines


class UnitRow(QWidget):
    """A unit: its heading, left of or above its lessons, which wrap."""

    def __init__(self, style: Style, unit: UnitEntry) -> None:
        super().__init__()
        self._style = style
        self.buttons = [LessonButton(style, lesson, self) for lesson in unit.lessons]
        self._above = plain_label(kind="caption")
        title, able = plain_label(unit.title, "heading"), plain_label(unit.able, "caption")
        parts = (self._above, title, able)
        self._head = QWidget()
        in_column(*parts, parent=self._head, style=style, edges=0, gap=1)
        self._head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._grid = QGridLayout()
        self._grid.setSpacing(0)
        self._columns = 0
        self._row = in_row(self._head, (self._grid, 1), style=style, edges=0, gap=4)
        rule = QFrame()
        rule.setProperty("kind", "rule")
        in_column(self._row, rule, parent=self, style=style, edges=0, gap=6)

    def show_unit(self, unit: UnitEntry, next_name: str) -> None:
        """Show the same unit with other progress."""
        self._above.setText(f"Unit {unit.number} · {unit.note}")
        for button, lesson in zip(self.buttons, unit.lessons, strict=True):
            button.show_lesson(lesson, is_next=lesson.name == next_name)

    def fit(self, width: int) -> None:
        """Arrange the lessons for a width in px."""
        px = self._style.px
        is_beside = width >= px(_HEAD) + _COLUMNS_BESIDE * px(_WIDTH)
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)
        self._head.setMinimumWidth(px(_HEAD) if is_beside else 0)
        self._head.setMaximumWidth(px(_HEAD) if is_beside else 16_777_215)
        room = width - px(_HEAD) if is_beside else width
        self._arrange(max(1, min(_MOST_COLUMNS, room // px(_WIDTH))))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for button in self.buttons:
            self._grid.removeWidget(button)
        for place, button in enumerate(self.buttons):
            self._grid.addWidget(button, place // columns, place % columns)
        for column in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)


class Lessons(QWidget):
    """All units; Tab stops at one lesson, and arrows move from there."""

    chosen = Signal(str)
    focused = Signal(QWidget)
    left_above = Signal()
    """Emitted when an arrow leads up from the first line of lessons."""

    def __init__(self, style: Style, units: Sequence[UnitEntry], next_name: str) -> None:
        super().__init__()
        self.rows = [UnitRow(style, unit) for unit in units]
        self.buttons = [button for row in self.rows for button in row.buttons]
        in_column(*self.rows, parent=self, style=style, edges=0, gap=6)
        for button in self.buttons:
            button.chosen.connect(self.chosen)
            button.arrow_pressed.connect(self.move_focus)
            button.focused.connect(lambda found=button: self._follow(found))
        self._stop = self.buttons[0]
        self.show_units(units, next_name)

    @property
    def stop(self) -> LessonButton:
        """Return the lesson at which Tab stops."""
        return self._stop

    def show_units(self, units: Sequence[UnitEntry], next_name: str) -> None:
        """Show the same units with other progress; Tab stops at the lesson that is next."""
        for row, unit in zip(self.rows, units, strict=True):
            row.show_unit(unit, next_name)
        self._set_stop(next(button for button in self.buttons if button.is_next))

    def fit(self, width: int) -> None:
        """Arrange the lessons for a width in px."""
        for row in self.rows:
            row.fit(width)

    def focus_lesson(self) -> None:
        """Focus the lesson at which Tab stops."""
        self._stop.setFocus(Qt.FocusReason.TabFocusReason)

    def move_focus(self, key: int) -> None:
        """Move the focus by an arrow, Home or End from the lesson at which Tab stops."""
        at = self.buttons.index(self._stop)
        last = len(self.buttons) - 1
        along = {
            Qt.Key.Key_Left: at - 1,
            Qt.Key.Key_Right: at + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        found: LessonButton | None
        if key in along:
            found = self.buttons[min(max(along[Qt.Key(key)], 0), last)]
        else:
            found = self._vertical(key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp))
        if found is None:
            self.left_above.emit()
        else:
            found.setFocus(Qt.FocusReason.TabFocusReason)

    def _vertical(self, up: bool) -> LessonButton | None:
        """Return the nearest lesson of the next line; None above the first line."""
        here = self._middle(self._stop)
        lines = {self._middle(button).y() for button in self.buttons}
        beyond = [y for y in lines if (y < here.y() if up else y > here.y())]
        if not beyond:
            return None if up else self._stop
        line = max(beyond) if up else min(beyond)
        there = (button for button in self.buttons if self._middle(button).y() == line)
        return min(there, key=lambda button: abs(self._middle(button).x() - here.x()))

    def _middle(self, button: LessonButton) -> QPoint:
        return button.mapTo(self, button.rect().center())

    def _follow(self, button: LessonButton) -> None:
        self._set_stop(button)
        self.focused.emit(button)

    def _set_stop(self, button: LessonButton) -> None:
        self._stop.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stop = button
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
