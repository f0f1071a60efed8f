"""A network is trained in the real window: by mouse, by keys, broken by a rate and repaired."""

import subprocess
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.detail import Detail
from app.panels.code import CodePage, SourceView
from app.panels.train import TrainPage
from app.panels.train.plane import PlaneView
from app.panels.train.training_view import TrainingView
from app.window.commands.file_actions import open_example
from app.window.frame.main_window import MainWindow
from engine.formats.files import load
from engine.numbers import decimals, full, short
from tests.engine.training.test_torch_script import torch_python
from tests.helpers import mouse
from tests.helpers.sampling import sampled
from tests.helpers.training import printed_losses
from tests.helpers.window import (
    CTRL,
    NONE,
    SHIFT,
    answer,
    choose_file,
    click,
    forget_changes,
    node,
    opened_page,
    opened_window,
    press,
    said,
    until,
)


@pytest.fixture
def window(qtbot):
    with opened_window(qtbot, prepare=choose_training) as window:
        yield window


def choose_training(window: MainWindow) -> None:
    window.commands["train"].trigger()
    QApplication.processEvents()


def page_of(window: MainWindow) -> TrainPage:
    page = opened_page(window, "train")
    assert isinstance(page, TrainPage)
    return page


def panel_of(window: MainWindow) -> TrainingView:
    """The face of Training, at full pace."""
    page = page_of(window)
    page.training.training.set_pace("full")
    return page.training


def choose_samples(panel: TrainingView, name: str) -> None:
    """Choose a data set by the keys of the box."""
    box = panel.setup.data
    box.setFocus()
    box.setCurrentText(name)
    box.activated.emit(box.currentIndex())


def type_rate(panel: TrainingView, text: str) -> None:
    field = panel.setup.rate.field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def run(panel: TrainingView) -> None:
    click(panel.run_row.run)
    until(lambda: not panel.training.running)


def export(window: MainWindow, panel: TrainingView, kind: str, path: Path) -> None:
    panel.export_wanted.emit(kind)
    choose_file(window, path)
    until(path.exists)


def test_another_document_takes_the_place_of_training_whether_it_runs_or_not(window: MainWindow):
    for runs in (False, True):
        panel = panel_of(window)
        page_of(window).show_view("training")
        if runs:
            click(panel.run_row.run)
        assert window.parts.stage_widgets
        open_example(window.context, "shared-leaf")
        assert not window.parts.stage_widgets, runs
        assert not panel.training.running


def test_xor_is_trained_broken_by_a_rate_repaired_and_its_script_run(
    window: MainWindow, tmp_path: Path
):
    panel = panel_of(window)
    choose_samples(panel, "XOR")
    assert panel.training.loss == panel.training.losses[0]
    run(panel)
    assert panel.result.accuracy.text() == "100 %"
    assert "4 of 4 right" in panel.run_part.sentence.text()

    click(panel.run_row.reset)
    type_rate(panel, "100")
    run(panel)
    assert "the rate 100 is too large" in panel.run_part.sentence.text()
    assert "being tried on this network" in panel.run_part.answer.text()
    until(lambda: "Reset and try" in panel.run_part.answer.text())
    advised = panel.run_part.answer.text().split("Reset and try ")[1].split(":")[0]

    click(panel.run_row.reset)
    type_rate(panel, advised)
    run(panel)
    assert panel.training.loss < 0.01
    assert panel.result.accuracy.text() == "100 %"

    script = tmp_path / "xor.py"
    export(window, panel, "torch", script)
    python = torch_python()
    if python is not None:
        done = subprocess.run(
            [python, "-W", "ignore", str(script)], capture_output=True, text=True, check=True
        )
        assert printed_losses(done.stdout) == pytest.approx(list(panel.training.losses), rel=1e-9)


