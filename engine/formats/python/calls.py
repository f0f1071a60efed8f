"""Calls, attributes and items in a program that is read."""

import ast
from collections.abc import Mapping, Sequence

from engine.formats.expression import NO_FUNCTION, OTHER_OPERATOR
from engine.formats.python.objects import (
    CONSTANTS,
    HARMLESS,
    LIBRARIES,
    Dice,
    Imported,
    Method,
    Nodes,
    Nothing,
    NumberError,
    OneShot,
    Own,
    Ref,
    Thing,
    Unread,
    holds_value,
    number_of,
    unknown_draw,
)
from engine.formats.python.side_effects import HARMLESS_FUNCTIONS
from engine.formats.python.source import Source
from engine.graph import Constant, Leaf
from engine.numbers import plural
from engine.ops import BY_NAME

ITEM_LIMIT = 10_000
"""Maximum length of a range."""
LEN_LIMIT = 2**60
"""Ranges with larger ends may be too long even for `len`."""
PLACES = 400
"""Decimal places beyond which rounding changes no float: they have digits from 1e308 to 1e-324."""

_OF_NUMBERS = frozenset({"int", "round", "max", "min"})
BUILT_IN = _OF_NUMBERS | frozenset(
    {"sum", "range", "zip", "enumerate", "len", "list", "tuple", "float", "reversed", "str"}
)


def as_list(nodes: Nodes, thing: Thing, part: ast.AST) -> Sequence[Thing]:
    """Return what a loop or a sum iterates over; refuses anything but lists and tuples."""
    if isinstance(thing, Unread):
        raise thing.why
    if not isinstance(thing, tuple | list):
        raise nodes.refusal(part, "only lists, tuples and ranges can be looped over.")
    if isinstance(thing, OneShot):
        if thing.spent:
            return ()
        thing.spent = True
    return thing


