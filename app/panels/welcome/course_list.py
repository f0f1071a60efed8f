"""The course on the start page: the card of the next lesson, and one row of lessons per unit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QSizePolicy, QWidget

from app.controls.focus import NAVIGATION_KEYS, TakenKeys
from app.controls.layouts import ElidedLabel, in_column, in_row, plain_label, plain_tooltip, rule
from app.controls.painted_buttons import PaintedButton, push_button
from app.controls.rings import paint_ring
from app.guard import exception_safe
from app.lessons.course import OPENING, OPENING_TITLE
from app.lessons.course_view import Hero, LessonEntry, UnitEntry
from app.panels.welcome.start_cards import fill_grid, paint_thumbnail
from app.style import sizes
from app.style.current import Style
from app.style.strokes import antialiased
from app.style.theme import mixed
from engine.formats.native import Drawing
from engine.graph import Graph

_HERO_HEIGHT, _HERO_TEXT_WIDTH = 186, 364
"""Height of the card, and width of its text column next to the picture, in px at 100 %."""
_MIN_PICTURE_WIDTH = 130
"""Width below which the picture is left out, in px at 100 %."""
_HERO_RING_SIZE = 44
"""Diameter of the progress ring in the card, in px at 100 %."""
_MAX_PICTURE_SCALE, _FULL_SCALE_WIDTH = 1.6, 400
"""Largest scale of the picture, relative to thumbnails, and the width in px that it needs."""
_OPENING_ABOVE = "Start here, 60 seconds"
_OPENING = (
    OPENING_TITLE,
    "Two neurons learn, right now, to part dots from squares. A few stay on the wrong side. "
    "Take the ringed one, run its error back, and mend it with one number.",
    "See why",
)
"""Title, text and button of the card that offers the cold open."""
_PLANE_SHAPE = 1.55
"""Width of the plane at most, as a multiple of the card's height."""
_NO_MAX_WIDTH = 16_777_215
"""Qt's QWIDGETSIZE_MAX, which PySide does not export: lifts a maximum width."""


