"""RecordPart: the lesson of the sheet: its head, its steps, and the chosen step.

Each part shows the draft of the `Recorder` anew after every change of it, and calls the recorder
with what is typed, ticked and pressed; it keeps nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import asdict
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QSizePolicy, QWidget

from app.controls.choices import ChoiceBox
from app.controls.layouts import (
    RowsOnDemand,
    in_column,
    in_row,
    plain_label,
    plain_tooltip,
    set_valid,
    show_text,
)
from app.controls.painted_buttons import IconButton
from app.controls.panel import GAP, Block
from app.controls.spans import ListRow, Span
from app.guard import exception_safe
from app.guide.run.recorder import Recorder
from app.guide.words.room import seconds_of, seconds_text
from app.guide.words.written import (
    NOTHING_TICKED,
    OWN_KINDS,
    begins_text,
    check_rows,
    head_faults,
    hunt_rows,
    moves_text,
    obstacle_text,
    question_rows,
    status_text,
    step_faults,
    step_title,
    timers_text,
)
from app.lessons.lesson import Choice, StepKind
from app.lessons.parsing import LINE_LIMIT, TITLE_LIMIT, StepFile
from app.panels.lesson.step_fields import (
    FieldLabel,
    LineField,
    TextField,
    labelled,
    text_button,
    tick_box,
)
from app.panels.lesson.step_list import ChoicesPart, StepList
from app.style.current import Style
from engine.numbers import is_short_whole

KINDS: Final[Mapping[StepKind, str]] = {
    "say": "Text alone",
    "do": "Something to be done on the sheet; press Record and do it",
    "ask": "Questions; click a number or a wire",
    "hunt": "A mistake to be found",
    "free": "Something to try, without a given end",
    "blank": "A black screen with one line, for a room",
}
"""The kinds of steps, with their tooltips."""
FROM_SHEET: Final = "New step, from the sheet as it is now"
HOW_TO_BEGIN: Final = (
    "Go to a step, or select a node or a wire, and press A: a step of the lesson begins there, with"
    " a flag in the timeline. Begin plays it for a learner, F5 gives it to a room."
)
BECAME_TRUE: Final = "Became true. Which shall be the task?"
CLICK_NUMBER: Final = "Click a number on the sheet to put it into the text."
CLICK_QUESTION: Final = (
    "Click a number or a wire on the sheet: what can be asked about it is below."
)
_TEXT_LINES = 3
"""Least lines of the field of a step's text."""
_HEAD_FIELDS: Final = (
    ("title", "title", "Two paths from a to L"),
    ("able", "able", "goes on after: Now you can"),
    ("surprise", "surprise", "appears on the last page only"),
    ("needs", "needs", "gears, plus-times"),
    ("attacks", "attacks", "replaced, assign"),
)
"""Key, label and placeholder of each field of the head."""
_FOR_TEACHERS: Final = "for who teaches it; learners don't see them"
_STEP: Final = "step {place}, {kind}: {title}"
_FAULTY_STEP: Final = "step {place}, {kind}: {title}, has errors"
_NAME_LISTS: Final = ("needs", "attacks")
"""The keys of the head with several names, which are typed with commas."""
_ALWAYS_SHOWN: Final = ("title", "able")
"""The keys of the head that are not folded; a sheet's lesson is whole without the others."""
PROJECTOR: Final = "Use theme Projector"


