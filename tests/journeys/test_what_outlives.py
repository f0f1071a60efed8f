"""What a document leaves behind for the next one, which is nothing; what Undo brings back with it.

THINGS says of what, MODES in which mode, WAYS how another document comes, RETURNS how one is left.
"""

from collections.abc import Callable, Mapping
from itertools import cycle
from pathlib import Path
from typing import Final, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.panels.mistakes import MistakesPage
from app.panels.train import TrainPage
from app.window.commands.file_actions import open_example, open_now
from app.window.commands.lesson_actions import begin_drawn_test, begin_lesson
from app.window.frame.main_window import MainWindow
from app.workbench.modes.mode import STEPPING
from engine import from_expression
from engine.formats.native import Drawing
from engine.rules import BY_NAME, CORRECT
from tests.helpers.answering import answer_all, ask
from tests.helpers.lecturing import lecture_of
from tests.helpers.lessons import LESSON
from tests.helpers.sampling import sampled
from tests.helpers.window import click, example_path, forget_changes, node, press, said

Act = Callable[[MainWindow], object]
MISTAKE: Final = BY_NAME["assign"]
FORMULA: Final = "y = a*b"
LECTURE: Final = "two-paths.toml"
CTRL: Final = Qt.KeyboardModifier.ControlModifier


def printed(window: MainWindow) -> list[str]:
    """What is typed under My program printed."""
    page = cast("MistakesPage", window.bar.get("mistakes"))
    return [field.text() for field in page.printed.fields.values() if field.text()]


def own_mode(window: MainWindow) -> bool:
    """Whether a mode is on that the step of a lesson, or of a lecture, has not begun."""
    now = window.playback.now
    return now.mode is not STEPPING and (now.quiz is None or now.quiz.lesson_questions is None)


def step_a_sample(window: MainWindow) -> None:
    """Train a network, whose status names no mistake of the sheet, and step a sample backward."""
    page = cast("TrainPage", window.context.shell.show_page("train"))
    page.show_view("training")
    assert "mistake" not in window.status_line.text()
    page.training.training.go(0)
    click(page.training.stage.sample.step)


THINGS: Final[Mapping[str, Act]] = {
    "mistake": lambda w: w.playback.rules is not CORRECT,
    "stops": lambda w: w.context.time_machine.breakpoints,
    "selection": lambda w: w.selection.nodes,
    "last run": lambda w: w.context.modes.report,
    "printed gradients": printed,
    "mode": own_mode,
}
MODES: Final[Mapping[str, Act]] = {
    "hunt": lambda w: w.context.hunting.begin(1),
    "Cover": lambda w: w.context.modes.toggle(cover=True),
    "Ask me": lambda w: ask(w, "contribution"),
    "By hand": lambda w: w.context.modes.by_hand.begin("backward"),
    "Descent": lambda w: w.context.descents.toggle(),
}
WAYS: Final[Mapping[str, Act]] = {
    "new": lambda w: w.commands["new"].trigger(),
    "open": lambda w: open_now(w.context, example_path()),
    "example": lambda w: open_example(w.context, "demonstration"),
    "lesson": lambda w: begin_lesson(w.context, "one-wire"),
    "test": lambda w: begin_drawn_test(w.context, 1),
    "lecture": lambda w: open_now(w.context, Path(LECTURE)),
    "presented lecture": lambda w: w.context.shell.present_lesson(lecture_of(w)),
    "network": step_a_sample,
    "formula": lambda w: w.document.replace_graph(from_expression(FORMULA), FORMULA),
}
RETURNS: Final[Mapping[str, Act]] = {
    "lesson": lambda w: w.context.guides.restore_own_sheet(),
    "test": lambda w: w.context.guides.restore_own_sheet(),
    "presented lecture": lambda w: w.context.shell.leave_full_screen(),
    "network": lambda w: w.document.undo(),
    "formula": lambda w: w.document.undo(),
}


def have_everything(window: MainWindow, begin_mode: Act) -> None:
    """Have every one of THINGS on the shared leaf."""
    open_example(window.context, "shared-leaf")
    ask(window, "contribution", "every")
    answer_all(window, "1")
    window.context.modes.leave()
    window.playback.leave()
    window.context.shell.show_page("mistakes", focus=False)
    cast("MistakesPage", window.bar.get("mistakes")).printed.fields["a"].setText("7")
    window.selection.focus_on(node(window, "a"))
    window.commands["toggle_break"].trigger()
    window.playback.set_rules(MISTAKE)
    begin_mode(window)  # two of which switch the mistake off
    forget_changes(window)


