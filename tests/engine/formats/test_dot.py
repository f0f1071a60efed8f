"""Exported DOT is read again by Graphviz's own reader and must say the same."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from micrograd.engine import Value

from engine import EngineError, Graph, edits, from_expression, save
from engine.formats import dot, graphviz
from engine.frame import frame_at, live_frame
from engine.graph import ASIDE, Constant, Leaf, OpNode, Root
from engine.rules import MISTAKES
from engine.trace import run, run_forward
from tests.helpers.exported import unquoted
from tests.helpers.graphs import mistake
from tests.helpers.sampling import sized
from tests.helpers.tables import in_turn

READER = """
import json, pygraphviz, sys
def box(part):
    return [dict(part.graph_attr), sorted(part.nodes()), [box(one) for one in part.subgraphs()]]
def told(graph):
    return {
        "boxes": [box(part) for part in graph.subgraphs()],
        "nodes": {node: dict(node.attr) for node in graph.nodes()},
        "wires": [[*e, dict(graph.get_edge(*e).attr)] for e in graph.edges(keys=True)],
    }
print(json.dumps([told(pygraphviz.AGraph(string=text)) for text in json.load(sys.stdin)]))
"""


def reread_all(texts: Sequence[str]) -> list[Any]:
    """What Graphviz's own reader finds in each text; one process reads them all."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", READER],
        input=json.dumps(texts),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def reread(text: str) -> Any:
    return reread_all([text])[0]


def stepped(expression: str, cursor: int | None = None, **values: float) -> dot.Frame:
    trace = run(from_expression(expression, values))
    return frame_at(trace, len(trace) if cursor is None else cursor)


def main_window(cursor: int | None = None):
    frame = stepped("e = a*b; d = e + a; L = d*f", cursor, a=2, b=-3, f=-2)
    return frame.graph, frame


def test_nodes_wires_and_labels_are_read_again():
    graph, frame = main_window()
    found = reread(dot.write(graph, frame))
    assert set(found["nodes"]) == {f"n{node}" for node in graph.nodes}
    assert found["nodes"]["n1"]["label"] == r"a\ndata 2\ngrad 4"
    assert {(*wire[:3], wire[3].get("label")) for wire in found["wires"]} == {
        ("n1", "n3", "0", "−2 × −3 = +6"),
        ("n2", "n3", "1", "−2 × 2 = −4"),
        ("n3", "n4", "0", "−2 × 1 = −2"),
        ("n1", "n4", "1", "−2 × 1 = −2"),
        ("n4", "n6", "0", "1 × −2 = −2"),
        ("n5", "n6", "1", "1 × −4 = −4"),
        ("n6", "n7", "0", None),
    }


def test_a_step_shows_what_is_known_and_what_comes_next():
    graph, frame = main_window(5)
    text = dot.write(graph, frame)
    assert r"a\ndata 2\ngrad −2" in text
    assert r"b\ndata −3\ngrad –" in text
    assert '"n1" -> "n4" [key="1", color="#b5155a", label="−2 × 1 = −2", taillabel="■"' in text
    assert '"n1" -> "n3" [key="0", label="−2 × −3 = ···", color="#b93a06", style="dotted"]' in text
    assert '"n2" -> "n3" [key="1"]' in text


def test_boxes_stand_in_one_another_around_their_nodes():
    graph, frame = main_window()
    inner = dot.Cluster("<b>", frozenset({3}), 6)
    gone = dot.Cluster('say "x" &amp; \\', frozenset({2, 77}), 1)
    outer = dot.Cluster("Product", frozenset({1}), 0, (inner, gone))
    found = reread(dot.write(graph, frame, [outer, dot.Cluster("", frozenset())]))
    assert len(found["nodes"]) == len(graph.nodes)  # a node that is gone is not made up
    (look, nodes, parts), (_, none, nothing) = found["boxes"]
    assert (look["label"], look["fillcolor"], nodes) == ("Product", "#eceff4", ["n1", "n2", "n3"])
    assert (none, nothing) == ([], [])
    titles = [(unquoted(a["label"]), a["fillcolor"], inside) for a, inside, _ in parts]
    assert titles == [("<b>", "#e0f3f0", ["n3"]), ('say "x" &amp; \\', "#e8efff", ["n2"])]


