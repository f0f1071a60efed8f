import pytest

from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Root
from tests.helpers.window import click, forget_changes, open_example, said


def notice(window):
    """The offer over the canvas."""
    return window.context.messages.notice


@pytest.fixture
def rootless(shared_leaf):
    """The window with (a*b + a) * f and no root."""
    window = shared_leaf
    window.document.remove([window.document.graph.active_root])
    return window


def test_without_a_root_backward_offers_the_only_sink_and_goes_on(rootless):
    window = rootless
    window.commands["backward"].trigger()
    assert notice(window).isVisible()
    assert notice(window).text() == "Choose a root: the number whose gradient you want."
    assert notice(window).button.text() == "Mark L as root"
    click(notice(window).button)
    assert (window.playback.phase, window.playback.cursor) == ("backward", 1)
    assert not notice(window).isVisible()


def test_without_a_root_the_selected_node_is_offered_first(rootless):
    window = rootless
    node = window.document.graph.node_named("d")
    window.selection.focus_on(node)
    window.commands["backward"].trigger()
    assert notice(window).button.text() == "Mark d as root"
    click(notice(window).button)
    assert window.document.graph.root == node


def test_forward_goes_on_forward_after_the_root_is_marked(rootless):
    window = rootless
    window.commands["forward"].trigger()
    click(notice(window).button)
    assert window.playback.phase == "forward"


def test_with_several_sinks_the_person_has_to_choose(rootless):
    window = rootless
    window.document.remove([window.document.graph.node_named("L")])
    window.commands["backward"].trigger()
    assert not notice(window).isVisible()
    assert said(window).startswith("Choose a root: the number whose gradient you want. Select")
    window.selection.focus_on(window.document.graph.node_named("d"))
    window.commands["backward"].trigger()
    assert notice(window).button.text() == "Mark d as root"


def test_an_offer_that_no_longer_fits_goes_away(rootless):
    window = rootless
    window.commands["backward"].trigger()
    window.document.remove([window.document.graph.node_named("L")])
    assert not notice(window).isVisible()


def test_an_empty_slot_is_named_selected_and_shown(shared_leaf):
    window = shared_leaf
    node = window.document.graph.node_named("e")
    window.document.wires.disconnect(node, 1)
    window.commands["backward"].trigger()
    assert said(window) == "× (e) has an empty slot 2. Plug something in to go on."
    assert window.selection.only == node
    assert window.canvas.camera.visible_area.contains(window.canvas.scene.boxes[node].rect)
    assert window.playback.phase == "live"


def test_a_root_with_nothing_plugged_in_is_named(shared_leaf):
    window = shared_leaf
    root = window.document.graph.active_root
    window.document.wires.disconnect(root, 0)
    window.commands["backward"].trigger()
    assert said(window) == "The root has nothing plugged in. Plug a node in to go on."
    assert window.selection.only == root


def test_a_selected_node_is_marked_from_the_menu(shared_leaf):
    window = shared_leaf
    node = window.document.graph.node_named("d")
    window.selection.focus_on(node)
    window.commands["mark_root"].trigger()
    roots = [n for n, found in window.document.graph.nodes.items() if isinstance(found, Root)]
    assert len(roots) == 2
    window.selection.focus_on(roots[0])
    if window.commands["activate_root"].isEnabled():
        window.commands["activate_root"].trigger()
    assert window.document.graph.active_root in roots


def test_a_leaf_becomes_a_constant_and_back(shared_leaf):
    window = shared_leaf
    node = window.document.graph.node_named("a")
    window.selection.focus_on(node)
    window.commands["toggle_constant"].trigger()
    assert type(window.document.graph.nodes[node]).__name__ == "Constant"
    window.commands["toggle_constant"].trigger()
    assert type(window.document.graph.nodes[node]).__name__ == "Leaf"


def test_changing_the_wiring_in_a_pass_says_that_it_is_back_at_the_start(shared_leaf):
    window = shared_leaf
    window.playback.backward()
    window.playback.go(4)
    graph = window.document.graph
    window.document.wires.connect(graph.node_named("b"), graph.node_named("d"), 1)
    assert said(window) == "The wiring changed: the pass is back at its start."


def test_a_refused_wire_is_said(shared_leaf):
    window = shared_leaf
    graph = window.document.graph
    window.document.wires.connect(graph.node_named("d"), graph.node_named("e"), 0)
    assert "loop" in said(window)


def test_a_trace_that_is_too_long_is_said(shared_leaf):
    window = shared_leaf
    lines = ["x0 = a + a", *(f"x{k + 1} = x{k} + x{k}" for k in range(17))]
    window.document.start(Drawing(from_expression("; ".join(lines))))
    window.canvas.auto_layout.cancel()
    window.commands["rules-recursive"].trigger()
    window.commands["backward"].trigger()
    assert "100,000" in said(window)


def test_what_was_refused_is_not_said_of_the_document_that_is_opened_next(rootless):
    window = rootless
    window.document.remove([window.document.graph.node_named("L")])
    window.commands["backward"].trigger()
    assert said(window)
    forget_changes(window)
    open_example(window, "neuron")
    assert not said(window)


@pytest.mark.parametrize("asks", ["backward", "forward", "step", "play"])
def test_on_an_empty_sheet_no_node_is_asked_for(window: MainWindow, asks: str):
    window.show_work()
    getattr(window.playback, asks)()
    assert said(window) == "Nothing to run yet. Type a formula, or press Tab to add a node."
