"""The export dialog: form, options, target file, and a preview in which a crop can be drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QMargins, QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from app.canvas.paint.figure import advice, described
from app.controls.choice_box import choice_box
from app.controls.layouts import in_column, in_row, plain_label
from app.document.sheet import Rect
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import hairline
from app.style.theme import THEMES, faded
from app.window.dialogs import export_content as content
from app.window.dialogs.ask import Role, ask, fit_screen, tell
from app.window.dialogs.export_forms import (
    CLASSIC,
    MARGINS_MM,
    PAPERS,
    PICTURES,
    RESOLUTIONS,
    Export,
    default_theme,
    export_paths,
    file_name,
    forms,
    step_count,
    without_suffix,
)
from app.window.dialogs.file_dialogs import FileDialog
from engine.errors import EngineError
from engine.formats.files import check_target, is_protected, shown_name
from engine.numbers import counted
from engine.rules import CORRECT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

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
        files = export_paths(export, self._context.playback.frame.trace)
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


WHOLE, SELECTION, RECTANGLE = "graph", "selection", "rectangle"
CROPS = {
    WHOLE: "The whole graph",
    SELECTION: "What is selected",
    RECTANGLE: "A rectangle, drawn in the preview",
}
_ROLE_OF_FLAGS = Qt.ItemDataRole.UserRole - 1
"""The role under which Qt's combo box keeps whether an item can be chosen."""


class ExportFields(QObject):
    """The fields, and the layout that they are rows of."""

    form_changed = Signal()
    """Emitted after another form was chosen, or all steps instead of one."""
    changed = Signal()
    """Emitted after any other choice."""

    def __init__(
        self, style: Style, form: str, paper: str, all_steps: bool, parent: QObject
    ) -> None:
        """`form` and `paper` are what is chosen at first."""
        super().__init__(parent)
        self._style = style
        self.form = choice_box({key: title for key, (title, _s) in forms().items()}, form)
        self.paper = choice_box({key: found.title for key, found in PAPERS.items()}, paper)
        self.crop = choice_box(CROPS, WHOLE)
        margins = {"": "Usual margin", **{str(mm): f"{mm} mm" for mm in MARGINS_MM}}
        self.margin = choice_box(margins, "")
        looks = {name: name.capitalize() for name in THEMES}
        self.theme = choice_box(looks, default_theme(form))
        self.dots = choice_box({str(n): f"{n} dots per inch" for n in RESOLUTIONS}, "192")
        self.transparent = QCheckBox("Transparent background")
        self.all_steps = QCheckBox()
        self.all_steps.setChecked(all_steps)
        self.rows = QFormLayout()
        self._lay_out()
        self._own_theme = False
        self.form.currentIndexChanged.connect(self._follow_form)
        self.all_steps.toggled.connect(self.form_changed)
        self.theme.activated.connect(self._keep_theme)
        for box in (self.paper, self.crop, self.margin, self.theme, self.dots):
            box.currentIndexChanged.connect(self.changed)
        self.transparent.toggled.connect(self.changed)

    @property
    def chosen_form(self) -> str:
        """Return the key of the form."""
        return self.form.currentData()

    @property
    def is_ours(self) -> bool:
        """Return whether the form is one of our own pictures."""
        return self.chosen_form in PICTURES

    @property
    def is_picture(self) -> bool:
        """Return whether the form is a picture, ours or micrograd's."""
        return self.is_ours or self.chosen_form in CLASSIC

    @property
    def suffix(self) -> str:
        """Return the suffix of the form."""
        return forms()[self.chosen_form][1]

    def chosen(self, path: Path, crops: Mapping[str, frozenset[int] | Rect | None]) -> Export:
        """Return the current choices; `crops` has what each crop but the whole graph shows."""
        margin = self.margin.currentData()
        return Export(
            self.chosen_form,
            path,
            self.theme.currentData(),
            int(self.dots.currentData()),
            self.transparent.isChecked(),
            self.all_steps.isChecked() and self.all_steps.isEnabled(),
            self.paper.currentData() if self.is_ours else "drawn",
            crops.get(self.crop.currentData()) if self.is_ours else None,
            float(margin) if margin and self.is_ours else None,
        )

    def add_row(self, text: str, field: object) -> None:
        """Add a row with a label vertically centred on its field."""
        word = QLabel(text)
        word.setMinimumHeight(self._style.px(sizes.CONTROL))
        self.rows.addRow(word, field)  # type: ignore[arg-type]

    def follow(self, steps: int, selected: bool) -> None:
        """Show the options of the chosen form; `steps` is how many pictures a pass would be."""
        for field in (self.theme, self.paper, self.crop, self.margin):
            self.rows.setRowVisible(field, self.is_ours)
        self.rows.setRowVisible(self.transparent, self.is_picture and self.suffix != ".gv")
        self.rows.setRowVisible(self.all_steps, self.is_picture)
        self.rows.setRowVisible(self.dots, self.suffix == ".png")
        pages = "the pages of one file" if self.suffix == ".pdf" else "numbered files of one size"
        self.all_steps.setText(f"All steps, as {pages}")
        self.all_steps.setEnabled(steps > 1)
        self.crop.setItemData(
            self.crop.findData(SELECTION), None if selected else 0, _ROLE_OF_FLAGS
        )

    def _lay_out(self) -> None:
        self.rows.setHorizontalSpacing(self._style.px(sizes.SPACES[3]))
        self.rows.setVerticalSpacing(self._style.px(sizes.SPACES[2]))
        self.add_row("Write", self.form)
        self.add_row("Width", self.paper)
        self.add_row("Show", self.crop)
        self.add_row("Margin", self.margin)
        self.add_row("Look", self.theme)
        self.add_row("Sharpness", self.dots)
        self.rows.addRow("", self.transparent)
        self.rows.addRow("", self.all_steps)

    def _follow_form(self) -> None:
        if not self._own_theme:
            self.theme.setCurrentIndex(self.theme.findData(default_theme(self.chosen_form)))
        self.form_changed.emit()

    def _keep_theme(self) -> None:
        """Leave the theme as the user has chosen it."""
        self._own_theme = True


