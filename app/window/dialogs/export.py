"""The export dialog: what to write, how, and where, with a preview of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPushButton, QWidget

from app.canvas.paint.figure import advice, described
from app.controls.layouts import in_column, in_row, plain_label
from app.document.sheet import Rect
from app.style import sizes
from app.window.dialogs import export_content as content
from app.window.dialogs.export_fields import RECTANGLE, SELECTION, ExportFields
from app.window.dialogs.export_forms import (
    CLASSIC,
    Export,
    file_name,
    forms,
    paths,
    step_count,
    without_suffix,
)
from app.window.dialogs.export_preview import ExportPreview
from app.window.dialogs.export_target import check, first_folder
from app.window.dialogs.file_dialogs import FileDialog
from app.window.dialogs.fit_screen import fit_screen
from engine.errors import EngineError
from engine.rules import CORRECT

if TYPE_CHECKING:
    from app.canvas.paint.figure import Figure
    from app.window.context import Context

WriteExport = Callable[[Export, QWidget], bool]
SOON = 60
"""Delay in ms after which the preview follows a choice."""


class ExportDialog(QDialog):
    """Asks for everything that an Export holds; stays open until it is written."""

    def __init__(
        self, context: Context, write: WriteExport, form: str, all_steps: bool = False
    ) -> None:
        """`write` writes an Export and returns whether it succeeded, after showing an error."""
        super().__init__(context.shell.widget)
        self._context = context
        self._write = write
        self._rect: Rect | None = None
        self._whole: Figure | None = None
        """The whole graph as drawn, in which a rectangle is drawn."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export")
        paper = context.settings.export_paper
        self.fields = ExportFields(context.style, form, paper, all_steps, self)
        folder, self._remark = first_folder(context)
        self._named = folder / self._usual_name()
        self.path = QLineEdit(str(self._named))
        self.path.setMinimumWidth(context.style.px(300))
        self.note = plain_label(kind="caption", wraps=True)
        self.preview = ExportPreview(context.style)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._soon.timeout.connect(self.refresh)
        self._lay_out()
        self.fields.form_changed.connect(self._follow_form)
        self.fields.crop.currentIndexChanged.connect(self._begin_rectangle)
        self.fields.changed.connect(self._soon.start)
        self.preview.picture.drawn.connect(self._take_rectangle)
        self._follow_form()
        fit_screen(self)

    def export(self) -> Export:
        """Return the current choices."""
        crops = {SELECTION: self._context.selection.nodes, RECTANGLE: self._rect}
        return self.fields.chosen(Path(self.path.text()), crops)

    def _lay_out(self) -> None:
        browse = QPushButton("Browse…")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        style, edge = self._context.style, sizes.SPACES[4]
        where = in_row((self.path, 1), browse, style=style, gap=sizes.SPACES[1])
        self.fields.add_row("To", where)
        buttons = QDialogButtonBox()
        save = buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        parts = (self.fields.rows, self.note, 1, buttons)
        side = in_column(*parts, style=style, gap=sizes.SPACES[3])
        in_row((self.preview, 1), side, parent=self, style=style, edges=edge, gap=edge)
        save.setDefault(True)

    def _usual_name(self) -> str:
        frame, every = self._context.playback.frame, self.fields.all_steps.isChecked()
        return file_name(self._context.document, frame, self.fields.chosen_form, every)

    def _follow_form(self) -> None:
        """Show only the options of the selected form, and set the file's name or suffix."""
        steps = step_count(self._context.playback.frame.trace)
        self.fields.follow(steps, bool(self._context.selection.nodes))
        path = Path(self.path.text())
        if path == self._named:
            self._named = path.with_name(self._usual_name())
            self.path.setText(str(self._named))
        elif path.name:  # a name that was typed keeps all but its suffix
            self.path.setText(str(path.with_name(without_suffix(path.name) + self.fields.suffix)))
        self._soon.start()
        self.note.setText(self._said())

    def refresh(self) -> None:
        """Show the picture or the text as it would be written, and say what is to be known."""
        try:
            said = f"{self._show(self.export())} {self._said()}"
        except EngineError as error:
            self.preview.clear()
            said = str(error)
        self.note.setText(f"{said} {self._remark}".strip())

    def _show(self, export: Export) -> str:
        """Show the preview; returns what is to be said of it."""
        context, picture = self._context, self.preview.picture
        if self.fields.suffix == ".tex" and context.playback.now.asks:
            self.preview.clear()
            return "There is no preview while numbers are asked for: it would show them."
        if not self.fields.is_picture:
            self.preview.show_text(content.text_of(context, export.form))
            return ""
        if content.too_many_to_preview(context, export):
            self.preview.clear()
            return "This graph is too large for a preview."
        if export.form in CLASSIC:
            self.preview.show_picture(content.classic_preview(context, export))
            return ""
        figure = content.figure_now(context, export)
        shown, rect = figure, None
        if isinstance(export.crop, tuple):
            shown = self._whole = content.whole_figure(context, export)
            rect = shown.to_shares(QRectF(*export.crop))
        image = content.preview_of(shown, export, context, picture.room().toSizeF())
        self.preview.show_picture(image, rect)
        shot, frame = content.shot_of(context, export), context.playback.frame
        more = advice(figure, context.document.sheet, frame, shot)
        return f"{described(figure, shot)} {more}".strip()

    def _begin_rectangle(self) -> None:
        """Begin with a rectangle around everything."""
        if self.fields.crop.currentData() == RECTANGLE and self._rect is None:
            self._rect = _as_rect(content.whole_figure(self._context, self.export()).area)

    def _take_rectangle(self, shares: QRectF) -> None:
        if self._whole is not None:
            self._rect = _as_rect(self._whole.to_sheet(shares))
            self._soon.start()

    def _said(self) -> str:
        """Return what is to be known of the step that is exported."""
        playback, picture = self._context.playback, self.fields.is_picture
        steps = step_count(playback.frame.trace)
        if picture and self.fields.all_steps.isChecked() and steps > 1:
            many = "pages" if self.fields.suffix == ".pdf" else "files"
            return f"{steps} {many}, the first with nothing known yet."
        if picture and steps == 1:
            return "No pass is shown: press Backward first to export its steps."
        if picture:
            return f"Step {playback.cursor} of {steps - 1} of the {playback.phase} pass."
        if self.fields.suffix == ".tex" and playback.rules is not CORRECT:
            return "The derivation is of the correct pass, without the mistake that is chosen."
        return "The graph and its numbers."

    def _browse(self) -> None:
        title, suffix = forms()[self.fields.chosen_form]
        dialog = FileDialog(self, self._context.style, "Export to", self.path.text(), saves=True)
        dialog.setNameFilters([f"{title} (*{suffix})"])
        dialog.setDefaultSuffix(suffix[1:])
        dialog.selectFile(Path(self.path.text()).name)
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()

    def _accept(self) -> None:
        """Export if possible and without loss, else tell or ask; the choices are kept."""
        export = self.export()
        if not export.path.name:
            self.path.setFocus()
            return
        files = paths(export, self._context.playback.frame.trace)
        check(self, self._context, files, self._move, self._done)

    def _move(self, folder: Path) -> None:
        """Write to another folder instead."""
        self.path.setText(str(folder / Path(self.path.text()).name))
        self._accept()

    def _done(self, asked: bool) -> None:
        """Write the files; `asked` says that the user agreed to replace write-protected files."""
        export = replace(self.export(), replace_protected=asked)
        if self._write(export, self):
            settings = self._context.settings
            settings.export_folder = export.path.absolute().parent
            settings.export_form = export.form
            if self.fields.is_ours:
                settings.export_paper = export.paper
            self.accept()


def _as_rect(rect: QRectF) -> Rect:
    return (rect.x(), rect.y(), rect.width(), rect.height())
