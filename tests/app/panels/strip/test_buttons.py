"""The buttons of the strip: those of each mode, and what they do."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt

from tests.helpers.panel_host import DEMONSTRATION

LEFT = Qt.MouseButton.LeftButton


def test_in_a_plain_pass_they_move_through_it_and_ask(learner):
    now = learner(1)
    assert now.acts == ["back", "step", "last", "play", "ask"]
    now.press("step")
    assert now.host.playback.cursor == 2
    now.press("last")
    assert now.host.playback.cursor == 7
    assert now.acts == ["back", "ripple", "ask"]
    now.press("back")
    assert now.host.playback.cursor == 6
    now.host.playback.go(0)
    assert not now.strip.buttons.button("back").isEnabled()


def test_step_outside_a_pass_starts_backward_at_the_seed(learner):
    now = learner()
    now.press("step")
    assert now.host.playback.cursor == 1
    assert now.answer.startswith("Step 1 of 7")
    assert now.told == "L starts with grad 1: L changes as fast as itself."


def test_play_becomes_pause_while_the_pass_plays(learner):
    now = learner(1)
    now.press("play")
    assert now.host.playback.playing
    assert now.strip.buttons.shown[3].on
    now.press("play")
    assert not now.host.playback.playing


def test_nothing_can_be_pressed_while_the_sheet_is_empty(learner):
    now = learner()
    now.host.document.start()
    assert not any(now.strip.buttons.button(act).isEnabled() for act in now.acts)


def test_while_a_step_is_asked_the_buttons_answer_it(learner):
    now = learner()
    now.be_asked(5)
    assert now.acts == ["back", "answer", "hint", "show", "skip"]
    now.type("6", "4")
    assert now.acts == ["back", "go on", "hint", "show", "skip"]
    enabled = [now.strip.buttons.button(act).isEnabled() for act in now.acts]
    assert enabled == [True, True, False, False, False]
    now.press("go on")
    assert now.told == "× (e) passes ? to b."
    assert now.blanks[0].hasFocus()


def test_a_quick_second_click_where_step_was_shows_no_answer(learner):
    now = learner()
    now.quiz.choose("contribution and sum", "meet")
    now.host.playback.backward()
    now.quiz.toggle()
    row, playback = now.strip.buttons, now.host.playback
    step, show = row.button("step"), row.button("show")
    playback.go(5)
    assert "show" in now.acts
    below = QRect(show.mapToGlobal(QPoint(0, 0)), show.size())
    playback.go(2)
    here, cursor = QPoint(), 0
    while "step" in now.acts:
        cursor = playback.cursor
        here = below.intersected(QRect(step.mapToGlobal(QPoint(0, 0)), step.size())).center()
        now.qtbot.mouseClick(step, LEFT, pos=step.mapFromGlobal(here))
    assert playback.cursor == cursor + 1
    asked = now.told
    now.qtbot.mouseClick(show, LEFT, pos=show.mapFromGlobal(here))
    assert now.told == asked
    now.qtbot.mouseClick(show, LEFT)
    assert now.told != asked


def test_another_way_touches_no_button_above_it(learner):
    now = learner()
    now.be_asked(5, "contribution")
    now.type("5")
    strip = now.strip
    assert strip.offers.button("another").isVisible()
    assert strip.buttons.geometry().bottom() + 2 < strip.offers.geometry().top()
    assert strip.offers.geometry().bottom() < strip.height()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_in_a_narrow_window_show_me_and_skip_are_behind_the_three_dots(learner):
    now = learner(width=600)
    now.be_asked(5)
    row = now.strip.buttons
    assert now.acts == ["back", "answer", "hint"]
    assert row.more is not None
    assert row.more.isVisible()
    assert row.more.geometry().right() < row.width()
    now.qtbot.mouseClick(row.more, Qt.MouseButton.LeftButton)
    assert row.menu is not None
    shown, skipped = row.menu.actions()
    assert (shown.text(), skipped.text()) == ("Show me", "Skip")
    at = row.menu.actionGeometry(skipped).center()
    now.qtbot.mouseClick(row.menu, Qt.MouseButton.LeftButton, pos=at)
    assert now.host.playback.cursor == 6
    now.strip.resize(1100, now.strip.height())
    assert now.acts == ["back", "answer", "hint", "show", "skip"]
    assert not row.more.isVisible()


@pytest.mark.parametrize("width", [560, 760, 1100])
def test_they_are_32_high_6_apart_and_14_from_the_edge(learner, width):
    now = learner(width=width)
    now.be_asked(5)
    row = now.strip.buttons
    places = [row.button(act).geometry() for act in now.acts]
    if row.more is not None and row.more.isVisible():
        places.append(row.more.geometry())
    assert {place.height() for place in places} == {32}
    gaps = [right.left() - left.right() - 1 for left, right in pairwise(places)]
    assert set(gaps) == {6}
    edge = row.mapTo(now.strip, places[-1].topRight()).x() + 1
    assert now.strip.width() - edge == 14
    assert now.strip.sentence.geometry().right() < row.x()


def test_step_is_86_wide(learner):
    assert learner(3).strip.buttons.button("step").width() == 86


def test_without_a_root_ask_me_asks_about_the_only_node_that_can_be_meant(learner):
    now = learner()
    document = now.host.document
    document.remove([document.graph.active_root])
    assert now.told == "Press Backward: L becomes the root, as it feeds nothing else."
    now.press("ask")
    assert document.graph.root == now.host.node("L")
    assert "ask" not in now.acts


def test_where_several_nodes_can_be_meant_the_sentence_says_how_to_choose(learner):
    now = learner()
    document = now.host.document
    document.remove([document.graph.active_root, now.host.node("L")])
    assert now.told.endswith("Select its node and press Backward.")


def test_a_pass_of_the_demonstration_is_answered_to_its_end_and_begun_again(learner):
    now = learner()
    now.host.open(DEMONSTRATION, {"a": 2, "b": 3})
    now.be_asked(10)
    while now.blanks:
        now.press("show")
        now.press("go on")
    assert "right first time" in now.told
    assert "again" in now.acts
    now.press("again")
    assert now.blanks


def test_hint_climbs_the_rungs_and_the_third_shows_the_answer(learner):
    now = learner()
    now.be_asked(5)
    told = []
    for _ in range(3):
        now.press("hint")
        told.append((now.told, now.answer))
    assert [len(sentence.split("?")) - 1 for sentence, _answer in told] == [2, 3, 0]
    assert told[2][1].startswith("Worked: ")
    assert len({answer for _sentence, answer in told}) == 3