Done = Callable[[bool], object]
"""Takes whether the user agreed to replace files, even write-protected ones."""


def first_folder(context: Context) -> tuple[Path, str]:
    """Return the folder to begin with, and a remark where that of the last export is gone."""
    kept = context.settings.export_folder
    if kept is None:
        usual = context.files.folder
        return (usual if usual.is_dir() else other_folder(context, usual)), ""
    if kept.is_dir():
        return kept, ""
    return other_folder(context, kept), f"The folder of the last export is gone: {kept}."


def other_folder(context: Context, missing: Path) -> Path:
    """Return a folder that exists, to write to instead of a missing one."""
    kept = context.settings.export_folder
    able = [kept, context.files.folder, Path.home(), *missing.parents, Path.cwd()]
    usable = (path for path in able if path and path.is_dir() and os.access(path, os.W_OK))
    return next(usable, context.files.folder)


def check(
    parent: QWidget,
    context: Context,
    files: Sequence[Path],
    move: Callable[[Path], object],
    done: Done,
) -> None:
    """Call `done` if the files can be written and nothing is lost, else ask or tell.

    `move` is called with another folder if the one of the files is missing.
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
    if any(_is_own_file(context, target) for target in targets):
        more = "Close this and save, or choose another name."
        tell(parent, "Nothing was written.", f"This is the file of the graph itself. {more}")
        return
    there = [path for path in targets if path.exists()]
    if there:
        _ask_replace(parent, there, done)
    else:
        done(False)


def _ask_folder(
    parent: QWidget,
    context: Context,
    missing: Path,
    move: Callable[[Path], object],
    again: Callable[[], None],
) -> None:
    other = other_folder(context, missing)

    def make() -> None:
        try:
            missing.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            tell(parent, "The folder can't be made.", f"{missing}: {error.strerror or error}.")
            return
        again()

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


def _ask_replace(parent: QWidget, there: list[Path], done: Done) -> None:
    first = shown_name(there[0])
    one, many = "A file of this name is there", "Files of these names are there"
    ask(
        parent,
        counted(len(there), "Replace {first}?", "Replace {count} files?", first=first),
        f"{counted(len(there), one, many)} already. {_protection(there)}".rstrip(),
        {("Replace", Role.ACCEPT): lambda: done(True), ("Cancel", Role.REJECT): None},
    )


def _is_own_file(context: Context, target: Path) -> bool:
    """Return whether the target is the document's file, which only Save may write."""
    own = context.document.path
    if own is None:
        return False
    try:
        return os.path.samefile(target, own)
    except OSError:  # one of the files does not exist
        return target == Path(os.path.realpath(own))


def _protection(there: list[Path]) -> str:
    """Return a remark on write-protected files for the question whether to replace files."""
    protected = [path for path in there if is_protected(path)]
    if not protected:
        return ""
    if len(there) == 1:
        return "It is write-protected."
    one, many = "{first} is write-protected.", "{count} of them are write-protected."
    return counted(len(protected), one, many, first=shown_name(protected[0]))


SIZE = (460, 380)
"""Width and height of the preview in px at 100 %."""
MOST_TEXT = 20_000
"""Characters of a text that are shown."""
LEAST_DRAG = 4.0
"""Px below which a drag is a click."""
STEP = 0.02
"""Share of the picture by which an arrow key moves or resizes the rectangle."""
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


