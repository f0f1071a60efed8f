"""The ripple: press N and a small change of one number runs forward to the root."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from app.canvas import accessibility as accessible
from app.canvas.paint.figure import PLAIN, scene_of
from app.panels.why.parts import SlidersPart
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.numbers import signed
from engine.rules import MISTAKES
from engine.trace import evaluate_values
from tests.helpers.answering import acts, answer, ask, push, sentence, told
from tests.helpers.mouse import at_header, at_number, click, glide, held, release, wheel
from tests.helpers.reading import label, labels
from tests.helpers.sampling import sampled
from tests.helpers.seeing import picture
from tests.helpers.window import CTRL, SHIFT, node, open_example, press, said

END, ESCAPE, RIGHT, LEFT = (Qt.Key.Key_End, Qt.Key.Key_Escape, Qt.Key.Key_Right, Qt.Key.Key_Left)


def pills(window: MainWindow) -> dict[str, str]:
    """What stands over each node that the ripple reaches."""
    names = window.document.graph.names
    return {names[node]: text for node, text in pill_texts(window).items()}


def pill_texts(window: MainWindow) -> dict[int, str]:
    marks = window.canvas.ripple_marks
    shown = {node: marks.places.pills[node] for node in marks.nodes_with_visible_pill}
    return {n: "".join(text for text, _color in pieces) for n, (_rect, pieces) in shown.items()}


def ratio(window: MainWindow) -> str:
    """What stands at the node that is changed."""
    found = window.canvas.ripple_marks.places.ratio
    return "" if found is None else "".join(text for text, _color in found[1])


def carried(window: MainWindow) -> dict[str, str]:
    """What stands on each wire that carries the change, by target and slot."""
    labels, names = window.canvas.ripple_marks.places.labels, window.document.graph.names
    return {
        f"{names[target]} {slot}": f"× {label.slope} {label.effect}"
        for (target, slot), label in labels.items()
    }


def states(window: MainWindow) -> dict[str, str]:
    """How the wires are drawn, by target and slot."""
    graph, scene = window.document.graph, window.canvas.scene
    return {
        f"{graph.names.get(target, 'root')} {slot}": scene.wire((target, slot)).state
        for _source, (target, slot) in graph.wires()
    }


# pressing N


def test_at_the_end_of_a_pass_it_is_the_gradient(shared_leaf: MainWindow):
    press(shared_leaf, "b", END, "n")
    assert sentence(shared_leaf) == (
        "Raise a by 0.01 and L rises by 0.04: 4 times as much. That is a.grad."
    )
    assert told(shared_leaf) == (
        "Through e, L changes by −0.03 × −2 = +0.06; directly by +0.01 × −2 = −0.02;"
        " together +0.04."
    )
    assert pills(shared_leaf) == {
        "a": "Δ +0.01", "e": "Δ −0.03", "d": "−0.03 + 0.01 = −0.02", "L": "Δ +0.04",
    }  # fmt: skip
    assert carried(shared_leaf) == {
        "e 0": "× −3 −0.03", "d 0": "× 1 −0.03", "d 1": "× 1 +0.01", "L 0": "× −2 +0.04",
    }  # fmt: skip
    assert ratio(shared_leaf) == "ΔL ÷ Δa = 4"
    assert "Ripple of a: N or Esc ends it" in shared_leaf.status_line.text()


def test_wires_it_does_not_reach_are_idle_and_contributions_make_way(shared_leaf: MainWindow):
    press(shared_leaf, "b", END)
    assert label(shared_leaf.canvas, "e", 0) == "−2 × −3 = +6"
    press(shared_leaf, "n")
    assert states(shared_leaf) == {
        "e 0": "ripple", "e 1": "idle", "d 0": "ripple", "d 1": "ripple", "L 0": "ripple",
        "L 1": "idle", "root 0": "ripple",
    }  # fmt: skip
    assert not labels(shared_leaf.canvas)
    press(shared_leaf, "n")
    assert label(shared_leaf.canvas, "e", 0) == "−2 × −3 = +6"
    assert not pills(shared_leaf)


def test_it_works_before_backward_and_says_what_is_not_known(shared_leaf: MainWindow):
    press(shared_leaf, "n")
    assert sentence(shared_leaf) == (
        "Raise a by 0.01 and L rises by 0.04: 4 times as much. a.grad is not known yet."
    )
    assert pills(shared_leaf)["L"] == "Δ +0.04"


def test_a_click_on_another_node_moves_it_there(shared_leaf: MainWindow):
    press(shared_leaf, "b", END, "n")
    click(shared_leaf.canvas, at_header(shared_leaf.canvas, node(shared_leaf, "f")))
    assert sentence(shared_leaf) == (
        "Raise f by 0.01 and L falls by 0.04: −4 times as much. That is f.grad."
    )
    assert pills(shared_leaf) == {"f": "Δ +0.01", "L": "Δ −0.04"}
    assert told(shared_leaf) == "Slope by slope: +0.01 × −4 = −0.04."
    click(shared_leaf.canvas, at_header(shared_leaf.canvas, node(shared_leaf, "e")))
    assert sentence(shared_leaf).startswith("Raise e by 0.01 and L falls by 0.02: −2 times")


def test_shift_n_lowers_the_change_and_the_buttons_choose_it(shared_leaf: MainWindow):
    open_example(shared_leaf, "demonstration")
    press(shared_leaf, "b", END, "n")
    assert sentence(shared_leaf) == (
        "Raise a by 0.01 and y rises by 0.2503: about 25 times as much. That is a.grad."
    )
    assert told(shared_leaf) == (
        "Both inputs of × changed, so there is a small extra, 0.01 × 0.03;"
        " it shrinks faster than the step."
    )
    assert pills(shared_leaf)["f"] == "+0.06 + 0.15 + 0.0003"
    press(shared_leaf, "N", modifier=Qt.KeyboardModifier.ShiftModifier)
    assert sentence(shared_leaf).startswith("Raise a by 0.001 and y rises by")
    push(shared_leaf, "ripple 1")
    assert sentence(shared_leaf) == (
        "Raise a by 1 and y rises by 28: 28 times as much;"
        " a.grad is 25: too large a change here, lower it."
    )
    buttons = shared_leaf.strip.buttons
    assert [b.act for b in buttons.shown if buttons.button(b.act).isChecked()] == ["ripple 1"]
    push(shared_leaf, "ripple 1")
    assert buttons.button("ripple 1").isChecked(), "it stays on"
    press(shared_leaf, "n", "n")
    assert sentence(shared_leaf).startswith("Raise a by 1 and"), "the change stays chosen"


def test_the_end_of_a_pass_offers_it(shared_leaf: MainWindow):
    press(shared_leaf, "b", END)
    assert acts(shared_leaf) == ["back", "ripple", "ask"]
    push(shared_leaf, "ripple")
    assert sentence(shared_leaf).startswith("Raise a by 0.01")


# where it stands


@pytest.mark.parametrize(
    ("example", "leaves"),
    sampled([("neuron", "x1 w2 b"), ("shared-leaf", "a b f"), ("by-hand", "a b c f")], 3),
)
def test_no_mark_covers_a_node_or_another_mark_or_is_cut_off(
    window: MainWindow, example: str, leaves: str
):
    open_example(window, example)
    canvas = window.canvas
    canvas.framing.fit_all()
    press(window, "b", END)
    for name in leaves.split():
        click(canvas, at_header(canvas, node(window, name)))
        press(window, "n")
        places = canvas.ripple_marks.rects()
        boxes = [box.rect for box in canvas.scene.boxes.values()]
        assert not any(one.intersects(other) for one, other in combinations(places, 2)), name
        assert not any(one.intersects(box) for one in places for box in boxes), name
        assert all(map(canvas.camera.visible_area.contains, places)), name
        press(window, "n")


def test_the_ratio_stands_below_its_leaf_also_where_another_is_close(window: MainWindow):
    open_example(window, "neuron")
    boxes = window.canvas.scene.boxes
    for name in ("w1", "w2"):
        click(window.canvas, at_header(window.canvas, node(window, name)))
        press(window, "n")
        found = window.canvas.ripple_marks.places.ratio
        assert found is not None
        assert 0 < found[0].top() - boxes[node(window, name)].rect.bottom() <= 10
        press(window, "n")


def test_the_legend_makes_way_for_the_ratio_of_the_lowest_leaf(window: MainWindow):
    window.resize(1366, 768)
    open_example(window, "neuron")
    window.canvas.framing.fit_all()
    press(window, "b", END)
    for name, legend in (("x1", True), ("w2", False)):
        click(window.canvas, at_header(window.canvas, node(window, name)))
        press(window, "n")
        picture(window.canvas)
        assert window.canvas.overlay.legend.shown == legend
        press(window, "n")


# ending it


def test_escape_ends_it_before_selection_mode_and_pass(shared_leaf: MainWindow):
    click(shared_leaf.canvas, at_header(shared_leaf.canvas, node(shared_leaf, "b")))
    press(shared_leaf, "b", END, "n", ESCAPE)
    assert not pills(shared_leaf)
    assert shared_leaf.context.selection.only == node(shared_leaf, "b")
    assert shared_leaf.playback.phase == "backward"
    press(shared_leaf, ESCAPE)
    assert shared_leaf.context.selection.only is None


def test_a_step_ends_it(shared_leaf: MainWindow):
    for key in (LEFT, RIGHT):
        press(shared_leaf, "b", RIGHT, RIGHT, "n")
        assert pills(shared_leaf)
        press(shared_leaf, key)
        assert not pills(shared_leaf)
        assert shared_leaf.playback.now.ripple is None


def test_another_document_ends_it_and_so_does_deleting_its_node(shared_leaf: MainWindow):
    press(shared_leaf, "n")
    shared_leaf.document.remove([node(shared_leaf, "a")])
    assert not pills(shared_leaf)
    press(shared_leaf, "n")
    assert pills(shared_leaf)
    shared_leaf.document.start(Drawing(from_expression("y = a*b")))
    assert not pills(shared_leaf)


# what hides it


def test_nothing_is_shown_while_something_is_asked(shared_leaf: MainWindow):
    ask(shared_leaf)
    shared_leaf.canvas.setFocus()
    shared_leaf.commands["ripple"].trigger()
    assert said(shared_leaf) == "Not now: it would show what is asked."
    assert not pills(shared_leaf)


def test_a_mode_that_asks_ends_it(shared_leaf: MainWindow):
    for mode in ("predict", "cover", "by_hand", "hunt"):
        shared_leaf.canvas.setFocus()
        press(shared_leaf, "n")
        assert pills(shared_leaf), mode
        shared_leaf.commands[mode].trigger()
        assert shared_leaf.playback.now.asks, mode
        assert not pills(shared_leaf), mode
        shared_leaf.context.modes.leave()
        shared_leaf.playback.leave()


def test_at_the_end_of_a_quiz_it_may_be_shown_again_until_more_is_asked(shared_leaf: MainWindow):
    press(shared_leaf, "c", "b", END)
    press(shared_leaf, "n")
    assert sentence(shared_leaf).endswith("That is a.grad.")
    press(shared_leaf, LEFT)
    assert not pills(shared_leaf)


def test_a_mistake_is_said_and_nothing_is_called_the_gradient(shared_leaf: MainWindow):
    open_example(shared_leaf, "demonstration")
    shared_leaf.playback.set_rules(MISTAKES[0])
    press(shared_leaf, "b", END, "n")
    assert sentence(shared_leaf) == (
        "Raise a by 0.01 and y rises by 0.2503: 25.03 times as much; the pass shown has a mistake."
    )


def test_descent_refuses_it(shared_leaf: MainWindow):
    press(shared_leaf, "d")
    shared_leaf.commands["ripple"].trigger()
    assert said(shared_leaf) == "Not during Descent: it changes the numbers itself."


# the second help of a question


def help_pills(window: MainWindow) -> list[str]:
    return [*pill_texts(window).values()]


def test_the_second_wrong_answer_marks_both_nodes_with_the_numbers_of_its_sentence(
    shared_leaf: MainWindow,
):
    shared_leaf.playback.backward(cursor=5)
    ask(shared_leaf)
    assert not help_pills(shared_leaf)
    answer(shared_leaf, "-4", "-6")
    assert not help_pills(shared_leaf)
    answer(shared_leaf, "-5", "-7")
    assert told(shared_leaf).endswith("e −0.03, and L +0.06. How much of e is that for 1 of a?")
    assert help_pills(shared_leaf) == ["Δ +0.01", "Δ −0.03", "Δ +0.06"]
    push(shared_leaf, "show")
    assert not help_pills(shared_leaf)


def test_a_hint_twice_marks_them_too_and_of_a_sum_what_is_to_be_added(shared_leaf: MainWindow):
    shared_leaf.playback.backward(cursor=5)
    ask(shared_leaf, "sum")
    push(shared_leaf, "hint")
    push(shared_leaf, "hint")
    assert help_pills(shared_leaf) == ["Δ +0.01", "■ −0.02  ● +0.06  = ?"]
    press(shared_leaf, ESCAPE)
    ask(shared_leaf, "contribution")
    push(shared_leaf, "hint")
    push(shared_leaf, "hint")
    assert help_pills(shared_leaf) == ["Δ +0.01", "Δ −0.03"]


# dragging a value


@contextmanager
def dragged(window: MainWindow, name: str, pixels: float = 40) -> Iterator[None]:
    """Press on a number and drag it; the button stays down until the end of the block."""
    view = window.canvas
    start = at_number(view, node(window, name))
    with held(view, start, start + QPointF(pixels, 0)):
        yield


@pytest.fixture
def product(shared_leaf: MainWindow) -> MainWindow:
    graph = from_expression("y = a*b", {"a": 2, "b": 5})
    shared_leaf.document.start(Drawing(graph))
    shared_leaf.canvas.auto_layout.cancel()
    shared_leaf.canvas.framing.fit_all()
    return shared_leaf


def test_a_dragged_value_shows_its_change_since_the_press(product: MainWindow):
    with dragged(product, "a"):
        assert product.playback.now.dragged
        assert pills(product) == {"a": "Δ +1", "y": "Δ +5"}
        assert sentence(product) == "a rises by 1 and y rises by 5: 5 times as much."
        assert not product.context.ripples.on
    assert not pills(product)


def test_after_the_release_the_strip_says_what_it_has_changed(product: MainWindow):
    with dragged(product, "a"):
        pass
    assert sentence(product) == "y is 3 × 5 = 15. Before it was 10: 5 more for 1 more of a."
    press(product, "b")
    assert sentence(product) == "y starts with grad 1: y changes as fast as itself."
    with dragged(product, "b", -80):
        assert sentence(product) == "b falls by 2 and y falls by 6: 3 times as much."
    assert sentence(product) == "y is 3 × 3 = 9. Before it was 15: 6 less for 2 less of b."


def test_escape_takes_the_value_back_and_says_nothing(product: MainWindow):
    with dragged(product, "a"):
        press(product, ESCAPE)
        assert product.playback.now.ripple is None
    assert product.playback.now.released is None
    assert not product.document.steps


def test_an_undo_during_a_drag_leaves_nothing_that_is_no_longer_so(product: MainWindow):
    with dragged(product, "b"):
        pass
    with dragged(product, "a"):
        product.commands["undo"].trigger()
        found = product.playback.now.ripple
        assert found is None or found.after == evaluate_values(product.document.graph)
    told_values = evaluate_values(product.document.graph)
    released = product.playback.now.released
    assert released is None or released.after == told_values


def test_a_value_dragged_back_to_where_it_was_shows_nothing(product: MainWindow):
    start = at_number(product.canvas, node(product, "a"))
    with dragged(product, "a"):
        glide(product.canvas, start + QPointF(40, 0), start)
        assert product.playback.now.ripple is None
        glide(product.canvas, start, start + QPointF(40, 0))
        assert product.playback.now.dragged
        glide(product.canvas, start + QPointF(40, 0), start)
        release(product.canvas, start)
    assert "Before it was" not in sentence(product)


def test_a_slider_does_the_same(product: MainWindow, qtbot: QtBot):
    context = product.context
    panel = SlidersPart(context.style, context.document)
    qtbot.addWidget(panel)
    panel.show_leaves(context.document.graph)
    panel.show()
    slider = panel.sliders[node(product, "a")]
    groove = slider._slider
    knob = QPointF(groove.width() * 0.7, groove.height() / 2)
    with held(groove, knob, knob + QPointF(20, 0)):
        assert product.playback.now.dragged
        assert pills(product)["a"] == f"Δ {signed(slider.value() - 2)}"
    assert not product.playback.now.dragged
    assert "Before it was 10: " in sentence(product)


def test_the_wheel_on_a_number_does_so_until_it_rests(product: MainWindow, qtbot: QtBot):
    a = node(product, "a")
    product.context.selection.focus_on(a)
    wheel(product.canvas, at_number(product.canvas, a), 1)
    assert product.playback.now.dragged
    qtbot.waitUntil(lambda: not product.playback.now.dragged)
    assert "Before it was 10: " in sentence(product)


def test_while_something_is_asked_a_dragged_value_shows_nothing(product: MainWindow):
    press(product, "b", "c")
    with dragged(product, "a"):
        assert product.playback.now.ripple is None
    assert "Before it was" not in sentence(product)


def test_a_ripple_that_is_on_comes_back_after_a_drag_with_the_new_numbers(product: MainWindow):
    press(product, "b", END, "n")
    with dragged(product, "b"):
        assert sentence(product).startswith("b rises by 1 and y rises by 2")
    assert sentence(product) == (
        "Raise b by 0.01 and y rises by 0.02: 2 times as much. That is b.grad."
    )
    product.commands["undo"].trigger()
    assert pills(product)["y"] == "Δ +0.02"


# odd graphs


def test_without_a_root_or_a_way_to_it_no_ratio_is_said(shared_leaf: MainWindow):
    graph = Graph({1: Leaf(1.0, "a"), 2: OpNode("neg", (1,), "y")}, None, 3)
    shared_leaf.document.start(Drawing(graph))
    press(shared_leaf, "n")
    assert sentence(shared_leaf) == "Raise a by 0.01 and 1 other number changes."
    assert told(shared_leaf) == "Choose a root: the number whose gradient you want."
    lone = Graph({1: Leaf(1.0, "a"), 2: Leaf(2.0, "b"), 3: Root(2)}, 3, 4)
    shared_leaf.document.start(Drawing(lone))
    press(shared_leaf, "n")
    assert sentence(shared_leaf) == "Raise a by 0.01 and b stays: no path leads there."


def test_the_root_may_be_the_leaf_that_is_raised(shared_leaf: MainWindow):
    graph = Graph({1: Leaf(2.0, "a"), 2: Root(1)}, 2, 3)
    shared_leaf.document.start(Drawing(graph))
    press(shared_leaf, "b", END, "n")
    assert sentence(shared_leaf) == (
        "Raise a by 0.01 and a rises by 0.01: 1 times as much. That is a.grad."
    )
    assert pills(shared_leaf) == {"a": "Δ +0.01"}


def test_a_label_is_said_as_it_is(shared_leaf: MainWindow):
    for name in sampled(("**b**", "%s", "<b>a</b>", "{a}", "−2"), 2):
        nodes = {1: Leaf(2.0, name), 2: OpNode("add", (1, 1), f"{name}²"), 3: Root(2)}
        shared_leaf.document.start(Drawing(Graph(nodes, 3, 4)))
        press(shared_leaf, "b", END)
        assert told(shared_leaf).startswith(f"0.01 more of {name}: {name}² rises")
        press(shared_leaf, "n")
        assert sentence(shared_leaf).endswith(f"That is {name}.grad.")
        shared_leaf.canvas.grab()


def test_in_a_folded_group_the_rest_of_the_sheet_has_its_pills(shared_leaf: MainWindow):
    view = shared_leaf.canvas
    for name in "ed":
        click(view, at_header(view, node(shared_leaf, name)), SHIFT)
    press(shared_leaf, "g", modifier=CTRL)
    press(shared_leaf, ESCAPE, "b", END, "n")
    assert sentence(shared_leaf).endswith("4 times as much. That is a.grad.")
    assert pills(shared_leaf) == {"a": "Δ +0.01", "L": "Δ +0.04"}
    shared_leaf.canvas.grab()


def test_an_empty_slot_before_the_root_is_named(shared_leaf: MainWindow):
    graph = Graph({1: Leaf(1.0, "a"), 2: OpNode("add", (1, None), "y"), 3: Root(2)}, 3, 4)
    shared_leaf.document.start(Drawing(graph))
    press(shared_leaf, "n")
    assert told(shared_leaf) == "+ (y) has an empty slot 2. Plug something in to go on."


def test_where_it_is_infinite_the_two_values_are_said(shared_leaf: MainWindow):
    graph = from_expression("y = 1/a", {"a": 0})
    shared_leaf.document.start(Drawing(graph))
    press(shared_leaf, "b", END, "n")
    assert sentence(shared_leaf) == "Raise a by 0.01 and y goes from inf to 100."


def test_in_a_large_graph_only_the_first_and_the_last_node_have_a_pill(shared_leaf: MainWindow):
    nodes: dict[int, Node] = {1: Leaf(0.5, "a"), 2: Leaf(1.0, "b")}
    for k in range(3, 253):
        nodes[k] = OpNode("add", (k - 1 if k > 3 else 1, 2))
    graph = Graph({**nodes, 253: Root(252)}, 253, 254)
    shared_leaf.document.start(Drawing(graph))
    shared_leaf.canvas.auto_layout.cancel()
    press(shared_leaf, "n")
    assert pills(shared_leaf) == {"a": "Δ +0.01", graph.names[252]: "Δ +0.01"}
    assert ratio(shared_leaf).endswith("÷ Δa = 1")
    shared_leaf.canvas.grab()  # is painted at any zoom


# painting and speech


def test_it_runs_column_by_column_and_can_be_stopped_at_any_moment(shared_leaf: MainWindow):
    shared_leaf.context.style.set_motion(True)
    press(shared_leaf, "b", END, "n")
    motion = shared_leaf.canvas.motion
    motion.show_at(0.0)
    assert [*pills(shared_leaf)] == ["a"]
    motion.show_at(430.0)
    assert [*pills(shared_leaf)] == ["a", "e"]
    shared_leaf.canvas.grab()
    motion.finish()
    assert [*pills(shared_leaf)] == ["a", "e", "d", "L"]


def test_it_is_spoken_at_nodes_and_wires_and_when_it_begins(
    shared_leaf: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    heard: list[str] = []
    announcement = accessible.QAccessibleAnnouncementEvent

    def announce(view, text: str):
        heard.append(text)
        return announcement(view, text)

    monkeypatch.setattr(accessible, "QAccessibleAnnouncementEvent", announce)
    QAccessible.setActive(True)
    press(shared_leaf, "b", END, "n")
    canvas = QAccessible.queryAccessibleInterface(shared_leaf.canvas)
    name = QAccessible.Text.Name
    names = [canvas.child(k).text(name) for k in range(canvas.childCount())]
    QAccessible.setActive(False)
    assert heard[-1].startswith("Raise a by 0.01 and L rises by 0.04")
    assert "e, times, value −6, gradient −2, changes by −0.03, inputs a and b" in names
    assert "from a to e, slot 1, a change times −3 gives −0.03" in names
    assert "from b to e, slot 2" in names


def test_a_picture_that_is_exported_has_no_ripple(shared_leaf: MainWindow):
    press(shared_leaf, "n")
    assert "ripple" in states(shared_leaf).values()
    now = shared_leaf.playback.now
    scene = scene_of(now.sheet, now.frame, PLAIN)
    graph = shared_leaf.document.graph
    assert {scene.wire(wire).state for _source, wire in graph.wires()} == {"idle"}
