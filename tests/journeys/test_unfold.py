"""Unfold: an operation opens in place into the simpler ones it is made of, and closes again."""

import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.window.frame.main_window import MainWindow
from engine.formats.files import save
from engine.study.unfold import EXPANSIONS
from tests.helpers.window import forget_changes, node, open_example, press


@pytest.fixture
def neuron(window: MainWindow) -> MainWindow:
    open_example(window, "neuron")
    window.context.selection.choose((node(window, "o"),))
    return window


def test_tanh_opens_into_exponentials_and_its_leaves_keep_their_gradients(neuron: MainWindow):
    before = neuron.document.graph
    press(neuron, "b")
    neuron.playback.to_end()
    gradients = {
        n: neuron.playback.frame.grads[n] for n in before.nodes if n in neuron.playback.frame.grads
    }
    neuron.commands["unfold"].trigger()
    graph = neuron.document.graph
    o = node(neuron, "o")
    assert "tanh" not in {getattr(found, "op", "") for found in graph.nodes.values()}
    assert {getattr(found, "op", "") for found in graph.nodes.values()} >= {"exp", "pow"}
    neuron.playback.to_end()
    frame = neuron.playback.frame
    assert frame.values[o] == pytest.approx(math.tanh(0.8813735870195432))
    for leaf in (n for n in gradients if n != o):
        assert frame.grads[leaf] == pytest.approx(gradients[leaf])


def test_it_is_one_undo_step_and_closing_it_another(neuron: MainWindow):
    before, places = neuron.document.graph, dict(neuron.document.positions)
    neuron.commands["unfold"].trigger()
    assert neuron.document.done[-1].name == "Unfold o"
    press(neuron, "z", modifier=Qt.KeyboardModifier.ControlModifier)
    assert neuron.document.graph == before
    assert dict(neuron.document.positions) == places
    neuron.commands["unfold"].trigger()
    assert neuron.commands["fold"].isEnabled()
    neuron.commands["fold"].trigger()
    assert neuron.document.graph.nodes == before.nodes
    assert neuron.document.done[-1].name == "Fold o"


def test_what_was_saved_open_can_still_be_closed(neuron: MainWindow, tmp_path: Path):
    before = neuron.document.graph
    neuron.commands["unfold"].trigger()
    save(neuron.document.sheet.drawing(), tmp_path / "open.backwire")
    forget_changes(neuron)
    neuron.begin(tmp_path / "open.backwire")
    neuron.context.selection.choose((node(neuron, "o"),))
    neuron.commands["fold"].trigger()
    assert neuron.document.graph.nodes == before.nodes


def test_only_what_is_made_of_simpler_operations_can_be_opened(neuron: MainWindow):
    for number, found in neuron.document.graph.nodes.items():
        neuron.context.selection.choose((number,))
        neuron.commands.refresh()
        assert neuron.commands["unfold"].isEnabled() == (getattr(found, "op", "") in EXPANSIONS)
