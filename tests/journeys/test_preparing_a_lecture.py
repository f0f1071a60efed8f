"""A lecturer prepares an hour at the window: marks, questions, notes, order, files."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.lessons import lecture_file
from app.lessons.lecture import Lecture
from app.lessons.lecture_file import load_lecture
from app.panels.lesson import LessonPage
from app.panels.lesson.fields import TextField
from app.panels.lesson.lecture_part import LecturePart
from app.panels.strip.timeline import STRIP_ROWS
from app.window.commands.file import open_now
from app.window.dialogs.action_list import CommandPalette
from app.window.files import data_folder
from app.window.frame.main_window import MainWindow
from engine.graph import Leaf
from engine.study.lecture import Choice, Mark
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
    answer,
    choose,
    choose_file,
    click,
    dialog_of,
    forget_changes,
    no_question,
    node,
    open_example,
    opened_window,
    press,
    question,
    said,
)

A = Qt.Key.Key_A


def point_at_nothing(window: MainWindow) -> None:
    window.canvas.setFocus()
    mouse.hover(window.canvas, at_nothing(window.canvas))


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """(a*b + a) * f on the sheet, the pointer over nothing."""
    with opened_window(qtbot, example="shared-leaf", prepare=point_at_nothing) as window:
        yield window


def mark_and_prepare(window: MainWindow, *steps: int) -> None:
    point_at_nothing(window)
    mark_at(window, *steps)
    prepare(window)


def with_one_mark(window: MainWindow) -> None:
    mark_and_prepare(window, 6)


def with_two_marks(window: MainWindow) -> None:
    mark_and_prepare(window, 2, 6)


def with_three_marks(window: MainWindow) -> None:
    mark_and_prepare(window, 2, 3, 6)


@pytest.fixture
def one_mark(qtbot: QtBot) -> Iterator[MainWindow]:
    """The same with a mark at step 6, and the page on which a lecture is prepared."""
    with opened_window(qtbot, example="shared-leaf", prepare=with_one_mark) as window:
        yield window


@pytest.fixture
def two_marks(qtbot: QtBot) -> Iterator[MainWindow]:
    """The same with marks at steps 2 and 6."""
    with opened_window(qtbot, example="shared-leaf", prepare=with_two_marks) as window:
        yield window


@pytest.fixture
def three_marks(qtbot: QtBot) -> Iterator[MainWindow]:
    """The same with marks at steps 2, 3 and 6."""
    with opened_window(qtbot, example="shared-leaf", prepare=with_three_marks) as window:
        yield window


def page(window: MainWindow) -> LessonPage:
    return cast("LessonPage", window.bar.get("lesson"))


def part(window: MainWindow) -> LecturePart:
    found = page(window).lecture
    assert found is not None
    return found


def prepare(window: MainWindow) -> LecturePart:
    choose(window, "Learn/Lessons", "Prepare a lecture")
    return part(window)


def mark_at(window: MainWindow, *steps: int) -> None:
    """Go to each step of the backward pass and press A there."""
    for step in steps:
        window.playback.backward(cursor=step)
        window.canvas.setFocus()
        press(window, A)


def titles(window: MainWindow) -> list[str]:
    return [row.cells[2][0].text for row in part(window).marks.rows]


def choose_mark(window: MainWindow, number: int) -> None:
    rows = part(window).marks
    mouse.click(rows, rows.rect_of(number - 1).center())
    QApplication.processEvents()


def choose_question(window: MainWindow, title: str) -> None:
    box = part(window).mark.ask.asks
    row = box.findText(title)
    assert row >= 0, [box.itemText(k) for k in range(box.count())]
    box.setFocus()
    box.setCurrentIndex(row)
    box.activated.emit(row)
    QApplication.processEvents()


def write(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    field.window().activateWindow()
    QApplication.processEvents()
    field.setFocus()
    field.selectAll()
    write_into_focus(text)
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


def step_shown(window: MainWindow) -> tuple[str, int]:
    return window.playback.phase, window.playback.cursor


# setting marks


def test_a_marks_the_step_that_is_shown_and_takes_the_mark_away_again(window: MainWindow):
    mark_at(window, 6)
    assert [(m.step, m.name) for m in window.document.sheet.marks] == [(6, "e.1")]
    assert flags(window) == {"forward": [], "backward": [6]}
    assert [k for k in range(1, 8) if flag_is_painted(window, k)] == [6]
    timeline = window.strip.timeline
    assert "Mark 1: × (e) → a" in timeline.tooltip_at(mouse.tick_x(timeline, "backward", 6))
    assert "Mark" not in timeline.tooltip_at(mouse.tick_x(timeline, "backward", 5))
    assert said(window).startswith("Mark 1 is set: × (e) → a.")
    press(window, A)
    assert not flag_is_painted(window, 6)
    assert window.document.sheet.marks == ()
    assert flags(window) == {"forward": [], "backward": []}
    assert said(window) == "Mark 1 is taken away. Undo brings it back."
    press(window, "z", modifier=CTRL)
    assert len(window.document.sheet.marks) == 1
    press(window, "p")
    assert flags(window) == {"forward": [], "backward": []}, "something is asked"


def test_the_values_a_selected_node_or_the_wire_under_the_pointer_are_marked(window: MainWindow):
    press(window, A)
    assert [m.phase for m in window.document.sheet.marks] == ["live"]
    assert flags(window) == {"forward": [3], "backward": []}, "the end of Forward"
    press(window, A)
    mouse.click(window.canvas, at_header(window.canvas, node(window, "a")))
    press(window, A)
    assert flags(window)["backward"] == [6]
    assert step_shown(window)[0] == "live", "the pass stays where it was"
    press(window, A)
    assert window.document.sheet.marks == ()
    window.selection.clear()
    mouse.hover(window.canvas, at_wire(window.canvas, (node(window, "d"), 1)))
    press(window, A)
    (mark,) = window.document.sheet.marks
    assert (mark.step, mark.name) == (5, "d.2")


def test_a_node_without_a_gradient_gets_no_mark_and_a_sentence_says_why(window: MainWindow):
    window.document.add_node(Leaf(1.0), (0.0, 600.0))
    loose = max(n for n in window.document.graph.nodes)
    window.selection.focus_on(loose)
    window.canvas.setFocus()
    press(window, A)
    assert window.document.sheet.marks == ()
    assert "gets no gradient" in said(window)


# the page


def test_the_page_is_offered_below_the_lessons_and_found_by_several_words(window: MainWindow):
    found = window.bar.get("lesson")
    window.bar.open("lesson")
    click(cast("LessonPage", found).prepare)
    assert part(window).isVisible()
    assert part(window).hint.text().startswith("Go to a step")
    for word in ("lecture", "speaker", "notes"):
        press(window, "p", modifier=CTRL | SHIFT)
        palette = dialog_of(window, CommandPalette)
        palette.filter.setText(word)
        assert "Prepare a lecture…" in palette.texts(), word
        palette.close()
        QApplication.processEvents()


def test_a_sheet_with_marks_shows_them_and_the_lessons_are_one_click_away(window: MainWindow):
    window.bar.open("lesson")
    mark_at(window, 2, 6)
    assert titles(window) == ["× (L) → d", "× (e) → a"]
    click(page(window).faces.button("lessons"))
    assert page(window).list_block.isVisible()
    assert not part(window).isVisible()
    click(page(window).faces.button("lecture"))
    assert part(window).isVisible()


def test_choosing_a_mark_shows_its_place_on_the_sheet(window: MainWindow):
    press(window, A)
    mark_at(window, 2, 6)
    prepare(window)
    choose_mark(window, 2)
    assert step_shown(window) == ("backward", 2)
    choose_mark(window, 1)
    assert step_shown(window)[0] == "live"
    assert not window.document.undone
    assert len(window.document.done) == 3, "looking at marks edits nothing"


def test_a_mark_asks_and_the_page_shows_the_choices_that_the_room_gets(one_mark: MainWindow):
    window = one_mark
    found = part(window)
    click(found.mark.kind.button("ask"))
    (mark,) = window.document.sheet.marks
    assert (mark.kind, mark.asks) == ("ask", "contribution")
    assert found.mark.ask.preview.text() == "A −4   B −3   C −2   D +6 ✓"
    choose_question(window, "sum: the gradient after it")
    assert window.document.sheet.marks[0].asks == "sum"
    assert "4 ✓" in found.mark.ask.preview.text()
    click(found.mark.ask.form.button("number"))
    assert window.document.sheet.marks[0].form == "number"
    choose_question(window, "final gradient")
    (mark,) = window.document.sheet.marks
    assert (mark.asks, mark.node, mark.slot) == ("final", node(window, "a"), None)
    assert flags(window)["backward"] == [6]
    click(found.mark.kind.button("show"))
    assert window.document.sheet.marks == (
        Mark(phase="backward", step=6, node=mark.node, name="a"),
    )


def test_only_questions_that_can_be_asked_there_are_offered(window: MainWindow):
    press(window, A)
    found = prepare(window)
    click(found.mark.kind.button("ask"))
    box = found.mark.ask.asks
    assert [box.itemText(k) for k in range(box.count())] == ["in my own words"]


def test_a_question_in_own_words_is_typed_with_its_answers(one_mark: MainWindow):
    window = one_mark
    found = part(window)
    click(found.mark.kind.button("ask"))
    choose_question(window, "in my own words")
    ask = found.mark.ask
    write(ask.text, "Which one is larger?")
    write(ask.choices.texts[0], "a.grad")
    write(ask.choices.says[0], "it has two paths")
    write(ask.choices.texts[2], "neither")
    click(ask.choices.rights[1])
    (mark,) = window.document.sheet.marks
    assert mark.text == "Which one is larger?"
    assert mark.choices == (
        Choice("a.grad", "it has two paths"), Choice("no", right=True), Choice("neither"),
    )  # fmt: skip
    field = ask.choices.texts[0]
    write(field, "a acts along both wires at the same time")
    press(window, Qt.Key.Key_Tab)
    assert not field.hasFocus()
    assert field.cursorPosition() == 0, "it is read from its beginning"
    assert field.width() > 3 * field.fontMetrics().horizontalAdvance("both wires")


def test_what_no_file_may_hold_is_red_until_it_is_mended_and_the_mark_keeps_what_it_had(
    one_mark: MainWindow,
):
    window = one_mark
    found = part(window)
    click(found.mark.kind.button("ask"))
    choose_question(window, "in my own words")
    write(found.mark.ask.choices.texts[1], "yes")
    assert found.mark.faults.text() == "✘ Two choices have the same text."
    assert window.document.sheet.marks[0].choices[1].text == "ye", "the last text that fits"
    write(found.mark.ask.choices.texts[1], "perhaps")
    assert not found.mark.faults.isVisible()
    assert window.document.sheet.marks[0].choices[1].text == "perhaps"
    write(found.mark.seconds, "soon")
    assert found.mark.faults.isVisible()
    assert window.document.sheet.marks[0].seconds == 0


def test_notes_title_and_timer_are_typed_each_as_one_step_of_undo(one_mark: MainWindow):
    window = one_mark
    found = part(window)
    write(found.mark.notes, "Let them guess before they count.")
    write(found.mark.title, "the second")
    write(found.mark.seconds, "1:30")
    (mark,) = window.document.sheet.marks
    assert mark.notes == "Let them guess before they count."
    assert (mark.title, mark.seconds) == ("the second", 90)
    assert titles(window) == ["the second"]
    assert found.list_block.note.text() == "1 mark, timers 1:30"
    assert [step.name for step in window.document.done] == ["Add a mark", *["Edit a mark"] * 3]
    window.canvas.setFocus()
    press(window, "z", modifier=CTRL)
    press(window, "z", modifier=CTRL)
    (mark,) = window.document.sheet.marks
    assert (mark.title, mark.seconds) == ("", 0)
    assert mark.notes == "Let them guess before they count."
    assert found.mark.title.text() == ""


def test_a_blank_screen_has_a_line_and_no_place(one_mark: MainWindow):
    window = one_mark
    found = part(window)
    click(found.kinds["blank"])
    write(found.mark.line, "Talk to your neighbour.")
    assert [m.kind for m in window.document.sheet.marks] == ["show", "blank"]
    assert window.document.sheet.marks[1].text == "Talk to your neighbour."
    assert not found.mark.place_row.isVisible()
    press(window, Qt.Key.Key_Backspace, modifier=CTRL | SHIFT)
    write(found.mark.line, " ")
    assert found.mark.faults.text() == "✘ A blank screen needs a line of text."


# order


def test_a_mark_is_dragged_to_another_place(three_marks: MainWindow):
    window = three_marks
    found = part(window)
    assert titles(window) == ["× (L) → d", "× (L) → f", "× (e) → a"]
    start, end = found.marks.rect_of(2).center(), found.marks.rect_of(0).center()
    drag(found.marks, start, end - QPointF(0, 8).toPoint())
    assert titles(window) == ["× (e) → a", "× (L) → d", "× (L) → f"]
    assert window.document.done[-1].name == "Move a mark"
    press(window, "z", modifier=CTRL)
    assert titles(window) == ["× (L) → d", "× (L) → f", "× (e) → a"]


def test_keys_move_and_delete_a_mark(three_marks: MainWindow):
    window = three_marks
    found = part(window)
    choose_mark(window, 1)
    found.marks.setFocus()
    key(Qt.Key.Key_Down, ALT)
    assert titles(window) == ["× (L) → f", "× (L) → d", "× (e) → a"]
    key(Qt.Key.Key_Down, ALT)
    assert titles(window)[2] == "× (L) → d"
    key(Qt.Key.Key_Down, ALT)
    assert titles(window)[2] == "× (L) → d", "it is the last one"
    key(Qt.Key.Key_Delete)
    assert titles(window) == ["× (L) → f", "× (e) → a"]
    assert window.document.graph.nodes, "the sheet keeps its nodes"


# what no longer fits


def test_a_mark_whose_wire_is_gone_is_red_with_the_reason_until_undo(two_marks: MainWindow):
    window = two_marks
    found = part(window)
    window.document.wires.disconnect(node(window, "e"), 0)
    QApplication.processEvents()
    below = ["".join(span.text for span in row.below) for row in found.marks.rows]
    assert below[1] == "wire e.1 is gone"
    assert flags(window) == {}
    press(window, "z", modifier=CTRL)
    assert [row.below for row in found.marks.rows] == [(), ()]


def type_formula(window: MainWindow, text: str) -> None:
    window.expression.field.setFocus()
    window.expression.field.selectAll()
    type_into_focus(text)
    key(Qt.Key.Key_Return)
    QApplication.processEvents()


def test_another_formula_is_a_new_sheet_without_marks_and_undo_brings_them_back(window: MainWindow):
    mark_at(window, 6)
    type_formula(window, "y = tanh(p*q)")
    assert window.document.sheet.marks == ()
    window.canvas.setFocus()
    press(window, "z", modifier=CTRL)
    assert len(window.document.sheet.marks) == 1


def test_marks_stay_when_nodes_are_added_and_the_formula_is_edited(window: MainWindow):
    mark_at(window, 6)
    type_formula(window, "e = a*b; d = e + a; L = d*f + b")
    assert window.context.lecture_editor.slides[0].misfit == ""
    window.document.add_node(Leaf(1.0), (0.0, 600.0))
    assert len(window.document.sheet.marks) == 1


# step, values and mistake as they are now


def test_step_as_now_moves_a_mark_with_its_question_where_it_can_be_asked(one_mark: MainWindow):
    window = one_mark
    found = part(window)
    click(found.mark.kind.button("ask"))
    window.playback.backward(cursor=5)
    click(found.mark.move_to_shown_step)
    (mark,) = window.document.sheet.marks
    assert (mark.step, mark.name, mark.asks) == (5, "d.2", "contribution")
    window.playback.leave()
    click(found.mark.move_to_shown_step)
    assert said(window) == "This can't be asked here."
    assert window.document.sheet.marks == (mark,)


def test_values_and_mistake_as_they_are_now_become_those_of_the_mark_alone(two_marks: MainWindow):
    window = two_marks
    found = part(window)
    choose_mark(window, 2)
    b = node(window, "b")
    window.document.set_value(b, 0.0)
    window.commands["rules-assign"].trigger()
    QApplication.processEvents()
    click(found.mark.store_values)
    first, second = window.document.sheet.marks
    assert second.values == ((b, 0.0),)
    assert second.mistake
    assert (first.values, first.mistake) == ((), "")
    assert window.document.graph.nodes[b].value == -3, "the sheet has its own back"  # type: ignore
    assert found.mark.values.text().startswith("b = 0, mistake: ")
    click(found.mark.clear_values)
    assert window.document.sheet.marks[1].values == ()
    assert found.mark.values.text() == "as on the sheet"


# files


def test_a_sheet_with_marks_is_saved_and_opens_with_them(window: MainWindow, tmp_path: Path):
    mark_at(window, 2, 6)
    write(prepare(window).mark.notes, "Wait.")
    path = tmp_path / "two-paths.backwire"
    window.commands["save_as"].trigger()
    choose_file(window, path)
    before = window.document.sheet.marks
    assert '"version": 3' in path.read_text(encoding="utf-8")
    open_example(window, "neuron")
    assert window.document.sheet.marks == ()
    assert open_now(window.context, path)
    assert window.document.sheet.marks == before
    window.bar.open("lesson")
    assert titles(window) == ["× (L) → d", "× (e) → a"]


def save_lecture(window: MainWindow, path: Path) -> None:
    """File, Save as…, with the filter of lectures chosen."""
    window.commands["save_as"].trigger()
    dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
    assert any("lecture.toml" in f for f in dialog.nameFilters())
    choose_file(window, path)


def hour_file() -> Path:
    return data_folder() / "hour.lecture.toml"


def make_hour(window: MainWindow) -> None:
    path = hour_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    point_at_nothing(window)
    mark_at(window, 2, 6)
    write(prepare(window).mark.notes, "Which paths lead from a to L?")
    save_lecture(window, path)
    assert said(window).startswith("Saved as hour.lecture.toml.")
    for name in ("neuron", "sigmoid-parts"):
        forget_changes(window)
        open_example(window, name)
        mark_at(window, 2)
        click(prepare(window).append)
        choose_file(window, path)
    assert said(window) == "hour.lecture.toml has 4 marks over 3 graphs now."
    forget_changes(window)


@pytest.fixture
def of_hour(qtbot: QtBot) -> Iterator[MainWindow]:
    """The window in which a lecture over three graphs was made, which is saved."""
    with opened_window(qtbot, example="shared-leaf", prepare=make_hour) as window:
        yield window


def test_an_hour_over_three_graphs_lists_all_marks_with_their_graphs(of_hour: MainWindow):
    window, hour = of_hour, hour_file()
    assert [placed.graph for placed in load_lecture(hour).marks] == [0, 0, 1, 2]
    assert open_now(window.context, hour)
    QApplication.processEvents()
    found = part(window)
    assert found.isVisible()
    assert "edit the file in a text editor" in found.hint.text()
    assert [row.spoken.rpartition(", ")[2] for row in found.marks.rows] == [
        "graph 1 of 3", "graph 1 of 3", "graph 2 of 3", "graph 3 of 3",
    ]  # fmt: skip
    assert not found.mark.isVisible()
    assert window.document.graph.node_named("f") is not None
    choose_mark(window, 3)
    assert window.document.graph.node_named("f") is None, "the second graph is shown"
    choose_mark(window, 2)
    assert "Which paths lead from a to L?" in found.reading.text()
    assert no_question(window)
    window.canvas.setFocus()
    press(window, A)
    assert said(window).startswith("This lecture is over 3 graphs")


def test_what_was_appended_is_kept_and_leads_to_the_whole_lecture(of_hour: MainWindow):
    window, hour = of_hour, hour_file()
    open_example(window, "square")
    mark_at(window, 1, 2)
    click(prepare(window).append)
    choose_file(window, hour)
    assert not window.document.modified
    write(prepare(window).mark.title, "Twice the same wire")
    press(window, "s", modifier=CTRL)
    assert [placed.graph for placed in load_lecture(hour).marks] == [0, 0, 1, 2, 3, 3]
    click(prepare(window).whole_lecture)
    assert [row.spoken.rpartition(", ")[2] for row in part(window).marks.rows][-1] == "graph 4 of 4"
    assert "Twice the same wire" in part(window).marks.rows[-1].spoken


def test_appending_keeps_the_comments_of_the_file(of_hour: MainWindow):
    window, hour = of_hour, hour_file()
    commented = "# Bring chalk.\n" + hour.read_text()
    hour.write_text(commented)
    open_example(window, "square")
    mark_at(window, 1)
    click(prepare(window).append)
    choose_file(window, hour)
    assert hour.read_text().startswith(commented)
    assert said(window) == "hour.lecture.toml has 5 marks over 4 graphs now."


def test_appending_says_if_the_comments_of_the_file_are_gone(of_hour: MainWindow):
    window, hour = of_hour, hour_file()
    hour.write_text(
        'format = 1\ntitle = "T"  # short\nmark = [{ graph = { expression = "y = a*b" } }]\n'
    )
    open_example(window, "square")
    mark_at(window, 1)
    click(prepare(window).append)
    choose_file(window, hour)
    assert said(window).endswith("has 2 marks over 2 graphs now; its comments are not kept.")


def test_more_marks_of_a_graph_that_is_there_do_not_replace_those_of_the_file(of_hour: MainWindow):
    window, hour = of_hour, hour_file()
    open_example(window, "neuron")
    mark_at(window, 3)
    click(prepare(window).append)
    choose_file(window, hour)
    assert [placed.graph for placed in load_lecture(hour).marks] == [0, 0, 1, 2, 1]
    assert window.document.modified
    assert not part(window).whole_lecture.isVisible()


def test_a_line_that_is_too_long_for_its_field_is_read_from_its_beginning(window: MainWindow):
    long = Mark("blank", text="Two minutes with your neighbour: what would b = 0 do?")
    window.document.set_marks([Mark(), long], "Add marks")
    prepare(window)
    choose_mark(window, 2)
    line = part(window).mark.line
    assert line.text() == long.text
    assert line.cursorPosition() == 0


def test_a_lecture_is_dropped_on_the_window_or_named_on_the_command_line(
    of_hour: MainWindow, qtbot
):
    window, hour = of_hour, hour_file()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(hour))])
    at = window.canvas.mapTo(window, window.canvas.rect().center())
    assert mouse.drop(window, mime, at)
    QApplication.processEvents()
    assert part(window).isVisible()
    assert len(part(window).marks.rows) == 4
    with opened_window(qtbot, hour) as another:
        assert not another.on_full_page
        assert len(part(another).marks.rows) == 4


def test_the_marks_of_one_graph_are_edited_and_saved_to_their_places_in_the_hour(
    of_hour: MainWindow,
):
    window, hour = of_hour, hour_file()
    assert open_now(window.context, hour)
    QApplication.processEvents()
    choose_mark(window, 3)
    click(part(window).edit_graph)
    assert titles(window) == ["o (tanh) → n"]
    write(part(window).mark.title, "the neuron")
    mark_at(window, 4)
    window.canvas.setFocus()
    press(window, "s", modifier=CTRL)
    assert said(window) == "Saved as hour.lecture.toml."
    assert not window.document.unsaved
    found = load_lecture(hour)
    assert [placed.graph for placed in found.marks] == [0, 0, 1, 1, 2]
    assert [placed.mark.title for placed in found.marks] == ["", "", "the neuron", "", ""]
    click(part(window).whole_lecture)
    assert len(part(window).marks.rows) == 5
    choose_mark(window, 4)
    click(part(window).edit_graph)
    assert window.context.lecture_editor.at == 1, "the mark that was chosen in the whole"
    hour.write_text(hour.read_text(encoding="utf-8") + "# a note\n", encoding="utf-8")
    write(part(window).mark.title, "another")
    window.canvas.setFocus()
    press(window, "s", modifier=CTRL)
    assert question(window).text() == "hour.lecture.toml was not saved."


def test_a_graph_that_no_formula_gives_is_named_as_its_file_in_the_same_folder(
    window: MainWindow, tmp_path: Path
):
    window.document.mark_root(node(window, "d"))
    mark_at(window, 2)
    prepare(window)
    path = tmp_path / "roots.lecture.toml"
    save_lecture(window, path)
    assert "can't be written as an expression" in question(window).informativeText()
    assert not path.exists()
    question(window).close()
    window.commands["save_as"].trigger()
    choose_file(window, tmp_path / "roots.backwire")
    save_lecture(window, path)
    assert 'file = "roots.backwire"' in path.read_text(encoding="utf-8")
    assert load_lecture(path).drawings[0].graph == window.document.graph


def test_a_lecture_of_one_graph_opens_as_a_sheet_with_marks(window: MainWindow, tmp_path: Path):
    path = tmp_path / "one.lecture.toml"
    mark_at(window, 6)
    found = prepare(window)
    click(found.mark.kind.button("ask"))
    save_lecture(window, path)
    forget_changes(window)
    open_example(window, "neuron")
    assert open_now(window.context, path)
    QApplication.processEvents()
    (mark,) = window.document.sheet.marks
    assert (mark.kind, mark.asks, mark.step) == ("ask", "contribution", 6)
    choose_mark(window, 1)
    write(part(window).mark.title, "again")
    assert window.document.sheet.marks[0].title == "again"
    assert window.document.unsaved
    window.canvas.setFocus()
    press(window, "s", modifier=CTRL)
    assert said(window).startswith("Saved as one.lecture.toml.")
    assert not window.document.unsaved
    saved = load_lecture(path)
    assert saved.title == "one"
    assert [placed.mark.title for placed in saved.marks] == ["again"]


def test_what_another_program_writes_is_not_overwritten_silently(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "one.lecture.toml"
    mark_at(window, 6)
    prepare(window)
    save_lecture(window, path)
    text = path.read_text(encoding="utf-8") + "# a note\n"
    path.write_text(text, encoding="utf-8")
    write(part(window).mark.title, "again")
    window.canvas.setFocus()
    press(window, "s", modifier=CTRL)
    assert question(window).text() == "Replace one.lecture.toml?"
    assert path.read_text(encoding="utf-8") == text
    answer(window, "Replace")
    assert 'title = "again"' in path.read_text(encoding="utf-8")

    def written_to(opened: Path) -> Lecture:
        found = load_lecture(opened)
        path.write_text(text, encoding="utf-8")
        return found

    with monkeypatch.context() as patch:  # while it is opened
        patch.setattr(lecture_file, "load_lecture", written_to)
        assert open_now(window.context, path)
    mark_at(window, 3)
    window.canvas.setFocus()
    press(window, "s", modifier=CTRL)
    assert question(window).text() == "Replace one.lecture.toml?"
    assert path.read_text(encoding="utf-8") == text


def test_a_field_of_text_has_room_for_its_lines_before_its_parts_are_placed(window: MainWindow):
    field = TextField(window.context.style, "Notes")
    field.viewport().resize(100, 400)
    window.context.style.changed.emit()
    assert field.minimumHeight() > 2 * field.fontMetrics().lineSpacing()


def test_the_faults_of_a_file_are_told_and_nothing_changes(window: MainWindow, tmp_path: Path):
    path = tmp_path / "bad.lecture.toml"
    path.write_text('format = 1\ntitle = "Bad"\n[[mark]]\nkind = "sing"\n', encoding="utf-8")
    before = window.document.sheet
    assert not open_now(window.context, path)
    assert "bad.lecture.toml was not opened." in question(window).text()
    assert window.document.sheet is before
    question(window).close()
    QApplication.processEvents()
    content = path.read_bytes()
    mark_at(window, 6)
    click(prepare(window).append)
    choose_file(window, path)
    assert "Nothing was appended" in question(window).text()
    assert path.read_bytes() == content


def test_try_begins_at_the_chosen_mark_and_brings_the_sheet_back(three_marks: MainWindow):
    window = three_marks
    choose_mark(window, 2)
    before = window.document.sheet
    click(page(window).try_lecture)
    assert window.presentation.on
    state = window.context.lecture.now
    assert state is not None
    assert state.at == 1
    assert step_shown(window) == ("backward", 3)
    press(window, Qt.Key.Key_Escape)
    assert not window.presentation.on
    assert window.document.sheet == before
