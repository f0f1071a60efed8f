"""Writes programs for micrograd: one line per ancestor of the root, then backward and print.

A program contains `DEFINITION` and one `definition_of` each operation that micrograd lacks. The
reader accepts exactly these texts and no other definitions.

>>> from engine import from_expression
>>> print(write(from_expression("y = a*b + a", {"a": 2, "b": 3})))
from micrograd.engine import Value
<BLANKLINE>
a = Value(2.0)
b = Value(3.0)
v3 = a * b
y = v3 + a
<BLANKLINE>
y.backward()
print("y =", y.data)
print("a.grad =", a.grad)
print("b.grad =", b.grad)
<BLANKLINE>
"""

import ast
import json
import math
import re
from collections.abc import Callable, Iterable
from functools import cache

from engine.asking.facts import torch_mask_sentences
from engine.edits import unfolded
from engine.errors import FormatError
from engine.graph import Constant, Graph, Leaf, OpNode, post_order
from engine.names import is_name
from engine.ops import BY_NAME, Op
from engine.problems import check_formulas
from engine.trace import run

# names that a program uses itself, which no node may shadow
_PROGRAM_NAMES = frozenset(
    (
        "Value",
        "operation",
        "math",
        "torch",
        "print",
        "float",
        "max",
        "min",
        "isinstance",
        "tuple",
        "zip",
        "__builtins__",
    )
)


class ProgramText:
    """The names and lines of one program; shared by the dialects for micrograd and PyTorch."""

    def __init__(self, graph: Graph) -> None:
        if graph.root is None:
            raise FormatError("Choose a root first: a program ends with its backward pass.")
        self.graph = graph
        self.root = graph.root
        self.order = graph.plan(graph.root).order
        check_formulas(graph, self.order, "A program needs one.")
        uses = dict.fromkeys(self.order, 0)
        for node in self.order:
            for slot, source in enumerate(graph.inputs(node)):
                if source is None:
                    raise FormatError(
                        "{node} has an empty slot {slot}.", node=graph.title(node), slot=slot + 1
                    )
                uses[source] += 1
        # an unlabelled constant that is used once is written where it is used
        self._assigned = {
            node
            for node in self.order
            if not isinstance(graph.nodes[node], Constant) or graph.label(node) or uses[node] != 1
        }
        self._names = _free_names(graph, self.order)

    @property
    def leaves(self) -> dict[int, str]:
        """Return the names of the leaves that lead to the root."""
        nodes = self.graph.nodes
        return {node: self._names[node] for node in self.order if isinstance(nodes[node], Leaf)}

    @property
    def root_name(self) -> str:
        """The root's identifier."""
        return self._names[self.root]

    def is_constant(self, node: int) -> bool:
        """Return whether a node is a plain number."""
        return isinstance(self.graph.nodes[node], Constant)

    def term(self, node: int) -> str:
        """Return a node as an operand: its name, or the literal of an unlabelled constant."""
        found = self.graph.nodes[node]
        if isinstance(found, Constant) and node not in self._assigned:
            return number(found.value)
        return self._names[node]

    def lines(
        self,
        of_leaf: Callable[[str], str],
        of_constant: Callable[[int, str], str],
        of_op: Callable[[Op, list[int]], str],
    ) -> Iterable[str]:
        """Yield the assignments of nodes and labels, in topological order.

        The functions give the right-hand sides: of a leaf from its literal, of a constant from its
        node and literal, of an op node from its operation and inputs.
        """
        for node in self.order:
            found = self.graph.nodes[node]
            if isinstance(found, Leaf):
                text = of_leaf(number(found.value))
            elif isinstance(found, Constant):
                if node not in self._assigned:
                    continue
                text = of_constant(node, number(found.value))
            else:
                inputs = [source for source in self.graph.inputs(node) if source is not None]
                text = of_op(self.graph.op(node), inputs)
            yield from self._assignment(node, text)

    def _assignment(self, node: int, text: str) -> Iterable[str]:
        """Yield the assignment of a node, and of its label if that is not its name."""
        label, name = self.graph.label(node), self._names[node]
        differs = label not in ("", name)
        is_number = self.is_constant(node) and node != self.root  # a float has no attribute `label`
        yield f"{name} = {text}{f'  # {label}' if differs and is_number else ''}"
        if differs and not is_number:
            yield f"{name}.label = {json.dumps(label, ensure_ascii=False)}"


