from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.panels.why import WhyPage
from app.workbench.gradients.formulas import DIRECT_TIP
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Leaf, Root
from tests.helpers.graphs import mistake
from tests.helpers.panel_host import DEMONSTRATION


def make(host) -> WhyPage:
    return host.show(WhyPage(host.style, host.document, host.playback, host.selection))


def chosen(host, name: str) -> None:
    host.selection.focus_on(host.node(name))


def test_with_nothing_selected_it_says_what_to_do(host):
    host.open_shared()
    panel = make(host)
    assert panel.choose.isVisible()
    assert panel.choose.text() == "Select a node to see why its gradient is what it is."
    assert sorted(panel.sliders.sliders) == sorted(host.document.graph.leaves)
    assert not panel.why.isVisible()


def test_the_selected_node_is_explained(host):
    host.open_shared(6)
    chosen(host, "a")
    panel = make(host)
    assert panel.why.head.text() == "Why is ∂L/∂a = 4?"
    assert panel.why.note.text() == "a"
    assert panel.cards.shown() == [
        "by way of + d, step 5: −2 × 1 = −2",
        "by way of × e, step 6, now: −2 × −3 = +6",
    ]
    assert panel.sum_name.text() == "a.grad"
    assert panel.sum.text() == "0 − 2 + 6 = 4"
    assert "two contributions arrive and add up" in panel.words.text()
    assert not panel.waits.isVisible()


def test_what_has_not_been_reached_is_hidden(host):
    host.open_shared(5)
    chosen(host, "a")
    panel = make(host)
    assert panel.cards.shown() == ["by way of + d, step 5, now: −2 × 1 = −2"]
    assert panel.waits.text() == "waits for 1 more"
    host.playback.go(1)
    assert panel.cards.shown() == []
    assert panel.waits.text() == "waits for 2"
    assert not panel.sum.isVisible()


def test_it_follows_the_step_and_the_value(host):
    host.open_shared(5)
    chosen(host, "a")
    panel = make(host)
    host.playback.step()
    assert panel.sum.text() == "0 − 2 + 6 = 4"
    host.document.set_value(host.node("b"), 1.0)
    assert panel.sum.text() == "0 − 2 − 2 = −4"


def test_a_click_on_a_card_goes_to_its_step(host):
    host.open_shared(7)
    chosen(host, "a")
    panel = make(host)
    QTest.mouseClick(panel.cards.card(0), Qt.MouseButton.LeftButton)
    assert host.playback.cursor == 5


def test_before_a_pass_one_button_starts_it(host):
    host.open_shared()
    chosen(host, "a")
    panel = make(host)
    assert panel.why.head.text() == "What is ∂L/∂a?"
    QTest.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    assert host.playback.phase == "backward"
    assert not panel.start.isVisible()


def test_with_nothing_selected_a_running_pass_explains_who_receives(host):
    host.open_shared(6)
    panel = make(host)
    assert panel.why.head.text() == "Why is ∂L/∂a = 4?"
    assert panel.why.note.text() == "step at: a"


def test_nodes_without_a_sum_say_why(host):
    host.open("y = a * 2")
    panel = make(host)
    for node in host.document.graph.nodes:
        host.selection.focus_on(node)
        assert panel.words.text()
        assert panel.why.head.text()
    chosen(host, "y")
    assert "is the root" in panel.words.text()


def test_a_hidden_panel_is_up_to_date_when_it_comes_back(host):
    host.open_shared(5)
    chosen(host, "a")
    panel = make(host)
    panel.hide()
    host.playback.go(6)
    panel.show()
    assert panel.sum.text() == "0 − 2 + 6 = 4"


def test_many_contributions_show_the_newest(host):
    host.open("y = " + " + ".join(["a"] * 40))
    host.run_backward()
    chosen(host, "a")
    panel = make(host)
    assert len(panel.cards.shown()) == 8
    assert panel.sum.text().endswith("= 40")


def test_a_root_with_nothing_plugged_in_is_explained(host):
    panel = make(host)
    number = host.document.add_node(Root(), (0.0, 0.0))
    host.selection.focus_on(number)
    assert panel.why.head.text() == "Nothing is plugged into this root yet"


def test_a_leaf_without_a_path_is_asked_about_in_a_clear_sentence(host):
    host.open_shared(7)
    panel = make(host)
    host.selection.focus_on(host.document.add_node(Leaf(1.0, "g"), (0.0, 400.0)))
    assert panel.why.head.text() == "Why does no gradient reach g (∅)?"
    assert "No wires lead from g to L" in panel.words.text()


