from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.document.examples import examples
from app.document.placement import balanced_columns
from app.lessons.course import OPENING
from app.lessons.course_view import NEWCOMER as TITLE
from app.lessons.course_view import RETURNING as AGAIN
from app.lessons.course_view import CourseView, course_view
from app.lessons.progress import Progress
from app.panels.welcome import Welcome
from app.panels.welcome.course_list import LessonButton
from app.panels.welcome.start_cards import free_wire, paint_thumbnail
from engine import from_expression, save
from engine.formats.native import Drawing
from tests.helpers.lessons import COURSE, HALF, RETURNING


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def make(
    host, width: int = 1400, height: int = 900, recent=(), progress: Progress | None = None
) -> Welcome:
    page = Welcome(host.style, course_view(COURSE, progress or Progress()), recent)
    return host.show(page, width, height)


def press(*keys: Qt.Key | str) -> None:
    """Press keys where the keyboard is."""
    for key in keys:
        focused = QApplication.focusWidget()
        assert focused is not None
        if isinstance(key, str):
            QTest.keyClicks(focused, key)
        else:
            QTest.keyClick(focused, key)


def focused_name() -> str:
    focused = QApplication.focusWidget()
    return "" if focused is None else focused.accessibleName()


def focused_lesson() -> int:
    focused = QApplication.focusWidget()
    assert isinstance(focused, LessonButton)
    return focused.lesson.number


def test_every_example_has_a_card_that_opens_it(host, qtbot):
    page = make(host)
    assert [card.example for card in page.examples.cards] == list(examples())
    with qtbot.waitSignal(page.example_chosen) as chosen:
        click(page.examples.cards[0])
    assert chosen.args == [examples()[0].name]


def test_the_cold_open_has_the_keyboard_and_enter_starts_it(host, qtbot):
    page = make(host)
    assert page.title.text() == TITLE
    assert focused_name() == "See why: Why is this dot wrong?"
    with qtbot.waitSignal(page.lesson_chosen) as chosen:
        press(Qt.Key.Key_Return)
    assert chosen.args == [OPENING]
    press(Qt.Key.Key_Tab)
    with qtbot.waitSignal(page.lesson_chosen) as chosen:
        press(Qt.Key.Key_Return)
    assert chosen.args == ["one-wire"]


def test_a_cold_open_that_was_left_is_the_first_example_and_the_card_offers_lesson_1(host, qtbot):
    page = make(host, progress=Progress({OPENING: HALF}))
    assert focused_name() == "Start: Lesson 1, One wire, one slope, 4 minutes, not begun"
    shown = [card.example.title for card in page.examples.cards if card.isVisible()]
    assert shown[0] == "Why is this dot wrong?"
    with qtbot.waitSignal(page.lesson_chosen) as chosen:
        click(page.examples.cards[0])
    assert chosen.args == [OPENING]


def test_a_returning_learner_continues_where_the_last_lesson_was_left(host, qtbot):
    page = make(host, progress=RETURNING)
    assert page.title.text() == AGAIN
    assert page.hero is not None
    assert page.hero.text.text() == "Step 4 of 6, about 3 minutes left. Next: Which one moves."
    with qtbot.waitSignal(page.lesson_chosen) as chosen:
        press(Qt.Key.Key_Enter)
    assert chosen.args == ["two-paths"]


def test_a_lesson_that_was_begun_can_be_started_again(host, qtbot):
    page = make(host, progress=RETURNING)
    assert page.hero is not None
    press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is page.hero.again
    with qtbot.waitSignal(page.again_chosen) as chosen:
        press(Qt.Key.Key_Return)
    assert chosen.args == ["two-paths"]


@pytest.mark.parametrize("width", [1400, 1000])
def test_arrows_move_over_the_lessons_in_two_dimensions(host, width: int):
    _page = make(host, width)
    press(Qt.Key.Key_Down)
    first, folded = "Lesson 1, ", "Unit 2, A graph by hand, 3 lessons · 18 min, folded"
    assert focused_name().startswith(first)
    walk = [
        (Qt.Key.Key_Right, "Lesson 2, "), (Qt.Key.Key_Down, folded), (Qt.Key.Key_Down, folded),
        (Qt.Key.Key_Left, "Lesson 3, "), (Qt.Key.Key_Right, folded), (Qt.Key.Key_Home, first),
        (Qt.Key.Key_End, folded), (Qt.Key.Key_Return, "Lesson 4, "),
        (Qt.Key.Key_Down, "Lesson 4, "), (Qt.Key.Key_Right, "Lesson 5, "),
        (Qt.Key.Key_Up, "Unit 1, "), (Qt.Key.Key_Up, "See why"),
    ]  # fmt: skip
    for key, name in walk:
        press(key)
        assert focused_name().startswith(name), (key, name)


