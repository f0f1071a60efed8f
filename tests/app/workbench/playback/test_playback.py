"""Playback: the place in a pass, and what an edit does to it."""

from itertools import pairwise

import pytest

from app.document.document import Document
from app.workbench.adding import block
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from app.workbench.runners.quiz_runner import QuizRunner
from engine import MISTAKES, from_expression, schedule
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.rules import CORRECT
from tests.helpers.asked import cover
from tests.helpers.graphs import named


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


class PlaybackHost:
    """A document with a playback, and what the playback says."""

    def __init__(self) -> None:
        self.document = Document()
        self.playback = Playback(self.document)
        self.said: list[str] = []
        self.stuck: list[str] = []
        self.playback.said.connect(self.said.append)
        self.playback.pass_blocked.connect(
            lambda problem, _phase: self.stuck.append(problem.sentence)
        )

    def show(self, text: str, **values: float) -> None:
        self.document.replace_graph(from_expression(text, values))

    def node(self, name: str) -> int:
        return named(self.document.graph, name)

    def grads(self) -> dict[str, float]:
        names = self.document.graph.names
        return {names[n]: g for n, g in self.playback.frame.grads.items()}


@pytest.fixture
def host(qapp) -> PlaybackHost:
    made = PlaybackHost()
    made.show("e = a*b; d = e + a; L = d*f", a=2, b=-3, f=-2)
    return made


def test_backward_stops_at_the_seed(host: PlaybackHost):
    assert host.playback.backward()
    assert host.playback.cursor == 1
    assert host.grads() == {"L": 1}


def test_forward_starts_with_leaves_known(host: PlaybackHost):
    host.playback.forward()
    values = host.playback.frame.values
    assert host.node("a") in values
    assert host.node("e") not in values
    host.playback.step()
    assert host.playback.frame.values[host.node("e")] == -6


def test_a_step_by_node_goes_to_its_end_and_back_to_its_start(host: PlaybackHost):
    host.playback.backward()
    host.playback.step(whole_node=True)
    assert host.playback.cursor == 3
    host.playback.step(whole_node=True)
    assert host.playback.cursor == 5
    host.playback.step_back(whole_node=True)
    assert host.playback.cursor == 3


def test_every_place_can_be_reached_from_either_side(host: PlaybackHost):
    playback = host.playback
    playback.backward()
    playback.to_end()
    forwards = []
    playback.go(0)
    for _ in range(7):
        playback.step()
        forwards.append(dict(playback.frame.grads))
    for k in range(7, 0, -1):
        assert dict(playback.frame.grads) == forwards[k - 1]
        playback.step_back()
    playback.step_back()
    assert playback.cursor == 0


def test_a_value_or_a_label_changed_mid_pass_keeps_the_place(host: PlaybackHost):
    host.playback.backward()
    host.playback.go(6)
    host.document.set_value(host.node("b"), 1.0)
    assert host.playback.cursor == 6
    assert host.grads()["a"] == -4
    host.document.set_label(host.node("e"), "product")
    assert host.playback.cursor == 6
    assert host.playback.frame.graph is host.document.graph
    assert not host.said


@pytest.mark.parametrize(
    ("edit", "phase", "said"),
    [
        (lambda host: host.document.wires.connect(host.node("b"), host.node("d"), 1),
         "backward", "The wiring changed: the pass is back at its start."),
        (lambda host: host.document.wires.disconnect(host.node("d"), 0),
         "live", "The pass has ended. + (d) has an empty slot 1. Plug something in to go on."),
        (lambda host: host.document.remove([host.document.graph.active_root]),
         "live", "The pass has ended. Choose a root: the number whose gradient you want."),
        (lambda host: host.document.remove([host.document.graph.root]),
         "live", "The pass has ended. The root has nothing plugged in. Plug a node in to go on."),
        (lambda host: host.document.mark_root(host.node("d")),
         "backward", "The root changed: the pass is back at its start."),
        (lambda host: host.document.set_constant(host.node("b"), True),
         "backward", "A leaf became a constant: the pass is back at its start."),
        (lambda host: host.document.set_op(host.node("d"), "mul"),
         "backward", "An operation changed: the pass is back at its start."),
    ],
)  # fmt: skip
def test_what_brings_a_pass_back_or_ends_it_is_named(
    host: PlaybackHost, edit, phase: str, said: str
):
    host.playback.backward()
    host.playback.go(4)
    edit(host)
    assert (host.playback.phase, host.playback.cursor) == (phase, 0)
    assert host.said == [said]


def test_back_from_a_constant_is_named_too(host: PlaybackHost):
    host.document.set_constant(host.node("b"), True)
    host.playback.backward()
    host.playback.go(2)
    host.document.set_constant(host.node("b"), False)
    assert host.said == ["A constant became a leaf: the pass is back at its start."]


def test_an_unplugged_slot_elsewhere_is_no_matter(host: PlaybackHost):
    host.document.add_node(OpNode("mul", (None, None)), (0.0, 900.0))
    assert host.playback.backward()
    host.playback.to_end()
    assert host.grads()["a"] == 4


def test_without_a_root_it_says_what_to_choose(host: PlaybackHost):
    host.document.remove([*host.document.graph.roots(), host.node("L")])
    assert not host.playback.backward()
    assert host.stuck == ["Choose a root: the number whose gradient you want."]


def test_of_several_roots_the_active_one_counts(host: PlaybackHost):
    other = host.document.add_node(Root(host.node("e")), (0.0, 900.0))
    assert other is not None
    host.playback.backward()
    host.playback.to_end()
    assert host.grads()["a"] == 4
    host.document.set_active_root(other)
    assert host.playback.cursor == 0
    host.playback.to_end()
    assert host.grads() == {"e": 1, "a": -3, "b": 2}
    assert host.node("f") in host.playback.frame.unreachable_leaves


