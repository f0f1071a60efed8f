"""Sixty programs as learners write them: read right or passed over, and shown right with our Value.

Each program is also run, in a process of its own, with micrograd's Value or its own, and with
ours; values and gradients of all three agree to 1e-12, and the graphs of reading and running are
the same but for plain numbers, which have no identity, and the 0 that `sum` begins with.
"""

import doctest
import json
import math
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import FormatError, Graph
from engine.formats.native import read
from engine.formats.python import read_program
from engine.graph import Constant, Leaf, OpNode
from engine.trace import run
from tests.helpers.graphs import last_frame
from tests.helpers.tables import in_turn

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STYLES = ("lecture", "homework", "script")
ALL = [(style, number) for style in STYLES for number in range(20)]


@cache
def programs(style: str) -> list[str]:
    """The programs of one style; a line of four # and a title begins each."""
    text = (HERE / f"{style}.txt").read_text("utf-8")
    return re.split(r"^#### .*\n", text, flags=re.MULTILINE)[1:]


def ran(style: str, value: str) -> list[dict[str, Any]]:
    """What running all programs of a style gives."""
    begin = STYLES.index(style) * 20
    return all_ran(value)[begin : begin + 20]


@cache
def all_ran(value: str) -> list[dict[str, Any]]:
    """What running all programs gives, one style after the other."""
    done = subprocess.run(
        [sys.executable, str(HERE / "oracle.py"), value],
        input=json.dumps([plain(text) for style in STYLES for text in programs(style)]),
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def plain(text: str) -> str:
    """A program as Python alone can run it: without prompts and IPython's lines."""
    if text.lstrip().startswith(">>>"):
        return "".join(found.source for found in doctest.DocTestParser().get_examples(text))
    return re.sub(r"^[%!].*$", "", text, flags=re.MULTILINE)


def near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


def agrees(graph: Graph, found: dict[str, Any]) -> None:
    """The graph's value, its leaves' values, gradients and labels are those of a run."""
    assert graph.root is not None
    frame = last_frame(run(graph))
    assert near(frame.values[graph.root], found["value"])
    left = [tuple(leaf) for leaf in found["leaves"]]
    leaves = [n for n in graph.plan(graph.root).order if isinstance(graph.nodes[n], Leaf)]
    assert leaves
    for node in leaves:
        data, grad = frame.values[node], frame.grads.get(node, 0.0)
        matching = [
            leaf for leaf in left
            if leaf[0] in ("", graph.label(node)) and near(leaf[1], data) and near(leaf[2], grad)
        ]  # fmt: skip
        assert matching, (graph.label(node), data, grad, left)
        left.remove(max(matching, key=lambda leaf: len(leaf[0])))
    constants = {n.value for n in graph.nodes.values() if isinstance(n, Constant)} | {0.0, -1.0}
    for label, data, _grad in left:  # micrograd makes Values of plain numbers
        assert label == ""
        assert any(
            near(abs(data), abs(number)) or near(data * number, 1) for number in constants
        ), data  # micrograd divides by 2 as times 2**-1


def form(graph: Graph) -> tuple[list[Any], dict[int, int]]:
    """The wiring from the root with leaves told apart, and the place of each node in it."""
    assert graph.root is not None
    rows: list[Any] = []
    terms: dict[int, Any] = {}
    places: dict[int, int] = {}
    for node in graph.plan(graph.root).order:
        found = graph.nodes[node]
        if isinstance(found, Constant):
            terms[node] = ("number", found.value)
            continue
        row: Any = "leaf"
        if isinstance(found, OpNode):
            inputs = [terms[source] for source in found.inputs if source is not None]
            if found.op == "add" and inputs[0] == ("number", 0.0):
                terms[node] = inputs[1]  # as sum() begins
                continue
            row = (found.op, *inputs)
        places[node] = len(rows)
        terms[node] = len(rows)
        rows.append(row)
    return rows, places


def whole(style: str, number: int) -> Graph | None:
    """The graph of a program that is read without passing a line over; None for any other."""
    try:
        found = read_program(programs(style)[number])
    except FormatError:
        return None
    return None if found.remark else found.graph


@in_turn(("style", "number"), ALL)
def test_a_program_is_read_right_or_what_is_passed_over_is_said(style, number):
    graph = whole(style, number)
    if graph is None:
        return
    agrees(graph, ran(style, "theirs")[number])
    ours = ran(style, "ours")[number]
    shown = read(ours["shown"])
    rows, places = form(graph)
    shown_rows, shown_places = form(shown)
    assert rows == shown_rows
    labels = {place: graph.label(node) for node, place in places.items()}
    for node, place in shown_places.items():
        label = ours["labels"][str(node)]
        assert label in ("", labels[place])


@in_turn(("style", "number"), ALL)
def test_with_our_value_a_program_shows_the_graph_that_running_it_gives(style, number):
    agrees(read(ran(style, "ours")[number]["shown"]), ran(style, "theirs")[number])


@pytest.mark.parametrize("style", STYLES)
def test_there_are_twenty_programs_of_each_style_and_no_two_alike(style):
    assert len(set(programs(style))) == 20


def test_fifteen_programs_are_straight_lines_from_end_to_end():
    assert sum(whole(style, number) is not None for style, number in ALL) >= 15
