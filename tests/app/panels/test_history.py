import pytest

from app.document.history import LOCKED
from app.panels.history_page import HistoryPage


@pytest.fixture
def panel(host) -> HistoryPage:
    return host.show(HistoryPage(host.style, host.document, host.playback))


def test_an_empty_history_says_so(panel):
    assert panel.empty.isVisible()


def test_every_step_is_listed_and_a_click_goes_back_to_it(host, panel):
    host.open_shared()
    host.document.set_value(host.node("a"), 5.0)
    host.document.set_label(host.node("a"), "alpha")
    model = panel.view.model()
    assert [model.index(k, 0).data() for k in range(model.rowCount())] == [
        "As it was opened",
        "Type expression",
        "Set a",
        "Label a",
    ]
    panel.view.setCurrentRow(1)
    assert host.value("alpha") == 5.0  # Enter is not pressed
    panel.view.itemClicked.emit(panel.view.item(1))
    assert host.value("a") == 2.0
    assert host.document.graph.label(1) == "a"


def test_a_new_document_has_no_history(host, panel):
    host.open_shared()
    assert panel.view.isVisible()
    host.document.start()
    assert panel.empty.isVisible()


def test_what_the_file_holds_has_an_icon(host, tmp_path, panel):
    host.open_shared()
    assert saved(panel) == [True, False]
    host.document.set_value(host.node("a"), 5.0)
    host.document.saved(tmp_path / "a.backwire")
    assert saved(panel) == [False, False, True]
    host.document.undo()
    assert saved(panel) == [False, False, True]


def test_a_step_whose_file_is_gone_loses_its_icon(host, tmp_path, panel):
    host.open_shared()
    host.document.saved(tmp_path / "a.backwire")
    host.document.set_value(host.node("a"), 5.0)
    assert saved(panel).count(True) == 1
    host.document.mark_unsaved()
    assert saved(panel).count(True) == 0


def saved(panel: HistoryPage) -> list[bool]:
    """Of each row, whether it has the icon."""
    rows = [panel.view.item(k) for k in range(panel.view.count())]
    return [not row.icon().isNull() for row in rows]


def test_while_editing_is_locked_a_click_goes_nowhere_and_says_why(host, panel):
    host.open_shared()
    host.document.locked = True
    said = []
    host.document.refused.connect(said.append)
    panel.view.itemClicked.emit(panel.view.item(0))
    assert said == [LOCKED]
    assert panel.view.currentRow() == 1
    assert not host.document.empty


def test_undo_and_redo_move_the_current_row(host, panel):
    host.open_shared()
    host.document.set_value(host.node("a"), 5.0)
    rows = []
    for act in (host.document.undo, host.document.undo, host.document.redo):
        act()
        rows.append(panel.view.currentRow())
    assert rows == [1, 0, 1]


def test_steps_below_the_floor_of_undo_are_not_listed(host, panel):
    host.open_shared()
    host.document.undo_floor = len(host.document.done)
    host.document.set_value(host.node("a"), 5.0)
    host.document.set_value(host.node("a"), 6.0)
    assert [panel.view.item(k).text() for k in range(panel.view.count())] == [
        "Type expression",
        "Set a",
        "Set a",
    ]
    panel.view.itemClicked.emit(panel.view.item(0))
    assert host.value("a") == 2.0
    assert panel.view.currentRow() == 0
    panel.view.itemClicked.emit(panel.view.item(2))
    assert host.value("a") == 6.0