def test_the_boundary_stands_in_place_of_the_sheet_and_samples_are_clicked(window: MainWindow):
    panel = panel_of(window)
    stage, boundary = panel.stage, panel.stage.boundary
    assert stage.isVisible()
    assert stage.size() == window.canvas.viewport().size()
    mouse.click(boundary, boundary.position_of(7))
    assert panel.chosen_sample == 7
    assert panel.stage.sample.title.text() == "Sample 8"
    boundary.setFocus()
    QTest.keyClick(boundary, Qt.Key.Key_Right)
    assert panel.chosen_sample == 8
    click(panel.stage.sample.next)
    assert panel.chosen_sample == 9
    opened_page(window, "why")
    assert not stage.isVisible()


def test_the_backward_pass_of_a_sample_is_stepped_at_its_epoch_as_one_undo_step(window: MainWindow):
    panel = panel_of(window)
    choose_samples(panel, "XOR")
    run(panel)
    panel.run_part.line.setValue(137)
    assert panel.training.state.epochs == 137
    panel.choose(2)
    click(panel.stage.sample.step)
    graph = window.document.graph
    assert window.playback.phase == "backward"
    assert not panel.stage.isVisible()
    assert window.playback.frame.values[graph.root or 0] == pytest.approx(
        panel.training.learner.sample_losses(panel.training.state)[2], rel=1e-12
    )
    canvas = window.context.canvas
    until(lambda: not canvas.auto_layout.running)
    until(lambda: canvas.context.detail == Detail.WHOLE)  # the gaps of its layers are closed
    assert len(window.document.steps) == 1
    press(window, "Z", modifier=Qt.KeyboardModifier.ControlModifier)
    assert window.document.empty


def test_a_run_is_paused_stopped_and_reset_by_keys(window: MainWindow):
    panel = panel_of(window)
    type_epochs = panel.setup.epochs
    type_epochs.setFocus()
    type_epochs.selectAll()
    QTest.keyClicks(type_epochs, "50000")
    QTest.keyClick(type_epochs, Qt.Key.Key_Return)
    panel.run_row.run.setFocus()
    QTest.keyClick(panel.run_row.run, Qt.Key.Key_Return)
    until(lambda: panel.training.epochs > 5)
    assert panel.run_row.run.text() == "Pause"
    QTest.keyClick(panel.run_row.run, Qt.Key.Key_Space)
    rested = panel.training.epochs
    assert panel.run_row.run.text() == "Go on"
    QTest.keyClick(panel.run_row.run, Qt.Key.Key_Return)
    until(lambda: panel.training.epochs > rested)
    panel.run_row.stop.setFocus()
    QTest.keyClick(panel.run_row.stop, Qt.Key.Key_Return)
    assert panel.run_row.run.text() == "Run"
    panel.run_row.reset.setFocus()
    QTest.keyClick(panel.run_row.reset, Qt.Key.Key_Return)
    assert panel.training.epochs == 0


def test_columns_of_a_file_are_chosen_and_what_is_no_number_is_named(
    window: MainWindow, tmp_path: Path
):
    panel = panel_of(window)
    before = panel.training.learner
    path = tmp_path / "flowers.csv"
    path.write_text("long,wide,name,kind\n1,2,a,0\n2,1,b,1\n3,5,c,0\n4,2,d,1\n", encoding="utf-8")
    click(panel.setup.csv)
    choose_file(window, path)
    until(panel.columns.isVisible)
    click(panel.columns.use)
    assert said(window) == "Row 2, column name: “a” is no number."
    assert panel.training.learner is before
    panel.columns.boxes[2].setCurrentText("not used")
    click(panel.columns.use)
    assert panel.training.titles == ("long", "wide")
    assert len(panel.training.learner.samples) == 4
    assert not panel.columns.isVisible()


def test_graph_and_curve_are_exported(window: MainWindow, tmp_path: Path):
    panel = panel_of(window)
    click(panel.run_part.one)
    until(lambda: not panel.training.running)
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("csv", b"epoch,loss")):
        path = tmp_path / f"curve.{kind}"
        export(window, panel, kind, path)
        assert path.read_bytes().startswith(start)
    export(window, panel, "graph", tmp_path / "net.backwire")
    assert load(tmp_path / "net.backwire") == panel.training.sample_graph(0)
    panel.export_wanted.emit("csv")
    choose_file(window, tmp_path / "curve.csv")
    answer(window, "Replace")


