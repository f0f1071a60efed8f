"""backwire trace: nothing runs without consent; then a line for each pass, and a file."""

import io
from itertools import combinations

from app.__main__ import main
from app.document.node_sizes import TYPICAL_GROUP_SIZE, group_height
from app.document.placement import overlap
from app.takeaway.estimated_layout import estimated_sizes
from engine import load
from engine.formats.files import load_drawing
from engine.trace import run
from tests.app.cli.test_running import refused
from tests.helpers.ran import PASS, VALUE, file_in, notebook


def test_a_pass_of_a_notebook_becomes_a_file(tmp_path, capsys):
    loop = "for k in range(3):\n    y = a * k + b\n    y.backward()"
    adds = "Adds to what the pass before it left, without zero_grad: shown with both."
    path = file_in(tmp_path, "lecture.ipynb", notebook(VALUE, PASS, loop, "1 / 0"))
    out = tmp_path / "made.backwire"
    assert main(["trace", str(path), "--yes", "--list", "-o", str(out)]) == 0
    told = capsys.readouterr()
    rows = [" ".join(line.split()) for line in told.out.splitlines()]
    assert rows == [
        "graph line passes numbers",
        "1 In [2], line 4: c.backward() 1 4 ✓ 2 leaf gradients as in the program.",
        f"2 In [3], line 3: y.backward() 3 5 + {adds}",
        f"{out}: 6 nodes",
        f"In [3], line 3: {adds}",
    ]
    assert told.err == "backwire: In [4], line 1: ZeroDivisionError: division by zero (1 / 0).\n"
    drawing = load_drawing(out)
    assert set(drawing.positions) == set(drawing.graph.nodes)
    graph = drawing.graph
    assert run(graph).values[graph.root or 0] == 1.0

    assert main(["trace", str(path), "--yes", "--pass", "3", "-o", str(out)]) == 0
    assert run(load(out)).values[load(out).root or 0] == -1.0
    assert main(["trace", str(path), "--yes", "--graph", "1", "-o", str(out)]) == 0
    assert {load(out).title(leaf) for leaf in load(out).leaves} == {"a", "b"}


def test_a_pass_found_by_running_twice_names_what_it_adds_to(tmp_path, capsys):
    slow = "import time\nfor k in range(3):\n    y = a * k\n    time.sleep(0.06)\n    y.backward()"
    path = file_in(tmp_path, "slow.ipynb", notebook(VALUE, PASS, slow))
    assert main(["trace", str(path), "--yes", "--list"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "3 3 + Adds to what the pass before it left, without zero_grad" in told


def test_an_operation_of_the_programs_own_is_kept_in_the_file(tmp_path, capsys):
    cube = """
def cube(self):
    out = Value(self.data**3, (self,), "cube")
    def _backward(): self.grad += 3 * self.data**2 * out.grad
    out._backward = _backward
    return out
Value.cube = cube
y = (Value(1.0) * 1.0).cube() * 2.0
y.backward()
"""
    path, out = file_in(tmp_path, "own.py", VALUE + cube), tmp_path / "own.backwire"
    assert main(["trace", str(path), "--yes", "-o", str(out)]) == 0
    assert (
        "cube is an operation of its own: slope as its step sends it, 3." in capsys.readouterr().out
    )
    graph = load(out)
    assert run(graph).gradients[graph.leaves[0]] == 6.0
    assert [op.name for op in graph.operations] == ["cube"]


def test_a_large_graph_opens_folded_with_no_box_on_another(tmp_path, capsys):
    text = """
ws = [Value(0.1 * k) for k in range(9)]
def net(x):
    return sum(w * x + w * w for w in ws).tanh()
loss = net(1.0) * net(-2.0) + net(0.5)
loss.backward()
"""
    path, out = file_in(tmp_path, "net.py", VALUE + text), tmp_path / "net.backwire"
    assert main(["trace", str(path), "--yes", "-o", str(out)]) == 0
    drawing = load_drawing(out)
    folded = [group for group in drawing.groups if group.collapsed]
    assert [group.title for group in folded] == [f"net · {k} of 3" for k in (1, 2, 3)]
    hidden = {node for group in folded for node in group.members}
    sizes = estimated_sizes(drawing.graph)[0]
    boxes = [(*group.position, TYPICAL_GROUP_SIZE[0], group_height(9)) for group in folded]
    boxes += [(*drawing.positions[n], *sizes[n]) for n in drawing.graph.nodes if n not in hidden]
    assert len(boxes) == 3 + 9 + 2 + 1  # groups, weights, the two signs of the loss, the root
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))


def test_nothing_is_run_without_consent(tmp_path, capsys, monkeypatch):
    path = file_in(tmp_path, "lecture.py", VALUE + PASS + "print(1 / 0)")
    told = refused(capsys, 1, "trace", str(path), "--list")
    assert told == "backwire: Running a program needs your consent: add --yes.\n"

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for answer, code in (("\n", 1), ("n\n", 1), ("y\n", 0)):
        monkeypatch.setattr("sys.stdin", Terminal(answer))
        assert main(["trace", str(path), "--list"]) == code
        said = capsys.readouterr()
        assert said.out.startswith("Running it does what python lecture.py does, with your rights.")
        assert ("c.backward()" in said.out) == (code == 0)


def test_without_a_graph_the_reason_is_told(tmp_path, capsys):
    cases = {
        "x = 1": "No number in it is a Value.",
        "import sys\nsys.exit('usage: it')": "It ended itself; no pass was seen.",
        VALUE + "a = Value(1.0)": "It makes no graph: no number of it comes from another.",
        "while True: pass": "Stopped after 1 s; no pass was seen.",
        VALUE + "a = Value(1.0) * 2": "",
    }
    for text, reason in cases.items():
        path = file_in(tmp_path, "p.py", text)
        code = main(["trace", str(path), "--list", "--yes", "--seconds", "1"])
        assert (code, reason in capsys.readouterr().err) == (0 if not reason else 1, True), text
    for words in (["nowhere.py", "--list"], [str(tmp_path), "--list"], [__file__ + "x", "--list"]):
        assert main(["trace", *words, "--yes"]) == 1
        assert "there is no such file" in capsys.readouterr().err
    for words in ([], ["p.py"], ["p.py", "-o", "x.png"], ["p.py", "--list", "--pass", "0"]):
        assert main(["trace", *words]) == 2
        capsys.readouterr()
