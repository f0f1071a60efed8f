"""Makes the nodes of a program that is read, their labels, and plain numbers beside them."""

import ast

import msgspec

from engine.formats.expression_reader import OTHER_OPERATOR, TOO_LARGE
from engine.formats.python.numbers import LONGEST, NumberError, as_float, computed
from engine.formats.python.passes import Passes
from engine.formats.python.source import Source
from engine.formats.python.things import Named, Nothing, Ref, Thing, Unread, number_of
from engine.graph import LABEL_LIMIT, Constant, Leaf, Node, OpNode, Root
from engine.names import is_plain_line
from engine.ops import BY_NAME

NODE_LIMIT = 20_000
STEP_LIMIT = 200_000
_LONG = 1000


class Nodes:
    """Makes nodes and computes plain numbers; limits the number of steps."""

    def __init__(self, source: Source) -> None:
        self.refusal = source.refusal
        self.mistake = source.mistake
        self.made: dict[int, Node] = {}
        self.passes = Passes(self.made)
        self._labelled: set[int] = set()
        self._steps = 0

    def count(self, part: ast.AST, steps: int = 1) -> None:
        """Count steps; raises FormatError when a program takes too many."""
        self._steps += steps
        if self._steps > STEP_LIMIT:
            raise self.refusal(
                part, "the program takes more than {limit:,} steps to read.", limit=STEP_LIMIT
            )

    def literal(self, value: object, part: ast.AST) -> Thing:
        """Return a number or a text of the program."""
        if isinstance(value, bool | float) or (isinstance(value, str) and len(value) < _LONG):
            return value
        if value is None:
            return Nothing()
        if not isinstance(value, int):
            raise self.refusal(part, "only real numbers and short texts can stand here.")
        if value.bit_length() > LONGEST:
            raise self.mistake(part, TOO_LARGE)
        return value

    def named(self, thing: Thing, name: str) -> Thing:
        """Bind an object to a name: a node takes it as label, a number remembers it."""
        if isinstance(thing, Ref) and thing.node not in self._labelled:
            self._label(thing.node, name)
        if isinstance(thing, tuple | list):
            self._name_items(thing, name)
        number = number_of(thing)
        return thing if number is None else Named(number, name)

    def set_label(self, of: Ref, label: Thing, part: ast.AST) -> None:
        """Evaluate `v.label = '...'`."""
        if isinstance(label, Unread):
            raise label.why
        if not isinstance(label, str) or len(label) > LABEL_LIMIT or not is_plain_line(label):
            raise self.refusal(
                part, "a label is one line of up to {limit} characters.", limit=LABEL_LIMIT
            )
        self._label(of.node, label)

    def set_wanted(self, node: int, wanted: Thing, part: ast.AST) -> None:
        """Evaluate `v.requires_grad = True`."""
        found = self.made[node]
        if not isinstance(wanted, bool):
            raise self.refusal(part, "requires_grad is True or False.")
        if isinstance(found, Leaf | Constant):
            self.made[node] = (Leaf if wanted else Constant)(found.value, found.label)

    def operate(self, op: str, things: tuple[Thing, ...], part: ast.AST) -> Thing:
        """Evaluate an operation: of plain numbers a number, of anything else a node."""
        numbers = [number_of(thing) for thing in things]
        plain = [number for number in numbers if number is not None]
        if len(plain) == len(numbers):
            return self.computed(op, plain, part)
        if op not in BY_NAME:
            raise self.refusal(part, OTHER_OPERATOR)
        unread = next((thing for thing in things if isinstance(thing, Unread)), None)
        if unread is None or any(isinstance(thing, Ref) for thing in things):
            return self.node(op, things, part)
        return unread

    def computed(self, op: str, numbers: list[float], part: ast.AST) -> float:
        """Compute with plain numbers as Python does; the result is a plain number."""
        try:
            return computed(op, numbers)
        except NumberError as error:
            raise self.mistake(part, error.template, **error.fields) from None

    def as_float(self, number: float, part: ast.AST) -> float:
        """Return a plain number as a Value holds it; refuses one that is too large."""
        try:
            return as_float(number)
        except NumberError as error:
            raise self.mistake(part, error.template, **error.fields) from None

    def node(self, op: str, things: tuple[Thing, ...], part: ast.AST) -> Ref:
        """Make the node of an operation, even of plain numbers alone."""
        inputs = tuple(self._input(thing, part) for thing in things)
        return self.add(OpNode(op, inputs), part)

    def _input(self, thing: Thing, part: ast.AST) -> int:
        """Return the node that an object becomes as an operand of a Value."""
        if isinstance(thing, Ref):
            return thing.node
        if isinstance(thing, Named):
            if thing.node is None:
                number = self.as_float(thing.number, part)
                thing.node = self.add(Constant(number), part).node
                self._label(thing.node, thing.name)
            return thing.node
        if isinstance(thing, Unread):
            raise thing.why
        number = number_of(thing)
        if number is None:
            raise self.refusal(part, "only Values and numbers can be computed with.")
        return self.add(Constant(self.as_float(number, part)), part).node

    def add(self, node: Leaf | Constant | OpNode, part: ast.AST) -> Ref:
        """Add a new node."""
        if len(self.made) >= NODE_LIMIT:
            raise self.refusal(
                part, "the program makes more than {limit:,} nodes.", limit=NODE_LIMIT
            )
        number = len(self.made) + 1
        self.made[number] = node
        self.passes.made(number)
        return Ref(number)

    def _label(self, node: int, label: str) -> None:
        found = self.made[node]
        assert not isinstance(found, Root)
        self._labelled.add(node)
        self.made[node] = msgspec.structs.replace(found, label=label[:LABEL_LIMIT])

    def _name_items(self, items: tuple[Thing, ...] | list[Thing], name: str) -> None:
        """Label the items of `w = [...]` w[0], w[1] ... unless they get better names."""
        for k, item in enumerate(items):
            if isinstance(item, Ref) and item.node not in self._labelled:
                self._label(item.node, f"{name}[{k}]")
                self._labelled.remove(item.node)
