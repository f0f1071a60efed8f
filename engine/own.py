"""Operations of one's own: an `Op` made from the graph of a formula, with all that a row has.

The texts of its value and of its local derivatives are generated from the graph: the letters of its
leaves, numbers, and names of the operation table. The derivatives come by the chain rule, each
operation's formula along a path times the next, and a sum over the paths.

>>> from engine import from_expression
>>> bend = own("bend", "a * sigmoid(a)", from_expression("a * sigmoid(a)"))
>>> bend.value, bend.derivatives
('a * sigmoid(a)', ('sigmoid(a) + a * (sigmoid(a) * (1 - sigmoid(a)))',))
>>> bend.forward(2.0), bend.slopes
(1.7615941559557646, ('sigmoid(a) + a · sigmoid(a) · (1 − sigmoid(a))',))
"""

import ast
import math
from collections.abc import Sequence
from typing import Final

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, Root
from engine.nodes import OpNode
from engine.ops import Op, Pattern
from engine.writers import Substitution, call_tree, constant_number, parse_formula

FAMILY: Final = "Mine"
MOST_SLOTS: Final = 4
LONGEST: Final = 200
"""Characters of a formula, and of each line of a rule."""
_MOST_PARTS: Final = 20_000
"""Parts of a formula written out: one that uses another twice can double with each."""
SIGNS: Final = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "pow": ast.Pow}


def own(name: str, typed: str, formula: Graph, rule: str = "") -> Op:
    """Return the operation that a formula defines; its slots are the formula's leaves, in order.

    `typed` is the formula as it was typed, `rule` the learner's backward rule, which changes no
    derivative. Raises EngineError with a sentence for a formula that can't be one.
    """
    slots = slots_of(formula)
    written = _Writing(formula, shown=False)
    shown = _Writing(formula, shown=True)
    kinks = [
        (op, text)
        for op, parts in written.operations
        if op.kink_at
        if (text := _unparsed(_Simple().visit(_in_place(op.kink_at, op.slots, parts)))) != "0"
    ]
    return Op(
        *(name, name, FAMILY, slots, written.value, written.derivatives(slots)),
        description=f"{typed}, an operation of your own",
        domain="where its formula has a value",
        usual_value=shown.value,
        usual_derivatives=shown.derivatives(slots),
        kink_at=" or ".join(f"({text})" for _op, text in kinks),
        convention=" ".join(dict.fromkeys(op.convention for op, _text in kinks)),
        expansion=_pattern(formula, _root(formula)),
        typed=typed,
        rule=rule,
    )


def slots_of(formula: Graph) -> tuple[str, ...]:
    """Return the letters of a formula's leaves, in the order in which they stand in it.

    Raises EngineError if one is no single letter, and if there are none or too many.
    """
    slots = tuple(formula.names[leaf] for leaf in sorted(formula.leaves))
    for slot in slots:
        if len(slot) != 1:
            raise EngineError("A slot is one letter, such as a or x; {slot} is not.", slot=slot)
    if not slots:
        raise EngineError("An operation has a slot: write its formula with a letter, such as a.")
    if len(slots) > MOST_SLOTS:
        raise EngineError(
            "An operation has at most {most} slots; {slots} are {count}.",
            most=MOST_SLOTS,
            slots=", ".join(slots),
            count=len(slots),
        )
    return slots


def _root(formula: Graph) -> int:
    assert formula.root is not None
    return formula.root


