"""backwire check: yes, no, or a reason why there is nothing to compare."""

import json

import pytest

from app.__main__ import main
from engine.rules import MISTAKES
from tests.app.cli.test_running import refused
from tests.helpers.graphs import DEMONSTRATION, EXAMPLES, reference


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_the_examples_pass(example, capsys):
    values = [f"--set={name}={value!r}" for name, value in example.leaves.items()]
    assert main(["check", "-e", example.expression, *values, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is True
    assert {row["verdict"] for row in found["leaves"].values()} <= {"agrees"}


@pytest.mark.parametrize(
    "name", [rules.name for rules in MISTAKES if rules.name != "division-sends-nothing"]
)
def test_a_mistake_is_found_out_and_the_answer_is_no(name: str, capsys):
    values = ["--set", "a=2", "--set", "b=3", "--mistake", name]
    code = main(["check", "-e", DEMONSTRATION, *values])
    assert (code, "differs" in capsys.readouterr().out) in ((1, True), (0, False))
    if name not in ("breadth-first", "random-order"):
        assert code == 1


def test_a_table_says_why_there_is_nothing_to_compare(capsys):
    assert main(["check", "-e", "b = 2; y = abs(a) * 3 + log(c)", "--set=a=0", "--set=c=0"]) == 1
    out = capsys.readouterr().out
    assert "no path" in out
    assert "infinite or nan" in out
    assert main(["check", "-e", "y = abs(a) * 3", "--set=a=0"]) == 1
    out = capsys.readouterr().out
    assert "can't tell" in out
    assert "abs has no slope at 0" in out


def test_where_h_is_too_small_the_check_can_not_tell_and_the_answer_is_no(capsys):
    """At h = 1e-15 it sets −3.55 beside c's −2, which proves nothing."""
    lesson = reference("by_hand_check")
    values = [f"--set={name}={value!r}" for name, value in lesson["leaves"].items()]
    call = ["check", "-e", lesson["expression"], *values, "--method", "forward", "--json", "--h"]
    assert main([*call, "1e-15"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is False
    assert {row["verdict"] for row in found["leaves"].values()} == {"can't tell"}
    assert all(row["reason"].startswith("h is too small") for row in found["leaves"].values())
    for h in ("0.001", "1e-7", "1e-12"):
        assert main([*call, h]) == 0
        found = json.loads(capsys.readouterr().out)
        assert {row["verdict"] for row in found["leaves"].values()} == {"agrees"}


def test_quotients_are_those_of_the_lessons_to_the_last_digit(capsys):
    lesson = reference("by_hand_check")
    values = [f"--set={name}={value!r}" for name, value in lesson["leaves"].items()]
    for more in (["--h", "0.001"], ["--method", "forward"]):
        assert main(["check", "-e", lesson["expression"], *values, *more, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["method"], found["h"]) == ("forward", 0.001)
        assert {n: row["numerical"] for n, row in found["leaves"].items()} == lesson["quotients"]
        for row in found["leaves"].values():
            assert row["difference"] == abs(row["numerical"] - row["grad"])
    assert main(["check", "-e", lesson["expression"], *values, "--h", "0.001"]) == 0
    assert "-3.9999999999995595" in capsys.readouterr().out


def test_a_large_h_is_no_error_and_a_mistake_is_one(capsys):
    assert main(["check", "-e", "a*a*a", "--set=a=2", "--h=1", "--method=central"]) == 0
    assert "A smaller h is closer." in capsys.readouterr().out
    assert main(["check", "-e", "a*a", "--set=a=2", "--h=1", "--mistake=assign"]) == 1
    assert "The slope is 4." in capsys.readouterr().out


def test_a_step_is_a_number_above_0_and_exact_takes_none(capsys):
    for h in ("0", "-1", "x", "inf", "nan"):
        assert "is no number above 0" in refused(capsys, 2, "check", "-e", "a", f"--h={h}")
    said = refused(capsys, 2, "check", "-e", "a", "--h=1", "--method=exact")
    assert "exact needs no step" in said
    assert "no mistake called x" in refused(capsys, 1, "check", "-e", "a", "--mistake", "x")
