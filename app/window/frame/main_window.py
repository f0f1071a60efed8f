"""MainWindow: creates the parts, places and connects them; it contains no logic of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from app.controls.layouts import in_column
from app.controls.tab_order import visit_after
from app.document.change import NO_CHANGE
from app.guard import guarded
from app.lessons.lesson import Step
from app.panels.expression_bar import ExpressionBar
from app.panels.palette import PaletteDock
from app.panels.status_line import StatusLine
from app.panels.strip import StripPanel
from app.style.current import Style
from app.style.stylesheet import apply
from app.window.actions import Actions
from app.window.commands import ACTIONS
from app.window.commands.edit import escape
from app.window.commands.file import open_drawing, open_now, tell_replaced
from app.window.commands.graph import offer_free_label
from app.window.commands.lessons import make_ready
from app.window.commands.run import help_stuck
from app.window.commands.unsaved import look_after_file, offer_remains, unless_unsaved
from app.window.commands.view import show_node
from app.window.faults import Faults
from app.window.frame.app_style import AppStyle, application, prepare
from app.window.frame.canvas_progress import CanvasProgress
from app.window.frame.context_menus import ContextMenus
from app.window.frame.file_drop import FileDrop
from app.window.frame.file_state import FileState
from app.window.frame.focus_keys import FocusKeys
from app.window.frame.focus_parts import focus_next
from app.window.frame.make_context import make_context
from app.window.frame.menus import MenuBar
from app.window.frame.pages import Pages
from app.window.frame.presentation import Presentation
from app.window.frame.reveal_new_nodes import RevealNewNodes
from app.window.frame.toolbar import Toolbar
from app.window.frame.top_line import TopLine
from app.window.frame.workspace import Workspace
from app.window.settings import Settings, open_settings, theme_of
from app.workbench.playback.view_state import ViewState
from app.workbench.words.sentences import Voice
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.controls.panel import Page

SMALLEST = (880, 560)
"""Minimum width and height of the window, in px."""
_IDLE = 400
"""Milliseconds after the start at which the first lesson is made ready."""


@guarded
class MainWindow(QMainWindow):
    """The window: one document, one canvas, and the panels around it; implements Shell."""

    def __init__(self, store: QSettings | None = None) -> None:
        settings = Settings(store or open_settings())
        style = Style(theme_of(settings.theme))
        settings.read_look(style)
        prepare(style)  # before any widget, since a font set later does not reach all of them
        super().__init__()
        self._may_close = False
        self._stack = QStackedWidget()
        self.context = context = make_context(self, settings, style, self._stack)
        self.document, self.selection = context.document, context.selection
        self.playback, self.canvas = context.playback, context.canvas
        self._make_parts()
        self._connect()
        self._connect_panels()
        self.setMinimumSize(*SMALLEST)
        settings.place(self)
        self.parts.restore_page()
        self.parts.rearrange()

    def _make_parts(self) -> None:
        context = self.context
        self.faults = Faults(context)
        self._app_style = AppStyle(context.style, context.settings, self)
        self._reveal_new_nodes = RevealNewNodes(context.document, context.canvas)
        self._canvas_progress = CanvasProgress(context)
        self.commands = Actions(context, ACTIONS)
        self.menu_bar = MenuBar(context, self.commands)
        self.context_menus = ContextMenus(context, self.commands, self.menu_bar)
        self.top_line = TopLine(context, self.menu_bar)
        self.setMenuWidget(self.top_line)
        self.expression = ExpressionBar(context.style, context.document, context.playback)
        self.toolbar = Toolbar(context.style, self.commands, self.expression)
        self.strip = StripPanel(
            context.style, context.document, context.playback, context.modes, context.descents
        )
        self.palette_dock = PaletteDock(context.style, self.canvas)
        self.status_line = StatusLine(context.style, context.document, context.playback)
        self.setStatusBar(self.status_line)
        self.presentation = Presentation(context)
        others: dict[str, QWidget] = {
            "menus": self.top_line,
            "toolbar": self.toolbar,
            "status": self.status_line,
        }
        self.pages = Pages(context, self._stack)
        self.parts = Workspace(context, self.palette_dock, self.strip, others)
        self.bar = self.parts.bar
        self.parts.stage_changed.connect(self._follow_stage)
        self.pages.set_work(self.parts)
        self.setCentralWidget(_stacked(self.toolbar, self._stack))
        context.canvas.framing.around = self.parts
        self._focus_keys = FocusKeys(application(), self)
        self._file_state = FileState(context, application())
        self._file_drop = FileDrop(context)

    def _connect(self) -> None:
        context, messages = self.context, self.context.messages
        visit_after(self.strip.note, (self.canvas,))
        messages.below = self.strip
        context.playback.shown.connect(self._follow)
        self.presentation.changed.connect(self.parts.rearrange)
        switches = (context.modes.changed, context.time_machine.changed, context.descents.changed)
        for signal in (context.selection.changed, self.parts.changed, *switches):
            signal.connect(self.commands.refresh)
        context.document.refused.connect(messages.refuse)
        context.document.replaced.connect(partial(tell_replaced, context))
        context.playback.said.connect(messages.toast)
        context.playback.stuck.connect(partial(help_stuck, context))
        context.document.label_shared.connect(partial(offer_free_label, context))
        context.canvas.said.connect(messages.toast)
        context.files.recovery.said.connect(messages.refuse)
        context.progress.said.connect(messages.refuse)
        self._app_style.applied.connect(self.parts.rearrange)
        self.pages.turned.connect(self.status_line.set_at_start)
        self.pages.turned.connect(self.parts.rearrange)

    def _connect_panels(self) -> None:
        context, canvas = self.context, self.context.canvas
        canvas.hint.connect(self.status_line.set_hint)
        canvas.zoom_changed.connect(self.status_line.set_zoom)
        self.palette_dock.chosen.connect(canvas.editing.adding.add_next)
        self.palette_dock.drag_began.connect(canvas.palette_drop.show_picture)
        self.palette_dock.quick_add_wanted.connect(self.commands["quick_add"].trigger)
        self.expression.leaf_chosen.connect(partial(show_node, context))
        self.expression.finished.connect(canvas.setFocus)
        # a click there takes the focus from a field
        for bar in (self.toolbar, self.strip):
            bar.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            bar.setFocusProxy(canvas)
        self.strip.set_voice(context.settings.voice)
        self.strip.voice_changed.connect(self._keep_voice)
        self.strip.grown.connect(self.parts.rearrange)
        self.strip.more_wanted.connect(self.parts.begin_drill)
        self.strip.ripple_wanted.connect(context.ripples.take)
        self.strip.numbers_wanted.connect(context.beginning.act)
        context.selection.changed.connect(self._keep_chosen)
        context.modes.turned.connect(self._turn_lesson)
        context.lessons.entered.connect(self._enter_step)
        context.lessons.changed.connect(self._follow_lesson)
        context.lessons.focus_wanted.connect(self._focus_next)
        context.progress.said.connect(context.messages.toast)

    # start

    def begin(self, path: Path | None = None) -> None:
        """Show the window with a file, or with the start page."""
        if path is None:
            self.show_start_page()
        self.show()
        if path is not None and not open_now(self.context, path):
            self.show_start_page()

    def begin_handed_over(self, drawing: Drawing) -> None:
        """Show the window with a graph handed over by another program."""
        self.show()
        open_drawing(self.context, drawing)

    def after_start(self) -> None:
        """Do what can wait until the window is visible."""
        self.menu_bar.fill()
        offer_remains(self.context)
        QTimer.singleShot(_IDLE, self, self._make_lesson_ready)

    def _make_lesson_ready(self) -> None:
        """Read the lesson that the start page offers and make its page, before it is begun."""
        if self.on_start_page and self.isVisible():
            make_ready(self.context)
            self.bar.get("lesson")

    def _keep_chosen(self) -> None:
        """Tell Ask me which leaves are selected."""
        self.context.modes.choose_leaves(self.context.selection.nodes)

    def _turn_lesson(self, way: int) -> None:
        (self.context.lessons.go_on if way > 0 else self.context.lessons.go_back)()

    def _enter_step(self, step: Step | None) -> None:
        """Show the page of the lesson, give the keyboard to the question, and say the step."""
        from app.workbench.words.lesson import spoken_step

        state = self.context.lessons.now
        self.context.messages.dismiss_toast()
        if self.bar.name:  # a folded page stays folded
            self.bar.open("lesson")
        self.context.canvas.framing.fit_all()
        self.context.lessons.focus()
        if state is not None and self.bar.page is not None:
            self.bar.page.announce(spoken_step(state))

    def _focus_next(self) -> None:
        """Put the keyboard on Next, or on the canvas while the page is folded."""
        if self.bar.name == "lesson":
            self.bar.open("lesson", focus=True)
        else:
            self.context.canvas.setFocus()

    def _follow_lesson(self) -> None:
        from app.workbench.words.lesson import status_text

        state = self.context.lessons.now
        active = state is not None and self.context.lessons.active
        self.status_line.set_lesson(status_text(state) if active and state is not None else "")
        self.commands.refresh()

    # the Shell

    @property
    def widget(self) -> QWidget:
        """Return the window itself, the parent of dialogs and menus."""
        return self

    @property
    def on_start_page(self) -> bool:
        """Return whether the start page is shown in place of the canvas."""
        return self.pages.at_start

    @property
    def presenting(self) -> bool:
        """Return whether only the graph and the step are shown, in full screen."""
        return self.presentation.on

    def show_work(self) -> None:
        """Show the canvas with its panels and focus it."""
        self.pages.show_work()
        self.context.canvas.setFocus()

    def show_start_page(self) -> None:
        """Show the start page."""
        self.pages.show_start_page()

    def focus_next_part(self, steps: int) -> None:
        """Move the keyboard focus by `steps` parts of the window."""
        if self.on_start_page:
            focus_next(self.pages.welcome.parts, steps)
            return
        middle = self.parts.stage_widgets or (self.context.canvas, self.strip)
        beside = (self.bar.frame, self.bar, self.palette_dock, self.expression)
        focus_next([*middle, *beside], steps)

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""
        if self.isFullScreen():
            self.leave_full_screen()
        else:
            self.showFullScreen()

    def toggle_presentation(self) -> None:
        """Enter or leave full screen with the graph and the step alone."""
        if self.presentation.on:
            self.presentation.end()
        else:
            self.presentation.begin()

    def leave_full_screen(self) -> None:
        """Leave full screen and show all parts."""
        if self.presentation.on:
            self.presentation.end()
        else:
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowFullScreen)
        self.parts.rearrange()

    def show_page(self, name: str, *, focus: bool = True) -> Page:
        """Open a page of the right bar, give it the keyboard, and return it."""
        self.show_work()
        self.bar.open(name, focus=focus)
        return self.bar.get(name)

    def set_voice(self, voice: Voice) -> None:
        """Set the voice of the step sentence."""
        self.strip.set_voice(voice)

    def show_command_palette(self) -> None:
        """Open the command palette."""
        from app.window.commands.palette_extras import palette_extras
        from app.window.dialogs.command_palette import CommandPalette

        self.commands.set_extras(palette_extras(self.context))
        CommandPalette(self.context, self.commands).open()

    def show_shortcuts(self) -> None:
        """Open the list of keyboard shortcuts."""
        from app.window.dialogs.shortcuts import Shortcuts

        Shortcuts(self.context, self.commands).open()

    # private

    def _follow(self, shown: ViewState) -> None:
        """Leave the start page once the sheet is not empty; dismiss an outdated offer."""
        if self.on_start_page and not self.context.document.empty:
            self.show_work()
        if shown.change.graph:
            self.context.messages.dismiss_offer()
        edited = shown.change != NO_CHANGE
        self.commands.refresh(of_pass=not edited)

    def _follow_stage(self) -> None:
        """Say in place of the formula what is on the stage, behind which nothing may be changed."""
        self.expression.show_instead(self.parts.stage_title)
        self.commands.refresh()

    def _keep_voice(self, voice: Voice) -> None:
        self.context.settings.voice = voice
        self.commands.refresh()

    def _close_now(self) -> None:
        self._may_close = True
        self.close()

    # Qt's own

    def setVisible(self, visible: bool) -> None:
        """Apply the style sheet as late as possible: a widget made under it costs twice."""
        apply(application(), self.context.style)
        super().setVisible(visible)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        canvas = self.context.canvas
        if event.key() == Qt.Key.Key_Escape and self.on_start_page:
            escape(self.context)
        elif event.key() == Qt.Key.Key_Escape:  # not handled by a text field: focus the canvas
            canvas.setFocus()
        elif event.key() == Qt.Key.Key_Home and not (self.on_start_page or self.parts.staged):
            canvas.framing.fit_all()  # during a pass the key goes to its start
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.presentation.resize()
        self.parts.rearrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        context = self.context
        look_after_file(context)
        if not self._may_close and context.files.unsaved:
            unless_unsaved(context, self._close_now)
            return
        self.presentation.end()
        context.lessons.leave()  # what was typed is kept
        context.playback.pause()
        context.canvas.auto_layout.cancel()
        context.settings.keep_place(self)
        context.files.recovery.drop()
        event.accept()


def _stacked(above: QWidget, below: QWidget) -> QWidget:
    whole = QWidget()
    in_column(above, (below, 1), parent=whole, edges=0, gap=0)
    return whole
