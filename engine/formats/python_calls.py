"""What a program that is read may call, unpack and look up."""

import ast
import math
from collections.abc import Mapping

from engine.formats.python_nodes import Nodes
from engine.formats.python_things import Imported, Method, Nothing, Ref, Thing, number_of
from engine.graph import Constant, Leaf
from engine.ops import BY_NAME

ITEM_LIMIT = 10_000

_TOLERATED = frozenset({"print", "draw_dot", "zero_grad"})
_BUILT_IN = frozenset({"sum", "range", "zip", "enumerate", "len", "list", "tuple", "float"})
_CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_PASSED_ON = frozenset({"double", "float", "clone"})
"""Methods of torch that leave a number what it is."""


class Calls:
    """Knows every function and every attribute there is."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.refusal = nodes.refusal

    def is_function(self, name: str) -> bool:
        """Whether a name is a function's without any import."""
        return name in BY_NAME or name in _BUILT_IN or name == "Value"

    def is_tolerated(self, function: ast.expr) -> bool:
        """Whether a call changes no graph and is passed over."""
        if isinstance(function, ast.Name):
            return function.id in _TOLERATED
        return isinstance(function, ast.Attribute) and function.attr == "zero_grad"

    def attribute(self, of: Thing, part: ast.Attribute) -> Thing:
        """`torch.nn`, `math.pi`, `a.tanh`."""
        name = part.attr
        if isinstance(of, Imported):
            known = of.path in ("math", "torch") and name in _CONSTANTS
            return _CONSTANTS[name] if known else Imported(f"{of.path}.{name}")
        if isinstance(of, Ref) and (name in BY_NAME or name in _PASSED_ON or name == "pow"):
            return Method(of, name)
        if isinstance(of, Ref) and name in ("data", "grad", "item"):
            raise self.refusal(part, f".{name} is known only when the program runs")
        raise self.refusal(part, f".{name} can't be read here")

    def item(self, of: Thing, place: Thing, part: ast.Subscript) -> Thing:
        """`xs[2]`."""
        index = number_of(place)
        if not isinstance(of, tuple) or not isinstance(index, int):
            raise self.refusal(part, "only a list and a whole number can be read here")
        if not -len(of) <= index < len(of):
            raise self.refusal(part, f"the list has {len(of)} items, and none at {index}")
        return of[index]

    def items(self, thing: Thing, part: ast.AST) -> tuple[Thing, ...]:
        """What a loop or a sum goes over."""
        if not isinstance(thing, tuple):
            raise self.refusal(part, "only lists, tuples and ranges can be looped over")
        return thing

    def spelled(self, thing: Thing, part: ast.AST) -> str:
        """A number or a text inside an f-string."""
        number = number_of(thing)
        if number is None and not isinstance(thing, str):
            raise self.refusal(part, "only plain numbers and texts can stand here")
        return str(thing if number is None else number)

    def call(
        self,
        function: Thing,
        arguments: tuple[Thing, ...],
        keywords: Mapping[str, Thing],
        part: ast.Call,
    ) -> Thing:
        """A call of anything that is known."""
        if isinstance(function, Method):
            return self._method(function, arguments, keywords, part)
        if not isinstance(function, Imported):
            raise self.refusal(part, "this can't be called")
        name = function.last
        if name == "Value":
            return self._value(arguments, keywords, part)
        if name in ("tensor", "Tensor", "Parameter"):
            return self._tensor(name, arguments, keywords, part)
        if keywords and not (name == "sum" and set(keywords) == {"start"}):
            raise self.refusal(part, f"{name} takes plain arguments")
        if name in _BUILT_IN and function.path == name:
            return self._built_in(name, (*arguments, *keywords.values()), part)
        if name in BY_NAME:
            return self._function(function, arguments, part)
        raise self.refusal(part, f"there is no function called {name}")

    def _function(self, function: Imported, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        self._check_count(function.last, len(arguments), part)
        if function.path.startswith("math."):
            return self.nodes.operate(function.last, arguments, part)
        return self.nodes.node(function.last, arguments, part)

    def _method(
        self,
        method: Method,
        arguments: tuple[Thing, ...],
        keywords: Mapping[str, Thing],
        part: ast.Call,
    ) -> Thing:
        if method.name in _PASSED_ON and not arguments and not keywords:
            return method.of
        if keywords or method.name not in BY_NAME:
            raise self.refusal(part, f".{method.name} takes plain arguments")
        self._check_count(method.name, len(arguments) + 1, part)
        return self.nodes.node(method.name, (method.of, *arguments), part)

    def _value(
        self, arguments: tuple[Thing, ...], keywords: Mapping[str, Thing], part: ast.Call
    ) -> Thing:
        slots = ("data", "_children", "_op", "label")
        given: dict[str, Thing] = dict(zip(slots, arguments, strict=False))
        twice = given.keys() & keywords.keys()
        given |= dict(keywords)
        number = number_of(given.get("data", Nothing()))
        unknown = given.keys() - set(slots)
        if twice or unknown or len(arguments) > 4 or given.get("_children", ()) != ():
            raise self.refusal(part, "of Value, only Value(number, label='...') can be read")
        if number is None:
            raise self.refusal(part, "a Value is made of one plain number")
        made = self.nodes.add(Leaf(float(number)), part)
        if given.get("label", "") != "":
            self.nodes.set_label(made, given["label"], part)
        return made

    def _tensor(
        self, name: str, arguments: tuple[Thing, ...], keywords: Mapping[str, Thing], part: ast.Call
    ) -> Thing:
        content = arguments[0] if len(arguments) == 1 else Nothing()
        while isinstance(content, tuple) and len(content) == 1:
            content = content[0]
        if keywords.keys() - {"requires_grad"}:
            raise self.refusal(part, "of a tensor, only requires_grad and dtype can be read")
        number = number_of(content)
        if number is None and isinstance(content, Ref) and name == "Parameter":
            made = content
        elif number is None:
            raise self.refusal(part, "only a tensor of one number can be read")
        else:
            made = self.nodes.add(Constant(float(number)), part)
        self.nodes.set_wanted(made.node, keywords.get("requires_grad", name == "Parameter"), part)
        return made

    def _built_in(self, name: str, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        if name == "range":
            return self._range(arguments, part)
        if name == "sum" and 1 <= len(arguments) <= 2:
            return self._sum(self.items(arguments[0], part), arguments[1:], part)
        if name == "zip":
            lists = [self.items(argument, part) for argument in arguments]
            self.nodes.count(part, sum(map(len, lists)))
            return tuple(zip(*lists, strict=False))
        if len(arguments) != 1:
            raise self.refusal(part, f"{name} can't be called like this")
        return self._of_one(name, arguments[0], part)

    def _of_one(self, name: str, thing: Thing, part: ast.Call) -> Thing:
        """float, and what takes one list: len, list, tuple, enumerate."""
        if name == "float":
            return self._float(thing, part)
        items = self.items(thing, part)
        if name == "len":
            return len(items)
        self.nodes.count(part, len(items))
        return tuple(enumerate(items)) if name == "enumerate" else items

    def _sum(self, items: tuple[Thing, ...], start: tuple[Thing, ...], part: ast.Call) -> Thing:
        """One add after another; Python's own 0 at the beginning makes no node."""
        things = [*start, *items]
        if not things:
            return 0
        total = things[0]
        for thing in things[1:]:
            self.nodes.count(part)
            total = self.nodes.operate("add", (total, thing), part)
        return total

    def _float(self, thing: Thing, part: ast.Call) -> Thing:
        number = number_of(thing)
        if number is None and isinstance(thing, str) and thing.strip(" +-").lower() in (
            "inf", "infinity", "nan",
        ):  # fmt: skip
            return float(thing)
        if number is None:
            raise self.refusal(part, "float takes a plain number")
        return float(number)

    def _range(self, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        ends = [number for thing in arguments if isinstance(number := number_of(thing), int)]
        if len(ends) != len(arguments) or not 1 <= len(ends) <= 3 or ends[2:] == [0]:
            raise self.refusal(part, "range takes one to three whole numbers")
        found = range(*ends)
        self.nodes.count(part, min(len(found), ITEM_LIMIT))
        if len(found) > ITEM_LIMIT:
            raise self.refusal(part, f"a range of more than {ITEM_LIMIT:,} can't be read")
        return tuple(found)

    def _check_count(self, name: str, given: int, part: ast.AST) -> None:
        slots = len(BY_NAME[name].slots)
        if given != slots:
            arguments = "one number" if slots == 1 else f"{slots} numbers"
            raise self.refusal(part, f"{name} takes {arguments}, not {given}")
