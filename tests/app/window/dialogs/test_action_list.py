import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.window.commands import ACTIONS
from app.window.commands.palette_extras import palette_extras
from app.window.dialogs.about import About
from app.window.dialogs.action_list import ActionList, CommandPalette, Shortcuts, ranked
from tests.helpers.sampling import sampled
from tests.helpers.window import CTRL, SHIFT, dialog_of, open_dialogs, press


@pytest.fixture
def palette(shared_leaf):
    press(shared_leaf, "p", modifier=CTRL | SHIFT)
    return dialog_of(shared_leaf, CommandPalette)


def _type(dialog, text):
    QTest.keyClicks(dialog.filter, text)


def test_the_palette_lists_every_action_of_the_table(shared_leaf, palette):
    assert set(palette.texts()) == {
        a.plain_text for a in (*ACTIONS, *palette_extras(shared_leaf.context)) if a.id != "commands"
    }


FOUND = (
    ("backw", "Backward", 1),
    ("dark", "Dark", 1),
    ("export png", "Picture of this step as PNG…", 1),
    *((typed, "150 %", 1) for typed in ("150", "150%", "150 %", "size 150", "150 everything")),
    ("theme dark", "Dark", 3),
    ("dark colours", "Dark", 3),
    ("neuron open", "Open example: One neuron", 3),
    ("blank", "New", 3),
    ("exit", "Quit", 3),
    ("rounding decimals", "2 digits", 3),
    ("zoom 150", "Zoom to 150 %", 3),
    ("100 zoom", "Zoom to 100 %", 3),
    ("inputs of inputs", "Select ancestors", 3),
)
"""What is typed, what it finds, and in which of the first rows."""


def test_words_are_found_in_any_order_by_numbers_and_in_descriptions(palette):
    for typed, found, rank in FOUND:
        palette.filter.setText(typed)
        assert found in palette.texts()[:rank], typed


