"""Workspace: the canvas with what is around it; shows, hides and folds the parts.

    palette | canvas | page | tiles
            | strip  |      |

What the user has chosen is in the settings and wins; the rest follows the window's size, the size
of everything, and the room that the canvas has asked for. In a narrow window and in a presentation
the page is open over the canvas.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.layouts import in_column, in_row
from app.guard import guarded
from app.panels.palette import PaletteDock
from app.panels.strip import StripPanel, strip_height
from app.style import sizes
from app.style.current import Style
from app.window.commands.asking import set_friendly
from app.window.commands.view import PAGES
from app.window.context import Context
from app.window.frame.right_bar import RightBar
from app.workbench.modes.mode import STEPPING
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import summary_of
from engine.formats.report import Report
from engine.rules import CORRECT, UNKNOWN
from engine.study.record import right_first_time

if TYPE_CHECKING:
    from app.panels.lesson import LessonPage
    from app.panels.train import TrainPage


BESIDE: Final = 1280
"""Width of a window, in px at 100 %, from which on a page is open beside the sheet."""
_LINE = 1
"""Width of the line between two parts, in px."""


class Choices(Struct, frozen=True):
    """What the user has chosen.

    `rail`: the palette shows icons only; None leaves that to the window. `page`: one is open;
    `over`: over the canvas in any window. `hidden` names parts that are not shown.
    """

    rail: bool | None = None
    page: bool = False
    over: bool = False
    hidden: frozenset[str] = frozenset()


class WindowLayout(Struct, frozen=True):
    """The form of every part, its width or height in px, and what is left for the canvas."""

    small: bool
    rail: bool
    over: bool
    """Whether a page that is open lies over the canvas."""
    palette: int
    page: int
    """Width of a page when it is open."""
    strip: int
    canvas: QSize


def lay_out_window(
    window: QSize, style: Style, choices: Choices, rail: bool = False, more_lines: int = 0
) -> WindowLayout:
    """Return the layout of a window; the user's choices win over the `rail` that is asked for.

    `more_lines` are those of the strip beyond its usual ones.
    """
    px, hidden = style.px, choices.hidden
    least_width, least_height = sizes.SMALL_WINDOW
    small = window.width() < px(least_width) or window.height() < px(least_height)
    rail = small or rail if choices.rail is None else choices.rail
    palette = 0 if "palette" in hidden else px(sizes.RAIL if rail else sizes.PALETTE) + _LINE
    bar = 0 if "bar" in hidden else px(sizes.RAIL) + _LINE
    page = px(sizes.PAGE_SMALL if small else sizes.PAGE)
    over = choices.over or window.width() < px(BESIDE)
    beside = page if choices.page and not over else 0
    bars = {"menus": sizes.MENU, "toolbar": sizes.TOOLBAR, "status": sizes.STATUS}
    above = sum(px(height) for name, height in bars.items() if name not in hidden)
    strip = strip_height(style, more_lines)
    below = 0 if "strip" in hidden else strip + _LINE
    canvas = QSize(window.width() - palette - bar - beside, window.height() - above - below)
    return WindowLayout(small, rail, over, palette, page, strip, canvas)


FIRST_PAGES: Final = ("lesson", "why", "numeric")
"""The pages whose tiles are there before anything was used."""
_LEAST_CANVAS = (120, 90)
_ALWAYS = ("menus", "status")
"""Parts that are also shown with the start page."""
_LEAST_HEIGHT: Final = {"status": 400}
"""Minimum height of the window, in px at 100 %, for a part to be shown."""
_HIDDEN_WHEN_PRESENTING = ("menus", "toolbar", "palette", "bar", "status")
_BEHIND_STAGE: Final = frozenset(
    {
        QEvent.Type.ShortcutOverride,
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.ContextMenu,
        QEvent.Type.NativeGesture,
        QEvent.Type.ToolTip,
    }
)
"""Events of keyboard and mouse, of which the canvas gets none behind a stage."""


@guarded
class Workspace(QWidget):
    """Implements `WindowParts`."""

    changed = Signal()
    """Emitted when a part may have been shown, hidden or folded, or a page opened."""
    stage_changed = Signal()
    """Emitted when a stage is shown or hidden, and when its title is another."""

    def __init__(
        self,
        context: Context,
        palette: PaletteDock,
        strip: StripPanel,
        others: Mapping[str, QWidget],
    ) -> None:
        """`others` are the parts outside of it: menus, toolbar, status."""
        super().__init__()
        self._context, self._settings, self._style = context, context.settings, context.style
        self._canvas, self._palette, self.strip = context.canvas, palette, strip
        self.bar = RightBar(context)
        self._stage: TrainPage | None = None
        self._staged: tuple[QWidget, ...] = ()
        self._insisted: frozenset[str] = frozenset()
        self._visible: dict[str, bool] = {}
        self._rail = False
        """Whether the canvas has asked for the room of the palette's texts."""
        self._rules = context.playback.rules
        self._page_before = ""
        """The page that was open before a presentation."""
        self._rail_before = False
        """Whether the canvas had asked for that room before a presentation."""
        self._widgets = {**others, "palette": palette, "strip": strip, "bar": self.bar}
        self._canvas.setMinimumSize(*_LEAST_CANVAS)
        self._lines = [_line(across=True), _line(), _line()]
        middle = in_column((self._canvas, 1), self._lines[0], strip, edges=0, gap=0)
        self._row = in_row(
            palette,
            self._lines[1],
            (middle, 1),
            self.bar.frame,
            self._lines[2],
            self.bar,
            parent=self,
            edges=0,
            gap=0,
        )
        self._layout = self._layout_with(self._rail)
        self._connect()

    def _connect(self) -> None:
        context = self._context
        context.modes.choose(context.settings.level, context.settings.asked_steps)
        context.playback.shown.connect(self._follow)
        context.style.changed.connect(self._mark_modes)
        context.lessons.changed.connect(self._follow_lesson)
        context.modes.changed.connect(self._keep_level)
        context.modes.ended.connect(self._sum_up)
        context.friendly.found.connect(partial(set_friendly, context))
        context.friendly.lasts.connect(self._show_search)
        context.beginning.said.connect(context.messages.toast)
        self.bar.turned.connect(self._turned)
        self.bar.made.connect(self._adopt_stage)
        self.bar.all_wanted.connect(self._show_all_tools)
        self.show_tools()
        for widget in (self._canvas.viewport(), self.strip, self._canvas):
            widget.installEventFilter(self)

    # parts

    @property
    def layout_now(self) -> WindowLayout:
        """Return the current layout of the window."""
        return self._layout

    def shown(self, part: str) -> bool:
        """Return whether a part is shown, or would be if the start page were not."""
        if self._context.shell.presenting and part in _HIDDEN_WHEN_PRESENTING:
            return False
        return self._settings.shown(part) and (part in self._insisted or self._fits(part))

    def toggle(self, part: str) -> None:
        """Show or hide a part; one requested explicitly is shown in a window of any size."""
        wanted = not self.shown(part)
        self._settings.set_shown(part, wanted)
        self._insisted = self._insisted | {part} if wanted else self._insisted - {part}
        self.rearrange()

    def rail(self) -> bool:
        """Return whether the palette shows icons only."""
        return self._layout.rail

    def toggle_rail(self) -> None:
        """Fold the palette to icons, or unfold it; it stays so until `reset`."""
        self._settings.set_part_folded("palette", not self._layout.rail)
        self.rearrange()

    def reset(self) -> None:
        """Show every part, and leave the form of the palette to the window."""
        for part in self._widgets:
            self._settings.set_shown(part, True)
        self._settings.set_part_folded("palette", None)
        self.rearrange()

    def prefer_rail(self, rail: bool) -> None:
        """Show the palette as icons, or not, where the user has not chosen otherwise."""
        if rail != self._rail:
            self._rail = rail
            self.rearrange()

    def canvas_size(self, rail: bool) -> QSize:
        """Return the size that the canvas would have with the palette as icons, or not."""
        return self._layout_with(rail).canvas

    def rearrange(self) -> None:
        """Show the chosen parts, as far as there is space."""
        for part, widget in self._widgets.items():
            if self._fits(part):
                self._insisted -= {part}
            shown = self.shown(part) and (part in _ALWAYS or not self._context.shell.on_start_page)
            if self._visible.get(part) is not shown:
                self._visible[part] = shown
                widget.setVisible(shown)
        self._layout = self._layout_with(self._rail)
        self._palette.show_rail(self._layout.rail)
        self._palette.setFixedWidth(max(self._layout.palette - 1, 0))
        self._lines[0].setVisible(self._visible["strip"])
        self._lines[1].setVisible(self._visible["palette"])
        self._lines[2].setVisible(self._visible["bar"])
        self.strip.setFixedHeight(self._layout.strip)
        self._place_page()
        self.changed.emit()

    def _layout_with(self, rail: bool) -> WindowLayout:
        settings, shell = self._settings, self._context.shell
        choices = Choices(
            rail=settings.is_part_folded("palette"),
            page=bool(self.bar.name),
            over=shell.presenting,
            hidden=frozenset(part for part in self._widgets if not self.shown(part)),
        )
        size = shell.widget.size()
        return lay_out_window(size, self._style, choices, rail, self.strip.more_lines)

    def _fits(self, part: str) -> bool:
        """Return whether the window is high enough for a part below the canvas."""
        return self._context.shell.widget.height() >= self._style.px(_LEAST_HEIGHT.get(part, 0))

    # pages

    @property
    def page(self) -> str:
        """Return the name of the page that is open, or ""."""
        return self.bar.name

    @property
    def page_floats(self) -> bool:
        """Return whether a page is open over the canvas."""
        return bool(self.bar.name) and self._layout.over

    def toggle_page(self, name: str) -> None:
        """Open a page and give it the keyboard; one that is open is folded."""
        if self.bar.name == name:
            self.bar.fold(focus=True)
        else:
            self.bar.open(name, focus=True)

    def fold_page(self) -> bool:
        """Fold a page that is open over the canvas; return whether there was one."""
        floats = self.page_floats
        if floats:
            self.bar.fold(focus=True)
        return floats

    def restore_page(self) -> None:
        """Open the page that was open when the window was closed."""
        if self._settings.page:
            self.bar.open(self._settings.page)

    def present(self, on: bool) -> None:
        """Fold the page for a presentation, or open it again."""
        if on:
            self._page_before, self._rail_before = self.bar.name, self._rail
            self.bar.fold()
            self.rearrange()
            return
        self._rail = self._rail_before  # the screen may have had less room than the window
        if self._page_before:
            self.bar.open(self._page_before)
        self.rearrange()

    def begin_drill(self) -> None:
        """Ask three more questions like the one of the slip, on their page."""
        page = cast("LessonPage", self.bar.get("lesson"))
        self.bar.open("lesson")
        page.begin_drill()

    def show_tools(self) -> None:
        """Show the tiles and buttons that are always there, or were used, or all."""
        used = self._settings.uses_tool
        self.strip.set_for_beginner(not used("predict"))
        self.bar.show_tiles([name for name in PAGES if name in FIRST_PAGES or used(f"page-{name}")])

    def _show_all_tools(self) -> None:
        self._settings.all_tools = True
        self.show_tools()
        self.changed.emit()

    def _turned(self, name: str) -> None:
        self.strip.set_page_open(name == "lesson")
        self._mark_modes()
        if self._stage is not None and name not in ("", "train"):
            self._stage.leave_stage()
        if name:
            self._settings.note_tool(f"page-{name}")
            self.show_tools()
        if not self._context.shell.presenting:
            self._settings.page = name
        self.rearrange()

    def _place_page(self) -> None:
        """Put the page beside the canvas, or over its right part, above the strip."""
        frame, layout = self.bar.frame, self._layout
        frame.setFixedWidth(layout.page)
        floats, inside = layout.over, self._row.indexOf(frame) >= 0
        if floats and inside:
            shown = not frame.isHidden()
            self._row.removeWidget(frame)
            frame.setParent(self)
            frame.setVisible(shown)
        elif not floats and not inside:
            self._row.insertWidget(self._row.indexOf(self._lines[2]), frame)
        self._row.invalidate()  # what was hidden meanwhile has an old geometry
        self._row.activate()
        if floats:
            room = QRect(self._canvas.mapTo(self, QPoint(0, 0)), self._canvas.size())
            room.setLeft(room.right() + 1 - layout.page)
            frame.setGeometry(room)
            frame.raise_()
        self._place_stage()
        self._clear_sheet()

    def _follow_lesson(self) -> None:
        self._mark_modes()
        self._clear_sheet()

    def _clear_sheet(self) -> None:
        """Have the graph of a lesson framed beside the page that leads through it, not below."""
        covers = self.page_floats and self._context.lessons.active
        self._canvas.framing.set_covered_width(self._layout.page if covers else 0)

    # modes

    def _follow(self, shown: ViewState) -> None:
        """Mark the tiles of the modes that are on; show the sheet again for a mode or a pass."""
        starts = shown.mode is not STEPPING or shown.frame.phase != "live"
        if starts and self._stage is not None and self._stage.stage_title:
            self._stage.leave_stage()
        self._rules = shown.rules
        self._mark_modes()

    def _mark_modes(self) -> None:
        """Mark tiles with violet dots where something is asked, red ones where gradients differ."""
        now, theme = self._context.playback.now, self._style.theme
        asked = now.by_hand is not None or now.quiz is not None
        mistake: QColor | None = None
        if now.hunt is not None:
            mistake = theme.selection
        elif now.rules not in (CORRECT, UNKNOWN):
            mistake = theme.error
        leads = self._context.lessons.active and self.bar.name != "lesson"
        self.bar.set_dot("lesson", theme.selection if asked or leads else None)
        self.bar.set_dot("mistakes", mistake)

    def _keep_level(self) -> None:
        """Store how the learner wants to be asked; an exercise chooses for itself alone."""
        settings, modes = self._settings, self._context.modes
        if self._context.document.sheet.task is not None:
            return
        settings.level, settings.asked_steps = modes.level, modes.steps

    def _show_search(self, lasts: bool) -> None:
        messages = self._context.messages
        if lasts:
            messages.progress.wait_for("Drawing friendly numbers", self._context.friendly.cancel)
        else:
            messages.end_progress()

    def _sum_up(self, report: Report) -> None:
        if right_first_time(report.record.attempts):
            self._context.messages.toast(summary_of(report.record))

    # a stage

    @property
    def staged(self) -> bool:
        """Return whether a page shows a stage of its own in place of the sheet."""
        return bool(self._staged) and not self._context.shell.on_start_page

    @property
    def stage_widgets(self) -> tuple[QWidget, ...]:
        """Return the stage and its playback, or nothing where the sheet is shown."""
        return self._staged

    @property
    def stage_title(self) -> str:
        """Return the title of the stage, or ""."""
        return "" if self._stage is None else self._stage.stage_title

    def end_stage(self) -> bool:
        """Stop the run on the stage, or else leave it; return whether there was a stage."""
        if self._stage is None or not self.staged:
            return False
        if not self._stage.rest():
            self._stage.leave_stage()
            self._canvas.setFocus()
        return True

    def _adopt_stage(self, name: str) -> None:
        """Follow the page Train, which can show a stage and a playback of its own."""
        if name == "train":
            self._stage = page = cast("TrainPage", self.bar.get(name))
            page.staged_changed.connect(self._show_stage)
            page.retitled.connect(self.stage_changed)
            self._show_stage()

    def _show_stage(self) -> None:
        """Show the stage in place of canvas and strip, or take it away."""
        stage = self._stage
        shown = () if stage is None or not stage.stage_title else (stage.stage, stage.playback)
        if shown == self._staged:
            return
        for widget in self._staged:
            widget.hide()
        self._staged = shown
        if shown:
            self._context.selection.clear()  # no key deletes what can't be seen
        for below, widget in zip((self._canvas.viewport(), self.strip), shown, strict=False):
            widget.setParent(below)
            widget.show()
        self._place_stage()
        self._palette.setDisabled(bool(shown))
        self.stage_changed.emit()

    def _place_stage(self) -> None:
        covered = self._layout.page if self.page_floats else 0
        places = ((self._canvas.viewport(), covered), (self.strip, 0))
        for (below, right), widget in zip(places, self._staged, strict=False):
            widget.setGeometry(below.rect().adjusted(0, 0, -right, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_stage()
        elif self._staged and event.type() in _BEHIND_STAGE and watched is not self.strip:
            event.ignore()  # the window may want a key
            return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_page()


def _line(*, across: bool = False) -> QFrame:
    line = QFrame()
    line.setProperty("kind", "divider")
    (line.setFixedHeight if across else line.setFixedWidth)(1)
    return line
