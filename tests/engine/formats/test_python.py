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
from engine.errors import PlacedFormatError
from engine.formats import python
from engine.formats.python.writer import definition_of, is_written_definition
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import BY_NAME, OPS
from engine.trace import evaluate_values
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
    ("a = Value(2)\na*a", "mul(a=2, a=2)"),
    ("a = Value(2)\nb = -a", "neg(a=2)"),
    ("a = Value(2)\nb = a - 1", "sub(a=2, #=1)"),
    ("a = Value(2)\nb = 2 / a", "div(#=2, a=2)"),
    ("a = Value(2)\nb = a**-1", "pow(a=2, #=-1)"),
    ("a = Value(2)\nb = a ** (1/2)", "pow(a=2, #=0.5)"),
    ("a = Value(-2.5)\nb = a.tanh().relu()", "relu(tanh(a=-2.5))"),
    ("a = Value(2)\nb = tanh(a) + abs(a)", "add(tanh(a=2), abs(a=2))"),
    ("import math\na = Value(2)\nb = a * math.exp(0)", "mul(a=2, #=1)"),
    ("import math\na = Value(math.pi)\nb = a * -math.inf", "mul(a=3.14159, #=-inf)"),
    ("from math import *\na = Value(2)\nb = exp(a)", "exp(a=2)"),
    ("from math import exp as e\na = Value(2)\nb = e(a) * e(0)", "mul(exp(a=2), #=1)"),
    ("import torch.nn.functional as F\na = Value(2)\nb = F.silu(a)", "silu(a=2)"),
    ("import torch\na = torch.tensor(2.0, requires_grad=True)\nb = torch.sin(a)", "sin(a=2)"),
    ("import torch\na = torch.Tensor([2]).double()\na.requires_grad = True\na*1",
     "mul(a=2, #=1)"),
    ("import torch\nk = torch.tensor(2.0)\na = Value(1)\nb = k*a", "mul(#k=2, a=1)"),
    ("import torch\na = torch.nn.Parameter(torch.tensor([3]))\nb = a.clone().exp()",
     "exp(a=3)"),
    ("import torch\na = torch.nn.Parameter(3.0)\nb = a.pow(2)", "pow(a=3, #=2)"),
    ("a = Value(2)\nb = torch.where(a > 0, a, 1)" , None),
    ("import torch\na = Value(2)\nb = torch.where(a > 0, a, 1)", "where_gt0(a=2, a=2, #=1)"),
    ("a = Value(2)\nb = a.maximum(0)", "maximum(a=2, #=0)"),
    ("h = 0.5\na = Value(2)\nb = (a + h) * h", "mul(add(a=2, #h=0.5), #h=0.5)"),
    ("a = Value(2, label='x')\nb = a * 2", "mul(x=2, #=2)"),
    ("a = Value(2, (), '', 'x')\nb = a * 2", "mul(x=2, #=2)"),
    ("a = Value(data=2, _children=(), _op='')\nb = a * 2", "mul(a=2, #=2)"),
    ("import micrograd\na = micrograd.engine.Value(2)\na", "a=2"),
    ("x = Value(1)\nx += 2\nx *= x", "mul(add(x=1, #=2), add(x=1, #=2))"),
    ("a = b = Value(1)\nc = a + b", "add(a=1, a=1)"),
    ("a, (b, c) = Value(1), [Value(2), Value(3)]\nd = a*b*c", "mul(mul(a=1, b=2), c=3)"),
    ("a, b = Value(1), Value(2)\na, b = b, a\nc = a - b", "sub(b=2, a=1)"),
    ("a = Value(2)\nfor i in range(2):\n    a = a * i", "mul(mul(a=2, #=0), #=1)"),
    ("a = Value(2)\nfor i, k in enumerate([3, 4]):\n    a = a * k", "mul(mul(a=2, #=3), #=4)"),
    ("a = Value(sum([]) + sum([1, 2]))\nb = a.exp()\nb.requires_grad = True", "exp(a=3)"),
    ("y = sum([Value(1), Value(2), Value(3)])", "add(add(=1, =2), =3)"),
    ("b = Value(9)\ny = sum((v for v in [Value(1)]), b)", "add(b=9, =1)"),
    ("b = Value(9)\ny = sum([Value(1)], start=b)", "add(b=9, =1)"),
    ("w = [Value(1), Value(2)]\nx = [3.0, 4.0]\ny = sum(a*b for a, b in zip(w, x))",
     "add(mul(w[0]=1, #=3), mul(w[1]=2, #=4))"),
    ("w = [Value(i, label=f'w{i}') for i in range(3)]\ny = w[0] + w[-1]", "add(w0=0, w2=2)"),
    ("w = [[Value(i + j) for j in range(2)] for i in range(2)]\ny = w[1][1] * 1",
     "mul(=2, #=1)"),
    ("ws = [Value(i*j) for i in range(2) for j in range(2)]\ny = ws[3] + 0",
     "add(ws[3]=1, #=0)"),
    ("a = Value(len([1, 2]) + len(list(tuple((3,)))))\na + 0", "add(a=3, #=0)"),
    ("a = Value(float('-inf'))\nb = a + float(2)", "add(a=-inf, #=2)"),
    ("n = 2 ** 3\na = Value(1)\nfor i in range(n - 6): a = a + i", "add(add(a=1, #=0), #=1)"),
    ("a = Value(1)\nb = a + 2.5 ** 2", "add(a=1, #=6.25)"),
    ("a = Value(10**30)\nb = a + (7 - 9.5) * +2", "add(a=1e+30, #=-5)"),
    ("'''A program.'''\na = Value(1)\npass\nb = a + 1", "add(a=1, #=1)"),
    ("a = Value(1); b = a*2; c = b*3\nb.backward()", "mul(a=1, #=2)"),
    ("a = Value(1)\n(a*7).backward()\nb = a + 1", "mul(a=1, #=7)"),
    ("a = Value(1)\nb = a + 1\na.grad = 0.0\nb.grad += 1\nmodel.zero_grad()", "add(a=1, #=1)"),
    ("a = Value(1)\nfor p in [a]:\n    p.grad = 0\nb = a*a\ndot = draw_dot(b)",
     "mul(a=1, a=1)"),
    ("é = Value(1)\nπ = é * 2", "mul(é=1, #=2)"),
    ("log = Value(1)\ny = log + 1", "add(log=1, #=1)"),
    ("a = Value(1)\r\nb = a + 1\r\n", "add(a=1, #=1)"),
    ("import numpy as np, os.path\nfrom .mine import Value as V\na = V(1)\nb = a + np.exp(0)",
     "add(a=1, #=1)"),
    ("%matplotlib inline\n!pip install micrograd\n%%time\na = Value(2)\na?\nb = a + 1",
     "add(a=2, #=1)"),
    (">>> a = Value(2)\n>>> a\nValue(data=2)\n>>> for i in range(2):\n...     a = a + i\n...\n",
     "add(add(a=2, #=0), #=1)"),
    ("In [1]: a = Value(2)\n\nIn [2]: for i in range(1):\n   ...:     a = a * i\nOut[2]: 5 6",
     "mul(a=2, #=0)"),
    ("    a = Value(2)\n    b = a + 1\n", "add(a=2, #=1)"),
    ("a: Value = Value(2)\nk: float\nb: 'Value' = a + 1", "add(a=2, #=1)"),
    ("a = Value(+2)\nb = +a + +1", "add(a=2, #=1)"),
    ("if __name__ == '__main__':\n    a = Value(2)\n    b = a + 1", "add(a=2, #=1)"),
    ("a = Value(2)\nassert a.data == 2, 'two'\nb = a + 1\nprint(f'{b.data:.3f}', '%d' % 3)",
     "add(a=2, #=1)"),
    ("a = Value(2)\nb = a * 3\nb.backward()\na.data -= 0.1 * a.grad\nb = a * 3\nprint(b)",
     "mul(a=2, #=3)"),
    ("a = Value(2)\nb = a * 3\nb.backward()\na.data -= 0.5 * a.grad\nb = a * 3\nb.backward()",
     "mul(a=0.5, #=3)"),
    ("a = Value(2)\na.data += 1\nb = a * a.data", "mul(a=3, #=3)"),
    ("a = Value(2)\nb = a * 3\nb.grad = 1\nb._backward()\nc = a * a.grad", "mul(a=2, #=3)"),
    ("class Value:\n  def __init__(self, x, label=''): self.x = x\na = Value(2, 'w')\nb = -a",
     "neg(w=2)"),
    ("def f(x): return 3*x**2\nf(3.0)\nf = lambda x: x\nys = f(2)\na = Value(2)\nb = a + 1",
     "add(a=2, #=1)"),
    ("def nudge():\n  a = Value(1)\n  a.data += 0.1\na = Value(2)\nb = a + 1\nnudge()",
     "add(a=2, #=1)"),
    ("def nudge():\n  a = Value(1)\n  a.data += 0.1\nnudge()\na = Value(2)\nb = a + 1",
     "add(a=2, #=1)"),
    ("a = Value(2)\nxs = []\nfor i in range(2):\n  xs.append(a * i)\n  xs[i] += 1\ny = sum(xs)",
     "add(add(mul(a=2, #=0), #=1), add(mul(a=2, #=1), #=1))"),
    ("import random\nrandom.seed(1)\na = Value(round(random.uniform(-1, 1), 3))\nb = a + 1",
     "add(a=-0.731, #=1)"),
    ("a = Value(7 % 4 + 7 // 2)\nb = a * len('ab' * 0 if 0 else [1, 2])", None),
    ("a = Value(2)\nb = a + 10**20 - 10**20 + (10**20 + 1 - 10**20)",
     "add(sub(add(a=2, #=1e+20), #=1e+20), #=1)"),
    ("a = Value(2)\nb = a * 3\nb.backward()\nfrom x import train\ntrain(a)\nwhile True: pass",
     "mul(a=2, #=3)"),
    ("Value.__radd__ = lambda s, o: s + o\na = Value(2)\nb = a + 1", "add(a=2, #=1)"),
    ("a = Value(2)\nb = a + 1\nb.show()\nb", "add(a=2, #=1)"),
    ("a = Value(True + 0) if 0 else 1", None),
])  # fmt: skip
def test_programs_are_read_as_they_would_run(program: str, formula: str | None):
    if formula is None:
        with pytest.raises(FormatError, match=r"^Line \d+, column \d+: "):
            read(program)
    else:
        assert shape(program) == formula


