"""LecturePart: the list of marks of a lecture, and the fields of the chosen mark.

It shows the state of the `LectureEditor` after each of its changes, and calls the editor at each
input. Its only state of its own is invalid text in a field, until the user corrects it.
"""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QCheckBox,
    QPushButton,
    QRadioButton,
    QWidget,
)

from app.controls.buttons import IconButton
from app.controls.choices import ChoiceBox, Segmented
from app.controls.focus import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label, set_valid
from app.controls.panel import Block
from app.controls.row_list import Column, RowList
from app.guard import exception_safe
from app.lessons.lecture import Slide
from app.panels.lesson.fields import (
    LineField,
    TextField,
    field_label,
    labelled,
    small_button,
    text_button,
)
from app.style.current import Style
from app.workbench.study.lecture_editor import LectureEditor
from app.workbench.words.lecture import (
    ASKED_TITLES,
    HOW_TO_SET,
    IN_A_FILE,
    KINDS,
    mark_row,
    place_text,
    preview_text,
    reading_text,
    seconds_of,
    seconds_text,
    timers_text,
    values_text,
)
from engine.errors import EngineError
from engine.numbers import parse_number, why_no_number
from engine.study.lecture import (
    CHOICE_LIMIT,
    CHOICES_LIMIT,
    CHOICES_ONLY,
    LINE_LIMIT,
    SAY_LIMIT,
    TITLE_LIMIT,
    AskedKind,
    Choice,
    Mark,
    MarkKind,
    check_mark,
)

FROM_SHEET: Final = "New mark at the step shown, as A sets one"
_DROP_LINE: Final = 2
"""Thickness of the line at the drop position of a dragged mark, in px at 100 %."""
_MOST_ROWS: Final = 8
"""Most visible rows of the list, so that the fields below it stay near."""
_NOTES_LINES: Final = 4
"""Least lines of the field of the notes."""
_CHOICE_HINTS: Final = ("one answer", "another", "a third", "a fourth")
"""Placeholders of the choices of a question in own words."""


