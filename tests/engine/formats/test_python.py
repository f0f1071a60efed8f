"""Programs are read without being run, refused by place, and written so that they run."""

import ast
import contextlib
import io
import math
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from engine import FormatError, Graph, from_expression
from engine.formats import python
from engine.formats.python.writer import definition_of, is_written_definition
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import BY_NAME, OPS
from tests.helpers.graphs import gradients, values
from tests.helpers.random_graphs import graphs, labelled
from tests.helpers.sampling import spread, tries
from tests.helpers.tables import in_turn

LECTURE = """
import torch
from micrograd.engine import Value

# inputs x1,x2
x1 = Value(2.0, label='x1')
x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1')
w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.grad = 1.0
o._backward()
n._backward()
o.backward()
draw_dot(o)
print(f"{o.data:.4f}")
"""


def read(text: str) -> Graph:
    return python.from_python(text)


def shape(text: str) -> str:
    """The graph as a formula of names, to compare by eye."""
    graph = read(text)
    assert graph.root is not None
    terms: dict[int, str] = {}
    for node in graph.plan(graph.root).order:
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            inputs = ", ".join(terms[s] for s in found.inputs if s is not None)
            terms[node] = f"{found.op}({inputs})"
        else:
            mark = "" if isinstance(found, Leaf) else "#"
            terms[node] = f"{mark}{graph.label(node)}={found.value:g}"  # type: ignore[union-attr]
    return terms[graph.root]


def test_the_program_of_the_lecture_gives_its_graph_and_numbers():
    graph = read(LECTURE)
    assert graph.root_name == "o"
    labels = {graph.label(node) for node in graph.nodes}
    assert {"x1*w1", "x1*w1 + x2*w2", "n", "b"} <= labels
    found = gradients(graph)
    assert found["x1"] == pytest.approx(-1.5, rel=1e-12)
    assert found["w1"] == pytest.approx(1.0, rel=1e-12)


@in_turn(("program", "formula"), [
    ("a = b = Value(1)\nc = a + b", "add(a=1, a=1)"),
    ("a = Value(2)\nb = -a", "neg(a=2)"),
    ("a = Value(2)\nb = a - 1", "sub(a=2, #=1)"),
    ("a = Value(2)\nb = 2 / a", "div(#=2, a=2)"),
    ("a = Value(2)\nb = a**-1", "pow(a=2, #=-1)"),
    ("a = Value(2)\nb = a ** (1/2)", "pow(a=2, #=0.5)"),
    ("a = Value(-2.5)\nb = a.tanh().relu()", "relu(tanh(a=-2.5))"),
    ("import torch.nn.functional as F\na = Value(2)\nb = F.silu(a)", "silu(a=2)"),
    ("import torch\na = torch.tensor(2.0, requires_grad=True)\nb = torch.sin(a)", "sin(a=2)"),
    ("import torch\nk = torch.tensor(2.0)\na = Value(1)\nb = k*a", "mul(#k=2, a=1)"),
    ("import torch\na = Value(2)\nb = torch.where(a > 0, a, 1)", "where_gt0(a=2, a=2, #=1)"),
    ("a = Value(2)\nb = a.maximum(0)", "maximum(a=2, #=0)"),
    ("h = 0.5\na = Value(2)\nb = (a + h) * h", "mul(add(a=2, #h=0.5), #h=0.5)"),
    ("a = Value(2, label='x')\nb = a * 2", "mul(x=2, #=2)"),
    ("x = Value(1)\nx += 2\nx *= x", "mul(add(x=1, #=2), add(x=1, #=2))"),
    ("a, b = Value(1), Value(2)\na, b = b, a\nc = a - b", "sub(b=2, a=1)"),
    ("a = Value(1)\nb = a + 2.5 ** 2", "add(a=1, #=6.25)"),
    ("a = Value(1e30)\nb = a + (7 - 9.5) * +2", "add(a=1e+30, #=-5)"),
    ("'''A program.'''\na = Value(1)\npass\nb = a + 1", "add(a=1, #=1)"),
    ("a = Value(1); b = a*2; c = b*3\nb.backward()", "mul(a=1, #=2)"),
    ("a = Value(1)\n(a*7).backward()\nb = a + 1", "mul(a=1, #=7)"),
    ("a = Value(1)\nb = a + 1\na.grad = 0.0\nb.grad += 1\nmodel.zero_grad()", "add(a=1, #=1)"),
    ("a = Value(1)\nfor p in [a]:\n    p.grad = 0\nb = a*a\ndot = draw_dot(b)",
     "mul(a=1, a=1)"),
    ("é = Value(1)\nπ = é * 2", "mul(é=1, #=2)"),
    ("log = Value(1)\ny = log + 1", "add(log=1, #=1)"),
    ("a = Value(1)\r\nb = a + 1\r\n", "add(a=1, #=1)"),
    ("%matplotlib inline\n!pip install micrograd\n%%time\na = Value(2)\na?\nb = a + 1",
     "add(a=2, #=1)"),
    ("    a = Value(2)\n    b = a + 1\n", "add(a=2, #=1)"),
    ("a: Value = Value(2)\nk: float\nb: 'Value' = a + 1", "add(a=2, #=1)"),
    ("a = Value(+2)\nb = +a + +1", "add(a=2, #=1)"),
    ("if __name__ == '__main__':\n    a = Value(2)\n    b = a + 1", "add(a=2, #=1)"),
    ("a = Value(2)\nassert a.data == 2, 'two'\nb = a + 1\nprint(f'{b.data:.3f}', '%d' % 3)",
     "add(a=2, #=1)"),
    ("a = Value(2)\nb = a * 3\nb.backward()\na.data -= 0.1 * a.grad\nb = a * 3\nprint(b)",
     "mul(a=2, #=3)"),
    ("a = Value(2)\nb = a * 3\nb.grad = 1\nb._backward()\nc = a * a.grad", "mul(a=2, #=3)"),
    ("def f(x): return 3*x**2\nf(3.0)\nf = lambda x: x\nys = f(2)\na = Value(2)\nb = a + 1",
     "add(a=2, #=1)"),
    ("def nudge():\n  a = Value(1)\n  a.data += 0.1\nnudge()\na = Value(2)\nb = a + 1",
     "add(a=2, #=1)"),
    ("a = Value(2)\nb = a * 3\nb.backward()\nfrom x import train\ntrain(a)\nwhile True: pass",
     "mul(a=2, #=3)"),
    ("Value.__radd__ = lambda s, o: s + o\na = Value(2)\nb = a + 1", "add(a=2, #=1)"),
    ("a = Value(2)\nb = a + 1\nb.show()\nb", "add(a=2, #=1)"),
])  # fmt: skip
def test_straight_lines_are_read_as_they_would_run(program: str, formula: str):
    assert shape(program) == formula


