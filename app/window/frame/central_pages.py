"""Pages: the canvas with its panels; in its place the start page, or the result of a test."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.controls.slices import BackgroundImport
from app.window.commands import file_actions
from app.window.commands.lesson_actions import (
    ask_test_report,
    begin_lesson,
    final_test,
    has_test_result,
    lesson_daily,
    open_final_test,
)
from app.window.context import Context
from app.window.planes import opening_plane

if TYPE_CHECKING:
    from app.panels.welcome import Welcome
    from app.panels.welcome.final_result_page import FinalResultPage

_PLANE_DELAY_MS: Final = 100
"""Time in ms after the first paint in which what it brings along, as the menus, is made."""


class Pages(QObject):
    """Switches between them in a stack; all but the canvas are created on demand."""

    turned = Signal(bool)
    """Emitted after the page changed, with whether it is in place of the canvas."""

    def __init__(self, context: Context, stack: QStackedWidget) -> None:
        super().__init__(stack)
        self._context = context
        self._stack = stack
        self._work: QWidget | None = None
        """The canvas with its panels."""
        self._welcome: Welcome | None = None
        self._result: FinalResultPage | None = None
        self.on_full_page = False
        """Whether the start page, or the result of a test, is in place of the canvas."""
        self._import_plane, self._has_started = BackgroundImport(("numpy",), self), False
        context.files.recent.changed.connect(self._list_recent)
        context.progress.changed.connect(self._show_course)

    @property
    def at_result(self) -> bool:
        return self._result is not None and self._stack.currentWidget() is self._result

    @property
    def parts(self) -> tuple[QWidget, QWidget]:
        """Return the parts of the page in place of the canvas, between which F6 moves."""
        return self.result.parts if self.at_result else self.welcome.parts

    @property
    def result(self) -> FinalResultPage:
        if self._result is None:
            self._result = self._make_result()
            self._stack.addWidget(self._result)
        return self._result

    @property
    def welcome(self) -> Welcome:
        if self._welcome is None:
            self._welcome = self._make_welcome()
            self._stack.addWidget(self._welcome)
        return self._welcome

    def set_work(self, work: QWidget) -> None:
        """Add the canvas with its panels to the stack."""
        self._work = work
        self._stack.addWidget(work)

    def show_work(self) -> None:
        """Show the canvas and lay it out at once: a document opened next is fitted to its size."""
        assert self._work is not None
        self._turn(self._work, on_full_page=False)
        if self._stack.isVisible():
            # Qt would lay it out in a later round of the event loop
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def show_start_page(self) -> None:
        """Show the start page, with what is due today."""
        self.welcome.set_daily(self._context.progress.daily)
        self.welcome.set_test(has_test_result(self._context))
        self._turn(self.welcome, on_full_page=True)

    def show_result(self) -> None:
        """Show the result of the final test that has ended."""
        from app.guide.words.final_result import answers_of
        from app.lessons.final_test import drawn_test, graded

        state = self._context.guides.learner
        if state is None or not state.is_test or state.is_test_open:
            return
        test, answers = drawn_test(state.seed), answers_of(state)
        result = graded(test, answers, self._context.style.digits)
        self.result.show_result(
            test, answers, result, self._context.progress.test_slips_return_text
        )
        self._turn(self.result, on_full_page=True)

    def _turn(self, page: QWidget, on_full_page: bool) -> None:
        self.on_full_page = on_full_page
        self._stack.setCurrentWidget(page)
        self.turned.emit(on_full_page)

    def _make_welcome(self) -> Welcome:
        from app.panels.welcome import Welcome

        context = self._context
        page = Welcome(context.style, context.progress.view, context.files.recent.paths)
        page.lesson_chosen.connect(partial(begin_lesson, context))
        page.test_chosen.connect(partial(open_final_test, context))
        page.again_chosen.connect(partial(begin_lesson, context, again=True))
        page.example_chosen.connect(partial(file_actions.open_example, context))
        page.file_chosen.connect(partial(file_actions.open_file, context))
        page.open_wanted.connect(partial(file_actions.open, context))
        page.expression_entered.connect(partial(file_actions.open_expression, context))
        page.empty_chosen.connect(partial(file_actions.new, context))
        page.daily_chosen.connect(partial(lesson_daily, context))
        page.plane_wanted.connect(self._import_or_make_plane)
        self._import_plane.ended.connect(self._import_or_make_plane)
        return page

    def begin_planes(self) -> None:
        """Let the plane of the start page be made, some time after the window's first paint."""
        self._has_started = True
        QTimer.singleShot(_PLANE_DELAY_MS, self, self._import_or_make_plane)

    def _import_or_make_plane(self) -> None:
        hero = None if self._welcome is None else self._welcome.hero
        if hero is None or not (self._has_started and hero.wants_plane):
            return
        if self._import_plane.finished:
            self.welcome.set_plane(opening_plane(self._context))
        else:
            self._import_plane.start()

    def _make_result(self) -> FinalResultPage:
        from app.panels.welcome.final_result_page import FinalResultPage

        context = self._context
        page = FinalResultPage(context.style)
        page.row_chosen.connect(context.guides.go_to)
        page.lesson_chosen.connect(partial(begin_lesson, context))
        page.save_wanted.connect(partial(ask_test_report, context))
        page.again_wanted.connect(partial(final_test, context, again=True))
        return page

    def _show_course(self) -> None:
        if self._welcome is not None:
            self._welcome.set_course(self._context.progress.view)
            self._welcome.set_daily(self._context.progress.daily)
            self._welcome.set_test(has_test_result(self._context))

    def _list_recent(self) -> None:
        if self._welcome is not None:
            self._welcome.set_recent(self._context.files.recent.paths)
