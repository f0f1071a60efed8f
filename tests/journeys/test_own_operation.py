"""An operation of one's own: written with its rule, judged, kept, used, run wrong, handed on."""

import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget

from app.__main__ import main
from app.canvas.editing.canvas_cards import QuickAdd
from app.panels.numeric.rule_part import RulePart
from app.takeaway.forms import FORMS, KINDS
from app.window.commands.file_actions import export_files, open_drawing
from app.window.dialogs.export_forms import export_of
from app.window.frame.main_window import MainWindow
from engine import Value, load
from engine.asking.rule_judging import as_rules
from engine.formats.expression import read_typed
from engine.formats.native import Drawing, write
from engine.formats.own_formula import own_operation
from engine.graph import Graph
from engine.trace import run
from tests.helpers.mouse import type_into_focus
from tests.helpers.reading import grad, labels
from tests.helpers.sampling import sampled
from tests.helpers.window import click, forget_changes, inspector, node, press, said, until
from tests.journeys.test_frozen_operation import bend
from tests.journeys.test_modes_beside_every_page import MODES, TABS, all_faults, play

BEND = own_operation("bend", "a * sigmoid(a)")
TWICE = own_operation("twice", "bend(x) + maximum(x, y)", "", (BEND,))


@pytest.fixture
def graph() -> Graph:
    graph = read_typed("s = bend(u); L = s*w + twice(s, w)", (), (BEND, TWICE)).named
    return graph.with_values(dict(zip(graph.leaves, (2.0, -1.5), strict=True)))


def rule_face(window: MainWindow) -> RulePart:
    window.commands["write_operation"].trigger()
    return window.bar.get("numeric").rule  # type: ignore[attr-defined]


