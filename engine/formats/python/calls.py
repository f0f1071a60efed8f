"""Evaluates calls, attributes, items and operators of the program reader.

    BuiltIn    Python's own functions, such as sum and range
    Calls      calls of Values, libraries and BuiltIn; attributes, items, and operators

Each takes objects, as `engine.formats.python.objects` models them, and the syntax node for errors.
"""

import ast
from collections.abc import Mapping, Sequence

from engine.formats.notation import NO_FUNCTION, OTHER_OPERATOR
from engine.formats.python.objects import (
    CONSTANTS,
    HARMLESS,
    HARMLESS_FUNCTIONS,
    LIBRARIES,
    Imported,
    Method,
    Nodes,
    Nothing,
    NumberError,
    OneShot,
    PyObject,
    Ref,
    SeededRandom,
    Unknown,
    UserDefinition,
    holds_value,
    number_of,
    unknown_draw,
)
from engine.graph import Constant, Leaf
from engine.numbers import plural
from engine.ops import BY_NAME

ITEM_LIMIT = 10_000
"""Maximum length of a range."""
LEN_LIMIT = 2**60
"""Bound on a range's ends, above which `len` may overflow."""
DECIMALS_LIMIT = 400
"""Decimal places beyond which `round` changes no float: digits go from 1e308 to 1e-324."""

_OF_NUMBERS = frozenset({"int", "round", "max", "min"})
"""Built-in functions that are evaluated for plain numbers alone."""
BUILT_IN = _OF_NUMBERS | frozenset(
    {"sum", "range", "zip", "enumerate", "len", "list", "tuple", "float", "reversed", "str"}
)


