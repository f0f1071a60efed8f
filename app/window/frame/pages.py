"""Pages: the canvas with its panels, or the start page in its place."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.window.commands import file
from app.window.commands.lessons import begin_daily_five, begin_lesson
from app.window.context import Context

if TYPE_CHECKING:
    from app.panels.welcome import Welcome


class Pages(QObject):
    """Switches between both in a stack; the start page is created on demand."""

    turned = Signal(bool)
    """Emitted after the page changed, with whether it is the start page."""

    def __init__(self, context: Context, stack: QStackedWidget) -> None:
        super().__init__(stack)
        self._context = context
        self._stack = stack
        self._work: QWidget | None = None
        self._welcome: Welcome | None = None
        self._at_start = False
        context.files.recent.changed.connect(self._list_recent)
        context.progress.changed.connect(self._show_course)

    @property
    def at_start(self) -> bool:
        """Return whether the start page is shown."""
        return self._at_start

    @property
    def welcome(self) -> Welcome:
        """Return the start page."""
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
        self._turn(self._work, at_start=False)
        if self._stack.isVisible():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def show_start_page(self) -> None:
        """Show the start page, with what is due today."""
        self.welcome.set_daily(self._context.progress.daily)
        self._turn(self.welcome, at_start=True)

    def _turn(self, page: QWidget, at_start: bool) -> None:
        self._at_start = at_start
        self._stack.setCurrentWidget(page)
        self.turned.emit(at_start)

    def _make_welcome(self) -> Welcome:
        from app.panels.welcome import Welcome

        context = self._context
        page = Welcome(context.style, context.progress.view, context.files.recent.paths)
        page.lesson_chosen.connect(partial(begin_lesson, context))
        page.again_chosen.connect(partial(begin_lesson, context, again=True))
        page.example_chosen.connect(partial(file.open_example, context))
        page.file_chosen.connect(partial(file.open_file, context))
        page.open_wanted.connect(partial(file.ask_open, context))
        page.expression_entered.connect(partial(file.open_expression, context))
        page.empty_chosen.connect(partial(file.new, context))
        page.daily_chosen.connect(partial(begin_daily_five, context))
        return page

    def _show_course(self) -> None:
        if self._welcome is not None:
            self._welcome.set_course(self._context.progress.view)
            self._welcome.set_daily(self._context.progress.daily)

    def _list_recent(self) -> None:
        if self._welcome is not None:
            self._welcome.set_recent(self._context.files.recent.paths)
