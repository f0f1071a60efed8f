"""A lecture by the remote: ask the room, count hands, reveal, and have one's own sheet back."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import MethodType
from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtWidgets import QApplication, QDialog

from app.controls.blank_screen import BlankScreen
from app.document.change import Change
from app.guide.play.guide import learner_of
from app.guide.play.poll import Poll
from app.lessons.lesson import Choice
from app.lessons.load import lesson
from app.window.commands.file_actions import open_file
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.code_screen import CodeScreen
from app.window.frame.lecture_screen import CrossFade
from app.window.frame.main_window import MainWindow
from app.workbench.selection import LessonTargets
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Leaf
from engine.rules import CORRECT
from tests.helpers import mouse
from tests.helpers.lecturing import BACK, ESC, F5, ON, Lecturer, asked, shown
from tests.helpers.mouse import at_header, at_nothing, at_wire
from tests.helpers.reading import grad, ledger, look_of
from tests.helpers.steps import PlannedStep, lesson_of, lesson_on, step_at
from tests.helpers.window import (
    CTRL,
    SHIFT,
    answer,
    choose_file,
    example_path,
    forget_changes,
    node,
    open_example,
    opened_window,
    question,
    said,
    value,
)

ONE, TWO, THREE, FOUR = Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4
UNDO, REDO = (Qt.Key.Key_Z, CTRL), (Qt.Key.Key_Z, CTRL | SHIFT)
LINE = "Talk to your neighbour."


@pytest.fixture
def lecturer(shared_leaf: MainWindow) -> Lecturer:
    return Lecturer(shared_leaf)


def usual(lecturer: Lecturer) -> list[PlannedStep]:
    """The values, the second contribution to a, a black screen, and the end."""
    graph = lecturer.window.document.graph
    return [PlannedStep(), asked(graph, 6), PlannedStep("blank", text=LINE), shown(graph, 7)]


def ask(window: MainWindow) -> None:
    window.canvas.setFocus()
    lecturer = Lecturer(window)
    lecturer.begin(usual(lecturer))
    lecturer.press(ON)


@pytest.fixture
def asking(qtbot) -> Iterator[Lecturer]:
    """The question is open."""
    with opened_window(qtbot, example="shared-leaf", prepare=ask) as window:
        lecturer = cast("MethodType", window.presentation.clock).__self__
        assert isinstance(lecturer, Lecturer)
        assert lecturer.at == (2, "asked")
        yield lecturer


def set_value(lecturer: Lecturer, name: str, number: float) -> None:
    """Open editing, and set a leaf."""
    lecturer.press(Qt.Key.Key_E)
    lecturer.window.document.set_value(node(lecturer.window, name), number)
    QApplication.processEvents()


def poll_of_room(lecturer: Lecturer) -> Poll:
    assert lecturer.state.poll is not None
    return lecturer.state.poll


# question and reveal


def test_f5_leads_from_step_to_step_through_question_and_reveal(lecturer: Lecturer):
    lecturer.begin(usual(lecturer))
    assert lecturer.sentence == "L is 8."
    assert lecturer.window.strip.timeline.isVisible()
    lecturer.press(ON)
    assert lecturer.sentence == "? What does × (e) pass to a?"
    assert lecturer.choices == ["−4", "−3", "−2", "+6"]
    assert [card.state for card in lecturer.band.choices] == ["open"] * 4
    lecturer.press(ON)
    assert lecturer.sentence == "× (e) got −2 and passes −2 × −3 = +6 to a, which held −2: now 4."
    assert [card.state for card in lecturer.band.choices] == ["wrong", "wrong", "wrong", "right"]
    assert grad(lecturer.window.canvas, "a") == "4"
    lecturer.press(ON)
    assert lecturer.at == (3, "shown")
    lecturer.press(ON, ON)
    assert lecturer.at == (4, "shown")
    assert said(lecturer.window) == "This is the last step. Esc ends the lecture."


def test_hands_are_counted_and_taken_back_by_the_digits_of_their_cards(asking: Lecturer):
    asking.press(ONE, FOUR, FOUR, TWO, FOUR)
    assert asking.hands == [1, 1, 0, 3]
    asking.press(FOUR, ONE, THREE, modifier=SHIFT)
    assert asking.hands == [0, 1, 0, 2]
    assert asking.band.foot == (
        "keys 1–4 count a hand, Shift takes one back",
        "3 hands · backward 6 of 7 · PageDown reveals",
    )
    asking.press(ON, FOUR, BACK)
    assert asking.at == (2, "asked")
    assert asking.hands == [0, 1, 0, 2], "none is counted after the answer"
    asking.press(BACK, ON)
    assert asking.hands == [0, 1, 0, 2]
    asking.press(Qt.Key.Key_0)
    assert asking.hands == [0, 0, 0, 0]
    asking.press(Qt.Key.Key_Period)
    assert asking.at == (2, "revealed"), "hands may be left out"


def test_the_third_key_covers_the_next_number_where_nothing_is_asked(lecturer: Lecturer):
    lecturer.begin([shown(lecturer.window.document.graph, 5), PlannedStep()])
    assert lecturer.sentence.startswith("+ (d) got −2")
    lecturer.press(Qt.Key.Key_Period)
    assert lecturer.window.context.modes.is_cover
    assert ledger(lecturer.window.canvas, "a") == "?", "that it adds is not shown before"
    lecturer.press(Qt.Key.Key_Period)
    assert lecturer.sentence == "× (e) passes +6 to a; a.grad is now 4."
    lecturer.press(ON)
    assert lecturer.at == (2, "shown")
    assert not lecturer.window.context.modes.is_cover


def test_an_answer_that_is_left_to_the_speaker_is_not_revealed(lecturer: Lecturer):
    own = PlannedStep(
        "ask",
        asks="text",
        text="Which one?",
        choices=(Choice("a", right=True), Choice("b")),
        reveals=False,
    )
    graph = lecturer.window.document.graph
    lecturer.begin([own, shown(graph, 2)])
    assert lecturer.choices == ["a", "b"]
    lecturer.press(Qt.Key.Key_Period)
    assert lecturer.at == (1, "asked")
    lecturer.press(ON)
    assert lecturer.at == (2, "shown")


def test_down_and_up_step_within_a_step_but_never_past_an_open_question(asking: Lecturer):
    playback = asking.window.playback
    asking.press(Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_S)
    assert playback.cursor == 5
    asking.press(ON, Qt.Key.Key_Down)
    assert playback.cursor == 7
    asking.press(Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert playback.cursor == 5
    assert asking.at == (2, "revealed")


# keys


def test_two_presses_of_a_worn_button_count_once_but_the_other_direction_counts(lecturer: Lecturer):
    lecturer.begin(usual(lecturer))
    lecturer.pause = 100
    lecturer.press(ON, ON)
    assert lecturer.at == (2, "asked")
    lecturer.press(BACK)
    assert lecturer.at == (1, "shown")
    lecturer.pause = 250
    lecturer.press(ON, ON)
    assert lecturer.at == (2, "revealed")


@pytest.mark.parametrize("by_mouse", [True, False], ids=["mouse", "Enter"])
def test_a_node_that_is_asked_for_is_no_answer_while_editing_is_open(
    lecturer: Lecturer, by_mouse: bool
):
    window = lecturer.window
    lecturer.begin([asked(window.document.graph, 4, "next")])
    lecturer.press(Qt.Key.Key_E)
    fires_next = node(window, "d")
    if by_mouse:
        mouse.click(window.canvas, at_header(window.canvas, fires_next))
    else:
        window.selection.choose([fires_next])
        lecturer.press(Qt.Key.Key_Return)
    assert window.playback.cursor == 3
    assert window.playback.frame.hides == "order"
    lecturer.press(ON)
    assert lecturer.at == (1, "revealed")


def test_a_held_key_and_one_without_meaning_do_nothing(asking: Lecturer):
    for held in (ON, ONE):
        asking.hold(held)
    mode = asking.window.playback.now.mode
    asking.press(Qt.Key.Key_P, Qt.Key.Key_A, Qt.Key.Key_Return)
    assert asking.window.playback.now.mode is mode
    assert asking.at == (2, "asked")
    assert asking.hands == [0, 0, 0, 0]


def test_a_black_screen_goes_by_any_key_but_the_volume(asking: Lecturer):
    asking.press(Qt.Key.Key_B)
    assert covered(asking.window)
    asking.press(Qt.Key.Key_VolumeUp)
    assert covered(asking.window)
    asking.press(ON)
    assert not covered(asking.window)
    assert asking.at == (2, "asked")


def test_q_shows_the_code_of_this_step_until_the_next_key(lecturer: Lecturer):
    window = lecturer.window
    lecturer.begin(usual(lecturer))
    lecturer.press(Qt.Key.Key_Q)
    assert not covered(window), "without an address there is none"
    lecturer.press(ESC)
    drawing, address = window.document.sheet.drawing(), "https://x.org/a.html"
    window.present_lesson(lesson_on(usual(lecturer), drawing, title="T", address=address))
    lecturer.press(ON, Qt.Key.Key_Q)
    screen = window.presentation.blank
    assert isinstance(screen, CodeScreen)
    assert screen.geometry() == window.rect()
    assert screen.address == "https://x.org/a.html#step=8", "before the step that is asked about"
    picture = screen.grab().toImage()
    rows = [
        y
        for y in range(picture.height())
        if any(picture.pixelColor(x, y).lightness() < 128 for x in range(0, picture.width(), 3))
    ]
    code = next(k for k, y in enumerate(rows[1:], 1) if y > rows[k - 1] + 4)  # rows of the code
    assert code == pytest.approx(0.4 * picture.height(), abs=3)
    lecturer.press(ON)
    assert not covered(window)
    assert lecturer.at == (2, "asked")


def test_a_remotes_fourth_key_begins_and_ends(lecturer: Lecturer):
    lecturer.begin(usual(lecturer))
    for _ in range(2):
        lecturer.press(ESC)
        assert not lecturer.window.presenting
        lecturer.press(F5)
        assert lecturer.at == (1, "shown")


# the blank screen, pointer and timer


def covered(window: MainWindow) -> bool:
    return any(screen.isVisible() for screen in window.findChildren(BlankScreen))


def test_nothing_moves_when_a_mistake_is_named(lecturer: Lecturer):
    canvas, end = lecturer.window.canvas, shown(lecturer.window.document.graph, 7)
    lecturer.begin([replace(end, kind="ask", asks="mistake", mistake="assign"), end])
    assert lecturer.sentence == "? Which mistake is on?"

    def places() -> tuple[object, ...]:
        rects = {node: box.rect for node, box in canvas.scene.boxes.items()}
        return rects, canvas.camera.scale, canvas.camera.offset

    asked_places = places()
    assert look_of(canvas, "a").flag == ""
    assert lecturer.window.playback.now.comparison is None
    lecturer.press(ON)
    assert lecturer.sentence.startswith("= instead of +=")
    assert lecturer.window.playback.now.comparison is not None
    assert places() == asked_places
    assert look_of(canvas, "a").flag == "✘ should be 4"
    lecturer.press(ON)
    assert lecturer.window.playback.now.rules is CORRECT
    assert grad(canvas, "a") == "4"
    lecturer.press(BACK)
    assert places() == asked_places


def corners(window: MainWindow) -> dict[int, tuple[int, int]]:
    """Where the nodes begin on the room's screen, in px."""
    canvas = window.canvas
    points = {
        n: canvas.camera.to_screen(box.rect.topLeft()) for n, box in canvas.scene.boxes.items()
    }
    return {n: (round(point.x()), round(point.y())) for n, point in points.items()}


