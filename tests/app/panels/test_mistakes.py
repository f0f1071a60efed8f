"""The page Mistakes by itself: its list and field, what is hidden when, the hunt, its width."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.controls.row_list import RowList
from app.panels.mistakes import MistakesPage
from app.panels.mistakes.mistakes_page import COUNTS_LEGEND, NO_ROOT
from app.workbench.modes.hunt import Hunt
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.trials.lab import NOTHING_TYPED
from engine import from_expression
from engine.formats.native import Drawing
from engine.rules import BY_NAME, CORRECT, MISTAKES
from tests.helpers.panel_host import DEMONSTRATION, PanelHost

ENTER = Qt.Key.Key_Return
WIDE = 300
WIDE_GRAPH = "+".join(f"a*sin({k}*b)" for k in range(60))
"""A formula of more than 200 nodes."""


@pytest.fixture
def hunting(host: PanelHost) -> HuntRunner:
    host.open(DEMONSTRATION, {"a": 2, "b": 3})
    return HuntRunner(host.playback, host.selection)


@pytest.fixture
def page(host: PanelHost, hunting: HuntRunner) -> MistakesPage:
    found = host.show(MistakesPage(host.style, host.playback, hunting), WIDE)
    QApplication.processEvents()
    return found


def on(host: PanelHost, name: str, cursor: int | None = None) -> None:
    """Switch a mistake on, and go to a step of its pass."""
    host.playback.set_rules(BY_NAME[name])
    if cursor is not None:
        host.playback.backward()
        host.playback.go(cursor)
    QApplication.processEvents()


def hunt(host: PanelHost, hunting: HuntRunner, name: str, steps: int = 0) -> None:
    hunting._start(Hunt(BY_NAME[name], "name"))
    for _ in range(steps):
        host.playback.step()
    QApplication.processEvents()


def click_row(rows: RowList, place: int) -> None:
    at = rows.rect_of(place).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=at)


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def listed(host: PanelHost, page: MistakesPage) -> list[str]:
    """Return the texts of the list once all are counted, which takes more than one slice."""
    host.qtbot.waitUntil(lambda: not page.choose.counting)
    return page.choose.list.texts()


def words(page: MistakesPage) -> str:
    """All texts on the page that are visible."""
    labels = [x.text() for x in page.findChildren(QLabel) if x.isVisible()]
    lists = [x.texts() for x in page.findChildren(RowList) if x.isVisible()]
    return " ".join([*labels, *(text for texts in lists for text in texts)])


# the list and the field


def test_with_none_on_all_are_listed_with_how_many_gradients_differ(
    host: PanelHost, page: MistakesPage
):
    assert listed(host, page) == [
        "= instead of +=, 4 of 7",
        "Recursion without an order, 2 of 7",
        "Depth-first, each node once, 2 of 7",
        "Breadth-first, each node once, none here",
        "Order not reversed, 4 of 7",
        "No seed, 7 of 7",
        "Backward twice, no zero_grad, 6 of 7",
        "Backward twice, only leaves zeroed, 6 of 7",
        "× uses its own input, 4 of 7",
        "÷ sends nothing, none here",
        "Nodes in any order, 4 of 7",
    ]
    assert page.choose.note.text() == COUNTS_LEGEND
    assert page.begin_hunt.isVisible()
    assert not page.mend.isVisible()
    assert not page.choose.field.isVisible()


def test_counts_follow_the_values(host: PanelHost, page: MistakesPage):
    host.open("y = a / b", {"a": 0, "b": 2})
    assert listed(host, page)[9] == "÷ sends nothing, 1 of 3"
    host.document.set_value(host.node("a"), 4.0)
    assert listed(host, page)[9] == "÷ sends nothing, 2 of 3"


def test_a_click_turns_a_mistake_on_and_the_list_folds_to_its_field(
    host: PanelHost, page: MistakesPage
):
    listed(host, page)
    click_row(page.choose.list, 5)
    assert host.playback.rules is BY_NAME["no-seed"]
    field = page.choose.field
    assert field.isVisible()
    assert not page.choose.list.isVisible()
    assert field.accessibleName() == "Mistake, No seed, 7 of 7 gradients differ"
    click(field)
    assert page.choose.list.isVisible()
    assert page.choose.list.currentRow() == 5
    QTest.keyClick(page.choose.list, Qt.Key.Key_Up)
    QTest.keyClick(page.choose.list, ENTER)
    assert host.playback.rules is BY_NAME["forward-order"]
    assert not page.choose.list.isVisible()
    assert field.hasFocus()


def test_a_mistake_that_is_off_looks_like_the_others_and_the_focus_returns_to_the_sheet(
    host: PanelHost, page: MistakesPage
):
    left: list[bool] = []
    page.left.connect(lambda: left.append(True))
    rows = page.choose.list
    for way, end in {
        "Correct pass": lambda: click(page.choose.correct_button),
        "the menu": lambda: host.playback.set_rules(CORRECT),
        "another document": lambda: host.document.start(Drawing(from_expression("y = a/b"))),
        "another formula": lambda: host.document.replace_graph(from_expression("s = a+b"), "s"),
    }.items():
        left.clear()
        listed(host, page)
        click_row(rows, 5)
        assert host.playback.rules is BY_NAME["no-seed"], way
        page.choose.correct_button.setFocus()
        end()
        QApplication.processEvents()
        assert host.playback.rules is CORRECT, way
        assert rows.isVisible(), way
        assert not rows.selectedItems(), way
        assert left == [True], way


def test_an_arrow_key_in_the_field_unfolds_the_list_in_which_enter_chooses(
    host: PanelHost, page: MistakesPage
):
    on(host, "assign")
    field, rows = page.choose.field, page.choose.list
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert rows.hasFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_End):
        QTest.keyClick(rows, key)
        assert host.playback.rules is BY_NAME["assign"]
    QTest.keyClick(rows, ENTER)
    assert host.playback.rules is BY_NAME["random-order"]
    assert field.hasFocus()


def test_without_a_root_the_page_says_where_a_mistake_shows(host: PanelHost, page: MistakesPage):
    root = host.document.graph.active_root
    assert root is not None
    host.document.remove([root])
    QApplication.processEvents()
    assert page.choose.note.text() == NO_ROOT
    assert page.choose.note.isVisible()
    assert not page.printed.isVisible()
    on(host, "assign")
    assert page.choose.note.isVisible()
    assert not page.choose.first_button.isEnabled()


def test_an_empty_slot_is_named_where_counts_would_be(host: PanelHost, page: MistakesPage):
    host.document.wires.disconnect(host.node("e"), 0)
    QApplication.processEvents()
    assert page.choose.note.isVisible()
    assert "slot" in page.choose.note.text()
    assert page.choose.list.texts()[0] == "= instead of +="


def test_while_a_learner_is_asked_only_title_sentence_and_lines_stand_there(
    host: PanelHost, page: MistakesPage
):
    on(host, "assign", 10)
    assert page.wrong.isVisible()
    assert page.printed.isVisible()
    QuizRunner(host.playback).toggle()
    QApplication.processEvents()
    assert page.choose.field.isVisible()
    assert page.choose.field.accessibleName() == "Mistake, = instead of +="
    assert page.choose.sentence.isVisible()
    assert page.choose.code.isVisible()
    shut = (
        page.choose.first_button,
        page.choose.correct_button,
        page.wrong,
        page.referee,
        page.printed,
    )
    for part in (*shut, page.mend, page.next_hunt, page.choose.list, page.choose.note):
        assert not part.isVisible()


def test_above_200_nodes_counts_and_typed_numbers_wait_for_enter(
    host: PanelHost, page: MistakesPage
):
    host.document.replace_graph(from_expression(f"y = {WIDE_GRAPH}", {"a": 2, "b": 3}))
    QApplication.processEvents()
    assert len(host.document.graph.nodes) > 200
    choose, printed = page.choose, page.printed
    assert choose.list.texts()[5] == "No seed"
    assert choose.count_button.isVisible()
    choose.count_button.setFocus()
    QTest.keyClick(choose.count_button, ENTER)
    host.qtbot.waitUntil(lambda: not choose.counting)
    assert choose.list.texts()[5].startswith("No seed, ")
    assert not choose.count_button.isVisible()
    field = printed.fields["a"]
    QTest.keyClicks(field, "0")
    assert printed.sentence.text() == "Press Enter to compare."
    assert not printed.buttons
    QTest.keyClick(field, ENTER)
    assert "no-seed" in printed.buttons
    QTest.keyClicks(field, "1")
    assert printed.sentence.text() == "Press Enter to compare."
    assert not printed.buttons


# what it does


def test_first_difference_starts_the_pass_and_goes_there(host: PanelHost, page: MistakesPage):
    on(host, "assign")
    assert page.choose.first_button.text() == "First difference"
    click(page.choose.first_button)
    assert host.playback.cursor == 6
    assert page.choose.first_button.text() == "First difference: step 6"
    host.playback.go(10)
    click(page.choose.first_button)
    assert host.playback.cursor == 6
    on(host, "breadth-first", 3)
    assert page.choose.first_button.text() == "No step differs"
    assert not page.choose.first_button.isEnabled()
    click(page.choose.correct_button)
    assert host.playback.rules is CORRECT


def test_the_row_of_this_step_is_tinted_and_a_click_selects_its_node(
    host: PanelHost, page: MistakesPage
):
    on(host, "assign", 10)
    assert [row.tone for row in page.wrong.list.rows] == ["", "", "now", ""]
    chosen: list[int] = []
    page.node_chosen.connect(chosen.append)
    click_row(page.wrong.list, 3)
    assert chosen == [host.node("b")]
    page.wrong.list.setFocus()
    QTest.keyClick(page.wrong.list, Qt.Key.Key_Home)
    QTest.keyClick(page.wrong.list, ENTER)
    assert chosen == [host.node("b"), host.node("c")]


def test_twelve_wrong_nodes_are_listed_and_the_others_counted(host: PanelHost, page: MistakesPage):
    host.open("+".join(f"a{k}" for k in range(14)))
    on(host, "no-seed")
    host.playback.to_end()
    QApplication.processEvents()
    known = len(host.playback.frame.grads)
    assert len(page.wrong.texts()) == 12
    assert page.wrong.more.text() == f"{known - 12} more"
    assert page.wrong.note.text() == f"{known} of {known}"


def test_where_it_is_narrow_a_reason_goes_under_its_numbers(host: PanelHost, page: MistakesPage):
    on(host, "assign", 10)
    rows = page.wrong.list
    beside = [rows.rect_of(k).height() for k in range(4)]
    host.open("c_long=a+b; d=a*b; e=c_long+d; f=c_long*d; y=e+f", {"a": 123456, "b": 345678.25})
    on(host, "assign", 10)
    below = [rows.rect_of(k).height() for k in range(4)]
    assert rows._painter._wraps_below
    assert min(below) > min(beside)
    for row in rows.rows:
        assert not rows._painter.is_cut(row)


def test_the_referee_names_the_columns_of_other_mistakes_otherwise(
    host: PanelHost, page: MistakesPage
):
    on(host, "assign", 10)
    rows = page.referee.list
    assert rows.texts() == [
        "a: numerical ≈ 25, += 25, = by now 1 ✘",
        "b: numerical ≈ 19, += 19, = by now 2 so far",
    ]
    on(host, "recursive")
    host.playback.to_end()
    QApplication.processEvents()
    assert rows.texts()[0] == "a: numerical ≈ 25, correct 25, by now 29 ✘"


# typed numbers


def test_two_leaves_stand_in_a_row_and_wide_names_alone(host: PanelHost, page: MistakesPage):
    def rows() -> list[int]:
        fields = page.printed.fields.values()
        return sorted({field.mapTo(page, field.rect().topLeft()).y() for field in fields})

    assert len(rows()) == 1
    host.open("+".join(f"x{k}" for k in range(10)))
    QApplication.processEvents()
    assert len(page.printed.fields) == 8
    assert len(rows()) == 4
    host.open("weight_one * weight_two")
    QApplication.processEvents()
    assert len(rows()) == 2


def test_what_was_typed_is_judged_by_the_graph_that_is_shown(host: PanelHost, page: MistakesPage):
    QTest.keyClicks(page.printed.fields["a"], "29")
    assert list(page.printed.buttons) == ["recursive"]
    host.document.set_value(host.node("a"), 3.0)
    assert page.printed.sentence.text() == "No mistake of the list gives these numbers."
    host.open("b = a + 0; y = a * b", {"a": 2})
    assert page.printed.fields["a"].text() == ""
    assert page.printed.sentence.text() == NOTHING_TYPED
    host.open("y = b * a", {"a": 2, "b": 3})  # the same names, other nodes
    QTest.keyClicks(page.printed.fields["b"], "0")
    host.open("y = a * b", {"a": 2, "b": 3})
    QTest.keyClicks(page.printed.fields["a"], "2")
    assert list(page.printed.buttons) == ["mul-own-input"]


# the hunt


def test_a_click_chooses_and_enter_checks(host: PanelHost, hunting: HuntRunner, page: MistakesPage):
    hunt(host, hunting, "assign", 7)
    part = page.hunt
    assert len(part.names.rows) == 11
    click_row(part.names, 8)
    assert part.names.rows[8].choice == "chosen"
    assert part.verdict.text() == ""
    QTest.keyClick(part.names, ENTER)
    assert part.verdict.text() == "✘ With × uses its own input, step 4 would send +5 to c."
    assert part.names.rows[8].choice == "wrong"
    assert part.names.texts()[8] == "× uses its own input, ruled out, chosen"
    assert part.names.accessibleName() == "Which mistake is on? 11 choices, 1 ruled out"
    part.guess.setFocus()
    QTest.keyClicks(part.guess, "seed")
    assert part.names.texts() == ["No seed, chosen"]
    QTest.keyClick(part.guess, ENTER)
    assert part.verdict.text().startswith("✘ With No seed")
    part.guess.clear()
    assert part.names.accessibleName() == "Which mistake is on? 11 choices, 2 ruled out"
    assert [row.choice for row in part.names.rows].count("wrong") == 2
    struck = [row.cells[0][0].text for row in part.names.rows if row.cells[0][0].strike]
    assert struck == ["No seed", "× uses its own input"]


def test_what_fits_the_steps_so_far_is_not_ruled_out(
    host: PanelHost, hunting: HuntRunner, page: MistakesPage
):
    hunt(host, hunting, "assign", 3)
    click_row(page.hunt.names, 0)
    click(page.hunt.check)
    assert page.hunt.verdict.text().startswith("✘ The steps so far fit = instead of +=")
    assert hunting.now is not None
    assert hunting.now.ruled_out == frozenset()
    assert page.hunt.names.rows[0].choice == "chosen"


def test_a_name_that_is_typed_chooses_its_mistake_or_none(
    host: PanelHost, hunting: HuntRunner, page: MistakesPage
):
    hunt(host, hunting, "assign")
    part = page.hunt
    QTest.keyClicks(part.guess, "backward")
    assert [row.choice for row in part.names.rows] == ["open", "open"]
    QTest.keyClick(part.guess, ENTER)
    assert "No mistake of the list is called that" in part.verdict.text()
    QTest.keyClick(part.guess, Qt.Key.Key_Down)
    assert part.names.hasFocus()
    assert part.names.rows[0].choice == "chosen"
    QTest.keyClick(part.names, Qt.Key.Key_Down)
    assert [row.choice for row in part.names.rows] == ["open", "chosen"]
    QTest.keyClick(part.names, Qt.Key.Key_Escape)
    assert hunting.now is None


def test_esc_clears_the_field_of_the_hunt_and_then_leaves(
    host: PanelHost, hunting: HuntRunner, page: MistakesPage
):
    hunt(host, hunting, "assign")
    left: list[bool] = []
    page.left.connect(lambda: left.append(True))
    page.hunt.guess.setFocus()
    QTest.keyClicks(page.hunt.guess, "seed")
    QTest.keyClick(page.hunt.guess, Qt.Key.Key_Escape)
    assert hunting.now is not None
    assert page.hunt.guess.text() == ""
    QTest.keyClick(page.hunt.guess, Qt.Key.Key_Escape)
    assert hunting.now is None
    assert left == [True]


def stages(host: PanelHost, hunting: HuntRunner, page: MistakesPage) -> Iterator[str]:
    """Go through a hunt for `= instead of +=`, one stage after the other."""
    hunt(host, hunting, "assign", 3)
    yield "name"
    hunting.show()
    yield "find"
    host.playback.go(6)
    click(page.hunt.step_button)
    yield "explain"
    click_row(page.hunt.reasons, page.hunt.reasons.texts().index(BY_NAME["assign"].sentence))
    yield "fix"
    click_row(page.hunt.lines, 1)
    yield "done"


def test_a_wrong_reason_stays_struck(host: PanelHost, hunting: HuntRunner, page: MistakesPage):
    for stage in stages(host, hunting, page):
        if stage == "explain":
            break
    rows = page.hunt.reasons
    wrong = next(k for k, text in enumerate(rows.texts()) if text != BY_NAME["assign"].sentence)
    click_row(rows, wrong)
    assert rows.rows[wrong].choice == "wrong"
    assert hunting.now is not None
    assert hunting.now.stage == "explain"


def test_nothing_on_the_page_names_a_hidden_mistake(
    host: PanelHost, hunting: HuntRunner, page: MistakesPage
):
    texts = set()
    for rules in MISTAKES[:3]:  # whose first steps are the same
        hunt(host, hunting, rules.name, 3)
        texts.add(words(page))
        hunting.leave()
    assert len(texts) == 1
    assert all(rules.title in next(iter(texts)) for rules in MISTAKES)  # as choices


# the width


@pytest.mark.parametrize("which", ["light", "large"])
def test_whatever_it_shows_the_page_is_no_wider_than_it_may_be(
    host: PanelHost, hunting: HuntRunner, page: MistakesPage, which: str
):
    host.style.set_size(2.0 if which == "large" else 1.0)
    wide = host.style.px(WIDE)
    page.resize(wide, 900)

    def check() -> None:
        QApplication.processEvents()
        content = page.area.widget()
        assert content is not None
        assert content.width() == wide
        for part in page.findChildren(QWidget):
            if part.isVisible() and part is not page:
                assert part.mapTo(page, part.rect().topRight()).x() < wide, part

    for rules in MISTAKES:
        on(host, rules.name)
        host.playback.to_end()
        check()
        click(page.choose.field)
        check()
        click(page.choose.field)
    on(host, "correct")
    check()
    for _stage in stages(host, hunting, page):
        check()
    hunting.leave()
    host.open("+".join(f"(a{k % 7} * b{k % 5} + {k})" for k in range(40)))
    for name in ("assign", "no-zero-grad"):
        on(host, name)
        host.playback.to_end()
        check()
