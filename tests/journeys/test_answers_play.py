"""Every answer plays: the learner's number stands, and only the truth moves."""

import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication

from app.guide.play.guide import learner_of
from app.lessons.lesson import LessonKind
from app.lessons.load import lesson
from app.style import sizes
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.asking.question import Question
from engine.formats.native import Drawing
from engine.numbers import signed
from tests.helpers.answering import acts, answer, ask, caret, push, sentence, told
from tests.helpers.mouse import at_nothing, glide, release
from tests.helpers.mouse import press as press_at
from tests.helpers.seeing import picture, shows
from tests.helpers.tables import in_turn
from tests.helpers.window import node, open_example, press, until

ENTER, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Space
COLUMNS = 2
"""Columns through which the answer of lesson 1 runs: the wire to ×, and the one to the root."""


@pytest.fixture
def playing(window: MainWindow) -> Iterator[MainWindow]:
    """Lesson 1, which asks for a change first; its motion runs when a test says so."""
    stop_time(window)
    begin_lesson(window.context, "one-wire")
    settle(window)
    yield window
    window.canvas.motion.finish()


def stop_time(window: MainWindow) -> None:
    window.context.style.set_motion(True)
    window.canvas.motion._timer.timeout.disconnect()


def settle(window: MainWindow) -> None:
    """Let a sheet that was opened come to rest: its nodes glide to their places."""
    until(lambda: not window.canvas.auto_layout.running)
    QApplication.processEvents()
    window.canvas.motion.finish()
    QApplication.processEvents()


def at(window: MainWindow, moment: float) -> QImage:
    """The sheet at a time in ms after the answer began to play."""
    window.canvas.motion.show_at(moment)
    return picture(window.canvas)


def pills(window: MainWindow) -> dict[str, str]:
    """What stands over the nodes that the truth has reached."""
    found, marks = window.playback.now.ripple, window.canvas.ripple_marks
    if found is None:
        return {}
    names, reached = window.document.graph.names, marks.nodes_with_visible_pill
    return {names[n]: f"Δ {signed(found.change(n))}" for n in reached}


def given(window: MainWindow) -> str:
    """The learner's own number on the sheet."""
    return "".join(text for _rect, text in window.canvas.ripple_marks.places.given)


def given_rect(window: MainWindow) -> QRectF:
    ((rect, _text),) = window.canvas.ripple_marks.places.given
    return rect.adjusted(-2, -2, 2, 2)  # with its outline


def without(window: MainWindow, seen: QImage, rect: QRectF) -> QImage:
    """A picture of the sheet, with a rectangle of it painted over."""
    camera, found = window.canvas.camera, QImage(seen)
    corners = QRectF(camera.to_screen(rect.topLeft()), camera.to_screen(rect.bottomRight()))
    with QPainter(found) as painter:
        painter.fillRect(corners.toAlignedRect(), Qt.GlobalColor.black)
    return found


def is_struck(window: MainWindow, seen: QImage) -> bool:
    """Whether a line goes through the learner's number."""
    rect, violet = given_rect(window), window.context.style.theme.selection
    middle, inner = rect.center().y(), rect.adjusted(16, 0, -16, 0)
    places = (QPointF(inner.left() + inner.width() * k / 12, middle) for k in range(13))
    return all(shows(seen, violet, window.canvas.camera.to_screen(at), 1) for at in places)


def ask_change(window: MainWindow, *others: Question, kind: LessonKind = "lesson") -> None:
    """Ask by how much y = a × b changes when a goes from 2 to 3, and then other questions."""
    window.document.start(Drawing(from_expression("y = a*b", {"a": 2, "b": 5}), {}))
    window.show_work()
    question = Question("change", node(window, "y"), leaf=node(window, "a"), to=3.0)
    window.context.modes.ask([question, *others], kind=kind)
    settle(window)


