"""MainWindow creates and lays out the parts of the window; `app/window/assembly.py` connects them.

It is below the small listeners that it makes: AppStyle restyles, CanvasProgress shows slow work,
FileState sets the title, FileDrop opens dropped files, RevealNewNodes scrolls to new
nodes.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWidget

from app.canvas.canvas_view import CanvasView
from app.canvas.editing.new_node import bring_into_view
from app.canvas.input.drop import ENTRY_TYPE
from app.controls.focus import application, set_tab_order_after
from app.controls.layouts import in_column
from app.controls.spans import plain_text
from app.document.document import Document
from app.document.document_file import SUFFIX
from app.guard import exception_safe
from app.lessons.course import SUFFIX as LESSON
from app.lessons.lesson import Lesson
from app.panels.expression_bar import ExpressionBar
from app.panels.palette import PaletteDock
from app.panels.status_line import StatusLine
from app.panels.strip import StripPanel
from app.style.current import Style
from app.style.stylesheet import apply
from app.window.actions import Actions
from app.window.assembly import connect, make_context
from app.window.commands import ACTIONS
from app.window.commands.edit_actions import escape
from app.window.commands.file_actions import open_drawing, open_expression, open_file, open_now
from app.window.commands.lecture_actions import confirm_hands
from app.window.commands.lesson_actions import LibraryPreload, preload_next_lesson
from app.window.commands.save_actions import (
    confirm_discard,
    mark_unsaved_if_file_gone,
    offer_recovered,
)
from app.window.context import Context
from app.window.dialogs.ask import tell
from app.window.frame.central_pages import Pages
from app.window.frame.focus_keys import FocusKeys, focus_next
from app.window.frame.lecture_screen import LectureScreen
from app.window.frame.menus import ContextMenus, MenuBar
from app.window.frame.presentation import Presentation
from app.window.frame.speaker import Speaker
from app.window.frame.top_line import Toolbar, TopLine
from app.window.frame.workspace import Workspace
from app.window.settings import DAMAGED, FOLLOW_SYSTEM, Settings, open_settings, theme_of
from app.window.unexpected_ends import Faults
from app.window.window_files import graph_file
from app.workbench.adding import own_entries
from app.workbench.playback.view_state import ViewState
from app.workbench.words.sentences import Voice
from engine.errors import EngineError
from engine.formats.expression import read_typed
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.controls.panel import Page


class AppStyle(QObject):
    """Applies the Style to the application, and the system's colour scheme if that is chosen."""

    applied = Signal()
    """Emitted after the application's style changed, before widgets handle `Style.changed`."""

    def __init__(self, style: Style, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._style = style
        self._settings = settings
        style.changed.connect(self._on_style_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_color_scheme_changed)

    def _on_style_changed(self) -> None:
        apply(application(), self._style)
        self._settings.write_look(self._style)
        self.applied.emit()

    def _on_color_scheme_changed(self) -> None:
        if self._settings.theme == FOLLOW_SYSTEM:
            self._style.set_theme(theme_of(FOLLOW_SYSTEM))


def prepare_application(style: Style) -> None:
    """Set the font, which widgets measure when made; the style sheet is cheaper when set last."""
    # no desktop icons beside Cut and Paste in the menus of text fields; our actions ask for theirs
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus)
    application().setFont(style.font("interface"))


