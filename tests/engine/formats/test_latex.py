"""The LaTeX derivation says what happened, and is well formed for amsmath."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import FormatError, Graph, edits, from_expression, save
from engine.asking.question import covered_pass, hide_answers, hide_unseen_steps
from engine.formats import latex
from engine.formats.latex import escaped, number, symbols
from engine.frame import frame_at, live_frame
from engine.graph import Constant, Leaf, Node, OpNode, Root
from engine.ops import OPS
from engine.rules import BY_NAME as RULES
from engine.trace import run, run_forward
from tests.helpers.graphs import EXAMPLES
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn

COMMANDS = """
    documentclass usepackage allowdisplaybreaks begin end section frac tfrac partial
    cdot quad approx infty text textbackslash textasciitilde textasciicircum tanh
    sin cos tan arcsin arccos arctan ln max min
    sqrt left right lfloor rfloor operatorname sigma Phi varphi
    le times pi tan mathrm sec cosh textless textgreater textbar texttt char alpha
    textvisiblespace noindent par allowbreak leftarrow rightarrow acute hat mu
"""
"""What plain LaTeX with amsmath knows of what we use."""

CASES = r"\\begin\{cases\} (.+?) \\end\{cases\}"


def check(text: str) -> None:
    """Braces, environments and pairs of \\left and \\right balance; every command is known."""
    bare = re.sub(r"\\[\\{}$&#%_,;! ]", " ", text)
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    for cases in re.findall(CASES, text):
        assert all(row.count("&") == 1 for row in cases.split(r" \\ "))
    lines = re.sub(CASES, r"{}", text)
    assert re.findall(r"\\begin\{(.*?)\}", lines) == [
        "document",
        *["align*"] * lines.count("n{align"),
    ]
    assert bare.count(r"\left") == bare.count(r"\right")
    assert set(re.findall(r"\\([A-Za-z]+)", bare)) <= set(COMMANDS.split())
    assert text.isascii()
    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end", lines, re.DOTALL):
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
        r"\frac{\partial^{+} d}{\partial a}",
        r"&\quad + \frac{\partial L}{\partial e} \cdot \frac{\partial e}{\partial a}",
        r"&= (-2) \cdot 1",
        r"&\quad + (-2) \cdot (-3)",
        r"&= 4",
        r"\frac{\partial e}{\partial a} &= {b} = -3",
        r"\frac{\partial^{+} d}{\partial a} &= 1",
    ):
        assert f"\n{line}" in text


@in_turn("op", OPS)
def test_every_operation_is_well_formed(op):
    check(latex.write(from_expression(f"out = {op.name}({', '.join(op.slots)})")))


@settings(max_examples=tries(60))
@given(graphs())
def test_any_graph_is_well_formed(graph: Graph):
    check(latex.write(graph))


@in_turn(("label", "text"), [
    ("a", "a"),
    ("x1", "x_{1}"),
    ("w_12", "w_{12}"),
    ("loss", r"\text{loss}"),
    ("x1*w1", r"\text{x1*w1}"),
    (r"50% of {a}\_^~#&",
     r"\text{50\% of \{a\}\textbackslash{}\_\textasciicircum{}" r"\textasciitilde{}\#\&}"),
    ("", "v_{1}"),
    ("π−×", r"\text{$\pi$$-$$\times$}"),
    ("α", r"\alpha"),
    ("μ_2", r"\mu_{2}"),
    ("α²", r"\text{$\alpha$$^{2}$}"),
    ("x<0", r"\text{x\textless{}0}"),
    ("é", r"\text{\'{e}}"),
    ("x\u0302", r"\text{\^{x}}"),
    ("ế", r"\acute{\hat{\mathrm{e}}}"),
    ('say "a--b"', r"\text{say \texttt{\char34}a-{}-{}b\texttt{\char34}}"),
    ("$1", r"\text{\char36{}1}"),
    ("жЖ", r"\text{[zhe][Zhe]}"),
    ("雪 🐍", r"\text{[U+96EA] [snake]}"),
    ("2", r"\text{\_2\_1}"),
    ("−1/2", r"\text{\_1\_2\_1}"),
    ("∞", "v_{1}"),
])  # fmt: skip
def test_labels_become_symbols(label: str, text: str):
    graph = Graph({1: Leaf(1.0, label), 2: Root(1)}, 2, 3)
    assert symbols(graph)[1] == text
    assert text.isascii()


def labelled(labels: Sequence[str]) -> Graph:
    """A sum of leaves with these labels."""
    nodes: dict[int, Node] = {k: Leaf(k, label) for k, label in enumerate(labels, 1)}
    last, count = 1, len(labels)
    for k in range(2, count + 1):
        nodes[count + k] = OpNode("add", (last, k))
        last = count + k
    return Graph({**nodes, 3 * count: Root(last)}, 3 * count, 3 * count + 1)


LOOK_ALIKE = (
    "w w w x1 x_1 x1 x01 a--b a–b a—b A \u0391 e σ Σ ∑ v7 v_7 w_2 ² 2 inf ∞ ½ 1/2 é e\u0301 µ μ "
    "〈x〉 ♥ ❤\ufe0f ♥ a a\u200db ab"
)


def test_no_two_nodes_have_the_same_symbol():
    found = symbols(labelled([*LOOK_ALIKE.split(" "), "", "", "a b", "a  b", "a b ", " a b"]))
    assert len(set(found.values())) == len(found)
    assert [found[k] for k in (1, 2, 4, 5)] == ["w", r"\text{w\_2\_}", "x_{1}", r"\text{x\_1}"]


def test_a_label_that_formulas_have_no_room_for_is_listed():
    text = latex.write(labelled(["🐍" * 200, "w", "w", "3"]))
    assert text.count("[snake]") == 200
    assert r"\noindent $v_{1}$ is labelled [snake]" in text
    assert r"\noindent $\text{w\_3}$ is labelled w" in text
    assert r"\noindent $\text{\_3\_4}$ is labelled 3" in text
    assert r"\section*{Labels}" not in latex.write(labelled(["a", "b"]))


@in_turn(("label", "operand"), [
    ("x + y", r"(\text{x + y})"), ("x²", r"(\text{x$^{2}$})"), ("-x", r"(\text{-{}x})"),
    ("weight 1", r"\text{weight 1}"), ("f(x + y)", r"\text{f(x + y)}"), ("c", "c"),
])  # fmt: skip
def test_a_label_that_an_operator_would_take_apart_stands_in_brackets(label, operand):
    nodes: dict[int, Node] = {1: Leaf(2.0, label), 2: Leaf(3.0, "w"), 3: OpNode("mul", (1, 2), "L")}
    text = latex.write(Graph({**nodes, 4: Root(3)}, 4, 5))
    assert rf"L &= {{{operand}}} \cdot {{w}} = {{2}} \cdot {{3}} = 6" in text
    assert rf"\frac{{\partial L}}{{\partial w}} &= {{{operand}}} = 2" in text


@settings(max_examples=tries(150))
@given(st.lists(st.text(max_size=8).filter(str.isprintable), min_size=1, max_size=6))
def test_any_labels_become_distinct_symbols_in_ascii(labels: list[str]):
    graph = labelled(labels)
    found = symbols(graph)
    assert len(set(found.values())) == len(found)
    text = latex.write(graph)
    assert text.isascii()
    bare = re.sub(r"\\[\\{}&#%_,;!^'`\" ]", " ", text)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0


def in_a_document(fragment: str) -> str:
    head, end = (
        "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n",
        "\\end{document}",
    )
    return f"{head}A sentence.\n{fragment}And another.\n{end}\n"


@in_turn("example", EXAMPLES)
def test_a_fragment_has_every_number_of_the_derivation_in_fewer_lines(example):
    graph = example.graph
    text, whole = latex.write_fragment(graph), latex.write(graph)
    check(in_a_document(text.partition("\n")[2]))
    assert text.count("\n") < whole.count("\n")
    numbers = re.findall(r"= (-?[\d.]+)(?: |$|\n)", whole)
    assert set(numbers) <= set(re.findall(r"-?[\d.]+", text))


def test_a_sum_in_a_fragment_takes_a_line_for_its_symbols_and_one_for_its_numbers():
    lines = latex.write_fragment(shared_leaf()).split(" \\\\\n")
    assert (
        r"\frac{\partial L}{\partial a} &= \frac{\partial L}{\partial d} \cdot "
        r"\frac{\partial^{+} d}{\partial a} + \frac{\partial L}{\partial e} \cdot "
        r"\frac{\partial e}{\partial a}"
    ) in lines
    assert r"&= (-2) \cdot 1 + (-2) \cdot (-3) = 4" in lines


def pdflatex(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "a.tex").write_text(text, "ascii")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],
        cwd=folder, env={**os.environ, "HOME": str(folder)},
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    return done


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_plain_pdflatex_sets_a_fragment_of_every_example(tmp_path):
    text = "\n".join(latex.write_fragment(example.graph) for example in EXAMPLES)
    pdflatex(in_a_document(text), tmp_path)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_pdflatex_prints_every_kind_of_label(tmp_path):
    odd = [
        "x<0",
        "α²",
        "a|b>c",
        'say "x"',
        "50% {a}\\_^~#&$",
        "雪 🐍",
        "жЖ",
        "Ελλάδα",
        "ÅéñĞőı̇",
        "?`!`",
    ]
    latin = "".join(chr(k) for k in range(32, 0x250) if chr(k).isprintable())
    signs = "".join(chr(k) for k in range(0x2010, 0x2400) if chr(k).isprintable())
    rows = [*odd, *(latin[k : k + 100] for k in range(0, len(latin), 100))]
    rows += [signs[k : k + 100] for k in range(0, len(signs), 100)]
    done = pdflatex(latex.write(labelled([*rows, *LOOK_ALIKE.split()])), tmp_path)
    log = (tmp_path / "a.log").read_text("latin-1")
    assert "Missing character" not in log
    assert "mktexpk" not in done.stdout + done.stderr


@in_turn(("value", "text"), [
    (-3.0, "-3"), (0.5, "0.5"), (1e-12, r"1 \cdot 10^{-12}"), (0.9999999999, r"{\approx}1"),
    (float("inf"), r"\infty"), (-float("inf"), r"-\infty"), (float("nan"), r"\text{nan}"),
])  # fmt: skip
def test_numbers_as_formulas_have_them(value: float, text: str):
    assert number(value) == text


def sides(line: str) -> list[tuple[str, str]]:
    """The relations of a line, each with what stands right of it."""
    parts = re.split(r" ?&?(=|\\approx) ", " " + line)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("write", [latex.write, latex.write_fragment])
def test_a_sign_of_equality_stands_only_before_numbers_that_are_exact(write):
    third, text = 1 / 3, "v = tanh(a - b); w = v * f; y = w * 0.123456789 + w + a"
    derivation = write(from_expression(text, {"a": 2, "b": 1.5, "f": third}))
    exact = {"2", "1.5", "0.5", "1", "-1", "(-1)"}
    signs = {"=": 0, r"\approx": 0}
    for line in re.split(r"\\\\|\n|, \$", derivation):
        for sign, side in sides(line):
            numbers = set(re.findall(r"(?<![{_\d.])\(?-?\d+(?:\.\d+)?\)?(?![\d.]*})", side))
            numbers |= set(re.findall(r"{(-?\d+\.\d+)}", side))
            if r"\partial" not in side and r"\tanh^2" not in side and numbers:
                signs[sign] += 1
                assert (sign == "=") == (numbers <= exact) or sign != "=", (line, sign, side)
    assert min(signs.values()) > 3
    for told in (r"f &?\\approx 0.333333", r"\\tanh\({0.5}\) \\approx 0.462117", "a &?= 2"):
        assert re.search(told, derivation), told


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


NAN, INF = float("nan"), float("inf")


@in_turn(("expression", "values", "parts"), [
    ("L = a*b + a", {"a": 2, "b": -3},  # the part through one wire, and the whole derivative
     (r"\frac{\partial L}{\partial L} \cdot \frac{\partial^{+} L}{\partial a}",
      r"\frac{\partial L}{\partial a} &= ", r"$\partial^{+}$ is the part through one wire alone")),
    ("y = a*a", {"a": 3}, (r"\left.\frac{\partial y}{\partial a}\right|_{1} &= {a} = 3",
                           r"\left.\frac{\partial y}{\partial a}\right|_{2} &= {a} = 3")),
    ("y = tanh(a) ** 2 + b", {"a": -4, "b": -1},
     (r"\tanh({a}) = \tanh({-4}) \approx ", r"+ {(-1)} \approx ")),
    ("y = exp(e)", {}, (r"y &= \mathrm{e}^{{e}}",)),  # no node called e
    ("y = a**b", {"a": 0, "b": 2},
     (r"\frac{\partial y}{\partial a} &= {b} \, {a}^{{b} - 1} = 0",
      r"\frac{\partial y}{\partial b} &= 0 \quad\text{by convention}")),
    ("y = relu(a)", {"a": 0}, (r"\frac{\partial y}{\partial a} &= 0 \quad\text{by convention}",)),
    ("y = relu(a)", {"a": NAN},
     (r"\begin{cases} 0 & {a} \le 0 \\ 1 & \text{else} \end{cases} = 1",)),
    ("y = a * 1", {"a": 0.9999999999},  # about 1 is said once
     (r"a &\approx 1", r"y &= {a} \cdot {1} \approx {({\approx}1)} \cdot {1} \approx 1")),
    ("y = a * 2", {"a": NAN}, ("nan",)),
    ("y = a * 2", {"a": INF}, ("infty",)),
])  # fmt: skip
def test_the_derivation_of_a_formula(expression, values, parts):
    text = latex.write(from_expression(expression, values))
    check(text)
    for part in parts:
        assert part in text
    assert ("one wire alone" in text) == (expression == "L = a*b + a")
    assert r"\approx" not in text or expression not in ("y = a * 2", "y = a*a")


def test_labels_are_told_apart_and_bracketed_once():
    text = latex.write(labelled(["w", "w"]))
    assert r"v_{4} &= {w} + {\text{w\_2}} = {1} + {2} = 3" in text
    nodes: dict[int, Node] = {1: Leaf(0.0, "x + y"), 2: OpNode("tanh", (1,), "L"), 3: Root(2)}
    text = latex.write(Graph(nodes, 3, 4))
    assert r"L &= \tanh({\text{x + y}}) = \tanh({0}) = 0" in text
    assert escaped("a_b & 5% {x}") == r"a\_b \& 5\% \{x\}"
    assert escaped("\\~^") == r"\textbackslash{}\textasciitilde{}\textasciicircum{}"


def test_a_derivation_shows_no_number_that_a_frame_hides():
    graph = from_expression("y = a*b + 7*a", {"a": 2, "b": 3})
    trace = run(graph)
    whole = latex.write_pass(trace).splitlines()
    assert not any("?" in line for line in whole)
    for cursor in range(1, len(trace) + 1):
        covered = covered_pass(hide_answers(frame_at(trace, cursor), ("contribution",)))
        hidden = len(trace) - cursor
        for write in (latex.write_pass, latex.write_fragment_of_pass):
            assert write(covered).count(r"? \cdot ?") == hidden, (cursor, write)
        lines = latex.write_pass(covered).splitlines()
        assert all(line == old or "?" in line for line, old in zip(lines, whole, strict=True))
        totals = len({event.node for event in trace.events[cursor:]})
        found = [line for line in lines if line.removesuffix(r" \\").endswith("= ?")]
        assert len(found) == totals + hidden, cursor  # the gradients, and the local derivatives
    wrong = run(graph, rules=RULES["assign"])
    for frame in (
        live_frame(graph),
        frame_at(run_forward(graph), 1),
        hide_unseen_steps(frame_at(wrong, 3), 3, trace),
    ):
        text = latex.write_pass(covered_pass(frame))
        assert text.count(r"? \cdot ?") == len(trace) - 1, frame.phase
