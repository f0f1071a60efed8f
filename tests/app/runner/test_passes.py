"""Passes that learners brought: each comes in whole, and is explained as what it is."""

import sys

import pytest

from app.panels.program_bar import title_of
from app.runner import run
from app.runner.run import Request
from engine.formats.program_graph import ProgramGraph
from engine.formats.recording import told
from engine.graph import Constant
from engine.trace import run as run_pass
from tests.helpers.ran import VALUE, file_in, notebook, run_all

SUM = """from backwire import Value
a = Value(2.0)
b = sum([a * 3 + 1, 5 - a.tanh(), 1 / a])
b.backward()
"""


@pytest.mark.parametrize("python", [sys.executable, getattr(sys, "_base_executable", "")])
def test_a_program_with_our_value_has_its_variables_as_leaves_alone(tmp_path, python):
    """By the library where that Python has it, else by what stands in for it."""
    result = run_all({"": Request(file_in(tmp_path, "ours.py", SUM), python)})[""]
    assert told(result) == ()
    found = ProgramGraph(result.graphs[-1])
    graph = found.drawing.graph
    assert found.verdict.kind == "right", found.verdict
    assert [graph.label(n) for n in graph.leaves] == ["a"]
    numbers = [node.value for node in graph.nodes.values() if isinstance(node, Constant)]
    assert {0.0, 1.0, 3.0, 5.0} <= set(numbers)


def test_a_stopped_program_names_the_pass_that_is_shown(tmp_path):
    """Noted are passes 1, 2, 4, 8 … of a line, and the last one of a program that ends."""
    loop = """
import time
w = Value(0.5)
for k in range(20):
    y = w * float(k)
    time.sleep(0.02)
    y.backward()
"""
    ends = {"of 20": "", "seen": "time.sleep(60)"}
    requests = {
        ending: Request(file_in(tmp_path, f"{k}.py", VALUE + loop + last), seconds=4.0)
        for k, (ending, last) in enumerate(ends.items())
    }
    done = run_all(requests)
    for ending, result in done.items():
        first, last = result.graphs
        shown = ProgramGraph(last)
        assert last.root.data == 0.5 * (last.nth - 1), ending
        assert last.times == 20
        assert first.which == "pass 1 of 20"
        if ending == "seen":
            assert 1 < last.nth < 20
            assert last.which == f"pass {last.nth} of 20 seen: the last one that was noted"
        else:
            assert last.which == "pass 20 of 20"
        assert title_of(shown) == f"y, {last.where}, {last.which}"


def test_lines_are_the_same_where_a_frame_that_is_watched_does_not_tell_its_own(tmp_path):
    """As before Python 3.10, which is told by its version alone."""
    old = "import sys\nsys.version_info = (3, 9)\n"
    loop = """
def twice(x):
    y = x * 2.0
    return y + y

for k in range(2):
    a = Value(1.0 + k)

    L = (twice(a)
         * twice(a + 1.0))
    L.backward()
"""
    path = file_in(tmp_path, "old.py", old + VALUE + loop)
    found = ProgramGraph(run_all({"": Request(path)})[""].graphs[0])
    lines = path.read_text().splitlines()
    assert lines[found.recording.where.line - 1].strip() == "L.backward()"
    called = [lines[call.line - 1].strip() for call in found.calls.values()]
    assert called == ["L = (twice(a)", "* twice(a + 1.0))"]


def test_an_error_names_the_line_of_the_learner(tmp_path, monkeypatch):
    """In a cell, in a module beside it, and where the program lies in a folder around Backwire."""
    for file in (run.RUNNER, run.RUNNER.with_name("micrograd.py")):
        file_in(tmp_path / "installed", file.name, file.read_bytes())
    monkeypatch.setattr(run, "RUNNER", tmp_path / "installed" / run.RUNNER.name)
    file_in(tmp_path, "beside.py", "one = 1\ntwo = = 2\n")
    cells = ("x = 1\ny = ) 2", "import not_there\nnot_there.ones(3)", "import beside", "int('a')")
    path = file_in(tmp_path, "book.ipynb", notebook(*cells))
    result = run_all({"": Request(path)})[""]
    assert [f"{each.where}: {each.kind}: {each.message}" for each in result.errors] == [
        "In [1], line 2: SyntaxError: unmatched ')'",
        "In [2], line 2: ModuleNotFoundError: No module named 'not_there'",
        "beside.py, line 2: SyntaxError: invalid syntax",
        "In [4], line 1: ValueError: invalid literal for int() with base 10: 'a'",
    ]


