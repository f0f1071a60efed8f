from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.panels.why import WhyPanel
from app.panels.why.why import NOTHING_SELECTED
from engine.graph import Root


def make(desk) -> WhyPanel:
    return desk.show(WhyPanel(desk.style, desk.document, desk.playback, desk.selection))


def chosen(desk, name: str) -> None:
    desk.selection.focus_on(desk.node(name))


def test_with_nothing_selected_it_says_what_to_do(desk):
    desk.open_shared()
    panel = make(desk)
    assert panel.empty.isVisible()
    assert NOTHING_SELECTED == "Select a node to see why its gradient is what it is."
    assert not panel.heading.isVisible()


def test_the_selected_node_is_explained(desk):
    desk.open_shared(6)
    chosen(desk, "a")
    panel = make(desk)
    assert panel.heading.text() == "Why is ∂L/∂a = 4?"
    assert panel.selected.text() == "selected: a"
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


def test_a_click_on_a_card_goes_to_its_step(desk, qtbot):
    desk.open_shared(7)
    chosen(desk, "a")
    panel = make(desk)
    with qtbot.waitSignal(panel.step_chosen) as step:
        QTest.mouseClick(panel.cards.card(0), Qt.MouseButton.LeftButton)
    assert step.args == [5]
    assert desk.playback.cursor == 5


def test_the_code_lists_the_pass_and_a_click_goes_to_a_line(desk):
    desk.open_shared(6)
    chosen(desk, "a")
    panel = make(desk)
    lines = panel.code.text().splitlines()
    assert lines[8] == "a.grad += e.grad * b.data  # +6"
    assert lines[9] == "b.grad += e.grad * a.data"
    line = panel.code.viewport().height() // 10
    QTest.mouseClick(
        panel.code.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 3 * line + line // 2)
    )
    assert desk.playback.cursor == 1


def test_before_a_pass_one_button_starts_it(desk):
    desk.open_shared()
    chosen(desk, "a")
    panel = make(desk)
    assert panel.heading.text() == "What is ∂L/∂a?"
    QTest.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    assert desk.playback.phase == "backward"
    assert not panel.start.isVisible()


def test_with_nothing_selected_a_running_pass_explains_who_receives(desk):
    desk.open_shared(6)
    panel = make(desk)
    assert panel.heading.text() == "Why is ∂L/∂a = 4?"
    assert panel.selected.text() == "step at: a"


def test_nodes_without_a_sum_say_why(desk):
    desk.open("y = a * 2")
    panel = make(desk)
    for node in desk.document.graph.nodes:
        desk.selection.focus_on(node)
        assert panel.words.text()
        assert panel.heading.text()
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
    desk.playback.backward()
    desk.playback.to_end()
    chosen(desk, "a")
    panel = make(desk)
    assert len(panel.cards.shown()) == 8
    assert panel.sum.text().endswith("= 40")


def test_the_line_that_happens_is_in_sight(desk):
    desk.open("y = " + " + ".join(["a"] * 60))
    desk.playback.backward()
    panel = make(desk)
    desk.playback.to_end()
    bar = panel.code.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    desk.playback.to_start()
    desk.playback.step()
    assert bar.value() < bar.maximum()


def test_deleting_the_selected_node_empties_the_panel(desk):
    desk.open_shared()
    chosen(desk, "a")
    panel = make(desk)
    desk.document.remove([desk.node("a")])
    assert panel.empty.isVisible()


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
    assert panel.heading.text() == "Nothing is plugged into this root yet"