def test_enter_and_a_click_open_a_lesson(host, qtbot):
    page = make(host)
    press(Qt.Key.Key_Right, Qt.Key.Key_Right)
    with qtbot.waitSignal(page.lesson_chosen) as chosen:
        press(Qt.Key.Key_Return)
    assert chosen.args == ["plus-times"]
    assert page.lessons is not None
    with qtbot.waitSignal(page.lesson_chosen) as chosen:
        click(page.lessons.buttons[3])
    assert chosen.args == ["seven"]


def test_tab_stops_at_one_lesson_and_leads_to_formula_recent_and_examples(host, tmp_path: Path):
    path = tmp_path / "lecture.backwire"
    save(from_expression("a*b"), path)
    page = make(host, recent=[path])
    press(Qt.Key.Key_Right)
    stops = list[QWidget | None]()
    for _stop in range(7):
        press(Qt.Key.Key_Tab)
        stops.append(QApplication.focusWidget())
    assert stops == [
        page.test.button, page.formula.field, page.formula.button, page.empty_button,
        page.recent.open_button, page.recent.cards[0], page.examples.all_button,
    ]  # fmt: skip
    for _stop in range(7):
        press(Qt.Key.Key_Backtab)
    assert focused_lesson() == 2


def test_each_lesson_says_how_far_it_was_taken(host):
    page = make(host, progress=RETURNING)
    assert page.lessons is not None
    assert [button.accessibleName() for button in page.lessons.buttons] == [
        "Lesson 1, One wire, one slope, 4 minutes, done",
        "Lesson 2, Gears in a row, 5 minutes, done",
        "Lesson 3, Plus passes on, times swaps, 5 minutes, not begun",
        "Lesson 4, Seven numbers on paper, 8 minutes, shown",
        "Lesson 5, The same leaf twice, 5 minutes, done",
        "Lesson 6, Two paths from a to L, 5 minutes, step 4 of 6",
    ]


def test_other_progress_is_shown_at_once(host):
    page = make(host)
    assert page.hero is not None
    assert page.hero.again.text() == "or lesson 1, 4 min"
    page.set_course(course_view(COURSE, RETURNING))
    assert page.hero.again.text() == "Start it again"
    assert focused_name().startswith("Continue: Lesson 6")
    assert page.title.text() == AGAIN
    press(Qt.Key.Key_Down)
    assert focused_lesson() == 6


def test_without_lessons_the_formula_has_the_keyboard(host):
    page = host.show(Welcome(host.style, CourseView()), 1400, 900)
    assert page.formula.field.hasFocus()


def test_the_formula_is_typed_without_going_to_its_field(host, qtbot):
    page = make(host)
    press("a", "*", "b", " ", "+", " ", "3")
    assert page.formula.field.text() == "a*b + 3"
    with qtbot.waitSignal(page.expression_entered) as entered:
        press(Qt.Key.Key_Return)
    assert entered.args == ["a*b + 3"]


def test_an_empty_field_opens_the_formula_it_shows(host, qtbot):
    page = make(host)
    with qtbot.waitSignal(page.expression_entered) as entered:
        click(page.formula.button)
    assert entered.args == [page.formula.field.placeholderText()]


def test_a_wrong_formula_complains_only_when_it_is_entered(host, qtbot):
    page = make(host)
    qtbot.keyClicks(page.formula.field, "a*foo(b)")
    assert page.formula.field.property("valid") == "true"
    entered = []
    page.expression_entered.connect(entered.append)
    click(page.formula.button)
    assert entered == []
    assert page.formula.field.property("valid") == "false"
    assert "there is no function called foo" in page.formula.note.text()
    qtbot.keyClick(page.formula.field, Qt.Key.Key_Backspace)
    assert page.formula.field.property("valid") == "true"


