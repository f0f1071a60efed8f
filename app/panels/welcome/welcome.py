"""The start page: the course at the left; formula field, recent files and examples at the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.controls.layouts import fill_background, in_column, in_row, plain_label
from app.guard import guarded
from app.lessons.course_view import RETURNING, CourseView
from app.lessons.review import DailyEntry
from app.panels.welcome.cards import Examples, RecentFiles
from app.panels.welcome.formula_box import FormulaBox
from app.panels.welcome.lessons import HeroCard, Lessons
from app.panels.welcome.offers import OfferCard
from app.panels.welcome.two_sides import TwoSides
from app.style.current import Style

_SIDE_SHARE, _MIN_SIDE_WIDTH, _MAX_SIDE_WIDTH = 0.34, 360, 560
"""Width of the right side: its share of the page, and its limits in px at 100 %."""
_COURSE_EDGES, _SIDE_EDGES = (32, 18, 32, 14), (24, 18, 24, 14)
"""Margins of the two sides: left, top, right, bottom, in px at 100 %."""
_SIDE_GAP = 20
"""Space between the parts of the right side, in px at 100 %."""
_MIN_TWO_SIDES_WIDTH = 860
"""Width of the page below which the right side moves below the course, in px at 100 %."""
_MIN_PREVIEW_HEIGHT = 640
"""Height of the page below which a formula has no preview, in px at 100 %."""
_FINAL_TEST = "Eight questions and one whole graph, one try each"
_FORMULA_OPENERS = "(-+."
"""Characters besides letters and digits that a formula may begin with."""


@guarded
class Welcome(QWidget):
    """The start page; each choice made there is a signal for the window."""

    lesson_chosen = Signal(str)
    """Emitted with the name of a lesson to begin or continue."""
    again_chosen = Signal(str)
    """Emitted with the name of a lesson to restart from its first step."""
    daily_chosen = Signal()
    """Emitted when Daily five is to begin."""
    test_chosen = Signal()
    """Emitted when the final test is to begin."""
    example_chosen = Signal(str)
    """Emitted with the name of an example."""
    file_chosen = Signal(str)
    """Emitted with the path of a recent file."""
    open_wanted = Signal()
    """Emitted when the dialog to open a file is wanted."""
    expression_entered = Signal(str)
    """Emitted with a text that is a formula."""
    empty_chosen = Signal()
    """Emitted when an empty canvas is chosen."""

    def __init__(
        self,
        style: Style,
        course: CourseView,
        recent: Sequence[Path] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._course_view = course
        self.hero: HeroCard | None = None
        self.lessons: Lessons | None = None
        if course.hero is not None:
            self.hero = HeroCard(style, course.hero)
            self.lessons = Lessons(style, course.units, course.hero.lesson.name)
        self.daily = OfferCard(style, "Daily five")
        self.daily.hide()  # until `set_daily`
        self.test = OfferCard(style, "Final test")
        self.test.show_offer(_FINAL_TEST, "Begin", enabled=True, is_open=True)
        fill_background(self, "panel")
        self.setAccessibleName("Start page")
        self.title = plain_label(kind="title", wraps=True)
        self._lead = plain_label(kind="secondary", wraps=True)
        self.formula = FormulaBox(style)
        self.recent = RecentFiles(style)
        self.examples = Examples(style)
        self.empty_button = self.formula.empty_button
        self._course = self._build_course()
        self._side = self._build_side()
        self._sides = TwoSides(self._course, self._side, side_above=False)
        in_column(self._sides, parent=self, edges=0, gap=0)
        self._connect()
        self.set_course(course)
        self.set_recent(recent)

    @property
    def parts(self) -> tuple[QWidget, QWidget]:
        """Return the parts between which F6 moves the focus: the course and the right side."""
        return self._course, self._side

    def set_course(self, course: CourseView) -> None:
        """Update the progress in the course."""
        self._course_view = course
        if self.hero is not None and self.lessons is not None and course.hero is not None:
            self.hero.show_hero(course.hero)
            self.lessons.show_units(course.units, course.hero.lesson.name)
        self._lead.setText(course.lead)
        self._set_title()
        self._fit()

    def set_daily(self, daily: DailyEntry) -> None:
        """Update what is due today."""
        enabled = daily.questions > 0
        self.daily.show_offer(daily.text, daily.button, enabled=enabled, is_open=daily.is_open)
        self.daily.show()

    def set_recent(self, paths: Sequence[Path]) -> None:
        """List these files, newest first."""
        self.recent.set_files(paths)
        self._set_title()
        self._fit()

    def _set_title(self) -> None:
        # whoever has opened a file is no newcomer, also without a lesson
        self.title.setText(RETURNING if self.recent.cards else self._course_view.title)

    def _build_course(self) -> QWidget:
        part = QWidget()
        style, edges = self._style, _COURSE_EDGES
        texts = in_column(self.title, self._lead, style=style, edges=0, gap=4)
        course = [widget for widget in (self.hero, self.lessons) if widget is not None]
        offers = in_row((self.daily, 1), (self.test, 1), style=style, edges=0, gap=16)
        in_column(texts, *course, offers, parent=part, style=style, edges=edges, gap=12)
        return part

    def _build_side(self) -> QWidget:
        part = QWidget()
        fill_background(part, "canvas")
        parts = (self.formula, self.recent, self.examples, 1)
        edges = _SIDE_EDGES
        in_column(*parts, parent=part, style=self._style, edges=edges, gap=_SIDE_GAP)
        return part

    def _connect(self) -> None:
        self.formula.entered.connect(self.expression_entered)
        self.formula.empty_chosen.connect(self.empty_chosen)
        self.formula.height_changed.connect(self._fit)
        self.recent.open_wanted.connect(self.open_wanted)
        self.recent.chosen.connect(self.file_chosen)
        self.examples.chosen.connect(self.example_chosen)
        self.examples.all_wanted.connect(self._fit)
        self.daily.chosen.connect(self.daily_chosen)
        self.test.chosen.connect(self.test_chosen)
        self._style.changed.connect(self._fit)
        if self.hero is not None and self.lessons is not None:
            self.hero.chosen.connect(self.lesson_chosen)
            self.hero.again_chosen.connect(self.again_chosen)
            self.hero.arrow_pressed.connect(self._move_from_hero)
            self.lessons.chosen.connect(self.lesson_chosen)
            self.lessons.focus_left_above.connect(self._focus_first_control)
            self.lessons.focused.connect(self._sides.main_area.ensureWidgetVisible)

    def _move_from_hero(self, key: int) -> None:
        """Focus the tab stop of the lessons on an arrow down, its neighbour on others but up."""
        if self.lessons is None or key in (Qt.Key.Key_Up, Qt.Key.Key_PageUp):
            return
        if key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.lessons.focus_lesson()
        else:
            self.lessons.move_focus(key)

    def _fit(self) -> None:
        """Divide the page between its sides, and the height of the right one between its parts."""
        if not self.isVisible():
            return  # showEvent does
        px = self._style.px
        self._sides.set_narrow(self.width() < px(_MIN_TWO_SIDES_WIDTH))
        side_share = round(self.width() * _SIDE_SHARE)
        side_width = min(max(side_share, px(_MIN_SIDE_WIDTH)), px(_MAX_SIDE_WIDTH))
        self._sides.set_side_width(side_width)
        divider = 1
        course_width = self.width()
        if not self._sides.is_narrow:
            course_width -= side_width + divider
        course_width -= px(2 * _COURSE_EDGES[0])
        if self.hero is not None and self.lessons is not None:
            self.hero.fit(course_width)
            self.lessons.fit(course_width)
        self.formula.set_low(self.height() < px(_MIN_PREVIEW_HEIGHT))
        width = (self.width() if self._sides.is_narrow else side_width) - px(2 * _SIDE_EDGES[0])
        # recent files take the height that formula and examples leave, then examples the rest
        _left, top, _right, bottom = _SIDE_EDGES
        height_left = self.height() - px(top) - px(bottom) - 2 * px(_SIDE_GAP)
        height_left -= self.formula.needed_height(width)
        columns = 2 if self._sides.is_narrow else 1
        height_left -= self.recent.fit(columns, width, height_left - self.examples.min_height)
        self.examples.fit(width, height_left)

    def _focus_first_control(self) -> None:
        """Focus the button of the next lesson, or without a course the formula."""
        if self.hero is None:
            self.formula.focus()
        else:
            self.hero.button.setFocus(Qt.FocusReason.OtherFocusReason)
            self._sides.main_area.ensureWidgetVisible(self.hero)

    def event(self, event: QEvent) -> bool:
        """Claim keys that begin a formula before they trigger a shortcut of the window."""
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
        self._focus_first_control()


def _begins_formula(event: QKeyEvent) -> bool:
    shortcut_modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    text = event.text()
    if event.modifiers() & shortcut_modifiers or not text:
        return False
    return text.isalnum() or text in _FORMULA_OPENERS