def test_training_ends_by_its_entry_by_esc_by_its_button_and_with_another_mode(window: MainWindow):
    panel = panel_of(window)
    choose_training(window)
    assert not panel.stage.isVisible()

    choose_training(window)
    click(panel.run_row.run)
    press(window, Qt.Key.Key_Escape)
    assert panel.stage.isVisible()
    assert not panel.training.running
    press(window, Qt.Key.Key_Escape)
    assert not panel.stage.isVisible()
    choose_training(window)
    click(panel.end)
    assert not panel.stage.isVisible()

    open_example(window.context, "by-hand")
    choose_training(window)
    window.commands["descent"].trigger()
    assert not panel.stage.isVisible()
    assert page_of(window).descent.end.isVisible()
    choose_training(window)
    assert window.context.descents.now is None
    window.playback.backward()  # as a program may ask for it
    assert not panel.stage.isVisible()
    assert window.playback.phase == "backward"


def test_epochs_and_sentence_of_a_training_stand_in_place_of_the_playback(window: MainWindow):
    panel = panel_of(window)
    assert panel.run_part.isVisible()
    assert panel.run_part.size() == window.strip.size()
    click(panel.run_part.several)
    until(lambda: not panel.training.running)
    assert panel.run_part.answer.text().startswith("Epoch 10 of 10")
    assert panel.run_part.line.texts()[-1] == ("10", decimals(panel.training.loss))
    click(panel.run_part.back)
    assert panel.training.state.epochs == 9
    panel.run_part.line.setFocus(Qt.FocusReason.TabFocusReason)
    press(window, Qt.Key.Key_Home)
    assert panel.training.state.epochs == 0
    assert not panel.run_part.back.isEnabled()
    window.canvas.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert not panel.run_part.isVisible()


def test_wrong_sizes_are_refused_and_layers_say_how_large_their_gradients_are(window: MainWindow):
    panel = panel_of(window)
    before = panel.training.learner
    for text in sampled(("mlp(3, 8, 1)", "mlp(2, 8 8, 1)", "2, 8, 1, 1.5", "mlp(2,, 0, 1)", ""), 2):
        panel.setup.sizes.setText(text)
        panel.setup.sizes.editingFinished.emit()
        assert "mlp(2, 8, 1)" in said(window)
        assert panel.setup.sizes.text() == "mlp(2, 8, 1)"
    assert panel.training.learner is before
    panel.setup.sizes.setText("mlp(2, 4, 3, 1)")
    panel.setup.sizes.editingFinished.emit()
    learner, state = panel.training.learner, panel.training.state
    rate = learner.setup.rate_at(0)
    grads = (state.values - learner.epoch(state).values) / rate  # one update over all samples
    sizes = [float((grads[places] ** 2).mean()) ** 0.5 for places in learner.layers]
    assert learner.grad_sizes(state) == pytest.approx(sizes, rel=1e-9)
    rows = panel.stage.network.rows()
    assert [name for name, _texts in rows] == ["layer 1", "layer 2", "output"]
    assert [weights for _name, (weights, _size) in rows] == ["12", "15", "4"]
    assert [size for _name, (_weights, size) in rows] == [short(size) for size in sizes]
    largest = rows[sizes.index(max(sizes))][0]
    assert panel.layers.accessibleName() == f"Which layer moves most: {largest}"


def test_a_rate_is_not_blamed_for_what_a_larger_one_before_it_did(window: MainWindow):
    panel = panel_of(window)
    choose_samples(panel, "XOR")
    type_rate(panel, "50")
    run(panel)
    type_rate(panel, "0.5")
    run(panel)
    assert "the rate 50 is too large" in panel.run_part.sentence.text()
    until(lambda: "Reset, so that 0.5 starts again: 400 epochs" in panel.run_part.answer.text())


