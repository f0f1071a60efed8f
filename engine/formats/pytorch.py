"""PyTorch: a program of float64 tensors that prints the same gradients."""

import re

from engine.errors import FormatError
from engine.formats.format import Format
from engine.formats.python import from_python
from engine.formats.python.writer import ProgramText, infix
from engine.graph import Graph, OpNode
from engine.op import Op
from engine.structure import post_order
from engine.study.facts import mask_sentences
from engine.trace import run

_PRINTED = re.compile(r"-?\d+\.?\d*(e[+-]?\d+)?|-?inf|nan", re.ASCII)
"""A float as Python prints it."""
_FUNCTIONAL = frozenset({"leaky_relu", "elu", "softplus", "silu", "gelu"})
"""Operations that PyTorch has in torch.nn.functional alone."""


def write(graph: Graph) -> str:
    """Return the program that gives this graph and its gradients with PyTorch."""
    program = ProgramText(graph)

    def of_constant(_node: int, text: str) -> str:
        return f"torch.tensor({text}, dtype=torch.float64)"

    def of_op(op: Op, inputs: list[int]) -> str:
        return _formula(program, op, inputs)

    leaf = "torch.tensor({}, dtype=torch.float64, requires_grad=True)".format
    lines = list(program.lines(leaf, of_constant, of_op))
    root, reached = program.root_name, _reached(program)
    tail = [f"# {sentence}" for sentence in mask_sentences(run(graph))]
    tail += [f"{root}.backward()"] if reached else []
    tail.append(f'print("{root} =", {root}.item())')
    for node, name in program.leaves.items():
        grad = f"{name}.grad.item()" if node in reached else "0.0"
        tail.append(f'print("{name}.grad =", {grad})')
    return "\n".join(["import torch", "", *lines, "", *tail, ""])


def printed_gradients(graph: Graph, printed: str) -> dict[int, float]:
    r"""Parse the output of a program of `write` into the gradient of each leaf.

    >>> from engine import from_expression
    >>> graph = from_expression("y = a*b", {"a": 2, "b": 3})
    >>> printed_gradients(graph, "y = 6.0\na.grad = 3.0\nb.grad = 2.0")
    {1: 3.0, 2: 2.0}

    Raises FormatError unless it is the root's value and the gradient of each leaf, each once.
    """
    program = ProgramText(graph)
    expected = {f"{name}.grad": node for node, name in program.leaves.items()}
    found: dict[str, float] = {}
    for line in printed.splitlines():
        name, mark, number = line.partition(" = ")
        if not mark or (name not in expected and name != program.root_name):
            raise FormatError("The answer has a line that is not of the program.")
        if name in found:
            raise FormatError("The answer has {name} more than once.", name=name)
        if not _PRINTED.fullmatch(number):
            raise FormatError("The answer has no number for {name}.", name=name)
        found[name] = float(number)
    missing = next((name for name in (program.root_name, *expected) if name not in found), None)
    if missing is not None:
        raise FormatError("The answer lacks {name}.", name=missing)
    return {node: found[name] for name, node in expected.items()}


def _formula(program: ProgramText, op: Op, inputs: list[int]) -> str:
    terms = [program.term(node) for node in inputs]
    if not op.infix or all(program.is_constant(node) for node in inputs):
        terms = [_tensor(term) for term in terms]  # where PyTorch takes no plain number
    if op.infix or op.name == "neg":
        return infix(op, terms)
    if op.name == "where_gt0":
        return "torch.where({} > 0, {}, {})".format(*terms)
    library = "torch.nn.functional" if op.name in _FUNCTIONAL else "torch"
    return f"{library}.{op.name}({', '.join(terms)})"


def _tensor(term: str) -> str:
    return term if term.isidentifier() else f"torch.tensor({term}, dtype=torch.float64)"


def _reached(program: ProgramText) -> set[int]:
    """Return the leaves with a gradient in PyTorch: not those used only as a condition."""
    graph = program.graph

    def senders(node: int) -> tuple[int | None, ...]:
        is_choice = isinstance(graph.nodes[node], OpNode) and graph.op(node).name == "where_gt0"
        return graph.inputs(node)[1 if is_choice else 0 :]  # slot 0 of a choice is its condition

    return {*post_order((program.root,), senders)} & program.leaves.keys()


FORMAT = Format("pytorch", "PyTorch", (".torch.py",), from_python, write)
