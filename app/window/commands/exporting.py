"""Exporting: what the window shows now, as pictures or in another format."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.document.sections import clusters
from app.window.dialogs.ask import tell
from app.window.dialogs.export_forms import CLASSIC, PICTURES, Export
from engine.errors import EngineError
from engine.files import shown_name, write_whole
from engine.formats import FORMATS, dot
from engine.formats.dot_classic import draw
from engine.frame import Frame, frame_at

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.window.frame.main_window import MainWindow

PATIENCE = 10.0
"""Seconds for which the window waits for Graphviz; the command line waits longer."""


class Exporting(QObject):
    """Writes what the window shows; every failure is told and leaves old files whole."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def ask(self, form: str = "png", all_steps: bool = False) -> None:
        """Open the dialog that asks what to write, and where."""
        from app.window.dialogs.export import ExportDialog

        dialog = ExportDialog(self._window, form, all_steps)
        dialog.open()

    def paths(self, export: Export) -> list[Path]:
        """The files that an export would write."""
        return [path for path, _frame in self._frames(export)]

    def write(self, export: Export, parent: QWidget | None = None) -> bool:
        """Write one file, or one for each step; a failure is told above `parent`."""
        try:
            paths = self._write(export)
        except EngineError as error:
            shown = shown_name(export.path)
            tell(parent or self._window, f"{shown} was not written.", str(error))
            return False
        many = f"{len(paths)} files" if len(paths) > 1 else paths[0].name
        self._window.toast(f"Exported {many}.")
        return True

    def copy_picture(self) -> None:
        """Put the picture of this step on the clipboard, twice as sharp as the screen."""
        from app.canvas.paint.picture_export import Shot, image

        look, playback = self._window.look, self._window.playback
        shot = Shot(look.theme.name, 192, False, playback.covered, look.digits)
        try:
            picture = image(self._window.document.sheet, playback.frame, shot)
        except EngineError as error:
            tell(self._window, "The picture can't be copied.", str(error))
            return
        QGuiApplication.clipboard().setImage(picture)
        self._window.toast("A picture of this step is on the clipboard.")

    @property
    def steps(self) -> int:
        """How many pictures all steps of the pass would be."""
        trace = self._window.playback.trace
        return len(trace) + 1 if trace is not None else 1

    # inside

    def _write(self, export: Export) -> list[Path]:
        if export.form not in (*PICTURES, *CLASSIC):
            write_whole(export.path, self._text(export.form).encode("utf-8"))
            return [export.path]
        paths: list[Path] = []
        for path, frame in self._frames(export):
            if export.form in CLASSIC:
                form = CLASSIC[export.form][1].removeprefix(".")
                write_whole(path, draw(frame, form, export.dpi, export.transparent, PATIENCE))
            else:
                self._write_picture(path, frame, export)
            paths.append(path)
        return paths

    def _frames(self, export: Export) -> Iterable[tuple[Path, Frame]]:
        playback = self._window.playback
        if not export.all_steps or playback.trace is None:
            yield export.path, playback.frame
            return
        figures = len(str(len(playback.trace)))
        for k in range(len(playback.trace) + 1):
            name = f"{export.path.stem}-{k:0{figures}}{export.path.suffix}"
            yield export.path.with_name(name), frame_at(playback.trace, k)

    def _write_picture(self, path: Path, frame: Frame, export: Export) -> None:
        from app.canvas.paint.picture_export import Shot, save_picture

        covered = self._window.playback.covered and not export.all_steps
        digits = self._window.look.digits
        shot = Shot(export.theme, export.dpi, export.transparent, covered, digits)
        save_picture(path, self._window.document.sheet, frame, shot)

    def _text(self, form: str) -> str:
        """The graph in a format; those that can show a step show this one."""
        frame = self._window.playback.frame
        if form == "native":
            from engine.formats.native import write_drawing

            return write_drawing(self._window.document.sheet.drawing())
        if form == "dot":
            return dot.write(frame.graph, frame, clusters(self._window.document.sheet))
        found = next(f for f in FORMATS if f.name == form)
        assert found.write is not None
        return found.write(frame.graph)
