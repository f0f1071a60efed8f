"""Exported DOT is read again by Graphviz's own reader and must say the same."""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import from_expression, save
from engine.formats import dot, graphviz
from engine.frame import frame_at
from engine.graph import ASIDE, Constant, Graph, Leaf, OpNode, Root
from engine.trace import run, run_forward
from tests.helpers.exported import unquoted
from tests.helpers.sampling import sized

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
