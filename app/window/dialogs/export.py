"""The export dialog: form, options, target file, and a preview in which a crop can be drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QMargins, QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
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
from app.document.placement import MOST_BANDS
from app.document.sheet import Rect
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.strokes import hairline
from app.style.theme import THEMES, faded
from app.takeaway.worksheet_rows import MAX_COPIES
from app.window.dialogs import export_content as content
from app.window.dialogs.ask import Role, ask, fit_screen, tell
from app.window.dialogs.export_forms import (
    AS_DRAWN,
    CLASSIC,
    GIF,
    HANDOUT,
    HANDOUTS,
    MARGINS_MM,
    PAGE,
    PAPERS,
    PICTURES,
    RESOLUTIONS,
    STRIPS,
    TYPE_SIZES,
    WORKSHEET,
    Export,
    Handout,
    can_export,
    default_theme,
    export_paths,
    file_name,
    forms,
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
        self, context: Context, write: WriteExport, form: str, all_steps: bool = False
    ) -> None:
        """`form` (a key of `forms`) and `all_steps` are chosen at first."""
        super().__init__(context.shell.widget)
        self._context = context
        self._write = write
        self._crop_rect: Rect | None = None
        """The rectangle that was drawn, on the sheet; None before the first."""
        self._uncropped_figure: Figure | None = None
        """The preview in which a rectangle can be drawn."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Export")
        paper = context.settings.export_paper
        self.fields = ExportFields(context.style, form, paper, all_steps, self)
        self.fields.steps.setText(", ".join(map(str, _steps_shown(context.playback.frame))))
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
        self.fields.crop.currentIndexChanged.connect(self._start_with_whole_rectangle)
        self.fields.changed.connect(self._preview_timer.start)
        self.preview.picture.drawn.connect(self._on_rectangle_drawn)
        self._on_form_changed()
        fit_screen(self)

    def export(self) -> Export:
        """Return the current choices."""
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
        frame, every = self._context.playback.frame, self.fields.all_steps.isChecked()
        return file_name(self._context.document, frame, self.fields.chosen_form, every)

    def _on_form_changed(self) -> None:
        """Show only the options of the selected form, and set the file's name or suffix."""
        steps = step_count(self._context.playback.frame.trace)
        selected = bool(self._context.selection.nodes)
        self.fields.follow(steps, selected, partial(can_export, self._context))
        if self.fields.chosen_form in STRIPS:
            trace = content.pass_of(self._context)
            names = [trace.graph.brief(event.node, 12) for event in trace.events]
            self.fields.step_buttons.show_steps(names)
            self.fields.step_buttons.check(self.export().handout.steps)
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
        """Show the preview, with notes on the step, the figure and the folder."""
        try:
            note = f"{self._show_preview(self.export())} {self._step_note()}"
        except EngineError as error:
            self.preview.clear()
            note = str(error)
        self.note.setText(f"{note} {self._folder_remark}".strip())

    def _show_preview(self, export: Export) -> str:
        """Show the preview; returns a note on it, or ""."""
        context, picture = self._context, self.preview.picture
        if export.form in HANDOUTS:
            return self._show_handout(export)
        if not self.fields.is_picture:
            self.preview.show_text(content.text_of(context, export.form))
            return ""
        if content.is_too_large_for_preview(context, export):
            self.preview.clear()
            return _TOO_LARGE
        if export.form in CLASSIC:
            self.preview.show_picture(content.classic_preview(context, export))
            return ""
        figure = content.current_figure(context, export)
        shown, rect = figure, None  # to draw a rectangle, the whole graph is shown
        if isinstance(export.crop, tuple):
            shown = self._uncropped_figure = content.whole_figure(context, export)
            rect = shown.to_shares(QRectF(*export.crop))
        image = content.preview_image(shown, export, context, picture.picture_space().toSizeF())
        self.preview.show_picture(image, rect)
        picture_options, frame = content.picture_options_of(context, export), context.playback.frame
        more = advice(figure, context.document.sheet, frame, picture_options)
        return f"{described(figure, picture_options)} {more}".strip()

    def _show_handout(self, export: Export) -> str:
        """Show the preview of what learners get; returns a note on it."""
        from app.window.dialogs import export_handouts as handouts

        if content.is_too_large_for_preview(self._context, export):
            self.preview.clear()
            return _TOO_LARGE
        room = self.preview.picture.picture_space().toSizeF()
        shown = handouts.preview(self._context, export, room)
        if shown.picture is None:
            self.preview.show_text(shown.text, wraps=True)
        else:
            self.preview.show_picture(shown.picture)
        return shown.note

    def _start_with_whole_rectangle(self) -> None:
        """Begin with a rectangle around the whole graph, for the user to change."""
        if self.fields.crop.currentData() == RECTANGLE and self._crop_rect is None:
            self._crop_rect = _as_rect(content.whole_figure(self._context, self.export()).area)

    def _on_rectangle_drawn(self, shares: QRectF) -> None:
        if self._uncropped_figure is not None:
            self._crop_rect = _as_rect(self._uncropped_figure.to_sheet(shares))
            self._preview_timer.start()

    def _step_note(self) -> str:
        """Return a note on the exported step, or on the steps."""
        if self.fields.is_handout:
            return ""
        playback, picture = self._context.playback, self.fields.is_picture
        steps = step_count(playback.frame.trace)
        if picture and self.fields.all_steps.isChecked() and steps > 1:
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
        title, suffix, _shows_hidden = forms()[self.fields.chosen_form]
        dialog = FileDialog(self, self._context.style, "Export to", self.path.text(), saves=True)
        dialog.setNameFilters([f"{title} (*{suffix})"])
        dialog.setDefaultSuffix(suffix[1:])
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
        """Export to another folder than that of the path."""
        self.path.setText(str(folder / Path(self.path.text()).name))
        self._accept()

    def _write_files(self, asked: bool) -> None:
        """Write the files; `asked` says that the user agreed to replace write-protected files."""
        if not self.fields.is_handout:
            self._write_made(asked, None)
            return
        from app.window.dialogs.export_handouts import make_files

        self._replace_protected = asked
        self._set_busy(True)
        self._slices.start(with_error_as_result(make_files(self._context, self.export())), after=0)

    def _on_made(self, made: Made | EngineError) -> None:
        """Write what was made, or show why there is nothing."""
        self._set_busy(False)
        if isinstance(made, EngineError):
            tell(self, "Nothing was written.", str(made))
        else:
            self._write_made(self._replace_protected, made)

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
            settings.export_form = export.form
            if self.fields.is_own_picture:
                settings.export_paper = export.paper
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

