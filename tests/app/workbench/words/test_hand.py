"""What is said of a pass by hand is true at every turn, in valid orders and in others."""

import random
import re

import pytest

from app.controls.spans import plain_text
from app.document.document import Document
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import HandRunner
from app.workbench.words.hand import (
    end_texts,
    hint_text,
    refusal,
    turn_log,
    turn_text,
    waiting_rows,
)
from engine import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.numbers import short, signed
from tests.engine.asking.test_hand_run import grads_by_hand
from tests.helpers.graphs import EXAMPLES, named

CHANCE = 0.35
"""Of a click on a node that may have to wait."""


@pytest.fixture
def by_hand(playback: Playback) -> HandRunner:
    return HandRunner(playback)


def sent_in(text: str) -> list[tuple[str, str]]:
    """Each number that a sentence says was passed, and to whom."""
    found = re.findall(r"([+−]?\d[\w.]*) to (\w+)", text)
    return [(name, number) for number, name in found]


def sent(playback: Playback, node: int) -> list[tuple[str, str]]:
    """What the frame says a node has sent."""
    frame = playback.frame
    events = [frame.fired.get((node, k)) for k in range(len(frame.graph.inputs(node)))]
    return [(frame.graph.brief(e.node), signed(e.contribution)) for e in events if e is not None]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
@pytest.mark.parametrize("seed", [1.0, 3.0])
def test_every_turn_is_told_as_it_was(
    document: Document, playback: Playback, by_hand: HandRunner, example, seed: float
):
    document.start(Drawing(example.graph))
    draw = random.Random(f"{example.name}{seed}")
    by_hand.begin("backward")
    by_hand.set_seed(seed)
    graph, clicks = playback.frame.graph, 0
    while (run := by_hand.now) is not None and not run.is_over(graph):
        left = [n for n in run.turns(graph) if n not in run.fired]
        ready = run.ready(graph)
        node = draw.choice(left if draw.random() < CHANCE else list(ready) or left)
        by_hand.click(node)
        told = refusal(playback.now)
        assert (told is None) == (node in ready)
        if told is not None:
            clicks += 1
            missing, total = map(int, re.findall(r"waits for (\d+) of (\d+)", told.title)[0])
            wanted = [
                w for w in graph.outgoing[node] if w[0] in graph.plan(run_root(graph)).with_gradient
            ]
            assert total == len([w for w in wanted if not is_marker(graph, w[0])])
            assert missing == len([w for w in wanted if w[0] in left])
            held = playback.frame.grads.get(node)
            assert held is None or f"holds {short(held)}." in told.detail
            by_hand.force()
        check_turn(playback, by_hand, node, clicks)
    check_end(playback, seed)


def check_turn(playback: Playback, by_hand: HandRunner, node: int, clicks: int) -> None:
    now, run, graph = playback.now, by_hand.now, playback.frame.graph
    assert run is not None
    turns = turn_log(now)
    assert [t.state for t in turns].count("refused") == clicks
    last = [t for t in turns if t.state in ("right", "wrong")][-1]
    assert last.number == len(run.fired)
    assert sent_in(last.detail) == sent(playback, node)
    if not run.is_over(graph):
        assert sent_in(plain_text(turn_text(now))) == sent(playback, node)
        ready = set(run.ready(graph))
        rows = {
            row.node: row
            for row in waiting_rows(now, shows_ready=True)
            if "leaves" not in row.state
        }
        assert {n for n, row in rows.items() if row.ready} == ready
        assert str(len(ready)) in hint_text(run, graph, 1) or "One node" in hint_text(run, graph, 1)


def check_end(playback: Playback, seed: float) -> None:
    now, graph = playback.now, playback.frame.graph
    run = now.by_hand
    assert run is not None
    sentence, below = end_texts(now)
    told = f"{plain_text(sentence)} {below}"
    expected = grads_by_hand(graph, run.fired, seed)
    right = grads_by_hand(graph, run.turns(graph), seed)
    for name, got, due in re.findall(
        r"(\w+)\.grad is ([^,\s]+), not ([^,\s]+?)[.,]?(?:\s|$)", told
    ):
        node = named(graph, name)
        assert (got, due) == (short(expected[node]), short(right[node]))
    assert ("fired early" in told) == bool(run.fired_early(graph))
    assert ("The seed was 3" in told) == (seed == 3.0)


def run_root(graph: Graph) -> int:
    assert graph.root is not None
    return graph.root


def is_marker(graph: Graph, node: int) -> bool:
    return node == graph.active_root


def test_an_early_click_is_told_as_it_was_after_turns_were_taken_back(
    document: Document, playback: Playback, by_hand: HandRunner
):
    expression = "u = a + b; p = u*a; q = b*2; L = p + q"
    document.start(Drawing(from_expression(expression, {"a": 2, "b": 3})))
    u, p, q, root = (named(document.graph, name) for name in "upqL")
    by_hand.begin("backward")
    by_hand.set_seed(1.0)
    for node in (root, q, u):
        by_hand.click(node)
    by_hand.take_back()
    by_hand.take_back()
    by_hand.click(p)
    states = [(turn.title, turn.state) for turn in turn_log(playback.now)]
    early = next(k for k, (_title, state) in enumerate(states) if state == "refused")
    assert "p" in states[early + 1][0], "it had to wait for p, and is told before it"
    for node in (u, q):
        by_hand.click(node)
    _sentence, below = end_texts(playback.now)
    assert "u was clicked before × (p) had fired." in below
