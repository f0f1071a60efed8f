"""backwire new: a file that is laid out and opens again."""

import pytest

from app.__main__ import main
from app.canvas.paint.figure import scene_of
from app.document.examples import FOLDER
from app.document.placement import ROOT_GAP, column_gap
from app.document.sheet import Sheet
from app.takeaway.estimated_layout import estimated_sizes
from engine import EngineError, Graph, from_expression, load
from engine.formats.files import load_drawing
from engine.frame import frame_at
from engine.graph import Constant, OpNode, Root
from engine.trace import run
from tests.app.cli.test_running import refused
from tests.engine.formats.test_notebook import notebook


def test_an_expression_becomes_a_file_laid_out_from_left_to_right(tmp_path, capsys):
    path = tmp_path / "made.backwire"
    assert main(["new", "-e", "e = a*b; L = (e + a)*f", "--set", "b=-3", "-o", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 7 nodes\n"
    drawing = load_drawing(path)
    graph, places = drawing.graph, drawing.positions
    assert set(places) == set(graph.nodes)
    assert all((x, y) == (round(x), round(y)) for x, y in places.values())
    sizes, labels = estimated_sizes(graph)
    for source, (target, _slot) in graph.wires():
        needed = column_gap(labels[target]) if target in labels else ROOT_GAP
        assert places[source][0] + sizes[source][0] + needed <= places[target][0] + 1
    assert graph.nodes[graph.node_named("b") or 0].value == -3.0  # type: ignore[union-attr]


def test_a_notebook_becomes_a_file(tmp_path, capsys):
    script, path = tmp_path / "a.ipynb", tmp_path / "made.backwire"
    script.write_text(notebook("a = Value(2)", "b = a*a\nb.backward()"), "utf-8")
    assert main(["new", "--python", str(script), "-o", str(path)]) == 0
    assert len(load(path).nodes) == 3
    capsys.readouterr()
    script.write_text(notebook("a = 3", "\nb = Value(q)"), "utf-8")
    told = refused(capsys, 1, "new", "--python", str(script), "-o", str(path))
    assert "makes a Value; code cell 2, line 2 was passed over." in told


def test_without_graphviz_the_nodes_stand_in_columns(tmp_path, monkeypatch):
    def missing(*_arguments, **_more):
        raise EngineError("Graphviz is missing.")

    monkeypatch.setattr("app.takeaway.estimated_layout.layout", missing)
    path = tmp_path / "made.backwire"
    assert main(["new", "-e", "where_gt0(a, b, c) + a", "-o", str(path)]) == 0
    drawing = load_drawing(path)
    assert len(set(drawing.positions.values())) == len(drawing.graph.nodes)
    for source, (target, _slot) in drawing.graph.wires():
        assert drawing.positions[source][0] < drawing.positions[target][0]


def test_long_numbers_and_names_get_their_room():
    text = "c = a + b; d = a*b; y = c*d"
    (sizes, labels), (plain, few) = (
        estimated_sizes(from_expression(text, values))
        for values in ({"a": 0.12345, "b": 0.98765}, {})
    )
    assert all(sizes[node][0] > plain[node][0] for node in (1, 2, 3, 4))
    assert all(labels[node] > few[node] for node in (3, 4, 5))
    named, _labels = estimated_sizes(from_expression("y = the_first_of_all_weights*b"))
    assert named[1][0] > named[2][0]
    rootless = Graph({1: Constant(2.0), 2: Root(None), 3: OpNode("where_gt0", (1, 1, None))})
    found, _labels = estimated_sizes(rootless)
    assert [found[node] for node in (1, 2, 3)] == [(80, 62), (52, 112), (124, 150)]


@pytest.mark.parametrize("name", ["neuron", "demonstration", "shared-leaf", "sigmoid-parts"])
def test_what_is_reckoned_is_what_the_window_measures(qtbot, name):
    drawing = load_drawing(FOLDER / f"{name}.backwire")
    trace = run(drawing.graph)
    apart = {node: (400.0 * node, 0.0) for node in drawing.graph.nodes}  # no column is shared
    scene = scene_of(Sheet(drawing.graph, apart), frame_at(trace, len(trace)))
    sizes, labels = estimated_sizes(drawing.graph)
    measured: dict[int, float] = {}
    for _source, wire in drawing.graph.wires():
        wide = scene.text_sizes.label(wire)[0]
        measured[wire[0]] = max(measured.get(wire[0], 0.0), wide)
    for node, (wide, high) in sizes.items():
        rect = scene.boxes[node].rect
        assert wide == pytest.approx(rect.width(), abs=24)
        assert high == rect.height()
        assert labels.get(node, 0.0) == pytest.approx(measured.get(node, 0.0), abs=32)


@pytest.mark.parametrize("arguments", [["-e", "a", "-o", "--"], ["-e", "--", "-o", "a.backwire"]])
def test_two_dashes_are_no_value_of_an_option(arguments, capsys):
    assert main(["new", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith("backwire new: --")
    assert said.endswith(" needs something other than --\n")


@pytest.mark.parametrize("name", ["no\nfile.backwire", f"{'x' * 300}.backwire"])
def test_a_strange_name_is_said_once(name, capsys):
    assert main(["run", name]) == 1
    said = capsys.readouterr().err
    assert said.count(".backwire") == 1
    assert said.count("\n") == 1
    assert len(said) < 150


def test_a_program_becomes_a_file_and_what_is_passed_over_is_said(tmp_path, capsys):
    script, path = tmp_path / "program.py", tmp_path / "made.backwire"
    script.write_text("a = Value(2.0)\nb = a * a\nb.backward()\nfor p in [a]: p.data += 1\n")
    assert main(["new", "--python", str(script), "-o", str(path)]) == 0
    assert load(path).root_name == "b"
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "Read as straight lines of a program; passed over: line 4."


def test_bad_input_and_a_missing_folder_leave_no_file(tmp_path, capsys):
    path = tmp_path / "made.backwire"
    assert "Line 1" in refused(capsys, 1, "new", "-e", "a b", "-o", str(path))
    assert not path.exists()
    path = tmp_path / "nowhere" / "made.backwire"
    assert "can't be written" in refused(capsys, 1, "new", "-e", "a", "-o", str(path))
