"""A teacher records a whole lesson on the sheet, and a learner plays it to its end."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.guide.play.guide import learner_of
from app.lessons.draft import NO_GRAPH, draft_of, written
from app.lessons.load import load_lesson, problems
from app.panels.lesson import LessonPage
from app.panels.lesson.record_part import CLICK_QUESTION, RecordPart
from app.window.commands.file_actions import open_now
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.files import load_drawing, save
from engine.formats.native import Drawing
from tests.helpers import mouse
from tests.helpers.answering import push
from tests.helpers.lesson_learner import Learner
from tests.helpers.lessons import LESSON
from tests.helpers.mouse import (
    at_header,
    at_number,
    at_wire,
    double_click,
    key,
    type_into_focus,
    write_into_focus,
)
from tests.helpers.window import click, forget_changes, opened_window, said

ENTER, LEFT = Qt.Key.Key_Return, Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def same_draws() -> None:
    """Friendly numbers and the hunted mistake are drawn as in any other run."""
    random.seed(28)


class Teacher:
    """Somebody who records a lesson with mouse and keys."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.learner = window, Learner(window)

    @property
    def page(self) -> LessonPage:
        return cast("LessonPage", self.window.bar.get("lesson"))

    @property
    def part(self) -> RecordPart:
        assert self.page.record is not None
        return self.page.record

    def type_formula(self, text: str) -> None:
        self.window.show_work()
        self.window.expression.field.setFocus()
        type_into_focus(text)
        key(ENTER)
        QApplication.processEvents()

    def begin(self) -> None:
        self.window.commands["record_lesson"].trigger()
        QApplication.processEvents()

    def write(self, field: QLineEdit | QPlainTextEdit, text: str) -> None:
        field.setFocus()
        field.selectAll()
        write_into_focus(text)
        QApplication.processEvents()

    def new(self, kind: str, title: str, text: str) -> None:
        click(self.part.kinds[kind])  # pyright: ignore[reportArgumentType]
        self.write(self.part.step.title, title)
        self.write(self.part.step.text, text)

    def tick(self, beginning: str) -> None:
        """Tick what begins with these words, in whichever list it stands."""
        step = self.part.step
        lists = (step.do.checks, step.ask.questions, step.hunt)
        ticks = [tick for found in lists if found.isVisible() for tick in found.ticks.shown]
        tick = next(tick for tick in ticks if tick.text().startswith(beginning))
        if not tick.isChecked():
            tick.setFocus()
            key(Qt.Key.Key_Space)

    def offered(self) -> list[str]:
        """What is offered for a tick, and what is ticked."""
        step = self.part.step
        lists = (step.do.checks, step.ask.questions, step.hunt)
        return [t.text() for found in lists if found.isVisible() for t in found.ticks.shown]

    def save(self, path: Path) -> None:
        click(self.page.save_lesson)
        (dialog,) = [d for d in self.window.findChildren(QFileDialog) if d.isVisible()]
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        dialog.activateWindow()
        field.setFocus()
        QApplication.processEvents()
        field.selectAll()
        typed = QInputMethodEvent()
        typed.setCommitString(str(path))
        QApplication.sendEvent(field, typed)
        key(ENTER)
        self.window.activateWindow()
        QApplication.processEvents()


def begin_recording(window: MainWindow) -> None:
    found = Teacher(window)
    found.type_formula("a = 3; b = -2; f = 5; e = a*b; d = e + a; L = d*f")
    found.begin()


@pytest.fixture
def teacher(qtbot: QtBot) -> Iterator[Teacher]:
    """Somebody who has begun to record a lesson on the graph of a formula."""
    with opened_window(qtbot, prepare=begin_recording) as window:
        yield Teacher(window)