class CanvasProgress(QObject):
    """Shows a progress card while nodes are arranged or wires are routed."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._messages = context.messages
        context.canvas.arranging.connect(self._show_arranging)
        context.canvas.routing.connect(self._show_routing)

    def _show_arranging(self, arranging: bool) -> None:
        if arranging:
            cancel = self._context.canvas.auto_layout.cancel
            self._messages.progress.wait_for("Arranging the nodes", cancel)
        else:
            self._messages.end_progress()

    def _show_routing(self, share: float) -> None:
        if share < 1:
            count = len(self._context.document.graph.nodes)
            self._messages.progress.show_share(f"Laying out {count:,} nodes", share)
        else:
            self._messages.end_progress()


class FileState(QObject):
    """Shows the document's name, and whether it has unsaved changes."""

    def __init__(self, context: Context, application: QApplication) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._mode = ""
        """The title of the mode, such as "Ask me"; "" without one."""
        context.playback.shown.connect(self._on_view_state)
        context.recorders.changed.connect(self._show_title)
        application.applicationStateChanged.connect(self._on_application_state)
        self._show_title()

    def _on_view_state(self, shown: ViewState) -> None:
        mode = self._context.playback.now.mode.title
        if shown.change.file or mode != self._mode:
            self._mode = mode
            self._show_title()

    def _show_title(self) -> None:
        window, document = self._context.shell.widget, self._context.document
        # Qt replaces [*] by its mark of unsaved changes, so one in a title is doubled
        name = (document.title or f"untitled{SUFFIX}").replace("[*]", "[*][*]")
        recorder = self._context.recorders.now
        is_recording = recorder is not None and recorder.recording is not None
        title = _RECORDING if is_recording else self._mode
        mode = f", {title}" if title else ""
        window.setWindowTitle(f"{name}[*]{mode} – Backwire")
        window.setWindowModified(document.edited)

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            mark_unsaved_if_file_gone(self._context)


_RECORDING = "recording a lesson"
"""The mode in the title while a lesson is recorded."""
DROP_REFUSAL = (
    "Only one file can be dropped here, a graph or a lesson: .backwire, .py, .ipynb, .txt or .toml."
)


@exception_safe
class FileDrop(QObject):
    """Opens a file or text that another program drops on the window; an event filter."""

    def __init__(self, context: Context) -> None:
        window = context.shell.widget
        super().__init__(window)
        self._context = context
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open a dropped file or text, or say why it can't be opened."""
        if not isinstance(event, QDragEnterEvent | QDragMoveEvent | QDropEvent):
            return False
        dropped = event.mimeData()
        # an entry of our palette is dropped on the canvas
        if dropped.hasFormat(ENTRY_TYPE) or not (dropped.hasUrls() or dropped.hasText()):
            return False
        event.setDropAction(Qt.DropAction.CopyAction)  # after a move the source deletes its file
        event.accept()
        if event.type() == QEvent.Type.Drop:
            path = graph_file(dropped, LESSON)
            if path is not None:
                open_file(self._context, path)
            elif self._context.shell.on_full_page and _is_formula(dropped.text()):
                open_expression(self._context, dropped.text())
            else:
                event.ignore()
                self._refuse()
        return True

    def _refuse(self) -> None:
        if self._context.shell.on_full_page:  # which hides messages over the canvas
            tell(self._context.shell.widget, DROP_REFUSAL)
        else:
            self._context.messages.refuse(DROP_REFUSAL)


def _is_formula(text: str) -> bool:
    try:
        return bool(read_typed(text).graph.nodes)
    except EngineError:
        return False


MIN_SIZE = (640, 320)
"""Minimum width and height of the window, in px."""
_SETTINGS_DAMAGED = "The file of your settings can't be read; it is kept as {name}."
_PRELOAD_DELAY = 400
"""Delay in ms before the first lesson is preloaded, so that the window is painted first."""


_LOOKS_FOR_RELEASE_MS = 50
"""Time after which a button of the mouse that is held is looked at again."""
_STEP_DONE = "This step is done. PageDown goes on, or Back to the lesson, then Next."


