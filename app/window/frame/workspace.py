"""The workspace: canvas, palette, page, tiles and strip; it shows, hides and folds them.

    palette | canvas | page | tiles
            | strip  |      |

The user's choices, kept in the settings, win; everything else follows the size of the window, the
scale of the interface, and whether the canvas has requested the width of the palette's texts. In a
narrow window and in a presentation the page is open over the canvas. What a small window has no
room for is folded (`_NEEDED`) until it grows again, which is no choice and not kept.

A stage is the large view of a page, such as the decision boundary of Train; while it is shown, it
covers the canvas, and its playback covers the strip.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct, structs
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.layouts import in_column, in_row, rule
from app.guard import exception_safe
from app.panels.palette import PaletteDock
from app.panels.strip import StripPanel, strip_height
from app.style import sizes
from app.style.current import Style
from app.window.commands.asking_actions import save_report, set_friendly
from app.window.commands.programs_actions import (
    open_pass,
    run_program,
    run_with_network,
    see_it_happen,
)
from app.window.commands.training_actions import leave_modes, show_code
from app.window.commands.view_actions import PAGES
from app.window.context import Context
from app.window.frame.right_bar import RightBar
from app.workbench.modes.mode import STEPPING
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import summary_of
from engine.asking.record import right_first_time
from engine.formats.report import Report

if TYPE_CHECKING:
    from app.panels.lesson import LessonPage
    from app.panels.program_bar import PassList, ProgramBar
    from app.panels.train import TrainPage


MIN_WIDTH_BESIDE: Final = 1280
"""Width of a window, in px at 100 %, below which a page is open over the canvas, not beside it."""
MIN_CANVAS_SHARE: Final = 0.6
"""Share of the window's width that a page which is made wider leaves to the canvas."""
_DIVIDER = 1
"""Thickness of the line between two parts, in px."""


class Choices(Struct, frozen=True):
    """The user's choices that determine the layout."""

    rail: bool | None = None
    """Whether the palette shows icons only; None leaves that to the window."""
    page: bool = False
    """Whether a page is open."""
    page_over_canvas: bool = False
    """Whether a page lies over the canvas even in a wide window."""
    page_width: float = 0.0
    """The least width of a page, in px at 100 %, as far as the canvas leaves it."""
    hidden: frozenset[str] = frozenset()
    """Names of parts that are not shown."""


class WindowLayout(Struct, frozen=True):
    """The form of each part, its width or height in px, and the size that the canvas gets."""

    small: bool
    """Whether the window is smaller than `sizes.SMALL_WINDOW`."""
    rail: bool
    """Whether the palette shows icons only."""
    page_over_canvas: bool
    """Whether a page that is open lies over the canvas."""
    palette_width: int
    page_width: int
    """Width of a page when it is open."""
    strip_height: int
    canvas: QSize


def lay_out_window(
    window: QSize,
    style: Style,
    choices: Choices,
    rail: bool = False,
    more_lines: int = 0,
    *,
    for_polls: bool = False,
) -> WindowLayout:
    """Return the layout of a window; `rail` is the request of the canvas, which choices override.

    `more_lines` is the number of lines in the strip beyond the usual ones; with `for_polls` the
    strip has the height of a question to the room.
    """
    px, hidden = style.px, choices.hidden
    min_width, min_height = sizes.SMALL_WINDOW
    small = window.width() < px(min_width) or window.height() < px(min_height)
    rail = (small or rail) if choices.rail is None else choices.rail
    palette = 0 if "palette" in hidden else px(sizes.RAIL if rail else sizes.PALETTE) + _DIVIDER
    bar = 0 if "bar" in hidden else px(sizes.RAIL) + _DIVIDER
    usual = px(sizes.PAGE_SMALL if small else sizes.PAGE)
    widest = int(window.width() * (1 - MIN_CANVAS_SHARE)) - palette - bar
    page = max(usual, min(px(choices.page_width), widest))
    page_over_canvas = choices.page_over_canvas or window.width() < px(MIN_WIDTH_BESIDE)
    page_beside = page if choices.page and not page_over_canvas else 0
    bars = {"menus": sizes.MENU, "toolbar": sizes.TOOLBAR, "status": sizes.STATUS}
    above = sum(px(height) for name, height in bars.items() if name not in hidden)
    timeline = "timeline" not in hidden
    strip = strip_height(style, more_lines, for_polls=for_polls, timeline=timeline)
    below = 0 if "strip" in hidden else strip + _DIVIDER
    canvas = QSize(window.width() - palette - bar - page_beside, window.height() - above - below)
    return WindowLayout(
        small=small,
        rail=rail,
        page_over_canvas=page_over_canvas,
        palette_width=palette,
        page_width=page,
        strip_height=strip,
        canvas=canvas,
    )


