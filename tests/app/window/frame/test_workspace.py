from itertools import combinations, product

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.style import sizes
from app.window.frame.main_window import MIN_SIZE, MainWindow
from app.window.frame.workspace import MIN_WIDTH_BESIDE, Choices, lay_out_window
from tests.helpers.asked import ask
from tests.helpers.sampling import sampled
from tests.helpers.window import SHIFT, forget_changes, open_example, press, said

CHILDREN = Qt.FindChildOption.FindDirectChildrenOnly
PARTS = {
    "toolbar": lambda w: w.toolbar,
    "palette": lambda w: w.palette_dock.tiles,
    "bar": lambda w: w.bar,
    "strip": lambda w: w.strip,
    "status": lambda w: w.status_line,
}


def test_every_part_can_be_hidden_and_is_remembered(shared_leaf, qtbot):
    window = shared_leaf
    for hidden in sampled(PARTS, every=2):
        window.commands[f"show-{hidden}"].trigger()
        again = MainWindow()
        qtbot.addWidget(again, before_close_func=forget_changes)
        again.begin()
        open_example(again)
        assert not PARTS[hidden](window).isVisible(), hidden
        assert not window.commands[f"show-{hidden}"].isChecked(), hidden
        assert not PARTS[hidden](again).isVisible(), hidden
        window.commands[f"show-{hidden}"].trigger()
        assert PARTS[hidden](window).isVisible(), hidden


def test_a_hidden_part_comes_back_as_wide_as_it_was(shared_leaf):
    window = shared_leaf
    before = (window.bar.width(), window.strip.height(), window.palette_dock.width())
    for _ in range(2):
        for part in ("bar", "strip", "palette"):
            window.commands[f"show-{part}"].trigger()
    QApplication.processEvents()
    after = (window.bar.width(), window.strip.height(), window.palette_dock.width())
    assert after == before


@pytest.mark.parametrize("mistake", ["correct", "zero-leaves-only"])
def test_nothing_covers_or_cuts_anything_in_a_small_window_at_twice_the_size(shared_leaf, mistake):
    window = shared_leaf
    window.resize(880, 560)
    window.context.style.set_size(2.0)
    window.commands[f"rules-{mistake}"].trigger()
    press(window, "b", Qt.Key.Key_Right)
    shown = [w for w in window.toolbar.findChildren(QWidget, options=CHILDREN) if w.isVisible()]
    for one, other in combinations(shown, 2):
        assert not one.geometry().intersects(other.geometry())
    assert window.canvas.height() > 150
    for widget in (window.strip.sentence, window.strip.answer):
        corner = widget.mapTo(window, widget.rect().bottomRight())
        assert window.rect().contains(corner)
    assert window.toolbar.menus.isVisible()


def test_no_row_is_resized_while_it_still_decides_what_it_shows(shared_leaf, monkeypatch):
    window, inside, nested = shared_leaf, [], []

    def watched(row, fit):
        def run():
            nested.extend(inside)
            inside.append(row)
            fit()
            inside.remove(row)

        return run

    row = window.toolbar
    monkeypatch.setattr(row, "_show_texts_that_fit", watched(row, row._show_texts_that_fit))
    for width in (640, 1320, 880):
        window.resize(width, MIN_SIZE[1])
        for size in (2.0, 1.0):
            window.context.style.set_size(size)
            QApplication.processEvents()
    assert nested == []


def test_the_sentence_stays_in_every_window_and_the_timeline_where_it_has_room(shared_leaf):
    window = shared_leaf
    for size in (1.0, 1.5, 2.0):
        window.context.style.set_size(size)
        for wide, high in (MIN_SIZE, (1024, 700), (1366, 768)):
            window.resize(wide, high)
            QApplication.processEvents()
            has_room = high >= window.context.style.px(440)
            assert window.strip.timeline.isVisible() is has_room, (size, high)
            assert window.strip.sentence.isVisible()


def test_a_part_that_has_no_room_is_shown_when_it_is_asked_for(shared_leaf):
    window = shared_leaf
    window.resize(*MIN_SIZE)
    window.context.style.set_size(2.0)
    QApplication.processEvents()
    for name, part in (("status", window.status_line), ("palette", window.palette_dock)):
        assert not part.isVisible(), name
        for is_shown in (True, False, True):
            window.commands[f"show-{name}"].trigger()
            assert part.isVisible() is is_shown, name
        window.commands[f"show-{name}"].trigger()
        assert window.context.settings.shown(name), "no choice for larger windows"


