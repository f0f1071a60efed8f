"""Graphviz runs in a process of its own; whatever goes wrong there is one sentence."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine import EngineError, Graph, from_expression
from engine.formats import graphviz
from engine.graph import Leaf, Root


def sizes(graph: Graph) -> dict[int, tuple[float, float]]:
    widths = {n: 128 if isinstance(f, Leaf) else 132 for n, f in graph.nodes.items()}
    return {n: (88 if isinstance(graph.nodes[n], Root) else widths[n], 88) for n in graph.nodes}


def placed(expression: str, direction: graphviz.Direction = "LR"):
    graph = from_expression(expression)
    places = graphviz.layout(sizes(graph), graph.wires(), direction)
    return {graph.names.get(node, "root"): place for node, place in places.items()}


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    command: Sequence[str] = (sys.executable, "-c", code)
    monkeypatch.setattr(graphviz, "COMMAND", command)


def test_a_layout_runs_from_left_to_right_or_from_top_to_bottom():
    down = placed("y = a*b", "TB")
    assert down["a"][1] < down["y"][1] < down["root"][1]
    at = placed("c = a + b; d = a*b; e = c + d; f = c*d; y = e + f")
    assert at["a"][0] < at["c"][0] < at["e"][0] < at["y"][0] < at["root"][0]
    assert at["c"][0] - at["a"][0] >= 128 + graphviz.RANK_GAP - 1
    assert min(x for x, _y in at.values()) == 0 == min(y for _x, y in at.values())


@pytest.mark.parametrize(("direction", "across"), [("LR", 0), ("TB", 1)])
def test_nodes_of_one_rank_stand_flush(direction: graphviz.Direction, across: int):
    size = {1: (128, 88), 2: (160, 120), 3: (88, 88), 4: (132, 88)}
    wires = [(1, (4, 0)), (2, (4, 1)), (3, (4, 2))]
    at = graphviz.layout(size, wires, direction)
    assert at[1][across] == at[2][across] == at[3][across] < at[4][across]


def test_no_two_nodes_overlap():
    graph = from_expression("y = (a*b + a*c) * (b + c) - a / (b*c)")
    size = sizes(graph)
    boxes = [(*at, *size[n]) for n, at in graphviz.layout(size, graph.wires()).items()]
    for k, (x, y, width, height) in enumerate(boxes):
        for x2, y2, width2, height2 in boxes[k + 1 :]:
            assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y


@pytest.mark.parametrize("expression", ["y = a - b", "y = b - a", "y = (a-b) / (c-d)"])
def test_the_inputs_of_a_tree_stand_in_the_order_of_the_slots(expression: str):
    graph = from_expression(expression)
    at = graphviz.layout(sizes(graph), graph.wires())
    for node in graph.nodes:
        heights = [at[source][1] for source in graph.inputs(node) if source is not None]
        assert heights == sorted(heights)


def test_an_answer_to_a_request_can_be_read_apart_from_asking():
    answer = graphviz.ask(graphviz.request({7: (10, 20), 8: (10, 20)}, [(7, (8, 0))]))
    assert set(graphviz.positions(answer)) == {7, 8}
    assert graphviz.positions(b"ok 10\ngraph 1 0\n") == {}


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("dot", b"di")],
)
def test_graphviz_draws_pictures(form: str, beginning: bytes):
    assert graphviz.render('digraph { a [label="∂ −3"]; a -> b }', form).startswith(beginning)


def test_pictures_use_our_fonts_alone():
    def width(font: str) -> str:
        text = f'digraph {{ a [label="a wide word", fontname="{font}"] }}'
        return graphviz.render(text, "dot").decode().split("width=")[1]

    assert width("Georgia") == width("No Such Font")
    assert width("DejaVu Sans Mono") != width("Inter")


def test_a_worker_that_is_killed_leaves_nothing_behind(tmp_path: Path):
    homes = {name: str(tmp_path) for name in ("TMPDIR", "TEMP", "TMP", "HOME", "XDG_CACHE_HOME")}
    graph = graphviz.request(
        dict.fromkeys(range(3000), (132.0, 88.0)),
        [(k % 997, (997 + k % 2003, k % 3)) for k in range(9000)],
    )
    for seconds in (0.2, 0.5):
        with subprocess.Popen(
            graphviz.COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | homes,
        ) as worker:
            assert worker.stdin is not None
            worker.stdin.write(graph)
            worker.stdin.close()
            time.sleep(seconds)
            assert worker.poll() is None
            worker.kill()
    assert list(tmp_path.rglob("*")) == []


def test_the_folder_one_works_in_is_not_searched_for_fonts(tmp_path: Path):
    (tmp_path / "inside").mkdir()
    graph = graphviz.request({1: (132.0, 88.0), 2: (132.0, 88.0)}, [(1, (2, 0))])
    done = subprocess.run(
        graphviz.COMMAND, input=graph, capture_output=True, cwd=tmp_path, check=True
    )
    assert done.stdout.startswith(b"ok")
    assert list(tmp_path.rglob("*")) == [tmp_path / "inside"]


def test_the_client_does_not_load_the_library():
    assert "pygraphviz" not in sys.modules


def test_each_node_with_a_size_has_a_place(monkeypatch: pytest.MonkeyPatch):
    assert len(placed("y = a*a")) == 3
    alone = Graph({1: Leaf(), 2: Leaf(), 9: Leaf()})
    assert len(set(graphviz.layout(sizes(alone), alone.wires()).values())) == 3
    graph = from_expression("y = a*b + c")
    chosen = dict.fromkeys(list(graph.nodes)[:2], (88.0, 88.0))
    assert set(graphviz.layout(chosen, graph.wires())) == set(chosen)
    instead(monkeypatch, "raise SystemExit(1)")
    assert graphviz.layout({}, []) == {}, "no worker is asked"


@pytest.mark.parametrize(("ask", "said"), [
    (lambda: graphviz.request({1: (float("nan"), 1)}, []), "no size"),
    (lambda: graphviz.render("digraph {}", "gif"), "svg, png, pdf, dot, not gif"),
    (lambda: graphviz.render("digraph {", "svg"), "can't draw this"),
])  # fmt: skip
def test_a_wrong_request_is_refused(ask, said: str):
    with pytest.raises(EngineError, match=said):
        ask()


WITHOUT_LIBRARY = (
    "import sys, runpy; sys.modules['pygraphviz'] = None; "
    f"runpy.run_path({str(graphviz.WORKER)!r}, run_name='__main__')"
)


@pytest.mark.parametrize(("command", "said"), [
    ((sys.executable, "-c", "import os; os.abort()"), r"^Graphviz ended without an answer\.$"),
    ((sys.executable, "-c", "print('ok 100'); print('node n1 0 0 1 1')"), "without an answer"),
    ((sys.executable, "-c", "import time; time.sleep(60)"), r"longer than 0\.2 seconds"),
    (("/no/such/program",), "can't be started: No such file or directory"),
    ((sys.executable, "-c", WITHOUT_LIBRARY), "pygraphviz can't be loaded"),
])  # fmt: skip
def test_a_worker_that_fails_is_one_sentence(command, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(graphviz, "COMMAND", command)
    with pytest.raises(EngineError, match=said):
        graphviz.layout({1: (1, 1)}, [], timeout=0.2 if "longer" in said else 30)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't obey this limit")
def test_a_layout_that_takes_too_much_memory_fails_and_not_the_system():
    limited = "import graphviz_worker as worker; worker._limit_memory(); bytearray(3 << 30)"
    done = subprocess.run(
        [sys.executable, "-c", limited],
        cwd=graphviz.WORKER.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "MemoryError" in done.stderr