class BuiltIn:
    """Evaluates Python's built-in functions on known objects."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    def call(self, name: str, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Return the result of a call of one of `BUILT_IN`."""
        if name == "range":
            return self._range(arguments, part)
        if name in _OF_NUMBERS:
            return self._of_numbers(name, arguments, part)
        if name == "sum" and 1 <= len(arguments) <= 2:
            return self._sum(as_list(self._nodes, arguments[0], part), arguments[1:], part)
        if name == "enumerate" and len(arguments) == 2:
            start = number_of(arguments[1])
            if isinstance(start, int):
                return self._enumerate(as_list(self._nodes, arguments[0], part), start, part)
        if name == "zip":
            lists = [as_list(self._nodes, argument, part) for argument in arguments]
            self._nodes.count(part, sum(map(len, lists)))
            return OneShot(zip(*lists, strict=False))
        if len(arguments) != 1:
            raise self._nodes.refusal(part, "{name} can't be called like this.", name=name)
        return self._of_one(name, arguments[0], part)

    def grow(self, of: list[Thing], name: str, given: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Evaluate `losses.append(...)` and `extend`."""
        if len(given) != 1:
            raise self._nodes.refusal(part, "{name} takes one thing.", name=name)
        more = given if name == "append" else tuple(as_list(self._nodes, given[0], part))
        self._nodes.count(part, len(more))
        of.extend(more)
        return Nothing()

    def _of_one(self, name: str, thing: Thing, part: ast.Call) -> Thing:
        """Evaluate float, str, and functions of one list: len, list, tuple, enumerate, reversed."""
        if name in ("float", "str"):
            return thing if isinstance(thing, Unread) else self._converted(name, thing, part)
        items = as_list(self._nodes, thing, part)
        if name == "len":
            return len(items)
        self._nodes.count(part, len(items))
        if name == "enumerate":
            return self._enumerate(items, 0, part)
        if name == "reversed":
            return OneShot(reversed(items))
        return list(items) if name == "list" else tuple(items)

    def _enumerate(self, items: Sequence[Thing], start: int, part: ast.Call) -> Thing:
        self._nodes.count(part, len(items))
        return OneShot(enumerate(items, start))

    def _of_numbers(self, name: str, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Evaluate int, round, max, min of plain numbers; of Values they would depend on data."""
        only = arguments[0] if len(arguments) == 1 else arguments
        given = only if isinstance(only, tuple | list) else (only,)
        numbers = [number for thing in given if (number := number_of(thing)) is not None]
        why = self._nodes.refusal(part, "{name} can be read of plain numbers only.", name=name)
        if len(numbers) != len(given) or not numbers:
            return Unread(why)
        try:
            if name in ("max", "min"):
                return (max if name == "max" else min)(numbers)
            if name == "round" and len(numbers) == 2 and isinstance(numbers[1], int):
                return round(numbers[0], min(max(numbers[1], -PLACES), PLACES))
            return int(numbers[0]) if name == "int" else round(numbers[0])
        except (ValueError, OverflowError):
            raise self._nodes.mistake(part, "{name} of this fails.", name=name) from None

    def _sum(self, items: Sequence[Thing], start: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Add the items one by one; Python's initial 0 makes no node."""
        things = [*start, *items]
        if not things:
            return 0
        total = things[0]
        for thing in things[1:]:
            self._nodes.count(part)
            total = self._nodes.operate("add", (total, thing), part)
        return total

    def _converted(self, name: str, thing: Thing, part: ast.Call) -> Thing:
        number = number_of(thing)
        if name == "str" and (isinstance(thing, str | bool) or number is not None):
            return self._nodes.literal(str(thing if number is None else number), part)
        if name == "float" and isinstance(thing, str) and thing.strip(" +-").lower() in (
            "inf", "infinity", "nan",
        ):  # fmt: skip
            return float(thing)
        if number is None:
            raise self._nodes.refusal(part, "{name} takes a plain number.", name=name)
        return self._nodes.as_float(number, part)

    def _range(self, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        for thing in arguments:
            if isinstance(thing, Unread):
                return thing
        ends = [number for thing in arguments if isinstance(number := number_of(thing), int)]
        if len(ends) != len(arguments) or not 1 <= len(ends) <= 3 or ends[2:] == [0]:
            raise self._nodes.refusal(part, "range takes one to three whole numbers.")
        found = range(*ends)
        too_long = len(found) > ITEM_LIMIT if max(map(abs, ends)) < LEN_LIMIT else True
        self._nodes.count(part, ITEM_LIMIT if too_long else len(found))
        if too_long:
            raise self._nodes.refusal(
                part, "a range of more than {limit:,} can't be read.", limit=ITEM_LIMIT
            )
        return tuple(found)


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


MOST_TIMES = 10**9
"""Keeps the count of steps small for `[0] * 10**1000`; far fewer are refused."""

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.Mod: "mod",
    ast.FloorDiv: "floordiv",
}


class Operators:
    """Evaluates `a + b`, `a * b` and so on, also where they change a list in place."""

    def __init__(self, source: Source, nodes: Nodes, calls: Calls) -> None:
        self.refusal = source.refusal
        self.nodes = nodes
        self.calls = calls

    def sign_of(self, part: ast.BinOp | ast.AugAssign) -> str:
        """Return the name of an operator's operation; refuses others."""
        if type(part.op) not in _SIGNS:
            raise self.refusal(part, OTHER_OPERATOR)
        return _SIGNS[type(part.op)]

    def joined(self, op: str, left: Thing, right: Thing, part: ast.AST) -> Thing:
        """Evaluate an operator between two objects: Values, numbers, texts or lists."""
        if isinstance(left, str) and op == "mod":  # printf-style formatting
            return Unread(self.refusal(part, "texts made with % can't be read."), maybe_value=False)
        if isinstance(left, str) and isinstance(right, str) and op == "add":
            return self.nodes.literal(left + right, part)
        if isinstance(left, list) and isinstance(right, list) and op == "add":
            self.nodes.count(part, len(left) + len(right))
            return left + right
        times = number_of(right)
        if isinstance(left, list) and op == "mul" and isinstance(times, int):
            self.nodes.count(part, max(len(left), 1) * max(min(times, MOST_TIMES), 0))
            return left * times
        return self.nodes.operate(op, (left, right), part)

    def augmented(self, part: ast.AugAssign, held: Thing, by: Thing) -> Thing:
        """Evaluate `held += by`; a list is changed in place for all its names."""
        if isinstance(held, list) and isinstance(by, Unread):
            raise by.why
        if isinstance(held, list) and isinstance(by, tuple):
            by = list(self.calls.items(by, part))
        found = self.joined(self.sign_of(part), held, by, part)
        if isinstance(held, list) and isinstance(found, list):
            held[:] = found
            return held
        return found
