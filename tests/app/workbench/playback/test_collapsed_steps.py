"""Steps through a pass while groups are folded."""

from itertools import pairwise

import pytest

from app.document.document import Document
from app.workbench.adding import block
from app.workbench.playback.playback import Playback


@pytest.fixture
def network(qapp) -> Playback:
    """A network of two layers; their members fire in turns."""
    document = Document()
    document.start(block("mlp(2, 3, 1)"))
    return Playback(document, document)


def _layers(playback: Playback) -> dict[int, str]:
    """For each node the title of the outer group it lies in."""
    document = playback.parent()
    assert isinstance(document, Document)
    groups = document.sheet.groups
    found: dict[int, str] = {}
    for group in groups.values():
        outer = group if group.parent is None else groups[group.parent]
        found |= dict.fromkeys(group.members, outer.title)
    return found


def _cursors(playback: Playback, by_node: bool = False) -> list[int]:
    """Where single steps stop, from the seed on."""
    playback.backward()
    places = [playback.cursor]
    while playback.cursor < playback.frame.total:
        if by_node:
            playback.step(whole_node=True)
        else:
            playback.step()
        places.append(playback.cursor)
    return places


@pytest.mark.parametrize("by_node", [False, True])
def test_a_step_fires_one_folded_group_and_never_another(network: Playback, by_node: bool):
    layers = _layers(network)
    places = _cursors(network, by_node)
    trace = network.frame.trace
    assert trace is not None
    fired = [
        [layers.get(actor) for actor in trace.schedule.actors[a:b]] for a, b in pairwise(places)
    ]
    assert all(len(set(step)) == 1 for step in fired)
    firsts = [step[0] for step in fired]
    assert all(a != b for a, b in pairwise(firsts))
    assert len(fired) < len(trace) / 3


def test_steps_back_stop_where_steps_stopped(network: Playback):
    places = _cursors(network)
    back = [network.cursor]
    while network.cursor > 0:
        network.step_back()
        back.append(network.cursor)
    assert back[::-1] == [0, *places]


def test_a_place_in_the_middle_of_a_group_is_left_for_its_ends(network: Playback):
    places = _cursors(network)
    first, last = next((a, b) for a, b in pairwise(places) if b - a > 2)
    network.go(first + 1)
    network.step()
    assert network.cursor == last
    network.go(first + 1)
    network.step_back()
    assert network.cursor == first


def test_the_parts_of_the_group_that_is_looked_into_step_one_by_one(network: Playback):
    document = network.parent()
    assert isinstance(document, Document)
    groups = document.sheet.groups
    first = next(n for n, group in groups.items() if group.title == "layer 1")
    folded = _cursors(network)
    document.look_inside(first)
    neurons = _cursors(network)
    assert len(neurons) == len(folded)  # its neurons are folded, and one fires at a time
    neuron = next(n for n, group in groups.items() if group.parent == first)
    document.look_inside(neuron)
    inside = [b - a for a, b in pairwise(_cursors(network)) if b - a == 1]
    assert len(inside) >= len(groups[neuron].members) // 2
    document.look_inside(None)
    assert _cursors(network) == folded


def test_forward_steps_stop_at_the_ends_of_folded_groups_as_well(network: Playback):
    layers = _layers(network)
    network.forward()
    trace = network.frame.trace
    assert trace is not None
    while network.cursor < len(trace):
        before = network.cursor
        network.step()
        steps = trace.schedule.actors[before : network.cursor]
        assert len({layers.get(node) for node in steps}) == 1
