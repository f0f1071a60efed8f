"""The contenders of the benchmark compute the same numbers."""

import sys
from pathlib import Path

import micrograd.engine
import pytest

from engine import Program, Value
from tests.benchmarks import shares
from tests.benchmarks.peers import DEEP, CLoop
from tests.benchmarks.workloads import EAGER, Network, cook, irregular


def test_micrograd_values_and_programs_agree():
    recipe = irregular(300)
    theirs, ours = cook(recipe, micrograd.engine.Value), cook(recipe, Value)
    theirs.backward()
    ours.backward()
    assert ours.data == pytest.approx(theirs.data, rel=1e-12)
    assert Program(ours).run()[0] == ours.data


def test_the_loss_of_the_network_is_the_same():
    losses = [Network(make, 10).loss().data for make in (micrograd.engine.Value, Value)]
    assert losses[1] == pytest.approx(losses[0], rel=1e-12)


def test_the_c_loop_gives_the_gradients(tmp_path: Path):
    program = Program(cook(irregular(500), Value))
    run = CLoop(str(tmp_path)).over(program)
    if run is None:
        pytest.skip("there is no C compiler")
    value, grads = program.run()
    theirs, shares = run()
    assert theirs == pytest.approx(value, rel=1e-12)
    assert shares == pytest.approx(list(grads), rel=1e-11)


def test_the_small_workloads_run_on_both_engines():
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)  # micrograd goes down the chain by recursion
    for workload in EAGER:
        if workload.ops < 2_000:
            for make in (micrograd.engine.Value, Value):
                root = workload.build(make)()
                root.backward()
                assert root.grad == 1
    sys.setrecursionlimit(limit)


def test_each_function_of_a_profile_has_its_share():
    kinds = {
        ("~", 0, "<method 'drawText' of 'PySide6.QtGui.QPainter' objects>"): "drawText",
        ("~", 0, "<built-in method processEvents>"): "Qt",
        ("~", 0, "<built-in method builtins.max>"): None,
        (str(shares.ROOT / "app/canvas/layout/course.py"), 1, "path"): "layout",
        (str(shares.ROOT / "app/workbench/playback/playback.py"), 1, "step"): "events",
    }
    assert {function: shares.kind_of(function) for function in kinds} == kinds
    rooms = [shares.ROOT / room for room in shares.ROOMS]
    assert all(room.exists() or room.with_suffix(".py").exists() for room in rooms)
