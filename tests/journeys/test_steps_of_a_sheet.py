"""Somebody makes a lesson of a sheet: steps, questions, notes, order, files."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.guide.run.recorder import Recorder
from app.panels.lesson import LessonPage
from app.panels.lesson.record_part import RecordPart
from app.panels.lesson.step_fields import TextField
from app.panels.strip.timeline import STRIP_ROWS
from app.window.commands.file_actions import open_now
from app.window.dialogs.action_list import CommandPalette
from app.window.frame.main_window import MainWindow
from engine.graph import Leaf
from tests.helpers import mouse
from tests.helpers.mouse import (
    ALT,
    at_header,
    at_nothing,
    at_wire,
    drag,
    key,
    type_into_focus,
    write_into_focus,
)
from tests.helpers.window import (
    CTRL,
    SHIFT,
    choose_file,
    click,
    dialog_of,
    forget_changes,
    node,
    open_example,
    opened_window,
    press,
    question,
    said,
)

A = Qt.Key.Key_A


def with_three_steps(window: MainWindow) -> None:
    window.canvas.setFocus()
    mouse.hover(window.canvas, at_nothing(window.canvas))
    add_at(window, 2, 3, 6)
    window.commands["record_lesson"].trigger()


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """(a*b + a) * f on the sheet, the pointer over nothing."""
    with opened_window(qtbot, example="shared-leaf") as window:
        window.canvas.setFocus()
        mouse.hover(window.canvas, at_nothing(window.canvas))
        yield window


@pytest.fixture
def three(qtbot: QtBot) -> Iterator[MainWindow]:
    """The same with steps of a lesson at steps 2, 3 and 6, and their page."""
    with opened_window(qtbot, example="shared-leaf", prepare=with_three_steps) as window:
        yield window


def page(window: MainWindow) -> LessonPage:
    return cast("LessonPage", window.bar.get("lesson"))


def part(window: MainWindow) -> RecordPart:
    found = page(window).record
    assert found is not None
    return found


def recorder(window: MainWindow) -> Recorder:
    return window.context.recorders.get()


def add_at(window: MainWindow, *steps: int) -> None:
    """Go to each step of the backward pass and press A there."""
    for step in steps:
        window.playback.backward(cursor=step)
        window.canvas.setFocus()
        press(window, A)


def titles(window: MainWindow) -> list[str]:
    return [row.cells[2][0].text for row in part(window).steps.rows]


def starts(window: MainWindow) -> list[str]:
    return [step.start for step in recorder(window).steps]


def choose_step(window: MainWindow, number: int) -> None:
    rows = part(window).steps
    mouse.click(rows, rows.rect_of(number - 1).center())
    QApplication.processEvents()


def write(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    field.window().activateWindow()
    QApplication.processEvents()
    field.setFocus()
    field.selectAll()
    write_into_focus(text)
    QApplication.processEvents()


def read_now(window: MainWindow) -> None:
    """What stands 250 ms after the last edit."""
    pause = recorder(window)._pause  # pyright: ignore[reportPrivateUsage]
    if pause.isActive():
        pause.stop()
        pause.timeout.emit()
    QApplication.processEvents()


def flags(window: MainWindow) -> dict[str, list[int]]:
    """The steps under a flag, by the phase of their lane."""
    timeline = window.strip.timeline
    return {
        lane.track.phase: sorted(timeline._look(lane).flags)  # pyright: ignore[reportPrivateUsage]
        for lane in timeline.lanes
    }


def flag_is_painted(window: MainWindow, cursor: int) -> bool:
    """Whether the cloth of a flag is over the tick of a backward step, in the colour of texts."""
    timeline, x = window.strip.timeline, mouse.tick_x(window.strip.timeline, "backward", cursor)
    y = STRIP_ROWS.line - 10
    picture = timeline.grab().toImage()
    return picture.pixelColor(x + 2, y) == window.context.style.theme.text


# adding steps


def test_a_adds_the_step_that_is_shown_and_takes_it_away_again(window: MainWindow):
    add_at(window, 6)
    assert starts(window) == ["e.1"]
    assert flags(window) == {"forward": [], "backward": [6]}
    assert [k for k in range(1, 8) if flag_is_painted(window, k)] == [6]
    timeline = window.strip.timeline
    assert "Step 1: × (e) → a" in timeline.tooltip_at(mouse.tick_x(timeline, "backward", 6))
    assert "Step 1" not in timeline.tooltip_at(mouse.tick_x(timeline, "backward", 5))
    assert said(window) == "Step 1 is added: × (e) → a. A takes it away again."
    press(window, A)
    assert not flag_is_painted(window, 6)
    assert window.document.sheet.lesson == ""
    assert flags(window) == {"forward": [], "backward": []}
    assert said(window) == "Step 1 is taken away. Undo brings it back."
    press(window, "z", modifier=CTRL)
    assert starts(window) == ["e.1"]
    press(window, "p")
    assert flags(window) == {"forward": [], "backward": []}, "something is asked"


def test_the_values_a_selected_node_or_the_wire_under_the_pointer_become_steps(window: MainWindow):
    press(window, A)
    assert starts(window) == ["values"]
    assert flags(window) == {"forward": [3], "backward": []}, "the end of Forward"
    press(window, A)
    mouse.click(window.canvas, at_header(window.canvas, node(window, "a")))
    press(window, A)
    assert starts(window) == ["a"]
    assert flags(window)["backward"] == [6]
    assert window.playback.phase == "live", "the pass stays where it was"
    press(window, A)
    assert window.document.sheet.lesson == ""
    window.selection.clear()
    mouse.hover(window.canvas, at_wire(window.canvas, (node(window, "d"), 1)))
    press(window, A)
    assert starts(window) == ["d.2"]


def test_a_node_without_a_gradient_becomes_no_step_and_a_sentence_says_why(window: MainWindow):
    window.document.add_node(Leaf(1.0), (0.0, 600.0))
    window.selection.focus_on(max(window.document.graph.nodes))
    window.canvas.setFocus()
    press(window, A)
    assert window.document.sheet.lesson == ""
    assert said(window).startswith("Nothing is passed to ")


# the page


def test_the_page_is_offered_below_the_lessons_and_found_by_several_words(window: MainWindow):
    window.bar.open("lesson")
    click(page(window).prepare)
    assert part(window).isVisible()
    assert part(window).hint.text().startswith("Go to a step")
    for word in ("lecture", "speaker", "notes"):
        press(window, "p", modifier=CTRL | SHIFT)
        palette = dialog_of(window, CommandPalette)
        palette.filter.setText(word)
        assert "Make a lesson of this sheet" in palette.texts(), word
        palette.close()
        QApplication.processEvents()


def test_a_sheet_with_steps_shows_them_and_the_lessons_are_one_click_away(three: MainWindow):
    assert titles(three) == ["× (L) → d", "× (L) → f", "× (e) → a"]
    click(page(three).faces.button("lessons"))
    assert page(three).list_block.isVisible()
    assert not part(three).isVisible()
    click(page(three).faces.button("steps"))
    assert part(three).isVisible()


def test_choosing_a_step_shows_its_place_on_the_sheet(three: MainWindow):
    choose_step(three, 2)
    assert (three.playback.phase, three.playback.cursor) == ("backward", 3)
    choose_step(three, 3)
    assert three.playback.cursor == 6


def test_a_step_asks_before_its_wire_among_what_slips_give(three: MainWindow):
    choose_step(three, 3)
    recorder(three).set_kind("ask")
    step = recorder(three).step
    assert step is not None
    assert (step.start, step.form) == ("e.1", "choices")
    assert step.ask == ({"kind": "contribution", "wire": "e.1"},)
    ticks = [t.text() for t in part(three).step.ask.questions.ticks.shown if t.isChecked()]
    assert ticks == ["contribution e.1: 6\nslips: −4, −3, −2"]
    assert "✓ 3 steps, no errors" in part(three).status.text()


def test_a_question_in_own_words_is_typed_with_its_answers(three: MainWindow):
    choose_step(three, 1)
    recorder(three).set_kind("ask")
    ask = part(three).step.ask
    (own,) = [t for t in ask.questions.ticks.shown if "Your question?" in t.text()]
    own.click()
    write(ask.own_text, "What does += do?")
    for field, text in zip(ask.own_choices.texts, ("adds", "replaces"), strict=False):
        write(field, text)
    step = recorder(three).step
    assert step is not None
    (question,) = [ask for ask in step.ask if ask["kind"] == "text"]
    assert question["text"] == "What does += do?"
    assert [choice["text"] for choice in question["choices"]] == ["adds", "replaces"]
    read_now(three)
    assert "✓ 3 steps, no errors" in part(three).status.text()


def test_the_button_ask_asks_what_a_change_of_the_kind_would(three: MainWindow):
    choose_step(three, 3)
    mouse.click(three.canvas, at_header(three.canvas, node(three, "b")))
    three.playback.backward(cursor=5)
    click(part(three).kinds["ask"])
    by_button = recorder(three).step
    assert by_button is not None
    assert (by_button.form, by_button.ask) == ("choices", ({"kind": "final", "node": "b"},))
    click(part(three).kinds["say"])
    recorder(three).set_kind("ask")
    changed = recorder(three).step
    assert changed is not None
    assert (changed.form, changed.ask) == (by_button.form, by_button.ask)


def ticks(window: MainWindow, *, on: bool | None = None) -> list[QCheckBox]:
    step = part(window).step
    shown = step.hunt if step.hunt.isVisible() else step.ask.questions
    return [t for t in shown.ticks.shown if on is None or t.isChecked() == on]


def test_a_hunt_without_a_tick_says_what_to_do_and_no_row_moves_with_the_first(three: MainWindow):
    choose_step(three, 3)
    click(part(three).kinds["hunt"])
    assert titles(three)[3] == "Tick what is asked below."
    first = ticks(three)[0]
    before = first.mapTo(three, QPoint())
    mouse.click(first, QPoint(8, first.height() // 2))
    QApplication.processEvents()
    assert first.isChecked()
    assert first.mapTo(three, QPoint()) == before


def test_the_rows_of_questions_hold_still_while_they_are_ticked(three: MainWindow):
    choose_step(three, 3)
    recorder(three).set_kind("ask")
    mouse.click(three.canvas, at_header(three.canvas, node(three, "a")))
    texts = [tick.text() for tick in ticks(three)]
    assert len(texts) > 4
    for tick in (*ticks(three), *reversed(ticks(three))):
        was, text = tick.isChecked(), tick.text()
        if not (was and len(ticks(three, on=True)) == 1):
            tick.setFocus()
            tick.click()
            QApplication.processEvents()
            assert [each.text() for each in ticks(three)] == texts
            assert QApplication.focusWidget() is tick
            assert tick.text() == text


def test_notes_title_and_timer_are_typed_each_as_one_step_of_undo(three: MainWindow):
    window, step = three, part(three).step
    choose_step(window, 1)
    count = len(window.document.done)
    write(step.title, "times swaps")
    write(step.notes, "Wait.\nThen ask.")
    write(step.timer, "1:30")
    chosen = recorder(window).step
    assert chosen is not None
    assert (chosen.title, chosen.notes, chosen.timer) == ("times swaps", "Wait.\nThen ask.", 90)
    assert len(window.document.done) == count + 3
    assert titles(window)[0] == "times swaps"
    window.canvas.setFocus()
    for _ in range(3):
        press(window, "z", modifier=CTRL)
    assert recorder(window).steps[0].title == ""
    write(step.timer, "soon")
    assert recorder(window).steps[0].timer == 0
    assert step.timer.property("valid") == "false"


def test_a_takes_no_step_away_that_says_something(three: MainWindow):
    window, step = three, part(three).step
    choose_step(window, 1)
    write(step.notes, "Wait.")
    add_at(window, 2)
    assert len(starts(window)) == 3
    assert said(window) == "Step 1 stands here and says or asks something: delete it in the list."
    add_at(window, 6)
    assert len(starts(window)) == 2, "that one is a place alone"


def test_a_step_is_dragged_to_another_place(three: MainWindow):
    found = part(three).steps
    start, end = found.rect_of(2).center(), found.rect_of(0).center()
    drag(found, start, end - QPointF(0, 8).toPoint())
    assert titles(three) == ["× (e) → a", "× (L) → d", "× (L) → f"]
    assert three.document.done[-1].name == "Move a step"
    press(three, "z", modifier=CTRL)
    assert titles(three) == ["× (L) → d", "× (L) → f", "× (e) → a"]


def test_keys_move_copy_and_delete_a_step(three: MainWindow):
    found = part(three).steps
    choose_step(three, 1)
    found.setFocus()
    key(Qt.Key.Key_Down, ALT)
    assert titles(three) == ["× (L) → f", "× (L) → d", "× (e) → a"]
    key(Qt.Key.Key_Down, ALT)
    key(Qt.Key.Key_Down, ALT)
    assert titles(three)[2] == "× (L) → d", "it is the last one"
    key(Qt.Key.Key_C, CTRL)
    key(Qt.Key.Key_V, CTRL)
    assert titles(three)[2:] == ["× (L) → d", "× (L) → d"]
    assert three.document.graph.nodes, "the sheet keeps its nodes"
    key(Qt.Key.Key_Delete)
    key(Qt.Key.Key_Delete)
    assert titles(three) == ["× (L) → f", "× (e) → a"]


def sheet_shows(window: MainWindow) -> tuple[str, int, str]:
    """The place and the mistake on the sheet."""
    playback = window.playback
    return playback.phase, playback.cursor, playback.rules.name


def test_the_sheet_shows_the_chosen_step_after_paste_drag_delete_and_undo(three: MainWindow):
    found = part(three).steps
    recorder(three).add_step("hunt")
    recorder(three).tick("hunt", "assign", True)
    choose_step(three, 1)
    found.setFocus()
    key(Qt.Key.Key_C, CTRL)
    choose_step(three, 4)
    assert sheet_shows(three) == ("backward", 7, "assign")
    assert "rules changed" not in said(three)
    found.setFocus()
    key(Qt.Key.Key_V, CTRL)
    assert (recorder(three).at, sheet_shows(three)) == (4, ("backward", 2, "correct"))
    choose_step(three, 4)
    found.setFocus()
    key(Qt.Key.Key_Delete)
    assert (recorder(three).at, sheet_shows(three)) == (3, ("backward", 2, "correct"))
    three.canvas.setFocus()
    press(three, "z", modifier=CTRL)
    assert recorder(three).at == 4
    choose_step(three, 3)
    add_at(three, 4)
    press(three, "z", modifier=CTRL)
    assert (recorder(three).at, sheet_shows(three)) == (3, ("backward", 7, "assign"))
    drag(found, found.rect_of(0).center(), found.rect_of(2).center() + QPointF(0, 8).toPoint())
    assert (recorder(three).at, sheet_shows(three)) == (2, ("backward", 2, "correct"))


def test_a_hunt_begins_before_the_pass_and_rings_nothing(three: MainWindow):
    three.canvas.setFocus()
    mouse.click(three.canvas, at_header(three.canvas, node(three, "b")))
    click(part(three).kinds["hunt"])
    assert part(three).step.begins.text() == "Begins: with values, before backward."


# what no longer fits


def test_a_step_whose_wire_is_gone_is_red_with_the_reason_until_undo(three: MainWindow):
    found = part(three).steps
    three.document.remove([node(three, "b"), node(three, "e")])
    read_now(three)
    below = ["".join(span.text for span in row.below) for row in found.rows]
    assert below[2] == 'start: "e.1" is no wire'
    press(three, "z", modifier=CTRL)
    read_now(three)
    assert [row.below for row in found.rows] == [(), (), ()]


def type_formula(window: MainWindow, text: str) -> None:
    window.expression.field.setFocus()
    window.expression.field.selectAll()
    type_into_focus(text)
    key(Qt.Key.Key_Return)
    QApplication.processEvents()


def test_another_formula_is_a_new_sheet_without_steps_and_undo_brings_them_back(window: MainWindow):
    add_at(window, 6)
    type_formula(window, "y = tanh(p*q)")
    assert window.document.sheet.lesson == ""
    window.canvas.setFocus()
    press(window, "z", modifier=CTRL)
    assert starts(window) == ["e.1"]


def test_steps_stay_when_nodes_are_added_and_the_formula_is_edited(window: MainWindow):
    add_at(window, 6)
    type_formula(window, "e = a*b; d = e + a; L = d*f + b")
    window.document.add_node(Leaf(1.0), (0.0, 600.0))
    read_now(window)
    assert [slide.misfit for slide in recorder(window).slides] == [""]


def test_numbers_and_mistake_as_they_are_now_become_those_of_the_step_alone(three: MainWindow):
    choose_step(three, 2)
    b = node(three, "b")
    three.document.set_value(b, 0.0)
    three.commands["rules-assign"].trigger()
    three.playback.backward(cursor=3)
    QApplication.processEvents()
    click(part(three).step.take)
    first, second, _third = recorder(three).steps
    assert (second.values, second.mistake, second.start) == ({"b": 0}, "assign", "L.2")
    assert (first.values, first.mistake) == ({}, "")
    assert three.document.graph.leaf_values[b] == -3, "the sheet has its own back"


# files


def test_a_sheet_with_steps_is_saved_and_opens_with_them(three: MainWindow, tmp_path: Path):
    path = tmp_path / "two-paths.backwire"
    three.commands["save_as"].trigger()
    choose_file(three, path)
    lesson = three.document.sheet.lesson
    assert '"version": 5' in path.read_text(encoding="utf-8")
    open_example(three, "neuron")
    assert three.document.sheet.lesson == ""
    assert open_now(three.context, path)
    assert three.document.sheet.lesson == lesson
    three.bar.open("lesson")
    assert titles(three) == ["× (L) → d", "× (L) → f", "× (e) → a"]


def test_an_earlier_lecture_is_refused_with_its_sentence_and_nothing_changes(
    window: MainWindow, tmp_path: Path
):
    path = tmp_path / "bad.lecture.toml"
    path.write_text('format = 1\ntitle = "Bad"\n[[mark]]\nkind = "show"\n', encoding="utf-8")
    before = window.document.sheet
    assert not open_now(window.context, path)
    box = question(window)
    assert box.text() == "bad.lecture.toml was not opened."
    assert "it has [[mark]]; a lesson has [[step]]" in box.informativeText()
    assert window.document.sheet is before
    box.close()
    QApplication.processEvents()


def test_a_lesson_that_can_not_be_read_opens_with_its_sheet_and_is_saved_unchanged(
    window: MainWindow, tmp_path: Path
):
    path, lesson = tmp_path / "broken.backwire", '[[step]]\nkind = "sing"\n'
    window.document.set_lesson(lesson, "Break it")
    window.context.files.document_file.save(path)
    open_example(window, "neuron")
    assert open_now(window.context, path)
    window.bar.open("lesson")
    assert part(window).hint.text().startswith("The text of this sheet's lesson can't be read: ")
    add_at(window, 1)
    assert said(window).startswith("The text of this sheet's lesson can't be read: ")
    window.document.set_value(node(window, "b"), 1.0)
    window.commands["save"].trigger()
    assert open_now(window.context, path)
    assert window.document.sheet.lesson == lesson
    forget_changes(window)


def test_a_lesson_that_can_not_be_read_is_copied_dropped_and_brought_back(window: MainWindow):
    lesson = '[[step]]\nkind = "sing"\n'
    window.document.set_lesson(lesson, "Break it")
    window.bar.open("lesson")
    hint = part(window).hint.text()
    assert "line 2: step 1, kind:" in hint
    assert hint.endswith("It is kept in the file of the sheet as it is.")
    assert not part(window).head.isVisible()
    assert not part(window).kinds["say"].isVisible()
    press(window, Qt.Key.Key_F5)
    assert said(window) == hint
    press(window, Qt.Key.Key_Escape)
    click(part(window).copy_text)
    assert QApplication.clipboard().text() == lesson
    click(part(window).drop)
    assert window.document.sheet.lesson == ""
    assert not part(window).drop.isVisible()
    window.canvas.setFocus()
    press(window, "z", modifier=CTRL)
    assert window.document.sheet.lesson == lesson


def test_a_field_of_text_has_room_for_its_lines_before_its_parts_are_placed(window: MainWindow):
    field = TextField(window.context.style, "Notes")
    field.viewport().resize(100, 400)
    window.context.style.changed.emit()
    assert field.minimumHeight() > 2 * field.fontMetrics().lineSpacing()


# given


def test_present_begins_at_the_chosen_step_and_brings_the_sheet_back(three: MainWindow):
    choose_step(three, 2)
    before = three.document.sheet
    click(page(three).present)
    state = three.context.guides.room
    assert state is not None
    assert (state.at, three.playback.cursor) == (1, 3)
    press(three, Qt.Key.Key_Escape)
    assert not three.presentation.on
    assert three.document.sheet == before


def test_begin_plays_the_steps_for_a_learner_and_comes_back(three: MainWindow):
    choose_step(three, 2)
    before = three.document.sheet
    click(page(three).try_step)
    QApplication.processEvents()
    state = three.context.guides.learner
    assert state is not None
    assert (state.at, three.playback.cursor) == (1, 3)
    click(page(three).end_try)
    QApplication.processEvents()
    assert not three.context.guides.active
    assert three.document.sheet == before
    assert recorder(three).at == 1, "the step is still chosen"
