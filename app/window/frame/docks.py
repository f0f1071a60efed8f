"""Docks: arranges the panels around the canvas.

\n     palette | canvas             | Why | Inspector | Paths | Check | History
            | strip              |

In a window too narrow for that, the palette is a rail of icons, and the side panel a strip of tabs
whose panel opens over the sheet.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from app.controls.layouts import fill_background, in_column, in_row
from app.guard import guarded
from app.panels.palette import PaletteDock
from app.panels.strip import StripPanel
from app.window.context import Context
from app.window.frame.side_panel import SidePanel
from app.window.frame.side_strip import SideStrip
from app.window.frame.side_tabs import SIDE
from app.window.frame.stages import HasStage, Stages
from app.window.frame.window_layout import WindowLayout

_LEAST_CANVAS = (120, 90)


@guarded
class Docks(QWidget):
    """The canvas with its panels around it, as a `WindowLayout` tells."""

    side_dragged = Signal(int)
    """Emitted with the width of the side panel, in px, after the user has set it."""
    stage_changed = Signal()
    """Emitted when a stage is shown or hidden, and when its title is another."""

    def __init__(self, context: Context, palette: PaletteDock, strip: StripPanel) -> None:
        super().__init__()
        self._canvas = context.canvas
        self.strip_panel = strip
        self._layout: WindowLayout | None = None
        self.side = SidePanel(context)
        self.strip = SideStrip(context.style, [title for _name, title, _maker in SIDE])
        self.palette_dock = palette
        self.side_dock = _stacked(self.side, self.strip)
        self._over = _frame_over(self)
        self._middle = QSplitter(Qt.Orientation.Vertical)
        self._across = QSplitter(Qt.Orientation.Horizontal)
        for splitter, parts in (
            (self._middle, (context.canvas, strip)),
            (self._across, (self.palette_dock, self._middle, self.side_dock)),
        ):
            for part in parts:
                splitter.addWidget(part)
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        self._across.setStretchFactor(1, 1)
        self._middle.setStretchFactor(0, 1)
        self._across.splitterMoved.connect(self._moved)
        context.canvas.setMinimumSize(*_LEAST_CANVAS)
        self.side.setMinimumWidth(1)  # its width never depends on which tab is shown
        fill_background(self.side, "panel")
        in_column(self._across, parent=self, edges=0, gap=0)
        self.strip.chosen.connect(self._choose)
        self.side.wanted.connect(self._open)
        self.side.tabs_changed.connect(self._show_tabs)
        self._stages = Stages(context.canvas, strip)
        self._stages.changed.connect(self._follow_stage)
        self._show_tabs()
        self.side.currentChanged.connect(self._mark)
        self.side.currentChanged.connect(self._follow)
        self.side.tabs_changed.connect(self._follow)

    @property
    def parts(self) -> dict[str, QWidget]:
        """Return the parts that can be shown and hidden, by name."""
        return {
            "palette": self.palette_dock,
            "side": self.side_dock,
            "strip": self.strip_panel,
        }

    @property
    def side_floats(self) -> bool:
        """Return whether the side panel is open over the sheet."""
        return not self._over.isHidden()

    def at_front(self, name: str) -> bool:
        """Return whether a panel is open over the sheet."""
        return self.side_floats and SIDE[self.side.currentIndex()][0] == name

    @property
    def staged(self) -> bool:
        """Return whether a panel shows its stage in place of the sheet."""
        return self._stages.shown

    @property
    def stage_title(self) -> str:
        """Return what is worked on on the stage, or ""."""
        return self._stages.title

    def end_stage(self) -> bool:
        """Stop what runs on the stage, or else end it; return whether there was a stage."""
        panel = self.side.current_panel()
        if not isinstance(panel, HasStage):
            return False
        if not panel.rest():
            self.side.show_tab(SIDE[self.side.currentIndex()][0], False)
            self._canvas.setFocus()
        return True

    def apply(self, layout: WindowLayout) -> None:
        """Give every part its form and size; the canvas takes the rest."""
        before, self._layout = self._layout, layout
        self.palette_dock.show_rail(layout.rail)
        if before is None or before.tabs != layout.tabs:
            self._fold_side(layout.tabs)
        self._share()

    def close_side(self) -> bool:
        """Close the side panel if it is open over the sheet; return whether it was."""
        floats = self.side_floats
        if floats:
            self._over.hide()
            self._mark()
            self._canvas.setFocus()
        return floats

    def _share(self) -> None:
        """Divide the width and height between the parts."""
        layout = self._layout
        if layout is None:
            return
        middle = max(self.width() - layout.palette - layout.side, _LEAST_CANVAS[0])
        self._across.setSizes([layout.palette - 1, middle, layout.side - 1])
        above = max(self._middle.height() - layout.playback - 1, _LEAST_CANVAS[1])
        self._middle.setSizes([above, layout.playback])
        self._place_side()

    def _fold_side(self, tabs: bool) -> None:
        """Put the side panel beside the sheet, or behind its tabs."""
        before = self.side.shown_tabs()
        with QSignalBlocker(self.side):  # who hears of other tabs may want another layout at once
            self._over.hide()
            self.strip.setVisible(tabs)
            self.side.tabBar().setHidden(tabs)
            self.side.fit()
            layout = (self._over if tabs else self.side_dock).layout()
            assert layout is not None
            layout.addWidget(self.side)
            self.side.show()
        self._mark()
        if before != self.side.shown_tabs():
            self.side.tabs_changed.emit()

    def _place_side(self) -> None:
        """Keep an open side panel over the right part of the sheet, above the playback."""
        if self._layout is not None and self._layout.tabs:
            room = QRect(self._canvas.mapTo(self, QPoint(0, 0)), self._canvas.size())
            room.setLeft(max(room.left(), room.right() + 1 - self._layout.panel))
            self._over.setGeometry(room)
            self._over.raise_()
            self._mark()

    def _choose(self, place: int) -> None:
        """Open the panel of a tab over the sheet; the tab of an open panel closes it."""
        if self.side_floats and self.side.currentIndex() == place:
            self.close_side()
            return
        self.side.setCurrentIndex(place)
        self._open()

    def _open(self) -> None:
        if self._layout is not None and self._layout.tabs:
            self._place_side()
            self._over.show()
        self._mark()

    def _follow(self) -> None:
        self._stages.follow(self.side.current_panel())

    def _follow_stage(self) -> None:
        """Let the palette add nothing behind a stage."""
        self.palette_dock.setDisabled(self.staged)
        self.stage_changed.emit()

    def _show_tabs(self) -> None:
        self.strip.show_tabs(self.side.shown_tabs())

    def _mark(self) -> None:
        self.strip.show_open(self.side.currentIndex() if self.side_floats else None)
        self._stages.leave_right(self._over.width() if self.side_floats else 0)

    def _moved(self, _place: int, handle: int) -> None:
        """Report the width of the side panel after the user has moved its border."""
        if handle == 2 and self._layout is not None and not self._layout.tabs:
            self.side_dragged.emit(self.side_dock.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()


def _frame_over(docks: QWidget) -> QFrame:
    """Return a hidden frame in which the side panel is shown over the sheet."""
    frame = QFrame(docks)
    frame.setProperty("kind", "over")
    in_row(parent=frame, edges=(1, 0, 0, 0), gap=0)
    frame.hide()
    return frame


def _stacked(*forms: QWidget) -> QWidget:
    """Return a widget that holds all forms of a part; one of them at a time is visible."""
    dock = QWidget()
    in_row(*forms, parent=dock, edges=0, gap=0)
    return dock