def test_enter_does_it(shared_leaf, palette):
    _type(palette, "backward")
    QTest.keyClick(palette.filter, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert shared_leaf.playback.phase == "backward"
    assert not open_dialogs(shared_leaf)


def test_arrows_choose_another(shared_leaf, palette):
    _type(palette, "arrange")
    QTest.keyClick(palette.filter, Qt.Key.Key_Down)
    assert palette.list.currentItem().text(0) == palette.texts()[1]
    QTest.keyClick(palette.filter, Qt.Key.Key_Up)
    assert palette.list.currentItem().text(0) == palette.texts()[0]


def test_what_can_not_be_done_now_is_not_done(shared_leaf, palette):
    _type(palette, "redo")
    QTest.keyClick(palette.filter, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_nothing_found_is_no_harm(palette):
    _type(palette, "zzz")
    assert palette.texts() == []
    QTest.keyClick(palette.filter, Qt.Key.Key_Return)
    QTest.keyClick(palette.filter, Qt.Key.Key_Down)


def test_one_escape_closes_whatever_was_typed(shared_leaf, palette):
    _type(palette, "no such thing")
    QTest.keyClick(palette.filter, Qt.Key.Key_Escape)
    assert not open_dialogs(shared_leaf)


def test_every_word_must_be_found(palette):
    _type(palette, "dark zoom")
    assert palette.texts() == []


def test_all_names_begin_at_one_edge_behind_their_icons(palette):
    icons = {palette.list.topLevelItem(k).icon(0).isNull() for k in range(20)}
    assert icons == {False}


def test_the_shortcuts_are_found_by_name_and_by_key(shared_leaf):
    press(shared_leaf, Qt.Key.Key_F1)
    dialog = dialog_of(shared_leaf, Shortcuts)
    assert len(dialog.texts()) >= sum(1 for action in ACTIONS if action.keys)
    _type(dialog, "f11")
    assert dialog.texts() == ["Full screen"]
    dialog.filter.clear()
    _type(dialog, "wire")
    assert "Wire from the selected node" in dialog.texts()


def test_the_shortcuts_say_in_which_order_escape_lets_go(shared_leaf):
    press(shared_leaf, Qt.Key.Key_F1)
    dialog = dialog_of(shared_leaf, Shortcuts)
    _type(dialog, "esc")
    found = [text for text in dialog.texts() if "full screen" in text]
    order = ("gesture", "ripple", "selection", "full screen", "pass")
    assert sorted(order, key=found[0].index) == list(order)


@pytest.mark.parametrize("size", sampled([2.0, 1.0], every=2))
@pytest.mark.parametrize(("command", "columns"), [("commands", 1), ("shortcuts", 2)])
def test_every_name_can_be_read_whole_and_every_key_where_keys_are_looked_up(
    shared_leaf, size, command, columns, monkeypatch
):
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen: QRect(0, 0, 1366, 768))
    shared_leaf.context.style.set_size(size)
    shared_leaf.commands[command].trigger()
    tree = dialog_of(shared_leaf, ActionList).list
    pad = shared_leaf.context.style.px(14)
    for place in range(tree.topLevelItemCount()):
        for column in range(columns):
            item = tree.topLevelItem(place)
            assert item is not None
            wanted = tree.fontMetrics().horizontalAdvance(item.text(column)) + pad
            assert wanted <= tree.columnWidth(column), item.text(column)


def test_the_shortcuts_do_nothing_when_they_are_chosen(shared_leaf):
    press(shared_leaf, Qt.Key.Key_F1)
    dialog = dialog_of(shared_leaf, Shortcuts)
    _type(dialog, "backward")
    QTest.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert shared_leaf.playback.phase == "live"


def test_about_names_the_version_and_where_errors_go(shared_leaf):
    shared_leaf.commands["about"].trigger()
    dialog = dialog_of(shared_leaf, About)
    assert "Version" in dialog.text()
    assert "errors.log" in dialog.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not open_dialogs(shared_leaf)


MEANT = {
    "quiz": "predict",
    "test": "predict",
    "question": "predict",
    "exercise": "predict",
    "make an exercise": "exercise",
    "worksheet": "export-worksheet",
    "hand out": "export-handout",
    "phone": "export-page",
    "filmstrip": "export-strip",
    "gif": "export-gif",
    "take along": "lesson_take_along",
    "practice": "predict",
    "exam": "predict",
    "bug": "page-mistakes",
    "error": "page-mistakes",
    "debug": "page-mistakes",
    "mistake": "page-mistakes",
    "derivative": "page-why",
    "chain rule": "page-why",
    "path": "page-why",
    "paths": "page-why",
    "inspector": "page-why",
    "explain": "page-why",
    "history": "page-history",
    "versions": "page-history",
    "train": "page-train",
    "neural": "page-train",
    "network": "train",
    "csv": "train",
    "gradient descent": "descent",
    "learning rate": "descent",
    "sgd": "descent",
    "optimizer": "page-train",
    "numeric": "page-numeric",
    "check": "page-numeric",
    "verify": "page-numeric",
    "finite difference": "page-numeric",
    "pytorch": "export-pytorch",
    "epsilon": "page-numeric",
    "code": "page-code",
    "program": "page-code",
    "micrograd": "page-code",
    "source": "source",
    "lesson": "page-lesson",
    "tutorial": "page-lesson",
    "score": "page-lesson",
    "slider": "sliders",
    "blanks": "level-sum",
    "cover": "cover",
    "conceal": "cover",
    "solution": "reveal",
    "manual": "by_hand",
    "hunt": "hunt",
    "detective": "hunt",
    "backprop": "backward",
    "autograd": "backward",
    "evaluate": "forward",
    "step": "step",
    "play": "play",
    "animation": "motion",
    "tempo": "speed-0.5",
    "breakpoint": "toggle_break",
    "reset gradients": "zero_grad",
    "dark": "theme-dark",
    "dark mode": "theme-dark",
    "theme": "theme-dark",
    "font": "larger",
    "decimals": "digits-2",
    "leibniz": "notation-partial",
    "save": "save",
    "vector": "export-svg",
    "picture": "export-all",
    "screenshot": "copy_picture",
    "latex": "export-latex-fragment",
    "equation": "copy_latex",
    "undo": "undo",
    "remove": "delete",
    "rename": "label",
    "add": "op-add",
    "insert": "quick_add",
    "layout": "arrange",
    "group": "group",
    "random": "friendly",
    "loss": "mark_root",
    "fullscreen": "full_screen",
    "slides": "presentation",
    "beamer": "presentation",
    "help": "shortcuts",
    "hotkeys": "shortcuts",
    "license": "about",
    "exit": "quit",
    "homework": "save_report",
    "advanced": "all_tools",
    "side panel": "show-bar",
}


def test_what_people_type_finds_what_they_mean():
    class Made:
        def __init__(self, text: str) -> None:
            self._text = text

        def text(self) -> str:
            return self._text

    table = [(action, Made(action.text)) for action in ACTIONS]
    found = {typed: ranked(typed, table, lambda action: True)[0][0].id for typed in MEANT}  # type: ignore[arg-type]
    assert found == MEANT
