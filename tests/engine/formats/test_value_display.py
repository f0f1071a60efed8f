"""A Value as micrograd's picture in a notebook, or in words, and in a window of its own process."""

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import micrograd.engine
import pytest

from app.__main__ import SHOW_VALUE_OPTION
from engine import EngineError, Value, draw_dot, from_python, group, trace_graph
from engine.formats import dot, value_display
from engine.formats.native import read, read_drawing
from engine.formats.value_display import DRAWN_LIMIT
from engine.frame import frame_at
from engine.trace import run
from tests.engine.formats.test_dot import draw_dot as as_micrograd
from tests.engine.formats.test_dot import drawn

ROOT = Path(__file__).resolve().parents[3]
SVG, TEXT = "image/svg+xml", "text/plain"

LECTURE = """\
from backwire import Value, draw_dot
from backwire import trace_graph as trace

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
o.backward()
draw_dot(o)
nodes, edges = trace(o)
"""
"""The neuron of micrograd's lecture, with its drawing imported."""

STUB = """
def display(thing):
    bundle = thing._repr_mimebundle_(include=None, exclude=None)
    print(sorted(bundle), "<svg" in bundle["image/svg+xml"])

display(draw_dot(o)), display(draw_dot(o, format='png', rankdir='TB')), display(o)
print(len(nodes), len(edges), (x1w1, x1w1x2w2) in edges)
"""


def value() -> Value:
    names: dict[str, Any] = {}
    exec(LECTURE.replace("backwire", "engine"), names)
    return names["o"]


def chain(count: int) -> Value:
    found = Value(1.0)
    while count > 1:
        found, count = found.tanh(), count - 1
    return found


@pytest.mark.parametrize("library", ["engine", "backwire"])
def test_a_lecture_notebook_runs_unchanged(library: str, tmp_path):
    if library == "backwire":  # as it is installed
        (tmp_path / "backwire.py").write_text("from engine import *")
    program = (LECTURE + STUB).replace("backwire", library)
    code = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]\n{program}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    shown = f"['{SVG}', '{TEXT}'] True\n"
    assert (done.stdout, done.stderr) == (shown * 3 + "10 9 True\n", "")


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("module", [micrograd.engine.Value, Value])
def test_the_drawing_is_micrograds(module: Any, labels: bool):
    a, b = module(2.0), module(-3.0)
    c = a * b + 10
    y = (c**3 + a * a + c).relu() * 0.5 + b**-1
    y.backward()
    if labels:
        a.label = 'a "b" {|}'
    wanted, edges = as_micrograd(y, with_labels=False)
    names, wires = drawn(draw_dot(y).source)
    if not labels:
        assert (names, wires) == (wanted, edges)
    assert sum(names.values()) == sum(wanted.values())
    assert trace_graph(y)[0] >= {a, b, c, y}
    assert (a, y) not in trace_graph(y)[1]


def test_the_drawing_of_a_value_is_that_of_its_graph():
    o = value()
    assert from_python(LECTURE).root_name == "o"  # read without running it
    assert 'rankdir="TB"' in draw_dot(o, rankdir="TB").source
    trace = run(o.graph())
    frame = frame_at(trace, len(trace))
    assert drawn(draw_dot(o).source) == drawn(dot.write_classic(trace.graph, frame))


def test_what_render_writes_is_named_as_graphviz_names_it(tmp_path):
    picture = draw_dot(value(), format="png")
    path = Path(picture.render(tmp_path / "neuron"))
    assert path == tmp_path / "neuron.png"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "neuron").read_text("utf-8") == picture.source
    found = picture.render("b", directory=tmp_path, format="svg", cleanup=True)
    assert "<svg" in Path(found).read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.svg", "neuron", "neuron.png"]


@pytest.mark.parametrize(("given", "said"), [
    ({"root": 3.0}, "What is drawn is a Value, not 3.0."),
    ({"format": "gif"}, "Pictures are svg, png, pdf, dot, not 'gif'."),
    ({"rankdir": "X"}, "rankdir is LR or TB, not 'X'."),
])  # fmt: skip
def test_what_can_not_be_drawn_is_one_sentence(given: dict[str, Any], said: str):
    with pytest.raises(EngineError) as found:
        draw_dot(**{"root": value(), **given})
    assert str(found.value) == said