@pytest.mark.parametrize("name", sampled(["light", "dark", "projector"], every=2))
def test_a_theme_reaches_every_widget(shared_leaf, name):
    window = shared_leaf
    window.commands[f"theme-{name}"].trigger()
    assert window.context.style.theme.name == name
    assert window.palette().window().color() == window.context.style.theme.panel
    label = QLabel("x", window)
    label.ensurePolished()
    assert label.palette().windowText().color() == window.context.style.theme.text
    picture = window.canvas.grab().toImage()
    assert picture.pixelColor(3, 3).name() in (
        window.context.style.theme.canvas.name(),
        window.context.style.theme.grid.name(),
    )


def test_the_theme_as_the_system_has_it_is_the_first_choice(window):
    assert window.commands["theme-system"].isChecked()


def test_presenting_shows_the_graph_and_the_step_and_nothing_else(shared_leaf):
    window = shared_leaf
    press(window, Qt.Key.Key_F5)
    assert window.isFullScreen()
    assert window.canvas.isVisible()
    assert window.strip.isVisible()
    hidden = (window.toolbar, window.palette_dock.tiles, window.bar, window.status_line)
    for part in (*hidden, window.top_line):
        assert not part.isVisible()
    window.playback.backward()
    press(window, Qt.Key.Key_PageDown)
    assert window.playback.cursor == 2
    press(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.bar.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_F5, Qt.Key.Key_F11])