def test_a_name_bound_again_is_a_new_node_and_the_last_one_counts():
    graph = read("x = Value(1)\nx = x * 2\nx = x + 3")
    assert graph.root == max(n for n, f in graph.nodes.items() if isinstance(f, OpNode))
    assert sum(graph.label(node) == "x" for node in graph.nodes) == 3


def test_a_refusal_names_the_better_way_but_an_error_of_python_does_not():
    with pytest.raises(FormatError, match="from backwire import Value"):
        read("def f(x): return x\na = f(Value(2))")
    with pytest.raises(FormatError, match=r"^Line 1, column 5: x is not defined\.$"):
        read("a = x")
    assert values(read("a = Value(1)\ny = " + " + ".join(["a"] * 300)))["y"] == 300


def test_a_loop_variable_names_nothing():
    graph = read("a = [Value(1), Value(2)]\ns = 0\nfor v in a: s = s + v")
    assert {graph.label(n) for n, f in graph.nodes.items() if isinstance(f, Leaf)} == {
        "a[0]",
        "a[1]",
    }


@in_turn(("program", "place", "reason"), [
    ("x = y", (1, 5), "y is not defined"),
    ("a = Value(1)\ndef f(x):\n    return x\nb = f(a)", (4, 5),
     "f is a function of the program's own (line 2)"),
    ("class A: pass\na = A()", (2, 5), "A is a class of the program's own (line 1)"),
    ("def f(x):\n    return Value(x)", (1, 1), "outside the functions and classes of its own"),
    ("a = Value(1)\n@f\ndef g(): pass", (3, 1), "a function with a decorator"),
    ("def f(v): v.data = 2\na = Value(1)\nf(a)", (3, 1), "f is a function of"),
    ("def f(): global a\na = Value(1)\nf()", (3, 1), "f is a function of"),
    ("def f(g): g()\ndef h(): a.backward()\na = Value(1)\nf(h)", (4, 1), "f is a function"),
    ("while True: pass", (1, 1), "a while loop"),
    ("if 1: pass", (1, 1), "an if statement"),
    ("for i in []: pass\nelse: pass", (1, 1), "this statement"),
    ("a = Value(1)\nb = a @ a", (2, 5), "only + - * / and **"),
    ("a = Value(1)\nb = a % 2", (2, 5), "only + - * / and **"),
    ("a = Value(1)\nb = ~a", (2, 5), "only a plus or a minus"),
    ("a = Value(1)\nb = a if a else a", (2, 5), "only names, numbers"),
    ("a = 1j", (1, 5), "only real numbers"),
    ("a = b'x'", (1, 5), "only real numbers"),
    ("a = ...", (1, 5), "only real numbers"),
    ("a = 'x' * 2", (1, 5), "only Values and numbers"),
    ("a = True + 1", (1, 5), "only Values and numbers"),
    ("a = 1 / 0", (1, 5), "divides by 0"),
    ("a = " + "9" * 400, (1, 5), "too large"),
    ("a = Value(1)\nb = a.foo()", (2, 5), ".foo can't be read"),
    ("a = Value(1)\nb = a.tanh(2)", (2, 5), "tanh takes one number, not 2"),
    ("a = Value(1)\nb = a.maximum()", (2, 5), "maximum takes 2 numbers, not 1"),
    ("a = Value(1)\nb = a.tanh(x=2)", (2, 5), ".tanh takes plain arguments"),
    ("a = Value(1)\nb = a.clone(2)", (2, 5), ".clone takes plain"),
    ("a = Value(1)\nb = tanh(a, a)", (2, 5), "tanh takes one number, not 2"),
    ("a = Value(1)\nb = tanh(x=a)", (2, 5), "tanh takes plain arguments"),
    ("a = Value(1)\nb = tanh(*a)", (2, 10), "only names"),
    ("a = Value(1)\nb = tanh(**a)", (2, 12), "** can't be read"),
    ("a = Value(1)\nb = a(1)", (2, 5), "this can't be called"),
    ("a = Value(1)\nb = a.tanh()()", (2, 5), "this can't be called"),
    ("import torch\nb = torch.arange(3)", (2, 5), "no function called arange"),
    ("from micrograd.nn import MLP\nm = MLP(3, [4])", (2, 5), "no function called MLP"),
    ("a = Value()", (1, 5), "made of one plain number"),
    ("a = Value('x')", (1, 5), "made of one plain number"),
    ("a = Value(Value(1))", (1, 5), "made of one plain number"),
    ("a = Value(1, (2,))", (1, 5), "only Value(number"),
    ("a = Value(1, data=2)", (1, 5), "only Value(number"),
    ("a = Value(1, name='a')", (1, 5), "only Value(number"),
    ("a = Value(1, (), '', 'a', 5)", (1, 5), "only Value(number"),
    ("a = Value(1, label=2)", (1, 5), "a label is"),
    ("a = Value(1)\na.label = 'x' 'y\\n'", (2, 1), "a label is"),
    ("a = Value(1)\na.label = " + repr("x" * 201), (2, 1), "a label is"),
    ("a = 1\na.label = 'x'", (2, 1), "this is no Value"),
    ("a = Value(1)\na.requires_grad = 1", (2, 1), "requires_grad is True or False"),
    ("import torch\na = torch.tensor([1.0, 2.0])", (2, 5), "a tensor of one number"),
    ("import torch\na = torch.tensor()", (2, 5), "a tensor of one number"),
    ("import torch\na = torch.tensor(1, pin=2)", (2, 5), "only requires_grad and dtype"),
    ("a = [1, 2]\nb = a[2]", (2, 5), "2 items, and none at 2"),
    ("a = [1, 2]\nb = a[0.5]", (2, 5), "only a list and a whole number"),
    ("a = Value(1)\nb = a[0]", (2, 5), "only a list and a whole number"),
    ("a = [1, 2]\nb = a[0:1]", (2, 7), "only names"),
    ("a, b = 1", (1, 1), "there are not 2 things"),
    ("a, b = 1, 2, 3", (1, 1), "there are not 2 things"),
    ("*a, b = 1, 2", (1, 1), "only names can be assigned"),
    ("a = (1,)\na[0] = 2", (2, 1), "only an item of a list"),
    ("for i in 3: pass", (1, 10), "only lists, tuples and ranges"),
    ("a = [i for i in range(3) if i]", (1, 12), "only plain loops"),
    ("a = range(0.5)", (1, 5), "whole numbers"),
    ("a = range()", (1, 5), "whole numbers"),
    ("a = range(0, 3, 0)", (1, 5), "whole numbers"),
    ("a = range(10**9)", (1, 5), "a range of more than"),
    ("a = sum(1)", (1, 5), "only lists"),
    ("a = sum()", (1, 5), "sum can't be called like this"),
    ("a = len([1], 2)", (1, 5), "len can't be called like this"),
    ("a = float('1')", (1, 5), "float takes a plain number"),
    ("a = float([])", (1, 5), "float takes a plain number"),
    ("import torch\nb = torch.where(1, 2, 3)", (2, 5), "only where(c > 0, x, y)"),
    ("a = f'{[]}'", (1, 8), "only plain numbers and texts"),
    ("a = Value(1)\nb = a +", (2, 8), "can't be read as Python"),
    ("%run a.py", (1, 1), "this line of IPython runs code"),
    ("a = Value(1)\n%%bash\nrm a", (2, 1), "this line of IPython runs code"),
    (">>> a = Value(1)\n1\n>>> b = a @ a", (3, 9), "only + - * / and **"),
    (">>>    a = Value(1)\n>>>    b = a ** ** 3", (2, 17), "can't be read as Python"),
    ("a = Value(1)\nb = Value(int(input()))", (2, 11), "int can be read of plain numbers"),
    ("a = Value(1)\nb = a * 10**400", (2, 9), "too large"),
    ("a = Value(10.0**400)", (1, 11), "too large"),
    ("a = Value(2**1050)", (1, 11), "too large"),
    ("a = Value(1)\nb = a + (-8)**0.5", (2, 9), "not real"),
    ("import math\na = Value(math.log(0))", (2, 11), "no finite value"),
    ("import random\na = Value(random.random())", (2, 11), "random.seed"),
    ("import random\nrandom.seed(1)\nxs = [1, 2]\nrandom.shuffle(xs)\na = Value(xs[0])",
     (4, 1), "random.shuffle can't be read"),
    ("a = Value(1)\nb = a * 2\na.data = 5\nc = b + a", (3, 1), "changes a number after"),
    ("a = Value(1)\nb = a * 2\nb.data = 5\nb.backward()", (3, 1), "changes a number after"),
    ("a = Value(1)\na._prev = ()", (2, 1), "._prev can't be set"),
    ("import numpy as np\na = Value(np.array([1]))", (2, 11), "what array returns is known"),
    ("from mine import f\na = Value(1)\nb = f(a)", (3, 5), "what f returns is known only"),
    ("import sys\na = Value(1)\nsys.exit()\nb = a + 1", (3, 1), "what exit returns"),
    ("a = Value(1)\nfor i in range(3):\n    if i > 1: break", (3, 5), "an if statement"),
    ("a = Value(1)\nassert a.backward()", (2, 1), "a check that changes something"),
    ("a = Value(1)\nprint((b := a * 2).backward())", (2, 1), "what this call changes"),
    ("class Value: pass\na = Value(1)\nb = a.leaky_relu()", (3, 5), "a class of one's own"),
    ("Value.f = 3", (1, 1), ".f of Value can't be set"),
    ("del a.data", (1, 5), "only a name can be deleted"),
    ("é = Value(1); b = é @ é", (1, 19), "only + - * / and **"),
])  # fmt: skip
def test_everything_else_is_refused_with_its_place(program: str, place, reason: str):
    with pytest.raises(PlacedFormatError) as caught:
        read(program)
    assert str(caught.value).startswith(f"Line {place[0]}, column {place[1]}: ")
    assert reason in str(caught.value)
    assert str(caught.value).endswith(".")
    assert 0 <= caught.value.start <= len(program)


