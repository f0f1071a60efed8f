"""Every operation at the edges of the numbers, against PyTorch's float64 results."""

import math
from typing import Any

import pytest

from engine import evaluate
from tests.helpers.graphs import number, reference
from tests.helpers.tables import in_turn

SIGNED_ZERO = ("zero", "log", "div")
LAST_PLACES = 2.0**-51  # two units in the last place
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


def test_every_operation_is_among_them():
    from engine import OPS

    text = " ".join(case["expr"] for case in CASES)
    signs = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "neg": "(-"}
    assert [op.name for op in OPS if signs.get(op.name, f"{op.name}(") not in text] == []


def test_where_pytorch_is_installed_it_still_says_the_same():
    pytest.importorskip("torch")
    from tests.engine.reference.make_edge_cases import rows

    asked, stored = rows(), reference("edge_cases")["cases"]
    assert [case["id"] for case in asked] == [case["id"] for case in stored]
    assert [fault for pair in zip(asked, stored, strict=True) if (fault := parted(*pair))] == []


def parted(asked: dict[str, Any], stored: dict[str, Any]) -> str:
    """Where two results of PyTorch differ by more than its vector units do between processors."""
    gradients = stored["expected_grads"]
    pairs = [(asked["expected_forward"], stored["expected_forward"])]
    pairs += [(asked["expected_grads"][name], gradients[name]) for name in gradients]
    same = all(
        now is None if then is None else close(number(now), then, LAST_PLACES, signed=True)
        for now, then in pairs
    )
    return "" if same else f"{stored['id']} {stored['expr']}: {pairs}"


def test_stored_square_roots_are_rounded_correctly():
    """IEEE 754 leaves no choice here, unlike for tan or tanh."""
    roots = [case for case in CASES if case["expr"] == "sqrt(x)"]
    positive = [case for case in roots if number(case["inputs"]["x"]) > 0]
    assert len(positive) > 5
    for case in positive:
        x = number(case["inputs"]["x"])
        assert number(case["expected_forward"]) == math.sqrt(x), case["id"]


@in_turn("category", sorted({case["category"] for case in CASES}))
def test_values_and_gradients_are_those_of_pytorch(category):
    faults = [wrong(case) for case in CASES if case["category"] == category]
    assert [fault for fault in faults if fault] == []