def write_over(field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    type_into_focus(text)


def judged(part: RulePart) -> str:
    until(lambda: not part._timer.isActive())
    return part.says.text()


def test_a_rule_is_judged_while_it_is_typed_and_kept(window: MainWindow):
    part = rule_face(window)
    assert part.name.hasFocus()
    write_over(part.name, "bend")
    write_over(part.value, "a * sigmoid(a)")
    write_over(part.rule, "a.grad += out.grad * sigmoid(a)")
    assert judged(part) == "✗ Along a. Only one term of the product rule is there."
    assert part.table.count() == 3
    click(part.derive)
    assert part.derivation.text() == "∂out/∂a = sigmoid(a) + a · sigmoid(a) · (1 − sigmoid(a))"
    write_over(part.rule, "a.grad += out.grad * (sigmoid(a) + out * (1 - sigmoid(a)))")
    assert judged(part) == "✓ Right along a."
    assert not part.use.isEnabled()
    click(part.keep)
    assert [op.name for op in window.document.graph.operations] == ["bend"]
    forget_changes(window)


def test_a_kept_operation_is_called_in_formulas_found_by_name_and_a_tile(window: MainWindow):
    window.document.keep_operation(BEND)
    window.expression.field.setFocus()
    type_into_focus("L = bend(x)*w")
    press(window, Qt.Key.Key_Return)
    assert "bend" in [n.op for n in window.document.graph.nodes.values() if hasattr(n, "op")]
    window.document.set_value(node(window, "x"), 2.0)
    window.playback.backward()
    window.playback.to_end()
    sigmoid = 1 / (1 + math.exp(-2))
    slope = sigmoid + 2 * sigmoid * (1 - sigmoid)
    found = window.playback.frame.grads[node(window, "x")]
    assert found == pytest.approx(slope * window.document.graph.leaf_values[node(window, "w")])
    # by its name in quick add, and as a tile
    window.canvas.setFocus()
    window.commands["quick_add"].trigger()
    box = window.canvas.findChild(QuickAdd)
    type_into_focus("ben")
    listed = box.findChild(QListWidget)
    assert listed.item(0).text() == "bend"
    press(window, Qt.Key.Key_Return)
    assert sum(getattr(n, "op", "") == "bend" for n in window.document.graph.nodes.values()) == 2
    assert "op:bend" in window.palette_dock.tiles.shown_keys()
    # undone to before it was kept it is gone there too
    while window.document.done:
        window.document.undo()
    assert "op:bend" not in window.palette_dock.tiles.shown_keys()
    forget_changes(window)


def test_a_wrong_rule_runs_as_a_mistake_does_and_the_check_says_so(
    window: MainWindow, graph: Graph
):
    open_drawing(window.context, Drawing(graph))
    part = rule_face(window)
    window.context.selection.choose([node(window, "s")])
    assert (part.name.text(), part.value.text()) == ("bend", "a * sigmoid(a)")
    write_over(part.rule, "a.grad += out.grad * sigmoid(a)")
    assert judged(part).startswith("✗ Along a.")
    click(part.use)
    window.playback.backward()
    window.playback.to_end()
    wrong = window.playback.frame.grads[node(window, "u")]
    up = window.playback.frame.grads[node(window, "s")]
    assert wrong == pytest.approx(up / (1 + math.exp(-2)))
    assert grad(window.canvas, "u")
    assert any("✘" in text for text in labels(window.canvas).values())
    window.commands["predict"].trigger()
    assert window.playback.now.quiz is None
    assert said(window).startswith("Questions are about the correct pass")
    page = window.bar.get("numeric")
    click(page.face._buttons["check"])  # type: ignore[attr-defined]
    until(lambda: not window.context.checks.waits)
    assert page.verdict.text() == "1 gradient is wrong. ✘"  # type: ignore[attr-defined]
    forget_changes(window)


def test_what_can_not_be_kept_says_why_and_nothing_changes(window: MainWindow, graph: Graph):
    open_drawing(window.context, Drawing(graph))
    before, part = window.document.graph, rule_face(window)
    for name, value, says in (
        ("twice", "a*a", "twice is taken; choose another name."),
        ("tanh", "a*a", "tanh is taken; choose another name."),
        ("mine", "mine(a)", "mine is used in its own formula."),
        ("mine", "tanh(a, a)", "column 1: tanh takes one argument, not 2."),
    ):
        write_over(part.name, name)
        write_over(part.value, value)
        judged(part)
        assert part.refusal.text() == says
        assert not part.keep.isEnabled()
    window.context.selection.choose([node(window, "s")])
    assert part.name.text() == "mine"  # what is typed is not written over
    click(part.new)
    window.context.selection.choose([node(window, "u")])
    window.context.selection.choose([node(window, "s")])
    assert part.name.text() == "bend"
    click(part.delete)
    assert window.document.graph is before
    assert said(window).startswith("bend is used by s")
    forget_changes(window)


@pytest.mark.qt_no_exception_capture
def test_an_operation_made_at_run_time_goes_through_every_mode_and_page(
    window: MainWindow, graph: Graph, tmp_path: Path
):
    path = tmp_path / "own.backwire"
    path.write_text(write(graph), "utf-8")
    with all_faults() as faults:
        open_drawing(window.context, Drawing(load(path)))
        for name in ("s", "L", "u"):
            window.context.selection.choose([node(window, name)])
        window.context.selection.choose([node(window, "s")])
        assert inspector(window).node.formula.text() == "u · sigmoid(u)"
        for mode in sampled([*MODES], 3):
            play(window, mode, TABS[MODES.index(mode) + 1], faults)
        window.document.unfolding.open(node(window, "s"))
        window.document.undo()
        assert window.document.graph == graph
        assert not faults, faults[0]
        forget_changes(window)


def test_each_export_writes_it(window: MainWindow, graph: Graph, tmp_path: Path):
    open_drawing(window.context, Drawing(graph))
    for form in (name for name in KINDS if FORMS[KINDS[name]].maker is None):
        path = tmp_path / f"{form}{FORMS[KINDS[form]].kinds[form]}"
        assert export_files(window.context, export_of(form, path), window), form
        assert path.exists(), form
    assert load(tmp_path / "native.backwire") == graph
    forget_changes(window)


def test_the_command_line_takes_it(graph: Graph, tmp_path: Path, capsys):
    path = tmp_path / "own.backwire"
    path.write_text(write(graph), "utf-8")
    for call in (
        ["run", "{}", "--set", "w=1"],
        ["check", "{}"],
        ["export", "{}", "-o", "{}.html", "--ask", "last"],
        ["export", "{}", "-o", "{}.pdf", "--worksheet"],
        ["export", "{}", "-o", "{}.tex"],
    ):
        assert main([word.format(path) for word in call]) == 0, (call, capsys.readouterr())


def test_handed_in_rules_are_judged_by_grade(tmp_path: Path, capsys):
    folder = tmp_path / "class"
    folder.mkdir()
    for who, rule in (
        ("ada", "a.grad += out.grad * b; b.grad += out.grad * a"),
        ("bob", "a.grad += out.grad * b; b.grad += b"),
        ("eve", "a.grad += __import__('os').getcwd()"),
    ):
        mine = own_operation("mine", "a * b", rule)
        (folder / f"{who}.backwire").write_text(write(Graph(operations=(mine,))), "utf-8")
    (folder / "none.backwire").write_text(write(Graph()), "utf-8")
    assert main(["grade", str(folder / "*.backwire"), "--csv"]) == 1
    out = capsys.readouterr()
    lines = {line.split(",")[0].strip('"'): line for line in out.out.splitlines()}
    assert "2 of 2 slots right" in lines["ada.backwire"]
    assert "1 of 2 slots right" in lines["bob.backwire"]
    assert "own value" in lines["bob.backwire"]
    assert "0 of 2 slots right" in lines["eve.backwire"]
    assert "The sheet has no operation with a backward rule." in lines["none.backwire"]


def test_a_frozen_operation_of_a_program_gets_its_formula_here(window: MainWindow):
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    h = bend(a * b, a)
    y = h * 0.1
    h.label, y.label = "h", "y"
    y.backward()
    open_drawing(window.context, Drawing(y.graph()))
    part = rule_face(window)
    window.context.selection.choose([node(window, "h")])
    assert (part.name.text(), part.value.text()) == ("bend", "")
    write_over(part.value, "a² + b²")
    write_over(part.rule, "2*a*out.grad; 2*b*out.grad")
    assert judged(part) == "✓ Right along a.\n✓ Right along b."
    click(part.keep)
    [op] = window.document.graph.operations
    assert (op.name, op.typed, op.uses) == ("bend", "a² + b²", ())
    # other inputs have a value now, too
    window.document.set_value(node(window, "a"), 1.0)
    window.playback.backward()
    window.playback.to_end()
    found = window.playback.frame.grads[node(window, "a")]
    assert found == pytest.approx(0.1 * (2 * -3 * -3 + 2))
    forget_changes(window)


def test_a_rule_with_an_equals_sign_replaces_over_its_own_wires_alone():
    text = "L = twin(u) + bend(u) + u*u"
    mine = own_operation("twin", "a * 3", "a.grad = out.grad * 3")
    graph = read_typed(text, (), (BEND, mine)).named
    graph = graph.with_values(dict.fromkeys(graph.leaves, 2.0))
    [u] = graph.leaves
    rules = as_rules(mine, graph)
    assert rules is not None
    wrong = run(graph, rules=rules)
    kept = [event for event in wrong.events if event.node == u]
    assert [e.after == e.contribution for e in kept if graph.op(e.sender) == mine] == [True]
    others = [event for event in kept if graph.op(event.sender) != mine]
    assert len(others) == 3
    assert all(e.after == pytest.approx(e.before + e.contribution) for e in others)
    assert wrong.gradients[u] != run(graph).gradients[u]