def test_a_wrong_number_stands_alone_and_the_truth_runs_once_it_is_answered(playing: MainWindow):
    asked = picture(playing.canvas)
    answer(playing, "1")
    wrong = picture(playing.canvas)
    assert given(playing) == "you +1"
    assert (pills(playing), playing.canvas.motion.running) == ({}, False)
    at_first = given_rect(playing)
    assert wrong != asked
    assert without(playing, wrong, at_first) == without(playing, asked, at_first)

    answer(playing, "5")
    assert playing.canvas.motion.running
    seen = [at(playing, 0), at(playing, sizes.MOTION_COLUMN)]
    half = pills(playing)
    seen.append(at(playing, COLUMNS * sizes.MOTION_COLUMN))
    assert seen[0] != seen[1] != seen[2] != seen[0]
    assert half == pills(playing) == {"a": "Δ +1", "y": "Δ +5"}
    assert not playing.canvas.motion.running
    assert playing.playback.now.values[node(playing, "y")] == 10, "values stay"
    assert given(playing) == "you +1"
    truth, _pieces = playing.canvas.ripple_marks.places.pills[node(playing, "y")]
    assert not truth.intersects(given_rect(playing))
    assert (is_struck(playing, wrong), is_struck(playing, seen[-1])) == (False, True)
    assert sentence(playing) == "a goes from 2 to 3. y changes by +5 ✓."
    assert "N or Esc" not in playing.status_line.text()

    press(playing, ENTER)
    state = playing.context.guides.learner
    assert state is not None
    assert (state.at, given(playing), pills(playing)) == (1, "", {})


def test_enter_ends_what_plays_at_once_and_who_wants_no_motion_sees_the_end(playing: MainWindow):
    lessons = playing.context.guides
    answer(playing, "5")
    assert pills(playing) == {"a": "Δ +1"}
    press(playing, "n", "n")  # another ripple in between: the answer plays again
    assert playing.canvas.motion.running
    at(playing, 100)
    press(playing, ENTER)
    assert not playing.canvas.motion.running
    assert lessons.learner is not None
    assert lessons.learner.at == 1
    lessons.begin(learner_of(lesson("one-wire")))
    settle(playing)
    playing.context.style.set_motion(False)
    answer(playing, "5")
    assert not playing.canvas.motion.running
    assert pills(playing) == {"a": "Δ +1", "y": "Δ +5"}


def test_it_plays_once_it_is_shown_and_never_where_something_would_be_given_away(
    window: MainWindow,
):
    stop_time(window)
    motion = window.canvas.motion
    ask_change(window)
    push(window, "hint")
    assert not motion.running
    window.context.modes.show_answer()
    assert (motion.running, given(window)) == (True, "")

    ask_change(window)
    for number, text in ((1, "1"), (2, "15"), (3, "6")):
        answer(window, text)
        assert given(window) == f"you {signed(float(text))}"
        assert motion.running is (number == 3), "the third wrong answer shows the right one"
    assert told(window).startswith("Worked: y is then")

    slope = Question("final", node(window, "a"))
    cases: list[tuple[str, list[Question], LessonKind]] = [
        ("more is asked", [slope], "lesson"),
        ("a test", [], "test"),
    ]
    for case, others, kind in cases:
        ask_change(window, *others, kind=kind)
        answer(window, "1")
        assert given(window) == ("" if kind == "test" else "you +1"), case
        if kind != "test":
            answer(window, "5")
            assert "go on" in acts(window), case
        assert (window.playback.now.ripple, motion.running) == (None, False), case
    ask_change(window, kind="lecture")
    assert (window.playback.now.ripple, given(window), motion.running) == (None, "", False)

    ask_change(window)
    answer(window, "1")
    window.document.set_value(node(window, "b"), 7.0)
    assert given(window) == "", "it was said of other numbers"


PLAYED = sizes.MOTION_SLOWEST / sizes.MOTION_STEP
"""By how much slower than a step by hand an answer plays."""
COUNTED = sizes.MOTION_SUM * 2
"""How long a sum of two chips counts."""


@in_turn(
    "level, wrong, right, duration",
    [
        ("slope", "5", "-3", float(sizes.MOTION_COLUMN)),
        ("contribution", "-4", "6", float(sizes.MOTION_STEP)),
        ("sum", "6", "4", float(COUNTED)),
    ],
)
def test_slopes_contributions_and_sums_play_once_they_are_right(
    shared_leaf: MainWindow, level: str, wrong: str, right: str, duration: float
):
    window, motion = shared_leaf, shared_leaf.canvas.motion
    window.context.style.set_motion(False)  # the legend fades
    motion._timer.blockSignals(True)  # or a slow machine plays it to its end before it is seen
    window.playback.backward(cursor=5)
    ask(window, level)
    asked = picture(window.canvas)
    answer(window, wrong)
    assert (given(window), motion.running) == (f"you {wrong.replace('-', '−')}", False)
    alone = picture(window.canvas)
    rect = given_rect(window)
    if level == "sum":  # its chips come back with the first wrong sum
        rect = rect.united(window.canvas.scene.boxes[node(window, "a")].rect)
    assert without(window, alone, rect) == without(window, asked, rect), "nothing is given away"

    window.context.style.set_motion(True)
    answer(window, right)
    motion._timer.stop()
    assert motion.running
    assert motion._pace == pytest.approx(1.0 if level == "slope" else PLAYED)
    seen = [at(window, 0), at(window, 0.6 * duration), at(window, 2 * duration)]
    assert seen[0] != seen[1] != seen[2] != seen[0]
    assert not motion.running
    assert is_struck(window, seen[-1])
    window.context.modes.leave()


