import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.panels.strip import StripPanel, playback_height
from app.panels.strip.lane import LARGE_ROWS
from app.style import sizes
from app.style.theme import Theme
from app.workbench.formulas import DIRECT_TIP
from app.workbench.modes.loop_runner import LoopRunner
from app.workbench.modes.quiz_runner import QuizRunner
from engine.rules import CORRECT, MISTAKES
from tests.helpers.asked import cover
from tests.helpers.mouse import tick_x


def make(desk, width: int = 1100) -> StripPanel:
    return desk.show(
        StripPanel(
            desk.style,
            desk.document,
            desk.playback,
            QuizRunner(desk.playback),
            LoopRunner(desk.document, desk.playback),
        ),
        width,
        desk.style.px(sizes.PLAYBACK),
    )


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def place(transport: StripPanel, phase: str, cursor: int) -> QPoint:
    return QPoint(tick_x(transport.timeline, phase, cursor), desk_line(transport))


def desk_line(transport: StripPanel) -> int:
    return transport.timeline.height() // 2


def test_step_outside_a_pass_starts_backward_at_the_seed(desk):
    desk.open_shared()
    transport = make(desk)
    assert "Press Backward to start at L." in transport.sentence.text()
    assert transport.count.isHidden()
    click(transport.buttons.step)
    assert desk.playback.cursor == 1
    assert transport.count.text() == "Step 1 of 7"
    assert transport.sentence.text() == "L starts with grad 1: L changes as fast as itself."


def test_the_buttons_move_through_the_pass_and_rest_at_its_ends(desk):
    desk.open_shared(1)
    transport = make(desk)
    click(transport.buttons.last)
    assert desk.playback.cursor == 7
    assert not transport.buttons.step.isEnabled()
    assert transport.next.text() == "end of the pass"
    click(transport.buttons.back)
    assert desk.playback.cursor == 6
    click(transport.buttons.first)
    assert desk.playback.cursor == 0
    assert not transport.buttons.back.isEnabled()


def test_the_sentence_speaks_in_the_voice_that_is_chosen(desk):
    desk.open_shared(6)
    transport = make(desk)
    click(transport.buttons.voices.findChildren(type(transport.buttons.step).__mro__[1])[2])
    assert transport.voice == "code"
    assert transport.sentence.text() == "a.grad += e.grad * b.data  # −2 + (−2 × −3) = 4"
    transport.set_voice("maths")
    assert transport.buttons.voices.choice() == "maths"
    assert transport.sentence.text().startswith("a.grad +=")


def test_stopping_after_each_node_is_a_setting_of_the_playback(desk):
    desk.open_shared(1)
    transport = make(desk)
    transport.buttons.stops.chosen.emit("node")
    click(transport.buttons.step)
    assert desk.playback.cursor == 3
    desk.playback.set_by_node(False)
    assert transport.buttons.stops.choice() == "contribution"


def test_a_click_on_the_timeline_goes_to_that_step(desk):
    desk.open_shared(1)
    transport = make(desk)
    for cursor in (6, 3, 0, 7):
        at = place(transport, "backward", cursor)
        QTest.mouseClick(transport.timeline, Qt.MouseButton.LeftButton, pos=at)
        assert desk.playback.cursor == cursor


def test_dragging_over_the_timeline_scrubs(desk):
    desk.open_shared(1)
    transport = make(desk)
    seen = []
    desk.playback.shown.connect(lambda shown: seen.append(shown.frame.cursor))
    QTest.mousePress(
        transport.timeline, Qt.MouseButton.LeftButton, pos=place(transport, "backward", 2)
    )
    for cursor in (3, 4, 5, 4):
        QTest.mouseMove(transport.timeline, place(transport, "backward", cursor))
    QTest.mouseRelease(
        transport.timeline, Qt.MouseButton.LeftButton, pos=place(transport, "backward", 4)
    )
    assert seen == [2, 3, 4, 5, 4]


def test_a_click_on_a_forward_tick_shows_the_forward_pass(desk):
    desk.open_shared(6)
    transport = make(desk)
    at = place(transport, "forward", 2)
    QTest.mouseClick(transport.timeline, Qt.MouseButton.LeftButton, pos=at)
    assert (desk.playback.phase, desk.playback.cursor) == ("forward", 2)
    assert transport.sentence.text() == "d = e + a = −6 + 2 = −4."


def test_the_timeline_works_before_any_pass_has_run(desk):
    desk.open_shared()
    transport = make(desk)
    at = place(transport, "backward", 5)
    QTest.mouseClick(transport.timeline, Qt.MouseButton.LeftButton, pos=at)
    assert (desk.playback.phase, desk.playback.cursor) == ("backward", 5)