def test_a_value_shows_data_and_gradients_as_they_are():
    o = value()
    o.backward()  # the second pass adds to the first
    shown = o._repr_mimebundle_()
    assert shown[TEXT] == repr(o)
    assert shown[SVG] == o._repr_svg_()
    for each in (o, *o._prev):
        assert f"data {each.data:.4f}" in shown[SVG].replace("&#45;", "-")
        assert f"grad {each.grad:.4f}" in shown[SVG].replace("&#45;", "-")


def test_a_picture_says_where_values_are_newer_than_gradients():
    newer = "Values are newer than gradients"
    o = value()
    o.backward()
    assert newer not in draw_dot(o).source
    leaf = next(each for each in trace_graph(o)[0] if each.label == "w1")
    leaf.data -= 0.1 * leaf.grad
    assert newer in draw_dot(o).source
    assert newer in (o._repr_svg_() or "")
    for data in (None, "x"):
        leaf.data = data  # type: ignore[assignment]  # as programs do
        assert newer in draw_dot(o).source
    for number in (math.inf, math.nan, -0.0):
        a = Value(number)
        o = (a * 0.0 - a) ** 3 + a.where_gt0(a, 1.0).maximum(a)
        o.backward()
        assert newer not in draw_dot(o).source
    own = Value(0.46, (Value(0.5),), "tanh")  # its own rule, which may round otherwise
    assert newer not in draw_dot(own * 2.0).source


def test_a_graph_too_large_for_a_picture_says_so():
    assert SVG in chain(3)._repr_mimebundle_()
    for count, more in (
        (DRAWN_LIMIT + 1, "\nIts show() opens it in a window."),
        (60_000, ""),  # the window takes no more than NODE_LIMIT
    ):
        y = chain(count)
        assert y._repr_svg_() is None
        assert y._repr_mimebundle_() == {
            TEXT: f"{y!r}\nThe picture is left out: it would have {count:,} Values, and a notebook "
            f"shows up to 300.{more}"
        }
    shown = draw_dot(chain(DRAWN_LIMIT + 1))._repr_mimebundle_()
    assert shown.keys() == {TEXT}
    assert "it would have 301 Values, and a notebook shows up to 300." in shown[TEXT]


def test_where_graphviz_fails_a_notebook_says_why(monkeypatch):
    def fails(*_arguments):
        raise EngineError("Graphviz is missing.")

    monkeypatch.setattr(value_display, "render", fails)
    o = value()
    said = "The picture is left out: Graphviz is missing."
    assert o._repr_mimebundle_() == {TEXT: f"{o!r}\n{said}\nIts show() opens it in a window."}
    assert draw_dot(o)._repr_mimebundle_()[TEXT].endswith(said)


def test_what_is_odd_is_drawn_all_the_same():
    odd = Value(math.inf, (Value(2.0), Value(math.nan)), "softsign")
    odd.grad = None  # type: ignore[assignment]  # as programs do
    shown = odd._repr_svg_()
    assert shown is not None
    for text in ("data inf", "data nan", "grad None", "softsign"):
        assert text in shown


@pytest.fixture
def handed(monkeypatch) -> list[str]:
    """What is handed to the window's process, which is not started."""
    found: list[str] = []

    def start(content: bytes, *said: str) -> str:
        found.extend((content.decode(), *said))
        return ""

    monkeypatch.setattr(value_display, "_start", start)
    return found


class Layer:
    def __init__(self) -> None:
        self.w = [Value(0.5), Value(-1.0)]
        self.by_name = {"b": Value(0.25)}