def record_lesson(teacher: Teacher) -> None:
    """Record a step of each kind, as the picture of the recorder has them."""
    part, window = teacher.part, teacher.window
    assert not part.head.fields["surprise"].isVisible(), "optional, so folded"
    click(part.head.more)
    for field, text in (
        ("title", "Two paths from a to L"),
        ("able", "Add what comes back by every wire"),
        ("surprise", "Two contributions can cancel."),
        ("attacks", "replaced, assign"),
    ):
        teacher.write(part.head.fields[field], text)
    window.selection.focus_on(graph_node(window, "a"))
    teacher.new("say", "a is read twice", 'Two wires leave **a**, which is {a}: "both" count.')
    teacher.new("do", "Make the two cancel", "One wire brings {d.2}, the other {e.1}.")
    teacher.write(part.step.task, "change b until a.grad is 0")
    teacher.learner.step_to(7)
    click(part.step.take)
    click(part.step.do.record)
    assert ", recording a lesson" in window.windowTitle()
    assert window.bar.frame.note.text() == "recording"
    double_click(window.canvas, at_number(window.canvas, graph_node(window, "b")))
    type_into_focus("-1")
    key(ENTER)
    QApplication.processEvents()
    assert part.step.do.moves.text() == "b = −1"
    click(part.step.do.record)
    assert {"a.grad is 0", "L is 0", "f.grad is 0", "b is -1"} & {
        text.replace("−", "-") for text in teacher.offered()
    }
    teacher.tick("a.grad is 0")
    teacher.new("ask", "All of it", "New numbers: work on paper, then type.")
    window.selection.focus_on(graph_node(window, "a"))
    for tick in part.step.ask.questions.ticks.shown:
        if tick.isChecked() is not tick.text().startswith("final a"):
            tick.click()
    if part.step.ask.choices.isChecked():
        part.step.ask.choices.click()


def record_one(window: MainWindow) -> None:
    begin_recording(window)
    record_lesson(Teacher(window))


@pytest.fixture
def recorded(qtbot: QtBot) -> Iterator[Teacher]:
    """Somebody who has recorded a lesson with a step of each kind."""
    with opened_window(qtbot, prepare=record_one) as window:
        yield Teacher(window)


def graph_node(window: MainWindow, name: str) -> int:
    node = window.document.graph.node_named(name)
    assert node is not None
    return node


def test_a_lesson_is_recorded_saved_and_played_to_its_end(recorded: Teacher, tmp_path: Path):
    teacher, window = recorded, recorded.window
    part = teacher.part
    click(part.step.take)
    teacher.new("hunt", "Somebody forgot something", "Find the first wrong gradient.")
    assert len(teacher.offered()) > 3
    for mistake in ("Assign", "="):
        if any(text.startswith(mistake) for text in teacher.offered()):
            teacher.tick(mistake)
    teacher.tick(teacher.offered()[0])
    teacher.new("free", "Three paths", "Give a a third reader.")
    assert part.status.text() == "✓ 5 steps, no errors", part.step.faults.text()
    path = tmp_path / "two-paths.toml"
    teacher.save(path)
    assert problems(path) == ()
    lesson = load_lesson(path)
    assert [step.kind for step in lesson.steps] == ["say", "do", "ask", "hunt", "free"]
    assert [move.text for move in lesson.steps[1].moves] == ["b = -1"]
    assert not window.document.edited, "a sheet that a formula gives is in its lesson file"
    window.context.guides.begin(learner_of(lesson))
    window.bar.open("lesson")
    learner = Learner(window)
    for _at in learner.steps():
        learner.do_step()
    assert learner.count == "1 of 1 right first time"


def test_minutes_that_are_no_short_number_are_refused_in_their_field(teacher: Teacher):
    teacher.begin()
    recorder, field = teacher.window.context.recorders.get(), teacher.part.head.minutes
    for text, minutes, valid in (("7", 7, "true"), ("9" * 4400, 7, "false"), ("8", 8, "true")):
        field.setText(text)
        field.textEdited.emit(text)
        assert (recorder.draft.minutes, field.property("valid")) == (minutes, valid)


