import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider

from app.panels.why import WhyPage
from app.workbench.gradients.formulas import DIRECT_TIP
from engine.graph import Constant, Leaf, OpNode
from engine.ops import OPS
from tests.helpers.graphs import mistake


def to_label(panel: WhyPage) -> None:
    """The keyboard in the label, its text selected."""
    panel.node.label.setFocus()
    panel.node.label.selectAll()


@pytest.fixture
def panel(host) -> WhyPage:
    panel = WhyPage(host.style, host.document, host.playback, host.selection)
    panel.block("inspector").set_collapsed(False)
    return host.show(panel)


def chosen(host, name: str) -> None:
    host.selection.focus_on(host.node(name))


def test_a_leaf_shows_its_number_and_gradient_in_full(host, panel):
    host.open("y = a*a", {"a": 0.1})
    chosen(host, "a")
    host.run_backward()
    assert panel.node.title.text() == "a"
    assert panel.node.kind.text() == "leaf"
    assert panel.value.slider.value() == 0.1
    assert panel.node.gradient.text() == "0.2"
    host.document.set_value(host.node("a"), 1 / 3)
    assert panel.node.value.text() == "0.3333333333333333"
    assert panel.node.gradient.text() == "0.6666666666666666"


def test_a_gradient_that_waits_for_more_is_said_to_be_so_far(host, panel):
    host.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    chosen(host, "a")
    host.playback.backward()
    host.playback.go(8)
    assert panel.node.gradient.text() == "18"
    assert panel.node.verdict.isVisibleTo(panel)
    assert panel.node.verdict.text() == "so far, 1 of 2"
    host.playback.to_end()
    assert not panel.node.verdict.isVisibleTo(panel)


def test_numbers_are_copied_in_full_for_code(host, panel):
    host.open("y = a - b", {"a": 0.1, "b": 0.3})
    chosen(host, "y")
    QTest.mouseClick(panel.node.value.copy, Qt.MouseButton.LeftButton)
    assert float(QGuiApplication.clipboard().text()) == 0.1 - 0.3
    assert not panel.node.gradient.copy.isEnabled()


def test_a_gradient_not_computed_zero_and_without_path_look_different(host, panel):
    host.open("y = a*0", {"a": 1})
    host.document.add_node(Leaf(1.0, "apart"), (900.0, 900.0))
    chosen(host, "a")
    assert panel.node.gradient.text() == "–"
    host.run_backward()
    assert panel.node.gradient.text() == "0"
    chosen(host, "apart")
    assert panel.node.gradient.text() == "∅  no path"


def test_a_label_is_typed_and_its_name_stands_beside_it_only_where_it_repeats(host, qtbot, panel):
    host.open_shared()
    chosen(host, "a")
    to_label(panel)
    assert panel.node.label.hasFocus()
    qtbot.keyClicks(panel.node.label, "w * x")
    qtbot.keyClick(panel.node.label, Qt.Key.Key_Return)
    assert host.document.graph.label(1) == "w * x"
    assert panel.node.title.text() == "w * x"
    assert not panel.node.name.isVisibleTo(panel)
    host.document.set_label(2, "w * x")
    assert panel.node.name.text() == "in code: w_x_1"
    assert panel.node.name.isVisibleTo(panel)
    host.document.undo()
    host.document.undo()
    assert host.document.graph.label(1) == "a"
    assert not panel.node.name.isVisible()


def test_an_undone_label_stays_undone_when_the_keyboard_goes_elsewhere(host, qtbot, panel):
    host.open_shared()
    chosen(host, "a")
    to_label(panel)
    qtbot.keyClicks(panel.node.label, "alpha")
    qtbot.keyClick(panel.node.label, Qt.Key.Key_Return)
    host.document.undo()
    assert panel.node.label.text() == "a"
    panel.value.slider.setFocus()
    assert host.document.graph.label(1) == "a"
    assert host.document.undone


def test_a_label_that_is_being_typed_is_kept_when_the_keyboard_goes_elsewhere(host, qtbot, panel):
    host.open_shared(3)
    chosen(host, "a")
    to_label(panel)
    qtbot.keyClicks(panel.node.label, "alpha")
    host.playback.step()
    assert panel.node.label.text() == "alpha"
    panel.value.slider.setFocus()
    assert host.document.graph.label(1) == "alpha"


def test_esc_in_the_label_changes_nothing(host, qtbot, panel):
    host.open_shared()
    chosen(host, "a")
    steps = len(host.document.steps)
    to_label(panel)
    qtbot.keyClicks(panel.node.label, "wrong")
    qtbot.keyClick(panel.node.label, Qt.Key.Key_Escape)
    assert panel.node.label.text() == "a"
    assert len(host.document.steps) == steps


def test_an_operation_shows_formula_slopes_and_can_be_changed(host, panel):
    host.open_shared(6)
    chosen(host, "e")
    assert panel.node.formula.text() == "a × b"
    assert panel.node.slopes.text() == "∂e/∂a = b = −3\n∂e/∂b = a = 2"
    panel.node.op.activated.emit([op.name for op in OPS].index("add"))
    found = host.document.graph.nodes[host.node("e")]
    assert isinstance(found, OpNode)
    assert found.op == "add"
    assert panel.node.formula.text() == "a + b"


