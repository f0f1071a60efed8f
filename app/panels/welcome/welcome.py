"""The start page: the course at the left, a graph of one's own and the examples at the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.controls.layouts import fill_background, in_column, in_row, plain_label, scroll_area
from app.guard import guarded
from app.lessons.course_view import RETURNING, CourseView
from app.panels.welcome.cards import Examples, RecentFiles
from app.panels.welcome.formula_box import FormulaBox
from app.panels.welcome.lessons import HeroCard, Lessons
from app.style.current import Style

_SIDE, _LEAST_SIDE, _MOST_SIDE = 0.34, 360, 560
"""Width of the right side: its share of the page, and its limits in px at 100 %."""
_COURSE_EDGES, _SIDE_EDGES = (32, 18, 32, 14), (24, 18, 24, 14)
_SIDE_GAP = 20
_NARROW = 860
"""Width below which the right side is below the course, in px at 100 %."""
_LOW = 640
"""Height below which a formula has no preview, in px at 100 %."""
_OPENING = "(-+."
"""Characters besides letters and digits that a formula may begin with."""


@guarded
class Welcome(QWidget):
    """The lesson to go on with, all lessons, a formula field, recent files and examples."""

    lesson_chosen = Signal(str)
    again_chosen = Signal(str)
    """Emitted with the name of a lesson that is to be started from its first step."""
    example_chosen = Signal(str)
    file_chosen = Signal(str)
    open_wanted = Signal()
    expression_entered = Signal(str)
    empty_chosen = Signal()

    def __init__(
        self,
        style: Style,
        course: CourseView,
        recent: Sequence[Path] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._narrow = False
        self._course_view = course
        self.hero: HeroCard | None = None
        self.lessons: Lessons | None = None
        if course.hero is not None:
            self.hero = HeroCard(style, course.hero)
            self.lessons = Lessons(style, course.units, course.hero.lesson.name)
        fill_background(self, "panel")
        self.setAccessibleName("Start page")
        self.title = plain_label(kind="title", wraps=True)
        self._lead = plain_label(kind="secondary", wraps=True)
        self.formula = FormulaBox(style)
        self.recent = RecentFiles(style)
        self.examples = Examples(style)
        self.empty_button = self.formula.empty_button
        self._course = self._course_part()
        self._side = self._side_part()
        self._lay_out()
        self._connect()
        self.set_course(course)
        self.set_recent(recent)

    @property
    def parts(self) -> tuple[QWidget, QWidget]:
        """Return the parts between which F6 moves: the course, and the right side."""
        return self._course, self._side

    def set_course(self, course: CourseView) -> None:
        """Show the same course with other progress."""
        self._course_view = course
        if self.hero is not None and self.lessons is not None and course.hero is not None:
            self.hero.show_hero(course.hero)
            self.lessons.show_units(course.units, course.hero.lesson.name)
        self._lead.setText(course.lead)
        self._set_title()
        self._fit()

    def set_recent(self, paths: Sequence[Path]) -> None:
        """List these files, newest first."""
        self.recent.set_files(paths)
        self._set_title()
        self._fit()

    def _set_title(self) -> None:
        self.title.setText(RETURNING if self.recent.cards else self._course_view.title)

    def _course_part(self) -> QWidget:
        part = QWidget()
        style, edges = self._style, _COURSE_EDGES
        texts = in_column(self.title, self._lead, style=style, edges=0, gap=4)
        course = [found for found in (self.hero, self.lessons) if found is not None]
        in_column(texts, *course, parent=part, style=style, edges=edges, gap=12)
        return part

    def _side_part(self) -> QWidget:
        part = QWidget()
        fill_background(part, "canvas")
        parts = (self.formula, self.recent, self.examples, 1)
        edges = _SIDE_EDGES
        in_column(*parts, parent=part, style=self._style, edges=edges, gap=_SIDE_GAP)
        return part

    def _lay_out(self) -> None:
        page = QWidget()
        self._column = in_column(self._course, 1, parent=page, edges=0, gap=0)
        self._course_area, self._side_area = _area(page), _area(self._side)
        fill_background(self._side_area, "canvas")  # also under its scroll bar
        self._divider = QFrame()
        self._divider.setProperty("kind", "divider")
        self._divider.setFixedWidth(1)
        areas = ((self._course_area, 1), self._divider, self._side_area)
        in_row(*areas, parent=self, edges=0, gap=0)

    def _connect(self) -> None:
        self.formula.entered.connect(self.expression_entered)
        self.formula.empty_chosen.connect(self.empty_chosen)
        self.formula.height_changed.connect(self._fit)
        self.recent.open_wanted.connect(self.open_wanted)
        self.recent.chosen.connect(self.file_chosen)
        self.examples.chosen.connect(self.example_chosen)
        self.examples.all_wanted.connect(self._fit)
        self._style.changed.connect(self._fit)
        if self.hero is not None and self.lessons is not None:
            self.hero.chosen.connect(self.lesson_chosen)
            self.hero.again_chosen.connect(self.again_chosen)
            self.hero.arrow_pressed.connect(self._move_from_hero)
            self.lessons.chosen.connect(self.lesson_chosen)
            self.lessons.left_above.connect(self._focus)
            self.lessons.focused.connect(self._course_area.ensureWidgetVisible)

    def _move_from_hero(self, key: int) -> None:
        """Move to the lesson of the card by an arrow down, and from there by the others."""
        if self.lessons is None or key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp):
            return
        if key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.lessons.focus_lesson()
        else:
            self.lessons.move_focus(key)

    def _fit(self) -> None:
        """Divide the page; in a narrow window the right side is below the course."""
        if not self.isVisible():
            return  # showEvent does
        px, edges = self._style.px, self._style.px(2 * _SIDE_EDGES[0])
        self._set_narrow(self.width() < px(_NARROW))
        side = min(max(round(self.width() * _SIDE), px(_LEAST_SIDE)), px(_MOST_SIDE))
        self._side_area.setFixedWidth(side)
        course = (self.width() if self._narrow else self.width() - side - 1) - px(
            2 * _COURSE_EDGES[0]
        )
        if self.hero is not None and self.lessons is not None:
            self.hero.fit(course)
            self.lessons.fit(course)
        self.formula.set_low(self.height() < px(_LOW))
        width = (self.width() if self._narrow else side) - edges
        _left, top, _right, bottom = _SIDE_EDGES
        room = self.height() - px(top) - px(bottom) - 2 * px(_SIDE_GAP)
        room -= self.formula.needed_height(width)
        columns = 2 if self._narrow else 1
        room -= self.recent.fit(columns, width, room - self.examples.least)
        self.examples.fit(width, room)

    def _set_narrow(self, narrow: bool) -> None:
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self._side_area.setVisible(not narrow)
        self._divider.setVisible(not narrow)
        if narrow:
            self._side_area.takeWidget()
            self._column.insertWidget(1, self._side)
            self._side.show()
        else:
            self._column.removeWidget(self._side)
            self._side_area.setWidget(self._side)
            self._side.setAutoFillBackground(False)

    def _focus(self) -> None:
        """Focus the button of the lesson to go on with, or without a course the formula."""
        if self.hero is None:
            self.formula.focus()
        else:
            self.hero.button.setFocus(Qt.FocusReason.OtherFocusReason)
            self._course_area.ensureWidgetVisible(self.hero)

    def event(self, event: QEvent) -> bool:
        """Keep keys that begin a formula from the shortcuts of the window."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and _begins_formula(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Forward keys that no other part handles to the formula."""
        if _begins_formula(event):
            self.formula.focus()
            self.formula.field.insert(event.text())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self._focus()


def _begins_formula(event: QKeyEvent) -> bool:
    others = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    text = event.text()
    if event.modifiers() & others or not text:
        return False
    return text.isalnum() or text in _OPENING


def _area(page: QWidget) -> QScrollArea:
    area = scroll_area(page)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