def test_without_a_backward_step_values_are_live_and_gradients_unknown():
    graph = main_window()[0]
    text = dot.write(graph)
    assert r"× e\ndata −6\ngrad –" in text
    assert r"root L\ndata 8\ngrad –" in text
    assert " = " not in text
    text = dot.write(graph, frame_at(run_forward(graph), 1))
    assert r"× e\ndata −6" in text
    assert r"+ d\ndata –" in text


def test_the_same_node_twice_makes_two_wires():
    frame = stepped("y = a*a", a=3)
    assert [wire[:3] for wire in reread(dot.write(frame.graph, frame))["wires"]] == [
        ["n1", "n2", "0"],
        ["n1", "n2", "1"],
        ["n2", "n3", "0"],
    ]


def test_kinds_look_different_and_a_constant_has_no_gradient():
    frame = stepped("y = (a - 2)**3 / unused_too; z = 0*a; w = y + z", a=3)
    found = reread(dot.write(frame.graph, frame))
    labels = [node["label"] for node in found["nodes"].values()]
    assert r"v2\ndata 2" in labels
    looks = {node.get("shape") for node in found["nodes"].values()}
    assert "octagon" in looks
    heads = [wire[3].get("headlabel") for wire in found["wires"]]
    assert {"a", "b"} <= set(heads)


def test_no_path_zero_and_unfinished_differ():
    nodes = {1: Leaf(2, "a"), 2: Leaf(3, "lonely"), 3: OpNode("relu", (1,)), 4: Root(3)}
    others = {5: OpNode("mul", (1, None)), 6: Root(None), 7: Constant(4, "four")}
    graph = Graph({**nodes, **others}, 4, 8)
    text = dot.write(graph, frame_at(run(graph), 1))
    for part in (
        *(r"lonely\ndata 3\ngrad ∅", r"a\ndata 2\ngrad –", r"× v5\ndata –\ngrad –"),
        *('"n6" [label="root"', r"four\ndata 4"),
    ):
        assert part in text


def test_a_contribution_of_zero_is_dashed():
    frame = stepped("y = relu(a)", a=-1)
    wires = reread(dot.write(frame.graph, frame))["wires"]
    assert (wires[0][3]["label"], wires[0][3]["style"]) == ("1 × 0 = 0", "dashed")


NASTY = [
    "<b>", "<b>bold</b>", '"', "\\", "\\N", "\\n", 'a\\"', "a\nb", "&lt;", "&amp;lt;", "a & b",
    "a|b", "{x}", "x > 1", "é∂−", "日本", "  two  spaces ", "->", "n1", "];", "//", "\\\\", "<",
]  # fmt: skip
LABELS = st.lists(
    st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
    min_size=1,
    max_size=24,
)


def labelled(labels: list[str]) -> Graph:
    return Graph({k + 1: Leaf(1.0, label) for k, label in enumerate(labels)})


@settings(max_examples=sized(6, 15))
@given(LABELS)
def test_any_label_is_read_again_as_it_was(labels: list[str]):
    found = reread(dot.write(labelled(labels)))["nodes"]
    graph = labelled(labels)
    for node in graph.nodes:
        first = unquoted(found[f"n{node}"]["label"]).removesuffix("\ndata 1\ngrad –")
        assert first == graph.title(node)


@pytest.mark.parametrize("write", [dot.write, dot.write_classic])
def test_graphviz_draws_the_labels_that_were_given(write):
    plain = [label for label in NASTY if "\n" not in label and "  " not in label]
    drawn = graphviz.render(write(labelled(plain)), "svg")
    texts = [
        text.text for text in ElementTree.fromstring(drawn).iter() if text.tag.endswith("text")
    ]
    for label in plain:
        assert any(text == label or (text or "").startswith(f"{label}{ASIDE}") for text in texts)