@exception_safe
class MainWindow(QMainWindow):
    """The window: one document, one canvas, and the panels around it."""

    def __init__(self, store: QSettings | None = None) -> None:
        settings = Settings(store or open_settings())
        style = Style(theme_of(settings.theme))
        settings.read_look(style)
        # before any widget, since a font set later does not reach all of them
        prepare_application(style)
        super().__init__()
        self._offers_copies = True
        """Whether what a crash left behind is offered."""
        self._may_close = False
        """Whether the user has agreed to lose unsaved changes."""
        self._told_at: int | None = None
        """The cursor of which a toast says something."""
        self._stack = QStackedWidget()
        self.context = context = make_context(self, settings, style, self._stack)
        self.document, self.selection = context.document, context.selection
        self.playback, self.canvas = context.playback, context.canvas
        self._make_parts()
        self.lecture_screen = LectureScreen(context, self.presentation, self.strip)
        self.speaker = Speaker(context, self.presentation, self.lecture_screen, self.strip)
        set_tab_order_after(self.strip.note, (self.canvas,))
        connect(context)
        self.setMinimumSize(*MIN_SIZE)
        settings.restore_geometry(self)
        self.parts.restore_page()
        self.parts.rearrange()

    def _make_parts(self) -> None:
        context = self.context
        self.faults = Faults(context)
        self.app_style = AppStyle(context.style, context.settings, self)
        self._reveal_new_nodes = RevealNewNodes(context.document, context.canvas)
        self._canvas_progress = CanvasProgress(context)
        self.commands = Actions(context, ACTIONS)
        self.menu_bar = MenuBar(context, self.commands)
        self.context_menus = ContextMenus(context, self.commands, self.menu_bar)
        self.top_line = TopLine(context, self.menu_bar)
        self.setMenuWidget(self.top_line)
        self.expression = ExpressionBar(context.style, context.document, context.playback)
        self.toolbar = Toolbar(context.style, self.commands, self.expression, self.menu_bar)
        self.strip = StripPanel(
            context.style, context.document, context.playback, context.modes, context.descents
        )
        self.palette_dock = PaletteDock(context.style, self.canvas)
        self.status_line = StatusLine(context.style, context.document, context.playback)
        self.setStatusBar(self.status_line)
        self.presentation = Presentation(context)
        outer_parts: dict[str, QWidget] = {
            "menus": self.top_line,
            "toolbar": self.toolbar,
            "status": self.status_line,
        }
        self.pages = Pages(context, self._stack)
        self.parts = Workspace(context, self.palette_dock, self.strip, outer_parts)
        self.bar = self.parts.bar
        self.parts.stage_changed.connect(self._on_stage_changed)
        self.pages.set_work(self.parts)
        self.setCentralWidget(_column(self.toolbar, self._stack))
        context.canvas.framing.palette = self.parts
        self._focus_keys = FocusKeys(application(), self)
        self._file_state = FileState(context, application())
        self._file_drop = FileDrop(context)
        context.recorders.made.connect(self._make_number_clicks)

    def begin(self, path: Path | None = None) -> None:
        """Show the window with a file, or with the start page."""
        if path is None:
            self.show_start_page()
        self.show()
        if path is not None and not open_now(self.context, path):
            self.show_start_page()

    def begin_handed_over(self, drawing: Drawing, said: str | None = None) -> None:
        """Show the window with a graph handed over by another program, which nothing replaces.

        With a text, the pass that it ran is shown at its end, and the text is said.
        """
        self._offers_copies = False
        self.show()
        open_drawing(self.context, drawing)
        if said is not None and self.playback.backward():
            self.playback.to_end()
            if said:
                self.context.messages.toast(said)

    def after_start(self) -> None:
        """Fill the menus, offer recovered files and preload lessons: all after the first paint."""
        self.menu_bar.fill()
        if kept := self.context.settings.store.property(DAMAGED):
            self.context.messages.refuse(_SETTINGS_DAMAGED.format(name=kept))
        if self._offers_copies:
            offer_recovered(self.context)
        QTimer.singleShot(_PRELOAD_DELAY, self, self._preload_lesson)
        LibraryPreload(self.context.guides, self)
        self.pages.begin_planes()

    def keep_copies(self) -> bool:
        """Write the copies of unsaved work; return whether they are complete."""
        return self.context.files.recovery.keep()

    def _preload_lesson(self) -> None:
        """Read the lesson that the start page offers, and create the page for it."""
        if self.on_full_page and self.isVisible():
            preload_next_lesson(self.context)
            self.bar.get("lesson")

    def on_selection_changed(self) -> None:
        """Pass the selection to Ask me: of many leaves only the selected ones are asked about."""
        self.context.modes.selected_nodes = self.context.selection.nodes

    def on_lesson_turned(self, direction: int) -> None:
        """Go to the next step of a lesson, with −1 to the one before; with 0 put its graph back."""
        guides = self.context.guides
        {-1: guides.go_back, 0: guides.put_back, 1: guides.go_on}[direction]()

    def on_lesson_step_entered(self) -> None:
        """Show a new step of a lesson, focus its question, and announce it to screen readers."""
        from app.guide.words.lesson_texts import spoken_step

        state = self.context.guides.learner
        if state is None or not self.context.guides.active:
            return
        self.context.messages.dismiss_toast()
        if state.is_test and state.step is None:
            self.show_test_result()
            return
        if self.bar.name:  # a folded page stays folded
            self.bar.open("lesson")
        self.context.canvas.scene.apply_layout()  # a later one would not be fitted
        self.context.canvas.framing.fit_again()
        self.context.guides.focus()
        if self.bar.page is not None:
            sentence = plain_text(self.strip.strip.sentence)
            self.bar.page.announce(f"{spoken_step(state)}. {sentence}")

    def on_step_done(self) -> None:
        """Focus Next, or say how the lesson goes on where a stage is in front of it."""
        if self.parts.stage_widgets:
            self.context.messages.toast(_STEP_DONE)
        else:  # once the field of a value has closed
            QTimer.singleShot(0, self, self._focus_next_after_step)

    def _focus_next_after_step(self) -> None:
        """Let the next Enter go on, once a value that is being dragged is let go."""
        if not self.context.guides.active:
            return
        if QApplication.mouseButtons():
            QTimer.singleShot(_LOOKS_FOR_RELEASE_MS, self, self._focus_next_after_step)
            return
        self.context.canvas.setFocus()  # a field would keep the keyboard, as if one typed on
        self.focus_next_button()

    def focus_next_button(self) -> None:
        """Focus Next, Play or a slider of the step, or the canvas; at the end the next lesson."""
        state = self.context.guides.learner
        step = None if state is None else state.step
        is_slid = step is not None and state is not None and bool(step.sliders) and not state.ended
        if state is not None and (step is None or is_slid) and self.bar.name == "lesson":
            self.bar.open("lesson", focus=True)
        else:
            self.strip.focus_blank()

    def _make_number_clicks(self) -> None:
        """Let clicks on the sheet put numbers into the texts of a recorded step."""
        from app.window.frame.number_clicks import NumberClicks

        self._number_clicks = NumberClicks(self.context)

    def on_recorder_changed(self) -> None:
        """Show the flags of the steps in the timeline, and what is recorded in the status line."""
        from app.guide.words.written import recording_text

        recorder = self.context.recorders.now
        self.strip.set_flags({} if recorder is None else recorder.flags)
        if recorder is None or recorder.recording is None:
            self.on_lesson_changed()
            return
        self.status_line.set_lesson(recording_text(recorder.at, recorder.recording))
        self.commands.refresh()

    def on_lesson_changed(self) -> None:
        from app.guide.words.lesson_texts import status_text

        state = self.context.guides.learner
        state = state if self.context.guides.active else None
        self.status_line.set_lesson("" if state is None else status_text(state))
        self.strip.set_lesson(state)
        self.commands.refresh()

    # for actions

    @property
    def widget(self) -> QWidget:
        """Return the window itself, the parent of dialogs and menus."""
        return self

    @property
    def on_full_page(self) -> bool:
        """Return whether the start page, or the result of a test, is in place of the canvas."""
        return self.pages.on_full_page

    @property
    def presenting(self) -> bool:
        """Return whether only the graph and the step are shown, in full screen."""
        return self.presentation.on

    def show_work(self) -> None:
        """Show the canvas with its panels and focus it."""
        self.pages.show_work()
        self.context.canvas.setFocus()

    def show_start_page(self) -> None:
        self.pages.show_start_page()

    def show_test_result(self) -> None:
        """Show the result of the final test that has ended."""
        self.pages.show_result()
        self.status_line.set_at_result()

    def focus_formula(self) -> None:
        """Move the keyboard to the formula, all of it selected."""
        self.show_work()
        self.expression.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.expression.field.selectAll()

    def focus_next_part(self, steps: int) -> None:
        """Move the keyboard focus by `steps` parts of the window."""
        if self.on_full_page:
            focus_next(self.pages.parts, steps)
            return
        centre = self.parts.stage_widgets or (self.context.canvas, self.strip)
        centre = (*self.parts.program_bars, *centre)
        sides = (self.bar.frame, self.bar, self.palette_dock, self.expression)
        focus_next([*centre, *sides], steps)

    def toggle_full_screen(self) -> None:
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

    def present_lesson(self, lesson: Lesson, at: int = 0) -> None:
        """Give a lesson to a room from a step on; one that is on ends."""
        self.presentation.begin(self.context.guides.room_for(lesson, first=at))

    @property
    def speaker_open(self) -> bool:
        """Return whether the speaker's window is shown."""
        return self.speaker.is_open

    def toggle_speaker(self) -> None:
        """Open or close the speaker's window; without a lecture begin one."""
        self.speaker.toggle()

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
        self.strip.set_voice(voice)

    def show_command_palette(self) -> None:
        from app.window.commands.palette_extras import palette_extras
        from app.window.dialogs.action_list import CommandPalette

        self.commands.set_palette_actions(palette_extras(self.context))
        CommandPalette(self.context, self.commands).open()

    def show_shortcuts(self) -> None:
        """Open the list of keyboard shortcuts."""
        from app.window.dialogs.action_list import Shortcuts

        Shortcuts(self.context, self.commands).open()

    # private

    def on_view_state(self, shown: ViewState) -> None:
        """Leave the start page once the sheet is not empty; dismiss an outdated offer."""
        if self.on_full_page and not self.context.document.empty:
            self.show_work()
        if shown.change.graph:
            self.context.messages.dismiss_offer()
            self.palette_dock.show_own(own_entries(shown.sheet.graph.operations))
        if self._told_at not in (None, self.playback.cursor):  # what was said of a step is past
            self._told_at = None
            self.context.messages.dismiss_toast()
        self.commands.refresh()

    def end_stage_for_another_document(self, for_good: bool) -> None:
        """Show the sheet instead of Training once another document is opened."""
        while for_good and self.parts.end_stage():  # the run first
            pass

    def on_playback_said(self, sentence: str) -> None:
        """Show what was said of the pass, for as long as it stays at this step."""
        self.context.messages.toast(sentence)
        self._told_at = None
        QTimer.singleShot(0, self, self._note_told)  # what is said often comes before its step

    def _note_told(self) -> None:
        self._told_at = self.playback.cursor

    def _on_stage_changed(self) -> None:
        """Show the stage's title in place of the formula, which can't be edited meanwhile."""
        self.expression.show_instead(self.parts.stage_title)
        self.status_line.set_staged(bool(self.parts.stage_title))
        self.commands.refresh()

    def show_menu_button(self) -> None:
        """Show the button for all menus where the menu bar is folded."""
        self.toolbar.menus.setVisible(not self.parts.shown("menus"))

    def on_voice_changed(self, voice: Voice) -> None:
        self.context.settings.voice = voice
        self.commands.refresh()

    def _close_now(self) -> None:
        self._may_close = True
        self.close()

    # Qt event handlers

    def setVisible(self, visible: bool) -> None:
        """Apply the style sheet as late as possible: widgets made under it are styled twice.

        `show` and the changes to full screen call this.
        """
        apply(application(), self.context.style)
        super().setVisible(visible)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        canvas = self.context.canvas
        if event.key() == Qt.Key.Key_Escape and self.on_full_page:
            escape(self.context)
        elif event.key() == Qt.Key.Key_Escape:  # no text field has handled it
            canvas.setFocus()
        elif event.key() == Qt.Key.Key_Home and not (self.on_full_page or self.parts.staged):
            canvas.framing.fit_all()  # during a pass Home is the shortcut of to_start
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.presentation.resize()
        self.parts.rearrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # the window stays open unless the event is accepted below
        context = self.context
        if context.guides.room is not None:  # what may be lost is the user's own sheet
            self.presentation.end()
        mark_unsaved_if_file_gone(context)
        context.recorders.come_back()
        unsaved = context.files.unsaved or context.modes.has_unsaved_answers
        if not self._may_close and (unsaved or context.guides.has_unsaved_hands):
            close = partial(confirm_discard, context, self._close_now)
            confirm_hands(context, close)
            return
        self.presentation.end()
        self.parts.forget_program()
        context.guides.end()  # what was typed is kept
        context.playback.pause()
        context.canvas.auto_layout.cancel()
        context.settings.store_geometry(self)
        context.files.recovery.drop()
        event.accept()


