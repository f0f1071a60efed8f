"""How formulas call nodes: by their label where it can mean nothing else."""

import pytest

from app.controls.spans import plain_text
from app.workbench.gradients.chain_rule import derivation
from app.workbench.gradients.formulas import gradient_text, names_text, term
from app.workbench.trials.copying import derivation_latex
from app.workbench.words.narration import narrate
from engine import from_expression
from engine.edits import set_label
from engine.frame import frame_at
from engine.trace import run, run_forward
from tests.helpers.tables import in_turn

GRAPH = from_expression("L = w*k", {"w": 2, "k": 3})
W, K, L = (GRAPH.structure.by_name[name] for name in ("w", "k", "L"))


@in_turn("label", ["k2", "x1*w1", "the bias", "exp", "lambda"])
def test_a_label_that_one_node_has_stands_in_formulas(label):
    assert term(set_label(GRAPH, K, label), K) == label


@pytest.mark.parametrize("label", ["2", "inf", "−1"])
def test_a_label_that_reads_as_a_number_is_quoted_in_formulas(label):
    assert term(set_label(GRAPH, K, label), K) == f"“{label}”"


@pytest.mark.parametrize(
    ("label", "shown"),
    [("k2", "k2"), ("x1*w1", "(x1*w1)"), ("the bias", "(the bias)"), ("2", "“2”")],
)
def test_behind_a_derivative_sign_a_label_is_one_thing(label, shown):
    graph = set_label(GRAPH, K, label)
    assert gradient_text(graph, L, K) == f"∂L/∂{shown}"
    assert gradient_text(graph, L, K, "grad") == f"{shown}.grad"


@pytest.mark.parametrize(
    ("label", "shown"),
    [("x1*w1", r"\text{(x1*w1)}"), ("50 %", r"\text{(50 \%)}"), ("b{}", r"\text{b\{\}}")],
)
def test_a_label_is_copied_as_text_of_latex(label, shown):
    graph = set_label(GRAPH, K, label)
    found = derivation(frame_at(run(graph), 1), K)
    assert rf"\frac{{\partial L}}{{\partial {shown}}}=" in derivation_latex(found)


@pytest.mark.parametrize("label", ["w", ""])
def test_a_label_that_means_another_node_too_gives_way_to_the_name(label):
    graph = set_label(GRAPH, K, label)
    assert term(graph, K) == graph.names[K] != label


def test_a_step_forward_names_each_of_two_nodes_with_one_label():
    graph = set_label(set_label(GRAPH, K, "w"), L, "w")
    names = graph.names
    assert names_text(graph, L, 4) == f"w × {names[K]}"
    told = plain_text(narrate(frame_at(run_forward(graph), 1)))
    assert told == f"{names[L]} = w × {names[K]} = 2 × 3 = 6."