def test_a_try_plays_from_the_step_and_comes_back_to_the_recorder(recorded: Teacher):
    teacher, window = recorded, recorded.window
    draft, sheet = window.context.recorders.get().draft, window.document.graph
    rows = teacher.part.steps
    mouse.click(rows.viewport(), rows.rect_of(1).center())
    QApplication.processEvents()
    click(teacher.page.try_step)
    QApplication.processEvents()
    assert window.context.guides.active
    assert not teacher.part.isVisible()
    assert teacher.page.player.step_title.text() == "Make the two cancel"
    teacher.learner.do_step()
    assert teacher.learner.state.may_go_on
    click(teacher.page.end_try)
    QApplication.processEvents()
    assert teacher.part.isVisible()
    assert window.context.recorders.get().draft == draft
    assert window.document.graph == sheet
    assert window.context.progress.progress.of("lesson").at == 0


def test_a_number_that_is_clicked_stands_live_in_the_text(teacher: Teacher):
    window = teacher.window
    teacher.learner.step_to(7)
    teacher.new("say", "Live", "b is ")
    node, viewport = graph_node(window, "b"), window.canvas.viewport()
    QTest.mouseClick(viewport, LEFT, pos=at_number(window.canvas, node).toPoint())
    assert teacher.part.step.text.toPlainText() == "b is {b}"
    assert teacher.part.step.text.hasFocus()
    label = window.canvas.scene.labels.rect((graph_node(window, "e"), 0))
    assert label is not None
    point = window.canvas.camera.to_screen(label.center()).toPoint()
    QTest.mouseClick(viewport, LEFT, pos=point)
    assert teacher.part.step.text.toPlainText() == "b is {b}{e.1}"


def test_a_head_or_a_wire_that_is_clicked_while_writing_is_selected(teacher: Teacher):
    window, canvas = teacher.window, teacher.window.canvas
    teacher.new("ask", "All of it", "What goes back?")
    mouse.click(canvas, at_header(canvas, graph_node(window, "a")))
    assert window.selection.nodes == {graph_node(window, "a")}
    assert any(text.startswith("final a") for text in teacher.offered())
    teacher.part.step.text.setFocus()
    wire = (graph_node(window, "e"), 0)
    mouse.click(canvas, at_wire(canvas, wire))
    assert window.selection.wires == {wire}
    assert any(text.startswith("contribution e.1") for text in teacher.offered())
    assert teacher.part.step.text.toPlainText() == "What goes back?"


def test_moves_are_recorded_though_the_text_was_written_in_just_before(teacher: Teacher):
    window, canvas = teacher.window, teacher.window.canvas
    teacher.new("do", "Make e 0", "One number is enough.")
    click(teacher.part.step.do.record)
    assert canvas.hasFocus()
    teacher.part.step.text.setFocus()
    double_click(canvas, at_number(canvas, graph_node(window, "b")))
    type_into_focus("0")
    key(ENTER)
    QApplication.processEvents()
    assert teacher.part.step.do.moves.text() == "b = 0"
    assert teacher.part.step.text.toPlainText() == "One number is enough."


def test_a_wire_that_has_been_used_already_says_why_nothing_can_be_asked(teacher: Teacher):
    window = teacher.window
    teacher.learner.step_to(7)
    teacher.new("ask", "All of it", "What goes back?")
    wire = (graph_node(window, "e"), 0)
    mouse.click(window.canvas, at_wire(window.canvas, wire))
    assert teacher.part.step.ask.questions.caption.text() == (
        "Nothing can be asked about it where the step begins: e.1 is passed at step 6 already. "
        "Step back, and press Take the sheet."
    )
    for _ in range(3):
        push(window, "back")
    click(teacher.part.step.take)
    assert any(text.startswith("contribution e.1") for text in teacher.offered())
    assert teacher.part.step.ask.questions.caption.text() == CLICK_QUESTION