@exception_safe
class HeroCard(QFrame):
    """The card of the next lesson: title, aim or progress, a button to begin it, and its graph."""

    chosen = Signal(str)
    """Emitted with the name of a lesson that is to begin or go on."""
    again_chosen = Signal(str)
    """Emitted with the name of a lesson that is to begin from its first step."""
    arrow_pressed = Signal(int)
    """Emitted with the key of an arrow pressed on the button."""

    plane_wanted = Signal()
    """Emitted after the first paint of the cold open's card, which `set_plane` completes."""

    def __init__(self, style: Style, hero: Hero) -> None:
        super().__init__()
        self._style = style
        self.hero, self.opens = hero, False
        """The lesson of the card, and whether it offers the cold open before it."""
        self._plane: QWidget | None = None
        self._plane_asked = False
        self.setProperty("kind", "hero")
        self.title = plain_label(kind="subtitle", wraps=True)
        self.text = plain_label(wraps=True)
        self.button = push_button(kind="primary")
        self.again = push_button("Start it again", "offer")
        self._above = ElidedLabel(style, kind="caption")
        self._aside = plain_label(kind="caption")
        self._ring = _Ring(style, hero.lesson)
        self._picture = _Picture(style)
        self._lay_out()
        self.button.clicked.connect(self._choose)
        self.again.clicked.connect(self._choose_other)
        TakenKeys(self.button, *NAVIGATION_KEYS).pressed.connect(self.arrow_pressed)
        style.run_now_and_on_change(self._restyle)
        self.show_hero(hero)

    def show_hero(self, hero: Hero, *, opens: bool = False) -> None:
        """Show a lesson, or the same one with other progress; `opens`: the cold open before it."""
        self.hero, self.opens, lesson = hero, opens, hero.lesson
        title, text, button = (lesson.title, hero.text, hero.button) if not opens else _OPENING
        self._above.setText(_OPENING_ABOVE if opens else hero.above)
        self.title.setText(title)
        self.text.setText(text)
        self.button.setText(button)
        self.button.setAccessibleName(f"{button}: {title if opens else lesson.spoken}")
        self.button.setAccessibleDescription(text)
        self.again.setVisible(opens or hero.button == "Continue")
        self.again.setText(f"or lesson 1, {lesson.minutes} min" if opens else "Start it again")
        self._aside.setText("" if opens else hero.aside)
        self._ring.setVisible(not opens)
        self._column.setStretch(1, int(not opens))  # its text stands below its title
        self._ring.show_lesson(lesson)
        self._picture.show_graph(hero.graph)
        if self._plane is not None and not opens:
            self._plane.hide()
            self._plane.deleteLater()
            self._plane, self._plane_asked = None, False

    @property
    def wants_plane(self) -> bool:
        """Return whether the card of the cold open is seen without its plane."""
        return self.opens and self.isVisible() and self._plane is None

    def set_plane(self, plane: QWidget) -> None:
        """Put the plane of the cold open into the card."""
        self._plane = QWidget()
        in_column((plane, 1), parent=self._plane, style=self._style, edges=(12, 14, 16, 8))
        self._row.addWidget(self._plane, 1)

    def _choose(self) -> None:
        self.chosen.emit(OPENING if self.opens else self.hero.lesson.name)

    def _choose_other(self) -> None:
        (self.chosen if self.opens else self.again_chosen).emit(self.hero.lesson.name)

    def _lay_out(self) -> None:
        style = self._style
        titles = in_column(1, self._above, self.title, 1, style=style, gap=2)
        head = in_row(self._ring, (titles, 1), style=style, gap=16)
        key_hint = plain_label("Enter", "caption")
        foot = in_row(self.button, key_hint, 1, self._aside, self.again, style=style, gap=12)
        parts = (head, 1, self.text, 1, foot)
        self._text_column = QWidget()
        edges = (18, 14, 18, 12)
        self._column = in_column(*parts, parent=self._text_column, style=style, edges=edges, gap=6)
        self._row = in_row(
            self._text_column, (self._picture, 1), parent=self, style=style, edges=2, gap=0
        )

    def fit(self, width: int, plane_height: int) -> None:
        """Leave the picture out where the card is too narrow; without a plane its height is 0."""
        px, height = self._style.px, plane_height if self.opens else 0
        has_picture = width >= px(_HERO_TEXT_WIDTH + _MIN_PICTURE_WIDTH)
        has_picture = has_picture and bool(height or not self.opens)
        self.setFixedHeight(height or px(_HERO_HEIGHT))
        self._picture.setVisible(has_picture and not height)
        if self._plane is not None:
            self._plane.setVisible(has_picture)
        text = px(_HERO_TEXT_WIDTH)
        if height:  # the plane is not stretched
            text = max(text, width - round(_PLANE_SHAPE * height))
        self._text_column.setMinimumWidth(text if has_picture else 0)
        self._text_column.setMaximumWidth(text if has_picture else _NO_MAX_WIDTH)

    def _restyle(self) -> None:
        self.button.setMinimumWidth(self._style.px(126))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.opens and not self._plane_asked:
            self._plane_asked = True
            QTimer.singleShot(0, self, self.plane_wanted.emit)


@exception_safe
class _Ring(QWidget):
    """The progress of the lesson as a ring."""

    def __init__(self, style: Style, lesson: LessonEntry) -> None:
        super().__init__()
        self._style, self._lesson = style, lesson
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        style.changed.connect(self.updateGeometry)

    def show_lesson(self, lesson: LessonEntry) -> None:
        self._lesson = lesson
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_HERO_RING_SIZE), self._style.px(_HERO_RING_SIZE))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with antialiased(self) as painter:
            paint_ring(painter, QRectF(self.rect()), self._lesson, self._style)