def test_the_window_is_given_names_groups_and_gradients_of_the_program(handed):
    net, x = Layer(), (Value(2.0), Value(3.0))
    with group("layer 1"):
        total = x[0] * net.w[0] + x[1] * net.w[1]
        with group("bias"):
            h = total + net.by_name["b"]
    for p in net.w:
        p.m = 0.0
    y = h * h
    y.label = "loss"
    y.show()
    for _ in range(2):
        y.backward()
        y.show()
    net.w[0].data -= 0.1
    y.show()
    first, second, end, third, said, fourth, newer = handed
    assert newer.startswith("Values are newer than gradients")
    assert read_drawing(fourth).recorded is not None
    assert read(first) == read(second) == read(third)
    assert (end, read_drawing(first).recorded) == ("", None)
    for text, part in ((second, 1.0), (third, 5.0)):
        recorded = read_drawing(text).recorded
        assert recorded is not None
        assert recorded.grads[1] == part * -1.75
        assert run(read(text), rules=recorded.rules).gradients[1] == part * -1.75
    assert said == "x[0].grad is −8.75 in the program; this pass, which begins from 0, gives −1.75."
    drawing = read_drawing(first)
    assert {drawing.graph.label(n) for n in drawing.graph.nodes} == {
        # p is what a loop has left
        *("x[0]", "x[1]", "net.w[0]", "net.w[1]", "net.by_name['b']", "total", "h", "loss", "")
    }
    one, two = drawing.groups
    assert (one.title, two.title, two.parent) == ("layer 1", "bias", one.id)
    assert [drawing.graph.label(n) for n in (*one.members, *two.members)] == ["", "", "total", "h"]
    assert (total.label, h.label) == ("", "")  # the program's own Values are left alone


def test_the_window_is_given_the_graph_with_its_values_and_labels(handed, capfd):
    o = value()
    o.show()
    graph = read(handed[0])
    assert graph == o.graph()
    assert {"x1", "w1", "b", "x1*w1", "o"} <= {graph.label(node) for node in graph.nodes}
    assert capfd.readouterr() == ("", "")


def run_program(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program that shows a graph, in a folder with an app.py of its own."""
    (tmp_path / "app.py").write_text("raise SystemExit('not this one')\n")
    program = tmp_path / "program.py"
    program.write_text("from engine import Value\n(Value(2.0) * 3).show()\nprint('goes on')\n")
    known = {key: text for key, text in os.environ.items() if "DISPLAY" not in key}
    return subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env=known | {"PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only there can a display be missing")
def test_without_a_display_a_program_goes_on_with_one_line(tmp_path):
    done = run_program(tmp_path, QT_QPA_PLATFORM="xcb")
    assert done.returncode == 0
    assert done.stdout == "goes on\n"
    assert done.stderr == (
        "backwire: There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.\n"
    )


def test_site_packages_do_not_come_before_the_standard_library(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/of/the/user")
    place = str(value_display._IMPORT_FOLDER)
    assert value_display._search_path() == {"PYTHONPATH": os.pathsep.join([place, "/of/the/user"])}
    monkeypatch.setattr(value_display.site, "getsitepackages", lambda: ["/other", place])
    assert value_display._search_path() == {}


@pytest.mark.parametrize(("made", "change", "said"), [
    (value, {"find_spec": lambda _name: None}, "backwire: the window needs PySide6"),
    (value, {"NODE_LIMIT": 5}, "the window shows up to 5 nodes, and this graph has 10\n"),
    (lambda: chain(60_001), {}, "this graph has 60,001"),
    (lambda: Value(1.0, [Value(2.0) for _ in range(21)], "strange"), {},
     "can't be opened: 'strange' has 21 inputs"),
])  # fmt: skip
def test_what_has_no_window_is_said_in_one_line(made, change, said, monkeypatch, capsys, handed):
    for name, other in change.items():
        monkeypatch.setattr(value_display, name, other)
    assert made().show() is None
    err = capsys.readouterr().err
    assert said in err
    assert (err.count("\n"), handed) == (1, [])


@pytest.mark.skipif(os.name != "posix", reason="starts a script of the shell")
@pytest.mark.parametrize(("script", "said"), [
    ("exit 1", "the window did not start"),
    ("exec sleep 40", "the window has not answered for 0.1 seconds; it may still open"),
])  # fmt: skip
def test_a_window_that_dies_or_never_answers_is_said(script, said, tmp_path, monkeypatch, capsys):
    shell = tmp_path / "shell"
    shell.write_text(f"#!/bin/sh\n{script}\n")
    shell.chmod(0o755)
    monkeypatch.setattr(value_display.sys, "executable", str(shell))
    monkeypatch.setattr(value_display, "ANSWER_TIMEOUT", 0.1 if "sleep" in script else 20)
    value().show()  # had the sleeping one been waited for, nothing would be said
    assert capsys.readouterr().err == f"backwire: {said}\n"


def test_the_program_knows_the_word_that_starts_it_and_a_value_loads_nothing_of_this():
    assert SHOW_VALUE_OPTION == value_display.SHOW_VALUE_OPTION
    code = "import sys, engine.value; print([m for m in sys.modules if '.value_' in m])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
