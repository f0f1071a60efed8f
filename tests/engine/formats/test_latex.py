"""The LaTeX derivation says what happened, and is well formed for amsmath."""

import re

import pytest
from hypothesis import given, settings

from engine import FormatError, Graph, edits, from_expression, save
from engine.formats import latex
from engine.formats.latex import escaped, number, symbol
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import OPS
from tests.helpers.graphs import EXAMPLES
from tests.helpers.random_graphs import graphs

COMMANDS = """
    documentclass usepackage allowdisplaybreaks begin end section frac tfrac partial
    cdot quad approx infty text textbackslash textasciitilde textasciicircum tanh
    sin cos tan arcsin arccos arctan ln max min
    sqrt left right lfloor rfloor operatorname sigma Phi varphi
    le times pi tan mathrm sec cosh
"""
"""What plain LaTeX with amsmath knows of what we use."""


def check(text: str) -> None:
    """Braces, environments and pairs of \\left and \\right balance; every command is known."""
    bare = re.sub(r"\\[\\{}$&#%_,;! ]", " ", text)
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    assert re.findall(r"\\begin\{(.*?)\}", bare) == [
        "document",
        *["align*"] * bare.count("n{align"),
    ]
    assert bare.count(r"\left") == bare.count(r"\right")
    assert set(re.findall(r"\\([A-Za-z]+)", bare)) <= set(COMMANDS.split())
    assert bare.replace("$-$", "").replace("$", "").isascii() or "é" in bare
    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end", text, re.DOTALL):
        for line in block.split(" \\\\\n"):
            assert len(re.findall(r"(?<!\\)&", line)) == 1, line
            assert not line.startswith("[")


def shared_leaf() -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def test_the_derivation_of_the_shared_leaf():
    text = latex.write(shared_leaf())
    check(text)
    for line in (
        r"e &= {a} \cdot {b} = {2} \cdot {(-3)} = -6",
        r"\frac{\partial L}{\partial L} &= 1",
        r"\frac{\partial L}{\partial a} &= \frac{\partial L}{\partial d} \cdot "
        r"\frac{\partial d}{\partial a}",
        r"&\quad + \frac{\partial L}{\partial e} \cdot \frac{\partial e}{\partial a}",
        r"&= (-2) \cdot 1",
        r"&\quad + (-2) \cdot (-3)",
        r"&= 4",
        r"\frac{\partial e}{\partial a} &= {b} = -3",
        r"\frac{\partial d}{\partial a} &= 1",
    ):
        assert f"\n{line}" in text


def test_a_node_plugged_in_twice_has_a_slope_along_each_slot():
    text = latex.write(from_expression("y = a*a", {"a": 3}))
    check(text)
    assert r"\left.\frac{\partial y}{\partial a}\right|_{1} &= {a} = 3" in text
    assert r"\left.\frac{\partial y}{\partial a}\right|_{2} &= {a} = 3" in text


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_every_example_is_well_formed(example):
    check(latex.write(example.graph))


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_operation_is_well_formed(op):
    check(latex.write(from_expression(f"out = {op.name}({', '.join(op.slots)})")))


@settings(max_examples=60)
@given(graphs())
def test_any_graph_is_well_formed(graph: Graph):
    check(latex.write(graph))


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("a", "a"),
        ("x1", "x_{1}"),
        ("w_12", "w_{12}"),
        ("loss", r"\text{loss}"),
        ("x1*w1", r"\text{x1*w1}"),
        (r"50% of {a}\_$^~#&", None),
        ("", "v_{1}"),
        ("π−×", r"\text{?$-$$\times$}"),
        ("é", r"\text{é}"),
    ],
)
def test_labels_become_symbols(label: str, text: str | None):
    graph = Graph({1: Leaf(1.0, label), 2: Root(1)}, 2, 3)
    if text is not None:
        assert symbol(graph, 1) == text
    check(latex.write(graph))


def test_plain_text_is_escaped():
    assert escaped("a_b & 5% {x}") == r"a\_b \& 5\% \{x\}"
    assert escaped("\\~^") == r"\textbackslash{}\textasciitilde{}\textasciicircum{}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-3.0, "-3"),
        (0.5, "0.5"),
        (1e-12, r"1 \cdot 10^{-12}"),
        (0.9999999999, r"{\approx}1"),
        (float("inf"), r"\infty"),
        (-float("inf"), r"-\infty"),
        (float("nan"), r"\text{nan}"),
    ],
)
def test_numbers_as_formulas_have_them(value: float, text: str):
    assert number(value) == text


def test_constants_are_their_numbers_unless_they_have_a_label():
    graph = from_expression("y = a * 2")
    text = latex.write(graph)
    assert r"y &= {a} \cdot {2} = {1} \cdot {2} = 2" in text
    labelled = edits.set_label(graph, 2, "k")
    assert "\nk &= 2" in latex.write(labelled)


def test_a_graph_that_can_not_run_is_refused(tmp_path):
    with pytest.raises(FormatError, match="Choose a root"):
        latex.write(Graph())
    with pytest.raises(ValueError, match="empty slot"):
        latex.write(Graph({1: OpNode("exp", (None,)), 2: Root(1)}, 2, 3))
    constant = Graph({1: Constant(2.0), 2: Root(1)}, 2, 3)
    assert "Local derivatives" not in latex.write(constant)
    save(shared_leaf(), tmp_path / "out.tex")
    assert (tmp_path / "out.tex").read_text("utf-8") == latex.write(shared_leaf())