@in_turn(("program", "reason"), [
    ("", "makes no Value"),
    ("a = 2\nb = a * 3", "makes no Value"),
    ("a = Value(1)\0", "read"),
    ("a = Value(1)\na.label = '\ud800'", "characters that Python can't read"),
    ("(" * 300 + ")" * 300, "read"),
    ("a = " + "-" * 100_000 + "1", "nested too deeply"),
    ("#" * 600_001, "longer than"),
    ("a = Value(1)\nfor i in range(9999):\n  for j in range(9999):\n    a = a", "steps"),
    ("a = Value(1)\nfor i in range(9999):\n  b = a + a; c = b + b; d = c + c", "nodes"),
    ("x = ['a']\nfor i in range(9999): x = [x, x]\nfor i in range(9999): x = list(range(9999))",
     "steps"),
    ("s = 'ab'\nfor i in range(99): s = f'{s}{s}'", "short texts"),
])  # fmt: skip
def test_what_would_go_on_for_long_is_refused(program: str, reason: str):
    with pytest.raises(FormatError, match=reason):
        read(program)


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


def test_a_class_value_of_the_programs_own_gives_way_and_this_is_said():
    program = "class Value:\n    def __init__(self, data): self.data = data\n"
    found = python.read_program(program + "a = Value(2)\nb = a * a")
    assert found.remark == "The program's own class Value is not run; Backwire's stands in for it."
    assert python.read_program("a = Value(2)\nb = a * a").remark == ""


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


