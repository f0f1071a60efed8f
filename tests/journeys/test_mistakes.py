"""Making the classic mistakes on purpose: each shows its own pass, and leaves without a trace."""

import pytest
from PySide6.QtCore import Qt

from app.style.numbers import short
from app.window.main_window import MainWindow
from engine.rules import MISTAKES
from engine.trace import run
from tests.helpers.graphs import mistake
from tests.helpers.reading import grad, ledger
from tests.helpers.window import open_example, press, said


@pytest.fixture
def lab(window: MainWindow) -> MainWindow:
    """The demonstration graph, on which every mistake shows, at step 4 of the pass."""
    open_example(window, "demonstration")
    press(window, "b", Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right)
    return window


def switch(window: MainWindow, name: str) -> None:
    window.commands[f"rules-{name}"].trigger()


@pytest.mark.parametrize("name", [rules.name for rules in MISTAKES])
def test_a_mistake_switched_on_in_the_middle_shows_its_own_pass(lab: MainWindow, name: str):
    switch(lab, name)
    assert said(lab) == "The rules changed: the backward pass is back at its start."
    trace = run(lab.document.graph, rules=mistake(name))
    assert lab.transport.count.text() == f"Step 0 of {len(trace)}"
    for _ in range(len(trace) + 1):
        press(lab, Qt.Key.Key_Right)
        assert not lab.transport.grab().isNull()
    assert lab.transport.count.text() == f"Step {len(trace)} of {len(trace)}"
    last = {event.node: event.after for event in trace.events}
    for node, gradient in last.items():
        assert grad(lab.canvas, lab.document.graph.names[node]) == short(gradient)


def test_the_timeline_has_a_tick_for_each_step_of_the_rules_in_force(lab: MainWindow):
    timeline = lab.transport.timeline
    lengths = []
    for name in ("no-zero-grad", "correct", "no-seed"):
        switch(lab, name)
        lengths.append(lab.playback.frame.total)
        press(lab, Qt.Key.Key_End)
        assert timeline.maximum() == timeline.value() == lab.playback.frame.total
        assert timeline.cursor_x("backward", lab.playback.frame.total) < timeline.width()
    assert len(set(lengths)) == 3


def test_back_at_the_correct_rules_the_numbers_are_right_again(lab: MainWindow):
    press(lab, Qt.Key.Key_End)
    right = {name: grad(lab.canvas, name) for name in "abcdefy"}
    switch(lab, "assign")
    press(lab, Qt.Key.Key_End)
    assert {name: grad(lab.canvas, name) for name in "abcdefy"} != right
    switch(lab, "correct")
    press(lab, Qt.Key.Key_End)
    assert {name: grad(lab.canvas, name) for name in "abcdefy"} == right


def test_what_is_overwritten_is_struck_in_the_ledger(lab: MainWindow):
    switch(lab, "assign")
    press(lab, Qt.Key.Key_End)
    view = lab.canvas
    node = lab.document.graph.node_named("a")
    assert node is not None
    assert view.stage.node(node).chips[0].state == "overwritten"
    assert ledger(view, "a").endswith(f"= {grad(view, 'a')}")


def test_a_mistake_is_no_step_of_the_history_and_not_in_the_file(lab: MainWindow):
    switch(lab, "assign")
    assert lab.document.stack.count() == 0
    assert not lab.isWindowModified()