@exception_safe
class _Picture(QWidget):
    """The graph of the lesson, larger than the thumbnails of the examples."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._drawing = Drawing(Graph())

    def show_graph(self, graph: Graph) -> None:
        self._drawing = Drawing(graph)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, px = self._style, self._style.px
        with antialiased(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.theme.canvas)
            rect, radius = QRectF(self.rect()), px(sizes.RADIUS_CARD - 2)
            painter.drawRoundedRect(rect, radius, radius)
            # square corners and a line at the left, where the text column is
            painter.fillRect(rect.adjusted(0, 0, -radius, 0), style.theme.canvas)
            painter.fillRect(QRectF(0, 0, 1, rect.height()), style.theme.line)
            padded = rect.adjusted(px(16), px(14), -px(16), -px(14))
            # nodes and texts of a thumbnail are small; they grow with the picture
            scale = min(
                _MAX_PICTURE_SCALE,
                max(1.0, _MAX_PICTURE_SCALE * rect.width() / px(_FULL_SCALE_WIDTH)),
            )
            painter.scale(scale, scale)
            unscaled = QRectF(padded.topLeft() / scale, padded.size() / scale)
            paint_thumbnail(painter, unscaled, self._drawing, style)


_LESSON_WIDTH, _LESSON_HEIGHT = 147, 56
"""Minimum width of a lesson's button, and its height, in px at 100 %."""
_LINE_HEIGHT = 24
"""Height of the line of a folded unit, in px at 100 %."""
_HEADING_WIDTH = 240
"""Width of a unit's heading at the left of its lessons, in px at 100 %."""
_MIN_COLUMNS_BESIDE_HEADING = 3
"""Lessons that must fit next to the heading; it is above them where fewer do."""
_MAX_COLUMNS = 4
"""Most lessons in a row."""
_RING_SIZE, _RING_LEFT, _TITLE_LEFT = 28, 9, 45
"""Diameter and left edge of the ring, and left edge of the title, in px at 100 %."""
_MAX_TITLE_LINES = 2


