"""Calls, attributes and items in a program that is read."""

import ast
from collections.abc import Mapping, Sequence

from engine.formats.expression_reader import NO_FUNCTION
from engine.formats.python.built_in import BUILT_IN, BuiltIn, as_list
from engine.formats.python.nodes import Nodes
from engine.formats.python.numbers import CONSTANTS, Dice, NumberError, unknown_draw
from engine.formats.python.quiet import HARMLESS_FUNCTIONS
from engine.formats.python.things import (
    HARMLESS,
    LIBRARIES,
    Imported,
    Method,
    Nothing,
    Own,
    Ref,
    Thing,
    Unread,
    holds_value,
    number_of,
)
from engine.graph import Constant, Leaf
from engine.numbers import plural
from engine.ops import BY_NAME

_TOLERATED = frozenset({"print", "display", "draw_dot", "trace_graph", "zero_grad"})
_SHOWING = frozenset({"zero_grad", "show", "graph", "_repr_svg_", "_repr_mimebundle_"})
"""Methods that change no number of a graph: those that display it or clear gradients."""
_PASSED_ON = frozenset({"double", "float", "clone"})
"""Methods of torch that do not change a number."""
_ENDS = frozenset({"sys.exit", "os._exit", "os.abort"})
_VARIOUS = frozenset({"leaky_relu", "elu", "gelu", "softplus", "silu", "sign", "square"})
"""Operations that a program's own class may define differently from Backwire."""
NO_ATTRIBUTE = ".{name} can't be read here."
NO_ITEM = "the list has {count} items, and none at {index}."
SLOTS = ("data", "_children", "_op", "label")
"""Arguments of micrograd's Value."""