class BuiltIn:
    """Evaluates Python's built-in functions: lists, loops, sums and plain numbers."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    def call(self, name: str, arguments: tuple[PyObject, ...], part: ast.Call) -> PyObject:
        """Return the result of a call of one of `BUILT_IN`."""
        if name == "range":
            return self._range(arguments, part)
        if name in _OF_NUMBERS:
            return self._of_numbers(name, arguments, part)
        if name == "sum" and 1 <= len(arguments) <= 2:
            return self._sum(self._nodes.items(arguments[0], part), arguments[1:], part)
        if name == "enumerate" and len(arguments) == 2:
            start = number_of(arguments[1])
            if isinstance(start, int):
                return self._enumerate(self._nodes.items(arguments[0], part), start, part)
        if name == "zip":
            lists = [self._nodes.items(argument, part) for argument in arguments]
            self._nodes.count(part, sum(map(len, lists)))
            return OneShot(zip(*lists, strict=False))
        if len(arguments) != 1:
            raise self._nodes.refusal(part, "{name} can't be called like this.", name=name)
        return self._of_one(name, arguments[0], part)

    def extend_list(
        self, of: list[PyObject], name: str, given: tuple[PyObject, ...], part: ast.Call
    ) -> PyObject:
        """Evaluate `losses.append(...)` and `losses.extend(...)`."""
        if len(given) != 1:
            raise self._nodes.refusal(part, "{name} takes one thing.", name=name)
        more = given if name == "append" else tuple(self._nodes.items(given[0], part))
        self._nodes.count(part, len(more))
        of.extend(more)
        return Nothing()

    def _of_one(self, name: str, obj: PyObject, part: ast.Call) -> PyObject:
        """Evaluate float, str, and functions of one list: len, list, tuple, enumerate, reversed."""
        if name in ("float", "str"):
            return obj if isinstance(obj, Unknown) else self._converted(name, obj, part)
        items = self._nodes.items(obj, part)
        if name == "len":
            return len(items)
        self._nodes.count(part, len(items))
        if name == "enumerate":
            return self._enumerate(items, 0, part)
        if name == "reversed":
            return OneShot(reversed(items))
        return list(items) if name == "list" else tuple(items)

    def _enumerate(self, items: Sequence[PyObject], start: int, part: ast.Call) -> PyObject:
        self._nodes.count(part, len(items))
        return OneShot(enumerate(items, start))

    def _of_numbers(self, name: str, arguments: tuple[PyObject, ...], part: ast.Call) -> PyObject:
        """Evaluate int, round, max, min of plain numbers; those of Values depend on data."""
        only = arguments[0] if len(arguments) == 1 else arguments
        given = only if isinstance(only, tuple | list) else (only,)
        numbers = [number for obj in given if (number := number_of(obj)) is not None]
        why = self._nodes.refusal(part, "{name} can be read of plain numbers only.", name=name)
        if len(numbers) != len(given) or not numbers:
            return Unknown(why)
        try:
            if name in ("max", "min"):
                return (max if name == "max" else min)(numbers)
            if name == "round" and len(numbers) == 2 and isinstance(numbers[1], int):
                return round(numbers[0], min(max(numbers[1], -DECIMALS_LIMIT), DECIMALS_LIMIT))
            return int(numbers[0]) if name == "int" else round(numbers[0])
        except (ValueError, OverflowError):
            raise self._nodes.python_error(part, "{name} of this fails.", name=name) from None

    def _sum(
        self, items: Sequence[PyObject], start: tuple[PyObject, ...], part: ast.Call
    ) -> PyObject:
        """Add the items from left to right; Python's initial 0 makes no node."""
        terms = [*start, *items]
        if not terms:
            return 0
        total = terms[0]
        for obj in terms[1:]:
            self._nodes.count(part)
            total = self._nodes.operate("add", (total, obj), part)
        return total

    def _converted(self, name: str, obj: PyObject, part: ast.Call) -> PyObject:
        number = number_of(obj)
        if name == "str" and (isinstance(obj, str | bool) or number is not None):
            return self._nodes.literal(str(obj if number is None else number), part)
        if name == "float" and isinstance(obj, str) and obj.strip(" +-").lower() in (
            "inf", "infinity", "nan",
        ):  # fmt: skip
            return float(obj)
        if number is None:
            raise self._nodes.refusal(part, "{name} takes a plain number.", name=name)
        return self._nodes.as_float(number, part)

    def _range(self, arguments: tuple[PyObject, ...], part: ast.Call) -> PyObject:
        for obj in arguments:
            if isinstance(obj, Unknown):
                return obj
        ends = [number for obj in arguments if isinstance(number := number_of(obj), int)]
        if len(ends) != len(arguments) or not 1 <= len(ends) <= 3 or ends[2:] == [0]:  # a step of 0
            raise self._nodes.refusal(part, "range takes one to three whole numbers.")
        found = range(*ends)
        too_long = len(found) > ITEM_LIMIT if max(map(abs, ends)) < LEN_LIMIT else True
        self._nodes.count(part, ITEM_LIMIT if too_long else len(found))
        if too_long:
            raise self._nodes.refusal(
                part, "a range of more than {limit:,} can't be read.", limit=ITEM_LIMIT
            )
        return tuple(found)


_SKIPPED_FUNCTIONS = frozenset({"print", "display", "draw_dot", "trace_graph", "zero_grad"})
_SKIPPED_METHODS = frozenset({"zero_grad", "show", "graph", "_repr_svg_", "_repr_mimebundle_"})
"""Methods without effect on the graph: they display it or clear gradients."""
_IDENTITY_METHODS = frozenset({"double", "float", "clone"})
"""Methods of torch that return the same number."""
_EXITS = frozenset({"sys.exit", "os._exit", "os.abort"})
"""Functions after which the rest of the program does not run."""
_AMBIGUOUS_OPS = frozenset({"leaky_relu", "elu", "gelu", "softplus", "silu", "sign", "square"})
"""Operations that a program's own class Value may define differently."""
NO_ATTRIBUTE = ".{name} can't be read here."
NO_ITEM = "the list has {count} items, and none at {index}."
VALUE_PARAMETERS = ("data", "_children", "_op", "label")
"""Parameters of micrograd's Value."""


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.Mod: "mod",
    ast.FloorDiv: "floordiv",
}