class _Writing:
    """The value and derivatives of a graph as formulas: as computed, or as they are shown.

    As computed it has the table's operations alone. Shown it has the usual forms of derivatives,
    max(a, b) and x if c > 0 else y, and operations of one's own by their names.
    """

    def __init__(self, formula: Graph, *, shown: bool) -> None:
        self._graph, self._shown = formula, shown
        self._trees: dict[int, ast.expr] = {}
        self._sizes: dict[int, int] = {}
        self.operations: list[tuple[Op, list[ast.expr]]] = []
        for node in formula.plan(_root(formula)).order:
            inputs = [source for source in formula.inputs(node) if source is not None]
            self._sizes[node] = 1 + sum(self._sizes[source] for source in inputs)
            _check_length(self._sizes[node])
            self._trees[node] = self._tree(node, [self._trees[source] for source in inputs])

    @property
    def value(self) -> str:
        return _unparsed(self._trees[_root(self._graph)])

    def derivatives(self, slots: Sequence[str]) -> tuple[str, ...]:
        """Return the derivative along each slot: over all paths, the product of local derivatives.

        `out` stands for the value, as in the table.
        """
        root = _root(self._graph)
        sums: dict[int, ast.expr] = {root: ast.Constant(1)}
        order = self._graph.plan(root).order
        for node in reversed(order):
            found, above = self._graph.nodes[node], sums[node]
            if not isinstance(found, OpNode):
                continue
            op, inputs = self._graph.op(node), [s for s in found.inputs if s is not None]
            out = ast.Name("out") if node == root else self._trees[node]
            texts = (op.usual_derivatives if self._shown else ()) or op.derivatives
            for text, source in zip(texts, inputs, strict=True):
                trees = [*(self._trees[each] for each in inputs), out]
                sent = ast.BinOp(above, ast.Mult(), _in_place(text, (*op.slots, "out"), trees))
                before = sums.get(source)
                sums[source] = sent if before is None else ast.BinOp(before, ast.Add(), sent)
        named = {self._graph.names[leaf]: leaf for leaf in self._graph.leaves}
        found = [_Simple().visit(sums.get(named[slot], ast.Constant(0))) for slot in slots]
        _check_length(sum(sum(1 for _ in ast.walk(tree)) for tree in found))
        return tuple(map(_unparsed, found))

    def _tree(self, node: int, parts: list[ast.expr]) -> ast.expr:
        found = self._graph.nodes[node]
        if isinstance(found, Leaf):
            return ast.Name(self._graph.names[node])
        if isinstance(found, Constant):
            return _number(found.value)
        assert isinstance(found, OpNode)
        op = self._graph.op(node)
        self.operations.append((op, parts))
        if op.name in SIGNS:
            return ast.BinOp(parts[0], SIGNS[op.name](), parts[1])
        if op.name == "neg":
            return ast.UnaryOp(ast.USub(), parts[0])
        if op.typed and not self._shown:
            return _in_place(op.value, op.slots, parts)
        if self._shown and (op.family == "Choices" or op.name == "square"):
            return _in_place(op.usual_value or op.value, op.slots, parts)
        return call_tree(op.name, *parts)


def _check_length(parts: int) -> None:
    if parts > _MOST_PARTS:
        raise EngineError("The formula is too long when it is written out.")


def _in_place(text: str, letters: Sequence[str], trees: Sequence[ast.expr]) -> ast.expr:
    """Return the tree of one of the table's formulas with trees in place of its letters."""
    placed = dict(zip(letters, trees, strict=False))
    return Substitution(placed).visit(parse_formula(text))


def _number(value: float) -> ast.expr:
    if not math.isfinite(value):
        raise EngineError("inf and nan can't stand in the formula of an operation.")
    whole = int(value) if value == int(value) and abs(value) < 1e15 else value
    number = ast.Constant(abs(whole))
    return ast.UnaryOp(ast.USub(), number) if whole < 0 else number


class _Simple(ast.NodeTransformer):
    """Simplifies what the chain rule leaves: factors 1 and 0, signs, exponents such as 2 − 1."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Write a condition that the number in an exponent rules out as 0."""
        self.generic_visit(node)
        never = isinstance(node.op, ast.And) and any(_number_of(x) == 0 for x in node.values)
        return ast.Constant(0) if never else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        one, other = _number_of(node.left), _number_of(node.comparators[0])
        if one is None or other is None or not isinstance(node.ops[0], ast.Eq):
            return node
        return ast.Constant(int(one == other))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _negative(node.operand)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = node.left, node.right
        match node.op:
            case ast.Mult():
                return _product(left, right)
            case ast.Pow() if _number_of(right) == 1:
                return left
            case ast.Add() if _number_of(left) == 0:
                return right
            case ast.Add() if _number_of(right) == 0:
                return left
            case ast.Add() if isinstance(right, ast.UnaryOp):
                return ast.BinOp(left, ast.Sub(), right.operand)
            case ast.Add() if isinstance(left, ast.UnaryOp):
                return ast.BinOp(right, ast.Sub(), left.operand)
            case ast.Sub() if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
                return _number(constant_number(left) - constant_number(right))
            case _:
                return node


def _number_of(tree: ast.expr) -> float | None:
    return constant_number(tree) if isinstance(tree, ast.Constant) else None


def _negative(tree: ast.expr) -> ast.expr:
    if isinstance(tree, ast.UnaryOp):
        return tree.operand
    return tree if _number_of(tree) == 0 else ast.UnaryOp(ast.USub(), tree)


def _product(one: ast.expr, other: ast.expr) -> ast.expr:
    if isinstance(one, ast.UnaryOp):
        return _negative(_product(one.operand, other))
    if isinstance(other, ast.UnaryOp):
        return _negative(_product(one, other.operand))
    if _number_of(one) == 1 or _number_of(other) == 0:
        return other
    if _number_of(other) == 1 or _number_of(one) == 0:
        return one
    return ast.BinOp(one, ast.Mult(), other)


def _unparsed(tree: ast.expr) -> str:
    return ast.unparse(ast.fix_missing_locations(tree))


def _pattern(formula: Graph, node: int) -> Pattern:
    """Return what a node unfolds into, as a pattern of letters, numbers and operations."""
    found = formula.nodes[node]
    if isinstance(found, Leaf):
        return formula.names[node]
    if isinstance(found, Constant):
        return found.value
    assert not isinstance(found, Root)
    return (found.op, *(_pattern(formula, source) for source in found.inputs if source is not None))
