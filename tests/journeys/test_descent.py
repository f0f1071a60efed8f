"""It learns: descent on the sheet, in the real window."""

import math

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.looks import NumberLook
from app.panels.train import TrainPage
from app.panels.train.descent_view import RATES as RATE_TICKS
from app.panels.train.descent_view import DescentView
from app.window.frame.main_window import MainWindow
from app.workbench.modes.loop import LoopState, Step
from app.workbench.runners.loop_runner import LoopRunner
from engine.graph import Leaf
from engine.numbers import decimals, full
from engine.rules import CORRECT, MISTAKES
from tests.helpers import mouse
from tests.helpers.answering import button, push, told
from tests.helpers.graphs import reference
from tests.helpers.reading import grad
from tests.helpers.sampling import sampled
from tests.helpers.window import click, node, opened_page, opened_window, press, said, until, value


@pytest.fixture
def window(qtbot):
    with opened_window(qtbot, example="two-weights-loss") as window:
        window.canvas.setFocus()
        yield window


@pytest.fixture
def panel(window) -> DescentView:
    """The panel, after D was pressed and the rate was set."""
    press(window, "d")
    found = face_of(window)
    descents(window).set_pace("full")
    found.rate.field.setFocus()
    found.rate.field.setText("0.5")
    press(window, Qt.Key.Key_Return)
    return found


def face_of(window: MainWindow) -> DescentView:
    page = opened_page(window, "train")
    assert isinstance(page, TrainPage)
    return page.descent


def descents(window: MainWindow) -> LoopRunner:
    return window.context.descents


def loop(window: MainWindow) -> LoopState:
    now = descents(window).now
    assert now is not None
    return now


def epochs(window: MainWindow, button) -> None:
    click(button)
    until(lambda: not descents(window).running)
    QApplication.processEvents()


def leaf_look(window: MainWindow, name: str):
    return window.canvas.scene.node(node(window, name))


def sentence(window: MainWindow) -> str:
    return window.strip.sentence.text()


def test_the_published_losses_and_parameters_stand_on_the_screen(window, panel):
    lesson = reference("descent")
    epochs(window, button(window, "epochs"))
    window.resize(1920, 1080)
    QApplication.processEvents()
    under = [loss for _epoch, loss in window.strip.loop_line.texts()]
    assert under[:10] == [decimals(row["loss"]) for row in lesson["rows"]]
    shown = [float(text.replace("≈", "").strip()) for text in under[:10]]
    assert shown == lesson["published"]["losses"]
    for name in ("w1", "w2"):
        assert leaf_look(window, name).value.text == str(lesson["published"][name])
        assert value(window, name) == lesson["after"][name]
    for row in lesson["rows"]:
        click_epoch(window, row["step"])
        assert (value(window, "w1"), value(window, "w2")) == (row["w1"], row["w2"])
        assert leaf_look(window, "w1").value.text == decimals(row["w1"])


def click_epoch(window: MainWindow, epoch: int) -> None:
    line = window.strip.loop_line
    assert line is not None
    mouse.click(line, QPointF(line.x_of(epoch), line.height() / 2))
    QApplication.processEvents()


def test_four_buttons_are_one_epoch_and_the_update_stands_at_its_leaf(window, panel):
    steps = panel.steps.buttons
    assert leaf_look(window, "s").value.text == "–"
    click(steps["zero_grad"])
    click(steps["forward"])
    assert leaf_look(window, "loss").value.text == "2.5"
    click(steps["backward"])
    assert grad(window.canvas, "w2") == "−2"
    assert leaf_look(window, "w2").update is None
    click(steps["update"])
    update = leaf_look(window, "w2").update
    assert update is not None
    assert update[:4] == ("3", "0.5", "−2", "4")
    assert leaf_look(window, "loss").value == NumberLook("2.5", "stale")
    assert "w1 goes against its gradient: 2 − 0.5 × 1 = 1.5." in sentence(window)
    assert told(window) == "Epoch 1    The loss 2.5 is from before the update.    next: zero grad"
    assert steps["update"].accessibleName() == "update, done"
    assert steps["zero_grad"].accessibleName() == "zero grad, next"
    click(steps["zero_grad"])
    click(steps["forward"])
    assert leaf_look(window, "loss").value == NumberLook("0.625", "value")
    assert leaf_look(window, "w2").update is None


def test_by_keys_alone(window):
    press(window, "d")
    focus_step(window, "zero_grad")
    press(window, Qt.Key.Key_Return)
    for step in ("forward", "backward", "update"):
        focus_step(window, step)
        press(window, Qt.Key.Key_Space)
    assert loop(window).at == 1
    line = window.strip.loop_line
    line.setFocus()
    press(window, Qt.Key.Key_Left)
    assert (loop(window).at, value(window, "w1")) == (0, 2.0)
    press(window, Qt.Key.Key_End)
    assert value(window, "w1") == 1.9
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert descents(window).now is None
    assert not face_of(window).end.isVisible()
    assert value(window, "w1") == 1.9