class Calls:
    """Evaluates calls of all known functions, and all known attributes."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.refusal = nodes.refusal
        self.dice = Dice()
        self.value_slots: tuple[str, ...] = SLOTS
        self.own_value = False
        """Whether the program defines its own class Value, which ours replaces."""
        self._built_in = BuiltIn(nodes)

    def take_own_value(self, statement: ast.ClassDef) -> None:
        """Accept a program's own class Value; only the order of its arguments is read."""
        self.own_value = True
        for part in statement.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                slots = tuple(argument.arg for argument in part.args.args[1:])
                self.value_slots = slots or self.value_slots

    def is_function(self, name: str) -> bool:
        """Return whether a name is a function without any import."""
        known = name in BY_NAME or name in BUILT_IN or name in HARMLESS_FUNCTIONS
        return known or name in ("Value", "get_ipython")

    def is_tolerated(self, function: ast.expr) -> bool:
        """Return whether a call changes no graph, so that it is skipped."""
        if isinstance(function, ast.Name):
            return function.id in _TOLERATED
        return isinstance(function, ast.Attribute) and function.attr in _SHOWING

    def attribute(self, of: Thing, part: ast.Attribute) -> Thing:
        """Evaluate an attribute: `torch.nn`, `math.pi`, `a.tanh`."""
        name = part.attr
        if isinstance(of, Imported):
            known = of.path in ("math", "torch", "numpy") and name in CONSTANTS
            return CONSTANTS[name] if known else Imported(f"{of.path}.{name}")
        if isinstance(of, Ref):
            return self._of_value(of, name, part)
        if isinstance(of, list) and name in ("append", "extend"):
            return Method(of, name)
        if isinstance(of, Unread):
            return of
        raise self.refusal(part, NO_ATTRIBUTE, name=name)

    def _of_value(self, of: Ref, name: str, part: ast.Attribute) -> Thing:
        if name in BY_NAME or name in _PASSED_ON or name in ("pow", "item"):
            if self.own_value and name in _VARIOUS:
                raise self.refusal(
                    part, "what .{name} does in a class of one's own is not known.", name=name
                )
            return Method(of, name)
        if name == "data":
            return self.nodes.passes.data[of.node]
        if name == "grad":
            return self.nodes.passes.grad[of.node]
        if name == "label":
            return getattr(self.nodes.made[of.node], "label", "")
        raise self.refusal(part, NO_ATTRIBUTE, name=name)

    def item(self, of: Thing, place: Thing, part: ast.Subscript) -> Thing:
        """Evaluate an item: `xs[2]`."""
        index = number_of(place)
        for thing in (of, place):
            if isinstance(thing, Unread):
                return thing
        if not isinstance(of, tuple | list) or not isinstance(index, int):
            raise self.refusal(part, "only a list and a whole number can be read here.")
        if not -len(of) <= index < len(of):
            raise self.refusal(part, NO_ITEM, count=len(of), index=index)
        return of[index]

    def items(self, thing: Thing, part: ast.AST) -> Sequence[Thing]:
        """Return what a loop or a sum iterates over."""
        return as_list(self.nodes, thing, part)

    def spelled(self, thing: Thing, part: ast.AST) -> str:
        """Format a number or a text inside an f-string."""
        number = number_of(thing)
        if number is None and not isinstance(thing, str):
            raise self.refusal(part, "only plain numbers and texts can stand here.")
        return str(thing if number is None else number)

    def call(
        self,
        function: Thing,
        arguments: tuple[Thing, ...],
        keywords: Mapping[str, Thing],
        part: ast.Call,
    ) -> Thing:
        """Evaluate a call of anything that is known."""
        if isinstance(function, Method):
            return self._method(function, arguments, keywords, part)
        if isinstance(function, Unread):
            return self._unread(function, arguments, part)
        if not isinstance(function, Imported):
            raise self.refusal(part, "this can't be called.")
        if function.last == "Value":
            return self._value(arguments, keywords, part)
        if function.library == "random":
            return self._random(function, arguments, part)
        if self._is_beyond(function, arguments):
            return self._of_library(function, arguments, keywords, part)
        if function.last in ("tensor", "Tensor", "Parameter"):
            return self._tensor(function.last, arguments, keywords, part)
        return self._known(function, arguments, keywords, part)

    def _known(
        self,
        function: Imported,
        arguments: tuple[Thing, ...],
        keywords: Mapping[str, Thing],
        part: ast.Call,
    ) -> Thing:
        """Evaluate a call of our functions, Python's own, or equivalent ones of a library."""
        name = function.last
        if keywords and not (name == "sum" and set(keywords) == {"start"}):
            raise self.refusal(part, "{name} takes plain arguments.", name=name)
        if name in BUILT_IN and function.path == name:
            return self._built_in.call(name, (*arguments, *keywords.values()), part)
        if name not in BY_NAME:
            raise self.refusal(part, NO_FUNCTION, name=name)
        self._check_count(name, len(arguments), part)
        if function.library in ("math", "numpy"):
            return self.nodes.operate(name, arguments, part)
        return self.nodes.node(name, arguments, part)

    def _is_beyond(self, function: Imported, arguments: tuple[Thing, ...]) -> bool:
        """Return whether a call is skipped because it belongs to an unknown library."""
        name = function.last
        if function.path == name:
            return name in HARMLESS_FUNCTIONS - BUILT_IN - BY_NAME.keys() or name == "get_ipython"
        if function.library != "numpy":
            return function.library not in LIBRARIES
        return name not in BY_NAME or any(number_of(thing) is None for thing in arguments)

    def _of_library(
        self,
        function: Imported,
        arguments: tuple[Thing, ...],
        keywords: Mapping[str, Thing],
        part: ast.Call,
    ) -> Unread:
        """Return the unknown result of a call that changes nothing the graph is made of."""
        given = (*arguments, *keywords.values())
        why = self.refusal(
            part, "what {name} returns is known only when it runs.", name=function.last
        )
        ends = function.path in _ENDS
        own = any(isinstance(thing, Own) for thing in given)
        harmless = function.library in HARMLESS or function.path == function.last
        lists = any(isinstance(thing, list) for thing in given)
        shuffles = lists and "random" in function.path.split(".")
        if ends or own or shuffles or (not harmless and (lists or holds_value(given))):
            raise why
        # A built-in without a library, such as max(rows), may return an item of a list.
        passes_on = lists and function.path == function.last
        return Unread(why, maybe_value=passes_on or holds_value(given))

    def _unread(self, of: Unread, arguments: tuple[Thing, ...], part: ast.Call) -> Unread:
        """Evaluate a method of something unknown: of a plot, an array, the notebook."""
        method = part.func.attr if isinstance(part.func, ast.Attribute) else ""
        runs = method in ("run_line_magic", "run_cell_magic") and arguments[:1] not in (
            ("matplotlib",), ("load_ext",), ("autoreload",), ("config",), ("pip",),
        )  # fmt: skip
        if of.maybe_value or runs or any(isinstance(thing, Own) for thing in arguments):
            raise of.why
        return Unread(of.why, maybe_value=holds_value(arguments))

    def _random(self, function: Imported, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Draw a random number as Python's own generator does, once it is seeded."""
        numbers = [number for thing in arguments if (number := number_of(thing)) is not None]
        if function.last == "seed" and len(numbers) == len(arguments) == 1:
            self.dice.seed(numbers[0])
            return Nothing()
        try:
            if len(numbers) != len(arguments) or function.path.count(".") != 1:
                raise unknown_draw(function.last)
            return self.dice.draw(function.last, numbers)
        except NumberError as error:
            self.dice.forget()
            why = self.refusal(part, error.template, **error.fields)
            if any(isinstance(thing, list) for thing in arguments):
                raise why from None  # it may be shuffled
            return Unread(why, maybe_value=False)

    def _method(
        self,
        method: Method,
        arguments: tuple[Thing, ...],
        keywords: Mapping[str, Thing],
        part: ast.Call,
    ) -> Thing:
        if isinstance(method.of, list):
            return self._built_in.grow(method.of, method.name, arguments, part)
        if method.name in _PASSED_ON and not arguments and not keywords:
            return method.of
        if method.name == "item" and not arguments and not keywords:
            return self.nodes.passes.data[method.of.node]
        if keywords or method.name not in BY_NAME:
            raise self.refusal(part, ".{name} takes plain arguments.", name=method.name)
        self._check_count(method.name, len(arguments) + 1, part)
        return self.nodes.node(method.name, (method.of, *arguments), part)

    def _value(
        self, arguments: tuple[Thing, ...], keywords: Mapping[str, Thing], part: ast.Call
    ) -> Thing:
        slots = self.value_slots
        given: dict[str, Thing] = dict(zip(slots, arguments, strict=False))
        twice = given.keys() & keywords.keys()
        given |= dict(keywords)
        content = given.pop(slots[0], given.pop("data", Nothing()))
        label = given.pop("label", "")
        plain = all(thing in ((), "", 0) for thing in given.values())  # the default values
        if twice or given.keys() - set(slots) or len(arguments) > len(slots) or not plain:
            raise self.refusal(part, "of Value, only Value(number, label='...') can be read.")
        if isinstance(content, Unread):
            raise content.why
        number = number_of(content)
        if number is None:
            raise self.refusal(part, "a Value is made of one plain number.")
        made = self.nodes.add(Leaf(self.nodes.as_float(number, part)), part)
        if label != "":
            self.nodes.set_label(made, label, part)
        return made

    def _tensor(
        self, name: str, arguments: tuple[Thing, ...], keywords: Mapping[str, Thing], part: ast.Call
    ) -> Thing:
        content = arguments[0] if len(arguments) == 1 else Nothing()
        while isinstance(content, tuple | list) and len(content) == 1:
            content = content[0]
        if keywords.keys() - {"requires_grad"}:
            raise self.refusal(part, "of a tensor, only requires_grad and dtype can be read.")
        number = number_of(content)
        if number is None and isinstance(content, Ref) and name == "Parameter":
            made = content
        elif number is None:
            raise self.refusal(part, "only a tensor of one number can be read.")
        else:
            made = self.nodes.add(Constant(self.nodes.as_float(number, part)), part)
        self.nodes.set_wanted(made.node, keywords.get("requires_grad", name == "Parameter"), part)
        return made

    def _check_count(self, name: str, given: int, part: ast.AST) -> None:
        slots = len(BY_NAME[name].slots)
        if given != slots:
            one = "{name} takes one number, not {given}."
            reason = plural(slots, one, "{name} takes {count} numbers, not {given}.")
            raise self.refusal(part, reason, name=name, count=slots, given=given)