@in_turn("program", [
    "a = Value(2)\nb = tanh(a) + abs(a)",
    "import math\na = Value(2)\nb = a * math.exp(0)",
    "import math\na = Value(math.pi)\nb = a * -math.inf",
    "from math import *\na = Value(2)\nb = exp(a)",
    "from math import exp as e\na = Value(2)\nb = e(a) * e(0)",
    "import torch\na = torch.nn.Parameter(torch.tensor([3]))\nb = a.clone().exp()",
    "import torch\na = torch.nn.Parameter(3.0)\nb = a.pow(2)",
    "a = Value(2, (), '', 'x')\nb = a * 2",
    "import micrograd\na = micrograd.engine.Value(2)\na",
    "a, (b, c) = Value(1), [Value(2), Value(3)]\nd = a*b*c",
    "a = Value(2)\nfor i in range(2):\n    a = a * i",
    "a = Value(2)\nfor i, k in enumerate([3, 4]):\n    a = a * k",
    "a = Value(sum([]) + sum([1, 2]))\nb = a.exp()\nb.requires_grad = True",
    "y = sum([Value(1), Value(2), Value(3)])",
    "b = Value(9)\ny = sum((v for v in [Value(1)]), b)",
    "b = Value(9)\ny = sum([Value(1)], start=b)",
    "w = [Value(1), Value(2)]\nx = [3.0, 4.0]\ny = sum(a*b for a, b in zip(w, x))",
    "w = [Value(i, label=f'w{i}') for i in range(3)]\ny = w[0] + w[-1]",
    "w = [[Value(i + j) for j in range(2)] for i in range(2)]\ny = w[1][1] * 1",
    "ws = [Value(i*j) for i in range(2) for j in range(2)]\ny = ws[3] + 0",
    "a = Value(len([1, 2]) + len(list(tuple((3,)))))\na + 0",
    "a = Value(float('-inf'))\nb = a + float(2)",
    "n = 2 ** 3\na = Value(1)\nfor i in range(n - 6): a = a + i",
    "import numpy as np, os.path\nfrom .mine import Value as V\na = V(1)\nb = a + np.exp(0)",
    ">>> a = Value(2)\n>>> a\nValue(data=2)\n>>> for i in range(2):\n...     a = a + i\n...\n",
    "In [1]: a = Value(2)\n\nIn [2]: for i in range(1):\n   ...:     a = a * i\nOut[2]: 5 6",
    "a = Value(2)\nb = a * 3\nb.backward()\na.data -= 0.5 * a.grad\nb = a * 3\nb.backward()",
    "a = Value(2)\na.data += 1\nb = a * a.data",
    "def nudge():\n  a = Value(1)\n  a.data += 0.1\na = Value(2)\nb = a + 1\nnudge()",
    "a = Value(2)\nxs = []\nfor i in range(2):\n  xs.append(a * i)\n  xs[i] += 1\ny = sum(xs)",
    "import random\nrandom.seed(1)\na = Value(round(random.uniform(-1, 1), 3))\nb = a + 1",
])  # fmt: skip
def test_what_is_no_straight_line_is_passed_over_and_said(program: str):
    try:
        said = python.read_program(program).remark
    except FormatError as error:
        said = str(error)
    assert "passed over" in said