def test_enter_ends_a_step_that_plays_and_without_motion_its_end_is_there(shared_leaf: MainWindow):
    window, motion = shared_leaf, shared_leaf.canvas.motion
    for moves in (True, False):
        window.playback.backward(cursor=5)
        ask(window)
        window.context.style.set_motion(moves)
        answer(window, "6", "4")
        assert motion.running is moves
        press(window, ENTER)
        assert (motion.running, window.playback.cursor) == (False, 6)
        window.context.modes.leave()


def test_another_way_stands_on_the_sheet_and_goes_round(shared_leaf: MainWindow):
    window, marks = shared_leaf, shared_leaf.canvas.ripple_marks
    window.playback.backward(cursor=5)
    ask(window, "contribution")
    seen = [picture(window.canvas)]
    found: list[str] = []
    for _ in range(3):
        push(window, "another")
        seen.append(picture(window.canvas))
        pills = marks.places.ways
        found.append(" ".join(text for _rect, pieces in pills for text, _color in pieces))
        rects = marks.rects()
        assert all(window.canvas.scene.is_free(rect) for rect in rects), "none covers a node"
        pairs = itertools.combinations(rects, 2)
        assert not any(one.intersects(other) for one, other in pairs), "none touches another"
    assert found == ["", "2 | 10", "1 −3 ?"]
    assert len({id(one) for one in seen}) == 4
    assert all(one != other for one, other in itertools.pairwise(seen))
    assert told(window).startswith("1 of a on this wire → −3 of e → ? of L.")
    push(window, "another")
    assert "e −0.03, and L +0.06" in told(window)
    assert caret(window) == 0, "one types on"


def test_a_curve_has_its_tangent_beside_its_node(window: MainWindow):
    graph = from_expression("o = tanh(n); L = o*f", {"n": 0.8814, "f": 4})
    window.document.start(Drawing(graph, {}))
    window.show_work()
    window.playback.backward(cursor=3)
    settle(window)
    ask(window, "slope")
    before = picture(window.canvas)
    push(window, "another")
    assert told(window) == "At n = 0.8814 go 1 to the right along the tangent: how far up?"
    card = window.canvas.curve_inset.rect.adjusted(-2, -2, 2, 2)  # with its outline
    assert window.canvas.camera.visible_area.contains(card)
    assert window.canvas.scene.is_free(card)
    after = picture(window.canvas)
    assert after != before
    assert without(window, after, card) == without(window, before, card)
    answer(window, "0.5")
    assert window.canvas.curve_inset.rect.isEmpty()


def tap(window: MainWindow, kind: QEvent.Type, moment: int) -> None:
    """Press or release Space at a time in ms."""
    event = QKeyEvent(kind, SPACE, Qt.KeyboardModifier.NoModifier, " ")
    event.setTimestamp(moment)
    QApplication.sendEvent(window.canvas, event)


def test_a_tap_of_space_plays_and_pauses_and_held_it_moves_the_sheet(window: MainWindow):
    open_example(window)
    down, up = QEvent.Type.KeyPress, QEvent.Type.KeyRelease
    view, playback = window.canvas, window.playback
    view.setFocus()
    for held, plays in ((100, True), (250, False), (251, False), (600, False), (0, True)):
        tap(window, down, 5_000)
        tap(window, up, 5_000 + held)
        assert playback.playing is plays, held
    corner = view.camera.to_sheet(at_nothing(view))
    tap(window, down, 5_000)
    start = at_nothing(view)
    press_at(view, start)
    glide(view, start, start + start / 10)
    release(view, start + start / 10)
    tap(window, up, 5_100)
    assert view.camera.to_screen(corner) == start + start / 10
    assert playback.playing, "it moved the sheet"