def test_a_graph_holds_still_over_its_steps_though_a_mistake_adds_rows(lecturer: Lecturer):
    window, graph = lecturer.window, lecturer.window.document.graph
    end = shown(graph, 7)
    lecturer.begin([PlannedStep(), replace(end, mistake="assign"), asked(graph, 4), end])
    correct, high = corners(window), window.canvas.scene.boxes[node(window, "a")].rect.height()
    lecturer.press(ON)
    assert window.canvas.scene.boxes[node(window, "a")].rect.height() > high, "rows of the mistake"
    moved = {graph.label(n) for n, corner in corners(window).items() if corner != correct[n]}
    assert moved == {"b"}, "below the rows alone"
    for _ in range(3):
        lecturer.press(ON)
        assert corners(window) == correct
    lecturer.press(BACK, BACK, BACK, BACK)
    assert corners(window) == correct


def test_a_graph_that_would_be_cut_off_is_fitted_once_and_then_holds_still(lecturer: Lecturer):
    window = lecturer.window
    open_example(window, "demonstration")
    end = step_at(window.document.graph, "backward", 99)
    lecturer.begin([PlannedStep(), replace(end, mistake="assign"), end, PlannedStep()])
    camera, first = window.canvas.camera, window.canvas.camera.scale
    lecturer.press(ON)
    assert window.canvas.framing.shows_all
    assert 0.75 * first < camera.scale < first
    place = camera.scale, camera.offset
    for _ in range(2):
        lecturer.press(ON)
        assert (camera.scale, camera.offset) == place