def test_a_definition_that_only_looks_like_ours_is_refused():
    text = python.write(from_expression("tanh(a)"))
    with pytest.raises(FormatError, match="is a function of the program's own"):
        read(text.replace("x.grad += ", "x.grad -= "))
    with pytest.raises(FormatError, match=r"operation is not defined"):
        read(text.replace("math.tanh(a)", "math.sinh(a)"))
    assert read("tanh = Value(1)\n" + text.replace("a = Value", "tanh_ = tanh\na = Value")).root


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


@pytest.mark.parametrize("name", CHOOSING)
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


HEAD = "from engine import Value\na = Value(2.0)\nb = Value(3.0)\n"


def value_when_read(text: str) -> float:
    graph = read(HEAD + text)
    assert graph.root is not None
    return evaluate_values(graph)[graph.root]


def value_when_run(text: str) -> float:
    names: dict[str, Any] = {}
    exec(HEAD + text, names)
    return names["y"].data


@pytest.mark.parametrize("change", [
    "ys += [b]", "ys += (b,)", "ys += reversed([b])", "ys *= 2", "ys += ys", "ys = ys + [b]",
    "ys = ys * 2", "ys.append(b)",
])  # fmt: skip
def test_a_list_that_is_changed_in_place_is_changed_under_all_its_names(change):
    text = f"xs = [a]\nys = xs\n{change}\ny = len(xs) * xs[0]\n"
    assert value_when_read(text) == value_when_run(text)