def test_nothing_of_a_document_outlives_it_and_undo_brings_it_back(
    shared_leaf: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    window = shared_leaf
    monkeypatch.chdir(tmp_path)
    (tmp_path / LECTURE).write_text(LESSON)
    ways = sampled(WAYS.items(), 2)
    for (way, show_other), begin_mode in zip(ways, cycle(MODES.values()), strict=False):
        have_everything(window, begin_mode)
        mistake, stops = window.document.home.rules, window.context.time_machine.breakpoints
        had = {thing for thing, has in THINGS.items() if has(window)}
        assert had >= THINGS.keys() - {"mistake"}, (way, had)
        show_other(window)
        QApplication.processEvents()
        left = [thing for thing, has in THINGS.items() if has(window)]
        assert not left, (way, left)
        if way in RETURNS:
            RETURNS[way](window)
            QApplication.processEvents()
            assert window.playback.rules is mistake, way
            assert window.context.time_machine.breakpoints == stops, way
        forget_changes(window)


def test_redo_leads_to_a_typed_document_with_its_own_mistake_and_stops(shared_leaf: MainWindow):
    window = shared_leaf
    window.document.replace_graph(from_expression(FORMULA), FORMULA)
    window.playback.set_rules(MISTAKE)
    window.context.time_machine.toggle(node(window, "y"))
    stops = window.context.time_machine.breakpoints
    window.document.undo()
    assert (window.playback.rules, window.context.time_machine.breakpoints) == (
        CORRECT,
        frozenset(),
    )
    window.document.redo()
    assert (window.playback.rules, window.context.time_machine.breakpoints) == (MISTAKE, stops)
    forget_changes(window)


def test_a_mistake_chosen_on_an_empty_sheet_is_that_of_the_formula_typed_there(
    shared_leaf: MainWindow,
):
    shared_leaf.commands["new"].trigger()
    shared_leaf.playback.set_rules(MISTAKE)
    shared_leaf.document.replace_graph(from_expression(FORMULA), FORMULA)
    assert shared_leaf.playback.rules is MISTAKE
    forget_changes(shared_leaf)


def test_the_steps_of_a_sheet_go_with_it(
    shared_leaf: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    window = shared_leaf
    monkeypatch.chdir(tmp_path)
    (tmp_path / LECTURE).write_text(LESSON)
    for way, show_other in sampled(WAYS.items(), 2, first=1):
        open_example(window.context, "shared-leaf")
        recorder = window.context.recorders.get()
        recorder.add_step("say")
        assert window.document.edited, way
        forget_changes(window)
        show_other(window)
        QApplication.processEvents()
        assert window.document.sheet.lesson == "", way
        if window.context.guides.room is not None:
            window.context.shell.leave_full_screen()
            assert len(recorder.steps) == 1, "the sheet is back"
        window.context.guides.end()
        forget_changes(window)


def test_a_file_opened_during_a_try_of_a_lesson_is_the_one_that_is_shown(shared_leaf: MainWindow):
    window = shared_leaf
    recorder = window.context.recorders.get()
    recorder.add_step("say")
    recorder.try_step()
    assert recorder.trying
    open_now(window.context, example_path("demonstration"))
    QApplication.processEvents()
    assert not recorder.away
    assert window.context.recorders.now is None
    assert window.document.title == "demonstration.backwire"
    assert node(window, "f")


def test_what_is_said_of_a_sheet_goes_with_it(shared_leaf: MainWindow):
    window = shared_leaf
    e = node(window, "e")
    window.document.remove([], [(e, 0)])
    press(window, "b")
    assert "slot" in said(window)
    press(window, "z", modifier=CTRL)
    assert not said(window)
    forget_changes(window)


def test_what_a_crash_left_behind_is_not_offered_over_a_graph_that_was_handed_over(
    shared_leaf: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    offered: list[str] = []
    monkeypatch.setattr(
        "app.window.frame.main_window.offer_recovered", lambda *_a, **_k: offered.append("copy")
    )
    shared_leaf.begin_handed_over(Drawing(from_expression(FORMULA)))
    shared_leaf.after_start()
    assert offered == []
