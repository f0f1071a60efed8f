from app.panels.history import HistoryPage


def make(desk) -> HistoryPage:
    return desk.show(HistoryPage(desk.style, desk.document))


def test_an_empty_history_says_so(desk):
    panel = make(desk)
    assert panel.empty.isVisible()


def test_every_step_is_listed_and_a_click_goes_back_to_it(desk):
    panel = make(desk)
    desk.open_shared()
    desk.document.set_value(desk.node("a"), 5.0)
    desk.document.set_label(desk.node("a"), "alpha")
    model = panel.view.model()
    assert [model.index(k, 0).data() for k in range(model.rowCount())] == [
        "As it was opened",
        "Type expression",
        "Set a",
        "Label a",
    ]
    panel.view.setCurrentIndex(model.index(1, 0))
    assert desk.value("a") == 2.0
    assert desk.document.graph.label(1) == "a"


def test_a_new_document_has_no_history(desk):
    panel = make(desk)
    desk.open_shared()
    assert panel.view.isVisible()
    desk.document.start()
    assert panel.empty.isVisible()
