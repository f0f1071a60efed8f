"""Every format says of every graph what the engine says: read again, or run, and compared."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine import FormatError, Graph, from_expression
from engine.formats import dot, latex, native, python
from engine.formats.latex import symbols
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Constant, Leaf, Node, OpNode, Root
from engine.numbers import DIGITS_WRITTEN, short
from engine.ops import Use, frozen
from engine.rules import CORRECT
from engine.trace import run
from tests.engine.formats.test_dot import reread_all
from tests.helpers.exported import unquoted
from tests.helpers.graphs import EXAMPLES, gradients, mistake, values
from tests.helpers.tables import in_turn

ODD = (
    "x<0", "α²", 'say "x"', "back\\slash", "\\n", "🐍", "lambda", "None", "Value", "torch", "print",
    "exp", "w", "w", "", "x1", "x_1", "# no", "'''", "y = 1", "{a}|<b>", "%d", "x\u0302", "&lt;",
    "_", "__debug__", "self", "math", "float", "v3", "ünï",
)  # fmt: skip
FRESH = Path(__file__).parents[3]


def odd_labels() -> Graph:
    """A leaf for each odd label, all added up; every second sum has an odd label too."""
    nodes: dict[int, Node] = {k: Leaf(k / 4 - 3, label) for k, label in enumerate(ODD, 1)}
    last, count = 1, len(ODD)
    for k in range(2, count + 1):
        label = ODD[k - 2] if k % 2 else ""
        nodes[count + k] = OpNode("add" if k % 3 else "mul", (last, k), label)
        last = count + k
    return Graph({**nodes, 3 * count: Root(last)}, 3 * count, 3 * count + 1)


def constants() -> Graph:
    """Numbers with and without labels, used once and twice, and one that is a power."""
    nodes: dict[int, Node] = {
        1: Leaf(2.0, "a"), 2: Constant(0.5, "k"), 3: Constant(-3.0), 4: OpNode("mul", (1, 2)),
        5: OpNode("add", (4, 3), "a"), 6: OpNode("mul", (5, 3), "k"), 7: Constant(2.0, "lambda"),
        8: OpNode("pow", (6, 7)), 9: OpNode("add", (8, 1), "y"), 10: Root(9),
    }  # fmt: skip
    return Graph(nodes, 10, 11)


def not_finite(value: float) -> Graph:
    """A leaf and a constant beyond all bounds, or none at all."""
    text = "c = a*b; d = c + 2; y = d*a"
    graph = from_expression(text, {"a": 1.5, "b": 2})
    return graph.with_values({1: value})


GRAPHS: dict[str, Graph] = {
    **{found.name: found.graph for found in EXAMPLES},
    "odd labels": odd_labels(),
    "constants": constants(),
    "inf": not_finite(math.inf),
    "-inf": not_finite(-math.inf),
    "nan": not_finite(math.nan),
    "-0": not_finite(-0.0),
    "smallest": not_finite(5e-324),
}
EVERY = pytest.mark.parametrize("name", GRAPHS)


def wanted(graph: Graph) -> dict[str, float]:
    """The root's value and the leaves' gradients by name, as an exported program prints them."""
    found = gradients(graph)
    leaves = [n for n, k in graph.names.items() if k in found and isinstance(graph.nodes[n], Leaf)]
    grads = {f"{graph.names[n]}.grad": found[graph.names[n]] for n in leaves}
    return {graph.root_name: values(graph)[graph.root_name], **grads}


DRIVER = """
import contextlib, io, json, sys
found = {}
for name, text in json.load(sys.stdin).items():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    found[name] = out.getvalue()
print(json.dumps(found))
"""


def run_programs(programs: dict[str, str]) -> dict[str, list[tuple[str, float]]]:
    """What each program prints, in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER], input=json.dumps(programs), cwd=FRESH,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed = {
        name: [line.rsplit(" = ", 1) for line in text.splitlines()]
        for name, text in json.loads(done.stdout).items()
    }
    return {name: [(k, float(v)) for k, v in lines] for name, lines in printed.items()}


@pytest.mark.parametrize("library", ["micrograd.engine", "engine", "torch"])
def test_programs_print_the_numbers_with_micrograd_with_our_own_value_and_with_torch(library: str):
    pytest.importorskip(library)
    write = python.write_pytorch if library == "torch" else python.write
    programs = {
        name: write(graph).replace("micrograd.engine", library) for name, graph in GRAPHS.items()
    }
    for name, printed in run_programs(programs).items():
        expected = sorted(wanted(GRAPHS[name]).values(), key=repr)
        assert len({key for key, _value in printed}) == len(printed), name
        assert sorted((v for _key, v in printed), key=repr) == pytest.approx(
            expected, rel=1e-9 if library == "torch" else 1e-12, nan_ok=True
        ), name