def write(graph: Graph) -> str:
    """Return the program that gives this graph and its gradients with micrograd."""
    program = ProgramText(graph)
    defined: dict[str, Op] = {}

    def of_constant(node: int, text: str) -> str:
        return f"Value({text})" if node == program.root else text

    def of_op(op: Op, inputs: list[int]) -> str:
        text = _formula(program, op, inputs)
        if text is None:
            defined[op.name] = op
            return f"{op.name}({', '.join(map(program.term, inputs))})"
        return text

    lines = list(program.lines("Value({})".format, of_constant, of_op))
    head = ["from micrograd.engine import Value", ""]
    if defined:
        head = ["import math", "", *head, "", *DEFINITION.split("\n"), "", ""]
        head += [line for op in defined.values() for line in definition_of(op).split("\n")] + [""]
    tail = ["", f"{program.root_name}.backward()"]
    tail += [f'print("{program.root_name} =", {program.root_name}.data)']
    tail += [f'print("{name}.grad =", {name}.grad)' for name in program.leaves.values()]
    return "\n".join([*head, *lines, *tail, ""])


def number(value: float) -> str:
    """Return a number as Python writes it."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def infix(op: Op, terms: list[str]) -> str:
    """Return a formula with its operator between terms; a negative base of ** is bracketed."""
    if op.name == "neg":
        return f"-{terms[0]}"
    left, right = terms
    if op.name == "pow" and left.startswith("-"):
        left = f"({left})"
    return f"{left}**{right}" if op.name == "pow" else f"{left} {op.infix} {right}"


def _formula(program: ProgramText, op: Op, inputs: list[int]) -> str | None:
    """Return the formula in micrograd's own operations, or None if it lacks this one."""
    terms = [program.term(node) for node in inputs]
    are_numbers = [program.is_constant(node) for node in inputs]
    if all(are_numbers):
        return None  # Python would compute plain numbers without making a node
    if op.name == "relu":
        return f"{terms[0]}.relu()"
    if op.name == "pow" and not (are_numbers[1] and not are_numbers[0]):
        return None  # micrograd's exponent is a number, and its base a Value
    return infix(op, terms) if op.infix or op.name == "neg" else None


def _free_names(graph: Graph, order: Iterable[int]) -> dict[int, str]:
    """Return a unique identifier per node; names that the program uses get a suffix `_`."""
    names: dict[int, str] = {}
    taken = set(graph.names.values()) | _PROGRAM_NAMES
    for node in order:
        name, label = graph.names[node], graph.label(node)
        bare = re.sub(r"[^A-Za-z0-9_]", "", label)  # as programs do, x1*w1 is called x1w1
        if name != label and is_name(bare) and bare not in taken:
            name = bare
            taken.add(name)
        elif name in _PROGRAM_NAMES:
            while name in taken:
                name += "_"
            taken.add(name)
        names[node] = name
    return names


DEFINITION = '''\
def operation(name, forward, *slopes):
    """An operation for micrograd: its value, and its local derivative along each slot."""

    def apply(*given):
        inputs = [x if isinstance(x, Value) else Value(x) for x in given]
        numbers = [x.data for x in inputs]
        out = Value(forward(*numbers), tuple(inputs), name)

        def backward():
            for x, slope in zip(inputs, slopes):
                x.grad += out.grad * slope(*numbers, out.data)

        out._backward = backward
        return out

    return apply'''


