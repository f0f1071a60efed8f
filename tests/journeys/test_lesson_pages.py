"""A learner goes through lessons: what stands on the page, the sheet and the strip, and the end."""

from itertools import combinations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.controls import row_list
from app.lessons.course import course
from app.panels.lesson import LessonPage
from app.panels.lesson.player import NEW_NUMBERS, NO_VERDICT, NOT_ANSWERED, NOT_TRIED, ONCE_MORE
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import acts, push, sentence, told
from tests.helpers.lesson_learner import Learner
from tests.helpers.mouse import key
from tests.helpers.sampling import sampled
from tests.helpers.window import click, node, press

RETURN, ON = Qt.Key.Key_Return, Qt.Key.Key_PageDown
NAMES = [head.name for head in course().lessons]


def begin(window: MainWindow, name: str, at: int = 0) -> LessonPage:
    """Begin a lesson as the start page does, and go to a step; return its page."""
    begin_lesson(window.context, name)
    window.context.guides.go_to(at)
    QApplication.processEvents()
    page = window.bar.page
    assert isinstance(page, LessonPage)
    return page


def go_to(window: MainWindow, at: int) -> None:
    window.context.guides.go_to(at)
    QApplication.processEvents()


def choose(*answers: str) -> None:
    """Choose answers by their numbers, or those in words by their keys, each sent by Enter."""
    for answer in answers:
        for character in answer:
            key(Qt.Key(ord(character)))
        key(RETURN)
        QApplication.processEvents()


def text(page: LessonPage) -> str:
    return " ".join(line.text() for line in page.player.texts.shown)


# the sheet


def test_the_nodes_of_a_lesson_stand_at_their_places_at_once(window: MainWindow):
    for name in sampled(NAMES, 6):
        begin_lesson(window.context, name)
        placed = dict(window.document.positions)
        assert not window.canvas.auto_layout.running
        rects = [box.rect for box in window.canvas.scene.boxes.values()]
        assert not any(one.intersects(other) for one, other in combinations(rects, 2)), name
        QApplication.processEvents()
        assert window.document.positions == placed


def test_leaves_stand_in_the_order_in_which_they_are_read(window: MainWindow):
    begin(window, "two-paths")
    at = window.document.positions
    a, b = at[node(window, "a")], at[node(window, "b")]
    assert a[0] == b[0]
    assert a[1] < b[1]


def test_a_page_over_the_sheet_leaves_the_whole_graph_in_view(window: MainWindow):
    window.resize(1024, 700)
    QApplication.processEvents()
    page = begin(window, "two-paths")
    assert window.parts.page_floats
    canvas = window.canvas
    edge = page.mapTo(window, page.rect().topLeft()).x()
    right = canvas.camera.rect_on_screen(canvas.scene.bounds()).right()
    assert canvas.mapTo(window, canvas.rect().topLeft()).x() + right < edge


def test_the_sheet_of_a_lesson_is_not_called_edited(window: MainWindow):
    begin(window, "gears", at=4)  # with another value than the step before
    assert window.document.modified
    assert "edited" not in window.status_line.text()
    assert "edited" not in window.top_line.name.text()
    assert not window.isWindowModified()


def test_nothing_is_told_of_a_pass_before_a_question_that_comes_before_it(window: MainWindow):
    begin(window, "one-wire")
    assert "backward" not in window.status_line.text()
    assert not window.canvas.overlay.legend.shown
    go_to(window, 4)
    assert "backward, step 2 of 3" in window.status_line.text()


# the page


def test_next_says_what_a_step_still_wants(window: MainWindow):
    for name, said in (
        ("one-wire", NOT_ANSWERED),
        ("who-next", NOT_TRIED),
        ("plus-times", NO_VERDICT),
    ):
        page = begin(window, name, at=1 if said == NOT_TRIED else 0)
        assert not page.player.warning.isVisible()
        press(window, ON)
        assert page.player.warning.isVisible()
        assert page.player.warning.text() == said


def test_the_sheet_keeps_the_keyboard_after_it_was_said_what_is_missing(window: MainWindow):
    page = begin(window, "too-fast", at=1)
    assert window.canvas.hasFocus()
    key(ON)
    QApplication.processEvents()
    assert page.player.warning.isVisible()
    assert told(window).startswith("Press 1 epoch"), "the hint comes with it"
    assert window.canvas.hasFocus()  # the first chip had it, and Enter edited its leaf


def test_a_page_that_a_step_needs_is_opened_by_its_button_alone(window: MainWindow):
    page = begin(window, "same-leaf-twice", at=4)
    assert window.bar.name == "lesson"
    button = page.player.card.page
    assert button.text() == "Open Mistakes"
    click(button)
    assert window.bar.name == "mistakes"
    go_to(window, 5)
    assert window.bar.name == "lesson"
    assert not button.isVisible()


def test_a_page_can_be_opened_once_the_step_is_done_as_well(window: MainWindow):
    page = begin(window, "sum-over-paths", at=3)
    window.playback.go(11)
    QApplication.processEvents()
    assert sentence(window).startswith("✓ ")
    click(page.player.card.page)
    assert window.bar.name == "why"


