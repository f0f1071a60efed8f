"""Filing: new, open, save and close, with the question about unsaved work where it is due."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QObject, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication

from app.document.files import SUFFIX, DocumentFile, OnDisk
from app.document.recent import Recent
from app.document.recovery import Recovery, Remains
from app.window.dialogs.ask import Role, ask, tell
from app.window.dialogs.remains import offer_remains
from engine.errors import EngineError
from engine.evaluate import from_expression
from engine.files import check_target, is_protected, shown_name
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox

    from app.window.frame.main_window import MainWindow
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
        self.recovery = Recovery(window.document, parent=self, base=lambda: self._file.base)
        self._asked: QMessageBox | None = None
        self._document.file_changed.connect(self._entitle)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.applicationStateChanged.connect(self._come_back)
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
            remark = self._file.open(path)
        except EngineError as error:
            tell(self._window, f"{shown_name(path)} was not opened.", str(error))
            return False
        if self._document.path is not None:
            self.recent.add(path)
        self._show_opened()
        if remark:
            self._window.toast(remark)
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
        self._file.rescue(drawing, None, title=drawing.graph.title(drawing.graph.root or 0))
        self._show_opened()

    def start_empty(self) -> None:
        """An empty canvas to build on."""
        self.unless_unsaved(self._start_empty)

    # saving

    def save(self, then: Then | None = None) -> None:
        """Write the document to its file; without one, ask where, and in doubt ask whether."""
        path = self._document.path
        if path is None:
            self.ask_save(then)
        elif (doubt := self._doubt(path)) is not None:
            self._ask_overwrite(path, doubt, then)
        else:
            self.save_now(path, then)

    def ask_save(self, then: Then | None = None, name: Path | None = None) -> None:
        """Ask where to save, and save there; `name` is what the dialog begins with."""
        from app.window.dialogs.file_dialogs import FileDialog

        first = name or self._document.path or Path(f"graph{SUFFIX}")
        folder = str(name.parent) if name and os.path.isdir(name.parent) else self.folder()
        dialog = FileDialog(self._window, "Save the graph", folder, saves=True)
        dialog.setNameFilters([f"Backwire graph (*{SUFFIX})"])
        dialog.setDefaultSuffix(SUFFIX[1:])
        dialog.selectFile(first.name)
        dialog.fileSelected.connect(lambda chosen: self._save_chosen(Path(chosen), then))
        dialog.open()

    def save_now(self, path: Path, then: Then | None = None, asked: bool = False) -> bool:
        """Write the document to a file; a failure is told and leaves the old file whole.

        `asked` says that the user wants to replace what is there, even a write-protected file.
        """
        try:
            self._file.save(path, replace_protected=asked)
        except EngineError as error:
            self._tell_unsaved(path, error)
            return False
        self._after_saving(path, then)
        return True

    def look_after_file(self) -> None:
        """Count the work as unsaved once its file has been deleted behind the window's back."""
        if not self._document.modified and self._file.gone:
            assert self._document.path is not None
            self._document.stack.resetClean()
            self.recovery.keep()
            name = shown_name(self._document.path)
            self._window.toast(f"{name} is no longer on the disk. Save to write it again.")

    # unsaved work

    @property
    def unsaved(self) -> bool:
        """Whether closing would lose something; an empty sheet without a file is nothing."""
        kept = self._document.path is not None or not self._document.empty
        return self._document.modified and kept

    def unless_unsaved(self, then: Then) -> None:
        """Go on at once, or ask first whether unsaved work may go."""
        self.look_after_file()
        if not self.unsaved:
            then()
            return
        if self._asked is not None:
            self._asked.raise_()
            return
        path, gone = self._document.path, self._file.gone
        first = f"{self._name} is no longer on the disk. Save it again?"
        self._asked = ask(
            self._window,
            first if gone else f"Save the changes to {self._name}?",
            "The graph is lost if you don't." if gone else "They are lost if you don't.",
            {
                ("Save", Role.ACCEPT): lambda: (
                    self.save_now(path, then) if gone and path else self.save(then)
                ),
                ("Discard", Role.LOSE): then,
                ("Cancel", Role.LEAVE): None,
            },
        )
        self._asked.finished.connect(self._answered)

    def offer_remains(self) -> None:
        """Ask about work that a crashed window left behind."""
        offer_remains(self._window, self.recovery, self._restore)

    # inside

    @property
    def _name(self) -> str:
        return self._document.title or "this graph"

    def _come_back(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.look_after_file()

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
        self._window.canvas.framing.show_opened()

    def _restore(self, remains: Remains, drawing: Drawing) -> None:
        self._file.rescue(drawing, remains.origin, remains.base)
        self._window.show_work()
        if self.recovery.keep():  # else the old copy is the only one there is
            remains.discard()

    def _doubt(self, path: Path) -> tuple[str, str] | None:
        """Why the document's file may not be meant to be written over: what is so, and more."""
        name, state = shown_name(path), self._file.on_disk
        if state is OnDisk.GONE:
            return f"{name} is no longer on the disk.", "It was deleted or moved. Save it again?"
        protected = is_protected(path)
        if state is OnDisk.CHANGED:
            more = " It is write-protected, too." if protected else ""
            sentence = f"{name} has changed on the disk since it was opened."
            return sentence, f"Another program wrote it.{more} Save over it?"
        if protected:
            return (
                f"{name} is write-protected.",
                "Somebody wants it to stay as it is. Save over it?",
            )
        return None

    def _ask_overwrite(self, path: Path, doubt: tuple[str, str], then: Then | None) -> None:
        gone = self._file.on_disk is OnDisk.GONE
        save_as = (("Save as…", Role.ACCEPT), lambda: self.ask_save(then))
        over = (
            ("Save again" if gone else "Overwrite", Role.ACCEPT if gone else Role.LOSE),
            lambda: self.save_now(path, then, asked=True),
        )
        first = [over, save_as] if gone else [save_as, over]
        ask(self._window, *doubt, {**dict(first), ("Cancel", Role.LEAVE): None})

    def _save_chosen(self, path: Path, then: Then | None) -> None:
        if path.suffix.lower() != SUFFIX:  # as net.1, which could not be opened again
            path = path.with_name(path.name + SUFFIX)
        try:
            check_target(path)
        except EngineError as error:
            self._tell_unsaved(path, error, lambda: self.ask_save(then, path))
            return
        if path == self._document.path:
            self.save(then)
        elif not path.exists():
            self._save_there(path, then)
        else:
            protected = "It is write-protected." if is_protected(path) else ""
            ask(
                self._window,
                f"Replace {shown_name(path)}?",
                f"A file of this name is there already. {protected}".rstrip(),
                {
                    ("Replace", Role.ACCEPT): lambda: self._save_there(path, then),
                    ("Cancel", Role.LEAVE): lambda: self.ask_save(then, path),
                },
            )

    def _save_there(self, path: Path, then: Then | None) -> None:
        """Save in a place that was just chosen; where that fails, ask for another."""
        try:
            self._file.save(path, replace_protected=True)
        except EngineError as error:
            self._tell_unsaved(path, error, lambda: self.ask_save(then, path))
            return
        self._after_saving(path, then)

    def _after_saving(self, path: Path, then: Then | None) -> None:
        self.recent.add(path)
        self._window.toast(f"Saved as {path.name}.")
        if then is not None:
            then()

    def _tell_unsaved(self, path: Path, error: EngineError, after: Then | None = None) -> None:
        box = tell(self._window, f"{shown_name(path)} was not saved.", str(error))
        if after is not None:
            box.finished.connect(lambda _button: after())

    def _choose_open(self) -> None:
        from app.window.dialogs.file_dialogs import FileDialog, open_filters

        dialog = FileDialog(self._window, "Open a graph", self.folder())
        dialog.setNameFilters(open_filters())
        dialog.fileSelected.connect(lambda name: self.open_now(Path(name)))
        dialog.open()

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