def test_saving_by_suffix_chooses_the_look(tmp_path):
    graph = main_window()[0]
    save(graph, tmp_path / "ours.dot")
    save(graph, tmp_path / "classic.gv")
    assert (tmp_path / "ours.dot").read_text("utf-8") == dot.write(graph)
    assert (tmp_path / "classic.gv").read_text("utf-8") == dot.write_classic(graph)


# the classic picture is the one that micrograd's own draw_dot makes, node for node


def drawn(text: str) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """The labels of all nodes, and of both ends of all edges."""
    found = reread(text)
    labels = {node: look["label"] for node, look in found["nodes"].items()}
    return Counter(labels.values()), Counter((labels[w[0]], labels[w[1]]) for w in found["wires"])


def draw_dot(root: Any, with_labels: bool) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """What micrograd's `trace_graph.ipynb` and its lecture draw, without the program."""
    nodes: set[Any] = set()
    edges: set[Any] = set()

    def build(v: Any) -> None:
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)

    build(root)

    def record(n: Any) -> str:
        label = f"{getattr(n, 'label', '')} | " if with_labels else ""
        return "{ %sdata %.4f | grad %.4f }" % (label, n.data, n.grad)  # noqa: UP031

    labels = Counter([record(n) for n in nodes] + [n._op for n in nodes if n._op])
    ends = Counter([(n._op, record(n)) for n in nodes if n._op])
    ends.update((record(child), v._op) for child, v in edges)
    return labels, ends


def values(passed: bool) -> Any:
    """A program of micrograd with a number, a power, a relu, and a node plugged in twice."""
    a, b = Value(2.0), Value(-3.0)
    found = {"a": a, "b": b}
    found["c"] = a * b + 10
    found["d"] = found["c"] ** 3 + a * a
    found["e"] = (found["d"] * 0.5).relu() + b**-1
    for name, value in found.items():
        setattr(value, "label", name)  # noqa: B010  # as the lecture has it, and the package not
    if passed:
        found["e"].backward()
    return found["e"]


SAME = "c = a*b + 10; d = c**3 + a*a; e = relu(d*0.5) + b**(-1)"


@pytest.mark.parametrize(("passed", "labels"), [(False, True), (True, True), (True, False)])
def test_the_picture_is_what_micrograd_draws(passed: bool, labels: bool):
    graph = from_expression(SAME, {"a": 2, "b": -3})
    for node in () if labels else graph.names:
        graph = edits.set_label(graph, node, "")
    frame = frame_at(trace := run(graph), len(trace)) if passed else None
    assert drawn(dot.write_classic(graph, frame)) == draw_dot(values(passed), labels)


def test_gradients_are_zero_before_a_pass_and_as_far_as_it_has_come_within_one():
    graph, _frame = main_window()
    trace = run(graph)
    for frame in (None, frame_at(trace, 0)):
        text = dot.write_classic(graph, frame)
        assert text.count("grad 0.0000") == 6
    assert "{ a | data 2.0000 | grad -2.0000 }" in dot.write_classic(graph, frame_at(trace, 5))
    assert "{ L | data – | grad 0.0000 }" in dot.write_classic(
        graph, frame_at(run_forward(graph), 1)
    )


def test_a_number_has_its_gradient_after_its_own_step():
    trace = run(from_expression("y = a * 3", {"a": 2}))
    grads = [re.findall(r"grad (\S+)", dot.write_classic(trace.graph, frame_at(trace, k)))
             for k in range(3)]  # fmt: skip
    assert grads == [["0.0000"] * 3, ["0.0000", "0.0000", "1.0000"], ["3.0000", "2.0000", "1.0000"]]


@in_turn("rules", MISTAKES)
def test_a_mistake_shows_its_own_gradients(rules):
    graph = from_expression("c = a + b; d = a*b; y = c*d*2 + 1", {"a": 2, "b": 3})
    trace = run(graph, rules=mistake(rules.name))
    frame = frame_at(trace, len(trace))
    text = dot.write_classic(graph, frame)
    for node, grad in frame.grads.items():
        assert re.search(rf'"n{node}" .*grad {grad:.4f} }}', text)


