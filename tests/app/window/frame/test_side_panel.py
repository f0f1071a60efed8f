"""The side panel shows as many tabs as it has room for, and lists the others."""

from PySide6.QtWidgets import QApplication, QToolButton

from app.window.frame.main_window import MainWindow
from app.window.frame.side_panel import SidePanel
from engine.rules import MISTAKES
from tests.helpers.window import entries, press

LAPTOP = (1366, 768)
MODES = ("predict", "by_hand", "hunt", "descent", "sliders", "source", "which_mistake")


def shown(side: SidePanel) -> list[str]:
    """Check that the row of tabs is narrow enough, and return the titles."""
    for _ in range(3):
        QApplication.processEvents()
    bar = side.tabBar()
    places = [k for k in range(side.count()) if side.isTabVisible(k)]
    if bar.isHidden():  # a strip shows them below one another, as this pass is a long one
        return [side.tabText(k) for k in places]
    assert all(bar.tabRect(k).left() >= 0 for k in places), "scrolled"
    assert all(bar.tabRect(k).right() < bar.width() for k in places), places
    arrows = [arrow for arrow in bar.findChildren(QToolButton) if arrow.isVisible()]
    assert not arrows
    assert side.currentIndex() in places
    return [side.tabText(k) for k in places]


def test_the_tabs_fit_in_every_mode_and_with_every_mistake(shared_leaf: MainWindow):
    shared_leaf.resize(*LAPTOP)
    side = shared_leaf.docks.side
    assert shown(side) == ["Why", "Inspector", "Paths", "Check", "History"]
    assert side.width() == 300
    assert side.more.isHidden()
    for rules in MISTAKES:
        shared_leaf.commands[f"rules-{rules.name}"].trigger()
        assert shown(side)[:3] == ["Mistakes", "Why", "Inspector"]
    for name in MODES:  # one after the other, so tabs of earlier ones are there too
        shared_leaf.commands[name].trigger()
        assert shown(side), name


def test_a_tab_without_room_is_brought_to_the_front_by_the_list(shared_leaf: MainWindow):
    shared_leaf.resize(*LAPTOP)
    side = shared_leaf.docks.side
    shared_leaf.commands["rules-assign"].trigger()
    assert "History" not in shown(side)
    assert side.more.isVisible()
    menu = side.more.menu()
    menu.aboutToShow.emit()
    assert entries(menu)[-1] == "History"
    menu.actions()[-1].trigger()
    assert "History" in shown(side)
    assert side.tabText(side.currentIndex()) == "History"
    menu.aboutToShow.emit()
    assert "History" not in entries(menu)


def test_a_wider_panel_shows_them_all_again(shared_leaf: MainWindow):
    side = shared_leaf.docks.side
    press(shared_leaf, "p")
    press(shared_leaf, "p")
    shared_leaf.commands["rules-assign"].trigger()
    shared_leaf.context.settings.set_length("side", 700)
    shared_leaf.parts.update()
    assert shown(side)[-3:] == ["Paths", "Check", "History"]
    assert not side.aside()
    assert side.more.isHidden()
