"""Filing: new, open, save and close, with the question about unsaved work where it is due."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QObject, QStandardPaths, Qt

from app.document.files import SUFFIX, DocumentFile
from app.document.recent import Recent
from app.document.recovery import Recovery, Remains
from app.window.ask import Role, ask, tell
from engine.errors import EngineError
from engine.evaluate import from_expression
from engine.formats import FORMATS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog, QMessageBox

    from app.window.main_window import MainWindow
    from engine.formats.native import Drawing

Then = Callable[[], object]


class Filing(QObject):
    """What the File menu does with the one document of the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._file = DocumentFile(window.document)
        self.recent = Recent(window.settings.store, self)
        self.recovery = Recovery(window.document, parent=self)
        self._asked: QMessageBox | None = None
        self._document.file_changed.connect(self._entitle)
        self._entitle()

    # beginning and opening

    def new(self) -> None:
        """An empty document, and the page that offers what to do with it."""
        self.unless_unsaved(self._new)

    def ask_open(self) -> None:
        """Ask for a file and open it."""
        self.unless_unsaved(self._choose_open)

    def open(self, path: Path) -> None:
        """Open a file, after the question about unsaved work."""
        self.unless_unsaved(lambda: self.open_now(path))

    def open_now(self, path: Path) -> bool:
        """Open a file in place of what there is; a bad one changes nothing."""
        try:
            self._file.open(path)
        except EngineError as error:
            tell(self._window, f"{path.name} was not opened.", str(error))
            return False
        if self._document.path is not None:
            self.recent.add(path)
        self._show_opened()
        return True

    def open_named(self, path: str) -> None:
        """Open a file by the text of its path."""
        self.open(Path(path))

    def open_example(self, name: str) -> None:
        """Open one of the shipped graphs as a document without a file."""
        self.unless_unsaved(lambda: self._open_example(name))

    def open_expression(self, text: str) -> None:
        """Put the graph of a formula in place of what there is; it can be undone."""
        try:
            graph = from_expression(text)
        except EngineError as error:
            self._window.refuse(str(error))
            return
        self._document.replace_graph(graph)
        self._window.show_work()

    def begin_handed_over(self, drawing: Drawing) -> None:
        """Show the window with a graph that another program made and no file holds."""
        self._window.show()
        self._file.rescue(drawing, None, drawing.graph.title(drawing.graph.root or 0))
        self._show_opened()

    def start_empty(self) -> None:
        """An empty canvas to build on."""
        self.unless_unsaved(self._start_empty)

    # saving

    def save(self, then: Then | None = None) -> None:
        """Write the document to its file; without one, ask where."""
        path = self._document.path
        if path is None:
            self.ask_save(then)
        elif self._file.changed_on_disk:
            self._ask_overwrite(path, then)
        else:
            self.save_now(path, then)

    def ask_save(self, then: Then | None = None) -> None:
        """Ask where to save, and save there."""
        dialog = self._dialog("Save the graph", saves=True)
        dialog.setNameFilters([f"Backwire graph (*{SUFFIX})"])
        dialog.setDefaultSuffix(SUFFIX[1:])
        dialog.selectFile(self._document.path.name if self._document.path else f"graph{SUFFIX}")
        dialog.fileSelected.connect(lambda name: self._save_chosen(Path(name), then))
        dialog.open()

    def save_now(self, path: Path, then: Then | None = None) -> bool:
        """Write the document to a file; a failure is told and leaves the old file whole."""
        try:
            self._file.save(path)
        except EngineError as error:
            tell(self._window, f"{path.name} was not saved.", str(error))
            return False
        self.recent.add(path)
        self._window.toast(f"Saved as {path.name}.")
        if then is not None:
            then()
        return True

    # unsaved work

    @property
    def unsaved(self) -> bool:
        """Whether closing would lose something; an empty sheet without a file is nothing."""
        kept = self._document.path is not None or not self._document.empty
        return self._document.modified and kept

    def unless_unsaved(self, then: Then) -> None:
        """Go on at once, or ask first whether unsaved work may go."""
        if not self.unsaved:
            then()
            return
        if self._asked is not None:
            self._asked.raise_()
            return
        self._asked = ask(
            self._window,
            f"Save the changes to {self._name}?",
            "They are lost if you don't.",
            {
                ("Save", Role.ACCEPT): lambda: self.save(then),
                ("Discard", Role.LOSE): then,
                ("Cancel", Role.LEAVE): None,
            },
        )
        self._asked.finished.connect(self._answered)

    def offer_remains(self) -> None:
        """Ask about work that a crashed window left behind, the newest only."""
        found = self.recovery.left_behind()
        if not found:
            return
        remains = found[0]
        ask(
            self._window,
            f"Backwire ended unexpectedly with unsaved work: {remains.name}.",
            f"It was kept on {remains.when:%d.%m.%Y at %H:%M}. Restore it?",
            {
                ("Restore", Role.ACCEPT): lambda: self._restore(remains),
                ("Throw away", Role.LOSE): remains.discard,
                ("Later", Role.LEAVE): None,
            },
        )

    # inside

    @property
    def _name(self) -> str:
        return self._document.title or "this graph"

    def _answered(self) -> None:
        self._asked = None

    def _new(self) -> None:
        self._file.new()
        self._window.show_start_page()

    def _start_empty(self) -> None:
        self._file.new()
        self._window.show_work()

    def _open_example(self, name: str) -> None:
        from app.document.examples import examples

        found = next((example for example in examples() if example.name == name), None)
        if found is not None:
            self._file.open_copy(found.path)
            self._show_opened()

    def _show_opened(self) -> None:
        self._window.show_work()
        self._window.canvas.fit_when_sized()

    def _restore(self, remains: Remains) -> None:
        try:
            self._file.rescue(remains.drawing(), remains.origin)
        except EngineError as error:
            tell(self._window, "The unsaved work can't be restored.", str(error))
            return
        self._window.show_work()
        self.recovery.keep()
        remains.discard()

    def _ask_overwrite(self, path: Path, then: Then | None) -> None:
        ask(
            self._window,
            f"{path.name} has changed on the disk since it was opened.",
            "Another program wrote it. Save over it?",
            {
                ("Save as…", Role.ACCEPT): lambda: self.ask_save(then),
                ("Overwrite", Role.LOSE): lambda: self.save_now(path, then),
                ("Cancel", Role.LEAVE): None,
            },
        )

    def _save_chosen(self, path: Path, then: Then | None) -> None:
        if path.suffix.lower() != SUFFIX:  # as net.1, which could not be opened again
            path = path.with_name(path.name + SUFFIX)
        if path == self._document.path:
            self.save(then)
            return
        if not path.exists():
            self.save_now(path, then)
            return
        ask(
            self._window,
            f"Replace {path.name}?",
            "A file of this name is there already.",
            {
                ("Replace", Role.ACCEPT): lambda: self.save_now(path, then),
                ("Cancel", Role.LEAVE): None,
            },
        )

    def _choose_open(self) -> None:
        dialog = self._dialog("Open a graph")
        dialog.setNameFilters(_open_filters())
        dialog.fileSelected.connect(lambda name: self.open_now(Path(name)))
        dialog.open()

    def _dialog(self, title: str, saves: bool = False) -> QFileDialog:
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._window, title, self.folder())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mode = QFileDialog.AcceptMode
        dialog.setAcceptMode(mode.AcceptSave if saves else mode.AcceptOpen)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)  # we say ourselves what is not there
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # and ask, without blocking
        return dialog

    def folder(self) -> str:
        """Where files were opened or saved last."""
        paths = [self._document.path, *self.recent.paths[:1]]
        last = next((path for path in paths if path is not None), None)
        if last is not None:
            return str(last.parent)
        place = QStandardPaths.StandardLocation.DocumentsLocation
        return QStandardPaths.writableLocation(place) or QDir.homePath()

    def _entitle(self) -> None:
        name = self._document.title or f"untitled{SUFFIX}"
        title = name.replace("[*]", "[*][*]")  # what Qt shows as [*]
        self._window.setWindowTitle(f"{title}[*] – Backwire")
        self._window.setWindowModified(self._document.modified)


def _open_filters() -> list[str]:
    """All readable formats at once, then each alone."""
    readable = [found for found in FORMATS if found.read]
    everything = " ".join(f"*{suffix}" for found in readable for suffix in found.suffixes)
    each = [f"{f.title} ({' '.join(f'*{s}' for s in f.suffixes)})" for f in readable]
    return [f"Graphs ({everything})", *each]