def test_only_what_leads_to_the_root_is_drawn_and_without_one_everything():
    graph = Graph({1: Leaf(1, "a"), 2: Leaf(2, "b"), 3: OpNode("exp", (1,)), 4: Root(3)}, 4, 5)
    assert "b |" not in dot.write_classic(graph)
    rootless = Graph({1: Constant(2.0), 2: OpNode("tanh", (None,)), 3: OpNode("add", (1, 2))})
    found = reread(dot.write_classic(rootless))
    wires = {tuple(wire[:2]) for wire in found["wires"]}
    assert wires == {("n1", "n3op"), ("n2op", "n2"), ("n2", "n3op"), ("n3op", "n3")}
    assert "{ data – | grad 0.0000 }" in [node["label"] for node in found["nodes"].values()]


def test_numbers_beyond_all_bounds_are_written_as_python_does():
    graph = from_expression("y = log(a)", {"a": 0})
    frame = frame_at(trace := run(graph), len(trace))
    assert "data -inf | grad 1.0000" in dot.write_classic(graph, frame)
    assert "data 0.0000 | grad inf" in dot.write_classic(graph, frame)


@settings(max_examples=sized(6, 15))
@given(LABELS)
def test_any_label_is_one_field_of_a_record(labels: list[str]):
    graph = labelled([*labels, "x"])
    found = reread(dot.write_classic(graph))["nodes"]
    for k, label in enumerate(labels):
        record = found[f"n{k + 1}"]["label"]
        first, *rest = re.split(r"(?<!\\)(?:\\\\)*\|", record.removeprefix("{ ").removesuffix(" }"))
        assert rest == [" data 1.0000 ", " grad 0.0000"]
        plain = unquoted(first.removesuffix(" ").replace("\\n", "\n"))
        title = graph.title(k + 1) if label else ""
        assert plain.replace("\n", "n") == title.replace("\n", "n")


def test_a_picture_that_takes_too_long_is_given_up():
    frame = live_frame(from_expression(SAME))
    with pytest.raises(EngineError, match=r"took longer than 0\.001 seconds"):
        dot.draw(frame, "svg", timeout=0.001)


@pytest.mark.parametrize(
    ("exponent", "sign"), [(2.0, "**2"), (-3.0, "**-3"), (0.5, "**0.5"), (1e300, "**1e+300")]
)
def test_the_exponent_of_a_power_stands_in_its_sign_as_python_writes_it(exponent, sign):
    graph = from_expression("y = a ** k", {"a": 2.0})
    power = next(n for n, found in graph.nodes.items() if isinstance(found, OpNode))
    nodes = {**graph.nodes, graph.inputs(power)[1] or 0: Constant(exponent)}
    text = dot.write_classic(Graph(nodes, graph.active_root, graph.next_id))
    assert f'"n{power}op" [label="{sign}"];' in text


def test_letters_are_drawn_as_they_are():
    graph = from_expression("x1w1x2w2 = x1*w1")
    fonts = set(re.findall(rb'font-family="(.*?)"', dot.draw(live_frame(graph), "svg")))
    assert fonts == {b"DejaVu Sans"}  # Inter makes the x between digits a times sign


def test_a_picture_has_the_dots_and_the_ground_that_are_asked_for():
    trace = run(main_window()[0])
    frame = frame_at(trace, 3)
    small, large = (dot.draw(frame, "png", dpi) for dpi in (96, 192))
    sizes = [[int.from_bytes(p[k : k + 4], "big") for k in (16, 20)] for p in (small, large)]
    assert all(abs(2 * one - two) <= 3 for one, two in zip(*sizes, strict=True))
    assert b'fill="white"' in dot.draw(frame, "svg").split(b"n1")[0]
    assert b'fill="white"' not in dot.draw(frame, "svg", transparent=True).split(b"n1")[0]
    assert dot.draw(frame, "pdf").startswith(b"%PDF")
    assert dot.draw(frame, "dot") == dot.write_classic(frame.graph, frame).encode()


@pytest.mark.parametrize("value", [-0.0, -1e-9])
def test_no_zero_has_a_minus(value: float):
    text = dot.write_classic(from_expression("y = a * 1", {"a": value}))
    assert text.count("data 0.0000 ") == 2
    assert "-0.0000" not in text
