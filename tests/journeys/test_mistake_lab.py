"""The mistake lab: introduced before anything runs, found, explained, mended, and hunted."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.controls.rich_text import lay_out
from app.controls.row_list import RowList
from app.panels.mistakes import MistakesPage
from app.panels.strip import timeline
from app.window.frame.main_window import MainWindow
from app.workbench.modes.hunt import Hunt
from engine.asking.diagnose import huntable_mistakes
from engine.asking.micrograd_program import program
from engine.rules import BY_NAME, UNKNOWN
from tests.helpers.answering import told
from tests.helpers.graphs import example
from tests.helpers.mouse import at_wire, node_named
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import label, look_of, written
from tests.helpers.window import SHIFT, click, open_example, opened_page, opened_window, press, said

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")

ENTER = Qt.Key.Key_Return


def begin(window: MainWindow) -> None:
    open_example(window, "demonstration")


@pytest.fixture
def lab(qtbot) -> Iterator[MainWindow]:
    with opened_window(qtbot, prepare=begin) as window:
        yield window


def panel(window: MainWindow) -> MistakesPage:
    found = opened_page(window, "mistakes")
    assert isinstance(found, MistakesPage)
    return found


def switch(window: MainWindow, name: str) -> None:
    window.commands[f"rules-{name}"].trigger()
    QApplication.processEvents()


def click_row(rows: RowList, place: int) -> None:
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.rect_of(place).center())
    QApplication.processEvents()


def hunt(window: MainWindow, name: str) -> None:
    """A hunt for one mistake, whichever would be drawn."""
    window.context.hunting._start(Hunt(BY_NAME[name], "name"))
    QApplication.processEvents()


def test_a_mistake_introduces_itself_before_anything_runs(lab: MainWindow):
    switch(lab, "assign")
    assert lab.playback.phase == "live"
    found = panel(lab)
    assert found.choose.field.accessibleName() == (
        "Mistake, = instead of +=, 4 of 7 gradients differ"
    )
    assert found.choose.sentence.text() == BY_NAME["assign"].sentence
    assert found.choose.code.text().replace("\u00a0", " ").splitlines() == [
        "✘ v.grad = contribution",
        "✓ v.grad += contribution",
    ]
    switch(lab, "forward-order")
    lines = found.choose.code.text().replace("\u00a0", " ").splitlines()
    assert lines == ["✘ for v in topo:", "✓ for v in reversed(topo):"]


def test_what_is_said_of_a_guess_comes_into_view_in_a_low_window(lab: MainWindow):
    lab.resize(1024, 700)
    found = panel(lab)
    hunt(lab, "assign")
    press(lab, "b", Qt.Key.Key_End)
    found.hunt.names.setFocus()
    for key in (*[Qt.Key.Key_Down] * 8, ENTER):
        QTest.keyClick(found.hunt.names, key)
    for _layout in ("card", "page"):
        QApplication.processEvents()
    card = found.hunt.card
    assert "× uses its own input" in found.hunt.verdict.text()
    assert card.visibleRegion().boundingRect() == card.rect()


def test_nodes_show_both_sums_and_why(lab: MainWindow):
    switch(lab, "assign")
    press(lab, "b", Qt.Key.Key_End)
    look = look_of(lab.canvas, "a")
    assert look.correct is not None
    assert [chip.text for chip in look.correct.chips] == ["+18", "+7"]
    assert (look.correct.total, look.ledger.total, look.flag) == ("= 25", "= 1", "✘ should be 25")
    assert [chip.state for chip in look.ledger.chips] == [
        "overwritten",
        "landed",
    ] or look.ledger.chips
    assert look.causes == (("here", "+1 overwrites 3"), ("before", "d 6 → 1, c 7 → 1"))
    assert label(lab.canvas, "d", 0) == "6 × 3 = +18 | ✘ 3"
    assert look_of(lab.canvas, "e").correct is None
    found = panel(lab)
    assert found.choose.first_button.text() == "First difference: step 6"
    assert found.wrong.note.text() == "4 of 7"
    assert found.wrong.texts()[2].startswith("a: 1, right would be 25. d and c were wrong")
    assert found.referee.texts() == ["a ≈ 25 25 1 ✘", "b ≈ 19 19 1 ✘"]


def test_nothing_moves_during_a_wrong_pass(lab: MainWindow):
    switch(lab, "recursive")
    press(lab, "b")
    boxes = dict(lab.canvas.scene.boxes)
    for _ in range(4):
        press(lab, Qt.Key.Key_Right)
        assert dict(lab.canvas.scene.boxes) == boxes
    press(lab, Qt.Key.Key_End)
    assert dict(lab.canvas.scene.boxes) == boxes


def test_while_the_first_wrong_step_is_asked_no_bracket_tells_what_is_lost(lab, monkeypatch):
    painted: list[str] = []
    monkeypatch.setattr(
        timeline, "_paint_bracket", lambda _p, _x, _t, found, _s: painted.append(found.text)
    )
    switch(lab, "assign")
    press(lab, "b", Qt.Key.Key_End)
    lab.strip.grab()
    assert any("lost" in text for text in painted)
    click(panel(lab).mend)
    press(lab, Qt.Key.Key_End)
    painted.clear()
    lab.strip.grab()
    assert not any("lost" in text for text in painted)
    assert "contributions" not in written(lab.canvas), "no node waits for one any more"


def test_what_is_said_of_a_step_goes_with_it(lab: MainWindow):
    press(lab, "b", Qt.Key.Key_End)
    switch(lab, "assign")
    assert said(lab) == "The rules changed: the backward pass is back at its start."
    press(lab, Qt.Key.Key_Right)
    assert not said(lab)


def test_a_mistake_is_found_explained_and_mended_by_mouse(lab: MainWindow):
    switch(lab, "assign")
    found = panel(lab)
    click(found.mend)
    assert lab.playback.now.comparison is None  # it would give the step away
    click_at(lab.canvas, at_wire(lab.canvas, (node_named(lab.canvas, "f"), 0)))
    assert told(lab).startswith("Step 4 of 11")
    click(found.hunt.step_button)
    assert found.hunt.verdict.text() == "✘ Step 4 is as in the correct pass: look further on."
    lab.playback.go(8)
    click(found.hunt.step_button)
    assert found.hunt.verdict.text() == "✘ Step 8 goes wrong too, but an earlier one did before."
    lab.playback.go(6)
    click(found.hunt.step_button)
    assert found.hunt.verdict.text().startswith("✓ Right: step 6")
    assert look_of(lab.canvas, "c").flag == "✘ should be 7"  # nothing is hidden any more
    box = found.hunt.reasons
    assert box.viewport().rect().contains(box.visualItemRect(box.item(box.count() - 1)))
    reasons = found.hunt.reasons.texts()
    right = reasons.index(BY_NAME["assign"].sentence)
    click_row(found.hunt.reasons, (right + 1) % len(reasons))
    assert found.hunt.verdict.text().startswith("✘ With ")
    click_row(found.hunt.reasons, right)
    lines = program(BY_NAME["assign"])
    click_row(found.hunt.lines, 13)
    assert found.hunt.verdict.text() == "✘ This line is right: it gives the root its seed."
    click_row(found.hunt.lines, next(k for k, line in enumerate(lines) if line.wrong))
    assert found.hunt.verdict.text().startswith("✓ Mended")
    assert look_of(lab.canvas, "a").ledger.total == "= 25"
    click(found.hunt.leave_button)
    assert lab.playback.rules is BY_NAME["correct"]


def test_a_hidden_mistake_is_hunted_by_keys_alone(lab: MainWindow):
    hunt(lab, "assign")
    assert lab.playback.rules is UNKNOWN
    found = panel(lab)
    press(lab, *[Qt.Key.Key_Right] * 3)
    assert told(lab).startswith("Step 3")
    field = found.hunt.guess
    tab_to(lab, field)
    press(lab, "+=", ENTER)
    assert found.hunt.verdict.text().startswith("✘ The steps so far fit = instead of +=, but also ")
    lab.canvas.setFocus()
    press(lab, Qt.Key.Key_End)
    assert lab.playback.cursor == 11
    tab_to(lab, field)
    field.selectAll()
    press(lab, "no seed", ENTER)
    assert found.hunt.verdict.text().startswith("✘ With No seed")
    field.selectAll()
    press(lab, "instead", ENTER)
    assert found.hunt.verdict.text() == "✓ Found: = instead of +=."
    assert lab.playback.rules is BY_NAME["assign"]
    mend_by_keys(lab, found)


def mend_by_keys(lab: MainWindow, found: MistakesPage) -> None:
    lab.canvas.setFocus()
    press(lab, Qt.Key.Key_Home, *[Qt.Key.Key_Right] * 6, Qt.Key.Key_F7)
    assert found.hunt.verdict.text().startswith("✓ Right: step 6")
    tab_to(lab, found.hunt.reasons)
    right = found.hunt.reasons.texts().index(BY_NAME["assign"].sentence)
    press(lab, *[Qt.Key.Key_Down] * right, ENTER)
    assert found.hunt.heading.text() == "Which line is to be mended?"
    tab_to(lab, found.hunt.lines)
    press(lab, Qt.Key.Key_Down, ENTER)
    assert found.hunt.heading.text() == "Mended"


def test_a_hunt_draws_a_mistake_that_shows_and_ends_when_another_is_chosen(lab: MainWindow):
    press(lab, Qt.Key.Key_H, modifier=SHIFT)
    assert lab.context.hunting.now is not None
    assert lab.playback.now.rules is UNKNOWN
    switch(lab, "no-seed")
    assert lab.context.hunting.now is None
    assert said(lab).endswith("Hunt has ended.")


def test_a_hunt_is_begun_and_given_up_by_mouse_alone(lab: MainWindow):
    found = panel(lab)
    click(found.begin_hunt)
    assert found.hunt.heading.text() == "Hunt: which mistake is on?"
    assert not found.printed.isVisible()  # it would name the mistake
    click(found.hunt.check)
    assert found.hunt.verdict.text() == "Choose a mistake first."
    found.hunt.guess.setText("zebra")
    click(found.hunt.check)
    assert found.hunt.verdict.text().startswith("No mistake of the list is called that")
    click(found.hunt.show_button)
    assert found.hunt.verdict.text() == f"It is: {lab.playback.rules.title}."
    click(found.hunt.leave_button)
    assert lab.context.hunting.now is None
    click(found.choose.correct_button)
    assert lab.playback.rules is BY_NAME["correct"]


def test_the_panel_of_a_hunt_stays_in_sight_whatever_is_hunted(lab: MainWindow):
    for rules in huntable_mistakes(example("demonstration").graph):
        hunt(lab, rules.name)
        found = panel(lab)
        click(found.hunt.show_button)
        assert found.hunt.verdict.isVisible()
        assert found.hunt.verdict.text() == f"It is: {rules.title}."
        assert found.hunt.step_button.isVisible()
        click(found.hunt.leave_button)


def test_steps_are_looked_for_by_keys_once_the_hunt_is_begun_by_mouse(lab: MainWindow):
    switch(lab, "assign")
    found = panel(lab)
    found.printed.fields["b"].setFocus()
    click(found.mend)
    press(lab, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert told(lab).startswith("Step 2 of 11")
    assert found.hunt.step_button.text() == "It is step 2"


def test_no_answer_is_chosen_before_the_learner_does_and_each_is_whole(lab: MainWindow):
    switch(lab, "assign")
    found = panel(lab)
    click(found.mend)
    lab.playback.go(6)
    click(found.hunt.step_button)
    QApplication.processEvents()
    reasons = found.hunt.reasons
    assert {row.choice for row in reasons.rows} == {"open"}
    font, room = lab.context.style.font("interface"), reasons.width() - 2 * 6 - 13 - 8
    for place, row in enumerate(reasons.rows):
        lines = lay_out(row.cells[0], font, room)
        needed = sum(line.ascent + line.descent for line in lines)
        assert reasons.rect_of(place).height() >= needed


def test_the_answer_to_numbers_is_scrolled_into_sight(lab: MainWindow):
    switch(lab, "assign")
    press(lab, "b", Qt.Key.Key_End)
    lab.resize(1366, 700)
    QApplication.processEvents()
    found = panel(lab)
    field = found.printed.fields["a"]
    field.setFocus()
    press(lab, "1")
    QApplication.processEvents()
    for part in (found.printed.buttons["assign"], field):
        at = part.mapTo(found, part.rect().bottomLeft())
        assert found.rect().contains(at)


def test_the_numbers_one_got_name_the_mistake_and_run_it(lab: MainWindow):
    lab.commands["which_mistake"].trigger()
    QApplication.processEvents()
    found = panel(lab).printed
    field = found.fields["a"]
    tab_to(lab, field)
    press(lab, "29")
    assert found.sentence.text() == "One mistake gives these numbers."
    assert list(found.buttons) == ["recursive"]
    tab_to(lab, found.buttons["recursive"])
    press(lab, ENTER)
    assert lab.playback.rules is BY_NAME["recursive"]
    assert look_of(lab.canvas, "a").ledger.total == "= 29"
    field.setFocus()
    field.selectAll()
    press(lab, "25")
    assert found.sentence.text().startswith("The correct pass gives these numbers. By accident")


def tab_to(window: MainWindow, widget: QWidget) -> None:
    """Press F6 and Tab until a widget has the keyboard."""
    for key in (Qt.Key.Key_F6, Qt.Key.Key_Tab):
        for _ in range(40):
            focused = QApplication.focusWidget()
            if focused is widget:
                return
            if key == Qt.Key.Key_F6 and focused and window.bar.frame.isAncestorOf(focused):
                break
            press(window, key)
    raise AssertionError("the keyboard does not get there")