def test_what_became_true_begins_with_the_root_and_stays_in_its_place(teacher: Teacher):
    window = teacher.window
    teacher.new("do", "Make L 0", "One number is enough.")
    click(teacher.part.step.do.record)
    double_click(window.canvas, at_number(window.canvas, graph_node(window, "a")))
    type_into_focus("0")
    key(ENTER)
    click(teacher.part.step.do.record)
    assert teacher.part.step.do.checks.ticks.shown[0].isChecked()
    assert teacher.offered() == ["L is 0", "e is 0", "d is 0", "a is 0"]
    teacher.tick("a is 0")
    teacher.tick("d is 0")
    assert teacher.offered() == ["L is 0", "e is 0", "d is 0", "a is 0"]
    assert len(window.context.recorders.get().draft.steps[0].check) == 3


def test_the_texts_of_a_step_stand_whole_in_their_fields(teacher: Teacher):
    window = teacher.window
    teacher.new("say", "Long", " ".join(["One wire brings {d.2}, the other {e.1}."] * 4))
    step = teacher.part.step
    teacher.write(
        step.hint,
        "Guess first: for which b do the two cancel, and why? Write it down before you move b.",
    )
    for size in (2.0, 1.0):
        window.context.style.set_size(size)
        QApplication.processEvents()
        fields = [*step.texts.values(), *step.lines.values(), *teacher.part.head.fields.values()]
        assert len({field.x() for field in fields if field.isVisible()}) == 1
        for field in step.texts.values():
            assert field.verticalScrollBar().maximum() == 0, (size, field.accessibleName())
    assert step.text.height() > step.hint.height() > step.notes.height()


def test_the_page_of_the_recorder_leaves_the_sheet_in_view_at_twice_the_size(teacher: Teacher):
    window, canvas = teacher.window, teacher.window.canvas
    window.resize(1366, 768)
    window.context.style.set_size(2.0)
    QApplication.processEvents()
    assert window.parts.page_floats
    page = teacher.page.mapTo(window, teacher.page.rect().topLeft()).x()
    right = canvas.camera.rect_on_screen(canvas.scene.bounds()).right()
    assert canvas.mapTo(window, canvas.rect().topLeft()).x() + right < page


def test_steps_are_unsaved_work_of_the_sheet_that_undo_takes_back(teacher: Teacher, tmp_path: Path):
    window, path = teacher.window, tmp_path / "graph.backwire"
    window.context.files.document_file.save(path)
    teacher.new("say", "One", "Text.")
    assert window.document.edited
    window.close()
    (box,) = window.findChildren(QMessageBox)
    assert box.text() == "Save the changes to graph.backwire?"
    box.reject()
    assert window.isVisible()
    window.context.files.recovery.keep()
    (copy,) = window.context.files.recovery.folder.glob("*.backwire")
    assert load_drawing(str(copy)).lesson == window.document.sheet.lesson
    texts = [window.document.sheet.lesson]
    while window.document.edited:
        window.commands["undo"].trigger()
        QApplication.processEvents()
        texts.append(window.document.sheet.lesson)
    assert texts[-1] == ""
    assert not teacher.part.steps.isVisible()
    assert len(texts) == 4, "the step, its title, its text"


def test_a_lesson_is_opened_as_a_sheet_whose_save_writes_its_file(teacher: Teacher, tmp_path: Path):
    window, path = teacher.window, tmp_path / "two-paths.toml"
    path.write_text(LESSON, "utf-8")
    forget_changes(window)
    open_now(window.context, path)
    assert window.context.guides.active
    window.commands["edit_lesson"].trigger()
    QApplication.processEvents()
    assert not window.context.guides.active
    assert teacher.part.status.text() == "✓ 5 steps, no errors"
    assert window.document.path is None
    recorder = window.context.recorders.get()
    recorder.choose(0)
    teacher.write(teacher.part.step.title, "Said otherwise")
    assert window.document.edited
    window.commands["save"].trigger()
    assert not window.document.edited
    lesson = load_lesson(path)
    assert [step.title for step in lesson.steps] == [
        "Said otherwise", "Do", "Ask", "Hunt", "Free",
    ]  # fmt: skip
    assert lesson.graph.leaf_values == window.document.graph.leaf_values