def test_weights_lie_in_the_calls_of_their_object_and_inputs_outside(tmp_path):
    text = """
class Neuron:
    def __init__(self, k): self.w = [Value(0.5 + k), Value(-1.0)]; self.b = Value(0.25)
    def __call__(self, x): return (self.w[0] * x[0] + self.w[1] * x[1] + self.b).tanh()
class Net:
    def __init__(self): self.neurons = [Neuron(0), Neuron(1)]
    def __call__(self, x): return self.neurons[0](x) + self.neurons[1]([x[0], x[0]])
net, xs = Net(), [Value(1.0), Value(2.0)]
loss = net(xs) * 2.0
loss.backward()
"""
    result = run_all({"": Request(file_in(tmp_path, "net.py", VALUE + text))})[""]
    drawing = ProgramGraph(result.graphs[0]).drawing
    graph, leaves = drawing.graph, set(drawing.graph.leaves)
    found = {
        group.title: sorted(graph.label(n) for n in group.members if n in leaves)
        for group in drawing.groups
    }
    inside = ["b", "w[0]", "w[1]"]
    assert found == {"net": [], "…neurons[0]": inside, "…neurons[1]": inside}
    grouped = {n for group in drawing.groups for n in group.members}
    assert sorted(graph.label(n) for n in leaves - grouped) == ["xs[0]", "xs[1]"]


def test_an_input_without_a_name_stays_outside_of_the_network_that_it_is_handed_to(tmp_path):
    text = """
class Neuron:
    def __init__(self, k): self.w = [Value(0.5 + k), Value(-1.0)]; self.b = Value(0.25)
    def __call__(self, x):
        half = Value(0.125)
        return (self.w[0] * x[0] + self.w[1] * x[1] + self.b * half + half).tanh()
class Net:
    def __init__(self): self.neurons = [Neuron(0), Neuron(1)]
    def __call__(self, x): return self.neurons[0](x) + self.neurons[1](x)
net = Net()
loss = net([Value(k) for k in (1.0, 2.0)]) * 2.0
loss.backward()
"""
    result = run_all({"": Request(file_in(tmp_path, "net.py", VALUE + text))})[""]
    drawing = ProgramGraph(result.graphs[0]).drawing
    graph = drawing.graph
    grouped = {n for group in drawing.groups for n in group.members}
    outside = [graph.leaf_values[n] for n in graph.leaves if n not in grouped]
    assert sorted(outside) == [1.0, 2.0]  # and `half` inside of each neuron


def test_a_step_that_assigns_along_one_operand_alone_is_named(tmp_path):
    lines = {"first": "self.grad += out.grad", "second": "other.grad += out.grad"}
    text = "a, b = Value(2.0), Value(3.0)\nd = a + b\nL = d * a * b\nL.backward()\n"
    requests = {}
    for which, line in lines.items():
        source = VALUE.replace(line, line.replace("+=", "="), 1) + text
        requests[which] = Request(file_in(tmp_path, f"{which}.py", source))
    for which, result in run_all(requests).items():
        found = ProgramGraph(result.graphs[0])
        assert found.verdict.kind == "wrong", which
        assert f"uses = instead of += for its {which} operand." in found.verdict.sentence
        assert found.is_replayed  # and is seen to happen, along one wire alone
        graph = found.drawing.graph
        grads = run_pass(graph, rules=found.recorded.rules).gradients
        theirs = {node.name: node.after for node in found.nodes if not node.kids}
        assert {graph.label(n): grads[n] for n in graph.leaves} == theirs
        (wire,) = found.recorded.assigns
        assert which == ("first", "second")[wire[1]]


GELU = """
def gelu(self):
    s = 1 / (1 + math.exp(-1.702 * self.data))
    out = Value(self.data * s, (self,), "gelu")
    def _backward():
        self.grad += {slope} * out.grad
    out._backward = _backward
    return out
Value.gelu = gelu
Value(-0.6).gelu().backward()
"""


def test_what_is_not_known_is_called_so_and_a_wrong_slope_is_held_against_a_quotient(tmp_path):
    texts = {
        "wrong": VALUE + GELU.format(slope="s"),
        "right": VALUE + GELU.format(slope="(s + 1.702 * self.data * s * (1 - s))"),
        "lots": VALUE
        + "import random\n"
        + GELU.format(slope="s").replace("1.702 * self", "random.random() * self"),
        "grad": VALUE.replace(".grad", ".g") + "a = Value(2.0)\nb = a * a\nb.backward()\n",
        "data": VALUE.replace(".data", ".x_") + "a = Value(2.0)\nb = a * a\nb.backward()\n",
    }
    done = run_all({k: Request(file_in(tmp_path, f"{k}.py", x)) for k, x in texts.items()})
    said = {k: ProgramGraph(x.graphs[-1]).verdict for k, x in done.items() if x.graphs}
    assert (
        "as its step sends it, 0.2648, where a difference quotient gives 0.06"
        in said["wrong"].sentence
    )
    assert "quotient" not in said["right"].sentence + said["lots"].sentence
    assert said["grad"].kind == "none"
    assert "gradients are kept is not known" in said["grad"].sentence
    assert "None" not in "".join(told(done["data"]))
    assert "numbers are kept is not known" in "".join(told(done["data"]))