@exception_safe
class RecordPart(QWidget):
    """Shows the lesson of a recorder, and edits it."""

    row_reveal_wanted = Signal(object, object)
    """Emitted with a list and the rectangle of a row to scroll into view."""
    projector_wanted = Signal()
    """Emitted when the theme for projectors is chosen."""

    def __init__(self, style: Style, recorder: Recorder) -> None:
        super().__init__()
        self._style, self._recorder = style, recorder
        self.head = HeadPart(style, recorder)
        self.step = StepPart(style, recorder)
        self.projector = text_button(PROJECTOR, "Dark lines on white for a projector; View has all")
        self.projector.clicked.connect(self.projector_wanted)
        style.run_now_and_on_change(self._show_projector)
        self._make_steps(style)
        self.status = plain_label(kind="secondary", wraps=True)
        self.status_block = Block(style, "", self.status)
        parts = (self.head, self.steps_block, self.step, self.status_block)
        in_column(*parts, parent=self, gap=0)
        self.setAccessibleName("Steps of the lesson")

    def _make_steps(self, style: Style) -> None:
        recorder = self._recorder
        self.hint = plain_label(HOW_TO_BEGIN, "secondary", wraps=True)
        self.steps = StepList(style)
        self.steps.chosen.connect(recorder.choose)
        self.steps.dropped.connect(recorder.move)
        self.steps.removed.connect(recorder.remove)
        self.steps.copied.connect(self._copy)
        self.steps.pasted.connect(self._paste)
        self.steps.dragged_over.connect(self._reveal_row)
        self.kinds: dict[StepKind, QPushButton] = {
            kind: text_button(kind.capitalize(), tip) for kind, tip in KINDS.items()
        }
        for kind, button in self.kinds.items():
            button.setProperty("edges", "narrow")
            button.setAccessibleName(f"New step: {kind}")
            button.clicked.connect(partial(recorder.add_step, kind))
        self.adding = QWidget()
        in_column(
            plain_label(FROM_SHEET, "caption"),
            in_row(*((button, 1) for button in self.kinds.values()), gap=4),
            parent=self.adding,
            style=style,
            gap=6,
        )
        tools = in_row(self.projector, 1, *self._made_tools(style), gap=4)
        self._make_ways_out(style)
        parts = (self.hint, self.ways_out, self.steps, tools, self.adding)
        self.steps_block = Block(style, "Steps", *parts)

    def _made_tools(self, style: Style) -> tuple[IconButton, ...]:
        """Return the buttons that move and delete the chosen step."""
        recorder = self._recorder
        self.up = IconButton(style, "up", "Move the step up", "Alt+Up")
        self.down = IconButton(style, "down", "Move the step down", "Alt+Down")
        self.remove = IconButton(style, "trash", "Delete the step", "Del")
        tools = (self.up, self.down, self.remove)
        for button in tools:
            button.setProperty("only", "small")
        self.up.clicked.connect(lambda: recorder.move(recorder.at, recorder.at - 1))
        self.down.clicked.connect(lambda: recorder.move(recorder.at, recorder.at + 1))
        self.remove.clicked.connect(lambda: recorder.remove())
        return tools

    def _make_ways_out(self, style: Style) -> None:
        """Make the buttons for a lesson that can't be read."""
        recorder = self._recorder
        self.copy_text = text_button("Copy its text", "Copy the lesson as it is, to mend it")
        self.copy_text.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(recorder.sheet.lesson)
        )
        self.drop = text_button("Drop it", "Delete the lesson; Undo brings it back")
        self.drop.clicked.connect(recorder.drop)
        self.ways_out = QWidget()
        in_row(self.copy_text, self.drop, 1, parent=self.ways_out, style=style, gap=4)

    def _show_projector(self) -> None:
        self.projector.setEnabled(self._style.theme.name != "projector")

    def _copy(self) -> None:
        if text := self._recorder.copied():
            QGuiApplication.clipboard().setText(text)

    def _paste(self) -> None:
        self._recorder.paste(QGuiApplication.clipboard().text())

    def _reveal_row(self, row: int) -> None:
        self.row_reveal_wanted.emit(self.steps, self.steps.rect_of(row))

    def show_draft(self) -> None:
        recorder = self._recorder
        draft, found = recorder.draft, recorder.reading
        self.head.show_head()
        unreadable = recorder.unreadable
        self.hint.setText(unreadable or HOW_TO_BEGIN)
        self.hint.setVisible(not draft.steps)
        self.ways_out.setVisible(bool(unreadable))
        for part in (self.head, self.adding):
            part.setVisible(not unreadable)
        titles = {slide.at: slide.title for slide in reversed(recorder.slides)}
        rows = [
            _step_row(k, step, titles.get(k, ""), step_faults(found, k), k == recorder.at)
            for k, step in enumerate(draft.steps)
        ]
        self.steps.show_rows(rows)
        self.steps.set_current(recorder.at)
        self.steps.setVisible(bool(rows))
        for button in (self.projector, self.up, self.down, self.remove):
            button.setVisible(bool(rows))
        self.up.setEnabled(recorder.at > 0)
        self.down.setEnabled(0 <= recorder.at < len(rows) - 1)
        self.remove.setEnabled(recorder.step is not None)
        self.step.setVisible(recorder.step is not None)
        if recorder.step is not None:
            self.step.show_step(recorder.step)
        self.steps_block.set_note(timers_text(draft))
        self.status_block.setVisible(bool(rows))
        self.status.setText(status_text(draft, found))


