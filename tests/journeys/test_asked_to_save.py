"""Whether to save is asked where an edit of the sheet would be lost, and nowhere else."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.document.recovery import state_folder
from app.window.commands import file_actions
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from app.workbench.modes.mode import STEPPING
from engine import from_expression
from engine.formats.files import save
from engine.formats.native import Drawing, read_drawing
from tests.helpers.mouse import click as click_at
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.sampling import is_whole, sampled
from tests.helpers.window import (
    CTRL,
    answer,
    choose_file,
    example_path,
    forget_changes,
    no_question,
    node,
    open_example,
    press,
    question,
    said,
    value,
)

FORMULA = "tanh(w*x + b)"


def type_formula(window: MainWindow, text: str) -> None:
    window.activateWindow()  # a dialog may have closed before
    QApplication.processEvents()
    field = window.expression.field
    click_at(field, field.viewport().rect().center())
    field.selectAll()
    type_into_focus(text)
    key(Qt.Key.Key_Return)
    QApplication.processEvents()


# ways to open


def example(window: MainWindow, _folder: Path) -> None:
    open_example(window, "neuron")


def own_file(window: MainWindow, folder: Path) -> None:
    file_actions.open_file(window.context, _mine(folder))


def file_without_places(window: MainWindow, folder: Path) -> None:
    save(from_expression(FORMULA), folder / "formula.py")
    file_actions.open_file(window.context, folder / "formula.py")


def start_page(window: MainWindow, _folder: Path) -> None:
    file_actions.open_expression(window.context, FORMULA)


def typed_on_nothing(window: MainWindow, _folder: Path) -> None:
    file_actions.new(window.context)
    type_formula(window, FORMULA)


def typed_over_an_example(window: MainWindow, _folder: Path) -> None:
    open_example(window)
    type_formula(window, FORMULA)


def typed_equal(window: MainWindow, _folder: Path) -> None:
    open_example(window)
    type_formula(window, "e=a*b;  d=e+a;  L=d*f")


def handed_over(window: MainWindow, _folder: Path) -> None:
    file_actions.open_drawing(window.context, Drawing(from_expression(FORMULA)))


def after_discarded_remains(window: MainWindow, _folder: Path) -> None:
    window.context.files.document_file.rescue(read_drawing(example_path().read_text()), None)
    file_actions.open_example(window.context, "neuron")
    answer(window, "Discard")


def a_file_after_discarded_remains(window: MainWindow, folder: Path) -> None:
    window.context.files.document_file.rescue(read_drawing(example_path().read_text()), None)
    file_actions.open_file(window.context, _mine(folder))
    answer(window, "Discard")


def undone(window: MainWindow, _folder: Path) -> None:
    open_example(window)
    window.document.set_value(node(window, "a"), 7.0)
    press(window, "z", modifier=CTRL)


def set_back(window: MainWindow, _folder: Path) -> None:
    open_example(window)
    for number in (7.0, 2.0):
        window.document.set_value(node(window, "a"), number)


OPENED = (
    example,
    own_file,
    file_without_places,
    start_page,
    typed_on_nothing,
    typed_over_an_example,
    typed_equal,
    handed_over,
    after_discarded_remains,
    a_file_after_discarded_remains,
    undone,
    set_back,
)


def _mine(folder: Path) -> Path:
    mine = folder / "mine.backwire"
    mine.write_bytes(example_path().read_bytes())
    return mine


# what only looks


def steps(window: MainWindow) -> None:
    window.playback.backward()
    for _ in range(3):
        window.playback.step()
    window.playback.to_end()
    window.playback.leave()


def descent(window: MainWindow) -> None:
    window.context.descents.toggle()
    window.context.descents.toggle()


def modes(window: MainWindow) -> None:
    for name in ("cover", "predict", "by_hand"):
        window.commands[name].trigger()
        QApplication.processEvents()
        window.playback.set_mode(STEPPING)
        window.playback.leave()


def moves_the_view(window: MainWindow) -> None:
    window.canvas.camera.set_zoom(0.7)
    window.canvas.camera.pan_by(QPointF(40, 10))
    window.canvas.framing.fit_all()
    window.resize(1300, 800)


def selects(window: MainWindow) -> None:
    window.commands["select_all"].trigger()
    window.selection.clear()
    click_at(window.canvas, QPoint(5, 5))


LOOKS = (steps, descent, modes, moves_the_view, selects)


# ways to leave


def closes(window: MainWindow) -> None:
    window.close()
    QApplication.processEvents()


def opens_an_example(window: MainWindow) -> None:
    open_example(window, "square")


def opens_a_file(window: MainWindow) -> None:
    file_actions.open_file(window.context, example_path("square"))


def begins_anew(window: MainWindow) -> None:
    file_actions.new(window.context)


LEAVES = (opens_an_example, opens_a_file, begins_anew, closes)


@pytest.mark.parametrize("opened", sampled(OPENED, 4))
def test_what_was_only_looked_at_is_left_without_a_question(window, qtbot, tmp_path, opened):
    opened(window, tmp_path)
    qtbot.waitUntil(lambda: not window.canvas.auto_layout.running, timeout=60_000)
    for look in LOOKS:
        look(window)
        assert not window.context.files.unsaved, look.__name__
    assert not window.isWindowModified()
    assert "edited" not in window.top_line.name.text()
    closes(window)
    assert no_question(window)
    assert not window.isVisible()


EDITED = (example, own_file, start_page, typed_over_an_example, after_discarded_remains)


def test_an_edit_is_asked_about_however_it_would_be_lost(window, tmp_path):
    for k, opened in enumerate(EDITED):
        for leaves in LEAVES if is_whole() else (LEAVES[k % len(LEAVES)],):
            opened(window, tmp_path)
            leaf = next(iter(window.document.graph.leaves))
            window.document.set_value(leaf, 7.25)
            case = f"{opened.__name__}, {leaves.__name__}"
            assert window.isWindowModified(), case
            before = window.document.graph  # a layout of the sheet may still come
            leaves(window)
            assert "Save the changes" in question(window).text(), case
            answer(window, "Cancel")
            assert window.document.graph is before, case
            forget_changes(window)


def begins_a_lesson(window: MainWindow) -> None:
    begin_lesson(window.context, "missing-plus")


@pytest.mark.parametrize("leaves", [begins_anew, opens_a_file, begins_a_lesson])
def test_the_question_promises_back_what_comes_back(window: MainWindow, leaves):
    open_example(window)
    window.document.set_value(node(window, "a"), 7.25)
    edited = window.document.graph
    leaves(window)
    promised = "Back to my graph brings them back" in question(window).informativeText()
    answer(window, "Discard")
    assert window.document.graph is not edited
    window.commands["lesson_back_to_graph"].trigger()
    assert (window.document.graph is edited) == promised


def test_looking_into_a_group_is_no_edit_and_renaming_it_is(window: MainWindow):
    open_example(window)
    document = window.document
    group = document.groups.make([node(window, "e"), node(window, "d")])
    assert group is not None
    assert document.modified
    forget_changes(window)
    for collapsed in (False, True, False):
        document.groups.collapse(group, collapsed)
        assert not document.modified
    document.groups.rename(group, "inner")
    assert document.modified


def test_recovered_work_is_asked_about_until_it_is_saved(window: MainWindow, tmp_path: Path):
    rescue = window.context.files.document_file.rescue
    rescue(read_drawing(example_path().read_text()), None)
    closes(window)
    question(window)
    answer(window, "Save")
    choose_file(window, tmp_path / "saved.backwire")
    assert not window.document.modified
    assert not list((state_folder() / "unsaved").glob("*.backwire"))


# a formula typed over a graph


def test_a_formula_that_is_no_edit_begins_a_sheet_of_its_own(window: MainWindow, tmp_path: Path):
    own_file(window, tmp_path)
    before, content = window.document.sheet, (tmp_path / "mine.backwire").read_bytes()
    type_formula(window, FORMULA)
    assert window.document.path is None
    assert window.top_line.name.text() == FORMULA
    assert said(window) == "This is a new sheet. Undo brings back mine.backwire."
    assert [value(window, name) for name in "wxb"] == [1.0, 1.0, -3.0]  # b was on that sheet
    press(window, "s", modifier=CTRL)  # asks where
    choose_file(window, tmp_path / "other.backwire")
    assert (tmp_path / "mine.backwire").read_bytes() == content
    assert window.document.title == "other.backwire"
    press(window, "z", modifier=CTRL)
    assert window.document.sheet is before
    assert window.top_line.name.text() == "mine.backwire"
    assert not window.document.modified
    window.document.set_value(node(window, "a"), 5.0)
    press(window, "s", modifier=CTRL)  # no other program has written it
    assert no_question(window)
    assert (tmp_path / "mine.backwire").read_bytes() != content


def test_edits_behind_a_typed_formula_are_asked_about(window: MainWindow):
    open_example(window)
    window.document.set_value(node(window, "a"), 5.0)
    type_formula(window, FORMULA)
    begins_anew(window)
    assert question(window).text() == f"Save the changes to {FORMULA}?"
    answer(window, "Cancel")
    press(window, "z", modifier=CTRL)
    assert window.top_line.name.text() == "Shared leaf, edited"
    press(window, "z", modifier=CTRL)
    assert window.top_line.name.text() == "Shared leaf"


def test_redo_goes_to_the_typed_sheet_and_its_file(window: MainWindow, tmp_path: Path):
    open_example(window)
    type_formula(window, FORMULA)
    window.context.files.document_file.save(tmp_path / "mine.backwire")
    titles: list[tuple[str, bool]] = []
    for act in (window.document.undo, window.document.redo):
        act()
        titles.append((window.document.title, window.document.modified))
    assert titles == [("Shared leaf", False), ("mine.backwire", False)]


def test_a_formula_beside_other_parts_stays_on_their_sheet(window: MainWindow, tmp_path: Path):
    own_file(window, tmp_path)
    window.document.paste(Drawing(from_expression("z*z")), (0.0, 900.0))
    path = window.document.path
    type_formula(window, "(a - w)**2 + 1")
    assert window.document.path == path
    assert value(window, "a") != value(window, "w")
    assert value(window, "z") == 1.0