@pytest.mark.parametrize(
    ("samples", "rate"),
    sampled(product(("XOR", "line"), ("5e-324", "1e-300", "0.37", "1e300", "1e308")), 9),
)
def test_the_field_shows_the_rate_that_is_used_however_extreme(
    window: MainWindow, samples: str, rate: str
):
    panel = panel_of(window)
    choose_samples(panel, samples)
    for loss in ("hinge", "binary_cross_entropy") if samples == "XOR" else ("mse",):
        panel.training.change(replace(panel.training.setup, loss=loss))
        type_rate(panel, rate)
        for _k in range(2):
            click(panel.run_part.one)
            until(lambda: not panel.training.running)
            panel.stage.grab()
            panel.curve.grab()
            panel.layers.grab()
        assert panel.setup.rate.field.value() == panel.training.rate == float(rate)
        assert panel.run_part.sentence.text()
        for wrong in sampled(("0", "-1", "nan", "inf", "-inf", "1e309", "1e-400", "x"), 4):
            type_rate(panel, wrong)
            assert said(window)
            panel.run_part.one.setFocus()
            assert panel.setup.rate.field.text() == full(float(rate)), wrong
            assert panel.training.rate == float(rate)


def source_of(window: MainWindow) -> SourceView:
    """The source of the program, on its page."""
    window.commands["source"].trigger()
    page = opened_page(window, "code")
    assert isinstance(page, CodePage)
    page.show_view("source")
    return page.source


def test_the_source_of_a_graph_is_read_beside_it_and_each_line_of_a_gradient_is_lit(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        source = source_of(window)
        until(lambda: bool(source.toPlainText()))
        assert source.toPlainText().startswith("def program(values=(2.0, -3.0, -2.0)):")
        window.selection.focus_on(node(window, "a"))
        lit = [found.cursor.block().text() for found in source.extraSelections()]
        lines = source.toPlainText().splitlines()
        assert [line for line in lines if "# gradient of a" in line] == lit
        assert sum(" += " in line for line in lit) == 1


LEAF_LABELS = "abcdefghijklmnopqrstuvwxyzABCDFHPS0123456789.+-="
OTHERS = (
    "Tab",
    "Return",
    "Space",
    "Left",
    "Right",
    "Up",
    "Down",
    "Home",
    "End",
    "PageDown",
    "Delete",
    "Backspace",
    "F2",
    "F7",
    "F8",
    "F9",
)
WITH_CTRL = "zyxcvdaglju"
OF_THE_SHEET = (
    *("undo", "redo", "cut", "copy", "paste", "delete", "select_all"),
    *("quick_add", "label", "mark_root", "arrange", "group", "friendly"),
    *("forward", "backward", "step", "step_back", "play", "to_end", "toggle_break"),
)


@pytest.fixture
def staged(qtbot):
    """A sheet with something to undo behind the stage."""
    with opened_window(qtbot, example="shared-leaf") as window:
        window.document.set_value(node(window, "a"), 7.0)
        window.selection.choose(window.document.graph.nodes)
        choose_training(window)
        yield window


def seen(window: MainWindow) -> tuple[object, ...]:
    """What keys, a wheel or a menu could change behind the stage."""
    document, camera = window.document, window.canvas.camera
    now = window.playback.now
    sheet = (document.graph, len(document.done), len(document.steps))
    shown = (now.mode, now.frame.phase, window.selection.anything, camera.state)
    switches = [action.id for action, made in window.commands if made.isChecked()]
    return (*sheet, *shown, switches, window.bar.name)


@pytest.mark.parametrize("focused", sampled(["stage", "canvas", "boundary"], 2, first=1))
def test_no_key_acts_on_the_sheet_behind_the_stage(staged: MainWindow, focused: str):
    stage = panel_of(staged).stage
    place = {"canvas": staged.canvas, "stage": stage, "boundary": stage.boundary}[focused]
    before = seen(staged)
    keys = [(Qt.Key[f"Key_{name}"], NONE) for name in OTHERS]
    keys += [(letter, NONE) for letter in LEAF_LABELS]
    keys += [(letter, held) for letter in WITH_CTRL for held in (CTRL, CTRL | SHIFT)]
    for key, held in keys:
        place.setFocus()
        press(staged, key, modifier=held)
        assert seen(staged) == before, (key, held)
        assert stage.isVisible()
        assert QApplication.activePopupWidget() is None


def test_no_mouse_and_no_command_acts_on_the_sheet_behind_the_stage(staged: MainWindow):
    for name in OF_THE_SHEET:
        assert not staged.commands[name].isEnabled(), name
    assert staged.commands["descent"].isEnabled()
    assert not staged.commands["descent"].shortcuts()
    stage, before = panel_of(staged).stage, seen(staged)
    for at in (QPoint(5, 5), stage.rect().center(), stage.title.geometry().center()):
        there = stage.childAt(at) or stage
        inside = there.mapFrom(stage, at)
        mouse.wheel(there, QPointF(inside), 120)
        told = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, inside, there.mapToGlobal(inside))
        QApplication.sendEvent(there, told)
        assert QApplication.activePopupWidget() is None
        assert seen(staged) == before
    assert not staged.palette_dock.isEnabled()
    press(staged, Qt.Key.Key_Escape)
    assert staged.palette_dock.isEnabled()
    assert all(staged.commands[name].isEnabled() for name in ("undo", "forward", "backward"))
    press(staged, "d")
    assert staged.context.descents.now is not None


