import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest

from app.document.typed_formulas import single_line
from app.panels.expression_bar import ExpressionBar
from app.panels.status_line import StatusLine
from app.workbench.adding import meaning
from engine.formats.expression import read_typed, write
from engine.formats.native import Drawing
from engine.graph import Constant, Graph
from tests.helpers.formulas import FORMS, MEANING


def type_over(qtbot, bar: ExpressionBar, text: str, enter: bool = True) -> None:
    bar.field.setFocus()
    bar.field.selectAll()
    qtbot.keyClicks(bar.field, text)
    if enter:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)


def wiring(graph: Graph) -> str:
    """The assignments, without the numbers of leaves, which are drawn."""
    return write(graph, values=False).replace("π", "3.141592653589793")


@pytest.fixture
def bar(host) -> ExpressionBar:
    return host.show(ExpressionBar(host.style, host.document, host.playback), 900, 40)


def test_the_bar_shows_the_graph_as_assignments_and_its_leaves(host, bar):
    assert bar.text() == ""
    host.open_shared()
    assert bar.text() == "e = a*b; d = e + a; L = d*f"
    assert bar.chips.shown() == ["a 2", "b −3", "f −2"]


def test_something_missing_at_the_end_is_marked_at_the_last_character(qtbot, bar):
    height = bar.height()
    type_over(qtbot, bar, "a*")
    assert bar.height() == height
    assert "something is missing here" in bar.error()
    assert bar.field.error_range() == (1, 1)


@pytest.mark.parametrize("keys", [(), (Qt.Key.Key_Delete,)])
def test_enter_on_an_unchanged_or_an_empty_text_does_nothing(host, qtbot, bar, keys):
    host.open_shared()
    steps = len(host.document.steps)
    bar.field.setFocus()
    bar.field.selectAll()
    for key in (*keys, Qt.Key.Key_Return):
        qtbot.keyClick(bar.field, key)
    assert len(host.document.steps) == steps
    assert bar.text() == "e = a*b; d = e + a; L = d*f"


def test_lines_that_are_pasted_are_joined(host, qtbot, bar):
    mime = QMimeData()
    mime.setText("c = a + b\n\nd = a*b;\ny = c*d\n")
    bar.field.insertFromMimeData(mime)
    assert bar.text() == "c = a + b; d = a*b; y = c*d"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert host.document.graph.node_named("y") is not None
    assert single_line("a") == "a"


@pytest.mark.parametrize("width", [300, 520, 1100])
def test_the_bar_says_plainly_that_it_can_only_be_read(host, width, bar):
    bar.resize(width, bar.height())
    host.open("y = a*b")
    assert not bar.note.isVisible()
    host.document.wires.disconnect(host.node("y"), 1)
    assert bar.note.isVisible()
    assert bar.note.text() == "read-only: 1 slot is empty"
    assert bar.note.shown_text().startswith("read-only")
    assert bar.note.geometry().right() < bar.width()
    assert bar.field.width() >= bar.width() * 0.25
    host.document.wires.disconnect(host.node("y"), 0)
    assert bar.note.text() == "read-only: 2 slots are empty"
    assert bar.field.toolTip().startswith("2 slots are empty (?).")
    host.document.undo()
    host.document.undo()
    assert not bar.note.isVisible()


def test_what_is_typed_keeps_ids_and_places_of_what_it_shares(host, qtbot, bar):
    host.open_shared()
    before = dict(host.document.positions)
    names = dict(host.document.graph.names)
    type_over(qtbot, bar, "e = a*b; d = tanh(e) + a; L = d*f")
    after = host.document.graph
    assert {n: after.names[n] for n in names} == names
    assert {n: host.document.positions[n] for n in before} == before
    assert host.document.done[-1].name == "Edit expression"


def test_a_value_that_changes_moves_the_chip_and_not_the_text(host, bar):
    host.open_shared()
    bar.field.selectAll()
    host.document.set_value(host.node("a"), 2.5)
    assert bar.chips.shown()[0] == "a 2.5"
    assert bar.field.textCursor().hasSelection()


def test_a_constant_that_changes_shows_in_the_text(host, bar):
    host.open("y = a*2")
    constant = next(
        n for n, found in host.document.graph.nodes.items() if isinstance(found, Constant)
    )
    host.document.set_value(constant, 5.0)
    assert bar.text() == "y = a*5"


def test_a_click_on_a_chip_chooses_its_leaf(host, qtbot, bar):
    host.open_shared()
    chip = bar.chips.chip(host.node("b"))
    assert chip is not None
    with qtbot.waitSignal(bar.leaf_chosen) as chosen:
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert chosen.args == [host.node("b")]