def wheel(transport: StripPanel, notches: int) -> None:
    at = QPointF(20, 20)
    event = QWheelEvent(
        at,
        QPointF(transport.timeline.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(transport.timeline, event)


def test_the_wheel_steps_on_and_back(desk):
    desk.open_shared(3)
    transport = make(desk)
    wheel(transport, -1)
    assert desk.playback.cursor == 4
    wheel(transport, 2)
    assert desk.playback.cursor == 2


def test_keys_move_while_the_timeline_has_the_keyboard(desk, qtbot):
    desk.open_shared(3)
    transport = make(desk)
    transport.timeline.setFocus()
    for key, cursor in (
        (Qt.Key.Key_Right, 4),
        (Qt.Key.Key_Left, 3),
        (Qt.Key.Key_End, 7),
        (Qt.Key.Key_Home, 0),
    ):
        qtbot.keyClick(transport.timeline, key)
        assert desk.playback.cursor == cursor
    assert transport.timeline.value() == 0
    assert transport.timeline.maximum() == 7


def test_cover_asks_for_the_next_number_and_reveals_it(desk):
    desk.open_shared(6)
    transport = make(desk)
    cover(desk.playback)
    assert desk.playback.now.quiz
    assert transport.next.text() == "next: × (e) to b = ?"
    assert "−4" not in transport.next.text() + transport.sentence.text()
    desk.playback.reveal()
    assert transport.next.text() == "next: × (e) to b = −4"


def test_play_shows_pause_and_the_speed_is_kept(desk):
    desk.open_shared(1)
    transport = make(desk)
    transport.buttons.speed.setCurrentIndex(2)
    transport.buttons.speed.activated.emit(2)
    assert desk.playback.speed == 2.0
    click(transport.buttons.play)
    assert desk.playback.playing
    assert transport.buttons.play.accessibleName() == "Pause"
    click(transport.buttons.play)
    assert not desk.playback.playing


def test_an_edit_of_a_value_keeps_the_place_and_tells_the_new_numbers(desk):
    desk.open_shared(6)
    transport = make(desk)
    desk.document.set_value(desk.node("b"), 5.0)
    assert transport.count.text() == "Step 6 of 7"
    assert "−2 × 5 = −10 to a" in transport.sentence.text()


def test_a_graph_that_cannot_run_has_no_ticks(desk):
    desk.open_shared()
    transport = make(desk)
    desk.document.wires.disconnect(desk.node("e"), 0)
    assert not transport.grab().isNull()
    QTest.mouseClick(transport.timeline, Qt.MouseButton.LeftButton, pos=QPoint(300, 34))
    assert desk.playback.phase == "live"


def test_a_tick_says_what_happens_there_without_its_number(desk):
    desk.open_shared(3)
    transport = make(desk)
    timeline = transport.timeline
    tips = [timeline.tip_at(tick_x(timeline, "backward", k)).split("\n")[0] for k in (0, 1, 6)]
    assert tips == ["Start of the backward pass", "Step 1: the seed at L", "Step 6: × e to a"]
    forward = timeline.tip_at(tick_x(timeline, "forward", 2))
    assert forward.startswith("Step 2: d gets its value")
    assert timeline.accessibleDescription() == "Step 3 of 7"


def test_a_narrow_window_keeps_the_buttons_that_step(desk):
    desk.open_shared(6)
    transport = make(desk, 380)
    buttons = transport.buttons
    for button in (buttons.first, buttons.back, buttons.step, buttons.last, buttons.play):
        assert button.isVisible()
        assert button.geometry().right() <= transport.buttons.width()
    assert transport.width() == 380
    transport.resize(1200, transport.height())
    assert buttons.speed.isVisible()
    assert buttons.voices.isVisible()


def test_a_long_sentence_is_made_smaller_instead_of_cut(desk):
    desk.open_shared(6)
    desk.document.set_label(desk.node("e"), "the product of the first two inputs")
    transport = make(desk, 480)
    transport.set_voice("plain")
    font, lines = transport.sentence.fitted()
    assert font.pixelSize() < 17
    assert len(lines) >= 2
    assert transport.sentence.toolTip() == transport.sentence.text()


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
def test_every_mistake_can_be_stepped_through(desk, rules):
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    desk.playback.set_rules(rules)
    desk.playback.backward()
    transport = make(desk)
    while desk.playback.cursor < desk.playback.frame.total:
        desk.playback.step()
        transport.timeline.repaint()
        assert transport.sentence.text()


@pytest.fixture
def mistaken(desk) -> StripPanel:
    """The demonstration under = for +=, at the end of the pass; it parts at step 6."""
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    desk.playback.set_rules(MISTAKES[0])
    desk.playback.backward()
    transport = make(desk)
    desk.playback.to_end()
    return transport


def is_red(transport: StripPanel, cursor: int, theme: Theme) -> bool:
    """Whether a tick is red rather than orange, at its upper edge, above its cross."""
    timeline = transport.timeline
    x = tick_x(timeline, "backward", cursor)
    seen = timeline.grab().toImage().pixelColor(x, LARGE_ROWS.line - 4)
    return distance(seen, theme.error) < distance(seen, theme.gradient)


def distance(a: QColor, b: QColor) -> int:
    return sum(abs(part(a) - part(b)) for part in (QColor.red, QColor.green, QColor.blue))


def test_ticks_that_go_wrong_are_red_once_they_are_reached(desk, mistaken):
    theme = desk.style.theme
    assert [k for k in range(2, 12) if is_red(mistaken, k, theme)] == list(range(6, 12))
    desk.playback.go(5)
    assert [k for k in range(2, 6) if is_red(mistaken, k, theme)] == []


def test_a_tick_that_goes_wrong_says_so_to_those_who_point_or_listen(desk, mistaken):
    timeline = mistaken.timeline
    assert "✗ differs" in timeline.tip_at(tick_x(timeline, "backward", 6))
    assert "✗" not in timeline.tip_at(tick_x(timeline, "backward", 5))
    assert timeline.accessibleDescription() == "Step 11 of 11, differs from the correct pass"
    desk.playback.go(5)
    assert "✗" not in timeline.tip_at(tick_x(timeline, "backward", 6))
    assert timeline.accessibleDescription() == "Step 5 of 11"


def test_the_first_difference_is_offered_once_it_has_been_seen(desk, mistaken):
    button = mistaken.buttons.difference
    assert button.isVisible()
    assert button.text() == "First difference: step 6"
    click(button)
    assert desk.playback.cursor == 6
    assert mistaken.sentence.text().endswith("✗ First difference: the correct pass has 7.")
    desk.playback.go(5)
    assert not button.isVisible()
    desk.playback.to_end()
    desk.playback.set_rules(CORRECT)
    assert not button.isVisible()


def test_every_look_can_be_painted(desk, all_looks):
    desk.open_shared(6)
    transport = make(desk)
    for look in all_looks():
        assert transport.height() == playback_height(desk.style, small=False), look
        assert not transport.grab().isNull()
        inner = transport.next.mapTo(transport, transport.next.rect().bottomRight())
        assert inner.y() < transport.height()


def test_thousands_of_steps_are_painted_and_scrubbed(desk):
    desk.open("y = " + " + ".join(["a*b"] * 600))
    desk.playback.backward()
    transport = make(desk)
    desk.playback.go(1000)
    total = desk.playback.frame.total
    assert total > 2000
    assert not transport.grab().isNull()
    at = place(transport, "backward", total // 2)
    QTest.mouseClick(transport.timeline, Qt.MouseButton.LeftButton, pos=at)
    assert abs(desk.playback.cursor - total // 2) <= total // 200


def test_step_and_play_rest_while_the_sheet_is_empty(desk):
    transport = make(desk)
    buttons = transport.buttons
    runs = (buttons.step, buttons.last, buttons.play)
    assert not any(button.isEnabled() for button in runs)
    desk.open_shared()
    assert all(button.isEnabled() for button in runs)


def test_where_a_root_is_asked_for_a_button_makes_one_of_the_only_node_that_can_be_meant(desk):
    desk.open_shared()
    transport = make(desk)
    assert transport.mark.isHidden()
    desk.document.remove([desk.document.graph.active_root])
    assert "Choose a root" in transport.sentence.text()
    assert transport.mark.text() == "Mark L as root"
    click(transport.mark)
    assert desk.document.graph.root == desk.node("L")
    assert transport.mark.isHidden()


def test_where_several_nodes_can_be_meant_the_sentence_says_how_to_choose(desk):
    desk.open_shared()
    transport = make(desk)
    desk.document.remove([desk.document.graph.active_root, desk.node("L")])
    assert transport.mark.isHidden()
    assert transport.sentence.text().endswith("Select its node and press Backward.")


def test_the_part_through_one_wire_is_explained_by_the_tooltip_of_the_sentence(desk):
    desk.open("L = a*b + a", {"a": 2, "b": -3})
    transport = make(desk)
    transport.set_voice("maths")
    desk.playback.backward()
    while "∂⁺" not in transport.sentence.text():
        desk.playback.step()
    assert transport.sentence.toolTip() == f"{transport.sentence.text()}\n{DIRECT_TIP}"
    desk.playback.go(0)
    assert DIRECT_TIP not in transport.sentence.toolTip()


def test_a_wide_bracket_stays_inside_the_timeline(desk):
    desk.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2.1234, "b": 3.5678})
    desk.playback.set_rules(next(r for r in MISTAKES if r.name == "no-zero-grad"))
    desk.playback.backward()
    transport = make(desk, 900)
    desk.playback.to_end()
    image = transport.timeline.grab().toImage()
    edge = QColor(desk.style.theme.gradient)
    last = image.width() - 1
    column = {image.pixelColor(last, y).name() for y in range(image.height())}
    assert edge.name() not in column
