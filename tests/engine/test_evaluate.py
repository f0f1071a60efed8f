"""The shortest way in: evaluate, from_expression, and the names that others rely on."""

import doctest
import math
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import FormatError, evaluate, from_expression
from engine.formats.native import read_drawing
from engine.graph import Leaf
from tests.helpers.tables import in_turn


def test_a_value_and_its_gradients():
    found = evaluate("(a*b + a) * f", a=2, b=-3, f=-2)
    assert found.value == 8.0
    assert found.grads == {"a": 4.0, "b": -4.0, "f": -4.0}


def test_names_of_arguments_are_free():
    assert evaluate("self*expression", self=2, expression=3).grads == {"self": 3, "expression": 2}


def test_a_leaf_that_is_not_set_is_one():
    assert evaluate("a + b", a=2).value == 3.0


def test_a_leaf_without_a_path_has_no_gradient():
    assert evaluate("a = 1; b = 2*c; y = 3*c").grads == {"a": None, "c": 3.0}


def test_constants_have_no_gradient():
    assert evaluate("2*3").grads == {}
    assert evaluate("2*3").value == 6.0


def test_a_graph_from_an_expression_takes_values():
    graph = from_expression("y = a*b", {"a": 2})
    assert graph.root_name == "y"
    assert list(graph.nodes.values())[:2] == [Leaf(2.0, "a"), Leaf(1.0, "b")]
    assert from_expression("y = a*b") == from_expression("y = a*b", {})


@in_turn(
    ("expression", "values", "sentence"),
    [
        ("", {}, "The expression is empty."),
        ("a", {"b": 1}, "No leaf is called b; the leaves are a."),
        ("y = a + 1", {"y": 1}, "No leaf is called y; the leaves are a."),
        ("2 + 3", {"a": 1}, "No leaf is called a; there is no leaf."),
        ("+".join(f"a{k}" for k in range(14)), {"b": 1}, None),
        ("a", {"a": "2"}, "a: '2' is no number."),
        ("a", {"a": None}, "a: None is no number."),
        ("a", {"a": 10**400}, "a: This whole number is too large."),
    ],
)
def test_bad_input_is_one_sentence(expression, values, sentence):
    with pytest.raises(FormatError) as caught:
        evaluate(expression, **values)
    if sentence is None:
        sentence = (
            "No leaf is called b; the leaves are a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 "
            "and 2 more."
        )
    assert str(caught.value) == sentence


def test_values_may_be_anything_that_is_a_number():
    import numpy as np

    assert evaluate("a*2", a=np.float64(3)).value == 6.0
    assert evaluate("a*2", a=True).value == 2.0
    assert math.isnan(evaluate("a*2", a=math.nan).value)


def test_importing_the_engine_loads_nothing_large():
    code = "import sys, engine; print(sorted(set(sys.modules) & set(sys.argv[1:])))"
    large = ["networkx", "numpy", "PySide6", "pygraphviz", "ziamath", "PIL", "engine.value"]
    found = subprocess.run(
        [sys.executable, "-c", code, *large], capture_output=True, text=True, check=True
    )
    assert found.stdout == "[]\n"


ENGINE = Path(engine.__file__).parent
USING = ENGINE.parent / "docs" / "using.md"
WITH_EXAMPLES = sorted(
    ".".join(file.relative_to(ENGINE.parent).with_suffix("").parts).removesuffix(".__init__")
    for file in ENGINE.rglob("*.py")
    if ">>> " in file.read_text("utf-8")
)


@in_turn("name", WITH_EXAMPLES)
def test_the_examples_in_the_text_are_true(name):
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.skipif(not USING.exists(), reason="a copy of the engine alone")
def test_the_program_in_the_documentation_runs_and_says_what_it_gives(monkeypatch):
    shown: list[bytes] = []  # no window is started, since nobody would close it
    windows = "backwire.engine.formats.value_display._start"
    monkeypatch.setattr(windows, lambda content, *_said: shown.append(content) or "")
    program = USING.read_text("utf-8").split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {}
    exec(program, names)
    line = next(row for row in program.splitlines() if row.startswith("evaluate("))
    call, said = line.split("  # ")
    assert repr(eval(call, names)) == said
    assert type(eval("y.graph()", names)).__name__ == "Graph"
    assert len(shown) == program.count(".show()")


@pytest.mark.skipif(not USING.exists(), reason="a copy of the engine alone")
def test_the_ten_lines_for_an_environment_of_ones_own_run(monkeypatch, capsys):
    shown: list[Any] = []
    windows = "backwire.engine.formats.value_display._start"
    monkeypatch.setattr(windows, lambda *given: shown.append(given) or "")
    program = USING.read_text("utf-8").split("```python\n")[2].split("```")[0]
    assert len([line for line in program.splitlines() if line]) == 10
    names: dict[str, object] = {"__name__": "__main__"}
    exec(program, names)
    loss, grad, verdicts = capsys.readouterr().out.split(maxsplit=2)
    assert verdicts == "['agrees', 'agrees', 'agrees']\n"
    h = math.tanh(0.5)
    assert float(loss) == pytest.approx((h - 1) ** 2, rel=1e-12)
    assert float(grad) == pytest.approx(2 * (h - 1) * (1 - h * h) * 2, rel=1e-12)
    drawing = read_drawing(shown[0][0])
    assert shown[0][1:] == ("",)
    assert {"w", "x", "b", "h", "loss"} <= {drawing.graph.label(n) for n in drawing.graph.nodes}
    assert [each.title for each in drawing.groups] == ["neuron"]


def test_everything_imported_at_once_is_what_others_rely_on():
    names: dict[str, object] = {}
    exec("from engine import *", names)
    wanted = (
        "EditError EngineError FormatError Graph MISTAKES OPS Program Value draw_dot evaluate "
        "from_expression from_python group load save trace_graph"
    )
    assert names.keys() - {"__builtins__"} == {*wanted.split()}
    with pytest.raises(AttributeError, match="no attribute 'zebra'"):
        _ = engine.zebra