def focus_step(window: MainWindow, step: Step) -> None:
    face_of(window).steps.buttons[step].setFocus(Qt.FocusReason.TabFocusReason)


def test_a_whole_run_is_one_undo_step(window, panel):
    steps = len(window.document.steps)
    for _k in range(3):
        epochs(window, button(window, "epoch"))
    epochs(window, button(window, "epochs"))
    assert len(window.document.steps) == steps + 1
    assert "Descend 13 epochs" in window.document.done[-1].name
    window.commands["undo"].trigger()
    assert (value(window, "w1"), value(window, "w2")) == (2.0, 3.0)
    assert loop(window).at == 0
    window.commands["redo"].trigger()
    assert loop(window).at == 13


def test_a_run_is_stopped_at_any_time(window, panel):
    run = button(window, "run")
    panel.rate.slider.setValue(0)
    click(run)
    until(lambda: loop(window).at >= 3)
    assert run.text() == "Stop"
    click(run)
    at = loop(window).at
    QApplication.processEvents()
    assert (run.text(), loop(window).at) == ("Run", at)
    click(run)
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert not descents(window).running
    assert descents(window).now is not None


def test_a_forgotten_zero_grad_goes_wrong_and_is_named(window, panel):
    steps = panel.steps.buttons
    epochs(window, button(window, "epoch"))
    click(steps["forward"])
    click(steps["backward"])
    assert "zero grad was left out" in sentence(window)
    assert "w1.grad is not the new 0.5 but 1 + 0.5 = 1.5" in sentence(window)
    assert grad(window.canvas, "w1") == "1.5"
    click(steps["update"])
    click(panel.zeroes)
    for _k in range(3):
        epochs(window, button(window, "epoch"))
    losses = [x for x in loop(window).losses if x is not None]
    assert losses[-1] > min(losses)
    assert "zero grad was left out, so the update went along old gradients" in sentence(window)


def test_too_large_a_rate_is_named_until_nothing_is_finite(window, panel):
    panel.rate.field.setText("5")
    panel.rate.field.commit()
    epochs(window, button(window, "epoch"))
    epochs(window, button(window, "epoch"))
    assert "The loss rose from 2.5 to 40: the rate 5 is too large here" in sentence(window)
    push(window, "run")
    until(lambda: not descents(window).running)
    assert "beyond all bounds" in sentence(window)
    assert math.isfinite(value(window, "w1"))  # it stopped before the update
    click_epoch(window, 0)
    assert value(window, "w1") == 2.0


def test_what_is_refused_is_said_in_one_sentence_and_nothing_has_changed(window, panel):
    before = window.document.graph
    click(panel.steps.buttons["backward"])
    assert said(window) == "Run forward first: backward needs the values."
    click(panel.steps.buttons["update"])
    assert said(window).startswith("Run backward first")
    panel.rate.field.setText("-1")
    panel.rate.field.commit()
    assert "above 0" in said(window)
    assert loop(window).descent.rate == 0.5
    panel.learners.item(0).setCheckState(Qt.CheckState.Unchecked)
    panel.learners.item(1).setCheckState(Qt.CheckState.Unchecked)
    push(window, "epoch")
    assert said(window).startswith("No leaf is ticked")
    assert window.document.graph is before


def test_only_ticked_leaves_move_and_inputs_are_not_ticked(window, panel, qtbot):
    panel.learners.item(1).setCheckState(Qt.CheckState.Unchecked)
    epochs(window, button(window, "epoch"))
    assert (value(window, "w1"), value(window, "w2")) == (1.5, 3.0)
    window.commands["descent"].trigger()
    with opened_window(qtbot, example="neuron") as other:
        press(other, "d")
        loop = descents(other).now
        assert loop is not None
        learning = {other.document.graph.label(n) for n in loop.learners}
        assert learning == {"w1", "w2", "b"}


def test_rings_of_equal_loss_come_later_and_are_let_go(window, panel):
    epochs(window, button(window, "epoch"))
    contour = panel._contour
    until(lambda: contour.rings is not None)
    rings = contour.rings
    a, b = loop(window).learners
    graph = window.document.graph
    for level, ring in zip(reversed(rings.levels), rings.lines, strict=True):
        for (x, y), _end in ring[::20]:
            at = graph.with_values({a: x, b: y})
            assert isinstance(at.nodes[a], Leaf)
            bowl = ((x - 1) ** 2 + (y - 5) ** 2) / 2
            assert bowl == pytest.approx(level, rel=0.05, abs=0.05)
    panel.learners.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert contour.rings is None
    assert not contour.waits