@pytest.mark.parametrize("pairs", ["zip([a, b], [b, a])", "enumerate([a, b])", "reversed([a, b])"])
def test_only_the_first_loop_over_an_iterator_gets_its_items(pairs):
    text = (
        f"pairs = {pairs}\ny = a * 1\nfor epoch in range(3):\n    for _ in pairs:\n        y += b\n"
    )
    assert value_when_read(text) == value_when_run(text) == 8.0


@pytest.mark.parametrize(("text", "said"), [
    ("xs = zip([a], [b])\nprint(list(xs))\ny = a * 1\nfor p, q in xs:\n    y *= q\n",
     "what this call changes"),
    ("xs = zip([a], [b])\nassert list(xs)\ny = a * 1\nfor p, q in xs:\n    y *= q\n",
     "a check that changes something"),
    ("import numpy\ny = a * 1\nfor _ in numpy.arange(a.data):\n    y = y * b\n",
     "known only when it runs"),
    ("import mine\nxs = [a]\nys = xs\nys += mine.more()\ny = sum(xs) * b\n",
     "known only when it runs"),
    ("c = a\nterms = (c * x for x in [b])\nc = b\ny = sum(terms)\n", "a generator runs later"),
])  # fmt: skip
def test_a_list_or_an_iterator_with_unknown_items_is_refused(text, said):
    with pytest.raises(FormatError, match=said):
        read(HEAD + text)


@pytest.mark.parametrize(("text", "value"), [
    ("rows = reversed([a, b])\np, q = rows\ny = p * q + len(list(rows))\n", 6.0),
    ("y = sum(x * x for x in [a, b])\n", 13.0),
    ("rows = [[a]]\nrow = rows[0]\nrows[0] += [b]\ny = sum(row)\n", 5.0),
])  # fmt: skip
def test_iterators_are_consumed_once_and_nested_lists_change_in_place(text, value):
    assert value_when_read(text) == value_when_run(text) == value