def definition_of(op: Op) -> str:
    """Return the statement that adds one operation to micrograd."""
    slots = ", ".join(op.slots)
    forward, *slopes = op.python
    parts = [f"lambda {slots}: {forward}", *(f"lambda {slots}, out: {slope}" for slope in slopes)]
    lines = "".join(f"\n    {part}," for part in parts)
    return f'{op.name} = operation(\n    "{op.name}",{lines}\n)'


def is_written_definition(statement: ast.stmt) -> bool:
    """Return whether a statement has the syntax tree of `DEFINITION` or a `definition_of`."""
    if isinstance(statement, ast.FunctionDef):
        return ast.dump(statement) == _syntax_tree(DEFINITION)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    op = BY_NAME.get(statement.targets[0].id)
    return op is not None and ast.dump(statement) == _syntax_tree(definition_of(op))


@cache
def _syntax_tree(text: str) -> str:
    """Return the syntax tree of one statement, which spaces and line breaks don't change."""
    return ast.dump(ast.parse(text).body[0])


_PRINTED = re.compile(r"-?\d+\.?\d*(e[+-]?\d+)?|-?inf|nan", re.ASCII)
"""A float as Python prints it."""


def write_pytorch(graph: Graph) -> str:
    """Return the program that gives this graph and its gradients with PyTorch."""
    program = ProgramText(unfolded(graph))

    def of_constant(_node: int, text: str) -> str:
        return f"torch.tensor({text}, dtype=torch.float64)"

    def of_op(op: Op, inputs: list[int]) -> str:
        return _torch_formula(program, op, inputs)

    leaf = "torch.tensor({}, dtype=torch.float64, requires_grad=True)".format
    lines = list(program.lines(leaf, of_constant, of_op))
    root, reached = program.root_name, _reached(program)
    tail = [f"# {sentence}" for sentence in torch_mask_sentences(run(graph))]
    tail += [f"{root}.backward()"] if reached else []
    tail.append(f'print("{root} =", {root}.item())')
    for node, name in program.leaves.items():
        grad = f"{name}.grad.item()" if node in reached else "0.0"
        tail.append(f'print("{name}.grad =", {grad})')
    return "\n".join(["import torch", "", *lines, "", *tail, ""])


def printed_gradients(graph: Graph, printed: str) -> dict[int, float]:
    r"""Parse the output of a program of `write_pytorch` into the gradient of each leaf.

    >>> from engine import from_expression
    >>> graph = from_expression("y = a*b", {"a": 2, "b": 3})
    >>> printed_gradients(graph, "y = 6.0\na.grad = 3.0\nb.grad = 2.0")
    {1: 3.0, 2: 2.0}

    Raises FormatError unless it is the root's value and the gradient of each leaf, each once.
    """
    program = ProgramText(unfolded(graph))
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


def _torch_formula(program: ProgramText, op: Op, inputs: list[int]) -> str:
    terms = [program.term(node) for node in inputs]
    if not op.infix or all(program.is_constant(node) for node in inputs):
        terms = [_tensor(term) for term in terms]  # where PyTorch takes no plain number
    if op.infix or op.name == "neg":
        return infix(op, terms)
    return op.torch.format(*terms) if op.torch else f"torch.{op.name}({', '.join(terms)})"


def _tensor(term: str) -> str:
    return term if term.isidentifier() else f"torch.tensor({term}, dtype=torch.float64)"


def _reached(program: ProgramText) -> set[int]:
    """Return the leaves with a gradient in PyTorch: not those used only as a condition."""
    graph = program.graph

    def senders(node: int) -> tuple[int | None, ...]:
        is_choice = isinstance(graph.nodes[node], OpNode) and graph.op(node).name == "where_gt0"
        return graph.inputs(node)[1 if is_choice else 0 :]  # slot 0 of a choice is its condition

    return {*post_order((program.root,), senders)} & program.leaves.keys()