def frames(graph: Graph) -> list[Frame]:
    """Before, in the middle of, and after a pass, and after one under a mistake."""
    right, wrong = run(graph), run(graph, rules=mistake("assign"))
    assert right.rules is CORRECT
    return [frame_at(right, k) for k in (0, len(right) // 2, len(right))] + [
        frame_at(wrong, len(wrong))
    ]


@EVERY
def test_dot_is_read_again_with_the_labels_and_numbers_of_every_moment(name: str):
    graph = GRAPHS[name]
    moments = frames(graph)
    for frame, told in zip(
        moments, reread_all([dot.write(graph, f) for f in moments]), strict=True
    ):
        nodes = told["nodes"]
        for node, found in graph.nodes.items():
            if isinstance(found, Root):
                continue
            first, data, *grad = unquoted(nodes[f"n{node}"]["label"]).split("\n")
            assert found.label in first
            assert data == f"data {short(frame.values[node], DIGITS_WRITTEN)}"
            known = short(frame.grads[node], DIGITS_WRITTEN) if node in frame.grads else "–"
            assert grad == ([] if isinstance(found, Constant) else [f"grad {known}"])


@EVERY
def test_the_classic_picture_is_read_again_with_the_numbers_of_every_moment(name: str):
    graph = GRAPHS[name]
    moments = frames(graph)
    texts = [dot.write_classic(graph, frame) for frame in moments]
    for frame, told in zip(moments, reread_all(texts), strict=True):
        nodes = told["nodes"]
        for node, grad in frame.grads.items():
            record = nodes[f"n{node}"]["label"]
            assert record.endswith(f"| data {frame.values[node]:z.4f} | grad {grad:z.4f} }}")


@EVERY
def test_latex_has_a_symbol_for_each_node(name: str):
    graph = GRAPHS[name]
    found = symbols(graph)
    text = latex.write(graph)
    assert len(set(found.values())) == len(graph.names)
    assert text.isascii()
    for node in graph.plan(graph.root or 0).order:
        if isinstance(graph.nodes[node], Leaf | OpNode):
            assert re.search(rf"\n{re.escape(found[node])} &(=|\\approx) ", text)


@in_turn("name", GRAPHS)
def test_our_dot_opens_as_the_graph_it_was_written_from(name):
    graph = GRAPHS[name]
    trace = run(graph) if graph.root is not None else None
    frames = [None] if trace is None else [None, frame_at(trace, len(trace) // 2)]
    for frame in frames:
        found = dot.read(dot.write(graph, frame))
        assert native.write(found) == native.write(graph)


@in_turn("name", GRAPHS)
def test_another_dot_is_refused_with_its_sentence(name):
    for text in ("digraph { a -> b }", "", dot.write_classic(GRAPHS[name])):
        with pytest.raises(FormatError, match="not written by Backwire"):
            dot.read(text)


def test_a_dot_that_is_not_as_we_wrote_it_is_refused():
    graph = from_expression("y = a - b", {"a": 2, "b": 3})
    text = dot.write(graph)
    one, two = '"n1" -> "n3" [key="0"', '"n2" -> "n3" [key="1"'
    for changed, sentence in (
        (text.replace(one, two), "The wires in this DOT are not those that Backwire wrote."),
        (text.replace(two, '"n9" -> "n3" [key="1"'), "The wires in this DOT are not those"),
        (text[:99], "not written by Backwire"),
        (dot.write(graph, live_frame(graph, {1})), "or hides numbers"),
        (text.replace("sub", "subtract"), "subtract"),
        (text.replace('{\\"id\\": 1', "{"), "Line 1"),
    ):
        with pytest.raises(FormatError, match=re.escape(sentence)):
            dot.read(changed)


def test_a_dot_with_an_operation_of_many_inputs_opens():
    use = Use(tuple(map(float, range(12))), 1.5, (0.5,) * 12)
    nodes: dict[int, Node] = {k: Leaf(k - 1.0) for k in range(1, 13)}
    nodes[13] = OpNode("bend", tuple(range(1, 13)))
    graph = Graph(nodes, None, 14, (frozen("bend", "bend", (use,)),))
    assert dot.read(dot.write(graph)) == graph