def _step_row(
    index: int, step: StepFile, place: str, faults: Sequence[str], is_current: bool
) -> ListRow:
    """Return the row of a step; red with its first fault."""
    faulty = bool(faults)
    title = step.title or (step_title(step) if faulty or not place else place)
    if NOTHING_TICKED in faults:  # a second line would move the ticks as the first one is ticked
        title, faults = NOTHING_TICKED, ()
    right: tuple[Span, ...] = (Span("✘", "error", bold=True),) if faulty else ()
    if step.timer and not faulty:
        right = (Span(seconds_text(step.timer), "secondary"),)
    below = (Span(faults[0].partition("; ")[0], "error"),) if faults else ()
    cells = (
        (Span(f"{index + 1}", "secondary"),),
        (Span(step.kind, "secondary", bold=True),),
        (Span(title, "error" if faulty else "text", bold=is_current),),
        right,
    )
    template = _FAULTY_STEP if faulty else _STEP
    spoken = template.format(place=index + 1, kind=step.kind, title=title)
    return ListRow(cells, spoken, below, "asked" if is_current else "", tooltip=title)


@exception_safe
class HeadPart(Block):
    """The head of the lesson: what it is called, what it teaches, how long it takes."""

    def __init__(self, style: Style, recorder: Recorder) -> None:
        self._recorder = recorder
        # made before Block's own start, which takes them as its rows
        self.fields = {
            key: LineField(label, placeholder) for key, label, placeholder in _HEAD_FIELDS
        }
        self.minutes = LineField("minutes", "5")
        self.faults = plain_label(kind="error", wraps=True)
        rows = {key: labelled(style, label, self.fields[key]) for key, label, _text in _HEAD_FIELDS}
        shown = [rows.pop(key) for key in _ALWAYS_SHOWN]
        self.more = text_button("More", "A surprise at the end, and what it builds on and attacks")
        self.more.setCheckable(True)
        self.folded = QWidget()
        in_column(*rows.values(), parent=self.folded, style=style, gap=GAP)
        self.folded.hide()
        self.more.toggled.connect(self.folded.setVisible)
        minutes = labelled(style, "minutes", self.minutes)
        below = (in_row(self.more, 1), self.folded, self.faults)
        super().__init__(style, "Lesson", *shown, minutes, *below, key="lesson-head")
        for key, field in self.fields.items():
            field.textEdited.connect(partial(self._set, key))
        self.minutes.textEdited.connect(self._set_minutes)

    def show_head(self) -> None:
        """Show the head of the draft, with its errors."""
        draft, found = self._recorder.draft, self._recorder.reading
        self.set_title(draft.title or "Lesson")
        self.set_note(f"{draft.minutes} min" if draft.minutes else "")
        for key, field in self.fields.items():
            value = getattr(draft, key)
            if key not in _NAME_LISTS:
                field.show_text(value)
            elif _names(field.text()) != value:  # else a comma just typed would be gone
                field.show_text(", ".join(value))
        shown = f"{draft.minutes or ''}"
        if self.minutes.text().strip() != shown and not self.minutes.hasFocus():
            self.minutes.show_text(shown)
            set_valid(self.minutes, True)
        if draft.surprise or draft.needs or draft.attacks:
            self.more.setChecked(True)
        clauses = head_faults(draft, found)
        show_text(self.faults, "\n".join(f"✘ {clause}" for clause in clauses))

    def _set(self, key: str, text: str) -> None:
        self._recorder.set_head(**{key: _names(text) if key in _NAME_LISTS else text})

    def _set_minutes(self, text: str) -> None:
        is_number = is_short_whole(text.strip() or "0")
        set_valid(self.minutes, is_number)
        if is_number:
            self._recorder.set_head(minutes=int(text.strip() or "0"))


