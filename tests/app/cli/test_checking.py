"""backwire check: yes, no, or a reason why there is nothing to compare."""

import json

import pytest

from app.__main__ import main
from engine.rules import MISTAKES
from tests.app.cli.test_running import refused
from tests.helpers.graphs import DEMONSTRATION, EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_the_examples_pass(example, capsys):
    values = [f"--set={name}={value!r}" for name, value in example.leaves.items()]
    assert main(["check", "-e", example.expression, *values, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is True
    assert {row["verdict"] for row in found["leaves"].values()} <= {"agrees", "kink"}


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
    assert main(["check", "-e", "b = 2; y = abs(a) * 3 + log(c)", "--set=a=0", "--set=c=0"]) == 0
    out = capsys.readouterr().out
    assert "no path" in out
    assert "not finite" in out
    assert main(["check", "-e", "y = abs(a) * 3", "--set=a=0"]) == 0
    assert "kink" in capsys.readouterr().out


def test_bad_input_is_one_line(capsys):
    assert "no mistake called x" in refused(capsys, 1, "check", "-e", "a", "--mistake", "x")
    assert refused(capsys, 2, "check").startswith("backwire check: ")
