"""Assignments in a program that is read: to names, to items of lists, to parts of Values."""

import ast
from collections.abc import Callable, Sequence

from engine.formats.python.calls import NO_ITEM, Calls
from engine.formats.python.nodes import Nodes
from engine.formats.python.things import Imported, Own, Ref, Thing, Unread, number_of

_WIRING = frozenset({"_prev", "_op", "_backward", "_children"})
"""Attributes of a Value that hold the graph together."""


class Targets:
    """Binds the targets on the left of an assignment."""

    def __init__(
        self,
        nodes: Nodes,
        calls: Calls,
        names: dict[str, Thing],
        evaluate: Callable[[ast.expr], Thing],
    ) -> None:
        self._nodes = nodes
        self._calls = calls
        self._names = names
        self._evaluate = evaluate

    def bind(self, target: ast.expr, thing: Thing, naming: bool = True) -> None:
        """Bind an object to a name, several objects to several, or to an attribute."""
        match target:
            case ast.Name(id=name):
                self._names[name] = self._nodes.named(thing, name) if naming else thing
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(target, targets, thing, naming)
            case ast.Attribute():
                self._set(target, thing)
            case ast.Subscript(value=of, slice=place):
                self._set_item(target, self._evaluate(of), self._evaluate(place), thing)
            case _:
                raise self._nodes.refusal(target, "only names can be assigned.")

    def _unpack(
        self, target: ast.expr, targets: list[ast.expr], thing: Thing, naming: bool
    ) -> None:
        if isinstance(thing, Unread):
            parts: Sequence[Thing] = [thing] * len(targets)
        elif isinstance(thing, tuple | list) and len(thing) == len(targets):
            parts = self._calls.items(thing, target)
        else:
            raise self._nodes.refusal(
                target, "there are not {count} things to unpack.", count=len(targets)
            )
        for each, part in zip(targets, parts, strict=True):
            self.bind(each, part, naming)

    def _set_item(self, target: ast.expr, of: Thing, place: Thing, thing: Thing) -> None:
        """Evaluate `xs[2] = ...`."""
        index = number_of(place)
        if isinstance(of, Unread) and not of.maybe_value:
            return
        if not isinstance(of, list) or not isinstance(index, int):
            raise self._nodes.refusal(target, "only an item of a list can be assigned.")
        if not -len(of) <= index < len(of):
            raise self._nodes.mistake(target, NO_ITEM, count=len(of), index=index)
        of[index] = thing

    def _set(self, target: ast.Attribute, thing: Thing) -> None:
        of = self._evaluate(target.value)
        if isinstance(of, Imported) and of.last == "Value":
            self._teach(target, thing)
            return
        if isinstance(of, Imported | Unread) and not (isinstance(of, Unread) and of.maybe_value):
            return  # a setting of a library, an attribute of a plot
        ref = self._ref(target.value, of)
        if target.attr == "label":
            self._nodes.set_label(ref, thing, target)
        elif target.attr == "requires_grad":
            self._nodes.set_wanted(ref.node, thing, target)
        elif target.attr in ("data", "grad"):
            self._set_number(ref.node, target, thing)
        elif target.attr in _WIRING:
            raise self._nodes.refusal(target, ".{name} can't be set.", name=target.attr)

    def _set_number(self, node: int, target: ast.Attribute, thing: Thing) -> None:
        """Evaluate `v.data = 2` and `v.grad = 0`; None, as in torch, means no gradient yet."""
        if self._nodes.passes.closed:
            return
        if isinstance(thing, Unread):
            raise thing.why
        number = number_of(thing)
        if target.attr == "grad":
            self._nodes.passes.grad[node] = 0.0 if number is None else float(number)
        elif number is None:
            raise self._nodes.refusal(target, ".data is one plain number.")
        else:
            self._nodes.passes.set_data(node, self._nodes.as_float(number, target), target)

    def _teach(self, target: ast.Attribute, thing: Thing) -> None:
        """Accept Value.tanh = ..., which defines a method; our operation replaces it."""
        if not isinstance(thing, Own):
            raise self._nodes.refusal(target, ".{name} of Value can't be set.", name=target.attr)
        self._calls.own_value = True

    def _ref(self, expression: ast.expr, thing: Thing) -> Ref:
        if isinstance(thing, Unread):
            raise thing.why
        if not isinstance(thing, Ref):
            raise self._nodes.refusal(expression, "this is no Value.")
        return thing