def _names(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


@exception_safe
class StepPart(Block):
    """The chosen step: its texts, where it begins, and what its kind asks for."""

    def __init__(self, style: Style, recorder: Recorder) -> None:
        super().__init__(style, "Step")
        self._recorder = recorder
        self._make_kind_timer_and_reveal()
        self.title = LineField("title", "up to 40 characters", TITLE_LIMIT)
        self.task = LineField("task", "change b until a.grad is 0")
        self.text = TextField(style, "text", CLICK_NUMBER, _TEXT_LINES)
        self.hint = TextField(style, "hint", "said before any other help")
        self.notes = TextField(style, "notes", _FOR_TEACHERS, takes_numbers=False)
        self.lines = {"title": self.title, "task": self.task}
        """The fields of one line, by key."""
        self.texts = {"text": self.text, "hint": self.hint, "notes": self.notes}
        """The fields of several lines, by key."""
        self._written_last = self.text
        """The one that was written in last, text or hint."""
        fields = {**self.lines, "hint": self.hint, "notes": self.notes}
        self.rows = {key: labelled(style, key, field) for key, field in fields.items()}
        self._make_text_row(style)
        self._make_begin(style)
        self.do = DoPart(style, recorder)
        self.ask = AskPart(style, recorder)
        self.hunt = TicksPart(style, "Which mistakes may be drawn?", partial(recorder.tick, "hunt"))
        self.faults = plain_label(kind="error", wraps=True)
        texts = (self.rows["title"], self.rows["task"], self.text_row)
        of_kind = (self.do, self.ask, self.hunt, self.faults, self.begin)
        for_teachers = (self.rows["hint"], self.rows["notes"], labelled(style, "timer", self.timer))
        self.add(labelled(style, "kind", self.kind), *texts, *of_kind, *for_teachers, self.reveal)
        for key, field in self.lines.items():
            field.textEdited.connect(partial(self._set, key))
        for key, field in self.texts.items():
            field.textChanged.connect(partial(self._set_text, key))

    def _make_kind_timer_and_reveal(self) -> None:
        recorder = self._recorder
        self.kind = ChoiceBox("Kind")
        for kind, tip in KINDS.items():
            self.kind.addItem(kind, kind)
            self.kind.setItemData(self.kind.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.kind.activated.connect(lambda: recorder.set_kind(self.kind.currentData()))
        self.timer = LineField("timer", "for a room: seconds, or 1:30")
        self.timer.textEdited.connect(self._set_timer)
        self.reveal = tick_box("Reveal the answer to a room", partial(self._set, "reveal"))

    def _make_text_row(self, style: Style) -> None:
        self.number = text_button(
            "{ }", "Put a number of what is selected on the sheet into the text"
        )
        self.number.setProperty("small", "true")
        self.number.clicked.connect(lambda: self._offer_numbers())
        self.text_row = QWidget()
        left = Qt.AlignmentFlag.AlignLeft
        label = in_column(FieldLabel(style, "text"), (self.number, left), 1, gap=6)
        in_row(label, (self.text, 1), parent=self.text_row, style=style, gap=4)
        self.text_row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _make_begin(self, style: Style) -> None:
        recorder = self._recorder
        self.begins = plain_label(kind="caption", wraps=True)
        self.take = text_button(
            "Take the sheet",
            "Let the step begin as the sheet is now; changed numbers are the step's alone",
        )
        self.show_sheet = text_button("Show its sheet", "Show the sheet as the step begins")
        self.light = text_button("Light", "Put a solid ring around what is selected")
        self.watch = text_button("Watch", "Put a dashed ring around what is selected")
        buttons = (self.take, self.show_sheet, self.light, self.watch)
        for button in buttons:
            button.setProperty("small", "true")
        self.take.clicked.connect(recorder.take_sheet)
        self.show_sheet.clicked.connect(recorder.show_step)
        self.light.clicked.connect(partial(recorder.set_pointed, "light"))
        self.watch.clicked.connect(partial(recorder.set_pointed, "watch"))
        self.begin = QWidget()
        sheet, pointing = in_row(*buttons[:2], 1, gap=4), in_row(*buttons[2:], 1, gap=4)
        parts = (self.begins, sheet, pointing)
        in_column(*parts, parent=self.begin, style=style, gap=4)

    def show_step(self, step: StepFile) -> None:
        recorder = self._recorder
        self.set_title(f"Step {recorder.at + 1}: {step.kind}")
        kinds = list(KINDS)
        self.kind.setCurrentIndex(kinds.index(step.kind) if step.kind in kinds else -1)
        if seconds_of(self.timer.text()) != step.timer:
            self.timer.show_text(seconds_text(step.timer) if step.timer else "")
            set_valid(self.timer, True)
        self.reveal.setVisible(step.kind in ("ask", "hunt"))
        self.reveal.setChecked(step.reveal)
        for key, field in (*self.lines.items(), *self.texts.items()):
            field.show_text(getattr(step, key))
        self.rows["task"].setVisible(step.kind == "do")
        self.begins.setText(begins_text(step))
        self.do.setVisible(step.kind in ("do", "free"))
        self.ask.setVisible(step.kind == "ask")
        self.hunt.setVisible(step.kind == "hunt")
        if step.kind in ("do", "free"):
            self.do.show_step(step)
        elif step.kind == "ask":
            self.ask.show_step(step)
        elif step.kind == "hunt":
            self.hunt.show_ticks(hunt_rows(step, recorder.mistakes()))
        clauses = [x for x in step_faults(recorder.reading, recorder.at) if x != NOTHING_TICKED]
        show_text(self.faults, "\n".join(f"✘ {clause}" for clause in clauses))

    def insert(self, text: str) -> None:
        """Put a text at the caret of the text or the hint, whichever was written in last."""
        self._written_last.insertPlainText(text)
        self._written_last.setFocus()

    def _set(self, key: str, value: object) -> None:
        self._recorder.set_step(**{key: value})

    def _set_timer(self, text: str) -> None:
        seconds = seconds_of(text)
        set_valid(self.timer, seconds is not None)
        if seconds is not None:
            self._recorder.set_step(timer=seconds)

    def _set_text(self, key: str) -> None:
        self._written_last = self.texts[key] if key != "notes" else self.text
        self._recorder.set_step(**{key: self.texts[key].toPlainText()})

    def _offer_numbers(self) -> None:
        menu = QMenu(self.number)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text in self._recorder.live_texts():
            menu.addAction(text, partial(self.insert, text))
        menu.popup(self.number.mapToGlobal(self.number.rect().bottomLeft()))


class TicksPart(QWidget):
    """A caption above a list of ticks."""

    def __init__(self, style: Style, caption: str, on_tick: Callable[[Any, bool], object]) -> None:
        """Make an empty list; `on_tick` is called with an entry of `show_ticks` and its state."""
        super().__init__()
        self._on_tick = on_tick
        self._shown: tuple[object, ...] = ()
        """The entries of the ticks."""
        self.caption = plain_label(caption, "caption", wraps=True)
        box = QWidget()
        column = in_column(parent=box, style=style, gap=0)
        self.ticks = RowsOnDemand(lambda: self._new_tick(), column.addWidget)
        in_column(self.caption, box, parent=self, style=style, gap=2)

    def show_ticks(self, rows: Sequence[tuple[object, str, bool]]) -> None:
        """Show a tick for each entry, with its text and whether it is on."""
        self._shown = tuple(entry for entry, _text, _on in rows)
        for tick, (_entry, text, on) in zip(self.ticks.show(len(rows)), rows, strict=True):
            tick.setText(text.replace("&", "&&"))  # a single one would underline a key
            tick.setToolTip(plain_tooltip(text))
            tick.setChecked(on)

    def _new_tick(self) -> QCheckBox:
        tick = tick_box("", lambda on: self._tick(tick, on))
        tick.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return tick

    def _tick(self, tick: QCheckBox, on: bool) -> None:
        index = self.ticks.shown.index(tick)
        self._on_tick(self._shown[index], on)


class DoPart(QWidget):
    """The moves of a step, with the button that records them, and what they made true."""

    def __init__(self, style: Style, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder
        self.moves = plain_label(wraps=True)
        self.moves.setProperty("kind", "mono")
        self.record = IconButton(style, "", "Record the moves of this step", text="Record")
        self.record.clicked.connect(self._toggle)
        self.lost = plain_label(kind="error", wraps=True)
        """Why the last change could not be recorded."""
        self.checks = TicksPart(style, BECAME_TRUE, partial(recorder.tick, "check"))
        in_column(
            in_row(FieldLabel(style, "moves"), (self.moves, 1), self.record),
            self.lost,
            self.checks,
            parent=self,
            style=style,
            gap=6,
        )

    def show_step(self, step: StepFile) -> None:
        recording = self._recorder.recording
        self.record.setText("Record" if recording is None else "Stop")
        self.record.set_kind("mistake" if recording is not None else "")
        self.record.setEnabled(self._recorder.begun is not None)
        self.moves.setText(moves_text(step, self._recorder.recorded))
        show_text(self.lost, "" if recording is None else recording.lost)
        rows = check_rows(step, self._recorder.recorded)
        self.checks.setVisible(bool(rows))
        self.checks.show_ticks(rows)

    def _toggle(self) -> None:
        if self._recorder.recording is None:
            self._recorder.record()
        else:
            self._recorder.stop()


class AskPart(QWidget):
    """The questions of a step, and those that can be asked about what is selected."""

    def __init__(self, style: Style, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder
        self.questions = TicksPart(style, CLICK_QUESTION, partial(recorder.tick, "ask"))
        self.choices = tick_box(
            "As choices", lambda on: recorder.set_step(form="choices" if on else "field")
        )
        self.friendly = tick_box("New numbers each time", lambda on: recorder.set_step(friendly=on))
        self.own_text = LineField("question", "asked in your own words", LINE_LIMIT)
        self.own_text.textEdited.connect(self._set_text)
        self.own_choices = ChoicesPart(style)
        self.own_choices.edited.connect(self._set_choices)
        self.own_row = labelled(style, "text", self.own_text)
        parts = (self.questions, self.own_row, self.own_choices, self.choices, self.friendly)
        in_column(*parts, parent=self, style=style, gap=6)

    def _set_text(self, text: str) -> None:
        self._set_own(text=text)

    def _set_choices(self, choices: Sequence[Choice]) -> None:
        tables = [{k: x for k, x in asdict(choice).items() if x} for choice in choices]
        self._set_own(choices=tables)

    def _set_own(self, **keys: object) -> None:
        """Change keys of the question in own words."""
        step = self._recorder.step
        if step is not None:
            asks = [{**ask, **keys} if ask.get("kind") in OWN_KINDS else ask for ask in step.ask]
            self._recorder.set_step(ask=tuple(asks))

    def _show_own(self, step: StepFile) -> None:
        own = next((ask for ask in step.ask if ask.get("kind") in OWN_KINDS), None)
        for part in (self.own_row, self.own_choices):
            part.setVisible(own is not None)
        if own is not None:
            self.own_text.show_text(str(own.get("text", "")))
            self.own_choices.show_choices(
                tuple(
                    Choice(str(c.get("text", "")), str(c.get("say", "")), bool(c.get("right")))
                    for c in own.get("choices", ())
                )
            )

    def show_step(self, step: StepFile) -> None:
        self.choices.setChecked(step.form == "choices")
        self.friendly.setChecked(step.friendly)
        self._show_own(step)
        recorder = self._recorder
        self.questions.caption.setText(obstacle_text(recorder.obstacle()) or CLICK_QUESTION)
        self.questions.show_ticks(question_rows(step, recorder.asked(), recorder.questions()))