def test_undo_brings_back_the_numbers(host: PlaybackHost):
    host.playback.backward()
    host.playback.to_end()
    before = host.grads()
    host.document.set_value(host.node("a"), 7.0)
    assert host.grads() != before
    host.document.undo()
    assert host.grads() == before


def test_a_mistake_starts_over_and_leaves_other_numbers(host: PlaybackHost):
    host.playback.backward()
    host.playback.to_end()
    host.playback.set_rules(MISTAKES[0])
    assert host.playback.cursor == 0
    assert "rules" in host.said[0]
    host.playback.to_end()
    assert host.grads()["a"] == 6
    host.playback.set_rules(CORRECT)
    host.playback.to_end()
    assert host.grads()["a"] == 4


def test_a_mistake_that_never_ends_leaves_the_pass_and_says_only_that(host: PlaybackHost):
    host.show("; ".join(f"x{k} = x{k - 1} + x{k - 1}" for k in range(1, 22)))
    host.playback.to_end()
    host.playback.set_rules(next(rules for rules in MISTAKES if rules.name == "recursive"))
    assert host.playback.phase == "live"
    assert host.said == ["This pass takes more than 100,000 steps; it was stopped."]


@pytest.mark.parametrize("phase", ["backward", "forward"])
def test_a_pass_too_long_to_be_stepped_is_not_begun(host: PlaybackHost, phase: str, monkeypatch):
    monkeypatch.setattr(schedule, "EVENT_LIMIT", 1000)
    nodes: dict[int, Node] = {1: Leaf(0.5, "a")}
    nodes |= {k: OpNode("sin", (k - 1,)) for k in range(2, 1003)}
    graph = Graph({**nodes, 1003: Root(1002)}, 1003, 1004)
    host.document.start(Drawing(graph, dict.fromkeys(graph.nodes, (0.0, 0.0))))
    assert not getattr(host.playback, phase)()
    host.playback.to_end()
    assert host.playback.phase == "live"
    assert set(host.said) == {"This pass takes more than 1,000 steps; it was stopped."}


def test_a_folded_group_is_stepped_in_the_first_pass_and_again_in_the_second(host: PlaybackHost):
    host.document.groups.make([host.node("e"), host.node("d")])
    playback = host.playback
    playback.set_rules(next(rules for rules in MISTAKES if rules.name == "no-zero-grad"))
    playback.backward()
    there = [1]
    while playback.cursor < len(playback.frame.trace or ()):
        playback.step()
        there.append(playback.cursor)
    assert there == [1, 2, 3, 7, 8, 9, 10, 14]
    back = [playback.cursor]
    while playback.cursor > 0:
        playback.step_back()
        back.append(playback.cursor)
    assert back[::-1] == [0, *there]


def test_play_goes_on_by_itself_and_stops_at_the_end(host: PlaybackHost, qtbot):
    host.playback.set_speed(20)
    host.playback.play()
    assert host.playback.playing
    qtbot.waitUntil(lambda: not host.playback.playing, timeout=60_000)
    assert host.playback.cursor == 7


def test_a_step_is_usually_read_for_two_seconds_and_play_says_which_it_took(host: PlaybackHost):
    playback, played = host.playback, list[bool]()
    playback.stepped.connect(played.append)
    playback.play()
    assert (playback.cursor, playback._timer.interval()) == (1, 2000), "the seed is there at once"
    playback.step()
    playback.pause()
    playback.go(5)
    playback.play()
    assert playback._timer.interval() == 500, "in a pass that is on the first step comes sooner"
    while playback.playing:
        playback._timer.timeout.emit()
        assert playback._timer.interval() == 2000
    assert played == [False, True, True], "also the step with which playing ends"


def test_play_and_backward_begin_before_a_seed_that_a_question_precedes(host: PlaybackHost):
    cover(host.playback, level="final gradients")
    host.playback.play()
    assert (host.playback.phase, host.playback.cursor) == ("backward", 0)
    host.playback.leave()
    host.playback.backward()
    assert (host.playback.phase, host.playback.cursor) == ("backward", 0)


def test_opening_a_file_never_starts_playing(host: PlaybackHost):
    host.playback.play()
    host.document.start()
    assert not host.playback.playing
    assert host.playback.phase == "live"


def test_cover_hides_the_next_number_until_it_is_shown_or_stepped(host: PlaybackHost):
    playback = host.playback
    playback.backward()
    quiz = QuizRunner(playback)
    cover(playback)
    assert playback.frame.hides_number
    quiz.reveal()
    assert not playback.frame.hides_number
    playback.step()
    assert playback.frame.hides_number
    playback.to_end()
    assert not playback.frame.hides_number


def test_a_frame_always_belongs_to_the_graph_of_the_document(host: PlaybackHost):
    told: list[ViewState] = []
    agree: list[bool] = []

    def check(shown: ViewState) -> None:
        told.append(shown)
        agree.append(shown.sheet is host.document.sheet)
        agree.append(shown.frame.graph is host.document.graph)

    host.playback.shown.connect(check)
    host.playback.backward()
    host.document.set_value(host.node("a"), 3.0)
    host.document.set_label(host.node("a"), "alpha")
    host.document.undo()
    host.document.move({host.node("a"): (5.0, 5.0)})
    assert len(told) == 5
    assert all(agree)
    assert host.playback.now is told[-1]
