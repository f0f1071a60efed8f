"""Passes that learners brought: each comes in whole, and is explained as what it is."""

import sys

import pytest

from app.runner.run import Request
from engine.formats.program_graph import ProgramGraph
from engine.formats.recording import told
from engine.graph import Constant
from tests.helpers.ran import file_in, run_all

SUM = """from backwire import Value
a = Value(2.0)
b = sum([a * 3 + 1, 5 - a.tanh(), 1 / a])
b.backward()
"""


@pytest.mark.parametrize("python", [sys.executable, getattr(sys, "_base_executable", "")])
def test_a_program_with_our_value_has_its_variables_as_leaves_alone(tmp_path, python):
    """By the library where that Python has it, else by what stands in for it."""
    result = run_all({"": Request(file_in(tmp_path, "ours.py", SUM), python)})[""]
    assert told(result) == ()
    found = ProgramGraph(result.graphs[-1])
    graph = found.drawing.graph
    assert found.verdict.kind == "right", found.verdict
    assert [graph.label(n) for n in graph.leaves] == ["a"]
    numbers = [node.value for node in graph.nodes.values() if isinstance(node, Constant)]
    assert {0.0, 1.0, 3.0, 5.0} <= set(numbers)
