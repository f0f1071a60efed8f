"""Ask me and Cover: a number is typed, or said in the room, before it is shown."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.canvas.appearance.detail import Detail
from app.document.boxes import all_members
from app.lessons.course import FOLDER
from app.panels.lesson import LessonPage
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.asking.question import LEVELS
from engine.formats.native import Drawing, read_drawing
from tests.helpers.answering import (
    acts,
    answer,
    answer_all,
    ask,
    attempts,
    blank,
    blanks,
    button,
    caret,
    push,
    quiz,
    sentence,
    told,
)
from tests.helpers.canvas import folded_boxes
from tests.helpers.lecturing import Lecturer
from tests.helpers.lecturing import asked as asked_mark
from tests.helpers.lecturing import shown as shown_mark
from tests.helpers.mouse import at_header, at_label, key, tick_x, type_into_focus
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import grad, label, labels, ledger, written
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    SHIFT,
    click,
    inspector,
    node,
    opened_page,
    opened_window,
    press,
    said,
    until,
)

RETURN, ESCAPE, TAB = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab
ON, BACK = Qt.Key.Key_PageDown, Qt.Key.Key_PageUp
RIGHT, END = Qt.Key.Key_Right, Qt.Key.Key_End
PASS = ("-2", "-4", "-2", "-2", "6 4", "-4")
"""The right answers of the shared leaf, step by step."""


def begin(window: MainWindow) -> None:
    window.canvas.setFocus()
    ask(window)


@pytest.fixture
def asked(qtbot) -> Iterator[MainWindow]:
    """The shared leaf, every step asked about; P was pressed."""
    with opened_window(qtbot, example="shared-leaf", prepare=begin) as window:
        yield window


@pytest.fixture
def sixth(asked: MainWindow) -> MainWindow:
    """The step that brings a its second contribution, and so has two blanks."""
    asked.playback.go(5)
    press(asked, RIGHT)
    return asked


def at_step(window: MainWindow) -> int:
    return window.playback.cursor


def say(window: MainWindow, *texts: str) -> None:
    """Type into one blank after the other, Enter behind each."""
    for text in texts:
        assert caret(window) is not None, "the caret is in no blank"
        type_into_focus(text)
        key(RETURN)
        QApplication.processEvents()


# beginning


def test_p_puts_the_question_into_the_sentence_and_the_caret_into_its_blank(asked: MainWindow):
    assert sentence(asked) == "× (L) passes ? to d."
    assert told(asked).startswith("Step 2 of 7")
    assert label(asked.canvas, "L", 0) == "?"
    assert caret(asked) == 0
    assert asked.commands["predict"].isChecked()


def test_a_click_on_ask_me_does_the_same(shared_leaf: MainWindow):
    shared_leaf.commands["all_tools"].trigger()
    shared_leaf.context.modes.set_steps("every")
    push(shared_leaf, "ask")
    assert sentence(shared_leaf) == "× (L) passes ? to d."
    assert caret(shared_leaf) == 0


def test_without_a_root_ask_me_says_why_and_changes_nothing(window: MainWindow):
    window.show_work()
    press(window, "p")
    assert window.context.modes.now is None
    assert window.playback.phase == "live"
    assert said(window)


def test_a_graph_of_constants_has_nothing_to_ask(window: MainWindow):
    window.document.start(Drawing(from_expression("y = 2 * 3"), {}))
    press(window, "p")
    assert window.context.modes.now is None
    assert window.playback.phase == "live"
    assert "nothing requires a gradient" in said(window)


# answering


def test_a_right_answer_takes_the_step_and_stays_on_show_until_go_on(asked: MainWindow):
    say(asked, "-2")
    assert at_step(asked) == 2
    assert grad(asked.canvas, "d") == "−2"
    assert sentence(asked) == "× (L) passes −2 ✓ to d."
    assert told(asked) == "✓ Right. 1 more of d is one more f in d × f: −2. L is the root, so × 1."
    assert acts(asked) == ["back", "go on"]
    key(RETURN)
    assert at_step(asked) == 2, "the step is taken once"
    assert sentence(asked) == "× (L) passes ? to f."
    assert caret(asked) == 0


def test_what_is_typed_stands_on_the_wire_at_once(asked: MainWindow):
    type_into_focus("-1.5")
    assert label(asked.canvas, "L", 0) == "−1.5"
    assert "−1.5" in written(asked.canvas)
    assert grad(asked.canvas, "d") == "–"


def test_only_what_is_wrong_is_empty_again_and_the_caret_stands_there(sixth: MainWindow):
    say(sixth, "6", "6")
    assert at_step(sixth) == 5
    assert sentence(sixth) == "× (e) passes +6 ✓ to a; a.grad is now ?."
    assert told(sixth) == ("✘ 6 is the share over e. Move a slightly: does L feel it over e only?")
    assert caret(sixth) == 0
    assert blanks(sixth) == [""]
    say(sixth, "4")
    assert told(sixth).startswith("✓ Right the second time.")


def test_a_whole_pass_is_answered_by_keys_alone(shared_leaf: MainWindow):
    ask(shared_leaf, "whole step")
    numbers = (
        *("1", "-2", "-2", "1", "-4", "-4", "-2", "1", "-2", "-2", "1", "-2"),
        *("-2", "-3", "6", "4", "-2", "2", "-2*2"),
    )
    for number in numbers:
        if caret(shared_leaf) is None:
            key(RETURN)  # goes on
        say(shared_leaf, number)
    key(RETURN)
    assert at_step(shared_leaf) == 7
    assert [attempt.verdict for attempt in attempts(shared_leaf)] == ["right"] * 19
    assert sentence(shared_leaf) == "All 19 answers right first time."
    press(shared_leaf, "p")
    assert shared_leaf.context.modes.now is None


def test_a_whole_pass_is_answered_by_mouse(asked: MainWindow):
    """Only the numbers are typed."""
    answer_all(asked, *PASS[:3])
    assert at_step(asked) == 4
    for rung in (1, 2):
        push(asked, "hint")
        assert quiz(asked).rung == rung
    assert sentence(asked) == "+ (d) got −2 and passes −2 × ? = ? to a."
    push(asked, "show")
    assert sentence(asked) == "+ (d) got −2 and passes −2 × 1 = −2 to a."
    assert told(asked).startswith("Worked: ")
    push(asked, "go on")
    push(asked, "skip")
    assert at_step(asked) == 6
    answer_all(asked, "-4")
    assert at_step(asked) == 7
    marks = {a.question.step: (a.right_first, a.shown, a.skipped) for a in attempts(asked)}
    assert marks[4] == (True, False, False)
    assert marks[5] == (False, True, False)
    assert marks[6] == (False, False, True)
    assert marks[7] == (True, False, False)


# three rungs


def test_a_wrong_answer_climbs_three_rungs(sixth: MainWindow):
    say(sixth, "-4", "2")
    assert told(sixth).startswith("✘ −4 ")
    assert "6" not in told(sixth)
    assert sentence(sixth) == "× (e) passes ? to a; a.grad is now ?."
    say(sixth, "-5", "1")
    assert sentence(sixth) == "× (e) got −2 and passes −2 × ? = ? to a; a.grad is now ?."
    assert told(sixth) == (
        "✘ −5 is not it either. a +0.01 over e alone: e −0.03, and L +0.06."
        " How much of e is that for 1 of a?"
    )
    assert label(sixth.canvas, "e", 0) == ""
    say(sixth, "1")
    assert at_step(sixth) == 6
    assert sentence(sixth) == "× (e) got −2 and passes −2 × −3 = +6 to a; a.grad is now 4."
    assert told(sixth).startswith("Worked: ")
    assert acts(sixth) == ["back", "go on"]


# keys


def test_tab_leads_from_blank_to_blank_over_the_buttons_to_the_canvas(sixth: MainWindow):
    for place in (0, 1):
        assert caret(sixth) == place
        key(TAB)
    for name in ("answer", "hint", "show", "skip", "another"):
        assert QApplication.focusWidget() is button(sixth, name)
        key(TAB)
    assert sixth.canvas.hasFocus()
    press(sixth, RIGHT)
    key(TAB)
    key(TAB)
    key(TAB, SHIFT)
    assert caret(sixth) == 1


def test_escape_leaves_the_blank_and_keeps_its_text_then_ends_the_mode(asked: MainWindow):
    type_into_focus("-1.5")
    key(ESCAPE)
    assert asked.canvas.hasFocus()
    assert blanks(asked) == ["-1.5"]
    press(asked, RETURN)
    assert caret(asked) == 0
    key(ESCAPE)
    press(asked, ESCAPE)
    assert asked.context.modes.now is None
    assert asked.playback.phase == "backward"


@pytest.mark.parametrize("how", ["right arrow", "a click on the question mark"])
def test_the_caret_comes_into_the_blank_and_never_past_the_question(asked: MainWindow, how: str):
    key(ESCAPE)
    event = asked.playback.frame.next_event
    assert event is not None
    assert event.wire is not None
    for _ in range(2):
        asked.canvas.setFocus()
        if how == "right arrow":
            press(asked, RIGHT)
        else:
            click_at(asked.canvas, at_label(asked.canvas, event.wire))
        assert caret(asked) == 0
        assert at_step(asked) == 1
        assert label(asked.canvas, "L", 0) == "?"


@pytest.mark.parametrize("where", ["in the blank", "on the canvas"])
def test_page_down_skips_and_goes_on_from_what_is_answered(asked: MainWindow, where: str):
    if where == "on the canvas":
        key(ESCAPE)
    press(asked, ON)
    assert at_step(asked) == 2
    assert sentence(asked) == "× (L) passes ? to f."
    assert (caret(asked) == 0) == (where == "in the blank")
    answer(asked, "-4")
    press(asked, ON)
    assert at_step(asked) == 3
    assert sentence(asked) == "+ (d) passes ? to e."
    assert [a.skipped for a in attempts(asked)] == [True, False]
    press(asked, BACK)
    assert at_step(asked) == 2


def test_letters_points_and_arrows_belong_to_the_blank(asked: MainWindow):
    type_into_focus("cp.v1")
    key(Qt.Key.Key_Left)
    assert blanks(asked) == ["cp.v1"]
    assert blank(asked).cursorPosition() == 4
    assert at_step(asked) == 1
    assert asked.strip.voice == "plain"


def test_v_says_a_step_in_three_voices_and_leaves_a_question_plain(asked: MainWindow):
    asked.context.modes.set_steps("last")
    plain = sentence(asked)
    press(asked, "v")
    assert asked.strip.voice == "maths"
    assert sentence(asked) != plain
    asked.playback.go(6)
    assert sentence(asked) == "× (e) passes ? to b."
    press(asked, "v", "v")
    assert asked.strip.voice == "plain"


def test_ctrl_z_in_a_blank_is_the_blanks_and_elsewhere_the_documents(asked: MainWindow):
    asked.document.set_value(1, 5.0)
    type_into_focus("12")
    key(Qt.Key.Key_Z, CTRL)
    assert blanks(asked) == [""]
    assert asked.document.done
    asked.canvas.setFocus()
    key(Qt.Key.Key_Z, CTRL)
    assert not asked.document.done
    assert asked.context.modes.now is not None


# what is asked


LEVEL_QUESTIONS = (
    ("contribution and sum", 5, "× (e) passes ? to a; a.grad is now ?."),
    ("slope", 5, "Along a, the slope of × (e) is ?."),
    ("contribution", 5, "× (e) passes ? to a."),
    ("sum", 5, "× (e) passes +6 to a. a.grad is now ?."),
    ("whole step", 5, "? × ? = ? goes to a; a.grad is now ?."),
    ("final gradients", 0, "At the end a.grad is ?, b.grad ?, f.grad ?."),
    ("values", 0, "e = a × b = 2 × −3 = ?."),
    ("next node", 3, "× (L) has fired. Which node may fire next? Click it."),
)


def test_each_level_has_its_blanks(shared_leaf: MainWindow):
    for level, cursor, asks in LEVEL_QUESTIONS:
        ask(shared_leaf, level)
        shared_leaf.playback.go(cursor)
        found = sentence(shared_leaf)
        assert found == asks
        assert len(blanks(shared_leaf)) == found.count("?") - (level == "next node")
        assert shared_leaf.strip.note.text().endswith("· Blanks")
        shared_leaf.context.modes.leave()
        shared_leaf.playback.leave()
        shared_leaf.canvas.setFocus()


def test_final_gradients_are_asked_for_before_the_pass_begins(shared_leaf: MainWindow):
    ask(shared_leaf, "final gradients")
    assert at_step(shared_leaf) == 0
    assert [grad(shared_leaf.canvas, name) for name in "abf"] == ["?"] * 3
    say(shared_leaf, "-2", "-4", "-4")
    assert (
        told(shared_leaf)
        == "✘ −2 is the share over d. On how many ways does L feel it when a moves?"
    )
    assert sentence(shared_leaf) == "At the end a.grad is ?, b.grad −4 ✓, f.grad −4 ✓."
    say(shared_leaf, "4")
    key(RETURN)
    assert at_step(shared_leaf) == 1
    assert not blanks(shared_leaf)


def test_values_are_asked_for_in_the_forward_pass_and_summed_up_at_its_end(shared_leaf):
    ask(shared_leaf, "values")
    assert shared_leaf.playback.phase == "forward"
    for number in ("-6", "-4", "8"):
        say(shared_leaf, number)
        key(RETURN)
    assert sentence(shared_leaf) == "All 3 answers right first time."
    assert "again" in acts(shared_leaf)


@pytest.mark.parametrize("how", ["a click", "keys"])
def test_the_next_node_is_clicked_or_fired_with_enter(shared_leaf: MainWindow, how: str):
    window, view = shared_leaf, shared_leaf.canvas
    ask(window, "next node")
    assert sentence(window) == "× (L) has its seed. Which node may fire next? Click it."
    assert "answer" not in acts(window)

    def fire(name: str) -> None:
        if how == "a click":
            click_at(view, at_header(view, node(window, name)))
        else:
            window.selection.focus_on(node(window, name))
            press(window, RETURN)

    fire("e")
    assert told(window) == "✘ × (e) still waits."
    assert at_step(window) == 1
    fire("L")
    assert sentence(window) == "× (L) fires next."
    window.selection.clear()
    press(window, RETURN)
    assert [a.slips for a in attempts(window)] == [("waits",)]
    press(window, END)
    assert told(window).startswith("1 of 1 missed: fired too early.")
    assert "three more" not in acts(window), "no number shows this slip"


# which steps


def test_the_last_step_is_asked_about_and_one_more_after_each_clean_run(shared_leaf: MainWindow):
    window = shared_leaf
    ask(window, steps="last")
    for step in range(2, 7):
        press(window, RIGHT)
        assert at_step(window) == step
    assert sentence(window) == "× (e) passes ? to b."
    press(window, RIGHT)
    say(window, "-4")
    key(RETURN)
    assert sentence(window) == "The question was right first time."
    assert told(window) == "Next: the last 2 steps."
    push(window, "again")
    assert window.playback.cursor == 1
    press(window, *[RIGHT] * 4)
    assert sentence(window) == "× (e) passes ? to a; a.grad is now ?."
    press(window, RIGHT)
    say(window, "5", "5")
    push(window, "show")
    push(window, "go on")
    say(window, "-4")
    key(RETURN)
    assert sentence(window).startswith("1 of 3 right first time")
    push(window, "again")
    assert window.context.modes.last == 2, "a wrong answer is no clean run"


# the end of a pass


def test_a_clean_pass_says_what_comes_next(asked: MainWindow):
    answer_all(asked, *PASS)
    assert sentence(asked) == "All 7 answers right first time.", "step 6 asks twice"
    assert told(asked) == "Next: the whole step, with up to 4 blanks."
    assert button(asked, "again").text() == "Go on"
    push(asked, "again")
    assert at_step(asked) == 1
    assert sentence(asked) == "? × ? = ? goes to d."
    assert caret(asked) == 0
    assert quiz(asked).level is LEVELS["whole step"]
    assert asked.context.settings.level == "contribution and sum", "chosen by nobody"
    for _time in range(2):  # end it, and begin another one
        asked.commands["predict"].trigger()
    assert quiz(asked).level is LEVELS["contribution and sum"]


def test_a_skipped_step_leaves_a_pass_unclean(asked: MainWindow):
    answer_all(asked, *PASS[:5])
    push(asked, "skip")
    assert sentence(asked) == "All 6 answers right first time."
    assert told(asked) == "Others were skipped."
    assert button(asked, "again").text() == "Again"


def test_the_last_step_is_the_last_that_has_a_blank(shared_leaf: MainWindow):
    window = shared_leaf
    quizzes = window.context.modes
    quizzes.set_level("sum")
    press(window, "p", *[RIGHT] * 5)
    assert sentence(window).endswith("a.grad is now ?.")
    say(window, "4")
    press(window, END)
    assert sentence(window) == "The question was right first time."
    assert told(window) == "Next: the whole step, with up to 4 blanks.", "no other step has a sum"


def test_again_after_asked_values_asks_the_values_again(shared_leaf: MainWindow):
    shared_leaf.playback.forward(cursor=0)
    press(shared_leaf, "p")
    say(shared_leaf, "77")
    for _ in range(3):
        push(shared_leaf, "skip")
    push(shared_leaf, "again")
    assert shared_leaf.playback.phase == "forward"


def test_values_are_asked_for_from_within_a_backward_pass_too(shared_leaf: MainWindow):
    press(shared_leaf, "b")
    ask(shared_leaf, "values")
    assert shared_leaf.playback.phase == "forward"
    assert blanks(shared_leaf)


def test_a_pass_before_its_seed_begins_with_it(shared_leaf: MainWindow):
    shared_leaf.playback.backward(cursor=0)
    press(shared_leaf, "p")
    assert at_step(shared_leaf) == 1


def test_where_no_paths_meet_there_is_nothing_to_ask(window: MainWindow):
    window.document.start(Drawing(from_expression("y = a*b"), {}))
    window.context.modes.set_steps("meet")
    press(window, "p")
    assert not window.context.modes.asks
    assert "no paths meet" in said(window)


def test_the_inspector_tells_no_slope_of_what_has_not_fired(asked: MainWindow):
    inspector(asked)
    slopes = inspector(asked).node.slopes
    for name in ("L", "e"):
        asked.selection.focus_on(node(asked, name))
        assert [line.split(" = ")[1:] for line in slopes.text().splitlines()] == [["?"], ["?"]]


def test_a_second_wrong_answer_is_answered_by_an_experiment_whatever_it_was(asked: MainWindow):
    say(asked, "-4")
    say(asked, "2")
    assert told(asked) == "✘ 2 is not it either. d +0.01: L −0.02. d up: which way does L go?"


def test_ask_me_asks_about_the_next_step_at_once(shared_leaf: MainWindow):
    for _step in range(3):
        press(shared_leaf, "b" if shared_leaf.playback.phase == "live" else RIGHT)
    at = at_step(shared_leaf)
    press(shared_leaf, "p")
    question = shared_leaf.context.modes.question
    assert question is not None
    assert (at_step(shared_leaf), question.step) == (at, at + 1)


def test_who_answers_the_question_of_the_sentence_is_asked_the_next_one(sixth: MainWindow):
    answer(sixth, "2", "4")
    assert told(sixth).endswith("If a grows by 1 and b stays, how much does a × b grow?")
    answer(sixth, "-3")
    assert told(sixth).endswith("How far does L move when e moves by −3?")
    answer(sixth, "6")
    assert told(sixth).endswith("a moves e, and e moves L: −3 × (−2). The slope alone stops at e.")


def test_a_wrong_answer_after_a_hint_is_called_wrong_and_each_hint_counts(asked: MainWindow):
    push(asked, "hint")
    say(asked, "77")
    assert told(asked).startswith("✘ ")
    asked.playback.go(2)
    asked.playback.go(1)
    push(asked, "hint")
    assert list(quiz(asked).hints_by_step.values()) == [2]


def test_a_pass_with_a_slip_names_it_and_offers_three_more(asked: MainWindow):
    answer_all(asked, *PASS[:4], "-4 -6", "-4")
    assert sentence(asked) == "5 of 6 right first time: × 3 of 4, + 2 of 2."
    assert told(asked).startswith("1 of 1 missed: ")
    assert button(asked, "again").text() == "Again"
    push(asked, "three more")
    page = opened_page(asked, "lesson")
    assert isinstance(page, LessonPage)
    assert page.drill.field.hasFocus()
    assert page.drill_block.note.text() == "1 of 3"
    for part in (page.drill.question, page.drill.field):
        assert part.visibleRegion().contains(part.rect()), "no scrolling is left to the learner"
    key(ESCAPE)
    push(asked, "again")
    assert at_step(asked) == 1


def test_the_timeline_marks_what_was_answered(asked: MainWindow):
    answer_all(asked, "-2", "4")
    assert quiz(asked).right_answers() == {2: True, 3: False}
    timeline = asked.strip.timeline
    assert "✓ answered right" in timeline.tooltip_at(tick_x(timeline, "backward", 2))
    assert "answered wrong" in timeline.tooltip_at(tick_x(timeline, "backward", 3))


# edits, groups, readers


def test_a_value_edit_asks_anew_and_a_wiring_edit_ends_the_mode_with_a_sentence(asked: MainWindow):
    answer_all(asked, "-2")
    asked.document.set_value(node(asked, "f"), 5.0)
    assert quiz(asked).record.changed
    assert sentence(asked) == "× (L) passes ? to f."
    asked.document.wires.disconnect(node(asked, "e"), 0)
    assert asked.context.modes.now is None
    assert "Ask me has ended." in said(asked)
    assert not blanks(asked)


def test_folded_groups_are_opened_while_a_learner_is_asked(shared_leaf: MainWindow):
    document, scene = shared_leaf.document, shared_leaf.canvas.scene
    nodes = {number for number, name in document.graph.names.items() if name in ("d", "e")}
    group, factor = document.groups.make(nodes), document.groups.make([node(shared_leaf, "f")])
    steps, saved = len(document.steps), document.sheet
    assert {group, factor} == folded_boxes(scene).keys()
    ask(shared_leaf)
    assert group in scene.visible.opened
    assert nodes <= set(scene.boxes)
    assert factor in folded_boxes(scene)
    answer(shared_leaf, "-4")
    assert "If d grows by 1 and f stays" in told(shared_leaf)
    assert node(shared_leaf, "f") in scene.boxes
    answer_all(shared_leaf, "-2", "-4")
    assert sentence(shared_leaf) == "+ (d) passes ? to e."
    assert factor in folded_boxes(scene)
    key(ESCAPE)
    press(shared_leaf, ESCAPE)
    assert shared_leaf.context.modes.now is None
    assert {group, factor} == folded_boxes(scene).keys()
    assert (len(document.steps), document.sheet) == (steps, saved)


def network(window: MainWindow) -> None:
    """mlp(2, 2, 1) from quick add."""
    click(window.pages.welcome.empty_button)  # type: ignore[attr-defined]
    window.canvas.setFocus()
    press(window, TAB)
    type_into_focus("mlp(2, 2, 1)")
    key(RETURN)
    until(lambda: not window.canvas.auto_layout.running)


@pytest.mark.parametrize("key_of_mode", ["c", "p"])
def test_a_question_opens_the_group_of_its_step_alone_and_nothing_overlaps(window, key_of_mode):
    network(window)
    scene, camera = window.canvas.scene, window.canvas.camera
    folded = len(folded_boxes(scene))
    press(window, "b", key_of_mode)
    for cursor in sampled(range(1, window.playback.frame.total), 7):
        window.playback.go(cursor)
        frame, visible, layout = window.playback.frame, scene.visible, scene.node_layout
        asks = bool(window.playback.now.quiz.questions(frame))
        step = frame.unhidden.events[cursor if asks else cursor - 1]
        home = {
            n
            for n, group in window.document.sheet.groups.items()
            if all_members(window.document.sheet.groups)[n] & {step.node, step.sender}
        }
        assert visible.opened.keys() == home, cursor
        blocks = layout.block_rects
        for one, other in combinations(blocks, 2):
            assert not one.intersects(other), cursor
        frames = [layout.groups.rect(n) for n in visible.opened]
        assert len({rect.top() for rect in frames}) == len(frames), "titles lie apart"
        for rect in frames:
            inside = [b for b in blocks if rect.contains(b)]
            assert [b for b in blocks if rect.intersects(b)] == inside
        assert scene.detail(camera.scale) >= Detail.RESULTS, (cursor, camera.scale)
    press(window, ESCAPE, ESCAPE)
    assert len(folded_boxes(scene)) == folded


def test_a_question_between_two_folded_groups_is_as_large_as_the_sheet_was(window: MainWindow):
    window.showNormal()
    window.resize(1280, 720)
    window.document.start(read_drawing((FOLDER / "why-wrong.backwire").read_text("utf-8")))
    canvas = window.canvas
    QApplication.processEvents()
    assert canvas.scene.detail(canvas.camera.scale) >= Detail.RESULTS
    ask(window)
    for _step in range(7):
        push(window, "skip")
        QApplication.processEvents()
    assert sentence(window) == "× (v22) passes ? to h2."
    for text in ("3", "5"):
        answer(window, text)
        assert canvas.scene.detail(canvas.camera.scale) >= Detail.RESULTS
        rect = canvas.scene.bounds([node(window, name) for name in ("h2", "v22")])
        assert canvas.camera.uncovered_area.contains(rect)


def test_sender_wire_and_receiver_of_each_question_stay_in_view(window: MainWindow):
    window.showNormal()
    window.resize(1366, 768)
    network(window)
    canvas, scene = window.canvas, window.canvas.scene
    ask(window)
    seen = set[int]()
    while "skip" in acts(window):
        frame = window.playback.frame
        event = frame.unhidden.events[frame.cursor]
        for is_wrong in (False, True):
            if is_wrong:
                answer(window, *("3", "5")[: len(blanks(window))])
            QApplication.processEvents()
            area = canvas.camera.uncovered_area
            rects = [scene.bounds((n,)) for n in (event.node, event.sender)]
            rects.append(scene.labels.rect(event.wire))
            assert all(area.contains(rect) for rect in rects if rect), (sentence(window), is_wrong)
            assert scene.detail(canvas.camera.scale) >= Detail.RESULTS
        seen.add(frame.cursor)
        push(window, "skip")
    assert len(seen) > 20


def test_a_room_reads_the_question_within_a_folded_group_and_its_answer(window: MainWindow):
    network(window)
    lecturer, scene = Lecturer(window), window.canvas.scene
    lecturer.begin([shown_mark(window.document.graph, 7), asked_mark(window.document.graph, 8)])
    window.showNormal()  # as large as a projector: the screen of these tests is small
    window.resize(1366, 768)
    QApplication.processEvents()
    assert not scene.visible.opened
    for stage in ("asked", "revealed"):
        press(window, ON)
        assert lecturer.at == (2, stage)
        assert {4, 5} == scene.visible.opened.keys()
        assert scene.detail(window.canvas.camera.scale) >= Detail.RESULTS
    event = window.playback.frame.event
    assert event is not None
    assert event.wire in scene.courses
    assert event.node in scene.boxes
    press(window, ESCAPE)
    assert not scene.visible.opened


def test_the_product_of_the_digits_on_the_screen_is_right(window: MainWindow):
    graph = from_expression("y = tanh(a - b) * f", {"a": 2, "b": 1.5, "f": -2})
    window.document.start(Drawing(graph))
    ask(window)
    answer_all(window, "-2", "0.4621")
    answer(window, "-1.5728")
    assert at_step(window) == 4
    (row,) = [row for row in attempts(window) if row.question.step == 4]
    assert (row.verdict, row.slips) == ("rounded", ())
    assert told(window).startswith("✓ Right from the digits shown")


def test_an_answer_of_eighty_characters_is_quoted_in_twelve(asked: MainWindow):
    long = "-1." + "2345" * 25
    QTest.keyClicks(blank(asked), long)
    assert len(blanks(asked)[0]) == 80
    key(RETURN)
    assert "…" in told(asked)
    assert long[:20].replace("-", "−") not in told(asked)


@pytest.fixture
def covered(shared_leaf: MainWindow) -> MainWindow:
    press(shared_leaf, "c", "b")
    return shared_leaf


def test_the_next_contribution_is_a_question(covered: MainWindow):
    assert label(covered.canvas, "L", 0) == "?"
    covered.canvas.camera.set_zoom(1.0)
    assert "?" in written(covered.canvas)
    assert sentence(covered) == "× (L) passes ? to d."
    assert not covered.strip.sentence.fields, "the room says it"
    assert "step" in acts(covered)
    assert covered.commands["cover"].isChecked()


def test_a_step_shows_it_and_asks_the_next(covered: MainWindow):
    view = covered.canvas
    press(covered, Qt.Key.Key_Right)
    assert label(view, "L", 0) == "1 × −2 = −2"
    assert label(view, "L", 1) == "?"
    press(covered, Qt.Key.Key_Left)
    assert label(view, "L", 0) == "?"
    press(covered, Qt.Key.Key_End)
    assert not any("?" in text for text in labels(view).values())


def test_a_sum_is_only_shown_as_far_as_it_has_come(covered: MainWindow):
    view = covered.canvas
    press(covered, *[Qt.Key.Key_Right] * 4)
    assert ledger(view, "a") == "?"
    assert grad(view, "a") == "−2"


def test_c_again_uncovers(covered: MainWindow):
    press(covered, "c")
    assert label(covered.canvas, "L", 0) == "", "it may yet be asked"
    covered.commands["cover"].trigger()
    assert label(covered.canvas, "L", 0) == "?"


def test_all_three_numbers_of_a_step_are_hidden_and_revealed_at_once(shared_leaf: MainWindow):
    shared_leaf.context.modes.set_level("whole step")
    press(shared_leaf, "c", "b")
    assert label(shared_leaf.canvas, "L", 0) == "?"
    assert sentence(shared_leaf) == "? × ? = ? goes to d."
    press(shared_leaf, ".")
    assert label(shared_leaf.canvas, "L", 0) == "1 × −2 = −2"
    assert shared_leaf.playback.cursor == 1


def test_reveal_shows_what_is_covered_and_in_ask_me_leads_to_the_blank(shared_leaf: MainWindow):
    reveal = shared_leaf.commands["reveal"]
    assert reveal.toolTip().startswith(
        "Under Cover show the numbers that are asked for; in Ask me go to the blank"
    )
    shared_leaf.context.modes.set_steps("every")
    press(shared_leaf, "p")
    shared_leaf.canvas.setFocus()
    reveal.trigger()
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    assert shared_leaf.playback.frame.hides_number


def test_final_gradients_are_hidden_before_the_pass_and_shown_at_its_end(shared_leaf: MainWindow):
    shared_leaf.context.modes.set_level("final gradients")
    press(shared_leaf, "c", "b")
    assert [grad(shared_leaf.canvas, name) for name in "abf"] == ["?"] * 3
    press(shared_leaf, ".")
    assert [grad(shared_leaf.canvas, name) for name in "abf"] == ["4", "−4", "−4"]
    press(shared_leaf, Qt.Key.Key_Home)
    assert grad(shared_leaf.canvas, "a") == "?"