def test_the_bar_says_what_is_trained_and_then_the_formula_again(staged: MainWindow):
    panel, bar = panel_of(staged), staged.expression
    assert bar.text() == "mlp(2, 8, 1) on moons"
    choose_samples(panel, "line")
    assert bar.text() == "mlp(1, 8, 1) on line"
    bar.setFocus()
    press(staged, "x", Qt.Key.Key_Return)
    assert bar.text() == "mlp(1, 8, 1) on line"
    before = staged.document.graph
    staged.document.set_value(node(staged, "a"), 8.0)
    assert bar.text() == "mlp(1, 8, 1) on line"
    assert not bar.chips.isVisible()
    staged.canvas.setFocus()
    press(staged, Qt.Key.Key_Escape)
    formula = bar.text()
    assert "mlp" not in formula
    assert bar.chips.isVisible()
    choose_training(staged)
    assert bar.text() == "mlp(1, 8, 1) on line"
    opened_page(staged, "why")
    assert bar.text() == formula
    assert before.structure is staged.document.graph.structure


def test_a_page_over_the_sheet_covers_nothing_of_the_stage(window: MainWindow):
    window.resize(1024, 700)
    face = panel_of(window)
    stage, sheet = face.stage, window.canvas.viewport()
    free = window.bar.frame.mapTo(window, QPoint(0, 0)).x()
    assert stage.mapTo(window, stage.rect().topRight()).x() < free
    assert stage.height() == sheet.height()
    window.bar.fold()
    assert stage.isVisible()
    assert stage.size() == sheet.size()


def test_the_plane_follows_the_graph_of_a_sample_while_it_is_on_the_sheet(window: MainWindow):
    page = window.show_page("train")
    assert isinstance(page, TrainPage)
    page.training.training.run(3)
    until(lambda: not page.training.training.running)
    page.step_wanted.emit(4)
    (view,) = [found for found in page.findChildren(PlaneView) if found.isVisible()]
    wrong = sum(not right for right in page.training.training.right)
    assert view.line.text() == f"{wrong} of 100 dots wrong"
    graph = window.document.graph
    window.document.set_value(graph.leaves[-1], 40.0)
    assert view.line.text() != f"{wrong} of 100 dots wrong"
    forget_changes(window)
    open_example(window.context, "shared-leaf")
    QApplication.processEvents()
    assert not [found for found in page.findChildren(PlaneView) if found.isVisible()]
