"""The start page: the course at the left; formula field, recent files and examples at the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from app.controls.focus import ENTER, NAVIGATION_KEYS, KeyClaim
from app.controls.layouts import (
    TwoSides,
    fill_background,
    in_column,
    in_row,
    plain_label,
    set_kind,
    set_valid,
)
from app.controls.painted_buttons import IconButton, push_button
from app.guard import exception_safe
from app.lessons.course import OPENING
from app.lessons.course_view import RETURNING, CourseView, Hero
from app.lessons.review import DailyEntry
from app.panels.welcome.course_list import HeroCard, Lessons
from app.panels.welcome.start_cards import Examples, RecentFiles
from app.style.current import Style
from app.workbench.words.strip import EXAMPLE_FORMULA
from engine.errors import FormatError
from engine.formats.expression import read_typed

_SIDE_SHARE, _MIN_SIDE_WIDTH, _MAX_SIDE_WIDTH = 0.34, 360, 560
"""Width of the right side: its share of the page, and its limits in px at 100 %."""
_COURSE_EDGES, _SIDE_EDGES = (32, 18, 32, 14), (24, 18, 24, 14)
"""Margins of the two sides: left, top, right, bottom, in px at 100 %."""
_SIDE_GAP = 20
"""Space between the parts of the right side, in px at 100 %."""
_MIN_TWO_SIDES_WIDTH = 860
"""Width of the page below which the right side moves below the course, in px at 100 %."""
_PLANE, _HIGH_PLANE, _HIGH_WINDOW = 292, 400, 900
"""Height of the card with the plane, and in windows of what height it is higher, in px at 100 %."""
_FINAL_TEST = "Eight questions and one whole graph, one try each"
_TEST_ENDED = "It has ended: your answers, the score, and another test"
_FORMULA_OPENERS = "(-+."
"""Characters besides letters and digits that a formula may begin with."""


@exception_safe
class Welcome(QWidget):
    """The start page; each choice made there is a signal for the window."""

    lesson_chosen = Signal(str)
    """Emitted with the name of a lesson to begin or continue."""
    again_chosen = Signal(str)
    """Emitted with the name of a lesson to restart from its first step."""
    daily_chosen = Signal()
    """Emitted when Daily five is to begin."""
    test_chosen = Signal()
    """Emitted when the final test is to begin, or its result to be shown."""
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
    plane_wanted = Signal()
    """Emitted when `set_plane` should be called: after the first paint."""

    def __init__(self, style: Style, course: CourseView, recent: Sequence[Path] = ()) -> None:
        super().__init__()
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
        self.set_test(False)
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
        in_column(self._sides, parent=self, gap=0)
        self._connect()
        self.set_course(course)
        self.set_recent(recent)

    @property
    def parts(self) -> tuple[QWidget, QWidget]:
        """Return the parts between which F6 moves the focus: the course and the right side."""
        return self._course, self._side

    def set_course(self, course: CourseView) -> None:
        self._course_view = course
        if self.hero is not None and self.lessons is not None and course.hero is not None:
            self._show_hero(course.hero)
            self.lessons.show_units(course.units, course.hero.lesson.name)
        self._lead.setText(course.lead)
        self._set_title()
        self._fit()

    def set_daily(self, daily: DailyEntry) -> None:
        """Update what is due today."""
        enabled = daily.questions > 0
        self.daily.show_offer(daily.text, daily.button, enabled=enabled, is_open=daily.is_open)
        self.daily.show()

    def set_test(self, has_result: bool) -> None:
        """Offer the result of the final test, or without one a test."""
        text, button = (_TEST_ENDED, "Result") if has_result else (_FINAL_TEST, "Begin")
        self.test.show_offer(text, button, enabled=True, is_open=True)

    def set_recent(self, paths: Sequence[Path]) -> None:
        """List these files, newest first."""
        self.recent.set_files(paths)
        self._set_title()
        if self._course_view.hero is not None:
            self._show_hero(self._course_view.hero)
        self._fit()

    def set_plane(self, plane: QWidget) -> None:
        """Put the plane of the cold open into its card."""
        if self.hero is not None:
            self.hero.set_plane(plane)
            self._fit()

    def _show_hero(self, hero: Hero) -> None:
        """Show the card: who has begun nothing and opened no file begins with the cold open."""
        opens = self._course_view.opens and not self.recent.cards
        if self.hero is not None:
            self.hero.show_hero(hero, opens=opens)
        self.examples.set_opening(not opens)

    def _set_title(self) -> None:
        # whoever has opened a file is no newcomer, also without a lesson
        self.title.setText(RETURNING if self.recent.cards else self._course_view.title)

    def _build_course(self) -> QWidget:
        part = QWidget()
        style, edges = self._style, _COURSE_EDGES
        texts = in_column(self.title, self._lead, style=style, gap=4)
        course = [widget for widget in (self.hero, self.lessons) if widget is not None]
        offers = in_row((self.daily, 1), (self.test, 1), style=style, gap=16)
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
        self.examples.chosen.connect(self._choose_example)
        self.examples.all_wanted.connect(self._fit)
        self.daily.chosen.connect(self.daily_chosen)
        self.test.chosen.connect(self.test_chosen)
        self._style.changed.connect(self._fit)
        if self.hero is not None and self.lessons is not None:
            self.hero.chosen.connect(self.lesson_chosen)
            self.hero.again_chosen.connect(self.again_chosen)
            self.hero.plane_wanted.connect(self.plane_wanted)
            self.hero.arrow_pressed.connect(self._move_from_hero)
            self.lessons.chosen.connect(self.lesson_chosen)
            self.lessons.focus_left_above.connect(self._focus_first_control)
            self.lessons.focused.connect(self._sides.main_area.ensureWidgetVisible)

    def _choose_example(self, name: str) -> None:
        (self.lesson_chosen if name == OPENING else self.example_chosen).emit(name)

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
            plane = _HIGH_PLANE if self.window().height() >= px(_HIGH_WINDOW) else _PLANE
            self.hero.fit(course_width, 0 if self._sides.is_narrow else px(plane))
            self.lessons.fit(course_width)
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
            self._sides.focus_at_top(self.hero.button, self.hero)

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


class OfferCard(QFrame):
    """A card with a title, one line of text and a button, which is hidden while it is locked."""

    chosen = Signal()
    """Emitted by the button."""

    def __init__(self, style: Style, title: str) -> None:
        super().__init__()
        self._name = title
        self._title = plain_label(title, "heading")
        self.text = plain_label(kind="caption", wraps=True)
        self.button = push_button()
        self.button.clicked.connect(self.chosen)
        texts = in_column(self._title, self.text, style=style, gap=4)
        in_row((texts, 1), self.button, parent=self, style=style, edges=(16, 10, 12, 10), gap=12)

    def show_offer(self, text: str, button: str, *, enabled: bool, is_open: bool) -> None:
        """Show an offer, `enabled` or with nothing to begin now.

        One that is not open yet has an outline alone and no button.
        """
        set_kind(self, "code" if is_open else "empty")
        set_kind(self._title, "heading" if is_open else "name")
        self.text.setText(text)
        self.button.setText(button)
        self.button.setAccessibleName(f"{self._name}: {button}")
        self.button.setAccessibleDescription(text)
        self.button.setEnabled(enabled)
        self.button.setVisible(is_open)


_HINT = "a formula, or assignments"
_MAX_LENGTH = 4000
"""Most characters of the field: each change is read at once."""


class FormulaBox(QWidget):
    """A field for a formula, and a button for an empty canvas."""

    entered = Signal(str)
    """Emitted with a text that is a formula; an empty field enters its placeholder."""
    empty_chosen = Signal()
    """Emitted when an empty canvas is chosen."""
    height_changed = Signal()
    """Emitted when the text has changed, and with it the length of the note."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._is_formula = False
        self.field = QLineEdit()
        self.button = push_button("Open this graph")
        self.empty_button = IconButton(
            style, "", "A blank canvas at 100 %", "Ctrl+N", text="Empty canvas"
        )
        self.note = plain_label(_HINT, "caption", wraps=True)
        self._claim = KeyClaim(self.field, *NAVIGATION_KEYS, *ENTER)
        self._lay_out()
        self.field.textChanged.connect(self._read)
        self.field.returnPressed.connect(self._enter)
        self.button.clicked.connect(self._enter)
        self.empty_button.clicked.connect(self.empty_chosen)
        style.run_now_and_on_change(self._restyle)
        self._read()

    def focus(self) -> None:
        """Focus the field and select its text."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def needed_height(self, width: int) -> int:
        """Return the height at a width, both in px."""
        # Qt lays out later what has just been shown, hidden or written
        for layout in (self._card.layout(), self.layout()):
            if layout is not None:
                layout.activate()
        return max(self.heightForWidth(width), self.sizeHint().height())

    def _lay_out(self) -> None:
        style = self._style
        self.field.setAccessibleName("Formula")
        self.field.setPlaceholderText(EXAMPLE_FORMULA)
        self.field.setMaxLength(_MAX_LENGTH)
        self.empty_button.set_kind("offer")
        self._card = card = QFrame()
        card.setProperty("kind", "card")
        row = in_row(self.button, (self.note, 1), style=style, gap=12)
        in_column(self.field, row, parent=card, style=style, edges=13, gap=10)
        heading = plain_label("Or your own formula", "heading", wraps=True)
        head = in_row((heading, 1), self.empty_button, style=style, gap=12)
        column = in_column(card, parent=self, style=style, gap=8)
        column.insertLayout(0, head)  # inserted after the card, so that Tab visits it last

    def _text(self) -> str:
        return self.field.text().strip() or EXAMPLE_FORMULA

    def _read(self) -> None:
        """Read the text; what is wrong is said at once, and is an error on Enter only."""
        sentence, self._is_formula = _HINT, True
        try:
            read_typed(self._text())
        except FormatError as error:
            sentence, self._is_formula = str(error), False
        self.note.setText(sentence)
        set_kind(self.note, "caption")
        set_valid(self.field, True)
        self.height_changed.emit()

    def _enter(self) -> None:
        if self._is_formula:
            self.entered.emit(self._text())
        else:
            set_kind(self.note, "error")
            set_valid(self.field, False)

    def _restyle(self) -> None:
        px = self._style.px
        font = self._style.font("code")
        font.setPixelSize(px(16))
        self.field.setFont(font)
        # the window's style sheet would otherwise overrule the font
        self.field.setStyleSheet(
            f"font-size: {px(16)}px; font-family: '{font.family()}'; min-height: {px(28)}px;"
        )