class Calls:
    """Evaluates calls, attributes, items, binary operators and augmented assignments."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.refusal = nodes.refusal
        self.random = SeededRandom()
        self.value_slots: tuple[str, ...] = VALUE_PARAMETERS
        self.has_value_class = False
        """Whether the program defines a class Value, for which Backwire's is substituted."""
        self._built_in = BuiltIn(nodes)

    def use_value_class(self, statement: ast.ClassDef) -> None:
        """Substitute a class Value of the program; only the order of its parameters is read."""
        self.has_value_class = True
        for part in statement.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                slots = tuple(argument.arg for argument in part.args.args[1:])
                self.value_slots = slots or self.value_slots

    def is_function(self, name: str) -> bool:
        """Return whether a name is a function that needs no import."""
        known = name in BY_NAME or name in BUILT_IN or name in HARMLESS_FUNCTIONS
        return known or name in ("Value", "get_ipython")

    def is_skipped(self, function: ast.expr) -> bool:
        """Return whether a call has no effect on the graph, so that it is skipped."""
        if isinstance(function, ast.Name):
            return function.id in _SKIPPED_FUNCTIONS
        return isinstance(function, ast.Attribute) and function.attr in _SKIPPED_METHODS

    def attribute(self, of: PyObject, part: ast.Attribute) -> PyObject:
        """Evaluate an attribute: `torch.nn`, `math.pi`, `a.tanh`."""
        name = part.attr
        if isinstance(of, Imported):
            known = of.path in ("math", "torch", "numpy") and name in CONSTANTS
            return CONSTANTS[name] if known else Imported(f"{of.path}.{name}")
        if isinstance(of, Ref):
            return self._of_value(of, name, part)
        if isinstance(of, list) and name in ("append", "extend"):
            return Method(of, name)
        if isinstance(of, Unknown):
            return of
        raise self.refusal(part, NO_ATTRIBUTE, name=name)

    def _of_value(self, of: Ref, name: str, part: ast.Attribute) -> PyObject:
        if name in BY_NAME or name in _IDENTITY_METHODS or name in ("pow", "item"):
            if self.has_value_class and name in _AMBIGUOUS_OPS:
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

    def item(self, of: PyObject, place: PyObject, part: ast.Subscript) -> PyObject:
        """Evaluate an item: `xs[2]`."""
        index = number_of(place)
        for obj in (of, place):
            if isinstance(obj, Unknown):
                return obj
        if not isinstance(of, tuple | list) or not isinstance(index, int):
            raise self.refusal(part, "only a list and a whole number can be read here.")
        if not -len(of) <= index < len(of):
            raise self.refusal(part, NO_ITEM, count=len(of), index=index)
        return of[index]

    def formatted(self, obj: PyObject, part: ast.AST) -> str:
        """Format a number or a text inside an f-string."""
        number = number_of(obj)
        if number is None and not isinstance(obj, str):
            raise self.refusal(part, "only plain numbers and texts can stand here.")
        return str(obj if number is None else number)

    def call(
        self,
        function: PyObject,
        arguments: tuple[PyObject, ...],
        keywords: Mapping[str, PyObject],
        part: ast.Call,
    ) -> PyObject:
        """Evaluate a call."""
        if isinstance(function, Method):
            return self._method(function, arguments, keywords, part)
        if isinstance(function, Unknown):
            return self._unknown_method(function, arguments, part)
        if not isinstance(function, Imported):
            raise self.refusal(part, "this can't be called.")
        if function.last == "Value":
            return self._value(arguments, keywords, part)
        if function.library == "random":
            return self._random(function, arguments, part)
        if self._is_skipped_call(function, arguments):
            return self._skipped_call(function, arguments, keywords, part)
        if function.last in ("tensor", "Tensor", "Parameter"):
            return self._tensor(function.last, arguments, keywords, part)
        return self._known(function, arguments, keywords, part)

    def _known(
        self,
        function: Imported,
        arguments: tuple[PyObject, ...],
        keywords: Mapping[str, PyObject],
        part: ast.Call,
    ) -> PyObject:
        """Evaluate an operation or a built-in, under its own name or that of a library."""
        name = function.last
        if keywords and not (name == "sum" and set(keywords) == {"start"}):
            raise self.refusal(part, "{name} takes plain arguments.", name=name)
        if name in BUILT_IN and function.path == name:
            return self._built_in.call(name, (*arguments, *keywords.values()), part)
        if name not in BY_NAME:
            raise self.refusal(part, NO_FUNCTION, name=name)
        self._check_count(name, len(arguments), part)
        # math.exp(2.0) is a plain number; torch.exp and a bare tanh make a node even of one
        if function.library in ("math", "numpy"):
            return self.nodes.operate(name, arguments, part)
        return self.nodes.node(name, arguments, part)

    def _is_skipped_call(self, function: Imported, arguments: tuple[PyObject, ...]) -> bool:
        """Return whether a call is not evaluated, and gives an unknown object.

        That is a call of a library that is not read, of a harmless function such as print, or of
        numpy on anything but numbers.
        """
        name = function.last
        if function.path == name:
            return name in HARMLESS_FUNCTIONS - BUILT_IN - BY_NAME.keys() or name == "get_ipython"
        if function.library != "numpy":
            return function.library not in LIBRARIES
        return name not in BY_NAME or any(number_of(obj) is None for obj in arguments)

    def _skipped_call(
        self,
        function: Imported,
        arguments: tuple[PyObject, ...],
        keywords: Mapping[str, PyObject],
        part: ast.Call,
    ) -> Unknown:
        """Return an Unknown for a call without side effects; raises if it may have some."""
        given = (*arguments, *keywords.values())
        why = self.refusal(
            part, "what {name} returns is known only when it runs.", name=function.last
        )
        exits = function.path in _EXITS
        may_run_own = any(isinstance(obj, UserDefinition) for obj in given)
        is_harmless = function.library in HARMLESS or function.path == function.last
        has_list = any(isinstance(obj, list) for obj in given)
        shuffles = has_list and "random" in function.path.split(".")
        may_change_values = not is_harmless and (has_list or holds_value(given))
        if exits or may_run_own or shuffles or may_change_values:
            raise why
        # A built-in without a library, such as max(rows), may return an item of a list.
        passes_on = has_list and function.path == function.last
        return Unknown(why, maybe_value=passes_on or holds_value(given))

    def _unknown_method(
        self, of: Unknown, arguments: tuple[PyObject, ...], part: ast.Call
    ) -> Unknown:
        """Evaluate a method of an Unknown: a plot, an array, the notebook."""
        method = part.func.attr if isinstance(part.func, ast.Attribute) else ""
        runs = method in ("run_line_magic", "run_cell_magic") and arguments[:1] not in (
            ("matplotlib",), ("load_ext",), ("autoreload",), ("config",), ("pip",),
        )  # fmt: skip
        if of.maybe_value or runs or any(isinstance(obj, UserDefinition) for obj in arguments):
            raise of.error
        return Unknown(of.error, maybe_value=holds_value(arguments))

    def _random(
        self, function: Imported, arguments: tuple[PyObject, ...], part: ast.Call
    ) -> PyObject:
        """Evaluate a function of `random`."""
        numbers = [number for obj in arguments if (number := number_of(obj)) is not None]
        if function.last == "seed" and len(numbers) == len(arguments) == 1:
            self.random.seed(numbers[0])
            return Nothing()
        try:
            if len(numbers) != len(arguments) or function.path.count(".") != 1:
                raise unknown_draw(function.last)
            return self.random.draw(function.last, numbers)
        except NumberError as error:
            self.random.forget()
            why = self.refusal(part, error.template, **error.fields)
            if any(isinstance(obj, list) for obj in arguments):
                raise why from None  # it may be shuffled
            return Unknown(why, maybe_value=False)

    def _method(
        self,
        method: Method,
        arguments: tuple[PyObject, ...],
        keywords: Mapping[str, PyObject],
        part: ast.Call,
    ) -> PyObject:
        if isinstance(method.of, list):
            return self._built_in.extend_list(method.of, method.name, arguments, part)
        if method.name in _IDENTITY_METHODS and not arguments and not keywords:
            return method.of
        if method.name == "item" and not arguments and not keywords:
            return self.nodes.passes.data[method.of.node]
        if keywords or method.name not in BY_NAME:
            raise self.refusal(part, ".{name} takes plain arguments.", name=method.name)
        self._check_count(method.name, len(arguments) + 1, part)
        return self.nodes.node(method.name, (method.of, *arguments), part)

    def _value(
        self, arguments: tuple[PyObject, ...], keywords: Mapping[str, PyObject], part: ast.Call
    ) -> PyObject:
        slots = self.value_slots
        given: dict[str, PyObject] = dict(zip(slots, arguments, strict=False))
        twice = given.keys() & keywords.keys()
        given |= dict(keywords)
        # the program's own class Value may call its first parameter otherwise than data
        content = given.pop(slots[0], given.pop("data", Nothing()))
        label = given.pop("label", "")
        plain = all(obj in ((), "", 0) for obj in given.values())  # the default values
        if twice or given.keys() - set(slots) or len(arguments) > len(slots) or not plain:
            raise self.refusal(part, "of Value, only Value(number, label='...') can be read.")
        if isinstance(content, Unknown):
            raise content.error
        number = number_of(content)
        if number is None:
            raise self.refusal(part, "a Value is made of one plain number.")
        made = self.nodes.add(Leaf(self.nodes.as_float(number, part)), part)
        if label != "":
            self.nodes.set_label(made, label, part)
        return made

    def _tensor(
        self,
        name: str,
        arguments: tuple[PyObject, ...],
        keywords: Mapping[str, PyObject],
        part: ast.Call,
    ) -> PyObject:
        content = arguments[0] if len(arguments) == 1 else Nothing()
        while isinstance(content, tuple | list) and len(content) == 1:
            content = content[0]
        if keywords.keys() - {"requires_grad"}:  # dtype is dropped where keywords are evaluated
            raise self.refusal(part, "of a tensor, only requires_grad and dtype can be read.")
        number = number_of(content)
        if number is None and isinstance(content, Ref) and name == "Parameter":
            made = content
        elif number is None:
            raise self.refusal(part, "only a tensor of one number can be read.")
        else:
            made = self.nodes.add(Constant(self.nodes.as_float(number, part)), part)
        self.nodes.set_requires_grad(
            made.node, keywords.get("requires_grad", name == "Parameter"), part
        )
        return made

    def _check_count(self, name: str, given: int, part: ast.AST) -> None:
        slots = len(BY_NAME[name].slots)
        if given != slots:
            one = "{name} takes one number, not {given}."
            reason = plural(slots, one, "{name} takes {count} numbers, not {given}.")
            raise self.refusal(part, reason, name=name, count=slots, given=given)

    def op_of(self, part: ast.BinOp | ast.AugAssign) -> str:
        """Return the operation's name; refuses other operators."""
        if type(part.op) not in _SIGNS:
            raise self.refusal(part, OTHER_OPERATOR)
        return _SIGNS[type(part.op)]

    def apply(self, op: str, left: PyObject, right: PyObject, part: ast.AST) -> PyObject:
        """Evaluate an operator between two objects: Values, numbers, texts or lists."""
        if isinstance(left, str) and op == "mod":  # printf-style formatting
            return Unknown(
                self.refusal(part, "texts made with % can't be read."), maybe_value=False
            )
        if isinstance(left, str) and isinstance(right, str) and op == "add":
            return self.nodes.literal(left + right, part)
        if isinstance(left, list) and isinstance(right, list) and op == "add":
            self.nodes.count(part, len(left) + len(right))
            return left + right
        times = number_of(right)
        if isinstance(left, list) and op == "mul" and isinstance(times, int):
            # The bound keeps the product small for `[0] * 10**1000`; far fewer steps are refused.
            self.nodes.count(part, max(len(left), 1) * max(min(times, 10**9), 0))
            return left * times
        return self.nodes.operate(op, (left, right), part)

    def augmented(self, part: ast.AugAssign, target: PyObject, operand: PyObject) -> PyObject:
        """Evaluate `target += operand`; a list is changed in place."""
        if isinstance(target, list) and isinstance(operand, Unknown):
            raise operand.error
        if isinstance(target, list) and isinstance(operand, tuple):
            operand = list(self.nodes.items(operand, part))
        found = self.apply(self.op_of(part), target, operand, part)
        if isinstance(target, list) and isinstance(found, list):
            target[:] = found
            return target
        return found