def test_a_question_that_looks_like_html_is_shown_as_it_is_written(teacher: Teacher):
    choices = '[{ text = "1", say = "One.", right = true }, { text = "2", say = "Two." }]'
    asked = f'{{ kind = "text", text = "<b>one</b>?", choices = {choices} }}'
    step = LESSON.index("ask = ["), LESSON.index("\n", LESSON.index("ask = ["))
    document, recorder = teacher.window.document, teacher.window.context.recorders.get()
    draft = draft_of(f"{LESSON[: step[0]]}ask = [{asked}]{LESSON[step[1] :]}")
    document.set_lesson(written(replace(draft, graph=NO_GRAPH)), "Add steps")
    recorder.choose(2)
    QApplication.processEvents()
    (tick,) = [t for t in teacher.part.step.ask.questions.ticks.shown if "one" in t.text()]
    assert "<b>one</b>?" in QTextDocumentFragment.fromHtml(tick.toolTip()).toPlainText()


def test_a_file_that_is_opened_while_moves_are_recorded_is_no_move_and_ends_recording(
    teacher: Teacher, tmp_path: Path
):
    teacher.new("do", "A move", "Text.")
    click(teacher.part.step.do.record)
    path = tmp_path / "other.backwire"
    save(from_expression("y = a*b; z = y*b + a"), path)
    open_now(teacher.window.context, path)
    QApplication.processEvents()
    recorder = teacher.window.context.recorders.get()
    assert (recorder.active, recorder.recording, recorder.away) == (False, None, False)
    assert teacher.window.document.sheet.lesson == ""


def test_moves_and_a_step_with_numbers_of_its_own_leave_the_sheet_as_it_is(teacher: Teacher):
    window, document = teacher.window, teacher.window.document
    teacher.new("say", "Before", "b is {b}.")
    numbers = document.graph.leaf_values
    document.set_value(graph_node(window, "b"), 0.0)
    click(teacher.part.step.take)
    recorder = window.context.recorders.get()
    assert recorder.step is not None
    assert recorder.step.values == {"b": 0}
    assert document.graph.leaf_values == numbers
    window.commands["undo"].trigger()
    assert document.graph.leaf_values == {**numbers, graph_node(window, "b"): 0.0}


def test_a_node_that_is_renamed_is_renamed_in_the_steps_in_the_same_undo(teacher: Teacher):
    window, document = teacher.window, teacher.window.document
    teacher.new("say", "Named", "{b.grad} of b")
    text = document.sheet.lesson
    document.set_label(graph_node(window, "b"), "bias")
    assert "{bias.grad} of b" in document.sheet.lesson
    window.commands["undo"].trigger()
    assert document.sheet.lesson == text


def test_a_step_is_copied_whole_and_pasted_on_another_sheet(teacher: Teacher):
    window, document = teacher.window, teacher.window.document
    teacher.learner.step_to(6)
    teacher.new("ask", "The second", "What reaches b?")
    recorder = window.context.recorders.get()
    copied = recorder.copied()
    assert 'expression = "e = a*b; d = e + a; L = d*f"' in copied.replace("\\n", "; ")
    assert recorder.paste(copied)
    assert [step.title for step in recorder.steps] == ["The second"] * 2
    assert recorder.steps[0] == recorder.steps[1], "on its own sheet it has no graph of its own"
    document.start(Drawing(from_expression("y = u*v", {"u": 5, "v": 7})))
    recorder.show()
    assert recorder.paste(copied)
    assert recorder.step is not None
    assert recorder.step.graph
    assert recorder.reading.faults == ()
    recorder.choose(-1)
    recorder.choose(0)
    assert recorder.away, "its graph is shown on a sheet of its own"
    window.commands["add_step"].trigger()
    assert said(window) == "This sheet is shown for one step. Go back to the sheet first."
    click(teacher.page.end_try)
    assert document.graph.root is not None
    assert document.graph.names[document.graph.root] == "y"
