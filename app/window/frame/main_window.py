"""MainWindow: makes the parts, puts them in place and connects them; it decides nothing itself."""

from __future__ import annotations

import gc
from pathlib import Path

from PySide6.QtCore import QMimeData, QSettings, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from app.canvas.view import CanvasView
from app.controls.notice import Notice
from app.controls.progress_card import Busy
from app.controls.toast import Toast
from app.document.change import Change
from app.document.document import Document
from app.panels.expression_bar import ExpressionBar
from app.panels.palette import Palette
from app.panels.status_line import StatusLine
from app.panels.transport import Transport
from app.style.current import Style
from app.style.stylesheet import apply
from app.window.actions import Actions
from app.window.commands import ACTIONS
from app.window.commands.editing import Editing
from app.window.commands.exporting import Exporting
from app.window.commands.filing import Filing
from app.window.commands.running import Running
from app.window.commands.sectioning import Sectioning
from app.window.faults import Faults
from app.window.frame.context_menus import ContextMenus
from app.window.frame.docks import Docks
from app.window.frame.focus_keys import FocusKeys
from app.window.frame.menus import MenuBar, TopLine
from app.window.frame.pages import Pages
from app.window.frame.parts import Viewing
from app.window.frame.reveal_new_nodes import Fitting
from app.window.frame.toolbar import Toolbar
from app.window.settings import Settings, open_settings, theme_of
from app.workbench.narration import Voice
from app.workbench.playback import Playback
from app.workbench.selection import Selection

SMALLEST = (880, 560)


