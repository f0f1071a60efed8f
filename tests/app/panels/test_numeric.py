"""The page Numeric, the command line and an exact oracle say the same of random graphs."""

import json
import math
import random
from itertools import product

import mpmath
import numpy  # noqa: F401  (the plot imports it in a thread; approx trips over half of it)
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.__main__ import main
from app.panels.numeric import NumericPage
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.trials.checking import CheckRow, checkable_nodes, overall_verdict, rows, summary
from app.workbench.trials.gradient_checks import CLOSED, Checks
from engine import EngineError, from_expression
from engine.formats.native import write
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.numbers import full
from engine.ops import OPS, never
from engine.rules import MISTAKES
from tests.helpers.exact import EXACT, Dual
from tests.helpers.sampling import sampled

CLOSE = 1e-7
"""Relative distance within which the oracle agrees; rounding of tame numbers is far below it."""
TAME = 1e4
WIDE = 560
"""A width in px that all columns have their longest texts in."""
WAYS = (("exact",), ("forward", "--h", "0.001"), ("central", "--method", "central"))
KINKED = [op for op in OPS if op.kink is not never]


def random_graph(seed: int) -> Graph:
    """A graph of up to nine nodes; half of them hold whole numbers, which lie on kinks."""
    dice = random.Random(seed)
    nodes: dict[int, Node] = {}
    for number in range(1, dice.randint(3, 9)):
        if number < 3 or dice.random() < 0.2:
            value = float(dice.randint(-2, 2)) if seed % 2 else dice.uniform(-2, 2)
            kind = Constant if number > 2 and dice.random() < 0.3 else Leaf
            nodes[number] = kind(value, f"x{number}")
        else:
            op = dice.choice(KINKED if seed % 2 and dice.random() < 0.4 else OPS)
            inputs = tuple(dice.randint(max(1, number - 4), number - 1) for _slot in op.slots)
            nodes[number] = OpNode(op.name, inputs, f"x{number}")
    root = len(nodes) + 1
    return Graph({**nodes, root: Root(root - 1)}, root, root + 1)


def tame(x) -> bool:
    return not isinstance(x, mpmath.mpc) and mpmath.isfinite(x) and abs(x) <= TAME


def slope(graph: Graph, leaf: int) -> float | None:
    """The exact derivative of the root along a leaf; None where a number is not tame."""
    assert graph.root is not None
    found: dict[int, Dual] = {}
    for node in graph.plan(graph.root).order:
        part = graph.nodes[node]
        if isinstance(part, OpNode):
            try:
                found[node] = EXACT[part.op](*(found[s] for s in part.inputs if s is not None))
            except (ArithmeticError, ValueError):
                return None
        else:
            assert isinstance(part, Leaf | Constant)
            found[node] = Dual(mpmath.mpf(part.value), mpmath.mpf(node == leaf))
        if any(
            not mpmath.isfinite(x) or abs(x) > TAME for x in (found[node].at, found[node].speed)
        ):
            return None
        if isinstance(found[node].at, mpmath.mpc) or isinstance(found[node].speed, mpmath.mpc):
            return None
    return float(found[graph.root].speed)


def shown(host, checks: Checks) -> NumericPage:
    followed = host.playback, host.selection, checks
    return host.show(NumericPage(host.style, host.document, *followed, host.settings), WIDE)


@pytest.fixture
def checks(host) -> Checks:
    found = Checks(host.playback)
    found._slices._clock = lambda: 0.0  # a slice ends with the work, however slow the machine is
    return found


@pytest.fixture
def panel(host, checks) -> NumericPage:
    return shown(host, checks)


def all_checked(host, checks: Checks) -> None:
    host.qtbot.waitUntil(lambda: not checks.waits, timeout=60_000)


@pytest.mark.parametrize("wide", [WIDE, 320, 300])
@pytest.mark.parametrize("size", [1.0, 2.0])
def test_where_width_is_scarce_heads_names_and_differences_give_way_and_digits_never(
    host, panel, checks, wide: int, size: float
):
    host.style.set_size(size)
    text = "loss_total = tanh(weight_one * x_long_name + bias)"
    values = {"weight_one": 0.3, "x_long_name": 0.7, "bias": -0.1}
    host.document.replace_graph(from_expression(text, values))
    all_checked(host, checks)
    panel.resize(host.style.px(wide), panel.height())
    cells, table = panel.table.cells(), panel.table
    assert [row[2] for row in cells] == [full(row.numerical) for row in checks.rows]
    assert [row[1] for row in cells] == [host.style.short(row.backward) for row in checks.rows]
    painter = table._painter
    for row in table.rows:
        assert not painter.is_cut(row), row.spoken
    heads = ["".join(span.text for span in head) for head in painter.heads]
    if wide == WIDE:
        assert heads[1:] == ["∂lo…tal/∂x", "(lo…tal(x+h) − lo…tal(x)) ÷ h", "off by"]
        assert cells[0][0] == "weight_one"
    elif wide == 300:
        assert heads[1:] == ["grad", "numerical", ""]
        assert (len(cells[0][0]), cells[0][3]) == (6, "✓")


