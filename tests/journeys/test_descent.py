"""It learns: descent on the sheet, in the real window.

Its other ways, and all that is said of them, are tried without a window: `test_loop_runner.py`.
"""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.looks import NumberLook
from app.panels.train import TrainPage
from app.panels.train.descent_view import DescentView
from app.window.frame.main_window import MainWindow
from app.workbench.modes.loop import LoopState, Step
from app.workbench.runners.loop_runner import LoopRunner
from engine.numbers import decimals, full
from tests.helpers import mouse
from tests.helpers.answering import button, push, told
from tests.helpers.graphs import reference
from tests.helpers.reading import grad
from tests.helpers.sampling import sampled
from tests.helpers.window import (
    CTRL,
    click,
    node,
    opened_page,
    opened_window,
    press,
    said,
    until,
    value,
)


@pytest.fixture
def window(qtbot):
    with opened_window(qtbot, example="two-weights-loss", prepare=set_rate) as window:
        yield window


def set_rate(window: MainWindow) -> None:
    window.canvas.setFocus()
    press(window, "d")
    found = face_of(window)
    descents(window).set_pace("full")
    found.rate.field.setFocus()
    found.rate.field.setText("0.5")
    press(window, Qt.Key.Key_Return)


@pytest.fixture
def panel(window) -> DescentView:
    """The panel, after D was pressed and the rate was set."""
    return face_of(window)


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


def finished(window: MainWindow) -> None:
    until(lambda: not descents(window).running)
    QApplication.processEvents()


def leaf_look(window: MainWindow, name: str):
    return window.canvas.scene.node(node(window, name))


def sentence(window: MainWindow) -> str:
    return window.strip.sentence.text()


def click_epoch(window: MainWindow, epoch: int) -> None:
    line = window.strip.loop_line
    assert line is not None
    mouse.click(line, QPointF(line.x_of(epoch), line.height() / 2))
    QApplication.processEvents()


def apart(window: MainWindow) -> bool:
    rects = [box.rect for box in window.canvas.scene.boxes.values() if box.kind != "pill"]
    return not any(a.intersects(b) for k, a in enumerate(rects) for b in rects[:k])


def test_the_published_losses_and_parameters_stand_on_the_screen(window, panel):
    lesson = reference("descent")
    push(window, "epochs")
    finished(window)
    window.resize(1920, 1080)
    QApplication.processEvents()
    under = [loss for _epoch, loss in window.strip.loop_line.texts()]
    assert under[:10] == [decimals(row["loss"]) for row in lesson["rows"]]
    shown = [float(text.replace("≈", "").strip()) for text in under[:10]]
    assert shown == lesson["published"]["losses"]
    for name in ("w1", "w2"):
        assert leaf_look(window, name).value.text == str(lesson["published"][name])
        assert value(window, name) == lesson["after"][name]
    for row in sampled(lesson["rows"], 4):
        click_epoch(window, row["step"])
        assert (value(window, "w1"), value(window, "w2")) == (row["w1"], row["w2"])
        assert leaf_look(window, "w1").value.text == decimals(row["w1"])


def test_nothing_moves_during_a_run_which_is_one_undo_step_and_then_there_is_room(window, panel):
    panel.rate.field.setFocus()
    panel.rate.field.setText("5")
    press(window, Qt.Key.Key_Return)
    view = window.canvas
    until(lambda: view.scene.is_layout_complete)
    view.framing.refit_if_cut_off()
    before = dict(view.scene.boxes), view.camera.zoom, view.camera.sheet_centre
    push(window, "epochs")
    finished(window)
    assert max(abs(value(window, name)) for name in ("w1", "w2")) > 1e5
    assert (dict(view.scene.boxes), view.camera.zoom, view.camera.sheet_centre) == before
    assert [step.name for step in window.document.done] == ["Descend 10 epochs"]
    press(window, "z", modifier=CTRL)
    assert (value(window, "w1"), value(window, "w2"), loop(window).at) == (2.0, 3.0, 0)
    press(window, "y", modifier=CTRL)
    assert loop(window).at == 10
    click(panel.end)
    until(lambda: apart(window))  # room for the last numbers


def test_four_buttons_are_one_epoch_and_the_update_stands_at_its_leaf(window, panel):
    steps = panel.steps.buttons
    assert leaf_look(window, "s").value.text == "–"
    click(steps["backward"])
    assert said(window) == "Run forward first: backward needs the values."
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
    carries_on_by_keys(window)


def carries_on_by_keys(window: MainWindow) -> None:
    """The second epoch by keys, without zero grad, and then back, forth and out."""
    seconds: tuple[tuple[Step, Qt.Key], ...] = (
        ("forward", Qt.Key.Key_Return),
        ("backward", Qt.Key.Key_Space),
    )
    for step, key in seconds:
        focus_step(window, step)
        press(window, key)
    assert leaf_look(window, "loss").value == NumberLook("0.625", "value")
    assert leaf_look(window, "w2").update is None
    assert "w1.grad is not the new 0.5 but 1 + 0.5 = 1.5" in sentence(window)
    assert grad(window.canvas, "w1") == "1.5"
    focus_step(window, "update")
    press(window, Qt.Key.Key_Space)
    assert (loop(window).at, value(window, "w1")) == (2, 0.75)
    line = window.strip.loop_line
    assert line is not None
    window.activateWindow()
    until(window.isActiveWindow)  # else the focus comes later, for another reason
    line.setFocus(Qt.FocusReason.TabFocusReason)
    press(window, Qt.Key.Key_Home)
    assert (loop(window).at, value(window, "w1")) == (0, 2.0)
    press(window, Qt.Key.Key_End)
    assert value(window, "w1") == 0.75
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert descents(window).now is None
    assert not face_of(window).end.isVisible()
    assert value(window, "w1") == 0.75


def focus_step(window: MainWindow, step: Step) -> None:
    face_of(window).steps.buttons[step].setFocus(Qt.FocusReason.TabFocusReason)


def test_a_run_is_stopped_is_stepped_into_and_ends_with_another_mode(window, panel):
    run = button(window, "run")
    panel.rate.slider.setValue(0)  # so that it takes long to come to rest
    click(run)
    until(lambda: loop(window).at >= 3)
    assert run.text() == "Stop"
    click(run)
    assert (run.text(), descents(window).running) == ("Run", False)
    push(window, "step this")
    assert window.playback.phase == "backward"
    assert not window.strip.loop_line.isVisible()
    assert panel.empty.isVisible()
    push(window, "resume")
    assert window.playback.phase == "live"
    assert window.strip.loop_line.isVisible()
    click(run)
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert not descents(window).running
    assert descents(window).now is not None
    press(window, "p")
    assert window.context.modes.now is not None
    assert descents(window).now is None
    press(window, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    window.canvas.setFocus()
    press(window, "d")
    assert window.context.modes.now is None
    assert descents(window).shown


def test_what_is_no_rate_is_refused_and_leaves_the_one_in_use(window, panel):
    field = panel.rate.field
    for wrong in ("0", "nan", ""):
        field.setFocus()
        field.selectAll()
        press(window, wrong or Qt.Key.Key_Delete, Qt.Key.Key_Return)
        assert said(window), wrong
        window.canvas.setFocus()
        assert field.text() == full(loop(window).descent.rate) == "0.5", wrong