def test_chips_without_room_are_counted(host, bar):
    bar.resize(420, bar.height())
    host.open("y = " + " + ".join(f"weight{k}" for k in range(20)))
    shown = bar.chips.shown()
    assert 0 < len(shown) < 20
    assert bar.chips.width() < bar.width() // 2 + 40
    bar.resize(200, bar.height())
    assert len(bar.chips.shown()) < len(shown)


def test_a_graph_too_large_to_read_is_not_written_out(host, bar):
    host.open("y = " + "+".join(["a"] * 1500))
    assert bar.text() == ""
    assert "1,501 nodes" in bar.field.placeholderText()


def test_the_window_gets_undo_when_nothing_was_typed(host, qtbot, bar):
    host.open_shared()
    assert not bar.field.document().isUndoAvailable()
    qtbot.keyClicks(bar.field, "x")
    assert bar.field.document().isUndoAvailable()


def test_every_look_can_be_painted(host, all_looks, bar):
    host.open_shared()
    for look in all_looks():
        assert bar.height() == host.style.px(32), look
        assert bar.field.height() < bar.height()
        assert not bar.grab().isNull()


def test_after_an_error_one_goes_on_typing_where_one_was(qtbot, bar):
    type_over(qtbot, bar, "y = tanh(a*)b")
    assert bar.error()
    cursor = bar.field.textCursor()
    assert cursor.position() == len("y = tanh(a*)b")
    qtbot.keyClicks(bar.field, " + c")
    assert bar.text() == "y = tanh(a*)b + c"


def test_each_form_of_a_formula_gives_its_graph_in_the_bar_and_in_quick_add(host, qtbot, bar):
    for text, meant, *_remark in FORMS:
        host.document.start(Drawing(Graph()))
        before = host.document.graph
        bar.field.set_text(text)
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
        entry = meaning(text)
        if meant.startswith("✗"):
            assert bar.text() == text, text
            assert MEANING[text] in bar.error(), text
            assert host.document.graph is before, text
            assert not entry.drawing, text
            continue
        assert bar.error() == "", text
        assert bar.text() == single_line(text), text
        plain = read_typed(meant).graph
        assert wiring(host.document.graph) == wiring(plain), text
        if entry.drawing is not None:  # a name or a leaf with its value is none
            host.document.start(Drawing(Graph()))
            host.document.add_formula(text, (0.0, 0.0))
            assert wiring(host.document.graph) == wiring(plain), text


@pytest.mark.parametrize(("text", "remark"), [
    ("e^x", "e is Euler's number here."), ("2πr", "π is 3.14159…"),
    ("y=wx+b", "wx is one name; for a product write w*x."), ("a*b", ""), ("lr*b", ""),
    ("(ab + c)f", "ab is one name; for a product write a*b."),
    ("tanh(x1w1 + b)", "x1w1 is one name; for a product write x1*w1."),
])  # fmt: skip
def test_the_status_line_has_how_a_formula_was_understood(host, qtbot, bar, text, remark):
    line = host.show(StatusLine(host.style, host.document, host.playback), 900, 30)
    bar.field.set_text(text)  # `keyClicks` can't type π
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert remark in line.text()
    assert "here." not in line.text() or remark
    host.document.undo()
    assert not remark or remark not in line.text()


def test_a_node_called_e_is_no_number(host, qtbot, bar):
    host.open_shared()
    type_over(qtbot, bar, "e = a*b; d = e^a; L = d*f")
    host.document.undo()
    assert host.document.graph.label(host.document.graph.node_named("e")) == "e"
    type_over(qtbot, bar, "L = e^a")
    assert host.document.graph.node_named("e") in host.document.graph.leaves


def test_the_lines_of_a_program_are_pasted_as_their_formula(host, qtbot, bar):
    mime, said = QMimeData(), []
    bar.said.connect(said.append)
    mime.setText("# inputs\na = Value(2.0, label='a')\nb = a*3\nfor k in range(3):\n  print(k)\n")
    bar.field.selectAll()
    bar.field.insertFromMimeData(mime)
    assert bar.text() == "a = 2; b = a*3"
    assert said == ["Read as straight lines of a program; passed over: line 4."]
    assert bar.error() == ""  # a remark is no error
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert host.document.graph.leaf_values == {1: 2.0}
    mime.setText("a = Value(2)\nb = (")
    bar.field.selectAll()
    bar.field.insertFromMimeData(mime)
    assert bar.error() == "Line 2, column 5: this can't be read as Python."
    assert bar.text() == "a = 2; b = a*3"
