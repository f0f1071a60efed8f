"""The Train page: two views, their blocks, and what gives way where the page is low."""

import subprocess
import sys

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.panels.train import TrainPage
from app.panels.train.descent_view import RATES as TICKS
from app.panels.train.layers import shares
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.training import Training
from engine.numbers import short
from engine.training.templates import Sample
from tests.helpers.panel_host import PanelHost
from tests.helpers.sampling import sized
from tests.helpers.window import click, until

TWO_WEIGHTS = "u = (w1 - 1)**2; v = (w2 - 5)**2; s = u + v; loss = s*0.5"


@pytest.fixture
def loops(host: PanelHost) -> LoopRunner:
    host.open(TWO_WEIGHTS, {"w1": 2.0, "w2": 3.0})
    return LoopRunner(host.document, host.playback, host.document)


@pytest.fixture
def page(host: PanelHost, loops: LoopRunner) -> TrainPage:
    def new() -> Training:
        return Training(host.document)

    return TrainPage(host.style, host.document, host.playback, loops, new)


def show(host: PanelHost, page: TrainPage, height: int) -> None:
    host.show(page, 300, height)
    settle()


def settle() -> None:
    """Process events until no block folds any more: each fold lays the page out again."""
    for _ in range(5):
        QApplication.processEvents()


def stage(host: PanelHost, page: TrainPage, width: int, height: int) -> None:
    """Show the stage of the training at this size."""
    host.show(page.stage, width, height)
    QApplication.processEvents()


def rows_of(page: TrainPage) -> dict[str, bool]:
    """Which blocks of Descent are unfolded."""
    return {block.key: not block.collapsed for block in page.descent.folding}


