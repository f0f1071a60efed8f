"""Agreement with PyTorch: in a Python that may have none, may hang, or may say anything."""

import ast
import os
import stat
import sys
from pathlib import Path

import pytest

from app.workbench.trials import torch_run
from app.workbench.trials.torch_run import TorchRun, agreement, program
from engine import from_expression
from engine.edits import set_label
from engine.formats import python
from engine.graph import Graph
from engine.rules import BY_NAME

pytestmark = pytest.mark.skipif(os.name == "nt", reason="stands in for Python with a shell script")

GRAPH = from_expression("L = (a*b + c)*f", {"a": 2, "b": -3, "c": 10, "f": -2})
PRINTED = "torch 2.9.1\nL = -8.0\na.grad = 6.0\nb.grad = -4.0\nc.grad = -2.0\nf.grad = 4.0\n"


@pytest.fixture
def torch(qapp) -> TorchRun:
    run = TorchRun()
    run.said = []  # type: ignore[attr-defined]
    run.finished.connect(lambda found: run.said.append(" ".join(found.sentences())))  # type: ignore[attr-defined]
    run.refused.connect(run.said.append)  # type: ignore[attr-defined]
    return run


def stand_in(folder: Path, script: str) -> str:
    """A program in place of Python."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def answer(qtbot, torch, python: str, graph: Graph = GRAPH) -> str:
    torch.start(graph, python)
    qtbot.waitUntil(lambda: bool(torch.said), timeout=30_000)
    assert not torch.running
    (said,) = torch.said
    return said


def test_the_same_gradients_are_said_to_be_the_same(qtbot, torch, tmp_path):
    python = stand_in(tmp_path, f"cat > {tmp_path}/got; printf '{PRINTED}'")
    said = answer(qtbot, torch, python)
    assert said == "PyTorch 2.9.1 has the same gradients for 4 leaves."
    assert (tmp_path / "got").read_text() == program(GRAPH)


def test_a_different_gradient_is_shown_beside_ours(qtbot, torch, tmp_path):
    python = stand_in(tmp_path, f"cat > /dev/null; printf '{PRINTED.replace('6.0', '7.0')}'")
    assert "a: 6 here, 7 in PyTorch." in answer(qtbot, torch, python)


def test_the_gradients_of_a_mistake_are_compared_not_those_of_the_right_pass():
    graph, rules = from_expression("y = a*a + b", {"a": 3, "b": 1}), BY_NAME["assign"]
    printed = "torch 2.15.0+cpu\ny = 10.0\na.grad = 6.0\nb.grad = 1.0\n"
    assert list(agreement(graph, printed, rules).sentences()) == [
        "PyTorch 2.15.0 has the same for 1 of 2 leaves.",
        "a: 3 here, 6 in PyTorch.",
    ]
    assert next(agreement(graph, printed).sentences()).endswith("same gradients for 2 leaves.")


def test_what_pytorch_masks_is_explained():
    graph = from_expression("y = relu(log(a))*1 + b", {"a": 0, "b": 1})
    found = agreement(graph, "torch 2.9\ny = 1.0\na.grad = 0.0\nb.grad = 1.0\n")
    verdicts = {row.title: row.verdict for row in found.rows}
    if found.reasons:
        assert verdicts["a"] in ("masked", "agrees")
    graph = from_expression("y = relu(a)*b", {"a": -1, "b": float("inf")})
    found = agreement(graph, "torch 2.9\ny = nan\na.grad = 0.0\nb.grad = 0.0\n")
    assert {row.title: row.verdict for row in found.rows} == {"a": "masked", "b": "agrees"}
    assert any("PyTorch masks it and sends 0." in said for said in found.sentences())


def test_a_python_without_pytorch_is_told_how_to_get_it(qtbot, torch):
    try:
        import torch as installed  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        said = answer(qtbot, torch, sys.executable)
        assert "There is no PyTorch in" in said
        assert "-m pip install torch" in said
    else:
        assert "same gradients for 4 leaves" in answer(qtbot, torch, sys.executable)


def test_what_is_no_python_is_said_in_one_sentence(qtbot, torch, tmp_path):
    said = answer(qtbot, torch, str(tmp_path / "none"))
    assert said.endswith("can't be started: name a Python with PyTorch.")


FAILURES = {
    "a crash": ("echo 'Segmentation fault' >&2; exit 139", "Segmentation fault."),
    "nonsense": ("echo hello", "the answer does not begin with the version of PyTorch."),
    "no answer": ("", "it ended without a word."),
    "no end": ("echo 'torch 2.9'; exec yes 'a.grad = 6.0'", "its answer is too long."),
    "a long error": ("yes warning | head -c 300000 >&2; echo 'At last' >&2; exit 1", "At last."),
    "a failure after it": (f"printf '{PRINTED}'; exit 1", "it ended without a word."),
}
"""Scripts that give no gradients, and what is said of each."""


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_said_in_one_sentence(qtbot, torch, tmp_path, name: str):
    script, reason = FAILURES[name]
    said = answer(qtbot, torch, stand_in(tmp_path, f"cat > /dev/null; {script}"))
    assert said.endswith(f"gave no gradients: {reason}")
    assert len(torch._errors) <= torch_run.ERROR_TAIL_BYTES


LACKING = {
    "nothing but a version": (PRINTED.partition("\n")[0], "the answer lacks L."),
    "a leaf is missing": (PRINTED.replace("b.grad = -4.0\n", ""), "the answer lacks b.grad."),
    "the root is missing": (PRINTED.replace("L = -8.0\n", ""), "the answer lacks L."),
    "a leaf twice": (PRINTED + "a.grad = 6.0\n", "the answer has a.grad more than once."),
    "a leaf of its own": (PRINTED + "z.grad = 6.0\n", "a line that is not of the program."),
    "a line of its own": (PRINTED + "done\n", "a line that is not of the program."),
    "a line before": (PRINTED.replace("L =", "hello\nL ="), "a line that is not of the program."),
    "a word": (PRINTED.replace("6.0", "six"), "no number for a.grad."),
    "no text": (PRINTED.replace("6.0", ""), "no number for a.grad."),
    "digits of another kind": (PRINTED.replace("6.0", "\u0666"), "no number for a.grad."),
    "what only float() reads": (PRINTED.replace("6.0", "6_0"), "no number for a.grad."),
    "no version": (PRINTED.replace("2.9.1", "x"), "begin with the version of PyTorch."),
    "a long version": (PRINTED.replace("2.9.1", "2" * 200), "begin with the version of PyTorch."),
}


@pytest.mark.parametrize("name", LACKING)
def test_an_answer_that_is_not_the_programs_is_refused_in_one_sentence(name, torch):
    printed, reason = LACKING[name]
    torch._graph, torch._python = GRAPH, "python"
    torch._report_agreement(printed)
    (said,) = torch.said
    assert said.startswith("python gave no gradients: ")
    assert said.endswith(reason)
    assert said.count(". ") == 0


def test_a_gradient_that_is_nan_there_differs():
    found = agreement(GRAPH, PRINTED.replace("6.0", "nan").replace("-4.0", "-inf"))
    assert [row.verdict for row in found.rows] == ["differs", "differs", "agrees", "agrees"]


def test_it_can_be_cancelled(qtbot, torch, tmp_path):
    torch.start(GRAPH, stand_in(tmp_path, "exec sleep 60"))
    assert torch.running
    torch.cancel()
    assert not torch.running
    assert torch.said == []


def test_it_gives_up_after_its_time(qtbot, torch, tmp_path, monkeypatch):
    torch._timeout.setInterval(50)
    said = answer(qtbot, torch, stand_in(tmp_path, "exec sleep 60"))
    assert said == f"PyTorch gave no answer within {torch_run.TIMEOUT_MS // 1000} seconds."


def test_a_label_is_never_run():
    """A label becomes a name, a string or a comment; it can't end a line."""
    graph = from_expression("y = relu(a)*b", {"a": -1, "b": float("inf")})
    text = python.write_pytorch(set_label(graph, 1, "x'); print('evil') #"))
    calls = [ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    assert "evil" in text
    assert not [call for call in calls if "'evil'" in call]