def test_a_name_bound_again_is_a_new_node_and_the_last_one_counts():
    graph = read("x = Value(1)\nx = x * 2\nx = x + 3")
    assert graph.root == max(n for n, f in graph.nodes.items() if isinstance(f, OpNode))
    assert sum(graph.label(node) == "x" for node in graph.nodes) == 3


@in_turn(("program", "reason"), [
    ("", "makes a Value"),
    ("x = y", "line 1 was passed over"),
    ("def f(x):\n    return Value(x)", "makes a Value"),
    ("a = 1 / 0", "line 1 was passed over"),
    ("a = Value(" + "9" * 400 + ")", "line 1 was passed over"),
    ("a = Value(1)\nb = a +", "Line 2, column 8: this can't be read as Python"),
    ("a = Value(1)\0", "read"),
    ("a = Value(1)\na.label = '\ud800'", "characters that Python can't read"),
    ("(" * 300 + ")" * 300, "read"),
    ("a = " + "-" * 100_000 + "1", "nested too deeply"),
    ("#" * 600_001, "longer than"),
    ("%run a.py", "this line of IPython runs code"),
])  # fmt: skip
def test_a_program_without_a_graph_is_refused(program: str, reason: str):
    with pytest.raises(FormatError, match=reason):
        read(program)


def test_a_number_that_may_have_changed_is_no_root():
    for change in ("a.data += 1", "for p in [a]: p.data = 5", "def f(v): v.data = 2\nf(a)"):
        with pytest.raises(FormatError, match="makes a Value"):
            read(f"a = Value(2)\n{change}")


def test_what_does_not_lead_to_the_root_is_left_out():
    graph = read("a = Value(1)\nb = a * 2\nc = Value(5) + b\nb.backward()")
    assert [type(found).__name__ for found in graph.nodes.values()] == [
        "Leaf", "Constant", "OpNode", "Root",
    ]  # fmt: skip


def test_a_label_given_after_the_pass_is_kept():
    graph = read("a = Value(1)\nb = a * 2\nb.backward()\nb.label = 'out'\na.label = 'x*w'")
    assert {graph.label(node) for node in graph.nodes} == {"x*w", "out", ""}


def test_the_names_and_labels_of_the_lecture_come_back():
    text = python.write(read(LECTURE))
    assert 'x1w1 = x1 * w1\nx1w1.label = "x1*w1"\n' in text
    assert 'x1w1x2w2 = x1w1 + x2w2\nx1w1x2w2.label = "x1*w1 + x2*w2"\n' in text
    assert python.write(read(text)) == text
    assert labelled(read(text)) == labelled(read(LECTURE))


@pytest.mark.parametrize(("head", "name"), spread(
    ("from {} import Value", "import {} as b\nValue = b.Value", "from {} import *",
     "import {}\nprint({}.OPS)\nValue = {}.Value"),
    ("backwire", "engine", "backwire.engine", "micrograd.engine"),
))  # fmt: skip
def test_our_value_is_known_by_each_of_its_names(name: str, head: str):
    program = "\na = Value(2.0)\nb = a * a\nb.backward()\n"
    plain = python.read_program("from micrograd.engine import Value" + program).graph
    assert python.read_program(head.replace("{}", name) + program).graph.nodes == plain.nodes


@pytest.mark.parametrize("write", [python.write, python.write_pytorch])
@settings(max_examples=tries(60))
@given(graph=graphs())
def test_labels_sharing_and_numbers_survive_a_round_trip(write, graph: Graph):
    assert labelled(read(write(graph))) == labelled(graph)


