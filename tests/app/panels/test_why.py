from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.panels.why import WhyPage
from app.workbench.gradients.formulas import DIRECT_TIP
from engine.graph import Leaf, Root
from tests.helpers.desk import DEMONSTRATION
from tests.helpers.graphs import mistake


def make(desk) -> WhyPage:
    return desk.show(WhyPage(desk.style, desk.document, desk.playback, desk.selection))


def chosen(desk, name: str) -> None:
    desk.selection.focus_on(desk.node(name))


def test_with_nothing_selected_it_says_what_to_do(desk):
    desk.open_shared()
    panel = make(desk)
    assert panel.choose.isVisible()
    assert panel.choose.text() == "Select a node to see why its gradient is what it is."
    assert sorted(panel.sliders.sliders) == sorted(desk.document.graph.leaves)
    assert not panel.why.isVisible()


def test_the_selected_node_is_explained(desk):
    desk.open_shared(6)
    chosen(desk, "a")
    panel = make(desk)
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


def test_what_has_not_been_reached_is_hidden(desk):
    desk.open_shared(5)
    chosen(desk, "a")
    panel = make(desk)
    assert panel.cards.shown() == ["by way of + d, step 5, now: −2 × 1 = −2"]
    assert panel.waits.text() == "waits for 1 more"
    desk.playback.go(1)
    assert panel.cards.shown() == []
    assert panel.waits.text() == "waits for 2"
    assert not panel.sum.isVisible()


def test_it_follows_the_step_and_the_value(desk):
    desk.open_shared(5)
    chosen(desk, "a")
    panel = make(desk)
    desk.playback.step()
    assert panel.sum.text() == "0 − 2 + 6 = 4"
    desk.document.set_value(desk.node("b"), 1.0)
    assert panel.sum.text() == "0 − 2 − 2 = −4"


def test_a_click_on_a_card_goes_to_its_step(desk):
    desk.open_shared(7)
    chosen(desk, "a")
    panel = make(desk)
    QTest.mouseClick(panel.cards.card(0), Qt.MouseButton.LeftButton)
    assert desk.playback.cursor == 5


def test_before_a_pass_one_button_starts_it(desk):
    desk.open_shared()
    chosen(desk, "a")
    panel = make(desk)
    assert panel.why.head.text() == "What is ∂L/∂a?"
    QTest.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    assert desk.playback.phase == "backward"
    assert not panel.start.isVisible()


def test_with_nothing_selected_a_running_pass_explains_who_receives(desk):
    desk.open_shared(6)
    panel = make(desk)
    assert panel.why.head.text() == "Why is ∂L/∂a = 4?"
    assert panel.why.note.text() == "step at: a"


def test_nodes_without_a_sum_say_why(desk):
    desk.open("y = a * 2")
    panel = make(desk)
    for node in desk.document.graph.nodes:
        desk.selection.focus_on(node)
        assert panel.words.text()
        assert panel.why.head.text()
    chosen(desk, "y")
    assert "is the root" in panel.words.text()


def test_a_hidden_panel_is_up_to_date_when_it_comes_back(desk):
    desk.open_shared(5)
    chosen(desk, "a")
    panel = make(desk)
    panel.hide()
    desk.playback.go(6)
    panel.show()
    assert panel.sum.text() == "0 − 2 + 6 = 4"


def test_many_contributions_show_the_newest(desk):
    desk.open("y = " + " + ".join(["a"] * 40))
    desk.run_backward()
    chosen(desk, "a")
    panel = make(desk)
    assert len(panel.cards.shown()) == 8
    assert panel.sum.text().endswith("= 40")


def test_deleting_the_selected_node_empties_the_panel(desk):
    desk.open_shared()
    chosen(desk, "a")
    panel = make(desk)
    desk.document.remove([desk.node("a")])
    assert panel.choose.isVisible()
    assert not panel.why.isVisible()


def test_every_look_can_be_painted(desk, all_looks):
    desk.open_shared(6)
    chosen(desk, "a")
    panel = make(desk)
    for look in all_looks():
        panel.resize(desk.style.px(320), desk.style.px(700))
        assert not panel.grab().isNull(), look
        assert panel.sum.width() >= panel.sum.sizeHint().width()


def test_a_root_with_nothing_plugged_in_is_explained(desk):
    panel = make(desk)
    number = desk.document.add_node(Root(), (0.0, 0.0))
    desk.selection.focus_on(number)
    assert panel.why.head.text() == "Nothing is plugged into this root yet"