def test_a_recent_file_that_cannot_be_read_has_no_picture_and_no_harm(host, tmp_path: Path):
    path = tmp_path / "broken.backwire"
    path.write_text("{", "utf-8")
    page = make(host, recent=[path, tmp_path / "gone.backwire"])
    assert not page.grab().isNull()


def shown_examples(page: Welcome) -> int:
    return sum(card.isVisible() for card in page.examples.cards)


def bottom(page: Welcome, widget: QWidget) -> int:
    return widget.mapTo(page, widget.rect().bottomLeft()).y()


@pytest.mark.parametrize(
    ("width", "height", "shown"), [(1366, 710, 4), (1920, 1022, 8), (1024, 642, 2), (1366, 520, 2)]
)
def test_as_many_examples_are_shown_as_fit(host, width: int, height: int, shown: int):
    page = make(host, width, height)
    assert shown_examples(page) == shown
    assert page.examples.all_button.text() == "All 10"
    for card in page.examples.cards[:shown]:
        assert bottom(page, card) < height, card.text()
        assert card.mapTo(page, card.rect().topRight()).x() < width


def test_all_examples_are_shown_on_request(host):
    page = make(host)
    fewer = shown_examples(page)
    click(page.examples.all_button)
    assert shown_examples(page) == 10
    click(page.examples.all_button)
    assert shown_examples(page) == fewer


@pytest.mark.parametrize(("height", "shown"), [(710, 6), (560, 3), (420, 2)])
def test_recent_files_leave_room_for_examples(host, tmp_path: Path, height: int, shown: int):
    paths = [tmp_path / f"lecture {k}.backwire" for k in range(6)]
    for path in paths:
        save(from_expression("a*b"), path)
    page = make(host, 1366, height, recent=paths)
    assert sum(card.isVisible() for card in page.recent.cards) == shown


def is_within(page: Welcome, widget: QWidget) -> bool:
    """Return whether a widget is shown and no wider than the page."""
    left, right = (widget.mapTo(page, at).x() for at in (QPoint(0, 0), widget.rect().topRight()))
    return widget.isVisible() and left >= 0 and right < page.width()


@pytest.mark.parametrize("width", [1400, 620])
def test_a_window_made_narrow_and_wide_again_keeps_all_parts(host, qtbot, width: int):
    page = make(host, width, progress=RETURNING)
    for wide in (620, 1400, width):
        page.resize(wide, 900)
        for part in (page.hero, page.lessons, page.formula, page.recent, page.examples):
            assert part is not None
            qtbot.waitUntil(partial(is_within, page, part))


def test_every_look_can_be_painted(host, all_looks):
    page = make(host, progress=RETURNING)
    for look in all_looks():
        assert not page.grab().isNull(), look


def test_a_preview_keeps_columns_and_separates_rows():
    graph = from_expression("L = (a*b + a) * f")
    places = balanced_columns(graph)
    for source, (target, _slot) in graph.wires():
        assert places[source][0] < places[target][0]
    assert len(set(places.values())) == len(places)


@pytest.mark.parametrize("text", ["a", "a*a", "+".join(["a"] * 99), "tanh(" * 50 + "a" + ")" * 50])
def test_any_graph_makes_a_thumbnail(styled, text: str):
    image = QImage(300, 120, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    paint_thumbnail(painter, QRectF(0, 0, 300, 120), Drawing(from_expression(text)), styled)
    painter.end()


def test_a_wire_of_a_picture_passes_beside_the_nodes_between_its_ends():
    source, target = QRectF(0, 60, 34, 24), QRectF(140, 20, 34, 24)
    between, rect = QRectF(60, 30, 34, 40), QRectF(0, 0, 200, 100)
    (usual, beside) = (free_wire(source, target, 0, 1, each, rect) for each in ((), (between,)))
    assert any(between.contains(usual.pointAtPercent(k / 50)) for k in range(51))
    assert not any(between.contains(beside.pointAtPercent(k / 50)) for k in range(51))
    assert rect.contains(beside.boundingRect())
    assert (beside.elementAt(0).y, beside.currentPosition().y()) == (72, 32)
