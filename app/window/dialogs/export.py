"""The export dialog: what to write, how, and where."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.controls.layouts import in_column, in_row, plain_label
from app.style import sizes
from app.style.theme import THEMES
from app.window.dialogs.ask import Role, ask, tell
from app.window.dialogs.export_forms import (
    CLASSIC,
    DOTS,
    PICTURES,
    Export,
    forms,
    paths,
    step_count,
    without_suffix,
)
from app.window.dialogs.file_dialogs import FileDialog
from engine.errors import EngineError
from engine.formats.files import check_target, is_protected, shown_name
from engine.numbers import counted
from engine.rules import CORRECT

if TYPE_CHECKING:
    from app.window.context import Context

WriteExport = Callable[[Export, QWidget], bool]


class ExportDialog(QDialog):
    """Asks for everything that an Export holds; stays open until it is written."""

    def __init__(
        self, context: Context, write: WriteExport, form: str, all_steps: bool = False
    ) -> None:
        """`write` writes an Export and returns whether it succeeded, after showing an error."""
        super().__init__(context.shell.widget)
        self._context = context
        self._write = write
        self._forms = forms()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export")
        self.form = self._choices({key: title for key, (title, _s) in self._forms.items()}, form)
        self.theme = self._choices({name: name.capitalize() for name in THEMES}, "light")
        self.dots = self._choices({str(n): f"{n} dots per inch" for n in DOTS}, "192")
        self.transparent = QCheckBox("Transparent background")
        self.all_steps = QCheckBox("All steps, as numbered files of one size")
        self.all_steps.setChecked(all_steps)
        self.path = QLineEdit(str(self._first_path(form)))
        self.path.setMinimumWidth(context.style.px(360))
        self._note = plain_label(kind="caption")
        self._lay_out()
        self.form.currentIndexChanged.connect(self._follow_form)
        for box in (self.all_steps, self.transparent):
            box.toggled.connect(self._follow_form)
        self._follow_form()

    def export(self) -> Export:
        """Return the current choices."""
        return Export(
            self._form,
            Path(self.path.text()),
            self.theme.currentData(),
            int(self.dots.currentData()),
            self.transparent.isChecked(),
            self.all_steps.isChecked() and self.all_steps.isEnabled(),
        )

    @property
    def _form(self) -> str:
        return self.form.currentData()

    def _lay_out(self) -> None:
        px = self._context.style.px
        browse = QPushButton("Browse…")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        style = self._context.style
        where = in_row((self.path, 1), browse, style=style, gap=sizes.SPACES[1])
        self._rows = QFormLayout()
        self._rows.setHorizontalSpacing(px(sizes.SPACES[3]))
        self._rows.setVerticalSpacing(px(sizes.SPACES[2]))
        self._rows.addRow(self._word("Write"), self.form)
        self._rows.addRow(self._word("Look"), self.theme)
        self._rows.addRow(self._word("Sharpness"), self.dots)
        self._rows.addRow("", self.transparent)
        self._rows.addRow("", self.all_steps)
        self._rows.addRow(self._word("To"), where)
        self._rows.addRow("", self._note)
        buttons = QDialogButtonBox()
        save = buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        edge = sizes.SPACES[4]
        in_column(self._rows, buttons, parent=self, style=style, edges=edge, gap=edge)
        save.setDefault(True)

    def _word(self, text: str) -> QLabel:
        """Return the label of a row, vertically centred on its field."""
        word = QLabel(text)
        word.setMinimumHeight(self._context.style.px(sizes.CONTROL))
        return word

    def _choices(self, found: dict[str, str], chosen: str) -> QComboBox:
        box = QComboBox()
        for key, text in found.items():
            box.addItem(text, key)
        box.setCurrentIndex(max(box.findData(chosen), 0))
        return box

    def _first_path(self, form: str) -> Path:
        path = self._context.document.path
        name = path.stem if path else "graph"
        return self._context.files.folder / f"{name}{self._forms[form][1]}"

    def _follow_form(self) -> None:
        """Show only the options of the selected form, and set the file's suffix."""
        picture = self._form in PICTURES or self._form in CLASSIC
        suffix = self._forms[self._form][1]
        steps = step_count(self._context.playback.frame.trace)
        self._rows.setRowVisible(self.theme, self._form in PICTURES)
        self._rows.setRowVisible(self.transparent, picture and suffix != ".gv")
        self._rows.setRowVisible(self.all_steps, picture)
        self._rows.setRowVisible(self.dots, suffix == ".png")
        self.all_steps.setEnabled(steps > 1)
        path = Path(self.path.text())
        if path.name:
            self.path.setText(str(path.with_name(without_suffix(path.name) + suffix)))
        self._note.setText(self._said(picture, steps))
        self.adjustSize()

    def _said(self, picture: bool, steps: int) -> str:
        if picture and self.all_steps.isChecked() and steps > 1:
            return f"{steps} files, the first with nothing known yet."
        if picture and steps == 1:
            return "No pass is shown: press Backward first to export its steps."
        if picture:
            playback = self._context.playback
            return f"Step {playback.cursor} of {steps - 1} of the {playback.phase} pass."
        if self._form == "latex" and self._context.playback.rules is not CORRECT:
            return "The derivation is of the correct pass, without the mistake that is chosen."
        return "The graph and its numbers."

    def _browse(self) -> None:
        title, suffix = self._forms[self._form]
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
        try:
            targets = [
                check_target(path) for path in paths(export, self._context.playback.frame.trace)
            ]
        except EngineError as error:
            tell(self, "Nothing was written.", str(error))
            return
        if any(map(self._is_own_file, targets)):
            more = "Close this and save, or choose another name."
            tell(self, "Nothing was written.", f"This is the file of the graph itself. {more}")
            return
        there = [path for path in targets if path.exists()]
        if not there:
            self._done()
            return
        first = shown_name(there[0])
        one, many = "A file of this name is there", "Files of these names are there"
        ask(
            self,
            counted(len(there), "Replace {first}?", "Replace {count} files?", first=first),
            f"{counted(len(there), one, many)} already. {_protection(there)}".rstrip(),
            {
                ("Replace", Role.ACCEPT): lambda: self._done(asked=True),
                ("Cancel", Role.LEAVE): None,
            },
        )

    def _is_own_file(self, target: Path) -> bool:
        """Return whether the target is the document's file, which only Save may write."""
        own = self._context.document.path
        if own is None:
            return False
        try:
            return os.path.samefile(target, own)
        except OSError:  # one of the files does not exist
            return target == Path(os.path.realpath(own))

    def _done(self, asked: bool = False) -> None:
        """Write the files; `asked` says that the user agreed to replace write-protected files."""
        if self._write(replace(self.export(), replace_protected=asked), self):
            self.accept()


def _protection(there: list[Path]) -> str:
    """Return a remark on write-protected files for the question whether to replace files."""
    protected = [path for path in there if is_protected(path)]
    if not protected:
        return ""
    if len(there) == 1:
        return "It is write-protected."
    one, many = "{first} is write-protected.", "{count} of them are write-protected."
    return counted(len(protected), one, many, first=shown_name(protected[0]))