@guarded
class PicturePreview(QWidget):
    """A picture in the middle of its room; in it a rectangle, while one can be drawn."""

    drawn = Signal(QRectF)
    """Emitted with the rectangle drawn, as shares of the picture's width and height."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.picture = QImage()
        self.rect_shares: QRectF | None = None
        """The rectangle; None while the picture can't be cropped by one."""
        self._start: QPointF | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def show_picture(self, picture: QImage, rect: QRectF | None) -> None:
        """Show a picture, and in it the rectangle that it is cropped to, as shares."""
        self.picture, self.rect_shares = picture, rect
        able = rect is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if able else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.CrossCursor if able else Qt.CursorShape.ArrowCursor)
        says = "Drag a rectangle; arrow keys move it, with Shift they resize it." if able else ""
        self.setToolTip(says)
        self.setAccessibleDescription(says)
        self.update()

    def room(self) -> QSize:
        """Return the room for a picture, in device px."""
        return self.size().shrunkBy(QMargins(1, 1, 1, 1)) * self.devicePixelRatioF()

    def place(self) -> QRectF:
        """Return where the picture is drawn."""
        size = self.picture.size().toSizeF() / self.devicePixelRatioF()
        if size.width() > self.width() or size.height() > self.height():
            size.scale(self.size().toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
        found = QRectF(QPointF(), size)
        found.moveCenter(QRectF(self.rect()).center())
        return found

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture on its page, and what the rectangle leaves out faded."""
        theme = self._style.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), theme.muted)
        place = self.place()
        painter.drawImage(place, self.picture)
        painter.setPen(hairline(theme.line))
        painter.drawRect(place)
        if self.rect_shares is not None:
            kept = self._on_screen(self.rect_shares)
            for rest in _around(place, kept):
                painter.fillRect(rest, faded(QColor(theme.muted), 0.75))
            painter.setPen(hairline(theme.selection, 2.0))
            painter.drawRect(kept)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a rectangle."""
        if self.rect_shares is not None and event.button() == Qt.MouseButton.LeftButton:
            self._start = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the rectangle."""
        if self._start is not None:
            found = QRectF(self._start, event.position()).normalized() & self.place()
            if min(found.width(), found.height()) >= LEAST_DRAG:
                self.rect_shares = self._shares(found)
                self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End the rectangle."""
        if self._start is not None and self.rect_shares is not None:
            self._start = None
            self.drawn.emit(self.rect_shares)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the rectangle with the arrow keys, or resize it with Shift."""
        if self.rect_shares is None or event.key() not in _ARROWS:
            super().keyPressEvent(event)
            return
        x, y = (STEP * part for part in _ARROWS[Qt.Key(event.key())])
        found = QRectF(self.rect_shares)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            found.setSize(found.size() + QRectF(0, 0, x, y).size())
        else:
            found.translate(x, y)
        whole = QRectF(0, 0, 1, 1)
        if found.width() >= STEP and found.height() >= STEP and whole.contains(found):
            self.rect_shares = found
            self.update()
            self.drawn.emit(found)

    def _shares(self, rect: QRectF) -> QRectF:
        whole = self.place()
        x, y = rect.x() - whole.x(), rect.y() - whole.y()
        wide, high = whole.width(), whole.height()
        return QRectF(x / wide, y / high, rect.width() / wide, rect.height() / high)

    def _on_screen(self, shares: QRectF) -> QRectF:
        whole = self.place()
        wide, high = whole.width(), whole.height()
        return QRectF(
            whole.x() + shares.x() * wide,
            whole.y() + shares.y() * high,
            shares.width() * wide,
            shares.height() * high,
        )


class ExportPreview(QStackedWidget):
    """Shows a picture or the begin of a text."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.picture = PicturePreview(style)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "code")
        self.text.setFont(style.font("code"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Preview")
        self.addWidget(self.picture)
        self.addWidget(self.text)
        self.setMinimumSize(*(style.px(length) for length in SIZE))
        self.setContentsMargins(0, 0, style.px(sizes.SPACES[1]), 0)

    def show_picture(self, picture: QImage, rect: QRectF | None = None) -> None:
        """Show a picture, in which a rectangle can be drawn if there is one already."""
        self.picture.show_picture(picture, rect)
        self.setCurrentWidget(self.picture)

    def show_text(self, text: str) -> None:
        """Show the begin of a text."""
        if self.text.toPlainText() != text[:MOST_TEXT]:
            self.text.setPlainText(text[:MOST_TEXT])
        self.setCurrentWidget(self.text)

    def clear(self) -> None:
        """Show nothing."""
        self.show_picture(QImage())


def _around(whole: QRectF, kept: QRectF) -> list[QRectF]:
    """Return the four rectangles of a whole that a part of it leaves over."""
    return [
        QRectF(whole.topLeft(), QPointF(whole.right(), kept.top())),
        QRectF(QPointF(whole.left(), kept.bottom()), whole.bottomRight()),
        QRectF(QPointF(whole.left(), kept.top()), kept.bottomLeft()),
        QRectF(kept.topRight(), QPointF(whole.right(), kept.bottom())),
    ]