def on_command_line(graph: Graph, path, capsys, *more: str) -> tuple[int, dict]:
    file = path / "graph.backwire"
    file.write_text(write(graph))
    code = main(["check", str(file), *more, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_panel_command_line_and_oracle_agree_and_no_kink_is_an_error(
    host, panel, checks, tmp_path, capsys
):
    seeds = sampled(range(300), 37, first=13)  # even ones and odd ones; 13 has a kink
    for k, (seed, (method, *options)) in enumerate(product(seeds, WAYS)):
        if k % 3 == 0:
            host.document.replace_graph(random_graph(seed))
        graph = host.document.graph
        checks.set_method(method)
        all_checked(host, checks)
        code, answer = on_command_line(graph, tmp_path, capsys, *options)
        assert answer["passed"] == all(row.verdict == "agrees" for row in checks.rows), seed
        assert code == (not answer["passed"])
        assert len(checks.rows) == checks.total == len(answer["leaves"])
        for row, texts in zip(checks.rows, panel.table.cells(), strict=True):
            told = answer["leaves"][row.name]
            assert (row.verdict, row.reason) == (told["verdict"], told["reason"])
            assert row.verdict != "differs"
            assert texts[0] == row.name
            short = host.style.short
            assert texts[1] == ("∅" if told["grad"] is None else short(float(told["grad"])))
            assert texts[2] == full(float(told["numerical"]))
            if row.verdict == "can't tell":
                assert texts[3].endswith("?")
                assert row.doubt
            else:
                assert texts[3].endswith("✓") or row.backward is None
            if row.verdict == "agrees":
                assert_right(graph, row)


def assert_right(graph: Graph, row: CheckRow) -> None:
    exact = slope(graph, row.node)
    if exact is not None and row.backward is not None:
        assert row.backward == pytest.approx(exact, rel=CLOSE, abs=CLOSE)


STEPS = [*(10.0**-k for k in range(0, 20, 2)), 1e-300, 5e-324, 1e5, 1e300]


@pytest.mark.parametrize("method", ["forward", "central"])
def test_no_method_and_no_h_claims_more_than_its_number_proves(method):
    """What is said to be right is, and its own number is within a tenth of the exact slope."""
    told = {"agrees": 0, "can't tell": 0}
    for seed in sampled(range(120), 3):
        graph = random_graph(seed)
        for h in STEPS:
            for row in rows(graph, method=method, h=h):
                told[row.verdict] += 1  # none differs
                exact = slope(graph, row.node)
                if row.verdict == "agrees" and row.backward is not None and exact is not None:
                    assert_right(graph, row)
                    allowed = 0.1 * (abs(exact) or 1.0) + CLOSE
                    assert abs(row.numerical - exact) <= allowed, (seed, h, row)
                assert bool(row.doubt) == (row.verdict == "can't tell")
    assert min(told.values()) > 200


@pytest.mark.parametrize("method", ["forward", "central"])
def test_a_wrong_gradient_is_never_said_to_be_right_nor_at_a_tiny_h_to_be_wrong(method):
    graph = from_expression("y = a*a + a*sin(a)", {"a": 3})
    for h in STEPS:
        (row,) = rows(graph, rules=MISTAKES[0], method=method, h=h)
        assert row.verdict == ("differs" if 1e-13 < h < 0.5 else "can't tell"), h


def test_enough_of_the_random_graphs_are_compared_with_the_oracle():
    compared = kinks = 0
    for seed in range(300):  # cheap: no window, and no other method
        graph = random_graph(seed)
        for row in rows(graph):
            compared += row.verdict == "agrees" and slope(graph, row.node) is not None
            kinks += row.doubt == "kink"
    assert compared > 250
    assert kinks > 12


def test_nothing_is_computed_while_the_panel_is_hidden(host, panel, checks):
    host.open("y = a*b", {"a": 2, "b": 3})
    assert [row.backward for row in checks.rows] == [3, 2]
    panel.hide()
    host.document.set_value(host.node("a"), 5.0)
    assert checks.rows == []
    assert checks.verdict != "agrees"
    panel.show()
    assert [row.backward for row in checks.rows] == [3, 5]


def test_a_large_graph_is_checked_between_events(host, panel, checks):
    host.open("+".join(["a*sin(b)"] * 150), {"a": 2, "b": 3})
    checks.set_all_nodes(True)
    assert len(checks.rows) < checks.total
    assert "are checked" in panel.verdict.text()
    all_checked(host, checks)
    assert checks.verdict == "agrees"
    assert panel.verdict.text() == f"All {checks.total:,} gradients are right. ✓"


def test_a_large_graph_that_can_not_run_says_why(host, panel, checks):
    host.open("+".join(["a*sin(b)"] * 150), {"a": 2, "b": 3})
    graph = host.document.graph
    host.selection.choose((host.node("a"),))
    assert graph.root is not None
    host.document.wires.disconnect(graph.root, 0)
    all_checked(host, checks)
    assert "slot" in checks.said
    assert checks.rows == []


def test_while_a_learner_is_asked_nothing_is_shown(host, panel, checks):
    host.open_shared(cursor=2)
    assert checks.rows
    modes = QuizRunner(host.playback)
    modes.toggle(cover=True)
    assert checks.rows == []
    assert panel.table.cells() == []
    assert checks.said == CLOSED
    modes.leave()
    assert checks.rows
    modes.toggle()
    host.playback.go(host.playback.frame.total)
    QApplication.processEvents()
    assert checks.rows, "at the end of the pass everything has been asked"


@pytest.mark.parametrize(
    ("text", "values", "h", "said"),
    [
        ("y = relu(a)", {"a": 0}, 0.001, "relu has no slope at 0"),
        ("y = log(a)", {"a": 0}, 0.001, "infinite or nan"),
        ("y = exp(a)", {"a": 1}, 1e-15, "h is too small"),
        ("y = a*a", {"a": 3}, 1.0, "h is too large"),
        ("y = a*a", {"a": 30}, 1.0, "A smaller h is closer."),
        ("b = 2*a; y = 3*c + b*0", {"a": 3, "c": 1}, 1.0, "Both ways give the same."),
    ],
)
def test_a_row_says_why(host, panel, text, values, h, said):
    host.open(text, values)
    panel.step.changed.emit(h)
    all_checked(host, panel._checks)
    host.selection.choose((host.node("a"),))
    assert said in panel.words.text()


def test_all_nodes_are_checked_on_request(host, panel, checks):
    host.open("e = a*b; y = e*e + 3", {"a": 2, "b": 3})
    panel.all_nodes.click()
    all_checked(host, checks)
    assert [row.name for row in checks.rows] == ["a", "b", "e", *(r.name for r in checks.rows[3:])]
    assert len(checks.rows) == len(checkable_nodes(host.document.graph)) == 5
    assert overall_verdict(checks.rows) == "agrees"


def test_a_mistake_is_found_and_said(host, panel, checks: Checks):
    host.open("y = a*a", {"a": 3})
    host.playback.set_rules(next(rules for rules in MISTAKES if rules.name == "assign"))
    assert [row.verdict for row in checks.rows] == ["differs"]
    assert panel.verdict.text() == "1 gradient is wrong. ✘"
    assert panel.table.texts() == ["a: backward 3, numerical 6.000999999999479, wrong"]
    assert checks.verdict != "agrees"


def test_a_summary_counts_what_can_not_be_compared():
    found = list(rows(from_expression("y = relu(a) + b + c", {"a": 0, "b": 1, "c": 1})))
    assert summary(found) == "2 gradients are right. For 1 the check can't tell."
    assert (
        summary(list(rows(from_expression("y = relu(a)", {"a": 0})))) == "1 gradient: can't tell."
    )
    both = from_expression("y = relu(a) + abs(b)", {"a": 0, "b": 0})
    assert summary(list(rows(both))) == "2 gradients: can't tell."
    assert summary(list(rows(from_expression("y = 2*a")))) == "The gradient is right."
    assert overall_verdict(found) == "can't tell"


def test_a_leaf_without_a_path_is_counted_neither_right_nor_wrong():
    one = list(rows(from_expression("b = 2; y = 2*a")))
    assert summary(one) == "The gradient is right."
    none = list(rows(from_expression("b = 2; y = 2 + 3")))
    assert "no gradient to check" in summary(none)
    assert overall_verdict(none) is None


def test_a_step_of_0_is_refused():
    with pytest.raises(EngineError):
        list(rows(from_expression("y = a*a"), method="forward", h=0.0))


def test_a_difference_of_what_is_no_number_is_no_number():
    (row,) = rows(from_expression("y = log(a)", {"a": 0}), method="forward")
    assert not math.isfinite(row.difference)


def test_a_row_that_can_not_tell_says_so_and_another_h_is_offered(host, panel, checks: Checks):
    host.open("e = a*b; d = e + c; L = d*f", {"a": 2, "b": -3, "c": 10, "f": -2})
    assert panel.other_h.isHidden()
    assert checks.verdict == "agrees"
    panel.step.changed.emit(1e-15)
    assert panel.verdict.text() == "4 gradients: can't tell."
    assert [texts[3][-1] for texts in panel.table.cells()] == ["?"] * 4
    assert checks.verdict == "can't tell"
    assert panel.other_h.text() == "Take h = 0.001"
    host.qtbot.mouseClick(panel.other_h, Qt.MouseButton.LeftButton)
    assert (checks.h, panel.step.field.value()) == (0.001, 0.001)
    assert panel.verdict.text() == "All 4 gradients are right. ✓"
    assert panel.other_h.isHidden()


def test_no_other_h_is_offered_where_it_would_not_help(host, panel, checks: Checks):
    host.open("y = abs(a)", {"a": 0})
    panel.step.changed.emit(0.5)
    assert checks.verdict == "can't tell"
    assert panel.other_h.isHidden()
    checks.set_method("exact")
    assert checks.verdict == "can't tell"
    assert panel.other_h.isHidden()
