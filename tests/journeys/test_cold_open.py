"""The first minute: a network learns, the error of one dot runs back, and one number mends it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.controls.spans import plain_text
from app.lessons.course import OPENING
from app.panels.lesson import LessonPage
from app.panels.strip.sentence import OptionButton
from app.panels.train.plane import PlaneView
from app.window import planes
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import acts, push, sentence, told
from tests.helpers.lesson_learner import ENTER, FIRST_LESSON
from tests.helpers.window import click, node, press, until, value

DOWN, ESC, END = Qt.Key.Key_Down, Qt.Key.Key_Escape, Qt.Key.Key_End

SIZES = [(1024, 640, 1.0), (1366, 768, 1.0), (1920, 1080, 1.0), (1366, 768, 2.0)]


def page(window: MainWindow) -> LessonPage:
    found = window.bar.get("lesson")
    assert isinstance(found, LessonPage)
    return found


def plane(window: MainWindow) -> PlaneView:
    return page(window).player.findChildren(PlaneView)[-1]


def wrong(window: MainWindow) -> str:
    return plane(window).line.text()


def lesson_name(window: MainWindow) -> str:
    state = window.context.guides.learner
    return "" if state is None or state.left else state.lesson.name


def opening(window: MainWindow, at: int = 0) -> None:
    begin_lesson(window.context, OPENING)
    window.context.guides.go_to(at)
    QApplication.processEvents()


def focused() -> str:
    focus = QApplication.focusWidget()
    return "" if focus is None else focus.objectName()


def test_a_newcomer_comes_to_the_end_by_enter_and_two_other_keys(window: MainWindow):
    press(window, ENTER)
    assert lesson_name(window) == OPENING
    assert sentence(window) == "Press Play: the error runs back to every number."
    assert told(window) == "loss is 1.350."
    assert focused() == "play"  # nobody needs to search for it
    assert wrong(window) == "3 of 100 dots wrong"
    press(window, ENTER)
    assert window.playback.playing
    press(window, END)
    assert acts(window) == ["next"]
    until(lambda: focused() == "next")
    press(window, ENTER)
    assert sentence(window) == "To make the loss smaller, move b2 …"
    press(window, "2", ENTER)
    assert "Against the gradient: that is all that learning does." in told(window)
    press(window, ENTER)
    press(window, *[DOWN] * 8)  # the slider has the keyboard
    assert value(window, "b2") == pytest.approx(0.10)
    assert wrong(window) == "0 of 100 dots wrong"
    assert sentence(window) == "✓ Drag the slider of b2 down until no dot is wrong."
    press(window, ENTER)
    state = window.context.guides.learner
    assert state is not None
    assert state.step is None
    assert value(window, "b2") == pytest.approx(0.10)  # the sheet stays as it was mended
    assert page(window).next_lesson.text() == "Learn this in 4 minutes"
    press(window, ENTER)
    assert lesson_name(window) == "one-wire"


def test_a_newcomer_comes_to_the_end_by_mouse(window: MainWindow):
    hero = window.pages.welcome.hero
    assert hero is not None
    click(hero.button)
    push(window, "play")
    window.playback.to_end()
    push(window, "next")
    click(window.strip.options.findChildren(OptionButton)[1])
    push(window, "answer")
    push(window, "go on")
    window.document.set_value(node(window, "b2"), 0.05)
    assert "0.6290" in told(window)
    push(window, "next")
    click(page(window).next_lesson)
    assert lesson_name(window) == "one-wire"


def test_esc_leaves_at_each_beat_and_the_start_page_offers_it_no_more(window: MainWindow):
    for at in range(4):
        opening(window, at)
        for _ in range(3):
            press(window, ESC)
        assert lesson_name(window) == "", at
    window.show_start_page()
    hero = window.pages.welcome.hero
    assert hero is not None
    assert hero.title.text() == "One wire, one slope"
    shown = [card for card in window.pages.welcome.examples.cards if card.isVisible()]
    assert shown[0].example.title == "Why is this dot wrong?"
    click(shown[0])
    assert lesson_name(window) == OPENING


def test_lesson_1_a_formula_or_a_file_is_as_near_as_before(window: MainWindow):
    press(window, "a", "*", "b", ENTER)
    assert len(window.document.graph.nodes) == 4
    window.show_start_page()
    hero = window.pages.welcome.hero
    until(lambda: hero is not None and hero.button.hasFocus())
    press(window, *FIRST_LESSON)
    until(lambda: lesson_name(window) == "one-wire")


def test_the_line_follows_a_held_number_and_is_fine_once_it_rests(window: MainWindow):
    opening(window, 2)
    seen = [plane(window)._image.width()]
    window.document.set_value(node(window, "b2"), -0.3)
    seen.append(plane(window)._image.width())
    assert wrong(window) == "11 of 100 dots wrong"
    until(lambda: plane(window)._image.width() == seen[0])
    assert seen[1] < seen[0]


def test_another_wiring_is_no_longer_the_network(window: MainWindow):
    opening(window)
    before = plane(window).grab().toImage()
    window.document.wires.connect(node(window, "x2"), node(window, "v3"), 0)
    QApplication.processEvents()
    assert wrong(window) == "This is no longer the network."
    assert plane(window).grab().toImage() != before
    window.context.guides.put_back()
    assert wrong(window) == "3 of 100 dots wrong"
    window.document.remove([node(window, "b3")])
    window.context.guides.put_back()
    assert [group.collapsed for group in window.document.sheet.groups.values()] == [True] * 3


def test_the_sheet_is_laid_out_as_its_file_and_its_pass_has_seven_steps(window: MainWindow):
    opening(window)
    assert window.document.positions[node(window, "b2")] == (0.0, 336.0)
    steps = 0
    while window.playback.phase == "live" or window.playback.cursor < window.playback.frame.total:
        press(window, Qt.Key.Key_Right)
        steps += 1
    assert steps == 7


def test_the_plane_and_play_are_whole_at_every_size(window: MainWindow):
    opening(window)
    for width, height, size in SIZES:
        window.context.style.set_size(size)
        window.resize(width, height)
        for _layout in range(3):
            QApplication.processEvents()
        button = window.strip.buttons.button("play")
        assert button.isVisible()
        assert window.rect().contains(button.mapTo(window, button.rect().bottomRight()))
        assert plane(window).visibleRegion().boundingRect().height() >= 100, (width, height, size)
        assert plane(window).width() >= 200


# the plane of the start page


def start_plane(window: MainWindow) -> PlaneView:
    window.pages.begin_planes()
    until(lambda: bool(window.pages.welcome.findChildren(PlaneView)))
    return window.pages.welcome.findChildren(PlaneView)[0]


def test_without_motion_the_network_has_learned_at_once_and_rests(window: MainWindow):
    view = start_plane(window)
    until(lambda: not view._training.running and view._training.epochs == planes.EPOCHS)
    assert view.line.text() == "After 300 steps of learning 3 of 100 dots wrong"
    assert view.accessibleName() == "Picture: after 300 steps of learning 3 of 100 dots wrong"
    begin_lesson(window.context, OPENING)
    window.show_start_page()
    assert not view.isVisible()  # it is begun


def test_with_motion_it_learns_while_it_is_seen_and_only_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(planes, "EPOCHS", 12)
    window.context.style.set_motion(True)
    view = start_plane(window)
    training = view._training
    until(lambda: training.epochs > 2)
    assert "300" not in view.accessibleName()
    window.show_work()
    assert not training.running  # nothing moves unseen
    held = training.epochs
    window.show_start_page()
    until(lambda: training.epochs == 12)
    assert held < 12
    window.show_work()
    window.show_start_page()
    QApplication.processEvents()
    assert not training.running


def test_the_end_page_says_what_was_learned(window: MainWindow):
    opening(window, 3)
    end = page(window).player.end
    assert end.able.text() == "Ask an error which number to move, and which way"
    assert end.surprise.text().startswith("Training alone needs 270 more steps")
    assert plain_text(window.strip.strip.sentence)
