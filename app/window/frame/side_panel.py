"""SidePanel: the tabs at the right, as many of them as there is width for."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QTabWidget, QToolButton, QWidget

from app.controls.layouts import in_column
from app.guard import guarded
from app.style.icons import icon
from app.window.context import Context
from app.window.frame.side_tabs import FIRST_ASIDE, MODE_TABS, SIDE


@guarded
class SidePanel(QTabWidget):
    """The tabs at the right, created on demand.

    Tabs without room are listed by a button at the end of the row, in place of Qt's scroll arrows.
    """

    wanted = Signal()
    """Emitted when one of the panels was asked for and must be visible."""
    tabs_changed = Signal()
    """Emitted after a tab has been shown or hidden."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._pages: dict[str, QWidget] = {}
        self._made: dict[str, QWidget] = {}
        self._asked_for = {name: name not in MODE_TABS for name, _title, _maker in SIDE}
        """Whether a tab is to be shown if there is room."""
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.more = self._more_button()
        for name, title, _maker in SIDE:
            self._pages[name] = page = QWidget()
            in_column(parent=page, edges=0)
            self.addTab(page, title)
        self.setCurrentWidget(self._pages["why"])  # else each tab hidden gives way to the next
        for name in MODE_TABS:
            self.setTabVisible(self.indexOf(self._pages[name]), False)
        self.currentChanged.connect(self._fill)
        self._fill(self.currentIndex())
        self.currentChanged.connect(self.fit)
        context.style.changed.connect(self._restyle)
        self._restyle()

    def panel(self, name: str) -> QWidget:
        """Return one of the panels, brought to the front."""
        self.bring(name)
        self.wanted.emit()
        return self._made[name]

    def current_panel(self) -> QWidget | None:
        """Return the panel at the front."""
        return self._made.get(SIDE[self.currentIndex()][0])

    def bring(self, name: str) -> None:
        """Bring a panel to the front, without opening the side panel over the sheet for it."""
        self._asked_for[name] = True
        place = self.indexOf(self._pages[name])
        self.setTabVisible(place, True)
        self.setCurrentIndex(place)
        self.fit()

    def show_tab(self, name: str, wanted: bool = True) -> None:
        """Show or hide a tab; if it was at the front, its neighbour comes there."""
        if self._asked_for[name] != wanted:
            self._asked_for[name] = wanted
            self.fit()

    def shows_tab(self, name: str) -> bool:
        """Return whether a tab is there, at the front or behind others."""
        return self._asked_for[name]

    def shown_tabs(self) -> list[bool]:
        """Return for each tab whether it is shown."""
        return [self.isTabVisible(place) for place in range(self.count())]

    def aside(self) -> list[str]:
        """Return the names of the tabs for which there is no room, in their order."""
        shown = zip(SIDE, self.shown_tabs(), strict=True)
        return [name for (name, *_), there in shown if self._asked_for[name] and not there]

    def fit(self) -> None:
        """Show the tabs that are asked for, without those for which there is no room."""
        before, wanted = self.shown_tabs(), [self._asked_for[name] for name, *_ in SIDE]
        self._put_aside(wanted)
        for place, there in enumerate(wanted):
            if self.isTabVisible(place) != there:
                self.setTabVisible(place, there)
        self.more.setVisible(bool(self.aside()))
        self._scroll_back()
        if before != self.shown_tabs():
            self.tabs_changed.emit()

    def _scroll_back(self) -> None:
        """Show the row from its first tab; Qt leaves it scrolled to the tab chosen last."""
        bar, front = self.tabBar(), self.currentIndex()
        first = next((k for k, there in enumerate(self.shown_tabs()) if there), front)
        if bar.tabRect(first).left() < 0:
            with QSignalBlocker(bar):
                bar.setCurrentIndex(first)
                bar.setCurrentIndex(front)

    def _put_aside(self, wanted: list[bool]) -> None:
        """Take tabs out of `wanted`, never that at the front, until the row is narrow enough."""
        bar, front = self.tabBar(), self.currentIndex()
        if bar.isHidden():
            return  # a strip shows them all, below one another
        widths = [bar.tabSizeHint(place).width() for place in range(len(wanted))]

        def taken() -> int:
            return sum(width for width, there in zip(widths, wanted, strict=True) if there)

        room = self.width()
        if taken() <= room:
            return
        room -= self.more.sizeHint().width()
        names = [name for name, *_ in SIDE]
        rest = [name for name in reversed(names) if name not in FIRST_ASIDE]
        for name in (*FIRST_ASIDE, *rest):
            place = names.index(name)
            if taken() > room and place != front:
                wanted[place] = False

    def _more_button(self) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "quiet")
        button.setAccessibleName("More tabs")
        button.setToolTip("Tabs for which there is no room")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.aboutToShow.connect(self._list_aside)
        button.setMenu(menu)
        button.hide()
        self.setCornerWidget(button, Qt.Corner.TopRightCorner)
        return button

    def _list_aside(self) -> None:
        menu = self.more.menu()
        menu.clear()
        for name in self.aside():
            title = self.tabText(self.indexOf(self._pages[name]))
            menu.addAction(title).triggered.connect(partial(self.bring, name))

    def _fill(self, place: int) -> None:
        name, _title, maker = SIDE[place]
        layout = self._pages[name].layout()
        if name not in self._made and layout is not None:
            self._made[name] = maker(self._context)
            layout.addWidget(self._made[name])

    def _restyle(self) -> None:
        self.more.setIcon(icon("down", self._context.style.theme))
        QTimer.singleShot(0, self, self.fit)  # once the tabs know their font

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