def test_an_edited_value_begins_a_new_run_and_new_wiring_ends_it(window, panel):
    epochs(window, button(window, "epoch"))
    window.document.set_value(node(window, "w1"), 7.0)
    assert said(window) == "The graph was edited: a new run begins here."
    assert (loop(window).at, window.playback.now.loop.at) == (0, 0)
    window.document.remove([node(window, "s")])
    assert descents(window).now is None
    assert "Descent has ended" in said(window)


def test_a_pass_is_stepped_at_any_epoch_and_the_run_waits(window, panel):
    epochs(window, button(window, "epoch"))
    push(window, "step this")
    assert window.playback.phase == "backward"
    assert not window.strip.loop_line.isVisible()
    assert panel.empty.isVisible()
    push(window, "resume")
    assert window.playback.phase == "live"
    assert window.strip.loop_line.isVisible()
    epochs(window, button(window, "epoch"))
    assert loop(window).at == 2


def test_modes_and_mistakes_end_descent_and_descent_ends_them(window, panel):
    window.canvas.setFocus()
    press(window, "p")
    assert window.context.modes.now is not None
    assert descents(window).now is None
    press(window, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    window.canvas.setFocus()
    press(window, "d")
    assert window.context.modes.now is None
    assert descents(window).shown
    press(window, "c")
    assert window.context.modes.now is not None
    assert descents(window).now is None
    press(window, "c", "d")
    window.commands[f"rules-{MISTAKES[0].name}"].trigger()
    assert descents(window).now is None
    press(window, "d")
    assert said(window) == "Descent uses the right rules, so the mistake is switched off."
    assert window.playback.rules == CORRECT
    assert descents(window).shown


def test_nothing_moves_during_a_run_which_stays_one_undo_step(window, panel):
    panel.rate.field.setFocus()
    panel.rate.field.setText("5")
    press(window, Qt.Key.Key_Return)
    view = window.canvas
    until(lambda: view.scene.is_layout_complete)
    view.framing.refit_if_cut_off()
    before = dict(view.scene.boxes), view.camera.zoom, view.camera.sheet_centre
    push(window, "run")
    until(lambda: not descents(window).running)  # its loss is infinite
    assert max(abs(value(window, name)) for name in ("w1", "w2")) > 1e100
    assert (dict(view.scene.boxes), view.camera.zoom, view.camera.sheet_centre) == before
    assert len(window.document.steps) == 1
    press(window, "Z", modifier=Qt.KeyboardModifier.ControlModifier)
    assert (value(window, "w1"), value(window, "w2")) == (2.0, 3.0)


def test_nodes_have_room_for_the_last_numbers_once_descent_has_ended(window, panel):
    epochs(window, button(window, "epochs"))
    window.context.descents.leave()
    boxes = window.canvas.scene.boxes

    def apart() -> bool:
        rects = [box.rect for box in boxes.values() if box.kind != "pill"]
        return not any(a.intersects(b) for k, a in enumerate(rects) for b in rects[:k])

    until(apart)


RATES = sampled(("5e-324", "1e-300", "0.37", "1e300", "1e308"), 2)
NO_RATES = ("0", "-1", "nan", "inf", "-inf", "1e309", "1e-400", "-5e-324", "x", "")


@pytest.mark.parametrize("example", sampled(["neuron", "two-weights-loss"], 2))
def test_the_field_shows_the_rate_that_is_used_however_extreme(qtbot, example):
    with opened_window(qtbot, example=example) as window:
        window.canvas.setFocus()
        press(window, "d")
        panel = face_of(window)
        descents(window).set_pace("full")
        field = panel.rate.field
        for text in RATES:
            field.setText(text)
            field.commit()
            assert field.value() == loop(window).descent.rate == float(text)
            for _k in range(3):
                epochs(window, button(window, "epoch"))
                panel.grab()
                assert sentence(window)
            descents(window).go(0)
            assert field.value() == loop(window).descent.rate == float(text)


def test_what_is_no_rate_leaves_the_one_in_use_and_the_slider_is_nearest_to_it(window, panel):
    field = panel.rate.field
    field.setText("0.37")
    field.commit()
    for wrong in NO_RATES:
        field.setFocus()
        field.selectAll()
        press(window, wrong or Qt.Key.Key_Delete, Qt.Key.Key_Return)
        assert said(window), wrong
        window.canvas.setFocus()
        assert field.text() == full(loop(window).descent.rate) == "0.37", wrong
    for text, nearest in (("5e-324", 1e-4), ("0.19", 0.2), ("1e308", 100.0)):
        panel.rate.field.setText(text)
        panel.rate.field.commit()
        assert RATE_TICKS[panel.rate.slider.value()] == nearest