_MIN_CANVAS_SIZE = (120, 90)
"""Minimum width and height of the canvas, in px."""
_SHOWN_WITH_START_PAGE = ("menus", "status")
"""Parts that stay when the start page takes the place of the others."""
_NEEDED: Final = {
    "page": (720, 0),
    "palette": (720, 0),
    "timeline": (0, 440),
    "menus": (0, 400),
    "status": (0, 400),
}
"""Width and height of the window, in px at 100 %, below which a part is folded.

Palette and status are shown nevertheless where they were toggled on, a page where it was opened.
"""
_HIDDEN_WHEN_PRESENTING = ("menus", "toolbar", "palette", "bar", "status")
"""Parts that a presentation has no space for; the strip has the sentence."""
_FOLDED_IN_LESSON: Final = frozenset({"toolbar", "palette", "bar", "status", "timeline"})
"""Parts that a lesson folds until one of its steps needs them; see `Learner.parts`."""
_INPUT_EVENTS: Final = frozenset(
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
"""Events of keyboard and mouse, which the canvas does not get while a stage covers it."""


@exception_safe
class Workspace(QWidget):
    """The parts of the window around the canvas, their pages and stages; see `WindowParts`."""

    changed = Signal()
    """Emitted after parts may have been shown, hidden or folded, or a page opened."""
    stage_changed = Signal()
    """Emitted when a stage is shown or hidden, and when its title changes."""

    def __init__(
        self,
        context: Context,
        palette: PaletteDock,
        strip: StripPanel,
        outer_parts: Mapping[str, QWidget],
    ) -> None:
        """`outer_parts` are those of the window outside the workspace: menus, toolbar, status."""
        super().__init__()
        self._context, self._settings, self._style = context, context.settings, context.style
        self._canvas, self._palette, self.strip = context.canvas, palette, strip
        self.bar = RightBar(context)
        self._stages: dict[str, TrainPage | PassList] = {}
        """The stages that were made: of the page Train, and the passes of a program."""
        self._program_bar: ProgramBar | None = None
        self.stage_widgets: tuple[QWidget, ...] = ()  # the stage and its playback, if it is shown
        self._toggled_on = self._unneeded = frozenset[str]()
        """Parts that the user has shown although they are folded."""
        self._visible: dict[str, bool] = {}
        """Whether each part was shown by the last `rearrange`."""
        self._rail_requested = False
        """Whether the canvas has requested the width of the palette's texts."""
        self._page_away = ""
        """Why a page was folded that comes back: "presenting", "no room", or "" if none was."""
        self._page_before = ""
        """The page that comes back, or ""."""
        self._rail_before = False
        """The value of `_rail_requested` before a presentation."""
        # by the name of the part, as in the settings
        self._widgets = {**outer_parts, "palette": palette, "strip": strip, "bar": self.bar}
        self._canvas.setMinimumSize(*_MIN_CANVAS_SIZE)
        self._strip_divider = _divider(horizontal=True)
        self._palette_divider, self._bar_divider = _divider(), _divider()
        self._middle = in_column((self._canvas, 1), self._strip_divider, strip, gap=0)
        right = (self._middle, 1), self.bar.frame, self._bar_divider, self.bar
        self._row = in_row(palette, self._palette_divider, *right, parent=self, gap=0)
        self.layout_now = self._layout_with(self._rail_requested)
        self._connect()

    def _connect(self) -> None:
        context = self._context
        context.modes.restore(context.settings.level, context.settings.asked_steps)
        context.playback.shown.connect(self._on_view_state)
        context.style.changed.connect(self._mark_modes)
        context.guides.changed.connect(self._on_lesson_changed)
        context.recorders.changed.connect(self._keep_clear_of_page)
        context.modes.changed.connect(self._store_quiz_choices)
        context.modes.ended.connect(self._show_summary)
        self.strip.report_wanted.connect(partial(save_report, context))
        context.friendly.found.connect(partial(set_friendly, context))
        context.friendly.running_changed.connect(self._show_search_progress)
        context.beginning.said.connect(context.messages.toast)
        self.bar.turned.connect(self._on_page_turned)
        self.bar.made.connect(self._adopt_stage)
        self.bar.frame.edge.dragged.connect(self._widen_pages)
        self.bar.all_tools_wanted.connect(self._show_all_tools)
        self.show_tools()
        for widget in (self._canvas.viewport(), self.strip, self._canvas):
            widget.installEventFilter(self)

    # parts

    def shown(self, part: str) -> bool:
        """Return whether a part is shown, or would be without the start page."""
        if self._context.shell.presenting and part in _HIDDEN_WHEN_PRESENTING:
            return False
        if part == "timeline" and self.staged:
            return True  # the playback of a stage needs the height of the strip
        if part == "menus" and (self._context.shell.on_full_page or not self.shown("toolbar")):
            return True  # the toolbar has the button for folded menus
        return self._settings.shown(part) and (part in self._toggled_on or self._fits(part))

    def toggle(self, part: str) -> None:
        """Show or hide a part; showing it so wins over a window that is too small for it."""
        wanted = not self.shown(part)
        if wanted or self._fits(part):
            self._settings.set_shown(part, wanted)
        self._toggled_on = self._toggled_on | {part} if wanted else self._toggled_on - {part}
        self.rearrange()

    def rail(self) -> bool:
        """Return whether the palette shows icons only."""
        return self.layout_now.rail

    def toggle_rail(self) -> None:
        """Fold the palette to icons, or unfold it, until `reset`."""
        self._settings.set_part_folded("palette", not self.layout_now.rail)
        self.rearrange()

    def reset(self) -> None:
        """Show every part, and let the window decide whether the palette shows icons only."""
        for part in self._widgets:
            self._settings.set_shown(part, True)
        self._settings.set_part_folded("palette", None)
        self.rearrange()

    def prefer_rail(self, rail: bool) -> None:
        """Request the palette as icons, or not; a choice of the user wins."""
        if rail != self._rail_requested:
            self._rail_requested = rail
            self.rearrange()

    def canvas_size(self, rail: bool) -> QSize:
        """Return the size that the canvas would have with such a palette."""
        return self._layout_with(rail).canvas

    def rearrange(self) -> None:
        """Lay out the parts again, and show those that are chosen and fit."""
        self._fold_or_return_page()
        for part, widget in self._widgets.items():
            if self._fits(part):  # the exception for a low window ends with it
                self._toggled_on -= {part}
            shown = self.shown(part) and (
                part in _SHOWN_WITH_START_PAGE or not self._context.shell.on_full_page
            )
            if self._visible.get(part) is not shown:
                self._visible[part] = shown
                widget.setVisible(shown)
        self.layout_now = self._layout_with(self._rail_requested)
        self._palette.show_rail(self.layout_now.rail)
        self._palette.setFixedWidth(max(self.layout_now.palette_width - _DIVIDER, 0))
        self._strip_divider.setVisible(self._visible["strip"])
        self._palette_divider.setVisible(self._visible["palette"])
        self._bar_divider.setVisible(self._visible["bar"])
        self.strip.timeline_shown = self.shown("timeline")
        self.strip.setFixedHeight(self.layout_now.strip_height)
        self._place_page()
        self.changed.emit()

    def _layout_with(self, rail: bool) -> WindowLayout:
        settings, shell = self._settings, self._context.shell
        choices = Choices(
            rail=settings.is_part_folded("palette"),
            page=bool(self.bar.name),
            page_over_canvas=shell.presenting,
            page_width=settings.page_width,
            hidden=frozenset(p for p in (*self._widgets, "timeline") if not self.shown(p)),
        )
        size = shell.widget.size()
        strip = self.strip
        found = lay_out_window(
            size, self._style, choices, rail, strip.more_lines, for_polls=strip.for_polls
        )
        wide, high = found.canvas.width(), found.canvas.height()
        for bar in self.program_bars:
            high -= bar.heightForWidth(wide)
        return structs.replace(found, canvas=QSize(wide, high))

    def _fits(self, part: str) -> bool:
        """Return whether the window is large enough for a part, and no lesson folds it.

        The tiles stay while no page is open: without them none of it would lead back to the step.
        """
        if part in self._unneeded and (part != "bar" or self.bar.name):
            return False
        size, (width, height) = self._context.shell.widget.size(), _NEEDED.get(part, (0, 0))
        return size.width() >= self._style.px(width) and size.height() >= self._style.px(height)

    # pages

    @property
    def page(self) -> str:
        """Return the name of the page that is open, or ""."""
        return self.bar.name

    @property
    def page_floats(self) -> bool:
        """Return whether a page is open over the canvas."""
        return bool(self.bar.name) and self.layout_now.page_over_canvas

    def toggle_page(self, name: str) -> None:
        """Fold a page that is open; else open it and give it the focus."""
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
        """Open the page that was open when the last window was closed."""
        if self._settings.page:
            self.bar.open(self._settings.page)

    def present(self, on: bool) -> None:
        """Fold the page for a presentation, or restore page and palette after it."""
        if on:
            self._rail_before = self._rail_requested
        else:  # in full screen the canvas may have requested another width
            self._rail_requested = self._rail_before
        self.rearrange()

    def _fold_or_return_page(self) -> None:
        """Fold the page where it has no room, and bring it back, unless another one was opened."""
        presenting = self._context.shell.presenting
        away = "presenting" if presenting else "" if self._fits("page") else "no room"
        if away == self._page_away:
            return
        self._page_away = away
        if away:
            self._page_before = self.bar.name or self._page_before
            self.bar.fold()
            return
        page, self._page_before = self.bar.name or self._page_before, ""
        self._settings.page = page
        if page:
            self.bar.open(page)

    def begin_drill(self) -> None:
        """Open the page Lesson and ask three more questions like the one answered wrongly."""
        page = cast("LessonPage", self.bar.get("lesson"))
        self.bar.open("lesson")
        page.begin_drill()

    def show_tools(self) -> None:
        """Show the tiles and buttons of tools: the initial ones and those used, or all."""
        uses = self._settings.uses_tool
        self.strip.set_for_beginner(not uses("ripple"))
        pages = [name for name, page in PAGES.items() if not page.folded or uses(f"page-{name}")]
        self.bar.show_tiles(pages)

    def _show_all_tools(self) -> None:
        self._settings.all_tools = True
        self.show_tools()
        self.changed.emit()

    def _widen_pages(self, width: int) -> None:
        """Keep the width, in px, that pages were dragged to; 0 for the usual one."""
        self._settings.page_width = width / self._style.control_scale
        self.rearrange()

    def _on_page_turned(self, name: str) -> None:
        self._mark_modes()
        if "train" in self._stages and name not in ("", "train"):
            self._stages["train"].leave_stage()
        if name:
            self._settings.note_tool(f"page-{name}")
            self.show_tools()
        if not self._page_away:
            self._settings.page = name
        self.rearrange()

    def _place_page(self) -> None:
        """Place the page beside the canvas, or over the right part of the canvas."""
        frame, layout = self.bar.frame, self.layout_now
        frame.setFixedWidth(layout.page_width)
        floats, in_row_now = layout.page_over_canvas, self._row.indexOf(frame) >= 0
        if floats and in_row_now:
            shown = not frame.isHidden()
            self._row.removeWidget(frame)
            frame.setParent(self)
            frame.setVisible(shown)
        elif not floats and not in_row_now:
            self._row.insertWidget(self._row.indexOf(self._bar_divider), frame)
        self._row.invalidate()  # parts that were hidden have outdated geometries
        self._row.activate()
        if floats:
            page_rect = QRect(self._canvas.mapTo(self, QPoint(0, 0)), self._canvas.size())
            # right() of a QRect is its last pixel, one less than its right edge
            page_rect.setLeft(page_rect.right() + 1 - layout.page_width)
            frame.setGeometry(page_rect)
            frame.raise_()
        self._place_stage()
        self._keep_clear_of_page()

    def _on_lesson_changed(self) -> None:
        guides = self._context.guides
        state = guides.learner if guides.active else None
        unneeded = frozenset[str]() if state is None else _FOLDED_IN_LESSON - state.parts
        if unneeded != self._unneeded:
            self._unneeded = unneeded
            self.rearrange()
        self._mark_modes()
        self._keep_clear_of_page()

    def _keep_clear_of_page(self) -> None:
        """Keep the graph of a lesson, played or recorded, clear of the page over the canvas."""
        context = self._context
        is_written = context.recorders.now is not None and self.bar.name == "lesson"
        is_lesson = context.guides.active or is_written
        covers = self.page_floats and is_lesson
        self._canvas.framing.set_covered_width(self.layout_now.page_width if covers else 0)

    # modes

    def _on_view_state(self, shown: ViewState) -> None:
        """Mark the tiles of modes; leave the stage when a mode or a pass begins on the sheet."""
        sheet_is_used = shown.mode is not STEPPING or shown.frame.phase != "live"
        if sheet_is_used and self._stage is not None:
            self._stage.leave_stage()
        self._mark_modes()

    def _mark_modes(self) -> None:
        """Mark tiles by a dot: violet for what waits for the learner, red for a mistake.

        Questions, a hunt, and a lesson whose page is folded wait.
        """
        now, theme = self._context.playback.now, self._style.theme
        is_asked = now.by_hand is not None or now.quiz is not None
        mistakes_dot: QColor | None = None
        if now.hunt is not None:
            mistakes_dot = theme.selection
        elif now.rules.is_mistake:
            mistakes_dot = theme.error
        lesson_folded = self._context.guides.active and self.bar.name != "lesson"
        self.bar.set_dot("lesson", theme.selection if is_asked or lesson_folded else None)
        self.bar.set_dot("mistakes", mistakes_dot)

    def _store_quiz_choices(self) -> None:
        """Store level and steps of a quiz as settings, unless an exercise has set them."""
        settings, modes = self._settings, self._context.modes
        if self._context.document.sheet.task is not None:
            return
        settings.level, settings.asked_steps = modes.chosen_level, modes.chosen_steps

    def _show_search_progress(self, running: bool) -> None:
        messages = self._context.messages
        if running:
            messages.progress.wait_for("Drawing friendly numbers", self._context.friendly.cancel)
        else:
            messages.end_progress()

    def _show_summary(self, report: Report) -> None:
        if self._context.playback.now.change.order_change:
            return  # the edit that ended the run has said so
        if right_first_time(report.record.attempts):  # empty if nothing was answered
            self._context.messages.toast(summary_of(report.record))

    # a program

    @property
    def program_bars(self) -> tuple[QWidget, ...]:
        """Return the bar of the program that was brought, or nothing."""
        bar = self._program_bar
        return () if bar is None or bar.isHidden() else (bar,)

    def show_program(self) -> None:
        """Make the bar above the canvas, and the list of passes, for the first program."""
        if self._program_bar is not None:
            return
        from app.panels.program_bar import PassList, ProgramBar

        context, run = self._context, self._context.programs()
        passes = PassList(context.style, run)
        self._program_bar = bar = ProgramBar(context.style, run, passes)
        self._middle.insertWidget(0, bar)
        bar.refresh()  # once it has a parent: without one it would be a window
        bar.run_wanted.connect(partial(run_program, context))
        bar.network_wanted.connect(partial(run_with_network, context))
        bar.how_wanted.connect(partial(show_code, context, "run"))
        passes.open_wanted.connect(partial(open_pass, context))
        passes.happening_wanted.connect(partial(see_it_happen, context))
        run.finished.connect(partial(leave_modes, context))
        run.finished.connect(passes.show_passes)
        run.changed.connect(self.rearrange)
        self._add_stage("program", passes)
        self.rearrange()

    def show_sheet(self) -> None:
        """Show the sheet in place of the list of a program's passes."""
        self._stages["program"].leave_stage()

    def forget_program(self) -> None:
        """End the run of a program, as the window closes."""
        if self._program_bar is not None:
            self._context.programs().forget()

    # a stage

    @property
    def _stage(self) -> TrainPage | PassList | None:
        """The stage that takes the sheet's place, the one that was made last if both would."""
        shown = [stage for stage in self._stages.values() if stage.stage_title]
        return shown[-1] if shown else None

    @property
    def staged(self) -> bool:
        """Return whether the stage of a page is shown in place of the sheet."""
        return bool(self.stage_widgets) and not self._context.shell.on_full_page

    @property
    def stage_title(self) -> str:
        """Return the title of the stage, or ""."""
        return "" if self._stage is None else self._stage.stage_title

    def end_stage(self) -> bool:
        """Stop the run on the stage, or else leave it; return whether there was a stage."""
        if self._stage is None or not self.staged:
            return False
        if not self._stage.stop_running():
            self._stage.leave_stage()
            self._canvas.setFocus()
        return True

    def _adopt_stage(self, name: str) -> None:
        """Connect the page Train once it is created: it can show a stage and a playback."""
        if name == "train":
            self._add_stage(name, cast("TrainPage", self.bar.get(name)))

    def _add_stage(self, name: str, stage: TrainPage | PassList) -> None:
        self._stages[name] = stage
        stage.staged_changed.connect(self._show_stage)
        stage.retitled.connect(self.stage_changed)
        self._show_stage()

    def _show_stage(self) -> None:
        """Show the stage over the canvas and its playback over the strip, or hide both."""
        stage = self._stage
        widgets = () if stage is None else (stage.stage, stage.run_controls)
        if widgets == self.stage_widgets:
            return
        for widget in self.stage_widgets:
            widget.hide()
        self.stage_widgets = widgets
        if self._program_bar is not None:
            self._program_bar.covered = stage is not None and stage is self._stages.get("train")
            self._program_bar.refresh()
        if widgets:
            self._context.selection.clear()  # so that no key deletes nodes under the stage
        # not strict: without a stage there are no widgets
        for parent, widget in zip((self._canvas.viewport(), self.strip), widgets, strict=False):
            widget.setParent(parent)
            widget.show()
        self.rearrange()
        self._palette.setDisabled(bool(widgets))
        self.stage_changed.emit()

    def _place_stage(self) -> None:
        """Fit the stage to the part of the canvas that no page covers, and the playback."""
        covered = self.layout_now.page_width if self.page_floats else 0
        parents = ((self._canvas.viewport(), covered), (self.strip, 0))
        for (parent, right), widget in zip(parents, self.stage_widgets, strict=False):
            widget.setGeometry(parent.rect().adjusted(0, 0, -right, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_stage()
        # the strip gets its input: the playback of the stage covers it
        elif self.stage_widgets and event.type() in _INPUT_EVENTS and watched is not self.strip:
            event.ignore()  # passes it on to the window
            return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_page()


def _divider(*, horizontal: bool = False) -> QFrame:
    line = rule("divider")
    if horizontal:
        line.setFixedHeight(_DIVIDER)
    else:
        line.setFixedWidth(_DIVIDER)
    return line
