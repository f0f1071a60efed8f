"""The strip as a whole: its height and rows, scrubbing, what stands in place of the timeline."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.panels.strip import StripPanel, strip_height
from app.panels.strip.timeline import STRIP_ROWS
from app.style.theme import Theme
from app.workbench.modes.mode import STEPPING
from engine.rules import MISTAKES
from tests.helpers.mouse import tick_x
from tests.helpers.panel_host import DEMONSTRATION


def place(strip: StripPanel, phase: str, cursor: int) -> QPoint:
    return QPoint(tick_x(strip.timeline, phase, cursor), strip.timeline.height() // 2)


def centre(strip: StripPanel, widget: QWidget) -> int:
    return widget.mapTo(strip, widget.rect().center()).y()


def scrub(strip: StripPanel, phase: str, cursor: int) -> None:
    at = place(strip, phase, cursor)
    QTest.mouseClick(strip.timeline, Qt.MouseButton.LeftButton, pos=at)


def test_it_is_146_high_and_its_rows_are_where_they_belong(learner):
    now = learner(6)
    strip = now.strip
    assert strip.height() == 146
    assert strip.timeline.geometry().getRect() == (14, 0, 1072, 86)
    assert centre(strip, strip.sentence) == pytest.approx(103, abs=1)
    assert centre(strip, strip.buttons) == pytest.approx(103, abs=1)
    assert centre(strip, strip.answer) == pytest.approx(131, abs=1)


@pytest.mark.parametrize("width", [760, 1100, 1366])
def test_its_height_stays_while_a_step_is_asked_unfolds_and_is_shown(learner, width):
    now = learner(width=width)
    now.be_asked(5)
    heights = [now.strip.height()]
    for _ in range(3):
        now.press("hint")
        heights.append(now.strip.height())
    now.quiz.leave()
    assert set(heights) == {146}


def test_where_the_fullest_sentence_needs_two_lines_it_is_166_high_from_the_start(learner):
    now = learner(width=560)
    grown = []
    now.strip.grown.connect(lambda: grown.append(now.strip.height()))
    now.be_asked(5)
    assert now.strip.height() == 166
    assert centre(now.strip, now.strip.answer) == pytest.approx(151, abs=1)
    now.press("hint")
    now.press("hint")
    assert now.strip.height() == 166
    assert len(now.strip.sentence.fitted()[1]) == 2
    assert now.strip.sentence.fitted()[0].pixelSize() <= 14
    for field in now.blanks:
        assert now.strip.sentence.rect().contains(field.geometry())
    now.quiz.leave()
    assert now.strip.height() == 146
    assert grown == [166, 146]


def test_every_look_can_be_painted_and_nothing_is_cut(learner, host, all_looks):
    now = learner(6)
    for look in all_looks():
        assert now.strip.height() == strip_height(host.style), look
        assert not now.strip.grab().isNull()
        inner = now.strip.answer.mapTo(now.strip, now.strip.answer.rect().bottomRight())
        assert inner.y() < now.strip.height()


def test_a_click_on_the_timeline_goes_to_that_step(learner):
    now = learner(1)
    for cursor in (6, 3, 0, 7):
        scrub(now.strip, "backward", cursor)
        assert now.host.playback.cursor == cursor


def test_dragging_over_the_timeline_scrubs(learner):
    now = learner(1)
    strip, seen = now.strip, []
    now.host.playback.shown.connect(lambda shown: seen.append(shown.frame.cursor))
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(strip.timeline, left, pos=place(strip, "backward", 2))
    for cursor in (3, 4, 5, 4):
        QTest.mouseMove(strip.timeline, place(strip, "backward", cursor))
    QTest.mouseRelease(strip.timeline, left, pos=place(strip, "backward", 4))
    assert seen == [2, 3, 4, 5, 4]


def test_a_click_on_a_forward_tick_shows_the_forward_pass(learner):
    now = learner(6)
    scrub(now.strip, "forward", 2)
    assert (now.host.playback.phase, now.host.playback.cursor) == ("forward", 2)
    assert now.told == "d = e + a = −6 + 2 = −4."


def test_the_timeline_works_before_any_pass_has_run(learner):
    now = learner()
    scrub(now.strip, "backward", 5)
    assert (now.host.playback.phase, now.host.playback.cursor) == ("backward", 5)


def wheel(strip: StripPanel, notches: int) -> None:
    at = QPointF(20, 20)
    event = QWheelEvent(
        at,
        QPointF(strip.timeline.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(strip.timeline, event)


def test_the_wheel_steps_on_and_back(learner):
    now = learner(3)
    wheel(now.strip, -1)
    assert now.host.playback.cursor == 4
    wheel(now.strip, 2)
    assert now.host.playback.cursor == 2


def test_keys_move_while_the_timeline_has_the_keyboard(learner):
    now = learner(3)
    timeline = now.strip.timeline
    timeline.setFocus()
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Home)
    for key, cursor in zip(keys, (4, 3, 7, 0), strict=True):
        now.qtbot.keyClick(timeline, key)
        assert now.host.playback.cursor == cursor
    assert (timeline.value(), timeline.maximum()) == (0, 7)


def test_a_graph_that_cannot_run_has_no_ticks(learner):
    now = learner()
    now.host.document.wires.disconnect(now.host.node("e"), 0)
    assert not now.strip.grab().isNull()
    QTest.mouseClick(now.strip.timeline, Qt.MouseButton.LeftButton, pos=QPoint(300, 34))
    assert now.host.playback.phase == "live"


def test_a_tick_says_what_happens_there_without_its_number(learner):
    now = learner(3)
    timeline = now.strip.timeline
    tips = [timeline.tooltip_at(tick_x(timeline, "backward", k)).split("\n")[0] for k in (0, 1, 6)]
    assert tips == ["Start of the backward pass", "Step 1: the seed at L", "Step 6: × e to a"]
    forward = timeline.tooltip_at(tick_x(timeline, "forward", 2))
    assert forward.startswith("Step 2: d gets its value")
    assert timeline.accessibleDescription() == "Step 3 of 7"


def test_cover_asks_for_the_next_numbers_in_plain_question_marks_and_reveals_them(learner):
    now = learner(5)
    now.quiz.toggle(cover=True)
    assert now.told == "× (e) passes ? to a; a.grad is now ?."
    assert now.blanks == []
    assert now.acts == ["back", "step", "last", "play"]
    now.quiz.reveal()
    assert "+6" in now.told
    assert now.host.playback.cursor == 5
    now.quiz.leave()
    assert now.host.playback.now.mode is STEPPING


@pytest.mark.parametrize("mode", ["by hand", "loop"])
def test_by_hand_and_a_loop_have_their_own_line_in_the_place_of_the_timeline(learner, mode):
    now = learner()
    strip = now.strip
    where = strip.timeline.geometry()
    if mode == "loop":
        now.loops.toggle()
    else:
        now.quiz.by_hand.begin("backward")
    assert not strip.timeline.isVisible()
    (line,) = (
        child
        for child in strip.children()
        if isinstance(child, QWidget) and child.isVisible() and child.geometry() == where
    )
    assert not line.grab().isNull()
    now.host.playback.set_mode(STEPPING)
    assert strip.timeline.isVisible()
    assert not line.isVisible()


@pytest.fixture
def mistaken(learner):
    """The demonstration under = for +=, at the end of the pass; it parts at step 6."""
    now = learner()
    now.host.open(DEMONSTRATION, {"a": 2, "b": 3})
    now.host.playback.set_rules(MISTAKES[0])
    now.host.playback.backward()
    now.host.playback.to_end()
    return now


def is_red(strip: StripPanel, cursor: int, theme: Theme) -> bool:
    """Whether a tick is red rather than orange, at its upper edge, above its cross."""
    x = tick_x(strip.timeline, "backward", cursor)
    seen = strip.timeline.grab().toImage().pixelColor(x, STRIP_ROWS.line - 4)
    return distance(seen, theme.error) < distance(seen, theme.gradient)


def distance(a: QColor, b: QColor) -> int:
    return sum(abs(part(a) - part(b)) for part in (QColor.red, QColor.green, QColor.blue))


def test_ticks_that_go_wrong_are_red_once_they_are_reached(host, mistaken):
    theme, strip = host.style.theme, mistaken.strip
    assert [k for k in range(2, 12) if is_red(strip, k, theme)] == list(range(6, 12))
    host.playback.go(5)
    assert [k for k in range(2, 6) if is_red(strip, k, theme)] == []


def test_a_tick_that_goes_wrong_says_so_to_those_who_point_or_listen(host, mistaken):
    timeline = mistaken.strip.timeline
    assert "✘ differs" in timeline.tooltip_at(tick_x(timeline, "backward", 6))
    assert "✘" not in timeline.tooltip_at(tick_x(timeline, "backward", 5))
    assert timeline.accessibleDescription() == "Step 11 of 11, differs from the correct pass"
    host.playback.go(5)
    assert "✘" not in timeline.tooltip_at(tick_x(timeline, "backward", 6))
    assert timeline.accessibleDescription() == "Step 5 of 11"


def test_thousands_of_steps_are_painted_and_scrubbed(learner, host):
    now = learner()
    host.open("y = " + " + ".join(["a*b"] * 600))
    host.playback.backward()
    host.playback.go(1000)
    total = host.playback.frame.total
    assert total > 2000
    assert not now.strip.grab().isNull()
    scrub(now.strip, "backward", total // 2)
    assert abs(host.playback.cursor - total // 2) <= total // 200


def test_a_wide_bracket_stays_inside_the_timeline(learner, host):
    now = learner(width=900)
    host.open(DEMONSTRATION, {"a": 2.1234, "b": 3.5678})
    host.playback.set_rules(next(r for r in MISTAKES if r.name == "no-zero-grad"))
    host.run_backward()
    image = now.strip.timeline.grab().toImage()
    edge, last = QColor(host.style.theme.gradient), image.width() - 1
    column = {image.pixelColor(last, y).name() for y in range(image.height())}
    assert edge.name() not in column


def tips(strip: StripPanel) -> dict[tuple[str, int], str]:
    """The first line of the tip of each tick."""
    return {
        (lane.track.phase, k): strip.timeline.tooltip_at(lane.x_of(k)).split("\n")[0]
        for lane in strip.timeline.lanes
        for k in range(1, len(lane.track) + 1)
    }


def test_only_steps_to_come_leave_out_their_nodes_while_the_next_node_is_asked(learner):
    now = learner()
    plain = tips(now.strip)
    now.be_asked(2, "next node")
    for (phase, cursor), tip in tips(now.strip).items():
        known = phase == "forward" or cursor <= 2
        assert tip == (plain[phase, cursor] if known else f"Step {cursor}")