WHOLE_GRAPH, SELECTION, RECTANGLE = "graph", "selection", "rectangle"
"""Keys of CROPS: what a picture shows."""
CROPS = {
    WHOLE_GRAPH: "The whole graph",
    SELECTION: "What is selected",
    RECTANGLE: "A rectangle, drawn in the preview",
}
TEXTS = {
    "outlines": "The same look everywhere",
    "font": "Our font inside, for browsers",
    "system": "The reader's fonts",
}
ASKS = {
    "all": "Every number of a step",
    "sums": "The sums",
    "last": "The last step",
    "none": "Nothing",
}
PAGE_THEMES = {"auto": "As the reader's", "light": "Light", "dark": "Dark"}
BLANKS = {
    "all": "Steps and gradients",
    "steps": "Steps",
    "sums": "The sums",
    "grads": "Gradients alone",
}
PER_PAGE = {"1": "One", "2": "Up to two"}
_FLAGS_ROLE = Qt.ItemDataRole.UserRole - 1
"""The role of an item's flags in Qt's combo boxes; 0 disables it."""


class ExportFields(QObject):
    """The fields of the dialog, in the form layout `rows`."""

    form_changed = Signal()
    """Emitted after another form was chosen, or all steps instead of one."""
    changed = Signal()
    """Emitted after any other choice."""

    def __init__(
        self, style: Style, form: str, paper: str, all_steps: bool, parent: QObject
    ) -> None:
        """`form` and `paper` are the initial choices."""
        super().__init__(parent)
        self._style = style
        self.form = choice_box({key: found.title for key, found in forms().items()}, form)
        self.paper = choice_box({key: found.title for key, found in PAPERS.items()}, paper)
        self.crop = choice_box(CROPS, WHOLE_GRAPH)
        numbers = {str(n): str(n) for n in range(1, MOST_BANDS + 1)}
        self.node_rows = choice_box({"": "As few as the type needs", **numbers}, "")
        types = {f"{size}": f"At least {size} pt" for size in TYPE_SIZES}
        self.min_type = choice_box({"": "8 to 10 pt where that fits", **types}, "")
        margins = {"": "Usual margin", **{str(mm): f"{mm} mm" for mm in MARGINS_MM}}
        self.margin = choice_box(margins, "")
        looks = {name: name.capitalize() for name in THEMES}
        self.theme = choice_box(looks, default_theme(form))
        self.dots = choice_box({str(n): f"{n} dots per inch" for n in RESOLUTIONS}, "192")
        self.transparent = QCheckBox("Transparent background")
        self.all_steps = QCheckBox()
        self.all_steps.setChecked(all_steps)
        self.text = choice_box(TEXTS, "outlines")
        self._make_handout_fields()
        self._forms_with: dict[QWidget, Collection[str]] = {}
        """The forms for which each field is shown."""
        self.box = QWidget()
        self.rows = QFormLayout(self.box)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self._lay_out()
        self._theme_chosen = False
        """Whether the user has chosen a theme, which then stays with every form."""
        self._connect()

    def _connect(self) -> None:
        self.form.currentIndexChanged.connect(self._on_form_changed)
        self.all_steps.toggled.connect(self.form_changed)
        self.theme.activated.connect(self._on_theme_chosen)
        for field in (self.crop, self.paper):
            field.currentIndexChanged.connect(self._follow_width)
        self.copies.valueChanged.connect(self.changed)
        self.steps.textChanged.connect(self._on_steps_changed)
        for field in self._forms_with.keys() - {self.all_steps}:
            if isinstance(field, QComboBox):
                field.currentIndexChanged.connect(self.changed)
            elif isinstance(field, QCheckBox):
                field.toggled.connect(self.changed)

    def _make_handout_fields(self) -> None:
        self.ask = choice_box(ASKS, "all")
        self.page_theme = choice_box(PAGE_THEMES, "auto")
        self.blank = choice_box(BLANKS, "all")
        self.copies = QSpinBox()
        OnPurpose(self.copies)
        self.copies.setRange(1, MAX_COPIES)
        self.copies.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.sheet_paper = choice_box({"A4": "A4", "Letter": "Letter"}, "A4")
        self.per_page = choice_box(PER_PAGE, "1")
        self.notes = QCheckBox("With the speaker's notes")
        self.steps = QLineEdit()
        self.steps.setPlaceholderText("2 to 6 steps, such as 4, 5, 6")
        self.step_buttons = StepButtons(self._style)
        self.step_buttons.toggled.connect(self._toggle_step)
        self.upright = QCheckBox("One below the other")
        self.cover = QCheckBox("Cover the numbers of each step")
        self.blank_first = QCheckBox("Show ? before each number")
        self.loop = QCheckBox("Play again and again")

    @property
    def chosen_form(self) -> str:
        """Return the key of the form."""
        return self.form.currentData()

    @property
    def is_own_picture(self) -> bool:
        """Return whether the form is a picture in Backwire's look."""
        return self.chosen_form in PICTURES

    @property
    def is_handout(self) -> bool:
        """Return whether the form is made for learners, of a whole pass."""
        return self.chosen_form in HANDOUTS

    @property
    def is_picture(self) -> bool:
        """Return whether the form is a picture, in Backwire's or micrograd's look."""
        return self.is_own_picture or self.chosen_form in CLASSIC

    @property
    def suffix(self) -> str:
        """Return the suffix of the form."""
        return forms()[self.chosen_form].suffix

    def chosen(self, path: Path, crops: Mapping[str, frozenset[int] | Rect | None]) -> Export:
        """Return the current choices; `crops` has the area of each crop but the whole graph."""
        margin = self.margin.currentData()
        return Export(
            form=self.chosen_form,
            path=path,
            theme=self.theme.currentData(),
            dpi=int(self.dots.currentData()),
            transparent=self.transparent.isChecked(),
            all_steps=self.all_steps.isChecked() and self.all_steps.isEnabled(),
            paper=self.paper.currentData() if self.is_own_picture else AS_DRAWN,
            crop=crops.get(self.crop.currentData()) if self.is_own_picture else None,
            margin=float(margin) if margin and self.is_own_picture else None,
            rows=int(rows) if (rows := self._demanded(self.node_rows)) else None,
            min_type=float(least) if (least := self._demanded(self.min_type)) else None,
            text=self.text.currentData(),
            handout=Handout(
                ask=self.ask.currentData(),
                page_theme=self.page_theme.currentData(),
                blank=self.blank.currentData(),
                copies=self.copies.value(),
                sheet_paper=self.sheet_paper.currentData(),
                per_page=int(self.per_page.currentData()),
                notes=self.notes.isChecked(),
                steps=_steps_of(self.steps.text()),
                upright=self.upright.isChecked(),
                cover=self.cover.isChecked(),
                blank_first=self.blank_first.isChecked(),
                loop=self.loop.isChecked(),
            ),
        )

    def _demanded(self, field: QComboBox) -> str:
        """Return the number that is chosen in a field, or "" where it says nothing."""
        return field.currentData() if field.isEnabled() and self.is_own_picture else ""

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
        for field, names in self._forms_with.items():
            self.rows.setRowVisible(field, self.chosen_form in names)
        self._follow_width()
        pages = "the pages of one file" if self.suffix == ".pdf" else "numbered files of one size"
        self.all_steps.setText(f"All steps, as {pages}")
        self.all_steps.setEnabled(steps > 1 and can_export("png", all_steps=True))
        self.crop.setItemData(self.crop.findData(SELECTION), None if selected else 0, _FLAGS_ROLE)
        for at in range(self.form.count()):
            flags = None if can_export(self.form.itemData(at)) else 0
            self.form.setItemData(at, flags, _FLAGS_ROLE)

    def _follow_width(self) -> None:
        """Enable rows for a whole graph, and a size of type with a width."""
        self.node_rows.setEnabled(self.crop.currentData() == WHOLE_GRAPH)
        self.min_type.setEnabled(PAPERS[self.paper.currentData()].width is not None)

    def _lay_out(self) -> None:
        self.rows.setHorizontalSpacing(self._style.px(sizes.SPACES[3]))
        self.rows.setVerticalSpacing(self._style.px(sizes.SPACES[2]))
        self.add_row("Write", self.form)
        pngs = [name for name, found in forms().items() if found.suffix == ".png"]
        painted = (*PICTURES, *STRIPS)
        fields: tuple[tuple[str, QWidget, Collection[str]], ...] = (
            ("Width", self.paper, PICTURES),
            ("Show", self.crop, PICTURES),
            ("Rows", self.node_rows, PICTURES),
            ("Type", self.min_type, PICTURES),
            ("Margin", self.margin, PICTURES),
            ("Ask for", self.ask, (PAGE,)),
            ("Blank", self.blank, (WORKSHEET,)),
            ("Copies", self.copies, (WORKSHEET,)),
            ("Steps a page", self.per_page, (HANDOUT,)),
            ("Paper", self.sheet_paper, (WORKSHEET, HANDOUT)),
            ("Steps", self.steps, STRIPS),
            ("", self.step_buttons, STRIPS),
            ("Look", self.theme, (*painted, GIF)),
            ("Look", self.page_theme, (PAGE,)),
            ("Sharpness", self.dots, pngs),
            ("Text", self.text, ("svg", "strip-svg")),
            ("", self.transparent, (*painted, "classic-png", "classic-svg")),
            ("", self.all_steps, (*PICTURES, *CLASSIC)),
            ("", self.upright, STRIPS),
            ("", self.notes, (HANDOUT,)),
            ("", self.blank_first, (GIF,)),
            ("", self.loop, (GIF,)),
            ("", self.cover, (PAGE, GIF, *STRIPS)),
        )
        for text, field, names in fields:
            self.add_row(text, field)
            self._forms_with[field] = names

    def _on_form_changed(self) -> None:
        if not self._theme_chosen:
            self.theme.setCurrentIndex(self.theme.findData(default_theme(self.chosen_form)))
        self.form_changed.emit()

    def _on_steps_changed(self, text: str) -> None:
        self.step_buttons.check(_steps_of(text))
        self.changed.emit()

    def _toggle_step(self, step: int) -> None:
        """Add a step to the list in its place, or take it off."""
        self.steps.setText(", ".join(map(str, sorted({*_steps_of(self.steps.text())} ^ {step}))))

    def _on_theme_chosen(self) -> None:
        """Stop following the form's default theme."""
        self._theme_chosen = True


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
        """Begin a rectangle."""
        if self.rect_shares is not None and event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the rectangle."""
        if self._start is not None:
            rect = QRectF(self._start, event.position()).normalized() & self.picture_rect()
            if min(rect.width(), rect.height()) >= MIN_DRAG:
                self.rect_shares = self._to_shares(rect)
                self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End the rectangle."""
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
        """Show the beginning of a text."""
        mode = QPlainTextEdit.LineWrapMode
        self.text.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)
        if self.text.toPlainText() != text[:MAX_TEXT_SHOWN]:
            self.text.setPlainText(text[:MAX_TEXT_SHOWN])
        self.setCurrentWidget(self.text)

    def clear(self) -> None:
        """Show nothing."""
        self.show_picture(QImage())


def _outside(outer: QRectF, inner: QRectF) -> list[QRectF]:
    """Return four rectangles that cover `outer` except for `inner`."""
    return [
        QRectF(outer.topLeft(), QPointF(outer.right(), inner.top())),
        QRectF(QPointF(outer.left(), inner.bottom()), outer.bottomRight()),
        QRectF(QPointF(outer.left(), inner.top()), inner.bottomLeft()),
        QRectF(inner.topRight(), QPointF(outer.right(), inner.bottom())),
    ]