class MainWindow(QMainWindow):
    """The window: one document, one canvas, and the panels around it."""

    def __init__(self, store: QSettings | None = None) -> None:
        self.settings = Settings(store or open_settings())
        self.look = Style(theme_of(self.settings.theme))
        self.settings.read_look(self.look)
        _prepare(self.look)  # before any widget: a font that comes later does not reach them all
        super().__init__()
        self.document = Document(self)
        self.selection = Selection(self.document, self)
        self.playback = Playback(self.document, self)
        self.canvas = CanvasView(self.look, self.document, self.playback, self.selection)
        self._may_close = False
        self._make_parts()
        self._connect()
        apply(_application(), self.look)
        self.setMinimumSize(*SMALLEST)
        self.setAcceptDrops(True)
        self.settings.place(self)
        self.viewing.show_parts()
        self.commands.refresh()

    def _make_parts(self) -> None:
        self.faults = Faults(self)
        self.filing = Filing(self)
        self.viewing = Viewing(self)
        self.running = Running(self)
        self.exporting = Exporting(self)
        self.editing = Editing(self)
        self.fitting = Fitting(self)
        self.sectioning = Sectioning(self)
        self.commands = Actions(self, ACTIONS)
        self.context_menus = ContextMenus(self)
        self.menu_bar = MenuBar(self)
        self.top_line = TopLine(self, self.menu_bar)
        self.setMenuWidget(self.top_line)
        self.expression = ExpressionBar(self.look, self.document, self.playback)
        self.toolbar = Toolbar(self, self.expression)
        self.palette_panel = Palette(self.look)
        self.transport = Transport(self.look, self.document, self.playback)
        self.docks = Docks(self, self.palette_panel, self.transport)
        self.pages = Pages(self, self.docks)
        self.setCentralWidget(_stacked(self.toolbar, self.pages))
        self.status_line = StatusLine(self.look, self.document, self.playback)
        self.setStatusBar(self.status_line)
        self._toast = Toast(self.look, self.canvas)
        self.notice = Notice(self.look, self.canvas)
        self.busy = Busy(self.look, self.pages)
        self.focus_keys = FocusKeys(_application(), self)

    def _connect(self) -> None:
        self.document.changed.connect(self._follow)
        for signal in (
            self.document.file_changed,
            self.selection.changed,
            self.playback.frame_changed,
            self.playback.settings_changed,
        ):
            signal.connect(self.commands.refresh)
        self.document.stack.undoTextChanged.connect(self._name_undo)
        self.document.stack.redoTextChanged.connect(self._name_redo)
        self.document.refused.connect(self.refuse)
        self.playback.said.connect(self.toast)
        self.canvas.said.connect(self.toast)
        self._connect_panels()

    def _connect_panels(self) -> None:
        self.canvas.hint.connect(self.status_line.set_hint)
        self.canvas.zoom_changed.connect(self.status_line.set_zoom)
        self.canvas.arranging.connect(self._show_arranging)
        self.canvas.laying.connect(self._show_laying)
        self.palette_panel.chosen.connect(self.canvas.editing.adding.add_in_middle)
        self.expression.leaf_chosen.connect(self.show_chosen)
        self.expression.finished.connect(self.canvas.setFocus)
        for bar in (
            self.toolbar,
            self.transport,
        ):  # a click there takes the keyboard out of a field
            bar.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            bar.setFocusProxy(self.canvas)
        self.transport.set_voice(self.settings.voice)
        self.transport.voice_changed.connect(self._keep_voice)

    # what the window shows

    def begin(self, path: Path | None = None) -> None:
        """Show the window with a file, or with the start page."""
        self.show()
        if path is None or not self.filing.open_now(path):
            self.show_start_page()

    def show_work(self) -> None:
        """The canvas with its panels, whatever is on it."""
        self.pages.show_work()
        self.canvas.setFocus()

    def show_start_page(self) -> None:
        """The page that offers examples, recent files and a formula."""
        self.pages.show_start_page()

    @property
    def on_start_page(self) -> bool:
        """Whether the start page stands in place of the canvas."""
        return self.pages.at_start

    def show_part(self, part: str, shown: bool) -> None:
        """Show or hide one part of the window."""
        found: dict[str, QWidget] = {
            "menus": self.top_line,
            "toolbar": self.toolbar,
            "palette": self.palette_panel,
            "side": self.docks.side,
            "transport": self.transport,
            "status": self.status_line,
        }
        found[part].setVisible(shown)
        self.docks.apply_sizes()

    def parts(self) -> tuple[QWidget, ...]:
        """The parts that the keyboard walks through."""
        if self.on_start_page:
            return (self.pages.welcome,)
        return (self.canvas, self.transport, self.docks.side, self.palette_panel, self.expression)

    def toast(self, sentence: str) -> None:
        """Say something for as long as it takes to read."""
        self._toast.say(sentence)

    def refuse(self, sentence: str) -> None:
        """Say why something can't be."""
        self._toast.say(sentence, refusal=True)

    def hush(self) -> None:
        """What was said holds no longer."""
        self._toast.dismiss()

    def show_node(self, node: int) -> None:
        """Bring a node into view."""
        self.canvas.framing.show_node(node)

    def show_chosen(self, node: int) -> None:
        """Select a node and bring it into view."""
        self.canvas.framing.show_node(node)
        self.selection.focus_on(node)

    def quick_add(self) -> None:
        """Ask on the canvas what to add."""
        self.show_work()
        self.canvas.quick_add()

    def escape(self) -> None:
        """Let go of one thing: the gesture, the selection, the full screen, the pass."""
        if self.cancel_gesture():
            return
        if self.on_start_page and not self.document.empty:
            self.show_work()
        elif self.notice.isVisible():
            self.notice.dismiss()
        elif self.selection.anything:
            self.selection.clear()
        elif self.isFullScreen() or self.viewing.presenting:
            self.viewing.leave_full_screen()
        elif self.playback.phase != "live":
            self.playback.leave()

    def cancel_gesture(self) -> bool:
        """End what goes on on the canvas, a gesture or a layout; whether there was something."""
        return self.canvas.mouse.cancel_or_close() or self.busy.cancel()

    def copy_text(self, text: str) -> None:
        """Put a text on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    # after the first picture

    def after_start(self) -> None:
        """What can wait until the window is seen."""
        self.filing.offer_remains()
        gc.collect()
        gc.freeze()
        gc.enable()

    # inside

    def _show_arranging(self, arranging: bool) -> None:
        if arranging:
            self.busy.wait_for("Arranging the nodes", self.canvas.auto_layout.cancel)
        else:
            self.busy.rest()

    def _show_laying(self, share: float) -> None:
        if share < 1:
            count = len(self.document.graph.nodes)
            self.busy.show_share(f"Laying out {count:,} nodes", share)
        else:
            self.busy.rest()

    def _follow(self, change: Change) -> None:
        """A sheet that is no longer empty shows itself; an offer fits only what it was made for."""
        if self.on_start_page and not self.document.empty:
            self.show_work()
        if change.graph:
            self.notice.dismiss()
        self.commands.refresh()

    def _keep_voice(self, voice: Voice) -> None:
        self.settings.voice = voice
        self.commands.refresh()

    def _name_undo(self, text: str) -> None:
        self.commands["undo"].setText(f"&Undo {_plain(text)}".rstrip())

    def _name_redo(self, text: str) -> None:
        self.commands["redo"].setText(f"&Redo {_plain(text)}".rstrip())

    # Qt's own

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if _dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.filing.open(path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.on_start_page:
            self.escape()
        elif event.key() == Qt.Key.Key_Escape:  # a text field has let it go: back to the canvas
            self.canvas.setFocus()
        elif event.key() == Qt.Key.Key_Home and not self.on_start_page:
            self.canvas.framing.fit_all()  # in a pass the key is that of its start
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.viewing.show_parts()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.filing.look_after_file()
        if not self._may_close and self.filing.unsaved:
            self.filing.unless_unsaved(self._close_now)
            return
        self.playback.pause()
        self.canvas.auto_layout.cancel()
        self.settings.keep_place(self)
        self.filing.recovery.drop()
        event.accept()

    def _close_now(self) -> None:
        self._may_close = True
        self.close()


def _plain(text: str) -> str:
    """A text for a menu, in which & marks no access key."""
    return text.replace("&", "&&")


def _stacked(above: QWidget, below: QWidget) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(above)
    column.addWidget(below, 1)
    return whole


def _prepare(look: Style) -> None:
    """What widgets need while they are made; the style sheet costs less when it comes last."""
    application = _application()
    application.setStyle("Fusion")
    application.setFont(look.font("interface"))


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def _dropped_file(dropped: QMimeData) -> Path | None:
    """The one local file that is dropped, or None."""
    urls = dropped.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() in (".backwire", ".py", ".txt") else None