def executed(text: str, **known: Any) -> dict[str, float]:
    """What a program prints: `a.grad = 4.0` as a.grad."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "exported", "exec"), {"__name__": "exported", **known})
    lines = [line.split(" = ") for line in printed.getvalue().splitlines()]
    return {name: float(number) for name, number in lines}


INSIDE = {"a": 0.3, "b": 0.7, "c": -0.4, "x": 1.5, "y": -2.5}


def alone(op) -> Graph:
    """The op of leaves, of a leaf and constants, and of constants alone, added up."""
    letters = op.slots
    first = f"{op.name}({', '.join(letters)})"
    mixed = f"{op.name}({', '.join([letters[0], *(str(INSIDE[c]) for c in letters[1:])])})"
    fixed = f"{op.name}({', '.join(str(INSIDE[c]) for c in letters)})"
    text = f"({first}) + ({mixed}) * 0.5 - ({fixed})"
    return from_expression(text, {letter: INSIDE[letter] for letter in letters})


@in_turn("op", OPS)
def test_the_program_for_micrograd_runs_there(op):
    graph = alone(op)
    found = executed(python.write(graph))
    for name, grad in gradients(graph).items():
        if name in op.slots:
            assert found[f"{name}.grad"] == pytest.approx(grad, rel=1e-12, abs=1e-12)
    assert found[f"{graph.root_name}"] == pytest.approx(values(graph)[graph.root_name], rel=1e-12)


def test_free_labels_are_given_to_the_nodes_and_taken_names_give_way():
    nodes = {1: Leaf(2.0, "Value"), 2: Leaf(3.0, "x1*w1"), 3: OpNode("mul", (1, 2), "torch")}
    more = {4: Leaf(1.0, "Value_"), 5: OpNode("mul", (3, 4), "print"), 6: Root(5)}
    text = python.write(Graph({**nodes, **more}, 6, 7))
    assert 'Value__ = Value(2.0)\nValue__.label = "Value"\n' in text
    assert 'x1w1 = Value(3.0)\nx1w1.label = "x1*w1"\n' in text
    assert executed(text) == {"print_": 6.0, "Value__.grad": 3, "x1w1.grad": 2, "Value_.grad": 6}


def test_numbers_that_are_not_finite_are_written():
    graph = from_expression("a + inf * b", {"a": float("nan"), "b": -float("inf")})
    for write in (python.write, python.write_pytorch):
        assert labelled(python.from_python(write(graph))) == labelled(graph)


def test_a_constant_or_a_leaf_may_be_the_root():
    leaf = Graph({1: Leaf(2.0, "a"), 2: Root(1)}, 2, 3)
    constant = Graph({1: Constant(2.0), 2: Root(1)}, 2, 3)
    assert executed(python.write(leaf)) == {"a": 2.0, "a.grad": 1.0}
    assert executed(python.write(constant)) == {"v1": 2.0}
    assert read(python.write(leaf)).root_name == "a"
    assert shape(python.write_pytorch(constant) + "v1") == "#=2"


@pytest.mark.parametrize("write", [python.write, python.write_pytorch])
def test_an_unfinished_graph_is_refused(write):
    with pytest.raises(FormatError, match="Choose a root"):
        write(Graph())
    with pytest.raises(FormatError, match="has an empty slot 2"):
        write(Graph({1: Leaf(), 2: OpNode("add", (1, None), "s"), 3: Root(2)}, 3, 4))


def test_a_definition_that_only_looks_like_ours_is_passed_over():
    text = python.write(from_expression("tanh(a)"))
    for changed in (
        text.replace("math.tanh(a)", "math.sinh(a)"),
        text.replace("a = Value", "tanh = print\na = Value"),
    ):
        with pytest.raises(FormatError, match="was passed over"):
            read(changed)


def test_our_definitions_are_known_word_for_word():
    statements = ast.parse(python.write(from_expression("tanh(a) + exp(b)"))).body
    assert sum(is_written_definition(statement) for statement in statements) == 3


@pytest.mark.parametrize("name", ["zip", "__builtins__"])
def test_a_label_does_not_take_a_name_that_the_program_needs(name):
    graph = from_expression(f"y = tanh({name}) * 2")
    program = python.FORMAT.write
    assert program is not None
    lines = program(graph).splitlines()
    assert f"{name}_ = Value(1.0)" in lines
    assert f'{name}_.label = "{name}"' in lines


CHOOSING = ("relu", "leaky_relu", "elu", "maximum", "minimum", "where_gt0")


@in_turn("name", CHOOSING)
def test_a_defined_choice_takes_the_value_and_the_slopes_of_ours(name):
    op = BY_NAME[name]
    defined: dict[str, Any] = {"math": math, "operation": lambda _name, *rules: rules}
    exec(definition_of(op), defined)
    forward, *slopes = defined[name]
    for at in product((math.nan, -1.5, 0.0, 2.0), repeat=len(op.slots)):
        value = op.forward(*at)
        assert forward(*at) == pytest.approx(value, nan_ok=True), at
        for slope, partial in zip(slopes, op.partials, strict=True):
            assert slope(*at, value) == pytest.approx(partial(*at, value), nan_ok=True), at