def test_escape_leaves_the_full_screen_before_the_pass(shared_leaf, key):
    window = shared_leaf
    press(window, "b", key, Qt.Key.Key_Right, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.playback.cursor == 2
    press(window, Qt.Key.Key_Escape)
    assert window.playback.phase == "live"


def test_escape_clears_the_selection_before_it_leaves_the_full_screen(shared_leaf):
    window = shared_leaf
    press(window, Qt.Key.Key_F11)
    window.selection.choose_all()
    press(window, Qt.Key.Key_Escape)
    assert not window.selection.anything
    assert window.isFullScreen()


def test_how_a_presentation_ends_is_not_said_once_it_has_ended(shared_leaf):
    press(shared_leaf, Qt.Key.Key_F5, Qt.Key.Key_Escape)
    assert not shared_leaf.presenting
    assert said(shared_leaf) == ""


def test_a_presentation_says_how_it_ends(shared_leaf):
    press(shared_leaf, Qt.Key.Key_F5)
    sentence = "PageDown and PageUp step, . covers, B blanks the screen, E edits, Esc ends."
    assert said(shared_leaf) == sentence


def test_escape_leaves_the_full_screen_of_an_empty_start_page(window):
    press(window, Qt.Key.Key_F11)
    assert window.isFullScreen()
    press(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.on_full_page


def test_the_voice_of_the_sentence_is_remembered(shared_leaf, qtbot):
    assert shared_leaf.commands["voice-plain"].isChecked()
    shared_leaf.strip.set_voice("maths")
    assert shared_leaf.commands["voice-maths"].isChecked()
    again = MainWindow()
    qtbot.addWidget(again, before_close_func=forget_changes)
    assert again.strip.voice == "maths"
    assert again.commands["voice-maths"].isChecked()


def test_v_says_the_next_step_in_the_next_voice(shared_leaf):
    press(shared_leaf, "b")
    said = []
    for _ in range(3):
        said.append((shared_leaf.strip.voice, shared_leaf.strip.sentence.text()))
        press(shared_leaf, "v")
    assert [voice for voice, _text in said] == ["plain", "maths", "code"]
    assert len({text for _voice, text in said}) == 3
    assert shared_leaf.strip.voice == "plain"


def test_f6_walks_through_the_parts_of_the_window(shared_leaf):
    window = shared_leaf
    window.bar.open("why")
    beside = (window.strip, window.bar.frame, window.bar, window.palette_dock, window.expression)
    parts = (window.canvas, *beside)
    seen = []
    for _ in range(6):
        press(window, Qt.Key.Key_F6)
        focused = QApplication.focusWidget()
        seen.append(next(k for k, p in enumerate(parts) if p.isAncestorOf(focused) or p is focused))
    assert seen == [1, 2, 3, 4, 5, 0]
    press(window, Qt.Key.Key_F6, modifier=SHIFT)
    assert window.expression.isAncestorOf(QApplication.focusWidget())


def test_the_place_of_the_window_is_remembered(shared_leaf, qtbot):
    shared_leaf.resize(900, 601)  # the screen that tests have is no higher than 800
    QApplication.processEvents()
    shared_leaf.close()
    again = MainWindow()
    qtbot.addWidget(again, before_close_func=forget_changes)
    again.begin()
    assert again.height() == 601


WIDTHS = (880, 1024, 1280, 1366, 1439, 1440, 1600, 1920, 2560)
HEIGHTS = (560, 700, 768, 849, 850, 1080)
SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
LAPTOP = QSize(1366, 768)


@pytest.mark.parametrize(
    ("window", "small"),
    [((1439, 900), True), ((1440, 849), True), ((1440, 850), False), ((1920, 1080), False)],
)
def test_a_window_is_small_below_1440_by_850(style, window, small):
    found = lay_out_window(QSize(*window), style, Choices())
    assert found.small is found.rail is small
    widths = (sizes.RAIL, sizes.PAGE_SMALL) if small else (sizes.PALETTE, sizes.PAGE)
    assert (found.palette_width - 1, found.page_width) == widths
    assert found.strip_height == 146


@pytest.mark.parametrize("size", SIZES)
def test_every_window_leaves_room_for_the_sheet_in_every_size(style, size):
    style.set_size(size)
    for width, height in product(WIDTHS, HEIGHTS):
        for page in (False, True):
            found = lay_out_window(QSize(width, height), style, Choices(page=page))
            beside = found.page_width if page and not found.page_over_canvas else 0
            taken = found.palette_width + beside + style.px(sizes.RAIL) + 1
            assert taken + found.canvas.width() == width
            assert found.canvas.width() >= 0.6 * width
            assert found.canvas.height() > 0.29 * height


def test_the_tile_of_the_lesson_has_a_dot_while_something_is_asked(shared_leaf: MainWindow):
    context = shared_leaf.context
    tile, violet = shared_leaf.bar.tiles["lesson"], context.style.theme.selection
    assert tile.dot is None
    context.modes.by_hand.begin("backward")
    assert tile.dot == violet
    context.modes.by_hand.leave()
    assert tile.dot is None
    ask(context.modes, "slope")
    assert tile.dot == violet


@pytest.mark.parametrize("size", SIZES)
def test_below_1280_a_page_lies_over_the_sheet_and_takes_nothing_from_it(style, size):
    style.set_size(size)
    edge = style.px(MIN_WIDTH_BESIDE)
    for width, over in ((edge - 1, True), (edge, False)):
        folded = lay_out_window(QSize(width, 900), style, Choices())
        found = lay_out_window(QSize(width, 900), style, Choices(page=True))
        assert found.page_over_canvas is over
        assert (found.canvas == folded.canvas) is over


def test_the_canvas_can_ask_for_the_rail_and_what_the_user_chose_wins(style):
    large = QSize(1600, 1000)
    forms = [lay_out_window(large, style, Choices(), rail) for rail in (False, True)]
    assert [form.rail for form in forms] == [False, True]
    assert forms[1].canvas.width() - forms[0].canvas.width() == sizes.PALETTE - sizes.RAIL
    assert not lay_out_window(LAPTOP, style, Choices(rail=False), rail=True).rail
    assert lay_out_window(large, style, Choices(rail=True)).rail


def test_hidden_parts_leave_their_room_to_the_canvas(style):
    hidden = frozenset({"menus", "toolbar", "palette", "bar", "strip", "status"})
    assert lay_out_window(LAPTOP, style, Choices(hidden=hidden)).canvas == LAPTOP


def test_in_a_presentation_a_page_lies_over_the_sheet_in_any_window(style):
    found = lay_out_window(QSize(2560, 1440), style, Choices(page=True, page_over_canvas=True))
    assert found.page_over_canvas
