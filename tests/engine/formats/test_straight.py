"""Straight lines of programs: what is read is what the program makes, and the rest is named."""

import contextlib
import time

import pytest

from engine import FormatError
from engine.formats.expression import read, read_typed, write
from engine.formats.files import source_text
from engine.formats.python import from_python
from engine.formats.python.straight import straight
from tests.helpers.graphs import gradients
from tests.helpers.tables import in_turn

LECTURE = """
from micrograd.engine import Value
# inputs x1,x2
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
n = x1w1 + x2w2 + b; n.label = 'n'
e = (2*n).exp()
o = (e - 1) / (e + 1)
o.label = 'o'
o.grad = 1.0
o.backward()
draw_dot(o)
"""


LONG = "a = Value(2.0)\n" + "a = a*2\n" * 2_500
SLOW = {
    "many passes": LONG + "a.backward()\n" * 500,
    "many passes after a change": "b = Value(1.0)\nb.data = 2\n" + LONG + "a.backward()\n" * 500,
    "many changes": LONG + "a.data = 1\na = a*2\na.backward()\n" * 500,
    "magics": "%x\n" * 199 + "a = 1\n" * 20_000,
    "many magics": "%x\n" * 180_000,
    "cells of magics": {f"In [{k}]": "%x\n" * 199 for k in range(900)},
    "a coding of no text": source_text(b"# coding: punycode\n" + b"#" * 160_000 + b"-a", ".py"),
}


@in_turn("name", SLOW)
def test_a_program_is_read_before_anyone_has_agreed_so_it_takes_no_time(name):
    began = time.process_time()
    with contextlib.suppress(FormatError):
        straight(SLOW[name])
    assert time.process_time() - began < 4.0


def test_a_change_is_a_change_of_all_that_is_made_of_it():
    lines = "a = Value(2.0)\nb = a*2\nc = b*3\nd = Value(1.0)\n{}\ne = b*4\nf = d*5\n"
    roots = "c.backward()\ne.backward()\nf.backward()"
    for change, found in (("pass", 3), ("a.data = 3", 1), ("c.data = 3", 2), ("step()", 0)):
        assert len(straight(lines.format(change) + roots).roots) == found, change


def test_a_lecture_is_read_as_the_reader_of_programs_reads_it():
    found = straight(LECTURE)
    assert found.passed == ()
    assert found.graph() == from_python(LECTURE)
    assert gradients(read(LECTURE)) == pytest.approx(
        gradients(read(write(read_typed(LECTURE).graph)))
    )


@in_turn(("program", "formula", "passed"), [
    ("a = Value(2); b = a*a; b.backward()", "a = 2; b = a*a", []),
    ("a = b = Value(1)\nc = a + b", "a = 1; c = a + a", []),
    ("k = torch.tensor(2.0)\nx = torch.tensor(3.0)\nx.requires_grad = True\nL = k*x",
     "x = 3; L = 2*x", []),
    ("a, b = Value(2), Value(3)\nc = -a + b**2", "a = 2; b = 3; c = -a + b**2", []),
    ("h = 0.5*2\na = Value(h)\nL = a - h", "a = 1; L = a - 1", []),
    ("a = Value(2)\na += 1\n(a*3).backward()", "a_1 = 2; a = a_1 + 1; a*3", None),
    ("x = torch.tensor([2.0], requires_grad=True).double()\no = torch.tanh(x*x)\no.backward()",
     "x = 2; o = tanh(x*x)", []),
    ("from micrograd.engine import Value as V\na = V(2)\nb = a.relu().pow(2)",
     "a = 2; b = relu(a)**2", []),
    ("a = 2.0\nb = -3.0\nprint(a*b)\nd = a*b + 10\nprint(d)", "a = 2; b = -3; d = a*b + 10", []),
    ("a = Value(2)\nfor k in range(3):\n    print(k)\nb = a*3", "a = 2; b = a*3", [2]),
    ("if __name__ == '__main__':\n    a = Value(2)\n    b = a*3", "a = 2; b = a*3", []),
    ("a = Value(2)\nb = a*3\nimport sys\nsys.exit()\nb.backward()\n(b*2).backward()",
     "a = 2; b = a*3", []),
    ("a = Value(2)\nb = a*3\nc = b + (10**20 + 1 - 10**20)", "a = 2; b = a*3", [3]),
    # what may have been changed is unknown
    ("a = Value(2)\nb = a*3\nb.backward()\na.data = 5\nc = a*2\nc.backward()", "a = 2; b = a*3",
     [4, 6]),
    ("a = Value(2)\nb = a*3\nb.backward()\nfor p in [a]:\n    p.data -= 1\nb.backward()",
     "a = 2; b = a*3", [4, 6]),
    ("a = Value(2)\nb = a*3\nb.backward()\nopt.step()\n(a*5).backward()", "a = 2; b = a*3", [4, 5]),
    ("def nudge():\n    a.data += 1\na = Value(2)\nb = a*3\nb.backward()\nnudge()\nb.backward()",
     "a = 2; b = a*3", [6, 7]),
    ("a = Value(2)\nb = a*3\nb.backward()\nif a.data > 1:\n    a = Value(9)\nc = a*2\nc.backward()",
     "a = 2; b = a*3", [4, 6, 7]),
])  # fmt: skip
def test_a_program_is_read_as_far_as_it_is_straight_lines(program, formula, passed):
    found = straight(program)
    assert passed is None or [place.line for place in found.passed] == passed
    got, plain = gradients(found.graph()), gradients(read(formula))
    assert sorted(got.values()) == sorted(plain.values())
    assert len(found.graph().leaves) == len(read(formula).leaves)


def test_a_root_of_a_notebook_has_its_cell():
    cells = {
        "In [2]": "a = Value(2)\n%matplotlib inline",
        "In [4]": "oops(",
        "In [6]": "b = a*3\nb.backward()",
        "In [7]": "class MLP: pass\nm = MLP()\nc = b*m",
    }
    found = straight(cells)
    assert [str(root.place) for root in found.roots] == ["In [6], line 2"]
    assert [str(place) for place in found.passed] == ["In [7], line 2", "In [7], line 3"]
    assert found.remark == (
        "Read as straight lines of a program; passed over: In [7], line 2, In [7], line 3."
    )


def test_where_nothing_is_straight_that_is_said():
    for text in (
        "import os", "def f():\n    return Value(2)\nprint(f())", "a = Value(2)\na.data += 1",
        "a = Value(2)\nb = a*2\na.data = 5", "a = Value()\nb = a*2",
        "a = Value(1, name=2)\nb = a*2",
        "xs = [Value(2)]\ny = sum(xs)", "a = Value(2)\nfor i in range(3): a = a + i\nprint(a)",
    ):  # fmt: skip
        with pytest.raises(FormatError, match="No straight line of the program makes a Value"):
            read_typed(text)
    with pytest.raises(FormatError, match="Line 2, column 5: this can't be read as Python"):
        read_typed("a = Value(2)\nb = (")


def test_an_operation_with_several_formulas_is_not_read_where_the_program_has_its_own():
    own = "class V(Value):\n    def gelu(self): return self * 0.5\n    def tanh(self): pass\n"
    lines = "a = Value(2.0)\nb = a.tanh()\nc = b.gelu()\nc.backward()\n"
    assert straight(lines).graph().root_name == "c"
    found = straight(own + lines)
    assert str(found.passed[0]) == "line 6"
    assert not any(getattr(node, "op", "") == "gelu" for node in found.nodes.values())