def test_a_leaf_without_a_path_is_asked_about_in_a_clear_sentence(desk):
    desk.open_shared(7)
    panel = make(desk)
    desk.selection.focus_on(desk.document.add_node(Leaf(1.0, "g"), (0.0, 400.0)))
    assert panel.why.head.text() == "Why does no gradient reach g (∅)?"
    assert "No wires lead from g to L" in panel.words.text()


def _grouped(desk, names: str) -> list[int]:
    desk.open(DEMONSTRATION, {"a": 2, "b": 3})
    nodes = [desk.node(name) for name in names]
    desk.document.groups.make(nodes, "inner")
    desk.selection.choose(nodes)
    desk.run_backward()
    return nodes


def test_a_group_tells_what_comes_in_and_what_goes_on(desk):
    _grouped(desk, "cde")
    panel = make(desk)
    assert not panel.empty.isVisible()
    assert panel.group.heading.text() == "Gradients through inner"
    assert panel.group.arrives.texts() == ["c.grad: 7", "d.grad: 6", "e.grad: 1"]
    assert panel.group.passes.texts() == ["to a: +7 + 18 = +25", "to b: +7 + 12 = +19"]
    assert not panel.group.inside.isVisible()
    desk.playback.go(1)
    assert panel.group.arrives.texts() == ["c.grad: –", "d.grad: –", "e.grad: –"]


def test_a_group_with_one_output_is_explained_by_it(desk):
    _grouped(desk, "efy")
    panel = make(desk)
    assert panel.why.head.text() == "Why is ∂y/∂y = 1?"
    assert panel.why.note.text() == "selected: inner"
    assert not panel.group.heading.isVisible()
    assert panel.group.passes.texts() == ["to c: +1 + 6 = +7", "to d: +1 + 5 = +6"]
    assert panel.group.inside.texts() == ["e.grad: 1", "f.grad: 1"]


def test_several_nodes_that_are_no_group_say_what_to_do(desk):
    desk.open_shared(6)
    desk.selection.choose([desk.node("a"), desk.node("b")])
    panel = make(desk)
    assert panel.many.count.text() == "2 nodes selected"
    assert not panel.group.isVisible()
    assert not panel.why.isVisible()


def test_under_a_mistake_the_panel_says_what_is_right(desk):
    desk.open(DEMONSTRATION, {"a": 2, "b": 3})
    desk.playback.set_rules(mistake("assign"))
    desk.playback.backward()
    chosen(desk, "a")
    panel = make(desk)
    assert not panel.verdict.isVisible()
    desk.playback.to_end()
    assert panel.verdict.text() == (
        "✗ should be 25\nd and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1."
    )
    assert "= keeps only the last" in panel.words.text()
    assert panel.cards.shown()[0].endswith("= ✗ +3")
    assert "the correct pass sends +18" in panel.cards.card(0).toolTip()
    chosen(desk, "e")
    assert panel.verdict.text() == "✓ as in the correct pass"


def test_a_group_can_be_painted_in_every_look(desk, all_looks):
    _grouped(desk, "cde")
    panel = make(desk)
    for look in all_looks():
        panel.resize(desk.style.px(320), desk.style.px(700))
        assert not panel.grab().isNull(), look


def test_a_sum_is_never_cut(desk, qtbot):
    desk.open("p = a*b; q = p + a*c; y = q*q + a", {"a": 0.021634, "b": 0.73211, "c": -1.8765})
    desk.run_backward()
    chosen(desk, "a")
    panel = make(desk)
    panel.resize(230, 700)
    qtbot.waitUntil(lambda: panel.sum.width() < 230)
    assert len(panel.sum.lines()) > 1
    assert all(line.width <= panel.sum.width() for line in panel.sum.lines())
    assert panel.sum.height() >= panel.sum.heightForWidth(panel.sum.width())
    assert panel.sum.text().endswith(
        f"= {desk.style.short(desk.playback.frame.grads[desk.node('a')])}"
    )


def test_the_part_through_one_wire_is_explained_by_a_tooltip(desk):
    desk.open("L = a*b + a", {"a": 2, "b": -3})
    desk.run_backward()
    chosen(desk, "a")
    panel = make(desk)
    assert "∂⁺L/∂a" in panel.symbols.text()
    assert panel.symbols.toolTip() == DIRECT_TIP
    chosen(desk, "b")
    assert panel.symbols.toolTip() == ""