def _column(above: QWidget, below: QWidget) -> QWidget:
    column = QWidget()
    in_column(above, (below, 1), parent=column, gap=0)
    return column


_MOST_READ = 150
"""Number of nodes up to which a new sheet is shown so that its numbers are seen."""


class RevealNewNodes(QObject):
    """Scrolls to nodes with rough positions, again after their layout, and to a new root."""

    def __init__(self, document: Document, canvas: CanvasView) -> None:
        super().__init__(canvas)
        self._document = document
        self._canvas = canvas
        self._unplaced: frozenset[int] = frozenset()
        """New nodes that wait for their layout."""
        document.layout_wanted.connect(self._on_layout_wanted)
        canvas.context.playback.shown.connect(self._on_view_state)

    def _on_layout_wanted(self, nodes: AbstractSet[int], _gesture: int) -> None:
        """Show new nodes, and show them again when the layout is finished."""
        self._unplaced = frozenset(nodes)
        self._show_later(self._unplaced)

    def _on_view_state(self, shown: ViewState) -> None:
        graph, change = self._document.graph, shown.change
        if change.root and graph.active_root in change.added and len(change.added) == 1:
            QTimer.singleShot(0, self, self._show_root)
        if not change.graph and self._unplaced and change.moved:
            self._show_later(self._unplaced)
        # a change of values alone keeps it waiting
        if change.added or change.removed or change.moved:
            self._unplaced = frozenset()

    def _show_root(self) -> None:
        """Bring a Root that was just added into view, as adding other nodes does."""
        root, scene = self._document.graph.active_root, self._canvas.scene
        if root is not None and root in scene.boxes:
            bring_into_view(self._canvas.context, scene.bounds((root,)))

    def _show_later(self, nodes: frozenset[int]) -> None:
        """Show nodes after every view has handled the change."""
        QTimer.singleShot(0, self, lambda: self._show(nodes))

    def _show(self, nodes: frozenset[int]) -> None:
        """Bring nodes into view; a sheet that is new is fitted, so that it can be read."""
        framing = self._canvas.framing
        if nodes >= self._document.graph.nodes.keys():
            (framing.fit_new if len(nodes) <= _MOST_READ else framing.fit_all)()
        else:
            framing.show_nodes(nodes)
