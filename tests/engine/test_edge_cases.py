"""Every operation at the edges of the numbers, against PyTorch's float64 results."""

import math
from typing import Any

import pytest

from engine import evaluate
from tests.helpers.graphs import number, reference

SIGNED_ZERO = ("zero", "log", "div")
CASES = [*reference("edge_cases_sample")["cases"], *reference("edge_cases")["cases"]]


def close(ours: float | None, expected: float | str | None, relative: float, signed: bool) -> bool:
    if ours is None or expected is None:
        return (ours or 0.0) == 0.0 and expected is None
    wanted = number(expected)
    if math.isnan(wanted):
        return math.isnan(ours)
    if wanted == 0.0 and signed:
        return ours == 0.0 and math.copysign(1.0, ours) == math.copysign(1.0, wanted)
    return ours == wanted or math.isclose(ours, wanted, rel_tol=relative)


def wrong(case: dict[str, Any]) -> str:
    inputs = {name: number(value) for name, value in case["inputs"].items()}
    found = evaluate(case["expr"], **inputs)
    signed = case["category"] in SIGNED_ZERO
    told = f"{case['id']} {case['expr']} at {case['inputs']}"
    if not close(found.value, case["expected_forward"], 1e-12, signed):
        return f"{told}: {found.value}, not {case['expected_forward']}"
    for name, expected in case["expected_grads"].items():
        if not close(found.grads[name], expected, 1e-9, signed=False):
            return f"{told}: the gradient of {name} is {found.grads[name]}, not {expected}"
    return ""


def test_there_are_more_than_two_hundred_cases_of_our_own():
    assert len(reference("edge_cases")["cases"]) >= 200


def test_every_operation_is_among_them():
    from engine import OPS

    text = " ".join(case["expr"] for case in CASES)
    signs = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "neg": "(-"}
    assert [op.name for op in OPS if signs.get(op.name, f"{op.name}(") not in text] == []


def test_where_pytorch_is_installed_it_still_says_the_same():
    pytest.importorskip("torch")
    from tests.engine.reference.make_edge_cases import rows

    assert rows() == reference("edge_cases")["cases"]


@pytest.mark.parametrize("category", sorted({case["category"] for case in CASES}))
def test_values_and_gradients_are_those_of_pytorch(category):
    faults = [wrong(case) for case in CASES if case["category"] == category]
    assert [fault for fault in faults if fault] == []