def test_a_graph_that_would_be_much_too_small_is_fitted_again(lecturer: Lecturer):
    window = lecturer.window
    lecturer.begin([PlannedStep(), shown(window.document.graph, 7)])
    camera, fitted = window.canvas.camera, window.canvas.camera.scale
    window.canvas.framing.fit_all()
    for share, held in ((0.8, True), (0.7, False)):
        camera.zoom_by(share * fitted / camera.scale)
        camera.repeated_fit = window.canvas.framing.fit_all  # as after a fit of longer numbers
        window.canvas.framing.refit()
        assert (camera.scale == pytest.approx(share * fitted)) == held
        assert (camera.scale == pytest.approx(fitted)) != held


def test_a_blank_step_is_a_black_screen_with_its_line(asking: Lecturer):
    asking.press(ON, ON)
    (screen,) = (s for s in asking.window.findChildren(BlankScreen) if s.isVisible())
    assert screen.accessibleName() == LINE
    picture = screen.grab().toImage()
    edges = {picture.pixelColor(x, 5).lightness() for x in range(0, picture.width(), 50)}
    middle = range(picture.height() // 2 - 30, picture.height() // 2 + 30, 4)
    inks = {picture.pixelColor(x, y).lightness() for x in range(picture.width()) for y in middle}
    assert edges == {0}
    assert max(inks) == 255
    asking.press(ON)
    assert not covered(asking.window)
    assert asking.at == (4, "shown")
    asking.press(BACK, Qt.Key.Key_T)
    shown_again = [s for s in asking.window.findChildren(BlankScreen) if s.isVisible()]
    assert [screen.text for screen in shown_again] == [LINE]


def test_the_pointer_is_a_ring_that_goes_when_the_mouse_rests(asking: Lecturer):
    window = asking.window
    mouse.hover(window.canvas, at_nothing(window.canvas))
    ring = window.lecture_screen.ring
    assert ring is not None
    assert ring.isVisible()
    assert ring.height() == pytest.approx(0.0537 * window.height(), abs=2)
    assert window.canvas.viewport().cursor().shape() == Qt.CursorShape.BlankCursor
    ring.rest.timeout.emit()
    assert not ring.isVisible()
    window.lecture_screen.show_pointer(QPointF(0.5, 0.25))
    assert ring.isVisible()
    assert ring.geometry().center().x() == pytest.approx(window.width() / 2, abs=1)
    asking.press(Qt.Key.Key_E)
    mouse.hover(window.canvas, at_nothing(window.canvas))
    assert window.canvas.viewport().cursor().shape() != Qt.CursorShape.BlankCursor


def test_a_click_lights_what_it_points_at_until_the_next_step(asking: Lecturer):
    window = asking.window
    d, selection = node(window, "d"), window.selection
    mouse.click(window.canvas, at_header(window.canvas, d))
    assert selection.lesson_targets.lit == {d}
    assert not selection.anything
    mouse.click(window.canvas, at_wire(window.canvas, (d, 0)))
    assert selection.lesson_targets.lit == {(d, 0)}
    asking.press(ON)
    assert not selection.lesson_targets.lit


def test_the_timer_is_a_ring_that_stays_when_the_time_is_over(asking: Lecturer):
    lecture, strip = asking.window.context.guides, asking.window.strip
    assert strip.timer is None
    lecture.clock = lambda: 0.0
    asking.press(Qt.Key.Key_T)
    assert strip.timer is not None
    assert strip.timer.isVisible()
    assert strip.timer.share == 1.0
    lecture.clock = lambda: 60.0
    lecture.ticks.timeout.emit()
    assert strip.timer.share == 0.0
    assert strip.timer.isVisible()
    assert strip.timer.accessibleName() == "The time is over"
    asking.press(ON)
    assert not strip.timer.isVisible()


def test_the_room_sees_its_time_on_a_black_screen_too(asking: Lecturer):
    lecture = asking.window.context.guides
    asking.press(ON, ON)
    (screen,) = (s for s in asking.window.findChildren(BlankScreen) if s.isVisible())
    right = QRect(screen.width() * 9 // 10, 0, screen.width() // 10, screen.height())
    dark = screen.grab(right).toImage()
    lecture.clock = lambda: 0.0
    asking.press(Qt.Key.Key_T)
    full = screen.grab(right).toImage()
    assert full != dark
    lecture.clock = lambda: 45.0
    lecture.ticks.timeout.emit()
    assert screen.share == 0.25
    assert screen.grab(right).toImage() not in (full, dark)
    asking.press(Qt.Key.Key_T)
    assert screen.grab(right).toImage() == dark


# edits meanwhile


def test_a_wiring_edit_ends_at_the_last_step_that_fits_and_says_why(asking: Lecturer):
    window = asking.window
    asking.press(Qt.Key.Key_E)
    window.document.wires.disconnect(node(window, "e"), 0)
    QApplication.processEvents()
    assert said(window) == "Step 2 no longer fits: wire e.1 is gone."
    assert asking.at == (1, "shown")
    asking.press(*UNDO[:1], modifier=UNDO[1])
    asking.press(ON)
    assert asking.at == (2, "asked")


def test_other_numbers_empty_the_hands_and_undo_brings_them_back(asking: Lecturer):
    asking.press(ONE, FOUR)
    set_value(asking, "b", 5.0)
    assert asking.at == (2, "asked")
    assert "−10" in asking.choices
    assert set(asking.hands) == {0}
    asking.press(*UNDO[:1], modifier=UNDO[1])
    assert asking.choices == ["−4", "−3", "−2", "+6"]
    assert asking.hands == [1, 0, 0, 1]
    asking.press(ON)
    assert asking.sentence.endswith("which held −2: now 4.")


def test_undo_stops_at_the_step_itself(asking: Lecturer):
    changes: list[Change] = []
    asking.window.document.changed.connect(changes.append)
    asking.press(Qt.Key.Key_E)
    for _ in range(5):
        asking.press(*UNDO[:1], modifier=UNDO[1])
    assert changes == [], "nothing was undone and done again"
    assert asking.at == (2, "asked")
    assert asking.window.document.title == "Shared leaf"
    asking.press(ON)
    assert asking.at == (2, "revealed")


# the end


def test_the_end_brings_the_own_sheet_back_as_it_was(lecturer: Lecturer):
    window = lecturer.window
    document = window.document
    document.set_value(node(window, "a"), 9.0)
    document.set_value(node(window, "b"), 9.0)
    document.undo()
    window.playback.backward(cursor=3)
    graph = document.graph
    planned_steps = [PlannedStep(values=((node(window, "a"), 4.0),)), asked(graph, 6)]
    document.set_lesson(lesson_of(planned_steps, document.graph), "Add steps")
    document.set_value(node(window, "f"), 8.0)
    document.undo()
    done, undone, sheet = document.done, document.undone, document.sheet
    lecturer.press(F5)
    assert value(window, "a") == 4.0
    assert not document.edited
    lecturer.press(ON, FOUR, ON, ESC)
    assert (document.done, document.undone) == (done, undone)
    assert document.sheet is sheet
    assert document.edited
    assert (window.playback.phase, window.playback.cursor) == ("backward", 3)


def test_no_key_opens_or_closes_a_document_while_editing_is_locked(asking: Lecturer):
    window = asking.window
    for key in (Qt.Key.Key_N, Qt.Key.Key_O, Qt.Key.Key_W):
        asking.press(key, modifier=CTRL)
        assert not window.findChildren(QDialog)
        assert asking.at == (2, "asked")
    asking.press(Qt.Key.Key_E)
    asking.press(Qt.Key.Key_N, modifier=CTRL)
    assert window.context.guides.room is None


def test_no_ring_of_a_selection_stays_on_the_rooms_sheet(lecturer: Lecturer):
    window = lecturer.window
    lecturer.prepare([PlannedStep()])
    window.selection.focus_on(node(window, "a"))
    lecturer.press(F5)
    assert not window.selection.nodes


def test_a_room_is_offered_nothing(asking: Lecturer):
    window = asking.window
    window.context.messages.offer("Two nodes share a label.", "Rename", lambda: None)
    assert said(window) == "Two nodes share a label."
    assert not window.context.messages.notice.isVisible()
    asking.press(ESC)
    window.context.messages.offer("Two nodes share a label.", "Rename", lambda: None)
    asking.press(F5)
    assert not window.context.messages.notice.isVisible()


def test_after_undo_of_an_edit_the_sheet_is_fitted_again(lecturer: Lecturer):
    window = lecturer.window
    lecturer.begin([PlannedStep(), shown(window.document.graph, 3)])
    camera = window.canvas.camera
    fitted = (camera.scale, camera.offset)
    lecturer.press(Qt.Key.Key_E)
    window.document.set_value(node(window, "a"), 123456.789)
    camera.zoom_by(2.0)
    assert (camera.scale, camera.offset) != fitted
    lecturer.press(*UNDO[:1], modifier=UNDO[1])
    assert (camera.scale, camera.offset) == fitted


def test_nothing_is_saved_over_the_own_file(lecturer: Lecturer, tmp_path: Path):
    window, path = lecturer.window, tmp_path / "own.backwire"
    window.document.set_lesson(lesson_of(usual(lecturer), window.document.graph), "Add steps")
    window.context.files.document_file.save(path)
    content = path.read_bytes()
    lecturer.press(F5, ON, FOUR, ON)
    for modifier in (CTRL, CTRL | SHIFT):
        lecturer.press(Qt.Key.Key_S, modifier=modifier)
        assert said(window).startswith("A lecture's sheet is not saved.")
        window.context.messages.dismiss_toast()
        assert not window.findChildren(QDialog)
    assert path.read_bytes() == content
    assert window.document.path is None, "the lecture's sheet has no file"
    lecturer.press(ESC)
    assert not window.document.edited
    assert window.document.path == path
    window.document.set_value(node(window, "b"), 5.0)
    lecturer.press(Qt.Key.Key_S, modifier=CTRL)
    assert path.read_bytes() != content


def test_redo_leads_to_what_was_edited_meanwhile(asking: Lecturer):
    window = asking.window
    set_value(asking, "b", 5.0)
    asking.press(ESC)
    assert value(window, "b") == -3.0
    for _ in range(3):
        asking.press(*REDO[:1], modifier=REDO[1])
    assert value(window, "b") == 5.0


def test_after_an_end_f5_goes_on_at_the_step_with_hands_ticks_and_clock(asking: Lecturer):
    lecture, times = asking.window.context.guides, iter(range(0, 10_000, 10))
    lecture.clock = lambda: float(next(times))
    asking.press(ONE, FOUR, FOUR, ESC)
    before = lecture.last_room
    assert before is not None
    asking.press(F5)
    assert asking.at == (2, "asked")
    assert asking.hands == [1, 0, 0, 2]
    assert (asking.state.done, asking.state.seed) == (before.done, before.seed)
    spent = lecture.seconds
    asking.press(ESC, F5)
    assert lecture.seconds >= spent
    asking.press(ON, ON, ON)
    assert asking.at == (4, "shown")
    asking.press(ESC, F5)
    assert asking.at == (1, "shown"), "it was at its end"
    asking.press(ON)
    assert asking.hands == [1, 0, 0, 2]


def test_numbers_of_a_question_asked_again_are_there_after_an_end(asking: Lecturer):
    asking.press(ONE, Qt.Key.Key_R, TWO)
    choices = asking.choices
    asking.press(ESC, F5)
    assert asking.choices == choices
    assert asking.hands[1] == 1


def test_what_was_edited_in_it_is_there_after_an_end_with_the_counts_of_all_numbers(
    asking: Lecturer, tmp_path: Path
):
    window = asking.window
    asking.press(ONE, ONE, FOUR)
    set_value(asking, "b", 7)
    edited = asking.choices
    right = next(k for k, choice in enumerate(poll_of_room(asking).choices) if choice.right)
    window.context.guides.set_hands(right, 2)
    asking.press(ESC)
    assert value(window, "b") == -3.0
    asking.press(F5)
    assert (value(window, "b"), asking.choices) == (7.0, edited)
    assert asking.hands[right] == 2
    asking.press(BACK, ON)
    assert asking.hands[right] == 2
    asking.press(ESC)
    assert value(window, "b") == -3.0
    window.commands["save_hands"].trigger()
    choose_file(window, tmp_path / "hands.json")
    first, second = json.loads((tmp_path / "hands.json").read_bytes())["questions"]
    assert [choice.get("hands", 0) for choice in first["choices"]] == [2, 0, 0, 1]
    assert second["count"] == 2
    assert sum(choice.get("hands", 0) for choice in second["choices"]) == 2
    assert [choice["label"] for choice in second["choices"]] == edited


def test_a_wiring_edited_in_it_is_there_after_an_end_where_it_was_drawn(asking: Lecturer):
    asking.press(Qt.Key.Key_E)
    document = asking.window.document
    added = document.add_node(Leaf(1.0), (900.0, 400.0))
    assert added is not None
    QApplication.processEvents()
    places = dict(document.positions)
    asking.press(ESC)
    assert added not in document.graph.nodes
    asking.press(F5)
    assert added in document.graph.nodes
    assert dict(document.positions) == places


def test_quitting_asks_about_hands_that_are_in_no_file(asking: Lecturer, tmp_path: Path):
    window = asking.window
    asking.press(FOUR, ESC)
    window.close()
    assert question(window).text() == "Save the hands of Shared leaf?"
    answer(window, "Cancel")
    assert window.isVisible()
    window.close()
    answer(window, "Save the hands…")
    choose_file(window, tmp_path / "hands.json")
    assert (tmp_path / "hands.json").exists()
    assert question(window).text() == "Save the changes to Shared leaf?"
    answer(window, "Cancel")
    window.close()
    assert question(window).text() == "Save the changes to Shared leaf?"
    answer(window, "Cancel")


def test_another_group_begins_anew_once_the_hands_of_the_first_are_saved_or_left(asking: Lecturer):
    window, anew = asking.window, asking.window.commands["lecture_anew"]
    asking.press(FOUR)
    set_value(asking, "b", 7)
    asking.press(ESC)
    before = window.context.guides.last_room
    assert before is not None
    anew.trigger()
    assert question(window).text() == "Save the hands of Shared leaf?"
    answer(window, "Cancel")
    assert window.context.guides.last_room is before
    anew.trigger()
    answer(window, "Discard")
    QApplication.processEvents()
    assert asking.at == (1, "shown")
    assert value(window, "b") == -3.0
    assert (asking.state.seconds, asking.state.counts) == (0.0, {})
    assert not any(asking.state.done[1:])
    asking.press(ON)
    assert asking.hands == [0, 0, 0, 0]
    anew.trigger()  # nothing is lost, so it asks nothing
    assert asking.at == (1, "shown")


def test_another_lesson_waits_for_the_hands_of_the_last_one(asking: Lecturer):
    window = asking.window
    asking.press(FOUR, ESC)
    forget_changes(window)
    begin_lesson(window.context, "two-paths")
    asking.press(F5)
    assert window.context.guides.room is None
    assert question(window).text() == "Save the hands of Shared leaf?"
    answer(window, "Discard")
    QApplication.processEvents()
    assert window.context.guides.room is not None


def test_a_learners_lesson_leaves_a_locked_room_alone_and_ends_an_unlocked_one(asking: Lecturer):
    window = asking.window
    begin = partial(window.context.guides.begin, learner_of(lesson("one-wire")))
    assert not begin()
    assert asking.at == (2, "asked")
    assert window.playback.now.quiz is not None, "the answer stays hidden"
    window.document.locked = False
    assert begin()
    assert window.context.guides.room is None
    assert window.context.guides.active
    window.context.guides.restore_own_sheet()
    assert window.document.title == "Shared leaf"


def test_closing_and_opening_another_file_meanwhile_ask_about_the_own_sheet(asking: Lecturer):
    window = asking.window
    window.close()
    assert window.context.guides.room is None
    assert question(window).text() == "Save the changes to Shared leaf?"
    answer(window, "Cancel")
    asking.press(F5)
    window.document.mark_unsaved()
    open_file(window.context, example_path("by-hand"))
    assert window.context.guides.room is None
    assert question(window).text() == "Save the changes to Shared leaf?"
    answer(window, "Discard")
    assert node(window, "a") is not None
    assert not window.document.lent_to_lecture


def test_a_copy_for_a_crash_has_the_own_sheet_and_not_that_of_the_lecture(asking: Lecturer):
    recovery = asking.window.context.files.recovery
    (copy,) = recovery.folder.glob("*.backwire")
    kept = copy.read_text("utf-8")
    set_value(asking, "b", 5.0)
    recovery.keep()
    assert copy.read_text("utf-8") == kept
    assert '"lesson"' in kept


def test_the_start_page_ends_it_with_the_own_sheet_in_place(asking: Lecturer):
    window = asking.window
    sheet = window.document.done[0].sheet
    window.show_start_page()
    QApplication.processEvents()
    assert window.context.guides.room is None
    assert window.document.sheet is sheet
    assert window.strip.room_strip is None


def test_it_goes_on_after_a_fault_that_draws_everything_anew(asking: Lecturer):
    asking.window.document.changed.emit(Change(whole=True))
    asking.press(FOUR)
    assert asking.hands == [0, 0, 0, 1]


# several graphs, and lessons


def test_a_lecture_cuts_from_graph_to_graph_and_back(lecturer: Lecturer):
    window = lecturer.window
    first = window.document.sheet.drawing()
    second = from_expression("y = u*v", {"u": 5, "v": 7})
    planned_steps = ((0, asked(first.graph, 6)), (1, asked(second, 2)), (0, shown(first.graph, 7)))
    lecture = lesson_on(planned_steps, first, Drawing(second), title="Two graphs")
    window.present_lesson(lecture, 1)
    QApplication.processEvents()
    assert lecturer.sentence == "? What does × (y) pass to u?"
    assert window.canvas.framing.shows_all
    lecturer.press(BACK)
    assert lecturer.sentence == "? What does × (e) pass to a?"
    assert not window.findChildren(CrossFade)
    assert said(window) == ""
    lecturer.press(ON)
    window.context.style.set_motion(True)
    lecturer.press(ON)
    (fade,) = window.findChildren(CrossFade)
    assert fade.fading.duration() == 240
    fade.fading.finished.emit()
    lecturer.press(ESC)
    assert window.document.title == "Shared leaf"


def test_a_lesson_is_a_lecture_whose_hunt_is_a_question(window: MainWindow):
    begin_lesson(window.context, "two-paths")
    window.context.guides.go_on()
    lecturer = Lecturer(window)
    lecturer.press(F5)
    assert lecturer.at == (2, "asked")
    lecturer.press(*[ON] * 9)  # three of the six steps before the hunt ask, and reveal
    assert lecturer.at == (8, "asked")
    assert lecturer.sentence == "? Which mistake is on?"
    assert "= instead of +=" in lecturer.choices
    lecturer.press(ONE, ON)
    assert [card.state for card in lecturer.band.choices].count("right") == 1
    lecturer.press(ESC)
    state = window.context.guides.learner
    assert window.context.guides.active
    assert state is not None
    assert state.at == 1


def test_a_room_hunts_from_before_the_pass_and_again_for_another_mistake(window: MainWindow):
    found = lesson("two-paths")
    at = next(k for k, step in enumerate(found.steps) if step.kind == "hunt")
    window.present_lesson(found, at)
    lecturer, playback = Lecturer(window), window.playback
    assert lecturer.sentence == "? Which mistake is on?"
    assert (playback.frame.phase, playback.cursor) == ("backward", 0)
    lecturer.press(Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert (playback.cursor, lecturer.state.stage) == (2, "asked")
    assert playback.now.mode.name == "hidden mistake"
    lecturer.press(Qt.Key.Key_Up)
    assert playback.cursor == 1
    mistakes = [lecturer.state.slide.rules]
    for _ in range(2):
        lecturer.press(ONE, Qt.Key.Key_R)
        assert (playback.cursor, lecturer.hands) == (0, [0] * len(lecturer.hands))
        mistakes.append(lecturer.state.slide.rules)
    assert mistakes[0] is not mistakes[1]
    assert mistakes[1] is not mistakes[2]
    lecturer.press(ONE, ESC)
    window.present_lesson(found, at)
    assert lecturer.state.slide.rules is mistakes[2]
    assert lecturer.hands[0] == 1
    lecturer.press(ON)
    assert playback.cursor == playback.frame.total
    assert lecturer.sentence.startswith(mistakes[2].title)


def test_the_room_sees_what_a_lessons_step_points_at(window: MainWindow):
    begin_lesson(window.context, "two-paths")
    window.context.guides.go_on()
    lecturer, selection = Lecturer(window), window.selection
    lecturer.press(F5, BACK)
    a, e, d, root = (node(window, name) for name in "aedL")
    assert selection.lesson_targets == LessonTargets(frozenset({a, (e, 0), (d, 1)}))
    mouse.click(window.canvas, at_header(window.canvas, d))
    assert selection.lesson_targets.lit == {d}
    lecturer.press(ON)
    second = LessonTargets(frozenset({a}), frozenset({e, d, root}))
    assert lecturer.at == (2, "asked")
    assert selection.lesson_targets == second
    lecturer.press(ON, ON)
    assert lecturer.at == (3, "shown")
    assert selection.lesson_targets == LessonTargets(frozenset({(e, 0), (d, 1)}), frozenset({root}))
    lecturer.press(ON, ON)
    assert lecturer.at == (5, "asked")
    assert selection.lesson_targets.lit == {(e, 0)}
    lecturer.press(ESC)
    assert selection.lesson_targets == second, "the lesson waits at its step"


def test_no_key_uncovers_an_open_question_while_editing_is_open(asking: Lecturer):
    window = asking.window
    asking.press(Qt.Key.Key_E)
    assert not window.document.locked
    keys = [getattr(Qt.Key, f"Key_{name}") for name in ("C", "P", "H", "F", "End", "Return")]
    acts = ("to_end", "forward", "leave", "cover", "rules-assign", "by_hand", "reveal")
    for act in [
        *(partial(asking.press, key) for key in keys),
        *(window.commands[a].trigger for a in acts),
    ]:
        act()
        assert asking.at == (2, "asked")
        assert window.playback.frame.hides_number
    asking.press(ON)
    assert asking.at == (2, "revealed")
    window.commands["to_end"].trigger()
    assert window.playback.cursor == window.playback.frame.total