@exception_safe
class MarkList(RowList):
    """The list of marks; dragging, Alt+Up and Alt+Down move a row."""

    dropped = Signal(int, int)
    """Emitted with the index of a row before and after its move."""
    removed = Signal(int)
    """Emitted with the index of the row that Delete removes."""
    dragged_over = Signal(int)
    """Emitted with the index of the row under the dragged one."""

    def __init__(self, style: Style) -> None:
        columns = (Column(16, right=True), Column(34), Column(stretches=True), Column(right=True))
        super().__init__(
            style, "Marks of the lecture", columns, row_height=26, most_rows=_MOST_ROWS
        )
        self._pressed_at: QPoint | None = None
        self._dragged = -1
        """The index of the dragged row, or −1."""
        self._gap = -1
        """The gap under the dragged row: 0 is above the first row; −1 without one."""
        self.movable = True

    def event(self, event: QEvent) -> bool:
        # Alt+Up and Delete are shortcuts of the sheet elsewhere
        if event.type() == QEvent.Type.ShortcutOverride:
            key = cast("QKeyEvent", event)
            if self._step_of(key) or key.key() == Qt.Key.Key_Delete:
                event.accept()
                return True
        return super().event(event)

    def _step_of(self, event: QKeyEvent) -> int:
        """Return −1 for Alt+Up, 1 for Alt+Down, 0 for any other key."""
        if not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return 0
        return {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, step = self.currentRow(), self._step_of(event)
        if event.key() == Qt.Key.Key_Escape and self._dragged >= 0:
            self._end_drag()
        elif step and self.movable and 0 <= at + step < self.count():
            self.dropped.emit(at, at + step)
        elif step:
            event.accept()
        elif event.key() == Qt.Key.Key_Delete and self.movable and at >= 0:
            self.removed.emit(at)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.movable:
            self._pressed_at = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        start, at = self._pressed_at, event.position().toPoint()
        if start is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        far = (at - start).manhattanLength() >= QApplication.startDragDistance()
        if self._dragged < 0 and far:
            self._dragged = self.indexAt(start).row()
        if self._dragged >= 0:
            self._gap = self._gap_at(at)
            near = self._gap if at.y() > self.viewport().height() // 2 else self._gap - 1
            row = min(max(near, 0), self.count() - 1)
            self.scrollToItem(self.item(row))
            self.dragged_over.emit(row)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, gap = self._dragged, self._gap
        self._end_drag()
        if dragged < 0:
            super().mouseReleaseEvent(event)
            return
        to = gap - 1 if gap > dragged else gap  # the gap counts the dragged row itself
        if to != dragged:
            self.dropped.emit(dragged, to)

    def _gap_at(self, at: QPoint) -> int:
        """Return the gap nearest to a point in px of the viewport."""
        for row in range(self.count()):
            if at.y() < self.rect_of(row).center().y():
                return row
        return self.count()

    def _end_drag(self) -> None:
        self._pressed_at, self._dragged, self._gap = None, -1, -1
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._gap < 0 or not self.count():
            return
        last = self.rect_of(self.count() - 1)
        y = self.rect_of(self._gap).top() if self._gap < self.count() else last.bottom()
        high = self._style.px(_DROP_LINE)
        top = min(max(y - high // 2, 0), self.viewport().height() - high)
        with QPainter(self.viewport()) as painter:
            line = QRect(0, top, self.viewport().width(), high)
            painter.fillRect(line, self._style.theme.selection)


@exception_safe
class LecturePart(QWidget):
    """Shows the marks of a lecture, and edits those of the sheet."""

    wanted = Signal(str)
    """Emitted with an act on the lecture's file: "save", "append", "graph" or "whole"."""
    row_reveal_wanted = Signal(object, object)
    """Emitted with a list and the rectangle of a row to scroll into view."""

    def __init__(self, style: Style, editor: LectureEditor) -> None:
        super().__init__()
        self._style, self._editor = style, editor
        self._shown: object = None
        """Revision of the shown marks, and digits of their numbers."""
        self._make_list(style)
        self.mark = MarkPart(style, editor)
        self.reading = plain_label(wraps=True)
        self.edit_graph = small_button(
            "Edit the marks of its graph",
            "Open this graph with its marks; saving puts them back",
            partial(self.wanted.emit, "graph"),
        )
        left = Qt.AlignmentFlag.AlignLeft
        self.reading_block = Block(style, "Mark", self.reading, (self.edit_graph, left))
        parts = (self.list_block, self.mark, self.reading_block)
        in_column(*parts, parent=self, edges=0, gap=0)
        self.setAccessibleName("Lecture")

    def _make_list(self, style: Style) -> None:
        self._make_tools(style)
        self._make_new(style)
        self._make_files(style)
        editor = self._editor
        self.hint = plain_label(HOW_TO_SET, "secondary", wraps=True)
        self.marks = MarkList(style)
        self.marks.chosen.connect(editor.choose)
        self.marks.dropped.connect(editor.move)
        self.marks.removed.connect(editor.remove)
        self.marks.dragged_over.connect(self._reveal_row)
        rows = (self.hint, self.marks, self.caption, self.kinds_row, self.files, self.whole_lecture)
        self.list_block = Block(style, "Marks", *rows)

    def _make_tools(self, style: Style) -> None:
        editor = self._editor
        self.up = IconButton(style, "up", "Move the mark up", "Alt+Up")
        self.down = IconButton(style, "down", "Move the mark down", "Alt+Down")
        self.remove = IconButton(style, "trash", "Delete the mark", "Del")
        self.tools = (self.up, self.down, self.remove)
        for tool in self.tools:
            tool.setProperty("only", "small")
        self.up.clicked.connect(lambda: editor.move(editor.at, editor.at - 1))
        self.down.clicked.connect(lambda: editor.move(editor.at, editor.at + 1))
        self.remove.clicked.connect(lambda: editor.remove())

    def _make_new(self, style: Style) -> None:
        self.kinds: dict[MarkKind, QPushButton] = {
            kind: text_button(kind.capitalize(), tip) for kind, tip in KINDS.items()
        }
        for kind, button in self.kinds.items():
            button.setProperty("edges", "narrow")
            button.setAccessibleName(f"New mark: {kind}")
            button.clicked.connect(partial(self._editor.add, kind))
        self.caption = plain_label(FROM_SHEET, "caption", wraps=True)
        self.kinds_row = QWidget()
        buttons = ((button, 1) for button in self.kinds.values())
        in_row(*buttons, *self.tools, parent=self.kinds_row, style=style, edges=0, gap=4)

    def _make_files(self, style: Style) -> None:
        self.save = small_button(
            "Save as lecture…",
            "Write the marks with their graph to a file",
            partial(self.wanted.emit, "save"),
        )
        self.append = small_button(
            "Append to lecture…",
            "Add the marks and their graph to the file of another lecture",
            partial(self.wanted.emit, "append"),
        )
        self.whole_lecture = small_button(
            "Back to the whole lecture",
            "Open the lecture over all its graphs",
            partial(self.wanted.emit, "whole"),
        )
        self.files = QWidget()
        files = ((self.save, 1), (self.append, 1))
        in_row(*files, parent=self.files, style=style, edges=0, gap=4)

    def show_lecture(self) -> None:
        """Show the present marks, unless their revision is already shown."""
        editor = self._editor
        shown = (editor.revision, self._style.digits)
        if shown == self._shown:
            return
        self._shown = shown
        lecture, slides, opened, at = editor.lecture, editor.slides, editor.opened, editor.at
        graphs = 0 if lecture is None else len(lecture.drawings)
        rows = [mark_row(k, slide, k == at, graphs) for k, slide in enumerate(slides)]
        self.marks.movable = opened is None
        self.marks.show_rows(rows)
        self.marks.set_current(at)
        self.marks.setVisible(bool(rows))
        self.list_block.set_note(timers_text(slides))
        self._show_hint(graphs, bool(rows))
        for part in (self.caption, self.kinds_row):
            part.setVisible(opened is None)
        is_part = editor.file is not None and editor.file.graph >= 0
        for tool in self.tools:
            tool.setVisible(opened is None and bool(rows))
        self.files.setVisible(opened is None and bool(rows) and not is_part)
        self.whole_lecture.setVisible(opened is None and is_part)
        self.up.setEnabled(at > 0)
        self.down.setEnabled(0 <= at < len(rows) - 1)
        self.remove.setEnabled(at >= 0)
        self.mark.setVisible(editor.mark is not None)
        self.reading_block.setVisible(opened is not None and at >= 0)
        if editor.mark is not None:
            self.mark.show_mark(editor.mark, slides[at])
        elif opened is not None and at >= 0:
            self.reading_block.set_title(f"Mark {at + 1}")
            self.reading.setText(reading_text(slides[at]))

    def _show_hint(self, graphs: int, has_marks: bool) -> None:
        opened = self._editor.opened
        if opened is not None:
            self.hint.setText(IN_A_FILE.format(name=opened.path.name, count=graphs))
        else:
            self.hint.setText(HOW_TO_SET)
        self.hint.setVisible(opened is not None or not has_marks)

    def _reveal_row(self, row: int) -> None:
        self.row_reveal_wanted.emit(self.marks, self.marks.rect_of(row))


@exception_safe
class MarkPart(Block):
    """The chosen mark: kind, place, question, and for the speaker notes and timer."""

    def __init__(self, style: Style, editor: LectureEditor) -> None:
        super().__init__(style, "Mark")
        self._editor = editor
        self._errors: dict[str, str] = {}
        """The reason why a field's text is invalid, by the attribute of the mark."""
        self._shown = -1
        """`LectureEditor.choice_count` of the shown mark."""
        choices = [(kind, kind.capitalize()) for kind in KINDS]
        self.kind = Segmented(style, choices, "Kind", low=True)
        self.kind.chosen.connect(self._set_kind)
        self.misfit = plain_label(kind="error", wraps=True)
        self._make_place(style)
        self.ask = AskedPart(style, editor, self)
        self.title = LineField("title", f"up to {TITLE_LIMIT} characters", TITLE_LIMIT)
        self.line = LineField("line", "what the black screen says", LINE_LIMIT)
        self.notes = TextField(
            style, "notes", "what you want to say; only you see them", _NOTES_LINES,
            takes_numbers=False,
        )  # fmt: skip
        self.seconds = LineField("timer", "seconds, or 1:30")
        self.reveals = QCheckBox("Reveal the answer")
        PressedByEnter(self.reveals)
        self.line_row = labelled(style, "line", self.line)
        self._make_values(style)
        self.faults = plain_label(kind="error", wraps=True)
        self.add(
            self.kind, self.misfit, self.place_row, self.line_row, self.ask,
            labelled(style, "title", self.title), labelled(style, "notes", self.notes),
            labelled(style, "timer", self.seconds), self.reveals, self.values_row, self.faults,
        )  # fmt: skip
        self.title.textEdited.connect(partial(self.keep, "title"))
        self.line.textEdited.connect(partial(self.keep, "text"))
        self.notes.textChanged.connect(lambda: self.keep("notes", self.notes.toPlainText()))
        self.seconds.textEdited.connect(self._set_seconds)
        self.reveals.toggled.connect(partial(self.keep, "reveals"))

    def _make_place(self, style: Style) -> None:
        self.place = plain_label(wraps=True)
        self.move_to_shown_step = small_button(
            "Step as now",
            "Move the mark to the step shown on the sheet",
            self._editor.move_to_shown_step,
        )
        self.place_row = QWidget()
        parts = (field_label(style, "place"), (self.place, 1), self.move_to_shown_step)
        in_row(*parts, parent=self.place_row, style=style, edges=0, gap=4)

    def _make_values(self, style: Style) -> None:
        self.values = plain_label(wraps=True)
        self.store_values = small_button(
            "As now",
            "Take the values and the mistake that the sheet has now for this mark",
            self._editor.store_values,
        )
        self.clear_values = small_button(
            "None", "Take the mark's own values and mistake away", self._editor.clear_values
        )
        self.values_row = QWidget()
        label = field_label(style, "values")
        parts = (label, (self.values, 1), self.store_values, self.clear_values)
        in_row(*parts, parent=self.values_row, style=style, edges=0, gap=4)

    def show_mark(self, mark: Mark, slide: Slide) -> None:
        """Show a mark of the sheet; invalid text stays until the user corrects it."""
        editor = self._editor
        if editor.choice_count != self._shown:
            self._shown, self._errors = editor.choice_count, {}
        self.set_title(f"Mark {editor.at + 1}")
        self.kind.set_choice(mark.kind)
        self.misfit.setText(f"✘ {slide.misfit}")
        self.misfit.setVisible(bool(slide.misfit))
        self.place.setText(place_text(slide))
        self.place_row.setVisible(mark.kind != "blank")
        self.line_row.setVisible(mark.kind == "blank")
        self.ask.setVisible(mark.kind == "ask")
        self.reveals.setVisible(mark.kind == "ask")
        self.values_row.setVisible(mark.kind != "blank")
        self._show_texts(mark)
        with QSignalBlocker(self.reveals):
            self.reveals.setChecked(mark.reveals)
        if mark.kind == "ask":
            self.ask.show_question(mark, slide)
        self.values.setText(values_text(slide))
        self.clear_values.setVisible(bool(mark.values or mark.mistake))
        self._show_faults()

    def _show_texts(self, mark: Mark) -> None:
        shown = {
            "title": (self.title, mark.title),
            "text": (self.line, mark.text if mark.kind == "blank" else ""),
            "notes": (self.notes, mark.notes),
        }
        for key, (field, text) in shown.items():
            if key not in self._errors:
                field.show_text(text)
        if "seconds" not in self._errors and seconds_of(self.seconds.text()) != mark.seconds:
            self.seconds.show_text(seconds_text(mark.seconds) if mark.seconds else "")

    def keep(self, name: str, value: object) -> None:
        """Change an attribute of the mark, or show why its value is invalid."""
        mark = self._editor.mark
        if mark is None:
            return
        try:
            check_mark(replace(mark, **{name: value}))
        except EngineError as error:
            self.refuse(name, str(error))
            return
        self._errors.pop(name, None)
        self._editor.set(**{name: value})
        self._show_faults()

    def refuse(self, name: str, sentence: str) -> None:
        """Show the reason why the text of an attribute's field is invalid."""
        self._errors[name] = sentence
        self._show_faults()

    def has_error(self, name: str) -> bool:
        """Return whether the text of an attribute's field is invalid."""
        return name in self._errors

    def _show_faults(self) -> None:
        self.faults.setText("\n".join(f"✘ {text}" for text in self._errors.values()))
        self.faults.setVisible(bool(self._errors))
        for key, field in (("title", self.title), ("text", self.line), ("seconds", self.seconds)):
            set_valid(field, key not in self._errors)

    def _set_kind(self, kind: str) -> None:
        self._errors.clear()
        self._editor.set_kind(cast("MarkKind", kind))

    def _set_seconds(self, text: str) -> None:
        seconds = seconds_of(text)
        if seconds is None:
            self.refuse("seconds", "A timer is a number of seconds, or minutes and seconds: 1:30.")
        else:
            self.keep("seconds", seconds)


@exception_safe
class AskedPart(QWidget):
    """The question of a mark: its kind, the form of its answer, and its choices."""

    def __init__(self, style: Style, editor: LectureEditor, owner: MarkPart) -> None:
        super().__init__()
        self._style, self._editor, self._owner = style, editor, owner
        self.asks = ChoiceBox("Question")
        self.asks.activated.connect(self._set_question)
        self.form = Segmented(
            style, [("choices", "Choices"), ("number", "Number")], "Answered by", low=True
        )
        self.form.chosen.connect(partial(owner.keep, "form"))
        self.preview = plain_label(wraps=True)
        self.preview.setAccessibleName("Choices")
        self.leaf = ChoiceBox("Leaf that changes")
        self.leaf.activated.connect(self._set_leaf)
        self.to = LineField("changes to", "its new number")
        self.to.textEdited.connect(self._set_to)
        self.text = LineField("question", "asked in your own words", LINE_LIMIT)
        self.text.textEdited.connect(partial(owner.keep, "text"))
        self.choices = ChoicesPart(style)
        self.choices.edited.connect(partial(owner.keep, "choices"))
        self.leaf_row = labelled(style, "leaf", self.leaf)
        self.to_row = labelled(style, "to", self.to)
        self.text_row = labelled(style, "text", self.text)
        self.form_row = labelled(style, "answer", self.form)
        parts = (labelled(style, "question", self.asks), self.leaf_row, self.to_row, self.text_row)
        in_column(
            *parts, self.choices, self.form_row, self.preview,
            parent=self, style=style, edges=0, gap=6,
        )  # fmt: skip

    def show_question(self, mark: Mark, slide: Slide) -> None:
        """Show the question of a mark, and list the kinds of questions possible at its place."""
        kinds = self._editor.question_kinds()
        shown: list[AskedKind] = [*kinds] if mark.asks in kinds else [mark.asks, *kinds]
        if shown != [self.asks.itemData(k) for k in range(self.asks.count())]:
            self.asks.clear()
            for kind in shown:
                self.asks.addItem(ASKED_TITLES[kind], kind)
        self.asks.setCurrentIndex(shown.index(mark.asks))
        self._show_change(mark)
        is_own = mark.asks == "text"
        self.text_row.setVisible(is_own)
        self.choices.setVisible(is_own)
        if is_own and not self._owner.has_error("text"):
            self.text.show_text(mark.text)
        if is_own and not self._owner.has_error("choices"):
            self.choices.show_choices(mark.choices)
        set_valid(self.text, not self._owner.has_error("text"))
        self.form_row.setVisible(mark.asks not in CHOICES_ONLY)
        self.form.set_choice(mark.form)
        self.preview.setVisible(not is_own)
        self.preview.setText(preview_text(slide, self._style.digits))

    def _set_question(self) -> None:
        self._editor.set_question(self.asks.currentData())

    def _set_leaf(self) -> None:
        self._owner.keep("leaf", self.leaf.currentData())

    def _show_change(self, mark: Mark) -> None:
        graph = self._editor.graph
        for row in (self.leaf_row, self.to_row):
            row.setVisible(mark.asks == "change")
        if mark.asks != "change":
            return
        leaves = list(graph.leaves)
        if leaves != [self.leaf.itemData(k) for k in range(self.leaf.count())]:
            self.leaf.clear()
            for leaf in leaves:
                self.leaf.addItem(graph.names[leaf], leaf)
        self.leaf.setCurrentIndex(self.leaf.findData(mark.leaf))
        if not self._owner.has_error("to") and parse_number(self.to.text()) != mark.to:
            self.to.show_text(f"{mark.to:g}".replace("-", "−"))

    def _set_to(self, text: str) -> None:
        number = parse_number(text)
        if number is None:
            self._owner.refuse("to", why_no_number(text))
        else:
            self._owner.keep("to", number)


class ChoicesPart(QWidget):
    """Two to four choices in own words, one right, each with a sentence for the reveal."""

    edited = Signal(object)
    """Emitted with the tuple of choices, valid or not."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.rights: list[QRadioButton] = []
        self._one_right = QButtonGroup(self)
        self.texts: list[LineField] = []
        self.says: list[LineField] = []
        rows = [self._make_row(style, k) for k in range(CHOICES_LIMIT)]
        caption = plain_label("The answers; mark the right one", "caption", True)
        in_column(caption, *rows, parent=self, style=style, edges=0, gap=4)

    def _make_row(self, style: Style, index: int) -> QWidget:
        right = QRadioButton()
        right.setAccessibleName(f"Answer {index + 1} is right")
        right.setToolTip("This answer is right")
        text = LineField(f"answer {index + 1}", _CHOICE_HINTS[index], CHOICE_LIMIT)
        say = LineField(f"said of answer {index + 1}", "said at the reveal", SAY_LIMIT)
        for field in (text, say):
            field.textEdited.connect(self._emit)
        right.clicked.connect(self._emit)
        self.rights.append(right)
        self._one_right.addButton(right)
        self.texts.append(text)
        self.says.append(say)
        row, fields = QWidget(), QWidget()
        in_column(text, say, parent=fields, style=style, edges=0, gap=2)
        in_row(right, (fields, 1), parent=row, style=style, edges=0, gap=4)
        return row

    def show_choices(self, choices: tuple[Choice, ...]) -> None:
        """Show choices in the first rows; clear the others."""
        if choices == self._typed():
            return
        self._one_right.setExclusive(False)  # or Qt would keep one checked
        padded = [*choices, *[Choice("")] * (CHOICES_LIMIT - len(choices))]
        for right, text, say, choice in zip(
            self.rights, self.texts, self.says, padded, strict=True
        ):
            text.show_text(choice.text)
            say.show_text(choice.say)
            right.setChecked(choice.right)
        self._one_right.setExclusive(True)

    def _typed(self) -> tuple[Choice, ...]:
        rows = zip(self.rights, self.texts, self.says, strict=True)
        return tuple(
            Choice(text.text(), say.text(), right.isChecked())
            for right, text, say in rows
            if text.text().strip()
        )

    def _emit(self) -> None:
        self.edited.emit(self._typed())