@exception_safe
class _Stop(PaintedButton):
    """A button that arrow keys reach; `Lessons` makes one of them the tab stop."""

    arrow_pressed = Signal(int)
    """Emitted with the key."""
    focused = Signal()

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(style, parent)
        TakenKeys(self, *NAVIGATION_KEYS).pressed.connect(self.arrow_pressed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()


@exception_safe
class LessonButton(_Stop):
    """A lesson to choose: progress ring, title in up to two lines, and its length."""

    chosen = Signal(str)
    """Emitted with the name of the lesson."""

    def __init__(self, style: Style, lesson: LessonEntry, parent: QWidget) -> None:
        super().__init__(style, parent)
        self.lesson = lesson
        self.clicked.connect(lambda: self.chosen.emit(self.lesson.name))
        self.show_lesson(lesson, is_next=False)

    def show_lesson(self, lesson: LessonEntry, is_next: bool) -> None:
        """Update the progress shown; `is_next` highlights the lesson that the card offers."""
        self.lesson, self.is_next = lesson, is_next
        self.setText(lesson.title)
        self.setAccessibleName(lesson.spoken)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_LESSON_WIDTH), self._style.px(_LESSON_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with antialiased(self) as painter:
            self._paint_background(painter)
            ring = QRectF(
                px(_RING_LEFT), (self.height() - px(_RING_SIZE)) / 2, px(_RING_SIZE), px(_RING_SIZE)
            )
            paint_ring(painter, ring, self.lesson, self._style)
            is_finished = self.lesson.state in ("done", "shown")
            lines = self._title_lines()
            title = QFontMetricsF(self._style.font("interface strong"))
            caption = QFontMetricsF(self._style.font("caption"))
            top = (self.height() - title.height() * len(lines) - caption.height()) / 2
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(theme.secondary if is_finished else theme.text)
            for line in lines:
                painter.drawText(QPointF(px(_TITLE_LEFT), top + title.ascent()), line)
                top += title.height()
            painter.setFont(self._style.font("caption"))
            painter.setPen(theme.secondary)
            painter.drawText(QPointF(px(_TITLE_LEFT), top + caption.ascent()), self.lesson.caption)

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
        """Return the title broken into lines, the last one elided; the tooltip has it in full."""
        font = self._style.font("interface strong")
        line_width = self.width() - self._style.px(_TITLE_LEFT + 4)
        title = self.lesson.title
        layout = QTextLayout(title, font)
        lines = list[str]()
        layout.beginLayout()
        while len(lines) < _MAX_TITLE_LINES:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(line_width)
            start = line.textStart()
            # the last line gets all of the remaining text, so that it is elided if too long
            is_last = len(lines) == _MAX_TITLE_LINES - 1
            lines.append(title[start:] if is_last else title[start : start + line.textLength()])
        layout.endLayout()
        metrics = QFontMetricsF(font)
        lines[-1] = metrics.elidedText(lines[-1], Qt.TextElideMode.ElideRight, line_width)
        self.setToolTip(plain_tooltip(title) if lines[-1].endswith("…") else "")
        return lines


@exception_safe
class UnitLine(_Stop):
    """The line of a folded unit, which opens it."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._note = ""

    def show_unit(self, unit: UnitEntry) -> None:
        """Show the number, the title and the length of a unit, or how much of it is done."""
        self.setText(f"▸  {unit.number}  {unit.title}")
        self._note = f"{len(unit.lessons)} lessons · {unit.note}"
        self.setAccessibleName(f"Unit {unit.number}, {unit.title}, {self._note}, folded")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_LESSON_WIDTH), self._style.px(_LINE_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, inner = self._style.theme, self.rect().adjusted(0, 0, -self._style.px(2), 0)
        with antialiased(self) as painter:
            if self.underMouse() or self.hasFocus():
                fill = mixed(theme.panel, theme.text, 0.05)
                self.paint_box(painter, fill, fill, sizes.RADIUS_BUTTON)
            painter.setFont(self._style.font("interface strong"))
            painter.setPen(theme.text)
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, self.text())
            painter.setFont(self._style.font("caption"))
            painter.setPen(theme.secondary)
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(inner, right, self._note)


class UnitRow(QWidget):
    """A unit: its heading, and at the right or below a grid of its lessons; or folded, a line."""

    def __init__(self, style: Style, unit: UnitEntry) -> None:
        super().__init__()
        self._style = style
        self.line = UnitLine(style, self)
        self.buttons = [LessonButton(style, lesson, self) for lesson in unit.lessons]
        self._above = plain_label(kind="caption")
        title, aim = plain_label(unit.title, "heading"), plain_label(unit.able, "caption")
        parts = (self._above, title, aim)
        self._head = QWidget()
        in_column(*parts, parent=self._head, style=style, gap=1)
        self._head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._grid = QGridLayout()
        self._grid.setSpacing(0)
        self._columns = 0
        self._body = QWidget()
        self._row = in_row(self._head, (self._grid, 1), parent=self._body, style=style, gap=4)
        in_column(self._body, self.line, rule(), parent=self, style=style, gap=6)

    @property
    def is_open(self) -> bool:
        """Return whether the lessons are shown, not the line alone."""
        return self.line.isHidden()

    @property
    def stops(self) -> Sequence[_Stop]:
        """Return what arrow keys reach: the lessons, or the line."""
        return self.buttons if self.is_open else [self.line]

    def set_open(self, is_open: bool) -> None:
        """Show the lessons, or the line alone."""
        self._body.setVisible(is_open)
        self.line.setVisible(not is_open)

    def show_unit(self, unit: UnitEntry, next_name: str) -> None:
        """Update the progress shown; `next_name` is the lesson to highlight."""
        self._above.setText(f"Unit {unit.number} · {unit.note}")
        self.line.show_unit(unit)
        for button, lesson in zip(self.buttons, unit.lessons, strict=True):
            button.show_lesson(lesson, is_next=lesson.name == next_name)

    def fit(self, width: int) -> None:
        """Choose heading position and number of columns for a width in px."""
        px = self._style.px
        is_beside = width >= px(_HEADING_WIDTH) + _MIN_COLUMNS_BESIDE_HEADING * px(_LESSON_WIDTH)
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)
        self._head.setMinimumWidth(px(_HEADING_WIDTH) if is_beside else 0)
        self._head.setMaximumWidth(px(_HEADING_WIDTH) if is_beside else _NO_MAX_WIDTH)
        grid_width = width - px(_HEADING_WIDTH) if is_beside else width
        self._arrange(max(1, min(_MAX_COLUMNS, grid_width // px(_LESSON_WIDTH))))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        fill_grid(self._grid, self.buttons, columns, _MAX_COLUMNS)


class Lessons(QWidget):
    """All units, with a roving tab stop: Tab reaches one lesson, arrow keys move between them."""

    chosen = Signal(str)
    """Emitted with the name of a lesson."""
    focused = Signal(QWidget)
    """Emitted with the button that has got the focus."""
    focus_left_above = Signal()
    """Emitted when an arrow leads up from the first line of lessons."""

    def __init__(self, style: Style, units: Sequence[UnitEntry], next_name: str) -> None:
        super().__init__()
        self.rows = [UnitRow(style, unit) for unit in units]
        self.buttons = [button for row in self.rows for button in row.buttons]
        in_column(*self.rows, parent=self, style=style, gap=6)
        for button in self.buttons:
            button.chosen.connect(self.chosen)
        for row in self.rows:
            row.line.clicked.connect(partial(self.open_unit, row))
            for stop in (*row.buttons, row.line):
                stop.arrow_pressed.connect(self.move_focus)
                stop.focused.connect(partial(self._on_focus, stop))
        self._tab_stop: _Stop = self.buttons[0]
        self._next_name = ""
        self.show_units(units, next_name)

    def show_units(self, units: Sequence[UnitEntry], next_name: str) -> None:
        """Update the progress shown, and make the next lesson the tab stop."""
        for row, unit in zip(self.rows, units, strict=True):
            row.show_unit(unit, next_name)
        if next_name != self._next_name:
            self._next_name = next_name
            following = next(button for button in self.buttons if button.is_next)
            self._open(next(row for row in self.rows if following in row.buttons))
            self._set_tab_stop(following)

    def open_unit(self, row: UnitRow) -> None:
        """Show the lessons of a unit, the first of which gets the focus, and fold the others."""
        self._open(row)
        self._set_tab_stop(row.buttons[0])
        self.focus_lesson()

    def _open(self, row: UnitRow) -> None:
        for each in self.rows:
            each.set_open(each is row)

    @property
    def stops(self) -> list[_Stop]:
        """Return what arrow keys walk over: the lessons of the open unit, the lines of others."""
        return [stop for row in self.rows for stop in row.stops]

    def fit(self, width: int) -> None:
        """Arrange every unit for a width in px."""
        for row in self.rows:
            row.fit(width)

    def focus_lesson(self) -> None:
        """Focus the lesson that is the tab stop."""
        self._tab_stop.setFocus(Qt.FocusReason.TabFocusReason)

    def move_focus(self, key: int) -> None:
        """Move the focus from the tab stop by an arrow, Page Up or Down, Home or End."""
        stops = self.stops
        index, last = stops.index(self._tab_stop), len(stops) - 1
        horizontal = {
            Qt.Key.Key_Left: index - 1,
            Qt.Key.Key_Right: index + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        target: _Stop | None
        if key in horizontal:
            target = stops[min(max(horizontal[Qt.Key(key)], 0), last)]
        else:
            target = self._nearest_in_next_line(key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp))
        if target is None:
            self.focus_left_above.emit()
        else:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _nearest_in_next_line(self, up: bool) -> _Stop | None:
        """Return the nearest stop one line up or down.

        None above the first line; below the last one, the stop that has the focus.
        """
        origin = self._center(self._tab_stop)
        lines = {self._center(stop).y() for stop in self.stops}
        ahead = [y for y in lines if (y < origin.y() if up else y > origin.y())]
        if not ahead:
            return None if up else self._tab_stop
        next_y = max(ahead) if up else min(ahead)
        line = (stop for stop in self.stops if self._center(stop).y() == next_y)
        return min(line, key=lambda stop: abs(self._center(stop).x() - origin.x()))

    def _center(self, stop: _Stop) -> QPoint:
        return stop.mapTo(self, stop.rect().center())

    def _on_focus(self, stop: _Stop) -> None:
        self._set_tab_stop(stop)
        self.focused.emit(stop)

    def _set_tab_stop(self, stop: _Stop) -> None:
        self._tab_stop.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._tab_stop = stop
        stop.setFocusPolicy(Qt.FocusPolicy.TabFocus)
