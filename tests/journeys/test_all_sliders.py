"""All sliders: every leaf has one, with a range of its own."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.controls.value_slider import SweepSlider, UserRange
from app.panels.why import WhyPage
from app.panels.why.parts import SlidersPart
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from tests.helpers import mouse
from tests.helpers.window import click, node, opened_window, press, until, value


@pytest.fixture
def window(qtbot):
    with opened_window(qtbot, example="two-weights-loss") as window:
        window.canvas.setFocus()
        press(window, "s")
        yield window


def panel(window: MainWindow) -> SlidersPart:
    found = window.bar.page
    assert isinstance(found, WhyPage)
    return found.sliders


def slider(window: MainWindow, name: str) -> SweepSlider:
    return panel(window).sliders[node(window, name)]


def test_each_leaf_has_one_and_a_drag_is_live_and_one_undo_step(window):
    assert [s.title.text() for s in panel(window).sliders.values()] == ["w1", "w2"]
    groove = slider(window, "w1")._slider
    steps, middle = len(window.document.steps), QPointF(groove.rect().center())
    knob = QPointF(groove.width() * 0.7, middle.y())
    with mouse.held(groove, knob, knob + QPointF(20, 0)):
        during = value(window, "w1")
        assert during != 2.0
        shown = window.canvas.scene.node(node(window, "w1")).value.text
        assert shown == window.context.style.short(during)
    assert len(window.document.steps) == steps + 1
    window.commands["undo"].trigger()
    assert value(window, "w1") == 2.0
    assert slider(window, "w1").value() == 2.0


def test_the_arrow_keys_move_it(window):
    slider(window, "w2").setFocus(Qt.FocusReason.TabFocusReason)
    press(window, Qt.Key.Key_Right)
    assert value(window, "w2") == 3.05
    press(window, Qt.Key.Key_Left)
    assert value(window, "w2") == 3.0


def test_its_range_is_dragged_by_its_ends_and_a_double_click_resets_it(window):
    found = slider(window, "w1")
    steps = len(window.document.steps)
    end = QPointF(found.high.rect().center())
    mouse.drag(found.high, end, end - QPointF(80, 0))
    assert found.high.text() == "3"
    found.low.setFocus()
    press(window, Qt.Key.Key_Right)
    assert found.low.text() == "−4.9"
    assert len(window.document.steps) == steps
    found._slider.setValue(100)
    assert value(window, "w1") == 3.0
    QTest.mouseDClick(found.high, Qt.MouseButton.LeftButton)
    assert (found.low.text(), found.high.text()) == ("−5", "5")
    assert value(window, "w1") == 3.0


def test_an_end_does_not_pass_the_value(window):
    found = slider(window, "w1")
    end = QPointF(found.high.rect().center())
    mouse.drag(found.high, end, end - QPointF(400, 0))
    assert found.high.text() == "2"
    assert value(window, "w1") == 2.0


def test_play_sweeps_and_is_one_undo_step(window):
    found, steps = slider(window, "w1"), len(window.document.steps)
    click(found.play)
    until(lambda: value(window, "w1") > 2.2)
    click(found.play)
    assert not found.sweeping
    assert len(window.document.steps) == steps + 1
    window.commands["undo"].trigger()
    assert value(window, "w1") == 2.0


def test_forty_leaves_scroll_and_a_leaf_that_goes_takes_its_slider_along(window):
    terms = " + ".join(f"w{k}" for k in range(40))
    window.document.replace_graph(from_expression(f"y = {terms}"))
    QApplication.processEvents()
    assert len(panel(window).sliders) == 40
    last = slider(window, "w39")
    until(lambda: last.visibleRegion().isEmpty())
    slider(window, "w38")._field.setFocus()
    for _k in range(4):
        press(window, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert last.isAncestorOf(focus)
    until(lambda: not last._slider.visibleRegion().isEmpty())
    window.document.remove([node(window, "w0")])
    assert len(panel(window).sliders) == 39


def test_s_folds_the_page_again(window):
    window.canvas.setFocus()
    press(window, "s")
    assert window.bar.name == ""


def test_another_document_begins_with_the_usual_ranges_and_no_sweep(host):
    host.document.start(Drawing(from_expression("a = 1; y = a*b")))
    part = host.show(SlidersPart(host.style, host.document))
    part.show_leaves(host.document.graph)
    (first, _second) = part.sliders.values()
    first.set_range(UserRange(-70, 70))
    first.play.click()
    assert first.sweeping
    host.document.start(Drawing(from_expression("a = 1; y = a*b")))
    part.show_leaves(host.document.graph)
    assert not first.sweeping
    assert [slider.high.text() for slider in part.sliders.values()] == ["5", "5"]
