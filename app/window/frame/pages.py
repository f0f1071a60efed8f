"""Pages: the canvas with its panels, or the start page in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

if TYPE_CHECKING:
    from app.panels.welcome import Welcome
    from app.window.frame.main_window import MainWindow


class Pages(QStackedWidget):
    """Shows one of the two; the start page is made when it is first wanted."""

    def __init__(self, window: MainWindow, work: QWidget) -> None:
        super().__init__()
        self._window = window
        self._work = work
        self._welcome: Welcome | None = None
        self._at_start = False
        self.addWidget(work)
        window.filing.recent.changed.connect(self._list_recent)

    @property
    def at_start(self) -> bool:
        """Whether the start page stands in place of the canvas."""
        return self._at_start

    @property
    def welcome(self) -> Welcome:
        """The start page."""
        if self._welcome is None:
            self._welcome = self._made()
            self.addWidget(self._welcome)
        return self._welcome

    def show_work(self) -> None:
        """The canvas, which gets its size at once, so that what is opened is fitted to it."""
        self._set_at_start(False)
        self.setCurrentWidget(self._work)
        self._window.viewing.show_parts()
        if self.isVisible():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def show_start_page(self) -> None:
        """The page that offers examples, recent files and a formula."""
        self._set_at_start(True)
        self.setCurrentWidget(self.welcome)
        self._window.viewing.show_parts()

    def _set_at_start(self, at_start: bool) -> None:
        self._at_start = at_start
        self._window.status_line.set_at_start(at_start)

    def _made(self) -> Welcome:
        from app.panels.welcome import Welcome

        filing = self._window.filing
        page = Welcome(self._window.look, filing.recent.paths)
        page.example_chosen.connect(filing.open_example)
        page.file_chosen.connect(filing.open_named)
        page.open_wanted.connect(filing.ask_open)
        page.expression_entered.connect(filing.open_expression)
        page.empty_chosen.connect(filing.start_empty)
        return page

    def _list_recent(self) -> None:
        if self._welcome is not None:
            self._welcome.set_recent(self._window.filing.recent.paths)
