"""Making the classic mistakes on purpose: each shows its own pass, and leaves without a trace."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor

from app.canvas.accessibility import node_name
from app.canvas.canvas_view import CanvasView
from app.canvas.input.hover import tooltip_text
from app.canvas.scene.hit_test import Hit
from app.panels.why import WhyPage
from app.window.frame.main_window import MainWindow
from engine.numbers import short
from engine.rules import MISTAKES
from engine.trace import run
from tests.helpers.answering import sentence, told
from tests.helpers.graphs import gradients, mistake
from tests.helpers.mouse import at_header, click, node_named
from tests.helpers.reading import grad, ledger
from tests.helpers.sampling import sampled
from tests.helpers.seeing import picture, shows
from tests.helpers.window import open_example, opened_page, opened_window, press, said


def begin(window: MainWindow) -> None:
    open_example(window, "demonstration")
    press(window, "b", Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right)


@pytest.fixture
def lab(qtbot) -> Iterator[MainWindow]:
    """The demonstration graph, on which every mistake shows, at step 4 of the pass."""
    with opened_window(qtbot, prepare=begin) as window:
        yield window


def switch(window: MainWindow, name: str) -> None:
    window.commands[f"rules-{name}"].trigger()


@pytest.mark.parametrize("name", sampled([rules.name for rules in MISTAKES], every=8))
def test_a_mistake_switched_on_in_the_middle_shows_its_own_pass(lab: MainWindow, name: str):
    switch(lab, name)
    assert said(lab) == "The rules changed: the backward pass is back at its start."
    trace = run(lab.document.graph, rules=mistake(name))
    assert told(lab).startswith(f"Step 0 of {len(trace)}")
    for _ in range(len(trace) + 1):
        press(lab, Qt.Key.Key_Right)
        assert not lab.strip.grab().isNull()
    assert sentence(lab).startswith("The pass is over")
    last = {event.node: event.after for event in trace.events}
    for node, gradient in last.items():
        assert grad(lab.canvas, lab.document.graph.names[node]) == short(gradient)


def reads_in(view: CanvasView, box: QRectF, color: QColor) -> bool:
    """Whether a colour is seen somewhere in a rectangle of the screen."""
    return shows(
        picture(view).copy(box.toAlignedRect()),
        color,
        QPointF(box.width() / 2, box.height() / 2),
        round(max(box.width(), box.height()) / 2),
    )


def test_at_the_end_each_wrong_gradient_is_flagged_with_the_right_one(lab: MainWindow):
    right = gradients(lab.document.graph)
    for name in sampled([rules.name for rules in MISTAKES], every=4):
        switch(lab, name)
        press(lab, Qt.Key.Key_End)
        found = gradients(lab.document.graph, mistake(name))
        for label, gradient in found.items():
            look = lab.canvas.scene.node(node_named(lab.canvas, label))
            wrong = f"✘ should be {short(right[label])}"
            assert look.flag == ("" if gradient == right[label] else wrong), (name, label)
        switch(lab, "correct")
        press(lab, "b", Qt.Key.Key_End)
        flags = {lab.canvas.scene.node(node).flag for node in lab.document.graph.nodes}
        assert flags == {""}, name


def test_a_wrong_gradient_is_seen_and_heard_on_the_canvas_from_near_and_far(lab: MainWindow):
    view, error = lab.canvas, lab.context.style.theme.error
    switch(lab, "assign")
    press(lab, Qt.Key.Key_End)
    a = node_named(view, "a")
    assert "gradient 1, wrong, 25 would be right" in node_name(
        view.scene, a, view.context.style.digits
    )
    for zoom in sampled((1.0, 0.6, 0.3, 0.15), 3):
        view.camera.set_zoom(zoom)
        view.framing.show_node(a)
        rect = view.scene.boxes[a].rect
        box = view.camera.rect_on_screen(rect.adjusted(-4, -16, 4, 4))
        assert reads_in(view, box, error), zoom
    switch(lab, "correct")
    press(lab, "b", Qt.Key.Key_End)
    for zoom in sampled((1.0, 0.6, 0.3, 0.15), 3):
        view.camera.set_zoom(zoom)
        view.framing.show_node(a)
        rect = view.scene.boxes[a].rect
        box = view.camera.rect_on_screen(rect.adjusted(-4, -16, 4, 4))
        assert not reads_in(view, box, error), zoom


def test_backward_twice_keeps_what_the_first_pass_has_left_wherever_the_sum_is_shown(
    lab: MainWindow,
):
    switch(lab, "no-zero-grad")
    press(lab, Qt.Key.Key_End)
    click(lab.canvas, at_header(lab.canvas, node_named(lab.canvas, "a")))
    view = lab.canvas
    assert ledger(view, "a") == "was 25 +54 +21 = 100"
    node = node_named(view, "a")
    assert "2 of 2 contributions, 25 left over from the pass before" in node_name(
        view.scene, node, view.context.style.digits
    )
    why = opened_page(lab, "why")
    assert isinstance(why, WhyPage)
    assert why.sum.text() == "25 left over + 54 + 21 = 100"
    assert why.numbers.text().replace("\u00a0", " ").splitlines() == [
        "= 6 · 3 + 7 · 1 = 25",
        "≠ 25 left over + 18 · 3 + 21 · 1 = 100",
    ]
    assert "They are added to the 25 left over from pass 1." in why.words.text()


def test_a_node_whose_senders_were_wrong_already_says_so_wherever_it_is_explained(lab: MainWindow):
    switch(lab, "assign")
    press(lab, Qt.Key.Key_End)
    click(lab.canvas, at_header(lab.canvas, node_named(lab.canvas, "a")))
    told = "d and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1."
    why, view = opened_page(lab, "why"), lab.canvas
    assert isinstance(why, WhyPage)
    assert why.verdict.text() == f"✘ should be 25\n{told}"
    node = node_named(view, "a")
    assert told.rstrip(".") in node_name(view.scene, node, view.context.style.digits)
    assert told in tooltip_text(view.context, Hit("node", node=node))


def test_a_mistake_is_no_step_of_the_history_and_not_in_the_file(lab: MainWindow):
    switch(lab, "assign")
    assert not lab.document.steps
    assert not lab.isWindowModified()