def _grouped(host, names: str) -> list[int]:
    host.open(DEMONSTRATION, {"a": 2, "b": 3})
    nodes = [host.node(name) for name in names]
    host.document.groups.make(nodes, "inner")
    host.selection.choose(nodes)
    host.run_backward()
    return nodes


def test_a_group_tells_what_comes_in_and_what_goes_on(host):
    _grouped(host, "cde")
    panel = make(host)
    assert not panel.empty.isVisible()
    assert panel.group.heading.text() == "Gradients through inner"
    assert panel.group.arrives.texts() == ["c.grad: 7", "d.grad: 6", "e.grad: 1"]
    assert panel.group.passes.texts() == ["to a: +7 + 18 = +25", "to b: +7 + 12 = +19"]
    assert not panel.group.inside.isVisible()
    host.playback.go(1)
    assert panel.group.arrives.texts() == ["c.grad: –", "d.grad: –", "e.grad: –"]


def test_a_group_with_one_output_is_explained_by_it(host):
    _grouped(host, "efy")
    panel = make(host)
    assert panel.why.head.text() == "Why is ∂y/∂y = 1?"
    assert panel.why.note.text() == "selected: inner"
    assert not panel.group.heading.isVisible()
    assert panel.group.passes.texts() == ["to c: +1 + 6 = +7", "to d: +1 + 5 = +6"]
    assert panel.group.inside.texts() == ["e.grad: 1", "f.grad: 1"]


def test_several_nodes_that_are_no_group_say_what_to_do(host):
    host.open_shared(6)
    host.selection.choose([host.node("a"), host.node("b")])
    panel = make(host)
    assert panel.many.count.text() == "2 nodes selected"
    assert not panel.group.isVisible()
    assert not panel.why.isVisible()


def test_under_a_mistake_the_panel_says_what_is_right(host):
    host.open(DEMONSTRATION, {"a": 2, "b": 3})
    host.playback.set_rules(mistake("assign"))
    host.playback.backward()
    chosen(host, "a")
    panel = make(host)
    assert not panel.verdict.isVisible()
    host.playback.to_end()
    assert panel.verdict.text() == (
        "✘ should be 25\nd and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1."
    )
    assert "= keeps only the last" in panel.words.text()
    assert panel.cards.shown()[0].endswith("= ✘ +3")
    assert "the correct pass sends +18" in panel.cards.card(0).toolTip()
    chosen(host, "e")
    assert panel.verdict.text() == "✓ as in the correct pass"


def test_a_node_and_a_group_can_be_painted_in_every_look(host, all_looks):
    nodes = _grouped(host, "cde")
    panel = make(host)
    panel.block("inspector").set_collapsed(False)
    for look in all_looks():
        panel.resize(host.style.px(320), host.style.px(700))
        for chosen in (nodes, [host.node("a")]):
            host.selection.choose(chosen)
            assert not panel.grab().isNull(), look
        assert panel.sum.width() >= panel.sum.sizeHint().width()


def test_a_sum_is_never_cut(host, qtbot):
    host.open("p = a*b; q = p + a*c; y = q*q + a", {"a": 0.021634, "b": 0.73211, "c": -1.8765})
    host.run_backward()
    chosen(host, "a")
    panel = make(host)
    panel.resize(230, 700)
    qtbot.waitUntil(lambda: panel.sum.width() < 230)
    assert len(panel.sum.lines()) > 1
    assert all(line.width <= panel.sum.width() for line in panel.sum.lines())
    assert panel.sum.height() >= panel.sum.heightForWidth(panel.sum.width())
    assert panel.sum.text().endswith(
        f"= {host.style.short(host.playback.frame.grads[host.node('a')])}"
    )


def test_the_part_through_one_wire_is_explained_by_a_tooltip(host):
    host.open("L = a*b + a", {"a": 2, "b": -3})
    host.run_backward()
    chosen(host, "a")
    panel = make(host)
    assert "∂⁺L/∂a" in panel.symbols.text()
    assert panel.symbols.toolTip() == DIRECT_TIP
    chosen(host, "b")
    assert panel.symbols.toolTip() == ""


def test_a_long_name_and_number_are_not_cut_at_the_edge_of_a_narrow_page(host):
    text = "o = w_hidden_11*x; loss = (o - 1)**2"
    host.document.start(Drawing(from_expression(text, {"w_hidden_11": 2.627, "x": 0.0012345}), {}))
    chosen(host, "w_hidden_11")
    host.playback.backward()
    host.playback.go(99)
    panel = make(host)
    assert panel.sum_name.isVisible()
    assert panel.why.minimumSizeHint().width() <= 260
    assert panel.why.head.height() > panel.why.head.fontMetrics().height() * 1.5  # two lines