@pytest.mark.parametrize(
    ("cursor", "node", "slopes", "tooltip"),
    [
        (3, "e", "∂e/∂a = b\n∂e/∂b = a", ""),  # of a step to come
        (1, "d", "∂d/∂e = 1\n∂⁺d/∂a = 1", DIRECT_TIP),  # a number is not set equal to nothing
        (7, "d", "∂d/∂e = 1\n∂⁺d/∂a = 1", DIRECT_TIP),
    ],
)
def test_slopes_have_numbers_only_where_they_are_known(host, panel, cursor, node, slopes, tooltip):
    host.open_shared(cursor)
    chosen(host, node)
    assert (panel.node.slopes.text(), panel.node.slopes.toolTip()) == (slopes, tooltip)


def test_slopes_are_set_equal_neither_to_a_convention_nor_to_what_a_mistake_takes(host, panel):
    host.open("y = a ** b", {"a": 0, "b": 0})
    chosen(host, "y")
    assert panel.node.slopes.text() == "∂y/∂a = 0 by convention\n∂y/∂b = 0 by convention"
    host.open_shared(7)
    host.playback.set_rules(mistake("mul-own-input"))
    host.run_backward()
    chosen(host, "e")
    assert panel.node.slopes.text() == (
        "∂e/∂a = b = −3 ≠ 2, which the mistake takes\n∂e/∂b = a = 2 ≠ −3, which the mistake takes"
    )


def test_a_kink_and_a_domain_are_named(host, panel):
    host.open("y = relu(a) + log(b)", {"a": 0})
    relu, log = (
        n
        for n, found in host.document.graph.nodes.items()
        if isinstance(found, OpNode) and found.op in ("relu", "log")
    )
    host.selection.focus_on(relu)
    assert panel.node.convention.text() == "relu has no slope at 0; the convention 0 is used."
    host.selection.focus_on(log)
    assert panel.node.domain.text() == "a > 0"
    assert not panel.node.convention.isVisible()


def test_a_leaf_turns_into_a_constant_and_back(host, panel):
    host.open_shared()
    chosen(host, "a")
    QTest.mouseClick(panel.node.change_kind, Qt.MouseButton.LeftButton)
    assert isinstance(host.document.graph.nodes[1], Constant)
    assert not panel.node.gradient.isVisible()
    QTest.mouseClick(panel.node.change_kind, Qt.MouseButton.LeftButton)
    assert isinstance(host.document.graph.nodes[1], Leaf)


def test_a_root_shows_the_node_that_is_plugged_into_it(host, panel):
    host.open_shared(1)
    host.selection.focus_on(host.document.graph.active_root)
    assert panel.node.title.text() == "L"
    assert panel.node.value.text() == "8"
    assert panel.node.gradient.text() == "1"
    assert not panel.node.label.isVisible()


def test_an_inner_node_can_be_marked_as_root(host, panel):
    host.open_shared()
    chosen(host, "e")
    QTest.mouseClick(panel.node.change_kind, Qt.MouseButton.LeftButton)
    assert host.document.graph.root == host.node("e")


def test_several_nodes_are_counted_and_changed_in_one_step(host, panel):
    host.open_shared()
    host.selection.choose([host.node("a"), host.node("b")])
    assert panel.many.count.text() == "2 nodes selected"
    assert panel.many.kinds.text() == "2 leaves"
    steps = len(host.document.steps)
    QTest.mouseClick(panel.many.change_kind, Qt.MouseButton.LeftButton)
    assert len(host.document.steps) == steps + 1
    assert panel.many.kinds.text() == "2 constants"
    host.selection.choose_all()
    assert not panel.many.change_kind.isVisible()
    QTest.mouseClick(panel.many.delete, Qt.MouseButton.LeftButton)
    assert host.document.empty


def test_what_is_unfinished_leads_to_its_node(host, qtbot, panel):
    host.open_shared()
    assert not panel.problems.isVisible()
    host.document.wires.disconnect(host.node("e"), 1)
    sentence = "× (e) has an empty slot 2. Plug something in to go on."
    assert panel.problems.sentences() == [sentence]
    with qtbot.waitSignal(panel.node_chosen) as node:
        QTest.mouseClick(panel.problems.row(0), Qt.MouseButton.LeftButton)
    assert node.args == [host.node("e")]
    host.document.undo()
    assert not panel.problems.isVisible()


def drag_slider(host, panel: WhyPage) -> QSlider:
    slider = panel.value.slider.findChild(QSlider)
    assert isinstance(slider, QSlider)
    slider.setSliderDown(True)
    slider.sliderPressed.emit()
    for tick in (45, 50, 60):
        slider.setValue(tick)
    return slider


def test_esc_during_a_press_leaves_no_trace(host, qtbot, panel):
    host.open_shared()
    chosen(host, "a")
    steps = len(host.document.steps)
    slider = drag_slider(host, panel)
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    slider.setSliderDown(False)
    assert host.value("a") == 2.0
    assert len(host.document.steps) == steps
    assert not host.document.undone