def test_the_hint_of_a_step_that_asks_nothing_is_in_the_answer_line(window: MainWindow):
    page = begin(window, "one-neuron", at=5)
    card = page.player.card
    window.canvas.setFocus()
    click(card.more)
    assert window.canvas.hasFocus(), "Put the graph back is the next button"
    assert told(window) == "What stands beside w2 under its ×?"
    assert not card.more.isVisible()
    go_to(window, 4)  # the strip has that of a question
    assert not card.more.isVisible()
    begin(window, "firing-order", at=1)  # and its own in a pass by hand
    assert not card.more.isVisible()


def test_who_may_fire_next_is_answered_by_a_click_and_the_sentence_says_so(window: MainWindow):
    begin(window, "who-next", at=4)
    assert sentence(window).endswith("Click it.")
    assert window.canvas.hasFocus()  # Enter edits no leaf


def test_what_was_clicked_in_a_step_is_not_ringed_in_the_next(window: MainWindow):
    begin(window, "who-next")
    window.selection.focus_on(node(window, "c"))
    go_to(window, 1)
    assert not window.selection.anything


def test_enter_goes_on_after_the_last_press_on_step(window: MainWindow):
    begin(window, "inside-operation", at=4)
    while "step" in acts(window):
        push(window, "step")
    QApplication.processEvents()
    key(RETURN)
    QApplication.processEvents()
    state = window.context.guides.learner
    assert state is not None
    assert state.at == 5


def test_a_step_out_of_order_is_done_only_after_its_last_move(window: MainWindow):
    begin(window, "firing-order", at=5)
    learner = Learner(window)
    state = learner.state
    assert state.step is not None
    early, last = state.step.moves[:2], state.step.moves[2:]
    learner.make(early)
    assert not learner.state.ended
    learner.make(last)
    assert learner.state.ended == "done"


def test_the_number_that_a_text_quotes_stays_when_the_sum_changes(window: MainWindow):
    page = begin(window, "two-paths", at=4)
    assert text(page).startswith("a holds +5 already.")
    choose("-10", "-5")
    assert told(window).startswith("✓")
    assert text(page).startswith("a holds +5 already.")
    page = begin(window, "who-next", at=6)
    choose("1", "6", "7")
    assert told(window).startswith("✓")
    assert text(page).startswith("c holds +6 from f.")


def test_a_leaf_that_is_read_twice_has_one_gradient(window: MainWindow):
    begin(window, "same-leaf-twice", at=3)
    assert sentence(window) == "× (u) passes +6 to a (slot 2). a.grad is now ?."


def test_a_new_step_is_shown_from_its_title_on(window: MainWindow):
    window.resize(900, 460)
    QApplication.processEvents()
    page = begin(window, "one-wire", at=7)
    bar = page.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    go_to(window, 1)
    assert bar.value() == 0


# the end page


def test_wrong_choices_are_listed_in_words_at_the_end(window: MainWindow):
    page = begin(window, "one-wire", at=3)
    choose("1", "2")
    go_to(window, 7)
    said = "step 4: you said that of a, right is that of b. a.grad is b, and b stays 5."
    assert page.player.end.answers.texts() == [said]
    begin(window, "plus-times", at=1)
    choose("1")
    go_to(window, 7)
    (told,) = page.player.end.answers.texts()
    assert told.startswith("step 2: you said rises, right is falls.")


def test_an_answer_in_two_lines_has_its_verdict_below_both(window: MainWindow, monkeypatch):
    page = begin(window, "missing-plus", at=1)
    choose("2")
    go_to(window, 5)
    tops = list[tuple[str, float]]()

    def note(_painter, at, lines, font, *_look, **_more):
        words = "".join(piece.span.text for line in lines for piece in line.pieces)
        tops.append((words, at.y()))

    monkeypatch.setattr(row_list, "paint_lines", note)
    page.player.end.answers.grab()
    answer = [top for words, top in tops if words in "the numbers are small  nothing is read twice"]
    verdict = next(top for words, top in tops if words.startswith("Size does not matter"))
    assert len(answer) == 2
    assert verdict > max(answer) + 10


def test_the_end_page_leads_to_the_next_lesson(window: MainWindow):
    page = begin(window, "one-wire", at=7)
    assert not page.player.edit_note.isVisible()
    assert page.player.following.text() == "Gears in a row"
    click(page.player.following)
    assert page.player.title.text() == "Gears in a row"
    assert not page.player.following.isVisible()


def test_the_last_lesson_leads_to_the_start_page(window: MainWindow):
    page = begin(window, NAMES[-1], at=8)
    assert not page.player.following.isVisible()
    assert not page.next_lesson.isVisible()
    click(page.start_page)
    assert window.on_full_page


def test_new_numbers_are_promised_only_where_they_come(window: MainWindow):
    for name, offer in (("one-wire", ONCE_MORE), ("gears", NEW_NUMBERS)):
        assert begin(window, name, at=7).player.end.again.text() == offer
