"""On nodes: local derivatives, final gradients and the order can be shown outside a pass too."""

from itertools import chain
from pathlib import Path

import pytest

from app.window.dialogs.export_content import current_figure
from app.window.dialogs.export_forms import export_of
from app.window.frame.main_window import MainWindow
from engine.graph import OpNode
from engine.trace import run
from tests.helpers.reading import grad
from tests.helpers.window import node, open_example, press


@pytest.fixture
def demonstration(window: MainWindow) -> MainWindow:
    open_example(window, "demonstration")
    return window


def slopes(window: MainWindow) -> dict[str, list[str]]:
    scene, graph = window.canvas.scene, window.document.graph
    ops = [n for n, found in graph.nodes.items() if isinstance(found, OpNode)]
    return {graph.names[n]: [local.text for local in scene.node(n).numbers[2:]] for n in ops}


def test_local_derivatives_stand_at_their_slots(demonstration: MainWindow):
    assert not any(chain.from_iterable(slopes(demonstration).values()))
    demonstration.commands["extra-slopes"].trigger()
    assert slopes(demonstration) == {
        "c": ["1", "1"],
        "d": ["3", "2"],
        "e": ["1", "1"],
        "f": ["6", "5"],
        "y": ["1", "1"],
    }
    demonstration.document.set_value(node(demonstration, "b"), 10.0)
    assert slopes(demonstration)["d"] == ["10", "2"]
    demonstration.commands["extra-slopes"].trigger()
    assert not any(chain.from_iterable(slopes(demonstration).values()))


def test_final_gradients_are_those_of_the_pass_and_follow_edits(demonstration: MainWindow):
    demonstration.commands["extra-finals"].trigger()
    view = demonstration.canvas
    assert [grad(view, name) for name in "abcdefy"] == ["25", "19", "7", "6", "1", "1", "1"]
    demonstration.document.set_value(node(demonstration, "a"), 0.0)
    found = run(demonstration.document.graph)
    assert grad(view, "b") == f"{found.events[-1].after:g}"
    press(demonstration, "b")
    assert grad(view, "a") == "–"  # in a pass only what has come


def test_all_nodes_are_numbered_as_backward_takes_them(demonstration: MainWindow):
    demonstration.commands["extra-order"].trigger()
    scene, graph = demonstration.canvas.scene, demonstration.document.graph
    places = {graph.names[n]: scene.node(n).badge for n in graph.names}
    assert graph.root is not None
    order = graph.plan(graph.root).order[::-1]
    assert places == {graph.names[n]: k for k, n in enumerate(order, 1)}


@pytest.mark.parametrize("extra", ["slopes", "finals"])
def test_nothing_of_it_is_shown_while_a_learner_is_asked(demonstration: MainWindow, extra: str):
    demonstration.commands[f"extra-{extra}"].trigger()
    press(demonstration, "c")
    assert not any(chain.from_iterable(slopes(demonstration).values()))
    assert grad(demonstration.canvas, "a") == "–"


def test_a_picture_shows_it_too_in_the_chosen_notation(demonstration: MainWindow, tmp_path: Path):
    for name in ("extra-slopes", "extra-finals", "extra-order", "notation-total"):
        demonstration.commands[name].trigger()
    export = export_of("svg", tmp_path / "figure.svg")
    scene, d = demonstration.canvas.scene, node(demonstration, "d")
    drawn = current_figure(demonstration.context, export).scene
    assert drawn.node(d) == scene.node(d)
    assert drawn.node(d).texts.slots == ("d/da", "d/db")
    assert (drawn.node(d).numbers[2].text, drawn.node(d).badge) == ("3", 4)
    press(demonstration, "c")
    asked = current_figure(demonstration.context, export).scene.node(d)
    assert asked.numbers[2].text == ""
    assert asked.texts.slots == ("d/da", "d/db")