def test_without_a_loop_there_is_a_sentence_and_begin_and_nothing_to_end(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    show(host, page, 600)
    assert page.descent.empty.isVisible()
    assert not page.descent.loop_block.isVisible()
    assert not page.descent.end.isVisible()
    page.descent.empty.action_clicked.emit()
    assert loops.now is not None
    assert page.descent.loop_block.isVisible()
    assert page.descent.loop_block.note.text() == "epoch 0"
    click(page.descent.end)
    assert loops.now is None
    assert page.descent.empty.isVisible()


def test_the_buttons_say_what_is_done_and_what_is_next(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    loops.toggle()
    show(host, page, 600)
    buttons = page.descent.steps.buttons
    assert [(b.width(), b.height()) for b in buttons.values()] == [(133, 32)] * 4
    assert buttons["zero_grad"].accessibleName() == "zero grad, next"
    click(buttons["zero_grad"])
    buttons["forward"].setFocus()
    QTest.keyClick(buttons["forward"], Qt.Key.Key_Return)
    names = [button.accessibleName() for button in buttons.values()]
    assert names == ["zero grad, done", "forward, done", "backward, next", "update"]
    assert page.descent.loop_block.note.text() == "epoch 0, forward done"
    assert page.descent.losses is not None
    assert page.descent.losses.accessibleName() == "Loss by epoch, the last ones: 2.5"


def test_where_the_page_is_low_the_trail_folds_first_and_then_the_losses(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    loops.toggle()
    loops.do("forward")
    show(host, page, 620)
    assert rows_of(page) == {"train-trail": True, "train-loss": True}
    seen = list[tuple[bool, ...]]()
    for height in range(620, 380, -10):
        page.resize(300, height)
        settle()
        found = tuple(rows_of(page).values())
        if not seen or found != seen[-1]:
            seen.append(found)
        fits = page.area.verticalScrollBar().maximum() == 0
        assert fits or found == (False, False), height
    assert seen == [(True, True), (False, True), (False, False)]
    page.resize(300, 620)
    settle()
    assert rows_of(page) == {"train-trail": True, "train-loss": True}


def test_what_the_user_has_folded_or_unfolded_stays_at_every_height(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    loops.toggle()
    loops.do("forward")
    show(host, page, 620)
    click(page.descent.loss_block.head)
    page.resize(300, 800)
    QApplication.processEvents()
    assert rows_of(page) == {"train-trail": True, "train-loss": False}
    page.resize(300, 420)
    QApplication.processEvents()
    assert rows_of(page) == {"train-trail": False, "train-loss": False}
    click(page.descent.trail_block.head)
    QApplication.processEvents()
    assert rows_of(page) == {"train-trail": True, "train-loss": False}
    assert page.area.verticalScrollBar().maximum() > 0


def test_above_six_leaves_the_list_of_those_that_learn_scrolls(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    def shown(count: int) -> tuple[int, int]:
        loops.leave()
        host.open("y = " + " + ".join(f"weight_{k}" for k in range(count)))
        loops.toggle()
        QApplication.processEvents()
        bar = page.descent.learners.verticalScrollBar()
        return page.descent.learners.height(), bar.maximum()

    show(host, page, 800)
    low, none = shown(2)
    high, also_none = shown(6)
    assert (none, also_none) == (0, 0)
    assert high > low
    same, rest = shown(12)
    assert same == high
    assert rest > 0


def test_the_other_face_is_made_when_it_is_first_shown_and_only_it_has_a_stage(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    show(host, page, 620)
    changes, begun = list[str](), list[bool]()
    page.staged_changed.connect(lambda: changes.append(page.stage_title))
    page.staging.connect(lambda: begun.append(bool(page.stage_title)))
    assert page.stage_title == ""
    assert page._training is None
    click(page.views.button("training"))
    assert page.training.isVisible()
    assert not page.descent.isVisible()
    assert page.stage_title == "mlp(2, 8, 1) on moons"
    assert page.stage.isAncestorOf(page.training.stage)
    assert page.run_controls.isAncestorOf(page.training.run_part)
    page.show_view("training")
    page.leave_stage()
    page.leave_stage()
    assert page.descent.isVisible()
    assert changes == ["mlp(2, 8, 1) on moons", ""]
    assert begun == [False]


def test_rest_stops_what_runs_on_the_face_that_is_shown(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    show(host, page, 620)
    assert not page.stop_running()
    loops.toggle()
    loops.run()
    assert page.stop_running()
    assert not loops.running
    page.show_view("training")
    training = page.training.training
    training.run()
    assert page.stop_running()
    assert not training.running
    assert not page.stop_running()
    training.run()
    page.leave_stage()
    assert not training.running


def test_a_page_of_two_faces_needs_no_numpy_and_no_pyqtgraph_before_training():
    code = (
        "import sys, app.panels.train\n"
        "late = ('numpy', 'pyqtgraph', 'app.workbench.training')\n"
        "print([name for name in late if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_speed_is_chosen_for_each_face(host: PanelHost, page: TrainPage, loops: LoopRunner):
    loops.toggle()
    show(host, page, 700)
    pace = page.descent.pace.paces
    assert pace.choice() == "5"
    click(pace.button("50"))
    assert loops.pace == "50"
    page.show_view("training")
    pace = page.training.pace.paces
    assert pace.choice() == "5"
    click(pace.button("full"))
    assert page.training.training.pace == "full"


@pytest.mark.parametrize("sizes", [(2, 8, 1), (2, 4, 3, 1), (2, 1)])
def test_bars_are_as_long_as_the_gradients_of_their_layers_are_large(
    host: PanelHost, page: TrainPage, sizes: tuple[int, ...]
):
    page.show_view("training")
    show(host, page, 448)
    view, training = page.training, page.training.training
    training.change(replace(training.setup, sizes=sizes))
    learner, state = training.learner, training.state
    grads = (state.values - learner.epoch(state).values) / training.rate
    expected = [float((grads[places] ** 2).mean()) ** 0.5 for places in learner.layers]
    for bars, size in ((view.stage.network.bars, (1200, 700)), (view.layers.bars, (604, 448))):
        stage(host, page, *size)
        found = [bar.width() for bar in bars()]
        assert max(found) > 60
        shown = [width / max(found) * max(expected) for width in found]
        assert shown == pytest.approx(expected, rel=1e-9)
    assert {bar.height() for bar in view.stage.network.bars()} == {5.0}
    spoken = view.stage.network.accessibleName()
    assert spoken.startswith("layer 1: " if len(sizes) > 2 else "output: ")
    assert f"weights, grad size {host.style.short(expected[-1])}" in spoken


def test_sizes_that_are_not_finite_have_bars_too():
    inf, nan = float("inf"), float("nan")
    assert shares([1.0, 4.0, 2.0]) == [0.25, 1.0, 0.5]
    assert shares([0.0, 0.0]) == [0.0, 0.0]
    assert shares([inf, 3.0]) == [1.0, 0.0]
    assert shares([nan, 3.0]) == [0.0, 1.0]
    assert shares([nan, nan]) == [0.0, 0.0]
    assert shares([5e-324, 1e308]) == [0.0, 1.0]


def test_before_the_first_epoch_the_first_weights_and_their_loss_are_shown(
    host: PanelHost, page: TrainPage
):
    page.show_view("training")
    stage(host, page, 946, 516)
    show(host, page, 622)
    view = page.training
    assert view.result.loss.text() == "0.6377"
    assert not view.run_row.stop.isEnabled()
    assert not view.run_row.reset.isEnabled()
    strip = view.run_part
    assert strip.sentence.text().startswith("Before the first epoch the loss is 0.6377.")
    assert strip.answer.text().startswith("Epoch 0 of 400")
    assert not strip.back.isEnabled()


def test_accuracy_is_a_dash_without_classes(host: PanelHost, page: TrainPage):
    page.show_view("training")
    show(host, page, 622)
    page.training.training.set_data("line")
    assert page.training.result.accuracy.text() == "–"


def test_columns_take_the_place_of_the_set_up_until_they_are_left(host: PanelHost, page: TrainPage):
    from engine.training.table import read_table

    page.show_view("training")
    show(host, page, 622)
    view = page.training
    view.offer_columns(read_table("x,y,t\n1,2,0\n2,1,1\n"), "points.csv")
    assert view.columns.isVisible()
    assert not view.setup_block.isVisible()
    click(view.columns.leave)
    assert not view.columns.isVisible()
    assert view.setup_block.isVisible()
    view.offer_columns(read_table("x,y,t\n1,2,0\n2,1,1\n"), "points.csv")
    click(view.columns.use)
    assert view.setup_block.isVisible()
    assert view.setup.data.currentText() == ""
    assert view.setup.data.placeholderText() == "table"
    assert page.stage_title == "mlp(2, 8, 1) on a table"


def test_no_text_of_the_page_is_cut_off(host: PanelHost, page: TrainPage, loops: LoopRunner):
    loops.toggle()
    show(host, page, 622)
    page.show_view("training")
    QApplication.processEvents()
    assert page._content.width() == page.area.viewport().width() == 300
    view = page.training
    for widget in (view.run_row.stop, view.setup.csv, view.sample.step, view.sample.next):
        assert widget.width() >= widget.sizeHint().width(), widget


def test_a_plane_of_three_inputs_says_at_which_slice_and_fills_samples_by_their_own_output(
    host: PanelHost, page: TrainPage
):
    training, plane = page.training.training, page.training.stage.boundary
    samples = [Sample((a, b, c), 1.0 if a * b * c > 0 else -1.0) for a, b, c in CORNERS]
    training.set_data("moons")
    assert (plane.slice_text, plane.axis_names) == ("", ("x1", "x2"))
    assert training.set_samples(samples, ["age", "dose", "x3"])
    stage(host, page, 1000, 700)
    for k, sample in enumerate(samples):
        page.training.choose(k)
        assert plane.slice_text == f"x3 = {short(sample.inputs[2])}"
        assert f"at x3 = {short(sample.inputs[2])}:" in plane.accessibleName()
    assert plane.axis_names == ("age", "dose")
    picture = plane.grab().toImage()
    for k, output in enumerate(training.outputs.tolist()[:-1]):  # a ring is around the last one
        at = plane.position_of(k).toPoint() * picture.devicePixelRatio()
        color, theme = picture.pixelColor(at), host.style.theme
        near, far = (theme.value, theme.secondary)[:: 1 if output > 0.0 else -1]
        assert distance(color, near) <= distance(color, far), (k, output)


def test_the_legend_counts_what_is_wrong_in_the_epoch_that_is_shown(
    host: PanelHost, page: TrainPage
):
    training = page.training.training
    stage(host, page, 1000, 700)
    training.set_pace("full")
    counts = set[int]()
    for act in (lambda: training.run(10), lambda: training.go(0), lambda: training.run(30)):
        act()
        until(lambda: not training.running)
        wrong = training.right.count(False)
        counts.add(wrong)
        legend = [label.text() for label in page.training.stage.findChildren(QLabel)]
        assert f"wrong: {wrong or 'none'} of 100" in legend, legend
    assert len(counts) == 3


CORNERS = [(a, b, a * b / 2) for a in (-1.0, 0.0, 1.0) for b in (-1.0, 0.5, 1.0)]


def distance(one: QColor, other: QColor) -> int:
    parts = ((c.red(), c.green(), c.blue()) for c in (one, other))
    return sum(abs(a - b) for a, b in zip(*parts, strict=True))


def test_rings_of_equal_loss_come_later_and_are_let_go(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    loops.toggle()
    loops.set_rate(0.5)
    show(host, page, 620)
    loops.run(1)
    contour = page.descent._contour
    until(lambda: contour.rings is not None)
    rings = contour.rings
    assert rings is not None
    for level, ring in zip(reversed(rings.levels), rings.lines, strict=True):
        for (x, y), _end in ring[::20]:
            assert ((x - 1) ** 2 + (y - 5) ** 2) / 2 == pytest.approx(level, rel=0.05, abs=0.05)
    page.descent.learners.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert contour.rings is None
    assert not contour.waits


RATES = ("5e-324", "1e-300", "0.37", "1e300", "1e308")
NO_RATES = ("0", "-1", "nan", "inf", "-inf", "1e309", "1e-400", "-5e-324", "x", "")


def test_the_field_shows_the_rate_that_is_used_however_extreme(
    host: PanelHost, page: TrainPage, loops: LoopRunner
):
    loops.toggle()
    loops.set_pace("full")
    show(host, page, 620)
    field, slider = page.descent.rate.field, page.descent.rate.slider
    for text in RATES:
        field.setText(text)
        field.commit()
        for _k in range(sized(1, 3)):
            loops.run(1)
            until(lambda: not loops.running)
            page.grab()
        loops.go(0)
        assert loops.now is not None
        assert field.value() == loops.now.descent.rate == float(text), text
    for wrong in NO_RATES:
        refused = list[str]()
        page.descent.rate.refused.connect(refused.append)
        field.setText(wrong)
        field.commit()
        page.descent.rate.refused.disconnect(refused.append)
        assert refused, wrong
        assert loops.now is not None
        assert loops.now.descent.rate == 1e308, wrong
    for text, nearest in (("5e-324", 1e-4), ("0.19", 0.2), ("1e308", 100.0)):
        field.setText(text)
        field.commit()
        assert TICKS[slider.value()] == nearest, text
