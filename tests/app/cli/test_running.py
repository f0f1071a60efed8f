"""backwire run and check, as they are called from a shell."""

import json
import os

import pytest

from app.__main__ import main
from app.document.examples import examples
from engine.rules import MISTAKES
from tests.helpers.formulas import FORMS, MEANING
from tests.helpers.graphs import DEMONSTRATION, EXAMPLES, reference
from tests.helpers.tables import in_turn


def ran(capsys: pytest.CaptureFixture[str], *arguments: str):
    assert main(["run", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith("\n")
    return err


@in_turn("example", EXAMPLES)
def test_the_known_numbers_of_an_example_come_out(example, capsys):
    values = [f"--set={name}={value!r}" for name, value in example.leaves.items()]
    found = ran(capsys, "-e", example.expression, *values)
    assert found["root"] == example.root
    nodes = {node["name"]: node for node in found["nodes"]}
    for name, numbers in example.nodes.items():
        for key in ("value", "grad"):
            assert nodes[name][key] == pytest.approx(numbers[key], rel=1e-12, abs=1e-12)
    assert set(found["leaves"]) == set(example.leaves)


def test_the_examples_that_come_along_are_those(capsys):
    assert {found.name for found in examples()} == {found.name for found in EXAMPLES}
    for example in EXAMPLES:
        path = next(found.path for found in examples() if found.name == example.name)
        found = ran(capsys, str(path))
        assert found["value"] == pytest.approx(example.nodes[example.root]["value"], rel=1e-12)


def test_the_answer_has_exactly_what_is_promised(capsys):
    found = ran(capsys, "-e", "y = a*2", "--set", "a=3", "--trace")
    assert list(found) == ["root", "value", "nodes", "leaves", "steps"]
    assert found["nodes"] == [
        {"id": 1, "name": "a", "kind": "leaf", "op": None, "value": 3.0, "grad": 2.0},
        {"id": 2, "name": "v2", "kind": "constant", "op": None, "value": 2.0, "grad": None},
        {"id": 3, "name": "y", "kind": "op", "op": "mul", "value": 6.0, "grad": 1.0},
    ]
    assert found["leaves"] == {"a": {"value": 3.0, "grad": 2.0}}
    seed, wire = found["steps"]
    assert (seed["kind"], seed["node"], seed["wire"]) == ("seed", "y", None)
    assert (seed["before"], seed["after"]) == (0.0, 1.0)
    assert wire == {
        "kind": "contribution",
        "node": "a",
        "wire": ["a", "y", 0],
        "upstream": 1.0,
        "local": 2.0,
        "contribution": 2.0,
        "before": 0.0,
        "after": 2.0,
    }


def test_numbers_that_json_has_not_are_words(capsys):
    found = ran(capsys, "-e", "y = log(a) - b; z = y*c", "--set", "a=0", "--set", "c=nan")
    assert found["value"] == "NaN"
    values = {node["name"]: node["value"] for node in found["nodes"]}
    assert (values["y"], values["c"]) == ("-Infinity", "NaN")
    assert ran(capsys, "-e", "1/a", "--set=a=0")["value"] == "Infinity"


def test_a_leaf_without_a_path_has_no_gradient(capsys):
    found = ran(capsys, "-e", "b = 2; y = a*a")
    assert found["leaves"]["b"] == {"value": 2.0, "grad": None}
    main(["run", "-e", "b = 2; y = a*a"])
    assert "no path" in capsys.readouterr().out


@in_turn("rules", MISTAKES)
def test_every_mistake_can_be_made_on_purpose(rules, capsys):
    found = ran(capsys, "-e", "y = a*b + a/b", "--mistake", rules.name, "--trace")
    assert (found["root"], found.get("mistake")) == ("y", rules.name)


def test_a_trace_names_its_mistake_and_marks_where_the_second_pass_starts(capsys):
    options = ["-e", "y = a*b", "--mistake", "no-zero-grad", "--trace"]
    assert main(["run", *options]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == "mistake: no-zero-grad (Backward twice, no zero_grad)"
    second = lines.index("pass 2")
    assert lines[second - 1].startswith("3 ")
    assert lines[second + 1].startswith("4 ")
    found = ran(capsys, *options)
    assert found["mistake"] == "no-zero-grad"
    assert [step["pass"] for step in found["steps"]] == [1, 1, 1, 2, 2, 2]


def test_a_table_is_for_people(capsys):
    assert main(["run", "-e", "y = a*b", "--set", "b=-0.5", "--trace"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "y = -0.5",
        "",
        "name  kind  value  grad",
        "a     leaf  1      -0.5",
        "b     leaf  -0.5   1",
        "y     mul   -0.5   1",
        "",
        "1  seed                        y.grad: 0 -> 1",
        "2  y[0] -> a  1 * -0.5 = -0.5  a.grad: 0 -> -0.5",
        "3  y[1] -> b  1 * 1 = 1        b.grad: 0 -> 1",
    ]


def test_a_node_that_can_not_be_computed_shows_a_dash(capsys, tmp_path):
    path = tmp_path / "half.backwire"
    path.write_text(
        '{"format": "backwire", "version": 1, "active_root": 3, "nodes": ['
        '{"id": 1, "kind": "leaf", "label": "a", "value": 2},'
        '{"id": 2, "kind": "op", "label": "y", "op": "add", "inputs": [1, null]},'
        '{"id": 3, "kind": "root", "inputs": [1]}]}'
    )
    assert main(["run", str(path)]) == 0
    assert "y     add   -      -" in capsys.readouterr().out
    assert ran(capsys, str(path))["nodes"][1]["value"] is None


def test_numbers_and_expressions_may_begin_with_any_minus(capsys):
    assert ran(capsys, "-e", "-x*2")["value"] == -2.0
    assert ran(capsys, "-e", "--x")["value"] == 1.0
    assert ran(capsys, "-e=x*2")["value"] == 2.0
    values = ("--set", "a=−3", "--set", "b=inf", "--set", "b=-1e3")
    assert ran(capsys, "-e", "a + b", *values)["value"] == -1003.0
    assert "1e999 is too large" in refused(capsys, 2, "run", "-e", "a", "--set", "a=1e999")
    assert "this number is too large" in refused(capsys, 1, "run", "-e", "a = 1e999")


@in_turn(("arguments", "says"), [
    (["-e", "1 +"], "Line 1, column 4"),
    (["-e", ""], "empty"),
    (["-e", "a", "--set", "b=1"], "No leaf is called b; the leaves are a."),
    (["-e", "1 + 2", "--set", "b=1"], "there is no leaf"),
    (["-e", "y = 2*a", "--set", "y=1"], "No leaf is called y"),
    (["-e", "a", "--mistake", "huge"], "no mistake called huge; there are assign, "),
    (["nothing-here.backwire"], "nothing-here.backwire can't be read"),
    (["picture.jpeg"], "picture.jpeg can't be read"),
    (["."], "can't be read"),
    (["a\0b.backwire"], "NUL"),
])  # fmt: skip
def test_bad_input_is_one_line_and_code_one(arguments, says, capsys):
    assert says in refused(capsys, 1, "run", *arguments)


@in_turn("call", [
    ["run", "{}"],
    ["check", "{}"],
    ["export", "{}"],
    ["export", "{}", "-o", "x.svg"],
    ["export", "-e", "a", "-o", "{}"],
    ["new", "--python", "{}", "-o", "x.backwire"],
    ["new", "-e", "a", "-o", "{}.backwire"],
    ["grade", "{}"],
])  # fmt: skip
def test_a_file_that_can_not_be_reached_is_named_by_its_path(call, capsys, qapp):
    path = f"{os.sep}nowhere{os.sep}x.svg"
    assert path in refused(capsys, 1, *(word.format(path) for word in call))


@pytest.mark.parametrize("verb", ["run", "check", "export"])
@pytest.mark.parametrize("text", [
    "", "{", '{"format": "backwire", "version": 9}', '{"format": "backwire", "version": 1}',
    "\xff",
])  # fmt: skip
def test_a_refusal_about_a_file_names_it(verb, text, capsys, tmp_path):
    path = tmp_path / "bad.backwire"
    path.write_bytes(text.encode("latin-1"))
    more = ["-o", str(tmp_path / "out.svg")] if verb == "export" else []
    assert "bad.backwire" in refused(capsys, 1, verb, str(path), *more)


def test_a_refusal_about_the_graph_in_a_file_names_the_file_once(capsys, tmp_path):
    path = tmp_path / "rootless.backwire"
    path.write_text('{"format": "backwire", "version": 1, "nodes": []}')
    for verb in ("run", "check"):
        assert refused(capsys, 1, verb, str(path)).startswith("backwire: rootless.backwire: Choose")
    assert refused(capsys, 1, "run", "nowhere.backwire").count("nowhere.backwire") == 1
    script = tmp_path / "script.py"
    script.write_text("while")
    out = str(tmp_path / "made.backwire")
    assert "script.py" in refused(capsys, 1, "new", "--python", str(script), "-o", out)


@pytest.mark.parametrize(("error", "code", "says"), [
    (TypeError("no"), 1, "backwire: This went wrong inside Backwire: TypeError('no')."),
    (ImportError("libGL.so.1: cannot open shared object file"), 3, "libGL.so.1"),
    (KeyboardInterrupt(), 130, ""),
])  # fmt: skip
def test_an_error_inside_has_its_own_code_and_no_traceback(error, code, says, capsys, monkeypatch):
    def fail(*_arguments: object, **_more: object) -> None:
        raise error

    monkeypatch.setattr("app.cli.running.json_results", fail)
    assert main(["run", "-e", "a", "--json"]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1 if says else 0)
    assert says in err


@in_turn("example", EXAMPLES)
def test_the_examples_pass(example, capsys):
    values = [f"--set={name}={value!r}" for name, value in example.leaves.items()]
    assert main(["check", "-e", example.expression, *values, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is True
    assert {row["verdict"] for row in found["leaves"].values()} <= {"agrees"}


@in_turn("name", [rules.name for rules in MISTAKES if rules.name != "division-sends-nothing"])
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


def test_each_form_of_a_formula_is_read_as_its_plain_one_or_refused_with_its_hint(capsys):
    for text, meant, *_remark in FORMS:
        code = main(["run", "-e", text])
        printed = capsys.readouterr()
        if meant.startswith("✗"):
            assert (code, printed.out) == (1, ""), text
            assert MEANING[text] in printed.err, text
            continue
        assert main(["run", "-e", meant]) == code == 0, text
        assert printed.out == capsys.readouterr().out, text


def test_a_leaf_is_set_by_its_name_as_it_is_written(capsys):
    assert main(["run", "-e", "y = θ·x₁", "--set", "θ=2", "--set", "x₁=3"]) == 0
    assert "y = 6" in capsys.readouterr().out
    assert main(["run", "-e", "y = e**x", "--set", "e=2", "--set", "x=3"]) == 0
    assert "y = 8" in capsys.readouterr().out
