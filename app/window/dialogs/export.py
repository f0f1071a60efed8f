"""The export dialog: form, options, target file, and a preview in which a crop can be drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import (
    QMargins,
    QObject,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QWidget,
)

from app.canvas.paint.figure import advice, described
from app.controls.choices import choice_box
from app.controls.focus import OnPurpose
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.slices import Slices, with_error_as_result
from app.document.sheet import Rect
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.strokes import hairline
from app.style.theme import THEMES, faded
from app.takeaway.forms import FORMS, KINDS, Form
from app.takeaway.options import (
    SIZES,
    ClassicOptions,
    FigureOptions,
    NoOptions,
    Opt,
    StripOptions,
    fields_of,
    usual_theme,
)
from app.window.dialogs import export_content as content
from app.window.dialogs.ask import Role, ask, fit_screen, tell
from app.window.dialogs.export_forms import (
    Export,
    can_export,
    export_of,
    export_paths,
    file_name,
    step_count,
    without_suffix,
)
from app.window.dialogs.file_dialogs import FileDialog
from app.workbench.words.alt_text import place_text
from engine.errors import EngineError
from engine.formats.files import check_target, is_protected, shown_name
from engine.numbers import counted, is_short_whole
from engine.rules import CORRECT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.canvas.paint.figure import Figure
    from app.window.context import Context
    from engine.frame import Frame


Made = Mapping[Path, bytes]
"""The content of each file of an export."""
WriteExport = Callable[[Export, QWidget, Made | None], bool]
"""Writes an Export, or what was made of it; returns whether that succeeded, after showing an error
over the widget."""
_TOO_LARGE = "This graph is too large for a preview."
_MAKING = "Making it; Cancel stops that."
PREVIEW_DELAY = 60
"""Delay in ms between a change of the options and the preview: typing changes them often."""


@exception_safe
class ExportDialog(QDialog):
    """Edits an Export with a preview; stays open until it is written.

    What takes long is made in slices, which Cancel ends.
    """

    def __init__(
        self, context: Context, write: WriteExport, kind: str, all_steps: bool = False
    ) -> None:
        """`kind` (of file) and `all_steps` are chosen at first."""
        super().__init__(context.shell.widget)
        self._context = context
        self._write = write
        self._crop_rect: Rect | None = None
        """The rectangle that was drawn, on the sheet; None before the first."""
        self._uncropped_figure: Figure | None = None
        """The preview in which a rectangle can be drawn."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export")
        first = {"paper": context.settings.export_paper, "all_steps": all_steps}
        self.fields = ExportFields(context.style, kind, first, self)
        self.fields["strip"].setText(", ".join(map(str, _steps_shown(context.playback.frame))))
        folder, self._folder_remark = initial_folder(context)
        self._suggested_path = folder / self._suggested_name()
        self.path = QLineEdit(str(self._suggested_path))
        space = self.screen().availableSize()
        self.path.setMinimumWidth(min(context.style.px(300), space.width() // 5))
        self.note = plain_label(kind="caption", wraps=True)
        self.preview = ExportPreview(context.style, space)
        self._make_progress()
        self._preview_timer = QTimer(self, singleShot=True, interval=PREVIEW_DELAY)
        self._preview_timer.timeout.connect(self.refresh)
        self._lay_out()
        self.fields.form_changed.connect(self._on_form_changed)
        self.fields["crop"].currentIndexChanged.connect(self._start_with_whole_rectangle)
        self.fields.changed.connect(self._preview_timer.start)
        self.preview.picture.drawn.connect(self._on_rectangle_drawn)
        self._on_form_changed()
        fit_screen(self)

    def export(self) -> Export:
        crops = {SELECTION: self._context.selection.nodes, RECTANGLE: self._crop_rect}
        return self.fields.chosen(Path(self.path.text()), crops)

    def _make_progress(self) -> None:
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)  # Qt's way to show a bar without a known end
        self.bar.setTextVisible(False)
        self.bar.hide()
        self._slices = Slices(self)
        self._slices.finished.connect(self._on_made)
        self._replace_protected = False
        """Whether the user agreed to replace the files that are being made."""

    def _lay_out(self) -> None:
        browse = QPushButton("Browse…")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        style, edge = self._context.style, sizes.SPACES[4]
        where = in_row((self.path, 1), browse, style=style, gap=sizes.SPACES[1])
        self.fields.add_row("To", where)
        buttons = QDialogButtonBox()
        self.save = save = buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        parts = (self.fields.box, self.note, self.bar, 1, buttons)
        side = in_column(*parts, style=style, gap=sizes.SPACES[3])
        in_row((self.preview, 1), side, parent=self, style=style, edges=edge, gap=edge)
        save.setDefault(True)

    def _suggested_name(self) -> str:
        frame, every = self._context.playback.frame, self.fields["all_steps"].isChecked()
        return file_name(self._context.document, frame, self.fields.chosen_kind, every)

    def _on_form_changed(self) -> None:
        """Show only the options of the selected form, and set the file's name or suffix."""
        steps = step_count(self._context.playback.frame.trace)
        selected = bool(self._context.selection.nodes)
        self.fields.follow(steps, selected, partial(can_export, self._context))
        if isinstance((chosen := self.export()).options, StripOptions):
            with suppress(EngineError):  # the preview says why there is no pass
                trace = content.source_of(self._context, chosen).shown_pass
                names = [trace.graph.brief(event.node, 12) for event in trace.events]
                self.fields.step_buttons.show_steps(names)
                self.fields.step_buttons.check(chosen.options.strip)
        path = Path(self.path.text())
        if path == self._suggested_path:  # nothing was typed
            self._suggested_path = path.with_name(self._suggested_name())
            self.path.setText(str(self._suggested_path))
        elif path.name:  # a name that was typed keeps all but its suffix
            self._set_suffix(path)
        self._preview_timer.start()
        self.note.setText(self._step_note())

    def _set_suffix(self, path: Path) -> None:
        """Give the file's name the suffix of the form, in place of another form's."""
        self.path.setText(str(path.with_name(without_suffix(path.name) + self.fields.suffix)))

    def refresh(self) -> None:
        """Show the preview, with notes on the step, the figure and the folder.

        What a maker can't preview it can't write either: then nothing can be exported.
        """
        can_be_made = True
        try:
            note = f"{self._show_preview(self.export())} {self._step_note()}"
        except EngineError as error:
            self.preview.clear()
            note, can_be_made = str(error), self.fields.chosen_form.maker is None
        self.save.setEnabled(can_be_made)
        self.note.setText(f"{note} {self._folder_remark}".strip())

    def _show_preview(self, export: Export) -> str:
        """Show the preview; returns a note on it, or ""."""
        context, picture, options = self._context, self.preview.picture, export.options
        if isinstance(options, NoOptions):
            self.preview.show_text(content.text_of(context, export.kind))
            return ""
        if content.is_too_large_for_preview(context, export):
            self.preview.clear()
            return _TOO_LARGE
        room = picture.picture_space().toSizeF()
        if (maker := export.form.maker) is not None:
            source, given = content.source_of(context, export), content.options_of(context, export)
            shown = maker().preview(source, given, (room.width(), room.height()))
            if shown.picture is None:
                self.preview.show_text(shown.text, wraps=True)
            else:
                self.preview.show_picture(shown.picture)
            return shown.note
        if isinstance(options, ClassicOptions):
            self.preview.show_picture(content.classic_preview(context, options))
            return ""
        return self._show_figure(export, room)

    def _show_figure(self, export: Export, room: QSizeF) -> str:
        """Show the preview of a picture in Backwire's look; returns a note on it."""
        context = self._context
        figure = content.current_figure(context, export)
        shown, rect = figure, None  # to draw a rectangle, the whole graph is shown
        picture_options, frame = content.picture_options_of(context, export), context.playback.frame
        if isinstance(picture_options.crop, tuple):
            shown = self._uncropped_figure = content.whole_figure(context, export)
            rect = shown.to_shares(QRectF(*picture_options.crop))
        self.preview.show_picture(content.preview_image(shown, export, context, room), rect)
        more = advice(figure, context.document.sheet, frame, picture_options)
        return f"{described(figure, picture_options)} {more}".strip()

    def _start_with_whole_rectangle(self) -> None:
        """Begin with a rectangle around the whole graph, for the user to change."""
        if self.fields["crop"].currentData() == RECTANGLE and self._crop_rect is None:
            self._crop_rect = _as_rect(content.whole_figure(self._context, self.export()).area)

    def _on_rectangle_drawn(self, shares: QRectF) -> None:
        if self._uncropped_figure is not None:
            self._crop_rect = _as_rect(self._uncropped_figure.to_sheet(shares))
            self._preview_timer.start()

    def _step_note(self) -> str:
        form, playback = self.fields.chosen_form, self._context.playback
        if form.maker is not None:
            return ""
        picture = form.options is not NoOptions
        steps = step_count(playback.frame.trace)
        if picture and self.fields["all_steps"].isChecked() and steps > 1:
            many = "pages" if self.fields.suffix == ".pdf" else "files"
            return f"{steps} {many}, the first with nothing known yet."
        if picture and steps == 1:  # as `step_count` returns outside a pass
            return "No pass is shown: press Backward first to export its steps."
        if picture:
            return place_text(playback.frame)
        if self.fields.suffix == ".tex" and playback.rules is not CORRECT:
            return "The derivation is of the correct pass, without the mistake that is chosen."
        return "The graph and its numbers."

    def _browse(self) -> None:
        title = self.fields.chosen_form.title_of(self.fields.chosen_kind)
        dialog = FileDialog(self, self._context.style, "Export to", self.path.text(), saves=True)
        dialog.setNameFilters([f"{title} (*{self.fields.suffix})"])
        dialog.setDefaultSuffix(self.fields.suffix[1:])
        dialog.selectFile(Path(self.path.text()).name)
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()

    def _accept(self) -> None:
        """Export, after asking about files that this would replace; remember the choices."""
        export = self.export()
        if not export.path.name:
            self.path.setFocus()
            return
        if not export.path.name.lower().endswith(self.fields.suffix):
            self._set_suffix(export.path)
            export = self.export()
        files = export_paths(export, self._context.playback.frame.trace)
        check(self, self._context, files, self._export_to_folder, self._write_files)

    def _export_to_folder(self, folder: Path) -> None:
        self.path.setText(str(folder / Path(self.path.text()).name))
        self._accept()

    def _write_files(self, asked: bool) -> None:
        """Write the files; `asked` says that the user agreed to replace write-protected files."""
        export = self.export()
        if (maker := export.form.maker) is None:
            self._write_made(asked, None)
            return
        self._replace_protected = asked
        self._set_busy(True)
        source = content.source_of(self._context, export)
        given = content.options_of(self._context, export)
        work = maker().write(source, given, export.path.suffix.lower())
        self._slices.start(with_error_as_result(work), after=0)

    def _on_made(self, made: Sequence[bytes] | EngineError) -> None:
        """Write what was made, or show why there is nothing."""
        self._set_busy(False)
        if isinstance(made, EngineError):
            tell(self, "Nothing was written.", str(made))
        else:
            paths = export_paths(self.export(), None)
            self._write_made(self._replace_protected, dict(zip(paths, made, strict=True)))

    def _set_busy(self, busy: bool) -> None:
        """Show that files are being made; the fields wait until they are."""
        self.bar.setVisible(busy)
        for widget in (self.fields.box, self.save):
            widget.setEnabled(not busy)
        if busy:
            self.note.setText(_MAKING)
        else:
            self._preview_timer.start()

    def reject(self) -> None:
        """End what is being made, else close."""
        if self._slices.active:
            self._slices.cancel()
            self._set_busy(False)
        else:
            super().reject()

    def _write_made(self, asked: bool, made: Made | None) -> None:
        """Write an export, or what was made of it, and close."""
        export = replace(self.export(), replace_protected=asked)
        if self._write(export, self, made):
            settings = self._context.settings
            settings.export_folder = export.path.absolute().parent
            settings.export_form = export.kind
            if isinstance(export.options, FigureOptions):
                settings.export_paper = export.options.paper
            self.accept()


_STEPS_SHOWN = 3
"""Steps of a strip unless others are listed."""


def _steps_shown(frame: Frame) -> range:
    """Return the steps that end with the current one, or the first ones.

    Three are listed even for a shorter pass; the export then says how many steps it has.
    """
    last = max(frame.cursor, _STEPS_SHOWN)
    return range(last - _STEPS_SHOWN + 1, last + 1)


def _as_rect(rect: QRectF) -> Rect:
    return (rect.x(), rect.y(), rect.width(), rect.height())


# the fields

SELECTION, RECTANGLE = "selection", "rectangle"
"""Choices of a crop besides the whole graph."""
_FLAGS_ROLE = Qt.ItemDataRole.UserRole - 1
"""The role of an item's flags in Qt's combo boxes; 0 disables it."""


Input = QComboBox | QCheckBox | QSpinBox | QLineEdit


class ExportFields(QObject):
    """The fields of the dialog, in the form layout `rows`: one for each option of a form.

    Options of one name with the same choices are one field, which keeps what was chosen.
    """

    form_changed = Signal()
    """Emitted after another form or kind of file was chosen, or all steps instead of one."""
    changed = Signal()
    """Emitted after any other choice."""

    def __init__(
        self, style: Style, kind: str, first: Mapping[str, object], parent: QObject
    ) -> None:
        """`kind` is the initial kind of file; `first` has initial values by name."""
        super().__init__(parent)
        self._style = style
        self.form = choice_box({name: form.title for name, form in FORMS.items()}, KINDS[kind])
        self.kind = choice_box({}, "")
        self._add_groups()
        self._fields: dict[tuple[str, ...], Input] = {}
        self.step_buttons = StepButtons(style)
        self.step_buttons.toggled.connect(self._toggle_step)
        self.box = QWidget()
        self.rows = QFormLayout(self.box)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self._lay_out(first)
        self._theme: QComboBox = self._of_picture("theme")
        self._theme_chosen = False
        """Whether the user has chosen a theme, which then stays with every form."""
        self._show_kinds(kind)
        self._connect()

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (of the class that its type needs)
        """Return the field of an option: of the chosen form, else of the first that has it."""
        found = (_options_of(form) for form in (self.form.currentData(), *FORMS))
        return self._fields[_identity(next(options[name] for options in found if name in options))]

    def _of_picture(self, name: str) -> Any:  # noqa: ANN401
        """Return the field of an option of pictures, whose name another form's may have."""
        return self._fields[_identity(_options_of("picture")[name])]

    @property
    def chosen_kind(self) -> str:
        return self.kind.currentData()

    @property
    def chosen_form(self) -> Form:
        return FORMS[self.form.currentData()]

    @property
    def suffix(self) -> str:
        return self.chosen_form.kinds[self.chosen_kind]

    def choose(self, kind: str) -> None:
        """Choose a kind of file, and its form."""
        self.form.setCurrentIndex(self.form.findData(KINDS[kind]))
        self.kind.setCurrentIndex(self.kind.findData(kind))

    def chosen(self, path: Path, crops: Mapping[str, frozenset[int] | Rect | None]) -> Export:
        """Return the current choices; `crops` has the area of each crop but the whole graph."""
        options = _options_of(self.form.currentData())
        found = {name: _value_of(self[name], option) for name, option in options.items()}
        if "crop" in found:
            found["crop"] = crops.get(str(found["crop"]))
        return export_of(self.chosen_kind, path, **found)

    def add_row(self, text: str, field: object) -> None:
        """Add a row with a label, if any, vertically centred on its field."""
        if not text:
            self.rows.addRow("", field)  # type: ignore[call-overload]
            return
        label = QLabel(text)
        label.setMinimumHeight(self._style.px(sizes.CONTROL))
        self.rows.addRow(label, field)  # type: ignore[arg-type]

    def follow(self, steps: int, selected: bool, can_export: Callable[..., bool]) -> None:
        """Show the options of the chosen form; `steps` is the number of pictures of a pass.

        `can_export` is that of `export_forms` in the context.
        """
        options, suffix = _options_of(self.form.currentData()), self.suffix
        of_file = (o for o in options.values() if suffix in (o.suffixes or (suffix,)))
        shown = set(map(_identity, of_file))
        for key, field in self._fields.items():
            self.rows.setRowVisible(field, key in shown)
        self.rows.setRowVisible(self.step_buttons, "strip" in options)
        self.rows.setRowVisible(self.kind, self.kind.count() > 1)
        self._follow_width()
        pages = "the pages of one file" if suffix == ".pdf" else "numbered files of one size"
        self["all_steps"].setText(f"All steps, as {pages}")
        self["all_steps"].setEnabled(steps > 1 and can_export(FORMS["picture"], all_steps=True))
        crop = self["crop"]
        crop.setItemData(crop.findData(SELECTION), None if selected else 0, _FLAGS_ROLE)
        for name, form in FORMS.items():
            at = self.form.findData(name)
            self.form.setItemData(at, None if can_export(form) else 0, _FLAGS_ROLE)

    def _follow_width(self) -> None:
        """Enable rows for a whole graph, and a size of type with a width."""
        self["rows"].setEnabled(self["crop"].currentIndex() == 0)
        size = SIZES[self._of_picture("paper").currentData()]
        self["min_type"].setEnabled(size.width is not None)

    def _add_groups(self) -> None:
        """Add the name of each group above its forms."""
        for group, first in {form.group: name for name, form in reversed(FORMS.items())}.items():
            at = self.form.findData(first)
            self.form.insertItem(at, group)
            self.form.setItemData(at, self._style.font("caption strong"), Qt.ItemDataRole.FontRole)
            self.form.setItemData(at, 0, _FLAGS_ROLE)

    def _lay_out(self, first: Mapping[str, object]) -> None:
        self.rows.setHorizontalSpacing(self._style.px(sizes.SPACES[3]))
        self.rows.setVerticalSpacing(self._style.px(sizes.SPACES[2]))
        self.add_row("Write", self.form)
        self.add_row("As", self.kind)
        found = {_identity(o): o for name in FORMS for o in _options_of(name).values()}
        for key, option in sorted(found.items(), key=lambda pair: pair[1].is_flag):
            self._fields[key] = _input(option, first.get(option.name))
            self.add_row("" if option.is_flag else option.label, self._fields[key])
            if option.name == "strip":
                self.add_row("", self.step_buttons)

    def _connect(self) -> None:
        self.form.currentIndexChanged.connect(self._on_form_changed)
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        for field in self._fields.values():
            _signal_of(field).connect(self.changed)
        self["all_steps"].toggled.connect(self.form_changed)
        self._theme.activated.connect(self._on_theme_chosen)
        for name in ("crop", "paper"):
            self._of_picture(name).currentIndexChanged.connect(self._follow_width)
        self["strip"].textChanged.connect(self._check_steps)

    def _show_kinds(self, chosen: str = "") -> None:
        """List the kinds of file of the form, without saying so."""
        with QSignalBlocker(self.kind):
            self.kind.clear()
            for kind in self.chosen_form.kinds:
                self.kind.addItem(self.chosen_form.text_of(kind), kind)
            self.kind.setCurrentIndex(max(self.kind.findData(chosen), 0))
        if not self._theme_chosen:
            self._theme.setCurrentIndex(self._theme.findData(usual_theme(self.suffix)))

    def _on_form_changed(self) -> None:
        self._show_kinds()
        self.form_changed.emit()

    def _on_kind_changed(self) -> None:
        self._show_kinds(self.chosen_kind)
        self.form_changed.emit()

    def _check_steps(self, text: str) -> None:
        self.step_buttons.check(_steps_of(text))

    def _toggle_step(self, step: int) -> None:
        """Add a step to the list in its place, or take it off."""
        steps = sorted({*_steps_of(self["strip"].text())} ^ {step})
        self["strip"].setText(", ".join(map(str, steps)))

    def _on_theme_chosen(self) -> None:
        """Stop following the form's default theme."""
        self._theme_chosen = True


@cache
def _options_of(form: str) -> dict[str, Opt]:
    themes = {name: name.capitalize() for name in THEMES}
    found = (each for each in fields_of(FORMS[form].options).values() if each.label)
    return {
        each.name: replace(each, texts=themes) if each.choices and not each.texts else each
        for each in found
    }


def _identity(option: Opt) -> tuple[str, ...]:
    """Return what is the same for two options that share a field."""
    return option.name, *map(str, option.texts)


def _input(option: Opt, first: object = None) -> Input:
    """Return a field for an option; `first` is its value at first, if not the usual one."""
    value, texts = first or option.first or option.default, option.texts
    if option.is_flag:
        box = QCheckBox(option.label)
        box.setChecked(bool(value))
        return box
    if texts:
        return choice_box({_key(each): text for each, text in texts.items()}, _key(value))
    if option.type is int:
        number = QSpinBox()
        OnPurpose(number)
        number.setRange(int(option.least), int(option.most))
        number.setAlignment(Qt.AlignmentFlag.AlignLeft)
        return number
    text = QLineEdit()
    text.setPlaceholderText("2 to 6 steps, such as 4, 5, 6")
    return text


def _key(value: object) -> str:
    """Return the item data of a choice."""
    return "" if value is None else f"{value}"


def _value_of(field: Input, option: Opt) -> object:
    """Return what is chosen in a field; one that is disabled says nothing."""
    if (box := field.parentWidget()) is not None and not field.isEnabledTo(box):
        return option.default
    if isinstance(field, QComboBox):
        return next(each for each in option.texts if _key(each) == field.currentData())
    if isinstance(field, QCheckBox):
        return field.isChecked()
    return field.value() if isinstance(field, QSpinBox) else _steps_of(field.text())


def _signal_of(field: Input) -> SignalInstance:
    """Return the signal of a field's change."""
    if isinstance(field, QComboBox):
        return field.currentIndexChanged
    if isinstance(field, QCheckBox):
        return field.toggled
    return field.valueChanged if isinstance(field, QSpinBox) else field.textChanged


def _steps_of(text: str) -> tuple[int, ...]:
    """Return the steps of a list such as "4, 5, 6"; () for another text."""
    parts = text.replace(",", " ").split()
    if not all(map(is_short_whole, parts)):
        return ()
    return tuple(map(int, parts))


MOST_STEP_BUTTONS = 20
"""Steps up to which each has a button; the steps of longer passes are typed."""
_BUTTONS_IN_A_ROW = 10
_STEP_BUTTON_WIDTH = 28
"""Width in px at 100 %."""


class StepButtons(QWidget):
    """A button for each step of a pass, to choose those of a filmstrip."""

    toggled = Signal(int)
    """Emitted with the step whose button was pressed."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.buttons: list[QPushButton] = []
        """The button of each step of a pass, if it is short."""
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(_BUTTONS_IN_A_ROW, 1)
        self._grid.setSpacing(style.px(sizes.SPACES[0]))

    def show_steps(self, names: Sequence[str]) -> None:
        """Show, once, a button for each step, whose names are those of the receivers."""
        if self.buttons or len(names) > MOST_STEP_BUTTONS:
            return
        for k, name in enumerate(names, 1):
            button = QPushButton(f"{k}")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setProperty("edges", "narrow")
            button.setFixedWidth(self._style.px(_STEP_BUTTON_WIDTH))
            button.setToolTip(name)
            button.setAccessibleName(f"Step {k}: {name}")
            button.clicked.connect(partial(self.toggled.emit, k))
            self._grid.addWidget(button, *divmod(k - 1, _BUTTONS_IN_A_ROW))
            self.buttons.append(button)

    def check(self, steps: Sequence[int]) -> None:
        """Show which steps are chosen."""
        for k, button in enumerate(self.buttons, 1):
            button.setChecked(k in steps)


# the questions before files are replaced

Confirmed = Callable[[bool], object]
"""Called with whether the user agreed to replace files, even write-protected ones."""


def initial_folder(context: Context) -> tuple[Path, str]:
    """Return the folder to begin with, and a remark if that of the last export is gone."""
    last = context.settings.export_folder
    if last is None:
        default = context.files.folder
        return (default if default.is_dir() else fallback_folder(context, default)), ""
    if last.is_dir():
        return last, ""
    return fallback_folder(context, last), f"The folder of the last export is gone: {last}."


def fallback_folder(context: Context, missing: Path) -> Path:
    """Return the first writable folder among likely ones, to use instead of a missing one."""
    last = context.settings.export_folder
    candidates = [last, context.files.folder, Path.home(), *missing.parents, Path.cwd()]
    usable = (path for path in candidates if path and path.is_dir() and os.access(path, os.W_OK))
    return next(usable, context.files.folder)


def check(
    parent: QWidget,
    context: Context,
    files: Sequence[Path],
    move: Callable[[Path], object],
    done: Confirmed,
) -> None:
    """Call `done` if the files can be written; ask before it replaces some, or show an error.

    `move` is called with another folder if that of the files is missing.
    """
    folder = files[0].parent
    if not folder.is_dir():
        _ask_folder(
            parent, context, folder, move, lambda: check(parent, context, files, move, done)
        )
        return
    try:
        targets = [check_target(path) for path in files]
    except EngineError as error:
        tell(parent, "Nothing was written.", str(error))
        return
    if any(_is_document_file(context, target) for target in targets):
        more = "Close this and save, or choose another name."
        tell(parent, "Nothing was written.", f"This is the file of the graph itself. {more}")
        return
    existing = [path for path in targets if path.exists()]
    if existing:
        _ask_replace(parent, existing, done)
    else:
        done(False)


def _ask_folder(
    parent: QWidget,
    context: Context,
    missing: Path,
    move: Callable[[Path], object],
    retry: Callable[[], None],
) -> None:
    """Ask whether to write to another folder, or to make the missing one and `retry`."""
    other = fallback_folder(context, missing)

    def make() -> None:
        try:
            missing.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            tell(parent, "The folder can't be made.", f"{missing}: {error.strerror or error}.")
            return
        retry()

    ask(
        parent,
        f"There is no folder {missing}.",
        f"Nothing was written. {other} is there.",
        {
            (f"Write to {other.name or other}", Role.ACCEPT): lambda: move(other),
            ("Make the folder", Role.OTHER): make,
            ("Cancel", Role.REJECT): None,
        },
    )


def _ask_replace(parent: QWidget, existing: list[Path], done: Confirmed) -> None:
    first = shown_name(existing[0])
    one, many = "A file of this name is there", "Files of these names are there"
    ask(
        parent,
        counted(len(existing), "Replace {first}?", "Replace {count} files?", first=first),
        f"{counted(len(existing), one, many)} already. {_protection(existing)}".rstrip(),
        {("Replace", Role.ACCEPT): lambda: done(True), ("Cancel", Role.REJECT): None},
    )


def _is_document_file(context: Context, target: Path) -> bool:
    """Return whether the target is the document's file, which only Save may write."""
    own = context.document.path
    if own is None:
        return False
    try:
        return os.path.samefile(target, own)
    except OSError:  # one of the files does not exist
        return target == Path(os.path.realpath(own))


def _protection(existing: list[Path]) -> str:
    """Return a remark on write-protected files for the question whether to replace files."""
    protected = [path for path in existing if is_protected(path)]
    if not protected:
        return ""
    if len(existing) == 1:
        return "It is write-protected."
    one, many = "{first} is write-protected.", "{count} of them are write-protected."
    return counted(len(protected), one, many, first=shown_name(protected[0]))


# the preview

MIN_PREVIEW_SIZE = (460, 380)
"""Minimum width and height of the preview, in px at 100 %."""
_FIELDS_WIDTH = 600
"""Width of a screen that is left to the fields, in px at 100 %."""
MAX_TEXT_SHOWN = 20_000
"""Characters of a text that the preview shows: more would take long to lay out."""
MIN_DRAG = 4.0
"""Least side of a drawn rectangle in px: a smaller one is a click."""
ARROW_STEP = 0.02
"""Share of the picture by which an arrow key moves or resizes the rectangle."""
_ARROW_DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


@exception_safe
class PicturePreview(QWidget):
    """A centred picture, in which the user can draw the rectangle of a crop."""

    drawn = Signal(QRectF)
    """Emitted with the rectangle drawn, as shares of the picture's width and height."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.picture = QImage()
        self.rect_shares: QRectF | None = None
        """The rectangle; None while the picture can't be cropped by one."""
        self._start: QPointF | None = None
        """Where the button was pressed, while a rectangle is drawn."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def show_picture(self, picture: QImage, rect: QRectF | None) -> None:
        """Show a picture, and in it the rectangle that it is cropped to, as shares."""
        self.picture, self.rect_shares = picture, rect
        croppable = rect is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if croppable else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.CrossCursor if croppable else Qt.CursorShape.ArrowCursor)
        hint = (
            "Drag a rectangle; arrow keys move it, with Shift they resize it." if croppable else ""
        )
        self.setToolTip(hint)
        self.setAccessibleDescription(hint)
        self.update()

    def picture_space(self) -> QSize:
        """Return the space for a picture, in device px."""
        return self.size().shrunkBy(QMargins(1, 1, 1, 1)) * self.devicePixelRatioF()

    def picture_rect(self) -> QRectF:
        """Return the rectangle in which the picture is drawn: scaled down if it is too large."""
        size = self.picture.size().toSizeF() / self.devicePixelRatioF()
        if size.width() > self.width() or size.height() > self.height():
            size.scale(self.size().toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
        rect = QRectF(QPointF(), size)
        rect.moveCenter(QRectF(self.rect()).center())
        return rect

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture on its page, faded outside the rectangle."""
        theme = self._style.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), theme.muted)
        area = self.picture_rect()
        painter.drawImage(area, self.picture)
        painter.setPen(hairline(theme.line))
        painter.drawRect(area)
        if self.rect_shares is not None:
            inner = self._to_widget(self.rect_shares)
            for faded_part in _outside(area, inner):
                painter.fillRect(faded_part, faded(QColor(theme.muted), 0.75))
            painter.setPen(hairline(theme.selection, 2.0))
            painter.drawRect(inner)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.rect_shares is not None and event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is not None:
            rect = QRectF(self._start, event.position()).normalized() & self.picture_rect()
            if min(rect.width(), rect.height()) >= MIN_DRAG:
                self.rect_shares = self._to_shares(rect)
                self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        if self._start is not None and self.rect_shares is not None:
            self._start = None
            self.drawn.emit(self.rect_shares)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the rectangle with the arrow keys, or resize it with Shift."""
        if self.rect_shares is None or event.key() not in _ARROW_DIRECTIONS:
            super().keyPressEvent(event)
            return
        x, y = (ARROW_STEP * part for part in _ARROW_DIRECTIONS[Qt.Key(event.key())])
        rect = QRectF(self.rect_shares)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            rect.setSize(rect.size() + QRectF(0, 0, x, y).size())
        else:
            rect.translate(x, y)
        is_large_enough = min(rect.width(), rect.height()) >= ARROW_STEP
        if is_large_enough and QRectF(0, 0, 1, 1).contains(rect):
            self.rect_shares = rect
            self.update()
            self.drawn.emit(rect)

    def _to_shares(self, rect: QRectF) -> QRectF:
        """Convert a rectangle of the widget to shares of the picture."""
        area = self.picture_rect()
        x, y = rect.x() - area.x(), rect.y() - area.y()
        wide, high = area.width(), area.height()
        return QRectF(x / wide, y / high, rect.width() / wide, rect.height() / high)

    def _to_widget(self, shares: QRectF) -> QRectF:
        """Convert shares of the picture to a rectangle of the widget."""
        area = self.picture_rect()
        wide, high = area.width(), area.height()
        return QRectF(
            area.x() + shares.x() * wide,
            area.y() + shares.y() * high,
            shares.width() * wide,
            shares.height() * high,
        )


class ExportPreview(QStackedWidget):
    """Shows a picture or the beginning of a text."""

    def __init__(self, style: Style, screen: QSize) -> None:
        """`screen` limits its least size: most of a small one is for the fields."""
        super().__init__()
        self.picture = PicturePreview(style)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "code")
        self.text.setFont(style.font("code"))
        self.text.setAccessibleName("Preview")
        self.addWidget(self.picture)
        self.addWidget(self.text)
        wide, high = (style.px(length) for length in MIN_PREVIEW_SIZE)
        widest = max(screen.width() // 3, screen.width() - style.px(_FIELDS_WIDTH))
        self.setMinimumSize(min(wide, widest), min(high, 2 * screen.height() // 5))
        self.setContentsMargins(0, 0, style.px(sizes.SPACES[1]), 0)

    def show_picture(self, picture: QImage, rect: QRectF | None = None) -> None:
        """Show a picture; with `rect` the user can change that rectangle."""
        self.picture.show_picture(picture, rect)
        self.setCurrentWidget(self.picture)

    def show_text(self, text: str, wraps: bool = False) -> None:
        mode = QPlainTextEdit.LineWrapMode
        self.text.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)
        if self.text.toPlainText() != text[:MAX_TEXT_SHOWN]:
            self.text.setPlainText(text[:MAX_TEXT_SHOWN])
        self.setCurrentWidget(self.text)

    def clear(self) -> None:
        self.show_picture(QImage())


def _outside(outer: QRectF, inner: QRectF) -> list[QRectF]:
    """Return four rectangles that cover `outer` except for `inner`."""
    return [
        QRectF(outer.topLeft(), QPointF(outer.right(), inner.top())),
        QRectF(QPointF(outer.left(), inner.bottom()), outer.bottomRight()),
        QRectF(QPointF(outer.left(), inner.top()), inner.bottomLeft()),
        QRectF(inner.topRight(), QPointF(outer.right(), inner.bottom())),
    ]
