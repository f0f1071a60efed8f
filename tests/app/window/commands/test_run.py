import pytest

from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from tests.helpers.window import forget_changes, open_example, said


def notice(window):
    """The offer over the canvas."""
    return window.context.messages.notice


@pytest.fixture
def rootless(shared_leaf):
    """The window with (a*b + a) * f and no root."""
    window = shared_leaf
    window.document.remove([window.document.graph.active_root])
    return window


BEGINNING = (
    "backward",
    "forward",
    "step",
    "to_end",
    "play",
    "predict",
    "by_hand",
    "hunt",
    "descent",
)


def test_the_one_node_that_feeds_nothing_becomes_the_root_of_whatever_begins(rootless):
    window, document = rootless, rootless.document
    node, steps = document.graph.node_named("L"), len(document.done)
    window.selection.focus_on(document.graph.node_named("d"))
    for command in BEGINNING:
        window.commands[command].trigger()
        assert document.graph.root == node, command
        assert said(window).startswith("L is the root now: it feeds nothing else."), command
        window.commands["undo"].trigger()
        assert document.graph.root is None, command
        assert len(document.done) == steps, command
        window.playback.leave()


def test_a_node_that_is_not_finished_does_not_become_the_root(rootless):
    window, document = rootless, rootless.document
    node = document.graph.node_named("d")
    document.wires.disconnect(node, 1)
    sheet = document.sheet
    window.commands["step"].trigger()
    assert said(window) == "+ (d) has an empty slot 2. Plug something in to go on."
    assert document.sheet is sheet


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
    window.document.remove([window.document.graph.node_named("L")])
    window.selection.focus_on(window.document.graph.node_named("d"))
    window.commands["backward"].trigger()
    assert notice(window).isVisible()
    window.document.remove([window.document.graph.node_named("d")])
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


def test_a_stop_asks_for_one_node_where_several_are_selected(shared_leaf):
    shared_leaf.selection.choose(tuple(shared_leaf.document.graph.leaves))
    shared_leaf.commands["toggle_break"].trigger()
    assert said(shared_leaf) == "Select one node: passes then stop there."
